r"""The form in which numbers are read: one character for each kind of sign, digits as ASCII.

This is not the form quotes are compared in. Everything keeps its place but what is invisible
and what a ligature or a mark spells in more than one character, and there is a way back.
Kinds that a pattern must tell apart have characters below U+0100, which patterns test fastest:

    "-"             hyphens and minus signs      "\x96"  the en dash
    "\x97"          a minus sign with a blank or nothing behind it
    "\xa0"          blanks of fixed width        "'"     apostrophes
    "\x10"-"\x19"   raised digits 0 to 9         "\x1a" "\x1b"  raised minus and plus
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from typing import Final, NamedTuple
from unicodedata import normalize as normal_form

from groundedgen.patterns import compiled

__all__ = ["Cleaned", "clean", "mend"]

# The zeros of the decimal digits of Unicode 15 other than ASCII; each is followed by its 1 to 9.
# fmt: off
_ZEROS: Final = (
    0x660, 0x6F0, 0x7C0, 0x966, 0x9E6, 0xA66, 0xAE6, 0xB66, 0xBE6, 0xC66, 0xCE6, 0xD66, 0xDE6,
    0xE50, 0xED0, 0xF20, 0x1040, 0x1090, 0x17E0, 0x1810, 0x1946, 0x19D0, 0x1A80, 0x1A90, 0x1B50,
    0x1BB0, 0x1C40, 0x1C50, 0xA620, 0xA8D0, 0xA900, 0xA9D0, 0xA9F0, 0xAA50, 0xABF0, 0xFF10,
    0x104A0, 0x10D30, 0x11066, 0x110F0, 0x11136, 0x111D0, 0x112F0, 0x11450, 0x114D0, 0x11650,
    0x116C0, 0x11730, 0x118E0, 0x11950, 0x11C50, 0x11D50, 0x11DA0, 0x11F50, 0x16A60, 0x16AC0,
    0x16B50, 0x1D7CE, 0x1D7D8, 0x1D7E2, 0x1D7EC, 0x1D7F6, 0x1E140, 0x1E2F0, 0x1E4F0, 0x1E950,
    0x1FBF0,
)
# The signs that typeset texts are full of; a replacement costs less than a pattern.
_COMMON: Final = (
    ("\u2019", "'"), ("\u2018", "'"), ("\u2013", "\x96"), ("\u2011", "-"), ("\u2212", "-"),
    ("\u2009", "\xa0"), ("\u202f", "\xa0"),
    ("\u00b2", "\x12"), ("\u00b3", "\x13"), ("\u00b9", "\x11"),
)
# fmt: on
_LONE_MINUS: Final = compiled("\u2212(?=[\\s)|\\],;.]|$)")
_RAISED: Final = "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u207b\u207a"
_FOLDS: Final[dict[int, str]] = {
    **{zero + digit: str(digit) for zero in _ZEROS for digit in range(10)},
    **{code: chr(code - 0xFEE0) for code in (*range(0xFF01, 0xFF10), *range(0xFF1A, 0xFF5F))},
    **{ord(raised): chr(16 + place) for place, raised in enumerate(_RAISED)},
    **dict.fromkeys(map(ord, "\u2010\u2012\ufe63\u2796"), "-"),
    **dict.fromkeys(map(ord, "\u02bc\u2032"), "'"),
    **dict.fromkeys((*range(0x2002, 0x2009), 0x200A, 0x205F, 0x3000), "\xa0"),
    **dict.fromkeys(map(ord, "\u2044\u2215"), "/"),
    **dict.fromkeys(map(ord, "\u22c5\u2219"), "·"),
    0x66A: "%",
    0xFE6A: "%",
    0xFE69: "$",
    0xFFE5: "¥",
    0xFFE1: "£",
    0x3BC: "µ",
    0xFB00: "ff",
    0xFB01: "fi",
    0xFB02: "fl",
    0xFB03: "ffi",
    0xFB04: "ffl",
    0x338E: "mg",
    0x338F: "kg",
    0x339D: "cm",
    0x339E: "km",
    0x339C: "mm",
    0x33A1: "m\x12",
}
_INVISIBLE: Final = "\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe0e\ufe0f\ufeff"
# Characters above U+FFFF go as one range: a class with many of them is slow at every character.
_FOLDED: Final = "".join(chr(code) for code in _FOLDS if code < 0x10000) + "\U000104a0-\U0001fbf9"
# Letters in another dress, such as mathematical bold or circles, that are one ASCII letter each.
# Only in words of them: one alone is a variable, a unit or a note.
_DRESSES: Final = (
    "\u02b0-\u02b8\u1d2c-\u1d6a\u2071\u207f\u2090-\u209c\u2102-\u2149\u24b6-\u24e9"
    "\U0001d400-\U0001d6a3\U0001f130-\U0001f149"
)
_DRESSED: Final = f"(?<![A-Za-z])[{_DRESSES}]{{3,}}(?![A-Za-z])"
# First whether there is anything to do: one class, so that most texts cost little.
_ANY_RARE: Final = compiled(f"[{_INVISIBLE}\u0300-\u036f{_DRESSES}{_FOLDED}]")
_DRESS: Final = compiled(f"[{_DRESSES}]")
_RARE: Final = compiled(f"[{_INVISIBLE}]+|{_DRESSED}|[^\\W\\d_][\u0300-\u036f]+|[{_FOLDED}]")


class Cleaned(NamedTuple):
    """A text in the form numbers are read in, and the way back to the offsets of the original.

    `clean[i]` and `original[i]` are the same place in both texts; between such places, offsets
    run alike.
    """

    text: str
    clean: tuple[int, ...] = ()
    original: tuple[int, ...] = ()

    def back(self, offset: int) -> int:
        """The offset in the original text of an offset into `text`."""
        place = bisect_right(self.clean, offset) - 1
        return self.original[place] + offset - self.clean[place] if place >= 0 else offset


def clean(text: str) -> Cleaned:
    """Bring a text into the form that numbers are read in.

    >>> clean("५० and ５０％").text
    '50 and 50%'
    >>> clean("1\u200b00").back(1)
    2
    >>> clean("€ 5½ — “so”").text  # what no pattern needs folded stays
    '€ 5½ — “so”'
    """
    if text.isascii():
        return Cleaned(text)
    if "\u2212" in text:
        text = _LONE_MINUS.sub("\x97", text)
    for sign, folded in _COMMON:
        text = text.replace(sign, folded)
    if not _ANY_RARE.search(text):
        return Cleaned(text)
    parts: list[str] = []
    clean_at: list[int] = []
    original_at: list[int] = []
    done = length = 0
    for match in _RARE.finditer(text):
        folded = _fold(match[0])
        parts += (text[done : match.start()], folded)
        length += match.start() - done + len(folded)
        done = match.end()
        for extra in range(len(folded) - 1, 0, -1):  # a ligature's letters all lead back to it
            clean_at.append(length - extra)
            original_at.append(done - 1)
        if len(folded) != len(match[0]):
            clean_at.append(length)
            original_at.append(done)
    parts.append(text[done:])
    return Cleaned("".join(parts), tuple(clean_at), tuple(original_at))


_CUT: Final = compiled(r"-[ ]?\r?\n[ \t\xa0]{0,8}(?=[^\W\d_])")
_PART: Final = compiled(r"[^\W\d_]{1,20}")
_LONGEST_PART: Final = 20  # letters of a word before a line end


def mend(cleaned: Cleaned, is_broken: Callable[[str, str], bool]) -> Cleaned:
    r"""Join words that are broken at a line end with a hyphen.

    Args:
        cleaned: What `clean` gave.
        is_broken: Whether two parts, in small letters, are one known word.

    >>> mend(Cleaned("5 mil-\nlion"), lambda left, right: left + right == "million").text
    '5 million'
    """
    text = cleaned.text
    if not any(sign in text for sign in ("-\n", "-\r", "- \n")):
        return cleaned
    cuts = [cut.span() for cut in _CUT.finditer(text) if is_broken(*_parts(text, cut))]
    if not cuts:
        return cleaned
    edges = [0, *(edge for cut in cuts for edge in cut), len(text)]
    kept = "".join(text[start:end] for start, end in zip(edges[::2], edges[1::2], strict=True))
    places, originals, removed, cut = [], [], 0, 0
    for place in sorted({*cleaned.clean, *(end for _, end in cuts)}):
        while cut < len(cuts) and cuts[cut][1] <= place:
            removed += cuts[cut][1] - cuts[cut][0]
            cut += 1
        if cut == len(cuts) or place <= cuts[cut][0]:
            places.append(place - removed)
            originals.append(cleaned.back(place))
    return Cleaned(kept, tuple(places), tuple(originals))


def _parts(text: str, cut: re.Match[str]) -> tuple[str, str]:
    """The letters on both sides of a hyphen at a line end, in small letters."""
    start, end = cut.span()
    first = start
    while first > 0 and start - first < _LONGEST_PART and text[first - 1].isalpha():
        first -= 1
    right = _PART.match(text, end)
    return text[first:start].lower(), right[0].lower() if right else ""


def _fold(part: str) -> str:
    """What stands for one rare character, or for a letter with its marks."""
    if len(part) > 1 and _DRESS.match(part):
        plain = normal_form("NFKC", part)
        return plain if plain.isascii() and len(plain) == len(part) else part
    if part[0].isalpha() and len(part) > 1:
        return normal_form("NFC", part)
    return _FOLDS.get(ord(part[0]), part if part[0] > "\uffff" else "")
