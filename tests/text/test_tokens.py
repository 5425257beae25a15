"""Promises of the words that ranking and the lexical judge see."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundedgen.text.tokens import (
    content_stems,
    guess_language,
    is_function_word,
    leans_to,
    stem,
    words,
)
from tests.growth import LINEAR, factor

PIECES = [
    *("tenant's ", "can't ", "won't ", "cannot ", "l'assurance ", "1,250.50 ", "26th ", "1960s "),
    *(
        "dam-\nages ",
        "so\u00adft ",
        "ﬁre ",
        "水漏れ",
        "ไทย",
        "Straße ",
        "e\u0301 ",
        "\ud800",
        "\x00",
    ),
    *("’s", "--", "½", "Ⅷ ", "㎏", "I'll ", "a" * 100, "हिन्दी "),
]
texts = st.lists(st.sampled_from(PIECES), max_size=20).map("".join) | st.text(max_size=60)


@given(texts, st.sampled_from([None, "en", "de", "xx"]))
def test_words_stand_where_they_say_in_order(text, lang):
    found = words(text, lang)
    assert all(0 <= w.start < w.end <= len(text) and w.text and w.stem for w in found)
    assert [w.start for w in found] == sorted(w.start for w in found)


@given(texts)
def test_content_stems_are_those_of_the_words_that_are_no_function_words(text):
    """The fast path for ranking and the slow one agree."""
    slow = [w.stem for w in words(text) if not is_function_word(w.text)]
    assert content_stems(text) == slow


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The tenant’s fee", ["the", "tenant", "fee"]),
        ("isn't can't won't cannot", ["is", "not", "can", "not", "will", "not", "can", "not"]),
        ("I'll they've", ["i", "will", "they", "have"]),
        ("26th of 1960s", ["26", "of", "1960s"]),
        ("1,200 and 4.5", ["1200", "and", "4.5"]),
        ("dam-\nages", ["damages"]),
        ("so\u00adft ﬁre", ["soft", "fire"]),
        ("well-known", ["well", "known"]),
        ("l'assurance", ["l", "assurance"]),
        ("水漏れ", ["水漏", "漏れ"]),
        ("水", ["水"]),
        ("—…", []),
    ],
)
def test_words_are_folded_and_spelled_out(text, expected):
    assert [w.text for w in words(text)] == expected


def test_forms_of_a_word_share_a_stem():
    assert {stem(w) for w in ("pay", "paid", "paying", "pays")} == {"pay"}
    assert stem("children") == stem("child")
    assert stem("versicherten", "de") == "versichert"
    assert stem("x" * 100) == "x" * 100
    assert stem("слова", "") == stem("слово", "")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The fee is due in May.", "en"),
        ("Der Schaden ist nicht gedeckt.", "de"),
        ("La prime est due le premier mai.", "fr"),
        ("El seguro cubre los daños de la casa.", "es"),
        ("Il premio è dovuto.", "it"),
        ("De huur is verschuldigd op 1 mei.", "nl"),
        ("O prêmio é devido em maio.", "pt"),
        ("Fire, theft, hail", None),
        ("水漏れは対象です。", None),
        ("", None),
    ],
)
def test_a_language_is_told_by_its_function_words(text, expected):
    assert guess_language(text) == expected


def test_one_word_leans_but_does_not_tell():
    assert guess_language("Rent is due") is None
    assert leans_to("en", "Rent is due")
    assert not leans_to("en", "Kein Anspruch")


@pytest.mark.parametrize(
    "unit", ["a b ", "a'", "a-\nb", "1,2", "水", "e\u0301", "a", "\u00ad", "é'"]
)
def test_time_is_linear(unit):
    assert factor(words, unit, size=30_000) < LINEAR
