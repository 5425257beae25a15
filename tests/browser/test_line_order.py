"""Numbers stand in the order of their source, whatever marks of direction came with them."""

from __future__ import annotations

import re

import pytest

from groundedgen import Passage, ask, render
from groundedgen.testing import ScriptedGenerator
from groundedgen.values import Answer
from tests.browser.pages import cited, said

RIGHT, LEFT = "\u200f", "\u200e"
NUMBERS = ["12.5", "03/12", "1,500", "3:1", "20-30", "3/4", "03/12/2026"]
STREWN = {
    "round each part": lambda number: RIGHT + RIGHT.join(re.split(r"(\D)", number)) + RIGHT,
    "before": lambda number: RIGHT + number,
    "ends with left": lambda number: RIGHT.join(re.split(r"(\D)", number)) + RIGHT + LEFT,
    "arabic letter marks": lambda number: "\u061c" + "\u061c".join(number) + "\u061c",
    "tatweel": "\u0640".join,
}

#: The characters of the first element that the selector finds, from left to right, line by line.
IN_ORDER = """selector => {
  const found = [], element = document.querySelector(selector);
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node; (node = texts.nextNode()); ) {
    for (let at = 0; at < node.length; at++) {
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      const box = range.getBoundingClientRect();
      if (box.width) found.push([Math.round(box.top), box.left, node.data[at]]);
    }
  }
  found.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  return found.map((one) => one[2]).join("");
}"""


def answered(text, source):
    drafted = {"text": text, "sources": ["S1"], "quote": source}
    model = ScriptedGenerator([{"status": "answered", "statements": [drafted]}] * 2)
    return ask("What is the limit?", [Passage("p", source, title="Policy")], model=model)


def squeezed(words):
    return "".join(words.split())


def test_this_browser_turns_a_number_round_where_its_marks_are_left(show):
    """The tests below can fail."""
    number = STREWN["round each part"]("12.5")
    with show(f"<!doctype html><p>It is {number} percent.") as opened:
        assert "12.5" not in opened.page.evaluate(IN_ORDER, "p")


@pytest.mark.parametrize("number", NUMBERS)
def test_a_ticked_statement_and_its_quote_show_their_numbers_in_order(show, number):
    plain = f"The limit for each claim is {number} in total."
    pages = [
        render(answered(text, source), format="html")
        for strewn in STREWN.values()
        for text, source in (
            (plain.replace(number, strewn(number)), plain),
            (plain, plain.replace(number, strewn(number))),
        )
    ]
    ticked = [page for page in pages if "✓" in page]
    assert len(ticked) >= len(STREWN)
    for page in ticked:
        with show(page) as opened:
            for part in (".said", "mark"):
                assert squeezed(plain) == squeezed(opened.page.evaluate(IN_ORDER, part))


def test_markers_and_tick_stand_after_a_statement_of_either_direction(show):
    hebrew = "הפוליסה ABC מכסה עד 1,500 שקלים לפי HARD 7"
    passage = Passage("p", hebrew, title="x")
    answer = Answer(
        "answered", "answered", "?", (said(hebrew, cited(passage, hebrew)),), passages=(passage,)
    )
    with show(render(answer, format="html")) as opened:
        page = opened.page
        words, mark, state = (
            page.locator(part).first.bounding_box() for part in (".said", ".cite a", ".state")
        )
        assert "rtl" == page.evaluate(
            "getComputedStyle(document.querySelector('.statement')).direction"
        )
    assert state["x"] + state["width"] <= mark["x"] + 1
    assert mark["x"] + mark["width"] <= words["x"] + 1


@pytest.mark.parametrize(
    "title", ["\u200e", "\u200d", "\u17b5", "\u2800", "\u115f", "\u034f\ufe0f"]
)
def test_a_title_that_nobody_sees_is_none(show, title):
    passage = Passage("p", "Fire is covered.", title=title)
    answer = Answer(
        "answered",
        "answered",
        "?",
        (said("Fire is covered.", cited(passage, "Fire is covered.")),),
        passages=(passage,),
    )
    with show(render(answer, format="html")) as opened:
        assert "[1] Untitled source" == opened.page.locator("h3").inner_text()
    for format_ in ("markdown", "footnotes", "text"):
        assert "Untitled source" in render(answer, format=format_)
