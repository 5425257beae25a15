"""Each rule on what a sentence sets apart: what it stops and what it lets be."""

from __future__ import annotations

import pytest

from groundedgen.judges.wording.alignment import align
from groundedgen.judges.wording.asides import (
    inverted,
    other_figure,
    other_subject,
    scope_of_only,
    set_apart,
    unreal,
)
from groundedgen.text.english.analysis import analyse

CASES = [
    (inverted, "Had he paid, he would have stayed.", "He paid.", True),
    (inverted, "Should the alarm fail, the guard must come.", "The guard must come.", True),
    (inverted, "Had he paid, he would stay.", "He would stay if he had paid.", False),
    (inverted, "He had paid and could stay.", "He had paid.", False),
    (unreal, "The house used to be a hotel.", "The house is a hotel.", True),
    (unreal, "The house used to be a hotel.", "The house was once a hotel.", False),
    (unreal, "The saw is used to cut wood.", "The saw cuts wood.", False),
    (unreal, "He promised to repair the roof.", "He repaired the roof.", True),
    (unreal, "The doctor advised against surgery.", "The doctor advised surgery.", True),
    (unreal, "It is a myth that hail is covered.", "Hail is covered.", True),
    (unreal, "The roof would have been repaired.", "The roof was repaired.", True),
    (unreal, "The ship was to sail in May.", "The ship sailed in May.", True),
    (set_apart, "Cats, unlike dogs, are allowed.", "Dogs are allowed.", True),
    (set_apart, "Cats, unlike dogs, are allowed.", "Cats are allowed.", False),
    (set_apart, "Everyone but the guard has a key.", "The guard has a key.", True),
    (set_apart, "All cars, ambulances excepted, pay.", "Ambulances pay.", True),
    (set_apart, "Visitors are exempt from the fee.", "Visitors pay the fee.", True),
    (scope_of_only, "Only doctors may prescribe it.", "Doctors may only prescribe it.", True),
    (scope_of_only, "Only doctors may treat it.", "It may be treated by doctors only.", False),
    (scope_of_only, "He may borrow only two books.", "He may only borrow two books.", False),
    (other_figure, "It began in 2019 and was renewed in 2021.", "It was renewed in 2019.", True),
    (other_figure, "It began in 2019 and was renewed in 2021.", "It was renewed in 2021.", False),
    (other_subject, "Paul owns it and Mary rents the garden.", "Paul rents the garden.", True),
    (other_subject, "Paul owns it and Mary rents the garden.", "Mary rents the garden.", False),
    (other_subject, "Sales fell and profits rose.", "Sales rose.", True),
    (other_subject, "The tenant pays rent and property taxes.", "The tenant pays taxes.", False),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "passage", "claim", "stops"), CASES)
def test_a_rule_stops_what_the_sentence_sets_apart(rule, passage, claim, stops):
    found = rule(align(analyse(claim), analyse(passage), lambda key: 1.0))
    assert (found is not None) == stops
