"""Cutting a long text into passages: exact slices, at the bounds a reader would choose.

A passage is read without its neighbours, so a cut must not change what it says. Bounds
are tried from strong to weak: a blank line, a sentence, a line, a word, and only then
inside a word. An item of a list is not parted from the sentence it hangs from ("We do
not pay for:") while there is another place to cut.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from groundedgen.errors import InputError
from groundedgen.patterns import lazy
from groundedgen.text.sentences import lead_in, sentence_spans

if TYPE_CHECKING:
    from groundedgen.passages import Passage

__all__ = ["SIZE", "split_passage", "split_spans"]

Span = tuple[int, int]

#: Longest passage, in code points: about 400 words, or one page of a report.
SIZE: Final = 2400
#: Shorter pieces than this hold no whole sentence of ordinary prose.
MIN_SIZE: Final = 100

#: Sentences that `lead_in` looks back, at most.
_REACH: Final = 60
# As `str.isspace`: the regex module does not count the four separators.
_INK: Final = lazy(r"[^\s\x1c-\x1f]")
_BLANK_LINE: Final = lazy(r"(?:\r\n|[\n\r])[^\S\n\r]*(?:\r\n|[\n\r])\s*+")
_CLUSTER: Final = lazy(r"\X")


def split_spans(text: str, size: int = SIZE, lang: str | None = None) -> list[Span]:
    r"""Where to cut a text into pieces of at most `size` code points.

    Every character that is not blank lies in exactly one span; blanks at the ends of a
    piece lie in none. The same text always gives the same spans. Time is linear.

    Args:
        text: Any text, unaltered.
        size: Longest piece in code points, at least 100.
        lang: BCP 47 tag, if known; sentence ends depend on it a little.

    Returns:
        Half-open `(start, end)` in code points into `text`, in order.

    Raises:
        InputError: `size` is smaller than 100.

    >>> text = "Rent is due monthly. " * 6 + "\n\n" + "Pets need consent. " * 2
    >>> [text[a:b][:12] for a, b in split_spans(text, size=150)]
    ['Rent is due ', 'Pets need co']
    >>> split_spans("  Short enough. ")
    [(2, 15)]
    """
    if size < MIN_SIZE:
        raise InputError(f"size must be at least {MIN_SIZE}, got {size}", code="bad_size")
    start, end = _trimmed(text, 0, len(text))
    if end - start <= size:
        return [(start, end)] if end > start else []
    ladder = _ladder(text, lang)
    spans = []
    while start < end:
        cut = _cut(text, start, end, size, ladder)
        spans.append(_trimmed(text, start, cut))
        start = _next_ink(text, cut, end)
    return spans


def split_passage(
    passage: Passage, size: int | None = SIZE, *, separator: str = "#"
) -> list[Passage]:
    """The passage itself where it is short enough, else its pieces, in order.

    Pieces keep everything but id, text and start: the id gets `separator` and a number
    from 1, and `start` counts from where the passage's own started (or from 0).

    Args:
        passage: What to cut; not altered.
        size: Longest piece in code points; `None` cuts nothing.
        separator: What stands between the passage's id and the piece's number.

    >>> from groundedgen.passages import Passage
    >>> long = Passage("notes.txt", "It rained all day. " * 20)
    >>> [(p.id, p.start, len(p.text)) for p in split_passage(long, size=200)]
    [('notes.txt#1', 0, 189), ('notes.txt#2', 190, 189)]
    >>> split_passage(Passage("a", "Short."))[0].id
    'a'
    """
    if size is None or len(passage.text) <= size:
        return [passage]
    spans = split_spans(passage.text, size, passage.lang)
    if len(spans) < 2:
        return [passage]
    base = passage.start or 0
    return [
        replace(
            passage,
            id=f"{passage.id}{separator}{number}",
            text=passage.text[start:end],
            start=base + start,
        )
        for number, (start, end) in enumerate(spans, 1)
    ]


def _next_ink(text: str, start: int, end: int) -> int:
    """The first position from `start` that is not blank, or `end`."""
    found = _INK.search(text, start, end)
    return found.start() if found else end


def _trimmed(text: str, start: int, end: int) -> Span:
    """The bounds without blanks at either end; empty at `end` where all is blank."""
    first = _next_ink(text, start, end)
    return first, max(first, start + len(text[start:end].rstrip()))


Ladder = tuple[list[int], ...]


def _ladder(text: str, lang: str | None) -> Ladder:
    """Bounds from strong to weak: free paragraphs, free sentences, paragraphs, sentences.

    "Free" is what hangs from no lead-in. A bound is where the next piece would start.
    """
    spans = sentence_spans(text, lang)
    sentences = [start for start, _ in spans]
    hanging = _hanging(text, spans)
    paragraphs = [found.end() for found in _BLANK_LINE.finditer(text)]
    return (
        [start for start in paragraphs if start not in hanging],
        [start for start in sentences if start not in hanging],
        paragraphs,
        sentences,
    )


def _hanging(text: str, spans: list[Span]) -> set[int]:
    """Starts of the sentences that hang from a lead-in; they are not asked about in vain."""
    found: set[int] = set()
    colon = -_REACH
    for number, (start, end) in enumerate(spans):
        if number - colon < _REACH and lead_in(text, spans, number) is not None:
            found.add(start)
        if text[end - 1] in ":\uff1a":
            colon = number
    return found


def _cut(text: str, start: int, end: int, size: int, ladder: Ladder) -> int:
    """Where the piece that begins at `start` ends.

    A paragraph if there is one far enough on; else the best bound near an even share of
    what is left, so that no crumb remains; else the last sentence at all, or a weaker one.
    """
    rest = end - start
    if rest <= size:
        return end
    share = -(-rest // -(-rest // size))
    even = start + min(size, share + share // 4)
    for bounds, top in zip(ladder, (start + size, even, even, even), strict=True):
        cut = _last(bounds, top)
        if cut > start + share // 2:
            return cut
    for bounds in ladder[1], ladder[3]:
        cut = _last(bounds, start + size)
        if cut > start:
            return cut
    return _weak_cut(text, start, start + size)


def _last(bounds: list[int], position: int) -> int:
    """The last bound at or before `position`, or -1."""
    place = bisect_right(bounds, position)
    return bounds[place - 1] if place else -1


def _weak_cut(text: str, start: int, top: int) -> int:
    """A cut inside a sentence longer than a piece: at a line, a word, a character."""
    piece = text[start:top]
    half = len(piece) // 2
    for place in piece.rfind("\n"), len(piece.rsplit(None, 1)[0]):
        if half < place < len(piece):
            return start + place + 1
    # Half a letter (a base without its marks) would be another letter. A cluster that
    # begins in the last 50 is looked at whole; one that is longer is cut all the same.
    starts = [m.start() for m in _CLUSTER.finditer(text, max(start, top - 50), top + 50)]
    fitting = [place for place in starts[1:] if place <= top]
    return fitting[-1] if fitting else top
