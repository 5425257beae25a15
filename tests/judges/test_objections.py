"""What proves a claim, and what stops one whatever its score."""

from __future__ import annotations

import pytest

from groundedgen.judges.lexical import rarity
from groundedgen.judges.wording.lexpassage import Passage
from groundedgen.judges.wording.objections import SCATTERED, examine
from groundedgen.judges.wording.signals import compare


def found(premise, claim):
    passage = Passage(premise)
    return examine(claim, passage, compare(claim, passage, rarity))


def test_all_words_in_one_sentence_without_a_difference_are_proof():
    assert found("The plan covers fire, theft and hail.", "The plan covers hail.") == "proved"


def test_proof_may_stand_in_another_sentence_than_the_closest():
    passage = "Hail is not covered in May. Hail is covered in May."
    assert found(passage, "In May hail is covered.") == "proved"


@pytest.mark.parametrize(
    ("premise", "claim", "label", "why"),
    [
        ("The fee is 5 euros.", "The fee is 6 euros.", "contradicted", "does not hold: 6"),
        (
            "The fee is due in May.",
            "The landlord's fee is due in May.",
            "not_addressed",
            "landlord",
        ),
        ("The fee is due.", "The fee I paid is due.", "not_addressed", "who speaks"),
        ("Hail is covered.", "Hail is not covered.", "contradicted", "not so"),
        ("The tenant sued the owner.", "The owner sued the tenant.", "not_addressed", "other way"),
        ("The fee is due in May or June.", "The fee is due in May.", "not_addressed", "of two"),
        ("The fee for cats is due.", "The fee for dogs is due.", "not_addressed", "cats"),
        (
            "The fee is 5 euros. The rent of cars is 9 euros.",
            "The fee of cars is 9 euros.",
            "not_addressed",
            "the rent of",
        ),
        ("Is the fee due?", "The fee is due.", "not_addressed", "asserts"),
    ],
)
def test_an_objection_names_what_differs(premise, claim, label, why):
    objection = found(premise, claim)
    assert objection.label == label
    assert why in objection.why


def test_words_from_all_over_the_passage_prove_nothing():
    passage = "Fire burns. Hail falls. Theft pays. Rent rises. Dogs bark."
    claim = "Fire, hail, theft, rent and dogs."
    assert found(passage, claim).why == SCATTERED


def test_a_paraphrase_may_change_the_order_of_words_and_a_near_copy_may_not():
    passage = (
        "In 1998 the company, then still based in Bonn and short of money, bought two old ships"
        " from a Greek owner and painted them red before the summer."
    )
    claim = "Before the summer two old ships, painted red, stood in Bonn."
    assert found(passage, claim) is None
    swapped = "In 1998 the Greek owner bought two old ships from a company."
    assert found(passage, swapped) not in (None, "proved")
