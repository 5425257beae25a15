"""The grammar of numbers in words: how each next word continues a number, or does not.

Words below a hundred add to what stands (twenty one), a hundred multiplies it, a scale closes
it off (two thousand). French and spoken years have a rule each of their own.
"""

# ruff: noqa: SIM905 - a table of words is read as words
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, NamedTuple

from groundedgen.patterns import compiled
from groundedgen.text.numbers.heads import word_before
from groundedgen.text.numbers.numwords import Lexicon
from groundedgen.text.numbers.quantity import Kind

__all__ = ["HYPHENS", "OF_AFTER", "Run", "Speech", "Token", "adjacent", "read_run"]

HYPHENS: Final = frozenset(["-", "\x96"])
OF_AFTER: Final = compiled(r"\s+(?:of|the)\b")
_FURTHEST: Final = 12  # code points between two words of one number
_BEFORE_DURATION: Final = frozenset("a an each every per".split())


class Token(NamedTuple):
    """One number word: its place, what it is first of all, its value."""

    start: int
    end: int
    kind: str  # cardinal, scale, ordinal, part or multiple
    value: Fraction | int
    word: str


class Speech(NamedTuple):
    """The number words of one text, in order, and the language they are read in."""

    low: str
    tokens: Sequence[Token]
    table: Lexicon
    language: str

    def is_near(self, place: int) -> bool:
        """Whether there is a token at `place`, and it stands close to the one before."""
        if place >= len(self.tokens):
            return False
        return self.tokens[place].start - self.tokens[place - 1].end <= _FURTHEST

    def gap(self, place: int) -> str:
        """What stands between the token before and the one at `place`."""
        return self.low[self.tokens[place - 1].end : self.tokens[place].start]


@dataclass(slots=True)
class Run:
    """What has been read of one number, and what the next word may still add.

    Attributes:
        total: What scale words have closed off.
        current: What is still open, below the scale to come; `None` when nothing is.
        least: The smallest scale in `total`.
        scale: The factor of the scale words it ends with, 1 for none.
    """

    total: Fraction | int = 0
    current: Fraction | int | None = None
    least: Fraction | int | None = None
    scale: int = 1
    kind: Kind = "number"

    def value(self) -> Fraction:
        """The number so far."""
        return Fraction(self.total + (self.current or 0))


def read_run(speech: Speech, first: int) -> tuple[Run, int]:
    """The number that begins at the token `first`, and the place after its last token.

    Where no number begins there, that place is `first`.
    """
    run, place = Run(), first
    while place == first or (speech.is_near(place) and adjacent(speech, place)):
        if not _take(run, speech, place, first):
            break
        place += 1
        if run.kind != "number":
            return run, place
    if place == first:
        return run, place
    if speech.is_near(place):
        place = _decimals(run, speech, place)
    if speech.is_near(place):
        place = _and_part(run, speech, place)
    return run, place


def _take(run: Run, speech: Speech, place: int, first: int) -> bool:
    token = speech.tokens[place]
    if token.kind == "cardinal":
        return _cardinal(run, speech, place)
    if token.kind == "scale":
        return _scale(run, speech, place, first)
    if token.kind == "ordinal":
        return _ordinal(run, speech, place, first)
    if token.kind == "part" and run.current and not run.total and run.current < 100:
        return _parts(run, speech, place)
    return False


def _cardinal(run: Run, speech: Speech, place: int) -> bool:
    added = _added(run, speech, place)
    if added is None:
        return False
    run.current, run.scale = added, 1
    return True


def _added(run: Run, speech: Speech, place: int) -> Fraction | int | None:
    """What is open with one more word below a thousand, or `None` where it cannot join."""
    value, current = speech.tokens[place].value, run.current
    if run.least is not None and value >= run.least:
        return None
    if current is None:
        return value if value or not run.total else None
    if value.denominator > 1 or current.denominator > 1 or value <= 0 or current <= 0:
        return None
    here, french = int(current) % 100, speech.language == "fr"
    if value < 10:
        tens = here % 10 == 0 and (here != 10 or (french and value > 6))  # dix-sept
        return current + value if tens else None
    if value < 100 and here == 0:
        return current + value
    if french and value == 20 and here == 4:
        return current + 76  # quatre-vingt
    if french and value < 20 and here in {60, 80}:
        return current + value  # soixante-dix
    if value < 100 and _is_year(run, speech, place):
        return current * 100 + value
    return None


def _is_year(run: Run, speech: Speech, place: int) -> bool:
    """Nineteen ninety-nine: two numbers of two digits, the first 16 to 20."""
    return (
        speech.language == "en"
        and not run.total
        and run.current is not None
        and 16 <= run.current <= 20
        and speech.gap(place) == " "
    )


def _scale(run: Run, speech: Speech, place: int, first: int) -> bool:
    token = speech.tokens[place]
    value = token.value
    if run.current is None:
        if run.total and value >= 1000 and value >= (run.least or 0):  # thousand million
            run.total, run.least, run.scale = run.total * value, value, run.scale * int(value)
            return True
        bare = token.word in speech.table.bare
        if not bare and not (place == first and has_article(speech, token)):
            return False
        run.current = 1
    if value < 1000:
        if run.current >= 100 or not run.current:
            return False
        run.current, run.scale = run.current * value, 1
        return True
    if run.least is not None and value >= run.least:
        run.total = (run.total + run.current) * value
    else:
        run.total += run.current * value
    run.current, run.least, run.scale = None, value, int(value)
    return True


def has_article(speech: Speech, token: Token) -> bool:
    """Whether a word like "a" stands before a token, as in "a hundred"."""
    word, _, dot = word_before(speech.low, token.start)
    return not dot and word in speech.table.articles


def _ordinal(run: Run, speech: Speech, place: int, first: int) -> bool:
    token = speech.tokens[place]
    value = int(token.value)
    if place > first:
        if run.current == 1 and not run.total and speech.language == "en" and value > 2:
            run.current, run.kind = Fraction(1, value), "fraction"  # one third
            return True
        if token.word == "second" and _is_duration(speech, place, first):
            return False
    if value >= 100:
        run.total, run.current = (run.value() or 1) * value, None
    else:
        added = _added(run, speech, place)
        if added is None:
            return False
        run.current = added
    run.kind = "ordinal"
    return True


def _is_duration(speech: Speech, place: int, first: int) -> bool:
    """A thirty-second delay, thirty second delay; but the thirty-second president."""
    before = word_before(speech.low, speech.tokens[first].start)[0]
    return speech.gap(place).strip() not in HYPHENS or before in _BEFORE_DURATION


def _parts(run: Run, speech: Speech, place: int) -> bool:
    token = speech.tokens[place]
    if token.value == 4 and speech.language == "en":
        hyphen = speech.gap(place).strip() in HYPHENS
        if not hyphen and not OF_AFTER.match(speech.low, token.end):
            return False  # three quarters: periods, or the part; whoever asked keeps both
    run.current, run.kind = Fraction(run.current or 0) / token.value, "fraction"
    return True


def adjacent(speech: Speech, place: int) -> bool:
    """Whether the token at `place` can belong to the number of the one before."""
    before, after = speech.tokens[place - 1], speech.tokens[place]
    bare = speech.gap(place).strip()
    if not bare or bare in HYPHENS:
        return True
    if bare == "," and before.kind == "scale" and before.value >= 1000:
        return _scale_follows(speech, place)
    return bare.strip("-") in speech.table.and_words and _and_joins(speech, before, after)


def _scale_follows(speech: Speech, place: int) -> bool:
    """Whether "one million, two hundred ..." goes on with a number that has a scale itself."""
    if not speech.is_near(place + 1) or speech.gap(place + 1).strip("- \n"):
        return False
    return speech.tokens[place].kind == "cardinal" and speech.tokens[place + 1].kind == "scale"


def _and_joins(speech: Speech, before: Token, after: Token) -> bool:
    if after.kind not in {"cardinal", "ordinal"}:
        return False
    tens = before.kind == "cardinal" and before.value >= 20 and before.value % 10 == 0
    if speech.language in {"fr", "es"}:
        return tens and (after.value < 10 or after.value == 11)
    if speech.language == "pt":
        return (before.kind == "scale" or tens) and after.value < before.value
    return before.kind == "scale" and after.value < min(before.value, 100)


def _decimals(run: Run, speech: Speech, place: int) -> int:
    """Zero point five: digits one by one, or one number below a hundred."""
    if run.total or speech.gap(place).strip() not in speech.table.points:
        return place
    digits, start = "", place
    while place == start or (speech.is_near(place) and adjacent(speech, place)):
        token = speech.tokens[place]
        if token.kind != "cardinal" or token.value >= (10 if place > start else 100):
            break
        digits += str(token.value)
        place += 1
    if not digits or len(digits) > 60:
        return place
    run.current = (run.current or 0) + Fraction(int(digits), 10 ** len(digits))
    return _last_scale(run, speech, place)


def _last_scale(run: Run, speech: Speech, place: int) -> int:
    """The scale word after a decimal or a half: two point five million."""
    if not speech.is_near(place) or speech.tokens[place].kind != "scale":
        return place
    if not adjacent(speech, place):
        return place
    scale = int(speech.tokens[place].value)
    run.total, run.current, run.scale = run.value() * scale, None, scale
    return place + 1


def _and_part(run: Run, speech: Speech, place: int) -> int:
    """Two and a half, two and three quarters."""
    if run.current is None or run.total or speech.language != "en":
        return place
    gap = " ".join(speech.gap(place).split())
    token = speech.tokens[place]
    if gap in {"and a", "and-a", "-and-a-"} and token.kind == "part":
        run.current += Fraction(1) / token.value
        return _last_scale(run, speech, place + 1)
    if gap == "and" and token.kind == "cardinal" and speech.is_near(place + 1):
        part = speech.tokens[place + 1]
        if part.kind == "part" and adjacent(speech, place + 1):
            run.current += Fraction(token.value) / part.value
            return _last_scale(run, speech, place + 2)
    return place
