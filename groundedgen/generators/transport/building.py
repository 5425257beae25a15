"""Clients of our own for a model string, built as the SDK would, when they are first needed.

They trust what `tls` has loaded once, and count what they read; see `bodies`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from groundedgen.generators.transport.bodies import acounting, counting
from groundedgen.generators.transport.clients import Own
from groundedgen.generators.transport.settings import unproxied, untrusting
from groundedgen.generators.transport.tls import shared_context

__all__ = ["Kinds", "own"]


@dataclass(frozen=True, slots=True)
class Kinds:
    """The classes of an SDK whose clients are built on httpx2.

    Attributes:
        client: The synchronous client.
        aclient: The asynchronous one.
        http: The HTTP client that the first builds if it is given none.
        ahttp: That of the second.
        failures: What they raise over a setting of theirs.
    """

    client: Any
    aclient: Any
    http: Any
    ahttp: Any
    failures: tuple[type[Exception], ...]


def own(kinds: Kinds, who: str, unbuilt: Callable[[Exception], Exception], **settings: Any) -> Own:
    """Clients of our own.

    Args:
        kinds: The SDK's classes.
        who: The generator's name, for messages.
        unbuilt: What to raise for one of `kinds.failures`.
        settings: What both clients are built with.
    """

    def built(kind: Any, http: Any, hook: Any) -> Any:
        told: Exception
        try:
            asked = http(verify=shared_context(), event_hooks={"response": [hook]})
            return kind(http_client=asked, **settings)
        except OSError as error:
            told = untrusting(error, who)
        except kinds.failures as error:
            told = unbuilt(error)
        except (ImportError, ValueError, TypeError) as error:
            told = unproxied(error, who)
        raise told  # not while the SDK's own is handled: it would be the context of ours

    return Own(
        partial(built, kinds.client, kinds.http, counting),
        partial(built, kinds.aclient, kinds.ahttp, acounting),
        prepare=shared_context,
    )
