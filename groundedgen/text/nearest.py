"""The real words closest to a quote that does not stand anywhere."""

from __future__ import annotations

from collections import Counter, deque
from itertools import islice

from groundedgen.text.runs import token_pattern
from groundedgen.text.shelf import folded

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
    words, source = folded(quote).text, folded(text)
    wanted = Counter(token_pattern(words).findall(words))
    pattern = token_pattern(source.text)
    tokens = pattern.findall(source.text, 0, _LONGEST)
    size = min(wanted.total(), len(tokens))
    last = _best(tokens, wanted, size)
    if last < 0:
        return 0, 0
    first = max(0, last - size + 1)
    spans = [match.span() for match in islice(pattern.finditer(source.text), first, last + 1)]
    return source.origin(spans[0][0], spans[-1][1])


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
