"""Closing the connection of a request that nobody waits for any more.

A thread that waits for a server cannot be ended from outside, and the time-out of an HTTP client
is one for each read: a server that hangs or drips would hold thread and connection long after
the call was cancelled or its deadline had passed. Shutting the socket down does wake it.

No SDK hands out the socket of a request before its reply begins, and the client may be the
caller's own, which is used as given. So the socket is looked for where it is waited on: in the
innermost frames of the thread. Clients that wait in a language other than Python are not found;
those end with the time-out of a read.

HTTP/2, which a client has only if its owner asks for it (`http2=True`), is let be. A connection is
shared by the requests of other threads there, so it cannot be shut down for one of them. Closing
one stream takes a RST_STREAM, and no HTTP client of Python's sends one: httpcore ends the wait of a
request that is cancelled, an awaited one too, and tells the server nothing (2.16, and the 1.0 of
httpx). What it hands out, the connection as bytes once a reply has begun, other threads are writing
to; a frame of ours could fall into the middle of one of theirs. So over HTTP/2 whoever cancels is
free at once and nothing further is sent, but the server writes its reply to the end. Whoever pays
for such replies gives the generator a client of HTTP/1.1, which is the default of the SDKs.
"""

from __future__ import annotations

import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Final, TypeVar

from groundedgen.deadlines import at_giving_up, check_wanted

__all__ = ["cuttable"]

T = TypeVar("T")

#: Seconds between two looks at a thread that has not ended: it may not have connected at first.
_AGAIN: Final = 0.05
#: Looks at most, some half a minute: by then the time-out of a read has come, or never will.
_LOOKS: Final = 600
#: Frames between a wait for a socket and whoever holds that socket.
_NEAR: Final = 8
#: What the socket of a wait is called there: in `socket`, `ssl`, HTTP clients of Python's own.
_NAMES: Final = ("self", "sock")


def cuttable(call: Callable[[], T]) -> Callable[[], T]:
    """`call`, a blocking request, whose connection is closed if its work is given up.

    >>> cuttable(lambda: 6 * 7)()
    42
    """

    def sent() -> T:
        with _cut_at_giving_up():
            check_wanted()
            return call()

    return sent


@contextmanager
def _cut_at_giving_up() -> Iterator[None]:
    waiting = _Waiting()
    with at_giving_up(waiting.end):
        try:
            yield
        finally:
            waiting.over()


class _Waiting:
    """The thread this is made in, until its request is over."""

    def __init__(self) -> None:
        self._thread = threading.get_ident()
        self._over = threading.Event()
        self._lock = threading.Lock()

    def over(self) -> None:
        """From here on the thread may do something else."""
        with self._lock:
            self._over.set()

    def end(self) -> None:
        """Cut it, from a thread of its own: whoever gives work up does not wait."""
        if self._thread != threading.get_ident():
            threading.Thread(target=self._cut, name="groundedgen-closing", daemon=True).start()

    def _cut(self) -> None:
        for _ in range(_LOOKS):
            with self._lock:
                if self._over.is_set():
                    return
                _shut(_held(sys._current_frames().get(self._thread)))  # noqa: SLF001  # documented
            if self._over.wait(_AGAIN):
                return


def _held(frame: FrameType | None) -> socket.socket | None:
    """The socket that a thread waits for, if it does, and if it is that thread's alone."""
    near: list[FrameType] = []
    while frame is not None and len(near) < _NEAR:
        near.append(frame)
        frame = frame.f_back
    if any(frame.f_code.co_filename.endswith("http2.py") for frame in near):
        return None
    waited_on = (frame.f_locals.get(name) for frame in near for name in _NAMES)
    sockets = (one for found in waited_on for one in (found, getattr(found, "_sock", None)))
    return next((one for one in sockets if isinstance(one, socket.socket)), None)


def _shut(held: socket.socket | None) -> None:
    if held is not None:
        # Not the method of a TLS socket, which would take its cipher from under the reading thread.
        with suppress(OSError):
            socket.socket.shutdown(held, socket.SHUT_RDWR)
