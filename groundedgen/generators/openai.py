"""Any server that speaks OpenAI's chat completions, through OpenAI's own client.

The strictest form the server takes is asked for. A hosted one is sent a strict JSON schema in
which the sources are an enum, else any JSON object, else the prompt alone (see `ladder`); never
a passage's text outside of the prompt, since hosts may keep schemas. A server of one's own is
asked once what it obeys (see `servers`) and then bound as tightly as that (see `rungs`). Each
reply's raw text is kept as it came; reading it is the business of `draft`.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from groundedgen.errors import InputError, MissingExtraError, ProviderError
from groundedgen.generators.chat.exchange import ChatExchange
from groundedgen.generators.chat.fields import Settings, check_settings
from groundedgen.generators.chat.following import Sender
from groundedgen.generators.chat.sending import Sending
from groundedgen.generators.chat.servers import Known, known_of
from groundedgen.generators.chat.wholes import awhole, whole
from groundedgen.generators.constrained.ladder import RUNGS, Form, Learned, Rung
from groundedgen.generators.constrained.probes import Found
from groundedgen.generators.transport.addresses import checked
from groundedgen.generators.transport.bodies import BodyTooLongError, is_broken_body
from groundedgen.generators.transport.clients import (
    Clients,
    Given,
    Own,
    check_limits,
    kept,
    without_retries,
)
from groundedgen.generators.transport.quiet import hushed
from groundedgen.ports import Request

try:
    import httpx2
    import openai
    import openai.resources.chat  # now, and not in the event loop of a request
except ImportError as error:
    raise MissingExtraError("a model behind OpenAI's API", extra="openai") from error

from groundedgen.generators.retrying import ATTEMPTS
from groundedgen.generators.transport.building import Kinds, own
from groundedgen.generators.transport.hosted import StreamingHosted

__all__ = ["OpenAIGenerator", "from_name", "llamacpp", "ollama", "sglang", "vllm"]

_SDK: Final = str(Path(openai.__file__).parent)

#: What a request ends with that is no reply: the SDK's errors, and a header that cannot be sent.
_FAILED: Final = (openai.OpenAIError, UnicodeEncodeError, BodyTooLongError)
_NO_KEY: Final = "none"  # what a server without keys is sent, since the SDK insists on one


class OpenAIGenerator(StreamingHosted):
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
        check_settings(model, response_format, own_server=own_server, extra_body=extra_body)
        super().__init__(
            name or f"openai/{model}",
            timeout=check_limits(timeout, attempts),
            attempts=attempts,
            clients=_clients(client),
        )
        self._settings = Settings(self.name, model, max_tokens, temperature, dict(extra_body or {}))
        self._fixed = response_format is not None
        self._learned = Learned(Form(rung=response_format or RUNGS[0]))
        self._known = known_of(client, model) if own_server else None

    @property
    def found(self) -> Found | None:
        """What the server was seen to obey; `None` before it was asked, and of a hosted one."""
        return self._known.found if self._known is not None else None

    def _exchange(self, client: Any, request: Request) -> ChatExchange:
        sender = Sender(_create(client), self._timeout, _fails)
        return ChatExchange(self._sending(request), sender)

    def _sending(self, request: Request) -> Sending:
        return Sending(request, self._settings, self._learned, fixed=self._fixed, known=self._known)


def _fails(error: Exception) -> bool:
    return isinstance(error, _FAILED) or is_broken_body(error)


def _create(client: Any) -> Any:
    """The client's `create`, without the SDK's retries where they can be turned off."""
    completions = without_retries(client).chat.completions
    plain = hushed(completions.create)
    if not _is_the_sdks(completions.create):
        return plain
    read = awhole if isinstance(client, openai.AsyncOpenAI) else whole
    at_once = hushed(partial(read, completions.with_streaming_response.create, _lost))

    def create(**body: Any) -> Any:
        return (plain if body.get("stream") else at_once)(**body)

    return create


def _is_the_sdks(create: Any) -> bool:
    """Whether nobody put something between: tools that trace calls expect a completion back."""
    code = getattr(getattr(create, "__func__", None), "__code__", None)
    return inspect.ismethod(create) and code is not None and code.co_filename.startswith(_SDK)


def _lost(http: Any, error: Exception) -> openai.APIConnectionError:
    late = "Timeout" in type(error).__name__
    return (openai.APITimeoutError if late else openai.APIConnectionError)(request=http.request)


def _clients(client: Any) -> Clients:
    return client if isinstance(client, Own) else Given(client, _is_async(client))


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


class _Named(OpenAIGenerator):
    """A model string: clients of our own, built when first needed.

    A server that is sent no key of the user's is one of the user's own.
    """

    def __init__(self, provider: str, model: str, url: str | None, key: str | None = None) -> None:
        name, own_server = f"{provider}/{model}", key is not None
        super().__init__(kept(_own, name, url, key), model, name=name, own_server=own_server)
        self._learned, known = _learned(provider, model, url)
        self._known = known if own_server else None


def _own(name: str, url: str | None, key: str | None) -> Own:
    kinds = Kinds(
        openai.OpenAI,
        openai.AsyncOpenAI,
        openai.DefaultHttpxClient,
        openai.DefaultAsyncHttpxClient,
        (openai.OpenAIError, httpx2.InvalidURL),
    )
    return own(kinds, name, partial(_unbuilt, name), base_url=url, api_key=key)


def _unbuilt(name: str, error: Exception) -> ProviderError:
    return ProviderError(
        f"{name}: OpenAI's client could not be built ({type(error).__name__})",
        hint="set OPENAI_API_KEY and, for another server than OpenAI's, OPENAI_BASE_URL "
        "as in http://HOST:PORT/v1, or pass an OpenAIGenerator with a client of your own",
        original=error,
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
