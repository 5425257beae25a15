"""Statements of an unfinished reply: found as soon as they close, wherever it is cut."""

from __future__ import annotations

import json
import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundedgen import draft
from groundedgen.closing import Scanner, read
from groundedgen.text.replies import PADDING
from groundedgen.values import Reply
from tests.growth import LINEAR, factor

ONE = '{"text": "A {brace} and \\"quotes\\".", "sources": ["S1"], "quote": "a ] b"}'
TWO = '{"quote": "c\\\\", "sources": [], "text": "B", "more": {"deep": [{}, [1]]}}'
WHOLE = f'{{"status": "answered", "statements": [{ONE}, {TWO}]}}'


def parse(reply):
    return draft.parse(reply, ["S1"])


def closed(text, *cuts):
    scanner, bounds = Scanner(), [0, *sorted(cuts), len(text)]
    return [s for a, b in pairwise(bounds) for s in scanner.feed(text[a:b])]


def oracle(text):
    """The same, slowly and obviously: the standard decoder, at each place a statement may begin."""
    opening = re.match(
        rf"[{PADDING}]*(?:(?:```+|~~~+)[ \t]*[\w+.\-]*[{PADDING}]*)?"
        r'\{\s*"status"\s*:\s*"(?:answered|Answered|ANSWERED)"\s*,\s*"statements"\s*:\s*\[',
        text,
    )
    found, at = [], opening.end() if opening else len(text)
    while (at := _past_blanks(text, at)) < len(text) and text[at] == "{":
        try:
            _, end = json.JSONDecoder(strict=False).raw_decode(text, at)
        except ValueError:
            return found
        found.append(text[at:end])
        at = _past_blanks(text, end)
        if text[at : at + 1] != ",":
            return found
        at += 1
    return found


def _past_blanks(text, at):
    while at < len(text) and text[at] in " \t\n\r":
        at += 1
    return at


def is_json(text):
    try:
        json.loads(text, strict=False)
    except ValueError:
        return False
    return True


def test_every_statement_comes_at_the_character_that_closes_it():
    scanner, seen = Scanner(), []
    for place, char in enumerate(WHOLE):
        seen += [(place, statement) for statement in scanner.feed(char)]
    ends = [WHOLE.index(ONE) + len(ONE) - 1, WHOLE.index(TWO) + len(TWO) - 1]
    assert list(zip(ends, [ONE, TWO], strict=True)) == seen


@pytest.mark.parametrize("first", range(len(WHOLE)))
def test_it_makes_no_difference_where_the_reply_is_cut(first):
    assert [ONE, TWO] == closed(WHOLE, first)


@pytest.mark.parametrize("before", ["", "\ufeff \n", "```json\n", "```\n", "~~~JSON \n", "``` "])
def test_a_fence_and_blanks_before_it_are_passed_over(before):
    assert [ONE, TWO] == closed(before + WHOLE)


@pytest.mark.parametrize(
    "text",
    [
        f'{{"statements": [{ONE}], "status": "answered"}}',
        f'{{"statements": [{ONE}]}}',
        f'{{"status": "not_found", "statements": [{ONE}]}}',
        f'{{"status": "verified", "statements": [{ONE}]}}',
        f'{{"status": "answered", "why": "x", "statements": [{ONE}]}}',
        f'{{"status": "answered", "statements": {{"a": {ONE}}}}}',
        f'{{"status": "answered", "statements": [[{ONE}]]}}',
        f'{{"status": "answered", "statements": ["x", {ONE}]}}',
        f"<think>so</think>{WHOLE}",
        f"Here it is: {WHOLE}",
        f"[{WHOLE}]",
        f'{{"draft": {WHOLE}}}',
        f'{{{" " * 500}"status": "answered", "statements": [{ONE}]}}',
        "",
    ],
)
def test_anything_else_stays_silent_until_its_end(text):
    assert [] == closed(text)


def test_what_is_no_statement_ends_the_early_ones():
    assert [ONE] == closed(f'{{"status": "answered", "statements": [{ONE}, "x", {TWO}]}}')
    assert [ONE] == closed(f'{{"status": "answered", "statements": [{ONE} {TWO}]}}')


def test_nothing_after_the_list_counts():
    twice = f'{WHOLE[:-1]}, "statements": [{ONE}]}}'
    assert [ONE, TWO] == closed(twice)


texts = st.text(st.sampled_from('ab"\\{}[]:, \n\u00e9\U0001f600'), max_size=12)
statements = st.fixed_dictionaries({"text": texts, "sources": st.lists(texts, max_size=2)})
items = st.one_of(statements, texts, st.lists(texts, max_size=2))


@given(
    st.lists(items, max_size=4),
    st.tuples(st.sampled_from(["", "```json\n", "\ufeff", "x"]), st.sampled_from([None, 1])),
    st.lists(st.integers(0, 400), max_size=6),
    st.integers(0, 400),
    texts,
)
def test_it_finds_what_the_standard_decoder_finds(drafted, layout, cuts, end, garbage):
    before, indent = layout
    body = {"status": "answered", "statements": drafted}
    text = (before + json.dumps(body, indent=indent, ensure_ascii=False))[:end] + garbage
    found = closed(text, *(min(cut, len(text)) for cut in cuts))
    sound = found[: next((n for n, s in enumerate(found) if not is_json(s)), len(found))]
    assert oracle(text) == sound


@given(st.lists(st.sampled_from([ONE, TWO, '{"text": 3}', '{"a": 1, "a": 2}', "{}"]), max_size=5))
def test_a_statement_is_read_as_it_is_with_the_whole_reply(drafted):
    whole = f'{{"status": "answered", "statements": [{", ".join(drafted)}]}}'
    parsed = draft.parse(Reply(whole), ["S1"])
    early = [read(s, index, parse) for index, s in enumerate(closed(whole))]
    together = (*parsed.statements, *parsed.findings) if drafted else ()
    assert sorted(together, key=lambda item: item.index) == early


@pytest.mark.parametrize("text", ["{]", "{} , {}", "{'a': 1}", '{"text": }', ""])
def test_what_is_not_one_json_object_is_not_read(text):
    assert read(text, 0, parse) is None


@pytest.mark.parametrize("size", [1, 50, 10**9])
def test_time_grows_with_the_text(size):
    def scan(text):
        scanner = Scanner()
        for at in range(0, len(text), size):
            scanner.feed(text[at : at + size])

    opening = '{"status": "answered", "statements": ['
    assert factor(lambda text: scan(opening + text), ONE + ", ") < LINEAR
    assert factor(lambda text: scan(opening + '{"text": "' + text), "\\\\word{") < LINEAR
    assert factor(scan, " ```") < LINEAR
