"""Why there is no verdict: from what a judge did to a reason that an operator can tell apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from numbers import Real
from typing import Any, Final

from groundedgen.deadlines import StrayError
from groundedgen.errors import (
    DraftFormatError,
    InputError,
    MissingExtraError,
    ProviderError,
    RefusedError,
    TruncatedError,
)
from groundedgen.values import Judged, Usage, Verdict

__all__ = ["MISUSES", "MisuseError", "cause", "is_score", "outage", "taken"]


class MisuseError(InputError):
    """A part of this library was made with what it cannot use, and notices when it is asked.

    Told apart from an `InputError` that code of the caller's own raises while it judges.
    """


#: Mistakes in a program, not outages: whoever wrote it is to see them, a judge's as a model's.
MISUSES: Final = (MisuseError, MissingExtraError)

_BY_STATUS: Final[Mapping[int, str]] = {
    401: "judge_denied",
    403: "judge_denied",
    408: "judge_timeout",
    429: "judge_rate_limited",
    504: "judge_timeout",
}
_BY_TYPE: Final[Mapping[type[Exception], str]] = {
    TimeoutError: "judge_timeout",
    PermissionError: "judge_denied",
    RefusedError: "judge_refused",
    TruncatedError: "judge_truncated",
    DraftFormatError: "judge_bad_reply",
}


def outage(error: BaseException) -> str:
    """The `Verdict.reason` of a judgement that ended in `error`.

    Whatever carries an HTTP status is read by it, the SDKs' own exceptions included: a function
    given as a judge may raise those. A `ProviderError` without one is read by its original.

    >>> outage(ProviderError("denied", status=401)), outage(ProviderError("busy", status=429))
    ('judge_denied', 'judge_rate_limited')
    >>> outage(TimeoutError()), outage(ValueError())
    ('judge_timeout', 'judge_error')
    """
    if isinstance(error, StrayError):
        return "judge_cancelled" if error.kind == "CancelledError" else "judge_error"
    for kind, reason in _BY_TYPE.items():
        if isinstance(error, kind):
            return reason
    if _is_bad_reply(error):
        return "judge_bad_reply"
    if reason := _BY_STATUS.get(_status(error), ""):
        return reason
    if isinstance(error, ProviderError) and error.original is not None:
        return outage(error.original)
    # httpx and both SDKs derive their time-outs from no builtin; all of them say so by name.
    return "judge_timeout" if "timeout" in type(error).__name__.lower() else "judge_error"


def cause(error: BaseException) -> str:
    """The `Verdict.why` of a judgement that ended in `error`: its class, status and way out.

    None of the error's own words: they may repeat what was judged.

    >>> cause(ProviderError("denied", status=401, hint="check the key")), cause(ValueError("text"))
    ('ProviderError, status 401: check the key', 'ValueError')
    """
    kind = error.kind if isinstance(error, StrayError) else type(error).__name__
    status = _status(error)
    told = f"{kind}, status {status}" if 100 <= status <= 599 else kind
    hint = error.hint if isinstance(error, ProviderError) else ""
    hint = "it must return a string" if _is_bad_reply(error) else hint
    return f"{told}: {hint}" if hint else told


def _is_bad_reply(error: BaseException) -> bool:
    """Whether a function given as a model returned what is no text."""
    return isinstance(error, InputError) and error.code == "bad_reply"


def _status(error: BaseException) -> int:
    """The HTTP status as this library (`status`) or an SDK (`status_code`) keeps it, or 0."""
    for name in ("status", "status_code", "code"):
        with suppress(Exception):  # it may be a property that fails where there was no response
            status = getattr(error, name, None)
            if type(status) is int:
                return status
    return 0


def taken(found: object, asked: int) -> Judged:
    """What a judge returned for `asked` pairs, read once and kept as plain values.

    A sequence of a class of the judge's own may fail at any time it is looked at. What is no
    `Verdict`, or has a score that is none, is `judge_bad_reply` in its place; what is no sequence,
    or cannot be read, is so for every pair. The number of verdicts is left as it is, up to one too
    many.

    >>> [verdict.reason for verdict in taken([Verdict("supported"), "yes"], 2)]
    ['', 'judge_bad_reply']
    >>> [verdict.reason for verdict in taken([Verdict("supported", 5.0), Verdict("partial")], 2)]
    ['judge_bad_reply', '']
    >>> [verdict.reason for verdict in taken(None, 2)]
    ['judge_bad_reply', 'judge_bad_reply']
    """
    if not isinstance(found, Sequence) or isinstance(found, str | bytes):
        return Judged([_BAD] * asked)
    try:
        verdicts = [_sound(item) for item in islice(found, min(len(found), asked + 1))]
        usage, calls = getattr(found, "usage", None), getattr(found, "calls", 0)
    except Exception:  # noqa: BLE001  # whatever reading it raises, there is nothing to be read
        return Judged([_BAD] * asked)
    return Judged(
        verdicts,
        usage=usage if isinstance(usage, Usage) else None,
        calls=calls if type(calls) is int else 0,
    )


_BAD: Final = Verdict("not_judged", reason="judge_bad_reply")


def _sound(item: object) -> Verdict:
    if not isinstance(item, Verdict):
        return _BAD
    words = (item.label, item.why, item.reason)
    if not all(isinstance(word, str) for word in words) or not is_score(item.score):
        return _BAD
    if item.score is None or type(item.score) in (int, float):
        return item
    return replace(item, score=float(item.score))  # a number of numpy's


def is_score(score: object) -> bool:
    """Whether it is `None`, or a number from 0 to 1: what else a judge gives is no confidence.

    >>> is_score(None), is_score(0.5), is_score(float("nan")), is_score(5), is_score(True)
    (True, True, False, False, False)
    """
    if score is None:
        return True
    if isinstance(score, bool) or not isinstance(score, Real):
        return False
    number: Any = score  # numbers.Real has no comparisons that type checkers know
    return bool(0 <= number <= 1)
