"""How much of a server's reply is read, and what a body has to be for an SDK to parse it.

SDKs read a body to its end and parse it in one go, whatever its size, and JSON is parsed without
a break: some kilobytes of gzip that unpack to a hundred megabytes hold thread and event loop long
after the deadline. So bytes are counted as they are unpacked, and parsed only if they are few.

A response is told to count by its own `iter_bytes`, which the SDKs and HTTP clients (httpx2, and
httpx before it) take every body from, read as a whole too. No SDK has a setting for that.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from typing import Any, Final

from groundedgen.deadlines import check_wanted

__all__ = [
    "BodyTooLongError",
    "acounting",
    "begins_as_events",
    "counted",
    "counting",
    "is_broken_body",
    "parsed",
]

MOST: Final = 8_000_000
"""Bytes of a body, unpacked: a reply has some ten thousand, with the odds of its tokens a few
million."""
MOST_STREAMED: Final = 64_000_000
"""... of a stream, where each token costs some three hundred."""
MOST_OF_AN_EVENT: Final = 1_000_000
"""... of one event of it, which is parsed in one go."""
MOST_PARTS: Final = 200_000
"""Objects and lists in a body: a few tenths of a second of parsing."""

_SLICE: Final = 65_536  # bytes handed on at once; there is a chance to give up after each
_LINE: Final = 100  # bytes that a line of an event counts beside its own; events have few
_STARTS: Final = (b"data:", b"event:", b"id:", b"retry:", b":")


class BodyTooLongError(ValueError):
    """A server sent more than any reply is; says how much was read, and nothing of it."""


def is_broken_body(error: BaseException) -> bool:
    """Whether an SDK's call ended over a body that is no JSON, or none that Python reads.

    >>> is_broken_body(RecursionError()), is_broken_body(ValueError("a fault of ours"))
    (True, False)
    """
    if isinstance(error, RecursionError | json.JSONDecodeError | UnicodeDecodeError):
        return True
    # Of a number with more digits than `sys.get_int_max_str_digits()`; it has no class of its own.
    return type(error) is ValueError and "integer string conversion" in str(error)


def parsed(body: bytes) -> Any:
    """The JSON of a body.

    Raises:
        BodyTooLongError: It has too many parts to be parsed in time.
        ValueError: It is no JSON.
        RecursionError: It is nested too deep.

    >>> parsed(b'{"a": [1]}')
    {'a': [1]}
    """
    if body.count(b"{") + body.count(b"[") > MOST_PARTS:
        raise BodyTooLongError(f"sent a reply of more than {MOST_PARTS:,} parts")
    return json.loads(body)


def counted(response: Any) -> Any:
    """The response, which from now on ends with an error when it becomes too long to be a reply.

    Of an error's body only the beginning is read: its status says enough.

    Args:
        response: An `httpx2.Response` (or of a client like it) whose body has not been read. Once
            is enough; anything else is left as it is.
    """
    marks = getattr(response, "extensions", None)
    if isinstance(marks, dict) and _MARK not in marks and hasattr(response, "aiter_bytes"):
        marks[_MARK] = True
        ours = _Counting(response)
        response.iter_bytes, response.aiter_bytes = ours.iter_bytes, ours.aiter_bytes
    return response


_MARK: Final = "groundedgen.counted"


def counting(response: Any) -> None:
    """`counted`, as a hook of an HTTP client of our own."""
    counted(response)


async def acounting(response: Any) -> None:
    """`counting`, for an asynchronous client."""
    counted(response)


async def begins_as_events(response: Any) -> bool:
    """Whether a body is an event stream by its first bytes, whatever it is called.

    What was looked at is there again for whoever reads the body.
    """
    chunks = aiter(response.aiter_bytes())
    looked: list[bytes] = []
    while len(first := b"".join(looked).lstrip(b"\xef\xbb\xbf \t\r\n")) < len(b"event:"):
        if (chunk := await anext(chunks, None)) is None:
            break
        looked.append(chunk)

    async def aiter_bytes(_chunk_size: int | None = None) -> AsyncIterator[bytes]:
        for chunk in looked:
            yield chunk
        async for chunk in chunks:
            yield chunk

    response.aiter_bytes = aiter_bytes
    return first.startswith(_STARTS)


class _Counting:
    """A response's two ways of handing on its body, with what is unpacked counted."""

    def __init__(self, response: Any) -> None:
        self._bytes, self._abytes = response.iter_bytes, response.aiter_bytes
        self._fails = getattr(response, "status_code", 200) >= 400
        self._is_stream = "event-stream" in str(response.headers.get("content-type", ""))

    def iter_bytes(self, chunk_size: int | None = None) -> Iterator[bytes]:
        count = _Count(fails=self._fails, is_stream=self._is_stream)
        for chunk in self._bytes(chunk_size):
            for piece in count.pieces(chunk):
                check_wanted()
                yield piece
            if count.is_over:
                return

    async def aiter_bytes(self, chunk_size: int | None = None) -> AsyncIterator[bytes]:
        count = _Count(fails=self._fails, is_stream=self._is_stream)
        async for chunk in self._abytes(chunk_size):
            for piece in count.pieces(chunk):
                yield piece
                if len(chunk) > _SLICE:  # unpacked: nothing else would let a time-out come
                    await asyncio.sleep(0)
            if count.is_over:
                return


class _Count:
    """Counts what is unpacked of one body."""

    def __init__(self, *, fails: bool, is_stream: bool) -> None:
        self._fails = fails
        self._most = MOST_OF_AN_EVENT if fails else MOST_STREAMED if is_stream else MOST
        self._all = 0
        self._events = _Events() if is_stream and not fails else None
        self.is_over = False

    def pieces(self, chunk: bytes) -> Iterator[bytes]:
        """The chunk in slices, those of an event stream as `_Events` has them.

        Raises:
            BodyTooLongError: With it, the body is too long.
        """
        for start in range(0, len(chunk), _SLICE):
            piece = chunk[start : start + _SLICE]
            self._all += len(piece)
            if self._all > self._most:
                if self._fails:
                    self.is_over = True
                    return
                raise BodyTooLongError(f"sent more than {self._most // 1_000_000} MB for one reply")
            yield self._events.plain(piece) if self._events is not None else piece


class _Events:
    """The lines of an event stream as HTML's standard reads them: any line end, no comments.

    They are handed on in one spelling: SDKs look for the ends of events in a few, and put line
    by line behind what they take for one event, in time quadratic in it.
    """

    def __init__(self) -> None:
        self._size = 0  # of the event so far
        self._begins = True  # whether the next byte is the first of a line
        self._is_comment = self._was_cr = False

    def plain(self, piece: bytes) -> bytes:
        r"""The piece without comments, each line end a `\n`.

        Raises:
            BodyTooLongError: With it, an event is too long.

        >>> _Events().plain(b"data: x\r: ping\n\r\n")
        b'data: x\n\n'
        """
        if self._was_cr and piece.startswith(b"\n"):
            piece = piece[1:]  # the other half of a line end
            self._was_cr = False
        if piece:
            self._was_cr = piece.endswith(b"\r")
        return b"".join(map(self._line, piece.splitlines(keepends=True)))

    def _line(self, line: bytes) -> bytes:
        """What is handed on of a line or a part of one."""
        text = line.rstrip(b"\r\n")
        if self._begins:
            self._is_comment = line.startswith(b":")
            if not text:
                self._size = 0
            elif not self._is_comment:
                self._size += _LINE
        self._begins = len(text) < len(line)
        if self._is_comment:
            return b""
        self._size += len(text)
        if self._size > MOST_OF_AN_EVENT:
            raise BodyTooLongError(f"sent an event of more than {MOST_OF_AN_EVENT // 1_000_000} MB")
        return text + b"\n" if self._begins else text
