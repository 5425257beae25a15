"""Footnotes and lists of sources: what a text says about its markers, and claims nothing.

`[^1]` is another way to write `[1]`, and what it leads to stands in a line `[^1]: ...` or, for
`[1]`, in a list under "Sources". Neither is a statement that could be checked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

import regex

from groundedgen.patterns import lazy
from groundedgen.text.markdown.blocks import lines
from groundedgen.text.markdown.regions import code_spans

__all__ = ["Apparatus", "without_apparatus"]

_REFERENCE: Final = lazy(r"(?<!\\)\[\^([^\[\]\s^]{1,60})\]")
_NUMBER: Final = lazy(r"S?[0-9]{1,6}")
_NOTE: Final = lazy(r" {0,3}\[\^([^\[\]\s^]{1,60})\]:(?:[ \t]|$)")
_DEFINED: Final = lazy(r" {0,3}\[S?([0-9]{1,6})\]:[ \t]+\S")
_ENTRY: Final = lazy(r" {0,3}(?:[-*+\u2022][ \t]+)?\[\^?S?([0-9]{1,6})\][:.]?[ \t]+\S")
_NUMBERED: Final = lazy(r" {0,3}([0-9]{1,3})[.)][ \t]+\S")
_BULLET: Final = lazy(r" {0,3}[-*+\u2022][ \t]+\S")
_MARK = r"[\[\u3010]\^?S?[0-9]{1,6}(?:\s?[,;\u2013-]\s?S?[0-9]{1,6})*[\]\u3011]"
_MARKER: Final = lazy(_MARK)
_CITES: Final = lazy(rf"{_MARK}\s*(\.?)\s*\Z")
_CONTINUED: Final = lazy(r" {2,}|\t")
_QUOTED: Final = lazy(r" {0,3}>")
_DRESS: Final = "#*_=: \t\uff1a"
# Over a list of sources, in the languages of most answers.
_TITLES: Final = """
sources|source|references|reference|citations|footnotes|bibliography|works cited
sources cited|sources used|quellen|quelle|quellenangaben|quellenverzeichnis|fu\u00dfnoten|belege
nachweise|r\u00e9f\u00e9rences|fuentes|referencias|fonti|riferimenti|fontes|refer\u00eancias
bronnen|\u53c2\u8003\u6765\u6e90|\u6765\u6e90|\u51fa\u5178
"""
_HEADINGS: Final = frozenset(_TITLES.replace("\n", "|").strip("|").split("|"))


@dataclass(frozen=True, slots=True)
class Apparatus:
    """A text without its footnotes and lists of sources.

    Attributes:
        text: The rest, where `[^1]` is written `[1]`.
        entries: What the text says of the source of each number, all its lines.
        named: What footnotes say that have a word for a label, by that; `[^t]` stays in the text.
    """

    text: str = field(repr=False)
    entries: Mapping[int, str] = field(repr=False)
    named: Mapping[str, str] = field(default_factory=dict, repr=False)


def without_apparatus(
    text: str, headings: Collection[str] = (), names: Collection[str] = ()
) -> Apparatus:
    r"""Take footnotes and lists of sources off a text, and write references as markers.

    An entry of a list that holds a marker of its own is a statement like others, and stays.

    Args:
        text: Markdown or prose, with line feeds only.
        headings: Further titles of such lists, beside those that are known.
        names: Of sources, which a footnote may be called by as well: `[^lease]`.

    >>> read = without_apparatus("Fire is covered.[^2]\n\n[^2]: Lease, p. 3\n    > Fire is.\n")
    >>> read.text, read.entries
    ('Fire is covered.[2]\n\n', {2: '[^2]: Lease, p. 3\n    > Fire is.\n'})
    >>> without_apparatus("So it is [1].\n\nSources:\n[1] Lease").text
    'So it is [1].\n\n'
    """
    if "[" not in text:
        return Apparatus(text, {})
    known = _HEADINGS.union(heading.casefold() for heading in headings)
    kept: list[str] = []
    entries: dict[int, str] = {}
    named: dict[str, str] = {}
    for entry, chunk in _chunks(text, known):
        if entry is None:
            kept.append(chunk)
        elif isinstance(entry, str):
            named[entry] = named.get(entry, "") + chunk
        elif entry:
            entries[entry] = entries.get(entry, "") + chunk
    rest = "".join(kept)
    code = code_spans(rest)

    def marker(match: regex.Match[str]) -> str:
        label = match[1]
        known = label in names or _NUMBER.fullmatch(label) is not None
        return f"[{label}]" if known and not code.cover(match.start()) else match[0]

    return Apparatus(_REFERENCE.sub(marker, rest), entries, named)


def _chunks(text: str, headings: Collection[str]) -> Iterator[tuple[int | str | None, str]]:
    """Lines with the number or label of their entry, 0 for none, `None` for other text."""
    raw = [(text[line.start : line.end], line.code) for line in lines(text)]
    cited = Counter(match[0] for match in _MARKER.finditer(text))
    repeated = {mark for mark, times in cited.items() if times > 1}
    entry: int | str | None = None  # of the lines above
    listed = False  # below the title of a list of sources
    for at, (line, code) in enumerate(raw):
        if not line.strip():
            yield (entry if entry is not None and _goes_on(raw, at, listed=listed) else None), line
            continue
        if entry is not None and _continues(line, listed=listed):
            yield entry, line
            continue
        entry = None if code else _entry(line, repeated, listed=listed)
        if entry is None and not code:
            listed = _titles(line, headings) and _leads(raw, at, repeated)
            yield (0 if listed else None), line
        else:
            yield entry, line


def _goes_on(raw: list[tuple[str, bool]], at: int, *, listed: bool) -> bool:
    """Whether the next line with words is part of the entry above a blank one."""
    following = next((line for line, _ in raw[at : at + 5] if line.strip()), "")
    return _continues(following, listed=listed)


def _continues(line: str, *, listed: bool) -> bool:
    """Whether a line is part of the entry above it: indented, or quoted below a title."""
    if listed and _QUOTED.match(line):
        return _MARKER.search(line) is None
    return _CONTINUED.match(line) is not None


def _leads(raw: list[tuple[str, bool]], at: int, repeated: Collection[str]) -> bool:
    """Whether an entry stands below a title."""
    below = next((line for line, _ in raw[at + 1 : at + 6] if line.strip()), "")
    return _entry(below, repeated, listed=True) is not None


def _titles(line: str, headings: Collection[str]) -> bool:
    return line.strip().strip(_DRESS).casefold() in headings


def _entry(line: str, repeated: Collection[str], *, listed: bool) -> int | str | None:
    """The number or label a line gives a source, 0 for an entry without, `None` for no entry."""
    if note := _NOTE.match(line):
        return int(note[1]) if note[1].isdecimal() and len(note[1]) < 7 else note[1]
    if defined := _DEFINED.match(line):
        if listed or f"[{defined[1]}]" in repeated:
            return int(defined[1])
        return None
    if not listed:
        return None
    bracketed = _ENTRY.match(line)
    entry = bracketed or _NUMBERED.match(line)
    cites = _CITES.search(line, entry.end(1) + 1 if entry else 0)
    # "[1] Terms [2024]" is a title, "1. Rent is income [2]" a statement.
    if (cites and not (bracketed and cites[1] == "")) or not (entry or _BULLET.match(line)):
        return None
    return int(entry[1]) if entry else 0
