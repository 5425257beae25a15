"""Promises of the line structure."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundedgen.text.lines import blocks, is_rule
from tests.growth import LINEAR, factor

LINES = [
    "- fire",
    "theft",
    "1. One",
    "(a) two",
    "# Head",
    "| a | b |",
    "",
    "  ",
    "A long line of words,",
]


@given(st.lists(st.sampled_from(LINES), max_size=20).map("\n".join) | st.text(max_size=60))
def test_blocks_cover_the_text_in_order(text):
    bounds = blocks(text)
    assert "".join(text[start:end] for start, end in bounds) == text


def test_a_wrapped_line_is_no_block():
    assert len(blocks("The tenant must pay\nthe Bank of\nEngland at once")) == 1


def test_a_marker_in_running_text_begins_no_item():
    assert len(blocks("as said in\n(b) of this clause")) == 1
    assert len(blocks("as follows:\n(b) of this clause")) == 2


def test_a_line_that_ends_early_before_a_capital_is_a_heading():
    text = "Hail\nWe pay for broken glass, roofs and cars that hail has damaged."
    assert [text[a:b] for a, b in blocks(text)] == ["Hail\n", text[5:]]


@pytest.mark.parametrize("line", ["|-|", "| --- |", "---|", "|:--|--:|", "|---|---", "  |---|  "])
def test_the_line_under_the_head_of_a_table_is_told(line):
    assert is_rule(line)


@pytest.mark.parametrize("line", ["", "|", "---", "| - | 5 |", "|--|a|", ":|", "| | |", "-- --"])
def test_other_lines_are_no_rule_of_a_table(line):
    assert not is_rule(line)


@pytest.mark.parametrize("unit", ["|-", "-|-", "| - ", "- ", "|"])
def test_rules_are_told_in_linear_time(unit):
    assert factor(is_rule, unit, size=20_000) < LINEAR
