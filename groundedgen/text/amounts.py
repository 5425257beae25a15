"""How much text a quote is, in words, whatever its script."""

from __future__ import annotations

from groundedgen.patterns import compiled
from groundedgen.text.folding.foldtables import UNSPACED, UNSPACED_ASTRAL

__all__ = ["word_count"]

_RUN = compiled(r"[^\W_]\S*")  # from the first letter or digit to the next blank
_KANA = compiled("[\u3041-\u30ff\u31f0-\u31ff]")
_HAN = compiled(f"[\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]|[{UNSPACED_ASTRAL}]")
_UNSPACED = compiled(f"[{UNSPACED}]|[{UNSPACED_ASTRAL}]")

# A word is on average 1.5 ideographs, 2 kana, 3.3 letters of Thai and its neighbours (marks are not
# counted): five words are 8 ideographs, 10 kana or 17 Thai letters. In tenths of a word.
_HAN_WORTH, _KANA_WORTH, _OTHER_WORTH = 7, 5, 3


def word_count(text: str, *, enough: int | None = None) -> int:
    """Words of `text`; of scripts without blanks, as many letters as a word has on average.

    Args:
        text: A folded text. What holds no letter and no digit is no word.
        enough: Counting may stop there.

    >>> word_count("the well-known rule - 5 % of it"), word_count("... - ...")
    (6, 0)
    >>> word_count("水漏れによる損害は補償されます"), word_count("水漏れ")
    (8, 1)
    """
    tenths = 0
    for match in _RUN.finditer(text):
        run = match[0]
        tenths += 10 if run.isascii() else _tenths(run)
        if enough is not None and tenths >= enough * 10:
            return enough
    return tenths // 10


def _tenths(run: str) -> int:
    letters = _UNSPACED.findall(run)
    han, kana = len(_HAN.findall(run)), len(_KANA.findall(run))
    others = len([char for char in letters if char.isalpha()]) - han - kana
    spaced = len(_SPACED.findall(_UNSPACED.sub(" ", run))) if letters else 1
    return han * _HAN_WORTH + kana * _KANA_WORTH + max(others, 0) * _OTHER_WORTH + spaced * 10


_SPACED = compiled(r"[^\W_]+")
