"""Links in a text that a model wrote, in any form that a renderer could make live."""

from __future__ import annotations

import re
from collections.abc import Iterable

from groundedgen.patterns import compiled
from groundedgen.text.matching.shelf import folded

__all__ = ["links"]

_MARKUP = compiled(
    r"""
      !?\[[^\[\]]{0,500}\]\(                                     # [text](target), ![picture](...)
    | ^\ {0,3}\[[^\[\]]{1,200}\]:\s*\S+\s*(?:["'(].{0,200})?$     # [name]: target
    | </?(?:img|iframe|frame|script|link|video|audio|source|track|object|embed|form|svg|image|base
          |meta|area|input|button|picture|style)\b
    | </?a(?:\s[^<>]{0,500})?>
    | <[^<>]{0,500}\b(?:src|href|srcset|poster|action|formaction|background|on[a-z]{3,20})\s*=
    | \b(?:java|vb|live)script:(?=\S)
    | \bdata:[a-z]+/[a-z0-9.+-]+
    | \burl\(
    """,
    re.VERBOSE | re.MULTILINE,
)
_ADDRESS = compiled(
    r"(?:\b[a-z][a-z0-9+.-]{1,20}:/{1,3}|\bwww\.|(?<![\w:/])//(?=\w)|\bmailto:)[^\s<>\"'|]+",
    re.IGNORECASE,
)
# Nothing above matches a text without one of these.
_SIGNS = ("[", "<", "=", ":", "//", "www.", "url", "WWW.")
_TAIL = ".,;:!?)]}*_`”’»…"
_GOES_ON = compiled(r"[.:,;!]?[\w/?#=&%~+@-]")


def links(text: str, sources: Iterable[str] = ()) -> tuple[str, ...]:
    """What in `text` a renderer could make a link, a picture or a script of.

    A plain address that stands, whole, in one of `sources` is the source's own word and allowed.
    Markup never is.

    >>> links("See https://x.example/a.")
    ('https://x.example/a',)
    >>> links("See https://x.example/a.", ["Forms: https://x.example/a"])
    ()
    >>> links("Sections [1][2] and JavaScript: an introduction"), links("![x](/a.png)")
    ((), ('![x](',))
    """
    seen = (text, folded(text).text)
    if not any(sign in shape for shape in seen for sign in _SIGNS):
        return ()
    markup = [match[0] for shape in seen for match in _MARKUP.finditer(shape.lower())]
    if markup:
        return tuple(dict.fromkeys(markup))
    plain, hidden = (_ADDRESS.findall(shape) for shape in seen)
    if len(hidden) > len(plain):  # written with an invisible sign in it, or escaped
        return tuple(hidden)
    sources = tuple(sources)
    addresses = dict.fromkeys(address.rstrip(_TAIL) for address in plain)
    return tuple(a for a in addresses if not any(_holds(source, a) for source in sources))


def _holds(source: str, address: str) -> bool:
    """Whether the address stands in the source, whole: it neither begins earlier nor goes on."""
    at = source.find(address)
    while at >= 0:
        end = at + len(address)
        if not source[at - 1 : at].isalnum() and not _GOES_ON.match(source, end):
            return True
        at = source.find(address, at + 1)
    return False
