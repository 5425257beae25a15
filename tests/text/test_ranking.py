"""Promises of the ranking."""

from __future__ import annotations

from collections import Counter
from math import isclose, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundedgen.text.ranking import K1, B, best_spans, rank_passages
from groundedgen.text.sentences import sentence_spans
from groundedgen.text.tokens import content_stems
from tests.growth import LINEAR, factor

SENTENCES = [
    "Hail is covered. ", "Rent is due in May. ", "The fee is 20 euros. ", "Glass\n", "Fire burns. ",
    "水漏れは補償されます。", "Der Hagel ist gedeckt. ", "\ud800 ", "- item\n",
]  # fmt: skip
texts = st.lists(st.lists(st.sampled_from(SENTENCES), max_size=6).map("".join), max_size=5)
questions = st.sampled_from(
    ["Is hail covered?", "How much is the fee?", "", "Who is it?", "水漏れは補償されますか", "\x00"]
)


@given(questions, texts)
def test_every_text_is_ranked_once_best_first(question, given_texts):
    ranked = rank_passages(question, given_texts)
    assert sorted(index for index, _ in ranked) == list(range(len(given_texts)))
    scores = [score for _, score in ranked]
    assert scores == sorted(scores, reverse=True)


@given(questions, texts)
def test_every_sentence_is_ranked_once_with_its_exact_bounds(question, given_texts):
    ranked = best_spans(question, given_texts, "en")
    spans = [(i, span) for i, text in enumerate(given_texts) for span in sentence_spans(text, "en")]
    expected = {(i, *span) for i, span in spans}
    assert {(r.index, r.start, r.end) for r in ranked} == expected
    assert all(0 <= r.coverage <= 1 and r.score >= 0 for r in ranked)


@given(questions, texts)
def test_the_same_call_ranks_the_same(question, given_texts):
    assert best_spans(question, given_texts) == best_spans(question, list(given_texts))


def plain_bm25(question, given_texts):
    """The textbook formula, written out."""
    query = set(content_stems(question, "en"))
    bags = [content_stems(text, "en") for text in given_texts]
    mean = sum(map(len, bags)) / len(bags)
    scores = []
    for bag in bags:
        total = 0.0
        for term in query:
            holders = sum(term in other for other in bags)
            rarity = log(1 + (len(bags) - holders + 0.5) / (holders + 0.5))
            count = Counter(bag)[term]
            total += rarity * count * (K1 + 1) / (count + K1 * (1 - B + B * len(bag) / mean))
        scores.append(total)
    return scores


def test_scores_are_those_of_the_textbook():
    given_texts = ["Hail is covered, hail always.", "Rent is due in the month of May.", "Hail."]
    expected = plain_bm25("Is hail covered?", given_texts)
    for index, score in rank_passages("Is hail covered?", given_texts):
        assert isclose(score, expected[index])


def test_words_are_matched_by_stem():
    given_texts = ["The policy ends.", "Damages are covered by it."]
    assert rank_passages("Does it cover damage?", given_texts)[0][0] == 1


def test_ties_keep_the_given_order():
    assert rank_passages("hail", ["hail", "hail"]) == rank_passages("hail", ["hail", "hail"])
    assert [i for i, _ in rank_passages("hail", ["x", "hail", "hail"])] == [1, 2, 0]


def test_a_heading_counts_for_what_stands_under_it():
    given_texts = ["Hail\nWe pay for broken glass and dented cars.\n\nRent\nIt is due in May."]
    best = best_spans("Is glass broken by hail paid for?", given_texts)[0]
    assert best.coverage == 1.0
    assert given_texts[0][best.start : best.end].startswith("We pay")


def test_an_item_of_a_list_counts_for_nothing_under_it():
    given_texts = ["- theft of cash from the home\n- rust\n\nCall us.", "(a) theft\n(b) rust."]
    for best in best_spans("Is theft of cash covered?", given_texts):
        text = given_texts[best.index][best.start : best.end]
        assert (best.coverage > 0) == ("theft" in text)


def test_the_head_of_a_table_counts_for_the_rows_that_hold_something_themselves():
    table = "| Cover | Excess |\n|---|---|\n| Fire | 5 euros |\n| Theft | 3 euros |\n\nCall us."
    best, *others = best_spans("How much is the excess for theft?", [table])
    assert table[best.start : best.end] == "| Theft | 3 euros |"
    assert best.coverage == 1.0
    assert max(other.coverage for other in others) < 0.6
    (head,) = (r for r in best_spans("How much is the excess?", [table]) if r.coverage > 0)
    assert table[head.start : head.end] == "| Cover | Excess |"


def test_the_kind_of_answer_decides_between_equals():
    given_texts = ["The fee is due at once. The fee is 20 euros."]
    best = best_spans("How much is the fee?", given_texts)[0]
    assert given_texts[0][best.start : best.end] == "The fee is 20 euros."


def test_another_years_figures_count_half():
    one = best_spans("What was revenue in 2019?", ["Revenue was 5 million in 2019. x"])[0]
    other = best_spans("What was revenue in 2019?", ["Revenue was 5 million in 2018. x"])[0]
    assert other.coverage < one.coverage / 2


def test_scripts_without_blanks_are_ranked():
    given_texts = ["家賃は毎月一日に払います。", "水漏れは補償されます。"]
    assert rank_passages("水漏れは補償されますか", given_texts)[0][0] == 1


@pytest.mark.parametrize("unit", ["Hail is covered. ", "hail ", "x\n", "水", "a'b "])
def test_time_is_linear(unit):
    assert factor(lambda text: best_spans("Is hail covered?", [text]), unit, size=20_000) < LINEAR
