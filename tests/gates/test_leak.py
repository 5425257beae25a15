"""What failed does not ride along in what is shown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundedgen.gates.leak import contained, leaked_quotes
from groundedgen.values import Finding, Located, Spot
from tests.growth import LINEAR, factor

QUOTE = "the landlord may enter the flat at any hour of the night"


@pytest.mark.parametrize(
    "text",
    [
        "It is strict: the landlord may enter the flat at any hour of the night.",
        "The landlord may [1] enter the flat at any [S2] hour of the night.",
        "the land[1]lord may enter the flat at any hour of the night",
        "THE LANDLORD MAY ENTER THE FLAT AT ANY HOUR",
        "the **landlord** may enter the `flat` at any hour of the night",
        "the landlord may enter, the flat; at any hour. Of the night",
        "the landlord may en-\nter the flat at any hour of the night",
        "the land\u200blord may enter the flat at any hour of the ni\xadght",
        "may enter the flat at any hour of the day",
    ],
)
def test_most_of_a_failed_quote_in_one_run_leaks(text):
    assert leaked_quotes(text, [QUOTE]) == (QUOTE,)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The landlord has some rights of entry.",
        "The landlord may enter the flat.",
        "At any hour of the night the tenant may enter.",
        "hour the at night flat the enter may landlord any of",
    ],
)
def test_less_than_most_of_it_does_not(text):
    assert leaked_quotes(text, [QUOTE]) == ()


@pytest.mark.parametrize("quote", ["", "   ", "the policy", "... - ...", "a b c d"])
def test_short_quotes_stand_anywhere_by_accident(quote):
    assert leaked_quotes("The policy a b c d ... - ... covers it.", [quote]) == ()


def test_a_match_inside_a_word_is_none():
    text = "Any part is due on Monday, as the plan says."
    assert leaked_quotes(text, ["art is due on Monday, as the plan says"]) == ()
    assert leaked_quotes(text, ["part is due on Monday, as the plan says"])


def test_words_verified_elsewhere_do_not_leak():
    whole = f"{QUOTE} and day"
    assert leaked_quotes(whole, [QUOTE], [whole]) == ()
    assert leaked_quotes(whole, [QUOTE], ["the landlord may enter the flat"]) == (QUOTE,)


def test_scripts_without_blanks_leak_too():
    quote = "水漏れによる損害は補償されます"
    assert leaked_quotes(f"規約では{quote}とある", [quote]) == (quote,)
    assert leaked_quotes("水漏れによる事故", [quote]) == ()


def test_each_leaking_quote_is_named():
    other = "the tenant may never smoke in any part of the house"
    assert leaked_quotes(f"{QUOTE}. {other}.", [QUOTE, "a b c d e f", other]) == (QUOTE, other)


@given(st.text(st.characters(exclude_categories=()), max_size=60), st.text(max_size=60))
def test_strange_text_does_not_raise(text, quote):
    assert set(leaked_quotes(text, [quote, QUOTE])) <= {quote, QUOTE}
    assert leaked_quotes(text, [quote], [text]) == ()


def test_time_grows_with_the_text():
    assert (
        factor(lambda text: leaked_quotes(text, [text[1:], QUOTE]), "a b c ", size=40_000) < LINEAR
    )


# --- contained ------------------------------------------------------------------------------

DOCS = {"S1": "Send doc-17 to https://a.example/claims. We carry the risk of cost overruns here."}


def statement(text):
    return Located(3, text, "quote", (Spot("S1", 0, 4, "exact"),))


def reason(text, failed=(), verified=(), ids=()):
    result = contained(statement(text), failed, verified, DOCS, ids)
    return result.reason if isinstance(result, Finding) else None


def test_a_clean_statement_passes_unchanged():
    clean = statement("The risk is carried.")
    assert contained(clean, [QUOTE], [], DOCS, ["doc-17"]) is clean


def test_words_of_a_failed_quote_are_a_finding():
    finding = contained(statement(f"So {QUOTE}."), [QUOTE], [], DOCS, [])
    assert (finding.check, finding.reason, finding.index) == ("leak", "failed_quote_in_text", 3)
    assert finding.details == (QUOTE,)
    assert "landlord" not in finding.message


def test_words_of_its_own_passage_are_its_own():
    failed = "We carry the risk of cost overruns and of all raw material"
    assert reason("We carry the risk of cost overruns here.", [failed]) is None
    assert reason("We carry the risk of cost overruns and of it.", [failed]) is not None


@pytest.mark.parametrize("text", ["See https://evil.example/x.", "![x](y)", "<img src=x>"])
def test_written_links_are_a_finding(text):
    assert reason(text) == "link_in_text"


def test_an_address_of_the_passage_is_allowed():
    assert reason("Send it to https://a.example/claims.") is None


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("policy#4", "See policy#4 for it."),
        ("doc_9x", "In DOC_9X it says so."),
        ("/srv/a b.pdf", "It is in /srv/a b.pdf, page 3."),
        ("3f2a-77", "(3f2a-77)"),
    ],
)
def test_a_raw_passage_id_is_a_finding(name, text):
    assert reason(text, ids=["other-1", name]) == "passage_id_in_text"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("doc-17", "Send doc-17 there."),  # stands in the passage itself
        ("water", "The water is cut."),  # a word
        ("a1", "See a1."),  # too short
        ("doc_9", "See doc_9x."),  # a part of another token
        ("doc_9", "See my-doc_9."),
    ],
)
def test_what_only_looks_like_an_id_is_not(name, text):
    assert reason(text, ids=[name]) is None


def test_a_statement_without_spots_is_checked_too():
    bare = Located(0, "See https://a.example/claims.", "q", ())
    assert contained(bare, [], [], DOCS, []).passage_id is None
