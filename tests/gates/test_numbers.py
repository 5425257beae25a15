"""Promises of the number gate: nothing changed passes, nothing honest is lost."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from groundedgen.gates.numbers import agree, cut_off, unsupported_numbers
from groundedgen.text.numerals import numerals
from groundedgen.values import Finding, Located, Spot
from tests.growth import LINEAR, factor
from tests.text.number_styles import in_words, written

HERE = Path(__file__).parent
PAIRS = [
    json.loads(line)
    for line in (HERE / "number_pairs.jsonl").read_text(encoding="utf-8").splitlines()
]
DOCUMENTS = json.loads((HERE / "number_documents.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair["claim"][:40])
def test_a_pair_of_our_own_comes_out_as_people_read_it(pair):
    missing = unsupported_numbers(pair["claim"], pair["passage"])
    assert pair["supported"] == (not missing), missing


@pytest.mark.parametrize("name", DOCUMENTS)
def test_claims_about_a_whole_document_come_out_as_people_read_them(name):
    document = DOCUMENTS[name]
    passage = document["passage"]
    lost = [claim for claim in document["supported"] if unsupported_numbers(claim, passage)]
    passed = [claim for claim in document["unsupported"] if not unsupported_numbers(claim, passage)]
    assert ([], []) == (lost, passed)


# Whatever the style, the same number stands and another does not.


@given(written())
def test_the_same_number_in_another_style_stands(example):
    _, one, other = example
    assert () == unsupported_numbers(
        f"The total is {one} units.", f"A total of {other} units was met."
    )


@given(st.integers(2, 10**9))
def test_words_and_digits_are_the_same_number(number):
    words, digits = in_words(number), f"{number:,}"
    assert () == unsupported_numbers(f"There are {words} of them.", f"It has {digits} of them.")
    assert () == unsupported_numbers(f"There are {digits} of them.", f"It has {words} of them.")


@given(written(), st.data())
def test_a_number_with_another_digit_does_not_stand(example, data):
    _, one, other = example
    place = data.draw(st.sampled_from([i for i, c in enumerate(one) if c.isdecimal()]))
    digit = data.draw(st.sampled_from("123456789"))
    zero = ord(one[place]) - int(one[place])
    nudged = one[:place] + chr(zero + int(digit)) + one[place + 1 :]
    assume(nudged != one)
    assert unsupported_numbers(
        f"The total is {nudged} units.", f"A total of {other} units was met."
    )


@given(st.integers(1, 10**6).map(str), st.integers(10, 9999).map(str), st.integers(1, 3))
def test_a_number_with_its_point_moved_does_not_stand(whole, decimals, places):
    digits = whole + decimals
    assume(0 < len(whole) - places)
    moved = f"{digits[: len(whole) - places]}.{digits[len(whole) - places :]}"
    passage = f"A total of {whole}.{decimals} units was met."
    assert unsupported_numbers(f"The total is {moved} units.", passage)
    assert unsupported_numbers(f"The total is {digits} units.", passage)


@given(written())
def test_a_number_with_another_sign_does_not_stand(example):
    _, one, other = example
    assert unsupported_numbers(f"It was -{one} units.", f"A total of {other} units was met.")
    assert unsupported_numbers(f"It was {one} units.", f"A total of −{other} units was met.")


SCALES = ["thousand", "million", "billion", "trillion", ""]
CURRENCIES = ["$", "€", "£", "¥", "CHF ", "₹"]
UNITS = [
    "mg",
    "µg",
    "kg",
    "km",
    "miles",
    "days",
    "weeks",
    "months",
    "years",
    "hours",
    "°C",
    "°F",
    "%",
    "‰",
    "litres",
]


@given(st.integers(2, 999), st.permutations(SCALES))
def test_a_number_with_another_scale_does_not_stand(number, scales):
    one, other, *_ = scales
    assert unsupported_numbers(
        f"It has {number} {one} users.", f"There are {number} {other} users."
    )


@given(st.integers(2, 10**6), st.permutations(CURRENCIES))
def test_money_in_another_currency_does_not_stand(number, currencies):
    one, other, *_ = currencies
    assert unsupported_numbers(f"It costs {one}{number}.", f"The price is {other}{number} now.")


@given(st.integers(2, 10**6), st.permutations(UNITS))
def test_a_quantity_in_another_unit_does_not_stand(number, units):
    one, other, *_ = units
    assert unsupported_numbers(f"It is {number} {one}.", f"It was {number} {other} then.")


@given(st.integers(2, 10**5), st.integers(0, 9))
def test_a_part_of_a_longer_number_does_not_stand(number, digit):
    for longer in (
        f"{number}{digit}",
        f"{digit + 1}{number}",
        f"{number}.{digit + 1}",
        f"{number}-{digit}-77",
    ):
        assert unsupported_numbers(f"It has {number} seats.", f"It has {longer} in it.")


# What is copied stands.

FRAGMENTS = [
    "The deductible is $5,000.00 per claim",
    "notice of thirty (30) days applies",
    "Der Bestand beträgt 1.000 Stück",
    "it began on 03/05/2024",
    "Section 4.2(b)(i) and Exhibit A-1 apply",
    "the total is 11,11.11 or 1,,000",
    "two to three million people (1.5%–2%)",
    "at 9am-5pm, 24/7, on 2023¹",
    "Net loss | (5,000) | $(12.3)",
    "n² and 2^32-1 of COVID-19",
    "its 12m mast, 5'6 tall",
    "see [2] and [30] days",
    "约一万五千亿元",
    "version 1.10 of RFC 2616",
    "no one pays",
]


@given(st.lists(st.sampled_from(FRAGMENTS), min_size=1, max_size=4, unique=True), st.data())
def test_a_sentence_copied_from_the_passage_stands(fragments, data):
    passage = " ".join(f"{fragment}." for fragment in fragments)
    assert () == unsupported_numbers(data.draw(st.sampled_from(fragments)) + ".", passage)
    assert () == unsupported_numbers(passage, passage)


def test_a_copy_that_cuts_a_number_does_not_stand():
    passage = "Store at 2-8 degrees; sales were $5-10 million, growth 40 percent."
    for cut in ("-8 degrees", "$5", "sales were $5", "-10 million"):
        assert unsupported_numbers(cut, passage)


@given(st.text(max_size=80), st.text(max_size=200))
def test_no_string_makes_it_raise(claim, passage):
    assert isinstance(unsupported_numbers(claim, passage), tuple)
    assert () == unsupported_numbers(claim, "") or numerals(claim)


def test_what_is_missing_is_told_once_in_order_and_as_written():
    claim = "It covers 30 days, 12 visits, 1.2 million euros and 12 visits for 5 mg."
    assert ("12", "1.2 million", "5 mg") == unsupported_numbers(
        claim, "It covers 30 days and 5 µg."
    )


@pytest.mark.parametrize(
    "unit", ["The cap is 5,000 euros. ", "one visit of 3, ", "5 March 2024, ", "ISO 9001 "]
)
def test_time_grows_with_both_texts_and_not_with_their_square(unit):
    assert (
        factor(lambda text: unsupported_numbers(text + "7 ends", text + f"{len(text)}"), unit)
        < LINEAR
    )


# The typed stage.

DOCS = {"S1": "Notice is 30 days. Rent is $900.", "S2": "Notice is 60 days."}


def located(text, *aliases):
    return Located(3, text, "Notice is", tuple(Spot(alias, 0, 9, "exact") for alias in aliases))


def test_a_statement_whose_numbers_stand_comes_back_as_it_is():
    statement = located("Notice is thirty days.", "S1")
    assert agree(statement, DOCS) is statement


def test_a_spot_whose_passage_lacks_a_number_is_cut_off():
    result = agree(located("Notice is 60 days.", "S1", "S2"), DOCS)
    assert isinstance(result, Located)
    assert ["S2"] == [spot.alias for spot in result.spots]


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        ("Notice is 30 days.", "number_mismatch"),
        ("Notice is short.", "number_missing"),
        ("Notice is short. Rent is $900.", "number_missing"),
    ],
)
def test_what_is_cut_off_is_told_with_what_the_passage_lacks(other, reason):
    docs = {"S1": other, "S2": "Notice is 60 days."}
    statement = located("Notice is 60 days.", "S1", "S2")
    [finding] = cut_off(statement, agree(statement, docs), docs)
    assert ("numbers", reason, "S1", True) == (
        finding.check,
        finding.reason,
        finding.passage_id,
        finding.kept,
    )
    assert ("60",) == finding.details
    assert not any(word in finding.message for word in ("Notice", "60", "30", "900"))


def test_of_a_statement_that_keeps_all_its_spots_nothing_is_told():
    statement = located("Notice is 60 days.", "S2")
    assert () == cut_off(statement, agree(statement, DOCS), DOCS)


def test_a_statement_without_a_spot_left_is_a_finding_that_shows_the_closest_number():
    result = agree(located("Notice is 90 days and rent is $900.", "S2", "S1"), DOCS)
    assert isinstance(result, Finding)
    assert ("numbers", "number_mismatch", 3) == (result.check, result.reason, result.index)
    assert ("90",) == result.details
    assert ("S1", "Notice is 30 days.") == (result.passage_id, result.nearest)
    assert "90" not in result.message


def test_a_passage_without_numbers_has_nothing_close():
    result = agree(located("Notice is 90 days.", "S1"), {"S1": "Notice is short."})
    assert isinstance(result, Finding)
    assert "" == result.nearest


def test_the_language_of_a_passage_is_used():
    docs = {"S1": "eine Billion Euro"}
    statement = located("It is 1 trillion euros.", "S1")
    assert agree(statement, docs, {"S1": "de"}) is statement
    assert isinstance(agree(statement, docs, {"S1": "en"}), Finding)


@pytest.mark.parametrize(
    ("claimed", "held"),
    [
        ("5 kg ", "5 mg "), ("A$5 ", "$5 "), ("Basel III ", "Basel II "), ("double ", "half "),
        ("50p ", "£0.50 a day "), ("▲5 ", "5 "), ("once daily ", "twice daily "), ("② ", "① "),
        ("1 in 10 ", "10 "), ("0800 123 ", "0800 123 4567 "), ("5 mg/kg ", "5 mg "), ("1 ", "2 "),
    ],
)  # fmt: skip
def test_time_grows_with_claim_and_passage_where_nothing_agrees(claimed, held):
    def work(text):
        return unsupported_numbers(text, held * (len(text) // len(claimed)))

    assert factor(work, claimed, size=1_500) < LINEAR


# Public data, where it is at hand.

DATA = Path(os.environ.get("GROUNDEDGEN_DATA", HERE.parents[2] / "shared" / "data"))


def rows(name):
    if not (DATA / name).is_file():
        pytest.skip(f"no {name}: set GROUNDEDGEN_DATA")
    return map(json.loads, (DATA / name).read_text(encoding="utf-8").splitlines())


def test_every_gold_quote_of_the_question_set_stands_in_its_passage():
    for row in rows("qa_dev.jsonl"):
        texts = {passage["id"]: passage["text"] for passage in row["passages"]}
        gold = [texts[key] for key in row["gold_passage_ids"]]
        for quote in row["gold_quotes"]:
            held = [text for text in gold if quote in text]
            assert not held or any(not unsupported_numbers(quote, text) for text in held), row["id"]


def test_every_true_quote_of_the_pdf_set_stands_in_its_passage():
    for row in rows("pdf_quotes_dev.jsonl"):
        missing = unsupported_numbers(row["quote"], row["passage"])
        assert not (row["verbatim"] and missing), row["id"]
