"""Claims that join what a sentence keeps apart."""

from __future__ import annotations

import pytest

from groundedgen.judges.wording.alignment import align
from groundedgen.judges.wording.clauses import replaced, stitched
from groundedgen.text.english.analysis import analyse


def al(passage, claim):
    return align(analyse(claim), analyse(passage), lambda key: 1.0)


@pytest.mark.parametrize(
    ("passage", "claim"),
    [
        ("Ann wrote to Bob and Carl wrote to Dora.", "Ann wrote to Dora."),
        ("The judge freed the driver who hit the cyclist.", "The judge freed the cyclist."),
        ("Ann tells Bob, and the landlord must pay.", "Ann must pay."),
        ("Revenue was 5 million and profit 2 million.", "Revenue was 2 million."),
        ("The tenant's lawyer must sign.", "The tenant must sign."),
        ("The lawyer of the tenant must sign.", "The tenant must sign."),
        ("Water damage is covered.", "Water is covered."),
    ],
)
def test_parts_of_two_clauses_are_not_one(passage, claim):
    assert stitched(al(passage, claim)) is not None


@pytest.mark.parametrize(
    ("passage", "claim"),
    [
        ("The plan covers fire, theft and hail.", "The plan covers hail."),
        ("The firm opened in May and closed in June.", "The firm closed in June."),
        ("The rollout cut delays and saved money.", "The rollout saved money."),
        ("The tenant's lawyer must sign.", "The tenant's lawyer must sign."),
        ("It debuted on NBC and ran for nine seasons.", "It ran for nine seasons."),
    ],
)
def test_one_subject_may_have_two_verbs(passage, claim):
    assert stitched(al(passage, claim)) is None


def test_a_word_in_the_place_of_another_is_named():
    why = replaced(al("Team Beta cut delays.", "Team Alpha cut delays."))
    assert why is not None
    assert "alpha" in why
    assert "beta" in why
    assert replaced(al("Team Beta cut delays.", "Team Beta cut delays.")) is None
    assert replaced(al("Team Beta cut delays.", "Quokkas sleep.")) is None
