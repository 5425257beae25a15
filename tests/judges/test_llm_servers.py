"""The LLM judge through the OpenAI adapter, over loopback servers that speak the real wire."""

from __future__ import annotations

import asyncio
import json
import threading
import time
import urllib.error
import urllib.request

import pytest

from groundedgen import aask, ask
from groundedgen.deadlines import remaining, within
from groundedgen.judges import instructions
from groundedgen.judges.concurrency import in_background
from groundedgen.judges.llm import LLMJudge
from groundedgen.ports import Usage
from tests.judges.reader import FLOODS, careful, labels, pairs_over, parts, reasons
from tests.servers.loopback import Said, serving
from tests.servers.openai_wire import fails, says

openai = pytest.importorskip("openai")
adapter = pytest.importorskip("groundedgen.generators.openai")

PATIENCE = 20.0
"""Seconds after which something hangs; never what is measured."""


def plain(url):
    return openai.OpenAI(api_key="k", base_url=f"{url}/v1")


def asynchronous(url):
    return openai.AsyncOpenAI(api_key="k", base_url=f"{url}/v1")


def model_at(client, **options):
    return adapter.OpenAIGenerator(client, "m", **options)


def user_of(asked):
    return asked.body["messages"][1]["content"]


def supporting(asked):
    return says(dict.fromkeys(parts(user_of(asked))[1], "supported"))


def judged_by(url, pairs, *, client, awaits, **options):
    """What a judge over this server says, for a caller that awaits or not; the client is closed."""

    async def awaiting():
        made = client(url)
        try:
            return await LLMJudge(model_at(made, **options)).ajudge(pairs)
        finally:
            closed = made.close()
            if client is asynchronous:
                await closed

    if awaits:
        return asyncio.run(awaiting())
    made = client(url)
    try:
        return LLMJudge(model_at(made, **options)).judge(pairs)
    finally:
        if client is asynchronous:
            in_background(made.close)
        else:
            made.close()


@pytest.mark.parametrize("awaits", [False, True])
@pytest.mark.parametrize("client", [plain, asynchronous])
def test_fifteen_claims_over_five_passages_are_five_requests_that_overlap(client, awaits):
    """The server answers none of them before it has all five."""
    together = threading.Barrier(5)

    def answer(asked):
        together.wait(PATIENCE)
        return supporting(asked)

    with serving(answer) as server:
        pairs = pairs_over(passages=5, claims=3)
        judged = judged_by(server.url, pairs, client=client, awaits=awaits)
    assert ["supported"] * 15 == labels(judged)
    assert 5 == judged.calls == len(server.asked) == server.busiest
    assert Usage(500, 100, 300) == judged.usage


def test_labels_are_an_enum_of_a_strict_schema():
    with serving(supporting) as server:
        pairs = pairs_over(passages=1, claims=2)
        judged_by(server.url, pairs, client=plain, awaits=False)
    (asked,) = server.asked
    schema = asked.body["response_format"]["json_schema"]
    assert schema["strict"] is True
    assert ["C1", "C2"] == schema["schema"]["required"]
    assert 0.0 == asked.body["temperature"]
    assert instructions.request("x", ["y"]).prompt.system == asked.body["messages"][0]["content"]


@pytest.mark.parametrize("awaits", [False, True])
@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (fails(401), "judge_denied"),
        (fails(403), "judge_denied"),
        (fails(429, retry_after="600"), "judge_rate_limited"),
        (fails(500), "judge_error"),
        (fails(400, code="content_filter"), "judge_refused"),
        (Said(body=says({"C1": "supported"}).body, cut=True), "judge_error"),
        (Said(body="<html>sign in</html>"), "judge_error"),
        (Said(body={"error": {"code": 503, "message": "x"}}), "judge_error"),
        (says("Certainly! It is supported."), "judge_bad_reply"),
        (says(None), "judge_missing_item"),
        (says(None, refusal="I cannot judge that."), "judge_refused"),
        (says({"C1": "supported"}, finish_reason="length"), "judge_truncated"),
        (says({"C1": "supported"}, finish_reason="content_filter"), "judge_refused"),
        (says('{"C1": "supported"} {"C1": "supported"}'), "judge_bad_reply"),
    ],
)
def test_what_a_server_does_wrong_is_no_verdict(said, reason, awaits):
    """And leaves the verdicts of other passages alone."""

    def answer(asked):
        return said if "Passage 1." in user_of(asked) else supporting(asked)

    with serving(answer) as server:
        pairs = pairs_over(passages=3, claims=1)
        judged = judged_by(server.url, pairs, client=plain, awaits=awaits, attempts=1)
    assert ["", reason, ""] == reasons(judged)
    assert ["supported", "not_judged", "supported"] == labels(judged)


@pytest.mark.parametrize("awaits", [False, True])
@pytest.mark.parametrize("client", [plain, asynchronous])
def test_a_server_that_hangs_is_given_up_at_the_deadline_and_the_others_stand(client, awaits):
    def answer(asked):
        said = supporting(asked)
        return Said(body=said.body, wait=PATIENCE if "Passage 1." in user_of(asked) else 0)

    start = time.monotonic()
    with serving(answer) as server, within(2.0):
        pairs = pairs_over(passages=3, claims=1)
        judged = judged_by(server.url, pairs, client=client, awaits=awaits)
    assert ["", "judge_timeout", ""] == reasons(judged)
    assert ["supported", "not_judged", "supported"] == labels(judged)
    assert 3 == len(server.asked)
    assert time.monotonic() - start < PATIENCE / 2


def test_cancelling_closes_the_connections_and_opens_no_other():
    with serving(lambda _: Said(wait=PATIENCE)) as server:

        async def cancelled():
            client = asynchronous(server.url)
            judge = LLMJudge(model_at(client), max_concurrency=2)
            task = asyncio.create_task(judge.ajudge(pairs_over(passages=4, claims=1)))
            while len(server.asked) < 2:  # noqa: ASYNC110  # filled by the server's threads
                await asyncio.sleep(0.01)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            ends = time.monotonic() + PATIENCE / 2
            while len(server.gone) < 2 and time.monotonic() < ends:  # noqa: ASYNC110  # as above
                await asyncio.sleep(0.01)
            await client.close()

        asyncio.run(cancelled())
        assert 2 == len(server.gone) == len(server.asked)


def test_an_asynchronous_client_serves_call_after_call_that_are_not_awaited():
    """Its connections would be dead in the loop of a second call, were there one for each."""
    with serving(supporting) as server:
        client = asynchronous(server.url)
        judge = LLMJudge(model_at(client, attempts=1))
        for _ in range(3):
            assert ["supported"] * 2 == labels(judge.judge(pairs_over(passages=2, claims=1)))
        in_background(client.close)


COVER = "The policy covers water damage from a burst pipe."
DRAFT = {
    "status": "answered",
    "statements": [
        {
            "text": "The policy covers water damage.",
            "sources": ["S1"],
            "quote": COVER,
        },
        {"text": "Floods are covered by this policy.", "sources": ["S2"], "quote": FLOODS},
    ],
}


def writing_and_judging(asked):
    """One model at one server, that writes an untrue statement and judges carefully."""
    system, user = (message["content"] for message in asked.body["messages"])
    return says(careful(system, user) if "claim C1" in user else DRAFT)


@pytest.mark.parametrize("awaits", [False, True])
def test_one_server_writes_and_judges(awaits):
    with serving(writing_and_judging) as server, plain(server.url) as client:
        model = model_at(client)
        given = ("What is covered?", [COVER, FLOODS])
        answer = (
            asyncio.run(aask(*given, model=model, judge="llm"))
            if awaits
            else ask(*given, model=model, judge="llm")
        )
    assert "llm/openai/m" == answer.judge
    assert ["The policy covers water damage."] == [s.text for s in answer.statements]
    (event,) = [event for event in answer.trace if event.name == "judged"]
    assert (2, 200, 40) == tuple(
        event.data[name] for name in ("calls", "input_tokens", "output_tokens")
    )
    assert 3 == len(server.asked)
    assert Usage(300, 60, 180) == answer.usage


def test_a_plain_function_over_http_judges():
    """By the standard library alone: its errors are read by their status."""

    def model(system, user):
        body = {"messages": [{"role": "system", "content": system}, {"content": user}]}
        call = urllib.request.Request(server.url, json.dumps(body).encode())  # noqa: S310  # ours
        left = remaining(most=PATIENCE)
        try:
            with urllib.request.urlopen(call, timeout=left) as response:  # noqa: S310  # ours
                return json.load(response)["choices"][0]["message"]["content"]
        except urllib.error.HTTPError as error:
            error.close()
            raise

    def answer(asked):
        return fails(401) if "Passage 1." in user_of(asked) else supporting(asked)

    with serving(answer) as server:
        judged = LLMJudge(model).judge(pairs_over(passages=3, claims=1))
    assert ["", "judge_denied", ""] == reasons(judged)
