"""Promises of the embedded generator."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundedgen.generators.extractive import ExtractiveGenerator
from groundedgen.ports import Generator
from groundedgen.values import Prompt, Request
from tests.growth import LINEAR, factor

POLICY = {
    "S1": "Burst pipes\nWe pay for repairs to walls and floors after a pipe has burst. "
    "This does not apply if the house was empty for 30 days.",
    "S2": "The deductible is 250 euros per claim. A claim must be reported within 14 days.",
    "S3": "We do not pay for:\n- floods;\n- theft of tools from a garden shed.\n\nCall us at once.",
    "S4": "The landlord charges\n\n| service | fee |\n| lost key | 28 |\n| late rent | 15 |",
}


def ask(question, docs=POLICY, langs=None, **settings):
    request = Request(question, Prompt("", "", ""), schema=dict, docs=docs, langs=langs or {})
    return ExtractiveGenerator(**settings).generate(request)


def draft(question, docs=POLICY, **settings):
    return json.loads(ask(question, docs, **settings).raw)


def test_it_answers_with_the_sentence_itself():
    found = draft("How much is the deductible?")
    assert found["status"] == "answered"
    assert found["statements"][0] == {
        "text": "The deductible is 250 euros per claim.",
        "sources": ["S2"],
        "quote": "The deductible is 250 euros per claim.",
    }


@pytest.mark.parametrize(
    "question",
    [
        "Is a stolen bicycle covered?",
        "Who is the president of France?",
        "What is it?",
        "",
        "???",
        "\ud800",
        "Does the policy insure my boat at sea?",
    ],
)
def test_what_the_passages_do_not_say_is_not_found(question):
    assert draft(question) == {"status": "not_found", "statements": []}


def test_a_sentence_that_limits_the_answer_comes_with_it():
    found = draft("Who pays for repairs to walls after a pipe has burst?")
    assert "This does not apply if the house was empty" in found["statements"][0]["text"]


def test_a_list_item_comes_with_what_leads_it_in():
    found = draft("Is theft of tools from a garden shed paid for?")
    assert found["statements"][0]["quote"].startswith("We do not pay for:")


def test_a_table_row_comes_with_its_head():
    found = draft("How much is the fee for a lost key?")
    assert "The landlord charges" in found["statements"][0]["quote"]


def test_a_short_sentence_is_quoted_with_its_neighbour():
    (statement,) = draft("Is hail covered?", {"S1": "Hail is covered. Rent is due in May."})[
        "statements"
    ]
    assert statement["quote"] == "Hail is covered. Rent is due in May."
    (alone,) = draft("Is hail covered?", {"S1": "Hail is covered."})["statements"]
    assert alone["quote"] == "Hail is covered."


def test_a_sentence_with_a_link_is_passed_over():
    docs = {"S1": "The fee for hail is at https://fees.example/hail today."}
    assert draft("What is the fee for hail today?", docs)["status"] == "not_found"


def test_the_same_sentence_is_said_once():
    docs = {f"S{i}": "The fee for a lost key is 28 euros." for i in range(1, 5)}
    assert len(draft("What is the fee for a lost key?", docs)["statements"]) == 1


def test_no_more_statements_than_asked_for():
    docs = {f"S{i}": f"The fee for key number {i} is 28 euros." for i in range(1, 9)}
    assert 1 <= len(draft("What is the fee for a key?", docs)["statements"]) <= 3
    assert len(draft("What is the fee for a key?", docs, max_statements=1)["statements"]) == 1


def test_a_higher_threshold_answers_less():
    question = "Within how many days must a claim be reported to the police?"
    assert draft(question, coverage=0.3)["status"] == "answered"
    assert draft(question, coverage=1.0)["status"] == "not_found"


def test_scripts_without_blanks_are_answered():
    docs = {"S1": "家賃は毎月一日に払います。水漏れによる損害は補償されます。"}
    found = draft("水漏れによる損害は補償されますか", docs)
    assert found["statements"][0]["quote"] == "水漏れによる損害は補償されます。"


def test_a_words_broken_at_a_line_end_are_put_together_in_the_text_only():
    docs = {"S1": "Water dam-\nage from a burst pipe is covered\nin full."}
    (statement,) = draft("Is water damage from a burst pipe covered?", docs)["statements"]
    assert statement["quote"] == docs["S1"]
    assert statement["text"] == "Water damage from a burst pipe is covered in full."


def test_the_reply_says_who_wrote_it():
    reply = ask("How much is the deductible?")
    assert reply.engine == "extractive"
    assert reply.refusal is None
    generator = ExtractiveGenerator()
    assert isinstance(generator, Generator)
    assert generator.name == "extractive"


class Swapped:
    """A reranker that likes one word."""

    def similarities(self, question, texts):
        return [1.0 if "tools" in text else 0.0 for text in texts]


def test_a_reranker_can_bring_up_what_shares_no_word():
    found = draft("Gardening gear gone?", reranker=Swapped())
    assert "theft of tools" in found["statements"][0]["quote"]
    assert draft("Gardening gear gone?")["status"] == "not_found"


PIECES = [
    "Hail is covered. ",
    "- hail\n",
    "We pay for:\n",
    "| hail | 5 |\n",
    "\ud800",
    "\n\n",
    "hail ",
    "漢字。",
]
docs = st.dictionaries(
    st.sampled_from(["S1", "S2", "S3"]),
    st.lists(st.sampled_from(PIECES), max_size=10).map("".join) | st.text(max_size=40),
)


@given(st.sampled_from(["Is hail covered?", "hail", "", "How much?", "漢字"]), docs)
def test_every_quote_is_a_slice_of_the_passage_it_names(question, passages):
    found = draft(question, passages)
    for statement in found["statements"]:
        (alias,) = statement["sources"]
        assert statement["quote"] in passages[alias]
        assert statement["quote"] == statement["quote"].strip() != ""
    assert (found["status"] == "answered") == bool(found["statements"])
    assert ask(question, passages).raw == ask(question, passages).raw


@pytest.mark.parametrize("unit", ["Hail is covered. ", "- hail\n", "| hail | 5 |\n", "hail ", "? "])
def test_time_is_linear(unit):
    assert factor(lambda text: ask("Is hail covered?", {"S1": text}), unit, size=20_000) < LINEAR
