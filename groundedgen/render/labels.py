"""The few words around an answer, one table a language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from groundedgen.errors import InputError
from groundedgen.values import Reason

__all__ = ["LABELS", "Labels", "labels_for"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """Words in one language. Templates name their fields: `{verified}`, `{shown}`, `{page}`.

    No label may hold text of an answer, and none may tell an outcome with hidden sources
    from one without.
    """

    lang: str
    answer: str
    sources: str
    closest: str
    dropped: str
    source: str
    untitled: str
    page: str
    verified: str
    not_checked: str
    score: str
    means: str
    means_not: str
    unchecked_means: str
    opens: str
    draft: str
    nearest: str
    outcomes: Mapping[Reason, str]


ENGLISH: Final = Labels(
    lang="en",
    answer="Answer",
    sources="Sources",
    closest="Closest passages",
    dropped="Dropped statements (for developers)",
    source="Source {number}",
    untitled="Untitled source",
    page="p. {page}",
    verified="verified",
    not_checked="not checked",
    score="{verified} of {shown} statements verified",
    means=(
        "Verified means: the quoted words stand in the source exactly there, every number of "
        "the statement is in it, and the statement was checked against it."
    ),
    means_not=(
        "It does not mean that the source is right, or that these are all the sources there are."
    ),
    unchecked_means=(
        "Not checked means: the quoted words stand in the source, but nothing has confirmed "
        "that the source says what the statement says. Read the source before you rely on it."
    ),
    opens="Quoted words are underlined.",
    draft="draft {attempt}, statement {number}",
    nearest="nearest text",
    outcomes={
        "answered": "",
        "model_said_not_found": "The sources do not answer this question.",
        "nothing_survived": "Nothing that could be verified in the sources answers this question.",
        "core_lost": "No direct answer to this question could be verified in the sources.",
        "no_passages": "There are no sources to answer this question from.",
        "strict_policy": "The answer is withheld, because not all of it could be verified.",
        "judge_unavailable": "The answer is withheld, because it could not be checked.",
        "reader_may_not_open": "There is nothing here that can be shown to you.",
    },
)

LABELS: Final[Mapping[str, Labels]] = {"en": ENGLISH}


def labels_for(lang: str) -> Labels:
    """The labels for a language tag; its region is ignored.

    Raises:
        InputError: There are none; the message lists what there is.

    >>> labels_for("en-GB").sources
    'Sources'
    """
    labels = LABELS.get(lang.split("-", 1)[0].lower()) if isinstance(lang, str) else None
    if labels is None:
        known = ", ".join(sorted(LABELS))
        raise InputError(f"no labels in {lang!r}; there are {known}", code="unknown_language")
    return labels
