"""What a request for a second draft says of the first: which statements did not stand."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from groundedgen.prompt import split

if TYPE_CHECKING:
    from groundedgen.values import Prompt

__all__ = ["failed_statements", "words_of"]


def failed_statements(prompt: Prompt) -> frozenset[str]:
    """The statements that a prompt names as failed, each as `words_of` gives it; often none.

    Only what follows the end of the question is read: a passage or a question can name none.

    >>> from groundedgen.values import Prompt
    >>> failed_statements(Prompt("", "What is due?", "1"))
    frozenset()
    """
    _, asked = split(prompt)
    edge = asked.partition(" ")[0]
    _, ended, repair = asked.partition(f"\n{edge} end\n")
    if not ended:
        return frozenset()
    return frozenset(words_of(said) for said in map(_statement, repair.splitlines()) if said)


def words_of(statement: str) -> str:
    """A statement as it is compared with others: blanks apart."""
    return " ".join(statement.split())


def _statement(line: str) -> str:
    """The statement that a line of JSON tells of; "" for any other line."""
    if not line.startswith("{"):
        return ""
    try:
        told = json.loads(line)
    except ValueError:
        return ""
    said = told.get("statement", "")
    return said if isinstance(said, str) else ""
