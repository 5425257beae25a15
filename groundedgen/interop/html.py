"""What a reader of a web page sees, as text."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import regex

from groundedgen.errors import InputError, MissingExtraError
from groundedgen.interop.decoding import decode_html
from groundedgen.interop.splitting import split_passage
from groundedgen.passages import Passage
from groundedgen.patterns import lazy

if TYPE_CHECKING:
    from collections.abc import Iterator

try:
    from bs4 import (
        BeautifulSoup,
        MarkupResemblesLocatorWarning,
        ParserRejectedMarkup,
        XMLParsedAsHTMLWarning,
    )
    from bs4.element import NavigableString, Tag
except ModuleNotFoundError as error:
    raise MissingExtraError("Reading HTML", extra="cli") from error

__all__ = ["Page", "read", "read_page"]

_UNSEEN: Final = frozenset(
    {"script", "style", "noscript", "template", "head", "title", "iframe", "object", "audio"}
    | {"video", "canvas", "svg", "datalist"}
    # Seen, but not as words in a line: reading aids above a word (rt, rp) would cut it in
    # two, and a formula in a line says something else ("10" over "2" is not 102).
    | {"rt", "rp", "math"}
    # Struck out is withdrawn: an old price must not stand beside the new one as if it held.
    | {"del", "s", "strike"}
)
_PARAGRAPHS: Final = frozenset(
    {"p", "div", "section", "article", "main", "header", "footer", "nav", "aside", "address"}
    | {"blockquote", "figure", "figcaption", "form", "fieldset", "table", "ul", "ol", "dl"}
    | {"pre", "hr", "details", "summary", "h1", "h2", "h3", "h4", "h5", "h6", "body", "caption"}
)
_LINES: Final = frozenset({"br", "li", "tr", "dt", "dd", "option", "legend"})
_CELLS: Final = frozenset({"td", "th"})
# Digits set high or low are not digits of the number before them: 10² is not 102.
_RAISED: Final = str.maketrans("0123456789+-−=()", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾")
_LOWERED: Final = str.maketrans("0123456789+-−=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎")
_FIGURES: Final = lazy(r"[0-9+\-−=()]+")
_HIDING: Final = lazy(r"(?i)(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)")
_PAIRS: Final = (
    ("tags", regex.compile(r"<[A-Za-z/!?]"), ">"),
    ("comments", regex.compile(r"<!--"), "-->"),
    ("sections", regex.compile(r"<!\["), "]"),
)
_MOST_OPEN: Final = 100
# The blanks of HTML only: a no-break space is a character like any other.
_BLANKS: Final = lazy(r"[ \t\n\r\f]+")
_SEPARATORS: Final = ("", " ", "\t", "\n", "\n\n")
_NONE, _BLANK, _CELL, _LINE, _PARAGRAPH = range(5)


@dataclass(frozen=True, slots=True)
class Page:
    """A page's visible text, its title and its language, each "" where it has none."""

    text: str
    title: str
    lang: str


def read(data: bytes, path: str, name: str, size: int | None) -> list[Passage]:
    """The passages of a web page. `path` is for errors, `name` for ids; see `read_file`."""
    page = read_page(decode_html(data, path), path)
    title, lang = page.title or name, page.lang or None
    return split_passage(Passage(name, page.text, title=title, start=0, lang=lang), size)


def read_page(html: str, name: str = "page") -> Page:
    r"""The visible text of a page: paragraphs parted by a blank line, cells by a tab.

    Scripts, styles, comments and what the page hides by attribute or inline style are
    left out; a style sheet is not consulted.

    Args:
        html: The page.
        name: How errors name it.

    Raises:
        InputError: `bad_html`: it cannot be parsed, or opens a hundred tags or comments
            that it never closes.

    >>> read_page("<title>T</title><p>Rent:&nbsp;<b>£9</b>00<script>x()</script><p hidden>No")
    Page(text='Rent:\xa0£900', title='T', lang='')
    >>> read_page("1 < 2 and no tag").text
    '1 < 2 and no tag'
    """
    _require_closed(html, name)
    soup = _parse(html, name)
    title = soup.find("title")
    root = soup.find("html")
    lang = root.get("lang") if isinstance(root, Tag) else None
    return Page(
        text=_visible(soup),
        title=" ".join(title.get_text().split()) if title else "",
        lang=lang if isinstance(lang, str) else "",
    )


def _parse(html: str, name: str) -> BeautifulSoup:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MarkupResemblesLocatorWarning)
        warnings.simplefilter("ignore", XMLParsedAsHTMLWarning)
        try:
            return BeautifulSoup(html, "html.parser")
        except ParserRejectedMarkup:
            raise InputError(
                f"{name}: the page cannot be parsed; open it in a browser and save it anew",
                code="bad_html",
            ) from None


def _require_closed(html: str, name: str) -> None:
    """Refuse a page that never closes what it opens again and again.

    The parser looks for each end anew, to the end of the page: 200 kB of unclosed
    comments took it 50 s. A page that was merely cut off leaves one thing open.
    """
    for what, opening, ending in _PAIRS:
        opened = len(opening.findall(html, html.rfind(ending) + 1))
        if opened > _MOST_OPEN:
            raise InputError(
                f"{name}: the page opens {opened} {what} that it never closes; save it anew",
                code="bad_html",
            )


@dataclass(slots=True)
class _Writer:
    """Joins pieces of text by the strongest separator met between them."""

    parts: list[str] = field(default_factory=list)
    pending: int = _NONE
    mark: str = ""

    def part(self, level: int) -> None:
        self.pending = max(self.pending, level)

    def write(self, words: str) -> None:
        if self.parts:
            self.parts.append(_SEPARATORS[self.pending])
        self.parts.append(self.mark + words)
        self.pending, self.mark = _NONE, ""

    def flow(self, text: str) -> None:
        """Running text, where any run of blanks is one blank."""
        words = _BLANKS.sub(" ", text)
        if words.startswith(" "):
            self.part(_BLANK)
        if core := words.strip(" "):
            self.write(core)
            if words.endswith(" "):
                self.part(_BLANK)

    def preformatted(self, text: str) -> None:
        if core := text.strip("\n"):
            self.write(core)
        if text.endswith("\n"):
            self.part(_LINE)


def _visible(soup: BeautifulSoup) -> str:
    writer = _Writer()
    # A stack of iterators instead of recursion: pages nest deeper than Python's stack.
    stack: list[tuple[Tag, Iterator[object], bool]] = [(soup, iter(soup.contents), False)]
    while stack:
        parent, children, preformatted = stack[-1]
        child = next(children, None)
        if child is None:
            stack.pop()
            writer.part(_level(parent))
        elif isinstance(child, Tag):
            if not _is_hidden(child):
                writer.part(_level(child))
                if child.name == "li":
                    # As a browser shows it: what an item says hangs from the line above the list.
                    writer.mark = "- "
                stack.append((child, iter(child.contents), preformatted or child.name == "pre"))
        elif type(child) is NavigableString:  # not a comment, a declaration or its like
            (writer.preformatted if preformatted else writer.flow)(_shifted(child, parent))
    return "".join(writer.parts)


def _shifted(words: NavigableString, parent: Tag) -> str:
    tables = {"sup": _RAISED, "sub": _LOWERED}
    if parent.name in tables and _FIGURES.fullmatch(words.strip()):
        return words.translate(tables[parent.name])
    return str(words)


def _level(tag: Tag) -> int:
    if tag.name in _PARAGRAPHS:
        return _PARAGRAPH
    if tag.name in _LINES:
        return _LINE
    return _CELL if tag.name in _CELLS else _NONE


def _is_hidden(tag: Tag) -> bool:
    if tag.name in _UNSEEN or tag.has_attr("hidden"):
        return True
    style = tag.get("style")
    return isinstance(style, str) and _HIDING.search(style) is not None
