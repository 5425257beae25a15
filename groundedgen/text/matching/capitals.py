"""Letters that share a capital: where one text is in capitals, their difference is not printed."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping

from groundedgen.text.forms import Span

__all__ = ["letters_agree"]


def letters_agree(one: Span, other: Span) -> bool:
    """Whether each letter that the loose form replaced stands in both spans.

    Or in the other one as the capital that both letters share: SS for ß, I for ı, and in Greek the
    vowel without its accent, in a word of capitals.

    >>> from groundedgen.text.folds import normalize
    >>> from groundedgen.text.forms import loosen
    >>> def span(text: str) -> Span:
    ...     loose = loosen(normalize(text))
    ...     return Span(loose, 0, len(loose.folded.text))
    >>> [letters_agree(span("Maße"), span(text)) for text in ("MASSE", "Masse", "Maße")]
    [True, False, True]
    """
    mine, theirs = _letters(one), _letters(other)
    return _covered(mine, theirs, other) and _covered(theirs, mine, one)


def _letters(span: Span) -> dict[int, str]:
    """Replaced letters, by the number of characters kept before them."""
    letters = span.loose.letters
    first, last = (bisect_left(letters, (at, "")) for at in (span.start, span.end))
    inside = letters[first:last]
    kept = span.kept_before(at for at, _ in inside)
    return dict(zip(kept, (old for _, old in inside), strict=True))


def _covered(mine: Mapping[int, str], theirs: Mapping[int, str], other: Span) -> bool:
    if any(kept in theirs and theirs[kept] != old for kept, old in mine.items()):
        return False
    missing = [kept for kept in mine if kept not in theirs]
    places = zip(missing, other.positions(missing), strict=True)
    return all(_is_capital_of(mine[kept], other, at) for kept, at in places)


def _is_capital_of(old: str, other: Span, at: int) -> bool:
    folded = other.loose.folded
    start, end = folded.origin(at, at + (2 if old == "ß" else 1))
    capital = folded.source[start:end]
    if old == "ß":
        return capital == "SS"
    if old == "ı":
        return capital == "I"
    # Words in Greek capitals carry no accent; a capital that begins a word does.
    around = folded.source[max(0, start - 1) : start] + folded.source[end : end + 1]
    return capital.isupper() and around.strip() != "" and not any(char.islower() for char in around)
