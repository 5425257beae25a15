"""Keeping passages out of the logs of SDKs while they send our requests.

At DEBUG the SDKs log the whole request, and with it the passages; HTTP clients log what a server
chose to say, and instructor logs replies. An application that sets its root logger to DEBUG means
its own messages. So what these packages log within a request of ours is dropped, at every level:
whether it is one of ours is in a context variable, which threads and tasks of that request have
too. Whatever else the application does with the same SDK is logged as before, and so is what
hooks of its HTTP client say of our requests under a name of their own.
"""

from __future__ import annotations

import contextvars
import inspect
import logging
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, Final

__all__ = ["hushed", "is_ours", "quietly"]

#: Packages, or the names they log under, that stand between us and a service: HTTP clients, SDKs,
#: and those that instructor brings along.
_TALKING: Final = frozenset(
    {
        "LiteLLM", "aiohttp", "anthropic", "azure", "boto3", "botocore", "cerebras", "cohere",
        "dottxt", "fireworks", "google", "google_genai", "groq", "grpc", "h11", "h2", "hpack",
        "httpcore", "httpcore2", "httpx", "httpx2", "huggingface_hub", "instructor", "litellm",
        "mistralai", "ollama", "openai", "outlines", "requests", "together", "urllib3",
        "vertexai", "websockets", "writerai", "xai_sdk",
    }
)  # fmt: skip

_OURS: Final[contextvars.ContextVar[bool]] = contextvars.ContextVar("ours", default=False)


def is_ours() -> bool:
    """Whether this thread or task is sending a request of ours."""
    return _OURS.get()


@contextmanager
def quietly() -> Iterator[None]:
    """Nothing that the packages between us and a service log inside of it is written.

    Not to be open while something is yielded: whoever is handed it may be in the same context.

    >>> log = logging.getLogger("openai._base_client")
    >>> with quietly():
    ...     log.error("a prompt")
    >>> log.filters[0].filter(log.makeRecord("openai", 10, "", 0, "of someone else's", (), None))
    True
    """
    _cover()
    token = _OURS.set(True)
    try:
        yield
    finally:
        _OURS.reset(token)


def hushed(call: Callable[..., Any]) -> Callable[..., Any]:
    """`call`, quietly; also what it returns, where that is to be awaited.

    >>> hushed(is_ours)(), is_ours()
    (True, False)
    """

    @wraps(call)
    def quiet(*args: Any, **named: Any) -> Any:
        with quietly():
            result = call(*args, **named)
        return _awaited(result) if inspect.isawaitable(result) else result

    return quiet


async def _awaited(result: Awaitable[Any]) -> Any:
    with quietly():
        return await result


class _NotOurs(logging.Filter):
    """A filter sees the records of the one logger it is put on, not those of loggers below it."""

    def filter(self, record: logging.LogRecord) -> bool:
        del record
        return not _OURS.get()


_FILTER: Final = _NotOurs()


def _cover() -> None:
    """Put the filter on every logger of these packages; some are made when first needed."""
    for name, logger in list(logging.root.manager.loggerDict.items()):
        if name.partition(".")[0] in _TALKING and isinstance(logger, logging.Logger):
            logger.addFilter(_FILTER)  # which is on it only once
