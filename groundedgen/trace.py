"""The steps of one call as data: names, ids, counts and lengths, never a word of text.

Events are returned with the answer; whoever wants them elsewhere is told afterwards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from groundedgen.constraints import broken
from groundedgen.entailment import Query
from groundedgen.errors import GenerationError
from groundedgen.evidence import EvidenceForm
from groundedgen.values import (
    Answer,
    Constraint,
    Finding,
    Prompt,
    Reply,
    Request,
    Sourced,
    TraceEvent,
    Usage,
    Verdict,
)

__all__ = [
    "assigned",
    "checked",
    "constraint_broken",
    "disagreements",
    "failed",
    "generated",
    "judged",
    "parsed",
    "prompted",
    "settled",
]


_ENDS = frozenset(
    {
        "",
        "stop", "length", "content_filter", "tool_calls", "function_call",  # OpenAI
        "end_turn", "max_tokens", "stop_sequence", "tool_use", "pause_turn", "refusal",  # Anthropic
        "model_context_window_exceeded",
        "STOP", "MAX_TOKENS", "SAFETY", "RECITATION",  # Gemini
        "eos", "abort", "error",  # local servers
    }
)  # fmt: skip


def assigned(passages: int, docs: Mapping[str, str]) -> TraceEvent:
    """Aliases were given out. Counts passages, aliases and code points."""
    sizes = {"passages": passages, "aliases": len(docs), "chars": sum(map(len, docs.values()))}
    return TraceEvent("assigned", 0, sizes)


def prompted(request: Request, evidence: EvidenceForm) -> TraceEvent:
    """A prompt was built. `evidence` is what it asks for as proof."""
    prompt: Prompt = request.prompt
    return TraceEvent(
        "prompted",
        request.attempt,
        {
            "chars": len(prompt.system) + len(prompt.user),
            "version": prompt.version,
            "evidence": evidence,
        },
    )


def generated(attempt: int, reply: Reply) -> TraceEvent:
    """A generator replied."""
    return TraceEvent(
        "generated",
        attempt,
        {
            "engine": reply.engine,
            "finish_reason": _end(reply.finish_reason),
            "constraint": reply.constraint,
            "response_format": reply.response_format,
            "chars": len(reply.raw or "") + sum(len(piece.text) for piece in reply.cited or ()),
            "input_tokens": reply.usage.input_tokens,
            "output_tokens": reply.usage.output_tokens,
            "cached_input_tokens": reply.usage.cached_input_tokens,
        },
    )


def _end(word: object) -> str:
    """How a reply ended, in a word that we know: any other may be any text."""
    return word if isinstance(word, str) and word in _ENDS else "other"


def failed(attempt: int, error: Exception) -> TraceEvent:
    """A generator gave no usable draft. Only the kind of error is kept, never its message."""
    return TraceEvent("failed", attempt, {"error": type(error).__name__})


def parsed(
    attempt: int, total: int, statements: Sequence[Sourced], findings: Sequence[Finding]
) -> TraceEvent:
    """A draft was read. `all_fabricated`: every statement names only sources that do not exist."""
    unknown = sum(finding.reason == "unknown_source" for finding in findings)
    return TraceEvent(
        "parsed",
        attempt,
        {
            "statements": total,
            "well_formed": len(statements),
            "all_fabricated": bool(total) and unknown == total,
        },
    )


def checked(attempt: int, passed: int, findings: Iterable[Finding]) -> TraceEvent:
    """The deterministic gates are through. Counts what each of them dropped."""
    dropped = Counter(f"{f.check}.{f.reason}" for f in findings if not f.kept)
    return TraceEvent(
        "checked", attempt, {"passed": passed, "dropped": dict(sorted(dropped.items()))}
    )


def constraint_broken(
    attempt: int, constraint: Constraint, statements: Sequence[Sourced], findings: Iterable[Finding]
) -> list[TraceEvent]:
    """A reply broke what its constraint promises: one event, or none where it kept all of it.

    `times` is how often, `broken` the same by check and reason; see `constraints.broken`. A
    server that ignores the constraint it is sent shows by this event and by nothing else.
    """
    counts = broken(constraint, statements, findings)
    data = {"constraint": constraint, "times": sum(counts.values()), "broken": counts}
    return [TraceEvent("constraint_broken", attempt, data)] if counts else []


def disagreements(call: Answer | GenerationError) -> int:
    """How often the replies of a call broke what their constraints promise.

    0 where the gates found nothing that the constraint rules out: what every run under a grammar
    must come to. Counts the drafts of an answer, or of a call that ended in an error.

    >>> disagreements(Answer("not_found", "no_passages", "Is it covered?"))
    0
    """
    return sum(event.data["times"] for event in call.trace if event.name == "constraint_broken")


def judged(
    attempt: int, judge: str, queries: Sequence[Query], verdicts: Sequence[object]
) -> TraceEvent:
    """The judge answered. `skipped_share` is the part that needed no judge, 0 to 1.

    `calls` and tokens are what the judge says of itself (see `values.Judged`), else 0.
    """
    usage, calls = getattr(verdicts, "usage", None), getattr(verdicts, "calls", 0)
    tokens = usage if isinstance(usage, Usage) else Usage()
    asked = sum(query.pair is not None for query in queries)
    proved = sum(q.verdict is not None and q.verdict.label == "supported" for q in queries)
    labels = Counter(
        verdict.label if isinstance(verdict, Verdict) else "not_judged" for verdict in verdicts
    )
    return TraceEvent(
        "judged",
        attempt,
        {
            "judge": judge,
            "pairs": asked,
            "groups": len({q.pair.group for q in queries if q.pair}),
            "skipped_share": round(proved / len(queries), 4) if queries else 0.0,
            "labels": dict(sorted(labels.items())),
            "calls": calls if type(calls) is int else 0,
            "input_tokens": tokens.input_tokens,
            "output_tokens": tokens.output_tokens,
            "cached_input_tokens": tokens.cached_input_tokens,
        },
    )


def settled(attempt: int, status: str, reason: str, verified: int, checkable: int) -> TraceEvent:
    """The answer stands. The score is verified over checkable statements, not over all."""
    return TraceEvent(
        "settled",
        attempt,
        {
            "status": status,
            "reason": reason,
            "verified": verified,
            "checkable": checkable,
            "score": round(verified / checkable, 4) if checkable else None,
        },
    )
