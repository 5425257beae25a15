"""What can go wrong with a program, as opposed to a statement that failed a check.

A failed check is data (a `Finding` on the answer). A failed program is an
exception out of this tree::

    GroundedgenError
    ├── InputError (ValueError)          the caller's arguments; nothing was generated
    ├── PolicyError (ValueError)         a policy with an unknown or impossible setting
    ├── MissingExtraError (ImportError)  an optional part is not installed; names the extra
    └── GenerationError (RuntimeError)   the generator gave no usable draft
        ├── ProviderError                the service failed; knows `retryable` and a `hint`
        ├── RefusedError                 the model, or a filter, declined
        ├── TruncatedError               the reply was cut off at a length limit
        ├── DraftFormatError             the reply is not the agreed shape
        └── DeadlineError (TimeoutError) there was no draft before the deadline of the call

Every class is also the builtin a caller would catch anyway. Messages hold ids,
lengths and offsets, never the text of a passage or of a model's reply.
"""

from __future__ import annotations

from typing import Any

__all__ = [
    "DeadlineError",
    "DraftFormatError",
    "GenerationError",
    "GroundedgenError",
    "InputError",
    "MissingExtraError",
    "PolicyError",
    "ProviderError",
    "RefusedError",
    "TruncatedError",
]


class GroundedgenError(Exception):
    """The root of all errors this library raises on purpose.

    Pickled, as between the processes of a pool, an error keeps all but an SDK's own exception:
    that may hold what was sent, and often cannot be unpickled.
    """

    def __reduce__(self) -> tuple[Any, ...]:
        kept = {name: value for name, value in vars(self).items() if name != "original"}
        return _made_again, (type(self), self.args, kept)


def _made_again(
    kind: type[GroundedgenError], args: tuple[Any, ...], kept: dict[str, Any]
) -> GroundedgenError:
    # Python makes a TimeoutError, which is an OSError, only by that class's own means.
    made = OSError.__new__ if issubclass(kind, OSError) else kind.__new__
    error: GroundedgenError = made(kind, *args)
    error.args = args
    vars(error).update(kept)
    return error


class InputError(GroundedgenError, ValueError):
    """An argument cannot be used; the message names the item, the value and the way out.

    Attributes:
        code: A stable lower-case name for programs: `no_passages`, `duplicate_id`,
            `missing_field`, `bad_type`, `blank_question`, `unknown_model`, ...
    """

    def __init__(self, message: str, *, code: str = "bad_input") -> None:
        super().__init__(message)
        self.code = code


class PolicyError(GroundedgenError, ValueError):
    """A policy holds an unknown setting or a value out of its range."""


class MissingExtraError(GroundedgenError, ImportError):
    """An optional part of the library is not installed.

    Attributes:
        extra: The name to install, as in `pip install 'groundedgen[cli]'`.
    """

    def __init__(self, what: str, *, extra: str) -> None:
        super().__init__(f"{what} needs an optional part: pip install 'groundedgen[{extra}]'")
        self.extra = extra


class GenerationError(GroundedgenError, RuntimeError):
    """The generator gave no usable draft.

    Attributes:
        wasted: Tokens that the failed request cost all the same (`values.Usage`), where the
            generator that raises this knows; else `None`.
        response_format: How the form of the reply was asked for (see `values.Reply`), where the
            generator that raises this knows; else "".
        usage: What `ask` adds: the tokens of the whole call (`values.Usage`).
        attempts: What `ask` adds: the drafts it had asked for.
        trace: What `ask` adds: the steps taken (`values.TraceEvent`), without any text.
    """

    original: BaseException | None = None
    wasted: Any = None
    response_format: Any = ""
    usage: Any = None
    attempts: int = 0
    trace: tuple[Any, ...] = ()


class ProviderError(GenerationError):
    """The service behind a generator or judge failed.

    Attributes:
        retryable: Whether the same request may succeed later (429, 5xx, connection).
        hint: What a person can do about it; also added as a note under the traceback.
        status: The HTTP status, if there was one.
        retry_after: Seconds the service asks to wait, if it says so.
        original: The SDK's own exception, for debugging. Not chained: its message may hold
            what was sent, and tracebacks end up in logs.
    """

    def __init__(
        self,
        message: str,
        *,
        retryable: bool = False,
        hint: str = "",
        status: int | None = None,
        retry_after: float | None = None,
        original: BaseException | None = None,
    ) -> None:
        super().__init__(message)
        self.retryable = retryable
        self.hint = hint
        self.status = status
        self.retry_after = retry_after
        self.original = original
        if hint:
            self.add_note(hint)


class RefusedError(GenerationError):
    """The model declined, or a content filter stopped it. Asking again is pointless."""


class TruncatedError(GenerationError):
    """The reply was cut off at a length limit; what arrived is never repaired or shown."""


class DraftFormatError(GenerationError):
    """The reply is not the agreed JSON shape; nothing in it is guessed at."""


class DeadlineError(GenerationError, TimeoutError):
    """There was no draft before the deadline of the call (`timeout=`); nothing was shown."""
