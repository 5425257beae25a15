"""What a model and a judge really do, seen by asking them: the rules behind `groundedgen doctor`.

Two questions are put to the model, one that its passages answer and one that they do not, and
two pairs to the judge, one of which holds. Whatever happens is said as a `Symptom`, with a way
out where there is one. Nothing of the user's own documents is sent.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from groundedgen import resolve
from groundedgen.ask import ask
from groundedgen.deadlines import bounded, remaining, within
from groundedgen.errors import (
    DeadlineError,
    DraftFormatError,
    GenerationError,
    GroundedgenError,
    ProviderError,
    RefusedError,
    TruncatedError,
)
from groundedgen.outages import cause
from groundedgen.passages import Passage
from groundedgen.policy import Policy
from groundedgen.ports import Generator, Judge, Pair, Reply, Request, Verdict
from groundedgen.values import Answer, Constraint, ResponseFormat

__all__ = ["JUDGE_HINTS", "State", "Symptom", "examine"]

State = Literal["ok", "warn", "fail"]

PASSAGES: Final = (
    Passage("lease-2", "The rent is 1,200 euros a month and is due on the first working day."),
    Passage("lease-3", "The tenant may keep one dog. Other animals need the landlord's consent."),
)
ANSWERABLE: Final = "How much is the rent?"
UNANSWERABLE: Final = "Which bank issued the gold bonds of 1911?"
HOLDS: Final = Pair(PASSAGES[0].text, "Each month the tenant owes 1,200 euros in rent.", "S1")
FAILS: Final = Pair(PASSAGES[0].text, "The rent is due on the last day of the month.", "S1")

_FORMS: Final[Mapping[ResponseFormat, tuple[State, str]]] = {
    "json_schema": ("ok", "strict JSON schema: the form holds, and only real sources can be named"),
    "tool": ("ok", "strict tool: the form holds, and only real sources can be named"),
    "grammar": ("ok", "grammar"),
    "citations": ("ok", "native citations: every place cited exists; it is checked here again"),
    "json_object": ("warn", "JSON without a schema: the server took no stricter form"),
    "text": ("warn", "the prompt alone asks for JSON: the server took no stricter form"),
}
_ENDS: Final[Mapping[type[GenerationError], str]] = {
    TruncatedError: "allow longer replies (max_tokens), or a larger context on the server",
    RefusedError: "the provider declines a harmless question about a lease; check its filters",
    DraftFormatError: "take a larger model, or a server that takes a JSON schema",
    DeadlineError: "allow more time with --timeout, or take a faster model",
}

JUDGE_HINTS: Final[Mapping[str, str]] = {
    "judge_denied": "check the key, and whether it may use the judge's model",
    "judge_rate_limited": "too many requests at once for this account; try later",
    "judge_timeout": "allow more time, or take a faster judge",
    "judge_error": "is the judge's server running, and its address right?",
    "judge_cancelled": "something else in this process ended the judge's request",
    "judge_refused": "the judge's provider declines; check its filters",
    "judge_truncated": "allow the judge's model longer replies (max_tokens)",
    "judge_bad_reply": "take a larger model as judge, or a server that takes a JSON schema",
    "judge_missing_item": "take a larger model as judge, or a server that takes a JSON schema",
}
"""What to do where there is no verdict, by `Verdict.reason`."""


_BOUND: Final[Mapping[Constraint, str]] = {
    "grammar": "source, quote and figures are bound while decoding",
    "schema": "source and quote are bound while decoding",
    "enum": "the form and the names of sources are bound while decoding",
}


@dataclass(frozen=True, slots=True)
class Symptom:
    """One thing that was looked at.

    Attributes:
        about: "model", "endpoint", "form", "constraint", "answer", "not found", "tokens" or
            "judge".
        state: "ok", "warn" (works, but less than it could) or "fail" (does not work).
        text: What was seen, without any text of a reply.
        hint: What to do about it, or "".
    """

    about: str
    state: State
    text: str
    hint: str = ""


def examine(
    model: object, judge: object = "lexical", *, timeout: float = 60.0
) -> Iterator[Symptom]:
    """Look at a model and a judge, one symptom after the other, as they are found.

    Args:
        model: As for `ask`.
        judge: As for `ask`.
        timeout: Seconds for each of the questions, more than 0.

    >>> [symptom.about for symptom in examine("extractive")]
    ['endpoint', 'form', 'answer', 'not found', 'judge']
    """
    try:
        writer = resolve.generator(model)
        reader = resolve.judge(judge, writer)
    except GroundedgenError as error:
        yield Symptom("model", "fail", str(error))
        return
    yield from _writing(writer, timeout)
    yield from _judging(reader, timeout)


class _Overheard:
    """The generator under examination, with its replies and the time they took."""

    def __init__(self, inner: Any) -> None:
        self.name = resolve.name_of(inner)
        self.replies: list[Reply] = []
        self.seconds: list[float] = []
        self._inner = inner

    def generate(self, request: Request) -> Reply:
        start = time.monotonic()
        reply: Reply = self._inner.generate(request)
        self.seconds.append(time.monotonic() - start)
        self.replies.append(reply)
        return reply


class _Trusting:
    """Supports whatever passed the gates, so that a weak judge does not hide a good model."""

    name = "none"

    def judge(self, pairs: Any) -> list[Verdict]:
        return [Verdict("supported")] * len(pairs)


def _writing(writer: object, timeout: float) -> Iterator[Symptom]:
    name = resolve.name_of(writer)
    if not isinstance(writer, Generator):
        yield Symptom("model", "fail", f"{name} has no synchronous generate()")
        return
    heard = _Overheard(writer)
    try:
        answer = _asked(ANSWERABLE, heard, timeout)
    except Exception as error:  # noqa: BLE001  # whatever it is, it is what was to be found out
        yield _no_draft(error, name)
        return
    yield Symptom("endpoint", "ok", f"{name} replied in {heard.seconds[0]:.1f} s")
    yield _form(heard.replies[-1], answer)
    if (found := getattr(writer, "found", None)) is not None:
        yield _constraint(heard.replies[-1], found)
    yield from _content(answer, heard)
    try:
        other = _asked(UNANSWERABLE, heard, timeout)
    except Exception as error:  # noqa: BLE001  # as above
        yield _no_draft(error, name)
        return
    if other.reason == "model_said_not_found":
        yield Symptom("not found", "ok", "says so where the passages do not answer")
    else:
        seen = f"answers where the passages do not; the checks made of it: {other.status}"
        yield Symptom("not found", "warn", seen)


def _asked(question: str, heard: _Overheard, timeout: float) -> Answer:
    return ask(question, PASSAGES, model=heard, judge=_Trusting(), policy=Policy(), timeout=timeout)


def _no_draft(error: Exception, name: str) -> Symptom:
    if not isinstance(error, GroundedgenError):  # whose words may be those of a key or a prompt
        hint = "a fault of the model's adapter or client; call it by itself to see all of it"
        return Symptom("model", "fail", f"{name} failed ({type(error).__name__})", hint)
    if not isinstance(error, GenerationError):
        return Symptom("model", "fail", str(error))
    hint = error.hint if isinstance(error, ProviderError) else _ENDS.get(type(error), "")
    about = "endpoint" if isinstance(error, ProviderError | DeadlineError) else "form"
    return Symptom(about, "fail", str(error), hint)


def _form(reply: Reply, answer: Answer) -> Symptom:
    state, text = _FORMS[reply.response_format]
    sent = reply.response_format in {"json_schema", "tool"}
    if reply.constraint == "none" and sent:
        state, text = "warn", "a schema is sent, and nothing says that the service enforces it"
    if reply.response_format == "grammar" and reply.constraint == "none":
        state, text = "warn", "a grammar is sent, and the reply does not keep to it"
    elif reply.response_format == "grammar":
        text = f"{text}: {_BOUND[reply.constraint]}"
    if reply.engine == "extractive":
        return Symptom("form", "ok", "whole sentences of the passages, no model")
    if sent and any(f.reason == "unknown_source" for f in answer.findings):
        state, text = "warn", "the server takes a schema and does not enforce it"
    wrapped = []
    raw = (reply.raw or "").lstrip()
    if "</think" in raw or raw.startswith("<"):
        wrapped.append("a thinking part")
    if "```" in raw:
        wrapped.append("a code fence")
    if wrapped and sent:
        state, text = "warn", "the server takes a schema and does not enforce it"
    if wrapped:
        text += f"; {' and '.join(wrapped)} round the reply is taken off"
    return Symptom("form", state, text)


def _constraint(reply: Reply, found: object) -> Symptom:
    """What a server of one's own was seen to obey, and how tightly that bound the reply."""
    if reply.constraint != "none":
        return Symptom("constraint", "ok", f"{_BOUND[reply.constraint]}; obeys {found}")
    text = f"the reply was bound by nothing; obeys {found}"
    hint = "a server with llguidance or JSON schemas binds source, quote and figures"
    return Symptom("constraint", "warn", text, hint)


def _content(answer: Answer, heard: _Overheard) -> Iterator[Symptom]:
    dropped = [finding for finding in answer.findings if not finding.kept]
    why = ", ".join(dict.fromkeys(f"{finding.check}.{finding.reason}" for finding in dropped))
    if answer.status == "answered":
        also = f"; dropped {len(dropped)}: {why}" if dropped else ""
        tries = " in the second draft" if answer.attempts > 1 else ""
        count = len(answer.statements)
        text = f"{count} checked statement{'s' * (count > 1)}{tries}{also}"
        yield Symptom("answer", "warn" if dropped else "ok", text)
    else:
        hint = "a larger model copies quotes more faithfully" if dropped else ""
        yield Symptom("answer", "fail", f"{answer.status} ({answer.reason}): {why or '-'}", hint)
    usage = answer.usage
    if usage.input_tokens:
        cached = (
            f", {usage.cached_input_tokens} of them cached" if usage.cached_input_tokens else ""
        )
        text = f"{usage.input_tokens} in{cached}, {usage.output_tokens} out"
        yield Symptom("tokens", "ok", text)
    elif heard.replies[-1].engine != "extractive":
        yield Symptom("tokens", "warn", "the server reports no usage")


def _judging(reader: object, timeout: float) -> Iterator[Symptom]:
    name = resolve.name_of(reader)
    if not isinstance(reader, Judge):
        yield Symptom("judge", "fail", f"{name} has no synchronous judge()")
        return
    try:
        with within(timeout):
            verdicts = list(bounded(lambda: reader.judge([HOLDS, FAILS]), remaining()))
    except Exception as error:  # noqa: BLE001  # whatever it is, it is what was to be found out
        met, hint = _met([cause(error)])
        yield Symptom("judge", "fail", f"{name} failed ({met})", hint)
        return
    if len(verdicts) != 2 or any(v.label == "not_judged" for v in verdicts):
        reasons = {v.reason or "not_judged" for v in verdicts} or {"judge_missing_item"}
        met, hint = _met([v.why for v in verdicts if v.label == "not_judged"])
        hint = hint or next((JUDGE_HINTS[r] for r in sorted(reasons) if r in JUDGE_HINTS), "")
        seen = ", ".join((*sorted(reasons), *filter(None, [met])))
        yield Symptom("judge", "fail", f"{name} gave no verdict ({seen})", hint)
    elif verdicts[1].label == "supported":
        text = f"{name} supports a claim that its passage contradicts"
        yield Symptom(
            "judge", "fail", text, "take a larger model; `groundedgen calibrate` measures it"
        )
    elif verdicts[0].label != "supported":
        text = f"{name} stops what is false, and does not see that a plain paraphrase holds"
        yield Symptom("judge", "warn", text, "safe, but honest answers are lost")
    else:
        yield Symptom("judge", "ok", f"{name} tells a true claim from a false one")


def _met(causes: Sequence[str]) -> tuple[str, str]:
    """What the judge met, and what to do about it, out of the words of `outages.cause`."""
    met, _, hint = next(iter(causes), "").partition(": ")
    return met, hint
