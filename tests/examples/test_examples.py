"""`examples/`: the documents are what they are said to be, and the demonstration holds."""

from __future__ import annotations

import json
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

import groundedgen
from groundedgen import ask
from groundedgen.interop.files import read_paths

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
POLICY = EXAMPLES / "policy"


@pytest.fixture(scope="module")
def demonstration():
    path = [str(Path(groundedgen.__file__).parents[1]), os.environ.get("PYTHONPATH")]
    return subprocess.run(
        [sys.executable, EXAMPLES / "demo.py"],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "COLUMNS": "80", "PYTHONPATH": os.pathsep.join(filter(None, path))},
        check=False,
        timeout=60,
    )


def test_the_demonstration_shows_an_answer_a_refusal_and_three_inventions_stopped(demonstration):
    done = demonstration
    assert done.returncode == 0, done.stdout
    assert done.stderr == ""
    first, second, third = re.split(r"━━ [23]\. ", done.stdout)
    assert "covered up to £50,000" in first
    assert "Sources" in first
    assert "Not found" in second
    assert "Closest passages" in second
    for reason in ("unknown_source", "quote_not_found", "number_mismatch"):
        assert reason in third
    assert third.count("✗") == 3
    assert third.count("nearest real text") >= 2
    assert "\x1b" not in done.stdout


def test_the_demonstration_can_be_read_in_ten_seconds(demonstration):
    lines = [line for line in demonstration.stdout.split("\n") if line]
    assert len(lines) <= 50
    assert max(map(len, lines)) <= 82


def test_the_demonstration_fails_if_an_invention_is_shown():
    """Its own check must be able to fail."""
    demo = runpy.run_path(str(EXAMPLES / "demo.py"))
    passages = read_paths(POLICY / "home-policy.pdf")
    answer = ask(demo["ANSWERED"], passages, model=demo["ScriptedGenerator"]([demo["draft"]]))
    assert demo["faults"](answer) == []
    assert len(answer.findings) == 3
    lost = demo["faults"](type(answer)(answer.status, answer.reason, answer.question))
    assert len(lost) == 4
    shown = type(answer)(
        answer.status, answer.reason, answer.question, statements=answer.statements * 2
    )
    assert any("honest" in fault for fault in demo["faults"](shown))
    demo["INVENTED"]["quote_not_found"] = answer.statements[0].text
    assert any(fault.startswith("shown: ") for fault in demo["faults"](answer))


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("Is water damage from a burst pipe covered?", "up to £50,000 for any one event"),
        ("What is the excess for escape of water?", "£350"),
        ("How much notice must the tenant give?", "at least two months' notice"),
        ("What does a call-out on a Sunday cost?", "£130"),
        ("May the tenant sublet the flat?", "must not sublet"),
        ("How much is the deposit?", "£1,315"),
    ],
)
def test_the_documents_answer(question, words):
    answer = ask(question, read_paths(POLICY))
    assert answer.status == "answered"
    assert words in answer.statements[0].text
    passages = {passage.id: passage for passage in answer.passages}
    for citation in (c for statement in answer.statements for c in statement.citations):
        assert passages[citation.passage_id].text[citation.start : citation.end] == citation.quote


@pytest.mark.parametrize(
    "question",
    [
        "Who pays for window cleaning?",
        "Is a lost mobile phone covered?",
        "Who won the chess tournament in Reykjavik?",
        "What is the password of the wireless network?",
    ],
)
def test_the_documents_do_not_answer(question):
    answer = ask(question, read_paths(POLICY))
    assert answer.status == "not_found"
    assert answer.statements == ()
    assert answer.closest


def test_the_pdf_holds_what_makes_pdfs_hard():
    pages = [passage.text for passage in read_paths(POLICY / "home-policy.pdf")]
    text = "\n".join(pages)
    assert len(pages) == 5
    assert text.count("\ufb01") > 20
    assert text.count("\ufb02") >= 5
    assert len(re.findall(r"[a-z]-\n[a-z]", text)) >= 15
    assert {"“", "”", "’"} <= set(text)
    assert all(page.startswith("Lark\ufb01eld Mutual") for page in pages)
    assert "fi" not in text.replace("\ufb01", "")


def test_every_line_of_the_price_list_has_its_own_id_title_page_and_link():
    lines = [json.loads(line) for line in (POLICY / "prices.jsonl").read_text("utf-8").splitlines()]
    assert len({line["id"] for line in lines}) == len(lines) >= 10
    for line in lines:
        assert line["title"]
        assert line["page"] >= 1
        assert line["url"].startswith("https://")


def test_the_folder_holds_nothing_that_is_not_to_be_asked():
    """A readme beside the documents would be quoted as if it were one."""
    readable = {
        p.name for p in POLICY.iterdir() if p.suffix in {".md", ".txt", ".html", ".pdf", ".jsonl"}
    }
    assert readable == {"home-policy.pdf", "lease.md", "prices.jsonl"}
