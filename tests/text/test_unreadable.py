"""Numbers in letters and digits that only the eye reads: folded where sure, else as written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundedgen.gates import unsupported_numbers
from groundedgen.text.numerals import numerals

BOLD = str.maketrans({chr(97 + n): chr(0x1D41A + n) for n in range(26)})
CIRCLED = str.maketrans({chr(97 + n): chr(0x24D0 + n) for n in range(26)})
DRESSED = ["seven".translate(BOLD), "seven".translate(CIRCLED), "\uff53\uff45\uff56\uff45\uff4e"]


@pytest.mark.parametrize("word", DRESSED)
def test_a_number_word_in_another_dress_is_that_number(word):
    claim = f"The fee is {word} euros."
    assert (word,) == unsupported_numbers(claim, "The fee is five euros.")
    assert () == unsupported_numbers(claim, "The fee is 7 euros.")
    assert () == unsupported_numbers("The fee is seven euros.", claim)


@pytest.mark.parametrize(
    "written",
    [
        "s\u0435ven",  # Cyrillic
        "\u0455\u0435v\u0435n",
        "s\u03b5ven",  # Greek
        "\ua731even",  # a small capital
        "s\u0131x",
        "\u2077\u2070\u2070",
        "\u2087",
        "\u136f",
        "VII",
        "X",
    ],
)
def test_a_number_that_is_not_read_stands_only_where_it_is_written_so(written):
    claim = f"The fee is {written} euros."
    assert (written,) == unsupported_numbers(claim, "The fee is five euros and V euros or IV.")
    assert (written,) == unsupported_numbers(claim, "The fee is 7 euros, 700 euros, 6 or 10.")
    assert () == unsupported_numbers(f"In May {claim[0].lower()}{claim[1:]}", claim)
    assert unsupported_numbers("The fee is 7 euros.", claim) == ("7",)


def test_a_scale_word_with_a_strange_letter_is_no_scale_and_not_ignored():
    claim = "It paid 5 milli\u043en euros."
    assert "milli\u043en" in unsupported_numbers(claim, "It paid 5 euros.")
    assert "milli\u043ens" in unsupported_numbers("It paid milli\u043ens.", "It paid 5 euros.")


@pytest.mark.parametrize(
    "text",
    [
        "Theft\u00b9 is covered.\u00b2",
        "Phase II weeks, Henry V pounds and IV days of World War II years.",
        "Those are XL shirts, for you and I. Days later they are L days.",
        "\u041f\u043b\u0430\u0442\u0430 USB-\u043f\u043e\u0440\u0442, \u03bcm and \u03a9one.",
        "He wrote \U0001d465 and \U0001d458 for it, 1\u1d49\u02b3 fois, word\u1d43.",
    ],
)
def test_what_is_no_number_stays_none(text):
    strong = [n.written for n in numerals(text) if not n.weak]
    assert not {"VII", "V", "IV", "C", "XL", "I"} & set(strong)
    assert not [w for w in strong if not w.isascii() and w != "1\u1d49\u02b3"]


def test_one_dressed_letter_is_a_variable_and_changes_no_value():
    assert () == unsupported_numbers("It is 5 \U0001d458.", "It is 5 \U0001d458.")
    [found] = [n for n in numerals("It is 5 \U0001d458 here.") if n.kind == "number"]
    assert found.value == 5


@given(st.text("s\u0435ve\U0001d41e n\u24d4\u2077\u2080\u136fVIX\u00b2 euros.1", max_size=30))
def test_strange_letters_never_move_what_is_found(text):
    for numeral in numerals(text):
        assert text[numeral.start : numeral.end] == numeral.written
    assert () == unsupported_numbers(text, text)
