"""Anthropic's models, through Anthropic's own client: as JSON, or with native citations.

`AnthropicGenerator` asks for the agreed JSON in the strictest form that the service takes: a
schema for the output, else a strict tool, else the prompt alone. `AnthropicCitations` gives the
passages as documents and reads the places that the model cites. What either claims is checked
like any other draft.

No temperature is sent: the client has no such parameter, and newer models take none.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any, Final, Literal, TypeAlias, get_args

from groundedgen.errors import InputError
from groundedgen.generators.citations import cited_text, documents
from groundedgen.generators.constrained.obeyed import checked
from groundedgen.generators.constrained.refusals import is_of_the_form, shape
from groundedgen.generators.constrained.rungs import Plan
from groundedgen.generators.messages import own_clients, strict_schema
from groundedgen.generators.messaging.roundtrip import Asking, Roundtrip
from groundedgen.generators.messaging.strictness import Form, Learned, fields, refusal
from groundedgen.generators.replies.arriving import Message
from groundedgen.generators.replies.completions import sendable
from groundedgen.generators.retrying import ATTEMPTS
from groundedgen.generators.transport.clients import Clients, Given, Own, check_limits
from groundedgen.generators.transport.hosted import Hosted, StreamingHosted
from groundedgen.ports import Prompt, Reply, Request
from groundedgen.prompt import for_citations, split

__all__ = ["AnthropicCitations", "AnthropicGenerator", "citations_from_name", "from_name"]

Mode: TypeAlias = Literal["json_schema", "tool"]
Cache: TypeAlias = Literal["5m", "1h"]

MAX_TOKENS: Final = 8192
"""Tokens of a reply at most: several times a long draft, and what every current model takes."""

_STRICT: Final = Plan("enum", schema={})  # what the service says that it keeps to


class _Asking(Hosted):
    """What both generators share: how a body is made, and sent."""

    def __init__(
        self,
        client: Any,
        model: str,
        *,
        name: str,
        max_tokens: int,
        timeout: float,
        attempts: int,
        cache: Cache | None,
        extra_body: Mapping[str, Any] | None,
    ) -> None:
        _check(model, max_tokens, cache)
        super().__init__(
            name,
            clients=_clients(client),
            timeout=check_limits(timeout, attempts),
            attempts=attempts,
        )
        self._model, self._max_tokens = model, max_tokens
        self._cache = {"type": "ephemeral", "ttl": cache} if cache else None
        self._extra = {"extra_body": dict(extra_body)} if extra_body else {}

    def _exchange(self, client: Any, request: Request) -> Roundtrip:
        return Roundtrip(client, self._trying(request), who=self.name, timeout=self._timeout)

    @abstractmethod
    def _trying(self, request: Request) -> Callable[[], Asking]:
        """Begins the steps of one try of a request; the same for all of them."""

    def _body(self, prompt: Prompt, content: list[dict[str, Any]]) -> dict[str, Any]:
        system: dict[str, Any] = {"type": "text", "text": sendable(prompt.system)}
        return {
            "model": self._model,
            "max_tokens": self._max_tokens,
            "system": [self._cached(system)],
            "messages": [{"role": "user", "content": content}],
            **self._extra,
        }

    def _cached(self, block: dict[str, Any]) -> dict[str, Any]:
        """The block as the end of what the service may keep for the next request."""
        return block | ({"cache_control": dict(self._cache)} if self._cache else {})


class AnthropicGenerator(_Asking, StreamingHosted):
    """Asks one of Anthropic's models for a draft as JSON.

    The client is used as given: its key, address and middleware. Only its retries are off in our
    requests, since they know no deadline and wait as long as a server tells them to; ours do not.
    The rules and the passages are marked to be cached, so that another question to the same
    passages, or a second draft, need not pay for them in full.

    Args:
        client: An `anthropic.Anthropic` (for `ask` and `aask`) or an `anthropic.AsyncAnthropic`
            (for `aask`), or one of their kin for Bedrock, Vertex or Foundry.
        model: The model's name.
        name: What the answer names as its engine; "anthropic/MODEL" when left out.
        max_tokens: Tokens of a reply at most, 1 or more; thinking counts. A draft that needs
            more is cut off, which is an error.
        timeout: Seconds for one request, all of its reply included; more than 0.
        attempts: Requests at most for one draft where the service fails in passing, 1 to 10.
        mode: How the form is asked for: a "json_schema" for the output, or a strict "tool".
            Where the service turns it down, the next is tried (the tool, then the prompt alone)
            and remembered.
        cache: How long the service is asked to keep the passages; `None` for not at all.
        extra_body: Further fields of each request, such as `thinking` or `metadata`.

    Raises:
        InputError: An argument is out of its range.

    >>> import anthropic
    >>> client = anthropic.Anthropic(api_key="...")
    >>> AnthropicGenerator(client, "claude-sonnet-5-5").name
    'anthropic/claude-sonnet-5-5'
    """

    def __init__(
        self,
        client: Any,
        model: str,
        *,
        name: str | None = None,
        max_tokens: int = MAX_TOKENS,
        timeout: float = 60.0,
        attempts: int = ATTEMPTS,
        mode: Mode = "json_schema",
        cache: Cache | None = "5m",
        extra_body: Mapping[str, Any] | None = None,
    ) -> None:
        if mode not in get_args(Mode):
            raise InputError(f"mode must be json_schema or tool, got {mode!r:.60}", code="bad_mode")
        super().__init__(
            client,
            model,
            name=name or f"anthropic/{model}",
            max_tokens=max_tokens,
            timeout=timeout,
            attempts=attempts,
            cache=cache,
            extra_body=extra_body,
        )
        self._learned = Learned(mode)

    def _trying(self, request: Request) -> Callable[[], Asking]:
        return partial(self._steps, request, dict[Form, bool]())

    def _steps(self, request: Request, refused: dict[Form, bool]) -> Asking:
        """The steps of one try.

        Args:
            request: What is asked for.
            refused: The forms that were turned down in earlier tries, and whether as such.
        """
        asked = shape(request.schema)
        form = self._learned.form_for(asked)
        while form in refused:  # by an earlier try of this request
            form = self._learned.form_below(form)
        while True:
            sent = yield self._asking(request, form)
            if isinstance(sent, Message):
                self._learned.keep(refused, asked)
                return self._made(sent, form, request)
            words = refusal(form, sent)
            if words is None:
                sent.response_format = form
                raise sent from None
            refused[form] = is_of_the_form(words, asked)
            form = self._learned.form_below(form)

    def _asking(self, request: Request, form: Form) -> dict[str, Any]:
        """What is sent; the words that stay the same come first, for the service's cache."""
        passages, rest = split(request.prompt)
        content: list[dict[str, Any]] = []
        if passages:
            content.append(self._cached({"type": "text", "text": sendable(passages)}))
        content.append({"type": "text", "text": sendable(rest)})
        strict = partial(strict_schema, request.schema)
        return self._body(request.prompt, content) | fields(form, strict)

    def _made(self, message: Message, form: Form, request: Request) -> Reply:
        reply = Reply(
            message.said(tool=form == "tool"),
            finish_reason=message.stop_reason,
            refusal=message.refusal,
            usage=message.usage,
            engine=self.name,
            response_format=form,
        )
        if form == "text":
            return reply
        return replace(checked(reply, _STRICT, request), response_format=form)


class AnthropicCitations(_Asking):
    """Asks one of Anthropic's models for prose with native citations.

    The model writes sentences instead of JSON and points at places in the passages instead of
    copying them. Each sentence becomes a statement, and each place is looked up in the passage's
    own text like any other quote. Two things differ from the other generators: nothing binds the
    form of the reply, and a place is always one or more whole sentences.

    Args:
        client: As for `AnthropicGenerator`; so are the others.

    Raises:
        InputError: An argument is out of its range.

    >>> import anthropic
    >>> client = anthropic.Anthropic(api_key="...")
    >>> AnthropicCitations(client, "claude-sonnet-5-5").name
    'anthropic-citations/claude-sonnet-5-5'
    """

    only_drafts = True

    def __init__(
        self,
        client: Any,
        model: str,
        *,
        name: str | None = None,
        max_tokens: int = MAX_TOKENS,
        timeout: float = 60.0,
        attempts: int = ATTEMPTS,
        cache: Cache | None = "5m",
        extra_body: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(
            client,
            model,
            name=name or f"anthropic-citations/{model}",
            max_tokens=max_tokens,
            timeout=timeout,
            attempts=attempts,
            cache=cache,
            extra_body=extra_body,
        )

    def _trying(self, request: Request) -> Callable[[], Asking]:
        return partial(self._steps, request)

    def _steps(self, request: Request) -> Asking:
        prompt = for_citations(request.prompt, max_statements=request.max_statements)
        question = {"type": "text", "text": sendable(prompt.user)}
        sent = yield self._body(prompt, [*documents(request, self._cache), question])
        if not isinstance(sent, Message):
            sent.response_format = "citations"
            raise sent from None
        texts = [block for block in sent.blocks if block.kind == "text"]
        return Reply(
            None,
            finish_reason=sent.stop_reason,
            refusal=sent.refusal,
            usage=sent.usage,
            engine=self.name,
            response_format="citations",
            cited=tuple(cited_text(block.text, block.citations, request) for block in texts),
        )


def _clients(client: Any) -> Clients:
    if isinstance(client, Own):
        return client
    create = getattr(getattr(client, "messages", None), "create", None)
    if not callable(create):
        raise InputError(
            f"client must be an anthropic.Anthropic or anthropic.AsyncAnthropic, or have "
            f"messages.create as they do; got {type(client).__name__}",
            code="bad_type",
        )
    return Given(client, hasattr(client, "__aenter__"))


def _check(model: object, max_tokens: object, cache: object) -> None:
    if not isinstance(model, str) or not model.strip():
        raise InputError(f"model must be a name, got {model!r:.60}", code="bad_type")
    if type(max_tokens) is not int or max_tokens < 1:
        raise InputError(
            f"max_tokens must be a whole number, 1 or more; got {max_tokens!r}", code="bad_range"
        )
    if cache is not None and cache not in get_args(Cache):
        raise InputError(f'cache must be "5m", "1h" or None; got {cache!r:.60}', code="bad_cache")


# --- model strings --------------------------------------------------------------------------


def from_name(model: str, url: str | None = None) -> AnthropicGenerator:
    """The generator of the model string "anthropic/MODEL" or "anthropic/MODEL@URL".

    The client is Anthropic's own: it reads `ANTHROPIC_API_KEY`, `ANTHROPIC_BASE_URL` and its
    other variables itself, when it is first needed.

    Args:
        model: The model's name.
        url: The address, instead of Anthropic's; its server is sent the same key.

    >>> from_name("claude-sonnet-5-5").name
    'anthropic/claude-sonnet-5-5'
    """
    generator = AnthropicGenerator(own_clients(url, f"anthropic/{model}"), model)
    generator._learned = _learned(model, url)  # noqa: SLF001  # of this very module
    return generator


def citations_from_name(model: str, url: str | None = None) -> AnthropicCitations:
    """The generator of the model string "anthropic-citations/MODEL"; see `from_name`.

    >>> citations_from_name("claude-sonnet-5-5").name
    'anthropic-citations/claude-sonnet-5-5'
    """
    return AnthropicCitations(own_clients(url, f"anthropic-citations/{model}"), model)


@lru_cache(maxsize=64)
def _learned(model: str, url: str | None) -> Learned:  # noqa: ARG001  # the key
    """A model string is resolved anew in each call; what its service takes is learned once."""
    return Learned("json_schema")
