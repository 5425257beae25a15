"""Clients that instructor has patched: what is known of instructor itself, and one call of it.

Its retries are off, and those of the SDK below it wherever they can be turned off.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import lru_cache, partial
from operator import attrgetter
from typing import Any, Final, Self

from pydantic import BaseModel, create_model

from groundedgen.draft import plain_json_schema
from groundedgen.errors import InputError, MissingExtraError
from groundedgen.generators.transport.clients import Clients, Given, Own, kept, without_retries
from groundedgen.generators.transport.quiet import quietly
from groundedgen.generators.transport.settings import of_the_environment, unbuilt
from groundedgen.generators.transport.timing import atimed, timed
from groundedgen.generators.transport.unwarned import aunwarned, unwarned
from groundedgen.values import ResponseFormat

try:
    import instructor
    from instructor import OpenAISchema
    from instructor.auto_client import supported_providers
    from instructor.core import Hooks, InstructorError, InstructorRetryException
except ImportError as error:
    raise MissingExtraError("a model that instructor reaches", extra="instructor") from error

with suppress(ImportError):  # where it is installed, instructor imports it over an odd reply
    import anthropic.types  # noqa: F401  # now, and not in the time of a request

__all__ = [
    "SUPPORTED",
    "Seen",
    "asent",
    "clients",
    "own_clients",
    "provider",
    "response_format",
    "sent",
    "shown",
    "unwrapped",
]

SUPPORTED: Final = tuple(supported_providers)
"""The providers of which instructor builds clients."""


def clients(client: Any, *, named: bool) -> Clients:
    """Where an adapter gets a client from that was given to it.

    Args:
        client: What was given.
        named: Whether a model's name was, too.

    Raises:
        InputError: It is none of instructor's, or has a mode of several answers.
    """
    if isinstance(client, Own):
        return client
    if not isinstance(client, instructor.Instructor):  # the asynchronous one is one too
        raise InputError(
            f"client must be patched by instructor, as instructor.from_openai(client) is; "
            f"got {type(client).__name__}",
            code="bad_type",
        )
    if "parallel" in str(getattr(client.mode, "value", "")):
        raise InputError(
            "client has a mode of several answers at once; patch it with another, such as "
            "instructor.Mode.TOOLS",
            code="bad_mode",
        )
    once = _sending_once(client) if named or "model" in client.kwargs else client
    return Given(once, isinstance(client, instructor.AsyncInstructor))


#: Where SDKs have the method that instructor patches.
_CREATES: Final = ("chat.completions.create", "messages.create", "beta.messages.create")


def _sending_once(client: Any) -> Any:
    """The client, patched around a copy of its SDK's that sends a request once.

    Itself where the SDK has no retries, or where something else was patched than a method of it.
    """
    sdk, inner = client.client, getattr(client.create_fn, "__wrapped__", None)
    bare = without_retries(sdk) if getattr(sdk, "max_retries", 0) else sdk
    if bare is sdk:
        return client
    if isinstance(inner, partial) and inner.keywords.get("client") is sdk:
        create: Any = partial(inner.func, *inner.args, **{**inner.keywords, "client": bare})
    elif place := next((place for place in _CREATES if inner == _at(sdk, place)), None):
        create = _at(bare, place)
    else:
        return client
    patched: Any = instructor.patch(create=create, mode=client.mode, provider=client.provider)
    return type(client)(
        client=bare,
        create=patched,
        mode=client.mode,
        provider=client.provider,
        hooks=client.hooks,
        **client.kwargs,
    )


def _at(sdk: Any, place: str) -> Any:
    """What an SDK's client has there; a marker of its own where it has nothing."""
    try:
        return attrgetter(place)(sdk)
    except AttributeError:
        return place


def provider(client: Any) -> str:
    """The provider of a client, as instructor calls it; "" if it is not known."""
    return str(getattr(getattr(client, "provider", None), "value", ""))


def response_format(client: Any) -> ResponseFormat:
    """How the form of a reply is asked for through a client, none of it strictly."""
    mode = str(getattr(client.mode, "value", ""))
    if "tool" in mode or "function" in mode:
        return "tool"
    if provider(client) == "anthropic" or "markdown" in mode:
        return "text"  # its modes of JSON are the prompt's alone
    return "json_schema" if "schema" in mode or "structured" in mode else "json_object"


class Seen:
    """What was seen of one request through instructor's hooks.

    Attributes:
        begun: It may have been sent.
        replies: What the provider replied, at most one.
    """

    def __init__(self) -> None:
        self.begun = False
        self.replies: list[Any] = []

    def begin(self, *_: Any, **__: Any) -> None:
        self.begun = True

    def hooks(self) -> Hooks:
        """What has instructor tell it."""
        hooks = Hooks()
        hooks.on("completion:kwargs", self.begin)
        hooks.on("completion:response", self.replies.append)
        return hooks


class _Shown(OpenAISchema):
    """A response model that shows another's schema and takes whatever comes, unread."""

    raw: str

    @classmethod
    def model_validate_json(cls, json_data: str | bytes | bytearray, **_: Any) -> Self:
        text = json_data if isinstance(json_data, str) else bytes(json_data).decode()
        return cls.model_construct(raw=text)

    @classmethod
    def model_validate(cls, obj: Any, **_: Any) -> Self:
        return cls.model_construct(raw=json.dumps(obj))


@lru_cache(maxsize=256)
def shown(schema: Any) -> type[_Shown]:
    """`schema` as instructor is to see it; the same class again for the same schema."""
    plain = {"title": schema.__name__, **plain_json_schema(schema)}

    def model_json_schema(_: type[BaseModel], *_given: Any, **_named: Any) -> dict[str, Any]:
        return copy.deepcopy(plain)

    made = create_model(schema.__name__, __base__=_Shown)
    made.model_json_schema = classmethod(model_json_schema)  # type: ignore[method-assign,assignment]  # as a subclass's own
    return made


def sent(call: Callable[[], Any], seen: Seen, seconds: float | None) -> object:
    """What instructor made of the reply, or the exception in its place."""
    return _parsed(timed(partial(unwarned, call, lambda: seen.begun), seconds, _fails))


async def asent(call: Callable[[], Awaitable[Any]], seen: Seen, seconds: float | None) -> object:
    """`sent`, awaited."""
    return _parsed(await atimed(partial(aunwarned, call, lambda: seen.begun), seconds, _fails))


def _fails(error: Exception) -> bool:
    return isinstance(error, InstructorError | Warning)


def _parsed(outcome: Any) -> object:
    if isinstance(outcome, BaseException):
        return outcome
    parsed, _ = outcome
    return parsed


def unwrapped(error: BaseException) -> BaseException:
    """The provider's exception, where instructor has put one of its own round it."""
    wrapped = isinstance(error, InstructorRetryException)
    return (wrapped and error.__cause__) or error


def own_clients(name: str) -> Own:
    """Clients of our own for a model string, built by `from_provider` when first needed."""
    return kept(_own, name)


def _own(name: str) -> Own:
    built = partial(_built, name)
    return Own(
        partial(built, asynchronous=False),
        partial(built, asynchronous=True),
        prepare=partial(built, asynchronous=False),  # which imports the provider's SDK
    )


def _built(name: str, *, asynchronous: bool) -> Any:
    try:
        with quietly():
            make = partial(instructor.from_provider, name, async_client=asynchronous)
            client = unwarned(make)
    except Exception as error:  # noqa: BLE001  # any of twenty SDKs, each with its own
        told = of_the_environment(error, name) or unbuilt(error, name)
    else:
        if getattr(client.client, "max_retries", 0):
            client.client.max_retries = 0  # our own client: the retries are ours
        return client
    raise told  # not while the SDK's own is handled: it would be its context
