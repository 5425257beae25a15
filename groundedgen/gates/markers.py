"""Markers that point at nothing are cut; nothing else in the text moves.

A model that is shown five passages sometimes cites a seventh. Its `[7]` is cut at its
place: with the one blank before it, the brackets or emphasis it alone filled, its link,
and the sign that joined it to the next marker. In code nothing is touched, and a marker
that points at something stays exactly as it is written.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice

from groundedgen.patterns import lazy
from groundedgen.text.brackets import Mark, markers, marks
from groundedgen.text.cutting import Cut, cut
from groundedgen.text.holdings import holdings
from groundedgen.text.markers.offers import offer
from groundedgen.text.numerals import numerals

__all__ = ["MarkerResult", "all_markers", "cut_figures", "cut_markers", "markers", "strip_markers"]

_ROUND = lazy(r"\(([^()\[\]]{1,200}+)\)")
_JOINT = lazy(r"\s?[,;]\s?")
_NESTED = lazy(r"[\[【［〔〖{][^\[\]【】［］〔〕〖〗{}]*+[\[【［〔〖{]")
_LAYERS = 3
_FAR, _TIMES_FAR = 20, 4  # so far beyond the last source a number is rather a figure
_REPORTED = 1_000  # distinct members that `removed` lists at most


@dataclass(frozen=True, slots=True)
class MarkerResult:
    """A text without the markers that point at nothing.

    Attributes:
        text: The text, cut.
        removed: What was cut, in order, without repeats: numbers, or names as written. A range
            that is too wide to be read member by member stands with its two ends; at most
            1,000 entries.
        total: Members of all markers found, each range counted by its members.
        fabricated: Those of them that point at nothing.
        foreign: Marks of other systems that were cut; they count in nothing else here.
    """

    text: str = field(repr=False)
    removed: tuple[int | str, ...]
    total: int
    fabricated: int
    foreign: int

    @property
    def ratio(self) -> float:
        """`fabricated / total`, 0.0 to 1.0; 0.0 when there was no marker."""
        return self.fabricated / self.total if self.total else 0.0

    @property
    def all_fabricated(self) -> bool:
        """There was at least one marker and none pointed at anything."""
        return 0 < self.total == self.fabricated


def strip_markers(text: str, n_or_ids: int | Collection[str]) -> MarkerResult:
    """Cut the markers that point at none of the sources.

    Args:
        text: Any text; Markdown is understood, not required.
        n_or_ids: The number of sources, for markers `[1]` to `[n]`; or their names, for
            markers such as `[S4]`. A bracket with another name counts as a marker only if
            it has the shape of the listed ones.

    Footnotes (`[^9]`), figures that are content (`[2019] UKSC 41`, `[10,000]`, `[7.4]`) and
    everything in code stay. Citation marks of other systems go whole. Of a group the real
    members stay, joined by a comma. A range is never expanded: `[1-999999999]` of five
    sources is cut as written and reported as its two ends. Time is linear in the text.

    Raises:
        ValueError: A negative number of sources.
        TypeError: `n_or_ids` is neither a number nor a collection of names.

    >>> strip_markers("Floods are excluded [2,7] ([9]).", 5).text
    'Floods are excluded [2].'
    >>> strip_markers("Rates fell [doc_3] and rose [doc_9].", ["doc_1", "doc_3"]).removed
    ('doc_9',)
    >>> strip_markers("Read `arr[12]` first [2].", 5).text
    'Read `arr[12]` first [2].'
    """
    offered = offer(n_or_ids)
    found = marks(text, offered)
    rest = _cut(text, found)
    gone = [mark for mark in found if mark.fabricated]
    foreign = sum(mark.foreign for mark in found)
    # A cut inside a bracket can leave a new marker: "[[9]7]". Deeper nests are not worth a pass.
    for _ in range(_LAYERS if foreign or (gone and _NESTED.search(text)) else 0):
        found = marks(rest, offered)
        gone += (mark for mark in found if mark.fabricated)
        rest = _cut(rest, found)
    fabricated = sum(mark.fabricated for mark in gone)
    return MarkerResult(
        text=rest,
        removed=_distinct(member for mark in gone for part in mark.removed for member in part),
        total=fabricated + sum(mark.kept for mark in found),
        fabricated=fabricated,
        foreign=foreign,
    )


def cut_markers(text: str, names: Collection[str] = ()) -> str:
    """Cut every marker, also those that point at something, by the same rules.

    For a text whose sources are kept apart from it. Listed names alone in round brackets
    go as well: they can mean nothing to a reader.

    >>> cut_markers("Floods are excluded [S2], fires too [7].", ["S1", "S2"])
    'Floods are excluded, fires too.'
    """
    spans = [*markers(text, names), *(_rounded(text, names) if names else ())]
    return cut(text, [Cut(start, end) for start, end in sorted(spans)])


def all_markers(text: str, names: Collection[str]) -> list[tuple[int, int]]:
    """Spans of all markers, and of listed names alone in round brackets that no word could be.

    >>> text = "Fire is covered [1], ice too (doc_2), as insured (lease)."
    >>> [text[start:end] for start, end in all_markers(text, ["doc_2", "lease"])]
    ['[1]', '(doc_2)']
    """
    coded = [name for name in names if any(map(str.isdigit, name)) and not name.isdecimal()]
    return sorted([*markers(text, names), *(_rounded(text, coded) if coded else ())])


def cut_figures(text: str, names: Collection[str], passages: Iterable[str]) -> tuple[str, ...]:
    """The figures that would be cut as markers and may be content, as in "The fee is [500]".

    A number in square brackets is a marker wherever no rule shows that it is content, so the
    cut stands; but a number far beyond the sources that one of the passages holds as a figure
    was more likely meant as that figure. A statement must not be shown without it.

    Args:
        text: A statement, before its markers are cut.
        names: The sources it could name.
        passages: The texts it rests on.

    >>> cut_figures("The fee is [500].", ["S1", "S2"], ["A fee of £500 is due."])
    ('500',)
    >>> cut_figures("The fee is due [500] [9].", ["S1"], ["A fee of £40 is due after 9 days."])
    ()
    """
    if "[" not in text:
        return ()
    furthest = max(_FAR, _TIMES_FAR * len(names))
    held = [holdings(passage) for passage in passages]
    found = []
    for start, end in markers(text, names):
        inner = numerals(text[start:end].strip("[] "))
        value = inner[0].value if len(inner) == 1 else None
        if value is not None and value > furthest and any(h.has_value(inner[0]) for h in held):
            found.append(inner[0].written)
    return tuple(dict.fromkeys(found))


def _rounded(text: str, names: Collection[str]) -> Iterator[tuple[int, int]]:
    listed = frozenset(names)
    for match in _ROUND.finditer(text) if "(" in text else ():
        if listed.issuperset(_JOINT.split(match[1].strip())):
            yield match.span()


def _distinct(members: Iterable[int | str]) -> tuple[int | str, ...]:
    seen: dict[int | str, None] = {}
    # The second bound keeps a text full of wide ranges from being counted out.
    for member in islice(members, 100 * _REPORTED):
        seen[member] = None
        if len(seen) == _REPORTED:
            break
    return tuple(seen)


def _cut(text: str, found: Iterable[Mark]) -> str:
    return cut(text, [Cut(mark.start, mark.end, mark.rest) for mark in found])
