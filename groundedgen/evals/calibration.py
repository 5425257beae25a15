"""Measuring a judge against people: what a tick in an answer is worth, and on what it was tried."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from groundedgen import resolve, wire
from groundedgen.errors import InputError
from groundedgen.evals.agreement import Kappa, kappa
from groundedgen.evals.checking import check
from groundedgen.evals.figures import Figures, Scored, figures, three_way
from groundedgen.evals.groups import groups
from groundedgen.evals.intervals import Rate, rate
from groundedgen.evals.labels import Labelled
from groundedgen.evals.thresholds import Picked, Point, curve
from groundedgen.evals.trials import judge_all, picked, threshold_of
from groundedgen.judges.asking import AnyJudge
from groundedgen.values import Verdict
from groundedgen.version import __version__

__all__ = ["ENOUGH", "Calibration", "Consistency", "calibrate"]

ENOUGH: Final = 200
"""Human-labelled pairs with a verdict, all different, under which nothing is called calibrated."""


@dataclass(frozen=True, slots=True)
class Consistency:
    """What the judge said of the same pairs when asked several times.

    Attributes:
        calls: How often each pair was judged, 2 or more.
        same: Pairs that got the same label every time; no verdict counts as a label here.
        swayed: Pairs that passed at least once and did not pass at least once.
    """

    calls: int
    same: Rate
    swayed: Rate


@dataclass(frozen=True, slots=True)
class Calibration:
    """What was measured of one judge on one set of human-labelled pairs.

    Attributes:
        judge: Its name, as answers give it.
        threshold: Its threshold, where it has one.
        overall: The figures over all pairs.
        distinct: Different pairs that got a verdict.
        unscored: Reason -> pairs without a verdict.
        confusion: Human label -> judge's label -> pairs; `not_judged` is a column of its own.
        groups: "source", "language", "length" (words of the passage) and "number" (whether the
            claim holds one) -> group -> figures.
        three_way: Kappa over supported, contradicted, not_addressed, in the sources whose
            human labels tell the last two apart; `None` where none does.
        consistency: `None` where each pair was judged once.
        picked: A threshold for a stated false-pass rate; `None` where none was stated.
        curve: What passes at higher thresholds, for the plot.
        versions: Of this library.
    """

    judge: str
    threshold: float | None
    overall: Figures
    distinct: int
    unscored: Mapping[str, int]
    confusion: Mapping[str, Mapping[str, int]]
    groups: Mapping[str, Mapping[str, Figures]]
    three_way: Kappa | None = None
    consistency: Consistency | None = None
    picked: Picked | None = None
    curve: tuple[Point, ...] = field(default=(), repr=False)
    versions: Mapping[str, str] = field(default_factory=dict, repr=False)

    @property
    def enough(self) -> bool:
        """Whether the judge may be called calibrated: `ENOUGH` pairs, and both kinds of them."""
        honest = self.overall.base_rate
        return self.distinct >= ENOUGH and 0 < honest.count < honest.total

    @property
    def standing(self) -> str:
        """One sentence on what the figures are; says "calibrated" only where that is deserved."""
        if self.enough:
            return (
                f"{self.judge} is calibrated on {self.distinct} human-labelled pairs"
                f"{self._no_better()}{self._not_judged()}."
            )
        if self.distinct >= ENOUGH:
            return f"{self.judge} was tried on pairs of one kind only: that measures nothing."
        return (
            f"{self.judge} was tried on {self.distinct} human-labelled pairs, fewer than {ENOUGH}: "
            f"too few to rely on any figure."
        )

    def _no_better(self) -> str:
        """What takes the shine off the word: a judge that is no better than a constant."""
        agreement, honest = self.overall.agreement, self.overall.base_rate
        if agreement.count > max(honest.count, honest.total - honest.count):
            return ""
        return (
            ", and agrees with people no more often than always giving their commoner label would"
        )

    def _not_judged(self) -> str:
        """What the figures are silent on: pairs without a verdict, languages without any."""
        count = self.overall.unscored
        if not count:
            return ""
        said = f"; {count} more got no verdict"
        languages = self.groups.get("language", {})
        none = sorted(name for name, one in languages.items() if one.unscored == one.pairs)
        return f"{said}, among them all in {', '.join(none)}" if none else said

    def model_dump_json(self, *, indent: int | None = 2) -> str:
        """All of it as JSON; what is not defined is `null`. No text of any pair is in it."""
        return wire.to_json(wire.dump(self), indent=indent)

    def save(self, path: str | Path) -> None:
        """Write it as JSON, for `load`."""
        Path(path).write_text(self.model_dump_json() + "\n", "utf-8")

    @classmethod
    def load(cls, path: str | Path) -> Calibration:
        """The calibration that `save` wrote.

        Raises:
            InputError: It is none, or its figures are out of range or contradict each other;
                names the field.
            OSError: The file cannot be opened.
        """
        content = wire.from_json(Path(path).read_bytes(), at="calibration")
        found = wire.load(cls, content, at="calibration")
        check(found, at="calibration")
        return found


def calibrate(
    pairs: Iterable[Labelled],
    judge: object = "lexical",
    *,
    max_false_pass: float | None = None,
    repeat: int = 1,
    on_progress: Callable[[int, int], None] | None = None,
    on_verdict: Callable[[Labelled, Verdict], None] | None = None,
) -> Calibration:
    """Judge pairs that people have labelled, and say how far judge and people agree.

    Args:
        pairs: The labelled pairs, such as `read_labels` gives; at least one.
        judge: A judge, or what `ask(judge=)` takes.
        max_false_pass: Share of unsupported claims that may pass, 0 to 1. A threshold for it is
            picked on one half of the pairs and tried on the other.
        repeat: How often each pair is judged; from 2 on the answer says how far the judge
            agrees with itself. The figures are of the first time.
        on_progress: Called with the pairs judged so far, and how many there will be.
        on_verdict: Called with each pair and its first verdict, in order: to look at those that
            went wrong. Nothing of them is kept.

    Raises:
        InputError: There is no pair, or an argument is out of its range.

    Whatever the judge raises is raised here; a `not_judged` pair is counted as unscored, and so
    is one whose verdict is none, or has a score beyond 0 to 1.

    >>> fire = "Fire is covered by this policy."
    >>> no = Labelled(fire, "Hail is covered.", "not_addressed")
    >>> pairs = [Labelled(fire, fire, "supported"), no]
    >>> found = calibrate(pairs)
    >>> found.overall.false_pass.share, found.overall.balanced_accuracy, found.enough
    (0.0, 1.0, False)
    """
    items = tuple(pairs)
    _check(items, max_false_pass, repeat)
    which = resolve.judge(judge)
    rounds = list(_rounds(which, items, repeat, on_progress))
    judged = [Scored(item, verdict) for item, verdict in zip(items, rounds[0], strict=True)]
    named = three_way(judged)
    for one in judged:
        if on_verdict is not None:
            on_verdict(one.item, one.verdict)
    return Calibration(
        judge=resolve.name_of(which),
        threshold=threshold_of(which),
        overall=figures(judged),
        distinct=len({(one.item.premise, one.item.claim) for one in judged if one.is_scored}),
        unscored=dict(Counter(o.verdict.reason or "unknown" for o in judged if not o.is_scored)),
        confusion=_confusion(judged),
        groups={
            kind: {name: figures(some) for name, some in by_name.items()}
            for kind, by_name in groups(judged).items()
        },
        three_way=kappa(named) if {human for human, _ in named} - {"supported"} else None,
        consistency=_consistency(rounds) if repeat > 1 else None,
        picked=None if max_false_pass is None else picked(which, judged, max_false_pass),
        curve=curve(judged),
        versions={"groundedgen": __version__},
    )


def _check(items: Sequence[object], max_false_pass: float | None, repeat: int) -> None:
    if not items:
        raise InputError("there is no labelled pair", code="no_pairs")
    for place, item in enumerate(items):
        if not isinstance(item, Labelled):
            raise InputError(
                f"pairs[{place}] must be groundedgen.evals.Labelled, got {type(item).__name__}",
                code="bad_type",
            )
    if max_false_pass is not None and not 0 <= max_false_pass < 1:
        raise InputError(
            f"max_false_pass is a share from 0 up to, not including, 1; got {max_false_pass!r}",
            code="bad_range",
        )
    if type(repeat) is not int or repeat < 1:
        raise InputError(f"repeat must be 1 or more, got {repeat!r}", code="bad_range")


def _rounds(
    judge: AnyJudge,
    items: Sequence[Labelled],
    repeat: int,
    on_progress: Callable[[int, int], None] | None,
) -> Iterator[list[Verdict]]:
    for number in range(repeat):
        done = number * len(items)

        def tell(judged: int, done: int = done) -> None:
            if on_progress is not None:
                on_progress(done + judged, repeat * len(items))

        yield judge_all(judge, items, tell)


def _confusion(judged: Sequence[Scored]) -> dict[str, dict[str, int]]:
    table: dict[str, dict[str, int]] = {}
    for one in judged:
        row = table.setdefault(one.item.label, {})
        row[one.verdict.label] = row.get(one.verdict.label, 0) + 1
    return table


def _consistency(rounds: Sequence[Sequence[Verdict]]) -> Consistency:
    by_pair = [[verdict.label for verdict in said] for said in zip(*rounds, strict=True)]
    same = sum(len(set(labels)) == 1 for labels in by_pair)
    swayed = sum(0 < labels.count("supported") < len(labels) for labels in by_pair)
    total = len(by_pair)
    return Consistency(len(rounds), rate(same, total), rate(swayed, total))
