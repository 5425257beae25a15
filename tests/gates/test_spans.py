"""The span gate refuses; it never clips and never raises."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundedgen.gates.spans import span_gate

DOCS = {"d": "The cap is 12 million euros. It applies from 2024 on."}


def reason(start, end, **more):
    return span_gate("d", start, end, DOCS, **more).reason


def test_a_span_is_its_slice():
    result = span_gate("d", 0, 27, DOCS)
    assert (result.accepted, result.text, result.reason) == (True, DOCS["d"][:27], "ok")


def test_the_end_may_be_the_length():
    assert span_gate("d", 29, 53, DOCS).text == "It applies from 2024 on."


@pytest.mark.parametrize("span", [(29, 54), (-5, 53), (0, -1), (99, 100), (0, 10**30)])
def test_out_of_range_is_refused_and_not_clipped(span):
    result = span_gate("d", *span, DOCS)
    assert (result.accepted, result.text, result.reason) == (False, "", "out_of_range")


@pytest.mark.parametrize("span", [(10, 10), (20, 10), (0, 0)])
def test_empty_and_reversed_spans_are_no_evidence(span):
    assert reason(*span) == "empty"


@pytest.mark.parametrize("offset", [None, 1.0, True, "3", [1], float("nan")])
def test_offsets_are_integers(offset):
    assert reason(offset, 20) == "bad_offset"
    assert reason(0, offset) == "bad_offset"


def test_an_unknown_document_is_refused():
    assert span_gate("x", 0, 1, DOCS).reason == "unknown_source"


def test_a_span_stays_inside_its_chunk():
    assert reason(29, 40, chunk=(29, 53)) == "ok"
    assert reason(20, 40, chunk=(29, 53)) == "out_of_chunk"
    assert reason(29, 53, chunk=[29, 52]) == "out_of_chunk"


@pytest.mark.parametrize("chunk", [(0,), (0, 1, 2), (None, 5), (0, 5.0), (True, 9)])
def test_a_chunk_that_is_no_pair_of_offsets_holds_nothing(chunk):
    assert reason(1, 3, chunk=chunk) == "bad_offset"


def test_the_quote_must_stand_inside_the_span():
    assert reason(0, 28, quote="the cap is 12 million euros") == "ok"
    assert reason(0, 28, quote="It applies from 2024 on") == "quote_outside"
    assert reason(0, 28, quote="") == "quote_outside"


def test_a_span_does_not_hide_what_it_cut_off():
    docs = {"d": "Non-refundable deposits are kept."}
    assert span_gate("d", 4, 33, docs, quote="refundable deposits").reason == "quote_outside"


def test_offsets_are_code_points():
    docs = {"d": "🤔🤔 The cap is 12 million."}
    assert span_gate("d", 3, 24, docs, quote="The cap is 12 million").accepted
    assert not span_gate("d", 5, 26, docs, quote="The cap is 12 million").accepted


@given(st.text(max_size=20), st.integers(-30, 30), st.integers(-30, 30))
def test_what_is_accepted_is_the_slice(text, start, end):
    result = span_gate("d", start, end, {"d": text})
    assert result.accepted == (0 <= start < end <= len(text))
    assert result.text == (text[start:end] if result.accepted else "")
