"""Offsets mean the same in Python, in code points, and in the browser, in UTF-16 units."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from groundedgen import Passage, ask
from groundedgen.render import render
from groundedgen.testing import ScriptedJudge
from groundedgen.values import Answer, Citation, Entailment, Statement

TEXTS = [
    "Plain words are covered by this policy.",
    "😀 Emoji 👩‍👩‍👧 and 👍🏽 come before: water damage 💧 is covered 😀.",
    "The o\ufb03ce \ufb01nds of\ufb01cial \ufb02oods in the \ufb01rst paragraph.",
    "Cafe\u0301 nai\u0308ve e\u0323\u0302 and \u1e69 s\u0323\u0307 are covered here.",
    "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 𝟗𝟎𝟎 euros, 𠮷野家 and 🇩🇪 flags stand in it.",
    "नमस्ते क्षत्रिय நிலைக்குழு หลักการ 각 are whole words.",
    "Line\r\nbreaks\tand\u00a0blanks\u2028are kept as they are \u200d here.",
    "A lone \ud83d half and another \ude00 are no pair.",
]

READ = """
told => {
  const {text, rendered} = JSON.parse(told);
  const answer = JSON.parse(rendered);
  return answer.statements.flatMap(statement => statement.citations.map(citation =>
    text.slice(citation.utf16[0], citation.utf16[1]) === citation.quote));
}
"""


def answer_over(text, spans):
    """`astral_before` is left wrong, as in an answer that a host has put together itself."""
    passage = Passage("p", text)
    citations = tuple(Citation("p", text[a:b], a, b, "exact", a, b) for a, b in spans)
    statement = Statement("Said.", citations, Entailment("supported", "judge"))
    return Answer("answered", "answered", "?", (statement,), passages=(passage,))


def in_python(answer):
    texts = {passage.id: passage.text for passage in answer.passages}
    return [
        texts[c.passage_id][c.start : c.end] == c.quote
        for statement in answer.statements
        for c in statement.citations
    ]


def in_the_browser(page, answer):
    rendered = render(answer, format="json")
    [text] = {passage.text for passage in answer.passages}
    return page.evaluate(READ, json.dumps({"text": text, "rendered": rendered}))


@pytest.fixture(scope="module")
def page(chromium):
    window = chromium.new_context()
    yield window.new_page()
    window.close()


@pytest.mark.parametrize("text", TEXTS)
def test_every_span_of_a_text_is_the_same_in_both(page, text):
    spans = [(a, b) for a in range(0, len(text), 3) for b in range(a + 1, len(text) + 1, 5)]
    answer = answer_over(text, spans)
    expected = [True] * len(spans)
    assert expected == in_python(answer)
    assert expected == in_the_browser(page, answer)


drawn = st.text(
    st.characters(exclude_categories=["Cs"]) | st.sampled_from("😀👩\u200d\ufb01\u0301𝟗 a"),
    min_size=1,
    max_size=60,
)


@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(drawn, st.data())
def test_any_span_of_any_text_is_the_same_in_both(page, text, data):
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    answer = answer_over(text, [(start, end)])
    assert [True] == in_python(answer) == in_the_browser(page, answer)


@pytest.mark.parametrize("text", TEXTS[1:6])
def test_what_ask_finds_is_the_same_in_both_and_lit_up_on_the_page(page, show, text):
    answer = ask(text, [Passage("p", f"💧 First. {text}")], judge=ScriptedJudge("supported"))
    assert "answered" == answer.status
    stored = Answer.model_validate_json(answer.model_dump_json())
    expected = [True] * len(in_python(stored))
    assert expected == in_python(stored) == in_the_browser(page, stored)
    direct = replace(stored, statements=answer.statements)
    assert [c.utf16() for c in direct.statements[0].citations] == [
        tuple(c["utf16"])
        for c in json.loads(render(stored, format="json"))["statements"][0]["citations"]
    ]
    with show(render(stored, format="html")) as opened:
        lit = opened.page.locator("mark").first.text_content()
        assert stored.statements[0].citations[0].quote == lit
