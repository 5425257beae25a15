"""Any model that Outlines reaches: in this process, or behind a server.

What a model can be bound to is found by asking it for a word that only the constraint knows: a
processor may never be called, a server may ignore the field. Every reply is looked at again,
since a constraint can be lost in mid-answer, and whatever was not bound is called so. Grammars
and schemas are compiled by `llguidance`; Outlines' own compiler takes minutes for ours.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import Any, TypeVar

from groundedgen.deadlines import remaining, unblocked
from groundedgen.draft import check_end
from groundedgen.errors import InputError, MissingExtraError, RefusedError, TruncatedError
from groundedgen.generators.constrained.llguide import admits, fault
from groundedgen.generators.constrained.obeyed import checked
from groundedgen.generators.constrained.rungs import Capabilities, Plan, Rung, planned
from groundedgen.generators.outlining.calls import Asker
from groundedgen.generators.outlining.dialects import is_own
from groundedgen.generators.outlining.outcomes import Call, Outcome
from groundedgen.generators.outlining.probes import Asking, found
from groundedgen.generators.transport.clients import check_limits
from groundedgen.generators.transport.failures import words_of
from groundedgen.ports import Reply, Request
from groundedgen.values import Prompt, Usage

try:
    from outlines.models.base import AsyncModel, Model
except ImportError as error:
    raise MissingExtraError("a model that Outlines reaches", extra="outlines") from error

from groundedgen.generators.retrying import ATTEMPTS, Streamed, aretry, retry

__all__ = ["OutlinesGenerator"]

T = TypeVar("T")

#: By name, since OpenAI's client is not needed for models in this process.
_SERVED = "groundedgen.generators.outlining.served:Served"


class OutlinesGenerator:
    """Asks a model of Outlines, bound as tightly as it was seen to obey.

    A model in this process answers one call at a time; it is stopped at the deadline with its
    next token, and what cannot be stopped (reading the prompt) is left behind in its thread.
    A server's reply is asked for again, one rung lower, where it turns the constraint down, writes
    nothing, or writes what the constraint does not admit.

    Args:
        model: Made by one of Outlines' functions: `outlines.from_transformers`, `from_llamacpp`,
            `from_mlxlm`, `from_vllm_offline`, `from_vllm`, `from_sglang`, `from_ollama`,
            `from_tgi`, `from_openai`, ...; synchronous (for `ask` and `aask`) or not (for `aask`).
        name: What the answer names as its engine; "outlines/CLASS/MODEL" when left out.
        timeout: Seconds for one draft (of a server: for one request); more than 0.
        attempts: Requests at most where a server fails in passing, 1 to 10.
        max_tokens: The most tokens of a reply; `None` is 2,048 for a model in this process, and
            left to the server otherwise.
        temperature: 0.0 for the most likely words; `None` leaves it to the model.
        options: Further arguments of each call, as the library below Outlines names them.
        own_server: Whether the server is yours and may be told words of passages in a schema;
            `None` says so of all but hosted services and addresses on the internet.

    Raises:
        InputError: `model` is none of Outlines', or another argument is out of its range.

    >>> import openai, outlines
    >>> client = openai.OpenAI(api_key="...", base_url="http://localhost:8000/v1")
    >>> OutlinesGenerator(outlines.from_vllm(client, "Qwen/Qwen3-8B")).name
    'outlines/vllm/Qwen/Qwen3-8B'
    """

    def __init__(
        self,
        model: Any,
        *,
        name: str | None = None,
        timeout: float = 300.0,
        attempts: int = ATTEMPTS,
        max_tokens: int | None = None,
        temperature: float | None = 0.0,
        options: Mapping[str, Any] | None = None,
        own_server: bool | None = None,
    ) -> None:
        if not isinstance(model, Model | AsyncModel):
            raise InputError(
                f"model must be one of Outlines', as outlines.from_vllm(client, name) is; "
                f"got {type(model).__name__}",
                code="bad_type",
            )
        self.name = name or _name(model)
        self._timeout = check_limits(timeout, attempts)
        self._asker = Asker(
            model, self.name, limit=max_tokens, options=dict(options or {}), temperature=temperature
        )
        dialect, self._known = self._asker.dialect, self._asker.known
        self.concurrent = not dialect.local
        self._attempts = 1 if dialect.local else attempts
        self._own = is_own(dialect, model) if own_server is None else own_server
        self._asynchronous = isinstance(model, AsyncModel)
        self._served: Any = None
        if dialect.served:
            self._served = pkgutil.resolve_name(_SERVED)(
                model,
                dict(options or {}),
                name=self.name,
                timeout=timeout,
                attempts=attempts,
                own_server=self._own,
                max_tokens=max_tokens,
                temperature=temperature,
            )

    @property
    def found(self) -> Any:
        """What a server of OpenAI's form was seen to obey; `None` before, and of other models."""
        return None if self._served is None else self._served.found

    def generate(self, request: Request) -> Reply:
        """One reply.

        Raises:
            InputError: The model is asynchronous; use `aask`.
            ProviderError: The model failed, also after the last attempt.
            MissingExtraError: What binds it is not installed.
        """
        self._refuse_asynchronous()
        if self._served is not None:
            reply: Reply = self._served.generate(request)
            return reply
        return retry(lambda: self._driven(self._steps(request)), self._attempts)

    async def agenerate(self, request: Request) -> Reply:
        """One reply, awaited; of a synchronous model, from a thread of its own.

        Raises:
            ProviderError: The model failed, also after the last attempt.
            MissingExtraError: What binds it is not installed.
        """
        if self._served is not None:
            reply: Reply = await self._served.agenerate(request)
            return reply
        if not self._asynchronous:
            return await unblocked(lambda: self.generate(request))
        return await aretry(lambda: self._adriven(self._steps(request)), self._attempts)

    async def astream(self, request: Request) -> Streamed:
        """One reply as it arrives, from a server of OpenAI's form; from others in one piece.

        Raises:
            As `agenerate`.
        """
        if self._served is None:
            yield await self.agenerate(request)
            return
        async with aclosing(self._served.astream(request)) as parts:
            async for part in parts:
                yield part

    def generate_batch(self, requests: Sequence[Request]) -> list[Reply]:
        """One reply for each request, in order, each with a constraint of its own.

        Transformers and vLLM in this process take them as one batch, all others one after the
        other. What lost its constraint in a batch is asked for again, alone.

        Raises:
            InputError: The model is asynchronous.
            ProviderError: The model failed; with it the whole batch.
            MissingExtraError: What binds it is not installed.
        """
        self._refuse_asynchronous()
        if len(requests) < 2 or not self._asker.dialect.batches:
            return [self.generate(request) for request in requests]
        able = self._driven(found(self._asker, own=self._own))
        plans = [planned(request, able, self._fault()) for request in requests]
        calls = [
            self._call(request.prompt, plan) for request, plan in zip(requests, plans, strict=True)
        ]
        outcomes = self._asker.ask_all(calls, self._seconds())
        return [
            self._read(request, plan, outcome) or self.generate(request)
            for request, plan, outcome in zip(requests, plans, outcomes, strict=True)
        ]

    def _driven(self, steps: Asking[T]) -> T:
        try:
            call = next(steps)
            while True:
                call = steps.send(self._asker.ask(call, self._seconds()))
        except StopIteration as end:
            result: T = end.value
            return result

    async def _adriven(self, steps: Asking[T]) -> T:
        try:
            call = next(steps)
            while True:
                call = steps.send(await self._asker.aask(call, self._seconds()))
        except StopIteration as end:
            result: T = end.value
            return result

    def _seconds(self) -> float:
        return remaining(most=self._timeout) or 0.0

    def _refuse_asynchronous(self) -> None:
        if self._asynchronous:
            raise InputError(
                "the Outlines model given to the generator is asynchronous; use aask, or make it "
                "from a synchronous client",
                code="bad_type",
            )

    def _steps(self, request: Request) -> Asking[Reply]:
        """Yields calls and is sent what came of them; returns the reply.

        Raises:
            ProviderError: The model failed.
        """
        able = yield from found(self._asker, own=self._own)
        spent = Usage()
        while True:
            plan = planned(request, able, self._fault())
            outcome = yield self._call(request.prompt, plan)
            if self._must_fold(outcome):
                continue
            reply = self._read(request, plan, outcome)
            if reply is not None:
                return replace(reply, usage=reply.usage + spent)
            spent += outcome.spent(self.name)
            able = _without(able, plan.rung)

    def _call(self, prompt: Prompt, plan: Plan) -> Call:
        return Call(prompt, plan, self._known.puts.get(plan.rung))

    def _read(self, request: Request, plan: Plan, outcome: Outcome) -> Reply | None:
        """The reply, with what can be said of its constraint; `None` if that was lost.

        A model in this process that was bound to the end has only been decoded otherwise, and
        would be again. A server is asked for less.

        Raises:
            ProviderError: The model failed.
        """
        if plan.rung != "none" and outcome.lost:
            return None
        told = outcome.said(self.name, self._asker.limit)
        reply = Reply(told.raw, told.finish_reason, told.refusal, told.usage, self.name)
        reply = checked(reply, plan, request, admits)
        lost = reply.constraint != plan.constraint and outcome.guard is None
        return None if lost and _is_whole(reply) else reply

    def _must_fold(self, outcome: Outcome) -> bool:
        """Whether the model's template takes no system message; remembers it."""
        if outcome.error is None or self._known.folds:
            return False
        words = words_of(outcome.below) or str(outcome.below).lower()
        self._known.folds = "system" in words and "role" in words
        return self._known.folds

    def _fault(self) -> Callable[[str, str], str]:
        """What tries a grammar: over the model's own vocabulary, where that is known.

        Plans are kept with what tried them, so this must not hold the model.
        """
        compiler = self._known.compiler
        return fault if compiler is None else compiler.fault


def _is_whole(reply: Reply) -> bool:
    """Whether a reply came to its own end, so that one with less of a constraint can be better."""
    try:
        check_end(reply)
    except (RefusedError, TruncatedError):
        return False
    return True


def _without(able: Capabilities, rung: Rung) -> Capabilities:
    """What is left to try. Where the plain schema was not minded, no other will be."""
    match rung:
        case "lark":
            return replace(able, lark=False)
        case "schema":
            return replace(able, schema=False)
        case "gbnf":
            return replace(able, gbnf=False)
        case "enum" | "none":
            return Capabilities()


def _name(model: Any) -> str:
    kind = type(model).__name__.removeprefix("Async").lower()
    named = getattr(model, "model_name", None)
    return f"outlines/{kind}/{named}" if isinstance(named, str) and named else f"outlines/{kind}"
