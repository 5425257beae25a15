"""What the closest passages show: something that tells its reader what they say."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundedgen import Passage, ask
from groundedgen.aliases import assign
from groundedgen.assembly import CLOSEST, closest, telling
from groundedgen.text.ranking import Ranked, best_spans
from tests.growth import LINEAR, factor

UNKNOWN = "Who won the chess tournament?"
PIECES = st.sampled_from(
    ["# Hail\n\n", "Hail is covered. ", "1. ", "Page 3 of 9\n", "- hail\n", "Rent is due in May. ",
     "| Hail | 500 |\n", "水漏れは補償されます。", "Hail\n\n", "\ud800 ", "Yes. "]
)  # fmt: skip
TEXTS = st.lists(st.lists(PIECES, max_size=6).map("".join), max_size=5)
QUESTIONS = st.sampled_from(["Is hail covered?", UNKNOWN, "", "水漏れは補償されますか"])


def shown(question, *texts):
    passages = [Passage(f"p{n}", text) for n, text in enumerate(texts)]
    return [near.quote for near in closest(question, assign(passages))]


@pytest.mark.parametrize(
    ("question", "text", "quote"),
    [
        (UNKNOWN, "# Home insurance\n\nWater damage is covered.", "Water damage is covered."),
        (UNKNOWN, "p. 3\n\n1.\n\nYes.\n\nWater damage is covered.", "Water damage is covered."),
        (UNKNOWN, "Prices\n\n| Key | 28 |", "| Key | 28 |"),
        (UNKNOWN, "保険\n\n水漏れは補償されます。", "水漏れは補償されます。"),
        (
            "What is hail?",
            "Hail\n\nIt falls from the sky. Call us on Mondays.",
            "It falls from the sky.",
        ),
        # a line of a list is closer than a sentence about something else
        (
            "What about sheds in floods?",
            "Fire is covered by us.\n\n- war\n- sheds in floods",
            "- sheds in floods",
        ),
        # nothing but headings
        ("What about hail?", "Fire\n\nHail", "Hail"),
        (UNKNOWN, "Hail", "Hail"),
    ],
)
def test_a_heading_or_a_crumb_gives_way_to_what_says_something(question, text, quote):
    assert [quote] == shown(question, text)


def test_the_closest_passages_come_best_first_and_each_once():
    near = ask(
        "Is hail covered?",
        ["Rent is due.", "Hail\n\nHail is not covered at all.", "Is it? Hail.", "Covered bazaar"],
        model=lambda system, user: '{"status": "not_found", "statements": []}',
    ).closest
    assert "Hail is not covered at all." == near[0].quote
    assert CLOSEST == len(near) == len({span.passage_id for span in near})
    assert [span.score for span in near] == sorted((s.score for s in near), reverse=True)


@given(QUESTIONS, TEXTS)
def test_every_text_that_has_a_sentence_has_one_span_of_its_own(question, texts):
    ranked = best_spans(question, texts)
    found = telling(ranked, texts)
    assert sorted(span.index for span in found) == sorted({span.index for span in ranked})
    assert all(span in ranked for span in found)
    assert [span.score for span in found] == sorted((s.score for s in found), reverse=True)


@given(QUESTIONS, TEXTS)
def test_what_is_shown_has_half_of_the_best_score_or_more(question, texts):
    ranked = best_spans(question, texts)
    for span in telling(ranked, texts):
        assert span.score >= max(s.score for s in ranked if s.index == span.index) / 2


def test_time_is_linear_in_the_spans():
    def taken(text):
        spans = [Ranked(0, n, n + 5, 1.0, 1.0, fits=True) for n in range(0, len(text), 5)]
        return telling(spans, [text])

    assert factor(taken, "Hail\n", size=100_000) < LINEAR
