"""A generator out of any function from (system prompt, user prompt) to the model's words.

For clients that no adapter here knows. The function is called as it is: its own time-outs,
retries and errors are its own business, and nothing binds the form of its reply.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from typing import Any

from groundedgen.deadlines import unblocked
from groundedgen.errors import InputError
from groundedgen.outages import MisuseError
from groundedgen.ports import Reply, Request

__all__ = ["CallingGenerator"]


class CallingGenerator:
    """Asks a function `(system, user) -> str`; it may be asynchronous, then only `aask` can use it.

    Args:
        call: Given the rules (system prompt) and the passages with the question (user prompt).
        name: What the answer names as its engine; "callable/" and the function's own name
            when left out.

    Raises:
        InputError: The function cannot be called with two arguments. One whose parameters cannot be
            read, such as one in C, is taken as it is.

    >>> from groundedgen import ask
    >>> def model(system, user):
    ...     return '{"status": "not_found", "statements": []}'
    >>> ask("Is hail covered?", ["Fire is covered."], model=model).reason
    'model_said_not_found'
    """

    def __init__(
        self, call: Callable[[str, str], str | Awaitable[str]], *, name: str | None = None
    ) -> None:
        own = getattr(call, "__name__", type(call).__name__)
        _check_callable(call, own)
        self.name = name or (f"callable/{own}" if own.isidentifier() else "callable")
        self._call: Callable[[str, str], Any] = call

    def generate(self, request: Request) -> Reply:
        """One reply.

        Raises:
            InputError: The function is asynchronous (use `aask`), or returns no string.
        """
        raw = self._call(request.prompt.system, request.prompt.user)
        if inspect.isawaitable(raw):
            _close(raw)
            raise InputError(
                "the function given as a model is asynchronous; use aask", code="bad_type"
            )
        return self._reply(raw)

    async def agenerate(self, request: Request) -> Reply:
        """One reply, awaited; a synchronous function runs in a thread of its own.

        Raises:
            InputError: The function returns no string.
        """
        prompt = request.prompt
        if inspect.iscoroutinefunction(self._call):
            return self._reply(await self._call(prompt.system, prompt.user))
        raw = await unblocked(lambda: self._call(prompt.system, prompt.user))
        return self._reply(await raw if inspect.isawaitable(raw) else raw)

    def _reply(self, raw: object) -> Reply:
        if not isinstance(raw, str):
            # SDKs have None where a model said nothing, so one may come now and then.
            kind = InputError if raw is None else MisuseError
            raise kind(
                f"the function given as model= or judge= must return a string, the model's words; "
                f"got {type(raw).__name__}",
                code="bad_reply",
            )
        return Reply(raw, engine=self.name)


def _close(awaitable: object) -> None:
    """Keep Python from warning about a coroutine that nobody awaits."""
    close = getattr(awaitable, "close", None)
    if callable(close):
        close()


# --- what is called ---------------------------------------------------------------------------


def _check_callable(call: Callable[..., Any], own: str) -> None:
    """Refuse what could only fail when it is called, before anything is sent anywhere."""
    signature = _signature(call)
    if signature is None or _takes(signature, 2):
        return
    shown = f"{own}{_without_values(signature)}"
    way = f"pass a function of (system, user) that returns the model's words, which calls {own}"
    if _takes(signature, 1):
        inner = own if own.isidentifier() else "it"
        way = f'wrap it: lambda system, user: {inner}(system + "\\n\\n" + user)'
    raise InputError(
        f"the function given as model= or judge= is called with two arguments, the rules and the "
        f"prompt (system, user), and {shown} does not take them; {way}",
        code="bad_signature",
    )


def _signature(call: Callable[..., Any]) -> inspect.Signature | None:
    """The parameters that it is called with; `None` where they cannot be read for certain.

    What a function says of itself (`__wrapped__`, `__signature__`) may be that of another one,
    which it calls in its own way.
    """
    try:
        own = not hasattr(call, "__signature__")
        return inspect.signature(call, follow_wrapped=False) if own else None
    except (TypeError, ValueError):
        return None


def _takes(signature: inspect.Signature, count: int) -> bool:
    try:
        signature.bind(*[""] * count)
    except TypeError:
        return False
    return True


def _without_values(signature: inspect.Signature) -> inspect.Signature:
    """Names only: a default may be a key."""
    bare = inspect.Parameter.empty
    named = [p.replace(default=bare, annotation=bare) for p in signature.parameters.values()]
    return signature.replace(parameters=named, return_annotation=inspect.Signature.empty)
