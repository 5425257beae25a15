"""Chunks of the UI message stream v1: strict shapes, parts that open and close, one end."""

from __future__ import annotations

import asyncio
import json

import pytest

from groundedgen import Passage, astream
from groundedgen.ports import SourceCard
from groundedgen.streaming import Event
from groundedgen.testing import MemoryStore, ScriptedJudge
from groundedgen.values import Citation, Entailment, Statement
from groundedgen.web.vercel import HEADERS, vercel
from tests.streams import StreamingGenerator, Try
from tests.test_flow import ALSO_GOOD, GOOD, PASSAGES, QUESTION, WHOLE
from tests.test_streaming import DOWN, parts

#: Required and optional fields of the chunks used here; the SDK takes no others.
SHAPES = {
    "start": (set(), {"messageId", "messageMetadata"}),
    "text-start": ({"id"}, {"providerMetadata"}),
    "text-delta": ({"id", "delta"}, {"providerMetadata"}),
    "text-end": ({"id"}, {"providerMetadata"}),
    "source-url": ({"sourceId", "url"}, {"title", "providerMetadata"}),
    "source-document": ({"sourceId", "mediaType", "title"}, {"filename", "providerMetadata"}),
    "data-": ({"data"}, {"id", "transient"}),
    "error": ({"errorText"}, set()),
    "finish": (set(), {"finishReason", "messageMetadata"}),
}


def read_all(lines):
    async def reading():
        return [line async for line in lines]

    return asyncio.run(reading())


def chunks(*tries, passages=PASSAGES, **options):
    model = StreamingGenerator(list(tries))
    events = astream(QUESTION, passages, model=model, judge=ScriptedJudge("supported"))
    *lines, end, rest = "".join(read_all(vercel(events, **options))).split("\n\n")
    assert ("data: [DONE]", "") == (end, rest)
    return [json.loads(line.removeprefix("data: ")) for line in lines]


def kinds(seen):
    return [chunk["type"] for chunk in seen]


@pytest.mark.parametrize(
    "made",
    [
        Try(parts(GOOD, WHOLE, ALSO_GOOD)),
        Try(parts(status="not_found")),
        Try([], DOWN),
        Try([parts(GOOD, WHOLE)[0], 0.02], DOWN),
    ],
)
def test_every_chunk_has_the_shape_the_sdk_takes(made):
    seen = chunks(made)
    for chunk in seen:
        kind = chunk.pop("type")
        required, optional = SHAPES["data-" if kind.startswith("data-") else kind]
        assert required <= set(chunk) <= required | optional
    assert seen


def test_passages_come_first_and_every_statement_is_a_part_of_its_own():
    seen = chunks(Try(parts(GOOD, ALSO_GOOD)))
    one = ["text-start", "text-delta", "text-end", "source-document", "data-statement"]
    assert ["start", "data-passages", *one, *one, "data-answer", "finish"] == kinds(seen)
    deltas = [chunk for chunk in seen if chunk["type"] == "text-delta"]
    assert [f"{GOOD['text']} [1]\n\n", f"{ALSO_GOOD['text']} [2]\n\n"] == [
        delta["delta"] for delta in deltas
    ]
    assert 2 == len({delta["id"] for delta in deltas})


def test_parts_are_closed_under_the_id_they_were_opened_with():
    seen = chunks(Try(parts(GOOD, WHOLE, ALSO_GOOD)))
    texts = [(c["type"], c["id"]) for c in seen if c["type"].startswith("text-")]
    opened = [name for kind, name in texts if kind == "text-start"]
    steps = ("text-start", "text-delta", "text-end")
    assert [(kind, name) for name in opened for kind in steps] == texts


def test_a_source_is_named_once_and_linked_only_over_http():
    urls = ["https://docs.example/1", "javascript:alert(1)", None]
    passages = [
        Passage(p.id, p.text, title=p.id, url=url) for p, url in zip(PASSAGES, urls, strict=True)
    ]
    seen = chunks(Try(parts(GOOD, WHOLE, ALSO_GOOD, GOOD)), passages=passages)
    sources = [c for c in seen if c["type"].startswith("source-")]
    assert ["source-url", "source-document", "source-document"] == kinds(sources)
    assert ["1", "2", "3"] == [c["sourceId"] for c in sources]
    assert "javascript" not in json.dumps(seen)


def test_an_answer_without_statements_is_said_in_words():
    seen = chunks(Try(parts(status="not_found")))
    said = next(c["delta"] for c in seen if c["type"] == "text-delta")
    assert "do not answer" in said
    assert "finish" == seen[-1]["type"]


def test_a_failure_is_an_error_chunk_without_the_words_of_the_error():
    seen = chunks(Try([], DOWN))
    assert "error" == seen[-1]["type"]
    assert "down" not in seen[-1]["errorText"]


def test_words_of_a_statement_cannot_become_markup():
    text = "Pay ![x](https://evil.example/q) and <b>12</b> *now*."
    citation = Citation("a", text, 0, len(text), "exact", 0, len(text))
    said = Statement(text, (citation,), Entailment("supported", "judge"))

    async def events():
        yield Event("passages", passages=(Passage("a", text),))
        yield Event("statement", statement=said, number=1)

    def shown(**options):
        *lines, _, _ = "".join(read_all(vercel(events(), **options))).split("\n\n")
        made = [json.loads(line[6:]) for line in lines]
        return next(chunk["delta"] for chunk in made if chunk["type"] == "text-delta")

    assert "![x](" not in shown()
    assert "<b>" not in shown()
    assert text in shown(markdown=False)


def test_the_header_names_the_version_of_the_protocol():
    assert "v1" == HEADERS["x-vercel-ai-ui-message-stream"]


def test_what_was_permitted_at_once_is_sent_at_once():
    """A client who reads slowly gets no second half of a statement after a grant is taken back."""
    ids = [p.id for p in PASSAGES]
    store = MemoryStore([SourceCard(name, name) for name in ids], allowed={"ann": ids})
    asked = {"store": store, "reader": "ann"}

    async def read():
        made = StreamingGenerator([Try(parts(GOOD, WHOLE, ALSO_GOOD))])
        events = astream(QUESTION, PASSAGES, model=made, judge=ScriptedJudge("supported"), **asked)
        seen = []
        async for text in vercel(events, **asked):
            seen.append(text)
            if "text-start" in text:
                store.revoke("ann", *ids)
        return seen

    start, passages, statement, *rest = asyncio.run(read())
    assert statement.index("text-start") < statement.index("text-end")
    assert "data-statement" in statement
    assert "policy#" in passages
    assert "policy#" not in start + "".join(rest)
    assert "data: [DONE]\n\n" == rest[-1]
