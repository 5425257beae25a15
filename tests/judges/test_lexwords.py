"""Words as the score sees them agree with the tables that the rules use."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundedgen.judges.wording.alignment import copied
from groundedgen.judges.wording.lexwords import beginnings, own_beginnings, tokens, worth
from groundedgen.text.english.sensewords import SAME

WORDS = sorted({word for line in SAME.split("\n") for word in line.replace("|", " ").split()})


@given(st.sampled_from(WORDS), st.sampled_from(WORDS))
def test_no_kin_is_missed_by_how_it_begins(word, other):
    if worth(word, other):
        assert set(beginnings(word)) & set(own_beginnings(other))


@pytest.mark.parametrize(
    ("word", "other"), [("7", "seven"), ("buy", "bought"), ("cry", "cries"), ("rent", "rental")]
)
def test_numbers_and_irregular_forms_are_found_by_how_they_begin(word, other):
    assert worth(word, other) > 0
    assert set(beginnings(word)) & set(own_beginnings(other))


@given(st.text(max_size=60))
def test_tokens_are_never_empty(text):
    assert all(tokens(text))


def _oracle(one, other):
    if not one or not other:
        return 0
    if one[-1] == other[-1]:
        return _oracle(one[:-1], other[:-1]) + 1
    return max(_oracle(one[:-1], other), _oracle(one, other[:-1]))


@given(st.lists(st.sampled_from("abc"), max_size=6), st.lists(st.sampled_from("abcd"), max_size=6))
def test_copied_is_the_longest_common_subsequence(claim, sentence):
    assert copied(claim, sentence) == _oracle(claim, sentence)
