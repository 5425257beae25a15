"""Native models in this process: one for each file, asked by one caller at a time, left cleanly.

A native model has threads of its own and calls back into Python from them. It must not be
destroyed while it is asked, must be gone before the interpreter is, and does not survive a
fork; all three crash or hang the process. Nor may it be asked where signals arrive: Ctrl-C is
raised in whatever Python runs in the main thread, and raised inside a library's callback, ahead
of ours, it is dropped together with the words that were handed over. Pure of any SDK: how a
model is loaded and asked is given.
"""

from __future__ import annotations

import atexit
import ctypes
import os
import threading
import time
import traceback
import weakref
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, Final, NoReturn

from groundedgen.deadlines import OverdueError, bounded, remaining

__all__ = ["Call", "ClosedError", "Engine", "ForkedError", "engine", "release"]

#: Seconds that closing waits for the model to notice, which it does with its next token or batch:
#: a large model on a slow processor takes a minute for a batch, and leaving it aborts the process.
_PATIENCE: Final = 120.0

_NO_LIMIT: Final = threading.TIMEOUT_MAX / 2  # what a lock can wait for


class ClosedError(RuntimeError):
    """The engine was closed before or during the request."""


class ForkedError(RuntimeError):
    """This process was forked from one in which a native model runs."""


class Call:
    """One request, which may be cancelled from any thread.

    Args:
        most: Seconds it may take once the model is at work on it; waiting for others is bounded
            by the deadline of the call alone (`deadlines.remaining`).
    """

    def __init__(self, most: float) -> None:
        self._most = most
        left = remaining()
        self._deadline = float("inf") if left is None else time.monotonic() + left
        self._ends = self._deadline
        self._cancelled = threading.Event()
        self._wakes: Callable[[], None] = _nothing

    @property
    def is_over(self) -> bool:
        """Whether nobody wants an answer any more."""
        return self._cancelled.is_set() or time.monotonic() >= self._ends

    @property
    def left(self) -> float | None:
        """Seconds, at least 0; `None` for no limit."""
        seconds = max(0.0, self._ends - time.monotonic())
        return None if seconds == float("inf") else min(seconds, _NO_LIMIT)

    def wait(self, wakes: Callable[[], None]) -> None:
        """It is the turn of others; `wakes` has whoever waits look again."""
        self._wakes, self._ends = wakes, self._deadline

    def begin(self) -> None:
        """From now on it is this request that takes the time."""
        self._ends = min(self._deadline, time.monotonic() + self._most)

    def cancel(self) -> None:
        self._cancelled.set()
        self._wakes()


def _nothing() -> None:
    """Nobody waits yet."""


class Engine:
    """One native model, loaded with the first request.

    Args:
        load: Makes the native model.
        ask: Has it write: the model, a request, and a function that is given each chunk and
            returns true to end the request. That function never raises.

    Attributes:
        found: For whoever asks to remember what the model was seen to do.
    """

    def __init__(
        self,
        load: Callable[[], Any],
        ask: Callable[[Any, dict[str, Any], Callable[[Any], bool]], None],
    ) -> None:
        self._load, self._ask = load, ask
        self._native: Any = None
        self._state = threading.Condition()
        self._busy = self._closed = False
        self.found: Any = None
        self.holders: weakref.WeakSet[Any] = weakref.WeakSet()

    @property
    def is_loaded(self) -> bool:
        return self._native is not None

    def load(self, call: Call) -> None:
        """Load the model, if it is not; raises as `ask`, and whatever loading raises."""
        _apart(partial(self._loaded, call), call)

    def ask(self, body: dict[str, Any], call: Call, take: Callable[[Any], None]) -> None:
        """Have the model write, when it is this call's turn.

        Args:
            body: The request.
            call: Who asks; cancelling it ends the writing with the next token, and so does giving
                up or interrupting this wait for it.
            take: Is given each chunk, in another thread. What it raises ends the request, and is
                raised here.

        Raises:
            OverdueError: The time was up, or the call cancelled or given up.
            ClosedError: The engine was closed.
        """
        _apart(partial(self._asked, body, call, take), call)

    def _loaded(self, call: Call) -> None:
        with self._turn(call):
            pass

    def _asked(self, body: dict[str, Any], call: Call, take: Callable[[Any], None]) -> None:
        failed: list[BaseException] = []

        def taking(chunk: Any) -> bool:
            try:
                if call.is_over or self._closed:
                    return True
                take(chunk)
            except BaseException as error:  # noqa: BLE001  # native code would drop it
                failed.append(error)
            return bool(failed)

        with self._turn(call):
            try:
                # No other name for the native model: its last one has to be this engine's.
                self._ask(self._native, body, taking)
            except BaseException as error:
                _empty_frames(error)
                raise
        if failed:
            _raise_alone(failed)
        if self._closed:
            raise ClosedError
        if call.is_over:
            raise OverdueError

    def close(self, seconds: float = _PATIENCE) -> None:
        """End all requests and the model with its threads. Asked again, it raises `ClosedError`."""
        with self._state:
            self._closed = True
            self._state.notify_all()
            self._state.wait_for(lambda: not self._busy, seconds)
            if self._busy:  # pragma: no cover  # see _PATIENCE
                return
            native, self._native = self._native, None
        del native

    def abandon(self) -> None:
        """Leave the native model where it is, for ever: in a forked child its threads are gone."""
        if self._native is not None:
            ctypes.pythonapi.Py_IncRef(ctypes.py_object(self._native))

    @contextmanager
    def _turn(self, call: Call) -> Iterator[None]:
        self._wait(call)
        try:
            if self._native is None:
                self._native = self._load()
            if call.is_over:
                raise OverdueError
            call.begin()
            yield
        finally:
            with self._state:
                self._busy = False
                self._state.notify_all()

    def _wait(self, call: Call) -> None:
        call.wait(self._wake)
        with self._state:
            self._state.wait_for(
                lambda: self._closed or call.is_over or not self._busy, timeout=call.left
            )
            if self._closed:
                raise ClosedError
            if call.is_over or self._busy:
                raise OverdueError
            self._busy = True

    def _wake(self) -> None:
        with self._state:
            self._state.notify_all()


def _raise_alone(failed: list[BaseException]) -> NoReturn:
    """Raise what a listener raised, held by nobody but whoever catches it."""
    error = failed[0]
    failed.clear()
    _empty_frames(error)
    try:
        raise error
    finally:
        del error


def _empty_frames(error: BaseException) -> None:
    """Take the names from the frames that an error keeps: one of them is the native model's.

    A traceback ends where the error was caught, but its frames know who called them.
    """
    traceback.clear_frames(error.__traceback__)
    caught = error.__traceback__
    for frame, _ in traceback.walk_stack(caught.tb_frame if caught else None):
        with suppress(RuntimeError):  # it still runs: this one, and whoever called it
            frame.clear()


def _apart(work: Callable[[], None], call: Call) -> None:
    """Do native work in a thread of its own; it is cancelled with whoever waits for it.

    It minds the deadline itself, with its next chunk: whoever waits leaves a model that is free.
    """
    try:
        bounded(work, _NO_LIMIT)
    except BaseException:
        call.cancel()
        raise


# --- those of this process ------------------------------------------------------------------

_LOCK = threading.Lock()
_ENGINES: Final[dict[Hashable, Engine]] = {}
_forked = False


def engine(key: Hashable, make: Callable[[], Engine], holder: object) -> Engine:
    """The engine of this key; made if there is none.

    Args:
        key: Equal keys share an engine.
        make: Makes one that is not loaded.
        holder: Who needs it; see `release`.

    Raises:
        ForkedError: This process was forked from one in which an engine was loaded.
    """
    if _forked:
        raise ForkedError
    with _LOCK:
        if key not in _ENGINES:
            _ENGINES[key] = make()
        found = _ENGINES[key]
        found.holders.add(holder)
    return found


def release(key: Hashable, holder: object) -> None:
    """Give an engine up; it is closed when nobody else holds it."""
    with _LOCK:
        found = _ENGINES.get(key)
        if found is None:
            return
        found.holders.discard(holder)
        if found.holders:
            return
        del _ENGINES[key]
    found.close()


def _leave() -> None:
    """At the program's end: native threads that call back after it would abort the process."""
    with _LOCK:
        engines = [_ENGINES.pop(key) for key in list(_ENGINES)]
    for one in engines:
        one.close()


def _forget() -> None:
    """In a forked child."""
    global _LOCK, _forked  # noqa: PLW0603  # a process has one of each; the lock may be held
    _LOCK = threading.Lock()
    for one in _ENGINES.values():
        _forked = _forked or one.is_loaded
        one.abandon()
    _ENGINES.clear()


atexit.register(_leave)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
