"""Two cases of which one holds: "if it is late, we pay half; otherwise we pay all".

"Otherwise" turns the condition round, "whereas" names another subject. A claim may tell one case;
it may not join what is asked in the one with what follows in the other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import regex

from groundedgen.judges.wording.lexwords import is_content, tokens
from groundedgen.patterns import lazy
from groundedgen.text.english.kinship import key

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from groundedgen.text.sentences import Span

__all__ = ["Halves", "crossed", "halves"]

_DIVIDER: Final = lazy(
    r"(?:(?<=[,;.\u2013\u2014]\s)|(?<=\n)|\A)(?:and\s+|but\s+|or\s+)?(?:otherwise|else|if\s+not"
    r"|(?:in|for|with)\s+(?:all|any|every)\s+other\s+(?:cases?|circumstances?|events?)|in\s+other\s+cases"
    r"|if\s+(?:this|that)\s+is\s+not\s+(?:so|the\s+case)|failing\s+(?:this|that|which)"
    r"|if\s+(?:you|they|it|he|she|we)\s+(?:do|does|did|are|is|have|has)\s+not(?=\s*,)|whereas)(?!\p{L})",
    regex.IGNORECASE,
)
_OTHER_CASE: Final = lazy(
    r"\b(?:otherwise|else|if\s+not|other\s+(?:cases?|circumstances?|events?)|whereas|while)\b",
    regex.IGNORECASE,
)
_COMPARES: Final = lazy(r"\b(?:than|both|but|and)\b", regex.IGNORECASE)
_PART: Final = lazy(r"[,;]\s")
_OPENS: Final = lazy(
    r"\b(?:if|when|where|once|until|unless|provided|as\s+long\s+as|in\s+case)\b", regex.IGNORECASE
)
_TELLING: Final = frozenset(["same", "no", "not", "never", "one", "all"])
_DENIALS: Final = frozenset(["no", "not", "never"])
_LONG: Final = 1_000  # code points of a half
_MOST: Final = 0.6  # share of a claim that must stand in the two halves


class Halves(NamedTuple):
    """The keys of the first case, those of its condition alone, and those of the other case."""

    first: frozenset[str]
    asked: frozenset[str]
    other: frozenset[str]
    is_condition: bool


def _keys(words: Iterable[str]) -> frozenset[str]:
    kept = (word for word in words if is_content(word) or word in _TELLING)
    return frozenset(word if word in _TELLING else key(word) for word in kept)


def halves(text: str, spans: Sequence[Span]) -> tuple[Halves, ...]:
    """The sentences of a text that tell two cases, or two sentences of which the second does.

    Args:
        text: The text.
        spans: Its sentences, half-open, in order.

    >>> text = "If it is late, we pay half; otherwise we pay all."
    >>> [sorted(found.asked) for found in halves(text, [(0, len(text))])]
    [['late']]
    """
    found: list[Halves] = []
    if _DIVIDER.search(text) is None:
        return ()
    for number, (start, end) in enumerate(spans):
        divider = _DIVIDER.search(text[start:end]) if end - start <= _LONG else None
        if divider is None:
            continue
        first, other = text[start : start + divider.start()], text[start + divider.end() : end]
        if not any(map(str.isalpha, first)) and number:
            first = text[slice(*spans[number - 1])][-_LONG:]
        found.append(_halves(first, other))
    return tuple(found)


def _halves(first: str, other: str) -> Halves:
    ours, theirs = _keys(tokens(first)), _keys(tokens(other))
    asked = _asked(first)
    return Halves(ours, (asked or ours) - theirs, theirs, bool(asked))


def _asked(first: str) -> frozenset[str]:
    """The keys of the condition in a half: what stands from "if" to the next comma."""
    for part in _PART.split(first):
        opens = _OPENS.search(part)
        if opens is not None:
            return _keys(tokens(part[opens.end() :]))
    return frozenset()


def crossed(claim: str, found: Sequence[Halves]) -> bool:
    """Whether a claim tells of one case what the text tells of the other.

    >>> text = "If it is late, we pay half; otherwise we pay all."
    >>> pairs = halves(text, [(0, len(text))])
    >>> [crossed(c, pairs) for c in ("If it is late, we pay all.", "If it is late, we pay half.")]
    [True, False]
    """
    if not found or _OTHER_CASE.search(claim):
        return False
    said = _keys(tokens(claim))
    return any(_crosses(claim, said, two) for two in found)


def _crosses(claim: str, said: frozenset[str], two: Halves) -> bool:
    if len(said & (two.first | two.other)) < _MOST * len(said):
        return False
    if not two.is_condition and _COMPARES.search(claim):
        return False
    asks, takes = bool(said & two.asked), bool(said & (two.other - two.first))
    denied = bool(two.first & _DENIALS) and not two.other & _DENIALS
    if asks and denied and two.is_condition and not said & _DENIALS:
        return True
    if takes and two.is_condition and _OPENS.search(claim) is None:
        return not said & (two.first - two.other - two.asked)
    return asks and takes
