"""Citation marks of other systems, which models write from habit: they go whole.

Each is a mark that its own system would have taken out before showing the text. None can
point at a passage of ours, whatever number it holds.
"""

from __future__ import annotations

from groundedgen.patterns import lazy

__all__ = ["foreign_marks"]

# Private-use signs round a tool's reference, as they are and written out as an escape.
_SIGN = r"(?:[\uE200-\uE206]|\\u[eE]20[0-6])"
_TURN = r"turn[0-9]{1,4}(?:[a-z_]{2,30}[0-9]{1,4})++"

_CUT_OPEN = (
    rf"(?<![\uE200-\uE206])(?<!\\u[eE]20[0-6]){_SIGN}++(?:[a-z]{{2,12}}{_SIGN}++)?"
    rf"(?:{_TURN}{_SIGN}*+)++"
)
_PLACEHOLDER = (
    r"\{\{\s?+(?:source|src|cite|citation|ref|reference|doc|document|passage)s?[:|#\s]"
    r"[^{}\r\n]*+\}\}"
)
_TOOLS = ("[web:", "[news:", "[attached_file:", "[memory:", "[search:")
_FOREIGN = lazy(
    "|".join(
        (
            r"\uE200[^\uE200\uE201\r\n]*+\uE201",  # from the sign that opens to the one that closes
            _CUT_OPEN,
            rf"(?<!\w)(?:file|nav)?cite(?:{_SIGN}*+{_TURN})++{_SIGN}*+",  # its signs got lost
            r"【[^【】†\r\n]*+†[^【】\r\n]*+】",  # as in 【4:0†source】
            r"\[[0-9]{1,4}(?::[0-9]{1,4})?†[^\[\]\r\n]*+\]",
            r"【[0-9]{1,4}:[0-9]{1,4}】",
            rf"[\[【](?:cite[:\s]?)?{_TURN}(?:\s?+[,;]\s?+{_TURN})*+[\]】]",
            r"(?::contentReference)?\[oaicite:[0-9]{1,4}\](?:\{index=[0-9]{1,4}\})?",
            r"\[cite_(?:start|end)\]",
            r"\[\^[0-9]{1,4}\^\]",
            r"\[(?:web|news|attached_file|memory|search):[0-9]{1,4}\]",
            r"</?co:\s?+[0-9][0-9,\s]{0,60}+>",
            _PLACEHOLDER,
        )
    )
)
# Cheap to look for; one of them is in every mark. "turn" alone is in many words as well.
_SIGNS = tuple("\ue200\ue201\ue202\ue203\ue204\ue205\ue206†【")
_WORDS = ("oaicite", "[cite_", "[^", "{{", "co:", *_TOOLS)
_TURNS = lazy("turn[0-9]")


def foreign_marks(text: str) -> list[tuple[int, int]]:
    """Spans of other systems' citation marks, in order.

    >>> [text[a:b] for text in ["So【4:0†source】."] for a, b in foreign_marks(text)]
    ['【4:0†source】']
    >>> foreign_marks("It is so [7], see 【重要】 and [^9].")
    []
    """
    if _may_hold_one(text) or ("turn" in text and _TURNS.search(text)):
        return [match.span() for match in _FOREIGN.finditer(text)]
    return []


def _may_hold_one(text: str) -> bool:
    """Whether a hint is in the text; most texts are through after three looks."""
    if ("[" in text or "{{" in text or "co:" in text) and any(word in text for word in _WORDS):
        return True
    return not text.isascii() and any(sign in text for sign in _SIGNS)
