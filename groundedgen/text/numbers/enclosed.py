"""Numbers that are one character, ② and Ⅳ, and Roman numbers that belong to a name: Basel III.

They name, so they are compared as written, but in one form: "Chapter Ⅳ" is Chapter IV and
Chapter 4, "Basel III" is Basel 3. All functions take a cleaned text (see `cleaning`).
"""

# ruff: noqa: SIM905 - a table of words is read as words
from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final
from unicodedata import numeric

from groundedgen.patterns import compiled
from groundedgen.text.numbers.heads import word_before
from groundedgen.text.numbers.identifiers import identifier, label_before, roman_value
from groundedgen.text.numbers.labels import LABELS
from groundedgen.text.numbers.quantity import Numeral, written_key

__all__ = ["enclosed_numerals", "roman_names"]

_ENCLOSED: Final = compiled(
    "[\u2460-\u249b\u24ea-\u24ff\u2776-\u2793\u3220-\u3229\u3251-\u325f\u3280-\u3289\u32b1-\u32bf]"
    "|[\u2160-\u2188]+"
)
# VI ZR 128/20: the file numbers of German courts, whose senates are Roman.
_DOCKET: Final = compiled(r"(?<![\w.])[IVX]{1,4} [A-Z][A-Za-z]{1,3} [0-9]{1,5}/[0-9]{2}(?![0-9])")
_SENTENCE_ENDS: Final = frozenset(".!?:;\n\u3002\uff1a\uff1b")
_ROMAN: Final = compiled("(?<=[ \xa0-])[IVX]{2,8}")
_ROMAN_BODY: Final = compiled(
    r"(?P<roman>(?=[IVX]{2})X{0,3}(?:IX|IV|V?I{0,3}))(?P<suffix>[a-cA-C])?(?![\w'])"
)
# Words before which "IV" is a number and not a drip.
_NUMBERED: Final = frozenset(
    "type types phase stage grade class factor part title tier level volume annex schedule group "
    "category band appendix book chapter article section section faktor typ stufe klasse "
    "facteur tipo "
    "fase clase".split()
)
_NO_NAME: Final = frozenset("and or to und oder et ou y o e en bis the of in for with".split())


def enclosed_numerals(text: str) -> Iterator[Numeral]:
    """The numbers of a text that are one character each; of Roman ones, whole runs.

    Where one opens a sentence it counts items and is weak: a list of its own is no claim.

    >>> [(n.key, n.label, n.weak) for n in enclosed_numerals("① See Chapter Ⅳ and rule ②.")]
    [('1', '', True), ('4', 'chapter', False), ('2', '', False)]
    """
    for match in _ENCLOSED.finditer(text):
        start, end = match.span()
        key = str(_value(match[0]))
        if match[0][0] < "\u2190":
            yield identifier(text, start, end, label_before(text, start)[0], key)
            continue
        before = text[max(0, start - 3) : start].rstrip(" \xa0")[-1:]
        opens = not text[:start].strip() if start < 3 else not before or before in _SENTENCE_ENDS
        yield identifier(text, start, end, "", key)._replace(weak=opens)


def _value(run: str) -> int:
    values = [int(numeric(char, 0)) for char in run]
    below = [-left if left < right else left for left, right in pairwise([*values, 0])]
    return sum(below)


def roman_names(text: str) -> Iterator[Numeral]:
    """Roman numbers from II on that are a part of a name; labels ("Article IV") are read elsewhere.

    >>> [(n.written, n.key) for n in roman_names("Basel III and IV fluids, factor VIII, Part II")]
    [('Basel III', 'basel3'), ('factor VIII', 'factor8')]
    """
    if not ("II" in text or "VI" in text or "XI" in text or "IV" in text or "IX" in text):
        return
    if "/" in text:
        yield from (identifier(text, *match.span()) for match in _DOCKET.finditer(text))
    for place in _ROMAN.finditer(text):
        match, at = _ROMAN_BODY.match(text, place.start()), place.start()
        word, begin, dot = word_before(text, at - 1 if text[at - 1] == "-" else at)
        if match is None or dot or not word or "\n" in text[begin:at]:
            continue
        roman = match["roman"]
        low = word.lower()
        if low in LABELS or low in _NO_NAME or not _is_number(word, roman):
            continue
        key = f"{written_key(word)}{roman_value(roman)}{(match['suffix'] or '').lower()}"
        # Weak: "Charles II" may be said of Charles; where another Charles stands, it conflicts.
        yield identifier(text, begin, match.end(), "", key)._replace(weak=True)


def _is_number(word: str, roman: str) -> bool:
    if "II" in roman:
        return True
    if word.lower() in _NUMBERED:
        return True
    return roman not in {"IV", "XX", "XXX", "XV"} and word[0].isupper() and not word.isupper()
