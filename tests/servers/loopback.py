"""A small HTTP server on a loopback port that says, request by request, what a test wants.

Plain sockets and threads, since a test also wants what a web framework hides: a body that
drips, a connection that is cut in the middle, a client that is seen to go away.
"""

from __future__ import annotations

import asyncio
import json
import select
import socket
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Asked:
    """One request as the server saw it."""

    method: str
    path: str
    headers: dict[str, str]
    body: Any


@dataclass(frozen=True)
class Said:
    """One response.

    Attributes:
        body: A dict or list goes out as JSON, bytes and str as they are.
        chunks: Sent one after the other instead of `body` (server-sent events, say).
        wait: Seconds before the status line; the client may give up meanwhile.
        drip: Seconds between chunks.
        cut: Close the socket after the chunks (or half of the body) without an end.
        hang: After the chunks, wait until the client goes away.
    """

    status: int = 200
    body: Any = b""
    headers: dict[str, str] = field(default_factory=dict)
    chunks: Sequence[bytes] | None = None
    wait: float = 0.0
    drip: float = 0.0
    cut: bool = False
    hang: bool = False


class Loopback:
    """Runs while the `with` block of `serving` lasts.

    Attributes:
        url: The server's root, without a slash at its end.
        asked: Every request, in order of arrival.
        gone: Times (monotonic) at which a client was seen to have gone away early.
        busiest: The most requests that were under way at once.
    """

    def __init__(self, answer: Callable[[Asked], Said]) -> None:
        self.answer = answer
        self.asked: list[Asked] = []
        self.gone: list[float] = []
        self.busiest = 0
        self._busy = 0
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def start(self) -> None:
        poll = {"poll_interval": 0.01}
        threading.Thread(target=self._server.serve_forever, kwargs=poll, daemon=True).start()

    def stop(self) -> None:
        self._stop.set()
        self._server.shutdown()
        self._server.server_close()

    def enter(self, asked: Asked) -> None:
        with self._lock:
            self.asked.append(asked)
            self._busy += 1
            self.busiest = max(self.busiest, self._busy)

    def leave(self) -> None:
        with self._lock:
            self._busy -= 1

    def pause(self, connection: socket.socket, seconds: float) -> bool:
        """Wait; whether the client is still there afterwards."""
        ends = time.monotonic() + seconds
        while (left := ends - time.monotonic()) > 0 and not self._stop.is_set():
            ready, _, _ = select.select([connection], [], [], min(left, 0.02))
            if ready and connection.recv(1, socket.MSG_PEEK) == b"":
                self.gone.append(time.monotonic())
                return False
        return True


@contextmanager
def serving(answer: Callable[[Asked], Said]):
    """A `Loopback` whose every request is answered by `answer`."""
    server = Loopback(answer)
    server.start()
    try:
        yield server
    finally:
        server.stop()


def in_turn(*said: Said) -> Callable[[Asked], Said]:
    """The given responses one after the other; the last one again and again."""
    rest, lock = list(said), threading.Lock()

    def answer(asked: Asked) -> Said:
        with lock:
            return rest.pop(0) if len(rest) > 1 else rest[0]

    return answer


async def true_soon(holds: Callable[[], object], seconds: float = 2.0) -> None:
    """Wait until something holds that a server's threads bring about; fail if it never does."""
    ends = time.monotonic() + seconds
    while not holds():  # set by another thread, which knows no event loop
        assert time.monotonic() < ends, f"it did not come about within {seconds} s"
        await asyncio.sleep(0.01)


def _handler(server: Loopback) -> type[BaseHTTPRequestHandler]:  # noqa: C901  # one request
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            length = int(self.headers.get("content-length") or 0)
            raw = self.rfile.read(length)
            headers = {name.lower(): value for name, value in self.headers.items()}
            asked = Asked(self.command, self.path, headers, json.loads(raw) if raw else None)
            server.enter(asked)
            try:
                self._say(server.answer(asked))
            except (BrokenPipeError, ConnectionResetError):
                server.gone.append(time.monotonic())
                self.close_connection = True
            finally:
                server.leave()

        do_GET = do_POST  # noqa: N815  # the name http.server calls

        def _say(self, said):
            if said.wait and not server.pause(self.connection, said.wait):
                self.close_connection = True
                return
            body = said.body
            if isinstance(body, dict | list):
                body = json.dumps(body).encode()
            elif isinstance(body, str):
                body = body.encode()
            chunks = [body] if said.chunks is None else said.chunks
            kind = "application/json" if said.chunks is None else "text/event-stream"
            self.send_response(said.status)
            headers = {"content-type": kind, **said.headers}
            ended = said.chunks is not None or said.cut or said.hang
            headers |= {"connection": "close"} if ended else {"content-length": str(len(body))}
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            if said.cut and said.chunks is None:
                chunks = [body[: len(body) // 2]]
            for number, chunk in enumerate(chunks):
                if number and said.drip and not server.pause(self.connection, said.drip):
                    break
                self.wfile.write(chunk)
                self.wfile.flush()
            if said.hang:
                server.pause(self.connection, 60)
            self.close_connection = ended
            if said.cut:  # a reset, as a dying proxy leaves it, instead of a clean end
                linger = (1).to_bytes(4, "little") + (0).to_bytes(4, "little")
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                self.connection.close()

        def log_message(self, *_):
            """Nothing: what a test wants to know is in `asked`."""

    return Handler
