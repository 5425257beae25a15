"""Cut stretches out of a text so that only their own places change.

A stretch takes with it what has no use without it: brackets and emphasis that it alone
filled, its link, the one blank before it, the sign that joined it to its neighbour.
Nothing else moves, and no pass over the whole text tidies anything up.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import regex

from groundedgen.patterns import lazy
from groundedgen.text.markdown.regions import link_end

__all__ = ["Cut", "cut"]

_BRACKETS = {
    "(": ")",
    "[": "]",
    "{": "}",
    "（": "）",
    "【": "】",
    "［": "］",
    "〔": "〕",
    "｛": "｝",
}
# Longest first: "**" is not twice "*".
_EMPHASIS = ("***", "**", "*", "___", "__", "_", "~~", "~", "^", "$$", "$")
_TAG = lazy(r"<(sup|sub|b|i|em|strong|small|a|u|span|cite)(?:\s[^<>]*)?>\Z", regex.IGNORECASE)
_LINE_START = lazy(r"(?:\A|(?<=[\r\n])) {0,3}\Z")
_DEFINITION = lazy(
    r":[ \t]*(?:<[^<>\s]+>|(?:[a-z][a-z0-9+.\-]*:|www\.|[/#])\S*)"
    r"(?:[ \t]+(?:\"[^\"\r\n]*\"|'[^'\r\n]*'))?[ \t]*(?:\r\n|\r|\n|\Z)",
    regex.IGNORECASE,
)
_RAISED = lazy(r"(?:\\(?:textsuperscript|textbf|text|mathrm)|\^)\Z")
_BULLET = lazy(r"\s*[*+\-]\s")
_NEAR = 300  # code points before a stretch that are searched for what it filled
_LAYERS = 8  # brackets round brackets

_JOINED = lazy(r"[^\S\r\n]*+[,;、，；]?[^\S\r\n]*+|[-\u2010-\u2015~]")
_SEPARATOR = lazy(r"[^\S\r\n]*+[,;、，；][^\S\r\n]*+|[-\u2010-\u2015~]")
_BLANK = lazy(r"\p{Zs}")
_SPACED = lazy(
    r"[\p{L}\p{N}--[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]]", regex.V1
)
_OPENS = lazy(r"[\p{Ps}\p{Pi}¿¡\\#@]|<(?!/|\s|br)")
_CLOSES = lazy(r"[\s\p{P}|<=]|\Z")
_EITHER = lazy(r"[\"'*_~`]+")


@dataclass(frozen=True, slots=True)
class Cut:
    """Put `rest` in place of `text[start:end]`; "" cuts the stretch out.

    A neighbour that stays has to be named as well, with itself as its `rest`: what joins
    two stretches goes with the one that is cut.
    """

    start: int
    end: int
    rest: str = ""


def cut(text: str, cuts: Iterable[Cut]) -> str:
    """Make the cuts, which are in order and do not overlap.

    >>> cut("So it is ([7]), see b.", [Cut(10, 13)])
    'So it is, see b.'
    >>> cut("So it is [1], [7].", [Cut(9, 12, "[1]"), Cut(14, 17)])
    'So it is [1].'
    """
    pieces: list[str] = []
    at = 0
    for start, end, rest in _edits(text, _widened(text, cuts)):
        pieces += [text[at:start], rest]
        at = end
    return "".join([*pieces, text[at:]]) if pieces else text


def _widened(text: str, cuts: Iterable[Cut]) -> list[Cut]:
    """Cuts with what they alone filled, those side by side as one."""
    done: list[Cut] = []
    for one in cuts:
        if one.rest:
            done.append(one)
            continue
        start, end = _peel(text, one.start, one.end, done[-1].end if done else 0)
        while done and not done[-1].rest and _JOINED.fullmatch(text, done[-1].end, start):
            first = done.pop().start
            start, end = _peel(text, first, end, done[-1].end if done else 0)
        done.append(Cut(start, end))
    return done


def _edits(text: str, cuts: list[Cut]) -> Iterator[tuple[int, int, str]]:
    for place, one in enumerate(cuts):
        if one.rest:
            if one.rest != text[one.start : one.end]:
                yield one.start, one.end, one.rest
            continue
        before = cuts[place - 1] if place else None
        after = cuts[place + 1] if place + 1 < len(cuts) else None
        if before and before.rest and _SEPARATOR.fullmatch(text, _reach(text, before), one.start):
            yield _reach(text, before), one.end, ""
        elif after and after.rest and _SEPARATOR.fullmatch(text, one.end, after.start):
            yield one.start, after.start, ""
        else:
            start, end = _with_blank(text, one.start, one.end)
            yield start, end, " " if _glues(text, start, end) else ""


def _reach(text: str, one: Cut) -> int:
    """The end of a stretch with its link."""
    return link_end(text, one.end) or one.end


def _peel(text: str, start: int, end: int, floor: int) -> tuple[int, int]:
    """Widen a stretch by the layers that hold nothing else. Nothing before `floor` is taken."""
    for _ in range(_LAYERS):
        if end > start and text[end - 1] in "]】］":
            start, end = _linked(text, start, end, floor)
        layer = (
            _bracket(text, start, end, floor)
            or _emphasis(text, start, end, floor)
            or _tag(text, start, end, floor)
        )
        if layer is None:
            break
        start, end = layer
    return start, end


def _linked(text: str, start: int, end: int, floor: int) -> tuple[int, int]:
    """A stretch with its link, its image, or the definition of a link that it names."""
    if target := link_end(text, end):
        image = start > floor and text[start - 1] == "!" and not text[max(0, start - 2)].isalnum()
        return start - image, target
    if text.startswith(":", end) and _LINE_START.search(text, max(floor, start - 4), start):
        definition = _DEFINITION.match(text, end)
        return (start, definition.end()) if definition else (start, end)
    return start, end


def _bracket(text: str, start: int, end: int, floor: int) -> tuple[int, int] | None:
    first, last = start, end
    while first > floor and start - first < _LAYERS and text[first - 1] == " ":
        first -= 1
    while last < len(text) and last - end < _LAYERS and text[last] == " ":
        last += 1
    if first == floor or last == len(text) or _BRACKETS.get(text[first - 1]) != text[last]:
        return None
    first, last = first - 1, last + 1
    if text[first] == "{" and (raised := _RAISED.search(text[max(floor, first - 20) : first])):
        first -= len(raised[0])  # LaTeX: ^{[7]}
    return first, last


def _emphasis(text: str, start: int, end: int, floor: int) -> tuple[int, int] | None:
    if start == floor or text[start - 1] not in "*_~^$":
        return None
    for sign in _EMPHASIS:
        first = start - len(sign)
        if first >= floor and text.startswith(sign, first) and text.startswith(sign, end):
            return (first, end + len(sign)) if _opens(text, first, sign) else None
    return None


def _opens(text: str, at: int, sign: str) -> bool:
    """Whether the emphasis sign at `at` begins emphasis: in `**a**[7]**b**` it ends some."""
    if at == 0 or not text[at - 1].isalnum():
        return True
    near = max(
        text.rfind("\n", max(0, at - _NEAR), at) + 1,
        text.rfind("\r", max(0, at - _NEAR), at) + 1,
        at - _NEAR,
    )
    bullet = _BULLET.match(text, near, at)
    return text.count(sign, bullet.end() if bullet else near, at) % 2 == 0


def _tag(text: str, start: int, end: int, floor: int) -> tuple[int, int] | None:
    if start == floor or text[start - 1] != ">":
        return None
    opening = _TAG.search(text[max(floor, start - _NEAR) : start])
    if opening is None:
        return None
    closing = f"</{opening[1]}>"
    if text[end : end + len(closing)].lower() != closing.lower():
        return None
    return start - len(opening[0]), end + len(closing)


def _with_blank(text: str, start: int, end: int) -> tuple[int, int]:
    """A stretch with the one blank before it or, where it begins a line, behind it."""
    blank_behind = end < len(text) and _BLANK.match(text, end) is not None
    if start and _BLANK.match(text, start - 1):
        return (start, end) if _touches_word(text, end) else (start - 1, end)
    if blank_behind and _begins(text, start):
        return start, end + 1
    return start, end


def _glues(text: str, start: int, end: int) -> bool:
    """Whether a cut would make one word, or one number, of two."""
    return bool(start and _SPACED.match(text, start - 1) and _SPACED.match(text, end))


def _begins(text: str, at: int) -> bool:
    """Whether a line, a bracket, a quotation or emphasis begins right before `at`."""
    while at and text[at - 1] in "\"'*_~":
        at -= 1
    return at == 0 or text[at - 1] in "\r\n" or _OPENS.match(text, at - 1) is not None


def _touches_word(text: str, at: int) -> bool:
    if either := _EITHER.match(text, at):
        # Signs that open and close alike open if a word follows them.
        at = either.end()
        return at < len(text) and (text[at].isalnum() or _OPENS.match(text, at) is not None)
    return _OPENS.match(text, at) is not None or _CLOSES.match(text, at) is None
