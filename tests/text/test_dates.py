"""Promises of dates and times: settled by their form, or left as they are written."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundedgen.text.numerals import numerals

ENGLISH = [
    *("January", "February", "March", "April", "May", "June", "July", "August", "September"),
    *("October", "November", "December"),
]


def days(text):
    return [n.day for n in numerals(text) if n.kind == "date" and not n.weak]


@given(st.dates(dt.date(1000, 1, 1), dt.date(2999, 12, 31)))
def test_one_day_is_the_same_in_every_settled_form(date):
    month, full = ENGLISH[date.month - 1], (date.year, date.month, date.day)
    for form in (
        f"{date.day} {month} {date.year}",
        f"{month} {date.day}, {date.year}",
        f"{date.day}th of {month}, {date.year}",
        f"{date.day}-{month[:3]}-{date.year}",
        f"{date.year}-{date.month:02}-{date.day:02}",
        f"{date.year}/{date.month:02}/{date.day:02}",
        f"{date.year}年{date.month}月{date.day}日",
    ):
        assert days(f"It began on {form}.") == [full], form


@given(st.integers(1, 31), st.integers(1, 31), st.integers(1900, 2099), st.sampled_from("./-"))
def test_day_and_month_in_digits_are_settled_by_a_part_over_twelve_or_not_at_all(a, b, year, sign):
    found = days(f"Start: {a:02}{sign}{b:02}{sign}{year} now")
    if a <= 12 and b <= 12 and a != b:
        assert found == [(year, None, None)]
    elif a <= 12 or b <= 12:
        assert found == [
            (
                year,
                min(a, b) if a <= 12 and b <= 12 else (b if a > 12 else a),
                max(a, b) if max(a, b) > 12 else a,
            )
        ]
    else:
        assert found == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("in March 2024 and on March 5", [(2024, 3, None), (None, 3, 5)]),
        ("March 5-7, 2024", [(2024, 3, 5), (2024, 3, 7)]),
        ("from 5 to 7 March 2024", [(2024, 3, 5), (2024, 3, 7)]),
        ("am 5. März 2024", [(2024, 3, 5)]),
        ("le 1er mars 2024", [(2024, 3, 1)]),
        ("el 5 de marzo de 2024", [(2024, 3, 5)]),
        ("15-Mar-24", [(2024, 3, 15)]),
        ("05/2024 and 2024-05", [(2024, 5, None), (2024, 5, None)]),
        ("13.07.99", [(1999, 7, 13)]),
        ("2024-03-05T10:00:00Z", [(2024, 3, 5)]),
        ("you may 5 times march 10 miles", []),
        ("In May 5 million people came", []),
        ("May 45 and May 35", []),
        ("2024-13-45, 2024-13-05 and 1.2.13", []),
        ("2024-05-77", []),
    ],
)
def test_what_is_written_of_a_date_is_read(text, expected):
    assert days(text) == expected


def minutes(text):
    return [[int(v) for v, _ in n.readings] for n in numerals(text) if n.kind == "time"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("at 14:30", [[870]]),
        ("at 2:30 pm, 2.30 p.m. or 14h30", [[870], [870], [870]]),
        ("at 2:30", [[150]]),  # of a day of 24 hours: 2:30 is not 14:30
        ("at 02:30", [[150]]),
        ("9am-5pm", [[540], [1020]]),
        ("from 9 to 5 pm", [[540, 1260], [1020]]),
        ("um 9.30 Uhr und 14 Uhr", [[570], [840]]),
        ("5:30-7:00 pm", [[330, 1050], [1140]]),
        ("5:30 in the evening, 12:00 midnight, 2:00 at night", [[1050], [0], [120]]),
        ("10 Uhr abends, 午後9時, 上午9点", [[1320], [1260], [540]]),
        ("9 h 30", [[570]]),
        ("12 am and 12 pm and 24:00", [[0], [720], [0]]),
        ("13 pm or 25:00 or 3:1", []),
        ("It ends at 9 a.m.", [[540]]),
    ],
)
def test_times_of_day_are_minutes_since_midnight(text, expected):
    assert minutes(text) == expected


def test_the_point_of_a_sentence_is_no_part_of_a_time():
    assert [n.written for n in numerals("It ends at 9 am.")] == ["9 am"]
    assert [n.written for n in numerals("At 9 a.m. it ends")] == ["9 a.m."]


@pytest.mark.parametrize(
    ("text", "lang", "expected"),
    [
        ("01/05/2020", "en-GB", (2020, 5, 1)),
        ("01/05/2020", "en-US", (2020, 1, 5)),
        ("01/05/2020", "en", (2020, None, None)),
        ("01/05/2020", "fr", (2020, 5, 1)),
        ("01/05/2020", "zh", (2020, None, None)),
        ("01/05/2020", None, (2020, None, None)),
        ("01/05/2020 and 13/05/2020", None, (2020, 5, 1)),
        ("05/01/2020 and 05/13/2020", None, (2020, 5, 1)),
        ("01/05/2020, 13/05/2020, 05/13/2020", None, (2020, None, None)),
        ("Der Vertrag wurde am 01.05.2020 geschlossen.", None, (2020, 5, 1)),
    ],
)
def test_the_order_of_a_date_is_told_by_language_region_or_another_date(text, lang, expected):
    assert expected == numerals(text, lang)[0].day
