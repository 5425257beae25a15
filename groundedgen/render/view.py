"""What one reader is shown of an answer: a pure function of the answer and the granted cards.

Everything a format writes comes from a `View`. What is not in it cannot be shown, so
this is the one place where something could leak.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from groundedgen.entailment import restates
from groundedgen.gates.numbers import unsupported_numbers
from groundedgen.ports import SourceCard
from groundedgen.render.excerpts import Excerpt, Span, excerpts
from groundedgen.values import (
    Answer,
    Citation,
    Closest,
    Finding,
    Passage,
    Reason,
    Statement,
    Status,
)

__all__ = ["Dropped", "Mark", "Shown", "Source", "View", "build", "distinct", "ids"]


@dataclass(frozen=True, slots=True)
class Mark:
    """One numbered source of one statement, with what it quotes from there."""

    number: int
    citations: tuple[Citation, ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """A statement as shown.

    `verified` is false where a policy lets unjudged text through, and where a stored answer says
    more of itself than its own passages bear out.
    """

    text: str
    verified: bool
    marks: tuple[Mark, ...]


@dataclass(frozen=True, slots=True)
class Source:
    """One source, numbered by first appearance from 1.

    Attributes:
        card: What the reader may see of it; page and language may come from the passage.
        passage: The passage itself.
        spans: What is quoted from it, in order of appearance, each once.
        excerpts: The same, lit up inside their context.
        cited: Whether a statement rests on it; false for one of the closest passages.
    """

    number: int
    card: SourceCard
    passage: Passage
    spans: tuple[Span, ...]
    excerpts: tuple[Excerpt, ...]
    cited: bool


@dataclass(frozen=True, slots=True)
class Dropped:
    """A dropped statement, for developers; dropped alike by both drafts, that of the first."""

    check: str
    reason: str
    index: int
    attempt: int
    statement: str = ""
    message: str = ""
    nearest: str = ""
    passage_id: str | None = None
    details: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class View:
    """All that is shown to one reader."""

    status: Status
    reason: Reason
    question: str
    statements: tuple[Shown, ...] = ()
    sources: tuple[Source, ...] = ()
    closest: tuple[Closest, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    engine: str = ""

    @property
    def verified(self) -> int:
        """How many of the statements shown are verified."""
        return sum(statement.verified for statement in self.statements)

    @property
    def cited(self) -> tuple[Source, ...]:
        return tuple(source for source in self.sources if source.cited)

    @property
    def near(self) -> tuple[Source, ...]:
        return tuple(source for source in self.sources if not source.cited)


def ids(answer: Answer, *, developer: bool = False) -> tuple[str, ...]:
    """The passage ids that the answer may show, each once, in order of appearance."""
    named: list[str] = []
    if answer.status == "answered":
        named += [c.passage_id for s in answer.statements for c in s.citations]
    named += [near.passage_id for near in answer.closest]
    if developer:
        named += [f.passage_id for f in answer.findings if f.passage_id is not None]
    return tuple(dict.fromkeys(named))


def distinct(findings: Iterable[Finding]) -> list[Finding]:
    """Findings without those that repeat one before: an equal statement, failed in the same way.

    A second draft often says again what was wrong with the first. Both are in `Answer.findings`;
    who reads a list of what was dropped is told once. Equal are the words, blanks apart, with
    check, reason, passage and details; a finding on no words goes by its place in the draft.

    >>> first = Finding("quotes", "quote_not_found", 0, "", 1, "Hail is covered.")
    >>> again = replace(first, index=2, attempt=2, statement="Hail  is covered.")
    >>> other = replace(again, reason="quote_too_short")
    >>> [(found.attempt, found.reason) for found in distinct([first, again, other])]
    [(1, 'quote_not_found'), (2, 'quote_too_short')]
    """
    firsts: dict[tuple[object, ...], Finding] = {}
    for finding in findings:
        said = " ".join(finding.statement.split()) or finding.index
        what = (finding.check, finding.reason, finding.passage_id, finding.details, finding.kept)
        firsts.setdefault((said, *what), finding)
    return list(firsts.values())


def build(
    answer: Answer, cards: Mapping[str, SourceCard] | None, *, developer: bool = False
) -> View:
    """What is shown of the answer.

    Args:
        answer: The answer, with its passages.
        cards: What the store granted, by passage id; `None` where there is no store and
            the passages speak for themselves.
        developer: Also what was dropped.
    """
    wanted = ids(answer, developer=developer)
    guarded = cards is not None
    visible = _own_cards(answer, wanted) if cards is None else cards
    passages = {passage.id: passage for passage in answer.passages}
    kept = _kept(answer, visible, passages)
    closest = tuple(near for near in answer.closest if _stands(near, visible, passages))
    denied = any(name not in visible for name in wanted)
    if not kept and (answer.status == "answered" or (denied and not closest)):
        return View("withheld", "reader_may_not_open", question="")
    sources = _sources(kept, closest, visible, passages)
    numbers = {source.card.id: source.number for source in sources}
    findings = distinct(answer.findings) if developer and not denied else ()
    return View(
        status=answer.status,
        reason=answer.reason,
        question=answer.question,
        statements=tuple(_shown(statement, numbers) for statement in kept),
        sources=sources,
        closest=closest,
        dropped=tuple(_dropped(f, visible, guarded=guarded) for f in findings if not f.kept),
        engine=answer.engine,
    )


@dataclass(frozen=True, slots=True)
class _Kept:
    """A statement with the citations that are left of it, at least one."""

    text: str
    verified: bool
    citations: tuple[Citation, ...]


def _kept(
    answer: Answer, cards: Mapping[str, SourceCard], passages: Mapping[str, Passage]
) -> list[_Kept]:
    """The statements that keep a citation. Each citation left was checked on its own."""
    if answer.status != "answered":
        return []
    astral: dict[str, Sequence[int]] = {}
    kept = []
    for said in answer.statements:
        held = [c for c in said.citations if _stands(c, cards, passages)]
        if held:
            cited = {c.passage_id: passages[c.passage_id] for c in held}
            counted = tuple(_counted(c, cited[c.passage_id], astral) for c in held)
            kept.append(_Kept(said.text, _is_verified(said, cited.values()), counted))
    return kept


def _is_verified(said: Statement, cited: Iterable[Passage]) -> bool:
    """Whether a stored tick is borne out, as far as that can be seen without a model.

    Only by what this reader may open: a tick that rests on a hidden source would tell of it.
    """
    if not said.verified:
        return False
    if said.entailment.how == "whole_sentence":
        return any(restates(said.text, p.text, p.lang) for p in cited)
    return any(not unsupported_numbers(said.text, p.text, lang=p.lang) for p in cited)


def _counted(citation: Citation, passage: Passage, astral: dict[str, Sequence[int]]) -> Citation:
    """The citation with what follows from its place counted anew, wherever it was stored."""
    text = passage.text
    if passage.id not in astral:
        astral[passage.id] = _astral(text)
    return replace(
        citation,
        astral_before=bisect_left(astral[passage.id], citation.start),
        context_start=min(max(0, citation.context_start), citation.start),
        context_end=max(min(len(text), citation.context_end), citation.end),
    )


def _astral(text: str) -> Sequence[int]:
    """The places of the code points above U+FFFF, in order."""
    if not text or max(text) <= "\uffff":
        return ()
    return [place for place, char in enumerate(text) if char > "\uffff"]


def _stands(
    cited: Citation | Closest, cards: Mapping[str, SourceCard], passages: Mapping[str, Passage]
) -> bool:
    """Whether it may be shown, and is what it says: a stored answer may have been altered.

    Without its passage nothing shows that anyone ever wrote the quote.
    """
    passage = passages.get(cited.passage_id)
    if cited.passage_id not in cards or passage is None or not cited.quote:
        return False
    start, end = cited.start, cited.end
    return 0 <= start < end and passage.text[start:end] == cited.quote


def _own_cards(answer: Answer, wanted: Iterable[str]) -> dict[str, SourceCard]:
    cards = {name: SourceCard(name) for name in wanted}
    own = {p.id: SourceCard(p.id, p.title, p.url, p.date, p.page) for p in answer.passages}
    return cards | own


def _sources(
    kept: Iterable[_Kept],
    closest: Iterable[Closest],
    cards: Mapping[str, SourceCard],
    passages: Mapping[str, Passage],
) -> tuple[Source, ...]:
    spans: dict[str, list[Span]] = {}
    for statement in kept:
        for c in statement.citations:
            span = Span(c.start, c.end, c.context_start, c.context_end, c.quote)
            spans.setdefault(c.passage_id, []).append(span)
    cited = set(spans)
    for near in closest:
        span = Span(near.start, near.end, near.start, near.end, near.quote)
        spans.setdefault(near.passage_id, []).append(span)
    return tuple(
        _source(number, cards[name], passages[name], found, cited=name in cited)
        for number, (name, found) in enumerate(spans.items(), 1)
    )


def _source(
    number: int, card: SourceCard, passage: Passage, found: Iterable[Span], *, cited: bool
) -> Source:
    page = passage.page if card.page is None else card.page
    spans = tuple(dict.fromkeys(found))
    card = SourceCard(card.id, card.title, card.url, card.date, page)
    return Source(number, card, passage, spans, excerpts(passage.text, spans), cited)


def _shown(kept: _Kept, numbers: Mapping[str, int]) -> Shown:
    marks: dict[int, list[Citation]] = {}
    for citation in kept.citations:
        marks.setdefault(numbers[citation.passage_id], []).append(citation)
    numbered = tuple(Mark(number, tuple(held)) for number, held in marks.items())
    return Shown(kept.text, kept.verified, numbered)


def _dropped(finding: Finding, cards: Mapping[str, SourceCard], *, guarded: bool) -> Dropped:
    """With a store, only what surely rests on granted passages.

    A drafted statement, and what a check says of it, may hold words or ids of a passage
    that the answer does not point at, so that the store was never asked about it.
    """
    brief = Dropped(finding.check, finding.reason, finding.index, finding.attempt)
    if not guarded:
        return Dropped(
            *(finding.check, finding.reason, finding.index, finding.attempt, finding.statement),
            *(finding.message, finding.nearest, finding.passage_id, finding.details),
        )
    if finding.passage_id not in cards:
        return brief
    return Dropped(
        *(finding.check, finding.reason, finding.index, finding.attempt),
        nearest=finding.nearest,
        passage_id=finding.passage_id,
    )
