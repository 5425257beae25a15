"""Headings under which nobody vouches for what is said: "Old policy", "What competitors offer"."""

from __future__ import annotations

from typing import Final

import regex

from groundedgen.patterns import lazy
from groundedgen.text.limiting.spelling import as_read

__all__ = ["disowns"]

_LONGEST: Final = 80  # code points of a heading

_PARTY = (
    r"(?:claimant|plaintiff|applicant|appellant|respondent|defendant|petitioner|prosecution"
    r"|defence)s?"
)
_TEXTS = (
    r"(?:polic(?:y|ies)|rules?|versions?|terms|conditions|laws?|text|wording|contracts?|agreements?"
    r"|tariffs?|rates|prices|fees|regulations?|edition|scheme|plans?|cover(?:age)?|provisions?|statutes?"
    r"|act|guid(?:elines?|ance)|practice|arrangements?|position|situation|system|regime)"
)
_DISOWNS: Final = lazy(
    # what was so, or is not so yet
    rf"\b(?:old|previous|prior|past|earlier|expired|cancell?ed)\s+(?:\p{{L}}+\s+)?{_TEXTS}\b"
    r"|\b(?:obsolete|outdated|superseded|archived?|no\s+longer)\b|\b(?:until|before|prior\s+to)\s+(?:\p{L}+\s+)?\d{4}\b"
    r"|\b(?:proposals?|proposed|planned)\b"
    # what others do or say
    r"|\b(?:competitors?|rivals?)\b|\bother\s+(?:insurers|banks|compan(?:y|ies)|providers|hospitals|firms)\b"
    r"|\bwhat\s+(?:others?|people|many|some|critics|opponents|customers)\b"
    rf"|\b(?:submissions?|arguments?|case|view|position|version)\s+(?:of|for)\s+the\s+{_PARTY}\b"
    rf"|\b{_PARTY}(?:['\u2019]s?)?\s+(?:\p{{L}}+\s+)?(?:submissions?|arguments?|case|view|position|version)\b"
    r"|\b(?:allegations?|contentions?|dissent(?:s|ing)?|minority\s+(?:view|opinion)|testimonials?)\b"
    # what is not so
    r"|\b(?:mis(?:understanding|conception|belief)s?|fallac(?:y|ies)|legends?|rumou?rs?|fiction(?:al)?"
    r"|hypothetical|imaginary|fake|samples?|specimen|scenarios?)\b"
    r"|\b(?:common|typical|frequent|popular)\s+(?:mistakes?|errors?|beliefs?)\b"
    # the same in German, French and Spanish
    r"|\b(?:irrt(?:um|\u00fcmer)|missverst\u00e4ndnis\w*|mythos|mythen|entw(?:urf|\u00fcrfe)|beispiele?|muster"
    r"|vorschl(?:ag|\u00e4ge)|ausschl(?:uss|\u00fcsse)|alte[rs]?|fr\u00fchere[rs]?|bisherige[rs]?|mitbewerber"
    r"|konkurren\p{L}+|wettbewerber)\b"
    r"|\b(?:id\u00e9es?\s+re\u00e7ues?|malentendus?|mythes?|exemples?|projet\s+de|anciens?|anciennes?"
    r"|brouillon|concurrents?|propositions?)\b"
    r"|\b(?:malentendidos?|mitos?|ejemplos?|borrador|propuestas?|antigu[oa]s?|competidor(?:es)?)\b",
    regex.IGNORECASE,
)


def disowns(heading: str) -> bool:
    """Whether a heading says that what stands under it is not, or not yet, or no longer so here.

    >>> disowns("# Old policy"), disowns("What competitors offer"), disowns("Old age")
    (True, True, False)
    """
    return len(heading) <= _LONGEST and _DISOWNS.search(as_read(heading)) is not None
