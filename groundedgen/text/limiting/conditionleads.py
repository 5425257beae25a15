"""Lines that make conditions of the list under them: "You qualify if you:", "people who:"."""

from __future__ import annotations

from typing import Final

import regex

from groundedgen.patterns import lazy
from groundedgen.text.lines import MARKER

__all__ = ["asks_conditions"]

# What may still follow the word that makes conditions. "When you leave you must:" has a verb that
# obliges, so what stands under it is asked of the reader, not a condition.
_NO_VERB: Final = (
    r"(?!(?:\s+\S+){0,12}\s(?:must|should|shall|will|may|can|need\s+to|have\s+to)(?=\W|\Z))"
)
_REST: Final = _NO_VERB + r",?(?:\s+[^\s;:.!?]+){0,14}"
_BRIEF: Final = (
    r"(?:\s+(?:you|we|they|he|she|it|(?:the|your|our|an?|any)\s+\p{L}+))?"
    r"(?:\s+(?:is|are|was|were|has|have|had|do|does))?"
)
_WHOLE: Final = (
    r"(?:\s+\S+){0,6}\s+(?:all|each|every|both|none|(?:these|the\s+following)\s+\p{L}+\s+are)"
    + _REST
)
# Behind the consequence: "You qualify if", "people who", "cases where all of these apply". "The
# things that we cover" is no condition: of "who", "that" and "where" no whole clause may follow.
_BEHIND: Final = lazy(
    r"(?:\S\s+|\A\W*(?=(?:an?|any|every|each|all|no|only|those|the)\s))(?:(?:if|until|till|unless|assuming|provid(?:ed|ing)|(?:as|so)\s+long\s+as"
    r"|on\s+(?:the\s+)?condition|in\s+the\s+event|subject\s+to|meet(?:ing|s)?"
    r"|satisf(?:y|ies|ying)|fulfil(?:s|ling)?|wenn|falls|sofern|soweit|si|s'|\u00e0\s+condition"
    r"|siempre\s+que|qualora|purch\u00e9|indien|mits)(?!\p{L})"
    + _REST
    + r"|(?:when(?:ever)?|where(?:ver)?|once(?!\s+(?:an?|per|every)\s)|while|who|whose"
    r"|(?:an?|any|every|each|all|no|only|those|the)\s+\p{L}+(?:\s\p{L}+)?\s+(?:that|which))"
    r"(?!\p{L})(?:" + _WHOLE + "|" + _BRIEF + r"))\W*\Z",
    regex.IGNORECASE,
)
# "What to do if you smell gas:" leads to things to do.
_TITLE: Final = lazy(r"\W*(?:what|how|steps|things|actions)\b", regex.IGNORECASE)
# In front of it, where the consequence comes after the list: "If you:".
_BEFORE: Final = lazy(
    r"\W*(?:(?:only\s+)?if|unless|provided(?:\s+that)?)"
    r"(?:\s+(?:you|we|they|he|she|it|(?:the|your|our)\s+\p{L}+"
    r"|(?:all|each|both|none)\s+of\s+(?:these|those|the\s+following)(?:\s\p{L}+){0,3}))?\W*\Z",
    regex.IGNORECASE,
)
_FORMULA: Final = lazy(r",\s*(?:and\s+)?where\W*\Z", regex.IGNORECASE)  # it explains its letters


def asks_conditions(lead: str) -> bool:
    """Whether a line above a list makes conditions of what stands under it.

    Args:
        lead: The line, with or without its colon.

    >>> [asks_conditions(lead) for lead in ("You qualify if you:", "We cover:", "The tenant must:")]
    [True, False, False]
    """
    marker = MARKER.match(lead)
    words = lead[marker.end() :] if marker else lead
    if _FORMULA.search(words) or _TITLE.match(words):
        return False
    return _BEFORE.fullmatch(words) is not None or _BEHIND.search(words) is not None
