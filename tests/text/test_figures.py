"""Promises of numbers in digits: what is glued to them, beside them, and made of them."""

from __future__ import annotations

import pytest

from groundedgen.text.numbers.digits import exact
from groundedgen.text.numerals import numerals


def read(text, lang=None):
    return [
        (n.written, n.kind if n.kind == "identifier" or not n.readings else str(n.value))
        for n in numerals(text, lang)
        if not n.weak
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("5,000(1) and 5,000(a)", [("5,000", "5000"), ("5,000", "5000")]),
        (
            "401(k), 4.2(b)(i), 3(see)",
            [("401(k)", "identifier"), ("4.2(b)(i)", "identifier"), ("3", "3")],
        ),
        ("5'6 tall, 1990's, '90s", [("5'6", "number"), ("1990's", "1990"), ("'90s", "90")]),
        ("3Q23 and H1 2024", [("3Q", "3"), ("23", "2023"), ("H1", "1"), ("2024", "2024")]),
        ("FY2023, FY23, Q3", [("FY2023", "2023"), ("FY23", "2023"), ("Q3", "3")]),
        ("2010-15, 1998-02", [("2010", "2010"), ("15", "2015"), ("1998-02", "1998")]),
        ("2010-12", [("2010", "2010"), ("12", "12")]),
        ("1/0 or 7/3", [("1", "1"), ("0", "0"), ("7/3", "7/3")]),
        ("10^999 and 9^99", [("10^999", "number"), ("9^99", "number")]),
        ("5² or 2¹⁰ or 30²", [("5²", "number"), ("2¹⁰", "1024"), ("30", "30")]),
        ("the 3rd half and 1,000th", [("3rd", "3"), ("1,000th", "1000")]),
        ("5B, 5b, 5t, 5m²", [("5B", "None"), ("5b", "5000000000"), ("5t", "5"), ("5m²", "5")]),
        ("5% points, 5%-points", [("5% points", "5"), ("5%-points", "5")]),
        ("12 500 people, 350 420 510 people", [("12 500", "12500"), ("350 420 510", "350420510")]),
        ("2019 350 420", [("2019", "2019"), ("350", "350"), ("420", "420")]),
        ("1\t000", [("1", "1"), ("000", "number")]),
        (
            "US$5, C$5, RMB 5, T€5, k€5",
            [("US$5", "5"), ("C$5", "5"), ("RMB 5", "5"), ("T€5", "5000"), ("k€5", "5000")],
        ),
        ("XYZ$5, (USD 5)", [("$5", "5"), ("USD 5", "5")]),
        ("$(5), a | (5,000) | (5%)", [("$(5)", "-5"), ("(5,000)", "-5000"), ("5%", "5")]),
        ("five hundred ($500)", [("five hundred", "500"), ("$500", "500")]),
        ("5 USD, 5 $ 6", [("5", "5"), ("5", "5"), ("$ 6", "6")]),
        (
            "mid-2020, under-18s, COVID-19",
            [("2020", "2020"), ("18", "18"), ("COVID-19", "identifier")],
        ),
        (
            "30-Day, 5-Star, 1099-K, 2018-FY 2019",
            [
                ("30", "30"),
                ("5", "5"),
                ("1099-K", "identifier"),
                ("2018", "2018"),
                ("2019", "2019"),
            ],
        ),
        ("30days, 5xyz", [("30", "30"), ("5xyz", "identifier")]),
        ("192.168.0.1, 1-2-77-4", [("192.168.0.1", "number"), ("1-2-77-4", "identifier")]),
        (
            "http://x.org/2020/5 and a1@b2.org",
            [("http://x.org/2020/5", "identifier"), ("a1@b2.org", "identifier")],
        ),
        ("+1 (555) 123-4567", [("+1 (555) 123-4567", "identifier")]),
        ("dir. 5 of this article. 5 days", [("5", "5"), ("5", "5")]),
        ("see Section 8 percent", [("8", "8")]),
        ("§§ 4 und 5", [("4", "identifier"), ("5", "identifier")]),
        (
            "Sections 4, 5 and 6 of 30 employees",
            [("4", "identifier"), ("5", "identifier"), ("6", "identifier"), ("30", "30")],
        ),
        ("Article IV, Part XII, part I played", [("IV", "identifier"), ("XII", "identifier")]),
        (
            "S&P 500, iPhone 12, McDonald 5",
            [
                ("P 500", "identifier"),
                ("iPhone 12", "identifier"),
                ("5", "5"),
            ],
        ),
        (".5 mg, -.5, +5, ±5", [(".5", "1/2"), ("-.5", "-1/2"), ("+5", "5"), ("±5", "5")]),
        ("½ cup, 2½, 2 ½", [("½", "1/2"), ("2½", "5/2"), ("2 ½", "5/2")]),
        ("12.345.678,9 and 1.23.456", [("12.345.678,9", "123456789/10"), ("1.23.456", "number")]),
        ("5€/6€", [("5€", "5"), ("6€", "6")]),
        ("1.5th and 12.5e", [("1.5th", "identifier"), ("12.5e", "identifier")]),
        ("Section 4, 5 people; sec 4", [("4", "identifier"), ("5", "5"), ("4", "4")]),
    ],
)
def test_digits_are_read_with_what_belongs_to_them(text, expected):
    assert expected == read(text)


@pytest.mark.parametrize(
    "run",
    [
        "0." + "1" * 61,
        "1,,000",
        "11,11.11",
        "1,2,3",
        "0,123,456",
        "1.2.3",
        "1,234,56.7",
        "1'23",
        "1·234·567",
        "1,234.567,8",
        "007",
        "00.5",
    ],
)
def test_malformed_runs_have_no_value(run):
    assert exact(run) is None


def test_a_list_number_is_none_but_a_broken_line_is():
    assert read("Keep it:\n1. for days\n2) for years") == []
    assert read("1. Quartal 2023, 3. Platz") == [("1.", "1"), ("2023", "2023"), ("3.", "3")]
    assert read("Notice is due within\n30. The insured pays.") == [("30", "30")]
    assert read("30. That is the number.") == [("30.", "identifier")]
    assert read("4.5 stars, 4.5 Stars") == [("4.5", "9/2"), ("4.5", "9/2")]
    assert read("30.") == [("30", "30")]
