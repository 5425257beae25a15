"""The closest real words to an invented quote."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from groundedgen.text.matching.nearest import nearest
from tests.growth import LINEAR, factor

WORDS = st.lists(st.sampled_from("abcdx"), min_size=1, max_size=12)


@given(WORDS, WORDS)
def test_no_other_window_shares_more_words(quote, words):
    text = " ".join(words)
    start, end = nearest(" ".join(quote), text)
    found = shared(quote, text[start:end].split())
    size = len(quote)
    assert found == max(shared(quote, words[i : i + size]) for i in range(len(words)))


def shared(quote, words):
    return (Counter(quote) & Counter(words)).total()


def test_the_slice_is_the_sources_own():
    text = "It is dry.\nThe tenant’s of\ufb01ce may be\nclosed at any time."
    start, end = nearest("the tenant's office must be closed", text)
    assert text[start:end] == "The tenant’s of\ufb01ce may be\nclosed"


def test_nothing_alike_is_nothing():
    assert nearest("water", "fire") == (0, 0)
    assert nearest("", "fire") == (0, 0)
    assert nearest("water", "") == (0, 0)
    assert nearest("\ud800", "\ud800\x00") == (0, 0)


def test_unspaced_scripts_are_compared_by_letters():
    text = "火事は対象外です。水漏れによる損害は補償されます。"
    start, end = nearest("水漏れの損害は補償されません", text)
    assert "水漏れによる損害" in text[start:end]


def test_time_grows_with_the_text():
    assert factor(lambda text: nearest("a b c d e f g h", text), "a b x ", size=60_000) < LINEAR
