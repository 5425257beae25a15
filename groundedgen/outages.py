"""Why there is no verdict: from the exception to a reason that an operator can tell apart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from groundedgen.errors import DraftFormatError, ProviderError, RefusedError, TruncatedError

__all__ = ["outage"]

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
    for kind, reason in _BY_TYPE.items():
        if isinstance(error, kind):
            return reason
    if reason := _BY_STATUS.get(_status(error), ""):
        return reason
    if isinstance(error, ProviderError) and error.original is not None:
        return outage(error.original)
    # httpx and both SDKs derive their time-outs from no builtin; all of them say so by name.
    return "judge_timeout" if "timeout" in type(error).__name__.lower() else "judge_error"


def _status(error: BaseException) -> int:
    """The HTTP status as this library (`status`) or an SDK (`status_code`) keeps it, or 0."""
    found = (getattr(error, name, None) for name in ("status", "status_code", "code"))
    return next((status for status in found if type(status) is int), 0)
