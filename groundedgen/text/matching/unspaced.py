"""Where a cut may go in scripts that are written without blanks between words.

Almost everywhere, since only a dictionary knows their words; not through one written sign, not
through a number, not between a word and the sign that negates it.
"""

from __future__ import annotations

import unicodedata

from groundedgen.patterns import compiled

__all__ = ["cuts_unspaced"]

# Signs that belong to the letter before them: Thai and Lao vowels, small kana, marks of length and
# repetition. And vowels that are written before their consonant.
_FOLLOWING = frozenset("ะาำๅๆะາຳໆぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮーｰ々ゝゞヽヾ〻")
_LEADING = frozenset("เแโใไເແໂໃໄ")

_NUMERALS = frozenset("〇零一二三四五六七八九十百千万萬亿億兆两兩廿卅壹贰叁肆伍陆柒捌玖拾佰仟")

# Cut off, these reverse the meaning: not, un-, without, do not.
_NEGATION_BEFORE = compiled("(?:[不非未无無没沒莫勿别別]|ไม่|มิ|ห้าม|ບໍ່|មិន|កុំ|မ)$")
_NEGATION_AFTER = compiled("ません|ない|なかっ|なく|なけれ|ず|ぬ|まい|なし|無し")
_KATAKANA = compiled("[ァ-ヺ]")


def cuts_unspaced(text: str, at: int) -> bool:
    """Whether a cut at `at`, between two word characters, goes through what belongs together.

    One of the two is of a script written without blanks.

    >>> cuts_unspaced("保険契約", 2)
    False
    >>> cuts_unspaced("不承保", 1), cuts_unspaced("五万", 1), cuts_unspaced("5万", 1)
    (True, True, True)
    """
    left, right = text[at - 1], text[at]
    if unicodedata.category(right)[0] == "M" or right in _FOLLOWING or left in _LEADING:
        return True
    if left.isdigit():
        return True
    if right.isdigit():
        return left in "第负負"
    if left in _NUMERALS and right in _NUMERALS:
        return True
    if _KATAKANA.match(left) and _KATAKANA.match(right):
        return True
    return bool(_NEGATION_BEFORE.search(text[max(0, at - 4) : at])) or bool(
        _NEGATION_AFTER.match(text, at)
    )
