"""Promises of the quotables and of the schema that ties source and quote."""

from __future__ import annotations

import json

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundedgen.errors import InputError
from groundedgen.gates import quote_gate
from groundedgen.generators.grammar import Limits, quotables, schema

DOCS = {
    "S1": "Claims are due within 30 days of the loss. Hail is covered in full at home.",
    "S2": "Exclusions\n\nDamage by floods of any kind.",
    "S3": "  \n",
}


def draft(alias, quote, text="It is so."):
    return {
        "status": "answered",
        "statements": [{"sources": [alias], "quote": quote, "text": text}],
    }


def test_every_alias_is_kept_and_only_quotable_ones_are_offered():
    found = quotables(DOCS)
    assert found.names == ("S1", "S2", "S3")
    assert [passage.alias for passage in found.quotable] == ["S1", "S2"]
    assert found.size == sum(len(q) for p in found.passages for q in p.quotes)


def test_equal_keys_mean_equal_passages_and_limits():
    key = quotables(DOCS).key
    assert key == quotables(dict(DOCS)).key
    others = [
        quotables({**DOCS, "S3": "x"}),
        quotables(DOCS, {"S1": "de"}),
        quotables(DOCS, limits=Limits(max_statements=2)),
        quotables(dict(reversed(DOCS.items()))),
    ]
    assert len({key, *(other.key for other in others)}) == 5


def test_a_key_is_had_for_text_that_has_no_utf8():
    assert quotables({"S1": "\ud800"}).key != quotables({"S1": "\ud801"}).key


def test_no_text_of_a_passage_is_in_a_repr():
    assert "Claims" not in repr(quotables(DOCS))


@pytest.mark.parametrize("wrong", [{"max_statements": 0}, {"max_text": 19}], ids=str)
def test_a_limit_that_allows_no_draft_is_an_error_that_names_it(wrong):
    with pytest.raises(InputError, match=next(iter(wrong))):
        Limits(**wrong)


def test_the_schema_takes_each_quote_under_its_own_source_only():
    found = quotables(DOCS)
    check = jsonschema.Draft202012Validator(schema(found))
    quotes = [(p.alias, quote) for p in found.quotable for quote in p.quotes]
    assert all(check.is_valid(draft(alias, quote)) for alias, quote in quotes)
    for alias, quote in quotes:
        other = "S1" if alias == "S2" else "S2"
        assert not check.is_valid(draft(other, quote))
        assert not check.is_valid(draft(alias, quote[:-1]))
        assert not check.is_valid(draft(alias, quote, ""))
        assert not check.is_valid({**draft(alias, quote), "status": "not_found"})


def test_not_found_is_always_possible():
    nothing = {"status": "not_found", "statements": []}
    for docs in (DOCS, {"S1": ""}, {"S1": "\ud800"}):
        jsonschema.validate(nothing, schema(quotables(docs)))


def test_keys_come_in_the_order_source_quote_text():
    statements = schema(quotables(DOCS))["anyOf"][0]["properties"]["statements"]
    for alternative in statements["items"]["anyOf"]:
        assert list(alternative["properties"]) == ["sources", "quote", "text"]


@given(st.dictionaries(st.sampled_from(["S1", "S2", "S3"]), st.text(max_size=200)))
def test_every_quote_in_a_schema_passes_the_gate_for_its_source(docs):
    found = quotables(docs)
    json.dumps(schema(found)).encode()
    for passage in found.passages:
        for quote in passage.quotes:
            assert quote_gate(quote, passage.alias, docs).verdict == "found"
