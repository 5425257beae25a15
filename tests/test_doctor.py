"""`groundedgen doctor` as it is typed: what it says that it does, and one screen of what it saw."""

from __future__ import annotations

import json

import pytest

from groundedgen import cli
from groundedgen.checkup import PASSAGES
from tests.servers.loopback import in_turn, serving
from tests.servers.openai_wire import fails, says
from tests.servers.own_wire import NOTHING, OLLAMA, VLLM, is_probe, obeying

TEXT = "The rent is 1,200 euros."
WRITTEN = {"sources": ["S1"], "quote": PASSAGES[0].text, "text": TEXT}
DRAFT = json.dumps({"status": "answered", "statements": [WRITTEN]}, separators=(",", ":"))
INVENTED = DRAFT.replace("S1", "S9").replace("first", "last")
ROWS, COLUMNS = 24, 80  # of a terminal, unless somebody made it larger


@pytest.fixture
def doctor(capsys, monkeypatch):
    """The command in this process: `doctor(...)` gives code and rows."""
    monkeypatch.setenv("COLUMNS", str(COLUMNS))

    def call(*arguments):
        code = cli.main(["doctor", *arguments])
        captured = capsys.readouterr()
        assert "" == captured.err
        return code, captured.out.splitlines()

    return call


def test_help_says_what_is_sent_and_what_its_words_mean(doctor):
    code, rows = doctor("--help")
    told = " ".join(" ".join(rows).split())
    assert 0 == code
    assert "none of your documents is sent" in told
    assert "is sent two to ten probes" in told
    assert 'The line "constraint"' in told
    for words in (
        "source, quote and figures (a grammar)",
        "source and quote (a schema)",
        "the form and the names of sources (an enum)",
        'behind "obeys" each kind that the server obeys, with the field',
        "Exit codes: 0 usable, 1 not.",
    ):
        assert words in told


@pytest.mark.parametrize(
    ("obeyed", "said"),
    [
        (VLLM, [says(DRAFT)]),
        (OLLAMA, [says(DRAFT)]),
        (NOTHING, [says(f"<think>Hm.</think>```json\n{INVENTED}\n```")]),
        (NOTHING, [fails(400, message="json_schema is not supported"), says("no JSON")]),
        (NOTHING, [fails(401)]),
    ],
)
def test_what_was_seen_fits_on_one_screen(doctor, obeyed, said):
    pytest.importorskip("openai", reason="needs the extra openai")
    with serving(obeying(obeyed, in_turn(*said))) as server:
        name = f"vllm/one-screen-{len(obeyed)}@{server.url}/v1"
        code, rows = doctor("--model", name, "--judge", "llm", "--timeout", "10")
        probes = sum(is_probe(asked.body) for asked in server.asked)
    assert 1 == code  # as a judge none of them is of any use
    assert len(rows) <= ROWS
    assert all(len(row) <= COLUMNS for row in rows)
    assert 2 <= probes <= 10


def test_the_line_of_the_constraint_says_what_bound_the_reply_and_where(doctor):
    pytest.importorskip("openai", reason="needs the extra openai")
    with serving(obeying(OLLAMA, in_turn(says(DRAFT)))) as server:
        _, rows = doctor("--model", f"ollama/where@{server.url}/v1", "--json")
    seen = {symptom["about"]: symptom["text"] for symptom in json.loads("".join(rows))}
    assert seen["constraint"] == (
        "source and quote are bound while decoding; obeys schema (response_format), "
        "enum (response_format)"
    )
