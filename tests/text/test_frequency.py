"""How often is a number too, also where prescriptions abbreviate it."""

from __future__ import annotations

import pytest

from groundedgen.text.numbers.frequency import doses
from groundedgen.text.numerals import numerals


@pytest.mark.parametrize(
    ("text", "times"),
    [("b.i.d.", [2]), ("BID and TID", [2, 3]), ("5 mg tid", [3]), ("q.i.d.", [4]),
     ("5 mg bid", [2]), ("a bid of 5", []), ("COVID", []), ("tidy", [])],
)  # fmt: skip
def test_abbreviations_of_prescriptions_are_read(text, times):
    assert times == [int(n.value) for n in doses(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("5 mg twice daily", "2 times a day"),
        ("5 mg once daily", "day"),
        ("5 mg (three times a day)", "3 times a day"),
        ("two tablets 3 times a day", "3 times a day"),
        ("5 mg zweimal täglich einnehmen", "2 times a day"),
        ("5 mg deux fois par jour, pour les adultes", "2 times a day"),
        ("5 mg and, for adults with a fever, twice daily", ""),
    ],
)
def test_a_dose_is_given_as_often_as_the_words_behind_it_say(text, expected):
    assert expected == numerals(text)[0].per
