"""Promises of the handles by which words are matched."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundedgen.text.english.kinship import handles, key, sought


@given(st.text(min_size=1, max_size=12).filter(str.isalnum))
def test_every_word_finds_itself(word):
    assert sought(word)[0] == (handles(word)[0], "same")


def kin(claim, passage):
    filed = set(handles(passage))
    return next((kind for handle, kind in sought(claim) if handle in filed), None)


@pytest.mark.parametrize(
    ("claim", "passage", "expected"),
    [
        ("covered", "covers", "same"),
        ("ten", "10", "same"),
        ("payment", "pays", "family"),
        ("coverage", "cover", "family"),
        ("notice", "notify", "family"),
        ("purchased", "bought", "synonym"),
        ("vehicle", "car", "kind"),
        ("car", "vehicle", None),
        ("excluded", "covered", "opposite"),
        ("rose", "increased", "way"),
        ("rose", "fell", "opposite"),
        ("fee", "dog", None),
    ],
)
def test_kin_are_told_apart(claim, passage, expected):
    assert kin(claim, passage) == expected


def test_who_does_and_whom_it_is_done_to_have_two_keys():
    for one, other in (("employer", "employee"), ("insurer", "insured"), ("trainer", "trainee")):
        assert key(one) != key(other)
    assert key("employers") == key("employer")
