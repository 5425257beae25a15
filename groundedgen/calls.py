"""How each request of a call is carried out, and what its outcome is to the flow.

Shared by the drivers: what they differ in is only how they wait. No rule lives here either.
"""

from __future__ import annotations

import inspect
import logging
from collections.abc import Mapping, Sequence
from typing import Any, get_args

from groundedgen import resolve
from groundedgen.deadlines import (
    OverdueError,
    StrayError,
    awaited,
    bounded,
    remaining,
    sooner,
    unblocked,
)
from groundedgen.effects import Generate, Judge, Outcome
from groundedgen.errors import DeadlineError, GenerationError, InputError, ProviderError
from groundedgen.outages import MISUSES, cause, outage, taken
from groundedgen.parts import Parts
from groundedgen.ports import AsyncGenerator, AsyncJudge, Generator, Recorder
from groundedgen.ports import Judge as JudgePort
from groundedgen.values import (
    Answer,
    CitedSpan,
    CitedText,
    Constraint,
    Pair,
    Reply,
    Request,
    ResponseFormat,
    Usage,
    Verdict,
)

logger = logging.getLogger(__name__)

__all__ = [
    "TIMEOUT",
    "acarry_out",
    "carry_out",
    "late",
    "replied",
    "require",
    "told",
    "undrafted",
]

TIMEOUT = 120.0
"""Seconds a call may take by default: a hosted model's slow answer, its repair and a judge.
A call without a limit hangs as long as its server does."""


def require(part: object, protocol: type, argument: str, method: str) -> None:
    """Refuse a part that cannot be used without awaiting it.

    Raises:
        InputError: It has no such method, or only an asynchronous one.
    """
    if isinstance(part, protocol) and not inspect.iscoroutinefunction(getattr(part, method)):
        return
    raise InputError(
        f"{argument}= has no synchronous {method}(); use aask, or give it one", code="bad_type"
    )


def carry_out(generator: Any, judge: Any, effect: object) -> Outcome:
    """Do what the flow asks for."""
    if isinstance(effect, Generate):
        request = effect.request
        try:
            return replied(bounded(lambda: _drafted(generator, request), remaining()))
        except Exception as error:  # whatever it is, `undrafted` tells whose it is
            if (instead := undrafted(error, generator)) is None:
                raise
            return instead
    pairs = _pairs(effect)
    try:
        return bounded(lambda: taken(judge.judge(pairs), len(pairs)), remaining())
    except MISUSES:
        raise
    except Exception as error:  # noqa: BLE001  # a judge that fails in any way has not judged
        return _outage(pairs, error)


async def acarry_out(parts: Parts, effect: object) -> Outcome:
    """`carry_out`, awaited. A part that is late or was cancelled is not waited for."""
    generator, judge = parts.generator, parts.judge
    if isinstance(effect, Generate):
        request = effect.request
        try:
            return replied(await awaited(lambda: _reply(generator, request), remaining()))
        except Exception as error:  # whatever it is, `undrafted` tells whose it is
            if (instead := undrafted(error, generator)) is None:
                raise
            return instead
    pairs = _pairs(effect)
    try:
        return await awaited(lambda: _verdicts(judge, pairs), remaining())
    except MISUSES:
        raise
    except Exception as error:  # noqa: BLE001  # as carry_out
        return _outage(pairs, error)


def _drafted(generator: Any, request: Request) -> object:
    with sooner():  # so that one that is late can still tell what it has cost
        return generator.generate(request)


async def _reply(generator: Generator | AsyncGenerator, request: Request) -> object:
    with sooner():
        if isinstance(generator, AsyncGenerator):
            return await generator.agenerate(request)
        return await unblocked(lambda: generator.generate(request))


async def _verdicts(judge: JudgePort | AsyncJudge, pairs: Sequence[Pair]) -> Sequence[object]:
    if isinstance(judge, AsyncJudge):
        return taken(await judge.ajudge(pairs), len(pairs))
    return await unblocked(lambda: taken(judge.judge(pairs), len(pairs)))


def _pairs(effect: object) -> tuple[Pair, ...]:
    if isinstance(effect, Judge):
        return effect.pairs
    raise TypeError(f"a driver that does not stream is not asked for {type(effect).__name__}")


def undrafted(error: BaseException, generator: object) -> GenerationError | None:
    """What the flow is told instead of a reply; `None` for a fault, which the caller is to see."""
    if isinstance(error, OverdueError | DeadlineError):
        return late(resolve.name_of(generator), error)
    if isinstance(error, StrayError) and error.kind == "CancelledError":
        message = f"{resolve.name_of(generator)} was cancelled, and not by whoever asked it"
        return ProviderError(message, hint="something else in this process ended its request")
    return error if isinstance(error, GenerationError) else None


def late(who: str, error: BaseException | None = None) -> DeadlineError:
    """There is no checked draft, and no time left for one. One text, whoever noticed it first."""
    made = DeadlineError(
        f"{who} had not come to an end by the deadline of the call; allow more time with timeout="
    )
    if isinstance(error, GenerationError):
        made.wasted, made.original = error.wasted, error.original
    return made


def replied(reply: object) -> Reply:
    """The reply, if a generator keeps its contract.

    Raises:
        InputError: It returned something else.
    """
    if isinstance(reply, Reply):
        return _sound(reply)
    raise InputError(
        f"model= must return a groundedgen.ports.Reply, got {type(reply).__name__}; "
        f"wrap the text in Reply(raw=...), and try groundedgen.testing.check_generator on it",
        code="bad_reply",
    )


def _sound(reply: Reply) -> Reply:
    odd = next((name for name, kind in _FIELDS if not isinstance(getattr(reply, name), kind)), "")
    if odd:
        kind = type(getattr(reply, odd)).__name__
        raise InputError(f"model= returned a Reply whose {odd} is {kind}", code="bad_reply")
    for name, known in _WORDS.items():
        if getattr(reply, name) not in known:
            raise InputError(
                f"model= returned a Reply whose {name} is none of {', '.join(known)}",
                code="bad_reply",
            )
    if not all(type(place) is int for place in reply.cut):
        raise InputError("model= returned a Reply whose cut holds no ints", code="bad_reply")
    for piece in reply.cited or ():
        if not _is_piece(piece):
            raise InputError(
                "model= returned a Reply whose cited is no tuple of CitedText", code="bad_reply"
            )
    return reply


_FIELDS: tuple[tuple[str, Any], ...] = (
    ("raw", str | None),
    ("finish_reason", str | None),  # some services leave it out
    ("refusal", str | None),
    ("usage", Usage),
    ("engine", str),
    ("cited", tuple | None),
    ("cut", tuple),
)
_WORDS: Mapping[str, tuple[str, ...]] = {
    "constraint": get_args(Constraint),
    "response_format": get_args(ResponseFormat),
}


def _is_piece(piece: object) -> bool:
    return (
        isinstance(piece, CitedText)
        and isinstance(piece.text, str)
        and all(
            isinstance(span, CitedSpan)
            and isinstance(span.alias, str)
            and type(span.start) is type(span.end) is int
            and isinstance(span.quote, str)
            for span in piece.spans
        )
    )


def _outage(pairs: Sequence[Pair], error: Exception) -> list[Verdict]:
    """No verdict on any pair, for a reason an operator can tell apart."""
    return [Verdict("not_judged", None, cause(error), outage(error))] * len(pairs)


def require_recorder(recorder: object) -> None:
    """Refuse what cannot be told a trace, before anything is sent anywhere.

    Raises:
        InputError: It has no method `record`.
    """
    if recorder is not None and not isinstance(recorder, Recorder):
        raise InputError(
            f"recorder= needs a method record(event), which {type(recorder).__name__} has not",
            code="bad_type",
        )


def told(answer: Answer, recorder: Recorder | None) -> Answer:
    """The answer, after the recorder was told its trace."""
    if recorder is not None:
        try:
            for event in answer.trace:
                recorder.record(event)
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:  # noqa: BLE001  # a finished answer is not lost to a log
            logger.warning("the recorder failed (%s)", type(error).__name__)
    return answer
