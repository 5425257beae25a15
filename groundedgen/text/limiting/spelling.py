r"""A piece of text as its words read: without emphasis, tags, and what is not seen.

The rules of this room look for words. `_not_` is no word to them, nor is "n\u00adot" with a soft
hyphen in it, and a reader sees "not".
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Final

import regex

from groundedgen.patterns import lazy

__all__ = ["as_read"]

_TAG: Final = lazy(r"</?[A-Za-z][^<>\n]{0,200}>|&nbsp;", regex.IGNORECASE)
_UNDERSCORES: Final = lazy(r"(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])")
_UNSEEN: Final = lazy(r"[\u00ad\u200b-\u200f\u2060\ufeff]")
_WIDE: Final = lazy(r"[\uff01-\uff5e]+")


@lru_cache(maxsize=512)  # asked by one rule after another
def as_read(text: str) -> str:
    r"""The text with blanks for tags and underscores of emphasis, and without unseen characters.

    >>> as_read("This does _not_ apply."), as_read("Th\u00adis <em>ends</em>."), as_read("doc_3")
    ('This does  not  apply.', 'This  ends .', 'doc_3')
    """
    if text.isascii() and "_" not in text and "<" not in text and "&" not in text:
        return text
    text = _UNDERSCORES.sub(" ", _TAG.sub(" ", _UNSEEN.sub("", text)))
    text = _WIDE.sub(lambda match: unicodedata.normalize("NFKC", match[0]), text)
    return text.replace("\u02bc", "\u2019")
