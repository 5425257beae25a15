"""Digits that name instead of count: sections, standards, versions, forms, codes, markers.

They are compared as written. What a number labels ("Section", "§") is folded to one spelling
and Roman numerals after it to digits; nothing else about a name is. All functions take a
cleaned text (see `cleaning`).
"""

from __future__ import annotations

from typing import Final

from groundedgen.patterns import compiled
from groundedgen.text.numbers.heads import is_latin, word_before
from groundedgen.text.numbers.labels import CAPITAL, LABELS, NUMBER_SIGNS, POINTED
from groundedgen.text.numbers.quantity import Numeral, written_key
from groundedgen.text.numbers.tails import LETTER

__all__ = [
    "bracket_end",
    "chunk",
    "identifier",
    "is_label",
    "label_before",
    "label_end",
    "markers",
    "name_key",
    "roman_label",
    "roman_value",
    "web_names",
]

_ROMAN: Final = compiled(
    r"\.?\s{1,3}(?P<roman>(?=[IVXLC])C{0,3}(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3}))"
    rf"(?P<suffix>[a-cA-C]?)(?![^\W_]|['-]{LETTER})"
)
_ROMAN_VALUES: Final = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}
_POINT: Final = r"(?:[A-Za-z]|[ivxIVX]{2,5}|[0-9]{1,3})"  # (b), (iii), (12)
_LABEL_BODY: Final = compiled(
    rf"[0-9]+[A-Za-z]?(?!{LETTER})(?:\.[0-9]+)*[A-Za-z]?(?!{LETTER})"
    rf"(?:-[A-Za-z]{{1,2}}[0-9]*(?!{LETTER}|[0-9])|(?<=[A-Za-z])-[0-9]+)?"
    rf"(?:[ ]?\({_POINT}\))*(?:[ ]?(?:bis|ter|quater|quinquies|sexies|septies)(?!{LETTER}))?"
)
_GROUPED: Final = compiled(r"[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])")
_BRACKETS: Final = compiled(rf"(?:\({_POINT}\))+")
_CHUNK_RIGHT: Final = compiled(
    r"(?:[^\W_]|_|(?:[-\x96](?![a-z]{3,})|[.:+])(?=[^\W_]))*+"
    rf"(?:\({_POINT}\))*+"
)
# [2], [S1], [1, 3], [2-4], [^1], (S1), and the marks of other systems; not the amount [5,000].
_MARKER: Final = compiled(
    r"\[(?!\d{1,3}(?:,\d{3})+\])[ ]?[\^Ss#]?\d{1,3}(?:[ ]?[,;\x96—-][ ]?[Ss]?\d{1,3})*[ ]?\]"
    r"|\(S\d{1,3}(?:, ?S\d{1,3})*\)|【[^】\n]{1,60}】|\ue200[^\ue201]{0,400}\ue201"
)
_WEB: Final = compiled(
    r"(?:https?://|www\.)[^\s<>\"'()]+|(?<![\w.+-])[\w.+-]{1,64}@[\w-]+\.[\w.-]+"
)
_SEPARATED: Final = compiled(
    rf"(?<={LETTER})[- ]+(?=[0-9])|(?<=[0-9])[- ]+(?={LETTER})|(?<=[0-9a-z)])[ ]+(?=\()"
)
_YEAR: Final = compiled(r"(?:19|20)[0-9]{2}(?![0-9])")
_NO_BRAND: Final = ("Mc", "De", "O'")  # surnames with a capital inside
_FURTHEST: Final = 40  # code points that a name may reach to the left of its first digit


def name_key(written: str) -> str:
    """A name as it is compared: COVID-19, Covid 19 and COVID19 are one, 1.2 and 1.20 two.

    >>> name_key("COVID–19"), name_key("ISO 9001"), name_key("4.2(b)")
    ('covid19', 'iso9001', '4.2(b)')
    """
    return _SEPARATED.sub("", written_key(written))


def identifier(text: str, start: int, end: int, label: str = "", body: str = "") -> Numeral:
    """A name with digits, compared as written (or as `body`, where only that counts)."""
    written = text[start:end]
    key = name_key(body or written)
    return Numeral(start, end, end, written, "identifier", key=key, label=label)


def is_label(word: str) -> bool:
    """Whether a word may make the number after it a name; `label_before` decides.

    >>> is_label("Section"), is_label("Nr"), is_label("within"), is_label("iPhone")
    (True, True, False, True)
    """
    low = word.lower()
    return (
        low in LABELS
        or low in NUMBER_SIGNS
        or word == "P"
        or not (word.islower() or word.istitle())
    )


def label_before(text: str, start: int) -> tuple[str, int]:
    """What the number at `start` labels, in one spelling, and where that word begins.

    A name like ISO has no label of its own: it is a part of what is compared. Where nothing
    is labelled, `start` comes back.

    >>> label_before("see Section 4", 12), label_before("§ 823 BGB", 2), label_before("form 10", 5)
    (('section', 4), ('section', 0), ('', 5))
    >>> label_before("ISO 9001", 4)
    ('', 0)
    """
    place = start - 1 if start and text[start - 1] in " \xa0" else start
    if place and text[place - 1] in "§¶#№":
        return _after_sign(text, start, place)
    word, begin, dot = word_before(text, start)
    if not word or (begin and (text[begin - 1].isalnum() or text[begin - 1] == "_")):
        return "", start
    low = word.lower()
    if low in NUMBER_SIGNS:
        marked = dot or text[begin + len(word)] in "º°" or low in {"nr", "nº"}
        return ("no", begin) if marked else ("", start)
    brand = _is_brand(text, word, begin) and not _YEAR.match(text, start)
    label = LABELS.get(low, "" if brand else None)
    capital = word[0].isupper()
    if label is None or (low in CAPITAL and not capital):
        return "", start
    if low in POINTED and not dot and not capital:
        return "", start
    if dot and len(low) > 5:  # "... of this article. 5 days later"
        return "", start
    return label, begin


def _after_sign(text: str, start: int, place: int) -> tuple[str, int]:
    sign = text[place - 1]
    if sign == "#" and place != start:
        return "", start
    begin = place - 2 if place > 1 and text[place - 2] == sign else place - 1
    return {"§": "section", "¶": "paragraph"}.get(sign, "no"), begin


def _is_brand(text: str, word: str, begin: int) -> bool:
    """Whether a word with a capital inside it (iPhone, S&P) makes the number after it a name."""
    if word == "P":
        return text.startswith("S&", max(0, begin - 2))
    inner = word[1:]
    return (
        inner.isalpha()
        and any(map(str.isupper, inner))  # Arabic or Hindi words have no small letters either
        and not word.isupper()
        and word[:2] not in _NO_BRAND
    )


def label_end(text: str, start: int) -> int:
    """Where the number of a label that begins at `start` ends, letters and brackets included.

    >>> label_end("4.2(b)(i), 5", 0), label_end("1099-K filed", 0), label_end("12 days", 0)
    (9, 6, 2)
    """
    match = _LABEL_BODY.match(text, start)
    return match.end() if match and not _GROUPED.match(text, start) else start


def roman_label(text: str, word: str, at: int) -> Numeral | None:
    """The Roman number after a label word at `at`, as a name in digits: Article IV is Article 4."""
    if word in CAPITAL and not text[at].isupper():
        return None
    match = _ROMAN.match(text, at + len(word))
    if not match or not match["roman"]:
        return None
    key = f"{roman_value(match['roman'])}{match['suffix'].lower()}"
    return identifier(text, match.start("roman"), match.end(), LABELS[word], key)


def roman_value(letters: str) -> int:
    """The value of a Roman number in capitals, up to 300.

    >>> roman_value("XIV"), roman_value("VIII")
    (14, 8)
    """
    values = [_ROMAN_VALUES[letter] for letter in letters]
    later = [*values[1:], 0]
    return sum(-v if v < after else v for v, after in zip(values, later, strict=True))


def chunk(text: str, start: int, end: int) -> tuple[int, int]:
    """The whole name round the digits `[start, end)`: letters, digits and the signs between them.

    >>> text = "the F-16s, B2B and SHA-256-based"
    >>> [text[slice(*chunk(text, at, at + 1))] for at in (6, 12, 23)]
    ['F-16s', 'B2B', 'SHA-256']
    """
    left = start
    while left > 0 and start - left < _FURTHEST:
        before = text[left - 1]
        if _in_name(before) or before == "_":
            left -= 1
        elif before in "-\x96.+" and left > 1 and _in_name(text[left - 2]):
            left -= 2
        else:
            break
    match = _CHUNK_RIGHT.match(text, end, min(len(text), end + 2 * _FURTHEST))
    return left, match.end() if match else end


def _in_name(char: str) -> bool:
    return is_latin(char) or char.isdecimal()


def bracket_end(text: str, offset: int) -> int:
    """Where "(b)(i)" glued to a number ends, or `offset`."""
    match = _BRACKETS.match(text, offset)
    return match.end() if match else offset


def markers(text: str) -> list[tuple[int, int]]:
    """The spans of citation and note markers.

    >>> markers("It is so [2], [S1, S3] but for [5,000] euros [see 4]")
    [(9, 12), (14, 22)]
    """
    if any(sign in text for sign in ("[", "(S", "【", "\ue200")):
        return [match.span() for match in _MARKER.finditer(text)]
    return []


def web_names(text: str) -> list[tuple[int, int]]:
    """The spans of web and mail addresses that hold a digit: the others hold no number."""
    if "://" in text or "www." in text or "@" in text:
        found = _WEB.finditer(text)
        return [match.span() for match in found if any(map(str.isdecimal, match[0]))]
    return []
