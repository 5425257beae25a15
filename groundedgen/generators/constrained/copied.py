"""What a statement may copy from its quote, character for character: numbers and odd words.

Everything else a constrained model writes from a closed alphabet without digits, see `terminals`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import regex

from groundedgen.gates.numbers import unsupported_numbers
from groundedgen.generators.constrained.terminals import ALPHABET, CHAR
from groundedgen.patterns import lazy
from groundedgen.text.characters import is_unspaced
from groundedgen.text.markdown.links import links
from groundedgen.text.numerals import Numeral, numerals

__all__ = ["Copied", "Form", "copied", "has_digit"]

_MOST: Final = 32  # numbers and odd words that one quote lends to its statement
_LONGEST: Final = 80  # code points of one of them
_EDGES: Final = "\"'()[]{}<>,.;:!?\u201c\u201d\u2018\u2019\u00ab\u00bb\u2026*_"
_PROSE: Final = lazy(f"(?:{CHAR})*", regex.V1)
_LETTERS: Final = lazy(f"{ALPHABET}*", regex.V1)
_UNSEEN: Final = lazy(r"[\p{C}\p{Zl}\p{Zp}]")
_BREAK: Final = lazy(r"[ \t]*[\r\n\t\v\f\x85\u2028\u2029]\s*")
_SPELLED: Final = lazy(r"\s{0,2}\([\p{L}\s\-]{1,60}\)\s{1,2}(\p{L}{1,30})")
_WORD: Final = lazy(r"\p{L}[\p{L}\p{M}]*\.?")
_LABELS_BACK: Final = 4  # words before a number among which its label is looked for


@dataclass(frozen=True, slots=True)
class Form:
    """A number or an odd word as a text may write it.

    Attributes:
        text: On one line; it holds a sign that the alphabet lacks, most often a digit.
        united: It ends in its unit, so any word may follow; another could be given one.
    """

    text: str
    united: bool


@dataclass(frozen=True, slots=True)
class Copied:
    """All that one quote lends.

    Attributes:
        forms: All different.
        glued: Its numbers touch letters, in a script without blanks.
    """

    forms: tuple[Form, ...]
    glued: bool = False


def copied(quote: str, lang: str | None = None) -> Copied:
    """The numbers of a quote, each as written, and its words with signs that prose lacks.

    The number gate decides which of them stand in a sentence of other words, on this quote alone.

    >>> found = copied("Under clause 7 the fee is 30 (thirty) euros or 3 % of it; ask@x.org.")
    >>> [form.text for form in found.forms]
    ['clause 7', '30', '30 euros', '3 %', 'ask@x.org']
    >>> [form.text for form in found.forms if form.united]
    ['3 %', 'ask@x.org']
    """
    found = [n for n in numerals(quote, lang) if has_digit(n.written)]
    words = list(_odd_words(quote))
    units = {_one_line(quote[n.start : n.whole_end]) for n in found if n.measures}
    written = dict.fromkeys(map(_one_line, [*_numbers(quote, found, lang), *words]))
    stand = [text for text in written if _is_writable(text) and _stands(text, quote, lang)]
    edges = (quote[at : at + 1] for n in found for at in (max(n.start - 1, 0), n.whole_end))
    united = units.union(words)
    forms = (Form(text, text in united and not has_digit(text[-1])) for text in stand[:_MOST])
    return Copied(tuple(forms), any(char and is_unspaced(char) for char in edges))


def _letters(text: str) -> str:
    found = _LETTERS.match(text)
    return found[0] if found else ""


def _stands(text: str, quote: str, lang: str | None) -> bool:
    """Whether the number gate takes a number from this quote in a sentence of other words.

    The 7 of "clause 7" is no seven of anything: it stands only with its word.
    """
    return not unsupported_numbers(f"Qq {text} qq.", quote, lang=lang)


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


def _odd_words(quote: str) -> Iterator[str]:
    """Words with a sign that the alphabet lacks, addresses among them."""
    for word in quote.split():
        bare = word.strip(_EDGES)
        if not bare[:1].isalpha() or has_digit(bare) or _PROSE.fullmatch(bare):
            continue
        if not links(bare, [quote]):  # markup; an address that stands in the quote is none
            yield bare


def _one_line(text: str) -> str:
    return _BREAK.sub(" ", text)


def _is_writable(text: str) -> bool:
    """Whether a form can be written: short, visible, and not of the alphabet alone."""
    return len(_letters(text)) < len(text) <= _LONGEST and not _UNSEEN.search(text)


def has_digit(text: str) -> bool:
    """Whether a text holds a digit, a fraction or a numeral sign of any script.

    >>> has_digit("§ 4"), has_digit("½"), has_digit("four")
    (True, True, False)
    """
    return any(unicodedata.category(char)[0] == "N" for char in text)
