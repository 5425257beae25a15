"""Lays the words of a claim on the words of one sentence of the passage."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from groundedgen.text.english.kinship import Kin, sought

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from groundedgen.text.english.analysis import Analysis
    from groundedgen.text.english.senses import Mark

__all__ = ["WORTH", "Alignment", "Link", "align", "alike", "copied"]

# How much of a word counts as found, by kin.
WORTH: Final[dict[Kin, float]] = {
    "same": 1.0,
    "family": 0.95,
    "synonym": 0.9,
    "way": 0.8,
    "kind": 0.9,
    "opposite": 0.5,
    "part": 0.5,
}


class Link(NamedTuple):
    """Claim word `here` says the same as sentence word `there`, as its `kin`."""

    here: int
    there: int
    kin: Kin


@dataclass(frozen=True)
class Alignment:
    """One claim on one sentence.

    Attributes:
        claim: The claim.
        sentence: The sentence.
        links: In the order of the claim.
        unmatched: Places of the claim's content words that found nothing.
        coverage: Share of the claim's content words found, by rarity, 0 to 1.
    """

    claim: Analysis
    sentence: Analysis
    links: tuple[Link, ...]
    unmatched: tuple[int, ...]
    coverage: float

    @property
    def share(self) -> float:
        """Share of the claim's content words found, all counting alike, 0 to 1."""
        return len(self.links) / max(1, len(self.claim.content))

    @property
    def closeness(self) -> float:
        """How nearly the claim repeats the sentence: the larger of the two shares."""
        return max(self.coverage, self.share)

    @cached_property
    def there(self) -> dict[int, int]:
        """Claim place -> sentence place."""
        return {link.here: link.there for link in self.links}

    @cached_property
    def here(self) -> dict[int, int]:
        """Sentence place -> claim place."""
        return {link.there: link.here for link in self.links}

    @cached_property
    def segments(self) -> frozenset[int]:
        """The segments of the sentence on which the claim lies."""
        return frozenset(self.sentence.segment[link.there] for link in self.links)

    @cached_property
    def turned(self) -> tuple[Link, ...]:
        """Links whose word is passive on one side only."""
        ours, theirs = self.claim.voices, self.sentence.voices
        return tuple(x for x in self.links if ours[x.here] != theirs[x.there])

    def within(self, kind: str) -> list[Mark]:
        """Marks of the sentence in the segments on which the claim lies."""
        segment = self.sentence.segment
        return [m for m in self.sentence.of(kind) if segment[m.first] in self.segments]

    def pair(self, one: Link, two: Link) -> str:
        return f'"{self.claim.words[one.here].text}" and "{self.claim.words[two.here].text}"'


def align(claim: Analysis, sentence: Analysis, rarity: Callable[[str], float]) -> Alignment:
    """Link each content word of the claim to its closest kin in the sentence.

    Where a word stands several times, the next one after the last link is taken, so that a
    claim in the sentence's own order is linked in order. Where every word is found, and one of
    them stands several times in both texts, the place with the same neighbours goes before:
    "payment by card" is no "payment in cash".
    """
    al = _laid(claim, sentence, rarity, frozenset())
    repeated = frozenset(key for key, times in Counter(claim.keys.values()).items() if times > 1)
    if al.unmatched or not repeated:
        return al
    closer = _laid(claim, sentence, rarity, repeated)
    return al if closer.unmatched else closer


def _laid(
    claim: Analysis, sentence: Analysis, rarity: Callable[[str], float], by_company: frozenset[str]
) -> Alignment:
    links: list[Link] = []
    unmatched: list[int] = []
    found = whole = 0.0
    last = -1
    used: set[int] = set()
    for here, key in claim.keys.items():
        weight = rarity(key)
        whole += weight
        places, kin = _free(claim.words[here].text, sentence, used)
        if key in by_company and len(places) > 1:
            places = _in_company(here, claim, sentence, places)
        there = _nearest(places, last)
        if there is None:
            unmatched.append(here)
            continue
        links.append(Link(here, there, kin))
        used.add(there)
        found += weight * WORTH[kin]
        last = there
    coverage = found / whole if whole else 0.0
    return Alignment(claim, sentence, tuple(links), tuple(unmatched), coverage)


def _free(word: str, sentence: Analysis, used: set[int]) -> tuple[list[int], Kin]:
    """The places of a word's closest kin that stand for no other: "playing" before "played"."""
    for handle, kin in sought(word):
        places = [p for p in sentence.index.get(handle, ()) if p not in used]
        if kin == "part":
            places = [p for p in places if alike(word, sentence.words[p].text)]
        if places:
            return [p for p in places if sentence.words[p].text == word] or places, kin
    return [], "same"


def _in_company(here: int, claim: Analysis, sentence: Analysis, places: list[int]) -> list[int]:
    """Those of some places that have the same neighbours as a claim's word.

    "Payment by card" stands on the payment by card of "payment in cash or payment by card".
    What follows a noun belongs to it, what stands before it may be of another phrase.
    """
    before, behind = _company(claim, here)
    shared = {}
    for place in places:
        one, other = _company(sentence, place)
        shared[place] = 2 * (behind == other != "") + (before == one != "")
    most = max(shared.values())
    return [place for place in places if shared[place] == most]


def _company(side: Analysis, place: int) -> tuple[str, str]:
    """The keys of the content words before and behind a word in its own segment, or ""."""
    before, behind = (
        side.keys[near] if near is not None and side.segment[near] == side.segment[place] else ""
        for near in (side.last_content(place), side.next_content(place + 1))
    )
    return before, behind


def _nearest(free: Sequence[int], last: int) -> int | None:
    """The next free place after the last link, else the nearest free one before.

    A word of the sentence stands for one of the claim's: "Mankato and North Mankato" are
    not both in "North Mankato".
    """
    return next((place for place in free if place > last), free[-1] if free else None)


def copied(claim: Sequence[str], sentence: Sequence[str]) -> int:
    """How many words of a claim stand in a sentence in the same order.

    The longest common subsequence, by Hyyrö's bit-parallel recurrence: one step a word.

    >>> copied("the lease ends in may".split(), "in may the long lease ends".split())
    3
    """
    places: dict[str, int] = {}
    for at, word in enumerate(claim):
        places[word] = places.get(word, 0) | 1 << at
    every = (1 << len(claim)) - 1
    open_ = every
    for word in sentence:
        here = open_ & places.get(word, 0)
        open_ = ((open_ + here) | (open_ - here)) & every
    return len(claim) - open_.bit_count()


def alike(one: str, other: str) -> bool:
    """Whether two words share half of their letter triples, beyond their first four letters."""
    first = {one[i : i + 3] for i in range(len(one) - 2)}
    second = {other[i : i + 3] for i in range(len(other) - 2)}
    return 2 * len(first & second) >= min(len(first), len(second)) + 1
