"""Asking an Outlines model: one call, or a batch of them, within a time; nothing is raised."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

from groundedgen.deadlines import OverdueError, at_giving_up, awaited, bounded, check_wanted
from groundedgen.errors import MissingExtraError
from groundedgen.generators.outlining.dialects import at, dialect_of
from groundedgen.generators.outlining.guarded import Guarded
from groundedgen.generators.outlining.outcomes import Call, Known, Outcome
from groundedgen.generators.outlining.phrasing import arguments, end_ids, phrased, sampling
from groundedgen.generators.replies.overheard import listening
from groundedgen.generators.transport.cutting import cuttable
from groundedgen.generators.transport.quiet import hushed
from groundedgen.values import Prompt

try:
    import outlines
except ImportError as error:
    raise MissingExtraError("a model that Outlines reaches", extra="outlines") from error

__all__ = ["Asker"]


class Asker:
    """Calls one model with what is the same in all its calls.

    Args:
        model: A model of Outlines, synchronous or not.
        who: The generator's name, for messages.
        limit: The most tokens of a reply; `None` is what its class of models has.
        options: Arguments of each call, which come before ours.
        temperature: 0 for the most likely words.
    """

    def __init__(
        self,
        model: Any,
        who: str,
        *,
        limit: int | None,
        options: Mapping[str, Any],
        temperature: float | None,
    ) -> None:
        self.model, self.dialect, self.known = model, dialect_of(model), Known.of(model)
        self.who, self._options, self._temperature = who, options, temperature
        given = at(options, self.dialect.tokens) if self.dialect.tokens else None
        self.limit = given or limit or self.dialect.limit

    def ask(self, call: Call, seconds: float) -> Outcome:
        """What came of a call within `seconds`; nothing is raised."""
        outcome = Outcome()
        try:
            outcome.text = bounded(partial(self._asked, call, outcome, seconds), seconds)
        except Exception as error:  # noqa: BLE001  # of any of a dozen libraries
            outcome.error = error
        return outcome

    async def aask(self, call: Call, seconds: float) -> Outcome:
        """`ask` of an asynchronous model."""
        outcome = Outcome()
        try:
            model, outcome.heard = self._listened()
            words, named = self._told(call, seconds)
            asked = partial(hushed(model.generate), *words, **named)
            outcome.text = await awaited(asked, seconds)
        except Exception as error:  # noqa: BLE001  # as above
            outcome.error = error
        return outcome

    def ask_all(self, calls: Sequence[Call], seconds: float) -> list[Outcome]:
        """What came of several calls in one batch; an exception is that of each of them."""
        outcomes = [Outcome(row=row) for row in range(len(calls))]
        try:
            texts = bounded(partial(self._all_asked, calls, outcomes, seconds), seconds)
            for outcome, text in zip(outcomes, texts, strict=True):
                outcome.text = text
        except Exception as error:  # noqa: BLE001  # as above
            for outcome in outcomes:
                outcome.error = error
        return outcomes

    def _asked(self, call: Call, outcome: Outcome, seconds: float) -> Any:
        ends = time.monotonic() + seconds
        if not self.dialect.local:
            return cuttable(partial(self._served, call, outcome, seconds))()
        with self._turn(ends):
            if not self.dialect.steered:
                return self._served(call, outcome, seconds)
            with self._steered([call], [outcome], ends) as steered:
                return hushed(steered)(self._phrased(call.prompt), **self._named(call, seconds))

    def _all_asked(
        self, calls: Sequence[Call], outcomes: Sequence[Outcome], seconds: float
    ) -> list[Any]:
        ends = time.monotonic() + seconds
        prompts = [self._phrased(call.prompt) for call in calls]
        with self._turn(ends):
            if self.dialect.steered:
                with self._steered(calls, outcomes, ends) as steered:
                    return list(hushed(steered.batch)(prompts, **self._named(calls[0], seconds)))
            model, heard = self._listened()
            rows = [self._sampled(call) for call in calls]
            named = {**self.dialect.extra, **self._options, "sampling_params": rows}
            texts = hushed(model.generate_batch)(prompts, None, **named)
            for outcome, returned in zip(outcomes, heard[-1] if heard else (), strict=False):
                outcome.heard = [[returned]]
            return [row[0] for row in texts]

    @contextmanager
    def _turn(self, ends: float) -> Iterator[None]:
        """The model, once nobody else has it; an earlier call may be in a thread left behind.

        Raises:
            OverdueError: It was not free in time, or by then nobody waited any more.
        """
        if not self.known.turn.acquire(timeout=max(0.0, ends - time.monotonic())):
            raise OverdueError
        try:
            check_wanted()
            yield
        finally:
            self.known.turn.release()

    def _served(self, call: Call, outcome: Outcome, seconds: float) -> Any:
        model, outcome.heard = self._listened()
        words, named = self._told(call, seconds)
        return hushed(model.generate)(*words, **named)

    def _told(self, call: Call, seconds: float) -> tuple[tuple[Any, Any], dict[str, Any]]:
        """The prompt and Outlines' output type, and the arguments."""
        named = self._named(call, seconds)
        if self.dialect.client == "model":
            return (self._phrased(call.prompt), None), named | {
                "sampling_params": self._sampled(call)
            }
        kind, further = call.put(call.plan) if call.put is not None else (None, {})
        body = {**named.get("extra_body", {}), **further.pop("extra_body", {})}
        return (self._phrased(call.prompt), kind), {
            **named,
            **further,
            **({"extra_body": body} if body else {}),
        }

    def _sampled(self, call: Call) -> Any:
        """The parameters of one prompt for vLLM, as Outlines makes them of its constraint."""
        limit = call.limit or self.limit or 0
        params = sampling(self.model, limit=limit, temperature=self._temperature)
        kind = call.put(call.plan)[0] if call.put is not None else None
        return self.model._build_generation_args({"sampling_params": params}, kind)  # noqa: SLF001  # its only way to one constraint a row

    @contextmanager
    def _steered(
        self, calls: Sequence[Call], outcomes: Sequence[Outcome], ends: float
    ) -> Iterator[Any]:
        """What asks the model, which stops with its next token if the call is given up."""
        compiler = self.known.compiler
        if compiler is None:  # nothing to bind it with, nor to stop it
            yield outlines.Generator(self.model)
            return
        matchers = [compiler.matcher(call.plan) for call in calls]
        guard = Guarded(compiler, matchers, end=end_ids(self.model), ends=ends)
        for outcome in outcomes:
            outcome.guard = guard
        with at_giving_up(guard.stop):
            check_wanted()  # compiling takes up to seconds, and reading the prompt is not stopped
            yield outlines.Generator(self.model, processor=guard)

    def _listened(self) -> tuple[Any, list[Any]]:
        if not self.dialect.heard:
            return self.model, []
        return listening(self.model, self.dialect.client, self.dialect.heard)

    def _phrased(self, prompt: Prompt) -> Any:
        system = self.dialect.system and not self.known.folds
        return phrased(self.model, prompt, system=system)

    def _named(self, call: Call, seconds: float) -> dict[str, Any]:
        return arguments(
            self.model,
            self.dialect,
            self._options,
            limit=call.limit or self.limit,
            temperature=self._temperature,
            seconds=seconds,
        )
