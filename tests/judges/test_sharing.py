"""A figure of several is not given to one of them; a figure of one of them is his."""

from __future__ import annotations

import pytest

from groundedgen.judges.lexical import LexicalJudge
from groundedgen.judges.wording.alignment import align
from groundedgen.judges.wording.sharing import shared
from groundedgen.ports import Pair
from groundedgen.text.english.analysis import analyse

OF_SEVERAL = [
    ("The firm paid 900 euros for two cars and two vans.", "The firm paid 900 euros for two cars."),
    ("The fee and the tax are 500 euros.", "The tax is 500 euros."),
    ("The fee and the tax are 500 euros.", "The fee is 500 euros."),
    ("The fee and the high tax are 500 euros.", "The high tax is 500 euros."),
    ("Rent and heating cost 900 euros a month.", "Rent costs 900 euros a month."),
    ("Rent and heating cost 900 euros each month.", "Heating costs 900 euros each month."),
    ("The two cars and the van cost 90,000 euros.", "The van costs 90,000 euros."),
    ("The two cars and the two vans cost 90,000 euros.", "The two vans cost 90,000 euros."),
    ("The firm and its partner sold 500 cars.", "The firm sold 500 cars."),
    ("The firm & its partner sold 500 cars.", "The firm sold 500 cars."),
    ("The firm as well as its partner sold 500 cars.", "The firm sold 500 cars."),
    ("Spain with Italy sold 500 cars.", "Spain sold 500 cars."),
    ("The firm sold 500 cars and lorries.", "The firm sold 500 cars."),
    ("Sales in Spain and Italy were 500 million.", "Sales in Italy were 500 million."),
    ("Sales in Spain, France and Italy were 500 million.", "Sales in Spain were 500 million."),
    (
        "Sales in Spain, France and Italy were 5 million.",
        "Sales in Spain and Italy were 5 million.",
    ),
    ("In 2020 and 2021 the firm lost 5 million euros.", "In 2020 the firm lost 5 million euros."),
    ("In 2020 and 2021 the firm lost 5 million.", "The firm lost 5 million in 2021."),
    ("The firm lost 5 million in May and June.", "The firm lost 5 million in May."),
    ("Anna and Ben paid half of the rent.", "Ben paid half of the rent."),
]

OF_ONE = [
    ("Profit was 4 million in 2020 and 6 million in 2021.", "Profit was 4 million in 2020."),
    ("Profit was 4 in 2020 and 6 in 2021.", "Profit was 4 in 2020."),
    ("Rent is due in May and the deposit is 500 euros.", "The deposit is 500 euros."),
    ("The deposit is 500 euros and rent is due in May.", "The deposit is 500 euros."),
    ("The firm sold 500 cars and moved to Rome.", "The firm sold 500 cars."),
    ("The firm moved to Rome and sold 500 cars.", "The firm sold 500 cars."),
    ("John and Mary were born in 1980.", "Mary was born in 1980."),
    ("The office and the shop were opened on 5 May.", "The shop was opened on 5 May."),
    ("Fire and theft are covered by this policy.", "Theft is covered by this policy."),
    ("Section 5 of the lease and the deed was read.", "Section 5 of the lease was read."),
    ("Ferris is home to two churches, one old and one new.", "Ferris is home to two churches."),
    ("He had a film and television career of ten years.", "He had a film career of ten years."),
]

ALSO_ONE = [
    ("The fee and the tax were 500 euros each.", "The tax was 500 euros."),
    ("Both the fee and the tax were 500 euros.", "The tax was 500 euros."),
    ("The firm had 500 staff and a bank.", "The firm had 500 staff."),
    ("A fee of 500 euros and a deposit were due.", "A fee of 500 euros was due."),
    ("A deposit and a fee of 500 euros were due.", "A fee of 500 euros was due."),
    ("The tenant pays rent and keeps a deposit of 500 euros.", "The tenant keeps 500 euros."),
]


def gives(premise, claim):
    return shared(align(analyse(claim), analyse(premise), lambda key: 1.0))


@pytest.mark.parametrize("point", ["strict", "balanced"])
@pytest.mark.parametrize(("premise", "claim"), OF_SEVERAL)
def test_a_figure_of_several_is_not_given_to_one(premise, claim, point):
    verdict = LexicalJudge(point=point).judge([Pair(premise, claim)])[0]
    assert verdict.label != "supported"
    assert gives(premise, claim) is not None


@pytest.mark.parametrize(("premise", "claim"), OF_ONE)
def test_what_is_said_of_one_alone_is_supported(premise, claim):
    assert LexicalJudge(point="strict").judge([Pair(premise, claim)])[0].label == "supported"


@pytest.mark.parametrize(("premise", "claim"), OF_ONE + ALSO_ONE)
def test_a_figure_of_one_is_no_figure_of_several(premise, claim):
    assert gives(premise, claim) is None
