"""The embedded judge: word alignment and named rules, no model and no download.

A claim is supported in one of three ways: it is one or more whole sentences of the passage;
or each of its content words stands in one sentence and no rule finds a difference of
meaning; or so much of it stands there that a fitted score passes a threshold, and again no
rule finds a difference. Everything else is `not_addressed`, or `contradicted` where a rule
names what differs. It knows English; claims in other languages must be whole sentences.

What it cannot do: free paraphrase, arithmetic, knowledge of the world, and seeing a swap of
roles inside a paraphrase. `scripts/measure_lexical.py` says how well it does.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import exp
from typing import TYPE_CHECKING, Final

import regex

from groundedgen.entailment import restates
from groundedgen.judges.clauses import replaced
from groundedgen.judges.lexical_table import BIAS, RARITY, THRESHOLD, UNKNOWN, WEIGHTS
from groundedgen.judges.signals import (
    CLOSE,
    LONGEST,
    Compared,
    Reading,
    compare,
    missing_numbers,
    read,
)
from groundedgen.patterns import lazy
from groundedgen.ports import Pair, Verdict
from groundedgen.text.analysis import analyse
from groundedgen.text.sentences import sentence_spans
from groundedgen.text.tokens import guess_language, leans_to

if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundedgen.values import Label

__all__ = ["LexicalJudge", "decide", "rarity", "score"]

# From this share of a claim on one sentence on, a word that the sentence lacks is the point.
COPY: Final = 0.8
# The least part of a claim that must stand in one sentence, whatever the fitted score says.
MOSTLY: Final = 0.7
# A difference contradicts only where at least half of the claim lies on the sentence.
ON_SENTENCE: Final = 0.5
_READ: Final = 128  # passages kept read

_DOCUMENT: Final = (
    r"(?:passage|document|text|article|source|policy|agreement|lease|contract|section|excerpt"
    r"|report|page|paragraph|context)"
)
_TELLS: Final = (
    r"(?:states?|says?|mentions?|notes?|specif(?:y|ies)|provides?|explains?|indicates?|confirms?"
    r"|describes?|stipulates?)"
)
# What an answer puts before a claim and what says nothing about the passage's subject.
_LEAD: Final = lazy(
    rf"""\s*(?:
        (?:according\s+to|as\s+stated\s+in|based\s+on|per|under)\s+(?:the|this|that)\s+
            (?:\w+\s+)?{_DOCUMENT}\s*,
      | (?:the|this)\s+{_DOCUMENT}\s+{_TELLS}\s+that\b
      | (?:yes|no|yeah|well|in\s+addition|additionally|furthermore|moreover|also|however|therefore
        |thus|hence|overall|in\s+summary|in\s+short|specifically|in\s+particular|for\s+example
        |for\s+instance|notably|importantly|in\s+fact|in\s+other\s+words)\s*,
    )\s*""",
    regex.VERBOSE | regex.IGNORECASE,
)
_MARKER: Final = lazy(r"\s?\[(?:S?\d{1,3})(?:\s*[,;-]\s*S?\d{1,3})*\]")


@dataclass(frozen=True, slots=True)
class LexicalJudge:
    """Judges English claims by their words. Deterministic, offline, some hundred a second.

    Args:
        threshold: Fitted probability, 0 to 1, from which a claim passes whose words do not
            all stand in one sentence. With the default 1 % of unsupported claims pass and
            15 % of supported ones, with sources of text that it was not fitted on.

    >>> judge = LexicalJudge()
    >>> premise = "If the alarm was set, theft is covered. The tenant may end the lease in May."
    >>> def label(claim): return judge.judge([Pair(premise, claim)])[0].label
    >>> label("Theft is covered provided the alarm was set."), label("Theft is covered.")
    ('supported', 'not_addressed')
    >>> label("The lease may be ended by the tenant in May."), label("The tenant must end it.")
    ('supported', 'not_addressed')
    """

    threshold: float = THRESHOLD

    @property
    def name(self) -> str:
        return "lexical"

    def judge(self, pairs: Sequence[Pair]) -> tuple[Verdict, ...]:
        long: dict[str, Reading] = {}
        return tuple(self._verdict(pair.premise, pair.claim, long) for pair in pairs)

    def _verdict(self, premise: str, claim: str, long: dict[str, Reading]) -> Verdict:
        bare = _without_lead(_MARKER.sub("", claim))
        if restates(claim, premise) or (bare != claim and restates(bare, premise)):
            return Verdict("supported", 1.0, "The claim is a sentence of the passage.")
        if not _is_english(premise, bare):
            why = "This judge reads English only; in other languages a claim must be a sentence."
            return Verdict("not_judged", None, why, reason="language")
        reading = _reading(premise, long)
        sentences = [bare[a:b] for a, b in sentence_spans(bare, "en")]
        if max(map(len, sentences), default=0) > LONGEST:
            why = f"A sentence of the claim has more than {LONGEST} characters."
            return Verdict("not_judged", None, why, reason="too_long")
        if len(sentences) <= 1:
            return self._on_sentence(reading, bare)
        # A claim is as good as its weakest sentence.
        return min((self._on_one_of(reading, _without_lead(s)) for s in sentences), key=_rank)

    def _on_one_of(self, reading: Reading, claim: str) -> Verdict:
        if restates(claim, reading.text):
            return Verdict("supported", 1.0, "The claim is a sentence of the passage.")
        return self._on_sentence(reading, claim)

    def _on_sentence(self, reading: Reading, claim: str) -> Verdict:
        compared = compare(analyse(claim), reading, rarity)
        return decide(compared, score(compared.signals), self.threshold)


def decide(compared: Compared, probability: float, threshold: float) -> Verdict:
    """The verdict on one sentence of a claim. `probability` is what `score` says of it."""
    if compared.proof is not None:
        why = "Every word of the claim stands in one sentence of the passage and nothing differs."
        return Verdict("supported", max(probability, threshold), why)
    label, why = _against(compared)
    if not why and probability >= threshold:
        return Verdict("supported", probability, "Nearly all of the claim stands in the passage.")
    # A score below the threshold, whatever the words alone would give.
    return Verdict(label, min(probability, 0.99 * threshold), why or _too_little(compared))


def _against(compared: Compared) -> tuple[Label, str]:
    """What speaks against the claim: the label it gets, and why; "" for nothing."""
    if not compared.best:
        return "not_addressed", "The passage shares no word with the claim."
    closest = compared.best[0]
    on_sentence = closest.coverage >= ON_SENTENCE
    if compared.numbers:
        missing = ", ".join(compared.numbers)
        label: Label = "contradicted" if on_sentence else "not_addressed"
        return label, f"The passage does not hold: {missing}."
    if closest.coverage < MOSTLY:
        # Words from all over the passage can be put together to say anything.
        return "not_addressed", _too_little(compared)
    if elsewhere := missing_numbers(closest.claim, closest.sentence.text):
        # A figure from another sentence may belong to another thing.
        return "not_addressed", f"The sentence closest to it does not hold: {elsewhere[0]}."
    for flip in compared.found:
        label = "contradicted" if flip.contradicts and on_sentence else "not_addressed"
        return label, f"{flip.why[0].upper()}{flip.why[1:]}."
    other = replaced(closest) if closest.closeness >= CLOSE else None
    if other is not None:
        return "not_addressed", f"{other[0].upper()}{other[1:]}."
    if closest.unmatched and closest.closeness >= COPY:
        return "not_addressed", _too_little(compared)
    return "not_addressed", ""


def _too_little(compared: Compared) -> str:
    closest = compared.best[0]
    lost = [closest.claim.words[i].text for i in closest.unmatched]
    if not lost:
        return "Too little of the claim stands in one place of the passage."
    return f"Not found beside the rest: {', '.join(lost[:_SHOWN])}."


_SHOWN: Final = 6  # words


def score(signals: dict[str, float]) -> float:
    """The fitted probability, 0 to 1, that a claim with these signals is supported."""
    total = BIAS + sum(weight * signals[name] for name, weight in WEIGHTS.items())
    return 1.0 / (1.0 + exp(-total))


def rarity(key: str) -> float:
    """How rare a word is, by its key; a word that the table does not hold is rarest."""
    return RARITY.get(key, UNKNOWN)


def _reading(premise: str, long: dict[str, Reading]) -> Reading:
    """The passage, read once: short ones are kept between calls, long ones for one call."""
    if len(premise) <= _SHORT:
        return _read_short(premise)
    if premise not in long:
        long[premise] = read(premise)
    return long[premise]


_SHORT: Final = 20_000  # code points
_read_short: Final = lru_cache(maxsize=_READ)(read)


_ORDER: Final = {"contradicted": 0, "not_addressed": 1, "partial": 2, "supported": 3}


def _rank(verdict: Verdict) -> tuple[int, float]:
    return _ORDER[verdict.label], verdict.score or 0.0


def _without_lead(claim: str) -> str:
    for _ in range(2):
        found = _LEAD.match(claim)
        if found is None or found.end() >= len(claim):
            break
        claim = claim[found.end() :]
    return claim


def _is_english(premise: str, claim: str) -> bool:
    """Whether both are English, as far as their function words tell; in doubt they are not."""
    if guess_language(claim) not in (None, "en"):
        return False
    return _language(premise[:2000]) == "en" or leans_to("en", f"{premise[:2000]} {claim}")


_language: Final = lru_cache(maxsize=_READ)(guess_language)
