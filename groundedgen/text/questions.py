"""What a question asks for, and whether a sentence looks like an answer to it.

Shape only, by a few English cues: "when" wants a date, "how many" a number, "who" a name,
"why" a cause. It reorders sentences that share the question's words; it proves nothing.
"""

from __future__ import annotations

from typing import Final, Literal

import regex

from groundedgen.text.patterns import lazy

__all__ = ["Asked", "asked", "is_heading", "looks_like_answer"]

Asked = Literal["number", "time", "name", "cause", "other"]

_NUMBER: Final = (
    r"\bhow (?:many|much|long|old|far|big|tall|high|large|often|deep|wide|late|soon)\b"
    r"|\bwhat (?:percent|percentage|share|amount|number|sum|price|rate)\b"
)
_CUES: Final[dict[Asked, str]] = {
    "number": _NUMBER,
    "time": r"\bwhen\b|\bwhat (?:year|date|day|time)\b",
    "name": r"\bwho(?:se|m)?\b|\bwhere\b",
    "cause": r"\bwhy\b|\breasons?\b|\bcause[sd]?\b",
}
_KINDS: Final = [(kind, lazy(cue, regex.IGNORECASE)) for kind, cue in _CUES.items()]
_SIGNS: Final[dict[Asked, regex.Pattern[str]]] = {
    "number": lazy(
        r"\p{N}|\b(?i:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|hundred"
        r"|thousand|million|billion|half|dozen|twice|once|daily|weekly|monthly|yearly|free)\b"
    ),
    "time": lazy(
        r"\p{N}|\b(?:January|February|March|April|May|June|July|August|September|October|November"
        r"|December|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?)\b"
        r"|\b(?i:days?|weeks?|months?|years?|century|hours?|within|until|after|before|when|once)\b"
    ),
    # A capital that does not merely begin the sentence.
    "name": lazy(r"[\p{L}\p{N},;(\"]\s{0,2}\b\p{Lu}\p{L}+"),
    "cause": lazy(
        r"\b(?i:because|due|result(?:s|ed|ing)?|caus\p{L}+|reasons?|attributable|since|therefore"
        r"|so that|in order to|owing|driven|as)\b"
    ),
}
_STOPPED: Final = lazy(r"[.!?;\u2026\u3002\uff01\uff1f\u0964][\p{Pe}\p{Pf}\"']*$")
_HEADING_WORDS: Final = 12


def asked(question: str) -> Asked:
    """What kind of answer an English question wants.

    >>> asked("How much is the deductible?"), asked("When is rent due?"), asked("Is hail covered?")
    ('number', 'time', 'other')
    """
    return next((kind for kind, cue in _KINDS if cue.search(question)), "other")


def looks_like_answer(sentence: str, kind: Asked) -> bool:
    """Whether a sentence has the shape of an answer: no heading, no lead-in, no stray table row.

    >>> looks_like_answer("Rent is due on 3 May.", "time"), looks_like_answer("Rent", "time")
    (True, False)
    >>> looks_like_answer("Rent is due.", "number"), looks_like_answer("Rent is due.", "other")
    (False, True)
    """
    if is_heading(sentence) or sentence.endswith((":", "\uff1a")):
        return False
    if " | " in sentence and kind != "number":
        return False
    sign = _SIGNS.get(kind)
    return sign is None or sign.search(sentence) is not None


def is_heading(sentence: str) -> bool:
    """Whether a sentence is a heading or label: short and without a stop.

    >>> is_heading("Burst pipes"), is_heading("We pay."), is_heading("| a | 5 |")
    (True, False, False)
    """
    return (
        " | " not in sentence
        and sentence[-1:] not in (":", "\uff1a")
        and sentence.count(" ") < _HEADING_WORDS
        and _STOPPED.search(sentence[-8:]) is None
    )
