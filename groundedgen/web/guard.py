"""Asks the source store for one reader, at each event of one stream, within the time there is.

The deadline of a call is about the call. What it has told of still waits to be read, and each
event of it asks the store again: so the store has what is left of the deadline, then one second
in all. A store that was late once is not asked again, like a circuit breaker that never closes:
each further question would wait as long, and leave another thread behind.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final

from groundedgen import access
from groundedgen.deadlines import OverdueError
from groundedgen.ports import AsyncSourceStore, SourceCard, SourceStore

__all__ = ["GRACE", "Guard"]

GRACE: Final = 1.0
"""Seconds that the store has in all, over all events, once the deadline of the call has passed."""


class Guard:
    """What one reader may see of one stream, asked anew each time.

    Args:
        store: Says what `reader` may see; `None` where nobody is asked.
        reader: Whoever reads this, in the store's own terms; only with `store`.
        timeout: Seconds to wait for the store each time; `None` for no limit but the deadline.

    Raises:
        InputError: A reader without a store, or a store that cannot be asked.
    """

    def __init__(
        self,
        store: SourceStore | AsyncSourceStore | None,
        reader: object,
        timeout: float | None,
    ) -> None:
        access.require_store(store, reader)
        if store is not None:
            access.require_askable(store)
        self._store, self._reader, self._timeout = store, reader, timeout
        self._ends: float | None = None
        self._grace = GRACE
        self._late = False

    @property
    def asks(self) -> bool:
        return self._store is not None

    def begins(self, left: float | None) -> None:
        """The call has so many seconds left from now; `None` for as many as it takes."""
        self._ends = None if left is None else time.monotonic() + left

    async def cards(self, ids: Sequence[str]) -> dict[str, SourceCard] | None:
        """What the reader may see right now; `None` where nobody is asked."""
        if self._store is None:
            return None
        if self._late:
            return {}
        begun = time.monotonic()
        try:
            return await access.aasked(self._store, ids, self._reader, self._seconds(begun))
        except OverdueError as error:
            self._late = True
            return access.denied(error)
        except access.FAILURES as error:
            return access.denied(error)
        finally:
            self._spend(begun)

    def _seconds(self, now: float) -> float | None:
        if self._ends is None:
            return self._timeout
        left = max(0.0, self._ends - now) + self._grace
        return left if self._timeout is None else min(left, self._timeout)

    def _spend(self, begun: float) -> None:
        if self._ends is not None:
            over = time.monotonic() - max(begun, self._ends)
            self._grace = max(0.0, self._grace - max(0.0, over))
