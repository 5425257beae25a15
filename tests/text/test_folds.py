"""Folding: lossless to wording, indifferent to typography, with a way back to the original."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from groundedgen.text.folding.foldtables import chars
from groundedgen.text.folds import normalize
from tests.growth import LINEAR, factor

ANY_TEXT = st.text(st.characters(exclude_categories=()))

# What folding is about, so that rules meet each other often.
PIECES = st.sampled_from(
    [
        *"aAbmWI 5.,-*_`&;<>/\\\"'^()\n\t=+%",
        *"ﬁİı\xad\u200b\u200d\u0301\u0323\u0307’“–—−…½²₂①×·°µßΣςά\u0e33\u0e4d\u0e32\u0e48\u05b8שלا中",
        *"\ud800\x00\x02\ufeff👩\ufe0f\u202e",
        *("&amp;", "&lt;", "&#39;", "amp;", "**", "`", "<b>", "</b>", "<sup>", "</sup>", "--"),
        *("''", "``", ". . .", "\r\n", "mW", "MW", "10", "&Prime;"),
    ]
)
TYPOGRAPHY = st.lists(PIECES, max_size=14).map("".join)

SAME = [
    ("The insurer’s duty", "The insurer's duty"),
    ("«Notice» „Notice‟", '"Notice" "Notice"'),
    ("non‑refundable SHA‐1", "non-refundable SHA-1"),
    ("pages 10–12, −4", "pages 10-12, -4"),
    ("Wait…", "Wait..."),
    ("wait . . . then", "wait ... then"),
    ("values ≥ 40 ≠ 41", "values >= 40 != 41"),
    ("of\ufb01cial \ufb02oor", "official floor"),
    ("bĳ ŉ Ǆ ſt", "bij 'n dž st"),
    ("the\r\n\tfee\u00a0 is\u202fdue", "the fee is due"),
    ("pay\u200bment \ufeffof\u2060 50\u2060%", "payment of 50%"),
    ("in\xadsurance", "insurance"),
    ("ＡＢＣ　１２３％", "abc 123%"),
    ("Ⅳ 𝐁𝐨𝐥𝐝 ㎏", "iv bold kg"),
    ("ΑΣ", "ας"),
    ("61·4%", "61.4%"),
    ("H₂O", "H2O"),
    ("80 m² and 9 m/s²", "80 m2 and 9 m/s2"),
    ("1½ cups, ½ cup", "1 1/2 cups, 1/2 cup"),
    ("1ˢᵗ and 10^3", "1st and 10³"),
    ("step ① first", "step 1 first"),
    ("٥٪ و ۱۲", "5% و 12"),
    ("الحــق ﻻ", "الحق لا"),
    ("ארה״ב אל־חוקי", 'ארה"ב אל-חוקי'),
    ("น้ํา ຄໍາ", "น้ำ ຄຳ"),
    ("ﾃｽﾄ ｶﾞ", "テスト ガ"),
    ("ന്‍", "ൻ"),
    ("parts &amp;amp; labour&nbsp;&#8217;s", "parts & labour 's"),
    ("**Note:** the `fee` is _due_ <b>now</b>", "Note: the fee is due now"),
    ("10<sup>2</sup> and the 1<sup>st</sup>", "10² and the 1st"),
    (r"\$5 of 5\% \*", "$5 of 5% *"),
    ("``Insured''", '"Insured"'),
    ("1990 -- 1995, a--b", "1990 - 1995, a-b"),
    ("rated ❤\ufe0f", "rated ❤"),
    ("5 MW", "5 mw"),
    ("25 ℃, 25 ºC", "25 °C, 25 °C"),
]
APART = [
    ("10² units", "102 units"),
    ("2023¹ report", "20231 report"),
    ("1½ cups", "11/2 cups"),
    ("10₂", "102"),
    ("①②", "12"),
    ("x²", "x2"),
    ("growth of -5", "growth of 5"),
    ("\xad5 percent", "5 percent"),
    ("5%", "5‰"),
    ("5%", "5"),
    ("€40", "$40"),
    ("12 million", "1.2 million"),
    ("5·10³", "5.10³"),
    ("x < y", "x > y"),
    ("≥ 40", "> 40"),
    ("C++", "C"),
    ("max_tokens", "maxtokens"),
    ("__init__", "init"),
    ("2*3*4", "234"),
    ("2 *3* 4", "2 3 4"),
    ("10<sup>2</sup>", "102"),
    ("<del>not</del> due", "not due"),
    ("a <b and c> d", "a d"),
    ("cœur", "coeur"),
    ("æther", "aether"),
    ("Maßen", "Massen"),
    ("kısık", "kisik"),
    ("año", "ano"),
    ("a ≠ b", "a = b"),
    ("إن", "أن"),
    ("على", "علا"),
    ("ป้า", "ป่า"),
    ("कि", "की"),
    ("p\u0430yment", "payment"),
    ("l0", "10"),
    ("Of\ue000ce", "Office"),
    ("o\ufffdcial", "official"),
    ("👩\u200d👧", "👩👧"),
    ("5 mW", "5 MW"),
    ("5&Prime;", "5&prime;"),
    ("apart", "a part"),
    ("Brand™", "Brandtm"),
    ("C:\\temp", "C:temp"),
    ("`a", "a"),
    ("p*", "p"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_typography_is_folded_away(one, other):
    assert normalize(one).text == normalize(other).text


@pytest.mark.parametrize(("one", "other"), APART)
def test_wording_is_kept(one, other):
    assert normalize(one).text != normalize(other).text


@given(ANY_TEXT | TYPOGRAPHY)
@example("&amp;" * 20 + "lt;")
@example("^\u0130\u0e48\u05b8`")
@example("\u0301\u0323" * 60)
def test_folding_twice_is_folding_once(text):
    folded = normalize(text).text
    assert folded == normalize(folded).text


@given(TYPOGRAPHY, st.sampled_from(["NFC", "NFD"]))
def test_canonically_equivalent_texts_fold_alike(text, form):
    assert normalize(text).text == normalize(unicodedata.normalize(form, text)).text


def test_every_listed_character_is_settled_and_canonical():
    """What a table puts is final, alone and between letters and digits."""
    for char in chars():
        for text in (char, f"a{char}b", f"5{char}5"):
            folded = normalize(text).text
            assert folded == normalize(folded).text, hex(ord(char))
            decomposed = unicodedata.normalize("NFD", text)
            assert folded == normalize(decomposed).text, hex(ord(char))


@given(ANY_TEXT | TYPOGRAPHY)
def test_origin_names_whole_characters_in_order(text):
    """Every folded character comes from a non-empty span, and spans never run backwards."""
    folded = normalize(text)
    last = 0
    for place in range(len(folded.text)):
        start, end = folded.origin(place, place + 1)
        assert last <= start < end <= len(text)
        last = start


@given(TYPOGRAPHY, st.data())
def test_origin_of_a_span_is_hull_of_its_characters(text, data):
    folded = normalize(text)
    start = data.draw(st.integers(0, len(folded.text)))
    end = data.draw(st.integers(start, len(folded.text)))
    first, last = folded.origin(start, end)
    if start == end:
        assert first == last
    else:
        assert first == folded.origin(start, start + 1)[0]
        assert last == folded.origin(end - 1, end)[1]


def test_origin_leaves_out_what_folded_to_nothing_at_the_edges():
    folded = normalize("\u200b **due** \u200bnow")
    assert folded.text == "due now"
    assert folded.origin(0, 3) == (4, 7)
    assert folded.origin(4, 7) == (11, 14)


def test_a_cut_through_one_original_character_is_known():
    folded = normalize("wait\u2026 o\ufb01")
    assert [folded.splits(at) for at in (4, 5, 6, 7)] == [False, True, True, False]


@pytest.mark.parametrize("text", ["", " \n", "\ud800\udc00", "\x00" * 3, "\u200b\xad", "&#xd800;"])
def test_strange_text_does_not_raise(text):
    assert isinstance(normalize(text).text, str)


@pytest.mark.parametrize(
    "unit",
    [
        *("-", " ", "\u0301", "\u0301\u0323", "a ", "&amp;", "*a ", "`a` ", "<b>a</b>", "\xad"),
        *("a\xad", "exam-\nple ", "\u200d", "…", "ﬁ", "שָׁ", "m²", "1½", "İ", "mW ", "a^2", "("),
        *("\ufdfa", "a--b "),
    ],
)
def test_time_grows_with_the_text_and_not_with_its_square(unit):
    assert factor(normalize, unit, size=15_000) < LINEAR
