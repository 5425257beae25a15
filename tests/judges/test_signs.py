"""Signs are words: a claim that changes one is not proved, one that prints it otherwise is."""

from __future__ import annotations

import pytest

from groundedgen.judges.lexical import LexicalJudge
from groundedgen.judges.wording.alignment import align
from groundedgen.judges.wording.signs import signs, signs_of
from groundedgen.ports import Pair
from groundedgen.text.english.analysis import analyse

CHANGED = [
    ("Blood of type Rh+ was given in May.", "Blood of type Rh- was given in May."),
    ("HIV+ patients were treated at home.", "HIV\u2212 patients were treated at home."),
    ("HIV+ patients were treated at home.", "HIV patients were treated at home."),
    ("The test was (+) in most of the patients.", "The test was (\u2013) in most of the patients."),
    ("Sodium ↑ and potassium ↓ were seen.", "Sodium ↓ and potassium ↑ were seen."),
    ("The effect was seen at p < 0.05 in May.", "The effect was seen at p = 0.05 in May."),
    ("The effect was seen at p = 0.05 in May.", "The effect was seen at p < 0.05 in May."),
    ("The bond is rated A+ by the agencies.", "The bond is rated A- by the agencies."),
    ("The bond is rated A+ by the agencies.", "The bond is rated A by the agencies."),
    ("Both groups had mean A \u2260 mean B in May.", "Both groups had mean A = mean B in May."),
    ("The drug was allowed for \u2642 patients.", "The drug was allowed for \u2640 patients."),
    ("Guests \u2717, nurses \u2713 at night.", "Guests \u2713, nurses \u2717 at night."),
    ("Prices were X + VAT in these shops.", "Prices were X - VAT in these shops."),
    ("Prices were X - VAT in these shops.", "Prices were X + VAT in these shops."),
    ("The option pays where S > K in May.", "The option pays where S >= K in May."),
    ("The inn was rated ★★☆ in May.", "The inn was rated ★★★ in May."),
    ("The code was written in C++ in May.", "The code was written in C in May."),
    ("The room was for members 18+ in May.", "The room was for members 18 in May."),
    ("The dose was ~5 mg in May.", "The dose was 5 mg in May."),
    ("Heat \u2192 steam was shown in May.", "Heat \u2190 steam was shown in May."),
]  # fmt: skip

PRINTED = [
    ("Blood of type Rh- was given in May.", "In May blood of type Rh\u2212 was given."),
    ("The effect was seen at p <= 0.05 in May.", "In May the effect was seen at p \u2264 0.05."),
    ("The effect was seen at p<0.05 in May.", "In May the effect was seen at p < 0.05."),
    ("The well-known firm was sold in May.", "In May the well\u2010known firm was sold."),
    (
        "The firm \u2013 a large one \u2013 was sold in May.",
        "In May the firm - a large one - was sold.",
    ),
    ("Short- and long-term loans were sold in May.", "In May long-term loans were sold."),
    ("\u2713 The alarm was set in May.", "In May the alarm was set."),
    ("+ The alarm was set in May.", "In May the alarm was set."),
    ("The <b>alarm</b> was set in May.", "In May the alarm was set."),
    ("Rooms of 3 \u00d7 4 metres were let in May.", "In May rooms of 3 x 4 metres were let."),
    (
        "Growth was seen in HIV+ and HIV- men in May.",
        "In May growth was seen in HIV+ and HIV- men.",
    ),
    ("The drug was given to men (n = 12) in May.", "In May the drug was given to men."),
    ("The cafe \u2615 was open in May.", "In May the cafe was open."),
    ("Acme\u2122 and Beta\u00ae were sold in May.", "In May Acme and Beta were sold."),
]


def label(premise, claim, point="strict"):
    return LexicalJudge(point=point).judge([Pair(premise, claim)])[0].label


@pytest.mark.parametrize("point", ["strict", "balanced"])
@pytest.mark.parametrize(("premise", "claim"), CHANGED)
def test_a_claim_that_changes_or_drops_a_sign_is_not_supported(premise, claim, point):
    assert label(premise, claim, point) != "supported"


@pytest.mark.parametrize(("premise", "claim"), PRINTED)
def test_a_claim_that_prints_the_same_otherwise_changes_none(premise, claim):
    assert signs(align(analyse(claim), analyse(premise), lambda key: 1.0)) is None


@pytest.mark.parametrize(
    "text",
    [
        "born 1950\u2013 in Rome",
        "call +49 30 123 or +5 %",
        "the firm- which was old",
        "insur-\nance is due",
        "a 5-10 day stay",
        "~~old~~ new",
        "10\u207b\u00b3 mol",
        "----- +----+",
        "> quoted",
        "\u25cf item \u2022 item \u00a9 2020",
    ],
)
def test_printing_is_no_sign(text):
    assert signs_of(analyse(text)) == []
