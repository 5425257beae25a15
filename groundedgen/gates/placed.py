"""The gate for places that a provider says it cites: are they really there, word for word?

A provider that cites natively promises pointers that are valid. That is checked here like any
other claim: with string work, against the passage's own text. A place that is not exactly right
is refused, never moved or clipped.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from groundedgen.gates.quoting import has_words, is_all, told
from groundedgen.text.folds import Folded
from groundedgen.text.matching.boundaries import stands_alone
from groundedgen.text.search import core, folded
from groundedgen.values import CitedSpan, Finding, Located, Match, Sourced, Spot

__all__ = ["cut_off", "cuts", "locate_placed"]


def locate_placed(
    statement: Sourced, docs: Mapping[str, str], *, min_words: int = 5
) -> Located | Finding:
    """Check the places that a statement cites, and keep those that hold.

    A place holds if it lies in its passage, selects the words that the provider says it does
    (typography aside), cuts through no word and no number, and has enough words to prove
    something. Places of one passage that adjoin each other are one.

    Args:
        statement: With `spans`; offsets are code points into the passage, half-open.
        docs: Passage texts by alias.
        min_words: As for `gates.quotes.quote_gate`.

    Returns:
        The statement with one spot for each place that holds, in the order of its passages and
        within a passage of the text; or a finding `quote_not_found` or `quote_too_short`. What
        was cut off from a statement that stays is told by `cut_off`.

    >>> docs = {"S1": "Floods are not covered by this policy. Fire is."}
    >>> span = CitedSpan("S1", 0, 39, "Floods are not covered by this policy. ")
    >>> sourced = Sourced(0, "Floods are excluded.", ("S1",), span.quote, (span,))
    >>> located = locate_placed(sourced, docs)
    >>> [docs[spot.alias][spot.start : spot.end] for spot in located.spots]
    ['Floods are not covered by this policy.']
    >>> wrong = CitedSpan("S1", 0, 39, "Floods are covered by this policy.")
    >>> locate_placed(Sourced(0, "Covered.", ("S1",), wrong.quote, (wrong,)), docs).reason
    'quote_not_found'
    """
    places, lost = _read(statement, docs, min_words)
    if places:
        spots = tuple(Spot(p.alias, p.start, p.end, p.match) for p in places)
        return Located(statement.index, statement.text, statement.quote, spots)
    if any(reason == "quote_too_short" for _, reason in lost):
        why = f"The places it cites have fewer than {min_words} words, which prove nothing."
        return told(statement, "quote_too_short", why, docs)
    why = "None of the places it cites holds the words it should."
    return told(statement, "quote_not_found", why, docs)


def cut_off(
    statement: Sourced, docs: Mapping[str, str], *, min_words: int = 5
) -> tuple[Finding, ...]:
    """What was cut off from a statement that stays: a finding for each passage and reason.

    Takes what `locate_placed` took.

    >>> docs = {"S1": "Floods are not covered by this policy. Fire is."}
    >>> spans = (CitedSpan("S1", 0, 38, docs["S1"][:38]), CitedSpan("S1", 39, 47, "Fire is."))
    >>> [f.reason for f in cut_off(Sourced(0, "Excluded.", ("S1",), "", spans[1:]), docs)]
    ['quote_too_short']
    >>> cut_off(Sourced(0, "Excluded.", ("S1",), "", spans), docs)
    ()
    """
    _, lost = _read(statement, docs, min_words)
    return tuple(
        Finding(
            "quotes",
            reason,
            statement.index,
            "A place that it cites could not be confirmed; that citation was cut off.",
            statement=statement.text,
            details=(alias,),
            passage_id=alias if alias in docs else None,
            kept=True,
        )
        for alias, reason in dict.fromkeys(lost)
    )


@dataclass(frozen=True, slots=True)
class _Place:
    alias: str
    start: int
    end: int
    match: Match


def _read(
    statement: Sourced, docs: Mapping[str, str], min_words: int
) -> tuple[list[_Place], list[tuple[str, str]]]:
    """The places that hold, and alias and reason of those that do not."""
    found = [(span.alias, _placed(span, docs.get(span.alias, ""))) for span in statement.spans]
    lost = [(alias, "quote_not_found") for alias, place in found if place is None]
    runs = _joined([place for _, place in found if place is not None], docs)
    long = [run for run in runs if _is_enough(run, docs[run.alias], min_words)]
    enough = frozenset(long)
    lost += [(run.alias, "quote_too_short") for run in runs if run not in enough]
    return long, lost


@lru_cache(maxsize=1024)  # asked once for what holds and once for what was cut off
def _placed(span: CitedSpan, text: str) -> _Place | None:
    """The place without the blanks at its ends, if it selects the words it should."""
    if not 0 <= span.start < span.end <= len(text):
        return None
    selected, cited = text[span.start : span.end], span.quote.strip()
    words = selected.strip()
    if not words or (words != cited and folded(words).text != folded(cited).text):
        return None
    start = span.start + len(selected) - len(selected.lstrip())
    end = start + len(words)
    if not _stands(text, start, end):
        return None
    return _Place(span.alias, start, end, "exact" if words == cited else "folded")


def _stands(text: str, start: int, end: int) -> bool:
    """Whether a place cuts through nothing.

    Judged by offsets, in the whole text folded. The slice alone would not do: one that begins
    behind "non-" would pass, and one that begins or ends inside of **emphasis** would be looked
    for with marks that the whole text does not have.
    """
    hay = folded(text)
    places = range(len(hay.text))
    first = bisect_left(places, start, key=lambda at: hay.origin(at, at + 1)[0])
    last = bisect_right(places, end, key=lambda at: hay.origin(at, at + 1)[1])
    if _halves(hay, first, last, start, end):
        return False
    selected = hay.text[first:last].strip()
    bare = core(selected)
    if not any(map(str.isalnum, bare)):
        return False
    first = hay.text.find(selected, first)
    last, at = first + len(selected), hay.text.find(bare, first)
    return stands_alone(hay, first, last) or stands_alone(hay, at, at + len(bare))


def cuts(text: str, at: int) -> bool:
    """Whether a place that begins or ends at `at` would cut through something.

    Args:
        text: A passage.
        at: A place inside of it, with words before and behind it.

    >>> text = "Fees of KIPDF.COM are non-refundable. They are due."
    >>> [cuts(text, at) for at in (14, 26, 38)]
    [True, True, False]
    """
    hay = folded(text)
    places = range(len(hay.text))
    first = bisect_left(places, at, key=lambda at: hay.origin(at, at + 1)[0])
    if _halves(hay, first, first, at, at):
        return True
    before, behind = hay.text[max(0, first - _EDGE) : first], hay.text[first : first + _EDGE]
    ends = {first - len(before) + before.rfind(b) + len(b) for b in _bare(before.rstrip())}
    starts = {first + behind.find(b) for b in _bare(behind.lstrip())}
    return not (
        any(stands_alone(hay, 0, end) for end in ends)
        and any(stands_alone(hay, start, len(hay.text)) for start in starts)
    )


_EDGE = 80  # code points of the folded text on either side of a cut that are looked at


def _bare(selected: str) -> tuple[str, str]:
    """A piece of folded text as it is, and without what printing adds at its edges."""
    return selected, core(selected)


def _halves(hay: Folded, first: int, last: int, start: int, end: int) -> bool:
    """Whether an edge lies inside of what folds to one character, such as "&amp;"."""
    begins_inside = first > 0 and hay.origin(first - 1, first)[1] > start
    return begins_inside or (last < len(hay.text) and hay.origin(last, last + 1)[0] < end)


def _joined(places: Sequence[_Place], docs: Mapping[str, str]) -> list[_Place]:
    """The places by passage and position, those with nothing but blanks between them as one."""
    order = {alias: number for number, alias in enumerate(dict.fromkeys(p.alias for p in places))}
    runs: list[_Place] = []
    for place in sorted(places, key=lambda p: (order[p.alias], p.start, p.end)):
        last = runs[-1] if runs else None
        if last is None or not _adjoin(last, place, docs):
            runs.append(place)
        else:
            match: Match = "exact" if last.match == place.match == "exact" else "folded"
            runs[-1] = _Place(last.alias, last.start, max(last.end, place.end), match)
    return runs


def _adjoin(first: _Place, second: _Place, docs: Mapping[str, str]) -> bool:
    if first.alias != second.alias:
        return False
    return not docs[first.alias][first.end : second.start].strip()


def _is_enough(place: _Place, text: str, min_words: int) -> bool:
    """Whether a place has enough words, or is all there is."""
    quote = text[place.start : place.end]
    return has_words(quote, min_words) or is_all(text, place.start, place.end)
