"""Headings and labels that are no part of the sentence below or behind them.

"Arrears" over "We may issue a default notice." only says what that is about; "Myths" says that it
is not so. The first goes, and what is checked and shown is the sentence; the second stays.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

import regex

from groundedgen.entailment import restates
from groundedgen.leadwords import goes_on, is_neutral, is_topic, is_whole
from groundedgen.patterns import lazy
from groundedgen.tabled import needs_no_label
from groundedgen.text.amounts import word_count
from groundedgen.text.markdown.flattening import undressed
from groundedgen.text.sentences import ends_stopped

__all__ = ["without_titles"]

# A label with a colon: of an answer, of what the policy says.
_ANNOUNCED: Final = lazy(
    r"[*_]{0,3}([^:\uff1a*_]{1,60})[*_]{0,3}[:\uff1a][*_]{0,3}\s+(\S.*)", regex.DOTALL
)
_LABELLED: Final = lazy(
    r"(?:\(?\d{1,2}[.)]\s+)?([^:\uff1a]{1,80}?)(?::|\uff1a|\s[\u2013\u2014-])\s+(\S.*)",
    regex.DOTALL,
)
# What stands for something said before, most often in the label.
_POINTS: Final = lazy(
    r"\W*(?:it|its|they|their|these|those|this|that|he|she|his|her|such|both|none|neither|same"
    r"|yes|no|also|there(?!\s(?:is|are|will|may|must)\b))\b",
    regex.IGNORECASE,
)
_NAMED: Final = lazy(r"\W*the\b", regex.IGNORECASE)
_SENTENCE: Final = 4  # words of a sentence of a passage
_LONG: Final = 6  # ... that says itself what "the" stands for


def without_titles(text: str, plain: str, leads: Sequence[str], docs: Collection[str]) -> str:
    """A sentence with what it hangs from, unless that says nothing that it does not say itself.

    Args:
        text: The sentence with what it hangs from.
        plain: The sentence.
        leads: What it hangs from, the outermost first.
        docs: The texts of the passages it names.

    >>> said = "We may issue a default notice."
    >>> without_titles(f"Arrears: {said}", said, ["Arrears"], [])
    'We may issue a default notice.'
    >>> without_titles(f"Myths: {said}", said, ["Myths"], [])
    'Myths: We may issue a default notice.'
    """
    lead = text.removesuffix(plain).rstrip(" *_:")
    topics = bool(leads) and all(is_neutral(up) or is_topic(up) for up in leads)
    stands = topics and _stands(plain, docs, labelled=any(map(goes_on, leads)))
    bare = stands or needs_no_label(lead, plain) or (topics and _label(plain, docs))
    words = plain if bare else text
    return _label(words, docs) or words


def _label(words: str, docs: Collection[str]) -> str:
    """What stands behind a label that says nothing the sentence needs; empty without one."""
    if (announced := _ANNOUNCED.match(words)) and is_neutral(announced[1]):
        return announced[2]
    labelled = _LABELLED.match(words)
    if labelled and is_topic(labelled[1]) and _stands(labelled[2], docs, labelled=True):
        return labelled[2]
    return ""


def _stands(words: str, docs: Collection[str], *, labelled: bool) -> bool:
    """Whether a sentence says under a topic what it says alone: it is whole, or one of a passage.

    Without a full stop it may be an item that is no sentence. What it points to may stand above:
    "it", and behind a label "the damage".
    """
    plain = undressed(words)
    if _POINTS.match(plain) or not plain[:1].isupper():
        return False
    named = labelled and _NAMED.match(plain) is not None
    if ends_stopped(plain, 0, len(plain)) and is_whole(plain) and not named:
        return True
    least = _LONG if named else _SENTENCE
    return word_count(plain, enough=least) >= least and any(restates(plain, doc) for doc in docs)
