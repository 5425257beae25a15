"""The routes in a real application: behind Starlette's test client, and behind a real server."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import time

import pytest

fastapi = pytest.importorskip("fastapi", reason="needs the extra fastapi")
pytest.importorskip("httpx", reason="Starlette's test client needs httpx")

import openai
from fastapi import FastAPI, Header
from fastapi.testclient import TestClient

from groundedgen.errors import InputError
from groundedgen.generators.openai import OpenAIGenerator
from groundedgen.ports import SourceCard
from groundedgen.testing import MemoryStore, ScriptedGenerator, ScriptedJudge
from groundedgen.web.router import Asked, router
from groundedgen.web.sse import KEEP_ALIVE
from tests.servers.loopback import in_turn, serving, true_soon
from tests.servers.streaming_wire import streamed
from tests.servers.uvicorn_app import running
from tests.streams import StreamingGenerator, Try
from tests.test_flow import ALSO_GOOD, GOOD, PASSAGES, QUESTION
from tests.test_streaming import parts, written
from tests.web.test_sse import read


def served(answer_with=None, **options):
    app = FastAPI()
    app.include_router(router(answer_with or answering(), **options), prefix="/api")
    return app


def answering(*tries, judge=None, **more):
    def answer_with(asked):
        made = list(tries) or [Try(parts(GOOD, ALSO_GOOD))]
        model = StreamingGenerator(made)
        return {
            "passages": PASSAGES,
            "model": model,
            "judge": judge or ScriptedJudge("supported"),
            **more,
        }

    return answer_with


def asked(app, question=QUESTION, path="/api/ask", headers=None, **body):
    client = TestClient(app)
    return client.post(path, json={"question": question, **body}, headers=headers)


def events(response):
    return [(name, json.loads(data)) for name, data, _ in read(response.text)]


def names(response):
    return [name for name, _ in events(response)]


def test_a_question_is_answered_with_events():
    response = asked(served())
    assert (200, "text/event-stream; charset=utf-8") == (
        response.status_code,
        response.headers["content-type"],
    )
    assert ["passages", "statement", "statement", "done"] == names(response)
    assert "no" == response.headers["x-accel-buffering"]


def test_the_chat_of_the_ai_sdk_is_answered_in_its_own_form():
    seen = []

    async def answer_with(asked):
        seen.append(asked)
        return answering()(asked)

    def said(role, *texts):
        return {"id": "m", "role": role, "parts": [{"type": "text", "text": t} for t in texts]}

    messages = [said("user", "Hi", "?"), said("assistant", "Hello."), said("user", QUESTION)]
    messages[1]["parts"].append({"type": "data-answer", "data": {"x": 1}})
    body = {"id": "c", "messages": messages, "trigger": "submit-message"}
    response = TestClient(served(answer_with)).post("/api/chat", json=body)
    assert "v1" == response.headers["x-vercel-ai-ui-message-stream"]
    assert response.text.endswith("data: [DONE]\n\n")
    assert [Asked(QUESTION, ("user: Hi?", "assistant: Hello."), None)] == seen


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"question": "  "},
        {"question": "x" * 8001},
        {"question": "x", "history": ["y"] * 51},
        {"question": "x", "passages": ["mine"]},
    ],
)
def test_a_question_that_is_none_is_refused(body):
    assert 422 == TestClient(served()).post("/api/ask", json=body).status_code


@pytest.mark.parametrize(
    "messages",
    [
        [],
        [{"role": "user", "parts": []}],
        [{"role": "user", "parts": [{"type": "text", "text": "x" * 8001}]}],
        [{"role": "assistant", "parts": [{"type": "text", "text": "Ask me."}]}],
    ],
)
def test_a_chat_without_a_question_is_refused(messages):
    body = {"messages": messages}
    response = TestClient(served()).post("/api/chat", json=body)
    assert 422 == response.status_code
    assert not messages or "last message of the role 'user'" in response.json()["detail"]


@pytest.mark.parametrize("parts_", [["x" * 25_000], ["x" * 15_000, "y" * 15_000]])
def test_an_earlier_turn_that_is_long_is_cut_and_the_question_answered(parts_):
    seen = []

    def answer_with(asked):
        seen.append(asked)
        return answering()(asked)

    said = [{"type": "text", "text": text} for text in parts_]
    messages = [
        {"role": "assistant", "parts": said},
        {"role": "user", "parts": [{"type": "text", "text": QUESTION}]},
        {"role": "assistant", "parts": [{"type": "text", "text": "One moment."}]},
    ]
    response = TestClient(served(answer_with)).post("/api/chat", json={"messages": messages})
    assert 200 == response.status_code
    ((question, (turn,)),) = [(asked.question, asked.history) for asked in seen]
    assert (QUESTION, 20_000) == (question, len(turn))
    assert turn.startswith("assistant: xxx")


def who(x_user: str = Header()) -> str:
    return x_user


def test_each_reader_sees_what_they_may_open():
    cards = [SourceCard(p.id, f"Title {p.id}") for p in PASSAGES]
    store = MemoryStore(cards, allowed={"ann": ["policy#1"], "bob": []})
    app = served(store=store, reader=who)
    ann = asked(app, headers={"x-user": "ann"})
    assert ["policy#1"] == [p["id"] for p in events(ann)[0][1]["passages"]]
    assert "policy#3" not in ann.text
    bob = asked(app, headers={"x-user": "bob"})
    assert ["passages", "done"] == names(bob)
    assert "policy" not in bob.text.replace("policy#9", "")
    assert 422 == asked(app).status_code


def test_history_is_handed_on_and_is_no_evidence():
    turn = "The limit for jewellery was raised to 99,000 euros for each loss last year."
    only = {"text": "Jewellery is insured up to 99,000 euros.", "sources": ["S1"], "quote": turn}
    response = asked(served(answering(Try(parts(GOOD, only)))), history=[turn])
    assert [GOOD["text"]] == [
        data["text"] for name, data in events(response) if name == "statement"
    ]
    assert "99,000" not in response.text


@pytest.mark.parametrize(
    "answer_with",
    [
        lambda asked: {"passages": 5},
        lambda asked: {"passages": ["A fire is covered."], "store": None},
        lambda asked: {"passages": ["A fire is covered."], "model": "no-such-model"},
        lambda asked: 1 / 0,
        lambda asked: {},
    ],
)
def test_a_fault_in_the_application_ends_the_stream_and_tells_nothing(answer_with, caplog):
    with caplog.at_level(logging.WARNING, logger="groundedgen"):
        response = asked(served(answer_with))
    last, data = events(response)[-1]
    assert (200, True) == (response.status_code, last in {"failed", "done"})
    assert "division" not in response.text + caplog.text
    if last == "done":
        assert "no_passages" == data["reason"]


@pytest.mark.parametrize(
    ("returned", "hint"),
    [
        (None, "returned None (is a return missing?)"),
        (["Fire is covered."], "returned a list"),
        ({"documents": []}, "unknown 'documents'"),
        ({"reader": "ann"}, "the router's own argument"),
    ],
)
def test_what_answer_with_returns_in_a_wrong_form_is_logged_with_the_way_out(
    returned, hint, caplog
):
    response = asked(served(lambda _: returned))
    assert ["failed"] == names(response)
    assert hint in caplog.text
    assert "a mapping with some of passages, mode, model, judge" in caplog.text
    assert "answer_with" not in response.text


def test_an_argument_that_cannot_be_used_is_logged_by_its_code_alone(caplog):
    asked(served(lambda _: {"passages": PASSAGES, "mode": "secret"}))
    assert "InputError: bad_mode" in caplog.text
    assert "secret" not in caplog.text


def test_a_store_that_hangs_does_not_outlive_the_deadline_at_each_event(caplog):
    class Hangs:
        asked = 0

        async def aget(self, ids, reader):
            self.asked += 1
            if self.asked > 1:
                await asyncio.sleep(60)
            return {name: SourceCard(name) for name in ids}

    store = Hangs()
    response = asked(served(store=store, reader=lambda: "ann", timeout=0.2))
    assert ["passages", "done"] == names(response)
    assert ("withheld", 2) == (events(response)[-1][1]["status"], store.asked)


def test_the_deadline_spans_retrieval():
    def slow(asked):
        time.sleep(0.5)
        return {"passages": PASSAGES}

    last, data = events(asked(served(slow, timeout=0.1)))[-1]
    assert ("failed", "deadline") == (last, data["reason"])


def test_the_deadline_ends_an_answer():
    response = asked(served(answering(Try([written(GOOD)[:30], None])), timeout=0.3))
    reason = events(response)[-1][1]["reason"]
    assert (["passages", "failed"], "deadline") == (names(response), reason)


def test_the_connection_is_kept_alive_while_a_judge_is_busy():
    class Slow:
        async def ajudge(self, pairs):
            await asyncio.sleep(0.2)
            return ScriptedJudge("supported").judge(pairs)

    response = asked(served(answering(judge=Slow()), keep_alive=0.02))
    assert "done" == names(response)[-1]
    assert response.text.count(KEEP_ALIVE) >= 3


def test_a_model_that_does_not_stream_is_answered_with_as_well():
    model = ScriptedGenerator([json.loads(written(GOOD))])
    response = asked(served(answering(model=model)))
    assert ["passages", "statement", "done"] == names(response)


@pytest.mark.parametrize(
    "options", [{"reader": who}, {"keep_alive": 0}, {"keep_alive": float("nan")}]
)
def test_a_router_that_cannot_work_is_refused(options):
    with pytest.raises(InputError):
        router(answering(), **options)


# --- whoever leaves ---------------------------------------------------------------------------


@pytest.mark.parametrize("version", ["2.0", "2.3", "2.4"])
def test_a_reader_who_leaves_is_noticed_while_nothing_is_sent(version):
    """A server of the newest ASGI tells Starlette only when something is sent."""
    model = StreamingGenerator([Try([written(GOOD)[:30], None])])
    judge = ScriptedJudge("supported")
    app = served(lambda asked: {"passages": PASSAGES, "model": model, "judge": judge})
    sent = []

    async def leave():
        body = json.dumps({"question": QUESTION}).encode()
        left = asyncio.Event()
        messages = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive():
            if messages:
                return messages.pop(0)
            await left.wait()
            return {"type": "http.disconnect"}

        async def send(message):
            sent.append(message)

        scope = {
            "type": "http", "asgi": {"version": "3.0", "spec_version": version}, "method": "POST",
            "http_version": "1.1", "path": "/api/ask", "raw_path": b"/api/ask", "query_string": b"",
            "headers": [(b"content-type", b"application/json")], "scheme": "http",
            "root_path": "", "server": ("t", 80), "client": ("t", 1),
        }  # fmt: skip
        call = asyncio.create_task(app(scope, receive, send))
        await true_soon(lambda: model.begun)
        left.set()
        await asyncio.wait_for(call, 1)
        return len(asyncio.all_tasks())

    assert 1 == asyncio.run(leave())
    assert (1, []) == (model.closed, judge.calls)
    assert b"passages" in b"".join(message.get("body", b"") for message in sent)


def test_a_connection_that_is_closed_drops_the_call_to_the_model_within_a_second():
    judge = ScriptedJudge("supported")
    with serving(
        in_turn(streamed("openai", [written(GOOD)[:40]], end=None, hang=True))
    ) as upstream:

        def answer_with(asked):
            client = openai.AsyncOpenAI(api_key="k", base_url=f"{upstream.url}/v1")
            return {
                "passages": PASSAGES, "model": OpenAIGenerator(client, "m"), "judge": judge,
            }  # fmt: skip

        with running(served(answer_with)) as url:
            host, port = url.removeprefix("http://").split(":")
            body = json.dumps({"question": QUESTION}).encode()
            with socket.create_connection((host, int(port))) as connection:
                head = (
                    f"POST /api/ask HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\n"
                    f"content-length: {len(body)}\r\n\r\n"
                )
                connection.sendall(head.encode() + body)
                seen = b""
                while b"event: passages" not in seen:
                    seen += connection.recv(65536)
                _until(lambda: upstream.asked)
                time.sleep(0.1)
                left = time.monotonic()
            _until(lambda: upstream.gone)
            assert upstream.gone[0] - left < 1
    assert [] == judge.calls


def _until(holds, seconds=3.0):
    ends = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < ends, "it did not come about"
        time.sleep(0.01)
