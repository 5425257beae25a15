"""What every generator promises."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from functools import partial
from typing import Any, Final, get_args

from groundedgen import aliases, cited, draft, prompt
from groundedgen.conformance.promises import (
    BROKEN,
    STRANGE,
    TEXTS,
    Check,
    awaited,
    called,
    has,
    named,
    promise,
)
from groundedgen.errors import GroundedgenError, ProviderError
from groundedgen.passages import Passage
from groundedgen.values import Constraint, Finding, Reply, Request, Usage

__all__ = ["GENERATOR_CHECKS"]


def _request(texts: Sequence[str], *, attempt: int = 1) -> Request:
    named = aliases.assign([Passage(f"p{n}", text) for n, text in enumerate(texts)])
    failed = Finding("quotes", "quote_not_found", 0, "", statement="Fires are covered.")
    question = "Is a burst pipe covered?"
    words = prompt.build(question, named, repair=(failed,) if attempt > 1 else ())
    return Request(
        question=question,
        prompt=words,
        schema=draft.schema(named.names),
        docs=dict(named.docs),
        langs=dict(named.langs),
        attempt=attempt,
    )


def _generated(generator: Any, request: Request) -> Reply:
    return _sound(called(generator, "generate", "agenerate", request))


def _sound(reply: object) -> Reply:
    if not isinstance(reply, Reply):
        raise AssertionError(f"returned {type(reply).__name__}, not a Reply")  # noqa: TRY004
    promise(isinstance(reply.raw, str | None), f"raw is {type(reply.raw).__name__}, not a string")
    promise(isinstance(reply.finish_reason, str), "finish_reason is not a string")
    promise(isinstance(reply.refusal, str | None), "refusal is neither a string nor None")
    promise(isinstance(reply.engine, str), "engine is not a string")
    promise(isinstance(reply.usage, Usage), "usage is not a Usage")
    counts = (
        *(reply.usage.input_tokens, reply.usage.output_tokens),
        reply.usage.cached_input_tokens,
    )
    promise(all(type(n) is int and n >= 0 for n in counts), "usage counts are not whole from 0")
    promise(reply.constraint in get_args(Constraint), f"constraint is {reply.constraint!r}")
    return reply


def has_a_method(generator: Any) -> None:
    has(generator, "generate", "agenerate")


def returns_a_reply(generator: Any) -> None:
    _generated(generator, _request(TEXTS))


def leaves_the_request_alone(generator: Any) -> None:
    request = _request(TEXTS)
    docs, langs = dict(request.docs), dict(request.langs)
    _generated(generator, request)
    same = list(request.docs.items()) == list(docs.items()) and dict(request.langs) == langs
    promise(same, "changed the docs or langs of the request")


def writes_a_draft(generator: Any) -> None:
    request = _request(TEXTS)
    reply = _generated(generator, request)
    try:
        cited.parse(reply, tuple(request.docs))
    except GroundedgenError as error:
        raise AssertionError(f"the reply is no draft: {type(error).__name__}") from error


def keeps_to_its_constraint(generator: Any) -> None:
    request = _request(TEXTS)
    _within_constraint(_generated(generator, request), request)


def _within_constraint(reply: Reply, request: Request) -> None:
    """Who says that decoding was bound to the aliases has none but those in the reply."""
    if reply.constraint == "none" or reply.raw is None:
        return
    statements = json.loads(reply.raw).get("statements", [])
    named = {source for statement in statements for source in statement["sources"]}
    promise(named <= set(request.docs), f"claims {reply.constraint!r} but names unoffered sources")


def takes_one_passage(generator: Any) -> None:
    _generated(generator, _request(TEXTS[:1]))


def takes_many_passages(generator: Any) -> None:
    _generated(generator, _request([f"{TEXTS[n % 3]} Clause {n}." for n in range(60)]))


def takes_unicode(generator: Any) -> None:
    _generated(generator, _request([STRANGE, *TEXTS]))


def takes_lone_surrogates(generator: Any) -> None:
    _generated(generator, _request([BROKEN, *TEXTS]))


def takes_a_second_attempt(generator: Any) -> None:
    _generated(generator, _request(TEXTS, attempt=2))


def works_concurrently_if_it_says_so(generator: Any) -> None:
    """An async method is always called concurrently; a sync one if `concurrent` is true."""
    requests = [_request(TEXTS[: 1 + n % 3]) for n in range(6)]
    if callable(getattr(generator, "agenerate", None)):
        replies = awaited(lambda: _gathered(generator.agenerate(request) for request in requests))
        _each_its_own(replies, requests)
    if getattr(generator, "concurrent", False) and has(generator, "generate", "agenerate"):
        with ThreadPoolExecutor(len(requests)) as pool:
            replies = list(pool.map(partial(_generated, generator), requests))
        _each_its_own(replies, requests)


async def _gathered(calls: Iterable[Awaitable[Any]]) -> list[Any]:
    return list(await asyncio.gather(*calls))


def _each_its_own(replies: Sequence[object], requests: Sequence[Request]) -> None:
    for reply, request in zip(replies, requests, strict=True):
        _within_constraint(_sound(reply), request)


def streams_what_it_returns(generator: Any) -> None:
    """Text in parts, possibly none, then exactly one `Reply` that holds all of it.

    A `ProviderError` among them makes void what came before it.
    """
    if not callable(getattr(generator, "astream", None)):
        return
    request = _request(TEXTS)
    *parts, last = awaited(lambda: _streamed(generator, request)) or [None]
    said: list[str] = []
    for part in parts:
        kind = type(part).__name__
        promise(isinstance(part, str | ProviderError), f"a part before the last is {kind}")
        said = [*said, part] if isinstance(part, str) else []
    reply, text = _sound(last), "".join(said)
    promise(text in {"", reply.raw}, "the parts together are not the raw text of the reply")
    _within_constraint(reply, request)


async def _streamed(generator: Any, request: Request) -> list[Any]:
    async with aclosing(generator.astream(request)) as stream:
        return [part async for part in stream]


def ends_when_its_stream_is_closed(generator: Any) -> None:
    """After the first part, or before it; nothing more comes, and nothing is raised."""
    if not callable(getattr(generator, "astream", None)):
        return
    for read in (0, 1):
        more = awaited(partial(_left, generator, _request(TEXTS), read))
        promise(not more, "a stream that was closed went on")
        _generated(generator, _request(TEXTS))


async def _left(generator: Any, request: Request, read: int) -> list[Any]:
    stream = generator.astream(request)
    for _ in range(read):
        await anext(stream)
    await asyncio.wait_for(stream.aclose(), _CLOSES)
    return [part async for part in stream]


#: Seconds in which a connection is closed.
_CLOSES: Final = 10.0


GENERATOR_CHECKS: Final[Mapping[str, Check]] = named(
    has_a_method,
    returns_a_reply,
    leaves_the_request_alone,
    writes_a_draft,
    keeps_to_its_constraint,
    takes_one_passage,
    takes_many_passages,
    takes_unicode,
    takes_lone_surrogates,
    takes_a_second_attempt,
    works_concurrently_if_it_says_so,
    streams_what_it_returns,
    ends_when_its_stream_is_closed,
)
