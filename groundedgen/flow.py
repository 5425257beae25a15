"""The order of the steps, once, as a generator that yields what it needs from outside.

`flow` asks for two things: `Generate` (a draft) and `Judge` (verdicts). Whoever drives
it carries a request out and sends the result back; no rule lives in a driver, so the
synchronous, the asynchronous and the streaming one cannot drift::

    steps = flow(question, passages)
    effect = next(steps)
    while True:
        effect = steps.send(carry_out(effect))     # StopIteration.value is the Answer

Each draft goes through the same checks, cheapest first: its shape and its aliases,
its quotes, its numbers, what must not ride along, and last a judge. Every check takes
only what the one before it returned.

A driver whose generator streams answers `Generate` with `Streaming` (see `effects`). Each
statement then goes through the same checks as soon as it has closed, and is shown once nothing
that may still come can take it back: the first statement stands, and the policy withholds no
answer for what else fails. The whole reply, when it has ended, is read as if it had not been
streamed; what was shown is the beginning of the answer.
"""

from __future__ import annotations

from collections.abc import Collection, Generator, Mapping, Sequence
from dataclasses import replace

from groundedgen import assembly, draft, trace
from groundedgen.checks import Telling, entail, gated, indices, wording
from groundedgen.constraints import weakest
from groundedgen.effects import (
    Closed,
    Drafted,
    Effect,
    Generate,
    Interrupted,
    Judge,
    Next,
    Outcome,
    Show,
    Streaming,
    Withdraw,
)
from groundedgen.entailment import Entailed
from groundedgen.errors import (
    DeadlineError,
    DraftFormatError,
    GenerationError,
    ProviderError,
    TruncatedError,
)
from groundedgen.evidence import EvidenceForm
from groundedgen.policy import Decision, Policy, Regenerate, Round, Settle, decide, disputes
from groundedgen.progress import Begun, Call
from groundedgen.prompt import PROMPT_VERSION
from groundedgen.text.folds import NORMALIZER_VERSION
from groundedgen.values import Answer, Finding, Passage, Reply, Sourced, Usage
from groundedgen.version import __version__

__all__ = ["Effect", "Flow", "Generate", "Judge", "Outcome", "check", "flow"]


Flow = Generator[Effect, Outcome, Answer]


def flow(
    question: str,
    passages: Sequence[Passage],
    *,
    policy: Policy | None = None,
    judge: str = "",
    limit: int | None = None,
    history: Sequence[str] = (),
    evidence: EvidenceForm = "quotes",
) -> Flow:
    """Answer a question from passages: draft, check, at most once again, decide.

    Args:
        question: Not blank.
        passages: What the answer may rest on.
        policy: `Policy.balanced()` when left out.
        judge: The judge's name, for the answer.
        limit: The longest premise the judge reads whole, in code points; `None` for any.
        history: Earlier turns, oldest first; they help to understand and are no evidence.
        evidence: What the model gives as proof, "quotes" or the ids of "sentences".

    Raises:
        InputError: The question is blank, an id stands for two texts, or `evidence` is neither.
        GenerationError: There was no usable draft at all.
    """
    call = Call(
        question, passages, policy or Policy(), judge, limit, history=history, evidence=evidence
    )
    if not call.aliases.names:
        return _finish(call, Settle("not_found", "no_passages"))
    decision = decide(call.policy, (yield from _attempt(call, 1, ())))
    if isinstance(decision, Regenerate):
        repair = tuple(f for f in call.findings if not f.kept)
        decision = decide(call.policy, (yield from _attempt(call, 2, repair)))
    settled = _settled(decision)
    if call.streaming and settled.status == "answered":
        yield from _show(call, call.kept)
    return _finish(call, settled)


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
    call = Call(question, passages, policy or Policy(), judge, limit, core_first=False)
    if not call.aliases.names:
        return _finish(call, Settle("not_found", "no_passages"))
    once = replace(call.policy, regenerate=False)
    decision = decide(once, (yield from _round(call, Begun(1), drafted)))
    return _finish(call, _settled(decision))


def _settled(decision: Decision) -> Settle:
    """The last round's decision, which `decide` never makes a further draft."""
    if not isinstance(decision, Settle):
        raise AssertionError("one draft too many was asked for")  # noqa: TRY004  # no wrong type
    return decision


def _attempt(
    call: Call, attempt: int, repair: Sequence[Finding]
) -> Generator[Effect, Outcome, Round]:
    """One generation and all its checks."""
    kept = tuple(entailed.statement.text for entailed in call.kept)
    request = call.drafting.request(attempt, repair, kept)
    call.events.append(trace.prompted(request, call.drafting.form))
    call.attempts = attempt
    begun, outcome = Begun(attempt), (yield Generate(request))
    if isinstance(outcome, Streaming):
        call.streaming, call.engine = True, outcome.engine
        # What bound it shows only when it has ended; one that breaks off was bound by nothing.
        call.constraint, call.response_format = "none", "text"
        begun, outcome = yield from _arriving(call, attempt)
    try:
        drafted = _read(call, attempt, outcome)
        if not _agrees(begun, drafted):
            if call.shown:
                raise DraftFormatError("the reply differs from what was streamed of it")
            yield from _withdraw(begun)
            begun = Begun(attempt)
    except GenerationError as error:
        ended = _no_draft(call, begun, error)
        yield from _withdraw(begun, indices(begun.entailed[: call.shown]))
        return ended
    return (yield from _round(call, begun, drafted))


def _read(call: Call, attempt: int, outcome: Outcome) -> draft.Answered | draft.NotFound:
    """The draft that a generator's reply is.

    Raises:
        GenerationError: There is none.
    """
    if isinstance(outcome, GenerationError):
        raise outcome
    if not isinstance(outcome, Reply):
        raise TypeError(f"a driver must send a Reply, got {type(outcome).__name__}")
    call.engine, call.constraint = outcome.engine, call.drafting.constraint(outcome)
    call.response_format = outcome.response_format
    call.usage += outcome.usage
    call.events.append(trace.generated(attempt, replace(outcome, constraint=call.constraint)))
    try:
        return call.drafting.parse(outcome)
    except DraftFormatError:
        unreadable = Finding("generation", "bad_format", -1, "")
        call.events += trace.constraint_broken(attempt, call.constraint, (), [unreadable])
        raise


def _arriving(call: Call, attempt: int) -> Generator[Effect, Outcome, tuple[Begun, Outcome]]:
    """Check and show a draft as it arrives; returns that, and what it ended with.

    A request is sent again only while nothing of it was shown: what is read then may differ.
    """
    begun = Begun(attempt)
    while True:
        outcome = yield Next()
        match outcome:
            case Closed(statements):
                yield from _early(call, begun, statements)
            case Interrupted() if not call.shown:
                yield from _withdraw(begun)
                begun = Begun(attempt)
            case Interrupted(error):
                return begun, error
            case _:
                return begun, outcome


def _early(call: Call, begun: Begun, closed: Sequence[str]) -> Telling:
    """Put statements that have closed through the checks, and show what stands for good."""
    sourced: list[Sourced] = []
    for statement in closed:
        item = call.drafting.statement(statement, len(begun.read))
        begun.unreadable |= item is None
        if item is None or begun.unreadable:
            break
        begun.read.append(item)
        if isinstance(item, Finding):
            begun.findings.append(item)
            continue
        sourced.append(call.drafting.unmarked(item))
        call.drafted += 1
        begun.claims[item.index] = call.drafted
        yield Drafted(call.drafted, sourced[-1].text)
    ready = gated(call, begun, sourced, last=False)
    if ready:
        yield from entail(call, begun, ready)
    if _has_core(call, begun.entailed) and _stays(call, begun.attempt):
        yield from _show(call, begun.entailed)
    yield from _withdraw(begun, indices(begun.entailed) | {s.index for s in begun.waiting})


def _stays(call: Call, attempt: int) -> bool:
    """Whether an answer whose core stands is shown, whatever else may still fail."""
    worst = Round(attempt, core=True, kept=1, dropped=1, unjudged=1)
    return decide(call.policy, worst) == Settle("answered", "answered")


def _show(call: Call, standing: Sequence[Entailed]) -> Telling:
    """Tell of those statements that were not shown before."""
    for entailed in standing[call.shown :]:
        call.shown += 1
        claim = next((n for e, n in call.claims if e is entailed), None)
        yield Show(assembly.statement(entailed, call.aliases), claim)


def _withdraw(begun: Begun, keep: Collection[int] = ()) -> Telling:
    """Take back what was told of as drafted, but for the statements of these indices."""
    for index in [index for index in begun.claims if index not in keep]:
        yield Withdraw(begun.claims.pop(index))


def _agrees(begun: Begun, drafted: draft.Answered | draft.NotFound) -> bool:
    """Whether a whole draft begins with what was read of it before."""
    if isinstance(drafted, draft.NotFound):
        return not begun.read
    whole: list[Sourced | Finding] = [*drafted.statements, *drafted.findings]
    items = {item.index: item for item in whole}
    return all(items.get(index) == item for index, item in enumerate(begun.read))


def _no_draft(call: Call, begun: Begun, error: GenerationError) -> Round:
    """A first reply of the wrong shape is asked for again; anything else ends the call.

    When a second generation fails after a first draft was checked, that draft's findings
    are what there is to say: the call ends without an answer instead of losing them. When
    something was shown, it is the answer, and there is no further draft.
    """
    attempt = begun.attempt
    again = attempt == 1 and call.policy.regenerate
    mendable = isinstance(error, DraftFormatError | TruncatedError) and again
    had_a_draft = attempt > 1 and any(f.index >= 0 for f in call.findings)
    if isinstance(error.wasted, Usage):
        call.usage += error.wasted
    call.response_format = error.response_format or call.response_format
    call.events.append(trace.failed(attempt, error))
    if not mendable and not had_a_draft and not call.shown:
        error.usage, error.attempts, error.trace = call.usage, attempt, tuple(call.events)
        raise error
    reason = _ERROR_REASONS.get(type(error), "refused")
    message = "The model gave no usable draft."
    if call.shown:
        message = "The model's draft ended too soon; what was shown of it had passed every check."
        call.findings += _numbered(begun)
        _keep(call, begun.entailed[: call.shown])
    elif call.kept:
        call.constraint = call.bound
    call.findings.append(Finding("generation", reason, -1, message, attempt))
    return Round(attempt, core=bool(call.shown), kept=len(call.kept), dropped=1)


_ERROR_REASONS: Mapping[type[GenerationError], str] = {
    DraftFormatError: "bad_format",
    TruncatedError: "truncated",
    ProviderError: "provider_error",
    DeadlineError: "deadline",
}


def _round(
    call: Call, begun: Begun, drafted: draft.Answered | draft.NotFound
) -> Generator[Effect, Outcome, Round]:
    """All checks of one draft, in order, as far as they were not done while it arrived."""
    attempt, early = begun.attempt, len(begun.read)
    if isinstance(drafted, draft.NotFound):
        call.events.append(trace.parsed(attempt, 0, (), ()))
        return Round(attempt, said_not_found=True)
    begun.findings += [finding for finding in drafted.findings if finding.index >= early]
    call.events.append(trace.parsed(attempt, drafted.total, drafted.statements, drafted.findings))
    later = [call.drafting.unmarked(s) for s in drafted.statements if s.index >= early]
    ready = gated(call, begun, later, last=True)
    failed = [f for f in begun.findings if f.check != "entailment"]
    call.events.append(trace.checked(attempt, len(begun.entailed) + len(ready), failed))
    call.events += trace.constraint_broken(attempt, call.constraint, drafted.statements, failed)
    if ready or not early:
        yield from entail(call, begun, ready)
    yield from _withdraw(begun, indices(begun.entailed))
    call.findings += _numbered(begun)
    _keep(call, begun.entailed)
    return _summary(call, begun)


def _numbered(begun: Begun) -> list[Finding]:
    """The draft's findings, in order."""
    return [replace(finding, attempt=begun.attempt) for finding in _sorted(begun.findings)]


def _sorted(findings: Sequence[Finding]) -> list[Finding]:
    return sorted(findings, key=lambda finding: finding.index)


def _keep(call: Call, entailed: Sequence[Entailed]) -> None:
    """Put this round's survivors first: its first statement answers the question.

    What an earlier round verified follows, unless it is said again: see `checks.entail`.
    """
    said = {wording(e.statement) for e in entailed}
    earlier = [e for e in call.kept if wording(e.statement) not in said]
    if earlier:
        call.constraint = weakest(call.constraint, call.bound)
    call.kept, call.bound = [*entailed, *earlier], call.constraint


def _summary(call: Call, begun: Begun) -> Round:
    dropped = [f for f in begun.findings if not f.kept]
    unjudged = [f for f in dropped if f.reason == "not_judged"]
    return Round(
        begun.attempt,
        core=_has_core(call, begun.entailed),
        core_unjudged=_is_core(call, [f.index for f in unjudged]),
        kept=len(call.kept),
        dropped=len(dropped),
        unjudged=len(unjudged),
        disputed=sum(map(disputes, begun.findings)),
    )


def _has_core(call: Call, entailed: Sequence[Entailed]) -> bool:
    return _is_core(call, indices(entailed))


def _is_core(call: Call, places: Collection[int]) -> bool:
    """Whether what the answer stands on is among these statements of a draft."""
    return 0 in places if call.core_first else bool(places)


def _finish(call: Call, decision: Settle) -> Answer:
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
            "evidence": call.drafting.form,
            "policy": call.policy.name,
        },
    )
