"""The small words of an English sentence that turn its meaning: not, may, only, if, at least.

Each is found as a mark: a kind, a value, and the words it is made of. Phrases are matched
longest first; nothing is parsed, so a mark says that a word is there, not what it governs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from groundedgen.text.english.sensewords import SENSES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundedgen.text.tokens import Word

__all__ = ["GRAMMAR", "WAYS", "Mark", "is_grammar", "marks"]

# Kinds that are grammar and no content of their own; the others name a thing as well.
GRAMMAR: Final = frozenset({"negation", "nothing", "modal", "every", "some", "only", "if", "bound"})


class Mark(NamedTuple):
    """One sense-bearing phrase: words `[first, last)` of the sentence."""

    kind: str
    value: str
    first: int
    last: int


def _phrases() -> dict[str, list[tuple[tuple[str, ...], str, str]]]:
    table: dict[str, list[tuple[tuple[str, ...], str, str]]] = {}
    for line in SENSES.strip().split("\n"):
        head, _, tail = line.partition(": ")
        kind, value = head.split()
        for phrase in tail.split(" | "):
            parts = tuple(phrase.split())
            table.setdefault(parts[0], []).append((parts, kind, value))
    for entries in table.values():
        entries.sort(key=lambda entry: -len(entry[0]))
    return table


_TABLE: Final = _phrases()
# Single words of direction, by where they point: up, down or the same.
WAYS: Final[dict[str, str]] = {
    parts[0]: value
    for entries in _TABLE.values()
    for parts, kind, value in entries
    if kind == "way" and len(parts) == 1
}
_NUMBER_WORDS = """
one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand
million billion dozen half zero
"""
_NUMBERS: Final = frozenset(_NUMBER_WORDS.split())


def _is_number(word: str) -> bool:
    return word[0].isdigit() or word in _NUMBERS


def is_grammar(mark: Mark) -> bool:
    """Whether the words of a mark are grammar only ("must", "according to")."""
    return mark.kind in GRAMMAR or mark.value == "said"


def marks(words: Sequence[Word]) -> list[Mark]:
    """The marks of a sentence's words, in order, not overlapping.

    >>> from groundedgen.text.tokens import words
    >>> def show(text): return [(m.kind, m.value) for m in marks(words(text))]
    >>> show("The tenant may not sublet unless at least 2 rooms are let.")
    [('modal', 'cannot'), ('if', 'unless'), ('bound', 'least')]
    >>> show("The lease ends in May."), show("See the clause over the page.")
    ([], [])
    """
    found: list[Mark] = []
    at = 0
    while at < len(words):
        mark = _mark_at(words, at)
        if mark is None:
            at += 1
            continue
        if not _is_something_else(words, mark):
            found.append(mark)
        at = mark.last
    return found


def _mark_at(words: Sequence[Word], at: int) -> Mark | None:
    for parts, kind, value in _TABLE.get(words[at].text, ()):
        last = at + 1 if len(parts) == 1 else _end(words, at, parts)
        if last:
            return Mark(kind, value, at, last)
    if _is_number(words[at].text):
        return _after_number(words, at)
    return None


def _end(words: Sequence[Word], at: int, parts: tuple[str, ...]) -> int:
    """One past the last word of a phrase that stands at `at`; 0 where it does not."""
    for offset, part in enumerate(parts):
        place = at + offset
        if place >= len(words):
            return 0
        if part == "#":
            return place if _number_ahead(words, place) else 0
        if words[place].text != part:
            return 0
    return at + len(parts)


def _number_ahead(words: Sequence[Word], place: int) -> bool:
    return any(_is_number(w.text) for w in words[place : place + 2])


def _after_number(words: Sequence[Word], at: int) -> Mark | None:
    """The phrase in "18 years or older"; it follows the number, with at most two words between."""
    for parts, kind, value in _TABLE["#"]:
        rest = parts[1:]
        for start in (at + 1, at + 2, at + 3):
            if tuple(w.text for w in words[start : start + len(rest)]) == rest:
                return Mark(kind, value, start, start + len(rest))
    return None


def _is_something_else(words: Sequence[Word], mark: Mark) -> bool:
    """Whether the phrase is another word of the same letters: the month, a name, "no. 5"."""
    first, word = mark.first, words[mark.first]
    before = words[first - 1].text if first else ""
    after = words[mark.last].text if mark.last < len(words) else ""
    if word.text in ("may", "states", "will", "mark") and word.capital and first:
        return True
    if word.text == "may" and mark.last - first == 1:
        day = before.isdecimal() and len(before) <= 2
        return before in _BEFORE_MONTH or after[:1].isdigit() or day
    if word.text == "no" and mark.kind == "negation":
        return after[:1].isdigit()
    if word.text == "provided" and mark.last - first == 1:
        return after in _AFTER_SUPPLIED or before in _BEFORE_SUPPLIED
    return False


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_BEFORE_MONTH: Final = _set("in of by since until from early late mid last next")
_AFTER_SUPPLIED: Final = _set("by in to for with at on under a an and")
_BEFORE_SUPPLIED: Final = _set("is are was were be been being has have had as")
