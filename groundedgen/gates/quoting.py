"""What makes a quote evidence, and how a failed one is told: shared by the gates of quotes.

A quote may be looked for (`quotes`) or come with its place (`placed`); what counts is the same.
"""

from __future__ import annotations

from collections.abc import Mapping

from groundedgen.text.amounts import word_count
from groundedgen.text.matching.nearest import nearest
from groundedgen.text.search import core, folded
from groundedgen.values import Finding, Sourced

__all__ = ["has_words", "is_all", "told"]


def has_words(quote: str, min_words: int) -> bool:
    """Whether a quote has the words that prove something.

    >>> has_words("covered up to 500 euros", 5), has_words("500 euros", 5)
    (True, False)
    """
    return word_count(core(folded(quote).text), enough=min_words) >= min_words


def is_all(text: str, start: int, end: int) -> bool:
    """Whether nothing that says anything stands outside of a span: a short passage, quoted whole.

    >>> is_all("- Hail: no.", 2, 10), is_all("Hail: no. Fire: yes.", 0, 8)
    (True, False)
    """
    return not any(char.isalnum() for char in text[:start] + text[end:])


def told(
    statement: Sourced,
    reason: str,
    message: str,
    docs: Mapping[str, str],
    details: tuple[str, ...] = (),
) -> Finding:
    """A finding on a quote, with the nearest real text of the first passage the statement names."""
    alias = next((a for a in statement.aliases if a in docs), None)
    text = docs.get(alias, "") if alias else ""
    start, end = nearest(statement.quote, text)
    return Finding(
        "quotes",
        reason,
        statement.index,
        message,
        statement=statement.text,
        details=details,
        passage_id=alias,
        nearest=text[start:end],
    )
