"""At a digit that counts: groups, fractions, powers, ordinals, decades, and what is glued on."""

# ruff: noqa: SIM905 - a table of words is read as words
from __future__ import annotations

import re
from fractions import Fraction
from typing import Final
from unicodedata import numeric

from groundedgen.patterns import compiled
from groundedgen.text.numbers.heads import NOTHING, is_latin, word_before
from groundedgen.text.numbers.identifiers import bracket_end
from groundedgen.text.numbers.naming import GERMAN_ORDINAL, name
from groundedgen.text.numbers.quantity import Value
from groundedgen.text.numbers.scanning import NOUN, PARTS, RUN, Found, Scan
from groundedgen.text.numbers.tails import BLANK, LETTER, Reading, Tail

__all__ = ["part_sign", "plain"]

_SPACED: Final = compiled(
    rf"[1-9][0-9]{{0,2}}(?:{BLANK}[0-9]{{3}}){{1,8}}(?![0-9])(?:[.,][0-9]+)?(?![0-9]|[.,][0-9])"
)
_ROW_GOES_ON: Final = compiled(r"[ ][0-9(]")
_BLANKS: Final = compiled(BLANK)
_SLASHED: Final = compiled(rf"(?P<n>[0-9]{{1,6}})/(?P<d>[0-9]{{1,6}})(?![0-9/]|[.,][0-9]|{LETTER})")
_MIXED: Final = compiled(
    rf"(?P<w>[0-9]{{1,6}})(?:{BLANK}|-){{1,2}}(?P<n>[0-9]{{1,3}})/(?P<d>[0-9]{{1,3}})(?![0-9/]|[.,][0-9])"
)
_MIXED_SIGN: Final = compiled(rf"(?:{BLANK}|-)?(?P<sign>[{PARTS}])")
_MIXED_GAPS: Final = frozenset(" \xa0-")
_TIMES: Final = frozenset("x×·*")
# 10^6, 10**6, 10^{6}, 10<sup>6</sup>
_CARET: Final = (
    r"(?:(?:\^|\*\*)[({]?|(?P<tag><sup>))(?P<caret>[-+\x96]?[0-9]{1,4})(?:\)|\}|</sup>)?"
)
_TEN_POWER: Final = compiled(
    rf"{BLANK}?[x×·*]{BLANK}?10(?:{_CARET}(?![0-9])|(?P<raised>[\x1a\x1b]?[\x10-\x19]{{1,4}}))"
)
_E_POWER: Final = compiled(rf"[eE](?P<caret>[-+]?[0-9]{{1,4}})(?!{LETTER}|[0-9])")
_POWER: Final = compiled(rf"{_CARET}(?![0-9])")
# An accountant's minus: 500−, 1.250,00- (but not 12-15, 12,50-Marke, 50.-).
_MINUS_BEHIND: Final = compiled(
    r"\x97(?![ \xa0]?[0-9.,])|-(?=\s*(?:$|[|)\t\n;,.]|(?:EUR|CHF|USD|GBP|€|\$|£)))"
)
_CENTS: Final = compiled(r"[0-9][.,][0-9]{2}$")
_RAISED: Final = compiled(r"(?P<raised>[\x1a\x1b]?[\x10-\x19]+)")
_LOWER: Final = {16 + digit: str(digit) for digit in range(10)} | {0x1A: "-", 0x1B: "+"}
_ORDINAL: Final = compiled(
    r"(?:st|nd|rd|th|er|re|ère|ème|eme|e|è|º|ª|°(?=[ ]?(?!C|F)[a-z])|te[nrsm]?|ste[nrsm]?|de)"
    rf"(?!{LETTER}|[0-9])",
    re.IGNORECASE,
)
_ANY_ORDINAL: Final = frozenset("st nd rd th º ª ème ère".split())
_ORDINALS: Final = {
    "fr": frozenset("er re eme e è".split()), "nl": frozenset("e de ste".split()),
    "de": frozenset("te ten ter tes tem ste sten ster stes stem".split()),
    "es": frozenset("er °".split()), "it": frozenset("°"),
}  # fmt: skip
_WORD_NEXT: Final = compiled(r"[ \xa0][a-zà-ÿ]{3}")
_DECADE: Final = compiled(rf"'?s(?!{LETTER}|[0-9])")
_LETTERS: Final = compiled(rf"{LETTER}{{1,40}}")
_COUNTED_AFTER_HYPHEN: Final = compiled(r"-(?:[A-Z][a-z]{2,}|(?:FY|CY|Q|H|US)[ $]?[0-9])")
_SECTIONS: Final = frozenset("s ss r rr reg regs cl cll pt".split())  # s 12(3), as lawyers write it
_EXPONENT_LIMIT: Final = 400  # beyond, a power is compared as written: its value would be huge
_NOTE_FROM: Final = 20  # a raised digit after more than this is a note mark, hardly a power


def part_sign(scan: Scan, at: int) -> Found:
    """½ by itself."""
    return scan.number(at, at + 1, _part(scan.text[at]), "fraction")


def _part(sign: str) -> Fraction:
    return Fraction(numeric(sign)).limit_denominator(16)


def plain(scan: Scan, at: int) -> Found:
    """The number whose digits begin at `at`."""
    text = scan.text
    end, value = _digits(scan, at)
    follow = text[end : end + 3]
    slash = follow[:1] == "/" or (follow[1:2].isdecimal() and follow[0] in _MIXED_GAPS)
    if slash and (fraction := _slashed(scan, at)):
        return fraction
    whole = value is not None and value.denominator == 1 and not follow.isascii()
    if value is not None and whole and (match := _MIXED_SIGN.match(text, end)):
        return scan.number(at, match.end(), value + _part(match["sign"]), "fraction")
    if not _TIMES.isdisjoint(follow[:2]) and (power := _TEN_POWER.match(text, end)):
        return _powered(scan, at, value, power, times_ten=True)
    if follow and not follow[0].isspace():
        return _glued(scan, at, end, value)
    return scan.number(at, end, value)


def _slashed(scan: Scan, at: int) -> Found | None:
    """1/2, 2 1/2, 2-1/2."""
    for pattern in (_MIXED, _SLASHED):
        if match := pattern.match(scan.text, at):
            n, d = int(match["n"]), int(match["d"])
            whole = int(match["w"]) if pattern is _MIXED else 0
            if d and (pattern is _SLASHED or n < d):
                return scan.number(at, match.end(), whole + Fraction(n, d), "fraction")
    return None


def _digits(scan: Scan, at: int) -> tuple[int, Fraction | None]:
    """Where a run of digits ends, groups set apart by blanks included, and its value."""
    text = scan.text
    run = RUN.match(text, at)
    assert run is not None  # noqa: S101 - a digit stands there
    if scan.leading_point(at):
        return run.end(), scan.exact("0." + run[0])
    if len(run[0]) <= 3 and text[run.end() + 1 : run.end() + 2].isdecimal():
        spaced = _SPACED.match(text, at)
        if spaced and _is_one_number(text, at, spaced):
            return spaced.end(), scan.exact(_BLANKS.sub(" ", spaced[0]))
    return run.end(), scan.exact(run[0])


def _is_one_number(text: str, at: int, match: re.Match[str]) -> bool:
    """Groups set apart by a plain blank are one number, unless more numbers stand in the row."""
    if "\t" in match[0]:
        return False
    if " " not in match[0]:
        return True
    before = text[max(0, at - 2) : at]
    in_row = len(before) == 2 and before[1] == " " and before[0].isdecimal()
    return not in_row and not _ROW_GOES_ON.match(text, match.end())


def _glued(  # noqa: C901 - the order of the cases is the rule
    scan: Scan, at: int, end: int, value: Fraction | None
) -> Found:
    """What stands right after the digits: a power, a note, an ordinal, a name's rest."""
    text = scan.text
    follow = text[end]
    if follow in ".,;:!?)%":
        if follow == "." and GERMAN_ORDINAL.match(text, end):
            return _ordinal(scan, at, end + 1, value)
        return scan.number(at, end, value)
    if follow in "\x97-" and value is not None and _is_minus_behind(text, end):
        return _below_zero(scan, at, end, value)
    if follow in "eE^*" or (follow == "<" and text.startswith("<sup>", end)):
        pattern = _E_POWER if follow in "eE" else _POWER
        if power := pattern.match(text, end):
            if follow == "<":
                return _noted(scan, at, end, value, power)
            return _powered(scan, at, value, power, times_ten=pattern is _E_POWER)
    if "\x10" <= follow <= "\x1b" and (raised := _RAISED.match(text, end)):
        return _noted(scan, at, end, value, raised)
    if (ordinal := _ORDINAL.match(text, end)) and _is_ordinal(scan, at, end, ordinal[0]):
        return _ordinal(scan, at, ordinal.end(), value)
    if value is not None and _is_decade(value) and (decade := _DECADE.match(text, end)):
        start = at - 1 if at and text[at - 1] == "'" else at
        return [scan.numeral(start, decade.end(), (Value(value, NOTHING),), "decade")], decade.end()
    if follow == "(":
        return _bracketed(scan, at, end, value)
    if is_latin(follow) or follow == "_":
        return _lettered(scan, at, end, value)
    if follow == "-" and text[end + 1 : end + 2].isupper():
        return _hyphened(scan, at, end, value)
    return scan.number(at, end, value)


def _exponent(power: re.Match[str]) -> int:
    groups = power.groupdict()
    raw = groups.get("caret") or (groups.get("raised") or "").translate(_LOWER)
    return int(raw.replace("\x96", "-"))


def _is_minus_behind(text: str, end: int) -> bool:
    if not _MINUS_BEHIND.match(text, end):
        return False
    return text[end] == "\x97" or _CENTS.search(text, max(0, end - 4), end) is not None


def _below_zero(scan: Scan, at: int, end: int, value: Fraction) -> Found:
    found = scan.counted(at, end, -value, scan.tail(end + 1, paid=scan.is_paid(at)))
    stop = max(found.end, end + 1)
    written = scan.text[found.start : stop]
    return [found._replace(end=stop, whole_end=max(found.whole_end, stop), written=written)], stop


def _powered(
    scan: Scan, at: int, value: Fraction | None, power: re.Match[str], *, times_ten: bool
) -> Found:
    exponent = _exponent(power)
    limit = _EXPONENT_LIMIT if times_ten or value in {2, 10} else 64
    if not value or abs(exponent) > limit or value.numerator > 10**9:
        return scan.number(at, power.end(), None)
    raised = value * Fraction(10) ** exponent if times_ten else value**exponent
    return scan.number(at, power.end(), raised)


def _noted(scan: Scan, at: int, end: int, value: Fraction | None, raised: re.Match[str]) -> Found:
    """A raised number after digits: a power of 2 or 10, else a note mark where it must be one."""
    exponent = _exponent(raised)
    if value in {2, 10}:
        return _powered(scan, at, value, raised, times_ten=False)
    after = scan.tail(raised.end())
    note = value is None or value > _NOTE_FROM or exponent == 1 or after.readings[0].measures
    if note and exponent >= 0:
        found = scan.counted(at, end, value, after if after.whole > raised.end() else _nothing(end))
        return [found], raised.end()
    return scan.number(at, raised.end(), None)


def _nothing(end: int) -> Tail:
    return Tail(end, end, (Reading(1, NOTHING),))


def _is_ordinal(scan: Scan, at: int, end: int, suffix: str) -> bool:
    low = suffix.lower()
    if low in _ANY_ORDINAL:
        return scan.text[at:end].replace(",", "").isdecimal()
    if not scan.text[at:end].isdecimal():
        return False
    return low in _ORDINALS.get(scan.language, ()) or _is_e_ordinal(scan.text, at, end, low)


def _is_e_ordinal(text: str, at: int, end: int, suffix: str) -> bool:
    """21e before a word: French or Dutch in a text too short to tell its language."""
    return suffix == "e" and end - at <= 2 and _WORD_NEXT.match(text, end + 1) is not None


def _ordinal(scan: Scan, at: int, end: int, value: Fraction | None) -> Found:
    measures = scan.tail(end).readings[0].measures - {"times"}
    noun = NOUN.match(scan.text, end)
    low = noun[1].casefold() if noun else ""
    if low == "half":
        measures = frozenset(["half"])
    readings = () if value is None else (Value(value, measures),)
    return [scan.numeral(at, end, readings, "ordinal", noun=low)], end


def _is_decade(value: Fraction) -> bool:
    return value % 10 == 0 and (10 <= value < 100 or 1000 < value < 2100)


def _bracketed(scan: Scan, at: int, end: int, value: Fraction | None) -> Found:
    """401(k) and 4.2(b) are names; 5,000(1) is a number with a note."""
    stop = bracket_end(scan.text, end)
    if stop == end:
        return scan.number(at, end, value)
    section = word_before(scan.text, at)[0] in _SECTIONS
    noted = "," in scan.text[at:end] or bool(scan.head(at).measures)
    noted = noted or (scan.text[end + 1].isdecimal() and not section)
    if noted:
        return [scan.counted(at, end, value, _nothing(end))], stop
    return name(scan, at)


def _lettered(scan: Scan, at: int, end: int, value: Fraction | None) -> Found:
    """Letters right after digits: a scale, a unit, a lost blank, or a name."""
    after = scan.tail(end, paid=scan.is_paid(at))
    if after.whole > end and not _runs_on(scan.text, after.whole):
        return [scan.counted(at, end, value, after)], after.end
    letters = _LETTERS.match(scan.text, end)
    word = letters[0] if letters else ""
    if word.islower() and len(word) >= 4 and not _runs_on(scan.text, end + len(word)):
        return scan.number(at, end, value)
    return name(scan, at)


def _runs_on(text: str, end: int) -> bool:
    return end < len(text) and (text[end].isdecimal() or text[end] == "_")


def _hyphened(scan: Scan, at: int, end: int, value: Fraction | None) -> Found:
    """30-Day counts, 1099-K names."""
    reading = scan.tail(end).readings[0]
    if reading.measures or reading.scale > 1 or _COUNTED_AFTER_HYPHEN.match(scan.text, end):
        return scan.number(at, end, value)
    return name(scan, at)
