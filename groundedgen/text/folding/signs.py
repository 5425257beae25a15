"""Signs whose folding depends on what stands beside them.

A superscript two is a unit's (m² is m2) or an exponent (10² is not 102); a raised point is a
decimal point between digits; a soft hyphen joins letters and stands for a minus before a digit.
Each rule has `hints`: unless one of them is in the text, the rule is not run.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from groundedgen.patterns import compiled
from groundedgen.text.folding.foldtables import (
    COUNTED,
    MILLI,
    SOFT_HYPHENS,
    SUBSCRIPTS,
    SUPERSCRIPTS,
    VULGAR,
    char_class,
)
from groundedgen.text.folding.rules import Edit, Rule

__all__ = ["RULES"]


_New = str | Mapping[str, str] | Callable[[str], str]


def _rule(hints: Iterable[str], pattern: str, new: _New, *, after: str = "", run: str = "") -> Rule:
    """Put `new` (a text, a letter-by-letter table, or a function) where `pattern` matches.

    Tried only where a hint stands, or a `run` of them, so that a text without them costs nothing.
    What must stand before it is a lookbehind, or `after`, which is matched against the few
    characters before.
    """
    hints = tuple(hints)
    places = compiled(run or "|".join(map(re.escape, hints)))
    matcher, before = compiled(pattern), compiled(f"(?:{after})$") if after else None

    def edits(text: str) -> list[Edit]:
        found: list[Edit] = []
        done = 0
        for place in places.finditer(text):
            start = place.start()
            match = matcher.match(text, start) if start >= done else None
            if match and (not before or before.search(text[max(0, start - 8) : start])):
                done = match.end()
                found.append((start, done, _made(new, match[0])))
        return found

    return Rule.of(hints, edits)


def _made(new: _New, old: str) -> str:
    if isinstance(new, str):
        return new
    return new(old) if callable(new) else "".join(map(new.__getitem__, old))


_RAISED = {digit: sign for sign, digit in SUPERSCRIPTS.items()}

# Length units, and the second below a fraction stroke (m/s²).
_UNITS = (
    "(?<![^\\W\\d_])"
    "(?:[kcdmnμ]?m|ft|yd|in|mi|(?<=/)s|feet|inch(?:es)?|met(?:er|re)s?|miles?|yards?)"
)

_SOFT = f"[{SOFT_HYPHENS}]++"
_LOWERED = f"[{char_class(SUBSCRIPTS)}]++"
_DIGITS_UP = "[⁰¹²³⁴-⁹⁻]"
_COUNTED = char_class(COUNTED)

RULES: tuple[Rule, ...] = (
    # "insur<shy>ance" is one word; before a digit the mark stands for a hyphen or a minus, and at a
    # line end it stays one, because there it has two readings (see `forms`).
    _rule(SOFT_HYPHENS, f"(?<=\\w){_SOFT}(?= \\w)", "-", run=_SOFT),
    _rule(SOFT_HYPHENS, f"{_SOFT}(?= ?\\d)|(?<=\\d){_SOFT}(?=[^\\W\\d_])", "-", run=_SOFT),
    _rule(SOFT_HYPHENS, _SOFT, "", run=_SOFT),
    # FineReader writes a not-sign for the hyphen at a line end.
    _rule("¬", "¬(?= [^\\W\\d_])", "-", after="[^\\W\\d_]"),
    # Chicago style spaces its ellipses.
    _rule((". . .",), r"\. \. \.", "..."),
    # Typewriter dashes; not the two hyphens of an option (--help).
    _rule(("--",), r"(?<=\w)-{2,3}+(?=\w)|(?<![^ ])-{2,3}+(?![^ ])", "-"),
    _rule(("''", "``"), r"(?<!')''(?!')|(?<!`)``(?!`)", '"'),
    # A typewriter's apostrophe; a pair of ticks round words has gone before (see `markup`).
    _rule(("`",), "`(?=[^\\W\\d_])", "'", after="[^\\W\\d_]"),
    # 10^2 is a spelling of 10².
    _rule("^", r"(?<=\w)\^[-+]?[0-9]+", lambda old: "".join(map(_RAISED.__getitem__, old[1:]))),
    _rule("²³", f"[²³](?!{_DIGITS_UP}|[^\\W_])", SUPERSCRIPTS, after=_UNITS),
    _rule("ˢⁿʳᵗ", "(?<=[0-9])(?:ˢᵗ|ⁿᵈ|ʳᵈ|ᵗʰ)", dict(zip("ˢᵗⁿᵈʳʰ", "stndrh", strict=True))),
    # H₂O is H2O; a base written after a number (10₂) is kept.
    _rule(SUBSCRIPTS, f"{_LOWERED}(?!\\d)", SUBSCRIPTS, after=r"[^\W\d_]|[)\]]", run=_LOWERED),
    _rule(COUNTED, f"(?<![\\d{_COUNTED}])[{_COUNTED}](?![\\d{_COUNTED}])", COUNTED),
    _rule(MILLI, f"(?<![^\\W\\d_])[{char_class(MILLI)}](?![^\\W_])", MILLI),
    # One and a half is 1 1/2, never 11/2.
    _rule(
        VULGAR, f"(?<=\\d)[{char_class(VULGAR)}](?!\\d)", {v: f" {t}" for v, t in VULGAR.items()}
    ),
    _rule(VULGAR, f"(?<!\\d)[{char_class(VULGAR)}](?!\\d)", VULGAR),
    # The decimal point of British journals, not the multiplication of 5·10³ or 3·5 = 15.
    _rule("·", f"(?<=\\d)·(?=\\d)(?!10{_DIGITS_UP}|\\d+ ?=)", "."),
    _rule("º", "(?:(?<=\\d)|(?<=\\d ))º(?= ?[cf](?!\\w))", "°"),
    _rule("×", r"(?:(?<=\d)|(?<=\d ))×(?= ?\d)", "x"),
    # Thai and Lao: the vowel AM in two parts, with or without a tone mark between.
    _rule("\u0e4d", "\u0e4d[\u0e48-\u0e4b]?\u0e32", lambda old: old[1:-1] + "\u0e33"),
    _rule("\u0ecd", "\u0ecd[\u0ec8-\u0ecb]?\u0eb2", lambda old: old[1:-1] + "\u0eb3"),
)
