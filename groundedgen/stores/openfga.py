"""Permissions from an OpenFGA server, by its own SDK. Needs the extra `openfga`.

One batch check a call (the SDK splits what is larger than the server's limit), always with
`HIGHER_CONSISTENCY`, so that the server does not answer from its cache. Needs a server that
knows batch checks (OpenFGA 1.8 or newer).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from groundedgen.deadlines import bounded, remaining
from groundedgen.errors import InputError, MissingExtraError
from groundedgen.patterns import compiled

try:
    from openfga_sdk.client.client import OpenFgaClient as AsyncClient
    from openfga_sdk.client.models.batch_check_item import ClientBatchCheckItem
    from openfga_sdk.client.models.batch_check_request import ClientBatchCheckRequest
    from openfga_sdk.models.consistency_preference import ConsistencyPreference
    from openfga_sdk.sync import OpenFgaClient
except ImportError as error:
    raise MissingExtraError("permissions from OpenFGA", extra="openfga") from error

__all__ = ["AsyncOpenFGAAuthorizer", "OpenFGAAuthorizer"]

#: What the server takes: https://openfga.dev/docs/concepts, "type:id". One that does not fit
#: would have the server refuse the whole batch.
_OBJECT: Final = compiled(r"[^\s:#@]{1,254}:[^\s:#]{1,256}")
_USER: Final = compiled(r"[^\s:#@]{1,254}:[^\s:#*]{1,512}")
_NOT_CACHED: Final = {"consistency": ConsistencyPreference.HIGHER_CONSISTENCY}


class _Authorizer:
    """Who is asked about what, in OpenFGA's words.

    Args:
        client: The caller's client, used as it is: its address, store, model, credentials
            and retries.
        relation: The relation that lets a reader open a source.
        object_of: Passage id -> object, such as `"document:lease"`. Ids often hold a `#` where
            a document is cut into passages, which OpenFGA does not take: cut it off here. An id
            whose object does not fit is denied.
        user_of: Reader -> user, such as `"user:ann"`. Left out, `user:` and the reader, which
            must then be a string.
        timeout: Seconds one call may take; `None` leaves it to the client and to `render`.

    Raises:
        InputError: The client is none, or is of the other kind.
    """

    _kind: type[Any]
    _wanted: str

    def __init__(
        self,
        client: Any,
        *,
        relation: str = "viewer",
        object_of: Callable[[str], str] = "document:{}".format,
        user_of: Callable[[Any], str] | None = None,
        timeout: float | None = 5.0,
    ) -> None:
        if not isinstance(client, self._kind):
            raise InputError(
                f"client= must be an {self._wanted}, got {type(client).__name__}", code="bad_type"
            )
        self.client = client
        self.relation = relation
        self.object_of = object_of
        self.user_of = user_of or _user
        self.timeout = timeout

    def _asked(self, ids: Sequence[str], reader: object) -> tuple[str, dict[str, list[str]]]:
        """The user, and object -> the ids that stand for it: many are pieces of one document."""
        user = self.user_of(reader)
        if not isinstance(user, str) or not _USER.fullmatch(user):
            raise InputError(
                "the reader has no name that OpenFGA knows, such as user:ann; give the "
                "authorizer a function user_of=",
                code="bad_type",
            )
        objects: dict[str, list[str]] = {}
        for name in ids:
            found = self.object_of(name)
            if isinstance(found, str) and _OBJECT.fullmatch(found):
                objects.setdefault(found, []).append(name)
        return user, objects

    def _request(self, user: str, objects: Iterable[str]) -> ClientBatchCheckRequest:
        return ClientBatchCheckRequest(
            [
                ClientBatchCheckItem(user, self.relation, found, correlation_id=str(place))
                for place, found in enumerate(objects)
            ]
        )


class OpenFGAAuthorizer(_Authorizer):
    """Lets a reader open what an OpenFGA server says they may; `openfga_sdk.sync.OpenFgaClient`."""

    _kind, _wanted = OpenFgaClient, "openfga_sdk.sync.OpenFgaClient"

    def authorize(self, ids: Sequence[str], reader: Any) -> dict[str, bool]:
        """Id -> whether `reader` may open it; an id that the server says nothing of is left out.

        Raises:
            OverdueError: There was no reply in time. What the SDK raises is raised here.
        """
        user, objects = self._asked(ids, reader)
        if not objects:
            return {}
        request = self._request(user, objects)
        reply = bounded(
            lambda: self.client.batch_check(request, dict(_NOT_CACHED)), remaining(self.timeout)
        )
        return _verdicts(objects, reply)


class AsyncOpenFGAAuthorizer(_Authorizer):
    """`OpenFGAAuthorizer` over the SDK's asynchronous client, `openfga_sdk.OpenFgaClient`."""

    _kind, _wanted = AsyncClient, "openfga_sdk.OpenFgaClient"

    async def aauthorize(self, ids: Sequence[str], reader: Any) -> dict[str, bool]:
        """Id -> whether `reader` may open it; an id that the server says nothing of is left out.

        Raises:
            TimeoutError: There was no reply in time. What the SDK raises is raised here.
        """
        import asyncio  # noqa: PLC0415  # who awaits has it already; others would pay 50 ms

        user, objects = self._asked(ids, reader)
        if not objects:
            return {}
        async with asyncio.timeout(remaining(self.timeout)):
            reply = await self.client.batch_check(self._request(user, objects), dict(_NOT_CACHED))
        return _verdicts(objects, reply)


def _verdicts(objects: dict[str, list[str]], reply: Any) -> dict[str, bool]:
    """What the server says, by our ids. A check that failed permits nothing."""
    by_place = dict(enumerate(objects.values()))
    return {
        name: result.allowed is True and result.error is None
        for result in reply.result
        for name in by_place[int(result.correlation_id)]
    }


def _user(reader: object) -> str:
    return f"user:{reader}" if isinstance(reader, str) else ""
