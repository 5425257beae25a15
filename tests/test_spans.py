"""Promises of the quotable pieces of a passage."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundedgen import spans as spans_room
from groundedgen.gates import quote_gate
from groundedgen.spans import LONGEST, labelled_spans, piece_count, quotable_spans
from groundedgen.text.standing import can_assert
from tests.growth import LINEAR, factor


def quotes(text, lang=None, **settings):
    return [text[start:end] for start, end in quotable_spans(text, lang, **settings)]


PIECES = [
    "Fire is covered in full. ",
    "Not covered:\n- floods;\n- theft.\n\n",
    "Is it covered? ",
    "This does not apply to cash. ",
    "No. ",
    "EXCLUSIONS\n\n",
    "cov-\nered by the non-",
    "a; b: c, ",
    "\ufb01nal \u00ad\u200b text \u2028",
    "\U0001f600 \u202eabc ",
    "水漏れは補償されます。",
    "\ud800",
    "\x00\x07\\\"'{} ",
    "| a | b | c |\n",
    "~~Fire is covered at all times.~~ ",
    "3.5 % of 1,200 euros within 30 days. ",
    "word " * 70,
]


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join), st.integers(1, 8))
def test_every_piece_is_a_short_slice_that_the_gate_takes(text, min_words):
    for start, end in quotable_spans(text, min_words=min_words):
        quote = text[start:end]
        assert quote_gate(quote, "S1", {"S1": text}, min_words=min_words).verdict == "found"
        assert 0 < end - start <= LONGEST
        assert quote.encode()


@given(st.text(max_size=400))
def test_no_text_makes_it_fail(text):
    own = [span for span, _ in labelled_spans(text)]
    assert sorted(own) == own
    assert all(left[1] <= right[0] for left, right in pairwise(own))


_texts = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)


@given(_texts, st.sampled_from(["", "non-", "\u2717 ", "[ ] ", "** ", "5"]), st.integers(0, 8))
def test_the_short_way_to_the_gate_finds_what_the_gate_finds(text, before, min_words):
    """With the gate asked about every single piece, the pieces are the same."""
    quick = spans_room._Passage(before + text, None, min_words)
    slow = spans_room._Passage(before + text, None, min_words)
    slow._is_found = lambda form: False
    for place in range(len(quick.units)):
        assert slow.quotable(place) == quick.quotable(place)


def test_the_gate_is_not_asked_about_what_stands_there_as_it_is(monkeypatch):
    asked = []
    monkeypatch.setattr(spans_room, "quote_gate", lambda quote, *_, **__: asked.append(quote))
    text = " ".join(f"Fire number {n} is covered in full." for n in range(50))
    labelled_spans.cache_clear()
    assert 50 == len(labelled_spans(text))
    assert [] == asked


_MARKS = [
    "\u2717 ",
    "[ ] ",
    "[",
    "[\n\n",
    "x",
    "... ",
    "of it. ",
    "[deleted] ",
    "\u2020 ",
    "?",
    "~~",
    " ",
]


@given(st.lists(st.sampled_from([*PIECES[:6], *_MARKS]), max_size=12).map("".join))
def test_what_a_sentence_can_say_is_seen_from_near_by(text):
    passage = spans_room._Passage(text, None, 5)
    for place, unit in enumerate(passage.units):
        assert can_assert(text, unit.start, unit.end) == passage._can_assert(place)


@given(_texts)
def test_no_passage_has_more_quotes_than_pieces(text):
    assert len(labelled_spans(text)) <= piece_count(text)
    assert len(quotable_spans(text)) <= piece_count(text)


def test_a_sentence_is_quoted_as_it_is():
    text = "The roof is insured against hail. The shed is insured\nagainst fire only."
    assert quotes(text) == [
        "The roof is insured against hail.",
        "The shed is insured\nagainst fire only.",
    ]


ITEMS = "We do not pay for:\n- damage by floods of any kind;\n- theft of tools."
LIABLE = "The insurer shall not be liable for " + "any loss, " * 30 + ": loss of a key by theft."
HAGEL = "Nicht versichert sind " + "viele Dinge und " * 25 + "mehr; Schäden durch Hagel am Dach."
JISHIN = "以下は補償されません" + "、その他の損害" * 50 + "；地震による家屋の損害"


@pytest.mark.parametrize(
    ("text", "inner"),
    [
        (ITEMS, "damage by floods"),
        ("Exclusions\n\nDamage to the roof by hail or wind.", "Damage to the roof"),
        (LIABLE, "loss of a key"),
        (HAGEL, "Schäden durch Hagel"),
        (JISHIN, "地震による"),
    ],
)
def test_no_quote_begins_behind_a_negation(text, inner):
    """A list item, a heading's line, a clause: each comes with what turns it round, or is out."""
    found = quotes(text)
    assert found
    assert not [quote for quote in found if quote.lstrip("- ").startswith(inner)]


def test_an_exception_comes_with_the_sentence_that_it_limits():
    text = (
        "Theft from the shed is covered. This does not apply to cash. Call us any day of the week."
    )
    assert quotes(text)[0] == "Theft from the shed is covered. This does not apply to cash."


def test_a_question_comes_with_its_answer():
    text = "Is fire at home covered? Yes, it is covered up to the full sum."
    assert quotes(text) == [text, "Yes, it is covered up to the full sum."]


def test_an_overlong_sentence_is_cut_at_its_semicolons():
    parts = [
        f"part {name} of the house is insured against all the usual risks" for name in "abcdef"
    ]
    found = quotes("; ".join(parts) + ".")
    assert len(found) == 6
    assert found[2] == parts[2] + ";"


def test_speech_without_stops_is_cut_behind_no_negation():
    text = "so we went there and they said it is not open yet and then we left again " * 40
    found = quotes(text)
    assert len(found) > 3
    before = [text[: text.index(quote)][-30:] for quote in found[1:]]
    assert not [words for words in before if " not " in words]


def test_a_short_sentence_comes_with_a_neighbour():
    assert quotes("Floods: no. Fire is covered in full here.")[0] == (
        "Floods: no. Fire is covered in full here."
    )


def test_a_short_passage_is_quoted_whole():
    assert quotes("Floods: no.") == ["Floods: no."]
    assert quotes("  \n ") == []


def test_scripts_without_blanks_are_cut_into_sentences():
    text = "水漏れによる損害は補償されます。洪水は補償されません。三十日以内に届け出てください。"
    assert quotes(text) == [part + "。" for part in text.split("。") if part]


def test_half_of_a_surrogate_pair_leaves_its_sentence_out():
    text = "Fire is covered \ud83d in full. Hail is covered in full too."
    assert quotes(text) == ["Hail is covered in full too."]


def test_a_long_list_that_only_leads_in_keeps_its_last_items():
    """ "We cover the following:" over forty items says nothing that an item alone denies."""
    items = "\n".join(f"- loss of thing number {n} at home or on a journey;" for n in range(40))
    found = quotes(f"We cover all of the following:\n{items}")
    assert "thing number 39" in found[-1]


@pytest.mark.parametrize(
    "unit",
    [
        "Fire is covered in full. ",
        "- theft of any tools;\n",
        "a; ",
        "No. ",
        "word ",
        "Not so:\n- it;\n",
    ],
)
def test_time_grows_with_the_text(unit):
    assert factor(_uncached, unit, size=1_500) < LINEAR


@pytest.mark.parametrize(
    "unit", ["Fire is covered in full. ", "a; ", "word ", '"', "not, ", "no. "]
)
def test_time_to_count_pieces_grows_with_the_text(unit):
    assert factor(piece_count, unit) < LINEAR


def _uncached(text):
    labelled_spans.cache_clear()
    return quotable_spans(text)
