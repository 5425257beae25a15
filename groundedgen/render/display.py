"""Foreign words made fit to be seen. Data is never changed, only what is put on a page.

Statements, titles and passages may hold characters that reorder, hide or fake what a
reader sees. They are left out here; letters, marks, joiners and digits are not touched.
"""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import quote, urlsplit

from groundedgen.patterns import compiled

__all__ = ["clean", "line", "unlinked", "web_link"]

_REPLACEMENT: Final = "\ufffd"
#: Terminal control sequences, 7 and 8 bit: CSI, and OSC with its hidden payload. Bounded,
#: so that an unclosed one takes nothing but its first characters with it.
_TERMINAL: Final = compiled(
    "(?:\x1b\\[|\x9b)[0-?]{0,64}[ -/]{0,16}[@-~]"
    "|(?:\x1b\\]|\x9d)[^\x07\x1b\x9b-\x9d\n]{0,2048}(?:\x07|\x1b\\\\|\x9c)"
)
_BREAKS: Final = compiled("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_HIDDEN: Final = compiled(
    "["
    "\x00-\x08\x0e-\x1f\x7f-\x9f"  # controls; tab and line feed stay
    "\xad\u200b\u2060-\u2064\ufeff\u180e\u034f"  # soft hyphen, zero width (not the joiners)
    "\u202a-\u202e\u2066-\u206f"  # embeddings, overrides, isolates, deprecated shaping
    "\ufff9-\ufffb\u3164\uffa0"  # annotation marks, fillers that look like blanks
    "\U000e0000-\U000e007f\U0001d173-\U0001d17a"  # tags, musical beams
    "]"
)
_BROKEN: Final = compiled("[\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
#: One selects the form of the character before it; more than one can only be a hidden message.
_SELECTORS: Final = compiled(
    "(?<=[\ufe00-\ufe0f\U000e0100-\U000e01ef])[\ufe00-\ufe0f\U000e0100-\U000e01ef]+"
)
_BLANKS: Final = compiled(r"[ \t\n]+")

_JOINER: Final = "\u2060"
#: Where a program would see the start of an address: `//`, `www.`, `@name`, `javascript:x`.
_ADDRESS: Final = compiled(
    r"/(?=/)|\bwww(?=\.)|@(?=\w)|\b(?:javascript|vbscript|data|file|blob|mailto|tel)(?=:\S)",
    re.IGNORECASE,
)
_URL_UNSAFE: Final = compiled(r"[^!#$%&'*+,\-./0-9:;=?@A-Z_a-z~]")


def clean(text: str) -> str:
    r"""The text without characters that no reader can see but that change what is seen.

    Line breaks of all kinds become line feeds. What is no character becomes U+FFFD.

    >>> clean("pay \u202e000,1\u202c euros\x1b[31m!")
    'pay 000,1 euros!'
    >>> clean("نمی\u200cخواهم")  # the joiners of Persian and of emoji stay
    'نمی\u200cخواهم'
    """
    text = _HIDDEN.sub("", _BREAKS.sub("\n", _TERMINAL.sub("", text)))
    return _BROKEN.sub(_REPLACEMENT, _SELECTORS.sub("", text))


def line(text: str) -> str:
    r"""`clean`, on one line: a line break in a title cannot start a new entry of a list.

    >>> line(" Lease\n\n[2]  Annex ")
    'Lease [2] Annex'
    """
    return _BLANKS.sub(" ", clean(text)).strip()


def unlinked(text: str) -> str:
    r"""The text with every address in it broken by an invisible word joiner.

    Chats, mail programs and Markdown renderers turn bare addresses into links, also
    where all markup is escaped. It looks the same and leads nowhere.

    >>> unlinked("see https://evil.example").encode("ascii", "backslashreplace").decode()
    'see https:/\\u2060/evil.example'
    >>> unlinked("and/or, data: none, 5 / 7")
    'and/or, data: none, 5 / 7'
    """
    return _ADDRESS.sub(lambda match: match[0] + _JOINER, text)


def web_link(url: str | None) -> str | None:
    """The address if it is plain http(s) to a host, percent-encoded; otherwise `None`.

    No user name or password (it would be shown, or would dress one host up as another),
    no control characters or backslashes (browsers and parsers disagree on them).

    >>> web_link("https://docs.example/a b?x=1&y=(2)")
    'https://docs.example/a%20b?x=1&y=%282%29'
    >>> web_link(" JaVaScRiPt:alert(1)"), web_link("https://bank.example@evil.example/")
    (None, None)
    """
    url = (url or "").strip(" \t\n\r")
    if "\\" in url or clean(url) != url or "\n" in url or "\t" in url:
        return None
    try:
        parts = urlsplit(url)
        port = parts.port
        host = (parts.hostname or "").encode("idna").decode("ascii")
    except (UnicodeError, ValueError):
        return None
    if parts.scheme not in {"http", "https"} or not host or "@" in parts.netloc:
        return None
    if re.search(r"[^0-9a-z.:_\-]", host):
        return None
    netloc = f"[{host}]" if ":" in host else host
    netloc += "" if port is None else f":{port}"
    rest = url[url.index("//") + 2 + len(parts.netloc) :]
    return f"{parts.scheme}://{netloc}" + _URL_UNSAFE.sub(lambda m: quote(m[0], safe=""), rest)
