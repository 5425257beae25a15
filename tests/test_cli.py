"""`groundedgen ask`: every exit code, one-line errors, and nothing that steers the terminal."""

from __future__ import annotations

import io
import json
import os
import pty
import re
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text
from typer.testing import CliRunner

import groundedgen
from groundedgen import cli
from groundedgen.cli import app as commands
from groundedgen.cli.show import Scope, answer_lines, explain_lines
from groundedgen.cli.terminal import Line, one_line, render, shorten
from groundedgen.errors import (
    DraftFormatError,
    MissingExtraError,
    ProviderError,
    RefusedError,
    TruncatedError,
)
from groundedgen.values import (
    Answer,
    Citation,
    Closest,
    Entailment,
    Finding,
    Passage,
    Statement,
    TraceEvent,
    Usage,
)
from tests.servers.loopback import in_turn, serving
from tests.servers.openai_wire import says
from tests.servers.own_wire import NOTHING, obeying, real

ROOT = Path(__file__).parents[1]
POLICY = ROOT / "examples" / "policy"
# The package under test, wherever it is installed, for the processes started here.
ENVIRONMENT = {
    **os.environ,
    "COLUMNS": "100",
    "PYTHONPATH": os.pathsep.join(
        filter(None, [str(Path(groundedgen.__file__).parents[1]), os.environ.get("PYTHONPATH")])
    ),
}
COVERED = "Is water damage from a burst pipe covered?"
UNKNOWN = "Who won the chess tournament in Reykjavik?"
ESCAPE = "\x1b"


def run(*arguments, env=None, cwd=None, **options):
    """The command as a user runs it, its output captured."""
    return subprocess.run(
        [sys.executable, "-m", "groundedgen.cli", *map(str, arguments)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**ENVIRONMENT, **(env or {})},
        cwd=cwd,
        check=False,
        timeout=60,
        **options,
    )


@pytest.fixture
def main(capsys):
    """The command in this process: `main(...)` gives code, output and errors."""

    def call(*arguments):
        code = cli.main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


@pytest.fixture
def documents(tmp_path):
    (tmp_path / "policy.txt").write_text(
        "Water damage from a burst pipe is covered up to £50,000. Flood is not covered.\n"
    )
    return tmp_path


def answer(status="answered", reason="answered", **fields):
    passage = Passage("p.txt", "Water from a burst pipe is covered.", title="Policy", page=3)
    quote = "Water from a burst pipe is covered."
    citation = Citation("p.txt", quote, 0, len(quote), "exact", 0, len(quote))
    statement = Statement(quote, (citation,), Entailment("supported", "whole_sentence", 1.0))
    closest = (Closest("p.txt", quote, 0, len(quote), 1.0),)
    given = {
        "question": "q",
        "statements": (statement,) if status == "answered" else (),
        "closest": () if status == "answered" else closest,
        "passages": (passage,),
        "attempts": 1,
        "engine": "scripted",
        "judge": "lexical",
        "trace": (
            TraceEvent("assigned", 0, {"passages": 1}),
            TraceEvent("checked", 1, {"dropped": {"quotes.quote_not_found": 2}, "score": None}),
        ),
        "versions": {"groundedgen": "0.1.0", "policy": "balanced"},
    }
    return Answer(status, reason, **{**given, **fields})


@pytest.fixture
def answering(monkeypatch):
    """Replaces `groundedgen.ask` by one that gives a set answer, or raises a set error."""
    calls = []

    def set_to(result):
        def ask(question, passages, **options):
            calls.append((question, passages, options))
            if isinstance(result, BaseException):
                raise result
            return result

        monkeypatch.setattr(groundedgen, "ask", ask)
        return calls

    return set_to


# --- exit codes, as a user meets them ---------------------------------------------------


def test_an_answered_question_exits_0_with_statement_title_page_and_quote():
    done = run("ask", COVERED, POLICY)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Answered")
    assert (
        "Water damage from a burst pipe is covered up to £50,000 for any one event." in done.stdout
    )
    assert "[1] Larkfield Mutual Home Policy, page 2  home-policy.pdf#p2" in done.stdout
    assert done.stderr == ""
    assert ESCAPE not in done.stdout
    assert all(len(line) <= 100 for line in done.stdout.split("\n"))


def test_a_question_that_is_not_answered_exits_3_and_shows_the_closest_passages():
    done = run("ask", UNKNOWN, POLICY)
    assert done.returncode == 3, done.stdout
    assert done.stdout.startswith("Not found")
    assert "Closest passages" in done.stdout
    assert "Sources" not in done.stdout


def test_a_withheld_answer_exits_4_and_keeps_the_drafted_words_off_the_screen(
    main, answering, documents
):
    finding = Finding("quotes", "quote_not_found", 0, "No.", statement="Invented words.")
    answering(answer("withheld", "strict_policy", findings=(finding,)))
    code, out, _ = main("ask", COVERED, documents, "--strict")
    assert code == 4
    assert out.startswith("Withheld")
    assert "Invented words" not in out
    assert "statement 1" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["ask", " ", "DOCS"], "the question is blank"),
        (["ask", COVERED, "DOCS/none.txt"], "no such file or folder"),
        (["ask", COVERED, "DOCS/empty.txt"], "the file is empty"),
        (["ask", COVERED, "DOCS/bad.txt"], "byte 0xFF at offset 0"),
        (["ask", COVERED, "DOCS/a.docx"], "cannot read this type"),
        (["ask", COVERED, "DOCS/policy.txt", "--model", "no-such-model"], "no-such-model"),
        (["ask", COVERED, "DOCS/policy.txt", "--judge", "no-such-judge"], "no-such-judge"),
        (["ask", COVERED, "DOCS/policy.txt", "--top-k", "0"], "top-k"),
        (["ask", COVERED, "DOCS/policy.txt", "--top-k", "many"], "top-k"),
        (
            ["ask", COVERED, "DOCS/policy.txt", "--evidence", "words"],
            'evidence must be "quotes" or "sentences", got \'words\'',
        ),
        (["ask", COVERED, "DOCS/policy.txt", "--nothing"], "--nothing"),
        (["ask", COVERED], "usage: groundedgen ask QUESTION PATH... [OPTIONS]; try"),
        (["verify"], "usage: groundedgen verify ANSWER.json --passages PATH... [OPTIONS]; try"),
        (["verify", "a.json"], "missing option '--passages'; usage: groundedgen verify ANSWER"),
        (["calibrate"], "usage: groundedgen calibrate LABELS [OPTIONS]; try"),
        (["calibrate", "--judge"], "try '"),
        (["ask"], "missing argument"),
        (["answer", COVERED], "no such command"),
    ],
)
def test_wrong_use_exits_2_with_one_line(main, documents, arguments, message):
    (documents / "empty.txt").write_bytes(b"")
    (documents / "bad.txt").write_bytes(b"\xff")
    (documents / "a.docx").write_bytes(b"PK")
    code, out, err = main(*(a.replace("DOCS", str(documents)) for a in arguments))
    assert code == 2
    assert out == ""
    assert err.startswith("error: ")
    assert err.count("\n") == 1
    assert message in err


def test_a_service_that_fails_exits_1_with_its_hint(main, answering, documents):
    answering(ProviderError("openai/x: 503", retryable=True, hint="try again in a minute"))
    code, out, err = main("ask", COVERED, documents)
    assert (code, out) == (1, "")
    assert err == "error: openai/x: 503 (try again in a minute)\n"


@pytest.mark.parametrize("error", [DraftFormatError("no JSON"), RefusedError("declined")])
def test_a_model_that_writes_no_draft_is_to_be_looked_at(main, answering, documents, error):
    answering(error)
    code, _, err = main("ask", COVERED, documents)
    assert (code, err.startswith(f"error: {error} (")) == (1, True)
    assert "groundedgen doctor --model NAME" in err


def test_an_error_whose_words_say_the_way_out_is_told_as_it_is(main, answering, documents):
    answering(TruncatedError("the reply was cut off; allow a longer one"))
    code, _, err = main("ask", COVERED, documents)
    assert (code, err) == (1, "error: the reply was cut off; allow a longer one\n")


def test_a_part_that_is_not_installed_exits_2_and_names_the_extra(main, answering, documents):
    answering(MissingExtraError("The OpenAI generator", extra="openai"))
    code, out, err = main("ask", COVERED, documents)
    assert (code, out) == (2, "")
    assert "pip install 'groundedgen[openai]'" in err


def test_an_interrupt_exits_130_without_a_word(main, answering, documents):
    answering(KeyboardInterrupt())
    code, out, err = main("ask", COVERED, documents)
    assert (code, out, err) == (130, "", "")


@pytest.mark.parametrize("part", ["typer", "rich", "bs4", "pypdf", "markdown_it"])
def test_without_the_extra_one_line_says_what_to_install(documents, part):
    (documents / "a.html").write_text("<p>Text.")
    (documents / "a.md").write_text("# Text")
    names = {"bs4": "a.html", "pypdf": POLICY / "home-policy.pdf", "markdown_it": "a.md"}
    block = (
        f"import sys; sys.modules[{part!r}] = None\n"
        "from groundedgen.cli import main\n"
        "sys.exit(main(sys.argv[1:]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", block, "ask", COVERED, str(names.get(part, "policy.txt"))],
        capture_output=True,
        text=True,
        cwd=documents,
        env=ENVIRONMENT,
        check=False,
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert "pip install 'groundedgen[cli]'" in done.stderr
    assert done.stderr.count("\n") == 1


def test_an_import_that_fails_for_another_reason_is_not_called_a_missing_extra():
    block = (
        "import sys; sys.modules['groundedgen.ask'] = None\n"
        "from groundedgen.cli import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", block], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert "groundedgen[cli]" not in done.stderr
    assert "groundedgen.ask" in done.stderr


def test_help_names_every_exit_code_and_option(main):
    code, out, _ = main("ask", "--help")
    assert code == 0
    for exit_code in ("0 ", "1 ", "2 ", "3 ", "4 ", "130"):
        assert re.search(rf"^ +{exit_code}", out, re.MULTILINE), exit_code
    for option in (
        *("--model", "--judge", "--evidence", "--strict", "--timeout", "--top-k", "--json"),
        "--explain",
    ):
        assert option in out
    assert ESCAPE not in out


@pytest.mark.parametrize(
    ("command", "usage"),
    [
        ("ask", "ask QUESTION PATH... [OPTIONS]"),
        ("verify", "verify ANSWER.json --passages PATH... [OPTIONS]"),
        ("calibrate", "calibrate LABELS [OPTIONS]"),
    ],
)
def test_a_usage_line_names_all_that_a_command_needs(main, command, usage):
    code, out, _ = main(command, "--help")
    assert (code, f"Usage: groundedgen {usage}") == (0, out.splitlines()[0].strip())


def test_the_help_tells_the_json_of_ask_from_that_of_render(main):
    _, out, _ = main("ask", "--help")
    told = " ".join(out.split())
    assert "Answer.model_dump_json()" in told
    assert "render(format='json') gives is another shape" in told


def test_without_a_command_the_help_is_shown(main):
    code, out, _ = main()
    assert code == 2
    assert "Usage: groundedgen" in out


def test_the_version_is_printed(main):
    assert main("--version") == (0, f"groundedgen {groundedgen.__version__}\n", "")


def test_the_app_runs_under_typers_own_runner(documents):
    result = CliRunner().invoke(commands.app, ["ask", COVERED, str(documents)])
    assert result.exit_code == 0
    assert "£50,000" in result.stdout


# --- what is asked ----------------------------------------------------------------------


def test_options_are_handed_on_only_where_given(main, answering, documents):
    calls = answering(answer())
    main("ask", COVERED, documents)
    assert calls[-1][2] == {}
    main("ask", COVERED, documents, "--model", "m", "--judge", "j", "--strict")
    assert calls[-1][2] == {"model": "m", "judge": "j", "policy": groundedgen.Policy.strict()}
    main("ask", COVERED, documents, "--evidence", "sentences", "--timeout", "7")
    assert calls[-1][2] == {"evidence": "sentences", "timeout": 7.0}


def test_a_model_is_asked_for_the_ids_of_sentences_and_their_words_are_looked_up(main, documents):
    pytest.importorskip("openai", reason="needs the extra openai")
    quote = "Water damage from a burst pipe is covered up to £50,000."
    written = {"text": quote, "sources": ["S1.1"]}
    draft = {"status": "answered", "statements": [written]}
    with serving(obeying(NOTHING, in_turn(says(draft)))) as server:
        model = f"vllm/sentences@{server.url}/v1"
        code, out, err = main(
            *("ask", COVERED, documents, "--model", model, "--judge", "lexical"),
            *("--evidence", "sentences", "--json"),
        )
        [asked] = real(server)
    assert (0, "") == (code, err)
    assert "S1.1" in str(asked.body["messages"])
    [statement] = json.loads(out)["statements"]
    assert [quote] == [cited["quote"] for cited in statement["citations"]]


def test_more_passages_than_fit_are_ranked(main, answering, tmp_path):
    for number in range(200):
        words = (
            "Water from a burst pipe is covered." if number == 137 else f"Clause {number} is dull."
        )
        (tmp_path / f"{number:03}.txt").write_text(words)
    calls = answering(answer())
    _, out, err = main("ask", COVERED, tmp_path, "--top-k", "5")
    passages = calls[-1][1]
    assert len(passages) == 5
    assert passages[0].id == "137.txt"
    assert passages[0].score > passages[1].score
    assert "5 of 200 passages in 200 files" in out
    assert err == ""


def test_two_hundred_real_files_are_answered_in_a_few_seconds(main, tmp_path):
    for number in range(200):
        text = f"# Part {number}\n\nRoom {number} has a lamp.\n"
        (tmp_path / f"{number:03}.md").write_text(text * 20)
    (tmp_path / "z.txt").write_text("Water damage from a burst pipe is covered up to £50,000.")
    start = time.perf_counter()
    code, out, err = main("ask", COVERED, tmp_path)
    assert (code, err) == (0, "")
    assert "£50,000" in out
    assert "12 of 4001 passages in 201 files" in out
    assert time.perf_counter() - start < 20


def test_a_file_in_a_folder_that_cannot_be_read_is_told_and_left_out(main, documents):
    (documents / "broken.pdf").write_bytes(b"%PDF-1.7\nrubbish")
    (documents / "pic.png").write_bytes(b"\x89PNG")
    code, out, err = main("ask", COVERED, documents)
    assert code == 0
    assert err.startswith("warning: left out: ")
    assert "broken.pdf: the PDF is damaged" in err
    assert err.count("\n") == 1
    assert "1 passage in 1 file (not read: 1 .png)" in out


def test_a_strict_answer_does_without_no_file(main, documents):
    (documents / "broken.pdf").write_bytes(b"%PDF-1.7\nrubbish")
    code, out, err = main("ask", COVERED, documents, "--strict")
    assert (code, out) == (2, "")
    assert "broken.pdf: the PDF is damaged" in err


# --- JSON -------------------------------------------------------------------------------


def test_json_is_the_whole_answer_and_nothing_else(documents):
    done = run("ask", COVERED, documents, "--json")
    assert done.returncode == 0
    data = json.loads(done.stdout)
    assert data["status"] == "answered"
    citation = data["statements"][0]["citations"][0]
    (passage,) = data["passages"]
    assert passage["text"][citation["start"] : citation["end"]] == citation["quote"]
    assert done.stderr == ""


def test_json_of_no_answer_and_of_strange_text(main, tmp_path):
    (tmp_path / "a.jsonl").write_text(
        '{"id": "x", "text": "Half a pair: \\ud83d and \\u0000 \\u001b[31m."}'
    )
    code, out, err = main("ask", UNKNOWN, tmp_path, "--json")
    assert (code, err) == (3, "")
    assert json.loads(out)["status"] == "not_found"
    assert ESCAPE not in out
    (tmp_path / "b.docx").write_bytes(b"PK")
    code, out, err = main("ask", UNKNOWN, tmp_path, "--json")
    assert json.loads(out)["status"] == "not_found"
    assert err == "note: not read, by type: 1 .docx\n"


# --- the screen ---------------------------------------------------------------------------


def screen(value, scope=None, *, explain=False, width=100, **options):
    target = Console(
        file=io.StringIO(), width=width, markup=False, emoji=False, highlight=False, **options
    )
    lines = [
        *answer_lines(value, scope or Scope(1, 1, 1)),
        *(explain_lines(value) if explain else ()),
    ]
    return render(lines, target)


def test_numbers_follow_first_appearance_and_one_source_has_one():
    texts = {"b": "Beta is second here.", "a": "Alpha is first here."}
    passages = tuple(Passage(id_, text) for id_, text in texts.items())

    def cite(id_):
        return Citation(id_, texts[id_], 0, len(texts[id_]), "exact", 0, len(texts[id_]))

    supported = Entailment("supported", "judge", 0.9, "words align")
    statements = (
        Statement("One.", (cite("a"),), supported),
        Statement("Two.", (cite("b"), cite("a")), supported),
        Statement("Three.", (cite("a"),), supported),
    )
    out = screen(answer(statements=statements, passages=passages))
    assert "One. [1]" in out
    assert "Two. [2][1]" in out
    assert "Three. [1]" in out
    assert out.count("Alpha is first here.") == 1
    assert out.index("[1] a") < out.index("[2] b")


def test_what_was_dropped_says_check_reason_and_nearest_text():
    finding = Finding(
        "numbers",
        "number_mismatch",
        1,
        "A number is not in the passage.",
        statement="The excess is £250.",
        details=("£250",),
        passage_id="p.txt",
        nearest="The excess is £350.",
    )
    cut = Finding("quotes", "misattributed", 0, "Moved.", kept=True)
    value = answer(findings=(cut, finding))
    out = screen(value)
    assert "Dropped (1), not part of the answer" in out
    assert "✗ The excess is £250." in out
    assert "numbers: number_mismatch. A number is not in the passage. (£250)" in out
    assert "nearest real text, p.txt: “The excess is £350.”" in out
    assert "Moved" not in out
    assert "statement 1, quotes: misattributed. Moved." in screen(value, explain=True)
    assert "The excess is £250" not in screen(value, Scope(1, 1, 1, strict=True))


def test_what_both_drafts_dropped_alike_is_told_once():
    first = Finding(
        "quotes", "quote_not_found", 0, "Nowhere.", 1, statement="Hail is covered.", nearest="Hail"
    )
    again = replace(first, attempt=2, index=1, statement="Hail  is covered.", nearest="covered")
    other = replace(again, reason="quote_too_short")
    value = answer("not_found", "nothing_survived", findings=(first, again, other))
    out = screen(value)
    assert "Dropped (2), not part of the answer" in out
    assert 1 == out.count("quotes: quote_not_found")
    assert 3 == len(value.findings)
    kept = tuple(replace(f, kept=True) for f in value.findings)
    assert 1 == screen(replace(value, findings=kept), explain=True).count("quotes: quote_not_found")


def judged_events(**data):
    return (TraceEvent("judged", 1, {"judge": "lexical", **data}),)


@pytest.mark.parametrize(
    ("how", "trace", "told"),
    [
        ("whole_sentence", (), "no judge needed"),
        ("whole_sentence", judged_events(pairs=0, labels={}), "no judge needed"),
        ("whole_sentence", judged_events(pairs=1, labels={"partial": 1}), "judge lexical"),
        ("judge", (), "judge lexical"),
        ("judge", judged_events(pairs=2, labels={"supported": 2}), "judge lexical"),
        ("unverified", judged_events(pairs=0, labels={}), "nothing judged"),
        ("unverified", judged_events(pairs=1, labels={}), "judge lexical, no verdict"),
        (
            "unverified",
            judged_events(pairs=1, labels={"not_judged": 1}),
            "judge lexical, no verdict",
        ),
        (None, (), "nothing judged"),
        (None, judged_events(pairs=0, labels={}), "nothing judged"),
        (None, judged_events(pairs=1, labels={"partial": 1}), "judge lexical"),
    ],
)
def test_a_judge_is_named_only_where_it_judged(how, trace, told):
    if how is None:
        value = answer("not_found", "nothing_survived", trace=trace)
    else:
        label = "not_judged" if how == "unverified" else "supported"
        shown = replace(answer().statements[0], entailment=Entailment(label, how))
        value = answer(statements=(shown,), trace=trace)
    assert screen(value).splitlines()[-1] == f"1 passage in 1 file · scripted · {told}"


@pytest.mark.parametrize(("question", "told"), [(COVERED, "no judge needed"), (UNKNOWN, "nothing")])
def test_the_default_restates_whole_sentences_and_names_no_judge(main, documents, question, told):
    _, out, _ = main("ask", question, documents)
    assert told in out.splitlines()[-1]
    assert "lexical" not in out


def test_a_judge_that_fails_is_told_with_the_way_out():
    finding = Finding(
        "entailment", "not_judged", 0, "Nobody has read it.", statement="It is covered.",
        details=("judge_denied", "status 401", "not_judged"),
    )  # fmt: skip
    out = screen(answer("withheld", "judge_unavailable", findings=(finding,)))
    assert "not_judged. Nobody has read it. (judge_denied, status 401, not_judged)" in out
    assert "→ check the key" in out


@pytest.mark.parametrize(("judge", "told"), [("lexical", True), ("llm/openai/gpt-5", False)])
def test_where_words_alone_were_compared_the_way_to_a_judge_that_reads_is_told(judge, told):
    dropped = Finding("entailment", "not_addressed", 0, "The judge does not find it.")
    out = screen(answer("not_found", "nothing_survived", findings=(dropped,), judge=judge))
    assert told == ("--judge llm reads them" in out)


def test_an_unchecked_statement_is_marked_in_words():
    unread = Statement(
        "Perhaps.", answer().statements[0].citations, Entailment("not_judged", "unverified")
    )
    out = screen(answer(statements=(unread,)))
    assert "NOT CHECKED Perhaps." in out
    assert "every statement" not in out


def test_an_explanation_says_why_each_statement_passed():
    judged = Statement(
        "It is covered.",
        answer().statements[0].citations,
        Entailment("supported", "judge", 0.93, "same words"),
    )
    value = answer(statements=(judged,), usage=Usage(10, 5))
    out = screen(value, explain=True)
    for words in (
        "Why each statement passed",
        "quote: exact match in p.txt [0:35]",
        "verdict: supported, score 0.93: a judge read it against the passage (same words)",
        "assigned: passages 1",
        "checked (draft 1): dropped quotes.quote_not_found 2",
        "tokens: 10 in, 5 out",
        "groundedgen 0.1.0, policy balanced",
    ):
        assert words in out


def test_only_web_links_are_printed():
    def source(url):
        return screen(answer(passages=(Passage("p.txt", "x", title="T", url=url),)))

    assert "https://x.example/a" in source("https://x.example/a")
    assert "javascript" not in source("javascript:alert(1)")


@pytest.mark.parametrize("question", [COVERED, UNKNOWN])
@pytest.mark.parametrize("colour", [False, True])
def test_no_source_file_can_steer_the_terminal(main, tmp_path, monkeypatch, question, colour):
    attack = (
        "\x1b]0;owned\x07\x1b[2J\x1b[31mWater damage from a burst pipe is covered\x1b[0m up to £9 "
        "[bold red]markup[/] [link=evil]x[/link] \x9b5m :smile: \u202eevil\u2066."
    )
    (tmp_path / "\x1b[31mred\x1b[0m\n[bold]x.txt").write_text(attack)
    monkeypatch.setenv("COLUMNS", "100")
    if colour:
        monkeypatch.setenv("FORCE_COLOR", "1")
        monkeypatch.setenv("TERM", "xterm-256color")
    code, out, _ = main("ask", question, tmp_path, "--explain")
    assert code == (0 if question == COVERED else 3)
    assert (ESCAPE in out) == colour
    left = re.sub(r"\x1b\[[0-9;]*m", "", out)
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", left)
    assert "owned" in left
    assert "[bold red]markup[/]" in left
    assert ":smile:" in left


def test_no_error_can_steer_the_terminal(main, tmp_path):
    code, _, err = main("ask", COVERED, tmp_path / f"{ESCAPE}[31m\ngone.txt")
    assert code == 2
    assert ESCAPE not in err
    assert err.count("\n") == 1


@given(st.text(max_size=300) | st.text(alphabet="\x1b[]0;m\x07\x9b\n\r\t\u202e\ud800a ﬁ-\u00ad"))
def test_one_line_is_one_harmless_line_that_keeps_every_visible_character(text):
    shown = one_line(text)
    assert not re.search(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]", shown)
    assert one_line(shown) == shown
    kept = [c for c in text if c.isalnum()]
    assert [c for c in shown if c.isalnum()] == kept


def test_a_word_broken_at_a_line_end_keeps_its_hyphen_and_is_one_word():
    assert (
        one_line("a household appli-\nance, 10 -\n20, e-\r\nmail")
        == "a household appli-ance, 10 - 20, e-mail"
    )


@given(st.text(max_size=200), st.integers(3, 50))
def test_shortened_text_fits_and_begins_the_same(text, limit):
    short = shorten(text, limit)
    assert len(short) <= limit
    assert short == text or (text.startswith(short[:-2].rstrip()) and short.endswith("…"))


@given(
    st.lists(st.text(max_size=80) | st.text(alphabet="你好a 👩‍🚀", max_size=60), max_size=5),
    st.integers(2, 120),
    st.integers(0, 6),
)
def test_lines_fit_any_width_and_lose_nothing(texts, width, indent):
    target = Console(file=io.StringIO(), width=width)
    lines = [Line(Text(one_line(text)), "✗ ", indent) for text in texts]
    out = render(lines, target)
    assert all(row == row.rstrip(" ") for row in out.split("\n"))
    visible = "".join(out.split()).replace("✗", "")
    assert visible == "".join("".join(one_line(text).split()).replace("✗", "") for text in texts)


@pytest.mark.parametrize("width", [10, 20, 40, 200])
def test_wide_characters_and_narrow_terminals_are_fine(width):
    text = "水管爆裂造成的损坏在保险范围内,最高赔偿五万英镑。"
    passage = Passage("保单.txt", text, title="家庭保险单", page=12)
    citation = Citation("保单.txt", text, 0, len(text), "exact", 0, len(text))
    statement = Statement(text, (citation,), Entailment("supported", "whole_sentence", 1.0))
    value = answer(statements=(statement,), passages=(passage,))
    out = screen(value, explain=True, width=width)
    assert "".join(text.split()) in "".join(out.split())
    assert all(cell_len(row) <= width for row in out.split("\n"))


def test_long_quotes_are_shortened_and_say_so():
    text = "word " * 100_000
    citation = Citation("p", text, 0, len(text), "exact", 0, len(text))
    statement = Statement("Short.", (citation,), Entailment("supported", "judge", 1.0))
    out = screen(answer(statements=(statement,), passages=(Passage("p", text),)))
    assert len(out) < 3000
    assert "…" in out


def in_a_terminal(*arguments, env=None):
    """What a terminal is sent, standard output and error together."""
    parent, child = pty.openpty()
    base = {k: v for k, v in ENVIRONMENT.items() if k not in {"NO_COLOR", "FORCE_COLOR"}}
    process = subprocess.Popen(
        [sys.executable, "-m", "groundedgen.cli", *map(str, arguments)],
        stdin=child,
        stdout=child,
        stderr=child,
        env={
            **base,
            "TERM": "xterm-256color",
            "COLUMNS": "90",
            **(env or {}),
        },
    )
    os.close(child)
    seen = b""
    while True:
        try:
            piece = os.read(parent, 65536)
        except OSError:  # the terminal's other side is closed
            break
        if not piece:
            break
        seen += piece
    os.close(parent)
    return process.wait(), seen.decode()


def test_a_terminal_gets_colour_and_a_progress_display(tmp_path):
    for number in range(60):
        (tmp_path / f"{number:03}.txt").write_text(
            "Water damage from a burst pipe is covered. " * 50
        )
    code, seen = in_a_terminal("ask", COVERED, tmp_path)
    assert code == 0
    assert "\x1b[1;32mAnswered" in seen
    assert "reading" in seen
    assert "asking" in seen


def test_json_shows_no_progress_even_in_a_terminal(tmp_path):
    for number in range(60):
        (tmp_path / f"{number:03}.txt").write_text("Water damage from a burst pipe is covered.")
    code, seen = in_a_terminal("ask", COVERED, tmp_path, "--json")
    assert code == 0
    assert json.loads(seen)["status"] == "answered"


def test_no_color_is_honoured(documents):
    code, seen = in_a_terminal("ask", COVERED, documents / "policy.txt", env={"NO_COLOR": "1"})
    answer_part = seen[seen.index("Answered") :]
    assert code == 0
    assert ESCAPE not in answer_part
    assert not re.search(r"\x1b\[[0-9;]*m", seen)


def test_a_stream_of_another_encoding_is_no_error(documents):
    done = run("ask", COVERED, documents, env={"PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0
    assert "Water damage from a burst pipe is covered up to ?50,000." in done.stdout


def test_a_reader_that_goes_away_is_no_error():
    command = [sys.executable, "-m", "groundedgen.cli", "ask", COVERED, POLICY / "lease.md"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT
    ) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() in {0, 3}


def test_output_piped_into_head_is_quiet():
    command = (
        f"{sys.executable} -m groundedgen.cli ask '{COVERED}' '{POLICY}' --explain | head -n 1; "
        f"{sys.executable} -m groundedgen.cli --help | head -n 1"
    )
    done = subprocess.run(
        ["/bin/sh", "-c", command],
        capture_output=True,
        text=True,
        env=ENVIRONMENT,
        check=False,
    )
    assert done.stderr == ""
    assert done.stdout.startswith("Answered")


def test_output_that_cannot_be_written_exits_1(main, answering, documents, monkeypatch):
    def full(_text):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(commands, "write", full)
    answering(answer())
    assert main("ask", COVERED, documents) == (
        1,
        "",
        "error: No space left on device\n",
    )


def test_a_process_without_standard_output_is_no_error(answering, documents, monkeypatch):
    answering(answer())
    monkeypatch.setattr(sys, "stdout", None)
    assert cli.main(["ask", COVERED, str(documents)]) == 0
