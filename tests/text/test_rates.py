"""What a quantity is per: read whole, in one form, whatever the spelling."""

from __future__ import annotations

import pytest

from groundedgen.text.numbers.rates import is_left_out, parts, per, stated, times_per
from groundedgen.text.numerals import numerals


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("5 mg/kg", "kilogram"),
        ("5 mg/kg/day", "day/kilogram"),
        ("5 mg per day per kg of body weight", "day/kilogram"),
        ("5 mg/kg KG", "kilogram"),
        ("5 g/dL", "decilitre"),
        ("5 mmol/L", "litre"),
        ("5 €/m²", "square-metre"),
        ("5 euros per square metre", "square-metre"),
        ("9 L per 100 km", "100 kilometre"),
        ("2% p.a.", "year"),
        ("2 % p. M.", "month"),
        ("2 % mensual", "month"),
        ("2 % im Jahr", "year"),
        ("£500 pcm", "month"),
        ("£500 pw", "week"),
        ("5 mg every other day", "2 day"),
        ("5 mg every 8 hours", "8 hour"),
        ("500 元/月", "month"),
        ("100 km/h", "hour"),
        ("100 km per hour", "hour"),
        ("2 % im Jahr 2023", ""),
        ("5 % des Betrags", ""),
        ("$5 a share", ""),
        ("5 people per se", ""),
    ],
)
def test_a_rate_is_read_whole(text, expected):
    assert expected == numerals(text)[0].per


def test_pm_is_a_month_only_behind_what_is_paid():
    assert ("month", "") == (per("2% p.m.", 2), per("at 5 p.m.", 4, measured=False))


@pytest.mark.parametrize("text", ["", "5", "5 ", "5/", "5 per", "5 a", "5 (", "5 l'", "5 mg/kg/"])
def test_a_text_that_ends_early_is_no_trap(text):
    assert per(text, min(1, len(text))) in {"", "kilogram"}


@pytest.mark.parametrize(
    ("part", "measures", "expected"),
    [
        ("day", {"milligram"}, True),
        ("2 times a day", {"milligram"}, True),
        ("24 hour", {"gram"}, True),
        ("hour", {"GBP"}, True),
        ("hour", {"millilitre"}, False),
        ("kilogram", {"milligram"}, False),
        ("square-metre", {"EUR"}, False),
    ],
)
def test_only_periods_may_be_left_out(part, measures, expected):
    assert expected == is_left_out(part, frozenset(measures))


def test_what_a_table_says_above_its_figures_is_found():
    assert {"kilogram", "litre"} == stated("Dose (mg/kg) and price per litre")
    assert frozenset() == stated("nothing of the sort")


def test_parts_and_times():
    assert frozenset() == parts("")
    assert {"day", "kilogram"} == parts("day/kilogram")
    assert ("day", "3 times a day") == (times_per(1, "day"), times_per(3, "day"))
