"""What a claim and a passage have in common, as numbers with a sign.

Each signal says by its name what it means, and its weight may only have the sign that its
meaning gives it (`SIGNS`): more of the claim found never hurts, a difference never helps.
Nothing here looks at length or form, which would tell one source of texts from another.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from groundedgen.gates.numbers import unsupported_numbers
from groundedgen.judges.alignment import WORTH, Alignment, align
from groundedgen.judges.flips import Flip, flips
from groundedgen.judges.roles import moved, stitched
from groundedgen.text.analysis import Analysis, analyse
from groundedgen.text.kinship import key, sought
from groundedgen.text.sentences import sentence_spans

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["SIGNS", "Compared", "Reading", "compare", "differences", "read"]

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
    "reservation": "condition",
    "group": "condition",
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
        found: For each of them, what differs.
        numbers: Numbers of the claim that the passage does not hold.
        proof: The sentence in which every word of the claim stands and nothing differs.
    """

    signals: dict[str, float]
    best: tuple[Alignment, ...]
    found: tuple[tuple[Flip, ...], ...]
    numbers: tuple[str, ...]
    proof: Alignment | None


def read(text: str) -> Reading:
    """Read a passage: its sentences, and an index over them."""
    sentences = tuple(analyse(text[a:b]) for a, b in sentence_spans(text, "en"))
    holders: dict[str, list[int]] = {}
    for number, sentence in enumerate(sentences):
        for handle in sentence.index:
            holders.setdefault(handle, []).append(number)
    return Reading(text, sentences, holders)


def compare(claim: Analysis, passage: Reading, rarity: Callable[[str], float]) -> Compared:
    """Lay a claim on the passage's closest sentences and take the signals."""
    best = tuple(
        sorted(
            (align(claim, passage.sentences[i], rarity) for i in _closest(claim, passage, rarity)),
            key=lambda al: -al.coverage,
        )
    )
    numbers = unsupported_numbers(claim.text, passage.text, lang="en")
    found = tuple(differences(al) for al in best)
    proof = next((al for al, d in zip(best, found, strict=True) if not d and _is_full(al)), None)
    signals = _signals(claim, passage, rarity, best)
    for flip in found[0] if found else ():
        signals[_SIGNAL[flip.name]] = best[0].coverage ** 2
    signals["number"] = max(signals["number"], float(bool(numbers)))
    signals["whole"] = float(proof is not None and not numbers)
    return Compared(signals, best, found, numbers, proof)


def differences(al: Alignment) -> tuple[Flip, ...]:
    """Everything that keeps a claim from meaning what the sentence means."""
    found = list(flips(al))
    for name, why in (("order", moved(al)), ("clauses", stitched(al)), ("signs", _signs(al))):
        if why is not None:
            found.append(Flip(name, why))
    return tuple(found)


def _signs(al: Alignment) -> str | None:
    """Comparison signs are words too: "p < 0.05" is not "p > 0.05"."""
    ours = set(al.claim.text) & _COMPARISONS
    theirs = set(al.sentence.text) & _COMPARISONS
    return None if ours <= theirs else "the claim has a sign of comparison that the passage lacks"


_COMPARISONS: Final = frozenset("<>\u2264\u2265\u2260\u00b1\u2248")


def _is_full(al: Alignment) -> bool:
    """Whether every word is found whole, and every number in this very sentence."""
    return (
        bool(al.links)
        and not al.unmatched
        and all(link.kin != "part" for link in al.links)
        and not unsupported_numbers(al.claim.text, al.sentence.text, lang="en")
    )


def _closest(claim: Analysis, passage: Reading, rarity: Callable[[str], float]) -> list[int]:
    """The sentences that share most with the claim, by a bound that needs no alignment."""
    shares = [0.0] * len(passage.sentences)
    for place in claim.content:
        text = claim.words[place].text
        seen: set[int] = set()
        for handle, kin in sought(text):
            for number in passage.holders.get(handle, ()):
                if number not in seen:
                    seen.add(number)
                    shares[number] += WORTH[kin] * rarity(key(text))
    order = sorted(range(len(shares)), key=lambda i: (-shares[i], i))
    return [i for i in order[:_CANDIDATES] if shares[i] > 0]


def _signals(
    claim: Analysis, passage: Reading, rarity: Callable[[str], float], best: tuple[Alignment, ...]
) -> dict[str, float]:
    signals = dict.fromkeys(SIGNS, 0.0)
    missing = _missing(claim, passage, best)
    weights = {i: rarity(key(claim.words[i].text)) for i in claim.content}
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


def _missing(claim: Analysis, passage: Reading, best: tuple[Alignment, ...]) -> dict[int, float]:
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


def _directions(claim: Analysis, best: tuple[Alignment, ...]) -> tuple[float, float]:
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
