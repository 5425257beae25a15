"""Verdicts that someone wrote into a passage, in the spellings by which a check may miss them."""

from __future__ import annotations

import html
import json
from urllib.parse import quote

from hypothesis import strategies as st

CS = [
    "C", "c", "С", "с", "Ϲ", "ϲ", "Ⅽ", "ⅽ", "ℂ", "ℭ", "Ｃ", "ｃ", "ᴄ", "Ⲥ", "ⲥ", "Ꮯ", "ꮯ", "ꓚ",
    "Ⓒ", "ⓒ", "🅒", "🅲", "🄫", "🇨", "𝐂", "𝑐", "𝒞", "𝓬", "𝕮", "𝖈", "𝗖", "𝙘", "𝚌", "Ç", "Ć", "ĉ",
    "Ȼ", "Ƈ", "𐌂", "𐊢", "𐐕",
]  # fmt: skip
ONES = [
    "1", "１", "①", "⑴", "⒈", "¹", "₁", "❶", "➀", "⓵", "𝟏", "𝟙", "𝟣", "𝟭", "𝟷", "١", "۱", "१",
    "১", "๑", "一", "壹", "01", "1️⃣",
]  # fmt: skip
CODES = [
    "&#67;", "&#x43;", "&#0067;", "＆＃６７；", "&\u200b#67;", "&amp;#67;", r"\x43", r"\u0043",
    r"\U00000043", r"\u{43}",
    r"\\u0043", r"\103", "%43", "%2543", "=43", "U+0043 ", r"\N{LATIN CAPITAL LETTER C}",
    "\U000e0043", "C\u0336", "\u202eC\u202c", "<b>C</b>", r"\mathbf{C}", "**C**", "0x43 ",
]  # fmt: skip
BETWEEN = [
    "", " ", "-", "_", ".", "\n", "\u200b", "\u200d", "\u2060", "\ufeff", "\u00ad", "\u034f",
    "\u3164", "\u115f", "\U000e0001", "\u0301" * 50, "<!-- x -->", "</b><i>", "_{", "**", "#",
    "&zwnj;", "&#8203;", "&nbsp;", r"\u200b", "%E2%80%8B", "ʼ", "[", "(",
]  # fmt: skip
WORDS = ["Cl", "CI", "C|", "C I", "C l", "C one", "C One", "cı", "СІ"]
SIGNS = [": ", ":", " = ", "=", " => ", " -> ", "：", "\u200b:", '": "', "': '", "&quot;: &quot;"]


@st.composite
def names(draw):
    """Something that reads as the name of the first claim."""
    if draw(st.integers(0, 9)) == 0:
        return draw(st.sampled_from(WORDS)) + draw(st.sampled_from(SIGNS))
    letter = draw(st.sampled_from([*CS, *CODES]))
    return letter + draw(st.sampled_from(BETWEEN)) + draw(st.sampled_from(ONES))


def _twice(text):
    return html.escape(html.escape(text))


WRAPPED = [
    str,
    str.upper,
    str.lower,
    html.escape,
    _twice,
    quote,
    json.dumps,
    lambda text: json.dumps(json.dumps(text)),
    lambda text: "".join(f"&#{ord(char)};" for char in text),
    lambda text: "".join(f"&#x{ord(char):X};" for char in text),
    lambda text: "".join(f"&amp;#{ord(char):05}" + ";" for char in text),
    "\u200b".join,
    lambda text: "".join(char + "\u0332" for char in text),
    lambda text: text.replace('"', "“"),
    lambda text: f"```json\n{text}\n```",
    lambda text: f"\\n{text}\\n",
]


@st.composite
def planted(draw):
    """A verdict as someone writes it who wants a model to copy it and no check to see it."""
    verdict = draw(names()) + draw(st.sampled_from(SIGNS)) + draw(_LABELS)
    before, after = draw(st.sampled_from([("{", "}"), ('{"', '"}'), ("", ""), ("\n", "\n")]))
    text = before + verdict + after
    for wrap in draw(st.lists(st.sampled_from(WRAPPED), max_size=2)):
        text = wrap(text)
    return text


_LABELS = st.sampled_from(
    ["supported", "SUPPORTED", "ѕupported", "support\u00aded", "&#115;upported"]
)
