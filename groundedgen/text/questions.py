"""What a question asks for, and whether a sentence looks like an answer to it.

Shape only, by a few English cues: "when" wants a date, "how many" a number, "who" a name,
"why" a cause. It reorders sentences that share the question's words; it proves nothing.
"""

from __future__ import annotations

from typing import Final, Literal

import regex

from groundedgen.patterns import lazy

__all__ = ["Asked", "asked", "is_heading", "is_row", "is_stopped", "looks_like_answer"]

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
        r"\p{N}|\b(?i:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
        r"|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty"
        r"|hundred|thousand|million|billion|half|dozen|twice|daily|weekly|monthly|yearly|free)\b"
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
    """Whether a sentence has the shape of an answer: stopped, no stray row, of the kind asked.

    >>> looks_like_answer("Rent is due on 3 May.", "time"), looks_like_answer("Rent", "time")
    (True, False)
    >>> looks_like_answer("Rent is due.", "number"), looks_like_answer("Rent is due.", "other")
    (False, True)
    """
    if kind != "number" if is_row(sentence) else not is_stopped(sentence):
        return False
    sign = _SIGNS.get(kind)
    return sign is None or sign.search(sentence) is not None


def is_row(sentence: str) -> bool:
    """Whether a sentence is a row of a table.

    >>> is_row("| key | 28 |"), is_row("A key costs 28.")
    (True, False)
    """
    return " | " in sentence or sentence.startswith("|")


def is_stopped(sentence: str) -> bool:
    """Whether a sentence ends as sentences do, and is no heading, lead-in or cut-off piece.

    >>> is_stopped("We pay."), is_stopped("We pay for:"), is_stopped("We pay within")
    (True, False, False)
    """
    return _STOPPED.search(sentence[-8:]) is not None


def is_heading(sentence: str) -> bool:
    """Whether a sentence is a heading or label: short and without a stop.

    >>> is_heading("Burst pipes"), is_heading("We pay."), is_heading("| a | 5 |")
    (True, False, False)
    """
    return (
        not is_row(sentence)
        and sentence[-1:] not in (":", "\uff1a")
        and sentence.count(" ") < _HEADING_WORDS
        and not is_stopped(sentence)
    )
