"""Promises of the signals."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from groundedgen.judges.lexical import rarity, score
from groundedgen.judges.lexical_table import WEIGHTS
from groundedgen.judges.signals import LONGEST, SIGNS, compare, differences, read
from groundedgen.text.analysis import analyse


def compared(premise, claim):
    return compare(analyse(claim), read(premise), rarity)


def test_every_weight_has_the_sign_of_its_meaning():
    assert WEIGHTS.keys() == SIGNS.keys()
    assert all(weight * SIGNS[name] >= 0 for name, weight in WEIGHTS.items())


@given(st.text(max_size=60), st.text(max_size=60))
def test_signals_are_shares_and_scores_probabilities(premise, claim):
    signals = compared(premise, claim).signals
    assert all(0 <= value <= 1 for value in signals.values())
    assert 0 <= score(signals) <= 1


def test_a_full_match_is_proof():
    found = compared("The plan covers fire, theft and hail.", "The plan covers hail.")
    assert found.proof is not None
    assert found.signals["coverage"] == found.signals["sentence"] == 1.0


def test_a_number_must_stand_in_the_sentence_that_proves():
    passage = "The fee is 5 euros. The deposit is 9 euros."
    assert compared(passage, "The fee is 9 euros.").proof is None


def test_signs_of_comparison_are_words_too():
    one, other = "The value p < 0.05 was found.", "The value p > 0.05 was found."
    al = compared(one, other).best[0]
    assert "signs" in {flip.name for flip in differences(al)}
    assert compared(one, one).proof is not None


def test_a_text_without_stops_is_left_out():
    assert read("word " * LONGEST).sentences == ()


def test_opposite_directions_differ_and_equal_ones_agree():
    passage = "Sales of tin rose in spring. Sales of gold fell in spring."
    assert compared(passage, "Sales of tin increased in spring.").signals["agrees"] > 0
    assert compared("Sales of tin rose.", "Sales of tin fell.").signals["differs"] > 0
