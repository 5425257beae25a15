"""A quote is made of whole words and whole numbers, or it is not found."""

from __future__ import annotations

import pytest

from groundedgen.text.search import find

CUT_AT_THE_START = [
    ("covers the cellar", "Who discovers the cellar"),
    ("refundable fees", "Non-refundable fees"),
    ("refundable fees", "Non-\nrefundable fees"),
    ("refundable fees", "Non- refundable fees"),
    ("refundable fees", "Non\xadrefundable fees"),
    ("refundable fees", "Non\u200brefundable fees"),
    ("refundable fees", "(Non)refundable fees"),
    ("5 percent more", "by -5 percent more"),
    ("5 percent more", "by −5 percent more"),
    ("5 percent more", "by − 5 percent more"),
    ("5 percent more", "by \xad5 percent more"),
    ("5 percent more", "by -**5** percent more"),
    ("5 percent more", "by < 5 percent more"),
    ("5 percent more", "by &lt;5 percent more"),
    ("5 percent more", "by ≤5 percent more"),
    ("5 percent more", "by minus 5 percent more"),
    ("5 percent more", "by .5 percent more"),
    ("5 percent more", "by 1.5 percent more"),
    ("40 is due", "a fee of €40 is due"),
    ("40 is due", "a fee of € 40 is due"),
    ("40 is due", "a fee of EUR 40 is due"),
    ("$40 is due", "a fee of US$40 is due"),
    ("000 is due", "a fee of 5,000 is due"),
    ("000 is due", "a fee of 5 000 is due"),
    ("million is due", "some 5 million is due"),
    ("percent of it", "some 5 percent of it"),
    ("com is ours", "example.com is ours"),
    ("est couvert", "Il n'est couvert"),
    ("承保水灾损失", "本单不承保水灾损失"),
    ("คุ้มครองน้ำท่วม", "ไม่คุ้มครองน้ำท่วม"),
    ("\u0301 mark", "a\u0301 mark"),
]
CUT_AT_THE_END = [
    ("day of the dis", "day of the discovery"),
    ("it is fat", "it is fat-free"),
    ("it is a well", "it is a well-\nknown"),
    ("it is the insurer", "it is the insurer's"),
    ("the limit is $5", "the limit is $5,000"),
    ("the limit is 1", "the limit is 1.5 m"),
    ("the limit is 1.", "the limit is 1.5 m"),
    ("the limit is 1", "the limit is 1 000 m"),
    ("the limit is 5", "the limit is 5%"),
    ("the limit is 5", "the limit is 5 %"),
    ("the limit is 5", "the limit is 5 per cent"),
    ("the limit is 5", "the limit is 5 million"),
    ("the limit is five", "the limit is five million"),
    ("the limit is 5", "the limit is 5 mg"),
    ("the limit is 5", "the limit is 5 €"),
    ("the limit is 5", "the limit is 5 EUR"),
    ("the limit is 5", "the limit is 5-10"),
    ("the limit is 5", "the limit is 5 – 10"),
    ("the limit is 5", "the limit is 5½"),
    ("the limit is 5", "the limit is 5 1/2"),
    ("the limit is 10", "the limit is 10⁶"),
    ("the limit is 10", "the limit is 10^6"),
    ("the limit is 5", "the limit is 5 × 10³"),
    ("the limit is 5", "the limit is 5′"),
    ("the limit is $", "the limit is $5"),
    ("it ends at 5", "it ends at 5:30"),
    ("it ends at 5", "it ends at 5 p.m."),
    ("it ends on 5", "it ends on 5 June 2020"),
    ("see section 3", "see section 3.2"),
    ("see section 3", "see section 3a"),
    ("twenty", "twenty five"),
    ("one hundred", "one hundred and five"),
    ("it has 80 m", "it has 80 m²"),
    ("written in C", "written in C++"),
    ("written in C", "written in C#"),
    ("it is rated AA", "it is rated AA-"),
    ("it is rated AA", "it is rated AA+ now"),
    ("it is named max", "it is named max_now"),
    ("values at >", "values at ≥ 4"),
    ("wait.", "wait.. then"),
    ("either this and", "either this and/or that"),
    ("the Of", "the Of\ue000ce"),
    ("总计5", "总计5万元"),
    ("总计五", "总计五万元"),
    ("損害は補償され", "損害は補償されません"),
    ("모두 보장", "모두 보장하지"),
    ("हुए नुकसान क", "हुए नुकसान को"),
]
WHOLE = [
    ("It also covers fire", "the home.It also covers fire"),
    ("in the home", "in the home.It also"),
    ("late as he was", "he paid—late as he was"),
    ("and post-war care", "pre- and post-war care"),
    ("assuré doit payer", "L’assuré doit payer"),
    ("the policy", "the policy³ and"),
    ("in 2023", "in 2023¹ it"),
    ("as stated here", "as stated here[12]"),
    ("to us in 2023", "to us in 2023 150 times"),
    ("under clause 5", "under clause 5 may be"),
    ("all 28", "all 28 patients"),
    ("the limit is 5", "the limit is 5. Then"),
    ("5 percent more", "moved—5 percent more"),
    ("The first item", "\uf0b7The first item"),
    ("本保险承保损失", "本保险承保损失和费用"),
    ("ความเสียหายจากน้ำ", "ความเสียหายจากน้ำทุกกรณี"),
    ("boy said", "the 'boy said'"),
]


@pytest.mark.parametrize(("quote", "passage"), CUT_AT_THE_START)
def test_no_quote_starts_inside_a_word_or_number(quote, passage):
    assert find(quote, passage) is None


@pytest.mark.parametrize(("quote", "passage"), CUT_AT_THE_END)
def test_no_quote_ends_inside_a_word_or_number(quote, passage):
    assert find(quote, passage) is None or passage.startswith(quote.rstrip(".") + "..")


@pytest.mark.parametrize(("quote", "passage"), WHOLE)
def test_whole_words_and_numbers_are_found(quote, passage):
    assert find(quote, passage) is not None


@pytest.mark.parametrize(("quote", "passage"), CUT_AT_THE_START + CUT_AT_THE_END)
def test_the_same_quote_is_found_where_it_is_whole(quote, passage):
    """So none of the above is refused for another reason."""
    if quote[-1].isalnum() and quote[0].isalnum():
        assert find(quote, f"{passage}. \n\n{quote}.") is not None


@pytest.mark.parametrize(
    ("quote", "passage"),
    [
        ("150 people came", "in 2023 150 people came"),
        ("1/2 of it", "chapter 1/2 of it"),
        ("in 2019", "in 2019, 150 people"),
        ("costs in the year 5,", "costs in the year 5, and"),
    ],
)
def test_neighbouring_numbers_are_not_one(quote, passage):
    assert find(quote, passage) is not None


@pytest.mark.parametrize(
    ("quote", "passage"),
    [("the limit is 5,", "the limit is 5,\n000"), ("the limit is $", "the limit is $ 5")],
)
def test_a_number_that_goes_on_behind_a_blank_is_cut(quote, passage):
    assert find(quote, passage) is None
