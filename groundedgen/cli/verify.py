"""`groundedgen verify`: does a stored answer still hold against the sources of today?"""

# No postponed annotations here: typer reads them to build the commands.
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from rich.text import Text

from groundedgen import wire
from groundedgen.cli.loading import load
from groundedgen.cli.terminal import Line, console, one_line, render, shorten, write
from groundedgen.errors import InputError
from groundedgen.reverify import Broken, Report, StatementCheck, reverify
from groundedgen.values import Answer

__all__ = ["BROKEN", "USAGE", "verify"]

BROKEN: Final = 5
#: What stands behind the command's name; it needs both of the first.
USAGE: Final = ("ANSWER.json", "--passages PATH...", "[OPTIONS]")
_STATEMENT: Final = 200  # code points of a statement that are shown


def verify(
    answer: Annotated[
        Path,
        typer.Argument(
            metavar="ANSWER.json", help="What ask --json printed; - for standard input."
        ),
    ],
    more: Annotated[list[Path] | None, typer.Argument(metavar="PATH", hidden=True)] = None,
    *,
    passages: Annotated[
        list[Path],
        typer.Option(metavar="PATH...", help="The documents as they are now, as for ask."),
    ],
    judge: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Ask a judge again whether each passage supports its statement, as for ask. "
            "Without it the judge's verdicts are as stored and not checked.",
            show_default=False,
        ),
    ] = None,
    min_quote_words: Annotated[
        int,
        typer.Option(
            min=1, max=50, metavar="N", help="Fewest words of a quote, as in the policy of ask."
        ),
    ] = 5,
    json: Annotated[
        bool, typer.Option("--json", help="Print the report as JSON and nothing else.")
    ] = False,
) -> None:
    """Check a stored answer again, against the documents as they are now.

    Runs every check that needs no model: that the passages are there and have not changed by a
    letter, that the quotes stand at their places, that the numbers are in them. Says of each
    statement what no longer holds. A judge's verdict cannot be checked so: it is as stored, and
    marked "~", unless --judge asks again. Exit codes: 0 all that was checked holds, 5 something
    does not, 2 usage.
    """
    stored = _read(answer)
    loaded = load([*passages, *(more or ())], quiet=json, strict=False)
    report = reverify(stored, loaded.passages, judge=judge, min_quote_words=min_quote_words)
    if json:
        write(wire.to_json(_plain(report)) + "\n")
    else:
        write(render(_lines(stored, report), console(sys.stdout)))
    raise typer.Exit(0 if report.holds else BROKEN)


def _read(path: Path) -> Answer:
    try:
        data = sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise InputError(f"{path}: {why}; give a file that ask --json wrote") from None
    return Answer.model_validate_json(data)


def _plain(report: Report) -> dict[str, Any]:
    plain: dict[str, Any] = wire.dump(report)
    for statement, check in zip(plain["statements"], report.statements, strict=True):
        statement["holds"] = check.holds
    return {"holds": report.holds, "verdicts_as_stored": report.as_stored, **plain}


def _lines(stored: Answer, report: Report) -> Iterator[Line]:
    for check in report.statements:
        yield from _statement(stored, check)
    if report.statements:
        yield Line(Text())
    yield Line(Text(_verdict(stored, report), "bold"))
    if report.stored_normalizer != report.normalizer:
        then = one_line(report.stored_normalizer) or "unknown"
        note = f"made with normaliser {then}, checked with {report.normalizer}"
        yield Line(Text(note, "dim"))


def _statement(stored: Answer, check: StatementCheck) -> Iterator[Line]:
    text = shorten(one_line(stored.statements[check.index].text), _STATEMENT)
    note = "" if check.verified else " (NOT CHECKED when it was shown)"
    if check.holds and check.as_stored:
        note += " (a judge's verdict, as stored)"
    sign = "✗ " if not check.holds else "~ " if check.as_stored else "✓ "
    yield Line(Text(text + note, "" if check.holds else "red"), sign)
    for broken in check.broken:
        yield _broken("", broken)
    for citation in check.citations:
        for broken in citation.broken:
            yield _broken(f"{one_line(citation.passage_id)}: ", broken)


def _broken(where: str, broken: Broken) -> Line:
    details = ", ".join(one_line(detail) for detail in broken.details)
    found = {"source_gone": "now under ", "source_changed": "the text cited is now under "}
    more = f" ({found.get(broken.reason, '')}{details})" if details else ""
    return Line(Text(f"{where}{broken.reason}. {broken.message}{more}"), "", 4)


def _verdict(stored: Answer, report: Report) -> str:
    if not report.statements:
        return f"no statement to check: the answer is {stored.status}"
    held = sum(check.holds for check in report.statements)
    of = f"{held} of {len(report.statements)} statements"
    if not report.as_stored:
        return f"{of} still hold"
    return (
        f"{of}: quotes and numbers still hold; the judge's verdict on {report.as_stored} of them "
        f"is as stored, not checked again (--judge NAME asks again)"
    )
