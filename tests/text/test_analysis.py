"""Promises of a sentence read once."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from groundedgen.text.english.analysis import analyse
from groundedgen.text.english.phrases import is_past

PIECES = [
    "The tenant ",
    "may not ",
    "sublet, ",
    "and is ",
    "if ",
    "at least 5 ",
    "(",
    "but ",
    "by May; ",
]
texts = st.lists(st.sampled_from(PIECES), max_size=15).map("".join) | st.text(max_size=50)


@given(texts)
def test_places_point_at_words_in_order(text):
    a = analyse(text)
    assert len(a.segment) == len(a.words)
    assert list(a.segment) == sorted(a.segment)
    assert list(a.content) == sorted(set(a.content))
    assert all(0 <= i < len(a.words) for i in a.content)
    assert a.keys.keys() == a.starts.keys() == a.voices.keys() == set(a.content)


@given(texts, st.integers(0, 20))
def test_neighbours_are_the_closest_content(text, place):
    """The bisected look-ups agree with a walk along the words."""
    a = analyse(text)
    assert a.next_content(place) == next((i for i in a.content if i >= place), None)
    assert a.last_content(place) == next((i for i in reversed(a.content) if i < place), None)
    assert a.between(place, place + 5) == tuple(i for i in a.content if place < i < place + 5)


def test_segments_end_at_stops_and_second_predicates():
    a = analyse("The lease ends in June and is not renewed, but fees are due.")
    texts_of = {}
    for word, segment in zip(a.words, a.segment, strict=True):
        texts_of.setdefault(segment, []).append(word.text)
    assert [" ".join(t) for t in texts_of.values()] == [
        "the lease ends in june", "and is not renewed", "but fees are due",
    ]  # fmt: skip


def test_phrases_begin_at_their_preposition():
    a = analyse("On Mondays the lift of the old house is closed by staff.")
    intros = {a.words[i].text: a.intro(i) for i in a.content}
    assert intros == {
        "mondays": "on", "lift": "", "old": "of", "house": "of", "closed": "", "staff": "by",
    }  # fmt: skip


def test_passive_verbs_are_told():
    a = analyse("Hail was covered and prices fell.")
    assert [a.voices[i] for i in a.content] == ["", "passive", "", "middle"]
    assert is_past("paid")
    assert not is_past("damage")
