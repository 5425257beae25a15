"""Numbers that are one character, and Roman ones behind a word, are read as numbers."""

from __future__ import annotations

import pytest

from groundedgen.gates.numbers import unsupported_numbers
from groundedgen.text.numbers.enclosed import enclosed_numerals, roman_names


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("rule ②", ("2", "")),
        ("rule ⑴", ("1", "")),
        ("rule ⒈", ("1", "")),
        ("rule ❸", ("3", "")),
        ("rule ㉑", ("21", "")),
        ("Chapter Ⅳ", ("4", "chapter")),
        ("Chapter ⅩⅥ", ("16", "chapter")),
        ("Chapter ⅹⅰⅴ", ("14", "chapter")),
    ],
)
def test_one_character_is_a_number(text, expected):
    assert [expected] == [(n.key, n.label) for n in enclosed_numerals(text)]


def test_a_list_of_its_own_is_no_claim_but_another_number_of_a_list_is():
    claim = "① Rent is due. ② Dogs are allowed."
    assert () == unsupported_numbers(claim, "Rent is due. Dogs are allowed.")
    assert ("②",) == unsupported_numbers("② Dogs are allowed.", "① Dogs are allowed.")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Basel III and MiFID II", ["basel3", "mifid2"]),
        ("clotting factor VIII", ["factor8"]),
        ("bipolar II disorder, Henry VI", ["bipolar2", "henry6"]),
        ("file VI ZR 128/20", ["vi zr128/20"]),
        ("IV fluids, given IV, chromosome XX, and II, mix", []),
        ("Article IV", []),  # a label: read with the labels
        ("the end.\nII begins", []),
    ],
)
def test_roman_numbers_belong_to_the_word_before_them(text, expected):
    assert expected == [n.key for n in roman_names(text)]


def test_a_name_without_its_number_says_nothing_against_it():
    assert () == unsupported_numbers("Charles II returned.", "Charles returned.")
    assert ("Charles II",) == unsupported_numbers(
        "Charles II returned.", "Charles I stayed, Charles III went."
    )
