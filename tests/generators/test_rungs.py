"""Promises of the choice of a constraint."""

from __future__ import annotations

import dataclasses
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundedgen.draft import draft_json_schema, plain_json_schema
from groundedgen.draft import schema as draft_schema
from groundedgen.generators.constrained import rungs
from groundedgen.generators.constrained.gbnf import gbnf
from groundedgen.generators.constrained.lark import lark
from groundedgen.generators.constrained.rungs import (
    CONSTRAINTS,
    LIMITS,
    MOST_SENTENCES,
    MOST_TEXT,
    Capabilities,
    Plan,
    Rung,
    Size,
    choose,
    plan,
    planned,
)
from groundedgen.generators.grammar import quotables, schema
from groundedgen.judges.instructions import schema as labels
from groundedgen.values import Constraint, Prompt, Request

ORDER = get_args(Rung)
SMALL, HUGE = Size(10, 1_000), Size(10**6, 10**9)
capabilities = st.builds(Capabilities, st.booleans(), st.booleans(), st.booleans(), st.booleans())
FOUND = quotables({"S1": "Hail is covered in full at home.", "S2": "Floods are not covered."})


@given(capabilities)
def test_the_tightest_rung_that_was_obeyed_is_taken(able):
    obeyed = [rung for rung in ORDER[:-1] if getattr(able, rung)]
    assert choose(able, SMALL) == (obeyed or ["none"])[0]


@given(capabilities)
def test_what_is_too_large_steps_down_instead_of_failing(able):
    assert choose(able, HUGE) == ("enum" if able.enum else "none")


@given(capabilities, st.integers(0, 10**7), st.integers(0, 10**9))
def test_more_text_never_leads_to_a_tighter_rung(able, quotes, points):
    size, larger = Size(quotes, points), Size(quotes + 1, points + 100)
    assert ORDER.index(choose(able, size)) <= ORDER.index(choose(able, larger))


def test_a_backend_of_which_nothing_was_seen_is_not_constrained():
    assert choose(Capabilities(), SMALL) == "none"
    assert plan(Capabilities(), FOUND) == Plan("none")


def test_every_rung_has_a_word_for_the_answer():
    assert set(ORDER) == CONSTRAINTS.keys()
    assert set(CONSTRAINTS.values()) == set(get_args(Constraint))
    assert {field.name for field in dataclasses.fields(Capabilities)} == {*ORDER} - {"none"}


@pytest.mark.parametrize(
    ("rung", "grammar", "sent", "constraint", "form"),
    [
        ("lark", lark(FOUND), None, "grammar", "grammar"),
        ("schema", "", schema(FOUND), "schema", "json_schema"),
        ("gbnf", gbnf(FOUND), None, "schema", "grammar"),
        ("enum", "", draft_json_schema(["S1", "S2"]), "enum", "json_schema"),
        ("none", "", None, "none", "text"),
    ],
)
def test_a_plan_holds_what_is_sent(rung, grammar, sent, constraint, form):
    able = Capabilities() if rung == "none" else Capabilities(**{rung: True})
    made = plan(able, FOUND)
    assert (made.rung, made.grammar, made.schema) == (rung, grammar, sent)
    assert (made.constraint, made.response_format) == (constraint, form)


def test_a_grammar_that_does_not_compile_steps_down_and_says_so():
    able = Capabilities(lark=True, schema=True)
    made = plan(able, FOUND, lambda grammar, draft: "out of fuel")
    assert (made.rung, made.stepped_down) == ("schema", ("lark",))
    made = plan(Capabilities(lark=True), FOUND, lambda grammar, draft: "out of fuel")
    assert (made.rung, made.stepped_down) == ("none", ("lark",))


def test_only_a_grammar_for_llguidance_is_tried():
    tried = []
    for rung in ("schema", "gbnf", "enum"):
        plan(
            Capabilities(**{rung: True}), FOUND, lambda grammar, draft: tried.append(grammar) or ""
        )
    assert tried == []


def test_no_text_of_a_passage_is_in_a_repr():
    for rung in ORDER[:-1]:
        assert "Hail" not in repr(plan(Capabilities(**{rung: True}), FOUND))


def test_eighty_passages_of_five_hundred_words_are_tried_with_a_grammar():
    assert choose(Capabilities(lark=True), Size(1_950, 310_000)) == "lark"
    assert LIMITS["gbnf"].quotes < LIMITS["lark"].quotes


DOCS = {"S1": "Hail is covered in full at home.", "S2": "Floods are not covered."}


def request(schema, docs=DOCS):
    return Request("?", Prompt("", "", "1"), schema, docs)


@given(capabilities)
def test_a_draft_is_bound_to_the_quotes_of_its_own_passages(able):
    drafted = request(draft_schema(list(DOCS)))
    assert planned(drafted, able) == plan(able, quotables(DOCS))


@given(capabilities, st.booleans())
def test_anything_else_is_asked_for_by_its_own_schema(able, with_docs):
    labelled = labels(2)
    made = planned(request(labelled, DOCS if with_docs else {}), able)
    obeyed = able.schema or able.enum
    assert made == (Plan("enum", schema=plain_json_schema(labelled)) if obeyed else Plan("none"))


def test_more_sentences_than_any_compiler_takes_are_counted_and_not_read(monkeypatch):
    """To see which can be quoted takes many times as long as to see that they are too many."""
    monkeypatch.setattr(rungs, "quotables", None)
    docs = {f"S{n}": "Hail is covered in full. " * (MOST_SENTENCES // 4) for n in range(1, 6)}
    assert sum(map(len, docs.values())) < MOST_TEXT
    assert rungs.drafted(request(draft_schema(list(docs)), docs)) is None


@given(capabilities)
def test_passages_that_no_compiler_takes_are_not_read_for_their_sentences(able):
    docs = {"S1": "Hail is covered in full at home. " * (MOST_TEXT // 30)}
    drafted = request(draft_schema(list(docs)), docs)
    schema = plain_json_schema(draft_schema(list(docs)))
    obeyed = able.schema or able.enum
    assert planned(drafted, able) == (Plan("enum", schema=schema) if obeyed else Plan("none"))
