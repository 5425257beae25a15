"""The real text beside a failed quote: enough of it to be read, and to be copied from."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundedgen.gates.quotes import locate
from groundedgen.gates.quoting import has_words, readable
from groundedgen.values import Sourced

TEXT = "The fee.\n\nWe pay for a hotel room from the third night on. It ends in May."
LONG = "a " + "word " * 200 + "end of it all. Next."


@pytest.mark.parametrize(
    ("text", "quote", "nearest"),
    [
        (TEXT, "The plumber asks 300 euros an hour", TEXT),
        (TEXT, "hotel", "We pay for a hotel room from the third night on."),
        (TEXT[10:], "We pay for a hotel suite", "We pay for a hotel"),
        (TEXT, "nothing alike", ""),
        ("Hail", "Hail is covered in full", "Hail"),
        ("", "Hail is covered in full", ""),
    ],
)
def test_a_word_alone_is_shown_in_its_sentence_and_a_heading_with_what_follows(
    text, quote, nearest
):
    found = locate(Sourced(0, "It says so.", ("S1",), quote), {"S1": text})
    assert nearest == found.nearest


def test_a_sentence_that_is_too_long_is_shown_in_part():
    start = LONG.index("end")
    first, last = readable(LONG, start, start + 3)
    assert last - first <= 200
    assert "word end of it all." in LONG[first:last]


def test_a_word_longer_than_all_that_is_shown_stays_as_it_is():
    assert (0, 300) == readable("x" * 300, 0, 300)


@given(st.text(alphabet="ab .\n水#-", max_size=400), st.integers(0, 400), st.integers(1, 40))
def test_what_is_shown_holds_the_piece_and_enough_words_is_left_alone(text, start, length):
    start = min(start, len(text))
    end = min(start + length, len(text))
    first, last = readable(text, start, end)
    assert 0 <= first <= start <= end <= last <= len(text)
    if start == end or has_words(text[start:end], 5):
        assert (start, end) == (first, last)
