"""Promises of the form numbers are read in: every place has its way back to the original."""

from __future__ import annotations

from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundedgen.text.numbers.cleaning import clean, mend
from groundedgen.text.numbers.glossary import is_broken_word
from tests.growth import LINEAR, factor

PIECES = [
    *("one", "twenty-\none", "mil-\nlion", "thir-\r\n  ty", "a-\nb", "5", "５", "٣", "½", "²", "ﬁ"),
    *("\u200b", "\u00ad", "e\u0301", "–", "’", "\u202f", "𝟓", "😀", " ", "\n", "m²", "\ud800"),
]
texts = st.lists(st.sampled_from(PIECES), max_size=20).map("".join) | st.text(max_size=60)


@given(texts)
def test_a_character_that_was_kept_leads_back_to_itself(text):
    cleaned = mend(clean(text), is_broken_word)
    for place, char in enumerate(cleaned.text):
        original = cleaned.back(place)
        assert 0 <= original < len(text)
        if char.isascii() and char.isalnum():
            same = normalize("NFKC", text[original])
            assert char in same or int(char) == int(same)


@given(texts)
def test_places_keep_their_order(text):
    cleaned = mend(clean(text), is_broken_word)
    back = [cleaned.back(place) for place in range(len(cleaned.text) + 1)]
    assert back == sorted(back)
    assert back[-1] <= len(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("५० ５０％ ٣", "50 50% 3"),
        ("1\u200b000\u00ad", "1000"),
        ("−5 ‑ – ’", "-5 - \x96 '"),
        ("10² m³ x⁻⁶", "10\x12 m\x13 x\x1a\x16"),
        ("fu\u0308nf ﬁve", "fünf five"),
        ("€ ½ “so” — 😀", "€ ½ “so” — 😀"),
        ("plain", "plain"),
    ],
)
def test_signs_of_one_kind_become_one(text, expected):
    assert expected == clean(text).text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("5 mil-\nlion in Decem-\n   ber", "5 million in December"),
        ("twenty-\none and two-\nyear terms", "twenty-\none and two-\nyear terms"),
        ("well-\nknown", "well-\nknown"),
        ("thir\u00ad\nty-\nfive", "thir\nty-\nfive"),
    ],
)
def test_only_words_that_matter_are_mended(text, expected):
    assert expected == mend(clean(text), is_broken_word).text


@pytest.mark.parametrize("unit", ["\u200b", "e\u0301", "５", "mil-\nlion ", "a-\n", "😀"])
def test_time_grows_with_the_text(unit):
    assert factor(lambda text: mend(clean(text), is_broken_word), unit) < LINEAR
