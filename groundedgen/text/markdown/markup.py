"""Markup that only dresses words: references, escapes, links, emphasis, code ticks.

Only what is *paired round words* goes. A lone star (a footnote), 2*3*4, an underscore inside a
name, `__init__`, `<sup>`, struck-out text and every tag that could carry meaning stay.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator
from html.entities import html5

from groundedgen.patterns import compiled
from groundedgen.text.folding.foldtables import SUPERSCRIPTS
from groundedgen.text.folding.rules import Edit, Rule

__all__ = ["RULES", "emphasis", "link_targets", "paired_tags", "references"]

# --- character references -------------------------------------------------------------------

_REFERENCE = compiled(r"&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});", re.IGNORECASE)


def references(text: str) -> list[Edit]:
    """`&amp;`, `&#8217;`: an escaped character is transport, not wording."""
    found = []
    for match in _REFERENCE.finditer(text):
        new = html.unescape(match[0]) if match[0][1] == "#" else html5.get(match[0][1:], "")
        if new and new != match[0] and "\ufffd" not in new:
            found.append((match.start(), match.end(), new))
    return found


# --- escapes --------------------------------------------------------------------------------

_ESCAPE = compiled(r"\\(?=[*_`#$%&~<>\"'\[\]|])")


def _escapes(text: str) -> list[Edit]:
    r"""`\*` and `\$` of Markdown and LaTeX."""
    return [(match.start(), match.end(), "") for match in _ESCAPE.finditer(text)]


# --- tags -----------------------------------------------------------------------------------

_BREAK = compiled(r"<br ?/?>")
_RAISED = compiled(r"<sup>([0-9+-]{1,9}|(?<=\d<sup>)(?:st|nd|rd|th))</sup>")
_LOWERED_DIGITS = compiled(r"<sub>([0-9]{1,9})</sub>")
_TAG = compiled(r"<(/?)(b|i|em|strong|code|mark|u|tt)>")
_UP = {digit: sign for sign, digit in SUPERSCRIPTS.items()}
_DOWN = dict(zip("0123456789", "₀₁₂₃₄₅₆₇₈₉", strict=True))


def _breaks(text: str) -> list[Edit]:
    return [(match.start(), match.end(), " ") for match in _BREAK.finditer(text)]


def _raised(text: str) -> list[Edit]:
    """`10<sup>2</sup>` is 10², and `1<sup>st</sup>` is 1st."""
    up = [(m.start(), m.end(), _mapped(_UP, m[1])) for m in _RAISED.finditer(text)]
    down = [(m.start(), m.end(), _mapped(_DOWN, m[1])) for m in _LOWERED_DIGITS.finditer(text)]
    return sorted(up + down)


def _mapped(table: dict[str, str], text: str) -> str:
    return "".join(table.get(char, char) for char in text)


def paired_tags(text: str) -> list[Edit]:
    """Paired tags that only change the look of the words between them."""
    marks = ((m.start(), m.end(), m[2], not m[1], bool(m[1])) for m in _TAG.finditer(text))
    return _removed(_pairs(marks, reach=2_000))


# --- emphasis -------------------------------------------------------------------------------

# A mark opens before a word and closes after one, and touches no letter or digit outside.
_EMPHASIS = compiled(r"[*_`]+")
_KINDS = frozenset(("*", "**", "***", "_", "__", "___", "`", "``", "```"))
_NO_OPENING = frozenset(" )]}.,;:!?")
_NO_CLOSING = frozenset(" ([{")
_REACH = 400


# A name of a language (`__init__`), and a product (2 *3* 4): the marks are not emphasis.
_NAME = compiled(r"[a-z0-9_]+$")
_FACTOR_BEFORE = compiled(r"\d ?$")
_FACTOR_AFTER = compiled(r" ?\d")


def emphasis(text: str) -> list[Edit]:
    """`**bold**`, `_italic_`, code ticks: paired marks round words."""
    pairs = _pairs(_marks(text), reach=_REACH)
    return _removed(
        pair for pair in pairs if not _is_name(text, pair) and not _is_product(text, pair)
    )


def _is_name(text: str, pair: _Pair) -> bool:
    (start, inner), (end, _) = pair
    return inner - start == 2 and text[start] == "_" and _NAME.match(text[inner:end]) is not None


def _is_product(text: str, pair: _Pair) -> bool:
    return all(
        end - start == 1
        and text[start] == "*"
        and _FACTOR_BEFORE.search(text[max(0, start - 2) : start])
        and _FACTOR_AFTER.match(text, end)
        for start, end in pair
    )


def _marks(text: str) -> Iterator[tuple[int, int, str, bool, bool]]:
    for match in _EMPHASIS.finditer(text):
        start, end = match.span()
        before, after = text[start - 1 : start] or " ", text[end : end + 1] or " "
        opens = not _in_word(before) and after not in _NO_OPENING
        closes = not _in_word(after) and before not in _NO_CLOSING
        if (opens or closes) and match[0] in _KINDS:
            yield start, end, match[0], opens, closes


def _in_word(char: str) -> bool:
    return char.isalnum() or char == "_"


# --- links ----------------------------------------------------------------------------------

# Only with a target that is one: "[annex](section 2)" is prose.
_LINK = compiled(
    r"(?<![!\\\]])\[([^\[\]\n]{1,300})\]\((?:<[^<>\s]{1,500}>|(?:[a-z][a-z0-9+.-]{1,20}:|www\.|[/#?]|\.{1,2}/)"
    r"[^\s()]{0,500}|[\w./-]{1,200}\.(?:html?|pdf|md|aspx?|php|docx?))(?: \"[^\"\n]{0,200}\")?\)"
)


def link_targets(text: str) -> list[Edit]:
    """`[words](https://...)`: a link only dresses its words; a picture's are not in the text."""
    found = []
    for match in _LINK.finditer(text):
        if any(map(str.isalpha, match[1])):
            found += [(match.start(), match.start(1), ""), (match.end(1), match.end(), "")]
    return found


_Pair = tuple[tuple[int, int], tuple[int, int]]


def _pairs(marks: Iterable[tuple[int, int, str, bool, bool]], reach: int) -> Iterator[_Pair]:
    """Match each closing mark with the last opening one of its kind, at most `reach` before."""
    opened: dict[str, tuple[int, int]] = {}
    for start, end, kind, opens, closes in marks:
        left = opened.pop(kind, None) if closes else None
        if left and left[1] < start <= left[1] + reach:
            yield left, (start, end)
        elif opens:
            opened[kind] = start, end


def _removed(pairs: Iterable[_Pair]) -> list[Edit]:
    return sorted((start, end, "") for pair in pairs for start, end in pair)


RULES: tuple[Rule, ...] = (
    Rule.of("&", references),
    Rule.of(["]("], link_targets),
    Rule.of("\\", _escapes),
    Rule.of(["<br"], _breaks),
    Rule.of(["<sup>", "<sub>"], _raised),
    Rule.of(["</"], paired_tags),
    Rule.of("*_`", emphasis),
)
