"""Places that a provider says it cites are looked up like any quote."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundedgen.gates.placed import cut_off, locate_placed
from groundedgen.values import CitedSpan, Finding, Located, Sourced
from tests import growth

PIPES = (
    "Water damage from a burst pipe is covered. Floods are not. Non-refundable fees are due now."
)
DOCS = {"S1": PIPES, "S2": "Fire is covered.", "S3": "Der Schaden ist bis 1.5.2025 zu melden, so."}


def span(words, alias="S1", *, start=None, quote=None):
    start = DOCS[alias].index(words) if start is None else start
    return CitedSpan(alias, start, start + len(words), words if quote is None else quote)


def sourced(*spans):
    aliases = tuple(dict.fromkeys(s.alias for s in spans))
    return Sourced(3, "So it is.", aliases, spans[0].quote, spans)


def found(*spans, **options):
    return locate_placed(sourced(*spans), DOCS, **options)


def slices(located):
    return [DOCS[s.alias][s.start : s.end] for s in located.spots]


FIRST = "Water damage from a burst pipe is covered."
SECOND = "Floods are not."


def test_a_place_that_holds_its_words_is_a_spot_without_its_outer_blanks():
    located = found(span(f"{FIRST} "))
    assert [FIRST] == slices(located)
    assert ("exact", 3, "So it is.") == (located.spots[0].match, located.index, located.text)


def test_words_that_differ_in_typography_only_are_folded():
    located = found(span(FIRST, quote=FIRST.replace(" from", "\u00a0 from").lower()))
    assert ([FIRST], "folded") == (slices(located), located.spots[0].match)


@pytest.mark.parametrize(
    "wrong",
    [
        span(FIRST, quote=FIRST.replace("is covered", "is not covered")),
        span(FIRST, quote=FIRST[:-12]),
        span(FIRST, quote=f"{FIRST} {SECOND}"),
        span(FIRST, quote=""),
        span(FIRST, start=1),
        CitedSpan("S1", -1, -1, FIRST),
        CitedSpan("S1", -44, -1, FIRST),
        CitedSpan("S1", 42, 0, FIRST),
        CitedSpan("S1", 0, 9_999, PIPES),
        CitedSpan("S1", 0, 0, ""),
        CitedSpan("S9", 0, 42, FIRST),
        span("amage from a burst pipe is"),
        span("refundable fees are due now."),
        span("bis 1.5.20", "S3"),
        span("Schaden ist bis 1.", "S3"),
    ],
)
def test_a_place_that_is_not_exactly_right_is_none(wrong):
    result = found(wrong)
    assert isinstance(result, Finding)
    assert ("quotes", "quote_not_found", 3) == (result.check, result.reason, result.index)


def test_a_place_with_too_few_words_proves_nothing():
    assert "quote_too_short" == found(span(SECOND)).reason
    assert [SECOND] == slices(found(span(SECOND), min_words=3))


def test_a_whole_passage_is_enough_however_short():
    assert ["Fire is covered."] == slices(found(span("Fire is covered.", "S2")))


def test_adjoining_places_are_one_and_so_are_repeated_ones():
    assert [f"{FIRST} {SECOND}"] == slices(found(span(SECOND), span(f"{FIRST} "), span(SECOND)))


def test_places_apart_stay_apart_in_the_order_of_passages_and_text():
    last = "Non-refundable fees are due now."
    located = found(span("Fire is covered.", "S2"), span(last), span(FIRST))
    assert ["Fire is covered.", FIRST, last] == slices(located)


AGAIN = "Pay the fee at once now. "


@pytest.mark.parametrize(("first", "last"), [(0, 1), (1, 3), (2, 4), (1, 4), (3, 4), (0, 4)])
def test_in_a_text_that_repeats_itself_every_place_is_found_where_it_is(first, last):
    """Also one that overlaps another of the same words."""
    text = AGAIN * 4
    place = CitedSpan("S1", first * len(AGAIN), last * len(AGAIN), AGAIN * (last - first))
    located = locate_placed(sourced(place), {"S1": text})
    assert [(place.start, place.end - 1)] == [(s.start, s.end) for s in located.spots]


@pytest.mark.parametrize(("start", "end"), [(1, 50), (25, 47), (30, 54), (24, 46)])
def test_in_a_text_that_repeats_itself_nothing_is_found_that_cuts_a_word(start, end):
    text = AGAIN * 4
    place = CitedSpan("S1", start, end, text[start:end])
    assert isinstance(locate_placed(sourced(place), {"S1": text}), Finding)


MARKED = (
    "**1. Fire is always covered here.**\nFlood damage is never covered. __So *it* is.__ `Fee` due."
)


@pytest.mark.parametrize("end", [33, 34, 35, 36])
def test_a_place_that_cuts_through_emphasis_is_one_where_no_word_is_cut(end):
    """The passage is not the sum of its slices: each half of a pair of marks folds to itself."""
    first = CitedSpan("S1", 0, end, MARKED[:end])
    second = CitedSpan("S1", end, 66, MARKED[end:66])
    for place in (first, second):
        located = locate_placed(sourced(place), {"S1": MARKED})
        assert isinstance(located, Located)
        assert [MARKED[place.start : place.end].strip()] == [
            MARKED[s.start : s.end] for s in located.spots
        ]


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("Fees & costs &amp; taxes are due at once.", 14, 40),
        ("The fees of\u00a0**1,500** euros are due now.", 18, 40),
        ("**Non**-refundable fees are due here now.", 8, 40),
        ("It is \u0065\u0301tude that we cover here now.", 7, 34),
        ("A fee of 3&nbsp;000 euros is due at once.", 10, 40),
    ],
)
def test_a_place_that_cuts_through_a_character_or_a_word_in_marks_is_none(text, start, end):
    place = CitedSpan("S1", start, end, text[start:end])
    assert isinstance(locate_placed(sourced(place), {"S1": text}), Finding)


def test_many_places_take_time_in_proportion_to_their_number():
    sentence = "Item {} of this list is covered in full. "
    text = "".join(sentence.format(number) for number in range(2_000))

    def check(units):
        at, spans = 0, []
        for number in range(len(units)):
            end = at + len(sentence.format(number))
            spans.append(CitedSpan("S1", at, end, text[at:end]))
            at = end
        assert isinstance(locate_placed(sourced(*spans), {"S1": text}), Located)

    assert growth.factor(check, "x", size=100) < growth.LINEAR


def test_what_does_not_hold_is_cut_off_with_a_kept_finding_each():
    statement = sourced(span(FIRST), span(FIRST, quote="Invented words."), span("Fire", "S2"))
    assert [FIRST] == slices(locate_placed(statement, DOCS))
    told = [(f.reason, f.details, f.kept, f.index) for f in cut_off(statement, DOCS)]
    assert [("quote_not_found", ("S1",), True, 3), ("quote_too_short", ("S2",), True, 3)] == told


def test_a_finding_shows_the_nearest_real_text():
    result = found(span(FIRST, quote="Water damage of a burst pipe is always covered."))
    assert result.nearest
    assert result.nearest in PIPES


@given(
    st.lists(
        st.builds(
            CitedSpan,
            st.sampled_from(["S1", "S2", "S3", "S4"]),
            st.integers(-3, 100),
            st.integers(-3, 100),
            st.sampled_from([PIPES, FIRST, SECOND, "Fire is covered.", "", "x", PIPES[3:60]]),
        ),
        min_size=1,
        max_size=4,
    )
)
def test_no_place_is_kept_that_does_not_hold_words_that_were_cited(spans):
    result = locate_placed(sourced(*spans), DOCS, min_words=1)
    if isinstance(result, Located):
        words = {s.quote.strip() for s in spans}
        for spot in result.spots:
            shown = DOCS[spot.alias][spot.start : spot.end]
            assert shown == shown.strip() != ""
            assert any(word in shown or shown in word for word in words if word)


@given(st.integers(0, 90), st.integers(1, 90))
def test_no_place_that_is_kept_begins_or_ends_inside_a_word(start, length):
    words = PIPES[start : start + length]
    placed = CitedSpan("S1", start, start + len(words), words)
    result = locate_placed(sourced(placed), DOCS, min_words=1)
    if isinstance(result, Located):
        (spot,) = result.spots
        edges = PIPES[max(spot.start - 1, 0) : spot.start + 1], PIPES[spot.end - 1 : spot.end + 1]
        assert not any(len(edge) == 2 and edge.isalnum() for edge in edges)
