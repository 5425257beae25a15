"""Whether a text is known to be in another language than a judge was declared to read.

Only what is known counts: a text too short to tell, or in a language whose function words are
not listed, is taken for one of the declared ones, unless its very script says otherwise.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from typing import Final

import regex

from groundedgen.patterns import lazy
from groundedgen.text.tokens import guess_language
from groundedgen.text.vocabulary import FUNCTION_WORDS

__all__ = ["foreign_to"]

# Languages by the scripts they are written in; every other one is taken for Latin.
_WRITTEN: Final[Mapping[str, str]] = {
    "Han": "zh ja yue",
    "Hiragana": "ja",
    "Katakana": "ja",
    "Hangul": "ko",
    "Cyrillic": "ru uk bg be sr mk kk ky mn tg",
    "Greek": "el",
    "Arabic": "ar fa ur ps ku sd ug",
    "Hebrew": "he yi",
    "Devanagari": "hi mr ne sa",
    "Bengali": "bn as",
    "Tamil": "ta",
    "Telugu": "te",
    "Thai": "th",
    "Armenian": "hy",
    "Georgian": "ka",
}
_SCRIPTS: Final[Mapping[str, frozenset[str]]] = {
    lang: frozenset(script for script, langs in _WRITTEN.items() if lang in langs.split())
    for langs in _WRITTEN.values()
    for lang in langs.split()
}
_LETTER: Final = lazy(
    "|".join(rf"(?P<{script}>\p{{{script}}})" for script in ("Latin", *_WRITTEN)), regex.V1
)
_GLANCE: Final = 2_000  # code points


def foreign_to(languages: Collection[str], text: str) -> str | None:
    """The language, or else the script, of a text, if it is known and not a declared one.

    Args:
        languages: Declared language tags; only what stands before a hyphen counts.
        text: Its first 2,000 code points are read.

    >>> foreign_to(["en"], "The fee is due in May."), foreign_to(["en"], "Die Gebühr ist fällig.")
    (None, 'de')
    >>> foreign_to(["en"], "水漏れは対象です。"), foreign_to(["ja"], "水漏れは対象です。")
    ('Han', None)
    >>> foreign_to(["en"], "Force majeure") is None
    True
    """
    declared = {tag.replace("_", "-").split("-")[0].lower() for tag in languages}
    text = text[:_GLANCE]
    script = _main_script(text)
    written = frozenset().union(*(_SCRIPTS.get(lang, {"Latin"}) for lang in declared))
    if script is not None and script not in written:
        return script
    # A guess among the listed ones would call Danish Dutch; it tells only between these.
    guess = guess_language(text) if declared <= FUNCTION_WORDS.keys() else None
    return guess if guess is not None and guess not in declared else None


def _main_script(text: str) -> str | None:
    """The script of most letters; `None` without any."""
    counts = Counter(found.lastgroup for found in _LETTER.finditer(text))
    return counts.most_common(1)[0][0] if counts else None
