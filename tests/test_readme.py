"""What the README prints is what the program prints."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONSOLE = re.findall(r"^```console\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


def _run(command):
    arguments = shlex.split(command)
    assert arguments[0] == "groundedgen"
    done = subprocess.run(
        [sys.executable, "-m", "groundedgen.cli", *arguments[1:]],
        cwd=ROOT,
        env={**os.environ, "COLUMNS": "100", "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout


def _sessions():
    """(command, printed output) of every `$` line."""
    for block in CONSOLE:
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            yield command, output


@pytest.mark.parametrize(("command", "output"), list(_sessions()))
def test_a_printed_command_prints_what_the_readme_says(command, output):
    assert output.rstrip() == _run(command).rstrip()


def test_the_demo_prints_what_the_readme_says():
    (printed,) = re.findall(r"^```text\n(━.*?)^```", README, re.MULTILINE | re.DOTALL)
    done = subprocess.run(
        [sys.executable, "examples/demo.py"],
        cwd=ROOT,
        env={**os.environ, "COLUMNS": "100", "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert printed.rstrip() in done.stdout


def test_every_link_in_the_readme_leads_to_a_file():
    links = re.findall(r"\]\((?!https?:)([^)#]+)\)", README)
    assert [] == [link for link in links if not (ROOT / link).exists()]


@pytest.mark.parametrize("target", ["ask", "test", "check", "bench", "measure"])
def test_every_make_target_the_readme_names_exists(target):
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
