"""What a folding rule is: the places where it may apply, and the edits it makes there."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from groundedgen.patterns import compiled

__all__ = ["Edit", "Rule", "foreign"]

Edit = tuple[int, int, str]
"""Start, end and replacement; lists of them are sorted and do not overlap."""

_ASCII_BYTES = bytes(range(128))
_ASCII = frozenset(map(chr, _ASCII_BYTES))


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule that looks at its surroundings.

    Attributes:
        hints: Texts of which one must occur before the rule can apply at all.
        foreign: The same as a set, if each is one character beyond ASCII.
        edits: The edits it makes in a text.
    """

    hints: tuple[str, ...]
    foreign: frozenset[str]
    edits: Callable[[str], list[Edit]]

    @classmethod
    def of(cls, hints: Iterable[str], edits: Callable[[str], list[Edit]]) -> Rule:
        """A rule that is run on a text only if one of `hints` is in it."""
        ordered = tuple(hints)
        alone = all(len(hint) == 1 and not hint.isascii() for hint in ordered)
        return cls(ordered, frozenset(ordered) if alone else frozenset(), edits)

    def may_apply(self, text: str, strange: frozenset[str]) -> bool:
        """Whether a hint is in `text`; `strange` is `foreign(text)`."""
        if self.foreign:
            return not self.foreign.isdisjoint(strange)
        return any(hint in text for hint in self.hints)


def foreign(text: str) -> frozenset[str]:
    """The different characters of `text` beyond ASCII.

    >>> sorted(foreign("a “b” c"))
    ['“', '”']
    """
    if text.isascii():
        return frozenset()
    raw = text.encode("utf-8", "surrogatepass")
    if len(raw) > len(text) * 1.2:  # much is beyond ASCII: an alphabet, then, or ideographs
        return _alphabet(text)
    return frozenset(raw.translate(None, _ASCII_BYTES).decode("utf-8", "surrogatepass"))


_FOREIGN = compiled("[^\x00-\x7f]")
_LETTERS = 48


def _alphabet(text: str) -> frozenset[str]:
    """Take one letter after another out of the text; an alphabet is soon through.

    Half the time of `set(text)`, which makes an object of every single character.
    """
    found: set[str] = set()
    while len(found) < _LETTERS and (match := _FOREIGN.search(text)):
        found.add(match[0])
        text = text.replace(match[0], "")
    return frozenset(found.union(text)) - _ASCII
