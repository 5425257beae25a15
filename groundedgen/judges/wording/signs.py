"""Signs that mean what a word means: HIV+ and HIV-, sodium ↑ and ↓, p < 0.05, A ≠ B, ✓ and ✗, ♂.

Words are cut without them, so a claim that changes nothing but a sign has "the same words". What
is printing and no meaning stays equal: kinds of hyphens and dashes, quotation marks, bullets,
stops, "x" for "×", and tags of HTML.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Final, NamedTuple

from groundedgen.judges.wording.flips import Flip
from groundedgen.patterns import lazy

if TYPE_CHECKING:
    from groundedgen.judges.wording.alignment import Alignment
    from groundedgen.text.english.analysis import Analysis

__all__ = ["Sign", "signs", "signs_of"]

# One spelling for each sign.
_ONE: Final = {
    spelled: value
    for value, spellings in {
        "≤": "<= =< ⩽ ≦", "≥": ">= ⩾ ≧", "≠": "!= <> ≢", "=": "== ＝", "<": "＜", ">": "＞",
        "±": "+/- +-", "+": "＋ ﹢ ⁺ ₊ ➕", "≈": "~ ∼ ≃ ≅ ≒",
        "→": "-> --> => ⇒ ➔ ➜ ➡ ⟶", "←": "<- <-- ⇐ ⬅ ⟵", "↔": "<-> <=> ⇔ ⇄",
        "↑": "⇑ ⬆ ▲ △ 🔺", "↓": "⇓ ⬇ ▼ ▽ 🔻",
        "✓": "✔ ✅ ☑ 🗸 🗹", "✗": "✘ ❌ ❎ ☒ ✕ ✖",
    }.items()
    for spelled in spellings.split()
}  # fmt: skip
_DASHES: Final = r"\-\u2010-\u2013\u2212\ufe63\uff0d\u207b\u208b"
_TAGS: Final = (
    "a|b|br|code|del|div|em|h[1-6]|hr|i|img|ins|li|mark|ol|p|pre|s|small|span|strong|sub|sup|table"
    "|tbody|td|th|thead|tr|u|ul"
)
# What is a symbol to Unicode and none to a reader: lines of tables, bullets, marks of a trade,
# circled letters, and what the numbers read (units, fractions).
_PRINTING: Final = (
    r"\xa9\xae\u2122\xb0\xa6|^`\u2044\u2215\u2219\u22c5\u2116\u2117\u2120\u2121\u2103\u2109\u2206"
    r"\u2460-\u24ff\u2500-\u259f\u25a0\u25a1\u25aa\u25ab\u25b6-\u25bb\u25c6\u25c7\u25ca\u25cb\u25cf"
    r"\u25d8\u25e6\u25fb-\u25fe\u2b1b\u2b1c\ufffc\ufffd\xd7"
)
_SIGN: Final = lazy(
    rf"(?V1)(?P<skip></?(?i:{_TAGS})(?:\s[^<>]*)?/?>|(?m:^)\s*[>+~*{_DASHES}](?=\s)|~~"
    r"|[+=\-_]{4,}|(?<!\w)\+(?=\d)|(?<=\d)[⁺⁻](?=[⁰¹²³⁴-⁹])"
    # "short- and long-term", a word that is parted at the end of a line
    rf"|(?<=\p{{Ll}}\p{{Ll}})[{_DASHES}](?=[ ](?:and|or|to|nor)\b|\s*\n))"
    r"|(?P<sign><(?=-\d)|>=|(?<!<)=>(?=\s?\d)|<=(?!>)|=<|!=|<>|==|<?-{1,2}>|<-{1,2}(?!\d)|<?=>"
    rf"|\+/-|\+-(?=\s?\d)|(?<=[(\[])[{_DASHES}](?=[)\]])"
    # behind a name: HIV-, A-, Rh-
    rf"|(?<=\p{{Lu}}[\p{{L}}\d/+]{{0,2}}|\p{{Lu}}{{2}}[\p{{L}}\d/+]{{0,6}}|\p{{L}}\d+|[/)\]])"
    rf"[{_DASHES}](?=\Z|[\s.,;:!?)\]\"'’”](?!\n))"
    rf"|~(?=\s?\d)|[[\p{{Sm}}\p{{So}}⁺⁻₊₋]--[{_PRINTING}\u2212~]])"
)
# Left out, they say nothing: "n = 12" is 12, and pictures decorate.
_WEAK: Final = lazy(r"=|\p{So}+")
_DASH: Final = lazy(rf"[{_DASHES}]")
_STRONG: Final = frozenset("→←↔↑↓✗♂♀⚥★☆☐👍👎🔴🟠🟡🟢⚪⚫")
_REFUSING: Final = frozenset("✗☐👎")


class Sign(NamedTuple):
    """One or more signs side by side, and the content words that stand around them.

    Attributes:
        value: In one spelling of each.
        before: Place of the content word before, if any.
        after: Place of the content word behind, if any.
        held: Of these two what it is said of: the one that it is glued to, else both; none
            where it is glued to a word without content ("A+").
        opens: Whether it opens its line, as bullets do.
    """

    value: str
    before: int | None
    after: int | None
    held: tuple[int, ...]
    opens: bool


def signs_of(side: Analysis) -> list[Sign]:
    """The signs of a sentence, in order.

    >>> from groundedgen.text.english.analysis import analyse
    >>> [sign.value for sign in signs_of(analyse("HIV\u2212 and Rh+ \u2013 at p <= 5 - so"))]
    ['-', '+', '≤']
    """
    found: list[Sign] = []
    end = -1
    for match in _SIGN.finditer(side.text):
        if match["sign"] is None:
            continue
        value = _value(side.text, match[0], match.end())
        if match.start() == end:  # three stars and two are two ratings
            found[-1] = found[-1]._replace(value=found[-1].value + value)
        else:
            found.append(_placed(side, value, match.start(), match.end()))
        end = match.end()
    return found


def _value(text: str, raw: str, end: int) -> str:
    if raw == "=>" and text[end:].lstrip()[:1].isdigit():
        return "≥"
    return "-" if _DASH.fullmatch(raw) else _ONE.get(raw, raw)


def _placed(side: Analysis, value: str, start: int, end: int) -> Sign:
    starts = [word.start for word in side.words]
    left, right = bisect_left(starts, start) - 1, bisect_left(starts, end)
    before, after = side.last_content(left + 1), side.next_content(right)
    line = side.text.rfind("\n", 0, start) + 1
    opens = not any(char.isalnum() for char in side.text[line:start])
    on_left = left >= 0 and side.words[left].end == start
    on_right = right < len(starts) and starts[right] == end
    if on_left == on_right:
        held = tuple(place for place in (before, after) if place is not None)
    else:
        place = left if on_left else right
        held = (place,) if place in side.keys else ()
    return Sign(value, before, after, held, opens)


def signs(al: Alignment) -> Flip | None:
    """A sign is said of the word beside it, in the claim as in the sentence."""
    theirs = signs_of(al.sentence)
    ours = signs_of(al.claim)
    for sign in ours:
        if not any(_agree(al, sign, other) for other in theirs):
            return Flip("signs", f'the claim says "{sign.value}" where the passage does not')
    for other in theirs:
        if _is_kept(al, other) and not any(_agree(al, sign, other) for sign in ours):
            return Flip("signs", f'the claim drops "{other.value}" of the passage')
    return None


def _agree(al: Alignment, ours: Sign, theirs: Sign) -> bool:
    """Whether two signs are one, said of the same word."""
    if ours.value != theirs.value:
        return False
    pairs = ((ours.before, theirs.before), (ours.after, theirs.after))
    if any(here is not None and al.there.get(here) == there for here, there in pairs):
        return True
    return all(here is None and there is None for here, there in pairs)


def _is_kept(al: Alignment, sign: Sign) -> bool:
    """Whether a claim that keeps what a sign is said of must keep the sign."""
    weak = _STRONG.isdisjoint(sign.value) and _WEAK.fullmatch(sign.value) is not None
    bullet = sign.opens and _REFUSING.isdisjoint(sign.value)
    if weak or bullet:
        return False
    if sign.held:
        return any(place in al.here for place in sign.held)
    around = [place for place in (sign.before, sign.after) if place is not None]
    return all(place in al.here for place in around)
