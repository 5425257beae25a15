"""The embedded judge: a fitted score over shared words, and named rules. No model, no download.

A claim is supported in one of three ways. It is one or more whole sentences of the passage.
Or each of its content words stands in one sentence, no rule finds a difference of meaning, and
what it leaves out of that sentence may go: this is proof. Or, at the point "balanced", its
fitted score passes a threshold and no rule objects. Everything else is `not_addressed`, or
`contradicted` where a near copy differs in a "not", an opposite or a number.
It knows English; claims in other languages must be whole sentences.

What it cannot do: free paraphrase, arithmetic, knowledge of the world, and seeing a swap of
roles inside a paraphrase. `scripts/measure_lexical.py` says how well it does.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import exp
from typing import TYPE_CHECKING, Final, Literal

from groundedgen.entailment import restates
from groundedgen.errors import InputError
from groundedgen.judges.wording.cells import misreads_table
from groundedgen.judges.wording.english import is_english, may_be_english
from groundedgen.judges.wording.lexical_table import BIAS, RARITY, THRESHOLD, UNKNOWN, WEIGHTS
from groundedgen.judges.wording.lexlead import alike_percent, without_as_well, without_lead
from groundedgen.judges.wording.lexpassage import LONGEST, Passage
from groundedgen.judges.wording.objections import SCATTERED, examine
from groundedgen.judges.wording.signals import Compared, compare
from groundedgen.ports import Pair, Verdict
from groundedgen.text.english.kinship import key
from groundedgen.text.sentences import sentence_spans

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["PROOF", "LexicalJudge", "Point", "rarity", "score"]

Point = Literal["balanced", "strict"]

# A claim under the threshold may be proved where one sentence holds all of its words, but for
# one that may have its opposite there.
_OPPOSITES: Final = 1
# The share of the proved pairs that people call supported too, of those the fit is made on.
PROOF: Final = 0.93
_OF_POINT: Final = -1.0
_LEAST: Final[dict[Point, float]] = {"balanced": THRESHOLD, "strict": 0.9}
_READ: Final = 128  # passages kept read
_SHORT: Final = 20_000  # code points of a passage that is kept
_SHOWN: Final = 6  # words


@dataclass(frozen=True, slots=True)
class LexicalJudge:
    """Judges English claims by their words. Deterministic, offline, a thousand a second.

    Args:
        point: How much it must see. "balanced" also passes what the fitted score finds likely:
            35 % of honest claims and 10 % of the others, with sources of text that it was not
            fitted on. "strict" passes what is proved alone: 11 % and 1 %. Measured by
            `scripts/measure_lexical.py` on 1,425 pairs that people labelled; false pass is 0 to
            20 % by source, so measure it on your own.
        threshold: Score, 0 to 1, from which a claim passes, where you have picked it yourself;
            else the point's. What is proved scores 0.93, a sentence of the passage 1.0, all else
            less than 0.8; above 0.93 only sentences of the passage pass.

    Raises:
        InputError: Another point, or a threshold that is not from 0 to 1.

    >>> judge = LexicalJudge()
    >>> premise = "If the alarm was set, theft is covered. The tenant may end the lease in May."
    >>> def label(claim): return judge.judge([Pair(premise, claim)])[0].label
    >>> label("Theft is covered provided the alarm was set."), label("Theft is covered.")
    ('supported', 'not_addressed')
    >>> label("The lease may be ended by the tenant in May."), label("The tenant must end it.")
    ('supported', 'not_addressed')
    """

    point: Point = "balanced"
    threshold: float = _OF_POINT

    def __post_init__(self) -> None:
        if self.point not in _LEAST:
            message = f"point {self.point!r} is none of: {', '.join(_LEAST)}"
            raise InputError(message)
        real = isinstance(self.threshold, int | float) and not isinstance(self.threshold, bool)
        if not real or not (self.threshold == _OF_POINT or 0 <= self.threshold <= 1):
            message = f"threshold {self.threshold!r} is no number from 0 to 1"
            raise InputError(message)
        if self.threshold == _OF_POINT:
            # Whoever tries other thresholds on this judge asks it for its own.
            object.__setattr__(self, "threshold", _LEAST[self.point])

    @property
    def name(self) -> str:
        """Names another point or threshold than the default's: figures are of one of them."""
        if self.threshold == _LEAST[self.point]:
            return "lexical" if self.point == "balanced" else f"lexical-{self.point}"
        return f"lexical@{self.threshold:.4g}"

    def judge(self, pairs: Sequence[Pair]) -> tuple[Verdict, ...]:
        long: dict[str, Passage] = {}
        return tuple(self._verdict(pair.premise, pair.claim, long) for pair in pairs)

    def _verdict(self, premise: str, claim: str, long: dict[str, Passage]) -> Verdict:
        premise, claim = alike_percent(premise, claim)
        bare = without_as_well(without_lead(claim))
        passage = _read(premise, long)
        if any(_is_restated(passage, form) for form in {claim, bare}):
            return _RESTATED
        sentences = [bare[a:b] for a, b in sentence_spans(bare, "en")]
        if max(map(len, sentences), default=0) > LONGEST:
            why = f"A sentence of the claim has more than {LONGEST} characters."
            return Verdict("not_judged", None, why, reason="too_long")
        compared = compare(bare, passage, rarity)
        if not _is_english(bare, passage, compared):
            return _FOREIGN
        if misreads_table(bare, passage.text, [passage.spans[n] for n in compared.closest]):
            return Verdict("not_addressed", 0.0, _TABLE)
        likely = score(compared.signals)
        if len(sentences) <= 1:
            return self._weighed(bare, passage, compared, likely)
        # The score is that of the whole claim; the rules are asked of each of its sentences.
        parts = (self._part(without_lead(s), passage, likely) for s in sentences)
        return min(parts, key=_rank)

    def _part(self, sentence: str, passage: Passage, likely: float) -> Verdict:
        if _is_restated(passage, sentence):
            return _RESTATED
        return self._weighed(sentence, passage, compare(sentence, passage, rarity), likely)

    def _weighed(
        self, sentence: str, passage: Passage, compared: Compared, likely: float
    ) -> Verdict:
        """The verdict on one sentence, given how likely the claim is by its score."""
        passes = likely >= self.threshold
        below = min(likely, 0.99 * self.threshold)
        if not passes and compared.apart > _OPPOSITES:
            return Verdict("not_addressed", below, _too_little(compared))
        finding = examine(sentence, passage, compared)
        if finding == "proved":
            if self.threshold <= PROOF:
                return Verdict("supported", PROOF, _PROVED)
            return Verdict("not_addressed", PROOF, _BELOW)
        if finding is not None:
            if finding.label == "contradicted" and passage.has_words(sentence):
                return Verdict("not_addressed", below, finding.why)
            return Verdict(finding.label, below, finding.why)
        if passes:
            return Verdict("supported", likely, _LIKELY)
        return Verdict("not_addressed", below, _too_little(compared))


_FOREIGN: Final = Verdict(
    "not_judged",
    None,
    "This judge reads English only; in other languages a claim must be a sentence.",
    reason="language",
)
_RESTATED: Final = Verdict("supported", 1.0, "The claim is a sentence of the passage.")
_PROVED: Final = (
    "Every word of the claim stands in one sentence of the passage and nothing differs."
)
_TABLE: Final = "It rests on a table that does not say it in the row and the column it names."
_BELOW: Final = "Every word stands in one sentence; the threshold lets only whole sentences pass."
_LIKELY: Final = "Most of the claim stands in the passage and nothing is found that differs."


def _too_little(compared: Compared) -> str:
    if not compared.closest:
        return "The passage shares no word with the claim."
    if not compared.missing:
        return SCATTERED
    return f"Not found in the passage: {', '.join(compared.missing[:_SHOWN])}."


def score(signals: dict[str, float]) -> float:
    """The fitted probability, 0 to 1, that a claim with these signals is supported."""
    total = BIAS + sum(weight * signals[name] for name, weight in WEIGHTS.items())
    return 1.0 / (1.0 + exp(-total))


@lru_cache(maxsize=65_536)
def rarity(word: str) -> float:
    """How rare a folded word is, 0 to 8; a word that the table does not hold is rarest."""
    return RARITY.get(key(word), UNKNOWN)


def _read(premise: str, long: dict[str, Passage]) -> Passage:
    """The passage, read once: short ones are kept between calls, long ones for one call."""
    if len(premise) <= _SHORT:
        return _read_short(premise)
    if premise not in long:
        long[premise] = Passage(premise)
    return long[premise]


_read_short: Final = lru_cache(maxsize=_READ)(Passage)


def _is_restated(passage: Passage, claim: str) -> bool:
    return passage.may_hold(claim) and restates(claim, passage.text)


def _is_english(claim: str, passage: Passage, compared: Compared) -> bool:
    """Whether the claim is English and so is a sentence that it lies on; in doubt it is not."""
    if not compared.closest:
        return is_english(claim)
    read = any(map(passage.is_english, compared.closest))
    return read and may_be_english(claim, whole=not compared.apart)


_ORDER: Final = {"contradicted": 0, "not_judged": 1, "not_addressed": 2, "supported": 3}


def _rank(verdict: Verdict) -> tuple[int, float]:
    return _ORDER[verdict.label], verdict.score or 0.0
