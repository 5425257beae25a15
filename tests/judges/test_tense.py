"""What was, what is and what may be are three things, whichever of them the claim states."""

from __future__ import annotations

import pytest

from groundedgen.judges.lexical import LexicalJudge
from groundedgen.ports import Pair


def label(premise, claim):
    return LexicalJudge().judge([Pair(premise, claim)])[0].label


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Owners voted in May.", "Owners vote in May."),
        ("The tenants left in May.", "The tenants leave in May."),
        ("The firm paid a dividend in May.", "The firm pays a dividend in May."),
        ("Rents were paid in May.", "Rents are paid in May."),
        ("Owners may vote in May.", "Owners may have voted in May."),
        ("Owners must pay in May.", "Owners must have paid in May."),
        ("Owners may be paid in May.", "Owners may have been paid in May."),
    ],
)
def test_another_tense_is_not_supported_in_either_direction(one, other):
    assert label(f"The report says more. {one}", other) != "supported"
    assert label(f"The report says more. {other}", one) != "supported"


@pytest.mark.parametrize(
    ("premise", "claim"),
    [
        ("Owners voted in May.", "In May owners voted."),
        ("Owners may vote in May.", "In May owners may vote."),
        ("Owners may have voted in May.", "In May owners may have voted."),
        ("The firm pays a dividend in May.", "A dividend is paid by the firm in May."),
        ("The firm paid a dividend in May.", "A dividend was paid by the firm in May."),
        ("The members' vote was held in May.", "In May the members' vote was held."),
        ("The firm sells used cars in May.", "In May the firm sells used cars."),
    ],
)
def test_the_same_tense_is(premise, claim):
    assert label(premise, claim) == "supported"
