"""Promises of CJK numbers that test_numerals does not make: mixed, spoken and dated ones."""

from __future__ import annotations

import pytest

from groundedgen.text.numerals import numerals


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1億2000万人", ["120000000"]),
        ("3万5千円、2.5万", ["35000", "25000"]),
        ("1억 2천만 원, 30만원", ["120000000", "300000"]),
        ("百分之三点五和三分之一", ["7/2", "1/3"]),
        ("百分之12", ["12"]),
        ("三点一四", ["157/50"]),
        ("第三条，第2章", ["None", "None"]),
        ("第四届，第1.2.3届", ["4", "None"]),
        ("二〇二四年三月五日", ["2024"]),
        ("二〇二四年十三月", []),
        ("一万五", ["None"]),
        ("三千五百", ["3500"]),
        ("1.2.3万", ["None"]),
        ("1万2万", ["30000"]),
        ("三天，十分，一般，千万", ["3"]),
        ("万" * 99, []),
        ("三" + "百" * 99, ["None"]),
        ("零分之三", []),
    ],
)
def test_cjk_numbers_are_exact_or_none(text, expected):
    assert expected == [str(n.value) for n in numerals(text) if not n.weak]


def test_units_and_labels_stand_right_after():
    day, price, article = numerals("三十天内支付1,100万元，见第三条")
    assert (day.measures, price.currency) == ({"day"}, {"CNY"})
    assert (article.label, article.key) == ("article", "3")
