"""Promises of trying a grammar before it is sent."""

from __future__ import annotations

import random
import sys

import pytest

from groundedgen.errors import MissingExtraError
from groundedgen.generators.constrained.lark import lark, sample
from groundedgen.generators.grammar import quotables

llguidance = pytest.importorskip("llguidance", reason="the extra `local` is not installed")

from groundedgen.generators.constrained import llguide
from groundedgen.generators.constrained.llguide import fault
from groundedgen.generators.constrained.rungs import Capabilities, plan

DOCS = {"S1": "Hail is covered in full at home. Claims are due within 30 days of loss."}


def test_our_grammars_have_no_fault():
    for docs in (DOCS, {}, {"S1": "\ud800"}, {"S1": "水漏れは30日以内に補償されます。"}):
        found = quotables(docs)
        assert fault(lark(found), sample(found)) == ""


def test_a_fault_is_one_line():
    assert "\n" not in fault("start: no_such_rule")
    assert fault("start: no_such_rule") != ""


def test_a_grammar_that_does_not_admit_the_draft_is_faulty():
    found = quotables(DOCS)
    assert "of a draft" in fault(lark(found), sample(found).replace("S1", "S9"))
    assert "of a draft" in fault(lark(found), sample(found)[:-1])


def test_a_limit_that_validation_does_not_see_is_found(monkeypatch):
    """With too many symbols validation says that all is well, and the matcher does not start."""

    def blind(*given, **named):
        return llguidance.LLMatcher(*given, **named)

    blind.validate_grammar = lambda grammar: ""
    blind.grammar_from_lark = llguidance.LLMatcher.grammar_from_lark
    monkeypatch.setattr(llguide, "LLMatcher", blind)
    assert fault("start: no_such_rule_either") != ""


def test_a_plan_is_compiled_before_use():
    made = plan(Capabilities(lark=True, enum=True), quotables(DOCS), fault)
    assert (made.rung, made.stepped_down) == ("lark", ())


def test_results_are_kept_by_hash_and_not_for_ever(monkeypatch):
    calls = []
    monkeypatch.setattr(llguide, "_fault", lambda grammar, draft: calls.append(grammar) or "")
    name = f"start: {random.random()}"
    assert fault(name) == fault(name) == ""
    assert calls == [name]
    for number in range(200):
        fault(f"{name} {number}")
    assert len(llguide._faults) <= llguide._KEPT


def test_without_llguidance_the_error_names_the_extra(monkeypatch):
    monkeypatch.delitem(sys.modules, "groundedgen.generators.constrained.llguide")
    monkeypatch.setitem(sys.modules, "llguidance", None)
    with pytest.raises(MissingExtraError) as caught:
        import groundedgen.generators.constrained.llguide  # noqa: F401
    assert caught.value.extra == "local"
