"""`examples/models/`: every program runs as it is, against a loopback server in the wire format."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import groundedgen
from tests.servers.loopback import serving
from tests.servers.models import FALSE, TRUE, answer

MODELS = Path(__file__).parents[2] / "examples" / "models"


def run(program, *arguments, **environment):
    path = [str(Path(groundedgen.__file__).parents[1]), os.environ.get("PYTHONPATH")]
    return subprocess.run(
        [sys.executable, MODELS / program, *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, **environment, "PYTHONPATH": os.pathsep.join(filter(None, path)),
             "OPENAI_API_KEY": "k", "ANTHROPIC_API_KEY": "k"},
        check=False,
        timeout=60,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("program", "sdk", "said"),
    [
        ("openai_chat.py", "openai", "openai/gpt-5-mini, json_schema, judged by llm/openai/"),
        ("local_server.py", "openai", "vllm/m, json_schema, constraint none, judged by llm/vllm/m"),
        ("outlines_model.py", "outlines", "outlines/vllm/m, none, judged by llm/outlines/vllm/m"),
        ("any_callable.py", "openai", "callable/my_model, text, judged by llm/callable/my_model"),
        ("instructor_provider.py", "instructor", "judged by llm/"),
        ("anthropic_structured.py", "anthropic", "json_schema, judged by llm/anthropic/"),
        ("anthropic_citations.py", "anthropic", "citations, judged by llm/anthropic/"),
    ],
)
def test_an_example_shows_what_is_true_and_nothing_else(program, sdk, said):
    pytest.importorskip(sdk)
    with serving(answer) as server:
        arguments = {
            "local_server.py": [f"vllm/m@{server.url}/v1"],
            "outlines_model.py": ["m", f"{server.url}/v1"],
            "instructor_provider.py": ["openai/gpt-5-mini"],
        }.get(program, [])
        done = run(
            program,
            *arguments,
            OPENAI_BASE_URL=f"{server.url}/v1",
            ANTHROPIC_BASE_URL=server.url,
            MY_MODEL_URL=server.url,
        )
    assert (0, "") == (done.returncode, done.stderr)
    assert TRUE in done.stdout
    assert FALSE not in done.stdout
    assert said in done.stdout


def test_no_example_is_left_out():
    tested = test_an_example_shows_what_is_true_and_nothing_else.pytestmark[0].args[1]
    assert {path.name for path in MODELS.glob("*.py")} == {program for program, _, _ in tested}
