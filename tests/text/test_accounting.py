"""Accountants' brackets negate in an amount's place, and nowhere else."""

from __future__ import annotations

import pytest

from groundedgen.text.numerals import numerals

NEGATIVE = [
    "The result was (£500).",
    "Result: (£500)",
    "a result of (€1.2 million)",
    "The result was (1,250).",
    "£(500)",
    "US$(500)",
    "Net income | (500) | 300",
    "Operating profit (1,250) 2,300",
    "Result    (500)",
    "The change was (5%).",
]
POSITIVE = [
    "thirty (30) days",
    "a period of (30) days",
    "The period was (30 days).",
    "The Smith study (2020) found it.",
    "In 2020 (2021) it was",
    "The essay (500 words) is short.",
    "five hundred pounds (£500) are due",
    "The application fee (£500) is due.",
    "12 patients (5.2%) had pain.",
    "120 (5.2%) had pain.",
    "The options: (5) a dog",
]


@pytest.mark.parametrize("text", NEGATIVE)
def test_brackets_in_an_amounts_place_are_a_minus(text):
    assert any(n.negative for n in numerals(text))


@pytest.mark.parametrize("text", POSITIVE)
def test_brackets_that_explain_are_none(text):
    assert not any(n.negative for n in numerals(text))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("at – 5 °C", -5), ("is - 5 °C", -5), ("Store at − 5 °C.", -5), ("value ⁻500", -500),
        ("Balance: 500−", -500), ("Saldo: 1.250,00- EUR", -1250), ("利益は▲500円です", -500),
        ("The fee – 5 euros – is due.", 5), ("CHF 50.-", 50), ("a 500- to 600-word essay", 500),
        ("▲5 % this week", 5), ("The result of ➖5", -5),
    ],
)  # fmt: skip
def test_every_minus_is_read_and_no_dash_is_taken_for_one(text, value):
    assert value == numerals(text)[0].value


@pytest.mark.parametrize("text", ["2 − 8 °C", "5 mg − 8 mg", "2 – 8 °C", "5 °C − 8 °C"])
def test_a_dash_behind_a_number_makes_a_range(text):
    assert not any(n.negative for n in numerals(text))
