"""What an answer says of itself: which source each number means, and how much was checked.

A list of sources or footnotes numbers them as its writer did. An entry that quotes one of the
passages, or gives its title, tells which one that number means; another number counts as passed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, TypeVar

import regex

from groundedgen.passages import Passage
from groundedgen.patterns import lazy
from groundedgen.render.labels import LABELS
from groundedgen.text.markdown.flattening import flattened, undressed
from groundedgen.text.markers.apparatus import Apparatus, without_apparatus
from groundedgen.text.search import find

__all__ = ["listed", "without_own_words"]

_QUOTED: Final = lazy(r"^[ \t]*>[ \t]*(\S.*)$|^[ \t]+\"(.+)\"[ \t]*$", regex.MULTILINE)
_LABEL: Final = lazy(r"\A\s*\[\^[^\[\]]+\]:")
_WORDS: Final = lazy(r"[\p{L}\p{N}]+")

Key = TypeVar("Key", int, str)


def without_own_words(text: str, names: Collection[str] = ()) -> Apparatus:
    r"""Take off a text what stands round the statements of an answer that `render` has written.

    That is its sources, the closest passages and how many statements were verified; also the
    footnotes and the list of sources that another writer gave it.

    Args:
        text: With line feeds only.
        names: Ids of passages, which footnotes may be called by.

    >>> read = without_own_words("Fire is covered. [1]\n\n1 of 1 statement verified.\n")
    >>> read.text
    'Fire is covered. [1]\n\n\n'
    """
    headings = [h for one in LABELS.values() for h in (one.sources, one.closest, one.dropped)]
    return without_apparatus(_own().sub("", text), headings, names)


@lru_cache(maxsize=1)
def _own() -> regex.Pattern[str]:
    """Lines of an answer's own, and its note behind a statement that is not checked."""
    told = [table for one in LABELS.values() for table in (one.outcomes, one.unasked)]
    lines = [line for table in told for line in table.values() if line]
    scores = [f"{score}." for one in LABELS.values() for score in (one.score, one.score_one)]
    whole = [*map(regex.escape, lines), *map(_template, scores)]
    notes = "|".join(regex.escape(one.not_checked) for one in LABELS.values())
    return regex.compile(
        rf"^(?:{'|'.join(whole)})[ \t]*$|(?<=\][ \t]?)[ \t]\*?\((?:{notes})\)\*?[ \t]*$",
        regex.MULTILINE,
    )


def _template(score: str) -> str:
    parts = regex.split(r"\{\w+\}", score)
    return "[0-9]{1,4}".join(regex.escape(part) for part in parts)


def listed(passages: Sequence[Passage], entries: Mapping[Key, str]) -> dict[Key, Passage]:
    """The passages that numbers or labels mean by what their entries say, where that is only one.

    >>> lease, rules = Passage("a", "Rent is due.", title="Lease"), Passage("b", "No pets.")
    >>> found = listed([rules, lease], {1: "[1] Lease, p. 3", 2: "[2] Somewhere else"})
    >>> {number: passage.id for number, passage in found.items()}
    {1: 'a'}
    """
    found = {}
    for number, entry in entries.items():
        meant = _meant(entry, passages)
        if meant is not None:
            found[number] = meant
    return found


def _meant(entry: str, passages: Sequence[Passage]) -> Passage | None:
    entry = _LABEL.sub("", entry)
    quotes = list(_quotes(entry))
    quoted = [p for p in passages if quotes and all(find(q, p.text) for q in quotes)]
    line = _plain(entry.splitlines())
    titled = [p for p in passages if p.title and f" {_plain([p.title])} " in f" {line} "]
    longest = max((len(p.title or "") for p in titled), default=0)
    titled = [p for p in titled if len(p.title or "") == longest]
    for candidates in (quoted, titled, [p for p in quoted if p in titled]):
        if len(candidates) == 1:
            return candidates[0]
    return None


def _quotes(entry: str) -> Iterator[str]:
    for match in _QUOTED.finditer(entry):
        yield undressed(match[1] or match[2]).strip()


def _plain(lines: Iterable[str]) -> str:
    """The words of the first line, as they read without markup."""
    first = undressed(flattened(next(iter(lines), "")))
    return " ".join(_WORDS.findall(first.replace("\u2060", "").casefold()))
