"""What a statement may copy from its quote, character for character: numbers and odd words.

Everything else a constrained model writes from a closed alphabet without digits (see `lark`).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from groundedgen.gates.numbers import unsupported_numbers
from groundedgen.patterns import lazy
from groundedgen.text.characters import is_unspaced
from groundedgen.text.links import links
from groundedgen.text.numerals import Numeral, numerals

__all__ = ["Copied", "copied", "has_digit"]

_MOST: Final = 32  # numbers and odd words that one quote lends to its statement
_LONGEST: Final = 80  # code points of one of them
_EDGES: Final = "\"'()[]{}<>,.;:!?\u201c\u201d\u2018\u2019\u00ab\u00bb\u2026*_"
_ODD: Final = lazy(r"[^\p{L}\p{M}\p{N}\s'\u2019\-]")
_UNSEEN: Final = lazy(r"[\p{C}\p{Zl}\p{Zp}]")
_BREAK: Final = lazy(r"[ \t]*[\r\n\t\v\f\x85\u2028\u2029]\s*")
_SPELLED: Final = lazy(r"\s{0,2}\([\p{L}\s\-]{1,60}\)\s{1,2}(\p{L}{1,30})")
_WORD: Final = lazy(r"\p{L}[\p{L}\p{M}]*\.?")
_LABELS_BACK: Final = 4  # words before a number among which its label is looked for


@dataclass(frozen=True, slots=True)
class Copied:
    """What a text may copy from its quote besides letters.

    Attributes:
        bare: Numbers that another word could give a unit or a scale.
        united: Numbers with their unit; words with signs that the alphabet lacks.
        glued: Whether some of it touches letters in a script without blanks.
    """

    bare: tuple[str, ...]
    united: tuple[str, ...]
    glued: bool

    def __bool__(self) -> bool:
        return bool(self.bare or self.united)


def copied(quote: str, lang: str | None = None) -> Copied:
    """The numbers of a quote, each as written, and its words with signs that prose lacks.

    The number gate decides what of them stands in a sentence of other words, in this quote alone.

    >>> copied("Under clause 7 the fee is 30 (thirty) euros or 2-3 % of it; write to ask@x.org.")
    Copied(bare=('clause 7', '30', '30 euros', '2', '2-3 %'), \
united=('3 %', 'ask@x.org'), glued=False)
    """
    found = [n for n in numerals(quote, lang) if has_digit(n.written)]
    units = {_one_line(quote[n.start : n.whole_end]) for n in found if n.measures}
    units.update(words := list(_odd_words(quote)))
    forms = dict.fromkeys(map(_one_line, [*_numbers(quote, found, lang), *words]))
    kept = [form for form in forms if _is_writable(form) and _stands(form, quote, lang)][:_MOST]
    united = tuple(form for form in kept if form in units and not has_digit(form[-1]))
    edges = (quote[at : at + 1] for n in found for at in (max(n.start - 1, 0), n.whole_end))
    return Copied(
        tuple(form for form in kept if form not in united),
        united,
        any(char and is_unspaced(char) for char in edges),
    )


def _stands(form: str, quote: str, lang: str | None) -> bool:
    """Whether the number gate takes a number from this quote in a sentence of other words.

    The 7 of "clause 7" is no seven of anything: it stands only with its word.
    """
    return not unsupported_numbers(f"Qq {form} qq.", quote, lang=lang)


def _numbers(quote: str, found: Sequence[Numeral], lang: str | None) -> Iterator[str]:
    """Each number with and without its unit and label, and numbers that signs join: 30-60 days."""
    for numeral in found:
        written = quote[numeral.start : numeral.end]
        yield written
        yield quote[numeral.start : numeral.whole_end]
        if spelled := _SPELLED.match(quote, numeral.end):  # 5 (five) years are 5 years
            yield f"{written} {spelled[1]}"
        if numeral.kind == "identifier" and not _stands(_one_line(written), quote, lang):
            before = _WORD.findall(quote, max(numeral.start - 60, 0), numeral.start)
            labelled = [f"{word} {written}" for word in reversed(before[-_LABELS_BACK:])]
            yield from [f for f in labelled if _stands(_one_line(f), quote, lang)][:1]
    for left, right in pairwise(found):
        between = quote[left.whole_end : right.start]
        if len(between) <= 3 and not any(map(str.isalnum, between)):
            yield quote[left.start : right.whole_end]


def _odd_words(quote: str) -> Iterable[str]:
    """Words with a sign that the alphabet lacks: an address, C++, and/or."""
    for word in quote.split():
        bare = word.strip(_EDGES)
        if not bare[:1].isalpha() or has_digit(bare) or not _ODD.search(bare):
            continue
        if not links(bare, [quote]):  # markup; an address that stands in the quote is none
            yield bare


def _one_line(form: str) -> str:
    return _BREAK.sub(" ", form)


def _is_writable(form: str) -> bool:
    return 0 < len(form) <= _LONGEST and not _UNSEEN.search(form)


def has_digit(text: str) -> bool:
    """Whether a text holds a digit, a fraction or a numeral sign of any script."""
    return any(unicodedata.category(char)[0] == "N" for char in text)
