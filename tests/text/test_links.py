"""What a renderer could make live, and what it could not."""

from __future__ import annotations

import pytest

from groundedgen.text.markdown.links import links
from tests.growth import LINEAR, factor

LIVE = [
    "See https://evil.example/a?b=1 now.",
    "see www.evil.example",
    "see WWW.EVIL.EXAMPLE",
    "ftp://x.example/z",
    "write to mailto:a@b.example",
    "visit //evil.example/x",
    "<https://evil.example>",
    "h\u200bttps://evil.example",
    "https&#58;//evil.example/x",
    "![x](https://e.example/a.png)",
    "[here](/x)",
    "[1]: https://e.example",
    "<img src=x>",
    "<IMG SRC=x>",
    "<a href='x'>",
    "</a>",
    "<b onclick=x>y</b>",
    "javascript:alert(1)",
    "data:text/html,xx",
    "<svg/onload=x>",
]
PLAIN = [
    "The fee is [1][2] due.",
    "JavaScript: the good parts",
    "data: the results are in",
    "if x < a then b > c",
    "if x <a then",
    "and//or",
    "The ratio is 3:4.",
    "C:\\temp",
    "Note [a]: text of it",
    "http is a protocol: see above",
    "5 > 3 and 2 < 4 = right",
    "",
]


@pytest.mark.parametrize("text", LIVE)
def test_what_could_be_live_is_found(text):
    assert links(text)


@pytest.mark.parametrize("text", PLAIN)
def test_plain_words_are_no_links(text):
    assert links(text) == ()


def test_an_address_of_the_source_is_its_own_word():
    source = "Claims go to https://a.example/claims, or by post."
    assert links("Write to https://a.example/claims.", [source]) == ()
    assert links("Write to https://a.example/claim.", [source]) == ("https://a.example/claim",)
    assert links("Write to https://a.example.", [source]) == ("https://a.example",)


def test_markup_is_never_allowed_even_if_the_source_has_it():
    text = "![x](https://a.example/a.png)"
    assert links(text, [text])


def test_a_second_address_is_not_covered_by_the_first():
    source = "See https://a.example/claims now."
    assert links("https://a.example/claims and h\u200bttps://evil.example", [source])


@pytest.mark.parametrize("unit", ["[", "<a ", "](", "http://", "<", "[x]: ", "//a"])
def test_time_grows_with_the_text(unit):
    assert factor(lambda text: links(text, ["none"]), unit, size=20_000) < LINEAR
