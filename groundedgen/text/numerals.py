"""Every number of a text, as exact values with what belongs to them.

One pass jumps from digit to digit; words, months and names are looked for only where the
text holds them. The order at a digit is fixed: date or time, label, name, number.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise
from typing import Final

from groundedgen.patterns import compiled
from groundedgen.text.numbers.cjk import HAN, cjk_numerals
from groundedgen.text.numbers.cleaning import Cleaned, clean, mend
from groundedgen.text.numbers.dates import month_dates
from groundedgen.text.numbers.enclosed import enclosed_numerals, roman_names
from groundedgen.text.numbers.figures import figures
from groundedgen.text.numbers.frequency import doses
from groundedgen.text.numbers.glossary import (
    is_broken_word,
    known_words,
    language_of,
    lowered,
    places,
)
from groundedgen.text.numbers.identifiers import identifier, markers, roman_label, web_names
from groundedgen.text.numbers.labels import LABEL_BYTES, LABELS, ROMANS
from groundedgen.text.numbers.months import MONTHS
from groundedgen.text.numbers.neighbours import settle
from groundedgen.text.numbers.quantity import Numeral, Value
from groundedgen.text.numbers.scanning import Scan
from groundedgen.text.numbers.shares import with_shares
from groundedgen.text.numbers.spelled import spelled_numerals
from groundedgen.text.numbers.tails import tail
from groundedgen.text.numbers.unreadable import unreadable_numerals

__all__ = ["Numeral", "numerals"]

_WIDE: Final = compiled("[\u2160-\uffff]")  # one range is searched several times as fast
_ERA: Final = compiled("令和|平成|昭和|大正|明治|民国|民國|每|毎|利|息")
_RATE_BEFORE: Final = compiled(
    "(?:[每毎]([年月日天周週])|([年月日])(?:利率?|息|化利率|利息))[^0-9。，；\n]{0,5}$"
)
_PERIODS: Final = {
    "年": "year", "月": "month", "日": "day", "天": "day", "周": "week", "週": "week"
}  # fmt: skip
_ERA_BEFORE: Final = compiled("(令和|平成|昭和|大正|明治|民国|民國)[ \xa0]?$")
_CACHED_LENGTH: Final = 1 << 16  # code points; longer texts share a small cache of their own


def numerals(text: str, lang: str | None = None) -> tuple[Numeral, ...]:
    """Find and read every number of a text.

    Args:
        text: Any string; lone surrogates and control characters do no harm.
        lang: The text's language (BCP 47), where known. It decides which number words are
            read and whether a lone sign before three digits is in doubt; without it the
            text's own words tell.

    Returns:
        The numbers in order of place. Offsets are code points into `text`, half-open, and
        `text[n.start:n.end] == n.written`. Citation and note markers ([2], [S1]) and list
        numbers are no numbers. Results are cached; the time is linear in the text.

    >>> [(n.written, str(n.value)) for n in numerals("Up to $1.2 million, or 5–10 % of it.")]
    [('$1.2 million', '1200000'), ('5', '5'), ('10 %', '10')]
    >>> [(n.written, n.kind) for n in numerals("ISO 9001 since 5 March 2024 [2]")]
    [('ISO 9001', 'identifier'), ('5 March 2024', 'date')]
    >>> numerals("No one knows; see each second as it comes.")
    ()
    """
    if not text:
        return ()
    return (_short if len(text) <= _CACHED_LENGTH else _long)(text, lang)


def _read(text: str, lang: str | None) -> tuple[Numeral, ...]:
    cleaned = mend(clean(text), is_broken_word)
    found = _numerals(cleaned.text, lang)
    return tuple(found) if cleaned.text is text else tuple(_back(cleaned, text, found))


_short: Final[Callable[[str, str | None], tuple[Numeral, ...]]] = lru_cache(maxsize=1024)(_read)
_long: Final[Callable[[str, str | None], tuple[Numeral, ...]]] = lru_cache(maxsize=8)(_read)


def _back(cleaned: Cleaned, text: str, found: list[Numeral]) -> list[Numeral]:
    """The same numerals at their offsets in the text as it was given."""
    moved = []
    for numeral in found:
        start, end = cleaned.back(numeral.start), cleaned.back(numeral.end - 1) + 1
        whole_end = max(end, cleaned.back(numeral.whole_end - 1) + 1)
        moved.append(
            numeral._replace(start=start, end=end, whole_end=whole_end, written=text[start:end])
        )
    return moved


def _numerals(text: str, lang: str | None) -> list[Numeral]:
    low = lowered(text)
    words = known_words(low, LABEL_BYTES)
    language, comma_decimal = language_of(words, lang)
    taken = [span for span in markers(text) if not _is_blank_filled(text, span)]
    found: list[Numeral] = []
    for start, end in web_names(text):
        taken.append((start, end))
        found.append(identifier(text, start, end))
    if months := words & MONTHS.keys():
        found += month_dates(text, low, months)
    wide = not text.isascii() and _WIDE.search(text) is not None
    if wide and HAN.search(text):
        found += [n for n in cjk_numerals(text) if not _overlaps(found, n)]
    if wide:
        found += enclosed_numerals(text)
    found += [name for name in roman_names(text) if not _covered(taken, name)]
    scan = Scan(text, language, comma_decimal=comma_decimal, lang=lang)
    found.sort(key=_place)
    found += figures(scan, _spans(taken, found))
    found += doses(text)
    for word in words & LABELS.keys() if words & ROMANS or "II" in text else ():
        found += filter(None, (roman_label(text, word, at) for at in places(low, word)))
    found += spelled_numerals(text, low, words, language, _spans(taken, found))
    found = _with_unreadable(found, list(unreadable_numerals(text, language)), taken)
    found.sort(key=_place)
    found = settle(text, with_shares(text, _apart(text, found)))
    return _after_signs(text, found) if wide and _ERA.search(text) else found


def _covered(taken: list[tuple[int, int]], numeral: Numeral) -> bool:
    return any(start < numeral.end and numeral.start < end for start, end in taken)


def _with_unreadable(
    found: list[Numeral], unreadable: list[Numeral], taken: list[tuple[int, int]]
) -> list[Numeral]:
    """All numerals: what is not read gives way to what is, but for a name that is none for sure."""
    if not unreadable:
        return found
    sure = [(n.start, n.whole_end) for n in found if not (n.weak and n.kind == "identifier")]
    added = [n for n in unreadable if not _covered([*taken, *sure], n)]
    spans = [(n.start, n.end) for n in added]
    return [*(n for n in found if not _covered(spans, n)), *added]


def _after_signs(text: str, found: list[Numeral]) -> list[Numeral]:
    """What Chinese and Japanese say before a number: the era of a year, the period of a rate."""
    for place, numeral in enumerate(found):
        era = _ERA_BEFORE.search(text, max(0, numeral.start - 4), numeral.start)
        if era and numeral.measures == {"year"}:
            reading = Value(numeral.readings[0].value, frozenset([f"year of {era[1]}"]))
            found[place] = numeral._replace(readings=(reading,))
        rate = _RATE_BEFORE.search(text, max(0, numeral.start - 12), numeral.start)
        if rate and not numeral.per and numeral.kind == "number":
            found[place] = numeral._replace(per=_PERIODS[rate[1] or rate[2]])
    return found


def _apart(text: str, found: list[Numeral]) -> list[Numeral]:
    """The same numerals with no two of them sharing a sign or word: the later one keeps it."""
    if all(left.end <= right.start for left, right in pairwise(found)):
        return found
    kept: list[Numeral] = []
    for numeral in found:
        last = kept[-1] if kept else None
        if last and numeral.start < last.end:
            if numeral.end <= last.end or numeral.start <= last.start:
                continue
            end = last.start + len(text[last.start : numeral.start].rstrip())
            kept[-1] = last._replace(end=end, whole_end=end, written=text[last.start : end])
        kept.append(numeral)
    return kept


def _spans(taken: list[tuple[int, int]], found: list[Numeral]) -> list[tuple[int, int]]:
    """All that is read already, in order of place."""
    return sorted([*taken, *((numeral.start, numeral.whole_end) for numeral in found)])


def _place(numeral: Numeral) -> tuple[int, int]:
    return numeral.start, numeral.end


def _overlaps(found: list[Numeral], numeral: Numeral) -> bool:
    place = bisect_right(found, numeral.start, key=lambda n: n.start) - 1
    return place >= 0 and found[place].end > numeral.start


def _is_blank_filled(text: str, span: tuple[int, int]) -> bool:
    """Whether brackets hold a figure of the text, as contracts write "within [30] days"."""
    end = span[1]
    if text[end - 1] != "]" or text[end : end + 1] not in {" ", "\xa0"}:
        return False
    inside = text[span[0] + 1 : end - 1].strip()
    return inside.isdecimal() and bool(tail(text, end).readings[0].measures)
