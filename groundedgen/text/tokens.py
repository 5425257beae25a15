"""Words of a text, for ranking and aligning by content: folded, stemmed, with their places.

This is a coarser view than the one quotes are checked with. Two texts that are equal here
(case, word form, contraction) may differ there; nothing is proved with it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple
from unicodedata import normalize as normal_form

import regex

from groundedgen.patterns import compiled, lazy
from groundedgen.text.vocabulary import FUNCTION_WORDS, IRREGULAR

__all__ = [
    "Word",
    "content_stems",
    "guess_language",
    "is_function_word",
    "leans_to",
    "stem",
    "words",
]


class Word(NamedTuple):
    """One word. A tuple, since a passage makes hundreds and the judge reads thousands.

    `text` is folded (lower case, ligatures spelled out, line-end hyphen gone), `stem` its
    stem, `[start, end)` its place in the text in code points. `capital`: written with a
    capital or a digit first.
    """

    text: str
    stem: str
    start: int
    end: int
    capital: bool


_INNER: Final = r"\p{L}\p{M}\p{N}\u00ad\u200b-\u200d\u2060"
_WORD: Final = lazy(
    rf"""
      (?P<bare>[\p{{Han}}\p{{Hiragana}}\p{{Katakana}}\p{{Thai}}\p{{Lao}}\p{{Khmer}}\p{{Myanmar}}]
               [\p{{Han}}\p{{Hiragana}}\p{{Katakana}}\p{{Thai}}\p{{Lao}}\p{{Khmer}}\p{{Myanmar}}\p{{M}}ー]*+)
    | \p{{N}}++(?:[.,:/]\p{{N}}++)*+(?:(?i:st|nd|rd|th|s)(?!\p{{L}}))?+
    | \p{{L}}(?:[{_INNER}]|[-\u2010]\r?\n[ \t]*+(?=\p{{Ll}}))*+(?:['\u2019]\p{{L}}++)*+
    """,
    regex.VERBOSE,
)
# What `_WORD` finds in ASCII text, by an engine that is four times as fast at it.
_ASCII_WORD: Final = compiled(
    r"[0-9]+(?:[.,:/][0-9]+)*(?:(?i:st|nd|rd|th|s)(?![A-Za-z]))?"
    r"|[A-Za-z](?:[A-Za-z0-9]|-\r?\n[ \t]*(?=[a-z]))*(?:'[A-Za-z]+)*"
)
# Marks that make a text not ASCII and that no word holds, but for the apostrophe.
_PLAIN_MARKS: Final = str.maketrans(
    "\u2018\u2019\u201c\u201d\u2013\u2014\u2026\u00a0", "''\"\"--. "
)
_JOINTS: Final = lazy(r"[\u00ad\u200b-\u200d\u2060]|[-\u2010]\s+")
_CONTRACTED: Final = {"'ll": "will", "'ve": "have", "'re": "are", "'m": "am"}
_IRREGULAR_NEGATIONS: Final = {
    "can": "can",
    "won": "will",
    "shan": "shall",
    "ca": "can",
    "wo": "will",
}
_SNOWBALL: Final = {
    "ca": "catalan",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "es": "spanish",
    "fi": "finnish",
    "fr": "french",
    "hi": "hindi",
    "hu": "hungarian",
    "it": "italian",
    "nl": "dutch",
    "no": "norwegian",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sv": "swedish",
    "ar": "arabic",
    "hy": "armenian",
    "tr": "turkish",
}
# Where the language is unknown the script of a word still tells which stemmer fits it.
_BY_SCRIPT: Final = (
    ("\u0400", "\u04ff", "ru"),
    ("\u0370", "\u03ff", "el"),
    ("\u0600", "\u06ff", "ar"),
    ("\u0900", "\u097f", "hi"),
    ("\u0530", "\u058f", "hy"),
)
_LONGEST_STEMMED: Final = 40


def words(text: str, lang: str | None = None) -> list[Word]:
    r"""The words of a text in order; contractions spelled out, possessive endings cut.

    Scripts that are written without blanks give overlapping pairs of characters.

    Args:
        text: Any text; never raises, linear time.
        lang: BCP 47 tag of the text; English stems where it is unknown and the script Latin.

    >>> [w.text for w in words("The tenant's fees weren't 1,250.50; see sec. 4")]
    ['the', 'tenant', 'fees', 'were', 'not', '1250.50', 'see', 'sec', '4']
    >>> [w.stem for w in words("long-term dam-\nages")], [w.text for w in words("水漏れ")]
    (['long', 'term', 'damag'], ['水漏', '漏れ'])
    >>> words("... \n")
    []
    """
    base = _base(lang)
    found: list[Word] = []
    plain = text if text.isascii() else text.translate(_PLAIN_MARKS)
    if plain.isascii():
        for match in _ASCII_WORD.finditer(plain):
            found += _spelled(match[0], match.start(), match.end(), base)
        return found
    for found_word in _WORD.finditer(text):
        run, start = found_word[0], found_word.start()
        found += (
            _pairs(run, start)
            if found_word["bare"]
            else _spelled(run, start, found_word.end(), base)
        )
    return found


def _pairs(run: str, start: int) -> list[Word]:
    if len(run) == 1:
        return [Word(run, run, start, start + 1, capital=False)]
    return [
        Word(run[i : i + 2], run[i : i + 2], start + i, start + i + 2, capital=False)
        for i in range(len(run) - 1)
    ]


def _spelled(raw: str, start: int, end: int, lang: str) -> list[Word]:
    capital = not raw[0].islower()
    # A "word" of a megabyte is not worth remembering.
    folded = _folded(raw, lang) if end - start <= _REMEMBERED else _folded.__wrapped__(raw, lang)
    return [Word(text, stemmed, start, end, capital) for text, stemmed in folded]


_REMEMBERED: Final = 80  # code points


@lru_cache(maxsize=65_536)
def _folded(raw: str, lang: str) -> tuple[tuple[str, str], ...]:
    """The folded words that one run of characters stands for, each with its stem."""
    text = raw if raw.isascii() else normal_form("NFKC", _JOINTS.sub("", raw))
    text = _JOINTS.sub("", text).casefold().replace("\u2019", "'")
    if text[0].isdigit():
        plain = text.replace(",", "")
        plain = plain[:-2] if plain.endswith(("st", "nd", "rd", "th")) else plain
        return ((plain, plain),)
    parts = _parts(text) if "'" in text or text == "cannot" else [text]
    return tuple((part, stem(part, lang)) for part in parts)


def _parts(text: str) -> list[str]:
    if text == "cannot":
        return ["can", "not"]
    if text.endswith("n't"):
        verb = text[:-3]
        return [_IRREGULAR_NEGATIONS.get(verb, verb), "not"] if verb else ["not"]
    head, _, tail = text.partition("'")
    spelled = _CONTRACTED.get("'" + tail)
    if spelled:
        return [head, spelled]
    # "l'assurance": the short part before the apostrophe is an article, not the word.
    return [head, tail] if len(head) <= 2 < len(tail) else [head]


def stem(word: str, lang: str = "en") -> str:
    """The stem of a folded word, irregular English forms brought to their base first.

    A new stemmer object each time (1 µs): the library keeps its state in the object, and
    judges run in threads.

    >>> stem("covers"), stem("written"), stem("versicherten", "de"), stem("4.1")
    ('cover', 'write', 'versichert', '4.1')
    """
    if len(word) > _LONGEST_STEMMED or not word[0].isalpha():
        return word
    lang = lang or _script_language(word)
    if lang == "en":
        word = IRREGULAR.get(word, word)
    algorithm = _SNOWBALL.get(lang)
    return _stemmed(word, algorithm) if algorithm else word


def _stemmed(word: str, algorithm: str) -> str:
    # Brings in its thirty languages, 30 ms, which importing this library should not cost.
    import snowballstemmer  # type: ignore[import-untyped]  # noqa: PLC0415  # ships no stubs

    return str(snowballstemmer.stemmer(algorithm).stemWord(word))


def _script_language(word: str) -> str:
    first = word[0]
    return next((lang for low, high, lang in _BY_SCRIPT if low <= first <= high), "en")


def _base(lang: str | None) -> str:
    """The base of a language tag; "" means unknown."""
    return (lang or "").replace("_", "-").split("-")[0].lower()


def guess_language(text: str) -> str | None:
    """The language with whose function words a text is strewn; `None` when it is unclear.

    Reads the first 3,000 code points. Knows the languages of `FUNCTION_WORDS`; needs two
    different hits and more than any other language has.

    >>> guess_language("Der Schaden ist nicht gedeckt."), guess_language("Fire, theft, hail")
    ('de', None)
    >>> guess_language("The fee is due in May."), guess_language("水漏れは対象です。")
    ('en', None)
    """
    (best, lang), (second, _) = _hits(text)[:2]
    return lang if best >= 2 and (best > second or lang == "en") else None


def leans_to(lang: str, text: str) -> bool:
    """Whether a text has a function word of one language and fewer of every other.

    >>> leans_to("en", "Rent is due"), leans_to("en", "Kein Anspruch")
    (True, False)
    """
    (best, first), (second, _) = _hits(text)[:2]
    return first == lang and best > 0 and (best > second or lang == "en")


def _hits(text: str) -> list[tuple[int, str]]:
    """Different function words of each language in a text, most first."""
    # First those that are one of any language: few are left for the many tables.
    seen = _ANY_FUNCTION_WORD.intersection(_LETTERS.findall(text[:_GLANCE].casefold()))
    hits = [(len(seen & table), lang) for lang, table in FUNCTION_WORDS.items()]
    # English first where two have as many: "is" and "in" are Dutch too, "niet" would tell.
    return sorted(hits, key=lambda hit: (-hit[0], hit[1] != "en", hit[1]))


_GLANCE: Final = 3_000  # code points
_HIRAGANA: Final = lazy(r"\p{Hiragana}++")
_LETTERS: Final = compiled(r"[^\W\d_]+")
_ANY_FUNCTION_WORD: Final = frozenset().union(*FUNCTION_WORDS.values())


def is_function_word(word: str, lang: str | None = None) -> bool:
    """Whether a folded word is in the language's list (English where there is none).

    >>> is_function_word("the"), is_function_word("cover"), is_function_word("nicht", "de-AT")
    (True, False, True)
    """
    if not word.isascii() and _HIRAGANA.fullmatch(word):
        return True  # Japanese writes endings and particles in it, content mostly not
    table = FUNCTION_WORDS.get(_base(lang) or "en")
    return word in table if table is not None else False


def content_stems(text: str, lang: str | None = None) -> list[str]:
    """Stems of the words that carry content, in order, repeats kept.

    >>> content_stems("Is the theft of a bicycle covered?")
    ['theft', 'bicycl', 'cover']
    >>> content_stems("What is it?")
    []
    """
    base = _base(lang)
    stems: list[str] = []
    # As `words`, without its places: ranking reads megabytes, most of them in words seen before.
    if text.isascii():
        for run in _ASCII_WORD.findall(text):
            stems += _content(run, base)
        return stems
    for match in _WORD.finditer(text):
        run = match[0]
        if match["bare"]:
            stems += [w.text for w in _pairs(run, 0) if not is_function_word(w.text, base)]
        else:
            stems += _content(run, base)
    return stems


@lru_cache(maxsize=65_536)
def _content(raw: str, lang: str) -> tuple[str, ...]:
    """The stems of one run of characters that carry content."""
    return tuple(
        stemmed for text, stemmed in _folded(raw, lang) if not is_function_word(text, lang)
    )
