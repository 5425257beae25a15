"""What importing the library costs, and what it must not bring in."""

from __future__ import annotations

import json
import subprocess
import sys
from types import ModuleType

SDKS = {
    "anthropic", "bs4", "fastapi", "httpx", "httpx2", "instructor", "jinja2", "llguidance", "numpy",
    "onnxruntime", "openai", "outlines", "pypdf", "requests", "rich", "tokenizers", "torch",
    "transformers", "typer",
}  # fmt: skip


def _modules_after(statement):
    code = f"import sys, json; {statement}; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return {name.split(".")[0] for name in json.loads(done.stdout)}


def test_importing_the_package_brings_in_no_sdk():
    assert set() == _modules_after("import groundedgen") & SDKS


def test_asking_with_the_embedded_default_brings_in_no_sdk():
    question = "groundedgen.ask('Is fire covered?', ['Fire is covered by this policy.'])"
    assert set() == _modules_after(f"import groundedgen; {question}") & SDKS


def test_the_gates_are_had_without_pydantic():
    """Importing Pydantic takes as long as all of the library; only a schema needs it."""
    gate = "groundedgen.gates.quote_gate('Fire is covered.', 'a', {'a': 'Fire is covered.'})"
    assert set() == _modules_after(f"import groundedgen, groundedgen.gates; {gate}") & {"pydantic"}


def test_importing_opens_no_socket():
    code = (
        "import socket\n"
        "def refuse(*a, **k): raise SystemExit('a socket was opened')\n"
        "socket.socket.connect = refuse\n"
        "import groundedgen"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (0, "") == (done.returncode, done.stderr)


def test_the_public_names_are_what_is_exported():
    import groundedgen

    assert sorted(groundedgen.__all__) == groundedgen.__all__
    values = {name: value for name, value in vars(groundedgen).items() if not name.startswith("_")}
    exported = {name for name, value in values.items() if not isinstance(value, ModuleType)}
    assert exported | {"__version__"} == set(groundedgen.__all__)


def test_every_error_is_documented_in_the_tree():
    from groundedgen import errors

    for name in errors.__all__:
        assert name in errors.__doc__
        assert getattr(errors, name).__doc__
