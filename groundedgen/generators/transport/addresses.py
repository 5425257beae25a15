"""Addresses of servers: which can be one, and what of one may be said.

HTTP clients take almost any string and fail when they send, each with an error of its own. What a
caller writes after the "@" of a model string is therefore looked at first. Pure: no look-up.
"""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import urlsplit

import regex

from groundedgen.errors import InputError

__all__ = ["checked", "sayable"]

#: A host as RFC 3986 writes one, letters of other scripts included; or an IP address in brackets.
_HOST: Final = regex.compile(
    r"(?:[\p{L}\p{M}\p{N}_~-]{1,63}\.)*[\p{L}\p{M}\p{N}_~-]{1,63}\.?|\[[0-9A-Fa-f:.]+(?:%25\w+)?\]"
)
_CREDENTIALS: Final = regex.compile(r"(?<=^|//)[^/@]*@")
_UNSENDABLE: Final = regex.compile(r"[\s\p{C}\\]")
_LONGEST: Final = 100  # code points of an address in a message


def checked(url: str, model: str) -> str:
    """The address, if it can be that of a server.

    Args:
        url: As it was given.
        model: Whose address it is, as "vllm/MODEL".

    Raises:
        InputError: It is no http or https URL with a host and, if any, a port from 1 to 65535.

    >>> checked("http://localhost:8000/v1", "vllm/m")
    'http://localhost:8000/v1'
    >>> checked("localhost:8000", "vllm/m")
    Traceback (most recent call last):
    groundedgen.errors.InputError: the address of vllm/m, 'localhost:8000', begins with no http:// \
or https://; write it as vllm/m@http://HOST:PORT/v1
    """
    if fault := _fault(url):
        shown = _CREDENTIALS.sub("", url)[:_LONGEST]
        raise InputError(
            f"the address of {model}, {shown!r}, {fault}; write it as {model}@http://HOST:PORT/v1",
            code="bad_url",
        )
    return url


def _fault(url: str) -> str:
    if _UNSENDABLE.search(url):
        return "holds a blank, or what cannot be printed"
    if not url.lower().startswith(("http://", "https://")):
        return "begins with no http:// or https://"
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return "has a host or port that can be none"
    host = parts.netloc.rpartition("@")[2]
    host = host if host.endswith("]") else regex.sub(r":\d*$", "", host)
    if not _HOST.fullmatch(host):
        return "names no host"
    return "has port 0" if port == 0 else ""


def sayable(url: Any) -> str:
    """What a message may say of an address: no user, password or query; "" where it is none.

    >>> sayable("https://ann:secret@example.com:8443/v1/chat/completions?key=secret#x")
    'https://example.com:8443/v1/chat/completions'
    """
    try:
        parts = urlsplit(str(url))
        host, port = parts.hostname, parts.port
    except ValueError:
        return ""
    if not parts.scheme and not host:
        return ""
    host = f"[{host}]" if host and ":" in host else host or ""
    said = f"{parts.scheme}://{host}{f':{port}' if port is not None else ''}{parts.path}"
    return said[:_LONGEST] if said.isprintable() else ""
