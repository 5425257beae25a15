"""Folding that needs no context: case, glyphs, composition, runs of blanks."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from groundedgen.patterns import compiled
from groundedgen.text.folding.foldtables import CHILLU, EMOJI, MARKS, MARKS_ASTRAL, chars, marks
from groundedgen.text.folding.rewriting import Draft
from groundedgen.text.folding.rules import Edit, foreign

__all__ = ["settle"]

# Runs of marks longer than this are left as they are: ordering a run is quadratic in its length,
# and Unicode's own stream-safe format (UAX 15) stops at 30.
_LONGEST_RUN = 40


def settle(draft: Draft) -> None:
    """Fold what needs no context. Afterwards it finds nothing more to do."""
    text = _lower(draft.text)
    if text.isascii():
        draft.text = text.translate(_ASCII_BLANKS)
    else:
        draft.text = text
        _glyphs(draft)
    draft.edit(_surplus_blanks(draft.text))


# --- case -----------------------------------------------------------------------------------

_ASCII_BLANKS = "".join(" " if chr(c).isspace() else chr(c) for c in range(128))

# Milli and mega differ by case alone (5 mW, 5 MW), so a milli-unit keeps its capital. The capital
# dotted I is the one letter whose small form is two code points; the table folds it.
_KEPT_HINTS = ("İ", "mW", "mV", "mJ", "mHz", "mPa")
_KEPT = compiled(
    r"İ|(?<![A-Za-z\x80-\U0010ffff])m(?:Wh?|VA?|J|Hz|Pa)(?![0-9A-Za-z\x80-\U0010ffff])"
)


def _lower(text: str) -> str:
    """Lower case, one code point to one (`casefold` would turn ß into ss, and strip iotas)."""
    if not any(hint in text for hint in _KEPT_HINTS):
        return text.lower()
    pieces: list[str] = []
    done = 0
    for match in _KEPT.finditer(text):
        pieces += (text[done : match.start()].lower(), match[0])
        done = match.end()
    pieces.append(text[done:].lower())
    return "".join(pieces)


# --- glyphs ---------------------------------------------------------------------------------

_ASCII = frozenset(map(chr, range(128)))
_ASCII_ODD_BLANKS = "\n\t\r\x0b\x0c\x1c\x1d\x1e\x1f"

# Up to this many different characters, replacing one after another beats a table.
_FEW = 32


@dataclass(frozen=True, slots=True)
class _Tables:
    """`foldtables.chars` as the code below asks it."""

    single: Mapping[str, str]
    several: Mapping[str, str]
    marked: frozenset[str]


@cache
def _tables() -> _Tables:
    table = chars()
    return _Tables(
        single={c: new for c, new in table.items() if len(new) == 1},
        several={c: new for c, new in table.items() if len(new) != 1} | {_JOINER: ""},
        marked=marks() | {c for c, new in table.items() if not marks().isdisjoint(new)},
    )


def _glyphs(draft: Draft) -> None:
    """Put each listed character's folded form, then compose.

    Goes by the set of different characters: a text has few, and each is then found and replaced
    at the speed of `str.replace`. (A regular expression over the whole list was ten times slower.)
    """
    before, tables, strange = draft.text, _tables(), foreign(draft.text)
    marked = not tables.marked.isdisjoint(strange)
    # First, lest the sign before a mark is folded away from it.
    if marked and draft.edit(list(_compositions(draft.text))):
        draft.text = _lower(draft.text)
        strange = foreign(draft.text)
    draft.text = _replaced(draft.text, {c: n for c in strange if (n := tables.single.get(c))})
    several = [c for c in strange if c in tables.several]
    if several:
        draft.edit(sorted(_letters(draft.text, several, tables.several)))
    if marked and draft.text != before:  # and again, for what the tables put together
        draft.edit(list(_compositions(draft.text)))


def _replaced(text: str, new: Mapping[str, str]) -> str:
    for blank in _ASCII_ODD_BLANKS:
        text = text.replace(blank, " ")
    if len(new) <= _FEW:
        for old, glyph in new.items():
            text = text.replace(old, glyph)
        return text
    # Every character that occurs is in the table: a look-up that fails costs five that do not.
    every = {char: char for char in (*foreign(text), *_ASCII)}
    return text.translate({ord(old): glyph for old, glyph in (every | dict(new)).items()})


def _letters(text: str, several: Iterable[str], table: Mapping[str, str]) -> Iterator[Edit]:
    """Each place where one character becomes several, or none."""
    for char in several:
        at = text.find(char)
        while at >= 0:
            yield _joined(text, at) if char == _JOINER else (at, at + 1, table[char])
            at = text.find(char, at + 1)


# --- the joiner -----------------------------------------------------------------------------

_JOINER = "\u200d"
_PICTURE = compiled(f"[{EMOJI}]")


def _joined(text: str, at: int) -> Edit:
    """A joiner goes, unless it makes one picture of two; with a Malayalam final it composes."""
    before = text[at - 1 : at]
    if (before == "\ufe0f" or _PICTURE.match(before)) and _PICTURE.match(text, at + 1):
        return at, at + 1, _JOINER
    chillu = CHILLU.get(text[max(at - 2, 0) : at + 1])
    return (at - 2, at + 1, chillu) if chillu else (at, at + 1, "")


# --- composition ----------------------------------------------------------------------------

# The engine looks a character up at once in a class below U+10000, and searches it above.
_LONG_RUN = compiled(f"[{MARKS}]{{{_LONGEST_RUN + 1}}}")
_LONG_RUN_ASTRAL = compiled(f"[{MARKS}{MARKS_ASTRAL}]{{{_LONGEST_RUN + 1}}}")
_CLUSTER = compiled(f"[^{MARKS}]?[{MARKS}]++")
_CLUSTER_ASTRAL = compiled(f"[^{MARKS}{MARKS_ASTRAL}]?[{MARKS}{MARKS_ASTRAL}]++")


def _compositions(text: str) -> Iterator[Edit]:
    """Canonically composed letters (NFC), cluster by cluster so that offsets are kept."""
    astral = max(text, default="") > "\uffff"
    bounded = not (_LONG_RUN_ASTRAL if astral else _LONG_RUN).search(text)
    if bounded and unicodedata.is_normalized("NFC", text):  # linear on bounded runs only
        return
    table = chars()
    for match in (_CLUSTER_ASTRAL if astral else _CLUSTER).finditer(text):
        cluster = match[0]
        if len(cluster) <= _LONGEST_RUN:
            composed = unicodedata.normalize("NFC", cluster)
            if composed != cluster:
                yield match.start(), match.end(), "".join(table.get(c, c) for c in composed)


# --- blanks ---------------------------------------------------------------------------------

_BLANK_RUN = compiled("  +")


def _surplus_blanks(text: str) -> list[Edit]:
    """Runs of blanks shrink to one; those at the edges go."""
    first, last = len(text) - len(text.lstrip(" ")), len(text.rstrip(" "))
    if first > last:
        return [(0, len(text), "")]
    edits = [(0, first, "")] if first else []
    if "  " in text:
        edits += [(m.start(), m.end(), " ") for m in _BLANK_RUN.finditer(text, first, last)]
    return [*edits, (last, len(text), "")] if last < len(text) else edits
