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
from functools import cache
from typing import Any, Final

from groundedgen.text.numbers.cjk import HAN
from groundedgen.text.numbers.labels import LABELS, NUMBER_SIGNS
from groundedgen.text.numbers.months import CAPITAL_ONLY, MONTHS
from groundedgen.text.numbers.numwords import LANGUAGES, lexicon
from groundedgen.text.numbers.rates import PER_WORDS
from groundedgen.text.numbers.units import (
    ADJECTIVES,
    CJK_UNITS,
    CODES,
    GLUED,
    GLUED_SCALES,
    PERIODS,
    PHRASES,
    SCALES,
    SCALES_BY_LANGUAGE,
    SYMBOLS,
    WORDS,
)

__all__ = ["ALPHABET", "CHAR", "is_head", "terminals"]

# Punctuation that is a sign of a number, of markup or of a marker. Percent signs, section marks,
# currency and the like come from the quote, with their number.
_NO_PROSE: Final = (
    r'"\\\/%#*@_\[\]{}<>`^~|+='
    r"\u00a7\u00b6\u2022\u2020\u2021\u2030\u2031\u2032-\u2037\u203b\u2043\u2052\u066a-\u066c"
    r"\u0609\u060a"
    r"\u3010\u3011\u3014-\u301b\u30fb\ufe6a\uff03\uff05\uff0a\uff0f\uff20\uff3b-\uff3d\uff3f\uff5b\uff5d"
)
# Marks that strike a letter out or enclose it, and those that no reader sees.
_NO_MARK: Final = (
    r"\p{Me}\u0335-\u0338\u034f\u17b4\u17b5\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef"
)
ALPHABET: Final = rf"[[\p{{L}}\p{{M}}\p{{P}}\u200c\u200d ]--[{_NO_PROSE}{_NO_MARK}]]"
"""Letters and marks of all scripts, the punctuation of prose, the blank."""
CHAR: Final = rf'(?:{ALPHABET}|\\"|\p{{L}}\/\p{{L}})'
"""One character of a text inside a JSON string. A slash only joins two letters: no links."""

_UNSPACED: Final = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Hangul}"
# Letters of scripts with large and small ones, but for those that are another one in disguise.
_CASED: Final = (
    r"[[A-Za-z\u00c0-\u012f\u0132-\u017e\u0180-\u024f\u0370-\u052f\u1e00-\u1fff]&&[\p{L}]]"
)
_CASELESS: Final = r"[[\p{Lo}\p{Lm}]--[\p{Latin}\p{Greek}\p{Cyrillic}\p{Common}]]"
_OTHER: Final = rf"[{_CASELESS}--[{_UNSPACED}]]"  # of scripts with blanks
_MARK: Final = rf"[[\p{{Mn}}\p{{Mc}}\u200c\u200d]--[{_NO_MARK}]]"
_INNER: Final = rf'(?:[{ALPHABET}--[ \u0300-\u036f]]|\\"|\p{{L}}\/\p{{L}})'  # of a word
_PUNCT: Final = rf'(?:[[\p{{P}}]--[{_NO_PROSE}]]|\\")'
_SIGNED: Final = (
    rf'(?:[[\p{{P}}\p{{M}}\u200c\u200d]--[{_NO_PROSE}{_NO_MARK}\u0300-\u036f]]|\\"|\/\p{{L}})'
)
_OPEN: Final = r'(?:[(\u201c\u201e\u2018\u201a\u00ab\u00bf\u00a1\u300c\u300e]|\\")?'
# No bracket right before a number: "(Rs 12)" is how accounts write a negative one.
_OPEN_NUMBER: Final = _OPEN.replace("[(", "[")
# No colon (10:30: is no time of day), and a full stop at the end only: "30. Tag" is an ordinal.
_STOP: Final = r"\)?[,;!?\u2026\u060c\u061b\u061f\u0964\u3001\u3002\uff0c\uff1b\uff01\uff1f]{1,3}"
_ANY_STOP: Final = _STOP.replace("[,;", "[,;:.\\uff1a")
_CLOSED: Final = rf'(?:[)\u2019](?:{_ANY_STOP})?|{_ANY_STOP}|\\"(?:{_ANY_STOP})?)'

_LETTER: Final = rf"[[{_UNSPACED}]&&[{_CASELESS}{_MARK}]]"  # their digits are of these scripts too
# Also what stands before a time or a rate: \u4e0a\u5348, \u4eca\u6668, \u6bcf.
_HAN_NUMERALS: Final = (
    HAN.pattern[1:-1].replace("\u3007", "")
    + "\u8d1f\u8ca0\u534a\u70b9\u9ede\u5206\u524d\u5348\u5f8c\u4e0a\u6668\u665a\uc804\ud6c4"
    + "\u6bcf\u6bce"
)

_UNITS_BEGIN: Final = "".join(dict.fromkeys(unit[0] for unit in CJK_UNITS))
_SAFE: Final = f"[{_LETTER}--[{_HAN_NUMERALS}{_UNITS_BEGIN}]]"  # no numeral, begins no unit
_SIGN: Final = rf'(?:[[\p{{P}}]--[{_NO_PROSE}]]|\\")'
_RUN: Final = rf"(?:{_LETTER}|{_SIGN})"
_COMMA: Final = r"[\u3001\u3002\uff1b\uff1a\uff01\uff1f]"
# Two letters that are no numerals part a number from one in words: "\u5341\u4e07" is 100,000.
_BEFORE: Final = rf"(?:{_RUN}{{0,30}}(?:{_SAFE}|{_SIGN}))?{_SAFE} ?|{_RUN}{{0,30}}{_COMMA} ?"
_BEHIND: Final = rf"(?:{_SAFE}|{_STOP}){_RUN}{{0,30}}"
_LINK: Final = rf"{_SAFE}(?:{_RUN}{{0,30}}{_SAFE})?"

# ruff: noqa: SIM905 - a table of words is read as words
# Behind a number they make an hour, an article or a bound of it, most in any language.
_HOURS: Final = frozenset("am pm uhr bis ter quater quinquies sexies septies x".split())
_POINTS: Final = frozenset("point points pt pts punkte".split())
# May stand alone between two numbers. Any word could be a range of them ("to"), a share ("in"), a
# unit or a label, and to rule all of these out costs a lexer more than all else.
_BETWEEN: Final = frozenset(
    (
        "under for on at by with within before after during over above below about around plus not "
        "but then than as is was are were versus because if when where while since despite "
        "unter f\u00fcr auf bei mit nach vor ab nicht aber dann als ist war sind wegen wenn laut "
        "gem\u00e4\u00df sous pour avec apr\u00e8s avant d\u00e8s pas mais puis est sont selon "
        "bajo para con tras desde pero no luego es son seg\u00fan sotto dopo prima ma non poi "
        "sob com ap\u00f3s mas n\u00e3o s\u00e3o onder voor met na niet maar dan"
    ).split()
)
# Behind a quantity they say what it is per, unless a word that is no unit stands behind them.
_LEADS: Final = frozenset("per each every a an pro par por je cada chaque al ao elke".split())
# Behind "in" they make a share of the numbers on both sides of it: 1 in every 5.
_SHARES: Final = frozenset({"each", "every", "in"})
# One word that makes a share of the counts on both sides of it: "1 euro in 10 is lost".
_OUT_OF: Final = frozenset("in of von je jeweils cada every each sur su op de".split())
_FEET: Final = r"\p{L}*(?:ft|feet|foot)"  # behind "6 ft 2" the word "in" is an inch
_LISTS: Final = frozenset("and or und oder et ou y o e en".split())
# Of two names one may be a part of the other: Article 5 of Regulation 2016/679.
_PARTS: Final = frozenset("of in von de du des del di da do dos van".split())
_OUT_OF_FEW: Final = frozenset({"in", "von"})  # of a number up to nine they make a share
# Between a number and a month they make a day of it: 12 of the June.
_OF: Final = frozenset("of de di del do the van".split())
# Behind a time of day they begin to say which half of the day it is in.
_HALVES: Final = frozenset(
    "in at du de da del di morning midnight noon afternoon evening morgens vormittags nacht nachts "
    "fr\u00fch mittags nachmittags abends".split()
)


def terminals(max_text: int) -> list[str]:
    """The terminals that all texts share.

    TEXT is a whole text without numbers. FIRST and WORD are any words but months, MORE the rest
    of a long one. ASIDE is a word that may stand before a number: no "minus", no code ("Rs 30"),
    month ("May 30") or label ("Section 30"); TURNED one before a number whose digits are shown
    as others where no word is read from right to left. BESIDE is one that may stand behind a
    number that has no unit: no unit, scale, month, hour or rate; BESIDE_HOUR behind a time of
    day; DATED, or OF and UNDATED, where a month may follow. AFTER is one behind a number with its
    unit: no rate, but LED and a word that is no unit (per claim); AFTER_HEAD is one behind a unit
    that goes on with some words. BETWEEN stands between any two numbers, IN between two that are no
    share, LISTED between two of one unit. RUN and LATIN are for scripts without blanks.

    The first ones are parts of the terminals of numbers: what opens a quotation before one
    (OPEN, at the beginning OPEN_FIRST; BARE and BARE_FIRST open none), closes a bracket (BRACKET),
    parts a number from the word behind it (STOP, behind a time of day STOP_HOUR), ends the text
    (POINT), or ends what stands with its unit (CLOSED); in scripts without blanks what stands
    before (BEFORE), goes on behind one without a unit (BEHIND), or leads from it to the next
    one (LINK).

    Args:
        max_text: The most code points of TEXT, 20 or more.
    """
    small = rf"[[{_CASED}]--[\p{{Lu}}\p{{Lt}}]]"
    cased = rf"/\p{{Lu}}?{small}{{1,24}}/"
    rates = _rates()
    further = rates | _further(rates) | MONTHS.keys()
    other = rf"{_OTHER}(?:{_OTHER}|{_MARK}){{0,23}}"
    part = rf"((/{_CASED}{{1,20}}/ & ~/{_months()}/) | /{other}/) /['\u2019\-]/"
    # No "o'clock".
    joined = rf"['\u2019](?:[{_CASED}--[cC]]{_INNER}{{0,20}})?|-{_INNER}{{0,20}}"
    behind = rf"(?:{joined}|[)\u201d]?(?:{_ANY_STOP})?)"
    after = rf"/(?:[[\p{{P}}]--[{_NO_PROSE}]]{_INNER}{{0,20}})?/"
    after += rf" | / {_OPEN}{_LETTER}{_INNER}{{0,20}}/"
    dated = _OF | MONTHS.keys() | {"day"}
    within = _SHARES | MONTHS.keys()
    half = rf"{cased} & ~/(?i:{_either(within | _HALVES | {'the'})})/"
    return [
        "BARE_FIRST: //",
        "BARE: / /",
        f"OPEN_FIRST: /{_OPEN_NUMBER}/",
        f"OPEN: / {_OPEN_NUMBER}/",
        r"BRACKET: /\)?/",
        f"STOP: /{_STOP}/",
        r"STOP_LATIN: /\)?[,;!?\u2026]{1,3}/",
        f"STOP_HOUR: /{_STOP.replace('[,;', '[;')}/",
        r"POINT: /\)?\.{1,3}/",
        f"CLOSED: /{_CLOSED}/",
        r"WEB: /[,;:.!?)]{1,2}/",
        f"BEFORE: /{_BEFORE}/",
        f"BEHIND: /{_BEHIND}/",
        f"LINK: /{_LINK}/",
        rf"TEXT: /{_OPEN}\p{{L}}{CHAR}{{0,{max_text - 1}}}/",
        rf"FIRST: /{_OPEN}/ NO_MONTH",
        rf"WORD: / {_PUNCT}{{0,4}}/ NO_MONTH | / {_PUNCT}{{1,4}}/",
        rf"NO_MONTH: (/\p{{L}}{{1,40}}/ & ~/{_months()}/) /(?:{_SIGNED}{_INNER}{{0,40}})?/",
        f"MORE: /{_INNER}{{1,40}}/",
        rf"NO_SIGN: {cased} & ~/{_named()}|(?i:{_either(_signs())})/ | /{other}/",
        rf"NO_UNIT: {_but(_units() | _HOURS | _POINTS | {*MONTHS, *PERIODS} | PER_WORDS)}",
        rf"PLAIN: NO_SIGN | {part} NO_SIGN | /{_LETTER}{{0,39}}{_SAFE}/",
        f"ASIDE_FIRST: /{_OPEN}/ PLAIN /[,;:]?/",
        f"ASIDE: / {_OPEN}/ PLAIN /[,;:]?/",
        rf"TURNED: / {_OPEN}[[\p{{Arabic}}\p{{Hebrew}}]&&[\p{{L}}]]{{1,24}}[,;:\u060c\u061b]?/",
        rf"BESIDE: / {_OPEN}/ NO_UNIT /{behind}/ | / {_OPEN}{_SAFE}{_INNER}{{0,20}}/",
        rf"DATED: / {_OPEN}/ (NO_UNIT & ~/(?i:{_either(_OF)})/) /{behind}/",
        f"OF: / (?i:{_either(_OF)})/",
        rf"UNDATED: / / (/{_CASED}{{1,24}}/ & ~/(?i:{_either(dated)})/) /{behind}/",
        'IN: " in"',
        'THE: " the"',
        rf"INSIDE: / / ({cased} & ~/(?i:{_either(within)})/) /{behind}/",
        rf"IN_ASIDE: / / ({cased} & ~/{_named()}|(?i:{_either(_signs() | _SHARES)})/) /[,;:]?/",
        rf"BESIDE_HOUR: / {_OPEN}/ (NO_UNIT & ~/(?i:{_either(_HALVES)})/) /{behind}/",
        f"NO_HALF: / / ({half}) /{behind}/",
        rf"NO_RATE: {_but(rates)}",
        rf"UNLED: {cased} & ~/{_named()}|(?i:{_either(_signs() | rates)})/ | /{other}/",
        f"ASIDE_AFTER: / {_OPEN}/ UNLED /[,;:]?/",
        f"AFTER: / {_OPEN}/ NO_RATE {after} | / all[,;]?/",
        rf"NO_MORE: {_but(further)}",
        rf"ALONE: {cased} & ~/{_named()}|(?i:{_either(_signs() | further | _OUT_OF)})/ | /{other}/",
        f"ASIDE_HEAD: / {_OPEN}/ ALONE /[,;:]?/",
        f"AFTER_HEAD: / {_OPEN}/ NO_MORE {after} | / all[,;]?/",
        f"LED: / {_either(_LEADS)}/",
        f"BETWEEN: / {_OPEN}{_either(_BETWEEN - _units() - _signs() - PER_WORDS)}[,;:]?/",
        f"LISTED: / {_either(_LISTS)}/",
        f"PART: / {_either(_PARTS)}/",
        f"PART_OF_FEW: / {_either(_PARTS - _OUT_OF_FEW)}/",
        f"RUN_FIRST: /{_OPEN}{_LETTER}{_RUN}{{0,30}}/",
        f"RUN: /{_RUN}{{1,31}}/",
        rf"LATIN: /{_CASED}{{1,40}}/ & ~/(?i:{_either(PER_WORDS)})/",
        'BLANK: " "',
    ]


def _but(words: Iterable[str]) -> str:
    """Any word but these; those of scripts with marks as far as their first mark.

    Marks stand on letters of such a script only: all others are taken off before a text is
    read, and would leave another word.
    """
    words = set(words)
    pointed = _either(word for word in words if word > "\u0530")
    first = f"(/{_OTHER}{{1,24}}/ & ~/{pointed}/)" if pointed else f"/{_OTHER}{{1,24}}/"
    rest = rf"/{_MARK}(?:{_OTHER}|{_MARK}){{0,20}}/"
    return rf"/[{_CASED}{_OTHER}]{{1,24}}/ & ~/(?i:{_either(words)})/ | {first} {rest}"


def _units() -> set[str]:
    """All words that say what a number measures, or how many thousands it has."""
    tables: list[Iterable[str]] = [ADJECTIVES, GLUED, GLUED_SCALES, PHRASES, SCALES, SYMBOLS, WORDS]
    tables += SCALES_BY_LANGUAGE.values()
    return {word.lower() for table in tables for word in table}


def _rates() -> frozenset[str]:
    """Words that say what a quantity of any unit is per, or how often it is taken."""
    return PER_WORDS | _POINTS | _multiples()


def _further(rates: frozenset[str]) -> set[str]:
    """Words that make another unit of the one before them: days ouvrables, degrees Celsius.

    "In" does so behind "sq" alone, which measures nothing without it.
    """
    heads = {head: {rest[0] for rest, _ in phrases} for head, phrases in PHRASES.items()}
    return {word for head in heads if is_head(head) for word in heads[head] - rates}


@cache
def is_head(word: str) -> bool:
    """Whether this unit could become another one by a word behind it: a degree, 5 euro cents.

    >>> is_head("degrees"), is_head("jours"), is_head("days"), is_head("percent")
    (True, True, False, False)
    """
    measured = word in WORDS or word in SYMBOLS
    return measured and not {rest[0] for rest, _ in PHRASES.get(word, ())} <= _rates()


def _multiples() -> set[str]:
    """Words for so many times, by which a dose becomes one for a day: 5 mg twice daily."""
    return {word for language in LANGUAGES for word in lexicon(language).multiples}


def _signs() -> set[str]:
    """Words that make a name, a date or a negative number of the number behind them."""
    return {"minus", "negative", "p", "pp", *NUMBER_SIGNS, *MONTHS, *LABELS}


def _named() -> str:
    """What stands before a number beside `_signs`: feet, and currencies as in Rs 12."""
    return f"{_FEET}|{_either(code for code in CODES if not code.isupper())}"


def _months() -> str:
    """Names of months, those that are other words in small letters ("may") with a capital."""
    capital = {form for word in CAPITAL_ONLY for form in (word.capitalize(), word.upper())}
    return f"(?i:{_either(MONTHS.keys() - CAPITAL_ONLY)})|{_either(capital)}"


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
