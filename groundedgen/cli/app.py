"""The commands and their exit codes."""

# No postponed annotations here: typer reads them to build the commands.
import logging
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final

import typer

import groundedgen
from groundedgen.ask import TIMEOUT
from groundedgen.cli import calibrate
from groundedgen.cli.doctor import doctor
from groundedgen.cli.loading import choose, load
from groundedgen.cli.show import Scope, answer_lines, explain_lines
from groundedgen.cli.terminal import console, progress, render, write, write_error
from groundedgen.cli.usage import told, used_as
from groundedgen.cli.verify import USAGE as VERIFY
from groundedgen.cli.verify import verify
from groundedgen.errors import (
    DraftFormatError,
    GenerationError,
    GroundedgenError,
    InputError,
    ProviderError,
    RefusedError,
)
from groundedgen.values import Answer, Passage, Status

__all__ = ["app", "run"]

ANSWERED, FAILED, USAGE, NOT_FOUND, WITHHELD, INTERRUPTED = 0, 1, 2, 3, 4, 130
_CODES: Final[dict[Status, int]] = {
    "answered": ANSWERED,
    "not_found": NOT_FOUND,
    "withheld": WITHHELD,
}
#: Passages that one question is put to: about 12 pages, which every current model reads whole.
TOP_K: Final = 12

_LOOK: Final = "`groundedgen doctor --model NAME` shows what the model does"

_EXIT_CODES: Final = """\b
Exit codes:
  0    answered: every statement shown passed all checks
  3    not found: the documents do not answer the question
  4    withheld: there was a draft, but the policy does not let it be shown
  5    verify: a stored answer does not hold any more
  2    usage: a bad option, question, path, file, or model name
  1    failed: the model gave no usable reply, or the output could not be written
  130  interrupted
"""

app = typer.Typer(
    add_completion=False,
    invoke_without_command=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,  # they print local variables, and those hold passages
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 96},
)


def _version(value: bool) -> None:  # noqa: FBT001 - the form typer calls it in
    if value:
        write(f"groundedgen {groundedgen.__version__}\n")
        raise typer.Exit


@app.callback(epilog=_EXIT_CODES)
def _groundedgen(
    context: typer.Context,
    *,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """Answers from your documents in which every statement is cited, quoted and checked."""
    del version
    if context.invoked_subcommand is None:
        write(context.get_help() + "\n")
        raise typer.Exit(USAGE)


@app.command(cls=used_as("QUESTION", "PATH...", "[OPTIONS]"), epilog=_EXIT_CODES)
def ask(
    question: Annotated[str, typer.Argument(metavar="QUESTION", hidden=True)],
    paths: Annotated[list[Path], typer.Argument(metavar="PATH", hidden=True)],
    *,
    model: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="What writes the draft: openai/MODEL, anthropic/MODEL, ollama/MODEL, "
            "vllm/MODEL@URL, ..., or extractive. Without it whole sentences are picked from "
            "the passages: no key, no network.",
            show_default=False,
        ),
    ] = None,
    judge: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="What decides whether a passage supports a statement: llm (the model that "
            "writes), another PROVIDER/MODEL, nli/FOLDER, lexical, lexical-strict, or several "
            "with commas between, cheapest first. Without it words are compared by rule.",
            show_default=False,
        ),
    ] = None,
    evidence: Annotated[
        str | None,  # the error of a wrong one is `ask`'s own, the same in all releases of typer
        typer.Option(
            metavar="FORM",
            help="What the model gives as proof: quotes, which it copies, or sentences, of which "
            "it names the ids and code looks up the words: nothing can be copied wrongly. "
            "[default: quotes]",
            show_default=False,
        ),
    ] = None,
    strict: Annotated[
        bool,
        typer.Option(
            "--strict",
            help="For law and finance: any failed check withholds the answer, and a file in a "
            "folder that cannot be read is an error.",
        ),
    ] = False,
    timeout: Annotated[
        float | None,
        typer.Option(
            min=0.1,
            metavar="SECONDS",
            help=f"Seconds for the whole question. [default: {TIMEOUT:.0f}]",
            show_default=False,
        ),
    ] = None,
    top_k: Annotated[
        int,
        typer.Option(min=1, metavar="N", help="Most passages to put the question to."),
    ] = TOP_K,
    json: Annotated[
        bool,
        typer.Option(
            "--json",
            help="Print the complete answer as JSON and nothing else: the whole proof, as "
            "Answer.model_dump_json() gives it and verify reads it. What render(format='json') "
            "gives is another shape, for showing to one reader.",
        ),
    ] = False,
    explain: Annotated[
        bool,
        typer.Option("--explain", help="Also print why each statement passed, and every step."),
    ] = False,
) -> None:
    """Answer QUESTION from the documents at each PATH.

    A PATH is a file (.txt .md .jsonl .html .pdf) or a folder, read with all its folders.

    Prints statements with numbered citations, each with title, page and quote; then what
    was dropped and why; and, without an answer, the closest passages.
    """
    if not question.strip():
        raise InputError("the question is blank; ask something", code="blank_question")
    loaded = load(paths, quiet=json, strict=strict)
    with progress(shown=not json) as display:
        task = display.add_task(f"ranking {len(loaded.passages)} passages", total=None)
        chosen = choose(question, loaded.passages, top_k)
        display.update(task, description=f"asking {len(chosen)} passages")
        given = {"model": model, "judge": judge, "evidence": evidence, "timeout": timeout}
        answer = _ask(question, chosen, given, strict=strict)
    if json:
        if loaded.others:
            write_error(f"note: not read, by type: {loaded.others}")
        write(answer.model_dump_json() + "\n")
    else:
        scope = Scope(len(loaded.passages), len(chosen), loaded.files, loaded.others, strict)
        _print(answer, scope, explain=explain)
    raise typer.Exit(_CODES[answer.status])


def _ask(
    question: str, passages: Sequence[Passage], given: Mapping[str, Any], *, strict: bool
) -> Answer:
    """`groundedgen.ask`, with its own defaults for what was not given."""
    options = {key: value for key, value in given.items() if value is not None}
    if strict:
        options["policy"] = groundedgen.Policy.strict()
    return groundedgen.ask(question, passages, **options)


def _print(answer: Answer, scope: Scope, *, explain: bool) -> None:
    target = console(sys.stdout)
    lines = list(answer_lines(answer, scope))
    if explain:
        lines += explain_lines(answer)
    write(render(lines, target))


app.command()(doctor)
app.command(cls=used_as(*VERIFY))(verify)
calibrate.register(app)


# --- running -------------------------------------------------------------------------

# The base of typer's errors is click's in some of its versions and its own in others.
_ClickError: Final[type[Exception]] = next(
    base for base in typer.BadParameter.__mro__ if base.__name__ == "ClickException"
)


def run(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code. Errors are one line, never a traceback."""
    # Parsers log what they repair in a file; without a handler Python prints it.
    log = logging.getLogger("pypdf")
    log.addHandler(logging.NullHandler())
    log.propagate = False
    arguments = None if argv is None else list(argv)
    try:
        code = app(args=arguments, prog_name="groundedgen", standalone_mode=False)
    except _ClickError as error:
        write_error(f"error: {told(error)}")
        return USAGE
    except GenerationError as error:
        hint = _hint(error)
        write_error(f"error: {error}" + (f" ({hint})" if hint else ""))
        return FAILED
    except GroundedgenError as error:
        write_error(f"error: {error}")
        return USAGE
    except OSError as error:
        named = f"{error.filename}: " if isinstance(error.filename, str) else ""
        write_error(f"error: {named}{error.strerror or type(error).__name__}")
        return FAILED
    except (typer.Abort, KeyboardInterrupt):
        return INTERRUPTED
    return code if isinstance(code, int) else ANSWERED


def _hint(error: GenerationError) -> str:
    """What a person can do, where the error's own words do not say it already."""
    if isinstance(error, ProviderError):
        return error.hint
    return _LOOK if isinstance(error, DraftFormatError | RefusedError) else ""
