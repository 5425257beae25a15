"""Foreign words made fit to be seen. Data is never changed, only what is put on a page.

Statements, titles and passages may hold characters that reorder, hide or fake what a
reader sees. They are left out here; letters and digits are not touched, nor are marks and joiners
that belong to them.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final, Literal
from urllib.parse import quote, urlsplit

from groundedgen.patterns import compiled
from groundedgen.text.visible import unhidden

__all__ = ["clean", "direction", "line", "name", "plain", "unlinked", "web_link"]

#: Terminal control sequences, 7 and 8 bit: CSI, and OSC with its hidden payload. Bounded,
#: so that an unclosed one takes nothing but its first characters with it.
_TERMINAL: Final = compiled(
    "(?:\x1b\\[|\x9b)[0-?]{0,64}[ -/]{0,16}[@-~]"
    "|(?:\x1b\\]|\x9d)[^\x07\x1b\x9b-\x9d\n]{0,2048}(?:\x07|\x1b\\\\|\x9c)"
)
_BROKEN: Final = compiled("[\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
_BLANKS: Final = compiled(r"[ \t\n]+")

#: Letters and a symbol that show nothing: fillers of Hangul, the empty pattern of Braille.
_SHAPELESS: Final = frozenset("\u115f\u1160\u2800")
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
    return _BROKEN.sub("\ufffd", unhidden(_TERMINAL.sub("", text)))


def line(text: str) -> str:
    r"""`clean`, on one line: a line break in a title cannot start a new entry of a list.

    >>> line(" Lease\n\n[2]  Annex ")
    'Lease [2] Annex'
    """
    return _BLANKS.sub(" ", clean(text)).strip()


def plain(text: str) -> str:
    r"""`line` and `unlinked`: foreign words for a place that has no markup.

    >>> plain("12\u200f.\u200f5 percent\n(www.bank.example)").replace("\u2060", "~")
    '12.5 percent (www~.bank.example)'
    """
    return unlinked(line(text))


def name(text: str | None) -> str:
    r"""A title on one line; empty where nothing of it could be seen.

    >>> name(" Lease\n"), name("\u200e\u2800\u115f"), name(None)
    ('Lease', '', '')
    """
    title = line(text or "")
    return title if any(c not in _SHAPELESS and _has_shape(c) for c in title) else ""


def _has_shape(char: str) -> bool:
    return unicodedata.category(char) not in {"Zs", "Cf", "Cn", "Mn", "Me"}


def direction(text: str) -> Literal["ltr", "rtl"]:
    """The direction of its first letter that has one (UAX 9, P2), as `dir="auto"` finds it.

    >>> direction("12 \u05d9\u05de\u05d9\u05dd (days)"), direction("12.5")
    ('rtl', 'ltr')
    """
    classes = map(unicodedata.bidirectional, text)
    first = next((found for found in classes if found in {"L", "R", "AL"}), "L")
    return "ltr" if first == "L" else "rtl"


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
