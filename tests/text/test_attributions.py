"""What a sentence says of its marker only, in phrases that a reader would see broken."""

from __future__ import annotations

import pytest

from groundedgen.text.brackets import markers
from groundedgen.text.cutting import Cut, cut
from groundedgen.text.markers.attributions import needs_marker, unattributed
from tests.growth import LINEAR, factor


def shown(text):
    rest = unattributed(text, markers)
    return cut(rest, [Cut(start, end) for start, end in markers(rest)]).strip()


PLAIN = "The fee is due at once."
PHRASED = [
    "According to [1], the fee is due at once.",
    "According to [1] and [2], the fee is due at once.",
    "According to source [1], the fee is due at once.",
    "As [1] says, the fee is due at once.",
    "As stated in [1], the fee is due at once.",
    "In [1], the fee is due at once.",
    "[1] states that the fee is due at once.",
    "[1], [2] and [3] state that the fee is due at once.",
    "Selon [1], the fee is due at once.",
    "The fee is due at once, according to [1].",
    "The fee is due at once according to [1].",
    "The fee is due at once, as [1] states.",
    "The fee is due at once, see [1].",
    "The fee is due at once — see also [1].",
    "The fee is due at once (see [1]).",
    "The fee is due at once (see also [1], [2]).",
    "The fee is due at once (siehe [1]).",
    "The fee is due at once. (Source: [1])",
    "The fee is due at once. See [1].",
    "The fee is due at once. Sources: [1], [2].",
]


@pytest.mark.parametrize("text", PHRASED)
def test_a_phrase_that_says_nothing_but_the_source_goes_with_its_marker(text):
    assert PLAIN == shown(text)


@pytest.mark.parametrize("text", PHRASED)
def test_no_marker_goes_with_its_phrase(text):
    def numbers(given):
        return sorted(given[start:end] for start, end in markers(given))

    assert numbers(text) == numbers(unattributed(text, markers))


UNTOUCHED = [
    "[1] does not state that the fee is due.",
    "[1] suggests that the fee is due.",
    "The fee is due except as stated in [1].",
    "The fee is due only according to [1].",
    "Contrary to what is stated in [1], it is due.",
    "The policy [1] states that the fee is due.",
    "Laut [1] ist es so.",
    "The fee [1] is due [2].",
]


@pytest.mark.parametrize("text", UNTOUCHED)
def test_what_says_more_than_the_source_is_not_touched(text):
    assert text == unattributed(text, markers)


def test_a_marker_is_never_moved_to_where_it_would_be_content():
    assert "Clause 5 [1] applies." == unattributed("According to [1], clause 5 applies.", markers)


@pytest.mark.parametrize(
    ("text", "needed"),
    [
        ("Laut [1] ist es so.", True),
        ("It is set out in [1].", True),
        ("[1] covers fire.", True),
        ("Only [1] applies.", True),
        ("Plan A [1] applies.", False),
        ("It is covered, though [1].", False),
        ("[1] Fire is covered.", False),
        ("Fire is covered [1].", False),
    ],
)
def test_a_sentence_that_would_be_broken_is_known(text, needed):
    start = text.index("[1]")
    assert needed == needs_marker(text, start, start + 3)


@pytest.mark.parametrize(
    "unit",
    ["[1]", "[1], ", "according to ", "see [1] and ", "as ", "the source ", ", ", "(see [1]"],
)
def test_time_grows_with_the_text(unit):
    assert factor(lambda text: unattributed(text, markers), unit, size=6_000) < LINEAR
