"""Whether two texts that agree in the loose form are the same wording, place by place.

Where one of them has blanks, dashes, quote marks or points that the other has not, a rule must say
that this is a second reading of the same print. Everything without a rule is a difference.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from groundedgen.text.characters import EM_DASHES, LINE_BREAKS, RAISED, is_letter, is_unspaced
from groundedgen.text.folding.foldtables import SOFT_HYPHENS
from groundedgen.text.folds import Folded
from groundedgen.text.forms import DOT, OPTIONAL, Span
from groundedgen.text.matching.capitals import letters_agree
from groundedgen.text.matching.numbercuts import is_note_mark

__all__ = ["agree"]

_LIGATURES = frozenset(map(chr, range(0xFB00, 0xFB07)))
_HYPHENS = frozenset("-\u2010\u2011\u00ac" + SOFT_HYPHENS)

# Signs that a typesetter or a tokenizer sets with or without a blank; never a sign of a number.
_LOOSE_SIGNS = frozenset(".,;:!?()[]{}%‰°$€£¥₹&=<>~|§¶、。《》〈〉【】・।॥؟،؛…")
_NUMBER_SIGNS = frozenset(".,:'")
_MARKS = frozenset((*OPTIONAL, DOT))
_LEFT_OUT = _MARKS | RAISED
_CHARGES = frozenset("⁺⁻+")  # Ca²⁺ is an ion
_DASHES = _HYPHENS | EM_DASHES | {"–"}


@dataclass(frozen=True, slots=True)
class _Gap:
    """What stands between two kept characters; empty where nothing does."""

    folded: Folded
    start: int
    end: int

    @property
    def text(self) -> str:
        return self.folded.text[self.start : self.end]

    @property
    def left(self) -> str:
        return self.folded.text[self.start - 1]

    @property
    def right(self) -> str:
        return self.folded.text[self.end]

    def original(self) -> str:
        """What stands there in the original, invisible characters included."""
        before = self.folded.origin(self.start - 1, self.start)[1]
        after = self.folded.origin(self.end, self.end + 1)[0]
        return self.folded.source[before:after]

    def breaks_line(self) -> bool:
        return not LINE_BREAKS.isdisjoint(self.original())

    def touches_ligature(self) -> bool:
        """Whether a ligature stands beside it: extractors put blanks round `veri fi cation`."""
        before = self.folded.origin(self.start - 1, self.start)
        after = self.folded.origin(self.end, self.end + 1)
        return any(self.folded.source[a:b] in _LIGATURES for a, b in (before, after))

    def dashes(self) -> frozenset[str]:
        return _DASHES.intersection(self.original())


def agree(one: Span, other: Span) -> bool:
    r"""Whether two spans with the same loose text are the same wording.

    >>> from groundedgen.text.folds import normalize
    >>> from groundedgen.text.forms import Span, loosen
    >>> spans = [
    ...     Span(loosen(normalize(t)), 0, len(normalize(t).text))
    ...     for t in ("well-\nknown exam-\nple", "well-known example", "well known example")
    ... ]
    >>> agree(spans[0], spans[1]), agree(spans[1], spans[2])
    (True, False)
    """
    if not all(_same(a, b) for a, b in _paired(one, other)):
        return False
    if not (one.loose.letters or other.loose.letters):
        return True
    return letters_agree(one, other)


def _paired(one: Span, other: Span) -> Iterator[tuple[_Gap, _Gap]]:
    """The gaps of both at the same place, in order; where one has none, an empty one."""
    mine, theirs = _Gaps(one), _Gaps(other)
    while (kept := min(mine.kept, theirs.kept)) < _NO_MORE:
        yield mine.take(kept), theirs.take(kept)


_NO_MORE = sys.maxsize


class _Gaps:
    """The gaps of one span, read in step with those of another.

    `kept` is the number of characters kept before the next gap.
    """

    def __init__(self, span: Span) -> None:
        self._folded = span.loose.folded
        self._gaps = span.gaps()
        self._passed = span.start  # a position is this and the characters kept before it
        self._step()

    def _step(self) -> None:
        self.kept, self._start, self._end = next(self._gaps, (_NO_MORE, 0, 0))

    def take(self, kept: int) -> _Gap:
        """The gap after `kept` kept characters; an empty one if there is none."""
        if kept < self.kept:
            at = self._passed + kept
            return _Gap(self._folded, at, at)
        gap = _Gap(self._folded, self._start, self._end)
        self._passed += self._end - self._start
        self._step()
        return gap


# --- one gap --------------------------------------------------------------------------------


def _same(a: _Gap, b: _Gap) -> bool:
    if a.text == b.text:
        return True
    if not _marks_agree(a, b) or not _notes_agree(a, b):
        return False
    mine, theirs = (
        _quotes("".join(c for c in gap.text if c not in _LEFT_OUT), gap) for gap in (a, b)
    )
    if mine == theirs:
        return True
    bare, bare_too = mine.replace(" ", ""), theirs.replace(" ", "")
    if bare != bare_too:
        return _hyphen_dropped(mine, theirs, a, b) or _hyphen_dropped(theirs, mine, b, a)
    if bare in ("-", "/"):
        return _sign_spaced(mine, theirs, a, b) or _sign_spaced(theirs, mine, b, a)
    spaced, tight = (a, b) if " " in mine and len(mine) > len(theirs) else (b, a)
    return _blank_optional(spaced, tight, quoted=bool(bare))


def _marks_agree(a: _Gap, b: _Gap) -> bool:
    """Points may be missing on one side; two that differ are two words."""
    mine, theirs = (frozenset(gap.text) & _MARKS for gap in (a, b))
    if mine == theirs:
        return True
    if DOT in mine ^ theirs:
        # The small form of a capital dotted I is i; of a capital without dot it is ı.
        bare = b if DOT in mine else a
        start, end = bare.folded.origin(bare.start - 1, bare.start)
        return mine | theirs == {DOT} and bare.folded.source[start:end] == "i"
    return mine <= theirs or theirs <= mine


def _notes_agree(a: _Gap, b: _Gap) -> bool:
    """A raised digit may be missing on one side where it is a note mark: `fee\u00b9` is `fee`.

    An exponent, or two marks that differ, may not.
    """
    mine, theirs = ("".join(c for c in gap.text if c in RAISED) for gap in (a, b))
    if mine == theirs:
        return True
    if mine and theirs:
        return False
    noted = a if mine else b
    return (
        noted.text[0] in RAISED
        and is_note_mark(noted.folded.text, noted.start)
        and (
            noted.folded.text[noted.start + len(mine or theirs) : noted.end + 1][:1] not in _CHARGES
        )
    )


def _quotes(text: str, gap: _Gap) -> str:
    """Double marks as single ones: a quotation inside a quotation changes its marks.

    Not after a digit, where they are feet and inches, and not inside a word, where they are the
    marks of Hebrew abbreviations.
    """
    if '"' not in text or (text == '"' and is_letter(gap.left) and is_letter(gap.right)):
        return text
    is_inches = gap.left.isdecimal() and (text[0] == '"' or text[-1] == " ")
    return text if is_inches else text.replace('"', "'")


def _hyphen_dropped(broken: str, whole: str, a: _Gap, b: _Gap) -> bool:
    """`exam-` + `ple`: the hyphen at a line end was put there by the typesetter.

    Only between letters. The line break may have been made a blank since. A soft hyphen may also
    stand for a real one (`well<shy>known`), because older PDF files write all of them so.
    """
    if whole or not (is_letter(a.left) and is_letter(a.right)):
        return False
    if broken == "- ":
        return a.dashes() <= _HYPHENS
    return broken == "-" and bool(hidden := b.original()) and set(hidden) <= set(SOFT_HYPHENS)


def _sign_spaced(spaced: str, tight: str, a: _Gap, b: _Gap) -> bool:
    """A hyphen or slash at a line end that is kept, or an em dash with and without blanks."""
    sign = tight
    if len(tight) != 1 or len(spaced) < 2:
        return _em_spaced(a, b)
    if sign == "/" and is_letter(a.left) and is_letter(a.right):
        return True
    if spaced == f"{sign} " and (sign == "/" or a.dashes() <= _HYPHENS):
        lettered = is_letter(a.left) or is_letter(a.right)
        return a.breaks_line() or (sign == "-" and lettered)
    return sign == "-" and _em_spaced(a, b)


def _em_spaced(a: _Gap, b: _Gap) -> bool:
    clause = (
        (a.dashes() | b.dashes()) & (EM_DASHES | {"–"})
        or "--" in a.original()
        or "--" in b.original()
    )
    return (
        bool(clause)
        and not a.right.isdecimal()
        and (not a.left.isdecimal() or not EM_DASHES.isdisjoint(a.dashes() | b.dashes()))
    )


def _blank_optional(spaced: _Gap, tight: _Gap, *, quoted: bool) -> bool:
    """A blank beside a sign, or inside a script that has none, is the typesetter's."""
    left, right = tight.left, tight.right
    if quoted:
        return not (left.isdecimal() and right.isdecimal())
    if left in _LOOSE_SIGNS or right in _LOOSE_SIGNS:
        return not _parts_number(tight)
    if spaced.touches_ligature():
        return True
    if is_unspaced(left) and is_unspaced(right):
        return spaced.breaks_line()
    return (is_unspaced(left) and _is_plain(right)) or (is_unspaced(right) and _is_plain(left))


def _parts_number(tight: _Gap) -> bool:
    """Whether without the blank two numbers become one: 1. 5 is not 1.5."""
    text, start, end = tight.folded.text, tight.start, tight.end
    if text[start - 1] in _NUMBER_SIGNS:
        return bool(re.search(r"\d ?.$", text[max(0, start - 3) : start])) and text[end].isdecimal()
    if text[end] in _NUMBER_SIGNS:
        return text[start - 1].isdecimal() and bool(re.match(r". ?\d", text[end : end + 3]))
    if text[start - 1] in "$€£¥₹":
        return not text[end].isdecimal()
    if text[end] in "$€£¥₹":
        return not (text[start - 1].isdecimal() or text[start - 1] in "([{")
    return False


def _is_plain(char: str) -> bool:
    return char.isascii() and char.isalnum()
