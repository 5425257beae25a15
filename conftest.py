"""Runs every Python example that is printed: in the README, the docs, and the docstrings."""

from sybil import Sybil
from sybil.parsers.markdown import PythonCodeBlockParser, SkipParser
from sybil.parsers.rest import DocTestParser

_documents = Sybil(
    parsers=[PythonCodeBlockParser(), SkipParser()],
    patterns=["README.md", "docs/**/*.md", "examples/**/README.md"],
)
_docstrings = Sybil(
    parsers=[DocTestParser()],
    patterns=["groundedgen/**/*.py"],
    excludes=["groundedgen/cli/**/*.py"],
)

pytest_collect_file = (_documents + _docstrings).pytest()
