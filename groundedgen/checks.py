"""All checks of a draft in their order, cheapest first: figures, quotes, numbers, leaks, the judge.

Each takes only what the one before it returned, and adds to the draft's findings what it
dropped. The judge alone is asked through the driver.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass, replace

from groundedgen import entailment, trace
from groundedgen.effects import Effect, Judge, Outcome
from groundedgen.entailment import Entailed
from groundedgen.errors import GenerationError
from groundedgen.gates import leak, markers, numbers, placed, quotes
from groundedgen.progress import Begun, Call
from groundedgen.text.windows import context
from groundedgen.values import Entailment, Finding, Located, Reply, Sourced, Spot, Usage

__all__ = ["Telling", "entail", "gated", "indices", "wording"]

Telling = Generator[Effect, Outcome, None]


def gated(
    call: Call, begun: Begun, sourced: Sequence[Sourced], *, last: bool
) -> tuple[Located, ...]:
    """Put further statements of a draft through the gates; returns those to be judged now."""
    sourced, unfit = _fit(call, sourced)
    begun.findings += unfit
    begun.sourced += sourced
    located = _locate(call, sourced, begun.findings)
    begun.located += located
    agreed = _passing(numbers.agree(s, call.aliases.docs, call.aliases.langs) for s in located)
    begun.findings += agreed.findings
    begun.findings += _without_figures(call, located, agreed.statements)
    begun.waiting += agreed.statements
    if last:
        _leaking_later(call, begun)
    return _uncontaminated(call, begun, last=last)


def _fit(call: Call, sourced: Sequence[Sourced]) -> tuple[tuple[Sourced, ...], tuple[Finding, ...]]:
    """The statements that can be checked as they stand, and a finding for each of the others."""
    docs = call.aliases.docs
    most = call.policy.max_statements if call.core_first else None
    fit, unfit = [], []
    for s in sourced:
        lost = markers.cut_figures(s.text, tuple(docs), [docs[alias] for alias in s.aliases])
        if most is not None and s.index >= most:
            message = f"The draft holds more than the {most} statements it was asked for."
            unfit.append(Finding("draft", "too_many", s.index, message, statement=s.text))
        elif lost:
            message = "A figure of it stands in square brackets, as a citation marker does."
            unfit.append(
                Finding("draft", "figure_as_marker", s.index, message, 1, s.text, details=lost)
            )
        else:
            fit.append(s)
    return tuple(fit), tuple(unfit)


def _uncontaminated(call: Call, begun: Begun, *, last: bool) -> tuple[Located, ...]:
    """Those that wait and repeat nothing that failed, up to one of which that may yet change.

    Words of a failed quote may ride along only if another quote that is found holds them too,
    and that one may still come: until the end, such a statement holds up all after it.
    """
    clean = _contained(call, begun.waiting, begun.sourced, begun.located)
    leaking = [] if last else [f.index for f in clean.findings if f.reason == _LEAKED]
    end = min(leaking, default=None)
    begun.findings += [f for f in clean.findings if end is None or f.index < end]
    begun.waiting = [] if end is None else [s for s in begun.waiting if s.index >= end]
    return tuple(s for s in clean.statements if end is None or s.index < end)


def _leaking_later(call: Call, begun: Begun) -> None:
    """Look again at what was checked before the draft's last quotes had failed.

    What was not shown falls as it would have. What was shown has passed every check that asks
    whether it is true, and is never taken back: a finding says what it repeats.
    """
    judged = [entailed.statement for entailed in begun.entailed]
    clean = _contained(call, judged, begun.sourced, begun.located)
    shown = {statement.index for statement in judged[: call.shown]}
    for finding in clean.findings:
        begun.findings.append(replace(finding, kept=finding.index in shown))
    fallen = {finding.index for finding in clean.findings} - shown
    begun.entailed = [e for e in begun.entailed if e.statement.index not in fallen]


_LEAKED = "failed_quote_in_text"


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
    call: Call, statements: Sequence[Sourced], findings: list[Finding]
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
    kept = {s.index: s for s in results.statements}
    for s in statements:
        if s.index in kept:
            findings += (
                placed.cut_off(s, docs, min_words=least)
                if s.spans
                else quotes.cut_off(s, kept[s.index], docs)
            )
    return results.statements


def _without_figures(
    call: Call, located: Sequence[Located], agreed: Sequence[Located]
) -> Iterable[Finding]:
    """The passages that were cut off from statements that stay, for their numbers."""
    kept = {s.index: s for s in agreed}
    for s in located:
        if s.index in kept:
            yield from numbers.cut_off(s, kept[s.index], call.aliases.docs, call.aliases.langs)


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
    call: Call,
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
    ids = call.drafting.hidden(call.passages)
    return _passing(leak.contained(s, failed, verified, call.aliases.docs, ids) for s in statements)


def entail(call: Call, begun: Begun, statements: Sequence[Located]) -> Telling:
    """Have a judge read these statements, and note what that leaves of them."""
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
    call.events.append(trace.judged(begun.attempt, call.judge, queries, verdicts))
    entailed, refuted = entailment.collect(queries, verdicts)
    if call.policy.show_unverified:
        entailed, refuted = _unverified(entailed, refuted, statements)
    begun.findings += [_with_nearest(call, finding, statements) for finding in refuted]
    entailed = tuple(_with_earlier(call, standing) for standing in entailed)
    begun.entailed += entailed
    claims = begun.claims
    call.claims += [(e, claims[e.statement.index]) for e in entailed if e.statement.index in claims]


def wording(statement: Located) -> str:
    """What a reader takes for the same statement; blanks apart, it is its text."""
    return " ".join(statement.text.split())


def _with_earlier(call: Call, standing: Entailed) -> Entailed:
    """A statement that says again what an earlier draft said, with what that was proved by.

    Whoever repeats a statement may copy a little more or less of the same place. The places are
    those of the later draft, and those of the earlier one that overlap none of them: all have
    proved these very words. What has no verdict adds nothing to what has one.
    """
    words = wording(standing.statement)
    for earlier in (e for e in call.kept if wording(e.statement) == words):
        standing = _merged(standing, earlier)
    return standing


def _merged(later: Entailed, earlier: Entailed) -> Entailed:
    if later.entailment.label != earlier.entailment.label:
        best = earlier if earlier.entailment.label == "supported" else later
        return replace(best, statement=replace(best.statement, index=later.statement.index))
    own = later.statement.spots
    added = (s for s in earlier.statement.spots if not any(_overlap(s, spot) for spot in own))
    return replace(later, statement=replace(later.statement, spots=(*own, *added)))


def _overlap(one: Spot, other: Spot) -> bool:
    return one.alias == other.alias and one.start < other.end and other.start < one.end


_LONGEST = 400  # code points of the sentences round a quote that are shown beside a finding


def _with_nearest(call: Call, finding: Finding, statements: Sequence[Located]) -> Finding:
    """A finding on a dropped statement, with the real text that its quote was taken from."""
    spots = (spot for s in statements if s.index == finding.index for spot in s.spots)
    spot = next((spot for spot in spots if spot.alias == finding.passage_id), None)
    if spot is None or finding.kept:
        return finding
    text, lang = call.aliases.docs[spot.alias], call.aliases.langs.get(spot.alias)
    start, end = context(text, spot.start, spot.end, lang)
    if end - start > _LONGEST:
        start, end = spot.start, spot.end
    return replace(finding, nearest=text[start:end].strip())


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


def indices(entailed: Iterable[Entailed]) -> set[int]:
    return {standing.statement.index for standing in entailed}
