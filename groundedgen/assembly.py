"""From what survived to the answer, in the caller's own ids."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import replace

from groundedgen.aliases import Aliases
from groundedgen.entailment import Entailed
from groundedgen.text.amounts import word_count
from groundedgen.text.faqs import answer_to, is_asked, opened
from groundedgen.text.questions import is_heading
from groundedgen.text.ranking import Ranked, best_spans
from groundedgen.text.sentences import sentence_spans
from groundedgen.text.windows import context
from groundedgen.values import Citation, Closest, Finding, Passage, Spot, Statement

__all__ = ["closest", "named", "pointed_at", "statement", "telling", "unshown"]

#: How many of the closest passages an answer without statements shows.
CLOSEST = 3
#: What says something may be this much less close than a heading or a crumb, and is shown for it.
_ENOUGH = 0.5
_WORDS = 2


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
    names = aliases.names
    spans = telling(best_spans(question, texts := [aliases.docs[name] for name in names]), texts)
    found = []
    for span in spans[:CLOSEST]:
        passage = aliases.origins(names[span.index])[0]
        quote = passage.text[span.start : span.end]
        found.append(Closest(passage.id, quote, span.start, span.end, span.score))
    return tuple(found)


def telling(ranked: Iterable[Ranked], texts: Sequence[str]) -> list[Ranked]:
    r"""One span a text, best first: the closest that tells its reader something.

    A heading, a page number or a single word shares words with a question, or is merely first
    where nothing does, and tells nothing. It gives way to the closest sentence or row of at least
    two words that has half of its score or more; with less, as beside a list without stops, it
    stays, since that would be about something else. A question of the text's own, as in an FAQ,
    gives way to the first sentence that answers it. Linear in the spans.

    Args:
        ranked: Spans of these texts, best first.
        texts: What they point into.

    >>> texts = ["# Hail\n\nWe pay for glass.", "p. 3"]
    >>> [texts[s.index][s.start : s.end] for s in telling(best_spans("Who won?", texts), texts)]
    ['We pay for glass.', 'p. 3']
    """
    best: dict[int, Ranked] = {}
    shown: dict[int, Ranked] = {}
    for span in ranked:
        first = best.setdefault(span.index, span)
        if span.index in shown or span.score < _ENOUGH * first.score:
            continue
        told = _answering(span, texts[span.index])
        if told is not None and _tells(texts[span.index][told.start : told.end]):
            shown[span.index] = told
    return sorted((best | shown).values(), key=lambda span: (-span.score, span.index))


def _answering(span: Ranked, text: str) -> Ranked | None:
    """A span; for a question what answers it first, with the question's score, if anything does."""
    if not is_asked(text[span.start : span.end]):
        return span
    spans = sentence_spans(text)
    at = bisect_left(spans, (span.start, 0))
    answer = answer_to(text, spans, at) if at < len(spans) else None
    if answer is None:
        return None
    first, last = answer
    ends = (spans[n][1] for n in range(first, last + 1) if _tells(text[slice(*spans[n])]))
    return replace(span, start=opened(text, spans[first])[0], end=next(ends, spans[last][1]))


def _tells(sentence: str) -> bool:
    return not is_heading(sentence) and word_count(sentence, enough=_WORDS) >= _WORDS


def pointed_at(
    passages: Iterable[Passage], statements: Sequence[Statement], near: Sequence[Closest]
) -> tuple[Passage, ...]:
    """The passages that statements cite or that are shown as closest, each once, in order."""
    ids = {citation.passage_id for shown in statements for citation in shown.citations}
    ids |= {span.passage_id for span in near}
    return tuple({p.id: p for p in passages if p.id in ids}.values())
