"""From what survived to the answer, in the caller's own ids."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from groundedgen.aliases import Aliases
from groundedgen.entailment import Entailed
from groundedgen.text.ranking import best_spans
from groundedgen.text.windows import context
from groundedgen.values import Citation, Closest, Finding, Passage, Spot, Statement

__all__ = ["closest", "named", "pointed_at", "statement", "unshown"]

#: How many of the closest passages an answer without statements shows.
CLOSEST = 3


def statement(entailed: Entailed, aliases: Aliases) -> Statement:
    """The statement as shown, with one citation for every origin of every spot."""
    located = entailed.statement
    citations = tuple(
        _citation(origin, spot, aliases.langs.get(spot.alias))
        for spot in located.spots
        for origin in aliases.origins(spot.alias)
    )
    return Statement(located.text, citations, entailed.entailment)


def _citation(passage: Passage, spot: Spot, lang: str | None) -> Citation:
    context_start, context_end = context(passage.text, spot.start, spot.end, lang)
    return Citation(
        passage.id,
        passage.text[spot.start : spot.end],
        spot.start,
        spot.end,
        spot.match,
        context_start,
        context_end,
        astral_before=sum(char > "\uffff" for char in passage.text[: spot.start]),
    )


def named(finding: Finding, aliases: Aliases) -> Finding:
    """The finding with the caller's passage id in place of our alias."""
    if finding.passage_id is None:
        return finding
    return replace(finding, passage_id=aliases.origins(finding.passage_id)[0].id)


def unshown(entailed: Entailed, reason: str, attempt: int) -> Finding:
    """A statement that passed every check but falls with its answer, so that nothing is lost."""
    located = entailed.statement
    return Finding(
        "policy",
        reason,
        located.index,
        "This statement passed every check, but the answer it belongs to is not shown.",
        attempt,
        statement=located.text,
    )


def closest(question: str, aliases: Aliases) -> tuple[Closest, ...]:
    """The best span of each of the closest passages, best first; at most `CLOSEST`."""
    names, docs = aliases.names, aliases.docs
    best: dict[int, Closest] = {}
    for span in best_spans(question, [docs[name] for name in names]):
        if span.index not in best:
            passage = aliases.origins(names[span.index])[0]
            quote = passage.text[span.start : span.end]
            best[span.index] = Closest(passage.id, quote, span.start, span.end, span.score)
        if len(best) == CLOSEST:
            break
    return tuple(best.values())


def pointed_at(
    passages: Iterable[Passage], statements: Sequence[Statement], near: Sequence[Closest]
) -> tuple[Passage, ...]:
    """The passages that statements cite or that are shown as closest, each once, in order."""
    ids = {citation.passage_id for shown in statements for citation in shown.citations}
    ids |= {span.passage_id for span in near}
    return tuple({p.id: p for p in passages if p.id in ids}.values())
