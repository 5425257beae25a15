"""What a constraint promises of a reply, and where a reply breaks it.

Every reply is checked as if nothing had bound it; this only counts what the checks should not have
found. A constraint that was sent and not obeyed (servers drop fields without an error) shows here
and nowhere else: the reader is safe either way, the operator pays for a grammar that does nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from groundedgen.patterns import lazy
from groundedgen.values import Constraint, Finding, Sourced

__all__ = ["UNREADABLE", "broken", "weakest"]

UNREADABLE: Final = "generation.bad_format"
"""The reply is no draft. One that was cut off or refused is none of the constraint's doing."""

_DIGITS: Final = "numbers.digits"
_FORM: Final = frozenset({UNREADABLE, "draft.bad_type", "sources.bad_type"})
_EXISTING: Final = _FORM | {"sources.unknown_source"}
_TIED: Final = _EXISTING | {
    "sources.no_source",
    "draft.empty_quote",
    "quotes.quote_not_found",
    "quotes.quote_too_short",
    "quotes.misattributed",
}
_PROMISED: Final[Mapping[Constraint, frozenset[str]]] = {
    "none": frozenset(),
    "enum": _EXISTING,
    "schema": _TIED,
    "grammar": _TIED | {_DIGITS},
}
_RUN: Final = lazy(r"\p{Nd}+|[\p{No}\p{Nl}]")


def broken(
    constraint: Constraint, statements: Sequence[Sourced], findings: Iterable[Finding]
) -> dict[str, int]:
    """How often a reply broke what its constraint promises, by check and reason.

    "enum" promises the form, and sources that exist; "schema" also that each statement has a
    source and a quote that stands in it; "grammar" also that every run of digits in a text is one
    of its quote. So it counts, by the names that findings have:

    - enum: `draft.bad_type`, `sources.bad_type`, `sources.unknown_source`, and a reply that is no
      draft at all (`generation.bad_format`);
    - schema: these, `sources.no_source`, `draft.empty_quote`, and all that the gate of quotes
      finds, also where the statement was moved to the passage that holds its quote;
    - grammar: these, and `numbers.digits`: statements with a run of digits that is none of their
      quote, whatever the gate of numbers finds.

    Not counted, since no constraint promises it: a wrong unit or number word, an empty, linked or
    leaking text, more statements than asked for, what a judge says, and a reply that was cut off,
    refused or never came.

    Args:
        constraint: What the reply says that bound it.
        statements: Those of the right shape, as drafted.
        findings: All findings on the draft.

    >>> grown = Sourced(0, "It grew by 40 %.", ("S1",), "Sales grew by 4 % last year.")
    >>> broken("grammar", [grown], []), broken("schema", [grown], [])
    ({'numbers.digits': 1}, {})
    """
    found = Counter(f"{finding.check}.{finding.reason}" for finding in findings)
    found[_DIGITS] = sum(map(_has_other_digits, statements))
    promised = _PROMISED.get(constraint, frozenset())
    return {name: found[name] for name in sorted(promised) if found[name]}


def weakest(first: Constraint, second: Constraint) -> Constraint:
    """That of two constraints which promises less.

    >>> weakest("grammar", "enum"), weakest("none", "schema")
    ('enum', 'none')
    """
    return min(first, second, key=list(_PROMISED).index)


def _has_other_digits(statement: Sourced) -> bool:
    quotes = [statement.quote, *(span.quote for span in statement.spans)]
    return not _runs(statement.text) <= _runs(" ".join(quotes))


def _runs(text: str) -> set[str]:
    """Every run of digits of any script. A raised digit or a fraction is a run of its own."""
    return set(_RUN.findall(text))
