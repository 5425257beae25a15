r"""Questions that a text asks itself, as the headings of an FAQ are, and what answers them.

Such a question shares more words with a reader's question than its answer does, and says nothing.
"""

from __future__ import annotations

from typing import Final

import regex

from groundedgen.patterns import lazy
from groundedgen.text.lines import HEADING, MARKER
from groundedgen.text.sentences import Span

__all__ = [
    "affirms",
    "answer_to",
    "is_asked",
    "is_note",
    "is_same_question",
    "leans_on_question",
    "opened",
]

_READ: Final = 900  # code points of an answer
_ASKED: Final = lazy(r"[?\uff1f\u061f][\p{Pf}\p{Pe}\"'*_#\s]*\Z")
_LABELLED: Final = lazy(r"[#*_\s]*Q(?:uestion)?[ ]?\p{N}{0,3}[:.)]", regex.IGNORECASE)
_NOTE: Final = lazy(r"\[\^[^\]\n]{1,40}\]:")
_CLOSING: Final = lazy(r"(?:\*{1,3}|_{1,3})[ \t]*\r?\n\s*(?=\S)")
_TAGS: Final = lazy(r"(?:</?[a-z][^<>]{0,100}>\s*)+\Z", regex.IGNORECASE)  # "</summary>"
_GAP: Final = lazy(r"\n[^\S\n]*\r?\n")
_ANSWERED: Final = r"[#*_\s]*(?:A(?:nswer)?\s?\p{N}{0,3}[:.)][*_\s]*)?"
_YES: Final = lazy(
    rf"{_ANSWERED}(?:yes|always|of course|certainly|ja|oui|s\u00ed)[*_\s.!]*\Z", regex.IGNORECASE
)
# What a reader understands only with the question: "Yes.", "No, never.", "Not at the moment."
_LEANS: Final = lazy(
    rf"{_ANSWERED}(?:(?:yes|no|of course|certainly|ja|nein|oui|non|s\u00ed)"
    r"(?=[*_]*(?:[,.;:!\u2013\u2014]|\s[\u2013\u2014-]|\Z))"
    r"|(?:no longer|not|never|always|only|up to|within|until|after|unless|if)\b"
    r"(?=[^.!?,]{0,60}[.!]?[*_\s]*\Z))",
    regex.IGNORECASE,
)
_WORD: Final = lazy(r"[\p{L}\p{N}]+")


def is_asked(sentence: str) -> bool:
    """Whether a sentence is a question: it ends as one, or is labelled so.

    >>> is_asked("## Is hail covered?"), is_asked("Q: Cancelling"), is_asked("Hail is covered.")
    (True, True, False)
    """
    return _ASKED.search(sentence[-12:]) is not None or _LABELLED.match(sentence) is not None


def is_note(sentence: str) -> bool:
    """Whether a sentence is a footnote of Markdown, which answers nothing by itself.

    >>> is_note("[^1]: For members only."), is_note("Hail[^1] is covered.")
    (True, False)
    """
    return _NOTE.match(sentence) is not None


def opened(text: str, span: Span) -> Span:
    r"""A sentence without the marks that close the one before it, as "**Is hail paid?**" has them.

    >>> opened("**Is hail paid?**\nYes, it is.", (15, 28))
    (18, 28)
    """
    marks = _CLOSING.match(text, *span)
    return (marks.end(), span[1]) if marks else span


def answer_to(text: str, spans: list[Span], at: int) -> tuple[int, int] | None:
    r"""The sentences that answer the question at `at`: the paragraph or list behind it.

    Args:
        text: The passage.
        spans: Its sentences, half-open, in order.
        at: The question's place among them.

    Returns:
        The places of the first and the last, both included; `None` where a heading, another
        question or nothing follows.

    >>> from groundedgen.text.sentences import sentence_spans
    >>> text = "### Is hail covered?\n\nYes. We pay for glass.\n\nCall us."
    >>> answer_to(text, sentence_spans(text), 0), answer_to(text, sentence_spans(text), 3)
    ((1, 2), None)
    """
    first = at + 1
    while first < len(spans) and _TAGS.match(text[slice(*spans[first])]):
        first += 1
    last = first
    if first >= len(spans) or _ends(text, spans[first]):
        return None
    while last + 1 < len(spans) and _goes_on(text, spans, first, last + 1):
        last += 1
    return first, last


def _goes_on(text: str, spans: list[Span], first: int, place: int) -> bool:
    """Whether a sentence belongs to the answer that begins at `first`."""
    if _ends(text, spans[place]) or spans[place][1] - spans[first][0] > _READ:
        return False
    if not _GAP.search(text, spans[place - 1][1], spans[place][0]):
        return True
    led = text[spans[place - 1][1] - 1] in ":\uff1a" or MARKER.match(text, spans[place - 1][0])
    return bool(led) and MARKER.match(text, spans[place][0]) is not None


def _ends(text: str, span: Span) -> bool:
    """Whether an answer ends before a sentence: a heading, a footnote or the next question."""
    sentence = text[slice(*span)]
    return HEADING.match(sentence) is not None or is_note(sentence) or is_asked(sentence)


def leans_on_question(sentence: str) -> bool:
    """Whether an answer says nothing without its question, as "Yes." and "Not yet." do.

    >>> leans_on_question("Yes, up to 500 euros."), leans_on_question("No charge is due.")
    (True, False)
    """
    return _LEANS.match(sentence) is not None


def affirms(sentence: str) -> bool:
    """Whether an answer is a mere "yes", so that what follows says it all.

    >>> affirms("Yes."), affirms("Yes, in May."), affirms("No.")
    (True, False, False)
    """
    return _YES.match(sentence) is not None


def is_same_question(one: str, other: str) -> bool:
    """Whether two questions are the same, marks and labels apart.

    >>> is_same_question("### Q1: Is *hail* covered?", "is hail covered")
    True
    """
    words = [_WORD.findall(_LABELLED.sub("", text).casefold()) for text in (one, other)]
    return words[0] == words[1]
