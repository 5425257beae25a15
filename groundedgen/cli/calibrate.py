"""`groundedgen calibrate`: a judge against pairs that people have labelled."""

# No postponed annotations here: typer reads them to build the command.
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from groundedgen import resolve
from groundedgen.cli.terminal import one_line, progress, write
from groundedgen.evals.calibration import ENOUGH, Calibration
from groundedgen.evals.calibration import calibrate as measure
from groundedgen.evals.labels import Labelled, read_labels
from groundedgen.evals.thresholds import Picked
from groundedgen.evals.wording import NOT_PICKED, kappa_text, number_text, rate_text, thin_text

__all__ = ["register"]


class _Calibrate(TyperCommand):
    """Writes its usage line as people read it; typer would add braces and types."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        del ctx
        return ["LABELS", "[OPTIONS]"]


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command("calibrate", cls=_Calibrate)(_calibrate)


def _calibrate(
    labels: Annotated[Path, typer.Argument(metavar="LABELS", hidden=True)],
    *,
    judge: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="lexical, a folder with an NLI model, nli/OWNER/NAME, or PROVIDER/MODEL.",
        ),
    ] = "lexical",
    max_false_pass: Annotated[
        float | None,
        typer.Option(
            min=0,
            max=0.99,
            metavar="SHARE",
            help="Pick a threshold that lets at most this share of the unsupported claims pass "
            "(0.02 is 2 %) on one half of the pairs, and try it on the other.",
            show_default=False,
        ),
    ] = None,
    repeat: Annotated[
        int,
        typer.Option(min=1, metavar="N", help="Judge each pair N times: does the judge waver?"),
    ] = 1,
    html: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a report with plots.", show_default=False),
    ] = None,
    json: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write all figures as JSON.", show_default=False),
    ] = None,
) -> None:
    """Measure a judge on pairs that people have labelled, in the file LABELS.

    LABELS is a CSV or JSONL with the columns premise, claim and label (supported,
    contradicted, not_addressed or not_supported), and source, lang and id where known.
    """
    pairs = read_labels(labels)
    found = _measured(pairs, judge, max_false_pass, repeat)
    if html is not None:
        # jinja2 is an extra of its own; whoever asks for no page does without
        from groundedgen.evals.report import to_html  # noqa: PLC0415

        html.write_text(to_html(found), "utf-8")
    if json is not None:
        found.save(json)
    write("\n".join(_lines(found)) + "\n")


def _measured(
    pairs: tuple[Labelled, ...], judge: str, max_false_pass: float | None, repeat: int
) -> Calibration:
    is_folder = judge not in resolve.JUDGES and Path(judge).is_dir()
    which = resolve.judge(f"nli/{judge}" if is_folder else judge)
    with progress(shown=True) as display:
        task = display.add_task(f"judging with {one_line(judge)}", total=repeat * len(pairs))

        def tell(done: int, total: int) -> None:
            text = f"judged {done} of {total}"
            display.update(task, completed=done, total=total, description=text)

        return measure(pairs, which, max_false_pass=max_false_pass, repeat=repeat, on_progress=tell)


def _lines(found: Calibration) -> Iterator[str]:
    overall = found.overall
    yield one_line(found.standing)
    yield ""
    yield f"pairs              {overall.pairs}, of which unscored {overall.unscored}"
    for reason, count in found.unscored.items():
        yield f"  unscored         {count}: {one_line(reason)}"
    yield f"base rate          {rate_text(overall.base_rate)}"
    yield f"agreement          {rate_text(overall.agreement)}"
    yield f"majority baseline  {number_text(overall.majority)}"
    yield f"balanced accuracy  {number_text(overall.balanced_accuracy)}"
    yield f"Cohen's kappa      {kappa_text(overall.kappa)}"
    if found.three_way is not None:
        yield f"  of three labels  {kappa_text(found.three_way)}, {found.three_way.total} pairs"
    yield f"false pass         {rate_text(overall.false_pass)}"
    yield f"false strip        {rate_text(overall.false_strip)}"
    yield f"lost               {rate_text(overall.lost)}"
    if found.consistency is not None:
        yield f"same every time    {rate_text(found.consistency.same)}"
        yield f"swayed             {rate_text(found.consistency.swayed)}"
    if found.picked is not None:
        yield from _picked(found.picked)
    for kind, by_name in found.groups.items():
        if len(by_name) > 1:
            yield ""
            yield f"by {kind}: false pass; false strip; unscored"
            for name, one in by_name.items():
                rates = f"{rate_text(one.false_pass)}; {rate_text(one.false_strip)}"
                yield f"  {one_line(name)}: {rates}; {one.unscored} of {one.pairs}"
    if not found.enough:
        yield ""
        yield f"Label {ENOUGH} pairs or more, supported and unsupported ones, before relying on it."


def _picked(picked: Picked) -> Iterator[str]:
    yield ""
    most = f"at most {100 * picked.max_false_pass:g} % false pass"
    if picked.threshold is None:
        yield f"threshold for {most}: none, {NOT_PICKED[picked.why]}"
        return
    yield f"threshold for {most}: {picked.threshold:.4g}, picked on one half of the pairs"
    if thin := thin_text(picked):
        yield f"  WARNING: {thin}"
    yield f"  false pass, other half   {rate_text(picked.false_pass)}"
    yield f"  false strip, other half  {rate_text(picked.false_strip)}"
