"""Any model that instructor reaches: a client it has patched, or a name for `from_provider`.

Of instructor only the way to a provider is used: how a schema is sent there. It sends none
strictly, so nothing binds the sources. Its retries are off; its `context=` is not used, since it
renders passages as templates, nor its checks of citations, since they edit quotes until
they fit. It is handed a model that shows the schema and takes whatever comes, so that each
reply reaches `draft` as it was written and one bad source fails one statement.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from groundedgen.deadlines import OverdueError, remaining
from groundedgen.errors import InputError
from groundedgen.generators.patched import (
    SUPPORTED,
    Seen,
    asent,
    clients,
    own_clients,
    provider,
    response_format,
    sent,
    shown,
    unwrapped,
)
from groundedgen.generators.replies.completions import sendable
from groundedgen.generators.replies.othershapes import read_any, read_message
from groundedgen.generators.retrying import ATTEMPTS
from groundedgen.generators.transport.clients import check_limits
from groundedgen.generators.transport.failures import failure
from groundedgen.generators.transport.hosted import Hosted
from groundedgen.generators.transport.quiet import quietly
from groundedgen.generators.transport.unwarned import warned
from groundedgen.ports import Reply, Request
from groundedgen.resolve import PROVIDERS

__all__ = ["InstructorGenerator", "from_name"]

#: Arguments of a request that are ours: what is sent, that it is sent once, and that passages are
#: no templates.
_OURS: Final = frozenset(
    {"context", "hooks", "max_retries", "messages", "response_model", "stream", "timeout"}
)
_LONGEST_REPLY: Final = 4096  # tokens; Anthropic's API wants a limit, and from_provider sets this


class InstructorGenerator(Hosted):
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

    >>> import instructor, openai
    >>> client = instructor.from_openai(openai.OpenAI(api_key="..."))
    >>> InstructorGenerator(client, "gpt-5-mini").name
    'instructor/openai/gpt-5-mini'
    """

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
        super().__init__(
            name or "/".join(filter(None, ("instructor", provider(client), model))),
            timeout=check_limits(timeout, attempts),
            attempts=attempts,
            clients=clients(client, named=model is not None),
        )
        given = {"model": model, "max_tokens": max_tokens, "temperature": temperature}
        self._options = {key: value for key, value in given.items() if value is not None}
        self._options |= _free(options or {})

    def _exchange(self, client: Any, request: Request) -> _Exchange:
        return _Exchange(
            partial(self._asked, client, request), partial(self._aasked, client, request)
        )

    def _tries(self, client: Any) -> int:
        return 1 if getattr(client.client, "max_retries", 0) else self._attempts

    def _asked(self, client: Any, request: Request) -> Reply:
        seconds, seen = remaining(most=self._timeout), Seen()
        call = partial(client.create_with_completion, **self._body(client, request, seen, seconds))
        with quietly():
            outcome = sent(call, seen, seconds)
        return self._read(outcome, seen, client)

    async def _aasked(self, client: Any, request: Request) -> Reply:
        seconds, seen = remaining(most=self._timeout), Seen()
        call = partial(client.create_with_completion, **self._body(client, request, seen, seconds))
        with quietly():
            outcome = await asent(call, seen, seconds)
        return self._read(outcome, seen, client)

    def _body(
        self, client: Any, request: Request, seen: Seen, seconds: float | None
    ) -> dict[str, Any]:
        """The arguments of one call; what the provider replies is put into `seen`."""
        schema: Any = request.schema
        body: dict[str, Any] = {
            "messages": [
                {"role": "system", "content": sendable(request.prompt.system)},
                {"role": "user", "content": sendable(request.prompt.user)},
            ],
            "response_model": shown(schema),
            "max_retries": 0,
            "hooks": seen.hooks(),
            **self._options,
        }
        if "cache" in client.kwargs:  # it would keep a reply by our names of its fields
            body["cache"] = None
        if hasattr(client.client, "with_options"):  # the SDKs that know this argument
            body["timeout"] = seconds
        if provider(client) == "anthropic" and "max_tokens" not in client.kwargs:
            body.setdefault("max_tokens", _LONGEST_REPLY)
        return body

    def _read(self, outcome: object, seen: Seen, client: Any) -> Reply:
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
            raise _instead(unwrapped(outcome), self.name)
        if seen.replies:
            said = read_any(seen.replies[-1], self.name)
        else:
            said = read_message(None, self.name)
        return Reply(
            said.raw if said.raw is not None else getattr(outcome, "raw", None),
            finish_reason=said.finish_reason,
            refusal=said.refusal,
            usage=said.usage,
            engine=self.name,
            constraint="none",
            response_format=response_format(client),
        )


@dataclass(frozen=True, slots=True)
class _Exchange:
    """A request whose tries know nothing of each other."""

    asked: Callable[[], Reply]
    aasked: Callable[[], Awaitable[Reply]]


def _instead(error: BaseException, who: str) -> Exception:
    """What to raise for what came in place of a reply."""
    return warned(error, who) if isinstance(error, Warning) else failure(error, who)


def _free(options: Mapping[str, Any]) -> Mapping[str, Any]:
    if taken := sorted(_OURS & options.keys()):
        raise InputError(
            f"options must not set {', '.join(taken)}; the generator does so itself, and timeout= "
            f"and attempts= are arguments of its own",
            code="bad_options",
        )
    return options


class _Named(InstructorGenerator):
    """A model string: clients built by `from_provider` when first needed."""

    def __init__(self, name: str) -> None:
        super().__init__(own_clients(name), name=name)


def from_name(name: str) -> InstructorGenerator:
    """The generator of a model string that no other adapter knows, "PROVIDER/MODEL".

    The provider's SDK reads its own environment for keys, when it is first needed.

    Raises:
        InputError: Instructor does not know the provider, or the string holds an address.

    >>> from_name("google/gemini-2.5-flash").name
    'google/gemini-2.5-flash'
    """
    named, _, model = name.partition("/")
    if named not in SUPPORTED or not model:
        ours, others = sorted(PROVIDERS), sorted({*SUPPORTED} - PROVIDERS.keys())
        raise InputError(
            f"unknown model {name!r}; there are {', '.join(ours)}, and instructor reaches "
            f"{', '.join(others)}; any server that speaks OpenAI's protocol is openai/MODEL@URL",
            code="unknown_model",
        )
    if "@http" in model:
        raise InputError(
            f"{named}/MODEL takes no address; for a server of that kind write openai/MODEL@URL",
            code="unknown_model",
        )
    return _Named(name)
