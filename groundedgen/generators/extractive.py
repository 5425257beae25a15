"""The embedded default: answers with whole sentences of the passages, or not at all.

No key, no download, no invention. It ranks sentences by BM25 and answers with the best
ones if they hold enough of the question's words; a question put in other words than the
passages use is missed, and a sentence on the same thing that does not answer is not
noticed. Its draft is an ordinary one and goes through every check.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, ClassVar, Final, Protocol

import regex

from groundedgen.patterns import lazy
from groundedgen.ports import Reply, Request
from groundedgen.text.amounts import word_count
from groundedgen.text.lines import MARKER
from groundedgen.text.questions import is_row, is_stopped
from groundedgen.text.ranking import Ranked, best_spans
from groundedgen.text.search import folded
from groundedgen.text.sentences import lead_in, limits_what_precedes, sentence_spans
from groundedgen.text.standing import governor

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["ExtractiveGenerator", "Reranker"]

# A further sentence is added if it scores at least this share of the best one's score.
NEARLY_AS_GOOD: Final = 0.9
# With a reranker: similarity from which a sentence answers though it shares few words.
SIMILAR: Final = 0.6
RERANKED: Final = 30
_TRIED: Final = 20  # further sentences that are looked at
LONGEST: Final = 900  # code points of a statement with the sentences it depends on

# A sentence that begins so says nothing without the one before it.
_LEANS: Final = lazy(
    r"(?:this|that|these|those|it|they|he|she|such|in (?:this|that|such|these) cases?"
    r"|otherwise|however|but|also|instead)\b",
    regex.IGNORECASE,
)
_BROKEN: Final = lazy(r"(\p{L}+)[-\u00ad\u2010][ \t]*\r?\n\s*(\p{Ll}+)")
# Links are cut from answers (the model never writes one), so such a sentence cannot stand.
_LINK: Final = lazy(r"(?:https?://|www\.|\]\()", regex.IGNORECASE)


Span = tuple[int, int]


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
            not found to 59 % of the others; 0.45 answers 112, 86 of them with the right
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
        ranked = best_spans(request.question, texts, lang)
        limit = min(self.max_statements, request.max_statements)
        statements: list[dict[str, object]] = []
        shown: list[tuple[int, int, int]] = []
        spans: dict[int, list[Span]] = {}
        for pick in self._picks(request.question, texts, ranked):
            if pick.index not in spans:
                spans[pick.index] = sentence_spans(texts[pick.index], lang)
            span = _whole(texts[pick.index], spans[pick.index], pick.start, request.min_quote_words)
            if span is None or any(_overlap(span, s) for s in shown if s[0] == pick.index):
                continue
            quote = texts[pick.index][slice(*span)]
            if _LINK.search(quote) or any(_same(quote, str(s["quote"])) for s in statements):
                continue
            shown.append((pick.index, *span))
            statements.append(
                {"text": _one_line(quote, texts), "sources": [aliases[pick.index]], "quote": quote}
            )
            if len(statements) == limit:
                break
        return _reply(statements)

    def _picks(self, question: str, texts: Sequence[str], ranked: list[Ranked]) -> list[Ranked]:
        """The best sentence and those nearly as good, best first; none below the threshold."""
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
        enough = closeness[ordered[0]] * NEARLY_AS_GOOD
        good = [r for r in ordered if self._answers(r, similar.get(r, 0.0))]
        if not good or good[0] is not ordered[0]:
            return []
        others = (r for r in good[1:] if closeness[r] >= enough and r.fits)
        return [good[0], *islice(others, _TRIED)]

    def _answers(self, ranked: Ranked, similarity: float) -> bool:
        return ranked.coverage >= self.coverage or similarity >= SIMILAR


def _reply(statements: list[dict[str, object]]) -> Reply:
    draft = {"status": "answered" if statements else "not_found", "statements": statements}
    return Reply(raw=json.dumps(draft, ensure_ascii=False), engine="extractive")


def _one_line(quote: str, texts: Sequence[str]) -> str:
    """The sentence on one line, list items apart; a word broken at a line end is put together.

    Both readings of "cov-" + "ered" are verbatim; the hyphen stays only where the
    hyphenated word stands elsewhere in the passages ("well-" + "known").
    """

    def settle(match: regex.Match[str]) -> str:
        hyphened = f"{match[1]}-{match[2]}"
        return hyphened if any(hyphened in text for text in texts) else match[1] + match[2]

    lines = _BROKEN.sub(settle, quote).splitlines()
    joined = "".join(("\n" if MARKER.match(line) else " ") + line.strip() for line in lines)
    return " ".join(joined.split(" ")).strip()


def _same(one: str, other: str) -> bool:
    return one.casefold().split() == other.casefold().split()


def _overlap(span: Span, shown: tuple[int, int, int]) -> bool:
    return span[0] < shown[2] and shown[1] < span[1]


def _whole(text: str, spans: list[Span], start: int, min_words: int) -> Span | None:
    """The sentence at `start` with what it depends on; `None` if that is too much to quote.

    Neighbours are added until the quote gate's own count, `min_words`, is reached.
    """
    at = bisect_right(spans, start, key=lambda span: span[0]) - 1
    first, last = _with_table(text, spans, at) or _with_list(text, spans, at)
    if first > 0 and _LEANS.match(text, spans[first][0]) and _adjoin(text, spans, first - 1):
        first -= 1
    while last + 1 < len(spans) and limits_what_precedes(text, spans, last + 1):
        last += 1
    for _ in range(min_words):
        quote = folded(text[spans[first][0] : spans[last][1]]).text
        if word_count(quote) >= min_words or last - first == len(spans) - 1:
            break
        first, last = (first, last + 1) if last + 1 < len(spans) else (first - 1, last)
    bounds = spans[first][0], spans[last][1]
    alone = spans[at][1] - spans[at][0]
    return bounds if bounds[1] - bounds[0] <= max(LONGEST, alone) else None


def _with_table(text: str, spans: list[Span], at: int) -> tuple[int, int] | None:
    """A table row with the rows over it and the sentence they complete; that with its rows.

    `None` where neither is at hand, or all of it is too much to quote.
    """

    def row(place: int) -> bool:
        return 0 <= place < len(spans) and is_row(text[slice(*spans[place])])

    def leads(place: int) -> bool:
        return place >= 0 and not row(place) and not is_stopped(text[slice(*spans[place])])

    first = last = at
    if not row(at) and not (leads(at) and row(at + 1)):
        return None
    while row(first) and row(first - 1) and spans[at][1] - spans[first - 1][0] <= LONGEST:
        first -= 1
    if row(first) and leads(first - 1):
        first -= 1
    while not row(at) and row(last + 1):
        last += 1
    return (first, last) if spans[last][1] - spans[first][0] <= LONGEST else None


def _with_list(text: str, spans: list[Span], at: int) -> tuple[int, int]:
    """A list item with all from its lead-in on; a lead-in with its items, if they are few."""
    first = last = at
    while (lead := governor(text, spans, first)) is not None:
        first = lead
    if first == last:
        while last + 1 < len(spans) and lead_in(text, spans, last + 1) == at:
            if spans[last + 1][1] - spans[at][0] > LONGEST:
                return at, at
            last += 1
    return first, last


def _adjoin(text: str, spans: list[Span], first: int) -> bool:
    """Whether two sentences stand in one paragraph."""
    return "\n" not in text[spans[first][1] : spans[first + 1][0]]
