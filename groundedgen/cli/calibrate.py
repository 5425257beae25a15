"""`groundedgen calibrate`: a judge against pairs that people have labelled."""

# No postponed annotations here: typer reads them to build the command.
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Final, TypeAlias

import typer

from groundedgen import resolve
from groundedgen.cli.terminal import one_line, progress, write, write_error
from groundedgen.cli.usage import used_as
from groundedgen.errors import InputError
from groundedgen.evals.calibration import ENOUGH, Calibration
from groundedgen.evals.calibration import calibrate as measure
from groundedgen.evals.labels import Labelled, read_labels
from groundedgen.evals.thresholds import Picked
from groundedgen.evals.wording import NOT_PICKED, kappa_text, number_text, rate_text, thin_text
from groundedgen.values import Verdict

__all__ = ["register"]

FAILED: Final = 1
#: A path, and what makes its content out of the figures.
_Output: TypeAlias = tuple[Path, Callable[[Calibration], str]]


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command("calibrate", cls=used_as("LABELS", "[OPTIONS]"))(_calibrate)


def _calibrate(
    labels: Annotated[Path, typer.Argument(metavar="LABELS", hidden=True)],
    *,
    judge: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="lexical, lexical-strict, nli/FOLDER, nli/OWNER/NAME, PROVIDER/MODEL, or several "
            "with commas between, cheapest first.",
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
    outputs = _outputs(labels, html, json)
    whys: dict[str, str] = {}
    found = _measured(pairs, judge, max_false_pass, repeat, whys)
    failed = [told for path, made in outputs if (told := _failure(path, made, found))]
    write("\n".join(_lines(found, whys)) + "\n")
    if found.overall.unscored == found.overall.pairs:
        failed.append(f"no pair got a verdict: {'; '.join(_causes(found, whys))}")
    for told in failed:
        write_error(f"error: {told}")
    if failed:
        raise typer.Exit(FAILED)


def _outputs(labels: Path, html: Path | None, json: Path | None) -> list[_Output]:
    """Where to write what; known to be possible before an hour of judging, not after it."""
    outputs: list[_Output] = []
    if html is not None:
        # jinja2 is an extra of its own; whoever asks for no page does without
        from groundedgen.evals.report import to_html  # noqa: PLC0415

        outputs.append((html, to_html))
    if json is not None:
        outputs.append((json, lambda found: found.model_dump_json() + "\n"))
    taken = {"the labels": labels}
    for path, _ in outputs:
        for what, other in taken.items():
            if _is_same(path, other):
                raise InputError(
                    f"{path}: that is the file of {what}; name another", code="bad_path"
                )
        if path.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK):
            raise InputError(
                f"{path}: no file can be written there; name one in a folder that exists and that "
                f"you may write to",
                code="bad_path",
            )
        taken["the other report"] = path
    return outputs


def _is_same(one: Path, other: Path) -> bool:
    """Whether both are one file, through links of either kind."""
    if one.resolve() == other.resolve():
        return True
    return one.exists() and other.exists() and one.samefile(other)


def _failure(path: Path, made: Callable[[Calibration], str], found: Calibration) -> str:
    """Write one report; what to say where it cannot be written, or ""."""
    try:
        # A name out of a JSONL may hold half a character, which no encoding has.
        path.write_bytes(made(found).encode("utf-8", "replace"))
    except OSError as error:
        return f"{path}: {error.strerror or type(error).__name__}"
    return ""


def _measured(
    pairs: tuple[Labelled, ...],
    judge: str,
    max_false_pass: float | None,
    repeat: int,
    whys: dict[str, str],
) -> Calibration:
    """The figures; `whys` is told the first cause of each reason for which a pair got no verdict.

    What is named on the command line are this library's judges: their causes hold no text.
    """
    which = resolve.judge(judge)
    with progress(shown=True) as display:
        task = display.add_task(f"judging with {one_line(judge)}", total=repeat * len(pairs))

        def tell(done: int, total: int) -> None:
            text = f"judged {done} of {total}"
            display.update(task, completed=done, total=total, description=text)

        def note(_: Labelled, verdict: Verdict) -> None:
            if verdict.label == "not_judged" and verdict.why:
                whys.setdefault(verdict.reason or "unknown", verdict.why)

        return measure(
            pairs,
            which,
            max_false_pass=max_false_pass,
            repeat=repeat,
            on_progress=tell,
            on_verdict=note,
        )


def _causes(found: Calibration, whys: Mapping[str, str]) -> Iterator[str]:
    for reason in found.unscored:
        yield one_line(f"{reason}, {whys[reason]}" if reason in whys else reason)


def _lines(found: Calibration, whys: Mapping[str, str]) -> Iterator[str]:
    overall = found.overall
    if found.picked is not None and (thin := thin_text(found.picked)):
        yield f"WARNING: the picked threshold is too thin to rely on: {thin}"
    yield one_line(found.standing)
    yield ""
    yield f"pairs              {overall.pairs}, of which unscored {overall.unscored}"
    for reason, count in found.unscored.items():
        why = f" ({whys[reason]})" if reason in whys else ""
        yield f"  unscored         {count}: {one_line(reason + why)}"
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
    yield "  with it set the judge has another name: calibrate it again, for figures to point to"
    yield f"  false pass, other half   {rate_text(picked.false_pass)}"
    yield f"  false strip, other half  {rate_text(picked.false_strip)}"
