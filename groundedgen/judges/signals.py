"""What a claim and a passage have in common, as numbers with a sign.

Each signal says by its name what it means, and its weight may only have the sign that its
meaning gives it (`SIGNS`): more of the claim found never hurts, a difference never helps.
Nothing here looks at length or form, which would tell one source of texts from another.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from groundedgen.gates.numbers import unsupported_numbers
from groundedgen.judges.alignment import WORTH, Alignment, align
from groundedgen.judges.clauses import stitched
from groundedgen.judges.flips import SENSE_RULES, Flip, Rule
from groundedgen.judges.provisos import PROVISO_RULES
from groundedgen.judges.roles import moved
from groundedgen.text.analysis import Analysis, analyse
from groundedgen.text.kinship import sought
from groundedgen.text.lines import MARKER
from groundedgen.text.sentences import limits_what_precedes, sentence_spans
from groundedgen.text.standing import can_assert, governor, governs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

__all__ = ["CLOSE", "LONGEST", "SIGNS", "Compared", "Reading", "compare", "differences", "read"]

SIGNS: Final[dict[str, int]] = {
    "coverage": 1,  # share of the claim's content words, by rarity, in the whole passage
    "sentence": 1,  # the same in the best sentence
    "unmatched": -1,  # mean rarity of the words found nowhere
    "last": -1,  # the last content word is found nowhere
    "number": -1,  # a number of the claim is nowhere in the passage
    "name": -1,  # a name of the claim is nowhere in the passage
    "negation": -1,  # these: differences by the best sentence, times its share squared
    "modality": -1,
    "quantity": -1,
    "condition": -1,
    "direction": -1,
    "order": -1,
    "whole": 1,  # every word stands in one sentence and nothing differs
    "differs": -1,  # they speak of different directions
    "agrees": 1,  # both speak of a rise, a fall or no change, and of the same
}
_SIGNAL: Final = {
    "opposite": "negation",
    "negation": "negation",
    "modality": "modality",
    "universal": "quantity",
    "only": "quantity",
    "partial": "quantity",
    "alternative": "quantity",
    "bound": "number",
    "condition": "condition",
    "governed": "condition",
    "exception": "condition",
    "reservation": "condition",
    "group": "condition",
    "restriction": "condition",
    "cause": "condition",
    "direction": "direction",
    "time": "direction",
    "place": "direction",
    "tense": "condition",
    "signs": "number",
    "order": "order",
    "clauses": "order",
}
_CANDIDATES: Final = 3
LONGEST: Final = 3_000  # code points of a sentence, of passage or claim


@dataclass(frozen=True)
class Reading:
    """A passage, read once: its sentences and which sentences hold which handle."""

    text: str
    sentences: tuple[Analysis, ...]
    holders: dict[str, list[int]]


@dataclass(frozen=True)
class Compared:
    """A claim beside a passage.

    Attributes:
        signals: One number per name in `SIGNS`.
        best: The claim on the closest sentences, closest first; empty where none shares a word.
        found: What differs on the closest one.
        numbers: Numbers of the claim that the passage does not hold.
        proof: The sentence in which every word of the claim stands and nothing differs.
    """

    signals: dict[str, float]
    best: tuple[Alignment, ...]
    found: tuple[Flip, ...]
    numbers: tuple[str, ...]
    proof: Alignment | None


def read(text: str) -> Reading:
    """Read a passage: its sentences, and an index over them.

    A "sentence" of more than `LONGEST` code points is a table or a text without stops. It is
    left out: nothing can be said of who does what in it.
    """
    context = [(whole, head) for whole, head in _in_context(text) if len(whole) <= LONGEST]
    sentences = tuple(replace(analyse(whole), head=head) for whole, head in context)
    holders: dict[str, list[int]] = {}
    for number, sentence in enumerate(sentences):
        for handle in sentence.index:
            holders.setdefault(handle, []).append(number)
    return Reading(text, sentences, holders)


def _in_context(text: str) -> Iterator[tuple[str, int]]:
    """Each sentence with what decides its meaning, and how long the part before it is.

    A sentence is read behind what governs it ("floods" under "We do not pay for:"), and
    together with one that takes a part of it back ("This does not apply if ...").
    """
    spans = sentence_spans(text, "en")
    for place, (start, end) in enumerate(spans):
        if not can_assert(text, start, end):
            continue
        sentence, before = text[start:end], 0
        above = governor(text, spans, place)
        if above is not None:
            head = text[slice(*spans[above])].rstrip(" :.")
            sentence = f"{head} {MARKER.sub('', sentence, count=1).strip()}"
            before = len(head) if governs(text, *spans[above]) else 0
        if place + 1 < len(spans) and limits_what_precedes(text, spans, place + 1):
            sentence = f"{sentence.rstrip('. ')}, {text[slice(*spans[place + 1])]}"
        yield sentence, before


def compare(claim: Analysis, passage: Reading, rarity: Callable[[str], float]) -> Compared:
    """Lay a claim on the passage's closest sentences and take the signals."""
    best = sorted(
        (align(claim, passage.sentences[i], rarity) for i in _closest(claim, passage, rarity)),
        key=lambda al: -al.coverage,
    )
    numbers = missing_numbers(claim, passage.text)
    found = differences(best[0]) if best else ()
    proof = None if numbers else _proof(best, found)
    signals = _signals(claim, passage, rarity, best)
    for flip in found:
        signals[_SIGNAL[flip.name]] = best[0].coverage ** 2
    signals["number"] = max(signals["number"], float(bool(numbers)))
    signals["whole"] = float(proof is not None)
    return Compared(signals, tuple(best), found, numbers, proof)


def _proof(best: Sequence[Alignment], found: tuple[Flip, ...]) -> Alignment | None:
    """The first of the closest sentences in which all of the claim stands and nothing differs."""
    for number, al in enumerate(best):
        if _is_full(al) and not (found if number == 0 else differences(al)):
            return al
    return None


def missing_numbers(claim: Analysis, text: str) -> tuple[str, ...]:
    """The numbers of a claim that a text does not hold, in English."""
    return unsupported_numbers(claim.text, text, lang="en")


def differences(al: Alignment) -> tuple[Flip, ...]:
    """Everything that keeps a claim from meaning what the sentence means, gravest first."""
    found = [flip for rule in _RULES if (flip := rule(al)) is not None]
    # How words are ordered says little where the claim shares only some of them.
    if al.closeness >= CLOSE:
        found += [flip for rule in (moved, stitched) if (flip := rule(al)) is not None]
    return tuple(found)


# From this share of a claim on one sentence on, what differs is the point of the claim.
CLOSE: Final = 0.6


def signs(al: Alignment) -> Flip | None:
    """Comparison signs are words too: "p < 0.05" is not "p > 0.05"."""
    if set(al.claim.text) & _COMPARISONS <= set(al.sentence.text):
        return None
    return Flip("signs", "the claim has a sign of comparison that the passage lacks")


_COMPARISONS: Final = frozenset("<>\u2264\u2265\u2260\u00b1\u2248")
_RULES: Final[tuple[Rule, ...]] = (*SENSE_RULES, signs, *PROVISO_RULES)


def _is_full(al: Alignment) -> bool:
    """Whether every word is found whole, and every number in this very sentence."""
    return (
        bool(al.links)
        and not al.unmatched
        and all(link.kin != "part" for link in al.links)
        and not missing_numbers(al.claim, al.sentence.text)
    )


def _closest(claim: Analysis, passage: Reading, rarity: Callable[[str], float]) -> list[int]:
    """The sentences that share most with the claim, by a bound that needs no alignment."""
    shares = [0.0] * len(passage.sentences)
    for place, key in claim.keys.items():
        weight = rarity(key)
        seen: set[int] = set()
        for handle, kin in sought(claim.words[place].text):
            for number in passage.holders.get(handle, ()):
                if number not in seen:
                    seen.add(number)
                    shares[number] += WORTH[kin] * weight
    order = sorted(range(len(shares)), key=lambda i: (-shares[i], i))
    return [i for i in order[:_CANDIDATES] if shares[i] > 0]


def _signals(
    claim: Analysis, passage: Reading, rarity: Callable[[str], float], best: Sequence[Alignment]
) -> dict[str, float]:
    signals = dict.fromkeys(SIGNS, 0.0)
    missing = _missing(claim, passage, best)
    weights = {i: rarity(key) for i, key in claim.keys.items()}
    whole = sum(weights.values())
    if whole:
        held = sum(weight * missing[i] for i, weight in weights.items())
        signals["coverage"] = held / whole
    lost = [weights[i] for i in claim.content if not missing[i]]
    signals["sentence"] = best[0].coverage if best else 0.0
    signals["unmatched"] = sum(lost) / len(lost) / _RAREST if lost else 0.0
    signals["last"] = float(bool(claim.content) and not missing[claim.content[-1]])
    signals["name"] = float(
        any(i > 0 and claim.words[i].capital and not missing[i] for i in claim.content)
    )
    signals["agrees"], signals["differs"] = _directions(claim, best)
    return signals


_RAREST: Final = 8.0


def _missing(claim: Analysis, passage: Reading, best: Sequence[Alignment]) -> dict[int, float]:
    """For each content word how much of it the passage holds, 0 to 1."""
    found = dict.fromkeys(claim.content, 0.0)
    for al in best:
        for link in al.links:
            found[link.here] = max(found[link.here], WORTH[link.kin])
    for place, worth in found.items():
        if worth < 1.0:
            for handle, kin in sought(claim.words[place].text):
                if kin not in ("part", "opposite") and handle in passage.holders:
                    found[place] = max(found[place], WORTH[kin])
    return found


_ABOUT_THE_SAME: Final = 0.6


def _directions(claim: Analysis, best: Sequence[Alignment]) -> tuple[float, float]:
    """How well the claim lies on a sentence of its own direction, and of another only."""
    ours = {m.value for m in claim.of("way")}
    same = other = 0.0
    for al in best if ours else ():
        theirs = {m.value for m in al.sentence.of("way")}
        if ours & theirs and al.coverage >= _ABOUT_THE_SAME:
            same = max(same, al.coverage)
        elif theirs - ours:
            other = max(other, al.coverage)
    return same, max(other - same, 0.0)
