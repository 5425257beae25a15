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

from groundedgen.gates.numbers import unsupported_numbers
from groundedgen.judges.lexical_table import BIAS, RARITY, THRESHOLD, UNKNOWN, WEIGHTS
from groundedgen.judges.roles import replaced
from groundedgen.judges.signals import Compared, Reading, compare, read
from groundedgen.ports import Pair, Verdict
from groundedgen.text.analysis import analyse
from groundedgen.text.folds import normalize
from groundedgen.text.sentences import sentence_spans
from groundedgen.text.tokens import guess_language, leans_to

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["LexicalJudge", "decide", "rarity", "score"]

# From this share of a claim on one sentence on, what differs is the point of the claim.
CLOSE: Final = 0.6
# From this share on, a word that the sentence lacks is too.
COPY: Final = 0.8
# A difference contradicts only where at least half of the claim lies on the sentence.
ON_SENTENCE: Final = 0.5
# Sentences in a row that one claim may repeat whole.
_RUN: Final = 4
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
_LEAD: Final = regex.compile(
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
_MARKER: Final = regex.compile(r"\s?\[(?:S?\d{1,3})(?:\s*[,;-]\s*S?\d{1,3})*\]")
_END: Final = regex.compile(r"[\s.!?;:,\u3002\uff01\uff1f]+$")


@dataclass(frozen=True, slots=True)
class LexicalJudge:
    """Judges English claims by their words. Deterministic, offline, some thousand a second.

    Args:
        threshold: Fitted probability, 0 to 1, from which a claim passes whose words do not
            all stand in one sentence. The default lets 3 % of unsupported claims pass, with
            sources of text that it was not fitted on; 1.0 leaves whole sentences and full
            matches only, which lets 1 % pass.

    >>> judge = LexicalJudge()
    >>> premise = "If the alarm was set, theft is covered. The tenant may end the lease in May."
    >>> def label(claim): return judge.judge([Pair(premise, claim)])[0].label
    >>> label("Theft is covered provided the alarm was set."), label("Theft is covered.")
    ('supported', 'not_addressed')
    >>> label("The lease may be ended by the tenant in May."), label("The tenant must end it in May.")
    ('supported', 'not_addressed')
    """

    threshold: float = THRESHOLD

    @property
    def name(self) -> str:
        return "lexical"

    def judge(self, pairs: Sequence[Pair]) -> tuple[Verdict, ...]:
        return tuple(self._verdict(pair.premise, pair.claim) for pair in pairs)

    def _verdict(self, premise: str, claim: str) -> Verdict:
        bare = _without_lead(_MARKER.sub("", claim))
        if _is_whole(premise, claim) or _is_whole(premise, bare):
            return Verdict("supported", 1.0, "The claim is a sentence of the passage.")
        if not _is_english(premise, bare):
            why = "This judge reads English only; in other languages a claim must be a sentence."
            return Verdict("not_judged", None, why, reason="language")
        reading = _reading(premise)
        sentences = [bare[a:b] for a, b in sentence_spans(bare, "en")]
        verdicts = [self._on_sentence(reading, _without_lead(s)) for s in sentences]
        # A claim is as good as its weakest sentence.
        return min(verdicts, key=_rank) if verdicts else Verdict("not_addressed", 0.0, "No words.")

    def _on_sentence(self, reading: Reading, claim: str) -> Verdict:
        if _is_whole(reading.text, claim):
            return Verdict("supported", 1.0, "The claim is a sentence of the passage.")
        compared = compare(analyse(claim), reading, rarity)
        return decide(compared, score(compared.signals), self.threshold)


def decide(compared: Compared, probability: float, threshold: float) -> Verdict:
    """The verdict on one sentence of a claim. `probability` is what `score` says of it."""
    if compared.signals["whole"]:
        why = "Every word of the claim stands in one sentence of the passage and nothing differs."
        return Verdict("supported", max(probability, threshold), why)
    capped = min(probability, 0.99 * threshold)
    if not compared.best:
        return Verdict("not_addressed", capped, "The passage shares no word with the claim.")
    closest = compared.best[0]
    is_close = max(closest.coverage, closest.share) >= CLOSE
    if compared.numbers:
        label = "contradicted" if closest.coverage >= ON_SENTENCE else "not_addressed"
        missing = ", ".join(compared.numbers)
        return Verdict(label, capped, f"The passage does not hold: {missing}.")
    for flip in compared.found[0]:
        if flip.name in ("order", "clauses") and not is_close:
            continue
        contradicts = flip.contradicts and closest.coverage >= ON_SENTENCE
        label = "contradicted" if contradicts else "not_addressed"
        return Verdict(label, capped, f"{flip.why[0].upper()}{flip.why[1:]}.")
    other = replaced(closest) if is_close else None
    if other is not None:
        return Verdict("not_addressed", capped, f"{other[0].upper()}{other[1:]}.")
    is_copy = max(closest.coverage, closest.share) >= COPY and closest.unmatched
    if probability >= threshold and not is_copy:
        return Verdict("supported", probability, "Nearly all of the claim stands in the passage.")
    lost = [closest.claim.words[i].text for i in closest.unmatched]
    why = "Too little of the claim stands in one place of the passage."
    if lost:
        why = f"Not found beside the rest: {', '.join(lost[:6])}."
    return Verdict("not_addressed", capped, why)


def score(signals: dict[str, float]) -> float:
    """The fitted probability, 0 to 1, that a claim with these signals is supported."""
    total = BIAS + sum(weight * signals[name] for name, weight in WEIGHTS.items())
    return 1.0 / (1.0 + exp(-total))


def rarity(key: str) -> float:
    """How rare a word is, by its key; a word that the table does not hold is rarest."""
    return RARITY.get(key, UNKNOWN)


@lru_cache(maxsize=_READ)
def _reading(premise: str) -> Reading:
    return read(premise)


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
    return guess_language(claim) in (None, "en") and (
        guess_language(premise) == "en" or leans_to("en", f"{premise[:4000]} {claim}")
    )


def _is_whole(premise: str, claim: str) -> bool:
    """Whether a claim, folded, is one to four whole sentences of the passage in a row."""
    wanted = _plain(claim)
    if not wanted or wanted not in _plain(premise):
        return False
    spans = sentence_spans(premise)
    for first in range(len(spans)):
        for last in range(first, min(first + _RUN, len(spans))):
            text = premise[spans[first][0] : spans[last][1]]
            if len(text) > 2 * len(claim) + 40:
                break
            if _plain(text) == wanted and not unsupported_numbers(claim, text):
                return True
    return False


@lru_cache(maxsize=1024)
def _plain(text: str) -> str:
    return _END.sub("", normalize(text).text)
