"""What came of checking a stored answer again: the values that `reverify` returns."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from groundedgen.text.folds import NORMALIZER_VERSION

__all__ = ["Broken", "BrokenReason", "CitationCheck", "Report", "StatementCheck"]

BrokenReason = Literal[
    "source_gone",
    "source_changed",
    "source_not_stored",
    "quote_moved",
    "quote_not_found",
    "quote_too_short",
    "citation_altered",
    "not_supported",
    "not_judged",
    "number_mismatch",
    "failed_quote_in_text",
    "link_in_text",
    "passage_id_in_text",
    "marker_in_text",
    "no_citation",
    "not_a_sentence",
    "verdict_altered",
    "text_altered",
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
        as_stored: Its agreement with the passage rests on the stored verdict of a judge, and
            no judge was asked again: that the words say what the passage says is believed.
    """

    index: int
    verified: bool
    citations: tuple[CitationCheck, ...]
    broken: tuple[Broken, ...] = ()
    as_stored: bool = False

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
        judge: The judge that was asked again; "" where none was.
    """

    statements: tuple[StatementCheck, ...]
    stored_normalizer: str
    normalizer: str = NORMALIZER_VERSION
    judge: str = ""

    @property
    def holds(self) -> bool:
        """Whether all that was checked still holds; true where there is no statement to check.

        See `as_stored` for what was not checked.
        """
        return all(statement.holds for statement in self.statements)

    @property
    def as_stored(self) -> int:
        """How many of the statements that hold rest on the stored verdict of a judge."""
        return sum(statement.as_stored and statement.holds for statement in self.statements)
