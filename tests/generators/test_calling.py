from __future__ import annotations

import asyncio
import functools
import gc
import inspect
import time

import pytest

from groundedgen import aask, ask
from groundedgen.conformance import GENERATOR_CHECKS
from groundedgen.errors import DeadlineError, InputError
from groundedgen.generators.calling import CallingGenerator
from groundedgen.testing import ScriptedJudge

PASSAGES = ["Water damage from a burst pipe is covered."]
QUESTION = "Is a burst pipe covered?"
DRAFT = (
    '{"status": "answered", "statements": [{"text": "Burst pipes are covered.", "sources": ["S1"], '
    '"quote": "Water damage from a burst pipe is covered."}]}'
)


def model(system, user):
    assert "from nothing else" in system
    assert QUESTION in user or "Boundary" in user
    return DRAFT


async def amodel(system, user):
    await asyncio.sleep(0)
    return model(system, user)


def partly(system, user):
    """Plain, and returns something to await."""
    return amodel(system, user)


@pytest.mark.parametrize("check", GENERATOR_CHECKS.values(), ids=GENERATOR_CHECKS)
def test_a_function_keeps_what_every_generator_promises(check):
    check(CallingGenerator(model))


def test_a_function_writes_the_draft():
    answer = ask(QUESTION, PASSAGES, model=model, judge=ScriptedJudge())
    assert ("answered", "callable/model") == (answer.status, answer.engine)


@pytest.mark.parametrize("call", [model, amodel, partly, functools.partial(amodel)])
def test_a_function_of_either_kind_serves_aask(call):
    answer = asyncio.run(aask(QUESTION, PASSAGES, model=call, judge=ScriptedJudge()))
    assert "answered" == answer.status


@pytest.mark.parametrize("call", [amodel, partly])
def test_an_asynchronous_function_cannot_serve_ask(call):
    with pytest.raises(InputError, match="use aask"):
        ask(QUESTION, PASSAGES, model=call)
    gc.collect()  # nobody warns of a coroutine that was never awaited


def test_what_it_raises_reaches_the_caller_as_it_is():
    def broken(system, user):
        raise PermissionError("mine")

    with pytest.raises(PermissionError, match="mine"):
        ask(QUESTION, PASSAGES, model=broken)
    with pytest.raises(PermissionError, match="mine"):
        asyncio.run(aask(QUESTION, PASSAGES, model=broken))


@pytest.mark.parametrize("value", [None, 3, b"{}", {"status": "not_found"}])
def test_what_is_no_string_is_named_by_its_type(value):
    with pytest.raises(InputError, match=f"got {type(value).__name__}"):
        ask(QUESTION, PASSAGES, model=lambda system, user: value)
    with pytest.raises(InputError, match=f"got {type(value).__name__}"):
        asyncio.run(aask(QUESTION, PASSAGES, model=lambda system, user: value))


FORMS = {"ask": ask, "aask": lambda *given, **named: asyncio.run(aask(*given, **named))}


@pytest.mark.parametrize("form", FORMS)
def test_a_function_that_hangs_is_given_up_at_the_deadline(form):
    def slow(system, user):
        time.sleep(3)
        return DRAFT

    begun = time.monotonic()
    with pytest.raises(DeadlineError):
        FORMS[form](QUESTION, PASSAGES, model=slow, timeout=0.2)
    assert time.monotonic() - begun < 1.2


# What it can be called with


def one(prompt, *, key="sk-secret"):
    raise AssertionError("it must not be called")


class Client:
    def __call__(self, prompt):
        raise AssertionError("it must not be called")

    chat = __call__


def none():
    raise AssertionError("it must not be called")


def by_name(*, system, user):
    raise AssertionError("it must not be called")


WRAPPED = 'lambda system, user: {}(system + "\\n\\n" + user)'


@pytest.mark.parametrize(
    ("call", "shown", "way"),
    [
        (one, "one(prompt, *, key)", WRAPPED.format("one")),
        (lambda prompt: prompt, "<lambda>(prompt)", WRAPPED.format("it")),
        (Client(), "Client(prompt)", WRAPPED.format("Client")),
        (Client().chat, "__call__(prompt)", WRAPPED.format("__call__")),
        (none, "none()", "which calls none"),
        (by_name, "by_name(*, system, user)", "which calls by_name"),
        (functools.partial(model, "rules", "prompt"), "partial()", "which calls partial"),
    ],
)
def test_a_function_that_takes_no_two_arguments_is_told_before_any_call(call, shown, way):
    for given in ({"model": call}, {"judge": call}, {"judge": ["lexical", call]}):
        with pytest.raises(InputError) as caught:
            ask(QUESTION, PASSAGES, **given)
        told = str(caught.value)
        assert "bad_signature" == caught.value.code
        assert "model= or judge=" in told
        assert "(system, user)" in told
        assert shown in told
        assert way in told
        assert "secret" not in told


def wrapping(call):
    @functools.wraps(call)
    def wrapper(system, user):
        return DRAFT

    return wrapper


def said_to_take_one(*words):
    return DRAFT


said_to_take_one.__signature__ = inspect.signature(one)


class Unreadable:
    """Like a function in C."""

    @property
    def __signature__(self):
        raise ValueError("no signature found")

    def __call__(self, *words):
        return DRAFT


@pytest.mark.parametrize(
    "call",
    [
        model,
        lambda *words: DRAFT,
        lambda system, user, more=None: DRAFT,
        functools.partial(lambda more, system, user: DRAFT, 1),
        wrapping(one),
        said_to_take_one,
        Unreadable(),
        max,
        dict[str, str]().get,
        print,
    ],
)
def test_what_may_take_two_arguments_is_taken_as_it_is(call):
    assert CallingGenerator(call).name.startswith("callable")
