"""Every number of a statement stands in its passage, or the statement goes.

What counts as standing there is in `text.holdings`; what counts as a number in
`text.numerals`. Here is what a claim and a statement make of it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from groundedgen.text.holdings import CONTEXT, Holdings, holdings
from groundedgen.text.numerals import Numeral, numerals
from groundedgen.text.windows import context
from groundedgen.values import Finding, Located, Spot

__all__ = ["agree", "cut_off", "unsupported_numbers"]

_NEAREST_SPAN: Final = 300  # code points of a sentence that are shown, at most
_MANY: Final = 64  # numbers; beyond, repeats are asked about once
_COPIES: Final = 8  # places of a copied claim that are looked at


def unsupported_numbers(claim: str, passage: str, *, lang: str | None = None) -> tuple[str, ...]:
    """The numbers of a claim that a passage does not hold, as the claim writes them.

    Args:
        claim: A statement about the passage.
        passage: The text it must rest on.
        lang: The passage's language (BCP 47), where known; see `text.numerals.numerals`.

    Returns:
        What is missing, in order, each once; empty when every number stands.

    >>> unsupported_numbers("The cap is 1.2 million euros.", "The cap was set at 12 million euros.")
    ('1.2 million',)
    >>> unsupported_numbers("Notice is 30 days.", "Give thirty (30) days' notice.")
    ()
    >>> unsupported_numbers("Growth was 40%.", "Growth was 40 people.")
    ('40%',)
    >>> unsupported_numbers("No one pays [2].", "Nobody pays.")
    ()
    """
    claimed = numerals(claim)
    if not claimed or _is_copied(claim, claimed, passage, lang):
        return ()
    held = holdings(passage, lang)
    missing = [
        numeral for numeral in _different(claimed, claim) if not held.supports(numeral, claim)
    ]
    return tuple(dict.fromkeys(_shown(numeral, claim, held) for numeral in missing))


def agree(
    statement: Located, docs: Mapping[str, str], langs: Mapping[str, str] | None = None
) -> Located | Finding:
    """Keep the spots whose passage holds every number of the statement.

    Args:
        statement: A statement whose quote was found.
        docs: Alias -> text.
        langs: Alias -> language, where known.

    Returns:
        The statement with the spots that hold, or a finding `number_mismatch` with the numbers
        that the best of the passages lacks, that passage's alias, and its sentence with the
        number closest to the first of them. What was cut off from a statement that stays is told by
        `cut_off`.
    """
    langs = langs or {}
    missing = [
        unsupported_numbers(statement.text, docs[spot.alias], lang=langs.get(spot.alias))
        for spot in statement.spots
    ]
    kept = tuple(spot for spot, lacks in zip(statement.spots, missing, strict=True) if not lacks)
    if kept:
        return statement if len(kept) == len(missing) else replace(statement, spots=kept)
    best = min(range(len(missing)), key=lambda place: len(missing[place]))
    spot, lacks = statement.spots[best], missing[best]
    numbers = "A number" if len(lacks) == 1 else f"{len(lacks)} numbers"
    return Finding(
        "numbers",
        "number_mismatch",
        statement.index,
        f"{numbers} of it cannot be found in its passage.",
        statement=statement.text,
        details=lacks,
        passage_id=spot.alias,
        nearest=_nearest(lacks[0], docs[spot.alias], spot, langs.get(spot.alias)),
    )


def cut_off(
    statement: Located,
    kept: Located,
    docs: Mapping[str, str],
    langs: Mapping[str, str] | None = None,
) -> tuple[Finding, ...]:
    """What was cut off from a statement that stays: a finding for each passage.

    Args:
        statement: What `agree` took.
        kept: What it returned.
        docs: Alias -> text.
        langs: Alias -> language, where known.

    Returns:
        `number_mismatch` where the sentences of the quote hold another number in that passage: it
        says otherwise. `number_missing` where they hold none that the statement lacks: it does not
        say. `details` are the numbers that the passage lacks.

    >>> docs = {"S1": "The cap is 5 euros.", "S2": "The cap is 7 euros.", "S3": "The cap is low."}
    >>> spots = tuple(Spot(alias, 0, 10, "exact") for alias in docs)
    >>> located = Located(0, "It is 5 euros.", "The cap is", spots)
    >>> [f.reason for f in cut_off(located, agree(located, docs), docs)]
    ['number_mismatch', 'number_missing']
    """
    lost = dict.fromkeys(spot for spot in statement.spots if spot not in kept.spots)
    told = [
        _cut_off(statement, spot, docs[spot.alias], (langs or {}).get(spot.alias)) for spot in lost
    ]
    return tuple({(f.passage_id, f.reason): f for f in told}.values())


def _cut_off(statement: Located, spot: Spot, passage: str, lang: str | None) -> Finding:
    lacks = unsupported_numbers(statement.text, passage, lang=lang)
    said = passage[slice(*context(passage, spot.start, spot.end, lang))]
    differs = bool(unsupported_numbers(said, statement.text))
    return Finding(
        "numbers",
        "number_mismatch" if differs else "number_missing",
        statement.index,
        "One of the passages this statement names does not hold its numbers; "
        "that citation was cut off.",
        statement=statement.text,
        details=lacks,
        passage_id=spot.alias,
        kept=True,
    )


def _shown(numeral: Numeral, claim: str, held: Holdings) -> str:
    """The number as written, with its unit where only that is wrong."""
    if numeral.whole_end > numeral.end and held.has_value(numeral):
        return claim[numeral.start : numeral.whole_end]
    return numeral.written


# A claim that is copied whole.


def _is_copied(claim: str, claimed: Sequence[Numeral], passage: str, lang: str | None) -> bool:
    """Whether the whole claim stands in the passage, cutting through no word and no number."""
    words = claim.strip()
    at = passage.find(words)
    if at < 0:
        return False
    shift = len(claim) - len(claim.lstrip())
    mine = [(n.start - shift, n) for n in claimed]
    if lang:
        mine = [(n.start, n) for n in numerals(words, lang)]
    for _ in range(_COPIES):
        if _is_apart(passage, at, at + len(words)) and _reads_alike(mine, words, passage, at, lang):
            return True
        at = passage.find(words, at + 1)
        if at < 0:
            break
    return False


def _is_apart(passage: str, start: int, end: int) -> bool:
    before, after = passage[start - 1 : start], passage[end : end + 1]
    begins = not before or before.isspace() or before in "([\"'“‘«"
    return begins and not (after.isalnum() or after in set("%‰°"))


def _reads_alike(
    mine: Sequence[tuple[int, Numeral]], words: str, passage: str, at: int, lang: str | None
) -> bool:
    """Whether no number of copied words is cut off or has another value where they stand."""
    every = numerals(passage, lang)
    end = at + len(words)
    first = max(0, bisect_left(every, at, key=_start) - 1)
    found = {n.start: n for n in every[first : bisect_left(every, end, key=_start)]}
    if any(n.start < edge < n.whole_end for n in found.values() for edge in (at, end)):
        return False
    for start, numeral in mine:
        there = found.get(at + start)
        if there and there.readings and numeral.readings and there.readings != numeral.readings:
            return False
    return True


def _different(claimed: Sequence[Numeral], claim: str) -> Iterable[Numeral]:
    """The numbers of a claim; of many, those that repeat one in the same surroundings once."""
    if len(claimed) <= _MANY:
        return claimed
    around = {
        (n[3:], claim[max(0, n.start - CONTEXT) : n.start], claim[n.end : n.end + CONTEXT]): n
        for n in reversed(claimed)
    }
    return reversed(around.values())


def _start(numeral: Numeral) -> int:
    return numeral.start


# What to show instead.


def _nearest(missing: str, passage: str, spot: Spot, lang: str | None) -> str:
    """The passage's sentence that holds the number most like a missing one, or "".

    A number in the sentences that were quoted is nearer than any other: it is most likely
    the one that was meant.
    """
    found = [numeral for numeral in numerals(passage, lang) if not numeral.weak]
    wanted = next(iter(numerals(missing)), None)
    if not found or wanted is None:
        return ""
    start, end = context(passage, spot.start, spot.end, lang)
    quoted = [numeral for numeral in found if start <= numeral.start < end]
    best = min(quoted or found, key=lambda numeral: _distance(wanted, numeral))
    start, end = context(passage, best.start, best.whole_end, lang)
    if end - start > _NEAREST_SPAN:
        start, end = (
            max(start, best.start - _NEAREST_SPAN),
            min(end, best.whole_end + _NEAREST_SPAN),
        )
    return passage[start:end].strip()


def _distance(wanted: Numeral, numeral: Numeral) -> tuple[bool, bool, float, int]:
    far = float("inf")
    if wanted.value is not None and numeral.value is not None:
        low, high = sorted((abs(wanted.value), abs(numeral.value)))
        far = float(1 - low / high) if high else 0.0
    differs = bool(wanted.measures) and wanted.measures.isdisjoint(numeral.measures)
    digits = set(filter(str.isdecimal, wanted.written)) ^ set(
        filter(str.isdecimal, numeral.written)
    )
    return wanted.kind != numeral.kind, differs, far, len(digits)
