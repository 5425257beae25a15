"""A search for texts that the Lark grammar admits and a check on digits turns down.

Pieces that numbers are read by (units, months, labels, codes, number words, signs, marks, and
the numbers of the quote itself) are put together by chance, as far as the grammar lets them; a
walk over its masks would meet a "km" behind a number once in a lifetime. What is found is cut
down to its shortest. Longer, some minutes on one core:

    GROUNDEDGEN_WALKS=20000 python -m pytest -n0 tests/generators/test_grammar_search.py
"""

# ruff: noqa: SIM905 - a table of words is read as words
from __future__ import annotations

import json
import os
import random
from functools import cache

import pytest
import regex

from groundedgen import draft
from groundedgen.constraints import broken
from groundedgen.generators.constrained.copied import copied, has_digit
from groundedgen.generators.constrained.lark import lark
from groundedgen.generators.grammar import Limits, quotables
from groundedgen.text.holdings import holdings
from groundedgen.text.markdown.links import links
from groundedgen.text.numbers import units
from groundedgen.text.numbers.labels import LABELS, NUMBER_SIGNS
from groundedgen.text.numbers.months import MONTHS
from groundedgen.text.numbers.numwords import LANGUAGES
from groundedgen.text.numerals import numerals
from groundedgen.values import Reply

pytest.importorskip("llguidance", reason="the extra `local` is not installed")

from llguidance import LLMatcher

from tests.generators.test_grammar_lark import damaged
from tests.generators.walks import tokenizer

WALKS = int(os.environ.get("GROUNDEDGEN_WALKS", "600"))  # of each seed
EACH = 20  # of one passage, before the next

HARD = [
    "The fee of 30 euros is due in 5 days, and 12 km are free.",
    "The office opens at 10:30 and closes at 5 pm on 3 May 2024.",
    "From 9 to 11 am or 5:30-7:00 pm, on Mondays at 17h30 and at 8 in the evening.",
    "At 5.30 a.m., 17h30, 9 o'clock, noon, 23:59:59 and 24/7.",
    "In the 1990s, on 2024-05-01 and 05/03/24, it was 3:2.",
    "必须在30天内提出索赔并支付1,200元，即三十万日元。",
    "30日以内に1,200円を支払う必要があります。第5条による。",
    "수수료는 30일 이내에 1,200원을 내야 합니다.",
    "ค่าธรรมเนียม ๓๐ บาท ภายใน 5 วัน ต้องชำระ",
    "يجب الدفع خلال ٣٠ يوما ومبلغ ١٢٬٥٠٠ دولار.",
    "दावा ३० दिन के भीतर ५,००० रुपये तक दर्ज होना चाहिए।",
    "Срок 30 дней, сумма 5 тыс. рублей и 2 млн долларов до 5 мая.",
    "התשלום הוא 30 ימים ו-5 אלף דולר עד 12.5 אחוז.",
    "See Article IV and Schedule XII, Part II of the Act, No. 5.",
    "Section 4.2(b)(i), § 5, clause 7 and Art. 12a apply to form 1099.",
    "Sections 4 and 5, Articles 5 to 7, Rooms 12 and 345 and paragraph 3 apply since 1 July 2023.",
    "ISO 9001, RFC 2119, COVID-19, F-16 and iPhone 15 are named.",
    "About ½ of them, 2½ cups, ¾ inch and 3 1/2 hours are lost.",
    "An area of 5 m² or 30 m³, note¹ and x² grow by 10⁻³.",
    "Write to https://a.example/b?c=1 or a@b2.example, version 3.10.",
    "Call +49 30 1234567 or 0800 123 4567 between 9 and 5.",
    "Account 4111 1111 1111 1111, IBAN DE89 3704 0044 0532 0130 00, ref 12-345-678.",
    "The range is 20–30 °C, 5-10 mg or $5–10 million a year.",
    "It costs €12.50, £3, CHF 1'200.50, Rs 12 or 40 USD per month.",
    "The rent is 500 euros a month, 5 mg/kg/day or 9 kg per 100 km, 2% p.a. and 30 mi an hour.",
    "Take 5 mg twice daily, 2 tablets 3 times a day, every 8 hours, for 10 days (max. 40 mg).",
    "He waited 3 hours and 18 minutes, then 2 years and 6 months, 5 feet 9 inches and 3 euros.",
    "It grew from -5 % to +3.5% and by 1,5 Mio. Euro in Q3 2023.",
    "Sales fell by 5%, a loss of 12 million, to -3 and rose 2.5 times in 2024, up 30% from 20 %.",
    "The margin was −4.2 points.",
    "Within thirty (30) days, or twenty-one days, pay 2 million.",
    "It is (30) or (5 days) or \"12\" or '7' or “9” or 8* or 6†.",
    "① first, ② second, (3) third, [4] and 5. are the items.",
    "The odds are 1 in 5, 2 of 3, twice 4 and 10 to 1 in the first 7.",
    "Between 5 and 10 people, 3 x 4 m, 1080p and 99p each.",
    "The value was 12k, 5M, 3bn, 4 crore, 2 lakh and 7 hundred.",
    "It is 10,000 or 1.000 or 1 000 000 and 0.5 or .75 of 12,5 and 3.14159.",
    "He is 6'2\" tall, weighs 80 kg and runs 12 km/h for 3 h 20 min.",
    "Dans les 30 jours, soit 1 234,56 € ou 5 % de la somme, le 1er mars.",
    "La prime est de 30 € par mois, 5 jours ouvrables, 17 h 30 et le 21e jour.",
    "Die Frist beträgt 14 Tage, 3 Mio. Euro, im 2. Quartal 2023 und § 823 Abs. 1 BGB.",
    "Il canone è di 1.500 euro al mese, 30 giorni lavorativi, entro il 5 marzo e il 3º piano.",
    "He is 6 ft 2 tall, 5 feet 9 in his shoes, at 30 ° or 40 degrees in 5 cases of 10.",
    "In 2019 it sold 25 for $352 million in May, 1 euro in 10 days, 3 miles, at 10:30 in Paris.",
    "Hasta 5 mil euros o 2 millones en 10 días hábiles.",
]  # fmt: skip

TABLES = [
    units.WORDS, units.SYMBOLS, units.GLUED, units.GLUED_SCALES, units.SCALES, units.ADJECTIVES,
    units.PHRASES, units.CODES, units.PERIODS, units.SIGN_PREFIXES, LABELS, NUMBER_SIGNS, MONTHS,
    *units.SCALES_BY_LANGUAGE.values(),
]  # fmt: skip
NAMES = sorted({word for table in TABLES for word in table})
SPELLED = (
    "one two three ten thirty hundred dozen half third quarter twice first zwei deux dos due tre "
    "point and und et y of to through until per a an each every pro par por al minus negative plus "
    "in in in in the out cada von je sur ft feet foot all degrees celsius cents evening "
    "noon midnight o'clock am pm a.m. p.m. uhr h bis à Q I IV V x P No st nd th ter quater"
).split()
HAN = (
    "一 二 十 百 千 万 亿 日 年 月 天 元 円 分 時 半 点 第 条 零 两 間 回 个月 以内 百分之 公里 每 "
    "毎 令和 午後 일 원 만 조"
).split()
PROSE = (
    "the a it is of in within due loss claim pays not and or by Claims You over der ist le est el"
).split()
SIGNS = [
    *"!&'(),-.:;?‘’“”„«»–—‐‑‒…¿¡·\u05be\u05f3؟،、。，．：；「」〜﹣－（）＇‚‹›‼‿⁀՚٫٬۔।",
    '\\"',
]
MARKS = list(
    "\u0300\u0301\u0308\u0327\u0335\u0338\u20d2\u20dd\u20e3\ufe0f\u034f\u05b0\u064b\u094d\u3099"
    "\u200c\u200d\u17b4\u180b\u0488"
)
LETTERS = "a c e i l m o s t x z A B C E I O Q S µ º ª ʰ ⁱ ℐ ß ſ ﬁ Ａ ｘ 𝐀 а ο".split()
SORTS = [(NAMES, 4), (SPELLED, 4), (PROSE, 3), (HAN, 2), (LETTERS, 1)]
END = list(b'"}]}')
SIGN = regex.compile(r"\\.|.", regex.DOTALL)


def piece(chance, forms):
    """Some words of a text, as they stand inside a JSON string."""
    sort = chance.random()
    if sort < 0.33 and forms:
        form = chance.choice(forms)
        said = form.split(" ")[0] if chance.random() < 0.15 else form
        return " " * (chance.random() < 0.8) + json.dumps(said, ensure_ascii=False)[1:-1]
    if sort < 0.78:
        table = chance.choices([t for t, _ in SORTS], [weight for _, weight in SORTS])[0]
        word = chance.choice(table)
        case = chance.random()
        word = word.capitalize() if case < 0.15 else word.upper() if case < 0.2 else word
        return " " * (chance.random() < (0.2 if table is HAN else 0.85)) + word
    if sort < 0.94:
        return " " * (chance.random() < 0.15) + chance.choice(SIGNS)
    return chance.choice(MARKS) if sort < 0.98 else " "


@cache
def begun(quoted):
    """Each quote of a passage, its forms, and the grammar where its text begins."""
    found = quotables({"S1": quoted}, limits=Limits(max_statements=1))
    matcher = LLMatcher(tokenizer(), LLMatcher.grammar_from_lark(lark(found)), log_level=0)
    made = []
    for quote in found.passages[0].quotes:
        head = {"sources": ["S1"], "quote": quote, "text": ""}
        written = json.dumps(head, ensure_ascii=False, separators=(",", ":"))[:-2]
        written = f'{{"status":"answered","statements":[{written}'
        one = matcher.deep_copy()
        assert one.consume_tokens(list(written.encode())), one.get_error()[:200]
        made.append((quote, tuple(form.text for form in copied(quote).forms), one))
    return made


def draw(matcher, forms, chance):
    """A text of 2 to 14 pieces; of each place a dozen are tried."""
    matcher, pieces = matcher.deep_copy(), []
    for _ in range(chance.randint(2, 14)):
        for _ in range(12):
            said = piece(chance, forms) if pieces else piece(chance, forms).lstrip() or "A"
            if fits(matcher, list(said.encode())):
                matcher.consume_tokens(list(said.encode()))
                pieces.append(said)
                break
        else:
            break
    while pieces and not fits(matcher, END):
        matcher.rollback(len(pieces.pop().encode()))
    return "".join(pieces)


def fits(matcher, written):
    return matcher.validate_tokens(written) == len(written)


def faults(text, quote):
    """What is wrong with an admitted text, in the words of whoever finds it."""
    reply = {"sources": ["S1"], "quote": quote, "text": json.loads(f'"{text}"')}
    read = draft.parse(Reply(json.dumps({"status": "answered", "statements": [reply]})), ("S1",))
    if not read.statements:
        return [finding.reason for finding in read.findings]
    said = read.statements[0]
    found = list(broken("grammar", read.statements, read.findings))
    found += ["link"] * bool(links(said.text, [quote]))
    return found + ["number"] * lacks_digits(said.text, quote)


def lacks_digits(text, quote):
    """Whether the number gate misses digits in a quote, in whatever language the text is read.

    A number in words is nothing that a grammar promises, and can change what digits beside it
    say ("one in 5"): those texts are the gate's. So are texts in one language with a scale of
    another: "the 5 mil euros".
    """
    held = holdings(quote)
    for lang in (None, *LANGUAGES):
        lacks = [n for n in numerals(text, lang) if not held.supports(n, text)]
        if not any(has_digit(n.written) for n in lacks) or any(map(is_spelled, lacks)):
            return False
    return True


def is_spelled(numeral):
    share = numeral.kind == "fraction" and numeral.written[0].isalpha()
    return share or not has_digit(numeral.written)


def shortest(matcher, text, quote, fault):
    """The text without all that the fault does not need."""
    signs = SIGN.findall(text)
    width = max(1, len(signs) // 2)
    while width:
        at = 0
        while at < len(signs):
            rest = "".join(signs[:at] + signs[at + width :])
            if rest and fits(matcher, list(rest.encode()) + END) and fault in faults(rest, quote):
                signs = SIGN.findall(rest)
            else:
                at += width
        width //= 2
    return "".join(signs)


def passages(seed):
    chance = random.Random(seed)
    cases = [text for text in damaged() if len(text) < 400]
    return chance.choices(HARD * 2 + chance.sample(cases, len(HARD)), k=max(WALKS // EACH, 1))


@pytest.mark.parametrize("seed", range(4))
def test_no_check_on_digits_finds_fault_with_a_text_that_the_grammar_admits(seed):
    chance, numbered, found = random.Random(seed), 0, set()
    for quoted in passages(seed):
        for _ in range(EACH if begun(quoted) else 0):
            quote, forms, matcher = chance.choice(begun(quoted))
            text = draw(matcher, forms, chance)
            numbered += has_digit(text)
            for fault in faults(text, quote) if text else ():
                found.add((fault, shortest(matcher, text, quote, fault), quote))
    assert not found
    assert numbered > WALKS // 4, "the search writes hardly any numbers"
