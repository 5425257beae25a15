"""How much text a quote is."""

from __future__ import annotations

import pytest

from groundedgen.text.amounts import word_count


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", 0),
        ("... - ...", 0),
        ("the well-known rule", 3),
        ("5 % of $40 each", 4),
        ("[2fe-2s] type", 2),
        ("보험은 화재 손해를", 3),
        ("बीमा पानी से हुए", 4),
        ("العقد شريعة المتعاقدين", 3),
        ("ａｂ", 1),
    ],
)
def test_spaced_scripts_count_words(text, words):
    assert words == word_count(text)


@pytest.mark.parametrize(
    ("text", "enough"),
    [
        ("水漏れ", False),
        ("損害は", False),
        ("水漏れによる損害は補償されます", True),
        ("本保险承保水管爆裂", True),
        ("本保险", False),
        ("ความเสียหาย", False),
        ("กรมธรรม์คุ้มครองความเสียหายจากน้ำ", True),
        ("iphone保険の契約", False),
        ("iphone 保険契約は有効です", True),
    ],
)
def test_scripts_without_blanks_count_letters(text, enough):
    assert enough == (word_count(text) >= 5)


def test_counting_may_stop_early():
    assert word_count("a " * 1_000_000, enough=5) == 5
