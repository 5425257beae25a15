"""Promises of numbers in words, by language; the English ones are in test_numerals."""

from __future__ import annotations

import pytest

from groundedgen.text.numerals import numerals


def values(text, lang=None):
    return [str(n.value) for n in numerals(text, lang) if not n.weak]


@pytest.mark.parametrize(
    ("lang", "words", "expected"),
    [
        ("de", "einundzwanzig", "21"),
        ("de", "siebenhundertfünfundzwanzigtausenddreihundertelf", "725311"),
        ("de", "zwei Millionen dreihunderttausend", "2300000"),
        ("de", "drei Komma fünf", "7/2"),
        ("de", "zweieinhalb", "5/2"),
        ("de", "minus zehn", "-10"),
        ("de", "drei Millionen zweitausend", "3002000"),
        ("fr", "soixante-dix-sept", "77"),
        ("fr", "quatre-vingt-dix-neuf", "99"),
        ("fr", "deux cent quatre-vingts", "280"),
        ("fr", "mille neuf cent quatre-vingt-quatre", "1984"),
        ("fr", "septante-trois", "73"),
        ("fr", "trois virgule cinq", "7/2"),
        ("fr", "trois millions", "3000000"),
        ("es", "treinta y cinco", "35"),
        ("es", "ciento veinte mil quinientos", "120500"),
        ("es", "dos mil millones", "2000000000"),
        ("it", "ventotto", "28"),
        ("it", "duemilatrecentoventuno", "2321"),
        ("it", "milleduecento", "1200"),
        ("pt", "cento e vinte e três", "123"),
        ("pt", "dois mil e vinte e quatro", "2024"),
        ("nl", "vijfentwintig", "25"),
        ("nl", "tweeëntwintigduizend", "22000"),
        ("nl", "anderhalf", "3/2"),
        ("en", "two million three hundred thousand and five", "2300005"),
        ("en", "one million, two hundred and fifty thousand", "1250000"),
        ("en", "three thousand million", "3000000000"),
        ("en", "nineteen ninety-nine", "1999"),
        ("en", "twenty twenty-four", "2024"),
        ("en", "two and three quarters", "11/4"),
        ("en", "two and a half million", "2500000"),
        ("en", "zero point zero five", "1/20"),
        ("en", "two point five million", "2500000"),
        ("en", "half a million", "500000"),
        ("en", "half a dozen", "6"),
        ("en", "two thirds", "2/3"),
        ("en", "one-twentieth", "1/20"),
        ("en", "ten thousandth", "10000"),
    ],
)
def test_a_number_in_words_is_one_exact_number(lang, words, expected):
    assert [expected] == values(f"({words})", lang)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("five ten", ["5", "10"]),
        ("twenty thirty", ["2030"]),
        ("two thousand, five", ["2000", "5"]),
        ("hundred hundred", []),
        ("three million million", ["3000000000000"]),
        ("five hundred thousand hundred", ["500000"]),
        ("a hundred and five", ["105"]),
        ("several hundred, a few thousand", []),
        ("point five", ["5"]),
        ("six point", ["6"]),
        ("six point hundred", ["6"]),
        ("one hundred one hundred", ["101"]),
        ("fifty and six", ["50", "6"]),
        ("the thirty second president", ["30"]),
        ("the thirty-second president", ["32"]),
        ("a thirty-second spot", ["30"]),
        ("two quarters and three quarters of it", ["2", "3/4"]),
        ("the first half and the second half", ["1", "2"]),
        ("a third of it, a third party", ["1/3"]),
        ("the first quarter of it", ["1"]),
        ("latter half", []),
        ("zero zero", []),
        ("two thousand half", ["2000"]),
        ("five tenth", ["5", "10"]),
        ("a hundred and half", ["100"]),
        ("two and a half, million", ["5/2"]),
        ("Hundertwasser in March", []),
        ("hundred million", []),
        ("a million thousand", ["1000000"]),
    ],
)
def test_words_that_cannot_go_on_begin_another_number_or_none(words, expected):
    assert expected == values(f"See {words}.", "en")


@pytest.mark.parametrize(
    ("text", "supports"),
    [
        ("one deductible applies", True),
        ("ein Jahr lang", True),
        ("No one knows", False),
        ("the second one", False),
        ("one of them", False),
        ("another one, that is", False),
    ],
)
def test_a_lone_one_is_weak_or_nothing(text, supports):
    ones = [n for n in numerals(text) if n.value == 1]
    assert supports == bool(ones)
    assert all(n.weak for n in ones)
