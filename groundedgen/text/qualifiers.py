"""What limits or takes back a sentence from behind: the next piece of its paragraph.

One rule, by the form of that piece: it is set off (brackets, a footnote's sign, a box that is not
ticked), it has no verb of its own and so hangs from what precedes it, it begins with a condition
or a denial, it speaks of the sentence before ("this", "such", "it") and limits anything, or it
denies of a part what the sentence says of all. In doubt it limits: then a judge reads the two
together.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import regex

from groundedgen.patterns import lazy
from groundedgen.text.limiting.openings import opens_limiting, reads_on, speaks_of_it_and_limits
from groundedgen.text.limiting.predicates import hangs_from_before
from groundedgen.text.limiting.revocations import takes_back
from groundedgen.text.limiting.spelling import as_read
from groundedgen.text.lines import BLANK_LINE, MARKER
from groundedgen.text.negations import negates
from groundedgen.text.tokens import guess_language

__all__ = ["is_taken_back", "limits_what_precedes", "revokes_what_precedes"]

Span = tuple[int, int]

_READ: Final = 300  # code points of the next sentence
# "(a)" and "[2]" are marks of an item and of a source, "[terms](...)" is a link, "(May 2016)" is
# a date.
_BRACKET: Final = lazy(
    r"(?!\(?(?:\p{N}{1,3}|\p{L}|[ivx]{1,5})\)|\[[\p{N},; \u2013-]{1,12}\]|\[[^\]\n]*\]\("
    r"|\(\s?(?:\p{L}{3,9}\.? )?(?:1[89]|20)\p{N}\p{N}\s?\))[(\[\uff08\uff3b\u3010]"
)
_SIGN: Final = lazy(r"[*\u2020\u2021]|[\u2717\u2718\u2610\u274c\u2612\u2716]")
_BOX: Final = lazy(r"\[[ xX]?\]|[\u2610\u2611\u2612]")
_QUOTED: Final = lazy(r"[\s\"'\u201c\u201e\u00ab*_~>\u2013\u2014-]*+")
# What a sentence speaks of, and whether of a part of it alone: "Theft from cars".
_SUBJECT: Final = lazy(
    r"[\W\d_]*+(?:(?:the|an?|any|all|our|your|der|die|das|les?|la|los|las|el)\s+)?(\p{L}{3,})"
    r"(\W+(?:from|of|in|on|by|at|to|with|without|under|above|over|below|during|outside|abroad|after"
    r"|before|that|which|who|whose|where|caused|due|for|aus|von|im|bei|mit|ohne|\u00fcber|unter|de|du|des"
    r"|par|avec|sans|por|con|sin)(?!\p{L}))?",
    regex.IGNORECASE,
)
_EXCLUDED: Final = lazy(r"\b(?:exclu|except|ausgeschlossen|ausgenommen)", regex.IGNORECASE)
_NUMBERED: Final = lazy(
    r"(?:\(?(?:\p{N}{1,3}(?:\.\p{N}{1,3})*|\p{Ll})[.)]|\p{N}{1,3}(?:\.\p{N}{1,3})+|\u00a7+\s?\p{N}{1,4}"
    r"|Art(?:icle|\.)\s?\p{N}{1,4}[:.]?|[\u00b9\u00b2\u00b3\u2074-\u2079]+)\s+"
)
_STOPPED: Final = lazy(r"[.!?\u3002\uff01\uff1f][\p{Pf}\p{Pe}\"'*_]*\Z")


def limits_what_precedes(text: str, spans: list[Span], index: int) -> bool:
    """Whether a sentence may limit or take back the one before it, in the same paragraph.

    Args:
        text: The passage.
        spans: Its sentences, half-open, in order.
        index: The later one's place in `spans`; the first one limits nothing.

    >>> from groundedgen.text.sentences import sentence_spans
    >>> def limited(text): return limits_what_precedes(text, sentence_spans(text), 1)
    >>> [limited(f"Theft is covered. {behind}") for behind in
    ...     ("(Only for members.)", "Until 2020.", "If it was locked.", "It ended in 2020.")]
    [True, True, True, True]
    >>> limited("Theft is covered. It also covers theft abroad.")
    False
    >>> limited("Theft is covered. The cap is 500 euros.")
    False
    >>> limited("Theft is covered. Theft from cars is not.")
    True
    """
    if index == 0:
        return False
    between = text[spans[index - 1][1] : spans[index][0]]
    if BLANK_LINE.search(between):
        return False
    (before, _), (start, end) = spans[index - 1 : index + 1]
    piece = text[start:end][:_READ]
    if _excludes_part(text[before : before + _READ], piece):
        return True
    return _limits(piece, new_line="\n" in between, lang=_language(text))


def is_taken_back(text: str, spans: list[Span], index: int) -> bool:
    """Whether the next sentence limits one in a way that the two, read as one, do not show.

    "Theft is covered, but not in May" says what its two sentences say; "Theft is covered, the
    court disagreed" does not.

    >>> from groundedgen.text.sentences import sentence_spans
    >>> def taken(text): return is_taken_back(text, sentence_spans(text), 0)
    >>> taken("Theft is covered. The court disagreed."), taken("Theft is covered. But not in May.")
    (True, False)
    """
    if index + 1 >= len(spans) or not limits_what_precedes(text, spans, index + 1):
        return False
    return not reads_on(text[slice(*spans[index + 1])])


def revokes_what_precedes(text: str, spans: list[Span], index: int) -> bool:
    """Whether a sentence takes the one before it back as a whole: the two together tell nothing.

    >>> from groundedgen.text.sentences import sentence_spans
    >>> def revoked(text): return revokes_what_precedes(text, sentence_spans(text), 1)
    >>> revoked("Theft is covered. (repealed)"), revoked("Theft is covered. (Not abroad.)")
    (True, False)
    """
    piece = text[slice(*spans[index])][:_READ]
    limits = limits_what_precedes(text, spans, index)
    return limits and takes_back(piece) and not reads_on(piece)


@lru_cache(maxsize=4_096)  # asked of a sentence by whoever quotes, skips or judges the one before
def _limits(piece: str, *, new_line: bool, lang: str | None) -> bool:
    """Whether a piece limits what stands before it; a list item does where it begins so."""
    piece = as_read(piece)
    item = MARKER.match(piece) if new_line else None
    if item is not None:
        said = piece[item.end() :].lstrip()
        return opens_limiting(said, lang) or speaks_of_it_and_limits(said, lang)
    if _is_set_off(piece, new_line=new_line):
        return True
    bare = piece[_end_of_marks(piece) :]
    if opens_limiting(bare, lang) or speaks_of_it_and_limits(bare, lang):
        return True
    # Without a stop it is a heading, or the passage was cut out in the middle of it.
    return _STOPPED.search(piece) is not None and hangs_from_before(bare, lang)


def _excludes_part(sentence: str, piece: str) -> bool:
    """Whether a piece denies of a part what the sentence says of all: "Theft from cars is not."""
    whole, part = _SUBJECT.match(sentence), _SUBJECT.match(piece)
    if not (whole and part and part[2]) or whole[1].casefold() != part[1].casefold():
        return False
    return negates(piece) or _EXCLUDED.search(piece) is not None


def _is_set_off(piece: str, *, new_line: bool) -> bool:
    """Whether a piece is an aside: in brackets, or behind the sign of a footnote or a box."""
    if _BRACKET.match(piece):
        return True
    return not new_line and (_SIGN.match(piece) or _BOX.search(piece)) is not None


def _end_of_marks(piece: str) -> int:
    """Where the words begin: behind quotation marks, and behind the number of a paragraph."""
    marks = _QUOTED.match(piece)
    start = marks.end() if marks else 0
    number = _NUMBERED.match(piece, start)
    return number.end() if number else start


@lru_cache(maxsize=256)  # asked of each sentence of a text in turn
def _language(text: str) -> str | None:
    return guess_language(text)
