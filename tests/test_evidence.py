"""Promises of evidence by sentence id."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from groundedgen import draft
from groundedgen.draft import plain_json_schema
from groundedgen.errors import InputError
from groundedgen.evidence import MOST, as_draft, label, sentence_schema
from groundedgen.gates import quote_gate
from groundedgen.values import Reply

DOCS = {
    "S1": "Floods are not covered at all. Fire is covered in full.\n\nNot paid:\n- theft of tools.",
    "S2": "Hail damage is covered in full. Call us on any day of the week.",
}


def said(*sources, text="It is so.", status="answered"):
    statements = [{"text": text, "sources": list(sources)}]
    return Reply(json.dumps({"status": status, "statements": statements}), usage=None)


def drafted(*sources, docs=DOCS):
    return json.loads(as_draft(said(*sources), label(docs)).raw)["statements"][0]


def parsed(*sources):
    return draft.parse(as_draft(said(*sources), label(DOCS)), tuple(DOCS))


def test_every_sentence_has_a_label_before_it_and_nothing_else_changes():
    evidence = label(DOCS)
    assert evidence.ids == ("S1.1", "S1.2", "S1.3", "S1.4", "S2.1", "S2.2")
    bare = evidence.labelled["S1"]
    for name in evidence.ids:
        bare = bare.replace(f"[{name}] ", "")
    assert bare == DOCS["S1"]


@given(st.dictionaries(st.sampled_from(["S1", "S2", "S3"]), st.text(max_size=200), min_size=1))
def test_every_id_stands_for_a_quote_that_passes_the_gate(docs):
    evidence = label(docs)
    for name, sentence in evidence.sentences.items():
        statement = drafted(name, docs=docs)
        assert statement["sources"] == [sentence.alias]
        assert docs[sentence.alias][sentence.start : sentence.end] == statement["quote"]
        assert quote_gate(statement["quote"], sentence.alias, docs).verdict == "found"


@given(st.lists(st.sampled_from(["[S1.1] ", "<S1.1>", "{S1.", "(S1.9)", "[[S1.2", "a b c. "])))
def test_no_passage_can_forge_a_label(parts):
    docs = {"S1": "".join(parts) + "Fire is covered in full.", "S2": "Hail is covered in full too."}
    evidence = label(docs)
    shown = evidence.labelled["S2"]
    opening = shown[: shown.index("S2")]
    assert not any(f"{opening}{alias}." in text for text in docs.values() for alias in docs)


def test_an_id_brings_what_its_sentence_needs():
    assert drafted("S1.4")["quote"] == "Not paid:\n- theft of tools."


def test_neighbours_are_quoted_together_and_distant_ones_by_the_first():
    assert drafted("S1.2", "S1.1")["quote"] == DOCS["S1"].partition("\n")[0]
    text = " ".join(f"The thing number {n} is covered in full." for n in range(60))
    both = drafted("S1.1", "S1.60", docs={"S1": text})
    assert both["quote"] == "The thing number 0 is covered in full."


def test_of_two_passages_the_first_is_quoted():
    assert drafted("S2.1", "S1.1") == {
        "text": "It is so.",
        "sources": ["S2"],
        "quote": "Hail damage is covered in full.",
    }


def test_passages_that_say_the_same_words_are_both_named():
    docs = {"S1": "Hail is covered in full here.", "S2": "Hail is covered in full here. Call us."}
    assert drafted("S1.1", "S2.1", docs=docs)["sources"] == ["S1", "S2"]


@pytest.mark.parametrize("unknown", ["S1.9", "S9.1", "S1.", "S1.1.1", "the first", "S1.01x"])
def test_an_unknown_id_stays_unknown_and_its_statement_is_dropped(unknown):
    for sources in ([unknown], ["S1.1", unknown], [unknown, "S1.1"]):
        read = parsed(*sources)
        assert read.statements == ()
        assert read.findings[0].reason == "unknown_source"


@pytest.mark.parametrize("sources", [["1"], [""], ["S1", "S2"]])
def test_what_names_no_sentence_is_no_evidence(sources):
    assert parsed(*sources).findings[0].reason in {"no_source", "empty_quote"}


@pytest.mark.parametrize("spelling", ["s1.1", "[S1.1]", " S1.1 ", "Ｓ１.１"])
def test_typography_of_an_id_is_forgiven(spelling):
    assert parsed(spelling).statements[0].quote == "Floods are not covered at all."


@pytest.mark.parametrize("sources", [None, 7, {"a": 1}, [], [7], [["S1.1"]]])
def test_sources_of_the_wrong_shape_are_dropped_alone(sources):
    good = {"text": "Hail is.", "sources": ["S2.1"]}
    raw = json.dumps({"statements": [{"text": "It is so.", "sources": sources}, good, 3, None]})
    read = draft.parse(as_draft(Reply(raw), label(DOCS)), tuple(DOCS))
    assert [statement.index for statement in read.statements] == [1]
    assert read.total == 4


@pytest.mark.parametrize("raw", [None, "", "no JSON", '{"a": ', "[1]", '{"statements": 3}'])
def test_what_is_no_draft_stays_for_the_parser(raw):
    reply = as_draft(Reply(raw), label(DOCS))
    with pytest.raises(draft.DraftFormatError):
        draft.parse(reply, tuple(DOCS))


def test_a_quote_that_the_model_wrote_is_not_used():
    raw = json.dumps(
        {
            "statements": [
                {"text": "It is.", "sources": ["S2.1"], "quote": "It is covered, all of it."}
            ]
        }
    )
    read = draft.parse(as_draft(Reply(raw), label(DOCS)), tuple(DOCS))
    assert read.statements[0].quote == "Hail damage is covered in full."


def test_not_found_and_how_a_reply_ended_are_kept():
    reply = Reply('{"status": "not_found", "statements": []}', "length", engine="x/y")
    assert isinstance(
        draft.parse(as_draft(Reply(reply.raw), label(DOCS)), tuple(DOCS)), draft.NotFound
    )
    made = as_draft(reply, label(DOCS))
    assert (made.finish_reason, made.engine) == ("length", "x/y")


def test_the_schema_names_ids_and_holds_no_word_of_a_passage():
    written = json.dumps(plain_json_schema(sentence_schema(label(DOCS).ids)))
    assert '["S1.1", "S1.2", "S1.3", "S1.4", "S2.1", "S2.2"]' in written
    assert "covered" not in written
    assert "quote" not in written


def test_the_schema_refuses_an_id_that_was_not_offered():
    schema = sentence_schema(["S1.1"])
    with pytest.raises(ValidationError):
        schema(status="answered", statements=[{"sources": ["S1.2"], "text": "x"}])


def test_more_ids_than_an_enum_may_hold_are_plain_strings():
    ids = [f"S1.{number}" for number in range(MOST + 1)]
    assert "enum" not in json.dumps(
        plain_json_schema(sentence_schema(ids))["properties"]["statements"]
    )


def test_no_id_is_an_error():
    with pytest.raises(InputError):
        sentence_schema(())


def test_no_text_of_a_passage_is_in_a_repr():
    assert "covered" not in repr(label(DOCS))
