"""Stretches of a text that are not prose: code, formulas, links' targets, tags.

Code is what CommonMark takes for code (see `text.blocks` for fences and indented lines; here
code spans of any number of backticks). HTML's own code elements count as well, since many
writers mix both.

All spans are code points, half-open, in order, without overlaps. Everything here is
linear in the length of the text.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator

import regex

from groundedgen.patterns import lazy
from groundedgen.text.markdown.blocks import Line, lines

__all__ = ["Spans", "code_spans", "link_end", "unprose_spans"]

Span = tuple[int, int]

_MAY_BE_CODE = lazy(r"`|~~~|\t|    ")
_TICKS = lazy(r"(?<!`)`++")
_HTML_CODE = lazy(
    r"<(pre|code|kbd|samp|tt|script|style|textarea|xmp)(?:[\s/][^<>]*)?>", regex.IGNORECASE
)
# These run to the end of the text when nothing closes them, as in every browser.
_RUNS_ON = frozenset({"pre", "script", "style", "textarea", "xmp"})

_FORMULA = lazy(
    r"(?<!\\)\$\$([^$]+)\$\$|(?<![\\$\w])\$(?=\S)([^$\r\n]+)(?<=\S)\$(?![\d$])"
    r"|\\\(((?:[^\\]|\\[^()])*+)\\\)|\\\[((?:[^\\]|\\[^\[\]])*+)\\\]"
)
_IS_FORMULA = lazy(r"[\\^_={}+<>∈≤≥]|\A\w{1,3}[\[(]|\A[\[(].*,.*[\])]\Z", regex.DOTALL)
_ONLY_MARKERS = lazy(
    r"\s*+(?:\[\s*+\w++\s*+\]|\^\s*+\{?(?:\\text\w*+\{)?(?:\\?\[[^\[\]]*+\][\s,;]*+)++)[\s{}\\]*+"
)
_TAG = lazy(r"</?[A-Za-z][^<>]*+>")
# Square brackets belong to an address only where it goes on behind them: "?id[7]=x".
_URL = lazy(
    r"\b(?:https?|ftp)://(?:[^\s<>\"()\[\]]++|\([^\s()<>]*+\)|\[[^\s\[\]]*+\](?=[=/&%]|[.?#]\w))*+",
    regex.IGNORECASE,
)
_TARGET = lazy(
    r"\([ \t]*(?:<([^<>\r\n]*+)>|([^\s()<>]*+(?:\([^\s()<>]*+\)[^\s()<>]*+)*+))"
    r"(?:\s+(?:\"[^\"\r\n]*+\"|'[^'\r\n]*+'|\([^()\r\n]*+\)))?[ \t]*\)"
)
# "(annex)" after a bracket is prose to a reader, whatever a Markdown parser makes of it.
_LOOKS_LIKE_TARGET = lazy(
    r"\Z|[A-Za-z][A-Za-z0-9+.\-]*:|www\.|[/#?]|\.{1,2}/|[^/]*/|[\w\-.]*\w\.[A-Za-z]{2,}(?:[/?#]|\Z)"
)


class Spans:
    """Sorted, disjoint spans, asked whether they cover an offset."""

    __slots__ = ("_ends", "_starts", "spans")

    def __init__(self, spans: Iterable[Span]) -> None:
        self.spans: tuple[Span, ...] = tuple(_merged(spans))
        self._starts = [start for start, _ in self.spans]
        self._ends = [end for _, end in self.spans]

    def cover(self, offset: int) -> bool:
        """Whether `offset` lies in one of the spans."""
        place = bisect_right(self._starts, offset) - 1
        return place >= 0 and offset < self._ends[place]


def _merged(spans: Iterable[Span]) -> Iterator[Span]:
    last: Span | None = None
    for start, end in sorted(spans):
        if last is not None and start <= last[1]:
            last = (last[0], max(last[1], end))
        else:
            if last is not None:
                yield last
            last = (start, end)
    if last is not None:
        yield last


def code_spans(text: str) -> Spans:
    """Where the text is code.

    >>> code_spans("Read `a[7]` first.").spans
    ((5, 11),)
    >>> code_spans("It costs `5 more.").spans
    ()
    """
    found: list[Span] = []
    if _MAY_BE_CODE.search(text):
        split = lines(text)
        found += [(line.start, line.end) for line in split if line.code]
        found += _ticked(text, split)
    if "<" in text:
        found += _html(text, Spans(found))
    return Spans(found)


def _ticked(text: str, split: list[Line]) -> Iterator[Span]:
    """Code spans, block by block: no span reaches out of its paragraph, item or table row."""
    if "`" not in text:
        return
    first = None
    for line in split:
        if first is not None and (line.code or line.blank or line.breaks):
            yield from _ticked_block(text, first, line.start)
            first = None
        if first is None and not (line.code or line.blank):
            first = line.start
    if first is not None:
        yield from _ticked_block(text, first, len(text))


def _ticked_block(text: str, start: int, end: int) -> Iterator[Span]:
    runs = [match.span() for match in _TICKS.finditer(text, start, end)]
    places: dict[int, deque[Span]] = defaultdict(deque)
    for run in runs:
        places[run[1] - run[0]].append(run)
    done = start
    for first, last in runs:
        if first < done:
            continue
        # A backslash takes the first backtick of an opening run; inside code it is literal.
        escaped = first > start and text[first - 1] == "\\"
        same = places[last - first - escaped]
        while same and same[0][0] < last:
            same.popleft()
        if same and last - first > escaped:
            done = same[0][1]
            yield first + escaped, done


def _html(text: str, taken: Spans) -> Iterator[Span]:
    at = 0
    closed_before: set[str] = set()  # elements that nothing closes from here on
    while match := _HTML_CODE.search(text, at):
        at = match.end()
        name = match[1].lower()
        if taken.cover(match.start()) or name in closed_before:
            continue
        close = regex.compile(rf"</{name}\s*>", regex.IGNORECASE).search(text, at)
        if close:
            at = close.end()
            yield match.start(), at
        elif name in _RUNS_ON:
            yield match.start(), len(text)
            return
        else:
            closed_before.add(name)


def link_end(text: str, at: int) -> int | None:
    """The end of a link target `(https://...)` that begins at `at`, or `None`.

    >>> link_end("[2](https://a.example/x_(y))", 3)
    28
    >>> link_end("[2](see below)", 3) is None
    True
    """
    match = _TARGET.match(text, at)
    if match is None:
        return None
    if match[1] is None and not _LOOKS_LIKE_TARGET.match(match[2]):
        return None
    end: int = match.end()
    return end


def unprose_spans(text: str, code: Spans | None = None) -> Spans:
    """Code, and also formulas, tags, addresses and link targets: no marker stands in them.

    `code` is what `code_spans` said of the text, where that is already known.

    >>> unprose_spans("see https://a.example/?id[7]=x now").spans
    ((4, 30),)
    >>> unprose_spans("so it is [7].").spans
    ()
    """
    code = code or code_spans(text)
    more = [*_formulas(text), *_targets(text)]
    if "://" in text:
        more += [match.span() for match in _URL.finditer(text)]
    if "<" in text:
        more += [match.span() for match in _TAG.finditer(text)]
    return Spans([*code.spans, *more]) if more else code


def _formulas(text: str) -> Iterator[Span]:
    if "$" not in text and "\\" not in text:
        return
    for match in _FORMULA.finditer(text):
        body = next(group for group in match.groups() if group is not None)
        if _IS_FORMULA.search(body) and not _ONLY_MARKERS.fullmatch(body):
            yield match.span()


def _targets(text: str) -> Iterator[Span]:
    at = text.find("](")
    while at >= 0:
        end = link_end(text, at + 1)
        if end is not None:
            yield at + 1, end
        at = text.find("](", end or at + 2)
