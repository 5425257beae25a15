"""The embedded default: answers with whole sentences of the passages, or not at all.

No key, no download, no invention. It ranks sentences by BM25 and answers with the best
ones if they hold enough of the question's words; a question put in other words than the
passages use is missed, and a sentence on the same thing that does not answer is not
noticed. Its draft is an ordinary one and goes through every check; asked for another, it
says what failed in another way or leaves it out, and never repeats it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, ClassVar, Final, Protocol

from groundedgen.generators.extracting.extents import LINK, extent
from groundedgen.generators.extracting.repairing import failed_statements, words_of
from groundedgen.generators.extracting.wordings import wordings
from groundedgen.ports import Reply, Request
from groundedgen.text.faqs import is_note, opened
from groundedgen.text.ranking import Ranked, best_spans
from groundedgen.text.sentences import Span, sentence_spans

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

__all__ = ["ExtractiveGenerator", "Reranker"]

# A further sentence is added if it scores at least this share of the best one's score.
NEARLY_AS_GOOD: Final = 0.9
# The same, where it holds as many of the question's words and stands in the same passage: what may
# be kept and what may not are two sentences of one clause. Any share from 0.6 to 0.75 gives the
# same answers (`scripts/tune_extractive.py`).
BESIDE: Final = 0.7
# With a reranker: similarity from which a sentence answers though it shares few words.
SIMILAR: Final = 0.6
RERANKED: Final = 30
_TRIED: Final = 20  # further sentences that are looked at


class Reranker(Protocol):
    """Scores how close each text is to a question, -1 to 1; one number per text, in order."""

    def similarities(self, question: str, texts: Sequence[str]) -> Sequence[float]: ...


@dataclass(frozen=True, slots=True)
class ExtractiveGenerator:
    """Picks one to three whole sentences that answer, or says `not_found`.

    Args:
        coverage: Share of the question's content words, weighted by rarity, that the best
            sentence (with its headings) must hold, 0 to 1. Measured on 223 questions, 148
            of them answerable (`scripts/tune_extractive.py`): 0.3 answers 135 and says
            not found to 60 % of the others; 0.45 answers 112, 88 of them with the right
            quote, and says not found to 85 %; 0.6 answers 76 and says so to 93 %.
        max_statements: The most sentences of one answer, 1 or more.
        reranker: Orders the best thirty by meaning as well; see `generators.reranking`.

    >>> from groundedgen.values import Prompt, Request
    >>> docs = {"S1": "Rent is due in May. Damage from a burst pipe is covered in full."}
    >>> def ask(question):
    ...     request = Request(question, Prompt("", "", "1"), schema=dict, docs=docs)
    ...     return ExtractiveGenerator().generate(request).raw
    >>> json.loads(ask("Is a burst pipe covered?"))["statements"][0]["quote"]
    'Damage from a burst pipe is covered in full.'
    >>> ask("Is a stolen bicycle insured?")
    '{"status": "not_found", "statements": []}'
    """

    only_drafts: ClassVar[bool] = True  # see ports.Generator

    coverage: float = 0.45
    max_statements: int = 3
    reranker: Reranker | None = None

    @property
    def name(self) -> str:
        return "extractive"

    def generate(self, request: Request) -> Reply:
        aliases, texts = list(request.docs), list(request.docs.values())
        langs = {request.langs.get(alias) for alias in aliases}
        lang = langs.pop() if len(langs) == 1 else None
        ranked = [r for r in best_spans(request.question, texts, lang) if not _is_note(r, texts)]
        limit = min(self.max_statements, request.max_statements)
        failed = failed_statements(request.prompt)
        picked: list[_Picked] = []
        for pick in self._picks(request.question, texts, ranked, limit):
            one = _picked(pick, texts, lang, request, failed)
            if one is None:
                continue
            if held := [other for other in picked if one.holds(other)]:
                picked[picked.index(held[0])] = one
            elif not any(one.repeats(other) for other in picked):
                picked.append(one)
            if len(picked) == limit:
                break
        return _reply([(one.said, aliases[one.index], one.quote) for one in picked])

    def _picks(
        self, question: str, texts: Sequence[str], ranked: list[Ranked], limit: int
    ) -> list[Ranked]:
        """The best sentence and those nearly as good; none below the threshold.

        First the best and what stands beside it, as the passage has them; then best first.
        """
        closeness = {r: r.score for r in ranked}
        similar: dict[Ranked, float] = {}
        if self.reranker is not None and ranked:
            head = ranked[:RERANKED]
            spans = [texts[r.index][r.start : r.end] for r in head]
            similar = dict(zip(head, self.reranker.similarities(question, spans), strict=True))
            top = ranked[0].score or 1.0
            closeness = {r: r.score / top + max(similar[r], 0.0) for r in head}
        ordered = sorted(closeness, key=lambda r: (-closeness[r], r.index, r.start))
        if not ordered:
            return []
        good = [r for r in ordered if self._answers(r, similar.get(r, 0.0))]
        if not good or good[0] is not ordered[0]:
            return []
        shares = {r: closeness[r] / (closeness[good[0]] or 1.0) for r in good}
        return self._with_near(good[0], shares, limit)

    def _with_near(self, best: Ranked, shares: Mapping[Ranked, float], limit: int) -> list[Ranked]:
        """The best and those nearly as good, given how good each is for its share of the best."""
        others = {r: share for r, share in shares.items() if r.fits and r is not best}
        least = max(best.coverage, self.coverage)
        beside = [
            r
            for r, share in others.items()
            if share >= BESIDE and r.index == best.index and r.coverage >= least
        ]
        first = sorted([best, *beside[: limit - 1]], key=lambda r: r.start)
        near = (r for r, share in others.items() if r in beside or share >= NEARLY_AS_GOOD)
        return [*first, *islice((r for r in near if r not in first), _TRIED)]

    def _answers(self, ranked: Ranked, similarity: float) -> bool:
        return ranked.coverage >= self.coverage or similarity >= SIMILAR


def _is_note(ranked: Ranked, texts: Sequence[str]) -> bool:
    """Whether a sentence is a footnote: it is about the word it hangs from, seldom named in it."""
    return is_note(texts[ranked.index][ranked.start : ranked.end])


def _reply(statements: Sequence[tuple[str, str, str]]) -> Reply:
    draft = {
        "status": "answered" if statements else "not_found",
        "statements": [
            {"text": said, "sources": [alias], "quote": quote} for said, alias, quote in statements
        ],
    }
    return Reply(raw=json.dumps(draft, ensure_ascii=False), engine="extractive")


@dataclass(frozen=True, slots=True)
class _Picked:
    """A statement to be: `said` rests on `quote`, which is `texts[index][slice(*span)]`."""

    index: int
    span: Span
    quote: str
    said: str

    def holds(self, other: _Picked) -> bool:
        """Whether it says all that another says, and more: the sentence that leans on that one."""
        around = self.span[0] <= other.span[0] and other.span[1] <= self.span[1]
        longer = len(self.said) > len(other.said) and words_of(other.said) in words_of(self.said)
        return longer and around and self.index == other.index

    def repeats(self, other: _Picked) -> bool:
        overlap = self.span[0] < other.span[1] and other.span[0] < self.span[1]
        same = words_of(self.quote.casefold()) == words_of(other.quote.casefold())
        return same or (overlap and self.index == other.index)


def _picked(
    pick: Ranked, texts: Sequence[str], lang: str | None, request: Request, failed: Collection[str]
) -> _Picked | None:
    """A ranked sentence with what it needs; `None` where it cannot stand, or did not before."""
    text = texts[pick.index]
    spans = [opened(text, span) for span in sentence_spans(text, lang)]
    found = extent(text, spans, pick.end - 1, request.min_quote_words, request.question)
    if found is None:
        return None
    span = spans[found.first][0], spans[found.last][1]
    quote = text[slice(*span)]
    if LINK.search(quote):
        return None
    ways = wordings(text, spans, found, texts, lang)
    said = next((way for way in ways if words_of(way) not in failed), None)
    return None if said is None else _Picked(pick.index, span, quote, said)
