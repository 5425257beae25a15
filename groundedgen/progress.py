"""What one call of `flow` has seen so far, and what one draft of it.

Mutable, since each step adds to it, and of one call alone: it lives inside one generator.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from groundedgen import aliases as alias_room
from groundedgen import trace
from groundedgen.aliases import Aliases
from groundedgen.drafting import Drafting
from groundedgen.entailment import Entailed
from groundedgen.evidence import EvidenceForm
from groundedgen.policy import Policy
from groundedgen.values import (
    Constraint,
    Finding,
    Located,
    Passage,
    ResponseFormat,
    Sourced,
    TraceEvent,
    Usage,
)

__all__ = ["Begun", "Call"]


@dataclass(slots=True)
class Call:
    """What one call knows and has seen so far. Lives inside one generator, never shared.

    `bound` is the constraint under which all of `kept` was written. `shown` counts the statements
    shown before the decision: the first ones of `kept` then. `drafted` counts the claims told of;
    `claims` names those of statements that stand.
    """

    question: str
    passages: Sequence[Passage]
    policy: Policy
    judge: str
    limit: int | None
    core_first: bool = True
    history: Sequence[str] = ()
    evidence: EvidenceForm = "quotes"
    kept: list[Entailed] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    events: list[TraceEvent] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)
    engine: str = ""
    constraint: Constraint = "none"
    response_format: ResponseFormat = "text"
    attempts: int = 0
    streaming: bool = False
    shown: int = 0
    drafted: int = 0
    bound: Constraint = "none"
    claims: list[tuple[Entailed, int]] = field(default_factory=list)
    aliases: Aliases = field(init=False)
    drafting: Drafting = field(init=False)

    def __post_init__(self) -> None:
        self.aliases = alias_room.assign(self.passages)
        self.drafting = Drafting.of(
            self.question, self.aliases, self.policy, self.history, self.evidence
        )
        self.events.append(trace.assigned(len(self.passages), self.aliases.docs))


@dataclass(slots=True)
class Begun:
    """One draft, as far as it was checked.

    Attributes:
        attempt: 1 or 2.
        read: What was read of it before it had ended, by index.
        sourced: Statements of the right shape that were checked.
        located: Those of them whose quote was found.
        waiting: Located ones whose numbers agree, but of which a later one may still decide.
        entailed: Those that survived every check, in order.
        findings: What was found, the attempt not yet named.
        claims: The numbers that statements were told of with, by index.
        unreadable: Something of it is no JSON, so that nothing more is read before its end.
    """

    attempt: int
    read: list[Sourced | Finding] = field(default_factory=list)
    sourced: list[Sourced] = field(default_factory=list)
    located: list[Located] = field(default_factory=list)
    waiting: list[Located] = field(default_factory=list)
    entailed: list[Entailed] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    claims: dict[int, int] = field(default_factory=dict)
    unreadable: bool = False
