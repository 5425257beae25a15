"""Promises of the GBNF grammar's text; a real llama.cpp reads it in `test_grammar_llamacpp`."""

from __future__ import annotations

import json

import regex
from hypothesis import given
from hypothesis import strategies as st

from groundedgen.generators.constrained.gbnf import gbnf
from groundedgen.generators.grammar import Limits, quotables

LITERAL = regex.compile(r'"((?:[^"\\]|\\.)*+)"')
ESCAPES = regex.compile(r"\\(?:u([0-9A-F]{4})|U([0-9A-F]{8})|(.))")


def literals(rule):
    """The strings of a rule, read as llama.cpp reads them."""

    def char(match):
        code = match[1] or match[2]
        return chr(int(code, 16)) if code else match[3]

    return [ESCAPES.sub(char, match[1]) for match in LITERAL.finditer(rule)]


def rules(written):
    return dict(line.split(" ::= ", 1) for line in written.splitlines())


@given(st.lists(st.text(max_size=150), min_size=1, max_size=3))
def test_each_source_leads_to_its_own_quotes_exactly(texts):
    found = quotables({f"S{n}": text for n, text in enumerate(texts, 1)})
    written = rules(gbnf(found))
    for number, passage in enumerate(found.quotable, 1):
        assert f'"sources":["{passage.alias}"]' in literals(written[f"p{number}"])[0]
        quotes = [json.loads(f'"{text}"') for text in literals(written[f"q{number}"])]
        assert list(passage.quotes) == quotes


def test_a_grammar_is_printable_line_by_line():
    text = "A break \u2028 and \x85 and \u202e and \x7f and \U000e0041 and \n more."
    written = gbnf(quotables({"S1": text}))
    assert all(line.isprintable() for line in written.split("\n"))


def test_not_found_is_always_possible_and_lengths_are_bounded():
    written = rules(gbnf(quotables({"S1": "Hail is covered in full."}, limits=Limits(3, 5, 50))))
    assert '{"status":"not_found","statements":[]}' in literals(written["root"])
    assert "st{0," not in written["root"]
    assert '("," st){0,2}' in written["root"]
    assert written["text"].endswith("] char{0,49}")
    assert list(rules(gbnf(quotables({})))) == ["root"]
