"""Which statements need a judge, what it is asked, and what its verdicts come to.

A statement needs no judge only where it *is* one or more whole sentences of its
passage, typography aside. Similarity never skips: "may" for "must", a dropped
condition or a "not" all score above 0.94 against the sentence they distort.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import regex

from groundedgen.outages import is_score
from groundedgen.text.search import find_all
from groundedgen.text.sentences import sentence_spans
from groundedgen.text.standing import stands_alone
from groundedgen.text.visible import adds_signs
from groundedgen.text.windows import context, window
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
    own: what "- floods" says depends on the line that leads into the list.

    >>> restates("Floods are not covered.", "Fire is covered. Floods are not covered.")
    True
    >>> restates("Floods are covered.", "Floods are covered? No.")
    False
    >>> restates("- all damage from floods", "We never pay for:\n- all damage from floods")
    False
    """
    hits = list(find_all(text, passage))
    if not hits:
        return False
    sentences = sentence_spans(passage, lang)
    return any(
        (place := _place(sentences, hit.start)) is not None
        and _is_whole(passage, sentences, place, hit.end)
        and not adds_signs(text, passage[hit.start : hit.end])
        for hit in hits
    )


def _place(sentences: list[tuple[int, int]], start: int) -> int | None:
    """Which sentence begins there, if one does."""
    place = bisect_left(sentences, (start, 0))
    return place if place < len(sentences) and sentences[place][0] == start else None


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
    following = sentences[last][1]
    return following < sentences[-1][1] or not _STOPS.isdisjoint(passage[following - 4 : following])


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
    if limit is None or len(passage) <= limit:
        quote = spot.start, spot.end
        return Query(statement, spot, Pair(passage, statement.text, spot.alias, quote))
    span = window(passage, *context(passage, spot.start, spot.end), limit)
    if span is None:
        why = "the sentence around the quote is longer than the judge can read whole"
        return Query(statement, spot, None, Verdict("not_judged", None, why, "too_long"))
    quote = spot.start - span[0], spot.end - span[0]
    return Query(statement, spot, Pair(passage[slice(*span)], statement.text, spot.alias, quote))


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
        verdict.reason or verdict.label,
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
