"""Which statements need a judge, what it is asked, and what its verdicts come to.

A statement needs no judge only where it *is* one or more whole sentences of its
passage, typography aside. Similarity never skips: "may" for "must", a dropped
condition or a "not" all score above 0.94 against the sentence they distort.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import regex

from groundedgen.outages import is_score
from groundedgen.text.excerpts import excerpt
from groundedgen.text.lettercase import recased
from groundedgen.text.limiting.conditionlists import with_whole_lists
from groundedgen.text.limiting.footnotes import note_spans
from groundedgen.text.lines import is_labelled
from groundedgen.text.search import find_all
from groundedgen.text.sentences import Span, sentence_spans
from groundedgen.text.standing import stands_alone, surroundings
from groundedgen.text.visible import adds_signs
from groundedgen.values import Entailment, Finding, Label, Located, Pair, Spot, Verdict

__all__ = ["Entailed", "Query", "ask_about", "collect", "restates"]

#: What may stand between a match and the end of its sentence: the full stop of a
#: script and what closes a quotation or bracket. Never a question mark.
_CLOSERS = frozenset(".!。！．।॥۔…\"'”’»)]）」』 \t\n\r")

_STOPS = frozenset(".!。！．।॥۔")

#: The worse a label is, the more it tells about a statement that no passage supports.
_TELLING: tuple[Label, ...] = ("not_judged", "contradicted", "partial", "not_addressed")


@dataclass(frozen=True, slots=True)
class Query:
    """One statement against the passage of one of its spots.

    `pair` is `None` where the answer is known without a judge: `verdict` then says why.
    `also` are further spots in the same passage that have the same answer.
    """

    statement: Located
    spot: Spot
    pair: Pair | None
    verdict: Verdict | None = None
    also: tuple[Spot, ...] = ()


@dataclass(frozen=True, slots=True)
class Entailed:
    """A located statement that at least one of its passages entails, with only those spots."""

    statement: Located
    entailment: Entailment


def restates(text: str, passage: str, lang: str | None = None) -> bool:
    r"""Whether `text` is one or more whole, adjoining sentences of `passage`.

    Typography is folded as for quotes; wording is not, nor is what a reader sees and folding
    takes away, such as the points of Arabic. A list item is no sentence of its
    own: what "- floods" says depends on the line that leads into the list. The number of a clause
    ("B.3") and "Note:" are no part of a sentence. A list of conditions
    that must all hold is one sentence.

    >>> restates("Floods are not covered.", "Fire is covered. Floods are not covered.")
    True
    >>> restates("Floods are covered.", "Floods are covered? No.")
    False
    >>> restates("- all damage from floods", "We never pay for:\n- all damage from floods")
    False
    >>> restates("We add 5 mm.", "We add 5 mM."), restates("WE ADD SALT.", "We add salt.")
    (False, True)
    """
    hits = list(find_all(text, passage))
    if not hits:
        return False
    sentences = with_whole_lists(passage, sentence_spans(passage, lang))
    return any(
        (place := _place(passage, sentences, hit.start)) is not None
        and _is_whole(passage, sentences, place, hit.end)
        and not adds_signs(text, passage[hit.start : hit.end])
        and not recased(text, passage[hit.start : hit.end])
        for hit in hits
    )


def _place(passage: str, sentences: list[tuple[int, int]], start: int) -> int | None:
    """Which sentence begins there, or behind its label, if one does."""
    place = bisect_right(sentences, start, key=lambda span: span[0]) - 1
    if place < 0:
        return None
    begins, end = sentences[place]
    labelled = begins < start < end and is_labelled(passage, begins, start)
    return place if begins == start or labelled else None


def _is_whole(passage: str, sentences: list[tuple[int, int]], place: int, hit_end: int) -> bool:
    """Whether a hit from the start of the sentence at `place` is nothing but whole sentences.

    A passage is often cut out of its document in mid-sentence: what begins it in small
    letters, or ends it without a full stop, may be half of something else.
    """
    if place == 0 and _begins_small(passage, sentences[0][0]):
        return False
    last = next((n for n in range(place, len(sentences)) if sentences[n][1] >= hit_end), None)
    if last is None or not _CLOSERS.issuperset(passage[hit_end : sentences[last][1]]):
        return False
    if not stands_alone(passage, sentences, place, last):
        return False
    end = sentences[last][1]
    stopped = not _STOPS.isdisjoint(passage[end - 4 : end])
    return end < sentences[-1][1] or stopped or _ends_table(passage, sentences[-2:])


def _ends_table(passage: str, lines: Sequence[Span]) -> bool:
    """Whether the last of two lines is a row of a table, with as many bars as the one above."""
    *above, row = (passage[slice(*line)].strip() for line in lines)
    is_row = row.startswith("|") and row.endswith("|")
    return is_row and [row.count("|")] == [line.count("|") for line in above]


def _begins_small(passage: str, start: int) -> bool:
    return next((c for c in passage[start : start + 20] if c.isalpha()), "").islower()


def ask_about(
    statements: Sequence[Located],
    docs: Mapping[str, str],
    langs: Mapping[str, str],
    limit: int | None,
) -> tuple[Query, ...]:
    """One query per statement and premise, in order.

    Spots of one passage that lead to the same premise share a query: no judge reads the same
    pair twice.

    Args:
        statements: Located statements whose numbers agree.
        docs: Alias -> passage text.
        langs: Alias -> language tag, where known.
        limit: The longest premise the judge reads whole, in code points; `None` for any.
    """
    queries: list[Query] = []
    for statement in statements:
        queries += _merged(
            _query(statement, spot, docs[spot.alias], langs.get(spot.alias), limit)
            for spot in statement.spots
        )
    return tuple(queries)


def _merged(queries: Iterable[Query]) -> Iterable[Query]:
    """The queries of one statement, those with the same passage and answer as one."""
    merged: dict[tuple[str, Pair | None, Verdict | None], Query] = {}
    for query in queries:
        key = query.spot.alias, query.pair, query.verdict
        first = merged.get(key)
        merged[key] = replace(first, also=(*first.also, query.spot)) if first else query
    return merged.values()


def _query(
    statement: Located, spot: Spot, passage: str, lang: str | None, limit: int | None
) -> Query:
    if restates(statement.text, passage, lang):
        return Query(statement, spot, None, Verdict("supported", 1.0, "a sentence of the passage"))
    needed, held = _needed(passage, spot, lang)
    if limit is None or len(passage) <= limit:
        return Query(statement, spot, Pair(passage, statement.text, spot.alias, held))
    own = spot.start, spot.end
    cut = excerpt(passage, *needed, limit, lang) or excerpt(passage, *own, limit, lang)
    if cut is None:
        why = "what must be read with the quote is longer than the judge can read whole"
        return Query(statement, spot, None, Verdict("not_judged", None, why, "too_long"))
    quote = cut.place(*held) or cut.place(*own)
    return Query(statement, spot, Pair(cut.text, statement.text, spot.alias, quote))


#: What decides a quote's meaning is looked for this far to each side, in code points.
_SIDE: Final = 10_000


def _needed(passage: str, spot: Spot, lang: str | None) -> tuple[Span, Span]:
    """What of a passage a judge must see to know what the quote says there.

    Returns:
        The bounds of what the premise must hold, footnotes too; and of the quote, wider where
        the line that governs it or the sentence that limits it has to be read with it.
    """
    low = max(0, spot.start - _SIDE)
    text = passage[low : spot.end + _SIDE]
    own, whole = _sentences(text, spot.start - low, spot.end - low, lang)
    start = low + whole[0] if whole[0] < own[0] else spot.start
    end = low + whole[1] if whole[1] > own[1] else spot.end
    notes = note_spans(passage, low + own[0], low + own[1])
    places = [low + whole[0], low + whole[1], *(place for note in notes for place in note)]
    return (min(*places, spot.start), max(*places, spot.end)), (start, end)


def _sentences(text: str, start: int, end: int, lang: str | None) -> tuple[Span, Span]:
    """The sentences of `text[start:end]`, and those with what decides what they mean."""
    spans = with_whole_lists(text, sentence_spans(text, lang))
    starts = [first for first, _ in spans]
    if not spans:
        return (start, end), (start, end)
    first = max(bisect_right(starts, start) - 1, 0)
    last = max(bisect_right(starts, end - 1) - 1, first)
    return (spans[first][0], spans[last][1]), surroundings(text, spans, first, last)


def collect(
    queries: Sequence[Query], verdicts: Sequence[object]
) -> tuple[tuple[Entailed, ...], tuple[Finding, ...]]:
    """What the judge's verdicts leave of the statements.

    What is no `Verdict`, or has a score beyond 0 to 1, is `not_judged`. One verdict too many or
    too few means that none can be matched to its pair, so all of them are.

    Args:
        queries: As `ask_about` returned them.
        verdicts: The judge's, one per question that has a pair, in order.

    Returns:
        The statements that at least one passage entails, with only the spots that do, and
        a finding for each of the others and for each spot that was cut off.
    """
    answers = _answers(queries, verdicts)
    entailed: list[Entailed] = []
    findings: list[Finding] = []
    by_statement: dict[int, list[tuple[Query, Verdict]]] = {}
    for query, verdict in zip(queries, answers, strict=True):
        by_statement.setdefault(query.statement.index, []).append((query, verdict))
    for answered in by_statement.values():
        supported = [(q, v) for q, v in answered if v.label == "supported"]
        failed = [(q, v) for q, v in answered if v.label != "supported"]
        if supported:
            entailed.append(_entailed(supported))
            findings.extend(_cut_off(q, v) for q, v in failed)
        else:
            findings.append(_dropped(failed))
    return tuple(entailed), tuple(findings)


def _answers(queries: Sequence[Query], verdicts: Sequence[object]) -> list[Verdict]:
    # One too many or too few, and nothing says which verdict belongs to which pair.
    asked = sum(query.pair is not None for query in queries)
    if len(verdicts) != asked:
        reason = "judge_missing_item" if len(verdicts) < asked else "judge_bad_reply"
        verdicts = [Verdict("not_judged", reason=reason)] * asked
    remaining = iter(verdicts)
    return [query.verdict or _usable(next(remaining)) for query in queries]


def _usable(verdict: object) -> Verdict:
    bad = Verdict("not_judged", reason="judge_bad_reply")
    if not isinstance(verdict, Verdict) or verdict.label not in ("supported", *_TELLING):
        return bad
    return verdict if is_score(verdict.score) else bad


def _entailed(supported: Sequence[tuple[Query, Verdict]]) -> Entailed:
    query, verdict = supported[0]
    statement = query.statement
    proved = {spot for q, _ in supported for spot in (q.spot, *q.also)}
    spots = tuple(spot for spot in statement.spots if spot in proved)
    kept = Located(statement.index, statement.text, statement.quote, spots, statement.remapped_from)
    if query.pair is None:
        return Entailed(kept, Entailment("supported", "whole_sentence", None, verdict.why))
    return Entailed(kept, Entailment("supported", "judge", verdict.score, verdict.why))


def _cut_off(query: Query, verdict: Verdict) -> Finding:
    return Finding(
        "entailment",
        (verdict.reason if verdict.label == "not_judged" else "") or verdict.label,
        query.statement.index,
        "One of the passages this statement names does not support it; its citation was cut off.",
        statement=query.statement.text,
        details=(query.spot.alias,),
        passage_id=query.spot.alias,
        kept=True,
    )


def _status(verdict: Verdict) -> str:
    """The HTTP status that a judge without a verdict met, from the words of `outages.cause`."""
    met = _STATUS.match(verdict.why) if verdict.label == "not_judged" else None
    return met[1] if met else ""


_STATUS: Final = regex.compile(r"\w+, (status \d{3})(?::|\Z)")
_MESSAGES: Mapping[Label, str] = {
    "partial": "The judge finds support for only a part of this statement.",
    "contradicted": "The judge finds that the passage contradicts this statement.",
    "not_addressed": "The judge does not find that the passage says this.",
    "not_judged": "No judge has read this statement, so nothing says that it is supported.",
}


def _dropped(failed: Sequence[tuple[Query, Verdict]]) -> Finding:
    query, verdict = min(failed, key=lambda item: _TELLING.index(item[1].label))
    labels = Counter(v.label for _, v in failed)
    return Finding(
        "entailment",
        verdict.label,
        query.statement.index,
        _MESSAGES[verdict.label],
        statement=query.statement.text,
        details=tuple(filter(None, (verdict.reason, _status(verdict), *sorted(labels)))),
        passage_id=query.spot.alias,
    )
