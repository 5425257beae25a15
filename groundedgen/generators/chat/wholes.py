"""A completion that is sent in one piece: how long it is is looked at before any of it is parsed.

The SDK is asked for the response instead of for what it makes of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from groundedgen.generators.replies.deltas import broke
from groundedgen.generators.transport.bodies import counted, parsed

__all__ = ["Lost", "awhole", "whole"]

Lost = Callable[[Any, Exception], Exception]
"""What the SDK says of a response whose connection broke with an HTTP client's exception."""


def whole(opened: Callable[..., Any], lost: Lost, /, **body: Any) -> Any:
    """A completion, as far as it is read here: JSON, or else a text.

    Args:
        opened: The SDK's `with_streaming_response.create`.
        lost: See `Lost`.
        body: What `create` takes.

    Raises:
        BodyTooLongError: It is longer than any reply.
        ValueError: It is no JSON.
        Exception: The request failed, as from `create`.
    """
    with opened(**body) as response:
        http = counted(response.http_response)
        with _told(lost, http):
            return _completion(http, b"".join(http.iter_bytes()))


async def awhole(opened: Callable[..., Any], lost: Lost, /, **body: Any) -> Any:
    """`whole`, awaited."""
    async with opened(**body) as response:
        http = counted(response.http_response)
        with _told(lost, http):
            return _completion(http, b"".join([part async for part in http.aiter_bytes()]))


def _completion(http: Any, body: bytes) -> Any:
    kind = str(http.headers.get("content-type", "")).partition(";")[0].strip().lower()
    if kind.endswith("json") or not (kind and body):
        return parsed(body)
    return body.decode(errors="replace")


@contextmanager
def _told(lost: Lost, http: Any) -> Iterator[None]:
    """What the SDK says of a connection that breaks while it reads a body as a whole itself."""
    try:
        yield
    except Exception as error:  # two HTTP libraries have classes for it; `broke` knows both
        if not broke(error):
            raise
        raise lost(http, error) from error
