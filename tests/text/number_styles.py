"""Numbers written down in many ways, by construction: what a reader must give back."""

# ruff: noqa: SIM905 - number words are read as words
from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_SCALES = ((10**9, "billion"), (10**6, "million"), (1000, "thousand"))
_HAN = "零一二三四五六七八九"


def in_words(number, *, joiner=" and "):
    """An integer below a trillion in English words, the long and obvious way."""
    for scale, name in _SCALES:
        if number >= scale:
            rest = number % scale
            head = f"{in_words(number // scale, joiner=joiner)} {name}"
            if not rest:
                return head
            return f"{head}{joiner if rest < 100 else ' '}{in_words(rest, joiner=joiner)}"
    if number >= 100:
        rest = number % 100
        head = f"{_SMALL[number // 100]} hundred"
        return head + joiner + in_words(rest, joiner=joiner) if rest else head
    if number < 20:
        return _SMALL[number]
    tens, units = divmod(number, 10)
    return _TENS[tens - 2] + (f"-{_SMALL[units]}" if units else "")


def in_han(number):
    """An integer below 10^16 in Chinese numerals, section by section."""
    if number < 10:
        return _HAN[number]
    for scale, name in (
        (10**12, "兆"),
        (10**8, "亿"),
        (10**4, "万"),
        (1000, "千"),
        (100, "百"),
        (10, "十"),
    ):
        if number >= scale:
            rest = number % scale
            gap = "零" if rest and rest < scale // 10 else ""
            head = in_han(number // scale) + name
            return head + gap + in_han(rest) if rest else head
    raise AssertionError(number)


def grouped(digits, sign):
    """Digits in groups of three from the right."""
    first = len(digits) % 3 or 3
    return sign.join([digits[:first], *(digits[i : i + 3] for i in range(first, len(digits), 3))])


def indian(digits):
    """Digits in the Indian way: three, then twos."""
    if len(digits) <= 3:
        return digits
    rest, last = digits[:-3], digits[-3:]
    first = len(rest) % 2 or 2
    return ",".join([rest[:first], *(rest[i : i + 2] for i in range(first, len(rest), 2)), last])


def _shifted(text, zero):
    return "".join(chr(ord(c) - 48 + zero) if c.isdecimal() else c for c in text)


def spellings(whole, decimals):
    """Every style in which digits say the number `whole.decimals`, without doubt.

    Left out are the styles whose sign is in doubt: a lone point, or a decimal comma, before
    three digits.
    """
    point = f".{decimals}" if decimals else ""
    comma = f",{decimals}" if decimals else ""
    groups = (len(whole) - 1) // 3
    found = [whole + point, grouped(whole, ",") + point, _shifted(whole + point, 0x966)]
    found += [
        _shifted(whole + point, 0xFF10),
        grouped(whole, "'") + point,
        grouped(whole, "’") + point,
    ]
    found += [
        grouped(whole, "\u00a0") + point,
        grouped(whole, "\u202f") + point,
        indian(whole) + point,
    ]
    if len(decimals) != 3 or groups:
        found += [grouped(whole, "\u2009") + comma]
    if (groups and decimals) or groups > 1:
        found += [grouped(whole, ".") + comma]
    if decimals and len(decimals) != 3:
        found += [whole + comma]
    return found


wholes = st.integers(1, 10**11).map(str)
decimals = st.one_of(st.just(""), st.integers(0, 9999).map(lambda n: f"{n:04d}"[: n % 4 + 1]))


@st.composite
def written(draw):
    """A value, and two styles in which it is written."""
    whole, part = draw(wholes), draw(decimals)
    value = Fraction(int(whole + part), 10 ** len(part))
    styles = st.sampled_from(spellings(whole, part))
    return value, draw(styles), draw(styles)
