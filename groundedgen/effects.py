"""What the flow asks of whoever drives it, and what it may be sent back.

A driver that waits for whole replies meets `Generate` and `Judge` only. One whose generator
streams answers `Generate` with `Streaming` and from then on is asked for `Next`, and told what
may be shown: the rules of that are the flow's, as all others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from groundedgen.errors import GenerationError, ProviderError
from groundedgen.values import Pair, Reply, Request, Statement

__all__ = [
    "Closed",
    "Drafted",
    "Effect",
    "Generate",
    "Interrupted",
    "Judge",
    "Next",
    "Outcome",
    "Show",
    "Streaming",
    "Withdraw",
]


@dataclass(frozen=True, slots=True)
class Generate:
    """Asks for a `Reply`, or the `GenerationError` that came instead, or says `Streaming`."""

    request: Request


@dataclass(frozen=True, slots=True)
class Judge:
    """Asks for one `Verdict` per pair, in order."""

    pairs: tuple[Pair, ...]


@dataclass(frozen=True, slots=True)
class Next:
    """Asks a driver that said `Streaming` for what came since.

    That is statements that have closed, in order; or `Interrupted`; or, last, the whole `Reply` or
    the `GenerationError` in its place. To ask on after `Interrupted` is to have the request sent
    again.
    """


@dataclass(frozen=True, slots=True)
class Drafted:
    """Tells of a statement that is whole but not checked. Not to be shown as anything else.

    Attributes:
        claim: Its number, from 1; no two of a call are equal.
        text: As drafted, our markers cut out.
    """

    claim: int
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Show:
    """Tells of the next statement of the answer. It is verified and is never taken back.

    `claim` is the number it was `Drafted` with, or `None` if it was not.
    """

    statement: Statement
    claim: int | None = None


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Tells that a `Drafted` statement will not be shown."""

    claim: int


Effect = Generate | Judge | Next | Drafted | Show | Withdraw


@dataclass(frozen=True, slots=True)
class Streaming:
    """The reply will arrive in parts. `engine` is the generator's name, should it never end."""

    engine: str = ""


@dataclass(frozen=True, slots=True)
class Closed:
    """Statements that are whole in a reply that is still arriving: the JSON of each, in order."""

    statements: tuple[str, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Interrupted:
    """The reply broke off in passing: what came of it is void, unless it was shown."""

    error: ProviderError


Outcome = Reply | GenerationError | Streaming | Closed | Interrupted | Sequence[object] | None
