"""Checking a stored answer again, against the sources as they are now.

An answer holds its own proof: quotes with offsets, and a copy of every passage they stand in.
Every check that needs no model is run again on it, so that one can tell years later what still
stands, and what fell because a source was changed or withdrawn.

What a judge said is no proof of that kind: whoever can write into the stored answer can write a
verdict. It is believed as stored, and the report says so, unless a judge is given to ask again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from groundedgen import resolve
from groundedgen.ask import TIMEOUT, read_passages
from groundedgen.calls import carry_out, require
from groundedgen.deadlines import within
from groundedgen.effects import Judge as Judging
from groundedgen.entailment import ask_about, collect, restates
from groundedgen.errors import InputError
from groundedgen.gates.leak import contained
from groundedgen.gates.markers import cut_markers
from groundedgen.gates.numbers import agree
from groundedgen.gates.placed import locate_placed
from groundedgen.gates.quotes import quote_gate
from groundedgen.parts import window_of
from groundedgen.passages import Passage
from groundedgen.ports import Judge
from groundedgen.reports import Broken, BrokenReason, CitationCheck, Report, StatementCheck
from groundedgen.text.search import find
from groundedgen.text.visible import is_struck, visible
from groundedgen.text.windows import context
from groundedgen.values import (
    Answer,
    Citation,
    CitedSpan,
    Finding,
    Located,
    Sourced,
    Spot,
    Statement,
)

__all__ = [
    "Broken",
    "BrokenReason",
    "CitationCheck",
    "Report",
    "StatementCheck",
    "passage_hash",
    "reverify",
]

_MOST_WORDS = 50  # as `Policy.min_quote_words`


def reverify(
    answer: Answer,
    passages: Sequence[Any],
    *,
    judge: str | Judge | None = None,
    min_quote_words: int = 5,
    timeout: float | None = TIMEOUT,
) -> Report:
    """Check a stored answer against the sources as they are now.

    Run again, for every citation: its passage is there and has, to the letter, the text that
    was stored with the answer; the quote stands at its offsets, and stands alone there; it has
    enough words to prove something, or is the whole passage; its context is that of its sentences;
    the passage holds every number of the statement. For every statement: it has words, none of
    them struck out or displayed otherwise than they are written, carries no link, no id and no
    citation mark, and is still a sentence of a passage where that was what verified it.

    A judge's verdict is not such a check. Without `judge` it is believed as stored, and every
    statement that rests on it says so by `as_stored`: its words may have been altered in any way
    that keeps quote and numbers. Nor can it be told whether a quote was "exact" or "folded",
    since the model's own copy of it is not stored.

    All checks follow today's rules; `stored_normalizer` tells whether they were others then.
    An answer whose copy of a passage is missing cannot be compared, and does not hold.

    Args:
        answer: What `ask` returned, or `Answer.model_validate_json` gave back.
        passages: The sources as they are now, as in `ask`; those not cited are not looked at.
        judge: Asked once more whether each passage cited, as it is now, supports its statement;
            as in `ask`, and synchronous. `None` asks nobody.
        min_quote_words: Fewest words of a quote, 1 to 50, as in the policy that the answer was
            made with. Given by the caller, since what is stored could be altered.
        timeout: Seconds for the judge, more than 0; `None` for no limit.

    Raises:
        InputError: No `Answer`, passages that cannot be read, two different texts of one id, a
            figure out of its range, or a judge that cannot be used.

    >>> from groundedgen import ask
    >>> lease = Passage("lease", "Rent is due on the first working day of each month.")
    >>> stored = ask("When is rent due?", [lease]).model_dump_json()
    >>> reverify(Answer.model_validate_json(stored), [lease]).holds
    True
    >>> changed = Passage("lease", "Rent is due on the third working day of each month.")
    >>> report = reverify(Answer.model_validate_json(stored), [changed])
    >>> [broken.reason for broken in report.statements[0].citations[0].broken]
    ['source_changed', 'quote_not_found', 'number_mismatch']
    """
    if not isinstance(answer, Answer):
        raise InputError(
            f"reverify takes an Answer, got {type(answer).__name__}; a stored one comes back with "
            f"Answer.model_validate_json",
            code="bad_type",
        )
    least = _words(min_quote_words)
    asked: Any = None if judge is None else resolve.judge(judge)
    if asked is not None:
        require(asked, Judge, "judge", "judge")
    sources = _Sources(answer, read_passages(passages), least)
    checks = [_statement(n, s, sources) for n, s in enumerate(answer.statements)]
    if asked is not None:
        with within(timeout):
            checks = _judged(answer, checks, sources, asked)
    name = "" if asked is None else resolve.name_of(asked)
    return Report(tuple(checks), answer.versions.get("normalizer", ""), judge=name)


def _words(given: object) -> int:
    if isinstance(given, int) and not isinstance(given, bool) and 1 <= given <= _MOST_WORDS:
        return given
    raise InputError(
        f"min_quote_words must be 1 to {_MOST_WORDS}, got {given!r:.40}", code="bad_min_quote_words"
    )


def passage_hash(text: str) -> str:
    """SHA-256 of a passage's text in UTF-8, in hexadecimal. Lone surrogates are kept apart.

    >>> passage_hash("Fire is covered.")[:12]
    '99621bf3bdd0'
    """
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class _Sources:
    """The passages as stored and as they are now."""

    def __init__(self, answer: Answer, passages: Sequence[Passage], least: int) -> None:
        self.least = least
        self.stored = {passage.id: passage for passage in answer.passages}
        self.now: dict[str, Passage] = {}
        self.ids_of: dict[str, list[str]] = {}
        for passage in passages:
            if self.now.setdefault(passage.id, passage).text != passage.text:
                raise InputError(
                    f"two passages with different texts have the id {passage.id!r}",
                    code="duplicate_id",
                )
            self.ids_of.setdefault(passage.text, []).append(passage.id)

    def elsewhere(self, text: str, name: str) -> tuple[str, ...]:
        """Other ids under which exactly this text is found now."""
        return tuple(dict.fromkeys(i for i in self.ids_of.get(text, ()) if i != name))


# --- checks without a model -----------------------------------------------------------------


def _statement(index: int, statement: Statement, sources: _Sources) -> StatementCheck:
    citations = tuple(
        _citation(index, statement, citation, sources) for citation in statement.citations
    )
    broken = tuple(_as_a_whole(index, statement, sources))
    as_stored = statement.verified and statement.entailment.how == "judge"
    return StatementCheck(index, statement.verified, citations, broken, as_stored)


def _as_a_whole(index: int, statement: Statement, sources: _Sources) -> list[Broken]:
    """What a statement must keep whichever of its citations is looked at."""
    if not statement.citations:
        return [Broken("no_citation", "The statement cites nothing.")]
    how, label = statement.entailment.how, statement.entailment.label
    if (how == "unverified") is (label == "supported"):
        return [Broken("verdict_altered", f"A verdict {label!r} cannot come from {how!r}.")]
    if (altered := _altered_text(statement.text)) is not None:
        return [altered]
    cited = [sources.now[c.passage_id] for c in statement.citations if c.passage_id in sources.now]
    if not cited:
        return []  # every citation says so itself
    broken: list[Broken] = []
    if how == "whole_sentence" and not any(restates(statement.text, p.text, p.lang) for p in cited):
        broken.append(Broken("not_a_sentence", "It is no longer a sentence of its passage."))
    if _has_mark(statement.text, cited, len(sources.stored)):
        message = "It carries a citation mark, whose number no check reads."
        broken.append(Broken("marker_in_text", message))
    located = _located(index, statement, statement.citations[0], cited)
    docs = {passage.id: passage.text for passage in cited}
    return broken + _found(contained(located, (), (), docs, tuple(sources.stored)))


def _altered_text(text: str) -> Broken | None:
    """What no draft leaves `ask` with; the numbers and words of such a text may read otherwise."""
    if not any(map(str.isalnum, text)):
        return Broken("text_altered", "It has no text.")
    if is_struck(text):
        return Broken("text_altered", "Words of it would be shown struck out.")
    if visible(text) != text:
        return Broken("text_altered", "It holds signs that change how it is displayed.")
    return None


def _has_mark(text: str, cited: Sequence[Passage], count: int) -> bool:
    """Whether a text has marks that `ask` would have cut, as `Drafting.unmarked` does."""
    if any(find(text, passage.text) for passage in cited):
        return False
    names = [f"S{number}" for number in range(1, count + 1)]
    return cut_markers(text, names) != text


def _citation(
    index: int, statement: Statement, citation: Citation, sources: _Sources
) -> CitationCheck:
    name = citation.passage_id
    stored, now = sources.stored.get(name), sources.now.get(name)
    was = "" if stored is None else passage_hash(stored.text)
    if now is None:
        moved = () if stored is None else sources.elsewhere(stored.text, name)
        gone = Broken("source_gone", "There is no passage of that id any more.", moved)
        return CitationCheck(name, was, "", -1, -1, (gone,))
    broken = list(_compared(stored, now, sources))
    start, end, misplaced = _place(citation, now, sources.least)
    broken += misplaced
    broken += () if stored is None else _altered(citation, stored, now)
    located = _located(index, statement, citation, [now])
    broken += _found(agree(located, {name: now.text}, {name: now.lang} if now.lang else {}))
    return CitationCheck(name, was, passage_hash(now.text), start, end, tuple(broken))


def _compared(stored: Passage | None, now: Passage, sources: _Sources) -> list[Broken]:
    if stored is None:
        message = "The answer holds no copy of the passage, so nothing tells if it was changed."
        return [Broken("source_not_stored", message)]
    if stored.text == now.text:
        return []
    moved = sources.elsewhere(stored.text, now.id)
    return [Broken("source_changed", "The passage has another text than was cited.", moved)]


def _place(citation: Citation, now: Passage, least: int) -> tuple[int, int, list[Broken]]:
    """Where the quote stands now: at its place, at another, or nowhere."""
    start, end, quote = citation.start, citation.end, citation.quote
    if _is_there(citation, now, 1):
        if _is_there(citation, now, least):
            return start, end, []
        message = f"The quote has fewer than {least} words, which prove nothing."
        return start, end, [Broken("quote_too_short", message)]
    found = quote_gate(quote, now.id, {now.id: now.text}, min_words=1)
    if found.verdict != "found":
        return -1, -1, [Broken("quote_not_found", "The quote does not stand in the passage.")]
    return found.start, found.end, [Broken("quote_moved", "The quote stands at another place.")]


def _is_there(citation: Citation, now: Passage, least: int) -> bool:
    """Whether one of the two gates takes the quote, to the letter and at this very place."""
    start, end, quote, docs = citation.start, citation.end, citation.quote, {now.id: now.text}
    if not 0 <= start < end or now.text[start:end] != quote:
        return False
    found = quote_gate(quote, now.id, docs, min_words=least)
    if (found.start, found.end) == (start, end):
        return True
    # A provider that cites natively points at one of several places, which the search skips.
    span = CitedSpan(now.id, start, end, quote)
    placed = locate_placed(Sourced(0, "", (now.id,), quote, (span,)), docs, min_words=least)
    return isinstance(placed, Located) and [(s.start, s.end) for s in placed.spots] == [
        (start, end)
    ]


def _altered(citation: Citation, stored: Passage, now: Passage) -> Iterator[Broken]:
    """What is stored with a quote and follows from its place in the passage as stored."""
    start, end, text = citation.start, citation.end, stored.text
    if not 0 <= start < end or text[start:end] != citation.quote:
        return  # told already
    astral = sum(char > "\uffff" for char in text[:start])
    given = citation.context_start, citation.context_end
    langs = dict.fromkeys((stored.lang, now.lang, None))
    if citation.astral_before != astral or all(
        given != context(text, start, end, lang) for lang in langs
    ):
        yield Broken("citation_altered", "Its context or its UTF-16 offset is not the quote's.")


def _located(
    index: int, statement: Statement, citation: Citation, passages: Sequence[Passage]
) -> Located:
    spots = tuple(Spot(p.id, citation.start, citation.end, citation.match) for p in passages)
    return Located(index, statement.text, citation.quote, spots)


_REASONS: Mapping[str, BrokenReason] = {
    "number_mismatch": "number_mismatch",
    "failed_quote_in_text": "failed_quote_in_text",
    "link_in_text": "link_in_text",
    "passage_id_in_text": "passage_id_in_text",
}


def _found(checked: Located | Finding) -> list[Broken]:
    if isinstance(checked, Located):
        return []
    return [Broken(_REASONS[checked.reason], checked.message, checked.details)]


# --- asking a judge again -------------------------------------------------------------------


def _judged(
    answer: Answer, checks: Sequence[StatementCheck], sources: _Sources, judge: Judge
) -> list[StatementCheck]:
    """The checks with today's verdicts, for every statement that was shown as verified.

    Each passage cited is asked about: in `ask`, one that does not support was cut off.
    """
    located = [
        _held(check, statement)
        for check, statement in zip(checks, answer.statements, strict=True)
        if check.verified
    ]
    located = [statement for statement in located if statement.spots]
    docs = {name: passage.text for name, passage in sources.now.items()}
    langs = {name: passage.lang for name, passage in sources.now.items() if passage.lang}
    queries = ask_about(located, docs, langs, window_of(judge))
    pairs = tuple(query.pair for query in queries if query.pair is not None)
    verdicts: Any = carry_out(None, judge, Judging(pairs)) if pairs else ()
    entailed, findings = collect(queries, verdicts)
    proved = {e.statement.index: {(s.alias, s.start) for s in e.statement.spots} for e in entailed}
    unjudged = {f.index for f in findings if "not_judged" in (f.reason, *f.details)}
    asked = {statement.index for statement in located}
    return [
        _told(check, proved.get(check.index, set()), unjudged) if check.index in asked else check
        for check in checks
    ]


def _held(check: StatementCheck, statement: Statement) -> Located:
    """The statement with those citations whose quote still stands, at its place of today."""
    spots = tuple(
        Spot(now.passage_id, now.start, now.end, stored.match)
        for now, stored in zip(check.citations, statement.citations, strict=True)
        if now.start >= 0
    )
    return Located(check.index, statement.text, "", spots)


def _told(
    check: StatementCheck, proved: set[tuple[str, int]], unjudged: set[int]
) -> StatementCheck:
    """The check with what the judge says of each citation that it was asked about."""
    if check.index in unjudged and not proved:
        lost = Broken("not_judged", "The judge gave no verdict on it.")
    else:
        lost = Broken("not_supported", "The judge does not find that the passage supports it.")
    citations = tuple(
        c
        if c.start < 0 or (c.passage_id, c.start) in proved
        else replace(c, broken=(*c.broken, lost))
        for c in check.citations
    )
    return replace(check, citations=citations, as_stored=False)
