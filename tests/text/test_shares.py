"""One in ten is one number, ten patients are another."""

from __future__ import annotations

import pytest

from groundedgen.text.numerals import numerals


def read(text):
    return [(n.written, n.kind, str(n.value)) for n in numerals(text) if not n.weak]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One in 10 patients had it.", ("One in 10", "fraction", "1/10")),
        ("up to 1 in 1,000 people", ("1 in 1,000", "fraction", "1/1000")),
        ("one in every ten adults", ("one in every ten", "fraction", "1/10")),
        ("three out of every 100 users", ("three out of every 100", "fraction", "3/100")),
        ("7 out of 10 people", ("7 out of 10", "fraction", "7/10")),
        ("one patient in 10 had it", ("one patient in 10", "fraction", "1/10")),
        ("1 in 2000 people", ("1 in 2000", "fraction", "1/2000")),
        ("einer von 10 Patienten hatte es", ("einer von 10", "fraction", "1/10")),
        ("Un patient sur 10 a eu mal.", ("Un patient sur 10", "fraction", "1/10")),
        ("1 de cada 10 pacientes", ("1 de cada 10", "fraction", "1/10")),
    ],
)
def test_a_share_is_one_fraction(text, expected):
    assert [expected] == read(text)


@pytest.mark.parametrize(
    "text",
    [
        "3 of the 10 patients",
        "3 out of 12 patients",
        "He won 3 in 2020.",
        "3 offices in 10 countries",
        "5 in 12 months",
        "eine Gruppe von 10 Personen",
        "born 5 in 3 cities",
    ],
)
def test_what_counts_is_not_a_share(text):
    assert "fraction" not in {kind for _, kind, _ in read(text)}
