"""Asking any judge, whichever of the two methods it has, and reading whatever comes back."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import TypeAlias, cast, get_args

from groundedgen.judges.concurrency import in_background
from groundedgen.outages import taken
from groundedgen.ports import AsyncJudge, Judge
from groundedgen.values import Label, Pair, Verdict

__all__ = ["AnyJudge", "ask_judge", "read_answer"]

AnyJudge: TypeAlias = Judge | AsyncJudge


def ask_judge(judge: AnyJudge, pairs: Sequence[Pair]) -> Sequence[Verdict]:
    """What the judge returns; one that can only be awaited is, in a thread behind the caller.

    Raises whatever the judge raises.
    """
    if isinstance(judge, Judge) and not inspect.iscoroutinefunction(judge.judge):
        return judge.judge(pairs)
    awaited = cast("AsyncJudge", judge)
    return in_background(lambda: awaited.ajudge(pairs))


def read_answer(answer: object, asked: int) -> list[Verdict]:
    """One verdict for each pair asked about, whatever came back.

    A missing verdict, or something that is none, is `not_judged`. Where there are more than
    were asked for nobody knows whose is which, so all of them are.

    >>> [v.reason for v in read_answer([Verdict("supported"), "yes"], 3)]
    ['', 'judge_bad_reply', 'judge_missing_item']
    """
    verdicts = taken(answer, asked)
    if len(verdicts) > asked:
        return [Verdict("not_judged", reason="judge_bad_reply")] * asked
    missing = [Verdict("not_judged", reason="judge_missing_item")] * (asked - len(verdicts))
    return [*map(_usable, verdicts), *missing]


def _usable(verdict: Verdict) -> Verdict:
    if verdict.label in get_args(Label):
        return verdict
    return Verdict("not_judged", reason="judge_bad_reply")
