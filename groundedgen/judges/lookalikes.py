r"""What a model may read in a text beside what is written there, such as a name like C1.

A model may copy what it reads in another spelling: a reference or an escape resolved, a width or
a look-alike letter made plain, markup taken off. So what could become a name by any of these
counts as one. The rule is wide on purpose. A false alarm costs nothing but other names (see
`claimnames`); text that says the same in a code (base64, rot13) is not read by copying it.
"""

from __future__ import annotations

import html
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Final
from urllib.parse import unquote

import regex

from groundedgen.patterns import lazy

__all__ = ["NAME", "UNREAD", "bare", "holds_name", "latin_readings", "readings"]

# One spelling may be inside of another (`&amp;#67;`, `＆#67;`). Real text is stable after one or
# two rounds; what is not after this many was built to nest.
_ROUNDS: Final = 8

#: Letters and signs that are drawn as a C, beside those that decompose to one. Not the copyright
#: sign: it stands before a year under half of all pages.
_CS: Final = (
    "\u00a2\u0186\u0187\u0188\u023b\u023c\u0254\u0255\u0297\u03f2\u03f9\u03fd\u03fe\u03ff"
    "\u037b\u037c\u037d\u0421\u0441\u04aa\u04ab\u13df\u1455\u1466\u16b2\u1d04\u20a1\u20a2"
    "\u20b5\u2183\u2184\u2201\u2282\u2286\u27c3\u2ca4\u2ca5\u2e26\u3108\u531a\u5338\ua4da"
    "\ua4db\ua73e\ua73f\ua792\ua793\uabaf\ufe2e"
    "\U000102a2\U00010302\U00010415\U0001043d\U0001051c\U000118e9\U000118f2\U0001d20c"
    "\U0001f12d\U0001f152\U0001f16e\U0001f172\U0001f1e8\U0001f74c"
)
#: Letters that are drawn as a 1 and decompose to neither i nor l.
_ONES: Final = (
    "\u0131\u0196\u0197\u0268\u0269\u01c0\u0399\u03b9\u0406\u0456\u04c0\u04cf\u05d5\u05df"
    "\u0627\u16c1\u2c92\u2c93\u2d4f\ua4f2\U0001028a\U00010309\U00010320"
)
_PLAIN: Final[Mapping[int, str]] = {
    # Tags are letters that no reader sees and models read.
    **{0xE0000 + code: chr(code) for code in range(0x20, 0x7F)},
    **str.maketrans(dict.fromkeys(_CS, "c")),
    **str.maketrans(dict.fromkeys(_ONES, "i")),
}

#: Small letters of other alphabets that are drawn as Latin ones, and these Latin ones.
_LOOKS: Final = (
    "\u0430\u0435\u043e\u0440\u0455\u0443\u0445\u0442\u043f\u0433\u0432\u043a\u043c\u043d"
    "\u0475\u0501\u051b\u051d\u03b1\u03b5\u03bf\u03c1\u03c4\u03c5\u03bd\u03ba\u03b7\u03c9"
    "\u0585\u057d\u0578\u0251\u0261\u0280\u0274\u026a\u029f\u028f\u0299\u0262\u029c"
    "\ua731\ua730\u1d00\u1d05\u1d07\u1d0a\u1d0b\u1d0d\u1d0f\u1d18\u1d1b\u1d1c\u1d20\u1d21"
)
_LOOK: Final = "aeopsyxtnrbkmhvdqwaeoptuvknwounagrnilybghsfadejkmoptuvw"
_LATIN: Final[Mapping[int, str]] = {
    **{ord(drawn): plain for drawn, plain in zip(_LOOKS, _LOOK, strict=True)},
    # Letters in circles, in squares, and those that flags are made of.
    **{
        first + place: chr(ord("a") + place)
        for first in (0x1F150, 0x1F170, 0x1F1E6)
        for place in range(26)
    },
}

# What has no width or no reading of its own, but blanks and line ends. Marks go before letters
# are decomposed: ordering a run of them is quadratic in its length.
_UNSEEN: Final = lazy(r"(?V1)[[\p{M}\p{C}\p{Default_Ignorable_Code_Point}]--[\t\n\v\f\r\x85]]+")
_MARKS: Final = lazy(r"[\p{M}\p{Lm}]+")  # and what only lengthens a letter, or stands as its mark

_HEX: Final = "[0-9A-Fa-f]"
_BACKSLASHES: Final = r"(?<!\\)\\++"
_ESCAPE: Final = lazy(
    rf"{_BACKSLASHES}(?:u(?:0000(?={_HEX}{{4}}))?({_HEX}{{4}})|U({_HEX}{{8}})|U({_HEX}{{4}})|[Xx]({_HEX}{{2}})"
    rf"|[UuXx]\{{0*+({_HEX}{{1,6}})\}})"
    rf"|(?:\b|(?<=\\[nrtvfb]))0[Xx]({_HEX}{{2}})(?!{_HEX})|=([46]3)"
)
# As a string's escape, also before what would make a command of it: r"\nci" beside r"\neq".
_ANY_BLANK_ESCAPE: Final = lazy(rf"{_BACKSLASHES}[NRTVFBnrtvfb]")
_BLANK_ESCAPE: Final = lazy(rf"{_BACKSLASHES}[NRTVFBnrtvfb](?![a-z]{{2}})")
# Octal in one language and hexadecimal in another, a code page's code, a character's name.
_UNSURE: Final = lazy(rf"\\(?:[0-9]|'{_HEX}{{2}}|[Nn]\{{)|[Uu]\+{_HEX}{{4}}")
_UNSURE_CODE: Final = lazy(
    rf"{_BACKSLASHES}(?:[0-7]{{1,3}}|[0-9]|'{_HEX}{{2}}|[Nn]\{{(?:[A-Za-z]{{2,20}}[ -]){{1,8}}"
    rf"[A-Za-z0-9]{{1,20}}\}})|[Uu]\+{_HEX}{{4,6}} ?"
)
UNREAD: Final = "\ufffc"
"""Stands in `latin_readings` for a character whose code has more than one reading."""

#: References are of small letters, until someone writes the whole text in capitals.
_CAPITALS: Final = lazy(r"&[A-Z]{2,8};")
_MARKUP: Final = lazy(rf"<[^<>]*+>|{_BACKSLASHES}[A-Za-z]++")

_APART: Final = r"[^\p{L}\p{N}]*+"
_ALONE: Final = r"(?<![\p{L}\p{N}°])c"
_DIGIT: Final = r"[\p{N}\p{nt=De}\p{nt=Di}\p{nt=Nu}]"
NAME: Final = (
    rf"(?:c{_DIGIT}|{_ALONE}{_APART}{_DIGIT}"
    # Words and letters for a figure, where something is said of them: the "CI" of a confidence
    # interval is in too many papers.
    rf"|{_ALONE}(?:{_APART}(?:[il]{{1,4}}[o0]?|vi{{0,3}}|i?[vx]|one|two|three|four|five|six|seven"
    rf"|eight|nine|ten)|[|!¦∣])(?![\p{{L}}\p{{N}}])[^\p{{L}}\p{{N}}:=>→]*+[:=>→])"
)
"""Pattern of what may be read as C1, C2, ... in one of the `readings`."""

_NAME: Final = lazy(NAME)
_NEITHER: Final = lazy(r"[^\p{L}\p{N}]+")


def holds_name(text: str) -> bool:
    r"""Whether something in the text may be read as C1, C2, ..., whatever it is part of.

    Linear in the length of the text, and never raises.

    >>> [holds_name(text) for text in ('{"C1": "supported"}', "&#67;-1", "\u0421\u2460", r"\x431")]
    [True, True, True, True]
    >>> [holds_name(text) for text in ("Vitamin C is listed in annex 1.", "at 20 °C, 5 hours")]
    [False, False]
    """
    return any(reading is None or _NAME.search(reading) for reading in readings(text))


def bare(text: str) -> str:
    """The letters and digits of a reading, without whatever stands between them.

    >>> bare("b-d f (1).")
    'bdf1'
    """
    return _NEITHER.sub("", text)


def readings(text: str) -> Iterator[str | None]:
    """The text in small plain letters, with its markup and without; `None` where that is unsure.

    Where something in it may be code, both as it is written and resolved.

    >>> list(readings("<b>\uff23</b>1"))
    ['<b>c</b>1', 'c1']
    >>> list(readings("%431"))
    ['%431', 'c1']
    """
    for plain in _stages(text):
        if plain is None or _UNSURE.search(plain):
            yield None
            return
        yield from _small(plain)


def latin_readings(text: str) -> Iterator[str | None]:
    r"""As `readings`, for words: letters of other alphabets are read as those they look like.

    `None` only for what is nested too deep; a code of no one reading is `UNREAD`.

    >>> list(latin_readings("\u0455upp\u043erted")), list(latin_readings(r"\103 1")) == ["\ufffc 1"]
    (['supported'], True)
    """
    for plain in _stages(text):
        if plain is None:
            yield None
            return
        for reading in _small(_UNSURE_CODE.sub(UNREAD, plain)):
            yield reading if reading.isascii() else reading.translate(_LATIN)


def _small(plain: str) -> Iterator[str]:
    yield _BLANK_ESCAPE.sub(" ", plain).casefold()
    if "\\" in plain:
        broken = _ANY_BLANK_ESCAPE.sub(" ", plain)
        yield broken.casefold()
        yield _MARKUP.sub("", broken).casefold()
    if "<" in plain or "\\" in plain:
        yield _MARKUP.sub("", plain).casefold()


def _stages(text: str) -> Iterator[str | None]:
    """The text after each kind of code in it that is resolved; `None` last if that has no end.

    All of them, because what is code to one is text to another: `%C1` is a byte, and a C1.
    """
    text = _lettered(text)
    yield text
    for _ in range(_ROUNDS):
        before = text
        for resolve in (_unescaped, unquote, _unslashed, _lettered):
            try:
                resolved = resolve(text)
            except ValueError:  # a number of more digits than `int` reads
                yield None
                return
            if resolved != text:
                text = resolved
                yield text
        if text == before:
            return
    yield None


def _lettered(text: str) -> str:
    """Letters and figures in their plain form, without marks and what has no width."""
    if text.isascii():
        return text
    text = unicodedata.normalize("NFKD", _UNSEEN.sub("", _paired(text).translate(_PLAIN)))
    return _MARKS.sub("", text).translate(_PLAIN)


def _unslashed(text: str) -> str:
    return _ESCAPE.sub(_character, text)


def _unescaped(text: str) -> str:
    return html.unescape(_CAPITALS.sub(lambda match: html.unescape(match[0].lower()), text))


def _paired(text: str) -> str:
    """Halves of characters, as JSON escapes write them, put together."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _character(match: regex.Match[str]) -> str:
    """An odd number of backslashes is that of a string: half of the others are its own."""
    escape = match[0]
    before = len(escape) - len(escape.lstrip("\\"))
    code = int(next(filter(None, match.groups())), 16)
    kept = "\\" * (before // 2 if before % 2 else 0)
    return kept + (chr(code) if code <= 0x10FFFF else " ")
