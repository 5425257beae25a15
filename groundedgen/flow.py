"""The order of the steps, once, as a generator that yields what it needs from outside.

`flow` asks for two things: `Generate` (a draft) and `Judge` (verdicts). Whoever drives
it carries a request out and sends the result back; no rule lives in a driver, so the
synchronous and the asynchronous one cannot drift::

    steps = flow(question, passages)
    effect = next(steps)
    while True:
        effect = steps.send(carry_out(effect))     # StopIteration.value is the Answer

Each draft goes through the same checks, cheapest first: its shape and its aliases,
its quotes, its numbers, what must not ride along, and last a judge. Every check takes
only what the one before it returned.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from groundedgen import aliases as alias_room
from groundedgen import assembly, cited, draft, entailment, prompt, trace
from groundedgen.aliases import Aliases
from groundedgen.entailment import Entailed
from groundedgen.errors import (
    DeadlineError,
    DraftFormatError,
    GenerationError,
    ProviderError,
    TruncatedError,
)
from groundedgen.gates import leak, markers, numbers, placed, quotes
from groundedgen.policy import Decision, Policy, Regenerate, Round, Settle, decide
from groundedgen.prompt import PROMPT_VERSION
from groundedgen.text.folds import NORMALIZER_VERSION
from groundedgen.text.search import find
from groundedgen.values import (
    Answer,
    Constraint,
    Entailment,
    Finding,
    Located,
    Pair,
    Passage,
    Reply,
    Request,
    ResponseFormat,
    Sourced,
    Spot,
    TraceEvent,
    Usage,
)
from groundedgen.version import __version__

__all__ = ["Effect", "Flow", "Generate", "Judge", "Outcome", "check", "flow"]


@dataclass(frozen=True, slots=True)
class Generate:
    """Asks the driver for a `Reply`, or the `GenerationError` that came instead."""

    request: Request


@dataclass(frozen=True, slots=True)
class Judge:
    """Asks the driver for one `Verdict` per pair, in order."""

    pairs: tuple[Pair, ...]


Effect = Generate | Judge
Outcome = Reply | GenerationError | Sequence[object]
Flow = Generator[Effect, Outcome, Answer]


@dataclass(slots=True)
class _Call:
    """What one call knows and has seen so far. Lives inside one generator, never shared."""

    question: str
    passages: Sequence[Passage]
    policy: Policy
    judge: str
    limit: int | None
    core_first: bool = True
    history: Sequence[str] = ()
    kept: list[Entailed] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    events: list[TraceEvent] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)
    engine: str = ""
    constraint: Constraint = "none"
    response_format: ResponseFormat = "text"
    attempts: int = 0
    aliases: Aliases = field(init=False)

    def __post_init__(self) -> None:
        self.aliases = alias_room.assign(self.passages)
        self.events.append(trace.assigned(len(self.passages), self.aliases.docs))


def flow(
    question: str,
    passages: Sequence[Passage],
    *,
    policy: Policy | None = None,
    judge: str = "",
    limit: int | None = None,
    history: Sequence[str] = (),
) -> Flow:
    """Answer a question from passages: draft, check, at most once again, decide.

    Args:
        question: Not blank.
        passages: What the answer may rest on.
        policy: `Policy.balanced()` when left out.
        judge: The judge's name, for the answer.
        limit: The longest premise the judge reads whole, in code points; `None` for any.
        history: Earlier turns, oldest first; they help to understand and are no evidence.

    Raises:
        InputError: The question is blank, or an id stands for two texts.
        GenerationError: There was no usable draft at all.
    """
    call = _Call(question, passages, policy or Policy(), judge, limit, history=history)
    if not call.aliases.names:
        return _finish(call, Settle("not_found", "no_passages"))
    decision = decide(call.policy, (yield from _attempt(call, 1, ())))
    if isinstance(decision, Regenerate):
        repair = tuple(f for f in call.findings if not f.kept)
        decision = decide(call.policy, (yield from _attempt(call, 2, repair)))
    return _finish(call, _settled(decision))


def check(
    drafted: draft.Answered | draft.NotFound,
    passages: Sequence[Passage],
    *,
    question: str = "",
    policy: Policy | None = None,
    judge: str = "",
    limit: int | None = None,
) -> Flow:
    """Put a draft that something else wrote through the same checks. Yields `Judge` only.

    Whoever wrote it did not know that the first statement should carry the answer, so
    whatever survives counts.
    """
    call = _Call(question, passages, policy or Policy(), judge, limit, core_first=False)
    if not call.aliases.names:
        return _finish(call, Settle("not_found", "no_passages"))
    once = replace(call.policy, regenerate=False)
    decision = decide(once, (yield from _round(call, 1, drafted)))
    return _finish(call, _settled(decision))


def _settled(decision: Decision) -> Settle:
    """The last round's decision, which `decide` never makes a further draft."""
    if not isinstance(decision, Settle):
        raise AssertionError("one draft too many was asked for")  # noqa: TRY004  # no wrong type
    return decision


def _attempt(
    call: _Call, attempt: int, repair: Sequence[Finding]
) -> Generator[Effect, Outcome, Round]:
    """One generation and all its checks."""
    request = _request(call, attempt, repair)
    call.events.append(trace.prompted(request))
    call.attempts = attempt
    reply = yield Generate(request)
    if isinstance(reply, Reply):
        call.engine, call.constraint = reply.engine, reply.constraint
        call.response_format = reply.response_format
        call.usage += reply.usage
        call.events.append(trace.generated(attempt, reply))
        try:
            drafted = cited.parse(reply, call.aliases.names)
        except GenerationError as error:
            return _no_draft(call, attempt, error)
    elif isinstance(reply, GenerationError):
        return _no_draft(call, attempt, reply)
    else:
        raise TypeError(f"a driver must send a Reply, got {type(reply).__name__}")
    return (yield from _round(call, attempt, drafted))


def _request(call: _Call, attempt: int, repair: Sequence[Finding]) -> Request:
    policy, aliases = call.policy, call.aliases
    words = prompt.build(
        call.question,
        aliases,
        max_statements=policy.max_statements,
        min_words=policy.min_quote_words,
        history=call.history,
        repair=repair,
        kept=tuple(entailed.statement.text for entailed in call.kept),
        unknown=tuple(name for f in repair if f.reason == "unknown_source" for name in f.details),
    )
    return Request(
        question=call.question,
        prompt=words,
        schema=draft.schema(aliases.names),
        docs=aliases.docs,
        langs=aliases.langs,
        max_statements=policy.max_statements,
        min_quote_words=policy.min_quote_words,
        attempt=attempt,
    )


def _no_draft(call: _Call, attempt: int, error: GenerationError) -> Round:
    """A first reply of the wrong shape is asked for again; anything else ends the call.

    When a second generation fails after a first draft was checked, that draft's findings
    are what there is to say: the call ends without an answer instead of losing them.
    """
    again = attempt == 1 and call.policy.regenerate
    mendable = isinstance(error, DraftFormatError | TruncatedError) and again
    had_a_draft = attempt > 1 and any(f.index >= 0 for f in call.findings)
    if isinstance(error.wasted, Usage):
        call.usage += error.wasted
    call.events.append(trace.failed(attempt, error))
    if not mendable and not had_a_draft:
        error.usage, error.attempts, error.trace = call.usage, attempt, tuple(call.events)
        raise error
    reason = _ERROR_REASONS.get(type(error), "refused")
    message = "The model gave no usable draft."
    call.findings.append(Finding("generation", reason, -1, message, attempt))
    return Round(attempt, kept=len(call.kept), dropped=1)


_ERROR_REASONS: Mapping[type[GenerationError], str] = {
    DraftFormatError: "bad_format",
    TruncatedError: "truncated",
    ProviderError: "provider_error",
    DeadlineError: "deadline",
}


def _round(
    call: _Call, attempt: int, drafted: draft.Answered | draft.NotFound
) -> Generator[Effect, Outcome, Round]:
    """All checks of one draft, in order."""
    if isinstance(drafted, draft.NotFound):
        call.events.append(trace.parsed(attempt, 0, (), ()))
        return Round(attempt, said_not_found=True)
    findings = list(drafted.findings)
    call.events.append(trace.parsed(attempt, drafted.total, drafted.statements, findings))
    unmarked = [_unmarked(s, call.aliases.docs) for s in drafted.statements]
    located = _locate(call, unmarked, findings)
    agreed = _passing(numbers.agree(s, call.aliases.docs, call.aliases.langs) for s in located)
    findings += agreed.findings
    clean = _contained(call, agreed.statements, unmarked, located)
    findings += clean.findings
    call.events.append(trace.checked(attempt, len(clean.statements), findings))
    entailed = yield from _entail(call, attempt, clean.statements, findings)
    call.findings += [replace(finding, attempt=attempt) for finding in _sorted(findings)]
    _keep(call, entailed)
    return _summary(call, attempt, entailed, findings)


@dataclass(frozen=True, slots=True)
class _Passing:
    statements: tuple[Located, ...]
    findings: tuple[Finding, ...]


def _passing(
    results: Sequence[Located | Finding] | Generator[Located | Finding, None, None],
) -> _Passing:
    results = tuple(results)
    return _Passing(
        tuple(r for r in results if isinstance(r, Located)),
        tuple(r for r in results if isinstance(r, Finding)),
    )


def _locate(
    call: _Call, statements: Sequence[Sourced], findings: list[Finding]
) -> tuple[Located, ...]:
    docs, policy = call.aliases.docs, call.policy
    least = policy.min_quote_words
    results = _passing(
        placed.locate_placed(s, docs, min_words=least)
        if s.spans
        else quotes.locate(s, docs, min_words=least, remap=policy.remap)
        for s in statements
    )
    findings += results.findings
    findings += [_remapped(s) for s in results.statements if s.remapped_from]
    kept = {s.index for s in results.statements}
    for s in statements:
        findings += placed.cut_off(s, docs, min_words=least) if s.index in kept else ()
    return results.statements


def _unmarked(statement: Sourced, docs: Mapping[str, str]) -> Sourced:
    """The statement without citation marks: which source it has is said beside it.

    Marks that stand in a passage it names, together with all its other words, are the
    source's own notes and stay.
    """
    if any(find(statement.text, docs[alias]) for alias in statement.aliases):
        return statement
    return replace(statement, text=markers.cut_markers(statement.text, tuple(docs)))


def _remapped(statement: Located) -> Finding:
    return Finding(
        "quotes",
        "misattributed",
        statement.index,
        "The quote stands in another passage than the one named; the statement was moved there.",
        statement=statement.text,
        details=statement.remapped_from,
        passage_id=statement.spots[0].alias,
        kept=True,
    )


def _contained(
    call: _Call,
    statements: Sequence[Located],
    drafted: Sequence[Sourced],
    located: Sequence[Located],
) -> _Passing:
    """Drop what carries words of this draft's failed quotes, a link, or a passage id.

    Only this draft's: a second draft that says properly what the first one misquoted is
    what it was asked for.
    """
    found = {s.index for s in located}
    failed = [s.quote for s in drafted if s.index not in found]
    verified = [s.quote for s in located]
    ids = tuple(passage.id for passage in call.passages)
    return _passing(leak.contained(s, failed, verified, call.aliases.docs, ids) for s in statements)


def _entail(
    call: _Call, attempt: int, statements: Sequence[Located], findings: list[Finding]
) -> Generator[Effect, Outcome, tuple[Entailed, ...]]:
    aliases = call.aliases
    queries = entailment.ask_about(statements, aliases.docs, aliases.langs, call.limit)
    pairs = tuple(query.pair for query in queries if query.pair)
    verdicts: Outcome = ()
    if pairs:
        verdicts = yield Judge(pairs)
    if isinstance(verdicts, Reply | GenerationError) or not isinstance(verdicts, Sequence):
        verdicts = ()
    usage = getattr(verdicts, "usage", None)  # see values.Judged
    call.usage += usage if isinstance(usage, Usage) else Usage()
    call.events.append(trace.judged(attempt, call.judge, queries, verdicts))
    entailed, refuted = entailment.collect(queries, verdicts)
    if call.policy.show_unverified:
        entailed, refuted = _unverified(entailed, refuted, statements)
    findings += refuted
    return entailed


def _unverified(
    entailed: Sequence[Entailed], refuted: Sequence[Finding], statements: Sequence[Located]
) -> tuple[tuple[Entailed, ...], tuple[Finding, ...]]:
    """Let what has no verdict through, marked. Only under `Policy.show_unverified`."""
    waiting = {s.index: s for s in statements}
    unjudged = [f for f in refuted if f.reason == "not_judged" and not f.kept]
    shown = [
        Entailed(waiting[f.index], Entailment("not_judged", "unverified", None, f.message))
        for f in unjudged
    ]
    marked = tuple(replace(f, kept=True) if f in unjudged else f for f in refuted)
    return tuple(sorted((*entailed, *shown), key=lambda e: e.statement.index)), marked


def _sorted(findings: Sequence[Finding]) -> list[Finding]:
    return sorted(findings, key=lambda finding: finding.index)


def _keep(call: _Call, entailed: Sequence[Entailed]) -> None:
    """Put this round's survivors first: its first statement answers the question.

    What an earlier round verified follows, unless it is said again.
    """
    said = {_identity(e.statement) for e in entailed}
    call.kept = [*entailed, *(e for e in call.kept if _identity(e.statement) not in said)]


def _identity(statement: Located) -> tuple[str, tuple[Spot, ...]]:
    return statement.text, statement.spots


def _summary(
    call: _Call, attempt: int, entailed: Sequence[Entailed], findings: Sequence[Finding]
) -> Round:
    dropped = [f for f in findings if not f.kept]
    unjudged = [f for f in dropped if f.reason == "not_judged"]
    return Round(
        attempt,
        core=_has_core(call, [e.statement.index for e in entailed]),
        core_unjudged=_has_core(call, [f.index for f in unjudged]),
        kept=len(call.kept),
        dropped=len(dropped),
        unjudged=len(unjudged),
    )


def _has_core(call: _Call, indices: Sequence[int]) -> bool:
    """Whether what the answer stands on is among these statements of a draft."""
    return 0 in indices if call.core_first else bool(indices)


def _finish(call: _Call, decision: Settle) -> Answer:
    answered = decision.status == "answered"
    aliases = call.aliases
    shown = tuple(assembly.statement(e, aliases) for e in call.kept) if answered else ()
    near = () if answered else assembly.closest(call.question, aliases)
    if not answered:
        call.findings += [assembly.unshown(e, decision.reason, call.attempts) for e in call.kept]
    verified = sum(statement.verified for statement in shown)
    checkable = verified + sum(not f.kept and f.reason != "not_judged" for f in call.findings)
    call.events.append(
        trace.settled(call.attempts, decision.status, decision.reason, verified, checkable)
    )
    return Answer(
        status=decision.status,
        reason=decision.reason,
        question=call.question,
        statements=shown,
        findings=tuple(assembly.named(finding, aliases) for finding in call.findings),
        closest=near,
        passages=assembly.pointed_at(call.passages, shown, near),
        usage=call.usage,
        attempts=call.attempts,
        engine=call.engine,
        judge=call.judge,
        constraint=call.constraint,
        response_format=call.response_format,
        trace=tuple(call.events),
        versions={
            "groundedgen": __version__,
            "normalizer": NORMALIZER_VERSION,
            "prompt": PROMPT_VERSION,
            "policy": call.policy.name,
        },
    )
