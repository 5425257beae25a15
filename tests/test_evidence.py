"""Promises of evidence by sentence id: labels, schema, and what an id stands for."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from groundedgen import evidence as evidence_room
from groundedgen.draft import plain_json_schema
from groundedgen.errors import InputError
from groundedgen.evidence import (
    MOST_SENTENCES,
    MOST_TEXT,
    can_label,
    check_form,
    fits_enum,
    label,
    sentence_schema,
)
from groundedgen.gates import quote_gate
from groundedgen.gates.placed import locate_placed
from groundedgen.values import Finding, Located, Sourced
from tests.growth import LINEAR, factor

DOCS = {
    "S1": "Floods are not covered at all. Fire is covered in full.\n\nNot paid:\n- theft of tools.",
    "S2": "Hail damage is covered in full. Call us on any day of the week.",
}
EVIDENCE = label(DOCS)


def placed(*ids, evidence=EVIDENCE):
    return evidence.placed(Sourced(0, "It is so.", ids, ""))


def located(*ids, evidence=EVIDENCE):
    return locate_placed(placed(*ids, evidence=evidence), evidence.docs)


def quotes(*ids, evidence=EVIDENCE):
    """What an answer would quote for these ids."""
    return [
        evidence.docs[spot.alias][spot.start : spot.end]
        for spot in located(*ids, evidence=evidence).spots
    ]


# --- labels -----------------------------------------------------------------------------------


def test_every_sentence_has_a_label_before_it_and_nothing_else_changes():
    assert EVIDENCE.ids == ("S1.1", "S1.2", "S1.3", "S1.4", "S2.1", "S2.2")
    bare = EVIDENCE.labelled["S1"]
    for name in EVIDENCE.ids:
        bare = bare.replace(f"[{name}] ", "")
    assert bare == DOCS["S1"]
    assert EVIDENCE.example == "[S1.1]"


_text = st.text(max_size=200) | st.lists(
    st.sampled_from(["non-", "Fire is. ", "\n", "- hail;", "Not: ", "3.5 ", "e.g. ", "word "])
).map("".join)


@given(st.dictionaries(st.sampled_from(["S1", "S2", "S3"]), _text, min_size=1))
def test_every_id_stands_for_a_quote_that_passes_both_gates_of_quotes(docs):
    evidence = label(docs)
    for name, sentence in evidence.sentences.items():
        statement = placed(name, evidence=evidence)
        assert statement.aliases == (sentence.alias,)
        assert docs[sentence.alias][sentence.start : sentence.end] == statement.quote
        assert quote_gate(statement.quote, sentence.alias, docs).verdict == "found"
        found = located(name, evidence=evidence)
        assert isinstance(found, Located)
        (spot,) = found.spots
        assert docs[spot.alias][spot.start : spot.end] in statement.quote


def forgery(evidence):
    """What a passage would have to hold for one of its words to look like a label."""
    opening = evidence.marks[: len(evidence.marks) // 2]
    return [f"{opening}{alias}." for alias in evidence.docs]


_forged = st.sampled_from(
    ["[S1.1] ", "<S1.1>", "{S1.", "(S1.9)", "[[S1.2", "((((S2.3))))", "<<<S1.1", "{{S2.", "a b c. "]
)


@given(st.lists(_forged), st.lists(_forged), st.lists(_forged))
def test_nothing_that_is_shown_can_forge_a_label(first, second, beside):
    docs = {
        "S1": "".join(first) + "Fire is covered in full.",
        "S2": "Hail is covered in full too. " + "".join(second),
    }
    evidence = label(docs, beside=beside)
    assert not [f for f in forgery(evidence) for text in (*docs.values(), *beside) if f in text]
    assert evidence.labelled["S1"].startswith(evidence.example)


def test_labels_have_square_brackets_unless_a_passage_holds_one():
    assert label({"S1": "See S1.1 and [S2.1] on the covered floods."}).marks == "[]"
    assert label({"S1": "See [S1.1] on the covered floods."}).marks == "<>"


@pytest.mark.parametrize("unit", ["[S1.1] ", "[", "[[S1.", "[S1", "<S1.[S1.{S1.(S1.", "S1."])
def test_time_to_choose_brackets_grows_with_the_text(unit):
    assert factor(lambda text: evidence_room._marks({"S1": text, "S2": text[::-1]}), unit) < LINEAR


# --- what ids stand for -----------------------------------------------------------------------


def test_an_id_brings_what_its_sentence_needs():
    assert quotes("S1.4") == ["Not paid:\n- theft of tools."]


def test_neighbours_are_quoted_together_and_distant_ones_each():
    assert quotes("S1.2", "S1.1") == [DOCS["S1"].partition("\n")[0]]
    text = " ".join(f"The thing number {n} is covered in full." for n in range(60))
    assert quotes("S1.60", "S1.1", evidence=label({"S1": text})) == [
        "The thing number 0 is covered in full.",
        "The thing number 59 is covered in full.",
    ]


def test_sentences_of_two_passages_are_quoted_each_in_its_own():
    both = placed("S2.1", "S1.1")
    assert both.aliases == ("S2", "S1")
    assert both.quote == "Hail damage is covered in full."
    assert [span.alias for span in both.spans] == ["S2", "S1"]


def test_of_a_sentence_that_stands_twice_the_one_that_is_named_is_quoted():
    text = "Hail is covered in full. Nothing else is covered here. Hail is covered in full."
    (spot,) = located("S1.3", evidence=label({"S1": text})).spots
    assert spot.start == text.rindex("Hail")


# --- how many can be named --------------------------------------------------------------------


def test_as_many_sentences_can_be_labelled_as_an_enum_holds():
    one = "Fire is covered in full here. "
    docs = {"S1": one * 500, "S2": one * (MOST_SENTENCES - 500)}
    assert can_label(docs)
    assert fits_enum(label(docs).ids)
    assert not can_label({**docs, "S3": one})


def test_text_beyond_all_measure_is_not_read_for_its_sentences(monkeypatch):
    monkeypatch.setattr(evidence_room, "piece_count", None)
    assert not can_label({"S1": "x" * MOST_TEXT, "S2": "x"})


# --- ids in a text ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("S1.2: Fire is covered.", "Fire is covered."),
        ("Fire is covered. S1.2", "Fire is covered."),
        ("Fire is covered.  S1.2, S2.1.", "Fire is covered."),
        ("S1.2: Fire is covered. S1.2; S2.2", "Fire is covered."),
        ('It says "yes." S1.2', 'It says "yes."'),
    ],
)
def test_ids_at_the_ends_of_a_text_are_cut(text, left):
    assert EVIDENCE.without_ids(text) == left


@pytest.mark.parametrize(
    "text",
    [
        "Fire is covered by S1.2.",
        "As S1.2 says, fire is covered.",
        "S1.2",
        "S1.2:",
        "S1.2: ",
        "Fire is covered. S1.99",
        "Fire is covered. See clause 1.2",
        "S9.9: Fire is covered.",
        " Fire is covered. ",
        "",
    ],
)
def test_what_is_part_of_a_sentence_stays(text):
    assert EVIDENCE.without_ids(text).strip() == text.strip()


def test_only_ids_in_our_own_brackets_become_markers():
    evidence = label({"S1": "See [S1.1] on the covered floods. Fire is covered in full."})
    assert evidence.bracketed("Fire <S1.2, S1.1>, <b>hail</b>, <S9.9>.") == (
        "Fire [S1.2, S1.1], <b>hail</b>, <S9.9>."
    )
    assert EVIDENCE.bracketed("Fire <S1.2>.") == "Fire <S1.2>."


@pytest.mark.parametrize("unit", ["S1.2 ", "<S1.2", "<", "S1.2, ", "<S1.2>"])
def test_time_to_clean_a_text_grows_with_it(unit):
    evidence = label({"S1": "See [S1.1] on the covered floods. Fire is covered in full."})
    assert factor(lambda t: evidence.without_ids(evidence.bracketed(t)), unit) < LINEAR


# --- the real text that is nearest ------------------------------------------------------------


def failed(statement="", nearest="", passage=None):
    return Finding("numbers", "x", 0, "", statement=statement, nearest=nearest, passage_id=passage)


def test_the_nearest_text_comes_with_its_labels():
    near = EVIDENCE.nearest(failed(nearest="Fire is covered", passage="S1"))
    assert near == "[S1.2] Fire is covered"
    inside = EVIDENCE.nearest(failed(nearest="at all. Fire is covered", passage="S1"))
    assert inside == "[S1.1] at all. [S1.2] Fire is covered"


def test_where_none_is_known_the_closest_sentence_is_found():
    assert EVIDENCE.nearest(failed("Hail damage is not covered.")) == (
        "[S2.1] Hail damage is covered in full."
    )
    only = EVIDENCE.nearest(failed("Hail damage and floods.", passage="S1"))
    assert only.startswith("[S1.1] Floods")
    assert EVIDENCE.nearest(failed("Quite another thing.")) == ""
    assert EVIDENCE.nearest(failed()) == ""


# --- the schema -------------------------------------------------------------------------------


def test_the_schema_names_ids_and_holds_no_word_of_a_passage():
    written = json.dumps(plain_json_schema(sentence_schema(EVIDENCE.ids)))
    assert '["S1.1", "S1.2", "S1.3", "S1.4", "S2.1", "S2.2"]' in written
    words = set(re.findall(r"\w{3,}", " ".join(DOCS.values()).lower()))
    assert not words & {"covered", "quote"} & set(re.findall(r"\w+", written.lower()))
    assert words.isdisjoint(set(re.findall(r"\w+", written.lower())) - {"not", "any", "all"})


def test_the_schema_refuses_an_id_that_was_not_offered():
    schema = sentence_schema(["S1.1"])
    with pytest.raises(ValidationError):
        schema(status="answered", statements=[{"sources": ["S1.2"], "text": "x"}])


def test_equal_ids_lead_to_one_schema():
    assert sentence_schema(["S1.1", "S2.1"]) is sentence_schema(["S1.1", "S2.1", "S1.1"])


@pytest.mark.parametrize(
    ("ids", "fits"),
    [
        ([f"S1.{n}" for n in range(998)], True),
        ([f"S1.{n}" for n in range(999)], False),
        (["S" * 60 + str(n) for n in range(250)], True),
        (["S" * 60 + str(n) for n in range(251)], False),
    ],
)
def test_more_than_an_enum_may_hold_are_plain_strings(ids, fits):
    assert fits_enum(ids) is fits
    statements = plain_json_schema(sentence_schema(ids))["properties"]["statements"]
    assert ("enum" in json.dumps(statements)) is fits


def test_no_id_is_an_error():
    with pytest.raises(InputError):
        sentence_schema(())


def test_no_text_of_a_passage_is_in_a_repr():
    assert "covered" not in repr(EVIDENCE)
    assert "covered" not in repr(placed("S1.1"))


@pytest.mark.parametrize("value", ["Quotes", "sentence", "", None, 1, ["quotes"]])
def test_another_form_of_evidence_names_the_two(value):
    with pytest.raises(InputError, match='"quotes" or "sentences"') as caught:
        check_form(value)
    assert caught.value.code == "bad_evidence"
