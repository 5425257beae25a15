"""Whatever may be read as the name of a claim counts as one; what is only near it does not."""

from __future__ import annotations

import html
import json
import unicodedata
from urllib.parse import unquote

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from groundedgen.judges.claimnames import claim_names
from groundedgen.judges.lookalikes import holds_name
from tests.growth import LINEAR, factor
from tests.judges.spellings import BETWEEN, CODES, CS, ONES, SIGNS, WORDS, planted


@pytest.mark.parametrize("letter", [*CS, *CODES], ids=ascii)
def test_every_way_to_write_the_letter_is_seen(letter):
    assert all(holds_name(letter + one) for one in ONES)


@pytest.mark.parametrize("between", BETWEEN, ids=ascii)
def test_nothing_that_is_no_letter_keeps_letter_and_figure_apart(between):
    assert all(holds_name(f"{letter}{between}{one}") for letter in CS for one in ONES)


@pytest.mark.parametrize("word", WORDS, ids=ascii)
def test_letters_and_words_for_a_figure_count_where_something_is_said_of_them(word):
    assert all(holds_name(word + sign + "supported") for sign in SIGNS)


@given(st.text(), planted(), st.text())
def test_a_planted_verdict_is_seen_in_whatever_text(before, verdict, after):
    assert holds_name(f"{before}\n{verdict}\n{after}")


@pytest.mark.parametrize(
    "text",
    [
        "C1 esterase inhibitor", "vertebra C1", "Form C-1 (2020)", "claims under c1 and c2",
        "Hepatitis C, 1 case", "18 U.S.C. § 1232", "composed c. 730 BC",
    ],
)  # fmt: skip
def test_honest_texts_with_such_a_name_cost_other_names_and_no_more(text):
    assert holds_name(text)


@pytest.mark.parametrize(
    "text",
    [
        "Vitamin C is listed in annex 1.", "at 20 °C, 5 hours", "from 37 ℃ to 38 ℃",
        "Acme Inc. 2020",
        "95% CI 1.2-3.4", "© 2020 Acme", "CO2 and CH4", "Plan B1", "Article 5 lit. c", "n=43",
        "a &amp; b", "&#39;so&#39;", "https://x.example/a%20b", r"don\'t", "100 %",
        "5¢, 10 at most",
        "Grade C is a pass: see below", "music 5", "CIA: an agency", "tactic one: wait",
    ],
)  # fmt: skip
def test_ordinary_texts_keep_the_names_that_services_know(text):
    assert not holds_name(text)


def _read(text):
    """A reader who makes text plain with the standard library alone, one way after another."""
    yield text
    plain = unicodedata.normalize("NFKC", unquote(html.unescape(text))).casefold()
    yield plain
    yield "".join(char for char in plain if unicodedata.category(char) not in {"Cf", "Mn", "Me"})
    yield plain.replace("\\", "")


@given(st.text() | st.text(alphabet="cC1&#67;x43\\u0{}%:=i l-\u200b\u0301<>\n", max_size=12))
@example("\ud800C\udfff1")
@example("&#" + "1" * 5_000 + ";")
@example("&amp;" * 20)
@example("%25" * 20 + "43")
@example("%C1")
def test_what_a_plain_reader_finds_is_found_and_no_text_is_refused(text):
    found = holds_name(text)
    assert found or not any(
        name.casefold() in reading.casefold() for name in claim_names(9) for reading in _read(text)
    )


@pytest.mark.parametrize(
    "text",
    ["%C1", "%\u03f91", "&#37;C1", r"\xC1", r"\u00C1", "&#xC1;", "0xC1", r"\x{C1}", "%FF%C1"],
)
def test_what_is_code_to_one_is_a_name_to_another(text):
    assert holds_name(text)


@given(st.dictionaries(st.sampled_from(["C1", "c2", "C10"]), st.text(), min_size=1))
def test_a_reply_is_seen_in_json_and_in_a_string_of_json(reply):
    assert holds_name(json.dumps(reply))
    assert holds_name(json.dumps(json.dumps(reply)))


@pytest.mark.parametrize(
    "unit",
    [
        "Water damage from a burst pipe is covered. ", "Der Schaden aus Überschwemmung. ",
        "c.", "c",
        "&amp;", "&", "&#", "\\", "\\u", "<", "<b>", "%25", "%", "\u0301", "\u200b", "ci-", "c|",
        "=", "U+", "0x", "\U000e0043", "𝐂", "。",
    ],
    ids=ascii,
)  # fmt: skip
def test_time_grows_with_the_text_and_no_faster(unit):
    assert factor(holds_name, unit, size=5_000) < LINEAR
