"""What a reader would see otherwise than a check reads it.

Folding takes invisible characters and marks of direction away before it compares, and a screen
obeys them: with a right-to-left mark round each part, 12.5 shows as 5.12. So they are taken out
of a statement before it is checked, and out of everything before it is shown; what is judged is
what is shown. Words that are struck out cannot be: a check reads them, and a reader does not.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from groundedgen.patterns import compiled, lazy
from groundedgen.text.folding.foldtables import EMOJI, SOFT_HYPHENS, char_class
from groundedgen.text.forms import OPTIONAL
from groundedgen.text.matching.shelf import folded

__all__ = ["adds_signs", "is_struck", "unhidden", "visible"]

_BREAKS = compiled("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
# All that steers direction (UAX 9) is among them, also the marks that honest Hebrew and Arabic
# hold: a page isolates foreign words and takes their direction from their letters.
_HIDDEN = compiled(
    "["
    "\x00\x01\x03-\x08\x0e-\x1f\x7f-\x9f"  # controls; tab and line feed stay
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # marks, embeddings, overrides, isolates
    "\u200b\u2060-\u2065\u206a-\u206f\ufeff\u180e\u034f"  # without width; not the joiners
    "\u17b4\u17b5\ufff0-\ufffb\u3164\uffa0"  # vowels without shape, annotation, fillers
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"  # shorthand and musical beams
    "\U000e0000-\U000e00ff\U000e01f0-\U000e0fff"  # tags, and what is not assigned among them
    "]"
)
# Where folding reads a hyphen (see `signs`), one is shown: 20-30 must not become 2030.
_SOFT = f"[{SOFT_HYPHENS}]+"
_NO_DASH = "(?<![-\u2010-\u2015\u2212])"
_HYPHEN = compiled(rf"(?<=\w){_SOFT}(?=\s\w)|{_NO_DASH}{_SOFT}(?=\s?\d)|(?<=\d){_SOFT}(?=[^\W\d_])")
_NO_HYPHEN = compiled(_SOFT)

_JOINED_SCRIPTS = (
    "Arabic Syriac Mandaic Nko Mongolian Phags_Pa Adlam Hebrew Thaana Samaritan Devanagari Bengali "
    "Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Khmer Myanmar Tibetan Balinese "
    "Javanese Sundanese Meetei_Mayek Chakma Newa Tirhuta Grantha Modi Brahmi Kaithi Sharada"
)
_SCRIPTS = "".join(rf"\p{{Script={name}}}" for name in _JOINED_SCRIPTS.split())
_DEPENDENT = f"\u0640\u200c\u200d\u180b-\u180d\u180f{char_class(OPTIONAL)}"
_PICTURES = f"(?<=[{EMOJI}]|[{EMOJI}]\ufe0f)\u200d[{EMOJI}]"
# Joiners, stretching, and the points of Hebrew and Arabic where no letter before can take them.
_ASTRAY = lazy(
    rf"(?V1)(?<![[[{_SCRIPTS}]&&[\p{{L}}\p{{M}}]][{_DEPENDENT}\u25cc]])(?!{_PICTURES})[{_DEPENDENT}]+"
)
_REPEATED = compiled("(?<=[\u200c\u200d])[\u200c\u200d]+")
# One selects the form of the character before it, which is none of ASCII but for a keycap and
# no blank; more than one can only be a hidden message.
_VARIANTS = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
_SURPLUS = compiled(f"(?<=[{_VARIANTS}])[{_VARIANTS}]+")
_NO_VARIANT = compiled(f"(?<![^\x00-\x7f\xa0\u2000-\u200a\u3000])[{_VARIANTS}](?!\u20e3)")

_STRUCK = lazy(r"~~\S|<(?:s|del|strike)\b|[\u0335-\u0338]")
# Marks without a letter to stand on, which a page may put on the word before.
_ORPHANS = lazy(r"(?:\A|(?<=[ \t\n]))[\p{M}\u0640\u200c\u200d]+")
_LONE_SIGN = lazy(r"(?<!\p{Script=Hebrew})[\u05be\u05f3\u05f4](?!\p{Script=Hebrew})")
_PLAIN_SIGNS = {"\u05be": "-", "\u05f3": "'", "\u05f4": '"'}
# Digits and their points, and the signs that Arabic puts round a number.
_PLAIN_DIGITS = str.maketrans(
    "\u066b\u066c" + "".join(map(chr, range(0x660, 0x66A))),
    ".,0123456789",
    "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2",
)
_EDGES = lazy(r"\A[^\p{L}\p{N}\p{M}]+|[^\p{L}\p{N}\p{M}]+\Z")
_RIGHT_TO_LEFT = ("R", "AL", "AN")


def visible(text: str) -> str:
    r"""A statement without what steers how the rest of it is displayed.

    Signs and digits that turn the words beside them round, where no letter of their script is
    near, become those that folding reads in them.

    >>> visible("The fee is \u202e12\u202c euros, or \u200f12\u200f.\u200f5\u200f percent.")
    'The fee is 12 euros, or 12.5 percent.'
    >>> visible("within 20\u05be30 days")
    'within 20-30 days'
    """
    text = _ORPHANS.sub("", unhidden(text))
    text = _LONE_SIGN.sub(lambda match: _PLAIN_SIGNS[match[0]], text)
    return text if _has_right_to_left(text) else text.translate(_PLAIN_DIGITS)


def unhidden(text: str) -> str:
    r"""The text without characters that no reader can see but that change what is seen.

    Line breaks of all kinds become line feeds. Joiners stay where a script or a picture needs
    them. Doing it twice is doing it once.

    >>> unhidden("insur\u00adance for 20\u00ad30 \u200fdays\u200b")
    'insurance for 20-30 days'
    """
    if text.isascii() and text.isprintable():
        return text
    text = _HIDDEN.sub("", _BREAKS.sub("\n", text))
    text = _NO_HYPHEN.sub("", _HYPHEN.sub("-", text))
    text = _REPEATED.sub("", _ASTRAY.sub("", text))
    return _NO_VARIANT.sub("", _SURPLUS.sub("", text))


def is_struck(text: str) -> bool:
    """Whether some of it would be shown as struck out.

    >>> is_struck("It is ~~not~~ covered."), is_struck("It costs ~12 euros.")
    (True, False)
    """
    return _STRUCK.search(text) is not None


def adds_signs(text: str, source: str) -> bool:
    r"""Whether a reader sees in `text` what `source` lacks although both fold to the same.

    That is points and accents, and letters, signs and digits that are read from right to left.
    To leave points out is no addition.

    >>> adds_signs("within \u0662\u0660-\u0663\u0660 days", "within 20-30 days")
    True
    >>> adds_signs("\u05e9\u05dc\u05d5\u05dd", "\u05e9\u05b8\u05c1\u05dc\u05d5\u05b9\u05dd")
    False
    """
    if text.isascii():
        return False
    text, source = _EDGES.sub("", text), _EDGES.sub("", source)
    return not (_within(_turning(text), _turning(source)) and _within(_marks(text), _marks(source)))


def _turning(text: str) -> Iterable[str]:
    plain = unicodedata.normalize("NFKC", text)
    return (c for c in plain if c != "\u0640" and unicodedata.bidirectional(c) in _RIGHT_TO_LEFT)


def _marks(text: str) -> Iterable[str]:
    plain = unicodedata.normalize("NFD", folded(text).text)
    return (c for c in plain if unicodedata.category(c) in {"Mn", "Mc", "Me"})


def _within(some: Iterable[str], every: Iterable[str]) -> bool:
    """Whether all of `some` are among `every`, in the same order."""
    rest = iter(every)
    return all(char in rest for char in some)


def _has_right_to_left(text: str) -> bool:
    return any(unicodedata.bidirectional(c) in {"R", "AL"} and c.isalpha() for c in text)
