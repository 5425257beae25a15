"""Any server that speaks OpenAI's chat completions, through OpenAI's own client.

The strictest form the server takes is asked for. A hosted one is sent a strict JSON schema in
which the sources are an enum, else any JSON object, else the prompt alone (see `ladder`); never
a passage's text outside of the prompt, since hosts may keep schemas. A server of one's own is
asked once what it obeys (see `servers`) and then bound as tightly as that (see `rungs`). Each
reply's raw text is kept as it came; reading it is the business of `draft`.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncGenerator as AsyncIterating
from collections.abc import Callable, Iterator, Mapping
from contextlib import aclosing, contextmanager
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import regex

from groundedgen.deadlines import OverdueError, awaited, bounded, remaining, unblocked
from groundedgen.errors import (
    DeadlineError,
    GenerationError,
    InputError,
    MissingExtraError,
    ProviderError,
)
from groundedgen.generators.chat.driving import adriven, astep, driven
from groundedgen.generators.chat.sending import Outcome, Sending, Settings
from groundedgen.generators.chat.servers import Known, known_of
from groundedgen.generators.constrained.ladder import RUNGS, Form, Learned, Rung
from groundedgen.generators.constrained.probes import Found
from groundedgen.generators.replies.deltas import Arriving, broke, kind_of, reading, whole_of
from groundedgen.generators.transport.addresses import checked
from groundedgen.generators.transport.bodies import (
    BodyTooLongError,
    acounting,
    begins_as_events,
    counted,
    counting,
    is_broken_body,
    parsed,
)
from groundedgen.generators.transport.clients import Clients, Given, Own, check_limits, kept
from groundedgen.generators.transport.cutting import cuttable
from groundedgen.generators.transport.failures import status_of, words_of
from groundedgen.generators.transport.quiet import hushed
from groundedgen.generators.transport.settings import unproxied, untrusting
from groundedgen.ports import Reply, Request, Usage

try:
    import httpx2
    import openai
    import openai.resources.chat  # now, and not in the event loop of a request
except ImportError as error:
    raise MissingExtraError("a model behind OpenAI's API", extra="openai") from error

from groundedgen.generators.retrying import ATTEMPTS, Streamed, aretry, restream, retry
from groundedgen.generators.transport.tls import shared_context

__all__ = ["OpenAIGenerator", "from_name", "llamacpp", "ollama", "sglang", "vllm"]

_SDK: Final = str(Path(openai.__file__).parent)

#: What a request ends with that is no reply: the SDK's errors, and a header that cannot be sent.
_FAILED: Final = (openai.OpenAIError, UnicodeEncodeError, BodyTooLongError)
#: Statuses with which servers turn down a parameter.
_TURNED_DOWN: Final = frozenset({400, 404, 415, 422, 501})
_OF_STREAMING: Final = regex.compile(r"(?<![\w-])stream(?:ing|ed)?(?![\w-])")
_NO_KEY: Final = "none"  # what a server without keys is sent, since the SDK insists on one
#: Fields that say what a reply looks like, or how it is sent, in the words of all servers.
_OURS: Final = (
    "messages", "model", "stream", "response_format", "structured_outputs", "grammar", "ebnf",
    "regex", "json_schema", "structural_tag", "guided_json", "guided_grammar", "guided_regex",
    "guided_choice",
)  # fmt: skip


class OpenAIGenerator:
    """Asks a model through an OpenAI client, or one that is called like it.

    The client is used as given: its key, address, headers and hooks. Only its retries are off
    in our requests, because they do not know the deadline of the call; ours do. A reply of more
    than 8 MB, unpacked, is not read. Two things are not in our hands: the body of an error is read
    by the client itself, whole, and one that is only called like OpenAI's, or that another tool
    traces, parses what it is sent before we see it; either may then hold on to a thread, or the
    event loop, beyond the deadline.

    Args:
        client: An `openai.OpenAI` (for `ask` and `aask`) or an `openai.AsyncOpenAI` (for `aask`).
        model: The model's name at the server.
        name: What the answer names as its engine; "openai/MODEL" when left out.
        timeout: Seconds for one request, all of its reply included; more than 0.
        attempts: Requests at most for one draft where the server fails in passing, 1 to 10.
            Each step down to a form that the server takes is one more, once.
        own_server: The server is one's own: constraints that hold the passages' text may be
            sent to it. With its first request it is asked what it obeys, by two to ten short
            requests that count in `usage`; then source, quote and figures are bound as far as
            it does.
        response_format: How to ask for the form: "json_schema", "json_object" or "text", and
            nothing else then; `None` begins with the first and steps down where the server
            does not take it. Not together with `own_server`.
        max_tokens: The most tokens of a reply; `None` leaves it to the server. Too few of them
            and the draft is cut off, which is an error. Thinking counts.
        temperature: 0.0 for the most likely words; `None` sends none. Dropped for models that
            do not take one.
        extra_body: Further fields of each request, such as `prompt_cache_key`, `seed`,
            `reasoning_effort` or a server's own. None that sets the form of the reply
            (`response_format`, `grammar`, `structured_outputs`, ...): that is done here, and
            two of them in one request end in an error or in the one that nobody meant.

    Raises:
        InputError: An argument is out of its range, or two of them exclude each other.

    >>> client = openai.OpenAI(api_key="...", base_url="http://localhost:8000/v1")
    >>> OpenAIGenerator(client, "Qwen/Qwen3-8B").name
    'openai/Qwen/Qwen3-8B'
    """

    concurrent = True

    def __init__(
        self,
        client: Any,
        model: str,
        *,
        name: str | None = None,
        timeout: float = 60.0,
        attempts: int = ATTEMPTS,
        own_server: bool = False,
        response_format: Rung | None = None,
        max_tokens: int | None = None,
        temperature: float | None = 0.0,
        extra_body: Mapping[str, Any] | None = None,
    ) -> None:
        _check(model, response_format, own_server=own_server, extra_body=extra_body)
        self._timeout, self._attempts = check_limits(timeout, attempts), attempts
        self.name = name or f"openai/{model}"
        self._clients: Clients = (
            client if isinstance(client, Own) else Given(client, _is_async(client))
        )
        self._settings = Settings(self.name, model, max_tokens, temperature, dict(extra_body or {}))
        self._fixed = response_format is not None
        self._learned = Learned(Form(rung=response_format or RUNGS[0]))
        self._known = known_of(client, model) if own_server else None

    @property
    def found(self) -> Found | None:
        """What the server was seen to obey; `None` before it was asked, and of a hosted one."""
        return self._known.found if self._known is not None else None

    def generate(self, request: Request) -> Reply:
        """One reply.

        Raises:
            InputError: The client is asynchronous; use `aask`.
            ProviderError: The server failed, also after the last attempt.
        """
        create = _create(self._clients.sync())
        sending = self._sending(request)
        return retry(lambda: self._asked(create, sending), self._attempts)

    async def agenerate(self, request: Request) -> Reply:
        """One reply, awaited; with a synchronous client, from a thread of its own.

        Raises:
            ProviderError: The server failed, also after the last attempt.
        """
        async with self._clients.opened() as client:
            if client is None:
                return await unblocked(lambda: self.generate(request))
            create, sending = _create(client), self._sending(request)
            return await aretry(lambda: self._aasked(create, sending), self._attempts)

    async def astream(self, request: Request) -> Streamed:
        """One reply as it arrives; see `ports.AsyncStreamingGenerator`.

        With a synchronous client, or a server that does not stream, it comes in one piece.

        Raises:
            ProviderError: The server failed, also after the last attempt.
        """
        async with self._clients.opened() as client:
            if client is None:
                yield await unblocked(lambda: self.generate(request))
                return
            create, sending = _create(client), self._sending(request)
            tries = restream(lambda: self._astreamed(create, sending), self._attempts)
            async with aclosing(tries) as parts:
                async for part in parts:
                    yield part

    def _sending(self, request: Request) -> Sending:
        return Sending(request, self._settings, self._learned, fixed=self._fixed, known=self._known)

    async def _astreamed(self, create: Any, sending: Sending) -> Streamed:
        arriving = _Sent()
        try:
            await self._abound(create, sending)
            steps = sending.steps()
            step = await astep(steps, None, sending)
            while isinstance(step, dict):
                arriving = _Sent()
                async with aclosing(self._arriving(create, step, arriving)) as deltas:
                    async for delta in deltas:
                        if told := sending.watch.told(delta):
                            yield told
                if not arriving.begun and self._asks_for_less(arriving):
                    continue
                step = await astep(steps, arriving.outcome, sending)
                if arriving.said and isinstance(step, dict):
                    raise _void(self.name)
            yield _counted(step.value, sending)
        except GenerationError as error:
            error.wasted = error.wasted or arriving.wasted
            _add_spent(error, sending)
            raise

    async def _arriving(
        self, create: Any, body: dict[str, Any], sent: _Sent
    ) -> AsyncIterating[str, None]:
        """The deltas of one request; what it comes to is in `sent` afterwards."""
        learned = self._learned
        sent.streamed, sent.counted = learned.streams, learned.streams and learned.counts
        if not sent.streamed:
            sent.outcome = await self._asent(create, body)
            return
        seconds = remaining(most=self._timeout)
        # A clock for each read, since no time-out may be open while a delta is handed over.
        ends = asyncio.get_running_loop().time() + (seconds or 0.0)
        counts = {"stream_options": {"include_usage": True}} if sent.counted else {}
        try:
            async with asyncio.timeout_at(ends):
                stream = await create(**body, **counts, stream=True, timeout=seconds)
                counted(getattr(stream, "response", None))
                kind = kind_of(stream)
                if kind == "json" and await begins_as_events(stream.response):
                    kind = "stream"  # gateways call it by another name
            if kind != "stream":
                sent.outcome = stream
                if kind == "json":  # it took the request and answers in one piece
                    learned.streams = False
                    async with asyncio.timeout_at(ends):
                        sent.outcome = await whole_of(stream)
                return
            async with aclosing(reading(stream, ends)) as chunks:
                async for chunk in chunks:
                    sent.begun = True
                    if delta := sent.arriving.take(chunk):
                        sent.said = True
                        yield delta
            sent.outcome = sent.arriving.completion(self.name)
        except (*_FAILED, TimeoutError, ProviderError) as error:
            sent.outcome = error
        except Exception as error:  # a broken chunk fails in any way; what is ours goes on
            if not (broke(error) or is_broken_body(error)):
                raise
            sent.outcome = error

    def _asks_for_less(self, sent: _Sent) -> bool:
        """Whether the server turned down what only a stream has; remembers it.

        Only what was sent can be left out, so that no request is sent again as it was.
        """
        outcome = sent.outcome
        if not isinstance(outcome, BaseException) or status_of(outcome) not in _TURNED_DOWN:
            return False
        words = words_of(outcome)
        if sent.counted and ("stream_options" in words or "include_usage" in words):
            self._learned.counts = False
            return True
        if sent.streamed and _OF_STREAMING.search(words):
            self._learned.streams = False
            return True
        return False

    def _asked(self, create: Any, sending: Sending) -> Reply:
        send = partial(self._sent, create)
        try:
            self._bound(create, sending)
            return _counted(driven(sending.steps(), send), sending)
        except GenerationError as error:
            _add_spent(error, sending)
            raise

    async def _aasked(self, create: Any, sending: Sending) -> Reply:
        send = partial(self._asent, create)
        try:
            await self._abound(create, sending)
            return _counted(await adriven(sending.steps(), send, sending), sending)
        except GenerationError as error:
            _add_spent(error, sending)
            raise

    def _bound(self, create: Any, sending: Sending) -> None:
        """See to it that a server of one's own was asked what it obeys."""
        if (known := self._known) is None:
            return
        found = known.found
        if found is None:
            with known.turn(self.name):
                found = known.found or driven(sending.probing(), partial(self._sent, create))
        try:  # a grammar of many passages takes seconds to make
            bounded(partial(sending.bind, found), remaining())
        except OverdueError:
            raise _unbound(self.name) from None

    async def _abound(self, create: Any, sending: Sending) -> None:
        """`_bound`, awaited."""
        if (known := self._known) is None:
            return
        found = known.found
        if found is None:
            async with known.aturn(self.name):
                found = known.found
                if found is None:
                    send = partial(self._asent, create)
                    found = await adriven(sending.probing(), send, sending)
        try:
            await awaited(lambda: unblocked(partial(sending.bind, found)), remaining())
        except OverdueError:
            raise _unbound(self.name) from None

    def _sent(self, create: Any, body: dict[str, Any]) -> Outcome:
        # The SDK's own timeout is one for each read; a reply that drips has to end as well.
        seconds = remaining(most=self._timeout)
        try:
            outcome: Outcome = bounded(cuttable(partial(create, **body, timeout=seconds)), seconds)
        except (*_FAILED, OverdueError) as error:
            return error
        except Exception as error:  # a body that is no JSON; what is ours goes on
            if not is_broken_body(error):
                raise
            return error
        return outcome

    async def _asent(self, create: Any, body: dict[str, Any]) -> Outcome:
        seconds = remaining(most=self._timeout)
        clock = asyncio.timeout(seconds)
        try:
            async with clock:
                outcome: Outcome = await create(**body, timeout=seconds)
        except _FAILED as error:
            return error
        except Exception as error:  # as in `_sent`
            late = isinstance(error, TimeoutError) and clock.expired()
            if not (late or is_broken_body(error)):
                raise
            return error
        return outcome


class _Sent:
    """One request that is read as it arrives, and what it comes to."""

    def __init__(self) -> None:
        self.arriving = Arriving()
        self.begun = self.said = False
        self.streamed = self.counted = False
        self.outcome: Outcome = None

    @property
    def wasted(self) -> Any:
        return self.arriving.wasted


def _void(who: str) -> ProviderError:
    """What was shown of a reply counts for nothing; its cost is counted with the steps'."""
    error = ProviderError(
        f"{who} did not keep to the form it was sent", retryable=True, retry_after=0.0
    )
    error.wasted = Usage()
    return error


def _unbound(who: str) -> DeadlineError:
    return DeadlineError(
        f"the constraint of the reply of {who} was still being made at the deadline of the call; "
        f"pass fewer passages, or allow more time with timeout="
    )


def _counted(reply: Reply, sending: Sending) -> Reply:
    """The reply, with what was spent to get it."""
    return replace(reply, usage=reply.usage + sending.taken())


def _add_spent(error: GenerationError, sending: Sending) -> None:
    error.response_format = error.response_format or sending.response_format()
    if (spent := sending.taken()) != Usage():
        error.wasted = (error.wasted or Usage()) + spent


def _create(client: Any) -> Any:
    """The client's `create`, without the SDK's retries where they can be turned off."""
    copied = getattr(client, "with_options", None)
    completions = (copied(max_retries=0) if callable(copied) else client).chat.completions
    plain = hushed(completions.create)
    if not _is_the_sdks(completions.create):
        return plain
    read = _awhole if isinstance(client, openai.AsyncOpenAI) else _whole
    whole = hushed(partial(read, completions.with_streaming_response.create))

    def create(**body: Any) -> Any:
        return (plain if body.get("stream") else whole)(**body)

    return create


def _is_the_sdks(create: Any) -> bool:
    """Whether nobody put something between: tools that trace calls expect a completion back."""
    code = getattr(getattr(create, "__func__", None), "__code__", None)
    return inspect.ismethod(create) and code is not None and code.co_filename.startswith(_SDK)


def _whole(opened: Callable[..., Any], **body: Any) -> Any:
    """A completion, read from a body whose length is looked at before any of it is parsed.

    Raises:
        BodyTooLongError: It is longer than any reply.
        openai.OpenAIError: The request failed, as from `create`.
        ValueError: It is no JSON.
    """
    with opened(**body) as response:
        http = counted(response.http_response)
        with _told_by_the_sdk(http):
            return _completion(http, b"".join(http.iter_bytes()))


async def _awhole(opened: Callable[..., Any], **body: Any) -> Any:
    """`_whole`, awaited."""
    async with opened(**body) as response:
        http = counted(response.http_response)
        with _told_by_the_sdk(http):
            return _completion(http, b"".join([part async for part in http.aiter_bytes()]))


def _completion(http: Any, body: bytes) -> Any:
    """What the SDK makes of a body, as far as it is read here: JSON, or else a text."""
    kind = str(http.headers.get("content-type", "")).partition(";")[0].strip().lower()
    if kind.endswith("json") or not (kind and body):
        return parsed(body)
    return body.decode(errors="replace")


@contextmanager
def _told_by_the_sdk(http: Any) -> Iterator[None]:
    """What the SDK says of a connection that breaks while it reads a body as a whole itself."""
    try:
        yield
    except Exception as error:  # two HTTP libraries have classes for it; `broke` knows both
        if not broke(error):
            raise
        late = "Timeout" in type(error).__name__
        kind = openai.APITimeoutError if late else openai.APIConnectionError
        raise kind(request=http.request) from error


def _is_async(client: Any) -> bool:
    if isinstance(client, openai.AsyncOpenAI):
        return True
    completions = getattr(getattr(client, "chat", None), "completions", None)
    create = getattr(completions, "create", None)
    if not callable(create):
        raise InputError(
            f"client must be an openai.OpenAI or openai.AsyncOpenAI, or have chat.completions."
            f"create as they do; got {type(client).__name__}",
            code="bad_type",
        )
    return inspect.iscoroutinefunction(create)


def _check(
    model: object, rung: object, *, own_server: bool, extra_body: Mapping[str, Any] | None
) -> None:
    if not isinstance(model, str) or not model.strip():
        raise InputError(f"model must be a name, got {model!r:.60}", code="bad_type")
    if rung is not None and rung not in RUNGS:
        known = ", ".join(RUNGS)
        raise InputError(
            f"response_format must be None or one of {known}; got {rung!r:.60}",
            code="bad_response_format",
        )
    if rung is not None and own_server:
        raise InputError(
            "own_server=True finds out itself how to ask for the form; leave response_format out",
            code="bad_response_format",
        )
    if ours := sorted(set(extra_body or ()) & set(_OURS)):
        raise InputError(
            f"extra_body holds {', '.join(ours)}, which is set here; leave it out",
            code="bad_extra_body",
        )


class _Named(OpenAIGenerator):
    """A model string: clients of our own, built when first needed.

    A server that is sent no key of the user's is one of the user's own.
    """

    def __init__(self, provider: str, model: str, url: str | None, key: str | None = None) -> None:
        name, own = f"{provider}/{model}", key is not None
        super().__init__(kept(_own, name, url, key), model, name=name, own_server=own)
        self._learned, known = _learned(provider, model, url)
        self._known = known if own else None


def _own(name: str, url: str | None, key: str | None) -> Own:
    def built(kind: Any, http: Any, hook: Any) -> Any:
        told: ProviderError
        try:
            asked = http(verify=shared_context(), event_hooks={"response": [hook]})
            return kind(base_url=url, api_key=key, http_client=asked)
        except OSError as error:
            told = untrusting(error, name)
        except (openai.OpenAIError, httpx2.InvalidURL) as error:
            told = ProviderError(
                f"{name}: OpenAI's client could not be built ({type(error).__name__})",
                hint="set OPENAI_API_KEY and, for another server than OpenAI's, OPENAI_BASE_URL "
                "as in http://HOST:PORT/v1, or pass an OpenAIGenerator with a client of your own",
                original=error,
            )
        except (ImportError, ValueError, TypeError) as error:
            told = unproxied(error, name)
        raise told  # not while theirs is handled: it would be the context of ours

    return Own(
        partial(built, openai.OpenAI, openai.DefaultHttpxClient, counting),
        partial(built, openai.AsyncOpenAI, openai.DefaultAsyncHttpxClient, acounting),
        prepare=shared_context,
    )


@lru_cache(maxsize=64)
def _learned(*_server: object) -> tuple[Learned, Known]:
    """A model string is resolved anew in each call; what its server takes is learned once."""
    return Learned(Form()), Known()


def from_name(model: str, url: str | None = None) -> OpenAIGenerator:
    """The generator of the model string "openai/MODEL" or "openai/MODEL@URL".

    The client is OpenAI's own: it reads `OPENAI_API_KEY`, `OPENAI_BASE_URL` and its other
    variables itself, when it is first needed.

    Args:
        model: The model's name at the server.
        url: The address, instead of OpenAI's; its server is sent the same key.

    Raises:
        InputError: `url` is no address.

    >>> from_name("gpt-5-mini").name
    'openai/gpt-5-mini'
    """
    return _Named("openai", model, None if url is None else checked(url, f"openai/{model}"))


def vllm(model: str, url: str | None = None) -> OpenAIGenerator:
    """A vLLM server; "vllm/MODEL" is at http://localhost:8000/v1.

    Here and for the other local servers: they are asked once what they obey, see `own_server`
    of `OpenAIGenerator`. An address without a path gets "/v1". They are sent no key of yours,
    also where `OPENAI_API_KEY` is set, since it is not theirs. One that wants a key is reached
    with a client of your own, or as "openai/MODEL@URL", which is bound as a hosted one is.

    >>> vllm("Qwen/Qwen3-8B").name
    'vllm/Qwen/Qwen3-8B'
    """
    return _local("vllm", model, url, 8000)


def sglang(model: str, url: str | None = None) -> OpenAIGenerator:
    """An SGLang server; "sglang/MODEL" is at http://localhost:30000/v1. See `vllm`."""
    return _local("sglang", model, url, 30000)


def ollama(model: str, url: str | None = None) -> OpenAIGenerator:
    """An Ollama server; "ollama/MODEL" is at http://localhost:11434/v1. See `vllm`."""
    return _local("ollama", model, url, 11434)


def llamacpp(model: str, url: str | None = None) -> OpenAIGenerator:
    """A llama.cpp server; "llamacpp/MODEL" is at http://localhost:8080/v1. See `vllm`."""
    return _local("llamacpp", model, url, 8080)


def _local(provider: str, model: str, url: str | None, port: int) -> OpenAIGenerator:
    local = f"http://localhost:{port}"
    address = checked(local if url is None else url, f"{provider}/{model}")
    if not urlsplit(address).path.strip("/"):
        address = f"{address.rstrip('/')}/v1"
    return _Named(provider, model, address, _NO_KEY)
