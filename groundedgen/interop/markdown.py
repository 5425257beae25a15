"""Markdown cut at its headings: every section is an exact slice of the file's text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from groundedgen.errors import MissingExtraError
from groundedgen.interop.decoding import decode
from groundedgen.interop.splitting import split_passage
from groundedgen.passages import Passage
from groundedgen.patterns import lazy

try:
    from markdown_it import MarkdownIt
except ModuleNotFoundError as error:
    raise MissingExtraError("Reading Markdown", extra="cli") from error

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markdown_it.token import Token

__all__ = ["Section", "read", "sections"]

# Only the structure of blocks is parsed here, and the inside of headings.
_BLOCKS: Final = MarkdownIt("commonmark").disable(["inline", "text_join"])
_INLINE: Final = MarkdownIt("commonmark")
_LINE_END: Final = lazy(r"\r\n|\n|\r")
_FRONT_MATTER: Final = lazy(r"---[ \t]*\r?\n(?:.*+\n)*?(?:---|\.\.\.)[ \t]*\r?(?:\n|$)")
_TITLE: Final = lazy(r"(?m)^title:(.*)$")
_NOT_IN_SLUG: Final = lazy(r"[^\w\- ]")
#: Between the headings that lead to a section.
TRAIL: Final = " › "


@dataclass(frozen=True, slots=True)
class Section:
    """One section: `text[start:end]` from its heading to the next one.

    Attributes:
        start: First code point, that of the heading's line.
        end: One past the last.
        title: The headings that lead here, outermost first, without markup; "" before the first.
        slug: The heading as the end of a link, unique in the file; "" before the first.
    """

    start: int
    end: int
    title: str
    slug: str


@dataclass(frozen=True, slots=True)
class _Heading:
    level: int
    start: int
    end: int
    title: str


def read(data: bytes, path: str, name: str, size: int | None) -> Iterator[Passage]:
    """The passages of a Markdown file. `path` is for errors, `name` for ids; see `read_file`."""
    text = decode(data, path)
    for section in sections(text):
        passage = Passage(
            f"{name}#{section.slug}" if section.slug else name,
            text[section.start : section.end],
            title=section.title or name,
            start=section.start,
        )
        yield from split_passage(passage, size, separator="." if section.slug else "#")


def sections(text: str) -> list[Section]:
    r"""The sections of a Markdown text, in order; blank ones are left out.

    A heading with nothing of its own below it opens the section that follows, so that no
    passage is a heading alone. A number sign inside code is no heading. Front matter
    belongs to no section; its title leads every trail.

    >>> text = "# Lease\n\n## Rent\n£900 a month.\n\n## Pets\nWith consent.\n"
    >>> [(s.title, s.slug, text[s.start : s.end][:8]) for s in sections(text)]
    [('Lease › Rent', 'rent', '# Lease\n'), ('Lease › Pets', 'pets', '## Pets\n')]
    >>> [(s.title, s.slug) for s in sections("Just a line, # no heading.")]
    [('', '')]
    """
    front = _FRONT_MATTER.match(text)
    first = front.end() if front else 0
    named = _TITLE.search(front[0]) if front else None
    return list(_sections(text, first, named[1].strip().strip("\"'") if named else ""))


def _sections(text: str, first: int, document: str) -> Iterator[Section]:
    headings = _headings(text, first)
    trail: list[tuple[int, str]] = [(0, document)] if document else []
    slugs: dict[str, int] = {}
    start = first
    if headings and text[first : headings[0].start].strip():
        yield Section(first, headings[0].start, document, "")
        start = headings[0].start
    elif not headings and text[first:].strip():
        yield Section(first, len(text), document, "")
    for number, heading in enumerate(headings):
        trail = [*(t for t in trail if t[0] < heading.level), (heading.level, heading.title)]
        last = number + 1 == len(headings)
        end = len(text) if last else headings[number + 1].start
        opens_next = not last and headings[number + 1].level > heading.level
        if opens_next and not text[heading.end : end].strip():
            continue
        title = TRAIL.join(t for _, t in trail if t)
        yield Section(start, end, title, _slug(heading.title, slugs))
        start = end


def _headings(text: str, first: int) -> list[_Heading]:
    """Headings that stand in no list and no block quote."""
    body = text[first:]
    lines = [0, *(found.end() for found in _LINE_END.finditer(body)), len(body)]
    tokens = _BLOCKS.parse(body)
    return [
        _Heading(
            int(token.tag[1:]),
            first + lines[token.map[0]],
            first + lines[min(token.map[1], len(lines) - 1)],
            _words(tokens[place + 1].content),
        )
        for place, token in enumerate(tokens)
        if token.type == "heading_open" and token.level == 0 and token.map
    ]


def _words(content: str) -> str:
    """What a reader sees of a heading: its words without emphasis, code and link targets."""
    tokens = _INLINE.parseInline(content)
    children: list[Token] = (tokens[0].children or []) if tokens else []
    breaks = ("softbreak", "hardbreak")
    seen = "".join(
        " " if t.type in breaks else t.content for t in children if not t.type.startswith("html")
    )
    return " ".join(seen.split())


def _slug(title: str, seen: dict[str, int]) -> str:
    """The heading's name in links, as the large code hosts make it, unique within `seen`.

    It holds no full stop, so that an appended piece number cannot make two ids equal.
    """
    base = _NOT_IN_SLUG.sub("", title.lower()).strip().replace(" ", "-") or "section"
    slug, number = base, seen.get(base, 0)
    while slug in seen:
        number += 1
        slug = f"{base}-{number}"
    seen[base] = number
    seen.setdefault(slug, 0)
    return slug
