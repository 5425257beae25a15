"""What an answer puts before and behind a claim and what says nothing about its subject."""

from __future__ import annotations

from typing import Final

import regex

from groundedgen.patterns import compiled, lazy

__all__ = ["without_lead"]

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
