"""Which sentences refer back, so that they say nothing without the one before them.

By their words, in English only; a sentence that is taken for one only makes a longer quote.
"""

from __future__ import annotations

from typing import Final

import regex

from groundedgen.patterns import lazy
from groundedgen.text.lines import HEADING, MARKER
from groundedgen.text.sentences import Span, ends_stopped

__all__ = ["leans"]

# These refer to the sentence before in their paragraph.
_OPENS: Final = lazy(
    r"(?:this|that|these|those|it|its|they|their|he|she|such|in (?:this|that|such|these) cases?"
    r"|otherwise|however|but|also|instead)\b",
    regex.IGNORECASE,
)
# These say nothing even at the start of a paragraph, or of an item.
_REFERS: Final = lazy(
    r"[\W\d]*(?:the (?:same|latter|former|others?|rest|above|foregoing|remainder)"
    r"|(?:all |any |some |most |many |no )?others?\b(?! than)"
    r"|(?:any|every|no)(?:thing|one|body) (?:else|more|less)"
    r"|(?:\p{L}+ )?ones|neither|(?:all|any|both|each|either|none|some) of (?:them|these|those)"
    r"|both (?:are|is|must|may|can|will|apply|count|have)|same\b|if (?:so|not)\b|even (?:so|then)"
    r"|until then|(?:after|beyond|above|below) that|in addition to (?:this|that))\b",
    regex.IGNORECASE,
)
# As "Loans above that amount", "after those dates", "for this period": which one, the noun alone
# does not say. "This policy" and "this year" do.
_POINTS: Final = lazy(
    r"\b(?:above|over|below|under|beyond|before|after|until|within|during|by|of|for|from|to|at|in|on"
    r"|with|without|exceeding|exceeds?|than) (?:(?:that|those|such)"
    r"|(?:this|these)(?= (?:amounts?|limits?|sums?|periods?|dates?|deadlines?|figures?|rates?|fees?"
    r"|cases?|times?|ages?|thresholds?|levels?|values?|exclusions?|exceptions?|conditions?"
    r"|circumstances)\b))"
    r" (?!(?:an?|the|it|they|he|she|we|you|i|who|whose|which|are|is|as)\b)\p{L}+",
    regex.IGNORECASE,
)


def leans(text: str, spans: list[Span], place: int) -> bool:
    """Whether a sentence says nothing without the one before it.

    Args:
        text: The passage.
        spans: Its sentences, half-open, in order.
        place: The sentence's place among them; the first one leans on nothing.

    >>> from groundedgen.text.sentences import sentence_spans
    >>> def leaning(text): return leans(text, sentence_spans(text), 1)
    >>> leaning("Loans cost 5 euros. Larger ones cost 9."), leaning("Hail is paid. Fire is not.")
    (True, False)
    >>> leaning("A manager may lend 900 euros. Loans above that amount go to the board.")
    True
    """
    if place == 0:
        return False
    (start, end), before = spans[place], spans[place - 1]
    if _REFERS.match(text, start, end):
        return not HEADING.match(text, *before)
    if not _goes_on(text, before, start):
        return False
    return any(found for found in (_OPENS.match(text, start), _POINTS.search(text, start, end)))


def _goes_on(text: str, before: Span, start: int) -> bool:
    """Whether the sentence at `start` is of one paragraph with the one before it."""
    breaks = text.count("\n", before[1], start)
    if not breaks:
        return True
    return breaks == 1 and ends_stopped(text, *before) and not MARKER.match(text, start)
