"""Words of many languages that turn round what follows them.

For cuts: what stands behind one of these says the opposite alone. Wide rather than exact, since
a cut that is not made costs little. What turns a sentence in its place is the business of
`standing`, which knows English best. A language that is missing here is read by the judge alone,
who gets the whole sentence.
"""

from __future__ import annotations

from typing import Final

import regex

from groundedgen.patterns import lazy

__all__ = ["negates"]

_NEGATION: Final = lazy(
    r"\b(?:not|no|never|cannot|without"  # English, and below German
    r"|nicht\w*|kein\w*|nie(?:mals|mand\w*)?|ohne|weder|au\u00dfer|sofern|wenn|falls"
    r"|ne|pas|jamais|sans|sauf|ni|si|aucune?s?|exclu\w*"  # French
    r"|sin|nunca|jam\u00e1s|salvo|excepto|n\u00e3o|sem|nem|exceto"  # Spanish, Portuguese
    r"|non|senza|mai|n\u00e9|salvo|tranne|nessun\w*"  # Italian
    r"|niet|geen|zonder|nooit|tenzij|behalve"  # Dutch
    r"|inte|ej|ikke|ikkje|uden|uten|utan|ingen|inga|intet|ei|eiv\u00e4t|\u00e4l\u00e4"  # Nordic
    r"|nie|bez|ani|\u017cad\w+|ne\w*|nem|nincs\w*|n\u0103|nu|f\u0103r\u0103|de\u011fil\w*"
    r"|kh\u00f4ng|ch\u01b0a|tidak|bukan|tanpa"  # Vietnamese, Indonesian
    r"|\u043d\u0435|\u043d\u0435\u0442|\u043d\u0438|\u0431\u0435\u0437|\u043a\u0440\u043e\u043c\u0435"
    r"|\u043d\u0456|\u0431\u0435\u0437|\u03b4\u03b5\u03bd|\u03bc\u03b7\u03bd?|\u03cc\u03c7\u03b9"
    r"|\u03c7\u03c9\u03c1\u03af\u03c2"  # Russian, Ukrainian, Greek
    r"|\u0644\u0627|\u0644\u0645|\u0644\u0646|\u0644\u064a\u0633\w*|\u063a\u064a\u0631|\u062f\u0648\u0646"
    r"|\u05dc\u05d0|\u05d0\u05d9\u05df|\u05dc\u05dc\u05d0|\u05d1\u05dc\u05d9"  # Arabic, Hebrew
    r"|\u0928\u0939\u0940\u0902|\u0928|\u092e\u0924|\u092c\u093f\u0928\u093e)\b"  # Hindi
    r"|[\u4e0d\u6c92\u6ca1\u672a\u7121\u65e0\u975e\u52ff]|\u306a\u3044|\u307e\u305b\u3093|\u305a"
    r"|\uc54a|\ubabb|\uc544\ub2c8|\uc5c6|\uc81c\uc678"  # Chinese, Japanese, Korean
    r"|\u0e44\u0e21\u0e48|\u0e21\u0e34|\u0e2b\u0e49\u0e32\u0e21|\u0e40\u0e27\u0e49\u0e19"  # Thai
    r"|n['\u2019]t\b",
    regex.IGNORECASE,
)


def negates(words: str) -> bool:
    """Whether one of them stands among some words.

    >>> negates("It is not true that"), negates("Der Schaden ist nicht"), negates("Rent is due")
    (True, True, False)
    """
    return _NEGATION.search(words) is not None
