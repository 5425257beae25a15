"""One TLS context for all clients of our own.

Loading the certificates that are trusted takes over a hundred milliseconds, and everything else
about an SDK's client takes one. A context may be shared by threads and event loops.
"""

from __future__ import annotations

import os
import ssl
from functools import lru_cache

import httpx2

__all__ = ["shared_context"]


def shared_context() -> ssl.SSLContext:
    """What the HTTP client of the SDKs trusts by default, for these variables of the environment.

    >>> shared_context() is shared_context()
    True
    """
    return _context(os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR"))


@lru_cache(maxsize=8)
def _context(*_where: str | None) -> ssl.SSLContext:
    return httpx2.create_ssl_context()
