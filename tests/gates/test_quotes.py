"""The quote gate: nothing invented passes, nothing verbatim is lost, offsets always hold."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundedgen.gates.quotes import QuoteResult, cut_off, locate, quote_gate
from groundedgen.values import Finding, Located, Sourced, Spot

DOCS = {
    "S1": "The policy covers water damage caused by a burst pipe. It excludes floods.",
    "S2": "Freight is billed monthly by each carrier. The deposit is returned within ten days.",
    "S3": "Smoking is forbidden.",
    "S4": "In short: water damage caused by a burst pipe, or by of\ufb01cial repair work.",
}


def sourced(quote, *aliases):
    return Sourced(0, "It says so.", aliases, quote)


# --- quote_gate -----------------------------------------------------------------------------


def test_a_verbatim_quote_is_found_exactly():
    result = quote_gate("covers water damage caused by a burst pipe", "S1", DOCS)
    assert result == QuoteResult("found", 11, 53, DOCS["S1"][11:53], "exact", ("S1",))


def test_the_slice_is_the_sources_own():
    result = quote_gate('"by a burst pipe, or by official repair work"', "S4", DOCS)
    assert (result.verdict, result.match) == ("found", "folded")
    assert result.quote == "by a burst pipe, or by of\ufb01cial repair work"


def test_one_changed_word_is_not_found():
    result = quote_gate("covers water damage caused by a broken pipe", "S1", DOCS)
    assert result == QuoteResult("not_found")


def test_a_quote_from_elsewhere_is_misattributed_and_says_where():
    result = quote_gate("water damage caused by a burst pipe", "S2", DOCS)
    assert result == QuoteResult("misattributed", found_in=("S1", "S4"))


def test_a_quote_over_two_passages_is_in_neither():
    assert quote_gate("It excludes floods. Freight is billed monthly", "S1", DOCS).verdict == (
        "not_found"
    )


@pytest.mark.parametrize("quote", ["", "   ", "... - ...", "the policy", "\u200b", '""'])
def test_too_few_words_prove_nothing(quote):
    assert quote_gate(quote, "S1", DOCS).verdict == "too_short"


@pytest.mark.parametrize("quote", ["Smoking is forbidden", '"smoking is forbidden."'])
def test_a_whole_short_passage_is_enough(quote):
    assert quote_gate(quote, "S3", DOCS).verdict == "found"


def test_part_of_a_short_passage_is_not_enough():
    assert quote_gate("is forbidden", "S3", DOCS).verdict == "too_short"


def test_min_words_is_the_callers():
    assert quote_gate("is billed monthly", "S2", DOCS, min_words=3).verdict == "found"
    assert quote_gate("Freight is billed monthly by each", "S2", DOCS, min_words=9).verdict == (
        "too_short"
    )


def test_an_unknown_source_is_said_so():
    assert quote_gate("covers water damage caused by", "S9", DOCS).verdict == "unknown_source"


@pytest.mark.parametrize("text", ["", " \n", "\u200b", "..."])
def test_an_empty_passage_supports_nothing(text):
    quote = "covers water damage caused by a burst pipe"
    assert quote_gate(quote, "S", {"S": text}).verdict == "not_found"
    assert quote_gate(text, "S", {"S": text}).verdict == "too_short"


def test_an_exact_place_wins_over_an_earlier_folded_one():
    text = "THE FEE IS DUE TODAY. And: the fee is due today."
    result = quote_gate("the fee is due today", "S", {"S": text})
    assert (result.start, result.match) == (27, "exact")


ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=80)


@given(ANY_TEXT, st.lists(ANY_TEXT, min_size=1, max_size=3), st.integers(0, 6))
def test_what_is_found_stands_at_its_offsets(quote, texts, min_words):
    docs = {f"S{n}": text for n, text in enumerate(texts)}
    result = quote_gate(quote, "S0", docs, min_words=min_words)
    if result.verdict == "found":
        assert docs["S0"][result.start : result.end] == result.quote != ""
    else:
        assert (result.start, result.end, result.quote, result.match) == (-1, -1, "", None)


@given(ANY_TEXT, ANY_TEXT, ANY_TEXT)
def test_another_passage_takes_nothing_away(quote, text, other):
    alone = quote_gate(quote, "a", {"a": text})
    if alone.verdict == "found":
        assert alone == quote_gate(quote, "a", {"a": text, "b": other})


def test_random_unicode_never_verifies_and_never_raises():
    """20,000 quotes of any code points, surrogates, NUL and bidi among them; fixed seed."""
    rng = random.Random(20_000)
    odd = "\x00\ud800\udfff\u202e\u200b\u0301\ufeff\u2066 -'\".,&*`_"

    def text(length):
        return "".join(
            rng.choice(odd) if rng.random() < 0.2 else chr(rng.randrange(0x110000))
            for _ in range(length)
        )

    passages = {f"S{n}": text(300) for n in range(4)}
    verdicts = {
        quote_gate(text(rng.randrange(1, 40)), f"S{n % 4}", passages).verdict for n in range(20_000)
    }
    assert verdicts <= {"not_found", "too_short"}


def test_a_passage_of_ten_million_characters_is_searched_in_seconds():
    text = "The fee is due on the first day. " * 300_000 + "At last it is not due at all."
    result = quote_gate("at last it is NOT due", "S", {"S": text})
    assert result.quote == "At last it is not due"
    assert quote_gate("at last it is never due", "S", {"S": text}).verdict == "not_found"


# --- locate ---------------------------------------------------------------------------------


def test_a_located_statement_keeps_one_spot_per_passage_that_holds_the_quote():
    quote = "water damage caused by a burst pipe"
    located = locate(sourced(quote, "S2", "S4", "S1"), DOCS)
    assert located == Located(
        0, "It says so.", quote, (Spot("S4", 10, 45, "exact"), Spot("S1", 18, 53, "exact"))
    )


def test_a_passage_without_the_quote_is_told_when_it_is_cut_off():
    docs = {"S1": "The rent is due on the first day.", "S2": "Pets are allowed.", "S3": "The rent"}
    statement = sourced("rent is due on the first", "S1", "S2", "S3")
    told = cut_off(statement, locate(statement, docs), docs)
    assert [
        ("quotes", "quote_not_found", "S2", True),
        ("quotes", "quote_not_found", "S3", True),
    ] == [(f.check, f.reason, f.passage_id, f.kept) for f in told]
    assert not any("rent" in f.message or "Pets" in f.message for f in told)
    alone = sourced("rent is due on the first", "S1")
    assert () == cut_off(alone, locate(alone, docs), docs)


def test_a_quote_too_short_for_one_of_its_passages_is_told_so():
    docs = {"S1": "Pets are allowed.", "S2": "Pets are allowed. Call us."}
    statement = sourced("Pets are allowed.", "S1", "S2")
    located = locate(statement, docs)
    assert ["S1"] == [spot.alias for spot in located.spots]
    assert [("quote_too_short", "S2")] == [
        (f.reason, f.passage_id) for f in cut_off(statement, located, docs)
    ]


def test_of_a_statement_that_was_moved_no_cut_is_told_beside_the_move():
    docs = {"S1": "The rent is due on the first day.", "S2": "Pets are allowed."}
    statement = sourced("rent is due on the first", "S2")
    moved = locate(statement, docs, remap=True)
    assert () == cut_off(statement, moved, docs)


def test_a_missing_quote_is_a_finding_with_the_nearest_real_text():
    quote = "The policy covers water damage caused by a broken pipe"
    finding = locate(sourced(quote, "S1"), DOCS)
    assert isinstance(finding, Finding)
    assert (finding.check, finding.reason, finding.index) == ("quotes", "quote_not_found", 0)
    assert finding.passage_id == "S1"
    assert finding.nearest == "The policy covers water damage caused by a burst pipe"


def test_a_misattributed_quote_names_the_aliases_that_hold_it():
    finding = locate(sourced("Freight is billed monthly by each carrier", "S1"), DOCS)
    assert (finding.reason, finding.details) == ("misattributed", ("S2",))


def test_remapping_moves_a_quote_to_the_one_other_passage():
    quote = "Freight is billed monthly by each carrier"
    located = locate(sourced(quote, "S1", "S3"), DOCS, remap=True)
    assert located.remapped_from == ("S1", "S3")
    assert located.spots == (Spot("S2", 0, 41, "exact"),)


def test_remapping_needs_exactly_one_other_passage():
    finding = locate(sourced("water damage caused by a burst pipe", "S2"), DOCS, remap=True)
    assert (finding.reason, finding.details) == ("misattributed", ("S1", "S4"))


def test_a_short_quote_is_its_own_finding():
    finding = locate(sourced("the policy", "S1"), DOCS)
    assert (finding.reason, finding.details) == ("quote_too_short", ())


def test_an_alias_that_is_no_key_holds_nothing():
    finding = locate(sourced("covers water damage caused by fire", "S9"), DOCS)
    assert (finding.reason, finding.passage_id, finding.nearest) == ("quote_not_found", None, "")


def test_messages_hold_no_passage_text():
    for quote, alias in (("covers hail damage caused by a pipe", "S1"), ("the policy", "S1")):
        message = locate(sourced(quote, alias), DOCS).message
        assert not any(word in message for word in ("covers", "damage", "pipe"))


# --- real extracted text --------------------------------------------------------------------

DATA = Path(os.environ.get("GROUNDEDGEN_DATA", Path(__file__).parents[3] / "shared" / "data"))


@pytest.mark.skipif(
    not (DATA / "pdf_quotes_dev.jsonl").exists(),
    reason="no pdf_quotes_dev.jsonl; name its folder in GROUNDEDGEN_DATA",
)
def test_quotes_against_text_from_pdfs():
    """At least 99 % of the true quotes, and none of the false ones."""
    lines = (DATA / "pdf_quotes_dev.jsonl").read_text(encoding="utf-8").splitlines()
    cases = [json.loads(line) for line in lines]
    found = [quote_gate(c["quote"], "p", {"p": c["passage"]}).verdict == "found" for c in cases]
    true = [ok for ok, case in zip(found, cases, strict=True) if case["verbatim"]]
    false = [ok for ok, case in zip(found, cases, strict=True) if not case["verbatim"]]
    assert sum(false) == 0
    assert sum(true) >= 0.99 * len(true)
