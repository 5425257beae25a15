"""What stands in brackets: a limit ("Gold tariff only"), or what says nothing more.

Most brackets in a contract restrict ("theft (from locked rooms)", "5,000 euros (Gold)"), so one
may go only where its form shows that it repeats: an abbreviation, a number once more, a name for
what was just named, a place in a document.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from groundedgen.gates.numbers import unsupported_numbers
from groundedgen.judges.wording.flips import Flip
from groundedgen.judges.wording.leftovers import has_past, phrase
from groundedgen.judges.wording.leftwords import DOCUMENTS, NUMBERED, WITHHOLDING
from groundedgen.patterns import lazy
from groundedgen.text.vocabulary import FUNCTION_WORDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundedgen.judges.wording.alignment import Alignment
    from groundedgen.text.english.analysis import Analysis

__all__ = ["bracketed", "is_reference", "repeating"]


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_BRACKET: Final = lazy(r"\(([^()\[\]]*)\)|\[([^()\[\]]*)\]")
_DEFINING: Final = lazy(
    r"\s*(?:(?:the|a|each|together|collectively|individually|hereinafter|hereafter|referred|to|as)"
    r"[\s,]+)*[\"\u201c\u201d'\u2018\u2019][^\"\u201c\u201d]{1,60}[\"\u201c\u201d'\u2018\u2019]\s*"
    r"|\s*(?:hereinafter|hereafter|in short|short)\b.{1,60}"
)
_ABBREVIATION: Final = lazy(r"\s*[\"\u201c]?(\p{Lu}[\p{Lu}\p{N}&-]{1,7})s?[\"\u201d]?\s*")
# Where something holds, not what it is called.
_TERRITORIES: Final = _set("EU UK US USA EEA UAE GB NI DE AT CH FR IT ES")
_POINTING: Final = _set("see cf source sources ref reference")
_PLACES: Final = NUMBERED | _set(
    "sect sec art articles clauses sections para paragraphs page pages p pp chap chapters annex"
    " appendix table tables fig figure figures vol volume line lines no nos"
)
_BETWEEN: Final = _set("of the this that our your in to and also above below on under")
_QUANTITY: Final = _set(
    "eur euro euros usd dollar dollars gbp pound pounds chf franc francs percent cent cents"
    " one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
    " sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety"
    " hundred thousand million and"
)
_BESIDE: Final = 60  # code points before a bracket in which what it repeats stands
_MARKED: Final = frozenset(["only", "if", "negation", "bound", "some"])


class _Bracket(NamedTuple):
    """The words `[first, last)` of a sentence that stand in one bracket, and what it holds."""

    first: int
    last: int
    text: str
    start: int


def _brackets(side: Analysis) -> list[_Bracket]:
    if "(" not in side.text and "[" not in side.text:
        return []
    found = []
    for match in _BRACKET.finditer(side.text):
        inside = [i for i, w in enumerate(side.words) if match.start() < w.start < match.end()]
        if inside:
            text = match[1] if match[1] is not None else match[2]
            found.append(_Bracket(inside[0], inside[-1] + 1, text, match.start()))
    return found


def repeating(side: Analysis) -> frozenset[int]:
    """Places of words in brackets that say once more what stands before them, and of asides."""
    free = set(_asides(side))
    for one in _brackets(side):
        if _repeats_number(side, one):
            free.update(range(one.first, one.last))
            free.update(_spelled_before(side, one.first))
        elif (
            _is_note(side, one)
            or _is_name(side, one)
            or is_reference(side, range(one.first, one.last))
        ):
            free.update(range(one.first, one.last))
    return frozenset(free)


_NOTE: Final = lazy(
    r"\s*(?:S?\d{1,3}(?:\s*[,;\u2013-]\s*S?\d{1,3})*|(?:born|b\.|died|d\.)\b[^()]*\d{4}[^()]*"
    r"|[^()]*\bet\s+al\b[^()]*)\s*"
)


def _is_title(side: Analysis, one: _Bracket) -> bool:
    """As "Anna Miller (painter): She was": it tells which of that name is meant."""
    named = one.first > 0 and all(w.capital for w in side.words[: one.first])
    return named and side.text[one.start + len(one.text) + 2 :].startswith(":")


def _asides(side: Analysis) -> list[int]:
    """The words of "for example" and "for instance"."""
    named = [i for i, w in enumerate(side.words) if i and w.text in ("example", "instance")]
    return [at for i in named if side.words[i - 1].text == "for" for at in (i - 1, i)]


def _is_note(side: Analysis, one: _Bracket) -> bool:
    """Whether it is a citation mark, authors with a year, or when somebody was born."""
    return _NOTE.fullmatch(one.text) is not None and (
        one.text.strip()[0].isalpha() or side.text[one.start] == "["
    )


def _is_name(side: Analysis, one: _Bracket) -> bool:
    """Whether a bracket only gives a name to what stands before it."""
    if _DEFINING.fullmatch(one.text) is not None:
        return True
    found = _ABBREVIATION.fullmatch(one.text)
    if found is None or one.first == 0 or found[1] in _TERRITORIES:
        return found is not None and one.first > 1 and _are_initials(side, one.first, found[1])
    named = one.first > 1 and side.words[one.first - 1].capital
    return named or _are_initials(side, one.first, found[1])


def _are_initials(side: Analysis, place: int, letters: str) -> bool:
    """Whether the words before a place begin with these letters, function words passed over."""
    wanted = [c for c in letters.casefold() if c.isalpha()]
    at = place - 1
    while wanted and at >= 0:
        text = side.words[at].text
        if text[0] == wanted[-1]:
            wanted.pop()
        elif text not in FUNCTION_WORDS["en"]:
            return False
        at -= 1
    return not wanted


def _repeats_number(side: Analysis, one: _Bracket) -> bool:
    """As "thirty (30) days", "500 euros (EUR 500)": its figures stand right before it."""
    words = side.words[one.first : one.last]
    if not all(w.text[0].isdigit() or w.text in _QUANTITY for w in words):
        return False
    before = side.text[max(0, one.start - _BESIDE) : one.start]
    held = side.words[max(0, one.first - 3) : one.first]
    numeric = any(w.text[0].isdigit() or w.text in _QUANTITY for w in held)
    return numeric and not unsupported_numbers(one.text, before, lang="en")


def _spelled_before(side: Analysis, place: int) -> list[int]:
    """The number words right before a bracket that repeats them in digits: "thirty (30)"."""
    if not any(w.text[0].isdigit() for w in side.words[place : place + 1]):
        return []
    at = place - 1
    found = []
    while at >= 0 and side.words[at].text in _QUANTITY - {"and"}:
        found.append(at)
        at -= 1
    return found


def is_reference(side: Analysis, part: Sequence[int]) -> bool:
    """Whether words only say where something is written: "see page 4", "Section 2 of the policy".

    A footnote is none: it may hold a condition.
    """
    texts = [side.words[i].text for i in part]
    points = texts[0] in _POINTING
    if not points and (texts[0] not in _PLACES or len(texts) == 1):
        return False
    known = _PLACES | _DOCUMENTS | _BETWEEN | _POINTING
    plain = all(t in known or t[0].isdigit() or len(t) == 1 for t in texts)
    return plain and (points or any(t[0].isdigit() or len(t) == 1 for t in texts[1:]))


_DOCUMENTS: Final = DOCUMENTS | _set("act law code regulation directive statute conditions")


def bracketed(al: Alignment) -> Flip | None:
    """A bracket that the claim leaves out and that may limit what the claim says."""
    side, past = al.sentence, has_past(al.claim)
    free: frozenset[int] | None = None
    for one in _brackets(side):
        inside = range(one.first, one.last)
        if any(i in al.here for i in inside):
            continue
        free = repeating(side) if free is None else free
        if one.first in free or _goes_with_its_item(al, one):
            continue
        if side.below and one.start >= side.below:
            continue
        if not past or _limits(side, inside):
            return Flip("leftover", f'the claim drops "{phrase(side, inside)}" in brackets')
    return None


def _limits(side: Analysis, inside: range) -> bool:
    """Whether a bracket says by a word that it limits; also of what happened it may not go then."""
    marked = any(m.kind in _MARKED and m.first in inside for m in side.marks)
    return marked or any(side.words[i].text in WITHHOLDING for i in inside)


def _goes_with_its_item(al: Alignment, one: _Bracket) -> bool:
    """Whether it belongs to an item of a list that the claim leaves out: "fire (Gold) and hail"."""
    side, host = al.sentence, one.first - 1
    if host < 0 or host in al.here or host not in side.keys:
        return False
    if any(w.start >= one.start for w in side.words[one.first - 1 : one.first]):
        return False
    behind = side.text[one.start + len(one.text) + 2 :].lstrip()
    return behind.startswith((",", ";", "and ", "or "))
