"""The flow, taken step by step by the drivers; a step that may take long is held to the deadline.

The rules between two requests are string work of milliseconds. Only over very long passages, or
a very long draft, do they take seconds: then they run in a thread, so that an event loop is not
blocked meanwhile, and are given up when the time has come.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from groundedgen.calls import late
from groundedgen.deadlines import OverdueError, awaited, bounded, remaining, unblocked
from groundedgen.effects import Closed, Effect, Outcome
from groundedgen.errors import DeadlineError
from groundedgen.flow import Flow
from groundedgen.passages import Passage
from groundedgen.values import Answer, Reply

__all__ = ["Steps"]

#: Code points, of all passages together and of a draft, from which a step counts as long. Below
#: them all checks of a draft take some ten milliseconds; a thread costs a tenth of one.
_LONG_TEXT: Final = 50_000
_LONG_DRAFT: Final = 20_000


class Steps:
    """Takes a flow on from request to request, until its answer.

    >>> from groundedgen.flow import flow
    >>> Steps(flow("Is fire covered?", [])).next(None).reason
    'no_passages'
    """

    def __init__(self, flow: Flow, passages: Sequence[Passage] = ()) -> None:
        self._flow = flow
        self._long = sum(len(passage.text) for passage in passages) > _LONG_TEXT

    def next(self, outcome: Outcome) -> Effect | Answer:
        """What the flow asks for after this outcome (`None` at first), or its answer.

        Raises:
            DeadlineError: The deadline came before the checks of a long draft had ended.
        """
        if not self._is_long(outcome):
            return self._taken(outcome)
        try:
            return bounded(lambda: self._taken(outcome), remaining())
        except OverdueError:
            raise _late(outcome) from None

    async def anext(self, outcome: Outcome) -> Effect | Answer:
        """`next`, awaited."""
        if not self._is_long(outcome):
            return self._taken(outcome)
        try:
            return await awaited(lambda: unblocked(lambda: self._taken(outcome)), remaining())
        except OverdueError:
            raise _late(outcome) from None

    def _taken(self, outcome: Outcome) -> Effect | Answer:
        try:
            return self._flow.send(outcome)
        except StopIteration as end:
            answer: Answer = end.value
            return answer

    def _is_long(self, outcome: Outcome) -> bool:
        """Whether there is a draft to be checked, and that may take its time."""
        match outcome:
            case Closed(statements):
                length = sum(map(len, statements))
            case Reply(raw=raw, cited=cited):
                length = len(raw or "") + sum(len(piece.text) for piece in cited or ())
            case _:
                return False
        return self._long or length > _LONG_DRAFT


def _late(outcome: Outcome) -> DeadlineError:
    error = late("the checks of the draft")
    if isinstance(outcome, Reply):
        error.usage = outcome.usage
    return error
