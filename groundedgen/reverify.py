"""Checking a stored answer again, against the sources as they are now.

An answer holds its own proof: quotes with offsets, and a copy of every passage they stand in.
Every check that needs no model is run again on it, so that one can tell years later what still
stands, and what fell because a source was changed or withdrawn.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from groundedgen.ask import read_passages
from groundedgen.entailment import restates
from groundedgen.errors import InputError
from groundedgen.gates.leak import contained
from groundedgen.gates.numbers import agree
from groundedgen.gates.quotes import quote_gate
from groundedgen.passages import Passage
from groundedgen.text.folds import NORMALIZER_VERSION
from groundedgen.values import Answer, Citation, Finding, Located, Spot, Statement

__all__ = [
    "Broken",
    "BrokenReason",
    "CitationCheck",
    "Report",
    "StatementCheck",
    "passage_hash",
    "reverify",
]

BrokenReason = Literal[
    "source_gone",
    "source_changed",
    "source_not_stored",
    "quote_moved",
    "quote_not_found",
    "number_mismatch",
    "failed_quote_in_text",
    "link_in_text",
    "passage_id_in_text",
    "no_citation",
    "not_a_sentence",
    "verdict_altered",
]


@dataclass(frozen=True, slots=True)
class Broken:
    """One thing that no longer holds.

    Attributes:
        reason: Stable lower-case name.
        message: A sentence for people, without words of any passage.
        details: What exactly: ids that hold the text now, numbers that are missing, ...
    """

    reason: BrokenReason
    message: str
    details: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class CitationCheck:
    """What became of one citation.

    Attributes:
        passage_id: The passage it names.
        stored_hash: `passage_hash` of the copy in the answer; "" where it holds none.
        current_hash: The same of the passage as it is now; "" where it is gone.
        start: First code point of the quote in the passage as it is now; -1 where it is not.
        end: One past the last, or -1.
        broken: What no longer holds, in the order of the checks.
    """

    passage_id: str
    stored_hash: str
    current_hash: str
    start: int
    end: int
    broken: tuple[Broken, ...] = ()

    @property
    def holds(self) -> bool:
        return not self.broken


@dataclass(frozen=True, slots=True)
class StatementCheck:
    """What became of one statement.

    Attributes:
        index: Its place in `Answer.statements`, from 0.
        verified: As stored; false where a policy showed it without a verdict.
        citations: One check per citation, in order.
        broken: What does not hold of the statement as a whole.
    """

    index: int
    verified: bool
    citations: tuple[CitationCheck, ...]
    broken: tuple[Broken, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether all of it holds, every one of its citations included."""
        return not self.broken and all(citation.holds for citation in self.citations)


@dataclass(frozen=True, slots=True)
class Report:
    """What `reverify` found.

    Attributes:
        statements: One check per statement, in order.
        stored_normalizer: Version of the normaliser that the answer was made with, or "".
        normalizer: The one that it was checked with now.
    """

    statements: tuple[StatementCheck, ...]
    stored_normalizer: str
    normalizer: str = NORMALIZER_VERSION

    @property
    def holds(self) -> bool:
        """Whether everything still holds; true where there is no statement to check."""
        return all(statement.holds for statement in self.statements)


def reverify(answer: Answer, passages: Sequence[Any]) -> Report:
    """Check a stored answer against the sources as they are now.

    Run again, for every citation: its passage is there and has, to the letter, the text that
    was stored with the answer; the quote stands at its offsets, and stands alone there; the
    passage holds every number of the statement. For every statement: it carries no link and no
    id, and is still a sentence of a passage where that was what verified it. A verdict of a
    judge is not asked for again. It was given on the stored text, and so falls with it: any
    change of a passage breaks the citation, wherever in the passage it is.

    All checks follow today's rules; `stored_normalizer` tells whether they were others then.
    An answer whose copy of a passage is missing cannot be compared, and does not hold.

    Args:
        answer: What `ask` returned, or `Answer.model_validate_json` gave back.
        passages: The sources as they are now, as in `ask`; those not cited are not looked at.

    Raises:
        InputError: No `Answer`, passages that cannot be read, or two different texts of one id.

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
    sources = _Sources(answer, read_passages(passages))
    checks = tuple(_statement(n, s, sources) for n, s in enumerate(answer.statements))
    return Report(checks, answer.versions.get("normalizer", ""))


def passage_hash(text: str) -> str:
    """SHA-256 of a passage's text in UTF-8, in hexadecimal. Lone surrogates are kept apart.

    >>> passage_hash("Fire is covered.")[:12]
    '99621bf3bdd0'
    """
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class _Sources:
    """The passages as stored and as they are now."""

    def __init__(self, answer: Answer, passages: Sequence[Passage]) -> None:
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


def _statement(index: int, statement: Statement, sources: _Sources) -> StatementCheck:
    citations = tuple(
        _citation(index, statement, citation, sources) for citation in statement.citations
    )
    return StatementCheck(
        index, statement.verified, citations, tuple(_as_a_whole(index, statement, sources))
    )


def _as_a_whole(index: int, statement: Statement, sources: _Sources) -> list[Broken]:
    """What a statement must keep whichever of its citations is looked at."""
    if not statement.citations:
        return [Broken("no_citation", "The statement cites nothing.")]
    how, label = statement.entailment.how, statement.entailment.label
    if (how == "unverified") is (label == "supported"):
        return [Broken("verdict_altered", f"A verdict {label!r} cannot come from {how!r}.")]
    cited = [sources.now[c.passage_id] for c in statement.citations if c.passage_id in sources.now]
    if not cited:
        return []  # every citation says so itself
    broken: list[Broken] = []
    if how == "whole_sentence" and not any(restates(statement.text, p.text, p.lang) for p in cited):
        broken.append(Broken("not_a_sentence", "It is no longer a sentence of its passage."))
    located = _located(index, statement, statement.citations[0], cited)
    docs = {passage.id: passage.text for passage in cited}
    return broken + _found(contained(located, (), (), docs, tuple(sources.stored)))


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
    start, end, misplaced = _place(citation, now)
    broken += misplaced
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


def _place(citation: Citation, now: Passage) -> tuple[int, int, list[Broken]]:
    """Where the quote stands now: at its place, at another, or nowhere."""
    start, end, quote = citation.start, citation.end, citation.quote
    found = quote_gate(quote, now.id, {now.id: now.text}, min_words=1)
    if found.verdict != "found":
        return -1, -1, [Broken("quote_not_found", "The quote does not stand in the passage.")]
    if 0 <= start < end and now.text[start:end] == quote:
        return start, end, []
    return found.start, found.end, [Broken("quote_moved", "The quote stands at another place.")]


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
