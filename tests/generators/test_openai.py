"""`OpenAIGenerator` against a loopback server that speaks the real wire format."""

from __future__ import annotations

import asyncio
import functools
import inspect
import json
import random
import threading
import time
import traceback
from functools import partial
from itertools import islice

import pytest
from pydantic import create_model

from groundedgen import Passage, aask, ask, draft
from groundedgen.aliases import assign
from groundedgen.conformance import GENERATOR_CHECKS
from groundedgen.deadlines import within
from groundedgen.errors import (
    DeadlineError,
    DraftFormatError,
    InputError,
    ProviderError,
    RefusedError,
    TruncatedError,
)
from groundedgen.prompt import build
from groundedgen.resolve import generator as resolved
from groundedgen.testing import ScriptedJudge
from groundedgen.values import Request, Usage
from tests.servers.loopback import Said, in_turn, serving, true_soon
from tests.servers.openai_wire import completion, fails, says
from tests.servers.own_wire import NOTHING, obeying, real

openai = pytest.importorskip("openai", reason="needs the extra openai")
from groundedgen.generators.openai import OpenAIGenerator, from_name, llamacpp, ollama, sglang, vllm
from groundedgen.generators.transport.failures import failure

PIPE = "Water damage from a burst pipe is covered up to 12,000 euros per claim."
PASSAGES = [Passage("p#1", PIPE), Passage("p#2", "Floods are not covered by this policy.")]
QUESTION = "Is a burst pipe covered?"
QUOTE = "burst pipe is covered up to 12,000 euros"
STATEMENT = {"text": "A pipe is covered up to 12,000 euros.", "sources": ["S1"], "quote": QUOTE}
DRAFT = {"status": "answered", "statements": [STATEMENT]}
NOT_FOUND = {"status": "not_found", "statements": []}
SECRET = "the-service-repeats-the-prompt"


@pytest.fixture
def serve():
    """`serve(said, ...)` -> a running server and a synchronous client of it."""
    open_now = []

    def start(*said, **options):
        context = serving(said[0] if callable(said[0]) else in_turn(*said))
        server = context.__enter__()
        client = openai.OpenAI(api_key="secret", base_url=f"{server.url}/v1", **options)
        open_now.extend([client.close, partial(context.__exit__, None, None, None)])
        return server, client

    yield start
    for close in open_now:
        close()


def request(passages=PASSAGES, question=QUESTION, schema=None):
    named = assign(passages)
    shape = schema or draft.schema(named.names)
    return Request(question, build(question, named), shape, dict(named.docs))


def awaited(server, make):
    """What `make(client)` comes to, with an asynchronous client that is closed afterwards."""

    async def run():
        address = f"{server.url}/v1"
        async with openai.AsyncOpenAI(api_key="secret", base_url=address) as client:
            return await make(client)

    return asyncio.run(run())


def rungs(server):
    formats = [asked.body.get("response_format") for asked in real(server)]
    return [sent["type"] if sent else "text" for sent in formats]


# What is sent


def test_a_strict_schema_with_the_sources_as_an_enum_is_asked_for(serve):
    server, client = serve(says(DRAFT))
    reply = OpenAIGenerator(client, "gpt-5-mini").generate(request())
    body = server.asked[0].body
    assert "/v1/chat/completions" == server.asked[0].path
    assert {"messages", "model", "response_format", "temperature"} == set(body)
    sent = body["response_format"]["json_schema"]
    assert ("Draft", True) == (sent["name"], sent["strict"])
    assert draft.draft_json_schema(["S1", "S2"]) == sent["schema"]
    assert ["system", "user"] == [message["role"] for message in body["messages"]]
    assert ("enum", "json_schema", "openai/gpt-5-mini") == (
        reply.constraint,
        reply.response_format,
        reply.engine,
    )


def test_settings_are_sent_only_where_they_are_set(serve):
    server, client = serve(says(DRAFT))
    extra = {"prompt_cache_key": "policies", "seed": 7}
    OpenAIGenerator(
        client, "m", temperature=None, max_tokens=900, extra_body=extra, name="mine"
    ).generate(request())
    body = server.asked[0].body
    assert "temperature" not in body
    assert (900, "policies", 7) == (body["max_tokens"], body["prompt_cache_key"], body["seed"])


def test_the_callers_client_is_used_as_given_but_for_its_retries(serve):
    server, client = serve(fails(503), says(DRAFT), default_headers={"x-tenant": "acme"})
    with pytest.raises(ProviderError):
        OpenAIGenerator(client, "m", attempts=1).generate(request())
    assert ["acme"] == [asked.headers["x-tenant"] for asked in server.asked]
    assert 2 == client.max_retries


def test_n_passages_lead_to_n_schemas_for_ever(serve):
    server, client = serve(says(NOT_FOUND))
    generator = OpenAIGenerator(client, "m")
    seeded, most = random.Random(3), 8
    built = set()
    for _ in range(1000):
        passages = [
            Passage(f"id-{seeded.random()}", f"Clause {seeded.random()} is covered.")
            for _ in range(seeded.randint(1, most))
        ]
        [first] = islice(generator._sending(request(passages)).steps(), 1)
        built.add(json.dumps(first["response_format"]))
    assert most == len(built)
    for count in range(1, most + 1):
        generator.generate(request([Passage(f"p{n}", f"Clause {n}.") for n in range(count)]))
    assert built == {json.dumps(asked.body["response_format"]) for asked in server.asked}


def test_any_schema_can_be_asked_for(serve):
    """A judge sends its own."""
    server, client = serve(says({"C1": "supported"}))
    schema = create_model("Labels[int]", C1=(str, ...))
    reply = OpenAIGenerator(client, "m").generate(request(schema=schema))
    assert {"C1": "supported"} == json.loads(reply.raw)
    sent = server.asked[0].body["response_format"]["json_schema"]
    assert ("Labels_int_", ["C1"]) == (sent["name"], list(sent["schema"]["properties"]))


@pytest.mark.parametrize("check", GENERATOR_CHECKS.values(), ids=GENERATOR_CHECKS)
def test_it_keeps_what_every_generator_promises(serve, check):
    _, client = serve(says(DRAFT))
    check(OpenAIGenerator(client, "m"))


def test_with_an_async_client_it_keeps_what_every_generator_promises():
    """Each check has an event loop of its own, and so a client of its own: a model string."""
    with serving(in_turn(says(DRAFT))) as server:
        for check in GENERATOR_CHECKS.values():
            check(vllm("m", server.url))


# The ladder


UNSUPPORTED = [
    fails(400, param="response_format", message="Invalid parameter: 'response_format' of type 'x'"),
    fails(400, message="This response_format type is unavailable now"),
    fails(404, message="No endpoints found that can handle the requested parameters."),
    fails(422, message="guided decoding is off"),
    Said(422, {"detail": [{"loc": ["body", "response_format"], "msg": "Input", "input": 1}]}),
    Said(501, "json_schema is not implemented", {"content-type": "text/plain"}),
    fails(415, message="unknown field: json_schema"),
]  # fmt: skip


@pytest.mark.parametrize("said", UNSUPPORTED, ids=[str(n) for n in range(len(UNSUPPORTED))])
def test_what_the_server_does_not_take_is_asked_for_one_step_looser_and_remembered(serve, said):
    server, client = serve(said, says(DRAFT))
    generator = OpenAIGenerator(client, "m")
    replies = [generator.generate(request()), generator.generate(request())]
    assert ["json_schema", "json_object", "json_object"] == rungs(server)
    assert [("none", "json_object")] * 2 == [(r.constraint, r.response_format) for r in replies]


def test_the_last_rung_is_the_prompt_alone(serve):
    server, client = serve(UNSUPPORTED[0], UNSUPPORTED[0], says(DRAFT))
    reply = OpenAIGenerator(client, "m").generate(request())
    assert ["json_schema", "json_object", "text"] == rungs(server)
    assert ("none", "text") == (reply.constraint, reply.response_format)


def test_below_the_last_rung_there_is_an_error_and_nothing_was_learned(serve):
    said = UNSUPPORTED[0]
    server, client = serve(said, said, said, says(DRAFT))
    generator = OpenAIGenerator(client, "m")
    with pytest.raises(ProviderError, match="BadRequestError, status 400"):
        generator.generate(request())
    assert "json_schema" == generator.generate(request()).response_format
    assert 4 == len(server.asked)


def test_a_rung_that_the_caller_chose_is_kept(serve):
    server, client = serve(UNSUPPORTED[0])
    with pytest.raises(ProviderError):
        OpenAIGenerator(client, "m", response_format="json_schema").generate(request())
    assert ["json_schema"] == rungs(server)
    server, client = serve(says(DRAFT))
    assert (
        "text"
        == OpenAIGenerator(client, "m", response_format="text").generate(request()).response_format
    )
    assert ["text"] == rungs(server)


OTHER = [
    fails(400, message="Your input exceeds the context window of this model"),
    fails(400, code="context_length_exceeded", message="maximum context length, with schemas"),
    fails(404, code="model_not_found", message="The model `json_schema-7b` does not exist"),
    Said(404, "<html itemtype='https://schema.org/WebPage'>", {"content-type": "text/html"}),
    fails(401, message="response_format"),
    fails(500, message="response_format", x_should_retry="false"),
    fails(400, message="messages: too long"),
]


@pytest.mark.parametrize("said", OTHER, ids=[str(n) for n in range(len(OTHER))])
def test_other_trouble_is_not_taken_for_the_form_and_not_sent_again(serve, said):
    server, client = serve(said)
    with pytest.raises(ProviderError) as caught:
        OpenAIGenerator(client, "m").generate(request())
    assert (1, False, said.status) == (
        len(server.asked),
        caught.value.retryable,
        caught.value.status,
    )


@pytest.mark.parametrize("attempts", [1, 3])
def test_steps_down_are_taken_once_whatever_is_tried_again(serve, attempts):
    """What the server turned down is not sent again after an outage in between."""
    busy = fails(503, retry_after="0")
    server, client = serve(TEMPERATURE, UNSUPPORTED[0], UNSUPPORTED[0], busy, busy, says(DRAFT))
    generator = OpenAIGenerator(client, "m", attempts=attempts)
    if attempts == 1:
        with pytest.raises(ProviderError):
            generator.generate(request())
        assert 4 == len(server.asked)
        return
    assert "text" == generator.generate(request()).response_format
    assert ["json_schema", "json_schema", "json_object", "text", "text", "text"] == rungs(server)


@pytest.mark.parametrize("field", ["response_format", "grammar", "structured_outputs", "messages"])
def test_a_form_of_the_callers_own_is_a_clear_error(serve, field):
    _, client = serve(says(DRAFT))
    with pytest.raises(InputError, match=field) as caught:
        OpenAIGenerator(client, "m", extra_body={"seed": 1, field: {}})
    assert "bad_extra_body" == caught.value.code


def test_threads_may_share_a_generator_that_learns():
    def answer(asked):
        return UNSUPPORTED[0] if "response_format" in asked.body else says(DRAFT)

    with serving(answer) as server, openai.OpenAI(api_key="k", base_url=f"{server.url}/v1") as c:
        generator = OpenAIGenerator(c, "m")
        threads = [threading.Thread(target=generator.generate, args=[request()]) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        before = len(server.asked)
        assert "text" == generator.generate(request()).response_format
        assert before + 1 == len(server.asked)


TEMPERATURE = fails(
    400, code="unsupported_value", param="temperature",
    message="Unsupported value: 'temperature' does not support 0.0 with this model.",
)  # fmt: skip
LIMIT = fails(
    400, code="unsupported_parameter", param="max_tokens",
    message="Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
)  # fmt: skip


def test_a_reasoning_model_is_sent_no_temperature_and_the_new_name_of_the_limit(serve):
    server, client = serve(TEMPERATURE, LIMIT, says(DRAFT))
    generator = OpenAIGenerator(client, "m", max_tokens=500)
    assert "json_schema" == generator.generate(request()).response_format
    generator.generate(request())
    assert 4 == len(server.asked)
    for asked in server.asked[2:]:
        assert {"messages", "model", "response_format", "max_completion_tokens"} == set(asked.body)


def test_a_temperature_that_was_not_sent_is_not_dropped(serve):
    server, client = serve(TEMPERATURE)
    with pytest.raises(ProviderError):
        OpenAIGenerator(client, "m", temperature=None).generate(request())
    assert 1 == len(server.asked)


# What comes back


def test_usage_is_counted_with_its_cached_part(serve):
    _, client = serve(says(DRAFT))
    assert Usage(100, 20, 60) == OpenAIGenerator(client, "m").generate(request()).usage


@pytest.mark.parametrize("count", [100, 100.0, "100"])
def test_counts_are_read_as_gateways_write_them(serve, count):
    """The SDK hands on what it was sent; JSON has one kind of number, protobuf writes strings."""
    said = completion(DRAFT) | {"usage": {"prompt_tokens": count, "completion_tokens": 20}}
    _, client = serve(Said(body=said))
    assert Usage(100, 20) == OpenAIGenerator(client, "m").generate(request()).usage


@pytest.mark.parametrize("count", [2.5, -1, "many", "9" * 40, 1e300, True, None, [100], "1e2"])
def test_what_is_no_count_counts_nothing(serve, count):
    said = completion(DRAFT) | {"usage": {"prompt_tokens": count, "completion_tokens": 20}}
    _, client = serve(Said(body=said))
    assert Usage(0, 20) == OpenAIGenerator(client, "m").generate(request()).usage


@pytest.mark.parametrize("usage", [None, {}, {"prompt_tokens": "nine"}, {"prompt_tokens": -1}, 7])
def test_a_server_that_reports_no_usage_has_cost_nothing(serve, usage):
    _, client = serve(says(DRAFT, usage=usage))
    assert Usage() == OpenAIGenerator(client, "m").generate(request()).usage


def parts(*content):
    """A reply whose content is a list."""
    body = completion("")
    body["choices"][0]["message"]["content"] = list(content)
    return Said(body=body)


def parsed(client):
    return draft.parse(OpenAIGenerator(client, "m", attempts=1).generate(request()), ["S1", "S2"])


ENDS = [
    (says(None, refusal="I can't help with that."), RefusedError),
    (says("", finish_reason="content_filter"), RefusedError),
    (parts({"type": "refusal", "refusal": "No."}), RefusedError),
    (parts({"type": "image", "image": {}}, None, 7), DraftFormatError),
    (fails(400, code="content_filter", message="filtered"), RefusedError),
    (fails(400, code="invalid_prompt", message="flagged"), RefusedError),
    (says('{"status": "answ', finish_reason="length"), TruncatedError),
    (says(DRAFT, finish_reason="length"), TruncatedError),
    (says(None), DraftFormatError),
    (says(""), DraftFormatError),
    (says("Certainly! It is covered."), DraftFormatError),
    (says('{"status": "answered"'), DraftFormatError),
    (says(DRAFT, finish_reason="error"), ProviderError),
    (says(DRAFT, finish_reason="abort"), ProviderError),
    (Said(body={**completion(DRAFT), "choices": []}), ProviderError),
    (Said(body={**completion(DRAFT), "choices": None}), ProviderError),
    (Said(body={**completion(DRAFT), "choices": [{}]}), DraftFormatError),
    (Said(body={**completion(DRAFT), "choices": [None]}), DraftFormatError),
    (Said(body={**completion(DRAFT), "choices": "many"}), ProviderError),
    (Said(body={"error": {"message": SECRET, "code": 429}}), ProviderError),
    (Said(body={"error": SECRET}), ProviderError),
    (Said(body={"choices": [{"error": {"code": 502, "message": SECRET}}]}), ProviderError),
    (Said(body="<html>Log in</html>", headers={"content-type": "text/html"}), ProviderError),
    (Said(body="<html>Log in</html>"), ProviderError),
    (Said(body=b"\xff\xfe{"), ProviderError),
    (Said(body=b""), ProviderError),
    (Said(body=b"null"), ProviderError),
    (Said(body=b"[]"), ProviderError),
    (Said(body=b"7"), ProviderError),
    (Said(body=completion(DRAFT), cut=True), ProviderError),
    (Said(200, {}), ProviderError),
]


@pytest.mark.parametrize(("said", "error"), ENDS, ids=[str(n) for n in range(len(ENDS))])
def test_each_end_of_a_reply_is_its_own_error_and_tells_none_of_it(serve, said, error):
    server, client = serve(said)
    with pytest.raises(error) as caught:
        parsed(client)
    told = "".join(traceback.format_exception(caught.value))
    assert SECRET not in told
    assert PIPE not in told
    with pytest.raises(error):
        awaited(server, aparsed)


async def aparsed(client):
    reply = await OpenAIGenerator(client, "m", attempts=1).agenerate(request())
    return draft.parse(reply, ["S1", "S2"])


def test_tokens_of_a_reply_that_is_no_use_are_counted(serve):
    empty = {**completion(DRAFT), "choices": []}
    _, client = serve(Said(body=empty), says(DRAFT))
    reply = OpenAIGenerator(client, "m").generate(request())
    assert Usage(200, 40, 120) == reply.usage


TEXT = {"type": "text", "text": json.dumps(DRAFT)}
WRAPPED = {
    "parts": parts(TEXT),
    "thinking": parts({"type": "thinking", "thinking": [{"type": "text", "text": "{}"}]}, TEXT),
    "thought": parts({"type": "text", "text": "It is {covered}.", "thought": True}, TEXT),
    "no words beside a tool": says("", tool_calls=[{"function": {"arguments": json.dumps(DRAFT)}}]),
    "fence": says(f"<think>Is it {{covered}}?</think>\n```json\n{json.dumps(DRAFT)}\n```"),
}


@pytest.mark.parametrize("said", WRAPPED.values(), ids=WRAPPED)
def test_what_stands_round_the_draft_is_taken_off(serve, said):
    _, client = serve(said)
    assert QUOTE == parsed(client).statements[0].quote


def test_arguments_of_a_tool_that_nobody_offered_are_read_where_there_are_no_words(serve):
    call = {
        "id": "1",
        "type": "function",
        "function": {"name": "json", "arguments": json.dumps(DRAFT)},
    }
    _, client = serve(says(None, tool_calls=[call]))
    assert QUOTE == parsed(client).statements[0].quote


def of_choices(*messages):
    """A completion of several choices, which nobody asked for."""
    body = completion("")
    body["choices"] = [
        {"index": index, "finish_reason": "stop", "message": {"role": "assistant", **message}}
        for index, message in enumerate(messages)
    ]
    return Said(body=body)


def tool_calls(*arguments):
    calls = [{"type": "function", "function": {"name": "f", "arguments": a}} for a in arguments]
    return {"content": None, "tool_calls": calls}


ONE, OTHER_ONE = json.dumps(DRAFT), json.dumps(NOT_FOUND)
TWICE = {
    "choices": of_choices({"content": ONE}, {"content": OTHER_ONE}),
    "a choice and a refusal": of_choices({"content": ONE}, {"content": None, "refusal": "No."}),
    "tools": of_choices(tool_calls(ONE, OTHER_ONE)),
    "choices of tools": of_choices(tool_calls(ONE), tool_calls(OTHER_ONE)),
}


@pytest.mark.parametrize("said", TWICE.values(), ids=TWICE)
def test_two_replies_that_differ_are_none(serve, said):
    """Neither counts for being the first; what they cost is counted."""
    server, client = serve(said)
    with pytest.raises(DraftFormatError) as caught:
        OpenAIGenerator(client, "m").generate(request())
    assert (1, Usage(100, 20, 60)) == (len(server.asked), caught.value.wasted)
    assert QUOTE not in str(caught.value)
    with pytest.raises(DraftFormatError):
        awaited(server, aparsed)


@pytest.mark.parametrize(
    "said",
    [of_choices({"content": ONE}, {"content": ONE}), of_choices(tool_calls(ONE, ONE))],
    ids=["choices", "tools"],
)
def test_the_same_reply_twice_is_one(serve, said):
    _, client = serve(said)
    assert QUOTE == parsed(client).statements[0].quote


def test_tools_called_beside_the_draft_are_nobodys_business(serve):
    _, client = serve(says(DRAFT, tool_calls=tool_calls("{}", "[]")["tool_calls"]))
    assert QUOTE == parsed(client).statements[0].quote


# Errors


def _made(kind):
    """An instance of an exception class of the SDK, as the SDK makes it."""
    import httpx2

    sent = httpx2.Request("POST", "http://127.0.0.1/v1/chat/completions")
    response = httpx2.Response(418, request=sent, headers={"x-request-id": "req_1"})
    known = {
        "message": SECRET, "request": sent, "response": response, "body": {"message": SECRET},
        "completion": None, "unsent_messages": [], "symbol": SECRET, "code": 1000, "reason": SECRET,
        "provider": SECRET,
    }  # fmt: skip
    wanted = inspect.signature(kind.__init__).parameters
    given = {name: known[name] for name in wanted if name in known}
    return kind(**given) if given else kind()


def _tree(kind):
    return {kind, *(found for below in kind.__subclasses__() for found in _tree(below))}


#: Every exception class of the SDK -> whether it is worth another try at status 418.
MAPPED = {
    "APIConnectionError": True, "APIError": False, "APIRemovedInV1": False,
    "APIResponseValidationError": False, "APIStatusError": False, "APITimeoutError": True,
    "AuthenticationError": False, "BadRequestError": False, "ConflictError": False,
    "ContentFilterFinishReasonError": False, "InternalServerError": False,
    "LengthFinishReasonError": False, "MissingDependencyError": False,
    "MutuallyExclusiveAuthError": False, "NotFoundError": False,
    "OAuthError": False, "OpenAIError": False, "PermissionDeniedError": False,
    "RateLimitError": False, "StreamAlreadyConsumed": False, "SubjectTokenProviderError": False,
    "UnprocessableEntityError": False, "WebSocketConnectionClosedError": False,
    "WebSocketQueueFullError": False, "_AmbiguousModuleClientUsageError": False,
}  # fmt: skip


def test_every_exception_of_the_sdk_is_mapped():
    """A class that is new in a release of the SDK fails here until someone has looked at it."""
    kinds = {kind for kind in _tree(openai.OpenAIError) if kind.__module__.startswith("openai")}
    assert set() == {kind.__name__ for kind in kinds} - set(MAPPED)
    lengths = {"LengthFinishReasonError", "ContentFilterFinishReasonError"}
    for kind in kinds:
        error = kind.__new__(kind) if kind.__name__ in lengths else _made(kind)
        told = failure(error, "mine")
        assert isinstance(told, ProviderError)
        assert MAPPED[kind.__name__] == told.retryable, kind
        assert SECRET not in str(told)
        assert error is told.original


STATUSES = {
    400: False, 401: False, 403: False, 404: False, 408: True, 409: True, 413: False, 422: False,
    429: True, 500: True, 501: False, 502: True, 503: True, 504: True, 529: True,
}  # fmt: skip


@pytest.mark.parametrize(("status", "again"), STATUSES.items())
def test_what_fails_in_passing_is_sent_again_and_nothing_else(serve, status, again):
    server, client = serve(fails(status, retry_after="0"), says(DRAFT))
    generator = OpenAIGenerator(client, "m")
    if again:
        assert json.dumps(DRAFT) == generator.generate(request()).raw
    else:
        with pytest.raises(ProviderError) as caught:
            generator.generate(request())
        assert status == caught.value.status
    assert 1 + again == len(server.asked)


def test_no_credit_left_is_not_sent_again(serve):
    server, client = serve(fails(429, code="insufficient_quota", retry_after="0"))
    with pytest.raises(ProviderError, match="insufficient_quota") as caught:
        OpenAIGenerator(client, "m").generate(request())
    assert (1, "the account has no credit left") == (len(server.asked), caught.value.hint)


def test_an_error_tells_class_status_code_and_request_and_none_of_the_services_words(serve):
    said = fails(401, code="invalid_api_key", message=SECRET, x_request_id=f"req_{7:032x}")
    _, client = serve(said)
    with pytest.raises(ProviderError) as caught:
        OpenAIGenerator(client, "m").generate(request())
    error = caught.value
    assert (
        "openai/m failed: AuthenticationError, status 401, code invalid_api_key, "
        f"request req_{7:032x}" == str(error)
    )
    assert isinstance(error.original, openai.AuthenticationError)
    assert SECRET not in "".join(traceback.format_exception(error))
    assert "key" in error.hint


def test_attempts_are_requests_and_the_last_error_is_raised(serve):
    server, client = serve(fails(503, retry_after="0"))
    with pytest.raises(ProviderError, match="status 503"):
        OpenAIGenerator(client, "m", attempts=4).generate(request())
    assert 4 == len(server.asked)


def test_a_dropped_connection_is_tried_again(serve):
    server, client = serve(Said(body=completion(DRAFT), cut=True), says(DRAFT))
    assert OpenAIGenerator(client, "m").generate(request()).raw
    assert 2 == len(server.asked)


def test_a_server_that_is_not_there_is_a_clear_error():
    with (
        openai.OpenAI(api_key="k", base_url="http://127.0.0.1:9/v1") as client,
        pytest.raises(ProviderError, match="APIConnectionError") as caught,
    ):
        OpenAIGenerator(client, "m", attempts=1).generate(request())
    assert caught.value.retryable
    assert "running" in caught.value.hint


@pytest.mark.parametrize("url", ["http://", "http://[::1", "http://127.0.0.1:99999/v1"])
def test_an_address_that_is_none_is_a_clear_error(url):
    for make in (vllm, from_name):
        with pytest.raises(InputError, match="address"):
            make("m", url)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"model": ""}, "bad_type"),
        ({"model": None}, "bad_type"),
        ({"timeout": 0}, "bad_timeout"),
        ({"timeout": True}, "bad_timeout"),
        ({"attempts": 0}, "bad_attempts"),
        ({"attempts": 11}, "bad_attempts"),
        ({"response_format": "xml"}, "bad_response_format"),
        ({"response_format": "text", "own_server": True}, "bad_response_format"),
        ({"client": object()}, "bad_type"),
    ],
)
def test_an_argument_out_of_its_range_is_named(serve, arguments, code):
    _, client = serve(says(DRAFT))
    with pytest.raises(InputError) as caught:
        OpenAIGenerator(**{"client": client, "model": "m", **arguments})
    assert code == caught.value.code


# Time


def test_a_wait_that_the_deadline_does_not_allow_is_not_begun(serve):
    server, client = serve(fails(429, retry_after="600"))
    begun = time.monotonic()
    with pytest.raises(ProviderError) as caught:
        ask(QUESTION, PASSAGES, model=OpenAIGenerator(client, "m"), timeout=60)
    assert time.monotonic() - begun < 30  # it neither waits 600 seconds nor for its deadline
    assert (1, 600.0) == (len(server.asked), caught.value.retry_after)


DRIP = Said(chunks=[b'{"id": "1",'] + [b" "] * 200, drip=0.1)


def test_a_reply_that_drips_ends_with_the_deadline(serve):
    _, client = serve(DRIP)
    begun = time.monotonic()
    with pytest.raises(DeadlineError):
        ask(QUESTION, PASSAGES, model=OpenAIGenerator(client, "m"), timeout=0.6)
    assert time.monotonic() - begun < 1.6


def test_a_reply_that_drips_ends_with_the_time_of_one_request(serve):
    """The SDK's timeout is one for each read; ours is one for the whole reply."""
    server, client = serve(DRIP)
    begun = time.monotonic()
    generator = OpenAIGenerator(client, "m", timeout=0.5, attempts=1)
    with pytest.raises(ProviderError) as caught:
        generator.generate(request())
    assert caught.value.retryable
    with pytest.raises(ProviderError):
        awaited(
            server, lambda c: OpenAIGenerator(c, "m", timeout=0.5, attempts=1).agenerate(request())
        )
    assert time.monotonic() - begun < 3


@pytest.mark.parametrize("said", [DRIP, Said(wait=20)], ids=["drips", "hangs"])
def test_aask_ends_with_its_deadline_and_closes_the_connection(said):
    with serving(in_turn(said)) as server:
        begun = time.monotonic()
        with pytest.raises(DeadlineError):
            awaited(
                server,
                lambda client: aask(
                    QUESTION, PASSAGES, model=OpenAIGenerator(client, "m"), timeout=0.5
                ),
            )
        assert time.monotonic() - begun < 1.5
        asyncio.run(true_soon(lambda: server.gone))
        assert 1 == len(server.asked)


@pytest.mark.parametrize("made", ["client", "string"])
def test_cancelling_aask_closes_the_connection_within_a_second_and_starts_nothing(made):
    with serving(in_turn(Said(wait=20))) as server:

        async def cancel(client):
            model = OpenAIGenerator(client, "m") if made == "client" else vllm("m", server.url)
            task = asyncio.create_task(aask(QUESTION, PASSAGES, model=model))
            await true_soon(lambda: server.asked)
            task.cancel()
            begun = time.monotonic()
            with pytest.raises(asyncio.CancelledError):
                await task
            await true_soon(lambda: server.gone)
            await asyncio.sleep(0.3)
            return begun

        begun = awaited(server, cancel)
        assert server.gone[0] - begun < 1.0
        assert 1 == len(server.asked)


def test_no_request_is_sent_after_the_deadline(serve):
    server, client = serve(says(DRAFT))
    with within(0.01):
        time.sleep(0.02)
        with pytest.raises(DeadlineError):
            OpenAIGenerator(client, "m").generate(request())
    assert [] == server.asked


# Clients and model strings


def test_an_asynchronous_client_cannot_serve_ask():
    client = openai.AsyncOpenAI(api_key="k")
    with pytest.raises(InputError, match="use aask"):
        ask(QUESTION, PASSAGES, model=OpenAIGenerator(client, "m"))


def test_a_synchronous_client_serves_aask_from_a_thread(serve):
    _, client = serve(says(DRAFT))
    model = OpenAIGenerator(client, "m")
    answer = asyncio.run(aask(QUESTION, PASSAGES, model=model, judge=ScriptedJudge()))
    assert "answered" == answer.status


def test_ask_and_aask_show_the_same(serve):
    server, client = serve(says(DRAFT))
    shown = ask(QUESTION, PASSAGES, model=OpenAIGenerator(client, "m"), judge=ScriptedJudge())
    other = awaited(
        server,
        lambda client: aask(
            QUESTION, PASSAGES, model=OpenAIGenerator(client, "m"), judge=ScriptedJudge()
        ),
    )
    assert shown.statements
    assert (shown.statements, shown.usage) == (other.statements, other.usage)


def test_a_client_of_the_same_shape_will_do():
    class Completions:
        def create(self, **body):
            self.body = body
            return {"choices": [{"message": {"content": json.dumps(DRAFT)}}]}

    class Chat:
        completions = Completions()

    class Client:
        chat = Chat()

    assert json.dumps(DRAFT) == OpenAIGenerator(Client(), "m").generate(request()).raw
    assert "m" == Chat.completions.body["model"]


def test_model_strings_name_the_engine_and_the_address():
    assert "openai/gpt-5-mini" == resolved("openai/gpt-5-mini").name
    ports = {vllm: 8000, sglang: 30000, ollama: 11434, llamacpp: 8080}
    for make, port in ports.items():
        generator = make("org/model")
        assert f"{make.__name__}/org/model" == generator.name == resolved(generator.name).name
        assert f"http://localhost:{port}/v1/" == str(generator._clients.sync().base_url)
    assert "http://host/api/" == str(vllm("m", "http://host/api")._clients.sync().base_url)
    assert "http://host/v1/" == str(vllm("m", "http://host/")._clients.sync().base_url)


def test_a_local_server_is_sent_no_key_of_the_user(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-real")
    with serving(in_turn(says(DRAFT))) as server:
        ask(QUESTION, PASSAGES, model=f"vllm/m@{server.url}", judge=ScriptedJudge())
        ask(QUESTION, PASSAGES, model=f"openai/m@{server.url}/v1", judge=ScriptedJudge())
    keys = [asked.headers["authorization"] for asked in server.asked]
    assert ["Bearer none", "Bearer sk-real"] == sorted(set(keys))
    assert "Bearer sk-real" == keys[-1]


def test_without_a_key_the_way_out_is_named():
    generator = from_name("gpt-5-mini")
    for call in (
        lambda: generator.generate(request()),
        lambda: asyncio.run(generator.agenerate(request())),
    ):
        with pytest.raises(ProviderError) as caught:
            call()
        assert "OPENAI_API_KEY" in caught.value.hint
        assert not caught.value.retryable


def test_a_model_string_works_in_one_event_loop_after_the_other():
    with serving(obeying(NOTHING, in_turn(says(DRAFT)))) as server:
        generator = vllm("m", server.url)

        async def many():
            return await asyncio.gather(*(generator.agenerate(request()) for _ in range(4)))

        assert [4, 4] == [len(asyncio.run(many())) for _ in range(2)]
        assert 8 == len(real(server))
    assert {} == generator._clients._open


def test_what_a_server_takes_is_learned_once_for_a_model_string():
    with serving(obeying(NOTHING, in_turn(UNSUPPORTED[0], says(DRAFT)))) as server:
        for _ in range(2):
            ask(QUESTION, PASSAGES, model=f"vllm/m@{server.url}", judge=ScriptedJudge())
        assert ["json_schema", "json_object", "json_object"] == rungs(server)


def test_a_tool_that_traces_the_sdk_s_create_gets_a_completion(serve, monkeypatch):
    """Tools of observability put a function of theirs in the place of the SDK's."""
    owner = openai.resources.chat.completions.Completions
    plain, heard = owner.create, []

    @functools.wraps(plain)
    def traced(self, *args, **options):
        heard.append(plain(self, *args, **options))
        return heard[-1]

    monkeypatch.setattr(owner, "create", traced)
    _, client = serve(says(DRAFT))
    answer = ask(QUESTION, PASSAGES, model=OpenAIGenerator(client, "m"), judge=ScriptedJudge())
    assert "answered" == answer.status
    assert [openai.types.chat.ChatCompletion] == [type(said) for said in heard]
