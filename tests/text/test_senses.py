"""Promises of the marks of meaning."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundedgen.text.english.senses import marks
from groundedgen.text.tokens import words


def found(text):
    return [(m.kind, m.value) for m in marks(words(text))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It is not covered", [("negation", "no")]),
        ("It isn't", [("negation", "no")]),
        ("See no. 5", []),
        ("not only fire", [("nothing", "-")]),
        ("may not", [("modal", "cannot")]),
        ("must not", [("modal", "barred")]),
        ("is not required to", [("modal", "free")]),
        ("in May", []),
        ("3 May", []),
        ("He may go", [("modal", "may")]),
        ("provided by us", []),
        ("provided that he pays", [("if", "if")]),
        ("only if he pays", [("if", "only")]),
        ("unless he pays", [("if", "unless")]),
        ("at least 5", [("bound", "least")]),
        ("at least it works", []),
        ("18 years or older", [("bound", "least")]),
        ("over the bridge", []),
        ("over 65", [("bound", "over")]),
        ("United States", []),
    ],
)
def test_phrases_are_read_longest_first_and_only_in_their_sense(text, expected):
    assert [m for m in found(text) if m[0] not in ("way", "time", "place")] == expected


@given(
    st.text(max_size=60)
    | st.lists(st.sampled_from(["not", "only", "may", "5", "or", "if", "more"])).map(" ".join)
)
def test_marks_stand_in_order_and_do_not_overlap(text):
    read = words(text)
    last = 0
    for mark in marks(read):
        assert last <= mark.first < mark.last <= len(read)
        last = mark.last
