"""What a server of one's own really obeys, found out by asking it.

Servers take fields that they do not know and answer as if they were not there, so neither a
name nor a status says which constraint is kept: probes do (see `probes`). Up to ten of a few
tokens each, most often two to four, once for each server and model.

Pure but for a lock: requests are yielded and sent by whoever drives.
"""

from __future__ import annotations

import asyncio
import threading
import weakref
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from collections.abc import Generator as Steps
from contextlib import asynccontextmanager, contextmanager
from typing import Any, Final

from groundedgen.deadlines import remaining
from groundedgen.errors import DeadlineError, DraftFormatError, GenerationError, ProviderError
from groundedgen.generators.constrained.ladder import Learned, is_about_else
from groundedgen.generators.constrained.probes import PROBES, Found, Probe, answers, fresh
from groundedgen.generators.constrained.rungs import Rung
from groundedgen.generators.replies.completions import Said, read_completion, thinks
from groundedgen.generators.transport.failures import failure, words_of
from groundedgen.values import Usage

__all__ = ["Known", "known_of"]

_SHORT: Final = 64  # tokens of a probe's reply; a nonce has a dozen
_LONG: Final = 4096  # ... where the model thinks first, which no constraint binds
_LATE: Final = 0.02  # seconds between looks at whether another task is done with probing
_KEPT: Final = 256  # passage sets whose rungs are remembered
_LOST: Final = 3  # constraints lost in a row before a server is taken for another one
#: Statuses with which a server turns down a constraint. 500 is llama.cpp's word for a schema
#: that it cannot convert, and vLLM's for a grammar that dies in mid-answer.
_TURNED_DOWN: Final = frozenset({400, 415, 422, 500, 501})
_OVERDUE: Final = frozenset({"TimeoutError", "OverdueError", "APITimeoutError"})


class Known:
    """What is known of one server and model. Shared by threads and event loops.

    What a probe found is kept for ever, an outage in the middle of it included: the next call
    goes on where that one ended. A server that loses the constraint of several passage sets in
    a row is probed again, since another one may stand at its address by now.
    """

    def __init__(self) -> None:
        self._asking = threading.Lock()
        self._lock = threading.Lock()
        self._forget()

    def _forget(self) -> None:
        self.found: Found | None = None
        self._outcomes: dict[Probe, bool] = {}
        self._doubts: set[Probe] = set()
        self._answered, self._most, self._lost = False, _SHORT, 0
        self._lowered: OrderedDict[str, frozenset[Rung]] = OrderedDict()
        self._suspected: OrderedDict[tuple[str, Rung], None] = OrderedDict()

    # Step-downs of single passage sets

    def lowered(self, key: str) -> frozenset[Rung]:
        """The rungs that this server was seen not to keep for a passage set."""
        with self._lock:
            return self._lowered.get(key, frozenset())

    def kept(
        self,
        key: str,
        lowered: frozenset[Rung],
        suspected: frozenset[Rung] = frozenset(),
        *,
        obeyed: bool,
    ) -> None:
        """Remember what a reply for a passage set has shown.

        Args:
            key: A hash of what was bound: the passages of a draft, or a schema.
            lowered: The rungs that were not kept.
            suspected: Rungs that failed as an outage does; they count from the second time.
            obeyed: Whether the reply was kept to some rung.
        """
        with self._lock:
            again = {rung for rung in suspected if (key, rung) in self._suspected}
            _add(self._suspected, {(key, rung): None for rung in suspected})
            before = self._lowered.get(key, frozenset())
            if news := (lowered | again) - before:
                _add(self._lowered, {key: before | news})
                self._lost += 1
            elif obeyed and not suspected:
                self._lost = 0
            if self._lost >= _LOST:
                self._forget()

    # Probing

    @contextmanager
    def turn(self, who: str) -> Iterator[None]:
        """One at a time: whoever waits finds the outcome.

        Raises:
            DeadlineError: It was not its turn before the deadline of the call.
        """
        if not self._asking.acquire(timeout=_patience()):
            raise _late(who)
        try:
            yield
        finally:
            self._asking.release()

    @asynccontextmanager
    async def aturn(self, who: str) -> AsyncIterator[None]:
        """`turn`, awaited. Looked at again and again: no lock serves threads and loops alike."""
        clock = asyncio.get_running_loop().time
        ends = clock() + _patience()
        while not self._asking.acquire(blocking=False):
            if clock() >= ends:
                raise _late(who)
            await asyncio.sleep(_LATE)
        try:
            yield
        finally:
            self._asking.release()

    def probing(
        self, learned: Learned, body: Callable[..., dict[str, Any]], who: str
    ) -> Steps[dict[str, Any], object, tuple[Found, Usage]]:
        """Yields bodies to send and is sent what came back, until it is known what is obeyed.

        Args:
            learned: What else of a request depends on the server.
            body: Makes a request of a form, fields and a limit on its reply's tokens.
            who: The generator's name, for messages.

        Returns:
            What is obeyed, and what it cost to find out.

        Raises:
            GenerationError: The server failed otherwise than over a constraint; its `wasted`
                is what was spent.
        """
        spent = Usage()
        while (probe := self._next()) is not None:
            nonce = fresh()
            sent = body(learned.form, probe.asks(nonce), self._most)
            outcome = yield sent
            try:
                said = _said(outcome, who)
            except GenerationError as error:
                spent += error.wasted or Usage()
                if not self._goes_on(probe, outcome, error, sent, learned):
                    error.wasted = spent
                    raise
                continue
            spent += said.usage
            self._answered = True
            if self._most == _SHORT and not (said.raw or "").strip() and thinks(outcome):
                self._most = _LONG
                continue
            self._outcomes[probe] = answers(probe.ability, nonce, said.raw)
        self.found = found = self._obeyed()
        return found, spent

    def _next(self) -> Probe | None:
        """The next probe worth a request; `None` if all is known."""
        obeyed = {probe.ability for probe, holds in self._outcomes.items() if holds}
        if "schema" in obeyed:
            obeyed |= {"gbnf", "enum"}  # a looser rung of what is had, or of the same field
        if "lark" in obeyed:
            obeyed |= {"gbnf"}
        wanted = (p for p in PROBES if p not in self._outcomes and p.ability not in obeyed)
        return next(wanted, None)

    def _obeyed(self) -> Found:
        fields = {p.ability: p.field for p in PROBES if self._outcomes.get(p)}
        if "schema" in fields:
            fields["enum"] = fields["schema"]
        return Found(fields)

    def _goes_on(
        self,
        probe: Probe,
        outcome: object,
        error: GenerationError,
        sent: Mapping[str, Any],
        learned: Learned,
    ) -> bool:
        """Whether a probe that failed says something of the server; remembers it.

        What may be an outage is asked twice: a status 500, and a request that took too long.
        """
        if isinstance(error, DraftFormatError):
            self._answered, self._outcomes[probe] = True, False
            return True
        status = error.status if isinstance(error, ProviderError) else None
        words = words_of(outcome) if isinstance(outcome, BaseException) else ""
        if (narrower := learned.form.without(status, words, sent, fixed=True)) is not None:
            learned.keep(narrower)
            return True
        is_late = type(outcome).__name__ in _OVERDUE
        if not is_late and (status not in _TURNED_DOWN or is_about_else(words)):
            return False
        again = probe in self._doubts
        self._doubts.add(probe)
        if again or (status != 500 and not is_late):
            self._outcomes[probe] = False
        if status == 500 and again and not self._answered and len(self._doubts) > 1:
            self._forget()  # whatever is asked fails: that is no constraint's fault
            return False
        return not is_late


#: By client and model, for as long as the client is: generators are often made for one call.
_of_clients: Final[weakref.WeakKeyDictionary[Any, dict[str, Known]]] = weakref.WeakKeyDictionary()
_of_clients_lock: Final = threading.Lock()


def known_of(client: object, model: str) -> Known:
    """What is known of a model behind a client; the same object for both of them each time."""
    try:
        with _of_clients_lock:
            return _of_clients.setdefault(client, {}).setdefault(model, Known())
    except TypeError:  # a client of the caller's own kind that has no hash, or no weak reference
        return Known()


def _add(kept: OrderedDict[Any, Any], more: Mapping[Any, Any]) -> None:
    """Keep more, and drop what is oldest."""
    kept.update(more)
    while len(kept) > _KEPT:
        kept.popitem(last=False)


def _said(outcome: object, who: str) -> Said:
    if isinstance(outcome, BaseException):
        raise failure(outcome, who) from None
    return read_completion(outcome, who)


def _patience() -> float:
    return remaining(most=threading.TIMEOUT_MAX / 2) or 0.0


def _late(who: str) -> DeadlineError:
    return DeadlineError(f"{who} was still being asked what it obeys at the deadline of the call")
