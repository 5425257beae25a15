"""The logits processor for models in this process: Outlines' own, and what becomes of it is seen.

Libraries call a processor from inside C code, which drops its exceptions, and go on without a
constraint; a grammar that runs out of fuel leaves an empty string. Here a failure is kept, only
the end of the text is allowed from then on, and whoever asked looks at `fault` before the text.
"""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections.abc import Sequence
from typing import Any, Final

from groundedgen.errors import MissingExtraError
from groundedgen.generators.constrained.rungs import Plan

try:
    from llguidance import LLMatcher
    from outlines.backends.llguidance import LLGuidanceBackend, LLGuidanceLogitsProcessor
except ImportError as error:
    raise MissingExtraError("a model that Outlines steers", extra="outlines") from error

__all__ = ["Compiler", "Guarded"]

_KEPT: Final = 16
_LEAST: Final = 'start: "x"'


class Compiler:
    """Constraints compiled for one model's vocabulary, the last few kept by their hash.

    Turning the vocabulary around takes as long as some 25 tokens, so there is one of these for
    each model, made when first needed.

    Args:
        model: A steerable model of Outlines. Not kept.

    Raises:
        ValueError: Outlines has no `llguidance` for this model, or not for its tokenizer.
    """

    def __init__(self, model: Any) -> None:
        self.backend: Any = LLGuidanceBackend(model)
        self._compiled: dict[str, Any] = {}
        self._lock = threading.Lock()

    def fault(self, grammar: str, draft: str = "") -> str:
        """What is wrong with a Lark grammar over this vocabulary, "" if nothing is.

        See `llguide.fault`, which knows only bytes: these are the model's own tokens.
        """
        matcher = self._matcher("lark", grammar)
        if not matcher.is_error():
            matcher.compute_bitmask()
        if draft and not matcher.is_error():
            tokens = self.backend.llg_tokenizer.tokenize_str(draft)
            taken = matcher.try_consume_tokens(tokens)
            if not matcher.is_error() and (taken < len(tokens) or not matcher.is_accepting()):
                return f"it admits {taken} of the {len(tokens)} tokens of a draft"
        return _line(matcher)

    def matcher(self, plan: Plan) -> Any:
        """A fresh matcher of what a plan admits; `None` for the rung "none"."""
        if plan.grammar:
            return self._matcher("lark", plan.grammar)
        if plan.schema is not None:
            # Blanks between tokens of JSON have no bound: a model may write nothing else.
            strict = plan.schema | {"x-guidance": {"whitespace_flexible": False}}
            return self._matcher("schema", json.dumps(strict))
        return None

    def _matcher(self, kind: str, text: str) -> Any:
        key = hashlib.sha256(f"{kind}\0{text}".encode()).hexdigest()
        with self._lock:
            if key not in self._compiled:
                if len(self._compiled) >= _KEPT:
                    self._compiled.pop(next(iter(self._compiled)))
                self._compiled[key] = self._compile(kind, text)
            return self._compiled[key].deep_copy()

    def _compile(self, kind: str, text: str) -> Any:
        backend = self.backend
        if kind == "schema":
            spec = backend.get_json_schema_logits_processor(text).grammar
        else:
            spec = backend.get_cfg_logits_processor(text).grammar
        return LLMatcher(backend.llg_tokenizer, spec, log_level=0)


class Guarded(LLGuidanceLogitsProcessor):
    """Binds each row of a batch to a matcher of its own, counts its tokens, and keeps the time.

    Args:
        compiler: Of the model that is asked.
        matchers: One for each row, or `None` for each, which binds nothing.
        end: The ids of tokens that end a text, the one to force at the front.
        ends: When to stop, as `time.monotonic` counts.

    Attributes:
        fault: What went wrong, the name of a class or `llguidance`'s own line, or "". From then
            on only the end was allowed.
        error: The exception, if it was one.
        overdue: Whether the time was up before the text, or it was stopped.
        prompts: Tokens of each prompt.
        written: Tokens of each text, its end counted.
    """

    def __init__(
        self, compiler: Compiler, matchers: Sequence[Any], *, end: Sequence[int], ends: float
    ) -> None:
        backend = compiler.backend
        least = LLMatcher.grammar_from_lark(_LEAST)  # compiled once a row, and not used
        super().__init__(least, backend.llg_tokenizer, backend.tensor_library_name)
        self._given, self._end, self._ends = tuple(matchers), tuple(end), ends
        self.fault = ""
        self.error: Exception | None = None
        self.overdue = False
        self.prompts = [0] * len(matchers)
        self.written = [0] * len(matchers)
        self._closed = [False] * len(matchers)

    @property
    def applied(self) -> bool:
        """Whether it was called at all."""
        return not self.is_first_token

    def stop(self) -> None:
        """The time is up now: only the end is allowed from the next token on. From any thread."""
        self._ends = float("-inf")

    def __call__(self, input_ids: Any, logits: Any) -> Any:
        """The logits, with what may not come next at minus infinity; nothing is raised."""
        if time.monotonic() >= self._ends:
            self.overdue = True
        if self.overdue or self.fault:
            return self._only_end(logits)
        try:
            return super().__call__(input_ids, logits)
        except Exception as error:  # noqa: BLE001  # C code would drop it, and go on unbound
            self.error, self.fault = error, self.fault or type(error).__name__
            return self._only_end(logits)

    def process_logits(self, input_ids: Any, logits: Any) -> Any:
        """Take the tokens that were chosen, and bind the next; rows stand in one order."""
        if self.is_first_token:
            self._begin(input_ids)
        else:
            self._take([sequence[-1].item() for sequence in input_ids])
        self.written = [
            count + (not closed) for count, closed in zip(self.written, self._closed, strict=True)
        ]
        if self._given[0] is None:
            return logits
        if failed := next(filter(None, map(_line, self.ll_matchers)), ""):
            self.fault = failed
            return self._only_end(logits)
        return self._bias_logits(input_ids, logits)

    def _begin(self, input_ids: Any) -> None:
        rows = len(input_ids)
        if rows != len(self._given):
            raise ValueError(f"{rows} rows for {len(self._given)} constraints")
        self.is_first_token = False
        self.prompts = [len(sequence) for sequence in input_ids]
        if self._given[0] is not None:
            self._setup(rows)
            self.ll_matchers = list(self._given)

    def _take(self, tokens: Sequence[int]) -> None:
        """A row that has ended is fed padding, which is nobody's text."""
        for row, token in enumerate(tokens):
            if self._closed[row]:
                continue
            self._closed[row] = token in self._end
            matcher = self._given[row]
            if matcher is not None and not matcher.is_stopped():
                matcher.consume_token(token)

    def _only_end(self, logits: Any) -> Any:
        logits[..., :] = float("-inf")
        logits[..., self._end[0]] = 0.0
        return logits


def _line(matcher: Any) -> str:
    """What is wrong, on one line: it may hold words of a grammar, and so of passages."""
    return str(matcher.get_error()).strip().split("\n", 1)[0] if matcher.is_error() else ""
