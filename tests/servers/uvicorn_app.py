"""An ASGI application behind a real server on a loopback port."""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager


@contextmanager
def running(app):
    """The application's address while the `with` block lasts."""
    import uvicorn

    config = uvicorn.Config(app, port=0, log_level="error", ws="none", lifespan="off",
                            timeout_graceful_shutdown=2)  # fmt: skip
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    ends = time.monotonic() + 10
    while not server.started:
        assert time.monotonic() < ends, "the server did not start"
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(10)
