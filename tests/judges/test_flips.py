"""Each rule on not, may, all and their kind, alone: what it stops and what it lets be."""

from __future__ import annotations

import pytest

from groundedgen.judges.wording.alignment import align
from groundedgen.judges.wording.flips import (
    bounds,
    contrast,
    direction,
    modality,
    negation,
    place,
    quantity,
    time,
)
from groundedgen.text.english.analysis import analyse


def found(rule, passage, claim):
    flip = rule(align(analyse(claim), analyse(passage), lambda key: 1.0))
    return None if flip is None else flip.name


@pytest.mark.parametrize(
    ("rule", "passage", "claim", "expected"),
    [
        (negation, "Hail is covered.", "Hail is not covered.", "negation"),
        (negation, "Hail is not covered.", "Hail is covered.", "negation"),
        (negation, "Hail isn't covered.", "Hail is not covered.", None),
        (negation, "Hail is excluded.", "Hail is covered.", "opposite"),
        (negation, "Hail is excluded.", "Hail is not covered.", None),
        (negation, "The lift is closed.", "The lift does not run.", None),
        (negation, "Fire is covered, hail is not.", "Fire is covered.", None),
        (negation, "Fire is covered, hail is not.", "Hail is covered.", "negation"),
        (negation, "Neither fire nor hail is covered.", "Fire is covered.", "negation"),
        (negation, "See no. 5 on hail.", "Hail: see no. 5.", None),
        (negation, "Not only hail is covered.", "Hail is covered.", None),
        (contrast, "Fire is covered but hail excluded.", "Fire and hail are covered.", "opposite"),
        (contrast, "The shop opens at 8 and closes at 6.", "The shop opens at 8.", None),
        (modality, "The tenant may leave.", "The tenant must leave.", "modality"),
        (modality, "The tenant must leave.", "The tenant may leave.", "modality"),
        (modality, "The tenant must leave.", "The tenant is required to leave.", None),
        (modality, "The tenant may leave.", "The tenant is allowed to leave.", None),
        (modality, "The tenant may not leave.", "The tenant is not allowed to leave.", None),
        (modality, "The tenant may not leave.", "The tenant must not leave.", "modality"),
        (modality, "The tenant need not leave.", "The tenant must not leave.", "modality"),
        (modality, "The drug may cause pain.", "The drug causes pain.", "modality"),
        (modality, "Members must be over 18.", "Members are over 18.", None),
        (modality, "He may sublet and must pay.", "He must sublet.", "modality"),
        (modality, "He may sublet and must pay.", "He must pay.", None),
        (modality, "The lease ends in May.", "In May the lease ends.", None),
        (quantity, "Some members voted.", "All members voted.", "universal"),
        (quantity, "All members voted.", "Some members voted.", "partial"),
        (quantity, "Some members voted.", "Members voted.", "partial"),
        (quantity, "All members voted.", "Members voted.", None),
        (quantity, "Members voted.", "Only members voted.", "only"),
        (quantity, "Only members voted.", "Members voted.", None),
        (quantity, "Most claims are paid.", "Claims are paid.", "partial"),
        (bounds, "At most half of them pay.", "Half of them pay.", "bound"),
        (bounds, "Half of them pay.", "At least half of them pay.", "bound"),
        (bounds, "Almost half of them pay.", "Half of them pay.", "bound"),
        (bounds, "At most half of them pay.", "At least half of them pay.", "bound"),
        (bounds, "At most half of them pay.", "No more than half of them pay.", None),
        (bounds, "The fee is at least 5 euros.", "The fee is 5 euros.", "bound"),
        (bounds, "The fee is 5 euros.", "The fee is up to 5 euros.", "bound"),
        (bounds, "The fee is at most 5 euros.", "The fee is no more than 5 euros.", None),
        (bounds, "Adults over 65 pay.", "Adults older than 65 pay.", None),
        (bounds, "He must be 18 years or older.", "He must be 18.", "bound"),
        (direction, "Sales rose.", "Sales fell.", "direction"),
        (direction, "Sales rose.", "Sales increased.", None),
        (direction, "Gold costs more than tin.", "Gold costs less than tin.", "direction"),
        (time, "It starts before May.", "It starts after May.", "time"),
        (time, "It starts before May.", "It starts prior to May.", None),
        (place, "See the table above.", "See the table below.", "place"),
    ],
)
def test_a_rule_names_what_differs_and_nothing_else(rule, passage, claim, expected):
    assert found(rule, passage, claim) == expected
