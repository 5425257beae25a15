"""The sources gate: every named source is an offered one, or the statement goes."""

from __future__ import annotations

import pytest

from groundedgen.gates.sources import check_sources
from groundedgen.values import Finding, Sourced

NAMES = ["S1", "S2", "S3"]


def test_offered_sources_come_back_in_their_listed_spelling():
    checked = check_sources(4, "Text.", ["s1", "[S1]", "S3"], "quote", NAMES)
    assert Sourced(4, "Text.", ("S1", "S3"), "quote") == checked


@pytest.mark.parametrize(
    ("written", "reason", "details"),
    [
        (["S9"], "unknown_source", ("S9",)),
        (["S1", "S9", "page 4"], "unknown_source", ("S9", "page 4")),
        ("S1, S8", "unknown_source", ("S8",)),
        ([], "no_source", ()),
        ("", "no_source", ()),
        (None, "no_source", ()),
        ([["S1"]], "bad_type", ()),
        ({"S1": 1}, "bad_type", ()),
    ],
)
def test_anything_else_is_a_finding_with_its_reason(written, reason, details):
    found = check_sources(2, "Text.", written, "quote", NAMES)
    assert isinstance(found, Finding)
    assert ("sources", reason, 2, details) == (
        found.check,
        found.reason,
        found.index,
        found.details,
    )
    assert "Text." == found.statement
    assert "Text" not in found.message


def test_without_offers_no_source_is_known():
    assert "unknown_source" == check_sources(0, "Text.", ["S1"], "quote", []).reason
