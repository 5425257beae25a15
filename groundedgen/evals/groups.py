"""Judged pairs by what may make them hard: source, language, length, numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from groundedgen.evals.figures import Scored
from groundedgen.text.numerals import numerals
from groundedgen.text.tokens import guess_language

__all__ = ["groups"]

#: Groups of one kind at most; the smaller ones are put together as "others".
_MOST: Final = 30


def groups(judged: Sequence[Scored]) -> dict[str, dict[str, list[Scored]]]:
    """Kind -> group -> its pairs, the largest groups first."""
    return {kind: _grouped(judged, name) for kind, name in _KINDS.items()}


def _grouped(judged: Sequence[Scored], name: Callable[[Scored], str]) -> dict[str, list[Scored]]:
    names = [name(one) for one in judged]
    counts = Counter(names)
    shown = sorted(counts, key=lambda n: (-counts[n], n))
    if len(shown) > _MOST:
        shown = shown[: _MOST - 1]
    found: dict[str, list[Scored]] = {group: [] for group in shown}
    for group, one in zip(names, judged, strict=True):
        found.setdefault(group if group in counts and group in shown else "others", []).append(one)
    return found


def _source(one: Scored) -> str:
    return _stored(one.item.source) or "unknown"


def _language(one: Scored) -> str:
    """As labelled; else as the claim's own words tell."""
    return _stored(one.item.lang) or guess_language(one.item.claim) or "unknown"


def _stored(name: str) -> str:
    """The name as it comes back from JSON, which makes one character of two halves."""
    return name.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def _length(one: Scored) -> str:
    words = len(one.item.premise.split())
    return "up to 50 words" if words <= 50 else "51 to 200 words" if words <= 200 else "over 200"


def _number(one: Scored) -> str:
    return "with a number" if numerals(one.item.claim) else "without a number"


_KINDS: Final[Mapping[str, Callable[[Scored], str]]] = {
    "source": _source,
    "language": _language,
    "length": _length,
    "number": _number,
}
