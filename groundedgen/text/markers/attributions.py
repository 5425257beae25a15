r"""What a sentence says of its marker only: "According to [1], ...", "(see [2])".

Without its marker such a phrase is broken, and it says nothing but the source, which a reader is
shown anyhow. So it goes with the marker. Where the rest would need other words
("Laut [1] kann ...") nothing is touched, and `needs_marker` tells that the sentence cannot do
without.

A phrase is only taken off where the sentence is asserted with or without it: "[1] states that",
never "[1] does not state that" or "[1] suggests that".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import regex

from groundedgen.patterns import lazy

__all__ = ["needs_marker", "unattributed"]

Span = tuple[int, int]
Find = Callable[[str], Sequence[Span]]

_NOUN = r"(?:(?:the\s+)?(?:sources?|documents?|passages?|excerpts?|references?|texts?)\s+)?"
# Markers side by side are one run, which is taken whole: else there are many ways to read it.
_MARKS = rf"{_NOUN}\0++(?:\s*+(?:,\s*+and\b|,|;|&|\band\b)?\s*+{_NOUN}\0++){{0,8}}+"
_VERB = (
    r"(?:states?|says?|notes?|provides?|explains?|confirms?|specif(?:y|ies)|stipulates?|shows?"
    r"|mentions?|establish(?:es)?|sets?\s+out|makes?\s+(?:it\s+)?clear|reads?)"
)
_DONE = (
    r"(?:stated|said|noted|described|explained|mentioned|set\s+out|laid\s+(?:out|down)|provided"
    r"|specified|stipulated|shown|written|outlined|confirmed|defined|given|indicated|reported)"
)
_BY = (
    rf"(?:according\s+to|as\s+per|per|based\s+on|as\s+{_DONE}\s+(?:in|by|under|at)"
    r"|selon|d[\u2019']apr\u00e8s|seg\u00fan|secondo)"
)
_SEE = (
    r"(?:see(?:\s+also)?|cf\.?|compare|sources?:?|references?:?|refs?\.?:?|from|siehe(?:\s+auch)?"
    r"|s\.|vgl\.?|quellen?:?|voir(?:\s+aussi)?|v\u00e9ase|ver|fuentes?:?|vedi|zie)"
)
# "except as stated in [1]" says more than where it stands.
_LIMITS = (
    "except|unless|otherwise|other|but|only|save|not|never|than|even|just|and|or|if|that|is|are"
)
_START = (
    r"(?P<start>(?:(?<=\A|\n)[ \t]*+(?:(?:[-*+>\u2022]|\d{1,3}[.)])[ \t]+)*+"
    r"|(?<=[.!?:][\"\u201d*_)\0]{0,9}\s{1,3}))[*_]{0,3})"
)
_DRESS = r"[*_\"\u201c]{0,3}"
# A phrase before a sentence: it goes, and its markers move into the sentence.
_BEFORE: Final = lazy(
    rf"{_START}(?:(?:(?:{_BY}|in|under|from)\s+(?P<marks>{_MARKS})|as\s+(?P<marks>{_MARKS})\s+{_VERB})\s*,\s+"
    rf"|(?P<marks>{_MARKS})\s+(?:also\s+|further\s+|clearly\s+|explicitly\s+)?{_VERB}\s+that\s+)"
    rf"(?P<words>{_DRESS}\w[^\s\0]*(?:[ \t]+[^\s\0]+){{0,5}})",
    regex.IGNORECASE,
)
# A phrase behind one, or in brackets: its words go, its markers stay.
_BEHIND: Final = lazy(
    rf"(?:(?:[,;]|\s[\u2013\u2014-])\s*+(?:{_SEE}|as(?=\s+\0+\s+{_VERB}\b)|{_BY})"
    rf"|(?<!\b(?:{_LIMITS}))\s(?:{_BY}|see))"
    rf"\s+(?P<marks>{_MARKS})(?:\s+{_VERB})?(?=\s*(?:[.!?;)]|\n|\Z))",
    regex.IGNORECASE,
)
# A phrase between commas.
_AMID: Final = lazy(
    rf",\s*+(?:{_BY}\s+(?P<marks>{_MARKS})|as\s+(?P<marks>{_MARKS})\s+{_VERB})\s*,(?=\s)",
    regex.IGNORECASE,
)
_BRACKETED: Final = lazy(
    rf"[(\[\uff08]\s*(?:(?:{_SEE}|{_BY})\s*)?(?P<marks>{_MARKS})\s*[)\]\uff09]", regex.IGNORECASE
)
# A sentence of nothing else.
_ALONE: Final = lazy(
    rf"{_START}[(\[]?{_SEE}\s*:?\s*(?P<marks>{_MARKS})[.)\]]{{0,2}}(?=\s|\Z)", regex.IGNORECASE
)
_MASK: Final = lazy(r"\0+")
_GAP: Final = lazy(r"(?<=\S)[ \t]+|(?<=\S)\Z")

# Words that no sentence ends with, before a marker.
_OPEN_WORDS: Final = """
a although an and as at because but by contrary except for from if in into like nor of or per see
than the to under unless unlike versus via vs whereas whether with within
aus das dem den der die gem\u00e4\u00df laut mit nach oder siehe und von wie zu zufolge
avec dans de des du et la le les ou par selon voir con del el en los o seg\u00fan ver y
"""
_OPEN: Final = frozenset(_OPEN_WORDS.split())
# ... and words that may end one, but go on otherwise if more follows.
_LINKING_WORDS: Final = """
also both either how neither on only since that these this though until what when where which while
who
"""
_LINKING: Final = frozenset(_LINKING_WORDS.split())
_LAST_WORD: Final = lazy(r"(?r)([^\W\d_]+)\W*")
_NEAR: Final = 40  # code points before a marker that are looked at


def unattributed(text: str, find: Find) -> str:
    """The text without the phrases that say nothing but a source; all markers stay in it.

    Args:
        text: A text with markers.
        find: Where they are in a text, in order.

    >>> from groundedgen.text.brackets import markers
    >>> unattributed("According to [1], the fee is due (see [2]).", markers)
    'The fee [1] is due [2].'
    >>> unattributed("[1] does not state that fees are due.", markers)
    '[1] does not state that fees are due.'
    """
    for pattern in (_BRACKETED, _ALONE, _AMID, _BEHIND, _BEFORE):
        masked = _masked(text, find(text))
        pieces, at = [], 0
        for match in pattern.finditer(masked):
            pieces += [text[at : match.start()], _rest(text, match, find)]
            at = match.end()
        text = "".join([*pieces, text[at:]])
    return text


def _masked(text: str, marks: Sequence[Span]) -> str:
    pieces, at = [], 0
    plain = text.replace("\0", " ")
    for start, end in marks:
        pieces += [plain[at:start], "\0" * (end - start)]
        at = end
    return "".join([*pieces, plain[at:]])


def _rest(text: str, match: regex.Match[str], find: Find) -> str:
    """What stays of a phrase: its markers and, of the sentence behind it, the first words."""
    found = match.groupdict()
    begin, end = match.span("marks")
    marks = [text[m.start() : m.end()] for m in _MASK.finditer(match.string, begin, end)]
    start = found.get("start") or ""
    if "words" in found:
        return start + _within(text[match.start("words") : match.end("words")], marks, find)
    glued = match.start() == 0 or match.string[match.start() - 1].isspace()
    return start + ("" if glued else " ") + "".join(marks)


def _within(words: str, marks: Sequence[str], find: Find) -> str:
    """The first words of a sentence, with markers behind one that they can stand behind."""
    capital, written = _capital(words), "".join(marks)
    for gap in _GAP.finditer(capital):
        text = f"{capital[: gap.start()]} {written}{capital[gap.start() :]}"
        end = gap.start() + 1 + len(written)
        found = find(text)  # "Clause [1]" is a clause
        whole = sum(last - first for first, last in found) == len(written)
        if whole and not needs_marker(text, gap.start() + 1, end):
            return text
    return f"{written} {capital}"


def _capital(words: str) -> str:
    at = next((n for n, char in enumerate(words) if char.isalpha()), 0)
    first = words[at:].split(None, 1)[0]
    return words[:at] + words[at].upper() + words[at + 1 :] if first.islower() else words


def needs_marker(text: str, start: int, end: int) -> bool:
    """Whether the words round a marker make no sentence without it.

    Args:
        text: A sentence.
        start: Where the marker begins in it.
        end: Where that ends.

    >>> needs_marker("Laut [1] ist Feuer versichert.", 5, 8)
    True
    >>> needs_marker("Fire [1] is covered.", 5, 8)
    False
    """
    before = _LAST_WORD.match(text, max(0, start - _NEAR), start)
    behind = text[end:].lstrip(" ,;")[:1]
    if before is None or text[start - 1 : start].isalnum():
        opens = not any(map(str.isalnum, text[max(0, start - _NEAR) : start]))
        return opens and behind.islower()
    first = not any(map(str.isalnum, text[max(0, start - _NEAR) : before.start(1)]))
    word = before[1].lower() if first else before[1]  # "Plan A [1]" is whole
    return word in _OPEN or (word in _LINKING and behind.isalnum())
