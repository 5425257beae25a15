"""Entailment by any generator: a model is asked for one label a claim, a passage a call.

Temperature 0 is what adapters send where a service takes one; how far two runs agree beyond
that is the service's own matter, and `evals` measures it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, Literal

from groundedgen import resolve
from groundedgen.deadlines import contained, remaining, unblocked, within
from groundedgen.draft import check_end
from groundedgen.errors import InputError
from groundedgen.judges import instructions
from groundedgen.judges.claimnames import ClaimNames
from groundedgen.judges.concurrency import all_at_once, in_background
from groundedgen.judges.planted import speaks_verdict, without_verdicts
from groundedgen.judges.reading import read_verdicts
from groundedgen.outages import MISUSES, cause, outage
from groundedgen.ports import AsyncGenerator, Generator, Judged, Pair, Reply, Request
from groundedgen.values import Usage, Verdict

__all__ = ["CLAIMS_PER_CALL", "LLMJudge"]

CLAIMS_PER_CALL: Final = 10
"""Claims of one call at most. Models lose track in longer lists, a reply that is spoilt costs the
verdicts of one call only, and there are no more schemas than this for a server to compile."""

#: Seconds, and share of what is left, by which the judge ends before the deadline of the call:
#: what has been judged by then must still arrive.
_RESERVE: Final = 0.25
_RESERVED_SHARE: Final = 0.1

_NAMES: Final = ClaimNames()  # one draw a process, so that its schemas stay few

_Send = Callable[[Request], Awaitable[Reply]]
_Way = Literal["generate", "agenerate"]


class LLMJudge:
    """Judges with a language model: one call for each passage with all claims about it, at once.

    The model is told that the burden of proof is on the claim. Whatever does not come back as
    one of the labels, for whatever reason, is `not_judged` with a reason of its own (see
    `Verdict`), and takes no other claim's verdict with it. At the deadline of the call
    (`ask(timeout=)`) what has been judged stands, and the rest is `judge_timeout`. Verdicts have
    no score: the probability that a model states of its own label is no measurement.

    A verdict that someone wrote into the passage is none, even if the model copies it or is
    persuaded by it (`judge_echo`). Where sentences of a passage, or a claim, speak a verdict, what
    the model supports there is asked once more without them, in one further call: both have to
    say `supported`.

    The more different judge and writer are, the less they share their mistakes: another model
    than the one that wrote the draft is worth having.

    Args:
        generator: What `ask(model=)` takes: a model string, a generator, or a function
            `(system, user) -> str`. Called with a request whose schema is that of a verdict.
        max_concurrency: Calls under way at once, at least 1, for each call of `judge`.
        window: The longest premise, and the longest claim, in code points. 20,000 are some 5,000
            tokens: a long page, well below where models begin to overlook things.
        name: What the answer names as its judge; else "llm/" and the generator's name.
        names: Chooses what claims are called where the passage may hold a verdict on "C1"; by
            default as drawn once in this process. For requests that repeat, as in tests.

    Raises:
        InputError: The generator writes nothing but drafts (`cannot_judge`), or an argument is
            out of its range or of the wrong type.

    >>> def model(system, user):
    ...     return '{"C1": "supported", "C2": "not_addressed"}'
    >>> lease = "The rent is due on the first of the month."
    >>> claims = ["Rent falls due on the first.", "The rent is 900 euros."]
    >>> judged = LLMJudge(model).judge([Pair(lease, claim, "S1") for claim in claims])
    >>> [verdict.label for verdict in judged], judged.calls
    (['supported', 'not_addressed'], 1)
    """

    def __init__(
        self,
        generator: str | Generator | AsyncGenerator | Callable[[str, str], Any],
        *,
        max_concurrency: int = 8,
        window: int = 20_000,
        name: str | None = None,
        names: ClaimNames | None = None,
    ) -> None:
        for argument, value in (("max_concurrency", max_concurrency), ("window", window)):
            if type(value) is not int or value < 1:
                raise InputError(
                    f"{argument} must be a whole number, 1 or more, got {value!r}", code="bad_range"
                )
        self.generator = resolve.generator(generator)
        engine = resolve.name_of(self.generator)
        if getattr(self.generator, "only_drafts", False):
            raise InputError(
                f"{engine} only writes drafts and cannot judge; give judge= another model, "
                f'or "lexical"',
                code="cannot_judge",
            )
        self.name = name or f"llm/{engine}"
        self.max_concurrency = max_concurrency
        self.window = window
        self.names = _NAMES if names is None else names

    def judge(self, pairs: Sequence[Pair]) -> Judged:
        """One verdict per pair, in order; as concurrent as `ajudge`."""
        send = partial(self._send, ways=("generate", "agenerate"))
        return in_background(lambda: self._judged(pairs, send))

    async def ajudge(self, pairs: Sequence[Pair]) -> Judged:
        """One verdict per pair, in order. Cancelling it cancels every call and begins no other."""
        return await self._judged(pairs, partial(self._send, ways=("agenerate", "generate")))

    async def _judged(self, pairs: Sequence[Pair], send: _Send) -> Judged:
        known = [_without_model(pair, self.window) for pair in pairs]
        calls = _calls([(place, pair) for place, pair in enumerate(pairs) if known[place] is None])
        await _made(calls, send, self.names, self.max_concurrency)
        for call in calls:
            for place, verdict in zip(call.places, call.verdicts, strict=True):
                known[place] = verdict
        return Judged(
            [verdict or _unjudged("judge_error") for verdict in known],
            usage=sum((call.usage for call in calls), Usage()),
            calls=sum(call.sent for call in calls),
        )

    async def _send(self, request: Request, *, ways: Sequence[_Way]) -> Reply:
        """One reply, the first way that the generator has.

        A generator may have both methods and a client that serves only one of them; it says so
        with `bad_type` before it sends anything.
        """
        first, *other = [way for way in ways if callable(getattr(self.generator, way, None))]
        try:
            return await self._by(first, request)
        except InputError as error:
            if error.code != "bad_type" or not other:
                raise
        return await self._by(other[0], request)

    async def _by(self, way: _Way, request: Request) -> Reply:
        generator: Any = self.generator
        if way == "agenerate":
            reply: Reply = await generator.agenerate(request)
            return reply
        return await unblocked(lambda: generator.generate(request))


@dataclass(slots=True)
class _Call:
    """A premise, claims with the places of their pairs, and what came of asking about them."""

    premise: str = field(repr=False)
    claims: tuple[str, ...] = field(repr=False)
    places: tuple[int, ...]
    verdicts: tuple[Verdict, ...] = ()
    usage: Usage = field(default_factory=Usage)
    sent: int = 0

    def end(self, reason: str) -> None:
        self.verdicts = (_unjudged(reason),) * len(self.claims)

    def change(self, verdicts: Mapping[int, Verdict]) -> None:
        """Replace the verdicts on these claims, by their places in this call."""
        self.verdicts = tuple(
            verdicts.get(place, verdict) for place, verdict in enumerate(self.verdicts)
        )


def _unjudged(reason: str, why: str = "") -> Verdict:
    return Verdict("not_judged", None, why, reason)


def _without_model(pair: Pair, window: int) -> Verdict | None:
    """The verdict on a pair that needs no model, or that it is not to read."""
    if not pair.claim.strip() or not pair.premise.strip():
        return Verdict("not_addressed", None, "There is no text to read.")
    if max(len(pair.premise), len(pair.claim)) > window:
        return _unjudged("too_long", f"The text is longer than {window} code points.")
    return None


def _calls(pairs: Sequence[tuple[int, Pair]]) -> list[_Call]:
    """One call a passage, as it is windowed; a long list of claims is cut into even parts."""
    groups: dict[tuple[str, str], list[tuple[int, str]]] = {}
    for place, pair in pairs:
        groups.setdefault((pair.group, pair.premise), []).append((place, pair.claim))
    calls = []
    for (_, premise), items in groups.items():
        parts = -(-len(items) // CLAIMS_PER_CALL)
        size = -(-len(items) // parts)
        for start in range(0, len(items), size):
            places, claims = zip(*items[start : start + size], strict=True)
            calls.append(_Call(premise, claims, places))
    return calls


async def _made(calls: Sequence[_Call], send: _Send, names: ClaimNames, most: int) -> None:
    """Make all calls until a moment before the deadline; each of them has its verdicts then."""
    for call in calls:
        call.end("judge_timeout")  # what stays where a call is given up, or never begun
    left = remaining()
    if left == 0:
        return
    reserve = 0.0 if left is None else min(_RESERVE, left * _RESERVED_SHARE)
    with within(None if left is None else left - reserve):
        await all_at_once([partial(_make, call, send, names) for call in calls], most=most)


async def _make(call: _Call, send: _Send, names: ClaimNames) -> None:
    call.verdicts = await _asked(call, call.premise, call.claims, send, names)
    supported = [at for at, verdict in enumerate(call.verdicts) if verdict.label == "supported"]
    if supported:
        await _confirm(call, supported, send, names)


async def _confirm(call: _Call, supported: Sequence[int], send: _Send, names: ClaimNames) -> None:
    """Let support stand only where it does not rest on a verdict that someone wrote down.

    What was cut out may also have limited a claim, so the reply without it does not stand alone.
    """
    left = without_verdicts(call.premise)
    planted = {at for at, claim in enumerate(call.claims) if speaks_verdict(claim)}
    if left is None and not planted:
        return
    call.change(dict.fromkeys(supported, _unjudged("judge_echo")))
    premise = call.premise if left is None else left
    places = [at for at in supported if at not in planted] if premise.strip() else []
    if not places:
        return
    call.change(dict.fromkeys(places, _unjudged("judge_timeout")))  # if this is given up
    claims = [call.claims[at] for at in places]
    found = await _asked(call, premise, claims, send, names)
    call.change(dict(zip(places, map(_confirmed, found), strict=True)))


def _confirmed(verdict: Verdict) -> Verdict:
    if verdict.label in ("supported", "not_judged"):
        return verdict
    return _unjudged("judge_echo")


async def _asked(
    call: _Call, premise: str, claims: Sequence[str], send: _Send, names: ClaimNames
) -> tuple[Verdict, ...]:
    """The verdicts of one request, which is counted, whatever comes of it."""
    call.sent += 1
    try:
        prefix = names.prefix([premise, *claims])
        reply = await send(instructions.request(premise, claims, prefix))
        call.usage += _usage(reply, "usage")
        check_end(reply)
        return read_verdicts(reply.raw, len(claims), prefix)
    except (KeyboardInterrupt, SystemExit, *MISUSES):
        raise
    except BaseException as raised:
        if _is_given_up():
            raise
        error = contained(raised)  # a call that fails in any way has judged nothing
        call.usage += _usage(error, "wasted")
        return (_unjudged(outage(error), cause(error)),) * len(claims)


def _is_given_up() -> bool:
    """Whether this task was cancelled, as opposed to a model that raises `CancelledError`."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _usage(holder: object, name: str) -> Usage:
    usage = None
    with suppress(Exception):  # it may be a property of an exception that is not ours
        usage = getattr(holder, name, None)
    return usage if isinstance(usage, Usage) else Usage()
