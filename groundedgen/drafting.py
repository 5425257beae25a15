"""How one draft is asked for and read: with quotes, or with the ids of sentences.

All that differs between the two is here. What comes out of either is the same: statements with
their passages and quotes, which the gates check without knowing how they were asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from groundedgen import cited, closing, draft, prompt
from groundedgen.aliases import Aliases
from groundedgen.draft import Answered, NotFound
from groundedgen.evidence import (
    Evidence,
    EvidenceForm,
    can_label,
    check_form,
    fits_enum,
    label,
    sentence_schema,
)
from groundedgen.gates import markers
from groundedgen.policy import Policy
from groundedgen.text.search import find
from groundedgen.values import Constraint, Finding, Passage, Reply, Request, Sourced

__all__ = ["Drafting"]


@dataclass(frozen=True, slots=True)
class Drafting:
    """The drafts of one call.

    Attributes:
        question: The question asked.
        aliases: The passages.
        policy: Its limits are the draft's.
        history: Earlier turns, oldest first.
        evidence: The labelled sentences; `None` where quotes are asked for.
    """

    question: str
    aliases: Aliases
    policy: Policy
    history: Sequence[str] = ()
    evidence: Evidence | None = None

    @classmethod
    def of(
        cls,
        question: str,
        aliases: Aliases,
        policy: Policy,
        history: Sequence[str] = (),
        evidence: EvidenceForm = "quotes",
    ) -> Drafting:
        """With sentences labelled, if that is wanted, one can be quoted, and an enum holds all.

        Raises:
            InputError: `evidence` is neither of the two forms.
        """
        found = None
        if check_form(evidence) == "sentences" and can_label(aliases.docs, aliases.langs):
            found = label(
                aliases.docs,
                aliases.langs,
                min_words=policy.min_quote_words,
                beside=_beside(question, aliases, history),
            )
        return cls(question, aliases, policy, history, found if found and found.ids else None)

    @property
    def form(self) -> EvidenceForm:
        """What a model is asked for."""
        return "quotes" if self.evidence is None else "sentences"

    def request(
        self, attempt: int, repair: Sequence[Finding] = (), kept: Sequence[str] = ()
    ) -> Request:
        """What a generator is asked for.

        Args:
            attempt: 1 or 2.
            repair: What failed in the first draft.
            kept: Statements of the first draft that are verified.
        """
        policy, aliases, evidence = self.policy, self.aliases, self.evidence
        if evidence is not None:
            repair = [replace(f, nearest=evidence.nearest(f)) for f in repair]
        words = prompt.build(
            self.question,
            aliases,
            max_statements=policy.max_statements,
            min_words=policy.min_quote_words,
            history=self.history,
            repair=repair,
            kept=kept,
            unknown=tuple(n for f in repair if f.reason == "unknown_source" for n in f.details),
            labelled=evidence.labelled if evidence else None,
            label=evidence.example if evidence else "",
        )
        return Request(
            question=self.question,
            prompt=words,
            schema=sentence_schema(evidence.ids) if evidence else draft.schema(aliases.names),
            docs=aliases.docs,
            langs=aliases.langs,
            max_statements=policy.max_statements,
            min_quote_words=policy.min_quote_words,
            attempt=attempt,
        )

    def parse(self, reply: Reply) -> Answered | NotFound:
        """The draft that a reply is; native citations are read as such, whatever was asked for.

        Raises:
            GenerationError: There is none.
        """
        if self.evidence is None or reply.cited is not None:
            return cited.parse(reply, self.aliases.names)
        drafted = draft.parse(reply, self.evidence.ids, quoted=False)
        if isinstance(drafted, NotFound):
            return drafted
        placed = tuple(map(self.evidence.placed, drafted.statements))
        return replace(drafted, statements=placed)

    def statement(self, written: str, index: int) -> Sourced | Finding | None:
        """One statement of a reply that still arrives; see `closing.read`."""
        return closing.read(written, index, self.parse)

    def constraint(self, reply: Reply) -> Constraint:
        """What bound a reply, as far as its schema could: one without an enum binds no source."""
        if self.evidence is not None and not fits_enum(self.evidence.ids):
            return "none"
        return reply.constraint

    def unmarked(self, statement: Sourced) -> Sourced:
        """The statement without citation marks: which source it has is said beside it.

        Marks that stand in a passage it names, together with all its other words, are the
        source's own notes and stay.
        """
        docs = self.aliases.docs
        held = [docs[alias] for alias in statement.aliases]
        if any(find(statement.text, text) for text in held):
            return statement
        if markers.cut_figures(statement.text, tuple(docs), held):
            return statement  # left as it is, so that what would be lost is seen
        if self.evidence is None:
            return replace(statement, text=markers.cut_markers(statement.text, tuple(docs)))
        text = self.evidence.bracketed(statement.text)
        text = markers.cut_markers(text, (*docs, *self.evidence.ids))
        text = self.evidence.without_ids(text)
        # Nothing but ids: it stays, for the gates to find one in it.
        return replace(statement, text=text) if any(map(str.isalnum, text)) else statement

    def hidden(self, passages: Sequence[Passage]) -> tuple[str, ...]:
        """What no reader is shown: the ids of passages, and those of sentences."""
        ids = self.evidence.ids if self.evidence else ()
        return (*(passage.id for passage in passages), *ids)


def _beside(question: str, aliases: Aliases, history: Sequence[str]) -> list[str]:
    """What a prompt shows beside the passages' texts; no string is refused later, by `prompt`."""
    titles = [passage.title for same in aliases.passages.values() for passage in same]
    return [text for text in (question, *history, *titles) if isinstance(text, str)]
