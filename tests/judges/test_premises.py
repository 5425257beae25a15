"""Windows lose nothing, and one verdict comes out of several readings."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from groundedgen.judges.classes import Shares
from groundedgen.judges.premises import Premise, decide, plan

LENGTHS = st.lists(st.integers(0, 40), max_size=40)
FOR, AGAINST, NOTHING = Shares(0.9, 0.05, 0.05), Shares(0.05, 0.9, 0.05), Shares(0.1, 0.1, 0.8)


@given(LENGTHS, st.integers(-5, 120))
def test_every_sentence_is_in_a_window_or_told_as_unread(lengths, room):
    planned = plan(lengths, room)
    held = {n for start, end in planned.windows for n in range(start, end)}
    assert set(range(len(lengths))) == held | set(planned.unread)
    assert not held & set(planned.unread)
    assert all(length <= room for n, length in enumerate(lengths) if n in held)


@given(LENGTHS, st.integers(1, 120))
def test_no_window_is_longer_than_fits_and_neighbours_stay_together(lengths, room):
    planned = plan(lengths, room)
    assert all(0 < sum(lengths[a:b]) or a < b for a, b in planned.windows)
    assert all(sum(lengths[a:b]) <= room for a, b in planned.windows)
    for n in range(len(lengths) - 1):
        if sum(lengths[n : n + 2]) <= room and not {n, n + 1} & set(planned.unread):
            assert any(a <= n and n + 2 <= b for a, b in planned.windows)


@given(LENGTHS, st.integers(1, 120))
def test_windows_go_forward(lengths, room):
    windows = plan(lengths, room).windows
    assert len(windows) <= len(lengths)
    assert list(windows) == sorted(set(windows))


def test_the_best_window_counts():
    assert ("supported", 2) == decide([(0, 2), (1, 4), (5, 6)], [NOTHING, NOTHING, FOR], [], 0.5)


def test_a_contradiction_beside_the_evidence_wins():
    """The two windows share sentence 1, so the second read the evidence too."""
    assert ("contradicted", 1) == decide([(0, 2), (1, 4)], [FOR, AGAINST], [], 0.5)


def test_a_contradiction_where_most_words_of_the_claim_are_wins():
    assert ("contradicted", 1) == decide([(0, 2), (3, 4)], [FOR, AGAINST], [1], 0.5)


def test_a_contradiction_far_from_the_evidence_is_left_aside():
    assert ("supported", 0) == decide([(0, 2), (3, 4)], [FOR, AGAINST], [0], 0.5)


def test_a_low_threshold_does_not_turn_a_contradiction_into_support():
    between = Shares(0.4, 0.4, 0.2)
    assert ("not_addressed", 0) == decide([(0, 1)], [between], [], 0.1)
    assert ("contradicted", 0) == decide([(0, 1)], [Shares(0.3, 0.5, 0.2)], [], 0.1)
    assert ("supported", 0) == decide([(0, 1)], [Shares(0.3, 0.2, 0.5)], [], 0.3)


@given(st.text(min_size=1).filter(str.strip))
def test_any_text_is_cut_without_loss(text):
    premise = Premise.of(text, lambda pieces: [len(piece) for piece in pieces])
    assert premise.window((0, len(premise.starts))).strip() == text.strip()
    assert premise.closest([(0, 1)], "claim") == (0,)
