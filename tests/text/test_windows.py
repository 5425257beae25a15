"""Whole sentences round a span, and the most of them that fit."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from groundedgen.text.windows import context, window

TEXT = "It rains. The fee is due, unless waived. Call us.\n\nA new part. It ends here."

SENTENCES = st.lists(
    st.sampled_from(
        ["It rains.", "The fee is due, unless waived.", "Call us at 5.", "Why?", "水。"]
    ),
    min_size=1,
    max_size=12,
).map(" ".join)


def span_of(data, text):
    start = data.draw(st.integers(0, len(text) - 1))
    return start, data.draw(st.integers(start + 1, len(text)))


def test_context_is_the_sentence_of_the_span():
    start = TEXT.index("fee")
    assert TEXT[slice(*context(TEXT, start, start + 3))] == "The fee is due, unless waived."


def test_context_of_a_span_over_a_full_stop_is_both_sentences():
    start, end = TEXT.index("waived"), TEXT.index("Call") + 4
    assert TEXT[slice(*context(TEXT, start, end))] == "The fee is due, unless waived. Call us."


@given(SENTENCES, st.data())
def test_context_contains_the_span_and_is_its_own_context(text, data):
    start, end = span_of(data, text)
    first, last = context(text, start, end)
    assert first <= start < end <= last
    assert (first, last) == context(text, first, last)


@given(SENTENCES, st.integers(0, 200), st.data())
def test_a_window_contains_the_span_and_fits(text, limit, data):
    start, end = span_of(data, text)
    found = window(text, start, end, limit)
    if end - start > limit:
        assert found is None
    else:
        first, last = found
        assert first <= start < end <= last
        assert last - first <= limit


@given(SENTENCES, st.data())
def test_a_window_that_can_hold_the_sentences_holds_them_whole(text, data):
    start, end = span_of(data, text)
    first, last = context(text, start, end)
    limit = last - first + data.draw(st.integers(0, 60))
    found = window(text, start, end, limit)
    assert found[0] <= first
    assert found[1] >= last
    assert found in {(0, len(text)), context(text, *found)}


def test_a_window_grows_to_both_sides_while_anything_fits():
    text = "One is here. Two is here. Three is here. Four is here. Five is here."
    start = text.index("Three")
    found = window(text, start, start + 5, 45)
    assert text[slice(*found)] == "Two is here. Three is here. Four is here."


def test_a_sentence_that_does_not_fit_is_cut_between_words():
    text = "word " * 30 + "HERE " + "word " * 30
    first, last = window(text, text.index("HERE"), text.index("HERE") + 4, 40)
    assert text[first:last].split() == ["word", "word", "word", "HERE", "word", "word", "word"]


def test_context_and_window_in_a_very_long_text():
    text = "It rains a lot here. " * 100_000 + "The fee is due. " + "It rains. " * 100_000
    start = text.index("fee")
    assert text[slice(*context(text, start, start + 3))] == "The fee is due."
    first, last = window(text, start, start + 3, 1_000)
    assert 900 < last - first <= 1_000


def test_strange_text_does_not_raise():
    for text in ("\ud800", "\x00\x00", "…" * 50, "\u0301" * 9, "水" * 50_000):
        assert context(text, 0, 1)[0] == 0
        assert window(text, 0, 1, 5) is not None
