"""Which words of the number tables a text holds, found in one pass, and its language.

Most passages hold few of them, so everything that needs a word table asks here first.
"""

# ruff: noqa: SIM905 - a table of words is read as words
from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from groundedgen.patterns import compiled
from groundedgen.text.numbers.months import MONTHS
from groundedgen.text.numbers.numwords import LANGUAGES, compounds, lexicon
from groundedgen.text.numbers.units import ADJECTIVES, PHRASES, SCALES, WORDS

__all__ = [
    "COMMA_DECIMAL",
    "compounds_in",
    "is_broken_word",
    "known_words",
    "language_of",
    "lowered",
    "places",
    "surely_english",
]

_FUNCTION_WORDS: Final = {
    "en": "the of and to is was for with that this are be by as it from on at or not an has have "
    "which were "
    "been their its will shall may in no",
    "de": "der die das und ist von mit den dem des ein eine nicht sich auf für im zu werden wird "
    "oder nach bei "
    "auch als bis beträgt wurde sind in am zum zur",
    "fr": "le la les des et est du de une un dans pour par sur avec qui que au aux ne pas sont ou "
    "ce cette en",
    "es": "el la los las de en que un una por con para del se es al su lo como más o está fue",
    "it": "il lo la gli le di che un una per con del della dei in sono da nel al alla si dal",
    "pt": "os as de que um uma do da dos das em no na para com por não é ao se",
    "nl": "de het een en van in is dat op te met voor zijn niet aan er door bij ook wordt of naar",
}
# Languages that write 1.000,5 where English writes 1,000.5.
COMMA_DECIMAL: Final = frozenset(
    "de fr es it pt nl pl cs sk sl hr sr bg ru uk tr sv da nb no fi is et lv lt el ro hu id "
    "vi".split()
)
_POINT_REGIONS: Final = frozenset("mx ch li us do gt hn ni pa pr sv".split())
# Number words of other languages that are English words of another sense tell no language.
_ENGLISH_TOO: Final = frozenset(
    "cent cents once due six sept elf dos tres sei mil million millions billion billions trillion "
    "quart quarts "
    "tiers second premier prime primer primo quarto dozen minus null zero halves half third double "
    "doubles triple triples quadruple".split()
)
_ENGLISH: Final = frozenset(_FUNCTION_WORDS["en"].split()) - frozenset(
    "is in of no was will on at as not an".split()
)
_SURE: Final = 8  # so many different ones are a text of some length
_SPLIT: Final = bytes(code if code > 127 or chr(code).isalpha() else 32 for code in range(256))
_COMMON_MARKS: Final = "’“”–—‘•…\u00a0"  # these in most typeset texts, the others seldom
_PUNCTUATION: Final = compiled(
    "[\u0080-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u00d7\u00f7\u2000-\u206f\u2080-\u209f"
    "\u20a0-\u20ff\u2190-\u2bff\u3000-\uffff]"
)


def lowered(text: str) -> str:
    """The text in small letters, at the same offsets.

    >>> lowered("İZMİR Am 5.")
    'İzmİr am 5.'
    """
    low = text.lower()
    if len(low) == len(text):
        return low
    return "".join(small if len(small := char.lower()) == 1 else char for char in text)


@lru_cache(maxsize=4)
def _vocabulary(
    extra: frozenset[bytes] = frozenset(),
) -> tuple[frozenset[bytes], dict[str, tuple[str, ...]]]:
    """All words of the tables, and for those that tell a language, which."""
    tells: dict[str, set[str]] = {}
    words: set[str] = set(MONTHS)
    for language in LANGUAGES:
        table = lexicon(language)
        most = 100 if compounds(language) else 1000
        small = {word for word, value in table.cardinals.items() if value < most}
        own = {*small, *table.scales, *table.ordinals, *table.parts, *table.multiples}
        words |= own
        for word in (own - _ENGLISH_TOO) | set(_FUNCTION_WORDS[language].split()):
            tells.setdefault(word, set()).add(language)
    for functions in _FUNCTION_WORDS.values():
        words |= set(functions.split())
    return (
        frozenset(word.encode() for word in words) | extra,
        {word: tuple(languages) for word, languages in tells.items() if len(languages) < 4},
    )


def is_broken_word(left: str, right: str) -> bool:
    """Whether two parts in small letters are one word that matters to numbers.

    After a number word the hyphen is its own, though.

    >>> is_broken_word("mil", "lion"), is_broken_word("twenty", "one"), is_broken_word("a", "b")
    (True, False, False)
    """
    if left in lexicon("en").cardinals:
        return False
    whole = left + right
    return whole.encode() in _vocabulary()[0] or any(
        whole in table for table in (WORDS, SCALES, PHRASES, ADJECTIVES)
    )


def known_words(low: str, extra: frozenset[bytes] = frozenset()) -> frozenset[str]:
    """The words of a lowered text that stand in the tables, or are `extra`, once each.

    Number words from 100 on that German, Dutch and Italian write as one are not among them,
    see `compounds_in`.
    """
    plain = low
    if not low.isascii():
        for mark in _COMMON_MARKS:
            plain = plain.replace(mark, " ")
        if _PUNCTUATION.search(plain):
            plain = _PUNCTUATION.sub(" ", plain)
    split = plain.encode("utf-8", "replace").translate(_SPLIT).split()
    return frozenset([word.decode() for word in _vocabulary(extra)[0].intersection(split)])


def surely_english(words: frozenset[str]) -> bool:
    """Whether the words hold so many of English alone that no other language is in question."""
    return len(_ENGLISH & words) >= _SURE


def language_of(words: frozenset[str], lang: str | None) -> tuple[str, bool]:
    """The language whose number words to read, and whether it writes a decimal comma.

    A stated language is taken as it is; otherwise the one whose words are most.
    """
    if lang:
        primary, *rest = lang.lower().replace("_", "-").split("-")
        comma = primary in COMMA_DECIMAL and not _POINT_REGIONS.intersection(rest)
        if primary in LANGUAGES:
            return primary, comma
        return "en", comma
    if surely_english(words):
        return "en", False
    tells = _vocabulary()[1]
    scores = dict.fromkeys(LANGUAGES, 0)
    for word in words:
        for language in tells.get(word, ()):
            scores[language] += 1
    best = max(LANGUAGES, key=scores.__getitem__)  # the first of equals: English
    return best, best in COMMA_DECIMAL


def places(low: str, word: str) -> Iterator[int]:
    """Where a word stands in a lowered text, with no letter or digit on either side."""
    start = low.find(word)
    while start >= 0:
        end = start + len(word)
        before = low[start - 1] if start else " "
        after = low[end] if end < len(low) else " "
        if not (before.isalnum() or after.isalnum()):
            yield start
        start = low.find(word, end)


_LONGEST_COMPOUND: Final = 64  # neunhundertneunundneunzigtausendneunhundertneunundneunzig has 55
_STEMS: Final = {
    "de": ("tausend", "hundert"), "nl": ("duizend", "honderd"), "it": ("mila", "mille", "cento"),
}  # fmt: skip


def compounds_in(low: str) -> dict[str, int]:
    """Words of the text that are a number from 100 on in one word, and their values.

    They can be no other word in any language, so the text's language does not matter.

    >>> compounds_in("zweiundzwanzigtausenddreihundert euro")
    {'zweiundzwanzigtausenddreihundert': 22300}
    >>> compounds_in("the family met for the millennium")
    {}
    """
    found = {}
    for language, stems in _STEMS.items():
        for stem in stems:
            at = low.find(stem)
            while at >= 0:
                start, end = _word_round(low, at, at + len(stem))
                word = low[start:end]
                if value := compounds(language).get(word, 0) or _thousands(word, language):
                    found[word] = value
                at = low.find(stem, end)
    return found


def _word_round(low: str, start: int, end: int) -> tuple[int, int]:
    first, last = max(0, start - _LONGEST_COMPOUND), min(len(low), end + _LONGEST_COMPOUND)
    while start > first and low[start - 1].isalpha():
        start -= 1
    while end < last and low[end].isalpha():
        end += 1
    return start, end


def _thousands(word: str, language: str) -> int:
    below = compounds(language)
    if word in lexicon(language).scales:
        return 0
    if language == "it" and word.startswith("mille"):
        return 1000 + below.get(word.removeprefix("mille"), -1000) if word != "mille" else 0
    left, stem, right = word.partition(_STEMS[language][0])
    if not stem:
        return 0
    right = right.removeprefix("und") if language == "de" else right
    if (left and left not in below) or (right and right not in below):
        return 0
    return (below[left] if left else 1) * 1000 + (below[right] if right else 0)
