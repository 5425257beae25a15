"""Of an SDK's exception only short codes and ids are told; the rest says what to do next."""

from __future__ import annotations

import email.utils
import time

import pytest

from groundedgen.deadlines import within
from groundedgen.errors import DeadlineError, ProviderError
from groundedgen.generators.failures import failure, sent_instead, status_of, words_of

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
