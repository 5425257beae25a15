"""From an SDK's exception to a `ProviderError`: what failed, whether again, what to do.

The SDKs' classes differ and their attributes hardly do, so they are read by name: one table
serves clients of OpenAI's shape, Anthropic's, and whatever instructor brings along. Of what the
service says only known codes and ids go into a message (see `codes`): all else may repeat what
was sent.
"""

from __future__ import annotations

import email.utils
import math
import time
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Any, Final

import regex

from groundedgen.deadlines import remaining
from groundedgen.errors import DeadlineError, ProviderError
from groundedgen.generators.transport.addresses import sayable
from groundedgen.generators.transport.bodies import BodyTooLongError, is_broken_body
from groundedgen.generators.transport.codes import (
    BUSY,
    NO_CREDIT,
    TOO_LONG,
    TOO_LONG_WORDS,
    is_request_id,
    sayable_code,
)
from groundedgen.generators.transport.settings import UNTRUSTED, unsendable

__all__ = ["code_of", "failure", "sent_instead", "status_of", "words_of"]

_TRANSIENT: Final = frozenset({408, 409, 425, 429, 529})
_LASTING: Final = frozenset({501, 505})
#: Classes of connections that broke or took too long, in the SDKs and under them.
_BROKEN: Final = frozenset(
    {
        "APIConnectionError",
        "ConnectionError",
        "ClientConnectionError",
        "TimeoutError",
        "Timeout",
        "TransportError",
        "ServerDisconnectedError",
    }
)
#: ... and those among them that the next try meets again: an address or a header nobody takes.
_HOPELESS: Final = frozenset(
    {"UnsupportedProtocol", "LocalProtocolError", "InvalidURL", "UnicodeEncodeError"}
)
#: Of those, the ones that repeat a header, and with it the key, or the request.
_TELLING: Final = frozenset({"LocalProtocolError", "InvalidURL", "UnicodeEncodeError"})
_UNTRUSTED: Final = "SSLCertVerificationError"
_HINTS: Final[Mapping[int, str]] = {
    400: "the service does not take this request: check the model's name and what it supports",
    401: "check the key the client was given; an SDK's own client reads it from the environment",
    402: "the account has no credit left",
    403: "the key may not use this model, or not from here",
    404: "check the model's name and the address; most servers want it to end with /v1",
    408: "the service waited too long for the request, or for its model; try later",
    413: "the passages are too long for this model: pass fewer or shorter ones",
    422: "the service does not take this request: check the model's name and what it supports",
    429: "too many requests at once for this account; try later or ask for a higher limit",
}
#: Model strings of servers of one's own, which are sent no key.
_KEYLESS: Final = frozenset({"llamacpp", "ollama", "sglang", "vllm"})
_WANTS_KEY: Final = (
    "check the key: this server wants one, and this model string sends none; openai/MODEL@URL "
    "sends the one in OPENAI_API_KEY, or pass an OpenAIGenerator with a client of your own"
)
_UNREACHABLE: Final = (
    "is the server running there? Its address is the base_url of the client, or stands in the "
    "model string, as in vllm/MODEL@http://HOST:PORT/v1"
)
_UNSENDABLE: Final = (
    "an address is http://HOST:PORT/v1, given as base_url or after the @ of a model string; "
    "and a key is one line"
)
_NO_JSON: Final = (
    "what came back is no JSON: is the address the API's? most servers want it to end with /v1"
)
_NO_STATUS: Final = "what answers there knows no HTTP status of its own kind: check the address"
_NO_MORE: Final = "the service says no more than that; its own log, or its status page, may"
_TOO_LONG: Final = (
    "no reply is that long: check the address, and whether a limit is set for replies (max_tokens)"
)
_DEEPEST: Final = 8  # an SDK's exception, its client's, the transport's, the system's
_NEAR: Final = 0.05  # seconds: a socket's own timeout runs a little ahead of the clock
_TOKEN: Final = regex.compile(r"[\w.\-:/]{1,64}")


def failure(error: BaseException, who: str) -> ProviderError | DeadlineError:
    """What to raise for an exception of an SDK, or of what lies under it.

    A request that took too long because the deadline of the whole call was near is that.

    Args:
        error: The SDK's exception; kept as `original`, unless it repeats a key.
        who: The generator's or judge's name, for the message.

    >>> class RateLimitError(Exception):
    ...     status_code, code, request_id = 429, "slow_down", "req_7"
    >>> told = failure(RateLimitError("Hi"), "openai/gpt-5-mini")
    >>> print(told, told.retryable)
    openai/gpt-5-mini failed: RateLimitError, status 429, code slow_down True
    >>> failure(KeyError("x"), "mine").retryable
    False
    """
    if isinstance(error, BodyTooLongError):
        return ProviderError(f"{who} {error}", hint=_TOO_LONG)
    status, code = status_of(error), code_of(error)
    if status is None and _is_broken(error) and (remaining(most=1.0) or 0.0) < _NEAR:
        return DeadlineError(
            f"{who} had given no draft by the deadline of the call; allow more time with timeout="
        )
    wait = _retry_after(_headers(error))
    told = [type(error).__name__, *_said(status, code)]
    request = getattr(error, "request_id", None)
    told += [f"request {request}"] if is_request_id(request) else []
    told += [f"asks to wait {wait:g} s"] if wait is not None else []
    told += [f"at {address}"] if status is None and (address := _address(error)) else []
    hint = _keyless(who, status) or _hint(error, status, code)
    if isinstance(error, UnicodeEncodeError):
        fault, hint = unsendable(error)
        told.append(fault)
    return ProviderError(
        f"{who} failed: {', '.join(told)}",
        retryable=_is_transient(error, status, code),
        hint=hint,
        status=status,
        retry_after=wait,
        original=None if _is_any(error, _TELLING) else error,
    )


def sent_instead(details: object, who: str) -> ProviderError:
    """What to raise for an error object that came with status 200 in place of a reply.

    >>> sent_instead({"code": 503, "message": "..."}, "mine").retryable
    True
    """
    known = details if isinstance(details, Mapping) else {}
    given = known.get("code")
    status = given if type(given) is int and 100 <= given <= 599 else None
    code = next((str(v) for v in (given, known.get("type")) if _is_token(v)), "")
    words = " ".join(str(known.get(name) or "") for name in ("message", "detail")).lower()
    return ProviderError(
        ", ".join([f"{who} sent an error in place of a reply", *_said(status, code)]),
        retryable=code not in NO_CREDIT and _is_passing(status, code),
        hint=_keyless(who, status) or _advice(status, code, words),
        status=status,
    )


def _said(status: int | None, code: str) -> list[str]:
    """What of the service's own words may be repeated."""
    told = [f"status {status}"] if status is not None else []
    return told + ([f"code {sayable_code(code)}"] if code else [])


def _address(error: BaseException) -> str:
    """Where a connection could not be made, as far as the SDK says."""
    kinds = {kind.__name__ for kind in type(error).__mro__}
    if "APIConnectionError" not in kinds:  # another's may be where a server redirected us to
        return ""
    return sayable(getattr(getattr(error, "request", None), "url", ""))


def status_of(error: BaseException) -> int | None:
    """The HTTP status, if the service gave one."""
    given = [getattr(error, name, None) for name in ("status_code", "http_status", "code")]
    given.append(
        _details(error).get("code")
    )  # of one in mid-stream: openai 3.57 has "400" in `code`
    if type(given[0]) is int and 600 <= given[0] <= 999:  # no status at all, and yet sent as one
        return given[0]
    return next((v for v in given if type(v) is int and 100 <= v <= 599), None)


def code_of(error: BaseException) -> str:
    """The service's own short code for what is wrong, or "": never a sentence."""
    details = _details(error)
    for value in (
        *(getattr(error, "code", None), getattr(error, "error_code", None), details.get("code")),
        *(getattr(error, "type", None), details.get("type"), details.get("status")),
    ):
        if _is_token(value) and not str(value).isdigit():
            return str(value)
    return ""


def words_of(error: BaseException) -> str:
    """What the service says is wrong, in lower case, to look for names of parameters in.

    Not to be shown: it may repeat what was sent. An error page is no such word: "".
    """
    body = getattr(error, "body", None)
    details = _details(error)
    if isinstance(listed := details.get("detail"), list):  # FastAPI's form, with the input in it
        said = [f"{item.get('loc')} {item.get('msg')}" for item in listed if isinstance(item, dict)]
    elif details:
        said = [str(details.get(name) or "") for name in ("message", "detail", "param", "code")]
    else:
        said = [body if isinstance(body, str) else ""]
    words = " ".join(said).strip().lower()
    return "" if words.startswith("<") else words.partition("'input':")[0]


def _details(error: BaseException) -> Mapping[str, Any]:
    """The body's error object, or the body itself where there is none inside."""
    body = getattr(error, "body", None)
    inner = body.get("error") if isinstance(body, dict) else None
    if isinstance(inner, dict):
        return inner
    return body if isinstance(body, dict) else {}


def _is_token(value: object) -> bool:
    return isinstance(value, str) and _TOKEN.fullmatch(value) is not None


def _is_transient(error: BaseException, status: int | None, code: str) -> bool:
    if code in NO_CREDIT:
        return False
    if _is_broken(error):
        return True
    asked = _headers(error).get("x-should-retry")  # the SDKs obey it too
    return asked == "true" if asked in {"true", "false"} else _is_passing(status, code)


def _is_passing(status: int | None, code: str) -> bool:
    if status is None or status == 200:
        return code in BUSY
    return status in _TRANSIENT or (500 <= status < 600 and status not in _LASTING)


def _is_broken(error: BaseException) -> bool:
    """Whether the connection failed in passing."""
    kinds = {kind.__name__ for kind in type(error).__mro__}
    return bool(kinds & _BROKEN) and not _is_hopeless(error)


def _is_hopeless(error: BaseException) -> bool:
    """Whether a request could not even be sent, and never will be."""
    return _is_any(error, _HOPELESS) or _is_any(error, {_UNTRUSTED})


def _is_any(error: BaseException, names: AbstractSet[str]) -> bool:
    """Whether an error, or what it came from, is of a class of one of these names."""
    return any(kind.__name__ in names for met in _met(error) for kind in type(met).__mro__)


def _met(error: BaseException) -> Iterator[BaseException]:
    met: BaseException | None = error
    for _ in range(_DEEPEST):
        if met is None:
            return
        yield met
        met = met.__cause__ or met.__context__


def _hint(error: BaseException, status: int | None, code: str) -> str:
    if is_broken_body(error):
        return _NO_JSON
    if status is None and _is_any(error, {_UNTRUSTED}):
        return UNTRUSTED
    if status is None and _is_hopeless(error):
        return _UNSENDABLE
    if _is_broken(error):
        return _UNREACHABLE
    said = status is not None or hasattr(error, "body")  # by the service, and not on this side
    return _advice(status, code, words_of(error)) if said or code else ""


def _keyless(who: str, status: int | None) -> str:
    return _WANTS_KEY if status == 401 and who.partition("/")[0] in _KEYLESS else ""


def _advice(status: int | None, code: str, words: str) -> str:
    if code in NO_CREDIT:
        return _HINTS[402]
    if code in TOO_LONG or any(said in words for said in TOO_LONG_WORDS):
        return _HINTS[413]
    if status is None or status < 400:
        return _NO_MORE
    if status >= 600:
        return _NO_STATUS
    return _HINTS.get(status, "the service is in trouble; try later" if status >= 500 else _NO_MORE)


def _headers(error: BaseException) -> Mapping[str, str]:
    headers = getattr(getattr(error, "response", None), "headers", None)
    return headers if isinstance(headers, Mapping) else {}


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait, 0 or more, from `retry-after-ms` or `retry-after` (RFC 9110, 10.2.3)."""
    if (milliseconds := _number(headers.get("retry-after-ms"))) is not None:
        return milliseconds / 1000
    asked = headers.get("retry-after")
    if asked is None or (seconds := _number(asked)) is not None:
        return None if asked is None else seconds
    try:
        return max(0.0, email.utils.parsedate_to_datetime(asked).timestamp() - time.time())
    except (ValueError, OverflowError):
        return None


def _number(text: str | None) -> float | None:
    try:
        number = float(text or "")
    except ValueError:
        return None
    return None if math.isnan(number) else max(0.0, number)
