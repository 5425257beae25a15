"""What a statement may copy from its quote, character for character: numbers and odd words.

Everything else a constrained model writes from a closed alphabet without digits, see `terminals`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Final, Literal

import regex

from groundedgen.gates.numbers import unsupported_numbers
from groundedgen.generators.constrained.terminals import ALPHABET, CHAR, is_head
from groundedgen.patterns import lazy
from groundedgen.text.characters import is_unspaced
from groundedgen.text.markdown.links import links
from groundedgen.text.numbers.months import CAPITAL_ONLY, MONTHS
from groundedgen.text.numbers.units import GLUED_SCALES
from groundedgen.text.numerals import Numeral, numerals

__all__ = ["Copied", "Form", "Kind", "copied", "has_digit"]

_MOST: Final = 32  # numbers and odd words that one quote lends to its statement
_LONGEST: Final = 80  # code points of one of them
_EDGES: Final = "\"'()[]{}<>,.;:!?\u201c\u201d\u2018\u2019\u00ab\u00bb\u2026*_"
_PROSE: Final = lazy(f"(?:{CHAR})*", regex.V1)
_LETTERS: Final = lazy(f"{ALPHABET}*", regex.V1)
_UNSEEN: Final = lazy(r"[\p{C}\p{Zl}\p{Zp}]")
_BREAK: Final = lazy(r"[ \t]*[\r\n\t\v\f\x85\u2028\u2029]\s*")
_SPELLED: Final = lazy(r"\s{0,2}\([\p{L}\s\-]{1,60}\)\s{1,2}(\p{L}{1,30})")
_WORD: Final = lazy(r"\p{L}[\p{L}\p{M}]*\.?")
_WORDS: Final = lazy(r"\S+")
_NEXT_WORD: Final = lazy(r"\s\p{L}{3,}")
_POINTED: Final = lazy(r"(?<!\p{L})\p{L}\.\s?\p{L}\Z")
_LETTERS_ONLY: Final = lazy(r"\p{L}+")
_LABELS_BACK: Final = 4  # words before a number among which its label is looked for
_RATE_WORDS: Final = 3  # words behind a quantity that may say what it is per
_NEAR: Final = 24  # code points between a dose and how often it is taken
_JOINERS: Final = lazy(r"\s{1,2}(?:[^\W\d]{1,5}|[^\w\s])\s{1,2}|[^\w\n]{1,3}")
_WEB: Final = ("://", "www.", "@")
_HOUR: Final = lazy(r"\d{1,2}\s?h\s?\d{2}\Z")
_LAST_LETTERS: Final = lazy(r"\p{L}+\Z")
_LAST_WORD: Final = lazy(r"\p{L}+(?=[^\p{L}\p{N}]*\Z)")
_DEGREES: Final = lazy(r"[^\p{ASCII}\p{L}\p{Sc}]\Z|[\u00ba\u1d52]\Z")
_FEW: Final = lazy(r"(?<![\w.,/-])[1-9][ ]\p{L}+\.?\Z")
_ONE_DIGIT: Final = lazy(r"(?<![\w.,/-])[1-9]\Z")
_FEET: Final = lazy(r"(?i:ft|feet|foot)\.?,?\s[0-9.]+\Z")
_AMOUNT: Final = lazy(r"\p{Sc} ?[0-9][0-9.,]*(?: ?\p{L}+)?|[0-9][0-9.,]*[0-9]")
_HEADING: Final = lazy(r"\W?\d{1,3}(?:\.\d{1,2}){1,4}\Z")
# What a reader sees as another sign where no word is read from right to left; see `text.visible`.
_TURNED: Final = lazy("[\u0660-\u0669\u066b\u066c]")

Kind = Literal[
    "quantity", "head", "number", "few", "amount", "time", "hour", "month", "address", "word"
]


@dataclass(frozen=True, slots=True)
class Form:
    """A number or an odd word as a text may write it.

    Attributes:
        text: On one line; it holds a sign that the alphabet lacks, most often a digit.
        kind: What may stand behind it. A "quantity" ends in its unit, a "head" in one that goes
            on with some words (degrees Celsius); behind a "number" a word could give it another
            one. A "few" may be a part of "1 in 5", an "amount" is none, nor one of "May 5 in
            2019". A "time" (10:30) could get half of a day, an "hour" (17h30) a minute. An
            "address" with a digit has no sign behind it.
        measures: What it measures, as far as its quote says; two numbers that measure different
            things are not said together of one unit.
    """

    text: str
    kind: Kind
    measures: frozenset[str] = frozenset()

    @property
    def turned(self) -> bool:
        """Whether it is shown as others read it only beside words from right to left."""
        return _TURNED.search(self.text) is not None

    @property
    def dated(self) -> bool:
        """Whether it begins with a month, of which a number before it could be the day."""
        return any(True for _ in _months(self.text.split(" ")[0]))

    @property
    def listed(self) -> bool:
        """Whether it is read as the number of a heading where it begins a text: 4.2 Fees."""
        return _HEADING.match(self.text) is not None

    @property
    def signed(self) -> bool:
        """Whether it begins with a sign, which an opening quotation mark would take off it."""
        return not self.text[0].isalnum()


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
    """The numbers of a quote, each as written, its months, and its words with odd signs.

    The number gate decides which of them stand in a sentence of other words, on this quote alone.

    >>> found = copied("Under clause 7 the fee is 30 (thirty) euros or 3 % of it; ask@x.org.")
    >>> [form.text for form in found.forms]
    ['clause 7', '30', '30 euros', '3 %', 'ask@x.org']
    >>> [form.text for form in found.forms if form.kind == "quantity"]
    ['3 %']
    """
    found = [n for n in numerals(quote, lang) if has_digit(n.written)]
    written: dict[str, frozenset[str]] = {}
    for text, measures in _numbers(quote, found, lang):
        line = _one_line(text)
        written[line] = written.get(line, frozenset()) | measures
    ends = {_one_line(quote[n.start : n.whole_end]) for n in found if _ends_in_unit(n)}
    ends |= {_one_line(said) for n in found for said in (_rated(quote, n), _century(quote, n))}
    times = {n.written for n in found if n.kind == "time"}
    forms = [
        Form(text, _kind(text, ends, times), measures)
        for text, measures in written.items()
        if _is_writable(text) and _stands(text, quote, lang)
    ]
    names = (Form(text, "month") for text in dict.fromkeys(_months(quote)))
    odd = (Form(text, "address" if _is_web(text) else "word") for text in _odd_words(quote))
    unlike = [form for form in odd if _is_writable(form.text) and _stands(form.text, quote, lang)]
    edges = (quote[at : at + 1] for n in found for at in (max(n.start - 1, 0), n.whole_end))
    glued = any(char and is_unspaced(char) for char in edges)
    every = [*forms, *dict.fromkeys(unlike), *names] if forms else unlike
    return Copied(tuple(every[:_MOST]), glued)


def _ends_in_unit(numeral: Numeral) -> bool:
    """Whether a number's own words end it, so that none behind it could measure it.

    That of "the 21st century" is in no words of the number: see `_century`.
    """
    if numeral.kind == "ordinal" and numeral.whole_end == numeral.end:
        return False
    return bool(numeral.measures) and (numeral.scale == 1 or numeral.whole_end > numeral.end)


def _kind(text: str, ends: Container[str], times: Container[str]) -> Kind:
    """The kind of a number's form, by what the quote's numbers end in and which are times."""
    if _is_web(text):
        return "address"
    if _HOUR.search(text):
        return "hour"
    letters = _LAST_LETTERS.search(text)
    scaled = letters is not None and letters[0] in GLUED_SCALES  # 5m: metres, or millions
    shut = text.endswith(")")  # "$(95.4)" of a table: a unit may still follow
    if text in ends and not scaled and not shut and not has_digit(text[-1]):
        return "head" if _goes_on(text) else "quantity"
    if _FEET.search(text):
        return "hour"  # 6 ft 2: a word behind it could be "in"
    if text in times or ":" in text:
        return "time"
    if _ONE_DIGIT.search(text):
        return "few"
    return "amount" if _AMOUNT.fullmatch(text) else "number"


def _goes_on(quantity: str) -> bool:
    """Whether a word behind it could make another unit or a share of it: 30 degrees, 1 euro."""
    word = _LAST_WORD.search(quantity)
    further = word is not None and is_head(word[0].lower())
    return further or bool(_FEW.search(quantity) or _DEGREES.search(quantity))


def _is_web(text: str) -> bool:
    return any(sign in text for sign in _WEB)


def _letters(text: str) -> str:
    found = _LETTERS.match(text)
    return found[0] if found else ""


def _stands(text: str, quote: str, lang: str | None) -> bool:
    """Whether the number gate takes a number from this quote in a sentence of other words.

    The 7 of "clause 7" is no seven of anything: it stands only with its word.
    """
    said = (f"Qq {text} qq.", f"{text} qq.")
    return not any(unsupported_numbers(words, quote, lang=lang) for words in said)


def _numbers(
    quote: str, found: Sequence[Numeral], lang: str | None
) -> Iterator[tuple[str, frozenset[str]]]:
    """Each number with and without its unit, rate and label, and numbers that signs or a word join.

    So 30, 30 days, 30-60 days, 30 to 60 days; each with what it measures.
    """
    for numeral in found:
        if numeral.per and numeral.measures == {"times"}:
            continue  # the rate of whatever stands before it
        written = quote[numeral.start : numeral.end]
        measures = numeral.measures or frozenset([numeral.kind])
        yield written, measures
        yield quote[numeral.start : numeral.whole_end], measures
        said = (_rated(quote, numeral), _century(quote, numeral))
        yield from ((text, measures) for text in said if text)
        if spelled := _SPELLED.match(quote, numeral.end):  # 5 (five) years are 5 years
            yield f"{written} {spelled[1]}", measures
        if numeral.kind == "identifier" and not _stands(_one_line(written), quote, lang):
            before = _WORD.findall(quote, max(numeral.start - 60, 0), numeral.start)
            labelled = [f"{word} {written}" for word in reversed(before[-_LABELS_BACK:])]
            stand = [form for form in labelled if _stands(_one_line(form), quote, lang)]
            yield from [(form, measures) for form in stand[:1]]
    for left, right in pairwise(found):
        whole, measures = quote[left.start : right.whole_end], left.measures | right.measures
        if right.per and right.measures == {"times"}:
            if right.start - left.whole_end <= _NEAR:
                yield quote[left.start : right.start] + _rated(quote, right), measures
        elif _JOINERS.fullmatch(quote, left.whole_end, right.start) and _stands(
            f"The {_one_line(whole)} of it was to", quote, lang
        ):
            yield whole, measures


def _rated(quote: str, numeral: Numeral) -> str:
    """A quantity with what it is per, "30 euros a month"; "" where that stands elsewhere.

    The last point of "2% p.a." is a part of it: behind "2% p.a" it would end the sentence.
    """
    if not numeral.per:
        return ""
    for match in islice(_WORDS.finditer(quote, numeral.whole_end), _RATE_WORDS):
        said = quote[numeral.start : match.end()].rstrip(",;:!?)")
        bare = said.rstrip(".")
        for form in (said,) if _POINTED.search(bare) else (bare, said):
            read = numerals(f"{form} qq")
            if read and read[0].per == numeral.per:
                return form
    return ""


def _century(quote: str, numeral: Numeral) -> str:
    """An ordinal with the word that makes a century of it, "21st century", or ""."""
    named = numeral.kind == "ordinal" and numeral.measures
    word = _NEXT_WORD.match(quote, numeral.whole_end) if named else None
    return quote[numeral.start : word.end()] if word else ""


def _months(quote: str) -> Iterator[str]:
    """The names of months of a quote, without what stands beside them."""
    for word in _LETTERS_ONLY.findall(quote):
        low = word.lower()
        if low in MONTHS and (low not in CAPITAL_ONLY or word[0].isupper()):
            yield word


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
