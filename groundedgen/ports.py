"""What the outside must offer: protocols small enough to meet with ten lines of one's own.

Each comes in a synchronous and an asynchronous form. A part needs only one of the
two for `aask` (a synchronous one then runs in a worker thread); `ask` needs the
synchronous one.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator as AsyncGeneratorType
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from groundedgen.errors import ProviderError
from groundedgen.values import Judged, Pair, Prompt, Reply, Request, TraceEvent, Usage, Verdict

__all__ = [
    "AsyncAuthorizer",
    "AsyncGenerator",
    "AsyncJudge",
    "AsyncSourceStore",
    "AsyncStreamingGenerator",
    "Authorizer",
    "Generator",
    "Judge",
    "Judged",
    "Pair",
    "Prompt",
    "Recorder",
    "Reply",
    "Request",
    "SourceCard",
    "SourceStore",
    "Usage",
    "Verdict",
]


@runtime_checkable
class Generator(Protocol):
    """Writes a draft. Reports how the reply ended; judges nothing, repairs nothing.

    Raises `ProviderError` when the service behind it fails. `request.schema` says what the
    reply looks like; an optional attribute `only_drafts` (bool) declares that it writes nothing
    but drafts, whatever the schema, so that it cannot serve as a judge.
    """

    def generate(self, request: Request) -> Reply: ...


@runtime_checkable
class AsyncGenerator(Protocol):
    """`Generator`, awaited."""

    async def agenerate(self, request: Request) -> Reply: ...


@runtime_checkable
class AsyncStreamingGenerator(Protocol):
    """A generator whose reply can be read while it arrives.

    Yields what is said (the text of `Reply.raw`, in parts, possibly none) and last exactly one
    `Reply` that holds all of it. A `ProviderError` that is yielded, not raised, says that the reply
    broke off and that all before is void: whoever asks on has the request sent again. Raises like
    `agenerate`. Closing it, or cancelling whoever reads it, closes the connection.
    """

    def astream(
        self, request: Request
    ) -> AsyncGeneratorType[str | ProviderError | Reply, None]: ...


@runtime_checkable
class Judge(Protocol):
    """Says of each pair whether the premise entails the claim.

    Returns exactly one verdict per pair, in order; with one too many or too few, none counts.
    An optional attribute `window` (int, code points) declares the longest premise it reads whole.
    A judge that knows what its calls cost returns `Judged`, and the answer counts them.
    """

    def judge(self, pairs: Sequence[Pair]) -> Sequence[Verdict]: ...


@runtime_checkable
class AsyncJudge(Protocol):
    """`Judge`, awaited."""

    async def ajudge(self, pairs: Sequence[Pair]) -> Sequence[Verdict]: ...


@dataclass(frozen=True, slots=True)
class SourceCard:
    """What one reader may see of one source.

    `url` becomes a link only if it is http or https.
    """

    id: str
    title: str | None = None
    url: str | None = None
    date: str | None = None
    page: int | None = None


@runtime_checkable
class SourceStore(Protocol):
    """Returns cards only for those of `ids` that `reader` may open right now.

    An id that is left out is denied. An exception denies all of them.
    """

    def get(self, ids: Sequence[str], reader: Any) -> Mapping[str, SourceCard]: ...


@runtime_checkable
class AsyncSourceStore(Protocol):
    """`SourceStore`, awaited."""

    async def aget(self, ids: Sequence[str], reader: Any) -> Mapping[str, SourceCard]: ...


@runtime_checkable
class Authorizer(Protocol):
    """Returns those of `ids` that `reader` may open right now, or a mapping of id to bool.

    For hosts whose permissions live elsewhere than their cards; see `stores.authorized`. An id
    that is left out is denied; in a mapping, only `True` permits. An exception denies all.
    """

    def authorize(
        self, ids: Sequence[str], reader: Any
    ) -> Collection[str] | Mapping[str, bool]: ...


@runtime_checkable
class AsyncAuthorizer(Protocol):
    """`Authorizer`, awaited."""

    async def aauthorize(
        self, ids: Sequence[str], reader: Any
    ) -> Collection[str] | Mapping[str, bool]: ...


@runtime_checkable
class Recorder(Protocol):
    """Is told every trace event after the answer is complete."""

    def record(self, event: TraceEvent) -> None: ...
