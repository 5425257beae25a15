"""What a stream tells its reader: its events, and which of them an effect of the flow becomes.

What may be shown is the flow's to say; here it is numbered, and what was told of as unverified is
settled exactly once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from groundedgen.effects import Drafted, Show, Withdraw
from groundedgen.passages import Passage
from groundedgen.values import Answer, Closest, Statement

__all__ = ["Event", "EventType", "Tell", "Teller"]

EventType = Literal[
    "passages", "statement", "unverified", "verified", "withdrawn", "done", "failed"
]


@dataclass(frozen=True, slots=True)
class Event:
    """One event of a stream.

    `passages` comes first, then one `statement` for each that is verified (it is never
    taken back), then exactly one of `done` (with the whole answer) and `failed`. In the mode
    "optimistic" there is also one `unverified` for a statement that the model has written but
    nothing has checked yet, and later exactly one `verified` or `withdrawn` for it.

    Attributes:
        type: What happened.
        passages: Of `passages`: those the answer may rest on and this reader may open.
        statement: Of `statement` and `verified`.
        number: Of `statement` and `verified`: its place in the answer, from 1; else 0.
        claim: Of `unverified`, `verified` and `withdrawn`: which one, from 1; else 0.
        text: Of `unverified`: what nothing has checked.
        answer: Of `done`. It begins with the statements that were shown, in their order.
        error: Of `failed`.
        closest: Of `failed`: the closest passages, as in an answer without statements.
        guarded: Of `passages`: whether a source store was asked, so that it has to be asked again
            of what is shown.
        left: Of `passages`: seconds until the deadline of the call; `None` for no deadline.
    """

    type: EventType
    passages: tuple[Passage, ...] = ()
    statement: Statement | None = None
    answer: Answer | None = None
    error: Exception | None = None
    number: int = 0
    claim: int = 0
    text: str = field(default="", repr=False)
    closest: tuple[Closest, ...] = ()
    guarded: bool = field(default=False, repr=False, compare=False)
    left: float | None = field(default=None, repr=False, compare=False)


Tell = Callable[[Event], None]


class Teller:
    """Tells what the flow says may be told.

    Args:
        tell: Takes each event.
        optimistic: Whether what nothing has checked is told of, too.

    Attributes:
        shown: How many statements were told of.
    """

    def __init__(self, tell: Tell, *, optimistic: bool) -> None:
        self._tell, self._optimistic = tell, optimistic
        self.shown = 0
        self._open: dict[int, None] = {}  # claims told of and not yet settled, in order

    def show(self, show: Show) -> None:
        """A statement is verified, and with it the claim that it was, if it was told of."""
        self.shown += 1
        if show.claim is not None:
            claim = show.claim
            verified = Event("verified", statement=show.statement, number=self.shown, claim=claim)
            self._told_if_optimistic(verified)
        self._tell(Event("statement", statement=show.statement, number=self.shown))

    def drafted(self, drafted: Drafted) -> None:
        """The model has written what nothing has checked."""
        self._told_if_optimistic(Event("unverified", claim=drafted.claim, text=drafted.text))

    def withdraw(self, withdraw: Withdraw) -> None:
        """A claim has come to nothing."""
        self._told_if_optimistic(Event("withdrawn", claim=withdraw.claim))

    def withdraw_open(self) -> None:
        """Settle what was told of as unverified and has come to nothing."""
        for claim in list(self._open):
            self._told_if_optimistic(Event("withdrawn", claim=claim))

    def _told_if_optimistic(self, event: Event) -> None:
        if not self._optimistic:
            return
        if event.type == "unverified":
            self._open[event.claim] = None
        elif event.claim not in self._open:
            return
        else:
            del self._open[event.claim]
        self._tell(event)
