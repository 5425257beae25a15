"""The example chat page in a real browser, in front of a model that writes slowly."""

from __future__ import annotations

import importlib.util
import json
import time
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="needs the extra fastapi")
pytest.importorskip("uvicorn", reason="uvicorn is not installed")
openai = pytest.importorskip("openai", reason="needs the extra openai")

from groundedgen.generators.openai import OpenAIGenerator
from groundedgen.ports import SourceCard
from groundedgen.testing import MemoryStore, ScriptedJudge
from tests.servers.loopback import serving
from tests.servers.streaming_wire import streamed
from tests.servers.uvicorn_app import running
from tests.test_flow import ALSO_GOOD, GOOD, INVENTED_FIGURE, PASSAGES, QUESTION, WHOLE
from tests.test_streaming import parts

CHAT = Path(__file__).parents[2] / "examples" / "chat" / "app.py"
DRAFTED = (GOOD, INVENTED_FIGURE, ALSO_GOOD, WHOLE)
SHOWN = [GOOD["text"], ALSO_GOOD["text"], WHOLE["text"]]

#: Keeps every state of the page that a reader could have seen: what stands there after each change.
WATCH = """
window.seen = [];
new MutationObserver(() => {
  const texts = (selector) => [...document.querySelectorAll(selector)].map((e) => e.textContent);
  window.seen.push({
    passages: texts('.passages li').length,
    statements: [...document.querySelectorAll('.statements li')].map(
      (e) => [e.dataset.number, e.textContent]),
    state: texts('.state').join('|'),
  });
}).observe(document.getElementById('turns'), {childList: true, subtree: true, characterData: true});
"""


@pytest.fixture(scope="module")
def example():
    pytest.importorskip("pypdf", reason="the example reads a PDF: needs the extra cli")
    spec = importlib.util.spec_from_file_location("chat_example", CHAT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@contextmanager
def page_of(chromium, example, said, judge=None, **options):
    """The open chat page, the upstream server, and what the page asked of other hosts."""
    judge = judge or ScriptedJudge("supported")
    with serving(lambda asked: said) as upstream:

        def answer_with(asked):
            client = openai.AsyncOpenAI(api_key="k", base_url=f"{upstream.url}/v1")
            return {"passages": PASSAGES, "model": OpenAIGenerator(client, "m"), "judge": judge}

        with running(example.build(answer_with, **options)) as url:
            context = chromium.new_context()
            elsewhere, told = [], []
            context.on("request", lambda r: r.url.startswith(url) or elsewhere.append(r.url))
            page = context.new_page()
            page.on("pageerror", lambda error: told.append(str(error)))
            page.goto(url)
            page.evaluate(WATCH)
            yield page, upstream
            context.close()
            assert ([], []) == (elsewhere, told)


def ask(page, question=QUESTION):
    page.fill("#question", question)
    page.press("#question", "Enter")


def ended(page, words):
    page.wait_for_function(
        "words => [...document.querySelectorAll('.state')].at(-1)?.textContent.includes(words)",
        arg=words,
    )


def test_passages_come_first_and_no_statement_disappears_or_changes_its_number(chromium, example):
    slow = streamed("openai", parts(*DRAFTED), drip=0.15)
    with page_of(chromium, example, slow) as (page, _):
        ask(page)
        ended(page, "3 of 3 statements verified")
        states = page.evaluate("window.seen")
        final = page.evaluate(
            "[...document.querySelectorAll('.statements li')].map((e) => [e.value, e.textContent])"
        )
    first = next(n for n, state in enumerate(states) if state["statements"])
    assert len(PASSAGES) == states[first]["passages"]
    assert any(state["passages"] and not state["statements"] for state in states[:first])
    for before, after in pairwise(states):
        assert before["statements"] == after["statements"][: len(before["statements"])]
    assert {0, 1, 2, 3} == {len(state["statements"]) for state in states}
    assert [1, 2, 3] == [number for number, _ in final]
    assert SHOWN == [text.rsplit(" [", 1)[0] for _, text in final]
    assert not any("120,000" in json.dumps(state) for state in states)


def test_a_second_question_leaves_the_first_answer_alone(chromium, example):
    with page_of(chromium, example, streamed("openai", parts(GOOD))) as (page, upstream):
        ask(page)
        ended(page, "1 of 1 statement verified")
        ask(page, "And what else?")
        page.wait_for_function("() => document.querySelectorAll('.turn').length == 2")
        ended(page, "1 of 1 statement verified")
        assert [GOOD["text"]] * 2 == [
            text.rsplit(" [", 1)[0] for text in page.locator(".statements li").all_text_contents()
        ]
        asked = json.dumps(upstream.asked[1].body)
    assert "assistant: A burst pipe" in asked


@pytest.mark.parametrize("how", ["close", "stop"])
def test_leaving_drops_the_call_to_the_model_within_a_second(chromium, example, how):
    judge = ScriptedJudge("supported")
    hanging = streamed("openai", [parts(GOOD)[0][:40]], end=None, hang=True)
    with page_of(chromium, example, hanging, judge) as (page, upstream):
        ask(page)
        page.wait_for_selector(".passages:not([hidden])")
        page.wait_for_timeout(200)
        assert 1 == len(upstream.asked)
        left = time.monotonic()
        page.close() if how == "close" else page.click("#stop")
        while not upstream.gone and time.monotonic() - left < 3:
            time.sleep(0.01)
        assert upstream.gone
        assert upstream.gone[0] - left < 1
    assert [] == judge.calls


def test_an_answer_that_breaks_off_says_so_and_keeps_what_was_verified(chromium, example):
    broken = streamed("openai", parts(GOOD, WHOLE)[:1], end=None, drip=0.1, cut=True)
    with page_of(chromium, example, broken) as (page, _):
        ask(page)
        ended(page, "1 of 1 statement verified")
        assert 1 == page.locator(".statements li").count()


class Failing:
    """Grants all, but at these times, counted from 1, what is said there; it may also fail."""

    def __init__(self, **grants):
        self.asked, self.grants = 0, {int(at.removeprefix("at")): g for at, g in grants.items()}

    async def aget(self, ids, reader):
        self.asked += 1
        granted = self.grants.get(self.asked, ids)
        if granted is None:
            raise ConnectionError
        return {name: SourceCard(name, f"Title {name}") for name in ids if name in granted}


def shown(page):
    items = page.locator(".statements li, .sources li").all()
    return [(item.get_attribute("data-number"), item.inner_text().split("\n")[0]) for item in items]


def test_one_failed_call_to_the_store_leaves_the_page_and_its_count_agreed(chromium, example):
    said = streamed("openai", parts(GOOD, WHOLE, ALSO_GOOD))
    with page_of(chromium, example, said, store=Failing(at4=None)) as (page, _):
        ask(page)
        ended(page, "2 of 2 statements verified")
        statements = shown(page)[:2]
    assert [("1", f"{GOOD['text']} [1]"), ("2", f"{ALSO_GOOD['text']} [2]")] == statements


def test_what_is_revoked_goes_and_the_rest_keeps_its_number(chromium, example):
    said = streamed("openai", parts(GOOD, WHOLE, ALSO_GOOD))
    with page_of(chromium, example, said, store=Failing(at6=["policy#3"])) as (page, _):
        ask(page)
        ended(page, "1 of 1 statement verified")
        (statement, source) = shown(page)
    assert ("3", f"{ALSO_GOOD['text']} [3]") == statement
    assert "3" == source[0]
    assert source[1].startswith("Title policy#3")


def test_markup_in_a_passage_or_statement_is_only_words(chromium, example):
    hostile = "<img src=x onerror=\"document.title='hit'\"> <script>document.title='hit'</script>"
    cards = [SourceCard(p.id, f"{hostile} {p.id}", "javascript:alert(1)") for p in PASSAGES]
    store = MemoryStore(cards, allowed={None: [p.id for p in PASSAGES]})
    with page_of(chromium, example, streamed("openai", parts(GOOD)), store=store) as (page, _):
        ask(page)
        ended(page, "1 of 1 statement verified")
        assert 0 == page.locator("main img, main script, main a").count()
        assert "hit" not in page.title()
        assert hostile in page.locator(".sources").inner_text()


def test_what_turns_or_hides_words_of_a_source_is_not_on_the_page(chromium, example):
    turning = "\u200f12\u200f.\u200f5\u200f \u202etxet\u202c 20\u00ad30 1\u200d2 نمی\u200cخواهم"
    cards = [SourceCard(p.id, turning) for p in PASSAGES[:1]]
    cards += [SourceCard(p.id, "\u200e\u2800\u115f") for p in PASSAGES[1:]]
    store = MemoryStore(cards, allowed={None: [p.id for p in PASSAGES]})
    with page_of(chromium, example, streamed("openai", parts(GOOD)), store=store) as (page, _):
        ask(page)
        ended(page, "1 of 1 statement verified")
        titles = page.evaluate(
            "[...document.querySelectorAll('.passages li > bdi')].map((e) => e.textContent)"
        )
    assert titles[0] == "12.5 txet 20-30 12 نمی\u200cخواهم"
    assert {"Untitled source"} == set(titles[1:])
    assert len(PASSAGES) == len(titles) > 1


def test_the_page_is_readable_for_assistive_technology(chromium, example, axe):
    with page_of(chromium, example, streamed("openai", parts(GOOD, WHOLE))) as (page, _):
        ask(page)
        ended(page, "2 of 2 statements verified")
        page.evaluate(axe)
        found = page.evaluate("axe.run().then((r) => r.violations.map((v) => [v.impact, v.id]))")
    assert [] == [v for v in found if v[0] in {"serious", "critical"}]
