"""Numbers in words: where they stand, and which of their words are no numbers.

Words that are more often something else ("one", "second", an article) are `weak` or left out.
How words make up a number is in `wordruns`.
"""

# ruff: noqa: SIM905 - a table of words is read as words
from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Final

from groundedgen.patterns import compiled
from groundedgen.text.numbers.glossary import compounds_in, places, surely_english
from groundedgen.text.numbers.heads import NO_HEAD, head, word_before
from groundedgen.text.numbers.numwords import HALVES, lexicon
from groundedgen.text.numbers.quantity import Kind, Numeral, Value
from groundedgen.text.numbers.rates import per
from groundedgen.text.numbers.scanning import NOUN
from groundedgen.text.numbers.tails import Tail, scaled, tail
from groundedgen.text.numbers.units import CODES
from groundedgen.text.numbers.wordruns import OF_AFTER, Speech, Token, has_article, read_run

__all__ = ["spelled_numerals"]

_PRONOUN_BEFORE: Final = frozenset(
    "no any every each some the this that which another such other next last first second third "
    "everyone "
    "these those an only".split()
)
_PRONOUN_AFTER: Final = compiled(
    r"[^\w\s(-]|\s+(?:of|another|is|was|were|who|whom|that|which|may|must|can|cannot|could|should|shall|will"
    r"|would|might|has|have|had|does|did|do|to|for|in|on|at|by|as|and|or|but|if|when|where|way|thing|day|such|s"
    r"|needs|wants|gets|finds|knows|says|believes|thinks)\b|\s*$"
)
_UNIT_NEXT: Final = compiled(
    r"[\s-]+(?:hundred|thousand|million|billion|third|half|quarter|percent|per cent|day|week|month"
    r"|year|hour)\b"
)
_BETWEEN_COUNTS: Final = frozenset(
    [",", "to", "in", "or", "and", "and a", "and-a", "out of", "through"]
)
_COMPOUND_AFTER: Final = compiled(
    r"[-\x96][a-zà-ÿ]|\s(?:room|bed|glaz|click|check|vision|counting|entry|jeopardy|taxation)"
)
# In these the number is often only a kind: a double room, triple damages.
_FOLD_NOUNS: Final = frozenset(
    "double doubles triple triples treble trebles quadruple doble dobles doppelt doppelte "
    "doppelten "
    "doppelter doppeltes dreifach dreifache dreifachen zweifach zweifache duplicated duplicado "
    "duplicada "
    "duplicar quintuple cuádruple".split()
)
_SECOND_BEFORE: Final = frozenset("each every per split last few".split())
_NO_PART_BEFORE: Final = frozenset(["latter", "other", "last", *lexicon("en").ordinals])
_SCALE_HALF: Final = compiled(r"\s+(?:an?\s+|of an?\s+)?|-")
_ARTICLE_NEXT: Final = compiled(r"\s+an?(?=\s)")
_BY_BEFORE: Final = compiled(r"\bby an?\s$")
_OF_NEXT: Final = compiled(r"\s+of\b")
_IDIOM_AFTER: Final = compiled(
    r"(?:\s+|-)(?:part(?:y|ies)|hand(?:ed)?|aid|name|and foremost|of all|person|thoughts?|nature"
    r"|lady|world|class|rate)\b"
)


def spelled_numerals(
    text: str, low: str, words: frozenset[str], language: str, taken: Sequence[tuple[int, int]]
) -> list[Numeral]:
    """The numbers of a text that are written in words.

    Args:
        text: A cleaned text.
        low: The same in small letters.
        words: The words of the tables that it holds; see `glossary.known_words`.
        language: Whose number words to read.
        taken: Sorted spans that are read already (digits with their scale words, dates).

    >>> low = "twenty-one days, a hundred and five, no one, two and a half percent"
    >>> words = frozenset("twenty one hundred five two half".split())
    >>> [str(n.value) for n in spelled_numerals(low, low, words, "en", []) if not n.weak]
    ['21', '105', '5/2']
    """
    tokens = _tokens(low, words, language, taken)
    if not tokens:
        return []
    reader = _Reader(text, Speech(low, tokens, lexicon(language), language))
    found: list[Numeral] = []
    place = 0
    while place < len(tokens):
        numeral, place = reader.read(place)
        if numeral:
            found.append(numeral)
    return found


def _tokens(
    low: str, words: frozenset[str], language: str, taken: Sequence[tuple[int, int]]
) -> list[Token]:
    entries = _entries(language)
    tokens = []
    for word in entries.keys() & words:
        kind, value = entries[word]
        tokens += [Token(at, at + len(word), kind, value, word) for at in places(low, word)]
    if not surely_english(words):
        wholes: dict[str, Fraction | int] = {**compounds_in(low)}
        if "halb" in low or "half" in low or "dreiviertel" in low:
            wholes |= {word: half for word, half in HALVES.items() if word in low}
        for word, number in wholes.items():
            tokens += [
                Token(at, at + len(word), "cardinal", number, word) for at in places(low, word)
            ]
    tokens.sort()
    return _outside(tokens, taken) if taken else tokens


@lru_cache(maxsize=8)
def _entries(language: str) -> dict[str, tuple[str, int | Fraction]]:
    """All words of a language, with the kind each of them is first of all."""
    table = lexicon(language)
    kinds = (
        ("multiple", table.multiples), ("part", table.parts), ("ordinal", table.ordinals),
        ("scale", table.scales), ("cardinal", table.cardinals),
    )  # fmt: skip
    return {word: (kind, value) for kind, words in kinds for word, value in words.items()}


def _outside(tokens: list[Token], taken: Sequence[tuple[int, int]]) -> list[Token]:
    """The tokens that touch none of the sorted spans."""
    kept, spans = [], iter(taken)
    span = next(spans, None)
    for token in tokens:
        while span and span[1] <= token.start:
            span = next(spans, None)
        if not span or token.end <= span[0]:
            kept.append(token)
    return kept


class _Reader:
    """Reads the number that begins at one token."""

    __slots__ = ("low", "speech", "text")

    def __init__(self, text: str, speech: Speech) -> None:
        self.text, self.low, self.speech = text, speech.low, speech

    def read(self, first: int) -> tuple[Numeral | None, int]:
        """The numeral at a token, if one counts there, and the place to go on from."""
        token = self.speech.tokens[first]
        if token.word == "one" and self._is_pronoun(first):
            return None, first + 1
        if token.kind == "multiple":
            return self._multiple(token), first + 1
        if token.kind == "part":
            return self._part(first)
        run, place = read_run(self.speech, first)
        if place == first:
            return None, first + 1
        start, end = token.start, self.speech.tokens[place - 1].end
        if token.kind == "scale" and has_article(self.speech, token):
            start = word_before(self.low, start)[1]
        if run.kind == "ordinal":
            return self._ordinal(token, start, end, run.value()), place
        after = self._tail(end, place)
        if place - first == 1 and token.value in {0, 1}:
            return self._small(token, start, after), place
        return self._built(start, end, run.value(), after, kind=run.kind, scale=run.scale), place

    def _tail(self, end: int, place: int = -1) -> Tail:
        """What stands after a number; a scale that is the token at `place` is not its own."""
        after = tail(self.text, end, language=self.speech.language)
        if 0 <= place < len(self.speech.tokens) and after.end > self.speech.tokens[place].start:
            return tail(self.text, end, scales=False)
        return after

    def _is_pronoun(self, place: int) -> bool:
        """Whether "one" stands where no count can: no one, the one, one of them."""
        token = self.speech.tokens[place]
        near = self.speech.is_near(place + 1)
        if near and " ".join(self.speech.gap(place + 1).split()) in _BETWEEN_COUNTS:
            return False
        if _PRONOUN_AFTER.match(self.low, token.end):
            return True
        before, _, dot = word_before(self.low, token.start)
        return not dot and before in _PRONOUN_BEFORE and not _UNIT_NEXT.match(self.low, token.end)

    def _small(self, token: Token, start: int, after: Tail) -> Numeral | None:
        """A lone word for one or none: a count before a unit, else doubtful or an article."""
        measured = bool(after.readings[0].measures)
        if token.value == 1 and token.word != "one" and not measured:
            return None
        sure = measured and token.word not in self.speech.table.articles
        return self._built(start, token.end, Fraction(token.value), after, weak=not sure)

    def _ordinal(self, token: Token, start: int, end: int, value: Fraction) -> Numeral | None:
        english = self.speech.language == "en"
        if value <= 3 and english:
            before = word_before(self.low, start)[0]
            if _IDIOM_AFTER.match(self.low, end):
                return None
            if token.word == "second" and before in _SECOND_BEFORE:
                return None
            if token.word == "third" and before == "a":
                third = _OF_NEXT.match(self.low, end) or _BY_BEFORE.search(
                    self.low, max(0, start - 8), start
                )
                return (
                    self._built(start, end, Fraction(1, 3), self._tail(end), kind="fraction")
                    if third
                    else None
                )
        after = self._tail(end)
        noun = NOUN.match(self.low, end)
        measures = after.readings[0].measures - {"times"}
        if noun and noun[1] == "half":
            measures = frozenset(["half"])
        return Numeral(
            start,
            end,
            max(end, after.whole),
            self.text[start:end],
            "ordinal",
            (Value(value, measures),),
            noun=noun[1] if noun else "",
            weak=(value <= 3 or not english) and not measures,
        )

    def _multiple(self, token: Token) -> Numeral | None:
        """Twice, tenfold, doubled; halved is half. "Double" alone is often no number."""
        start, end = token.start, token.end
        if _COMPOUND_AFTER.match(self.low, end):
            return None  # double-blind
        rate = per(self.text, end, measured=False)
        if token.value == 1 and not rate:
            return None  # once daily is a number, once is none
        half = token.value < 1
        measures: frozenset[str] = frozenset() if half else frozenset(["times"])
        return Numeral(
            start, end, end, self.text[start:end], "fraction" if half else "number",
            (Value(Fraction(token.value), measures),), per=rate,
            weak=token.value == 1 or token.word in _FOLD_NOUNS,
        )  # fmt: skip

    def _part(self, first: int) -> tuple[Numeral | None, int]:
        """A part without a count: half, a quarter of, half a million."""
        tokens = self.speech.tokens
        token = tokens[first]
        before, begin, _ = word_before(self.low, token.start)
        value = Fraction(1) / token.value
        english = self.speech.language == "en"
        if english and first + 1 < len(tokens) and tokens[first + 1].kind == "scale":
            scale = tokens[first + 1]
            if _SCALE_HALF.fullmatch(self.low, token.end, scale.start):
                times, after = int(scale.value), self._tail(scale.end)
                return self._built(
                    token.start, scale.end, value * times, after, scale=times
                ), first + 2
        article = before in self.speech.table.articles
        partitive = OF_AFTER.match(self.low, token.end) is not None
        partitive = (
            partitive
            or _BY_BEFORE.search(self.low, max(0, token.start - 8), token.start) is not None
        )
        if token.word.endswith("s") or before in _NO_PART_BEFORE:
            return None, first + 1
        half = token.value == 2 and (english or token.word not in lexicon("en").parts)
        if not half and not (article and (partitive or not english)):
            return None, first + 1
        if unit := _ARTICLE_NEXT.match(self.low, token.end):  # half an hour
            after = self._tail(unit.end())
            after = after._replace(end=token.end, whole=max(token.end, after.whole))
        else:
            after = self._tail(token.end)
        weak = not partitive and not after.readings[0].measures
        start = begin if article else token.start
        return self._built(start, token.end, value, after, kind="fraction", weak=weak), first + 1

    def _built(
        self, start: int, end: int, value: Fraction, after: Tail, *,
        kind: Kind = "number", scale: int = 1, weak: bool = False,
    ) -> Numeral:  # fmt: skip
        before, at, _ = word_before(self.text, start)
        front, begin, negative = NO_HEAD, start, False
        if before.lower() in self.speech.table.minus:
            begin, negative = at, True
        elif not before.islower() or before in CODES:  # a sign, a code, or nothing
            front = head(self.text, start)
            begin, negative = front.start, front.negative
        stop = max(end, after.end)
        readings = scaled(-value if negative else value, front, after)
        if value == 3 and readings[0].measures == {"quarter"}:
            readings = (*readings, Value(Fraction(3, 4), frozenset()))  # three quarters
        return Numeral(
            begin,
            stop,
            max(stop, after.whole),
            self.text[begin:stop],
            kind,
            readings,
            per=after.per,
            scale=scale * after.readings[0].scale,
            weak=weak,
        )
