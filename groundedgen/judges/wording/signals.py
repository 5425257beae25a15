"""What a claim and a passage have in common, as numbers with a sign.

Each signal says by its name what it means, and its weight may only have the sign that its
meaning gives it (`SIGNS`): more of the claim found never hurts, a difference never helps.
Nothing here looks at length or form, which would tell one source of texts from another.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from groundedgen.judges.wording.directions import directions
from groundedgen.judges.wording.lexwords import (
    GRAMMAR,
    TURNING,
    content_of,
    is_content,
    tokens,
    worth,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from groundedgen.judges.wording.lexpassage import Near, Passage

__all__ = ["SIGNS", "Compared", "compare"]

SIGNS: Final[dict[str, int]] = {
    "coverage": 1,  # share of the claim's content words, by rarity, in the whole passage
    "unmatched": -1,  # mean rarity of the words found nowhere
    "tail": -1,  # share of the last third of the content words that is found nowhere
    "number": -1,  # a number of the claim is nowhere in the passage
    "name": -1,  # share of the claim that is names found nowhere
    "negation": -1,  # the claim says no, the closest sentences do not
    "dropped": -1,  # the reverse, times the closest sentence's share squared
    "universal": -1,  # the claim says "all", the closest sentences do not; times it squared
    "partial": -1,  # the claim says "some" or "often", they do not; times it squared
    "only": -1,  # the claim says "only", the closest sentences do not
    "modality": -1,  # the claim says "must" where they say "may" or nothing; times it squared
    "lowered": -1,  # the claim says "may" where they say "must"; times it squared
    "speaker": -1,  # the claim says "I" or "you", the closest sentences do not
    "agrees": 1,  # both speak of a rise, a fall or no change near their words, and of the same
    "differs": -1,  # and of different ones
}
_CLOSEST: Final = 4
_AS_CLOSE: Final = 0.8  # of the closest one's share
_WINDOW: Final = 2  # sentences that are looked at for the claim's small words
_RAREST: Final = 8.0
_HALF: Final = 0.5


@dataclass(frozen=True, slots=True)
class Compared:
    """A claim beside a passage, word by word.

    Attributes:
        signals: One number, 0 to 1, per name in `SIGNS`.
        closest: The sentences that share about most with the claim, closest first, by number.
        share: How much of the claim stands in the closest one, by rarity, 0 to 1.
        missing: The claim's content words that are found nowhere.
        subject: What the claim begins with ("The tenant"), where that is found nowhere; else "".
        apart: How many of its content words no one sentence holds beside the others, at best.
    """

    signals: dict[str, float]
    closest: tuple[int, ...]
    share: float
    missing: tuple[str, ...]
    subject: str
    apart: int


def compare(claim: str, passage: Passage, rarity: Callable[[str], float]) -> Compared:
    """Take the signals of a claim beside a passage.

    Args:
        claim: One sentence or a few.
        passage: The passage, read.
        rarity: How rare a folded word is, about 0 to 8.
    """
    words = tokens(claim)
    content = [word for word in words if is_content(word)]
    holding = {word: passage.holding(word) for word in content}
    weights = {word: rarity(word) for word in holding}
    whole = sum([weights[word] for word in content])
    found = {word: max(held.values()) if held else 0.0 for word, held in holding.items()}
    missing = [word for word in content if found[word] < _HALF]
    shares = _shares(content, holding, weights)
    closest = sorted(shares, key=lambda number: (-shares[number], number))[:_CLOSEST]
    share = shares[closest[0]] / whole if closest else 0.0

    tail = content[-max(1, len(content) // 3) :]
    capitals = _capitals(claim) if missing else set()
    signals = {
        "coverage": sum([weights[w] * found[w] for w in content]) / whole if whole else 0.0,
        "unmatched": _mean([weights[w] for w in missing]) / _RAREST,
        "tail": _mean([float(found[w] < _HALF) for w in tail]),
        "number": float(any(w[0].isdigit() for w in missing)),
        "name": sum(weights[w] for w in missing if w in capitals) / whole if whole else 0.0,
    }
    window = [passage.near(number) for number in closest]
    signals |= _small_words(words, window[:_WINDOW], share)
    told = [(shares[n] / whole, t) for n, t in zip(closest, window, strict=True)]
    signals["agrees"], signals["differs"] = _directions(words, content, told)
    subject = _subject(words)
    if subject not in missing:
        subject = ""
    near = tuple(n for n in closest if shares[n] >= _AS_CLOSE * shares[closest[0]])
    held = max([sum([n in holding[w] for w in content]) for n in closest], default=0)
    apart = len(content) - held
    return Compared(signals, near, min(share, 1.0), tuple(missing), subject, apart)


_DETERMINERS = """
a an the this that these those his her its their our my your some many most all each
"""
_ARTICLES: Final = frozenset(_DETERMINERS.split())
_NO_NOUN: Final = ("ed", "ing", "ly")  # "Compared with", "Considering", "Finally"


def _subject(words: Sequence[str]) -> str:
    """The content word that a claim begins with, behind one article at most; "" for none."""
    place = 1 if words and words[0] in _ARTICLES else 0
    word = words[place] if place < len(words) else ""
    bare = place == 0 and word.endswith(_NO_NOUN)
    return word if word and is_content(word) and not bare else ""


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def _shares(
    content: Sequence[str], holding: dict[str, dict[int, float]], weights: dict[str, float]
) -> dict[int, float]:
    """Sentence -> how much of the claim it holds: a bound that needs no alignment."""
    shares: dict[int, float] = {}
    for word in content:
        weight = weights[word]
        for number, part in holding[word].items():
            shares[number] = shares.get(number, 0.0) + weight * part
    return shares


def _capitals(claim: str) -> set[str]:
    """The words of a claim that are written with a capital, but for the first word."""
    return set(tokens(" ".join(word for word in claim.split()[1:] if word[0].isupper())))


_STRENGTH: Final = {"may": 1, "should": 2, "must": 3}


def _small_words(words: Sequence[str], window: Sequence[Near], share: float) -> dict[str, float]:
    """What the words that turn a meaning say on both sides; `window`: closest sentence first."""
    ours = TURNING.intersection(words)
    theirs = frozenset(word for near in window for word in near.turning)
    closest = window[0].turning if window else frozenset()
    new = {name: bool(ours & table) and not theirs & table for name, table in GRAMMAR.items()}
    squared = share * share
    says_no = bool(ours & GRAMMAR["negation"])
    return {
        "negation": float(new["negation"]),
        "dropped": squared * float(not says_no and bool(closest & GRAMMAR["negation"])),
        "universal": squared * float(new["universal"]),
        "partial": squared * float(new["partial"]),
        "only": float(new["only"]),
        "modality": squared * max(0, _strength(ours) - _strength(closest)) / 3,
        "lowered": squared * float(0 < _strength(ours) < _strength(closest)),
        "speaker": float(new["speaker"]),
    }


def _strength(words: frozenset[str]) -> int:
    return max((level for name, level in _STRENGTH.items() if words & GRAMMAR[name]), default=0)


def _directions(
    words: Sequence[str], content: Sequence[str], near: Sequence[tuple[float, Near]]
) -> tuple[float, float]:
    """Whether the claim's direction stands close to the claim's words, and whether another does."""
    said = directions(words)
    if not said:
        return 0.0, 0.0
    claimed = {way for _, way in said}
    ours = {"same"} if "same" in claimed else claimed & {"up", "down"}
    if len(ours) != 1:
        return 0.0, 0.0
    told = {words[place] for place, _ in said}
    subject = [word for word in dict.fromkeys(content) if word not in told]
    best = {True: 0.0, False: 0.0}
    for share, sentence in near:
        if not sentence.ways:
            continue
        alike = {o for o in content_of(sentence.words) if any(worth(word, o) for word in subject)}
        kin = [place for place, other in enumerate(sentence.words) if other in alike]
        for place, way in sentence.ways:
            if way != "some" or "same" in ours:
                strength = share * _nearness(place, kin)
                best[way in ours] = max(best[way in ours], strength)
    return float(best[True] > best[False]), float(best[False] > best[True])


def _nearness(place: int, kin: Sequence[int]) -> float:
    """How near the three nearest of some words stand to a place, 0 to 1."""
    gaps = sorted(abs(other - place) for other in kin if other != place)[:3]
    return _mean([1 / (1 + gap / 4) for gap in gaps])
