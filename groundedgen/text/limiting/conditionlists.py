r"""Lists whose items must all hold: "You qualify if:" over "you are over 18" and "you live here".

Each item of "We cover:" says something alone. One of several conditions does not: who reads "You
qualify if you are over 18" believes that nothing else is asked. Unless "or" joins the items, or
the line above says "any of these", such a list is one sentence, whatever lines it stands on. In
doubt it is one: then a statement has to carry all of it.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

import regex

from groundedgen.patterns import lazy
from groundedgen.text.limiting.conditionleads import asks_conditions
from groundedgen.text.lines import MARKER

__all__ = ["Conditions", "conditions", "with_whole_lists"]

Span = tuple[int, int]

_MOST: Final = 60  # sentences of one list
_LEAD: Final = 400  # code points of a line that leads into a list
_MUST_ALL_FAIL: Final = lazy(
    r"\b(?:unless|until|till|only|none|except\w*|neither)\b", regex.IGNORECASE
)
_ALL: Final = lazy(r"\b(?:all|each|every|both)\b", regex.IGNORECASE)
_ANY: Final = lazy(
    r"\b(?:any(?:\s+one)?|one(?:\s+or\s+more)?|either|some)\s+of\b|\bat\s+least\s+one\b"
    r"|\bany\s+one\b|\b(?:eine[rs]?|l'une?|un[ao]?)\s+(?:der|des|de|di|van)\b",
    regex.IGNORECASE,
)
_OR: Final = r"(?:and\s?/\s?or|or|oder|ou|oppure)"
_AND: Final = r"(?:and|und|et|plus)"
_JOINED: Final = {
    word: (
        lazy(rf"(?:\A|[\s;,.]){form}[\s:;,.*_]*\Z", regex.IGNORECASE),
        lazy(rf"\A[\s;,]*{form}(?=\s)", regex.IGNORECASE),
    )
    for word, form in (("or", _OR), ("and", _AND))
}
_JOINER: Final = lazy(
    rf"(?:\A|(?<=[\s;,.])){_OR}[\s;,:]*\Z|(?:\A|(?<=[\s;,.])){_AND}[\s;,:]*\Z", regex.IGNORECASE
)
_FIRST_JOINER: Final = lazy(rf"\A[\s;,]*(?:{_OR}|{_AND})\s+", regex.IGNORECASE)
# Where a list begins inside a line, and the marks of its items there.
_COLON: Final = lazy(r"[:\uff1a\u2014](?=\s|\()|\n|(?<=\s)(?=\(?[ai1]\)\s)")
_POINTS_ON: Final = lazy(r"\b(?:following|these|those|below)\b", regex.IGNORECASE)
_INLINE: Final = lazy(
    r"(?:(?<=[\s;,:\u2014])|\A)\(?(?:\p{L}|[ivx]{1,5}|\p{Nd}{1,2})\)(?=\s)", regex.IGNORECASE
)
_COLONS: Final = ":\uff1a\u2014*_"
_LINE: Final = lazy(r"\n[^\S\n]*(?=\S)")
_SEMICOLON: Final = lazy(r";(?=\s)")
_LETTERS: Final = lazy(r"[ivxIVX]{1,5}|\p{L}")
_DIGITS: Final = lazy(r"\p{Nd}+")


class Conditions(NamedTuple):
    """A list of conditions.

    Attributes:
        lead: Where the line above it ends in the text, without its colon.
        items: The items without their marks and joining words; half-open, in code points.
        joint: "and", or "or" where it must keep all that "or" joins.
        is_open: The text ends where the list goes on.
    """

    lead: int
    items: tuple[Span, ...]
    joint: str
    is_open: bool


def conditions(text: str) -> Conditions | None:
    r"""The list of conditions that a text is, where all of them must hold; `None` for no such text.

    >>> text = "You qualify if: (a) you are over 18; and (b) you live here."
    >>> [text[a:b] for a, b in conditions(text).items]
    ['you are over 18', 'you live here']
    >>> conditions("You may not borrow if you:\n- owe fines; or\n- have lost your card.")
    >>> conditions("We do not pay for:\n- floods;\n- fines.")
    """
    colon = _COLON.search(text, 0, _LEAD)
    if colon is None or not asks_conditions(text[: colon.start()]):
        return None
    lead = text[: colon.start()]
    raw = _items(text, colon.end())
    words = [text[a:b] for a, b in raw]
    is_open = bool(words) and _is_open(words[-1])
    if len(words) < 2 and not is_open:
        return None
    ors, ands = (_joins(words, word) for word in ("or", "and"))
    alone = (ors and not ands) or (_ANY.search(lead) and not _ALL.search(lead))
    if alone and not _MUST_ALL_FAIL.search(lead):
        return None
    bare = tuple(_bare(text, span) for span in raw)
    return Conditions(len(lead.rstrip()), bare, "or" if ors and not ands else "and", is_open)


def _items(text: str, start: int) -> list[Span]:
    """The items behind a colon: marked lines, marks inside a line, lines, or semicolons."""
    lines = _lines(text, start) if "\n" in text[start - 1 :].rstrip() else []
    if len(lines) > 1:
        return lines
    marks = list(_INLINE.finditer(text, start))
    if len(marks) > 1:
        stops = [mark.start() for mark in marks[1:]] + [len(text)]
        return [(mark.end(), stop) for mark, stop in zip(marks, stops, strict=True)]
    if lines:
        return lines
    bounds = [start, *(cut.end() for cut in _SEMICOLON.finditer(text, start)), len(text)]
    return [(a, b) for a, b in pairwise(bounds) if text[a:b].strip()]


def _lines(text: str, start: int) -> list[Span]:
    """The marked lines behind a place, each with the lesser ones under it; all where none is."""
    begins = [found.end() for found in _LINE.finditer(text, start - 1)]
    if text[start - 1] != "\n" and text[start : start + 1] != "\n":
        begins.insert(0, start)
    marks = [mark for at in begins if (mark := MARKER.match(text, at))]
    if marks:
        own = _shape(marks[0][0])
        marks = [mark for mark in marks if _shape(mark[0]) == own]
        ends = [mark.start() for mark in marks[1:]] + [len(text)]
        return [(mark.end(), end) for mark, end in zip(marks, ends, strict=True)]
    spans = pairwise([*begins, len(text)])
    return [(a, b) for a, b in spans if text[a:b].strip()]


@lru_cache(maxsize=256)
def _shape(mark: str) -> str:
    """The sort of a mark: "(a)" and "(ii)" are of one, "4.1" and "1." are not."""
    return _DIGITS.sub("1", _LETTERS.sub("a", mark.strip()))


def _is_open(item: str) -> bool:
    return item.rstrip()[-1:] in (";", ",") or any(
        _JOINED[word][0].search(item) for word in ("or", "and")
    )


def _joins(items: list[str], word: str) -> bool:
    """Whether items end or begin with a joining word."""
    ends, begins = _JOINED[word]
    return any(ends.search(item) for item in items[:-1]) or any(
        begins.search(item) for item in items[1:]
    )


def _bare(text: str, span: Span) -> Span:
    """An item without blanks, stops and the words that join it."""
    start, end = span
    words = text[start:end].rstrip(" \t\r\n;,.")
    joiner = _JOINER.search(words)
    words = words[: joiner.start()].rstrip(" \t\r\n;,.") if joiner else words
    first = _FIRST_JOINER.match(words)
    cut = first.end() if first else len(words) - len(words.lstrip())
    return start + cut, start + max(cut, len(words))


def with_whole_lists(text: str, spans: list[Span]) -> list[Span]:
    r"""The sentences of a text, where a list of conditions that must all hold is one of them.

    Args:
        text: Any text.
        spans: Its sentences, as `sentences.sentence_spans` returns them.

    >>> from groundedgen.text.sentences import sentence_spans
    >>> text = "You qualify if:\n- you are over 18\n- you live here\n\nCall us."
    >>> [text[a:b] for a, b in with_whole_lists(text, sentence_spans(text))]
    ['You qualify if:\n- you are over 18\n- you live here', 'Call us.']
    """
    whole: list[Span] = []
    place = 0
    while place < len(spans):
        last = _last_of_list(text, spans, place)
        whole.append((spans[place][0], spans[last][1]))
        place = last + 1
    return whole


def _last_of_list(text: str, spans: list[Span], place: int) -> int:
    """The last sentence of the list of conditions that a sentence leads into; itself for none."""
    start, end = spans[place]
    if place + 1 >= len(spans) or end - start > _LEAD:
        return place
    first = spans[place + 1][0]
    marked = MARKER.match(text, first) is not None
    if not marked and (text[end - 1] not in _COLONS or "\n" not in text[end:first]):
        return place
    stopped = text[end - 1] == "."
    if not asks_conditions(text[start:end]) or (
        stopped and not _POINTS_ON.search(text, start, end)
    ):
        return place
    last = _last_item(text, spans, place + 1)
    return last if conditions(text[start : spans[last][1]]) is not None else place


def _last_item(text: str, spans: list[Span], first: int) -> int:
    """The last sentence of the list that begins with a sentence."""
    mark = MARKER.match(text, spans[first][0])
    own = _shape(mark[0]) if mark else ""
    shapes, last = {own}, first
    inline = "\n" not in text[spans[first - 1][1] : spans[first][0]]
    for place in range(first + 1, min(first + _MOST, len(spans))):
        gap = text[spans[place - 1][1] : spans[place][0]]
        found = MARKER.match(text, spans[place][0])
        shape = _shape(found[0]) if found else ""
        if "\n" not in gap:
            last = place if own and (shape == own or not inline) else last
            continue
        if inline and shape != own:
            break
        apart = gap.count("\n") > 1
        joins = text[slice(*spans[place])].strip(" ,;:.*_").casefold() in ("and", "or")
        ended = text[spans[place - 1][1] - 1] in ".!?"
        if shape == own and not (apart and not own) and not (ended and not own):
            last = place
        elif joins or (shape and shape not in shapes and not apart and not ended):
            shapes.add(shape)  # a lesser list inside an item
            last = place if not joins else last
        elif not (shape and shape in shapes):
            break
    return last
