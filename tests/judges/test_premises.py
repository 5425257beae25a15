"""Windows lose nothing, and one verdict comes out of several readings."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from groundedgen.judges.classes import Shares
from groundedgen.judges.premises import Premise, decide, plan, weighed

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


TENTHS = st.integers(0, 10)
SHARES = st.builds(lambda a, b: Shares(a / 20, b / 20, 1 - (a + b) / 20), TENTHS, TENTHS)
READ = st.lists(st.tuples(st.integers(0, 9), st.integers(1, 4), SHARES), min_size=1, max_size=6)


def slowly(windows, shares, evidence, threshold):
    """The rule, sentence by sentence: nothing here looks at the strongest contradiction only."""
    top = max(share.entailment for share in shares)
    near = set()
    for (first, end), share in zip(windows, shares, strict=True):
        if share.entailment == top:
            near |= set(range(first, end))
    for n, (first, end) in enumerate(windows):
        if n in evidence or any(sentence in near for sentence in range(first, end)):
            entailed, against, other = shares[n]
            if against > entailed and against > other:
                return "contradicted"
    best = shares[[share.entailment for share in shares].index(top)]
    passes = best.entailment >= threshold and best.entailment > best.contradiction
    return "supported" if passes else "not_addressed"


@given(READ, st.sets(st.integers(0, 5)), st.sampled_from([0.1, 0.3, 0.5]))
def test_any_contradiction_near_the_evidence_wins(read, evidence, threshold):
    windows = [(first, first + size) for first, size, _ in read]
    shares = [share for _, _, share in read]
    inside = {n for n in evidence if n < len(read)}
    label, place = decide(windows, shares, inside, threshold)
    assert slowly(windows, shares, inside, threshold) == label
    if label == "contradicted":
        assert shares[place].contradiction > max(shares[place].entailment, shares[place].other)


def test_a_contradiction_is_not_masked_by_a_stronger_doubt_beside_it():
    doubt, high, against = Shares(0.05, 0.45, 0.5), Shares(0.9, 0.0, 0.1), Shares(0.3, 0.4, 0.3)
    assert ("contradicted", 2) == decide([(0, 2), (1, 3), (2, 4)], [doubt, high, against], [], 0.5)


HELD = st.tuples(st.integers(0, 39), st.integers(1, 5))


@given(LENGTHS.filter(bool), st.integers(1, 120), HELD)
def test_what_is_to_be_whole_is_whole_in_one_window(lengths, room, held):
    size = len(lengths)
    premise = Premise("x" * size, tuple(range(size)), tuple(range(1, size + 1)), tuple(lengths))
    first = held[0] % size
    held = first, min(size, first + held[1])
    planned, before = premise.planned(room, held), plan(lengths, room)
    assert any(a <= held[0] and held[1] <= b for a, b in planned.windows)
    assert set(before.windows) <= set(planned.windows)
    assert list(planned.windows) == sorted(planned.windows)
    read = {n for a, b in planned.windows for n in range(a, b)}
    assert set(range(size)) == read | set(planned.unread)
    assert not read & set(planned.unread)
    for a, b in set(planned.windows) - {held}:
        assert sum(lengths[a:b]) <= room
    assert before == premise.planned(room, None)


def test_the_sentences_of_a_place_are_those_that_it_touches():
    premise = Premise("ab cd", (0, 3), (2, 5), (1, 1))
    places = [(0, 1), (1, 4), (2, 3), (3, 99), (4, 4)]
    assert [(0, 1), (0, 2), None, (1, 2), None] == [premise.holding(p) for p in places]


def test_a_contradiction_beside_the_quote_counts_however_few_words_of_the_claim_are_there():
    text = "Fire is covered. Rain falls. Snow falls. Report it."
    premise = Premise.of(text, lambda pieces: [len(piece.split()) for piece in pieces])
    windows = [(0, 1), (1, 2), (2, 4)]
    held = premise.holding((text.index("Report"), len(text)))
    assert (0,) == premise.evidence(windows, "Fire is covered.", None)
    evidence = premise.evidence(windows, "Fire is covered.", held)
    assert (0, 2) == evidence
    assert ("contradicted", 2) == decide(windows, [FOR, NOTHING, AGAINST], evidence, 0.5)


QUOTE = "The insurer pays for theft of bicycles."
LIST = "".join(f"- The insurer pays for damage of kind {n}.\n" for n in range(80))
PLAIN = "The insurer is in London. " * 80


def words(pieces):
    return [len(piece.split()) for piece in pieces]


def windowed(text, room):
    """Every window of a text, those with the quote in them, and whether anything is unread."""
    premise = Premise.of(text, words)
    start = text.index(QUOTE)
    held = premise.holding((start, start + len(QUOTE)))
    planned = premise.planned(room, held)
    texts = [premise.window(window) for window in planned.windows]
    return texts, [window for window in texts if QUOTE in window], planned.unread


@given(st.integers(20, 200))
def test_every_window_of_a_list_is_read_under_its_lead_in(room):
    every, holding, unread = windowed(f"These were repealed in 2019:\n{LIST}- {QUOTE}", room)
    assert all(text.startswith("These were repealed in 2019:\n") for text in every)
    assert all(len(text.split()) <= room for text in every)
    assert holding
    assert not unread


def test_where_the_lead_in_does_not_fit_a_window_is_bare():
    text = f"These were repealed in 2019 by the act of May:\n{LIST}- {QUOTE}"
    premise = Premise.of(text, words)
    tight, wide = premise.planned(16, None), premise.planned(20, None)
    assert not wide.bare
    assert tight.bare
    assert () == tight.unread == wide.unread
    for window in tight.windows:
        held = "repealed" in premise.window(window, bare=window in tight.bare)
        assert held is (window not in tight.bare)


def test_a_bare_window_contradicts_and_supports_nothing():
    windows = [(0, 1), (1, 2)]
    for_it = weighed(windows, [NOTHING, FOR], {(1, 2)})
    assert "not_addressed" == decide(windows, for_it, [1], 0.5)[0]
    against = weighed(windows, [FOR, AGAINST], {(1, 2)})
    assert ("contradicted", 1) == decide(windows, against, [1], 0.5)


def test_a_window_that_must_hold_the_quote_is_not_bare():
    text = f"These were repealed in 2019 by the act of May:\n{LIST}- {QUOTE}"
    premise = Premise.of(text, words)
    start = text.index(QUOTE)
    planned = premise.planned(16, premise.holding((start, start + len(QUOTE))))
    holding = [w for w in planned.windows if QUOTE in premise.window(w, bare=w in planned.bare)]
    assert holding
    assert not planned.bare.intersection(holding)


@given(st.integers(15, 200))
def test_no_window_holds_a_sentence_without_what_limits_it(room):
    text = f"{PLAIN}{QUOTE} This does not apply to cash. {PLAIN}"
    _, holding, unread = windowed(text, room)
    assert holding
    assert all("This does not apply" in window for window in holding)
    assert not unread


def test_windows_of_plain_text_are_as_before():
    texts, _, _ = windowed(f"{PLAIN}{QUOTE} {PLAIN}", 50)
    assert all(f"{PLAIN}{QUOTE} {PLAIN}".count(text) for text in texts)


@given(LENGTHS, st.integers(-5, 120), st.integers(0, 30))
def test_what_stands_in_front_of_windows_takes_from_their_room(lengths, room, front):
    planned = plan(lengths, room, lambda first: front if first else 0)
    held = {n for start, end in planned.windows for n in range(start, end)}
    assert set(range(len(lengths))) == held | set(planned.unread)
    assert not held & set(planned.unread)
    assert all(sum(lengths[a:b]) + (front if a else 0) <= room for a, b in planned.windows)


@given(st.text(min_size=1).filter(str.strip))
def test_any_text_is_cut_without_loss(text):
    premise = Premise.of(text, lambda pieces: [len(piece) for piece in pieces])
    assert premise.window((0, len(premise.starts))).strip() == text.strip()
    assert premise.closest([(0, 1)], "claim") == (0,)
