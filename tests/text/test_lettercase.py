"""Where letter case is the word, another case is another word; where it is printing, it is none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundedgen.gates import unsupported_numbers
from groundedgen.judges.lexical import LexicalJudge
from groundedgen.ports import Pair
from groundedgen.text.lettercase import is_other_word, recased
from groundedgen.text.numbers.units import SYMBOLS

UNITS = [
    ("nM", "nm"), ("mM", "mm"), ("µM", "µm"), ("mSv", "MSv"), ("mA", "MA"), ("mF", "MF"),
    ("mbar", "Mbar"), ("mN", "MN"), ("mmol", "Mmol"), ("T", "t"), ("G", "g"), ("S", "s"),
    ("H", "h"), ("Pa", "pA"), ("m", "M"), ("mg", "Mg"), ("mW", "MW"), ("Mb", "MB"),
    ("mHz", "MHz"), ("mV", "MV"), ("mPa", "MPa"), ("mΩ", "MΩ"), ("mS", "ms"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), UNITS)
@pytest.mark.parametrize("text", ["The level was 5 {} in most samples.", "At 5 {} it was lost."])
def test_a_unit_in_another_case_is_another_unit_in_either_direction(one, other, text):
    one, other = text.format(one), text.format(other)
    assert unsupported_numbers(one, other)
    assert unsupported_numbers(other, one)


@pytest.mark.parametrize(("one", "other"), [pair for pair in UNITS if pair != ("mN", "MN")])
def test_a_sentence_with_a_unit_in_another_case_is_another_sentence(one, other):
    one, other = (f"The level was 5 {unit} in most samples." for unit in (one, other))
    assert recased(one, other)
    assert recased(other, one)
    assert not recased(one, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("5 KM", "5 km"), ("5 Kg", "5 kg"), ("5 KW", "5 kw"), ("5 ML", "5 ml"), ("5 MHZ", "5 mhz"),
        ("5 msv", "5 MSv"), ("5 kpa", "5 kPa"), ("5 Lbs", "5 lbs"), ("5 µl", "5 µL"),
        ("5 PM", "5 pm"), ("5 Mg", "5 t"), ("5 MW", "5 mw"),
    ],
)  # fmt: skip
def test_a_heading_in_capitals_reads_as_either(one, other):
    shouted = f"FREE FOR THE FIRST {one}".upper()
    plain = f"Free for the first {other}"
    assert unsupported_numbers(plain, shouted) == unsupported_numbers(shouted, plain) == ()
    assert not recased(plain, shouted)
    assert not recased(shouted, plain)


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("5 kw", "5 kW"), ("5 Kwh", "5 kWh"), ("5 mbps", "5 Mbps"), ("5 MBAR", "5 mbar"),
        ("5 million", "5 MN"), ("5 M people", "5 M people"), ("$5T", "$5 trillion"),
        ("500 pw", "500 pw"), ("5G", "5G"), ("5 MM euros", "5 million euros"),
    ],
)  # fmt: skip
def test_a_case_that_no_other_unit_has_is_printing(claim, passage):
    assert unsupported_numbers(claim, passage) == ()


@given(st.sampled_from(sorted(SYMBOLS)), st.integers(2, 900))
def test_a_number_with_its_own_unit_is_supported(unit, number):
    assert unsupported_numbers(f"It was {number} {unit}.", f"So it was {number} {unit}.") == ()


WORDS = [
    ("CO", "Co"), ("CO", "co"), ("BRCA1", "Brca1"), ("US", "us"), ("IT", "it"), ("AIDS", "aids"),
    ("PH", "pH"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), WORDS)
def test_an_acronym_is_no_word_of_its_letters(one, other):
    assert is_other_word(one, other)
    assert is_other_word(other, one)
    texts = [f"The rule on {word} was read in most rooms." for word in (one, other)]
    assert recased(*texts)
    assert recased(*reversed(texts))


@pytest.mark.parametrize(("one", "other"), WORDS)
def test_nor_is_it_one_to_the_judge_of_words(one, other):
    premise, claim = f"The rule on {one} was read in May.", f"In May the rule on {other} was read."
    assert LexicalJudge().judge([Pair(premise, claim)])[0].label != "supported"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The fee is due.", "the fee is due."),
        ("NATO was told.", "Nato was told."),
        ("FEES OF CO MONITORS ARE DUE.", "Fees of Co monitors are due."),
        ("Read COVER OF FIRE first.", "Read Cover of fire first."),
        ("The iPhone was sold.", "The Iphone was sold."),
        ("CO and Co were found.", "CO and Co were found."),
    ],
)
def test_a_heading_or_a_name_in_another_case_is_the_same(one, other):
    assert not recased(one, other)
    assert not recased(other, one)


def test_words_that_change_places_only_by_case_are_others():
    assert recased("Co and CO were found.", "CO and Co were found.")
    assert recased("5 mM and 5 mm are two.", "5 mm and 5 mM are two.")
