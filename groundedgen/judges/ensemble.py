"""Several judges in a row: the cheap ones first, the next only where one is unsure."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias, cast

from groundedgen.deadlines import awaited, bounded, unblocked
from groundedgen.errors import InputError
from groundedgen.judges.asking import AnyJudge, ask_judge, read_answer
from groundedgen.outages import MISUSES, cause, outage, taken
from groundedgen.ports import AsyncJudge, Judge, Judged
from groundedgen.resolve import name_of
from groundedgen.values import Pair, Usage, Verdict

__all__ = ["EnsembleJudge"]

Answer: TypeAlias = Sequence[Verdict] | Exception
#: Asks one judge about some pairs; is sent its verdicts, or the exception it raised.
Steps: TypeAlias = Generator[tuple[AnyJudge, list[Pair]], Answer, Judged]

#: Why a judge could not read a pair at all, whenever it is asked: no reason to wait for it.
_CANNOT_READ: Final = frozenset({"language", "too_long", "quote_too_long"})


class EnsembleJudge:
    """Judges with several judges, in the order given.

    Each judge is asked only about what those before it left open: `not_addressed`, `partial`
    and `not_judged`. The first that says `supported` or `contradicted` settles a pair, so a
    contradiction by any judge that was asked wins. A judge that raises has not judged; the next
    one is asked.

    **How far a support can be trusted.** Every further judge is one more chance to pass, so
    unsupported claims pass at up to the sum of the judges' own rates. That is sound while those
    in front support little and surely, as the lexical judge does (1 % of unsupported claims
    pass it). With `confirm=True` the judges in front can only reject: whatever they do not
    contradict goes on, and it is the last judge's support that counts. Then no more passes than
    that judge alone lets through. It is the safer way and the dearer one, as every pair is put
    to the last judge, so it is not the default; choose it where the judges in front have not
    been calibrated on material like yours. Calibrate the ensemble as a whole in both cases.

    Where nobody settles a pair, the last judge that could read it decides. If that one is down,
    the pair is `not_judged` with its reason, whatever was unsure before: calling it
    `not_addressed` would say that the passages do not answer.

    Args:
        judges: Two or more, cheapest first.
        confirm: Whether only the last judge's support counts.

    Raises:
        InputError: There are fewer than two judges, or one of them is none.

    >>> from groundedgen.testing import ScriptedJudge
    >>> unsure, sure = ScriptedJudge("partial", name="a"), ScriptedJudge("supported", name="b")
    >>> EnsembleJudge([unsure, sure]).judge([Pair("Fire is covered.", "It is covered.")])[0].label
    'supported'
    >>> EnsembleJudge([unsure, sure], confirm=True).name
    'a then b, confirmed'
    """

    def __init__(self, judges: Sequence[AnyJudge], *, confirm: bool = False) -> None:
        self.judges = tuple(judges)
        self.confirm = confirm
        if len(self.judges) < 2:
            raise InputError(
                f"an ensemble needs two or more judges, got {len(self.judges)}", code="bad_argument"
            )
        for judge in self.judges:
            if isinstance(judge, type) or not isinstance(judge, Judge | AsyncJudge):
                raise InputError(
                    f"a judge has judge() or ajudge(); {type(judge).__name__} has neither",
                    code="bad_type",
                )

    @property
    def name(self) -> str:
        return " then ".join(map(name_of, self.judges)) + (", confirmed" if self.confirm else "")

    @property
    def window(self) -> int | None:
        """The longest premise, in code points, that all of them read whole; `None` for any."""
        windows = [getattr(judge, "window", None) for judge in self.judges]
        return min((window for window in windows if isinstance(window, int)), default=None)

    def judge(self, pairs: Sequence[Pair]) -> Judged:
        """One verdict per pair, in order. Judges that can only be awaited are, in a thread."""
        steps = self._steps(pairs)
        try:
            asked, some = next(steps)
            while True:
                asked, some = steps.send(_called(asked, some))
        except StopIteration as end:
            return cast("Judged", end.value)

    async def ajudge(self, pairs: Sequence[Pair]) -> Judged:
        """`judge`, awaited. Judges that are only synchronous run in a worker thread."""
        steps = self._steps(pairs)
        try:
            asked, some = next(steps)
            while True:
                asked, some = steps.send(await _awaited(asked, some))
        except StopIteration as end:
            return cast("Judged", end.value)

    def _steps(self, pairs: Sequence[Pair]) -> Steps:
        """The order of the questions; no rule of it lives in the two methods above."""
        cases = [_Case(pair) for pair in pairs]
        usage, calls = Usage(), 0
        for judge in self.judges:
            unsettled = [case for case in cases if not case.settled(confirm=self.confirm)]
            if not unsettled:
                break
            answer = yield judge, [case.pair for case in unsettled]
            if isinstance(answer, Judged):  # an exception has fields of these names, too
                usage, calls = usage + answer.usage, calls + answer.calls
            verdicts = _read(answer, len(unsettled))
            for case, verdict in zip(unsettled, verdicts, strict=True):
                case.said.append((name_of(judge), verdict))
        verdicts = [case.verdict(confirm=self.confirm) for case in cases]
        return Judged(verdicts, usage=usage, calls=calls)


@dataclass(slots=True)
class _Case:
    """One pair, and what the judges asked so far said of it, by name."""

    pair: Pair
    said: list[tuple[str, Verdict]] = field(default_factory=list)

    def settled(self, *, confirm: bool) -> bool:
        labels = [verdict.label for _, verdict in self.said]
        return "contradicted" in labels or (not confirm and "supported" in labels)

    def verdict(self, *, confirm: bool) -> Verdict:
        name, decided = self._deciding(confirm=confirm)
        why = f"{name}: {decided.why}" if decided.why else f"{name} decided."
        return Verdict(decided.label, decided.score, why, decided.reason)

    def _deciding(self, *, confirm: bool) -> tuple[str, Verdict]:
        """Whose word counts: the judge that settled the pair was the last to be asked."""
        if confirm or self.settled(confirm=False):
            return self.said[-1]
        able = [item for item in self.said if item[1].reason not in _CANNOT_READ]
        return (able or self.said)[-1]


async def _awaited(judge: AnyJudge, pairs: list[Pair]) -> Answer:
    async def asked() -> Answer:
        if isinstance(judge, AsyncJudge):
            return taken(await judge.ajudge(pairs), len(pairs))
        return await unblocked(lambda: taken(judge.judge(pairs), len(pairs)))

    try:
        return await awaited(asked, None)
    except MISUSES:
        raise
    except Exception as error:  # noqa: BLE001  # a judge that fails in any way has not judged
        return error


def _called(judge: AnyJudge, pairs: list[Pair]) -> Answer:
    try:
        return bounded(lambda: taken(ask_judge(judge, pairs), len(pairs)), None)
    except MISUSES:
        raise
    except Exception as error:  # noqa: BLE001  # as _awaited
        return error


def _read(answer: Answer, asked: int) -> list[Verdict]:
    if isinstance(answer, Exception):
        return [Verdict("not_judged", None, cause(answer), outage(answer))] * asked
    return read_answer(answer, asked)
