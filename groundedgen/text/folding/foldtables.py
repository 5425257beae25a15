"""What folding may change, character by character: data, no rules.

Everything here is a list, and a character that stands on no list is left alone. That is the
point: a blanket compatibility fold (NFKC) turns 10² into 102 and 2023¹ into 20231, and dropping
"non-word" characters turns -5 % into 5 and deletes the vowel signs of Hindi and the tone marks of
Thai. The lists hold what a typesetter, an extractor or a transport may change; letters, digits,
signs, exponents and operators keep their identity.

Written in lower case: text is lower-cased (one code point to one) before a table is asked.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache

__all__ = [
    "CHILLU",
    "COUNTED",
    "EMOJI",
    "INVISIBLE",
    "MARKS",
    "MARKS_ASTRAL",
    "MILLI",
    "SOFT_HYPHENS",
    "SUBSCRIPTS",
    "SUPERSCRIPTS",
    "UNSPACED",
    "UNSPACED_ASTRAL",
    "VULGAR",
    "char_class",
    "chars",
    "marks",
]

# --- one glyph for another -----------------------------------------------------------------

_GLYPHS: dict[str, str] = {
    "'": "‘’‚‛‹›❛❜′‵ʼʹʻʽ´׳ꞌ",
    '"': "“”„‟«»❝❞″‶〝〞〟״「」『』",
    # U+2E3A and U+2E3B are two and three em dashes; U+2212 is the minus, U+05BE the Hebrew hyphen.
    "-": "‐‑‒–—―−﹘⸺⸻־᠆",
    " ": "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006"
    "\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000",
    "/": "⁄∕",
    ".": "․٫",
    ",": "٬",
    "%": "٪",
    ":": "∶",
    "*": "∗",
    "|": "∣",
    "~": "∼˜〜",
    "·": "⋅∙‧",
    "...": "…⋯",
    "..": "‥",
    ">=": "≥⩾≧",
    "<=": "≤⩽≦",
    "!=": "≠",
    "+/-": "±",
    "->": "→⟶",
    "<-": "←⟵",
    "°c": "℃",
    "°f": "℉",
    # Variant shapes of one Greek letter, and the final sigma.
    "σ": "ς",
    "β": "ϐ",
    "θ": "ϑ",
    "φ": "ϕ",
    "π": "ϖ",
    "κ": "ϰ",
    "ρ": "ϱ",
    "ε": "ϵ",
    "μ": "µ",
    "s": "ſ",
    # Stretched Arabic, and the letters that only pad a line.
    "": "ـ",
}

# Characters that take no room and say nothing. Not here: the invisible operators (U+2062 to
# U+2064) and the replacement character, which stand for something that was there. The joiner
# U+200D is folded in context, because between two emoji it makes one picture of two.
INVISIBLE = (
    "\u034f\u061c\u180b\u180c\u180d\u180e\u200b\u200c\u200e\u200f\u202a\u202b\u202c\u202d\u202e"
    "\u2060\u2066\u2067\u2068\u2069\ufeff"
    + "".join(map(chr, range(0xFE00, 0xFE10)))
    + "".join(map(chr, range(0xE0100, 0xE01F0)))
)

# The soft hyphen, and what PDFium writes in its place at a line end.
SOFT_HYPHENS = "\xad\x02\ufffe"

# --- whole blocks of compatibility text ----------------------------------------------------

# Width variants, presentation forms, ligatures, letter-like shapes: here the compatibility mapping
# of Unicode is only another shape of the same letters. Left out of these blocks on purpose:
# superscripts, subscripts, fractions and circled digits (they need their context), letters such as
# œ æ ß ı (they have no mapping), TM and SM signs, spacing accents.
_COMPATIBLE: tuple[tuple[int, int], ...] = (
    (0x0132, 0x0133),  # ij
    (0x013F, 0x0140),  # l with middle dot
    (0x0149, 0x0149),  # 'n
    (0x01C4, 0x01CC),  # Croatian digraphs
    (0x01F1, 0x01F3),
    (0x1E9B, 0x1E9B),  # long s with dot
    (0x2015, 0x2015),
    (0x2100, 0x2101),
    (0x2103, 0x2103),
    (0x2105, 0x2106),
    (0x2109, 0x2109),
    (0x210A, 0x2113),  # script and black-letter capitals
    (0x2115, 0x2115),  # not the numero sign: "no" is a word, and it denies
    (0x2119, 0x211D),
    (0x2124, 0x2124),
    (0x2128, 0x2128),
    (0x212C, 0x2131),
    (0x2133, 0x2134),
    (0x2160, 0x217F),  # Roman numerals
    (0x2E80, 0x2FD5),  # radicals, which PDF fonts put for the ideographs
    (0x2474, 0x2487),  # parenthesised numbers
    (0x3200, 0x321E),  # parenthesised Hangul and ideographs
    (0x3220, 0x3243),
    (0x3260, 0x327E),
    (0x32CC, 0x32FF),
    (0x3300, 0x3357),  # squared words and units
    (0x3371, 0x33DF),
    (0x33FF, 0x33FF),
    (0xFB00, 0xFB06),  # fi, fl, ffi ...
    (0xFB13, 0xFB17),  # Armenian ligatures
    (0xFB20, 0xFB28),  # wide Hebrew letters
    (0xFB4F, 0xFB4F),
    (0xFB50, 0xFBB1),  # Arabic presentation forms
    (0xFBD3, 0xFD3D),
    (0xFD50, 0xFDC7),
    (0xFDF0, 0xFDFC),
    (0xFE10, 0xFE19),  # vertical forms
    (0xFE30, 0xFE44),
    (0xFE47, 0xFE48),
    (0xFE50, 0xFE6B),  # small forms
    (0xFE70, 0xFEFC),
    (0xFF01, 0xFFE2),  # full and half width
    (0xFFE4, 0xFFEE),
    (0x1D400, 0x1D7FF),  # mathematical bold, italic, script ...
    (0x1EE00, 0x1EEBB),
)

# Where a canonical equivalent exists that NFC prefers (Unicode 14).
_CANONICAL: tuple[tuple[int, int], ...] = (
    (0x0340, 0x0344), (0x0374, 0x0374), (0x037E, 0x037E), (0x0387, 0x0387), (0x0958, 0x095F),
    (0x09DC, 0x09DF), (0x0A33, 0x0A36), (0x0A59, 0x0A5E), (0x0B5C, 0x0B5D), (0x0F43, 0x0FB9),
    (0x1F71, 0x1FFD), (0x2000, 0x2001), (0x2126, 0x2126), (0x212A, 0x212B), (0x2329, 0x232A),
    (0x2ADC, 0x2ADC), (0xF900, 0xFAD9), (0xFB1D, 0xFB4E), (0x1D15E, 0x1D164), (0x1D1BB, 0x1D1C0),
    (0x2F800, 0x2FA1D),
)  # fmt: skip

# First code points of the blocks of ten decimal digits: a digit is its value in any script.
_ZEROS = (
    "660 6f0 7c0 966 9e6 a66 ae6 b66 be6 c66 ce6 d66 de6 e50 ed0 f20 1040 1090 17e0 1810 1946 19d0 "
    "1a80 1a90 1b50 1bb0 1c40 1c50 a620 a8d0 a900 a9d0 a9f0 aa50 abf0 104a0 10d30 11066 110f0 "
    "11136 111d0 112f0 11450 114d0 11650 116c0 11730 118e0 11950 11c50 11d50 11da0 16a60 16ac0 "
    "16b50 1e140 1e2f0 1e950 1fbf0"
)

# --- characters that need their context ----------------------------------------------------

SUPERSCRIPTS: dict[str, str] = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+", strict=True))
SUBSCRIPTS: dict[str, str] = dict(zip("₀₁₂₃₄₅₆₇₈₉", "0123456789", strict=True))
VULGAR: dict[str, str] = {
    "½": "1/2", "⅓": "1/3", "⅔": "2/3", "¼": "1/4", "¾": "3/4", "⅕": "1/5", "⅖": "2/5",
    "⅗": "3/5", "⅘": "4/5", "⅙": "1/6", "⅚": "5/6", "⅐": "1/7", "⅛": "1/8", "⅜": "3/8",
    "⅝": "5/8", "⅞": "7/8", "⅑": "1/9", "⅒": "1/10", "↉": "0/3",
}  # fmt: skip

# One character for a number, or for words that begin with one: circled digits, "1.", the months and
# days of Japanese calendars. Folded only where no digit stands beside it (①② is not 12).
COUNTED: dict[str, str] = {
    chr(point): unicodedata.normalize("NFKC", chr(point))
    for first, last in (
        (0x2460, 0x2473), (0x2488, 0x249B), (0x24EA, 0x24EA), (0x3251, 0x325F), (0x32B1, 0x32BF),
        (0x32C0, 0x32CB), (0x3358, 0x3370), (0x33E0, 0x33FE),
    )
    for point in range(first, last + 1)
} | {chr(0x2776 + n): str(n % 10 + 1) if n % 10 < 9 else "10" for n in range(30)}  # fmt: skip

# Milli, not mega: these keep their capital, see `folds._lower`.
MILLI: dict[str, str] = {"㎷": "mV", "㎽": "mW"}

# Malayalam: consonant, virama and joiner spell what has its own code point since Unicode 5.1.
CHILLU: dict[str, str] = dict(
    zip(
        ("ണ്\u200d", "ന്\u200d", "ര്\u200d", "ല്\u200d", "ള്\u200d", "ക്\u200d"),
        "ൺൻർൽൾൿ",
        strict=True,
    )
)

# --- classes, as the inside of a regular expression's brackets -------------------------------

# Classes with members above U+FFFF are searched by the engine one range after another, those below
# are looked up at once; so the two halves are kept apart.


def char_class(chars: Iterable[str]) -> str:
    """The inside of a bracket expression that matches exactly `chars`, as ranges.

    >>> import re
    >>> re.findall(f"[{char_class('cab-x')}]", "abcdxy-]")
    ['a', 'b', 'c', 'x', '-']
    """
    points = sorted(map(ord, set(chars)))
    spans: list[list[int]] = []
    for point in points:
        if spans and spans[-1][1] == point - 1:
            spans[-1][1] = point
        else:
            spans.append([point, point])
    return "".join(f"{_escaped(a)}-{_escaped(b)}" for a, b in spans)


def _escaped(point: int) -> str:
    return f"\\U{point:08x}"


def _from_hex(ranges: str) -> str:
    return "".join(f"{_escaped(first)}-{_escaped(last)}" for first, last in _points(ranges))


def _points(ranges: str) -> Iterator[tuple[int, int]]:
    pairs = (item.partition("-") for item in ranges.split())
    return ((int(first, 16), int(last or first, 16)) for first, _, last in pairs)


# Picture characters between which a joiner means something.
EMOJI = _from_hex("2190-21ff 2300-23ff 2600-27bf 2b00-2bff 1f000-1faff")

# Scripts written without blanks between words: Han, kana, Bopomofo, Thai, Lao, Tibetan, Myanmar,
# Khmer, New Tai Lue, Tai Le, Tai Tham. Hangul is not here: Korean is written with blanks.
UNSPACED = _from_hex(
    "e01-e4e e81-edf f00-f0a f0c-fbc 1000-103f 1050-108f 1780-17d3 1950-19df 1a20-1aad 2e80-2fdf "
    "3005-3007 3031-3035 303b-303c 3041-30fa 30fc-312f 31a0-31bf 31f0-31ff 3400-4dbf 4e00-9fff "
    "aa60-aa7f f900-faff"
)
UNSPACED_ASTRAL = _from_hex("20000-3fffd")

# Every combining mark (general category M, Unicode 14) and the Hangul vowels and finals that
# compose: what canonical composition may join to the character before it.
_MARKS = (
    "300-36f 483-489 591-5bd 5bf 5c1-5c2 5c4-5c5 5c7 610-61a 64b-65f 670 6d6-6dc 6df-6e4 6e7-6e8 "
    "6ea-6ed 711 730-74a 7a6-7b0 7eb-7f3 7fd 816-819 81b-823 825-827 829-82d 859-85b 898-89f "
    "8ca-8e1 8e3-903 93a-93c 93e-94f 951-957 962-963 981-983 9bc 9be-9c4 9c7-9c8 9cb-9cd 9d7 "
    "9e2-9e3 9fe a01-a03 a3c a3e-a42 a47-a48 a4b-a4d a51 a70-a71 a75 a81-a83 abc abe-ac5 ac7-ac9 "
    "acb-acd ae2-ae3 afa-aff b01-b03 b3c b3e-b44 b47-b48 b4b-b4d b55-b57 b62-b63 b82 bbe-bc2 "
    "bc6-bc8 bca-bcd bd7 c00-c04 c3c c3e-c44 c46-c48 c4a-c4d c55-c56 c62-c63 c81-c83 cbc cbe-cc4 "
    "cc6-cc8 cca-ccd cd5-cd6 ce2-ce3 d00-d03 d3b-d3c d3e-d44 d46-d48 d4a-d4d d57 d62-d63 d81-d83 "
    "dca dcf-dd4 dd6 dd8-ddf df2-df3 e31 e34-e3a e47-e4e eb1 eb4-ebc ec8-ecd f18-f19 f35 f37 f39 "
    "f3e-f3f f71-f84 f86-f87 f8d-f97 f99-fbc fc6 102b-103e 1056-1059 105e-1060 1062-1064 "
    "1067-106d 1071-1074 1082-108d 108f 109a-109d 135d-135f 1712-1715 1732-1734 1752-1753 "
    "1772-1773 17b4-17d3 17dd 180b-180d 180f 1885-1886 18a9 1920-192b 1930-193b 1a17-1a1b "
    "1a55-1a5e 1a60-1a7c 1a7f 1ab0-1ace 1b00-1b04 1b34-1b44 1b6b-1b73 1b80-1b82 1ba1-1bad "
    "1be6-1bf3 1c24-1c37 1cd0-1cd2 1cd4-1ce8 1ced 1cf4 1cf7-1cf9 1dc0-1dff 20d0-20f0 2cef-2cf1 "
    "2d7f 2de0-2dff 302a-302f 3099-309a a66f-a672 a674-a67d a69e-a69f a6f0-a6f1 a802 a806 a80b "
    "a823-a827 a82c a880-a881 a8b4-a8c5 a8e0-a8f1 a8ff a926-a92d a947-a953 a980-a983 a9b3-a9c0 "
    "a9e5 aa29-aa36 aa43 aa4c-aa4d aa7b-aa7d aab0 aab2-aab4 aab7-aab8 aabe-aabf aac1 aaeb-aaef "
    "aaf5-aaf6 abe3-abea abec-abed fb1e fe00-fe0f fe20-fe2f "
    "1161-1175 11a8-11c2"
)
_MARKS_ASTRAL = (
    "101fd 102e0 10376-1037a 10a01-10a03 10a05-10a06 10a0c-10a0f 10a38-10a3a 10a3f 10ae5-10ae6 "
    "10d24-10d27 10eab-10eac 10f46-10f50 10f82-10f85 11000-11002 11038-11046 11070 11073-11074 "
    "1107f-11082 110b0-110ba 110c2 11100-11102 11127-11134 11145-11146 11173 11180-11182 "
    "111b3-111c0 111c9-111cc 111ce-111cf 1122c-11237 1123e 112df-112ea 11300-11303 1133b-1133c "
    "1133e-11344 11347-11348 1134b-1134d 11357 11362-11363 11366-1136c 11370-11374 11435-11446 "
    "1145e 114b0-114c3 115af-115b5 115b8-115c0 115dc-115dd 11630-11640 116ab-116b7 1171d-1172b "
    "1182c-1183a 11930-11935 11937-11938 1193b-1193e 11940 11942-11943 119d1-119d7 119da-119e0 "
    "119e4 11a01-11a0a 11a33-11a39 11a3b-11a3e 11a47 11a51-11a5b 11a8a-11a99 11c2f-11c36 "
    "11c38-11c3f 11c92-11ca7 11ca9-11cb6 11d31-11d36 11d3a 11d3c-11d3d 11d3f-11d45 11d47 "
    "11d8a-11d8e 11d90-11d91 11d93-11d97 11ef3-11ef6 16af0-16af4 16b30-16b36 16f4f 16f51-16f87 "
    "16f8f-16f92 16fe4 16ff0-16ff1 1bc9d-1bc9e 1cf00-1cf2d 1cf30-1cf46 1d165-1d169 1d16d-1d172 "
    "1d17b-1d182 1d185-1d18b 1d1aa-1d1ad 1d242-1d244 1da00-1da36 1da3b-1da6c 1da75 1da84 "
    "1da9b-1da9f 1daa1-1daaf 1e000-1e006 1e008-1e018 1e01b-1e021 1e023-1e024 1e026-1e02a "
    "1e130-1e136 1e2ae 1e2ec-1e2ef 1e8d0-1e8d6 1e944-1e94a e0100-e01ef "
)


MARKS, MARKS_ASTRAL = _from_hex(_MARKS), _from_hex(_MARKS_ASTRAL)


def _spread(ranges: Iterable[tuple[int, int]]) -> Iterator[str]:
    return (chr(point) for first, last in ranges for point in range(first, last + 1))


def _tables() -> dict[str, str]:
    table = {glyph: shape for shape, glyphs in _GLYPHS.items() for glyph in glyphs}
    table |= dict.fromkeys(INVISIBLE, "")
    for zero in _ZEROS.split():
        table |= {chr(int(zero, 16) + value): str(value) for value in range(10)}
    table["İ"] = "i\u0307"  # the one capital whose small form is two code points
    for char in _spread(_COMPATIBLE):
        table.setdefault(char, unicodedata.normalize("NFKC", char))
    for char in _spread(_CANONICAL):
        table.setdefault(char, unicodedata.normalize("NFC", char))
    for mark in _spread([(0xFC5E, 0xFC63), (0xFE70, 0xFE7F)]):  # spacing forms of Arabic points
        table[mark] = table[mark].lstrip(" ").replace("ـ", "")
    settled = {char: _settled(table, char) for char in table}
    return {char: text for char, text in settled.items() if char not in {text, *MILLI}}


def _settled(chars: dict[str, str], text: str) -> str:
    """Follow the table until nothing changes: a small form maps to a glyph that maps on."""
    while True:
        lowered = "".join(char if char == "İ" else char.lower() for char in text)
        mapped = "".join(chars.get(char, char) for char in lowered)
        composed = unicodedata.normalize("NFC", mapped)
        if composed == text:
            return text
        text = composed


@cache
def marks() -> frozenset[str]:
    """The characters of `MARKS` and `MARKS_ASTRAL`, one by one."""
    return frozenset(_spread(_points(f"{_MARKS} {_MARKS_ASTRAL}")))


@cache
def chars() -> dict[str, str]:
    """Every folded character and what it becomes, in lower case and composed; built once."""
    return _tables()
