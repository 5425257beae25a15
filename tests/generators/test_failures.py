"""Of an SDK's exception only short codes and ids are told; the rest says what to do next."""

from __future__ import annotations

import email.utils
import time

import pytest

from groundedgen.deadlines import within
from groundedgen.errors import DeadlineError, ProviderError
from groundedgen.generators.transport.failures import failure, sent_instead, status_of, words_of

SENTENCE = "Your prompt 'the patient has' was too long"


def error(kind="APIStatusError", base=Exception, headers=None, **attributes):
    """An exception as SDKs make them: known by its name and its attributes."""
    made = type(kind, (base,), {})()
    if headers is not None:
        made.response = type("Response", (), {"headers": headers})
    vars(made).update(attributes)
    return made


@pytest.mark.parametrize("name", ["code", "type", "request_id", "error_code"])
def test_a_sentence_in_the_place_of_a_code_is_not_told(name):
    told = failure(error(**{name: SENTENCE}, body={"code": SENTENCE, "status": SENTENCE}), "mine")
    assert "mine failed: APIStatusError" == str(told)


@pytest.mark.parametrize(
    ("made", "status"),
    [
        (error(status_code=503), 503),
        (error(code=429), 429),
        (error(http_status=400), 400),
        (error(code="429"), None),
        (error(status_code=True), None),
        (error(code=7), None),
    ],
)
def test_the_status_is_found_where_the_sdks_put_it(made, status):
    assert status == status_of(made)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "250", "retry-after": "7"}, 0.25),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
        ({"retry-after": "inf"}, float("inf")),
    ],
)
def test_what_the_service_asks_to_wait_is_read_in_every_form(headers, seconds):
    assert seconds == failure(error(headers=headers), "mine").retry_after


def test_a_date_to_wait_for_is_read_as_the_seconds_until_then():
    then = email.utils.formatdate(time.time() + 30, usegmt=True)
    assert 20 < failure(error(headers={"retry-after": then}), "mine").retry_after <= 31


@pytest.mark.parametrize("headers", [{}, {"retry-after": "soon"}, {"retry-after": "nan"}, None])
def test_what_is_no_wait_is_none(headers):
    assert failure(error(headers=headers), "mine").retry_after is None


@pytest.mark.parametrize(("said", "again"), [("true", True), ("false", False), ("maybe", True)])
def test_the_service_has_the_last_word_on_trying_again(said, again):
    told = failure(error(status_code=500, headers={"x-should-retry": said}), "mine")
    assert again == told.retryable


@pytest.mark.parametrize("kind", ["UnsupportedProtocol", "LocalProtocolError"])
def test_an_address_that_nobody_takes_is_not_tried_again(kind):
    below = error(kind, base=type("TransportError", (Exception,), {}))
    above = error("APIConnectionError")
    above.__cause__ = below
    assert not failure(below, "mine").retryable
    assert not failure(above, "mine").retryable


def test_an_error_inside_a_stream_is_told_by_its_kind():
    assert failure(error(status_code=200, type="overloaded_error"), "mine").retryable
    assert not failure(error(status_code=200, type="invalid_request_error"), "mine").retryable


def test_a_request_that_outlasts_the_call_has_met_the_deadline():
    with within(0.01):
        time.sleep(0.02)
        assert isinstance(failure(TimeoutError(), "mine"), DeadlineError)
        assert isinstance(failure(error(status_code=401), "mine"), ProviderError)
    assert isinstance(failure(TimeoutError(), "mine"), ProviderError)


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (error(body={"error": {"message": "No SCHEMA", "param": "x"}}), "no schema"),
        (error(body={"detail": [{"loc": ["a"], "msg": "B"}, 7]}), "['a'] b"),
        (error(body="Plain"), "plain"),
        (error(body={"message": "x 'input': {'schema': 1}"}), "x "),
        (error(body="<html>schema"), ""),
        (error(body=None), ""),
        (error(), ""),
    ],
)
def test_words_are_read_in_every_form_without_what_was_sent(made, words):
    assert words_of(made).startswith(words)
    assert "schema" not in words_of(made) or "schema" in words


def test_an_error_in_place_of_a_reply_is_told_by_its_code():
    known = sent_instead({"code": 503, "type": "server_error", "message": SENTENCE}, "mine")
    assert (503, True) == (known.status, known.retryable)
    assert SENTENCE not in str(known)
    assert not sent_instead({"code": "insufficient_quota"}, "mine").retryable
    assert not sent_instead(SENTENCE, "mine").retryable


# What of the service's own words is repeated

WORD = "zanzibarword"


@pytest.mark.parametrize("name", ["code", "type", "error_code", "request_id"])
def test_a_word_in_the_place_of_a_code_is_not_repeated(name):
    """A service chooses its codes and ids, and may take them from what was sent."""
    told = failure(error(**{name: WORD}, status_code=400), "mine")
    assert WORD not in f"{told} {told.hint}"
    inner = {"code": WORD, "type": WORD, "status": WORD}
    told = failure(error(body={"error": inner}, status_code=400), "mine")
    assert str(told) == "mine failed: APIStatusError, status 400, code of its own"
    assert WORD not in str(sent_instead(inner, "mine"))


def test_a_number_in_the_place_of_a_status_is_not_repeated():
    told = sent_instead({"code": 4711, "message": "x"}, "mine")
    assert ("mine sent an error in place of a reply", None) == (str(told), told.status)


@pytest.mark.parametrize(
    "code",
    ["model_not_found", "invalid_api_key", "overloaded_error", "RESOURCE_EXHAUSTED", "slow_down",
     "exceed_context_size_error", "BadRequestError", "ThrottlingException"],
)  # fmt: skip
def test_a_code_that_services_are_known_to_send_is_told_as_it_is(code):
    assert str(failure(error(code=code), "mine")).endswith(f", code {code}")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("req_5f2c1d0a9b8e7f6a5b4c3d2e1f0a9b8c", True),
        ("req_011CSHoEeqs5C35K2UUqR7Fy", True),
        ("8b2a1c3d-0e4f-4a5b-8c6d-7e8f9a0b1c2d", True),
        ("0123456789abcdef", True),
        ("req_diabetes", False),
        ("req_0", False),
        ("the-patient-has-diabetes-0123456789", False),
        ("req_02CSHoEeqs5C35K2UUqR7Fyy", False),
        ("", False),
        (None, False),
        (7, False),
    ],
)
def test_a_request_id_is_told_if_gateways_make_such_ones(given, told):
    said = str(failure(error(request_id=given, status_code=500), "mine"))
    assert told == said.endswith(f", request {given}")
    assert told == ("request" in said)


@pytest.mark.parametrize("seconds", ["600", "0.25", "Wed, 21 Oct 2015 07:28:00 GMT", "inf"])
def test_what_the_service_asks_to_wait_is_said(seconds):
    told = failure(error(status_code=429, headers={"retry-after": seconds}), "mine")
    assert f"asks to wait {told.retry_after:g} s" in str(told)
    assert "asks to wait" not in str(failure(error(status_code=429), "mine"))


@pytest.mark.parametrize(
    "words",
    [
        "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens.",
        "prompt is too long: 210000 tokens > 200000 maximum",
        "the request exceeds the available context size. try increasing the context size",
        "Input is too long for requested model.",
        "Requested token count exceeds the model's maximum context length of 32768 tokens.",
    ],
)
def test_a_prompt_that_is_too_long_has_its_way_out_also_without_a_code(words):
    for told in (
        failure(error(status_code=400, body={"message": words}), "mine"),
        failure(error(status_code=400, body={"error": {"message": words}}), "mine"),
        sent_instead({"code": 400, "message": words}, "mine"),
    ):
        assert "fewer or shorter" in told.hint
        assert words not in str(told)


def test_a_deadline_is_told_with_the_way_out():
    with within(0.01):
        time.sleep(0.02)
        assert "allow more time with timeout=" in str(failure(TimeoutError(), "mine"))


@pytest.mark.parametrize("provider", ["vllm", "sglang", "ollama", "llamacpp"])
def test_a_server_of_ones_own_that_wants_a_key_is_told_how_to_send_one(provider):
    told = failure(error(status_code=401), f"{provider}/m")
    assert "openai/MODEL@URL" in told.hint
    assert "OPENAI_API_KEY" in told.hint
    assert "reads it from the environment" not in told.hint


def test_a_hosted_service_that_wants_a_key_is_told_where_the_sdk_reads_it():
    assert "reads it from the environment" in failure(error(status_code=401), "openai/m").hint
