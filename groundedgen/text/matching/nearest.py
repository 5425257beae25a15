"""The real words closest to a quote that does not stand anywhere."""

from __future__ import annotations

from collections import Counter, deque
from functools import lru_cache

from groundedgen.text.matching.runs import token_pattern
from groundedgen.text.matching.shelf import folded

__all__ = ["nearest"]

# Enough for any passage a model was shown; a longer text is searched in its first part only.
_LONGEST = 500_000


def nearest(quote: str, text: str) -> tuple[int, int]:
    """The window of `text`, as many words long as `quote`, that shares most words with it.

    Half-open, in code points; `(0, 0)` where no word is shared. The first of several equal ones.
    Linear in both lengths.

    >>> text = "It is dry. The tenant may terminate at any time."
    >>> start, end = nearest("the tenant must terminate at any time", text)
    >>> text[start:end]
    'The tenant may terminate at any time'
    >>> nearest("nothing alike", text)
    (0, 0)
    """
    wanted = Counter(_words(folded(quote).text)[0])
    source = folded(text)
    words, bounds = _kept(text) if len(text) <= _KEPT_LENGTH else _words(source.text)
    size = min(wanted.total(), len(words))
    last = _best(words, wanted, size)
    if last < 0:
        return 0, 0
    first = max(0, last - size + 1)
    return source.origin(bounds[first][0], bounds[last][1])


# A passage is asked again for each quote that failed in it.
_KEPT_LENGTH = 20_000


@lru_cache(maxsize=64)
def _kept(text: str) -> tuple[list[str], list[tuple[int, int]]]:
    return _words(folded(text).text)


def _words(text: str) -> tuple[list[str], list[tuple[int, int]]]:
    """The words of a folded text, and their bounds."""
    matches = list(token_pattern(text).finditer(text, 0, _LONGEST))
    return [match[0] for match in matches], [match.span() for match in matches]


def _best(tokens: list[str], wanted: Counter[str], size: int) -> int:
    """Where the window with most wanted words ends; -1 if there are none at all."""
    left = dict(wanted)  # how many of each the window may still count
    inside: deque[tuple[int, str]] = deque()
    best = shared = 0
    place = -1
    for i, token in [(i, token) for i, token in enumerate(tokens) if token in left]:
        while inside and inside[0][0] <= i - size:
            gone = inside.popleft()[1]
            left[gone] += 1
            shared -= left[gone] > 0
        inside.append((i, token))
        shared += left[token] > 0
        left[token] -= 1
        if shared > best:
            best, place = shared, i
    return place
