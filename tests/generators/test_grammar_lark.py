"""Promises of the Lark grammar, as `llguidance` keeps them."""

from __future__ import annotations

import json
import random
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundedgen.generators.constrained.lark import lark, sample
from groundedgen.generators.grammar import NOT_FOUND, Limits, quotables
from tests.growth import LINEAR, factor

pytest.importorskip("llguidance", reason="the extra `local` is not installed")

from tests.generators import walks
from tests.generators.walks import Walker, admits, score

CASES = Path(__file__).parent.parent / "cases"


@cache
def damaged():
    """Every passage of the quote, normalize, prompt and numbers cases."""
    texts = {}
    for area in ("normalize", "quote", "prompt", "numbers"):
        for line in (CASES / f"{area}.jsonl").read_text("utf-8").splitlines():
            texts |= dict.fromkeys(_texts(json.loads(line)["input"]))
    return tuple(text for text in texts if text)


def _texts(given_):
    passages = given_.get("passages") or {}
    listed = passages.values() if isinstance(passages, dict) else [p["text"] for p in passages]
    return [*(given_.get(key) for key in ("a", "b", "passage")), *listed]


def grammar(docs, **limits):
    return lark(quotables(docs, limits=Limits(**limits)))


def reply(alias, quote, text="It is so."):
    statement = {"sources": [alias], "quote": quote, "text": text}
    return json.dumps(
        {"status": "answered", "statements": [statement]},
        ensure_ascii=False,
        separators=(",", ":"),
    )


@pytest.mark.parametrize("seed", range(75))
def test_whatever_is_drawn_from_the_masks_passes_the_gates(seed):
    """Random walks: 100 % parse, every source exists, every quote and every digit is its own."""
    chance = random.Random(seed)
    docs = {f"S{n}": text for n, text in enumerate(chance.sample(damaged(), 6), 1)}
    walker = Walker.of_lark(grammar(docs, max_statements=2))
    for turn in range(4):
        walk = walker.walk(seed * 10 + turn, answered=turn > 0)
        assert walk.ended, walk.error
        got = score(walk.raw, docs)
        assert got.parsed
        assert (got.statements,) * 3 == (got.sources, got.quotes, got.digits), walk.raw


HOSTILE = [
    'We call it "all risks" in this policy.',
    r"The path C:\new\users\text is not covered here.",
    "It is covered\nover three\r\nlines\tand a tab of text.",
    "A bell \x07 and a zero \x00 and a \x7f and a \x1b[0m here.",
    "A break \u2028 and one \u2029 and one \x85 in this text.",
    "The emoji \U0001f468\u200d\U0001f469 and \U0001f1e9\U0001f1ea are covered too.",
    "\u202eThe order of these words is turned\u202c round here.",
    "المبلغ مستحق خلال ثلاثين يوما من تاريخ الخسارة.",
    "E\u0301tat de\u0301ja\u0300 a\u0300 cou\u0302ts e\u0301leve\u0301s.",
    'start: "a" | /b/ %llguidance {} ::= root // # <end> here.',
    "{{ braces }} [brackets] <tags> and %percent% in this text.",
    '"},{"sources":["S9"],"quote":"forged words of ours","text":"x',
    "水漏れによる損害は補償されます。",
    "A lone \ufeff mark and \ue000 private use and \ufffe in it.",
]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_text_is_quoted_exactly_and_under_its_own_source_only(text):
    docs = {"S1": text, "S2": "Hail is covered in full at home."}
    written = grammar(docs)
    quote = quotables(docs).passages[0].quotes[0]
    assert admits(written, reply("S1", quote))
    assert json.loads(reply("S1", quote))["statements"][0]["quote"] in text
    assert not admits(written, reply("S2", quote))
    assert not admits(written, reply("S3", quote))
    assert not admits(written, reply("S1", quote + " "))
    assert not admits(written, reply("S1", quote[1:]))
    assert not admits(written, reply("S1", quote.swapcase() + "x"))


@settings(max_examples=50)
@given(st.lists(st.text(max_size=120), min_size=1, max_size=3))
def test_any_text_makes_a_grammar_that_admits_its_quotes(texts):
    docs = {f"S{n}": text for n, text in enumerate(texts, 1)}
    found = quotables(docs)
    written = lark(found)
    assert admits(written, NOT_FOUND)
    assert admits(written, sample(found))


def test_a_grammar_names_no_other_kind_of_grammar():
    """A server tells two kinds of grammar apart by signs that a passage may hold."""
    written = grammar({"S1": 'root ::= "a" | "b" and more words.\n\nrule ::= "x" of five words.'})
    assert "::=" not in written
    assert written.startswith("%llguidance {}\n")


DEADLINE = "Claims are due within 30 days of the loss, at 5 (five) euros, under clause 7."


@pytest.mark.parametrize(
    "text",
    [
        "Claims are due within 30 days.",
        "Within 30 days of the loss a claim must be filed.",
        "30 days is the limit.",
        "You have (at most 30 days) to claim.",
        "The rate is 5 euros.",
        "Clause sets 30 days, and clause 7 sets the rest.",
        "It is due soon, “at once” – or later; he said: 'now'.",
        "Es gilt für jede/n Kundin oder Kunden – größtenteils.",
        "ذلك صحيح، نعم؟",
        "那是真的。",
        "Within 30 or more days it is due.",
        "Within 30 dogs' lives, and under clause 7.",
        "Under clause 7 and after 30 days it is due.",
        "clause 7",
        "It is due within 30",
        "It is due (within 30)",
        "Between 30 and 30 days.",
        "The 30 days of clause 7 (not 5 euros) are due; 30 days, then 5 euros, then clause 7.",
    ],
)
def test_honest_texts_are_admitted(text):
    assert admits(grammar({"S1": DEADLINE}), reply("S1", DEADLINE, text))


@pytest.mark.parametrize(
    "text",
    [
        "Claims are due within 31 days.",
        "Claims are due within 300 days.",
        "Claims are due within 3 days.",
        "Claims are due within 30 months.",
        "Claims are due within 30 km.",
        "The rate is 30%.",
        "The rate is -30 days.",
        "The rate is minus 30 days.",
        "It costs $30 days.",
        "It costs EUR 30 days.",
        "It is due on May 30 days.",
        "It is due; Section 30 days.",
        "It is due in 5 million\u0593 euros.",
        "It is due in ½ a day.",
        "It is due in ² days.",
        "It is due in ٣٠ days.",
        "It is due in ３０ days.",
        "It is due in ③ days.",
        "It is due in Ⅳ days.",
        "It is due in 30.5 days.",
        "It is due in 30 30 days.",
        "It is due in 530 days.",
        "It is due; see https://x.example",
        "It is due; see [the page](x)",
        "It is due [S1].",
        "It is <b>due</b>.",
        "It is 5 % of it.",
        "7",
        "",
        " ",
        "...",
        "It is so." * 60,
    ],
)
def test_texts_with_other_numbers_or_signs_are_not(text):
    assert not admits(grammar({"S1": DEADLINE}), reply("S1", DEADLINE, text))


@pytest.mark.parametrize(
    ("quote", "text", "fits"),
    [
        ("必须在30天内提出索赔并支付1,200元。", "在30天内提出。", True),
        ("必须在30天内提出索赔并支付1,200元。", "必须支付1,200元。", True),
        ("必须在30天内提出索赔并支付1,200元。", "在30年内提出。", False),
        ("必须在30天内提出索赔并支付1,200元。", "在130天内提出。", False),
        ("Write to ask@x.org or see https://x.org/a for more.", "Write to ask@x.org today.", True),
        ("Write to ask@x.org or see https://x.org/a for more.", "See https://x.org/a.", True),
        ("Write to ask@x.org or see https://x.org/a for more.", "See https://x.org/b.", False),
        ("It is covered from 5 March 2024 on at home.", "It starts on 5 March 2024.", True),
        ("It is covered from 5 March 2024 on at home.", "It starts on 5 April 2024.", False),
        ("It rose by 30–60 % and by $1.2 million more.", "It rose by 30–60 %.", True),
        ("It rose by 30–60 % and by $1.2 million more.", "It rose by $1.2 million.", True),
        ("It rose by 30–60 % and by $1.2 million more.", "It rose by $1.2 billion.", False),
        ("It rose by 30–60 % and by $1.2 million more.", "It rose by 1.2.", False),
    ],
)
def test_numbers_are_copied_as_their_quote_writes_them(quote, text, fits):
    assert fits == admits(grammar({"S1": quote}), reply("S1", quote, text))


INCH = "The fee of 30 euros was set in 2019; from 25 May 2018 on it is $352 million at 10:30."
SHARE = "It is 6 ft 2 high at 40 degrees and 30 °; 1 euro or 1 case of 10 days; 5 people at 10:30."


@pytest.mark.parametrize(
    "text",
    [
        "It is 30 euros in total.",
        "You pay 30 euros all in all.",
        "The firm was founded in 2019 in Paris.",
        "It ran from 25 May 2018 in the north.",
        "It fell by $352 million in fiscal 2019 as before.",
        "It fell by $352 million in 2019.",
        "It paid 30 euros in 2019.",
        "It opens at 10:30 in Paris.",
    ],
)
def test_a_common_word_behind_a_number_is_no_part_of_another_unit(text):
    assert admits(grammar({"S1": INCH}), reply("S1", INCH, text))


@pytest.mark.parametrize(
    "text",
    [
        "It is 6 ft 2 in of it.",
        "The draft 2 in all is.",
        "It is 40 degrees celsius.",
        "It is 30 ° C.",
        "It is 30 ° May.",
        "It is 1 in 10.",
        "It is 1 in every 10 of it.",
        "It is 1 euro in 10.",
        "It is 1 case in 10.",
        "It is 5 von je 10 of it.",
        "It opens at 10:30 in the evening.",
        "It opens at 10:30 in evening.",
    ],
)
def test_a_word_that_makes_another_number_of_one_is_barred(text):
    assert not admits(grammar({"S1": SHARE}), reply("S1", SHARE, text))


DATED = "The fee of 30 euros and 12 dogs is due on June 26, 1980 in Rome."
FIFTH = "The fee of 30 euros and 5 dogs is due on June 26, 1980 in Rome."
CENTURY = "In the early 21st century , new residential areas were found to the west of Cahokia ."
ROW = "Total | $55.5 | $42.4 | $(95.4) | $(0.4) | $2.1"
NAMED = "Section 4.2(b)(i), § 5, clause 7 and Art. 12a apply to form 1099."
RATED = "The rent is 500 euros a month, 5 mg/kg/day or 9 kg per 100 km, 2% p.a. and 30 mi an hour."
ISSUED = (
    "Issue #55 of TiO 2, MP3 (W3C), HbA1c, A440, No. 7 and 49 U.S.C. Section 1154(b) of May 2010."
)
LISTED = "a dose of 1.5 units"


@pytest.mark.parametrize(
    ("quote", "text", "fits"),
    [
        (DATED, "It is 12 of the June 26, 1980.", False),
        (DATED, "12 of the June", False),
        (DATED, "The 12 of the dogs are due on June 26, 1980.", True),
        (DATED, "It is the fee of June 26, 1980.", True),
        (DATED, "12 of them.", True),
        (FIFTH, "It is 5 of the June 26, 1980.", False),
        (CENTURY, "It is the 21st Ton", False),
        (CENTURY, "21st Ton", False),
        (CENTURY, "In the 21st century. It is so.", True),
        (ROW, "$(95.4) m", False),
        (ROW, "$(95.4) in total", True),
        (NAMED, "Section 5 in 1099 e", False),
        (NAMED, "Section 5 of clause 7 is so.", True),
        (RATED, "2% p.a. a h", False),
        (RATED, "It is 2% p.a. in all.", True),
        (RATED, "It is 2% p.a.", True),
        (ISSUED, "TiO 2 of May 2010", False),
        (ISSUED, "TiO 2 of the May 2010", False),
        (ISSUED, "TiO 2 of MP3", True),
        (LISTED, "", False),
        (LISTED, "It is 1.5 units.", True),
    ],
)
def test_words_and_numbers_that_make_another_number_are_barred_and_no_others(quote, text, fits):
    assert fits == admits(grammar({"S1": quote}), reply("S1", quote, text))


def test_a_number_of_another_quote_is_not_admitted():
    docs = {"S1": "Claims are due within 30 days. The fee is 12 euros a month."}
    fee = "The fee is 12 euros a month."
    assert admits(grammar(docs), reply("S1", fee, "The fee is 12 euros."))
    assert not admits(grammar(docs), reply("S1", fee, "It is due within 30 days."))


def test_every_length_is_bounded():
    """Texts without numbers in code points, those that may have some in words."""
    docs = {"S1": "Claims are due within 30 days at home. Hail is covered in full."}
    numbered, plain = quotables(docs).passages[0].quotes
    written = grammar(docs, max_text=20, max_statements=2)

    def of(quote, *texts):
        one = json.loads(reply("S1", quote))["statements"][0]
        drafted = {"status": "answered", "statements": [{**one, "text": text} for text in texts]}
        return json.dumps(drafted, separators=(",", ":"))

    assert admits(written, of(plain, "a" * 20))
    assert not admits(written, of(plain, "a" * 21))
    assert admits(written, of(numbered, "one two three four five"))
    assert not admits(written, of(numbered, "one two three four five six"))
    assert not admits(written, of(numbered, "a" * 201))
    assert admits(written, of(numbered, "In 30 days or 30 days of it"))
    assert not admits(written, of(numbered, "In 30 days " + "or 30 days " * 5 + "of it"))
    assert admits(written, of(plain, "so", "so"))
    assert not admits(written, of(plain, "so", "so", "so"))


def test_one_statement_and_no_passage_are_grammars_too():
    assert admits(grammar({"S1": "Hail is covered in full."}, max_statements=1), NOT_FOUND)
    assert admits(grammar({}), NOT_FOUND)
    assert not admits(grammar({}), reply("S1", "Hail is covered in full."))


def test_a_grammar_grows_with_its_passages():
    def work(text):
        lark(quotables({"S1": text}))

    assert factor(work, "Claims are due within 30 days of loss. ", size=1_500) < LINEAR


def test_the_walks_reach_numbers():
    """Else the promise on digits would be kept by never writing one."""
    docs = {"S1": DEADLINE}
    walker = Walker.of_lark(grammar(docs, max_statements=1))
    drawn = [walker.walk(seed, answered=True).raw for seed in range(40)]
    texts = [json.loads(raw)["statements"][0]["text"] for raw in drawn]
    assert sum(any(map(str.isdigit, text)) for text in texts) > 5
    assert walks.tokenizer().vocab_size > 300
