"""The alphabet of a constrained text, and what may stand round its numbers.

Regular expressions in the dialect of `llguidance` (that of Rust's `regex`), which Python's `regex`
reads as well. Two traits of its lexer shape them. It is greedy, byte by byte: a terminal goes on
as long as it can, and never turns back. So every word begins with its blank and competes with
every other at the same place, and no character may follow a terminal whose first byte could go on
in it. And it dies in mid-answer of a long count crossed with a list of words ("too many expressions
constructed"), so lists stand inside of single words only, and texts are counted in words.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from groundedgen.text.numbers.labels import LABELS, NUMBER_SIGNS
from groundedgen.text.numbers.months import MONTHS
from groundedgen.text.numbers.units import (
    ADJECTIVES,
    CJK_UNITS,
    GLUED,
    GLUED_SCALES,
    PHRASES,
    SCALES,
    SCALES_BY_LANGUAGE,
    SYMBOLS,
    WORDS,
)

__all__ = ["ALPHABET", "CHAR", "terminals"]

# Punctuation that is a sign of a number, of markup or of a marker. Percent signs, section marks,
# currency and the like come from the quote, with their number.
_NO_PROSE: Final = (
    r'"\\\/%#*@_\[\]{}<>`^~|+='
    r"\u00a7\u00b6\u2022\u2020\u2021\u2030\u2031\u2032-\u2037\u203b\u2043\u2052\u066a\u0609\u060a"
    r"\u3010\u3011\u3014-\u301b\u30fb\ufe6a\uff03\uff05\uff0a\uff0f\uff20\uff3b-\uff3d\uff3f\uff5b\uff5d"
)
ALPHABET: Final = rf"[[\p{{L}}\p{{M}}\p{{P}}\u200c\u200d ]--[{_NO_PROSE}]]"
"""Letters and marks of all scripts, the punctuation of prose, the blank."""
_INNER: Final = rf'(?:[{ALPHABET}--[ ]]|\\"|\p{{L}}\/\p{{L}})'  # of a word
CHAR: Final = rf'(?:{ALPHABET}|\\"|\p{{L}}\/\p{{L}})'
"""One character of a text inside a JSON string. A slash only joins two letters: no links."""
_OPEN: Final = r'(?:[(\u201c\u201e\u2018\u201a\u00ab\u00bf\u00a1\u300c\u300e]|\\")?'
# No bracket right before a number: "(Rs 12)" is how accounts write a negative one.
_OPEN_NUMBER: Final = _OPEN.replace("[(", "[")
_STOP: Final = (
    r"\)?[,;:.!?\u2026\u060c\u061b\u061f\u0964\u3001\u3002\uff0c\uff1b\uff1a\uff01\uff1f]{1,3}"
)
_CLOSED: Final = rf'(?:[)\u2019]?(?:{_STOP})?|\\"(?:{_STOP})?)'

_UNSPACED: Final = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Hangul}"
_LETTER: Final = rf"[[{_UNSPACED}]&&[\p{{L}}\p{{M}}]]"  # their digits are of these scripts as well
_HAN_NUMERALS: Final = (
    "\u4e00\u4e8c\u4e24\u4e09\u56db\u4e94\u516d\u4e03\u516b\u4e5d\u5341\u767e\u5343\u4e07\u842c"
    "\u5104\u4ebf\u5146\u7b2c\u8d1f\u8ca0\u534a\u70b9\u9ede\u5206"
)

_UNITS_BEGIN: Final = "".join(dict.fromkeys(unit[0] for unit in CJK_UNITS))
_SAFE: Final = f"[{_LETTER}--[{_HAN_NUMERALS}{_UNITS_BEGIN}]]"  # no numeral, begins no unit
_SIGN: Final = rf'(?:[[\p{{P}}]--[{_NO_PROSE}]]|\\")'
_RUN: Final = rf"(?:{_LETTER}|{_SIGN})"
_COMMA: Final = r"[\u3001\u3002\uff0c\uff1b\uff1a\uff01\uff1f]"
# Two letters that are no numerals part a number from one in words: "\u5341\u4e07" is 100,000.
_BEFORE: Final = rf"(?:{_RUN}{{0,30}}(?:{_SAFE}|{_SIGN}))?{_SAFE} ?|{_RUN}{{0,30}}{_COMMA} ?"
_BEHIND: Final = rf"(?:{_SAFE}|{_STOP}){_RUN}{{0,30}}"
_LINK: Final = rf"{_SAFE}(?:{_RUN}{{0,30}}{_SAFE})?"


def terminals(max_text: int) -> list[str]:
    """The terminals that all texts share.

    TEXT is a whole text without numbers. FIRST and WORD are any words, MORE the rest of a long
    one. ASIDE is a word that may stand before a number: no "minus", no code ("EUR 30"), month
    ("May 30") or label ("Section 30"). BESIDE is one that may stand behind a number that has
    no unit: no unit, no scale. BETWEEN is both. RUN and LATIN are for scripts without blanks.

    The first eight are parts of the terminals of numbers: what opens a bracket or a quotation
    before one (OPEN, at the beginning OPEN_FIRST), closes it (BRACKET), parts a number from the
    word behind it (STOP), stands behind one with its unit (CLOSED); in scripts without blanks
    what stands before (BEFORE), goes on behind one without a unit (BEHIND), or leads from it to
    the next one (LINK).

    Args:
        max_text: The most code points of TEXT, 20 or more.
    """
    spaced = rf"[[\p{{L}}\p{{M}}]--[{_UNSPACED}]]"
    small = rf"[[\p{{Ll}}\p{{Lo}}\p{{Lm}}\p{{M}}]--[{_UNSPACED}]]"
    # A stray mark would make another word of a unit, so none stands on a Latin letter.
    spelled = rf"(?:[A-Za-z]|[\p{{L}}--[A-Za-z{_UNSPACED}]]\p{{M}}{{0,3}})"
    part = rf"(?:{spaced}{{1,20}}['\u2019\-])"
    behind = rf"(?:['\u2019\-]{_INNER}{{0,20}}|[)\u201d]?(?:{_STOP})?)"
    return [
        f"OPEN_FIRST: /{_OPEN_NUMBER}/",
        f"OPEN: / {_OPEN_NUMBER}/",
        r"BRACKET: /\)?/",
        f"STOP: /{_STOP}/",
        f"CLOSED: /{_CLOSED}/",
        f"BEFORE: /{_BEFORE}/",
        f"BEHIND: /{_BEHIND}/",
        f"LINK: /{_LINK}/",
        rf"TEXT: /{_OPEN}\p{{L}}{CHAR}{{0,{max_text - 1}}}/",
        rf"FIRST: /{_OPEN}\p{{L}}{_INNER}{{0,39}}/",
        f"WORD: / {_INNER}{{1,40}}/",
        f"MORE: /{_INNER}{{1,40}}/",
        rf"NO_SIGN: /\p{{Lu}}?{small}{{1,24}}/ & ~/(?i:{_either(_signs())})/",
        rf"NO_UNIT: /{spelled}{{1,24}}/ & ~/(?i:{_either(_units())})/",
        rf"PLAIN: NO_SIGN | /{part}{{1,2}}/ NO_SIGN | /{_LETTER}{{0,39}}{_SAFE}/",
        f"ASIDE_FIRST: /{_OPEN}/ PLAIN /[,;:]?/",
        f"ASIDE: / {_OPEN}/ PLAIN /[,;:]?/",
        rf"BESIDE: / {_OPEN}/ NO_UNIT /{behind}/ | / {_OPEN}{_SAFE}{_INNER}{{0,20}}/",
        "ALL_CLEAR: NO_SIGN & NO_UNIT",
        f"BETWEEN: / {_OPEN}/ ALL_CLEAR /[,;:]?/",
        f"RUN_FIRST: /{_OPEN}{_LETTER}{_RUN}{{0,30}}/",
        f"RUN: /{_RUN}{{1,31}}/",
        "LATIN: /[A-Za-z\\u00c0-\\u024f\\u0370-\\u052f]{1,40}/",
        'BLANK: " "',
    ]


def _units() -> set[str]:
    """All words that say what a number measures, or how many thousands it has."""
    tables: list[Iterable[str]] = [ADJECTIVES, GLUED, GLUED_SCALES, PHRASES, SCALES, SYMBOLS, WORDS]
    tables += SCALES_BY_LANGUAGE.values()
    return {word.lower() for table in tables for word in table}


def _signs() -> set[str]:
    """Words that make a name, a date or a negative number of the number behind them."""
    return {"minus", "negative", "p", "pp", *NUMBER_SIGNS, *MONTHS, *LABELS}


def _either(words: Iterable[str]) -> str:
    """A pattern of these words that shares their beginnings: side by side they cost too much.

    A lexer derives every alternative at every step, and has little fuel for one step.
    """
    tree: dict[str, Any] = {}
    for word in words:
        if word.isalpha():
            node = tree
            for letter in word:
                node = node.setdefault(letter, {})
            node[""] = {}
    return _branches(tree)


def _branches(tree: dict[str, Any]) -> str:
    ends = "" in tree
    branches = [letter + _branches(rest) for letter, rest in sorted(tree.items()) if letter]
    if not branches:
        return ""
    if len(branches) == 1 and not ends:
        return branches[0]
    return f"(?:{'|'.join(branches)})" + ("?" if ends else "")
