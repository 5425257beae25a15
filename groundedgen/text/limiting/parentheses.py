"""Sentences in brackets of their own: "(See section 4.)" between two other sentences."""

from __future__ import annotations

from typing import Final

from groundedgen.patterns import lazy

__all__ = ["aside_end"]

_LONGEST: Final = 1_000  # code points of an aside
_BRACKET: Final = lazy(r"[()\[\]\uff08\uff09\u3010\u3011]")
_OPENING: Final = frozenset("([\uff08\u3010")
_WORDS: Final = lazy(r"[(\[]\s*[^\s()\[\]]+\s+\S|[\uff08\u3010]")
_ENDED: Final = lazy(r"[.!?\u3002\uff01\uff1f][\p{Pf}\"']?\s*\Z")
_FOLLOWED: Final = lazy(r"\s+(?=[^\s\p{Ll}\p{Po}])|(?<=[\uff09\u3011])\s*(?=\p{Lo})")


def aside_end(text: str, start: int, end: int) -> int | None:
    r"""Where a sentence in brackets at `start` ends and the next sentence begins, if one does.

    Its stop is inside its brackets, two words at least before it. Looks 1,000 code points far.

    >>> text = "(See section 4.) The cap is high."
    >>> text[aside_end(text, 0, len(text)) :]
    'The cap is high.'
    >>> aside_end("(a) The cap is high.", 0, 20), aside_end("(As in 4.) and 5.", 0, 17)
    (None, None)
    """
    if text[start : start + 1] not in _OPENING or not _WORDS.match(text, start, end):
        return None
    depth = 0
    for bracket in _BRACKET.finditer(text, start, min(end, start + _LONGEST)):
        depth += 1 if bracket[0] in _OPENING else -1
        if depth == 0:
            stopped = _ENDED.search(text, max(start, bracket.start() - 4), bracket.start())
            after = _FOLLOWED.match(text, bracket.end(), end) if stopped else None
            return after.end() if after else None
    return None
