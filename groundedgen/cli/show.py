"""An answer as lines for a terminal. Takes values, returns lines; prints nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rich.text import Text

from groundedgen.checkup import JUDGE_HINTS
from groundedgen.cli.terminal import Line, one_line, shorten
from groundedgen.render.view import distinct

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from groundedgen.values import Answer, Citation, Finding, Passage, Reason, Statement, Status

__all__ = ["Scope", "answer_lines", "explain_lines"]

#: Longest quote and longest nearest text that is printed, in code points; `--json` has all.
_QUOTE: Final = 600
_NEAREST: Final = 300
_URL_SCHEMES: Final = ("http://", "https://")

_HEADS: Final[Mapping[Status, tuple[str, str]]] = {
    "answered": ("Answered", "bold green"),
    "not_found": ("Not found", "bold yellow"),
    "withheld": ("Withheld", "bold red"),
}
_REASONS: Final[Mapping[Reason, str]] = {
    "answered": "every statement is quoted and checked",
    "model_said_not_found": "the passages do not answer this",
    "nothing_survived": "no statement survived its checks",
    "core_lost": "the statement that answers the question did not survive its checks",
    "no_passages": "there is no passage with text",
    "strict_policy": "a statement failed a check, and the strict policy then shows none",
    "judge_unavailable": "no judge could read the statements, so none is shown",
    "reader_may_not_open": "the sources may not be opened by this reader",
}


#: The engine that writes nothing of its own, so that no judge has a paraphrase to read.
_EXTRACTIVE: Final = "extractive"
_LEXICAL: Final = (
    "The lexical judge compares words, and drops most free paraphrases. --judge llm reads them."
)


@dataclass(frozen=True, slots=True)
class Scope:
    """What was asked: `asked` of `passages` passages out of `files` files.

    Attributes:
        others: The files of types that are not read, as "2 .docx", or "".
        strict: Whether the wording of dropped statements stays off the screen.
    """

    passages: int
    asked: int
    files: int
    others: str = ""
    strict: bool = False


def answer_lines(answer: Answer, scope: Scope) -> Iterator[Line]:
    """The answer for people: statements, sources, what was dropped and why, what is closest."""
    yield _head(answer)
    numbers = _numbers(answer.statements)
    for statement in answer.statements:
        yield _statement(statement, numbers)
    passages = {passage.id: passage for passage in answer.passages}
    if numbers:
        yield from _titled("Sources", _sources(answer.statements, numbers, passages))
    if dropped := distinct(finding for finding in answer.findings if not finding.kept):
        shown = answer.status != "withheld" and not scope.strict
        lines = (line for finding in dropped for line in _finding(finding, shown=shown))
        yield from _titled(f"Dropped ({len(dropped)}), not part of the answer", lines)
        if _only_compared(answer, dropped):
            yield Line(Text(_LEXICAL, "dim"), "→ ", 2)
    if answer.closest:
        yield from _titled("Closest passages", _closest(answer, passages))
    yield Line(Text())
    yield Line(Text(_footer(answer, scope), "dim"))


def explain_lines(answer: Answer) -> Iterator[Line]:
    """Why each statement passed, what was changed, the steps taken, and all versions."""
    if answer.statements:
        yield from _titled("Why each statement passed", _reasons(answer.statements))
    if changed := distinct(finding for finding in answer.findings if finding.kept):
        yield from _titled("Kept, with a change", _changes(changed))
    yield from _titled("Steps", _steps(answer))
    yield from _titled("Versions", [_plain(", ".join(_facts(answer.versions)), 2)])


def _plain(text: str, indent: int, style: str = "") -> Line:
    return Line(Text(one_line(text), style), "", indent)


def _titled(title: str, lines: Iterable[Line]) -> Iterator[Line]:
    yield Line(Text())
    yield Line(Text(title, "bold"))
    yield from lines


def _head(answer: Answer) -> Line:
    word, style = _HEADS[answer.status]
    why = _REASONS[answer.reason]
    if not all(statement.verified for statement in answer.statements):
        why = "what is marked NOT CHECKED was read by no judge"
    return Line(Text.assemble((word, style), f": {why}"))


# --- statements and their sources ----------------------------------------------------


def _numbers(statements: Sequence[Statement]) -> dict[str, int]:
    """Passage id -> number, in order of first appearance: one source, one number."""
    ids = dict.fromkeys(c.passage_id for s in statements for c in s.citations)
    return {id_: number for number, id_ in enumerate(ids, 1)}


def _statement(statement: Statement, numbers: Mapping[str, int]) -> Line:
    cited = dict.fromkeys(numbers[citation.passage_id] for citation in statement.citations)
    markers = "".join(f"[{number}]" for number in cited)
    warning = ("", "") if statement.verified else ("NOT CHECKED ", "bold red")
    return Line(Text.assemble(warning, one_line(statement.text), " ", (markers, "cyan")), "", 2)


def _sources(
    statements: Sequence[Statement], numbers: Mapping[str, int], passages: Mapping[str, Passage]
) -> Iterator[Line]:
    quotes: dict[str, dict[tuple[int, int], Citation]] = {id_: {} for id_ in numbers}
    for statement in statements:
        for citation in statement.citations:
            quotes[citation.passage_id].setdefault((citation.start, citation.end), citation)
    for id_, number in numbers.items():
        yield _source(id_, passages.get(id_), f"[{number}] ")
        for citation in quotes[id_].values():
            yield _quote(citation.quote, len(f"[{number}] ") + 2, _QUOTE)


def _source(id_: str, passage: Passage | None, lead: str) -> Line:
    """Title, page, id and, where it may be one, the link of a passage."""
    title = one_line(passage.title or "") if passage else ""
    page = f", page {passage.page}" if passage and passage.page is not None else ""
    name = one_line(id_)
    known = Text.assemble((f"{title}{page}", "bold"), f"  {name}" if title != name else "")
    if not title:
        known = Text.assemble((name, "bold"), page)
    if passage and passage.url and passage.url.lower().startswith(_URL_SCHEMES):
        known.append(f"  {one_line(passage.url)}", "dim")
    return Line(known, lead, 2)


def _quote(text: str, indent: int, limit: int) -> Line:
    return Line(Text(f"“{shorten(one_line(text), limit)}”", "italic"), "", indent)


# --- what is not in the answer ---------------------------------------------------------


def _finding(finding: Finding, *, shown: bool) -> Iterator[Line]:
    """What was dropped, the check and reason, and the nearest real text.

    The drafted words are repeated only where `shown`: an answer that is withheld, or a
    strict policy, keeps them off the screen.
    """
    what = f"statement {finding.index + 1}" if finding.index >= 0 else "the draft"
    if shown and finding.statement:
        what = shorten(one_line(finding.statement), _NEAREST)
    yield Line(Text(what, "red"), "✗ ", 2)
    details = f" ({', '.join(map(one_line, finding.details))})" if finding.details else ""
    why = f"{finding.check}: {finding.reason}. {one_line(finding.message)}{shorten(details, 200)}"
    yield Line(Text(why), "", 4)
    if hint := next((JUDGE_HINTS[d] for d in finding.details if d in JUDGE_HINTS), ""):
        yield Line(Text(hint, "dim"), "→ ", 4)
    if finding.nearest:
        where = f", {one_line(finding.passage_id)}" if finding.passage_id else ""
        nearest = shorten(one_line(finding.nearest), _NEAREST)
        text = Text.assemble((f"nearest real text{where}: ", "dim"), (f"“{nearest}”", "italic"))
        yield Line(text, "", 4)


def _only_compared(answer: Answer, dropped: Sequence[Finding]) -> bool:
    """Whether a model's statements fell because the embedded judge could not tell."""
    written = answer.engine != _EXTRACTIVE
    return (
        written and answer.judge == "lexical" and any(f.reason == "not_addressed" for f in dropped)
    )


def _closest(answer: Answer, passages: Mapping[str, Passage]) -> Iterator[Line]:
    for number, closest in enumerate(answer.closest, 1):
        yield _source(closest.passage_id, passages.get(closest.passage_id), f"{number}. ")
        yield _quote(closest.quote, 5, _NEAREST)


def _footer(answer: Answer, scope: Scope) -> str:
    searched = f"{scope.asked} of {scope.passages} passages in {_count(scope.files, 'file')}"
    if scope.asked == scope.passages:
        searched = f"{_count(scope.passages, 'passage')} in {_count(scope.files, 'file')}"
    if scope.others:
        searched += f" (not read: {scope.others})"
    written = answer.engine or "nothing written"
    judged = _judged(answer)
    drafts = [f"{answer.attempts} drafts"] if answer.attempts > 1 else []
    return one_line(" · ".join((searched, written, judged, *drafts)))


def _judged(answer: Answer) -> str:
    """What a judge really did: whole sentences need none, and no draft may have reached it."""
    rounds = [event.data for event in answer.trace if event.name == "judged"]
    read = any(said.entailment.how == "judge" for said in answer.statements)
    if not read and not any(data.get("pairs") for data in rounds):
        proved = [said.entailment.how == "whole_sentence" for said in answer.statements]
        return "no judge needed" if proved and all(proved) else "nothing judged"
    labels = {label for data in rounds for label in data.get("labels", ())}
    told = "" if read or labels - {"not_judged"} else ", no verdict"
    return f"judge {answer.judge}{told}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


# --- the explanation ---------------------------------------------------------------------


def _reasons(statements: Sequence[Statement]) -> Iterator[Line]:
    how = {
        "whole_sentence": "it is a whole sentence of the passage; no judge was needed",
        "judge": "a judge read it against the passage",
        "unverified": "no judge read it; the policy shows it all the same",
    }
    for number, statement in enumerate(statements, 1):
        lead = f"{number}. "
        yield Line(Text(one_line(statement.text)), lead, 2)
        for citation in statement.citations:
            place = f"{citation.passage_id} [{citation.start}:{citation.end}]"
            yield _plain(f"quote: {citation.match} match in {place}", 5)
        yield _plain("numbers: every number is in that passage", 5)
        verdict = statement.entailment
        score = "" if verdict.score is None else f", score {verdict.score:.2f}"
        why = f" ({verdict.why})" if verdict.why and verdict.how == "judge" else ""
        yield _plain(f"verdict: {verdict.label}{score}: {how[verdict.how]}{why}", 5)


def _changes(findings: Sequence[Finding]) -> Iterator[Line]:
    for finding in findings:
        details = f" ({', '.join(finding.details)})" if finding.details else ""
        text = (
            f"statement {finding.index + 1}, {finding.check}: {finding.reason}. {finding.message}"
        )
        yield _plain(text + details, 2)


def _facts(data: Mapping[str, object]) -> Iterator[str]:
    """What a step counted, nested counts included; nothing for what it did not."""
    for key, value in data.items():
        if isinstance(value, Mapping):
            yield from _facts({f"{key} {inner}": count for inner, count in value.items()})
        elif value not in (None, ""):
            yield f"{key} {value}"


def _steps(answer: Answer) -> Iterator[Line]:
    for event in answer.trace:
        draft = f" (draft {event.attempt})" if event.attempt else ""
        data = ", ".join(_facts(event.data))
        yield _plain(f"{event.name}{draft}: {data}", 2)
    usage = answer.usage
    if usage.input_tokens or usage.output_tokens:
        yield _plain(f"tokens: {usage.input_tokens} in, {usage.output_tokens} out", 2)
