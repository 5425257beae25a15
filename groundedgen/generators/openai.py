"""Any server that speaks OpenAI's chat completions, through OpenAI's own client.

The strictest form the server takes is asked for: a strict JSON schema in which the sources are
an enum, else any JSON object, else the prompt alone (see `ladder`). Each reply's raw text is
kept as it came; reading it is the business of `draft`.
"""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import AsyncGenerator as AsyncIterating
from collections.abc import Generator as Steps
from collections.abc import Mapping
from contextlib import aclosing
from functools import lru_cache, partial
from typing import Any, Final, Literal
from urllib.parse import urlsplit

from groundedgen.deadlines import OverdueError, bounded, remaining, unblocked
from groundedgen.errors import DeadlineError, InputError, MissingExtraError, ProviderError
from groundedgen.generators.clients import Clients, Given, Own, check_limits
from groundedgen.generators.completions import Said, read_completion, sendable
from groundedgen.generators.deltas import Arriving, broke
from groundedgen.generators.failures import code_of, failure, status_of, words_of
from groundedgen.generators.ladder import RUNGS, Form, Learned, Rung
from groundedgen.ports import Reply, Request

try:
    import openai
except ImportError as error:
    raise MissingExtraError("a model behind OpenAI's API", extra="openai") from error

from groundedgen.generators.retrying import ATTEMPTS, Streamed, aretry, restream, retry

__all__ = ["OpenAIGenerator", "from_name", "llamacpp", "ollama", "sglang", "vllm"]

#: What a request ends with that is no reply: the SDK's errors, and bodies that are no JSON.
_FAILED: Final = (openai.OpenAIError, json.JSONDecodeError, UnicodeDecodeError)
#: Codes of status 400 for a prompt that a filter stopped.
_FILTERED: Final = (
    "content_filter", "content_policy_violation", "responsibleaipolicyviolation",
    "data_inspection_failed", "invalid_prompt", "moderation_blocked",
)  # fmt: skip
#: Statuses with which servers turn down a parameter.
_TURNED_DOWN: Final = frozenset({400, 404, 415, 422, 501})
_NOT_STREAMED: Final = object()  # a server took the request and answered in one piece
_NO_KEY: Final = "none"  # what a server without keys is sent, since the SDK insists on one

_Outcome = object  # a completion, or the exception in its place


class OpenAIGenerator:
    """Asks a model through an OpenAI client, or one that is called like it.

    The client is used as given: its key, address, headers and hooks. Only its retries are off
    in our requests, because they do not know the deadline of the call; ours do.

    Args:
        client: An `openai.OpenAI` (for `ask` and `aask`) or an `openai.AsyncOpenAI` (for `aask`).
        model: The model's name at the server.
        name: What the answer names as its engine; "openai/MODEL" when left out.
        timeout: Seconds for one request, all of its reply included; more than 0.
        attempts: Requests at most for one draft where the server fails in passing, 1 to 10.
        response_format: How to ask for the form: "json_schema", "json_object" or "text", and
            nothing else then; `None` begins with the first and steps down where the server
            does not take it.
        max_tokens: The most tokens of a reply; `None` leaves it to the server. Too few of them
            and the draft is cut off, which is an error. Thinking counts.
        temperature: 0.0 for the most likely words; `None` sends none. Dropped for models that
            do not take one.
        extra_body: Further fields of each request, such as `prompt_cache_key`, `seed`,
            `reasoning_effort` or a server's own.

    Raises:
        InputError: An argument is out of its range.

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
        response_format: Rung | None = None,
        max_tokens: int | None = None,
        temperature: float | None = 0.0,
        extra_body: Mapping[str, Any] | None = None,
    ) -> None:
        _check(model, response_format)
        check_limits(timeout, attempts)
        self.name = name or f"openai/{model}"
        self._clients: Clients = (
            client if isinstance(client, Own) else Given(client, _is_async(client))
        )
        self._model, self._timeout, self._attempts = model, timeout, attempts
        self._fixed = response_format is not None
        self._limit, self._temperature = max_tokens, temperature
        self._extra = {"extra_body": dict(extra_body)} if extra_body else {}
        self._learned = Learned(Form(rung=response_format or RUNGS[0]))
        self._streams = self._counts = True  # until the server says that it does not

    def generate(self, request: Request) -> Reply:
        """One reply.

        Raises:
            InputError: The client is asynchronous; use `aask`.
            ProviderError: The server failed, also after the last attempt.
        """
        create = _create(self._clients.sync())
        return retry(lambda: self._asked(create, request), self._attempts)

    async def agenerate(self, request: Request) -> Reply:
        """One reply, awaited; with a synchronous client, from a thread of its own.

        Raises:
            ProviderError: The server failed, also after the last attempt.
        """
        async with self._clients.opened() as client:
            if client is None:
                return await unblocked(lambda: self.generate(request))
            create = _create(client)
            return await aretry(lambda: self._aasked(create, request), self._attempts)

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
            create = _create(client)
            tries = restream(lambda: self._astreamed(create, request), self._attempts)
            async with aclosing(tries) as parts:
                async for part in parts:
                    yield part

    async def _astreamed(self, create: Any, request: Request) -> Streamed:
        steps = self._steps(request)
        body = next(steps)
        while True:
            arriving = _Sent()
            if self._streams:
                async with aclosing(self._arriving(create, body, arriving)) as deltas:
                    async for delta in deltas:
                        yield delta
                if not arriving.begun and self._asks_for_less(arriving.outcome):
                    continue
            else:
                arriving.outcome = await self._asent(create, body)
            try:
                body = steps.send(arriving.outcome)
            except StopIteration as end:
                yield end.value
                return
            except (ProviderError, DeadlineError) as error:
                error.wasted = error.wasted or arriving.wasted
                raise

    async def _arriving(
        self, create: Any, body: dict[str, Any], sent: _Sent
    ) -> AsyncIterating[str, None]:
        """The deltas of one request; what it comes to is in `sent` afterwards."""
        seconds = remaining(most=self._timeout)
        # A clock for each read, since no time-out may be open while a delta is handed over.
        ends = asyncio.get_running_loop().time() + (seconds or 0.0)
        counted = {"stream_options": {"include_usage": True}} if self._counts else {}
        try:
            async with asyncio.timeout_at(ends):
                stream = await create(**body, **counted, stream=True, timeout=seconds)
            if (kind := _kind(stream)) != "stream":
                sent.outcome = _NOT_STREAMED if kind == "json" else stream
                return
            async with aclosing(_reading(stream, ends)) as chunks:
                async for chunk in chunks:
                    sent.begun = True
                    if delta := sent.arriving.take(chunk):
                        yield delta
            sent.outcome = sent.arriving.completion(self.name)
        except (*_FAILED, TimeoutError, ProviderError) as error:
            sent.outcome = error
        except Exception as error:  # a broken chunk fails in any way; what is ours goes on
            if not broke(error):
                raise
            sent.outcome = error

    def _asks_for_less(self, outcome: _Outcome) -> bool:
        """Whether the server does not stream as asked; remembers it."""
        if outcome is _NOT_STREAMED:
            self._streams = False
            return True
        if not isinstance(outcome, BaseException) or status_of(outcome) not in _TURNED_DOWN:
            return False
        words = words_of(outcome)
        if self._counts and ("stream_options" in words or "include_usage" in words):
            self._counts = False
            return True
        if "stream" not in words:
            return False
        self._streams = False
        return True

    def _asked(self, create: Any, request: Request) -> Reply:
        steps = self._steps(request)
        body = next(steps)
        try:
            while True:
                body = steps.send(self._sent(create, body))
        except StopIteration as end:
            reply: Reply = end.value
            return reply

    async def _aasked(self, create: Any, request: Request) -> Reply:
        steps = self._steps(request)
        body = next(steps)
        try:
            while True:
                body = steps.send(await self._asent(create, body))
        except StopIteration as end:
            reply: Reply = end.value
            return reply

    def _sent(self, create: Any, body: dict[str, Any]) -> _Outcome:
        # The SDK's own timeout is one for each read; a reply that drips has to end as well.
        seconds = remaining(most=self._timeout)
        try:
            outcome: _Outcome = bounded(partial(create, **body, timeout=seconds), seconds)
        except (*_FAILED, OverdueError) as error:
            return error
        return outcome

    async def _asent(self, create: Any, body: dict[str, Any]) -> _Outcome:
        seconds = remaining(most=self._timeout)
        clock = asyncio.timeout(seconds)
        try:
            async with clock:
                outcome: _Outcome = await create(**body, timeout=seconds)
        except _FAILED as error:
            return error
        except TimeoutError as error:
            if clock.expired():
                return error
            raise
        return outcome

    def _steps(self, request: Request) -> Steps[dict[str, Any], _Outcome, Reply]:
        """Yields bodies to send and is sent what came back, until that is a reply.

        Raises:
            ProviderError: The server failed.
        """
        form = self._learned.form
        while True:
            body = self._body(form, request)
            outcome = yield body
            if not isinstance(outcome, BaseException):
                reply = self._made(read_completion(outcome, self.name), form)
                self._learned.keep(form)
                return reply
            if isinstance(outcome, ProviderError):
                raise outcome
            if code_of(outcome).lower() in _FILTERED:
                return self._made(Said(None, "content_filter"), form)
            narrower = form.without(status_of(outcome), words_of(outcome), body, fixed=self._fixed)
            if narrower is None:
                raise failure(outcome, self.name) from None
            form = narrower

    def _body(self, form: Form, request: Request) -> dict[str, Any]:
        """What is sent; the same words first every time, for the server's prompt cache."""
        body: dict[str, Any] = {
            "model": self._model,
            "messages": [
                {"role": "system", "content": sendable(request.prompt.system)},
                {"role": "user", "content": sendable(request.prompt.user)},
            ],
            **form.response_format(request.schema),
            **self._extra,
        }
        if self._temperature is not None and form.temperature:
            body["temperature"] = self._temperature
        if self._limit is not None:
            body[form.limit] = self._limit
        return body

    def _made(self, said: Said, form: Form) -> Reply:
        return Reply(
            said.raw,
            finish_reason=said.finish_reason,
            refusal=said.refusal,
            usage=said.usage,
            engine=self.name,
            constraint="enum" if form.rung == "json_schema" else "none",
            response_format=form.rung,
        )


class _Sent:
    """One request that is read as it arrives, and what it comes to."""

    def __init__(self) -> None:
        self.arriving = Arriving()
        self.begun = False
        self.outcome: _Outcome = None

    @property
    def wasted(self) -> Any:
        return self.arriving.wasted


def _kind(stream: Any) -> Literal["stream", "json", "other"]:
    """What a server answers to a request for a stream; some do not know that there is one."""
    if not hasattr(stream, "__aiter__"):
        return "other"
    headers = getattr(getattr(stream, "response", None), "headers", None) or {}
    kind = str(headers.get("content-type", ""))
    return "json" if "json" in kind and "stream" not in kind else "stream"


async def _reading(stream: Any, ends: float) -> AsyncIterating[Any, None]:
    """The chunks, until they end or the time has come; closes the connection."""
    chunks = aiter(stream)
    try:
        while True:
            async with asyncio.timeout_at(ends):
                chunk = await anext(chunks, None)
            if chunk is None:
                return
            yield chunk
    finally:
        if callable(close := getattr(stream, "close", None)):
            closing = close()
            if inspect.isawaitable(closing):
                await closing


def _create(client: Any) -> Any:
    """The client's `create`, without the SDK's retries where they can be turned off."""
    copied = getattr(client, "with_options", None)
    asked = copied(max_retries=0) if callable(copied) else client
    return asked.chat.completions.create


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


def _check(model: object, rung: object) -> None:
    if not isinstance(model, str) or not model.strip():
        raise InputError(f"model must be a name, got {model!r:.60}", code="bad_type")
    if rung is not None and rung not in RUNGS:
        known = ", ".join(RUNGS)
        raise InputError(
            f"response_format must be None or one of {known}; got {rung!r:.60}",
            code="bad_response_format",
        )


class _Named(OpenAIGenerator):
    """A model string: clients of our own, built when first needed."""

    def __init__(self, provider: str, model: str, url: str | None, key: str | None = None) -> None:
        self.name = f"{provider}/{model}"
        made = {"base_url": url, "api_key": key}
        clients = Own(
            partial(self._built, openai.OpenAI, made),
            partial(self._built, openai.AsyncOpenAI, made),
        )
        super().__init__(clients, model, name=self.name)
        self._learned = _learned(provider, model, url)

    def _built(self, kind: Any, options: Mapping[str, Any]) -> Any:
        try:
            return kind(**options)
        except openai.OpenAIError as error:
            raise ProviderError(
                f"{self.name}: OpenAI's client could not be built ({type(error).__name__})",
                hint="set OPENAI_API_KEY, or pass an OpenAIGenerator with a client of your own",
                original=error,
            ) from None


@lru_cache(maxsize=64)
def _learned(*_server: object) -> Learned:
    """A model string is resolved anew in each call; what its server takes is learned once."""
    return Learned(Form())


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
    return _Named("openai", model, _address(url))


def vllm(model: str, url: str | None = None) -> OpenAIGenerator:
    """A vLLM server; "vllm/MODEL" is at http://localhost:8000/v1.

    Here and for the other local servers: an address without a path gets "/v1". They are sent
    no key of yours, also where `OPENAI_API_KEY` is set, since it is not theirs. One that
    wants a key is reached as "openai/MODEL@URL", or with a client of your own.

    >>> vllm("Qwen/Qwen3-8B").name
    'vllm/Qwen/Qwen3-8B'
    """
    return _Named("vllm", model, _local(url, 8000), _NO_KEY)


def sglang(model: str, url: str | None = None) -> OpenAIGenerator:
    """An SGLang server; "sglang/MODEL" is at http://localhost:30000/v1. See `vllm`."""
    return _Named("sglang", model, _local(url, 30000), _NO_KEY)


def ollama(model: str, url: str | None = None) -> OpenAIGenerator:
    """An Ollama server; "ollama/MODEL" is at http://localhost:11434/v1. See `vllm`."""
    return _Named("ollama", model, _local(url, 11434), _NO_KEY)


def llamacpp(model: str, url: str | None = None) -> OpenAIGenerator:
    """A llama.cpp server; "llamacpp/MODEL" is at http://localhost:8080/v1. See `vllm`."""
    return _Named("llamacpp", model, _local(url, 8080), _NO_KEY)


def _local(url: str | None, port: int) -> str:
    address = _address(url) or f"http://localhost:{port}"
    return address if urlsplit(address).path.strip("/") else f"{address.rstrip('/')}/v1"


def _address(url: str | None) -> str | None:
    """The address, if it can be one.

    Raises:
        InputError: It names no host, or is none.
    """
    try:
        parts = urlsplit(url or "http://localhost")
        named = parts.hostname and (parts.port is None or parts.port > 0)
    except ValueError:
        named = None
    if not named:
        raise InputError(
            "the address after @ must be as http://HOST:PORT/v1; it names no host or no port",
            code="bad_url",
        )
    return url
