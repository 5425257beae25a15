"""Markdown as lines of prose, for whoever looks for its sentences.

What only says how words look or where they lead to is taken off: marks of block quotes, targets of
links, tags. List marks, headings and emphasis stay, since they say what hangs from what;
`undressed` takes emphasis and escapes off a single sentence. Code stays as it is.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from functools import partial
from itertools import groupby
from typing import Final

import regex

from groundedgen.patterns import lazy
from groundedgen.text.folding.rules import Edit
from groundedgen.text.markdown.blocks import Line, lines
from groundedgen.text.markdown.markup import emphasis, link_targets, paired_tags, references
from groundedgen.text.markdown.regions import Spans, code_spans
from groundedgen.text.sentences import sentence_spans

__all__ = ["evened", "flattened", "undressed"]

_BREAKS: Final = lazy(r"\r\n?")
_RAISED: Final = lazy(r"<sup>(?=\s*(?:\[[^\[\]<>]{1,60}\]\s*)+</sup>)")
_RAISED_END: Final = lazy(r"(?<=\]\s{0,3})</sup>")
_MARKER_LINK: Final = lazy(
    r"(?<=\[\^?S?\d{1,6}\]|\[\[S?\d{1,6}\]\])\((?:https?:|#|/)[^\s()]{0,500}\)"
)
_BREAK_TAG: Final = lazy(r"<br\s*/?>|</?(?:p|div|ul|ol|h[1-6]|blockquote)>|</li>", regex.IGNORECASE)
_ITEM_TAG: Final = lazy(r"<li>", regex.IGNORECASE)
_BULLET: Final = lazy(r"^[ \t]*+([*+\u2022\u2023])(?=[ \t])", regex.MULTILINE)
_COLON: Final = lazy(
    r"^[ \t]*+(?:[-*][ \t]+)?\[S?\d{1,6}\](:)(?=[ \t]+(?!<?\w+:|www\.|[/#]))", regex.MULTILINE
)
_ROW: Final = lazy(r"\s*\|")
_ORIGIN: Final = lazy(r"[ \t]*(?:[\u2014\u2013\u2015]|--?)[ \t]*([^\r\n]{1,120})")
_ORIGIN_WORDS: Final = 8
_AMOUNT: Final = lazy(r"[ \t]*(?:[$€£¥]|\d(?!\d{0,2}[.)]\s))")
_MARK = r"[\[\u3010]\^?S?\d{1,6}(?:\s?[,;\u2013-]\s?S?\d{1,6})*[\]\u3011]"
_MARKER: Final = lazy(_MARK)
_MARKERS_BEHIND: Final = lazy(rf"(?:\s*{_MARK})+[ \t.]*\Z")
_FENCED: Final = lazy(r"\s*(`{3,}|~{3,})(?:markdown|md|text|txt)?[ \t]*\n(.*)\n\1\s*", regex.DOTALL)
_ESCAPE: Final = lazy(r"\\([!-/:-@\[-`{-~])")
_EDGES: Final = lazy(r"\A(?:\*{2,3}|_{2,3})(?=\S)|(?<=\S)(?:\*{2,3}|_{2,3})\Z")
_HELD: Final = 0xF0000  # a plane for private use: where an escaped sign waits
_HELD_SIGN: Final = lazy(r"[\U000F0021-\U000F007E]")


def evened(text: str) -> str:
    r"""The text with line feeds only, without an indentation or a fence that all of it stands in.

    >>> evened("\r\n    So it is.\r\n      - [1]")
    '\nSo it is.\n  - [1]'
    >>> evened("```markdown\nSo it is.\n```")
    'So it is.'
    """
    even = textwrap.dedent(_BREAKS.sub("\n", text))
    fenced = _FENCED.fullmatch(even)
    return fenced[2] if fenced and fenced[1] not in fenced[2] else even


def flattened(text: str) -> str:
    r"""Markdown with its quotes, links and tags as plain lines.

    A quoted block is a paragraph of its own. Its last line "— Lease, clause 4" only names its
    origin and goes, but for markers.

    Args:
        text: With line feeds only, see `evened`.

    >>> flattened("> Fire is\n> covered.\n> — Lease [1]\n\n[So](https://a.example) it is.<br>Yes.")
    '\n\nFire is\ncovered. [1]\n\n\nSo it is.\nYes.'
    """
    return _evenly_marked(_untagged(_unlinked(_unquoted(text))))


def _unquoted(text: str) -> str:
    if ">" not in text:
        return text
    pieces: list[str] = []
    for quoted, run in groupby(lines(text), key=partial(_is_quoted, text)):
        block = list(run)
        if quoted:
            lead = _introduced(pieces)
            pieces += ["\n\n", _block(text, block, lead), "\n\n"]
        else:
            pieces += [text[line.start : line.end] for line in block]
    return "".join(pieces)


def _is_quoted(text: str, line: Line) -> bool:
    """Whether a line is part of a quote; "> 30 days" says that it is more."""
    if line.depth == 1 and _AMOUNT.match(text, line.body, line.end):
        return False
    return bool(line.depth) or line.lazy


def _introduced(pieces: list[str]) -> str:
    """The markers of a line that leads into a quote ("[1] says:"), which are the quote's own."""
    place = next((n for n in reversed(range(len(pieces))) if pieces[n].strip()), None)
    if place is None or not pieces[place].rstrip().endswith((":", "\uff1a")):
        return ""
    marks = "".join(_MARKER.findall(pieces[place]))
    pieces[place] = _MARKER.sub("", pieces[place])
    return marks


def _block(text: str, block: list[Line], lead: str) -> str:
    """The words of a quote; markers behind its end are those of all its sentences.

    Args:
        text: All of the text.
        block: The lines of the quote.
        lead: Markers before it, its own if it has none.
    """
    # Before the marks of a quote may stand those of a list.
    words = [text[line.start : line.marks] + text[line.body : line.end] for line in block]
    if any(line.code for line in block):
        return "".join(words)
    marks = ""
    if len(words) > 1 and (origin := _ORIGIN.fullmatch(words[-1].rstrip())) and _names(origin[1]):
        marks = "".join(_MARKER.findall(words.pop()))
    said = "".join(words).rstrip()
    behind = _MARKERS_BEHIND.search(said)
    if behind:
        marks, said = behind[0].strip() + marks, said[: behind.start()]
    marks = marks or ("" if _MARKER.search(said) else lead)
    if not marks or _MARKER.search(said):
        return f"{said} {marks}"
    spans = sentence_spans(said)
    if not spans:
        return said
    starts = [*(start for start, _ in spans[1:]), len(said)]
    pieces = [
        f"{said[start:end]} {marks}{said[end:after]}"
        for (start, end), after in zip(spans, starts, strict=True)
    ]
    return said[: spans[0][0]] + "".join(pieces)


def _names(words: str) -> bool:
    """Whether a last line only names where a quote is from, and limits nothing."""
    names = _MARKER.sub("", words).strip()
    begins = names[:1].isupper() or names[:1] in '\u00a7*_[("\u201c' or names[:1].isdigit()
    return begins and len(names.split()) <= _ORIGIN_WORDS and not names.endswith((".", "!", "?"))


def _unlinked(text: str) -> str:
    if "](" not in text:
        return text
    code = code_spans(text)
    plain = [m.span() for m in _MARKER_LINK.finditer(text) if not code.cover(m.start())]
    text = _edited(text, [(start, end, "") for start, end in plain])
    code = code_spans(text)
    return _edited(text, [edit for edit in link_targets(text) if not code.cover(edit[0])])


def _untagged(text: str) -> str:
    if "<" not in text:
        return text
    # With a blank, since "x_[1]" is an index.
    raised = ((_RAISED, " "), (_RAISED_END, ""))
    for pattern, new in (*raised, (_BREAK_TAG, "\n"), (_ITEM_TAG, "\n- ")):
        code = code_spans(text)
        text = _edited(text, list(_tags(text, pattern, new, code)))
    code = code_spans(text)
    return _edited(text, [edit for edit in paired_tags(text) if not code.cover(edit[0])])


def _evenly_marked(text: str) -> str:
    """All bullets as hyphens, and no colon behind a marker that begins a line."""
    for pattern, new in ((_BULLET, "-"), (_COLON, "")):
        code = code_spans(text)
        found = (match.span(1) for match in pattern.finditer(text))
        text = _edited(text, [(start, end, new) for start, end in found if not code.cover(start)])
    return text


def _tags(text: str, pattern: regex.Pattern[str], new: str, code: Spans) -> Iterator[Edit]:
    for match in pattern.finditer(text):
        if not code.cover(match.start()):
            start = text.rfind("\n", 0, match.start()) + 1
            row = new and _ROW.match(text, start) is not None
            yield match.start(), match.end(), " " if row else new


def undressed(sentence: str) -> str:
    r"""A sentence without emphasis, code ticks, escapes and character references.

    What is struck out stays marked so.

    >>> undressed(r"The **fee** is 5\*3 &amp; ~~not~~ `due`.")
    'The fee is 5*3 & ~~not~~ due.'
    >>> undressed("**Fire is covered.")
    'Fire is covered.'
    """
    held = _ESCAPE.sub(lambda match: chr(_HELD + ord(match[1])), sentence)
    plain = _EDGES.sub("", _edited(held, emphasis(held)))
    plain = _edited(plain, references(plain)) if "&" in plain else plain
    return _HELD_SIGN.sub(lambda match: chr(ord(match[0]) - _HELD), plain)


def _edited(text: str, edits: list[Edit]) -> str:
    pieces: list[str] = []
    at = 0
    for start, end, new in edits:
        pieces += [text[at:start], new]
        at = end
    return "".join([*pieces, text[at:]])
