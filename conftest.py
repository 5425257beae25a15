"""Runs every Python example that is printed: in the README, the docs, and the docstrings."""

import os
from contextlib import ExitStack
from unittest.mock import patch

from sybil import Sybil
from sybil.parsers.markdown import PythonCodeBlockParser, SkipParser
from sybil.parsers.rest import DocTestParser

from tests.servers.loopback import serving
from tests.servers.models import answer

_running = ExitStack()


def _reach_a_model(_namespace: object) -> None:
    """Hosted models of the printed examples are a loopback server that speaks their formats."""
    server = _running.enter_context(serving(answer))
    reached = {"OPENAI_BASE_URL": f"{server.url}/v1", "ANTHROPIC_BASE_URL": server.url}
    keys = {"OPENAI_API_KEY": "none", "ANTHROPIC_API_KEY": "none"}
    _running.enter_context(patch.dict(os.environ, {**reached, **keys}))


def _let_go(_namespace: object) -> None:
    _running.close()


_documents = Sybil(
    setup=_reach_a_model,
    teardown=_let_go,
    parsers=[PythonCodeBlockParser(), SkipParser()],
    patterns=["README.md", "docs/*.md", "examples/**/README.md"],
)
_docstrings = Sybil(
    parsers=[DocTestParser()],
    patterns=["groundedgen/*.py", "groundedgen/**/*.py"],  # "**" is one folder, not none
    excludes=["groundedgen/cli/**/*.py"],
)

pytest_collect_file = (_documents + _docstrings).pytest()
