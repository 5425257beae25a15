"""Numbers that a reader sees and that have no value here: they are compared as written.

A Latin number word with letters of another script in it, a raised or lowered number that stands
alone, digits of scripts that do not count in tens, a Roman number that counts money or time. A
claim that holds one stands only on a passage that writes it in the same way.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from groundedgen.patterns import compiled, lazy
from groundedgen.text.numbers.heads import word_before
from groundedgen.text.numbers.identifiers import identifier
from groundedgen.text.numbers.numwords import lexicon
from groundedgen.text.numbers.quantity import Numeral
from groundedgen.text.numbers.tails import tail

__all__ = ["unreadable_numerals"]

# A word of Latin letters and of such as no number word of the tables has: those of other scripts,
# small capitals, the dotless i, the long s. Accents are seen, and are letters of many languages;
# phonetic letters stand beside Latin ones in every encyclopedia.
_STRANGE: Final = (
    "\u0131\u017f\u0262\u026a\u0274\u0280\u028f\u0299\u029c\u029f\u0370-\u1dff\u1f00-\u1fff"
    "\u2071\u207f\u2090-\u209c\u2102-\u214f\u2c00-\u2ddf\u3041-\ufaff\ufb07-\U0010ffff"
)
_ANY_STRANGE: Final = compiled(f"[{_STRANGE}]")
_MIXED: Final = lazy(
    rf"(?<!\p{{L}})(?=\p{{L}}*[A-Za-z])(?=\p{{L}}*[{_STRANGE}])\p{{L}}{{3,20}}(?!\p{{L}})"
)
# Raised digits have control characters here, see `cleaning`. Behind a word they are notes.
_RAISED: Final = compiled("[\x10-\x19\u2080-\u2089]+(?=[\\s.,;:)%$£€¥\xa0]|$)")
_ALONE: Final = frozenset(["", *" \t\n\r\xa0($£€¥"])
_UNCOUNTED: Final = compiled(
    "[\u0bf0-\u0bf2\u0d58-\u0d5e\u0d70-\u0d78\u0f2a-\u0f33\u1369-\u137c\u17f0-\u17f9\u19da"
    "\U00010107-\U00010133\U0001d2c0-\U0001d2d3\U0001d2e0-\U0001d2f3\U0001d360-\U0001d378]+"
)
_ROMAN: Final = compiled(r"[IVXL]{1,8}(?=[ \xa0])")
_ROMAN_NUMBER: Final = compiled(r"(?=..|[VX])(?:XL|L?X{0,3})(?:IX|IV|V?I{0,3})")
_TIMES: Final = frozenset(["second", "minute", "hour", "day", "week", "month", "year"])


def unreadable_numerals(text: str, language: str) -> Iterator[Numeral]:
    r"""What of a cleaned text is a number that is not read, in no order.

    Args:
        text: See `cleaning.clean`.
        language: The one whose number words are looked for beside English ones.

    >>> found = unreadable_numerals("It is s\u0435ven euros, or VII days, not \u136f.", "en")
    >>> [ascii(numeral.written) for numeral in found]
    ["'\\u136f'", "'s\\u0435ven'", "'VII'"]
    """
    for match in _RAISED.finditer(text):
        if text[match.start() - 1 : match.start()] in _ALONE:
            yield identifier(text, *match.span())
    if not text.isascii():
        yield from (identifier(text, *match.span()) for match in _UNCOUNTED.finditer(text))
        for word in _MIXED.finditer(text) if _ANY_STRANGE.search(text) else ():
            if _is_disguised(word[0].lower(), language):
                yield identifier(text, *word.span())
    for match in _ROMAN.finditer(text):
        if _counts(text, *match.span()):
            yield identifier(text, *match.span())


@lru_cache(maxsize=1024)
def _is_disguised(word: str, language: str) -> bool:
    """Whether a word looks like a number word but for its strange letters, in small letters."""
    forms = {word} | ({word[:-1]} if word.endswith("s") else set())
    return any(
        all(mine == its or not mine.isascii() for mine, its in zip(form, known, strict=True))
        for form in forms
        for known in _words(language).get(len(form), ())
    )


@lru_cache(maxsize=8)
def _words(language: str) -> dict[int, list[str]]:
    """The number words of a language and of English, by length."""
    found: dict[int, list[str]] = {}
    for table in map(lexicon, {language, "en"}):
        for words in (table.cardinals, table.scales, table.ordinals, table.multiples, table.parts):
            for word in words:
                found.setdefault(len(word), []).append(word)
    return found


def _counts(text: str, start: int, end: int) -> bool:
    """Whether a Roman number counts money or time, and numbers nothing: no "Phase II weeks"."""
    if _ROMAN_NUMBER.fullmatch(text, start, end) is None:
        return False
    word, begin, dot = word_before(text, start)
    if dot or not word.islower() or begin + len(word) != start - 1:
        return False
    measures = tail(text, end).readings[0].measures
    money = any(name.isupper() for name in measures)
    # "IV" before a time is a drip.
    return money or (bool(measures & _TIMES) and text[start:end] != "IV")
