"""Looking up the address of a host in a thread that nobody waits for.

An event loop looks hosts up in threads of its executor, and joins these when it is closed: a name
server that hangs would keep `asyncio.run` from returning long after the deadline has passed, and
the program from ending. Lookups for requests of ours are made in a daemon thread instead.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

from groundedgen.deadlines import unblocked
from groundedgen.generators.transport.quiet import is_ours

__all__ = ["joined_by_nobody"]


def joined_by_nobody(loop: asyncio.AbstractEventLoop) -> None:
    """Have this loop look hosts up as said above, for requests of ours and for no others.

    Whichever HTTP client is used asks the loop, so the loop's own method is what has to differ.
    A loop that is not written in Python (uvloop) stays as it is.

    >>> async def looked_up():
    ...     joined_by_nobody(asyncio.get_running_loop())
    ...     return await asyncio.get_running_loop().getaddrinfo("127.0.0.1", 80)
    >>> asyncio.run(looked_up())[0][-1]
    ('127.0.0.1', 80)
    """
    if isinstance(loop.getaddrinfo, _Lookup):
        return
    with suppress(AttributeError):
        loop.getaddrinfo = _Lookup(loop.getaddrinfo)  # type: ignore[method-assign]  # for this loop


class _Lookup:
    """The method of the loop, and ours beside it."""

    def __init__(self, usual: Callable[..., Any]) -> None:
        self._usual = usual

    async def __call__(self, host: Any, port: Any, **asked: Any) -> Any:
        if not is_ours():
            return await self._usual(host, port, **asked)
        return await unblocked(partial(socket.getaddrinfo, host, port, **asked))
