"""Footnotes: what a mark at a word or behind a full stop leads to, at the foot of a passage."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import regex

from groundedgen.patterns import lazy

__all__ = ["is_footnoted", "note_spans"]

Span = tuple[int, int]

_RAISED: Final = r"[\u00b9\u00b2\u00b3\u2070\u2074-\u2079]{1,3}"
_BRACKETED: Final = r"\[\^?[\p{L}\p{N}]{1,4}\]|\^\p{N}{1,3}"
_MARK: Final = lazy(
    rf"(?<=\S)(?:(?P<mark>{_RAISED})|\s?(?P<mark>{_BRACKETED}))(?![\p{{L}}\p{{N}}])"
)
_UNIT: Final = lazy(r"(?:\b(?:[kcdm\u00b5]?m|ft|in|yd|mi|x)|\p{N})\Z")  # m\u00b2, 10\u00b2
_NOTE: Final = lazy(
    rf"^(?P<mark>[*\u2020\u2021]|{_RAISED}|{_BRACKETED})[.:)]?[ \t]*(?P<text>\S[^\n]*)",
    regex.MULTILINE,
)
# A note that only says where something is from limits nothing.
_SOURCE: Final = lazy(
    r"https?:|\bdoi\b|\bISBN\b|\bet\s+al\b|\bpp?\.\s*\d|\((?:1[89]|20)\d\d\w?\)|\bvol\.|\bibid\b",
    regex.IGNORECASE,
)
_BEHIND: Final = 8  # code points behind a full stop in which a mark may stand

# A sign leads to a note wherever that is; one of a pair is emphasis ("*never*").
_SIGN: Final = lazy(r"(?<=[^\s*])(?:[\u2020\u2021]|\*(?![\p{L}\p{N}*]))")
_EMPHASIS: Final = lazy(r"(?<![\p{L}\p{N}*])\*(?=[\p{L}\p{N}])")


def is_footnoted(text: str, start: int, end: int) -> bool:
    r"""Whether a mark in `text[start:end]`, or just behind it, leads to a note that may limit it.

    A sign (`*`, `\u2020`) does wherever its note is; a number does where a line of the text begins
    with it and says more than a source.

    >>> text = "Theft is covered.\u00b9 The cap is high.[2]\n\n\u00b9 Plus only.\n[2] Li et al."
    >>> is_footnoted(text, 0, 17), is_footnoted(text, 19, 35)
    (True, False)
    >>> is_footnoted("Theft* is covered.", 0, 18), is_footnoted("It is *never* so.", 0, 17)
    (True, False)
    """
    return _sign(text, start, end) != "" or bool(note_spans(text, start, end))


def note_spans(text: str, start: int, end: int) -> list[Span]:
    r"""Where the footnotes of a sentence stand in the text, as far as it has them, in order.

    Half-open, in code points, each with its mark and to the end of its line.

    >>> text = "Theft* is covered.\n\n* Plus members only."
    >>> [text[a:b] for a, b in note_spans(text, 0, 18)]
    ['* Plus members only.']
    """
    notes = _notes(text)
    if not notes:
        return []
    sign = _sign(text, start, end)
    marks = _marks(text, start, end)
    # A bullet may be a star too: the note is the last line that begins so.
    signed = [note[1:] for note in notes if note[0] == sign and note[1] >= end][-1:]
    numbered = [note[1:] for note in notes if note[0] in marks and not start <= note[1] < end]
    return sorted(signed + numbered)


def _sign(text: str, start: int, end: int) -> str:
    """The first sign in a sentence that is no emphasis; "" where there is none."""
    signs = [match[0] for match in _SIGN.finditer(text, start, end + 1)]
    paired = len(_EMPHASIS.findall(text, start, end)) if "*" in signs else 0
    return signs[0] if len(signs) > paired else ""


def _marks(text: str, start: int, end: int) -> set[str]:
    """The numbers of notes in a sentence, and on its line just behind it."""
    line = text.find("\n", end, end + _BEHIND)
    stop = line if line >= 0 else min(len(text), end + _BEHIND)
    return {
        match["mark"]
        for match in _MARK.finditer(text, start, stop)
        if match.start() <= end + 1
        and not _UNIT.search(text, max(0, match.start() - 4), match.start())
    }


@lru_cache(maxsize=64)  # asked of each sentence of a text in turn
def _notes(text: str) -> tuple[tuple[str, int, int], ...]:
    """The notes that say more than a source: mark and bounds of each."""
    found = _NOTE.finditer(text)
    return tuple((m["mark"], *m.span()) for m in found if not _SOURCE.search(m["text"]))
