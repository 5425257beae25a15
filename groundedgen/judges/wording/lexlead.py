"""What an answer puts before and behind a claim and what says nothing about its subject."""

from __future__ import annotations

from typing import Final

import regex

from groundedgen.patterns import compiled, lazy

__all__ = ["alike_percent", "without_as_well", "without_lead"]

_DOCUMENT: Final = (
    r"(?:passage|document|text|article|source|policy|agreement|lease|contract|section|excerpt"
    r"|report|page|paragraph|context)"
)
_TELLS: Final = (
    r"(?:states?|says?|mentions?|notes?|specif(?:y|ies)|provides?|explains?|indicates?|confirms?"
    r"|describes?|stipulates?)"
)
_LEAD: Final = lazy(
    rf"""\s*(?:
        (?:according\s+to|as\s+stated\s+in|based\s+on|per|under)\s+(?:the|this|that)\s+
            (?:\w+\s+)?{_DOCUMENT}\s*,
      | (?:the|this)\s+{_DOCUMENT}\s+{_TELLS}\s+that\b
      | (?:please\s+)?note\s+that\b
      | it\s+is\s+(?:also\s+)?(?:stated|said|written|noted|true)
            (?:\s+(?:there|here|in\s+(?:the|this)\s+{_DOCUMENT}))?\s+that\b
      | as\s+(?:the|this)\s+{_DOCUMENT}\s+{_TELLS}\s*,
      | [0-9]{{1,2}}[.)](?=\s+\p{{L}}) | [*\u2022\u2013-](?=\s)
      | (?:yes|no|yeah|yea|yep|sure|right|exactly|ok|okay)\s*[,.!]
      | (?:well|finally|first|second|third|lastly|likewise|similarly|meanwhile|as\s+a\s+result
        |consequently|(?:in|by)\s+contrast|on\s+the\s+other\s+hand|instead|in\s+addition|additionally|furthermore|moreover|also|however|therefore
        |thus|hence|overall|in\s+summary|in\s+short|specifically|in\s+particular|for\s+example
        |for\s+instance|notably|importantly|in\s+fact|in\s+other\s+words)\s*,
    )\s*""",
    regex.VERBOSE | regex.IGNORECASE,
)
_TAIL: Final = lazy(
    rf"""\s*,\s*(?:according\s+to|as\s+stated\s+in|as\s+per|per)\s+(?:the|this|that)\s+
        (?:\w+\s+)?{_DOCUMENT}(?=\W*\Z)""",
    regex.VERBOSE | regex.IGNORECASE,
)
_AS_WELL: Final = lazy(r"\s*,?\s+(?:as\s+well|too)(?=\W*\Z)", regex.IGNORECASE)
_MARKER: Final = compiled(r"\s?\[(?:S?\d{1,3})(?:\s*[,;-]\s*S?\d{1,3})*\]")


def without_lead(claim: str) -> str:
    """A claim without citation marks and without words like "According to the policy,".

    >>> without_lead("In addition, rent is due in May [2]."), without_lead("No, it is not.")
    ('rent is due in May.', 'it is not.')
    """
    claim = _MARKER.sub("", claim) if "[" in claim else claim
    claim = _TAIL.sub("", claim) if "," in claim else claim
    for _ in range(2):
        found = _LEAD.match(claim)
        if found is None or found.end() >= len(claim):
            break
        claim = claim[found.end() :]
    return claim


def without_as_well(claim: str) -> str:
    """A claim without an "as well" or "too" that ends it.

    >>> without_as_well("Theft is covered as well."), without_as_well("It is too late.")
    ('Theft is covered.', 'It is too late.')
    """
    return _AS_WELL.sub("", claim)


_PERCENT: Final = lazy(r"(?<=[0-9])\s?(?:%|percent\b|per\s+cent\b)", regex.IGNORECASE)


def alike_percent(premise: str, claim: str) -> tuple[str, str]:
    """Both texts with per cent written alike, where they write it in more than one way.

    >>> alike_percent("We pay 80% of it.", "80 per cent of it is paid.")
    ('We pay 80 percent of it.', '80 percent of it is paid.')
    """
    ways = {found.strip().casefold() for found in _PERCENT.findall(claim)}
    if not ways or ways == {found.strip().casefold() for found in _PERCENT.findall(premise)}:
        return premise, claim
    return _PERCENT.sub(" percent", premise), _PERCENT.sub(" percent", claim)
