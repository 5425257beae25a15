"""Writes the printed output in the README anew: every `$` command, and the end of the demo.

    python scripts/fill_readme.py

`tests/test_readme.py` fails where the README and the program differ; this brings them together.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def printed(arguments: list[str]) -> str:
    environ = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1"}
    done = subprocess.run(  # noqa: S603  # the README's own commands
        [sys.executable, *arguments],
        cwd=ROOT,
        env=environ,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout.strip("\n")


def session(block: re.Match[str]) -> str:
    commands = re.findall(r"^\$ (.*)$", block[1], re.MULTILINE)
    parts = [
        f"$ {command}\n{printed(['-m', 'groundedgen.cli', *shlex.split(command)[1:]])}\n"
        for command in commands
    ]
    return "```console\n" + "\n".join(parts) + "```"


def demo(_: re.Match[str]) -> str:
    output = printed(["examples/demo.py"])
    return "```text\n" + output[output.index("━━ 3.") :] + "\n```"


def main() -> None:
    path = ROOT / "README.md"
    text = path.read_text(encoding="utf-8")
    text = re.sub(r"```console\n(.*?)```", session, text, flags=re.DOTALL)
    text = re.sub(r"```text\n━.*?```", demo, text, flags=re.DOTALL)
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
