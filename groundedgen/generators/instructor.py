"""Any model that instructor reaches: a client it has patched, or a name for `from_provider`.

Of instructor only the way to a provider is used: how a schema is sent there. It sends none
strictly, so nothing binds the sources. Its retries are off; its `context=` is not used, since it
renders passages as templates, nor its checks of citations, since they edit quotes until
they fit. It is handed a model that shows the schema and takes whatever comes, so that each
reply reaches `draft` as it was written and one bad source fails one statement.
"""

from __future__ import annotations

import asyncio
import copy
import json
import re
import warnings
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from functools import lru_cache, partial
from operator import attrgetter
from typing import Any, Final, Self

import regex
from pydantic import BaseModel, create_model

from groundedgen.deadlines import OverdueError, bounded, remaining, unblocked
from groundedgen.draft import plain_json_schema
from groundedgen.errors import InputError, MissingExtraError, ProviderError
from groundedgen.generators.replies.completions import read_completion, sendable
from groundedgen.generators.replies.othershapes import read_message
from groundedgen.generators.transport.clients import Clients, Given, Own, check_limits, kept
from groundedgen.generators.transport.cutting import cuttable
from groundedgen.generators.transport.failures import failure
from groundedgen.generators.transport.quiet import quietly
from groundedgen.generators.transport.settings import of_the_environment
from groundedgen.ports import Reply, Request
from groundedgen.resolve import PROVIDERS
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

from groundedgen.generators.retrying import ATTEMPTS, aretry, retry

__all__ = ["InstructorGenerator", "from_name"]

#: Arguments of a request that are ours: what is sent, that it is sent once, and that passages are
#: no templates.
_OURS: Final = frozenset(
    {"context", "hooks", "max_retries", "messages", "response_model", "stream", "timeout"}
)
_PACKAGE: Final = regex.compile(r"\bpip install [\"']?([\w.\[\]-]+)")
_VARIABLE: Final = regex.compile(r"\b[A-Z][A-Z0-9_]*_(?:KEY|TOKEN|ENDPOINT|HOST|PROJECT)\b")
_LONGEST_REPLY: Final = 4096  # tokens; Anthropic's API wants a limit, and from_provider sets this


class InstructorGenerator:
    """Asks a model through a client that instructor has patched.

    The client is used as given: its mode, its hooks, what it was patched with. Only the retries of
    its SDK are off in our requests, because they do not know the deadline of the call and go on
    after it was cancelled; ours do not. Where they cannot be turned off from here (a `create` of
    the caller's own around the SDK's, a model's name that only `from_...` was given, an SDK with
    settings of another kind) this adapter sends once, so that tries never multiply; make the SDK's
    client with `max_retries=0` then. What a provider sends is parsed by its SDK, however
    long it is: a body of many megabytes may hold a thread, or the event loop, beyond the deadline.

    Args:
        client: An `instructor.Instructor` (for `ask` and `aask`) or `AsyncInstructor` (for `aask`).
        model: The model's name; `None` where the client has been given one.
        name: What the answer names as its engine; "instructor/PROVIDER/MODEL" when left out.
        timeout: Seconds for one request, all of its reply included; more than 0.
        attempts: Requests at most for one draft where the provider fails in passing, 1 to 10.
        max_tokens: The most tokens of a reply; `None` leaves it to the provider.
        temperature: `None` sends none: some SDKs take no such argument.
        options: Further arguments of each request, as the provider's SDK calls them.

    Raises:
        InputError: An argument is out of its range, or the client is not instructor's.

    >>> import openai
    >>> client = instructor.from_openai(openai.OpenAI(api_key="..."))
    >>> InstructorGenerator(client, "gpt-5-mini").name
    'instructor/openai/gpt-5-mini'
    """

    concurrent = True

    def __init__(
        self,
        client: Any,
        model: str | None = None,
        *,
        name: str | None = None,
        timeout: float = 60.0,
        attempts: int = ATTEMPTS,
        max_tokens: int | None = None,
        temperature: float | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        self._timeout, self._attempts = check_limits(timeout, attempts), attempts
        self._clients = _clients(client, named=model is not None)
        self.name = name or "/".join(filter(None, ("instructor", _provider(client), model)))
        given = {"model": model, "max_tokens": max_tokens, "temperature": temperature}
        self._options = {key: value for key, value in given.items() if value is not None}
        self._options |= _free(options or {})

    def generate(self, request: Request) -> Reply:
        """One reply.

        Raises:
            InputError: The client is asynchronous; use `aask`.
            ProviderError: The provider failed, also after the last attempt.
        """
        client = self._clients.sync()
        return retry(lambda: self._asked(client, request), self._tries(client))

    async def agenerate(self, request: Request) -> Reply:
        """One reply, awaited; with a synchronous client, from a thread of its own.

        Raises:
            ProviderError: The provider failed, also after the last attempt.
        """
        async with self._clients.opened() as client:
            if client is None:
                return await unblocked(lambda: self.generate(request))
            return await aretry(lambda: self._aasked(client, request), self._tries(client))

    def _asked(self, client: Any, request: Request) -> Reply:
        seconds, seen = remaining(most=self._timeout), _Seen()
        call = partial(client.create_with_completion, **self._body(client, request, seen, seconds))
        with quietly():
            outcome = _sent(call, seen, seconds)
        return self._read(outcome, seen, client)

    async def _aasked(self, client: Any, request: Request) -> Reply:
        seconds, seen = remaining(most=self._timeout), _Seen()
        call = partial(client.create_with_completion, **self._body(client, request, seen, seconds))
        with quietly():
            outcome = await _asent(call, seen, seconds)
        return self._read(outcome, seen, client)

    def _body(
        self, client: Any, request: Request, seen: _Seen, seconds: float | None
    ) -> dict[str, Any]:
        """The arguments of one call; what the provider replies is put into `seen`."""
        schema: Any = request.schema
        hooks = Hooks()
        hooks.on("completion:kwargs", seen.begin)
        hooks.on("completion:response", seen.replies.append)
        body: dict[str, Any] = {
            "messages": [
                {"role": "system", "content": sendable(request.prompt.system)},
                {"role": "user", "content": sendable(request.prompt.user)},
            ],
            "response_model": _shown(schema),
            "max_retries": 0,
            "hooks": hooks,
            **self._options,
        }
        if "cache" in client.kwargs:  # it would keep a reply by our names of its fields
            body["cache"] = None
        if hasattr(client.client, "with_options"):  # the SDKs that know this argument
            body["timeout"] = seconds
        if _provider(client) == "anthropic" and "max_tokens" not in client.kwargs:
            body.setdefault("max_tokens", _LONGEST_REPLY)
        return body

    def _read(self, outcome: object, seen: _Seen, client: Any) -> Reply:
        """The reply; also where there was one and instructor had its own mind about it.

        Nothing of this happens while instructor's exception is handled: it would become the
        context of ours, and tracebacks would print every completion it holds.

        Raises:
            ProviderError: There was no reply.
            DraftFormatError: There were two that differ.
        """
        # What ends after it was given up is not heard: its connection was cut, and so its reply.
        unheard = isinstance(outcome, OverdueError) or not seen.replies
        if unheard and isinstance(outcome, BaseException):
            wrapped = isinstance(outcome, InstructorRetryException)
            raise _instead((wrapped and outcome.__cause__) or outcome, self.name)
        completion = seen.replies[-1] if seen.replies else None
        odd = completion is None or isinstance(completion, str)
        if seen.replies and (odd or _has_choices(completion)):
            said = read_completion(completion, self.name, tools=True)
        else:
            said = read_message(completion, self.name)
        return Reply(
            said.raw if said.raw is not None else getattr(outcome, "raw", None),
            finish_reason=said.finish_reason,
            refusal=said.refusal,
            usage=said.usage,
            engine=self.name,
            constraint="none",
            response_format=_form(client),
        )

    def _tries(self, client: Any) -> int:
        return 1 if getattr(client.client, "max_retries", 0) else self._attempts


class _Seen:
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
def _shown(schema: Any) -> type[_Shown]:
    """`schema` as instructor is to see it; the same class again for the same schema."""
    shown = {"title": schema.__name__, **plain_json_schema(schema)}

    def model_json_schema(_: type[BaseModel], *_given: Any, **_named: Any) -> dict[str, Any]:
        return copy.deepcopy(shown)

    made = create_model(schema.__name__, __base__=_Shown)
    made.model_json_schema = classmethod(model_json_schema)  # type: ignore[method-assign,assignment]  # as a subclass's own
    return made


def _has_choices(completion: object) -> bool:
    known = completion if isinstance(completion, dict) else dir(completion)
    return "choices" in known


def _sent(call: Callable[[], Any], seen: _Seen, seconds: float | None) -> object:
    """What instructor made of the reply, or the exception in its place."""
    try:
        parsed, _ = bounded(cuttable(partial(_unwarned, call, seen)), seconds)
    except (InstructorError, OverdueError, Warning) as error:
        return error
    return parsed


async def _asent(call: Callable[[], Awaitable[Any]], seen: _Seen, seconds: float | None) -> object:
    """`_sent`, awaited."""
    clock = asyncio.timeout(seconds)
    try:
        async with clock:
            parsed, _ = await _aunwarned(call, seen)
    except (InstructorError, Warning) as error:
        return error
    except TimeoutError as error:
        if clock.expired():
            return error
        raise
    return parsed


def _unwarned(call: Callable[[], Any], seen: _Seen) -> Any:
    """`call`, also where warnings are errors: instructor warns of modes, not of us.

    Only while nothing was sent, since a request costs, and a second one may say something else.

    Not `warnings.catch_warnings`: it changes the filters of all threads and puts them back in
    any order. One filter for this very text does no harm to anything else.
    """
    for _ in range(8):
        try:
            return call()
        except Warning as warning:
            if seen.begun:
                raise
            _ignore(warning)
    return call()


async def _aunwarned(call: Callable[[], Awaitable[Any]], seen: _Seen) -> Any:
    """`_unwarned`, awaited."""
    for _ in range(8):
        try:
            return await call()
        except Warning as warning:
            if seen.begun:
                raise
            _ignore(warning)
    return await call()


def _ignore(warning: Warning) -> None:
    warnings.filterwarnings("ignore", re.escape(str(warning)), type(warning))


def _instead(error: BaseException, who: str) -> Exception:
    """What to raise for what came in place of a reply."""
    if not isinstance(error, Warning):
        return failure(error, who)
    return ProviderError(
        f"{who}: there was a warning in place of a reply ({type(error).__name__})",
        hint="warnings are errors in this program; let those of this class pass, as "
        "warnings.filterwarnings does, or do what it asks for (`original` is the warning)",
        original=error,
    )


def _free(options: Mapping[str, Any]) -> Mapping[str, Any]:
    if taken := sorted(_OURS & options.keys()):
        raise InputError(
            f"options must not set {', '.join(taken)}; the generator does so itself, and timeout= "
            f"and attempts= are arguments of its own",
            code="bad_options",
        )
    return options


def _clients(client: Any, *, named: bool) -> Clients:
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
    sdk, sent = client.client, getattr(client.create_fn, "__wrapped__", None)
    if not getattr(sdk, "max_retries", 0) or not callable(getattr(sdk, "with_options", None)):
        return client
    bare = sdk.with_options(max_retries=0)
    if isinstance(sent, partial) and sent.keywords.get("client") is sdk:
        create: Any = partial(sent.func, *sent.args, **{**sent.keywords, "client": bare})
    elif place := next((place for place in _CREATES if sent == _at(sdk, place)), None):
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


def _provider(client: Any) -> str:
    return str(getattr(getattr(client, "provider", None), "value", ""))


def _form(client: Any) -> ResponseFormat:
    """What was sent, none of it strict."""
    mode, provider = str(getattr(client.mode, "value", "")), _provider(client)
    if "tool" in mode or "function" in mode:
        return "tool"
    if provider == "anthropic" or "markdown" in mode:
        return "text"  # its modes of JSON are the prompt's alone
    return "json_schema" if "schema" in mode or "structured" in mode else "json_object"


class _Named(InstructorGenerator):
    """A model string: clients built by `from_provider` when first needed."""

    def __init__(self, name: str) -> None:
        super().__init__(kept(_own, name), name=name)


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
            client = _unwarned(make, _Seen())
    except Exception as error:  # noqa: BLE001  # any of twenty SDKs, each with its own
        told = of_the_environment(error, name) or _unbuilt(name, error)
    else:
        if getattr(client.client, "max_retries", 0):
            client.client.max_retries = 0  # our own client: the retries are ours
        return client
    raise told  # not while the SDK's own is handled: it would be its context


def _unbuilt(name: str, error: Exception) -> ProviderError:
    """What to raise for a client that could not be built; names the package and the variables."""
    package, wanted = _PACKAGE.search(str(error)), dict.fromkeys(_VARIABLE.findall(str(error)))
    install = f" (pip install '{package[1]}')" if package else ""
    variables = f": {', '.join(wanted)}" if wanted else ""
    return ProviderError(
        f"{name}: instructor could not build its client ({type(error).__name__})",
        hint=f"install the provider's own SDK{install} and set its key{variables}",
        original=error,
    )


def from_name(name: str) -> InstructorGenerator:
    """The generator of a model string that no other adapter knows, "PROVIDER/MODEL".

    The provider's SDK reads its own environment for keys, when it is first needed.

    Raises:
        InputError: Instructor does not know the provider, or the string holds an address.

    >>> from_name("google/gemini-2.5-flash").name
    'google/gemini-2.5-flash'
    """
    provider, _, model = name.partition("/")
    if provider not in supported_providers or not model:
        ours, others = sorted(PROVIDERS), sorted({*supported_providers} - PROVIDERS.keys())
        raise InputError(
            f"unknown model {name!r}; there are {', '.join(ours)}, and instructor reaches "
            f"{', '.join(others)}; any server that speaks OpenAI's protocol is openai/MODEL@URL",
            code="unknown_model",
        )
    if "@http" in model:
        raise InputError(
            f"{provider}/MODEL takes no address; for a server of that kind write openai/MODEL@URL",
            code="unknown_model",
        )
    return _Named(name)
