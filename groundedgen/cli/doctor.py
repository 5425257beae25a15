"""`groundedgen doctor`: one screen on what a model and a judge really do."""

# No postponed annotations here: typer reads them to build the commands.
import json as json_room
import sys
from dataclasses import asdict
from typing import Annotated, Final

import typer
from rich.text import Text

from groundedgen.checkup import State, Symptom, examine
from groundedgen.cli.terminal import Line, console, one_line, progress, render, write

__all__ = ["doctor"]

_SIGNS: Final[dict[State, tuple[str, str]]] = {
    "ok": ("✓", ""),
    "warn": ("!", "yellow"),
    "fail": ("✗", "red"),
}
_WIDTH: Final = 12  # of the longest name of what is looked at, and two blanks


def doctor(
    *,
    model: Annotated[
        str,
        typer.Option(metavar="NAME", help="The model to look at, as for ask."),
    ] = "extractive",
    judge: Annotated[
        str,
        typer.Option(metavar="NAME", help="The judge to look at, as for ask."),
    ] = "lexical",
    timeout: Annotated[
        float,
        typer.Option(min=0.1, metavar="SECONDS", help="Seconds for each of the questions."),
    ] = 60.0,
    json: Annotated[bool, typer.Option("--json", help="Print what was found as JSON.")] = False,
) -> None:
    """Look at a model and a judge: do they answer, hold the form, copy quotes, say not found?

    Asks the model two harmless questions and the judge one, with passages of its own; none
    of your documents is sent. A server of your own (vllm/..., sglang/..., ollama/...,
    llamacpp/...) is sent two to ten probes before that: requests of a few tokens, each with
    a constraint that lets one made-up word through, to see which kinds it obeys.

    The line "constraint" is of such a server. It says what the model could not write
    otherwise: source, quote and figures (a grammar), source and quote (a schema), the form
    and the names of sources (an enum), or nothing; and behind "obeys" each kind that the
    server obeys, with the field of a request that it obeys it in. Whatever it says, every
    reply is checked.

    Exit codes: 0 usable, 1 not.
    """
    found = []
    with progress(shown=not json) as display:
        task = display.add_task(f"asking {model}", total=None)
        for symptom in examine(model, judge, timeout=timeout):
            found.append(symptom)
            display.update(task, description=f"{symptom.about} looked at")
    if json:
        write(json_room.dumps([asdict(symptom) for symptom in found]) + "\n")
    else:
        lines = [line for symptom in found for line in _lines(symptom)]
        write(render(lines, console(sys.stdout)))
    raise typer.Exit(int(any(symptom.state == "fail" for symptom in found)))


def _lines(symptom: Symptom) -> list[Line]:
    sign, style = _SIGNS[symptom.state]
    lead = f"{sign} {symptom.about:<{_WIDTH}}"
    lines = [Line(Text(one_line(symptom.text), style), lead)]
    if symptom.hint:
        lines.append(Line(Text(one_line(symptom.hint), "dim"), " " * len(lead) + "→ "))
    return lines
