"""Words in one run: the automaton agrees with looking at every pair of places."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from groundedgen.text.matching.runs import Run, shared_runs, spoken
from tests.growth import LINEAR, factor

WORDS = st.lists(st.sampled_from("abc"), max_size=12)


def slow_lengths(text, words):
    """For each place, the longest run of `text` that ends there and stands in `words`."""
    return [
        max(
            length
            for length in range(end + 1)
            if any(text[end - length : end] == words[i : i + length] for i in range(len(words) + 1))
        )
        for end in range(len(text) + 1)
    ]


@given(WORDS, WORDS, st.integers(1, 4))
def test_a_slow_obvious_search_agrees(text, words, shortest):
    """A run is reported where the longest one that ends at a place cannot go on."""
    lengths = [*slow_lengths(text, words), 0]
    expected = [
        (end - length, length)
        for end, length in enumerate(lengths[:-1])
        if length >= shortest and lengths[end + 1] != length + 1
    ]
    runs = list(shared_runs(text, words, shortest))
    assert expected == [(run.start, run.length) for run in runs]
    for run in runs:
        assert text[run.start : run.start + run.length] == words[run.at : run.at + run.length]


def test_words_are_read_as_spoken():
    assert spoken("The land\xadlord’s **fee**: 5,000 (five)") == [
        *("the", "landlord", "s", "fee", "5", "000", "five")
    ]
    assert spoken("水は字") == ["水", "は", "字"]
    assert spoken("policy³ नीति") == ["policy", "³", "नीति"]
    assert spoken(" ... ") == []


def test_a_run_knows_its_place_in_both():
    assert list(shared_runs(["x", "b", "c"], ["a", "b", "c", "d"], 2)) == [Run(1, 2, 1)]


def test_time_grows_with_the_text():
    assert (
        factor(lambda text: list(shared_runs(list(text), list(text[1:]), 3)), "ab", size=40_000)
        < LINEAR
    )
