"""Sentences of someone else's answer, each with the markers that are its own."""

from __future__ import annotations

import pytest

from groundedgen import prose
from groundedgen.aliases import assign
from groundedgen.passages import Passage
from tests.growth import LINEAR, factor

PASSAGES = [
    Passage("a", "Fire is covered by this policy in full."),
    Passage("b", "Floods are not covered by this policy at all."),
]


def sources(text):
    """Text and aliases of each sentence, an empty tuple for one without a source."""
    read = prose.read(text, PASSAGES, assign(PASSAGES), min_words=5)
    found = [(s.index, s.text, s.aliases) for s in read.statements]
    found += [(f.index, f.statement, ()) for f in read.findings]
    return [(text, aliases) for _, text, aliases in sorted(found)]


FIRE, FLOOD = "Fire is covered in full.", "Floods are not covered at all."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{FIRE} [1] {FLOOD} [2]", [(FIRE, ("S1",)), (FLOOD, ("S2",))]),
        (f"{FIRE} [1][2] {FLOOD}", [(FIRE, ("S1", "S2")), (FLOOD, ())]),
        (f"{FIRE}\n[1] [2]\n{FLOOD} [2]", [(FIRE, ("S1", "S2")), (FLOOD, ("S2",))]),
        (f"[1] {FIRE} [2] {FLOOD}", [(FIRE, ("S1", "S2")), (FLOOD, ())]),
        (f"{FIRE} Floods are not [2] covered at all [2].", [(FIRE, ()), (FLOOD, ("S2",))]),
    ],
)
def test_markers_behind_a_full_stop_belong_to_the_sentence_before(text, expected):
    assert sources(text) == expected


def test_time_to_give_markers_to_sentences_grows_with_the_text():
    def work(text):
        starts = range(0, len(text), 8)
        marked = [(start + 4, start + 7) for start in starts]
        for start in starts:
            prose._leading_markers(text, start, start + 8, marked)

    assert factor(work, "a is[1].", size=24_000) < LINEAR


@pytest.mark.parametrize("unit", ["Fire is covered [1]. ", '"Fire is ', "Fire is. "])
def test_time_to_find_sentences_grows_with_the_text(unit):
    def work(text):
        prose._with_trailing_markers(text, ("a", "b"))

    assert factor(work, unit, size=3_000) < LINEAR
