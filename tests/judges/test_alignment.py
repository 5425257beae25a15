"""Promises of the alignment."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from groundedgen.judges.wording.alignment import align
from groundedgen.text.english.analysis import analyse

WORDS = [
    "hail",
    "covers",
    "covered",
    "damage",
    "dog",
    "animal",
    "lift",
    "elevator",
    "open",
    "5",
    "five",
]
sentences = st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)


def laid(claim, passage):
    return align(analyse(claim), analyse(passage), lambda key: 1.0)


@given(sentences, sentences)
def test_each_content_word_is_linked_once_or_unmatched(claim, passage):
    al = laid(claim, passage)
    here = [link.here for link in al.links]
    assert sorted([*here, *al.unmatched]) == list(al.claim.content)
    assert len({link.there for link in al.links}) == len(al.links)
    assert 0 <= al.coverage <= 1


@given(sentences)
def test_a_sentence_covers_itself_in_order(text):
    al = laid(text, text)
    assert [link.here for link in al.links] == [link.there for link in al.links]
    assert not al.unmatched


def test_kin_are_linked_and_others_are_not():
    def kin(claim, passage):
        return [link.kin for link in laid(claim, passage).links]

    assert kin("covering", "covered") == ["same"]
    assert kin("payment", "pay") == ["family"]
    assert kin("elevator", "lift") == ["synonym"]
    assert kin("animal", "dog") == ["kind"]
    assert kin("dog", "animal") == []
    assert kin("closed", "open") == ["opposite"]
    assert kin("fell", "reduced") == ["way"]
    assert kin("employer", "employee") in ([], ["opposite"], ["part"])
    assert kin("five", "5") == ["same"]


def test_a_word_stands_for_one_word_of_the_claim_only():
    assert len(laid("Mankato and North Mankato grew", "North Mankato grew").links) == 3
