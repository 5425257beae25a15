"""Faults of set-up: what the environment or a client holds and no request can be sent with.

SDKs and HTTP clients meet them with exceptions of Python's own, which name neither the variable
nor a way out, and some of which repeat the key. What is said here names the variable and never
the value of one that may hold a secret.
"""

from __future__ import annotations

import os
import ssl
from collections.abc import Mapping
from typing import Final

import regex

from groundedgen.errors import ProviderError

__all__ = [
    "UNTRUSTED",
    "of_the_environment",
    "unbuilt",
    "unproxied",
    "unsendable",
    "untrusting",
]

UNTRUSTED: Final = (
    "the certificate of the server is not trusted here: it has expired, is for another name, or "
    "is signed by an authority that this machine does not know; SSL_CERT_FILE names a PEM file "
    "of those to trust"
)
"""What to do where a server's certificate is turned down."""

_CERTIFICATES: Final = ("SSL_CERT_FILE", "SSL_CERT_DIR")
_PROXIES: Final = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")
_SCHEME: Final = regex.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,20}(?=://)")
#: Variables of which SDKs make headers.
_HEADERS: Final = regex.compile(
    r".*_(?:API_KEY|KEY|TOKEN|ORG_ID|ORGANIZATION|PROJECT_ID|CUSTOM_HEADERS)", regex.I
)
_PACKAGE: Final = regex.compile(r"\bpip install [\"']?([\w.\[\]-]+)")
_VARIABLE: Final = regex.compile(r"\b[A-Z][A-Z0-9_]*_(?:KEY|TOKEN|ENDPOINT|HOST|PROJECT)\b")
_LONGEST: Final = 100  # code points of a path in a message


def untrusting(error: BaseException, who: str) -> ProviderError:
    """What to raise where the certificates to trust cannot be read.

    >>> untrusting(FileNotFoundError(2, "..."), "openai/m").hint.partition(" is ")[0]
    'SSL_CERT_FILE'
    """
    given = [f"{name}={os.environ[name]!r:.{_LONGEST}}" for name in _CERTIFICATES if _set(name)]
    at = f" from {' and '.join(given)}" if given else ""
    return ProviderError(
        f"{who}: the certificates to trust could not be read{at} ({type(error).__name__})",
        hint="SSL_CERT_FILE is a file of certificates in PEM form, SSL_CERT_DIR a folder of them; "
        "unset, those of the system are used",
        original=error,
    )


def unproxied(error: BaseException, who: str) -> ProviderError:
    """What to raise where an HTTP client cannot be built, which is over the proxies it is to use.

    Their addresses may hold a password, and so may the client's exception, which is not kept.
    """
    found = {name: value for name in _PROXIES if (value := _either(name))}
    socks = {name: value for name, value in found.items() if _is_of(value, ("socks",))}
    odd = {name: value for name, value in found.items() if not _is_of(value, ("http", "socks"))}
    kind = type(error).__name__
    if isinstance(error, ImportError) and socks:
        hint = f"pip install 'httpx2[socks]', or unset {_names(socks)}"
        return ProviderError(f"{who}: {_shown(socks)} needs a package ({kind})", hint=hint)
    return ProviderError(
        f"{who}: its HTTP client could not be built with {_shown(odd or found)} ({kind})",
        hint="a proxy is http://HOST:PORT, https://HOST:PORT or socks5://HOST:PORT",
    )


def of_the_environment(error: BaseException, who: str) -> ProviderError | None:
    """What to raise for an error of any SDK that is over certificates or proxies, else `None`.

    >>> of_the_environment(ValueError("Unknown scheme for proxy URL"), "google/m").hint[:27]
    'a proxy is http://HOST:PORT'
    >>> of_the_environment(ValueError("no such region"), "google/m")
    """
    if isinstance(error, ssl.SSLError):
        return untrusting(error, who)
    if isinstance(error, FileNotFoundError) and any(map(_is_missing, _CERTIFICATES)):
        return untrusting(error, who)
    words = str(error).lower()
    if isinstance(error, ImportError | ValueError) and ("proxy" in words or "socks" in words):
        return unproxied(error, who)
    return None


def unbuilt(error: Exception, who: str) -> ProviderError:
    """What to raise for a client that instructor could not build.

    Of what any SDK says to that, the package and the variables that it names.

    >>> unbuilt(ValueError("Set WRITER_API_KEY, or run pip install writer-sdk"), "writer/m").hint
    "install the provider's own SDK (pip install 'writer-sdk') and set its key: WRITER_API_KEY"
    """
    package, wanted = _PACKAGE.search(str(error)), dict.fromkeys(_VARIABLE.findall(str(error)))
    install = f" (pip install '{package[1]}')" if package else ""
    variables = f": {', '.join(wanted)}" if wanted else ""
    return ProviderError(
        f"{who}: instructor could not build its client ({type(error).__name__})",
        hint=f"install the provider's own SDK{install} and set its key{variables}",
        original=error,
    )


def unsendable(error: UnicodeEncodeError) -> tuple[str, str]:
    """What to say of a request that cannot be written: what is wrong with it, and what to do.

    The exception itself holds the whole header, key and all, or the whole body.

    >>> unsendable(UnicodeEncodeError("utf-8", '{"model": "..."}', 0, 1, "..."))[0]
    'half of a surrogate pair in the request'
    """
    if isinstance(error.object, str) and error.object.lstrip().startswith("{"):
        hint = "look for a lone U+D800 to U+DFFF in the model's name and in extra_body"
        return "half of a surrogate pair in the request", hint
    sent = str(error.object)
    names = [n for n, value in os.environ.items() if _is_odd_header(n, value) and value in sent]
    what = ", ".join(sorted(names)) or "a header"
    hint = (
        "a key, an organization or another header of the client holds a letter beyond ASCII, "
        "often one that was pasted along with it; copy it again"
    )
    return f"{what} holds a character that no header can", hint


def _is_odd_header(name: str, value: str) -> bool:
    return not value.isascii() and _HEADERS.fullmatch(name) is not None


def _is_missing(name: str) -> bool:
    return _set(name) and not os.path.exists(os.environ[name])  # noqa: PTH110  # any text at all


def _set(name: str) -> bool:
    return bool(os.environ.get(name))


def _either(name: str) -> str:
    """A proxy's variable is read in small letters first, as everywhere."""
    return os.environ.get(name.lower()) or os.environ.get(name) or ""


def _is_of(value: str, schemes: tuple[str, ...]) -> bool:
    return "://" not in value or value.lower().startswith(schemes)


def _shown(found: Mapping[str, str]) -> str:
    """The variables with their schemes: of the rest nobody can tell what is a password."""
    said = [f"{n}={s[0]}://..." if (s := _SCHEME.match(v)) else n for n, v in found.items()]
    return ", ".join(said) or "the proxies of this machine"


def _names(found: Mapping[str, str]) -> str:
    return ", ".join(found)
