"""Promises of the number reader: exact values whatever the style, exact offsets, never an error."""

from __future__ import annotations

import threading
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundedgen.text.numerals import _read, numerals
from tests.growth import LINEAR, factor
from tests.text.number_styles import in_han, in_words, spellings, written


def only(text, lang=None):
    found = [numeral for numeral in numerals(text, lang) if not numeral.weak]
    assert len(found) == 1, [(n.written, n.kind) for n in found]
    return found[0]


def values(text, lang=None):
    return [str(n.value) for n in numerals(text, lang) if not n.weak]


@given(written())
def test_a_number_in_any_style_has_its_exact_value(example):
    value, one, _ = example
    assert only(f"The total is {one} units.").value == value


@given(st.integers(2, 10**12 - 1))
def test_an_integer_in_english_words_has_its_exact_value(number):
    assert only(f"The total is {in_words(number)} units.").value == number
    assert only(f"The total is {in_words(number, joiner=' ')} units.").value == number


@given(st.integers(20, 10**13))
def test_an_integer_in_chinese_numerals_has_its_exact_value(number):
    assert only(f"总额为{in_han(number)}元。").value == number


@given(
    st.integers(1, 10**6),
    st.sampled_from([("thousand", 3), ("million", 6), ("bn", 9), ("crore", 7)]),
)
def test_a_scale_word_multiplies(number, scale):
    word, power = scale
    assert only(f"It is {number} {word} now.").value == number * 10**power
    eighth = f"{number / 8:.3f}"
    assert only(f"It is {eighth} {word} now.").value == Fraction(eighth) * 10**power


@given(st.integers(-30, 30), st.integers(1, 999))
def test_powers_of_ten_are_exact(power, digits):
    expected = digits * Fraction(10) ** power
    raised = str(power).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    for written_so in (f"{digits}e{power}", f"{digits} × 10^{power}", f"{digits}x10{raised}"):
        assert only(f"It is {written_so} now.").value == expected


PIECES = [
    *"0123456789.,'’-–−/()[]%$€°²³½×^ \n\t\u00a0\u200b\ud800\x00\u202e٣５万三年",
    *("one", "two", "twenty", "hundred", "million", "half", "second", "point", "and", "a", "per"),
    *("day", "kg", "Section", "ISO", "v", "March", "2024", "USD", "minus", "FY", "Q3", "-\n"),
]
texts = st.text(max_size=60) | st.lists(st.sampled_from(PIECES), max_size=30).map("".join)


@given(texts, st.sampled_from([None, "en", "de", "fr-CH", "es-MX", "zh", "not a language"]))
def test_any_string_gives_numbers_at_their_offsets_and_never_an_error(text, lang):
    end = 0
    for numeral in numerals(text, lang):
        assert end <= numeral.start < numeral.end <= numeral.whole_end <= len(text)
        assert text[numeral.start : numeral.end] == numeral.written
        end = numeral.end


@given(texts)
def test_reading_twice_gives_the_same(text):
    assert numerals(text) == numerals(str(text))


def test_the_reader_may_be_shared_by_threads():
    text = "It takes 30 days, 5 kg and twenty-one visits. " * 50
    found = []
    threads = [
        threading.Thread(target=lambda: found.append(numerals(text + " "))) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(found)) == 1
    assert len(found[0]) == 150


@pytest.mark.parametrize(
    "unit",
    [
        "The cap is 5,000 euros for 30 days. ",
        "1,",
        "1.",
        "1 000 ",
        "100 100 ",
        "one ",
        "two hundred thousand ",
        "März 5 ",
        "Section 1, ",
        "万",
        "三",
        "1万",
        "½",
        "(1) a ",
        "1-",
        "1/",
        "a1",
        "[1",
        "$",
        "similar tausend ",
        "e\u0301",
        "x@",
        "\n1. x",
        "1111111111",
        "5 mil-\nlion ",
    ],
)
def test_time_grows_with_the_text_and_not_with_its_square(unit):
    assert factor(lambda text: _read(text, None), unit) < LINEAR  # past the cache


def test_a_long_run_of_digits_is_a_name():
    assert only("It is " + "7" * 100_000 + " now.").value is None


def test_what_belongs_to_a_number_is_told():
    price = only("It costs US$1.2 million a month now.")
    assert (price.value, price.currency, price.per, price.scale) == (
        1_200_000,
        {"USD"},
        "month",
        10**6,
    )
    dose = only("Take 5 µg now.")
    assert (dose.value, dose.measures, dose.currency) == (5, {"microgram"}, frozenset())
    loss = only("It was −5% then.")
    assert (loss.value, loss.negative, loss.measures, loss.written) == (
        -5,
        True,
        {"percent"},
        "−5%",
    )


def test_repr_holds_no_words_of_the_text():
    assert repr(only("The secret is 123 units.")) == "Numeral(14, 17, 'number')"


@pytest.mark.parametrize(
    ("text", "lang", "expected"),
    [
        ("Der Bestand beträgt 1.000 Stück.", None, ["None"]),
        ("1.000 Stück", "de", ["None"]),
        ("1,000 Stück", "de", ["None"]),
        ("1.000 units", "en", ["1"]),
        ("1.000 units", "de-CH", ["1"]),
        ("1,000 units", "es-MX", ["1000"]),
        ("1.000.000 Stück", "de", ["1000000"]),
        ("1.000,50 Stück", "de", ["2001/2"]),
        ("eine Billion Euro", "de", ["1000000000000"]),
        ("a billion euros", "en", ["1000000000"]),
        ("mil euros", "es", ["1000"]),
        ("mil euros", "en", []),
        ("once años", "es", ["11"]),
        ("once more", None, []),
        ("il est six heures", None, ["6"]),
    ],
)
def test_the_language_decides_only_where_the_form_leaves_it_open(text, lang, expected):
    assert values(text, lang) == expected


@pytest.mark.parametrize(
    "text",
    [
        "No one may enter.",
        "The one that matters, and the other one.",
        "Each second counted; a split second.",
        "See [2], [S1], [3, 4] and 【4:0†source】.",
        "Hundreds of thousands came.",
        "At first hand from a third party.",
        "n² by design",
        "1. Floods\n2. Fire\n3. Theft",
        "这十分重要，一般如此，千万不要。",
        "payment is due once a cent is dos",
    ],
)
def test_what_only_looks_like_a_number_is_none(text):
    assert [n.written for n in numerals(text) if not n.weak] == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2-8 °C", [("2", "celsius"), ("8", "celsius")]),
        ("$5–10 million", [("5000000", "USD"), ("10000000", "USD")]),
        ("between 5 and 10 mg", [("5", "milligram"), ("10", "milligram")]),
        ("thirty (30) days", [("30", "day"), ("30", "day")]),
        ("30 days (thirty)", [("30", "day"), ("30", "day")]),
        ("two (2) million euros", [("2000000", "EUR"), ("2000000", "EUR")]),
        ("3 hours late 18 minutes", [("3", "hour"), ("18", "minute")]),
        ("3 hours and 18 minutes", [("3", "hour and minute"), ("18", "minute after hour")]),
    ],
)
def test_neighbours_share_what_is_said_of_both(text, expected):
    found = numerals(text)
    assert [str(n.value) for n in found] == [value for value, _ in expected]
    for numeral, (_, measure) in zip(found, expected, strict=True):
        assert measure in numeral.measures


def test_in_is_an_inch_behind_feet_and_not_behind_a_word_that_ends_like_them():
    assert "inch after foot" in numerals("It is 6 ft 2 in tall.")[-1].measures
    assert not only("He left 5 in the box.").measures


def test_every_style_of_the_tests_is_distinct_from_its_neighbour():
    """The oracle itself: two numbers never share a spelling."""
    assert not set(spellings("1234", "5")) & set(spellings("12345", ""))
