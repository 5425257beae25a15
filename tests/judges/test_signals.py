"""Promises of the signals."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundedgen.judges.lexical import rarity, score
from groundedgen.judges.wording.lexical_table import WEIGHTS
from groundedgen.judges.wording.lexpassage import Passage
from groundedgen.judges.wording.signals import SIGNS, compare


def compared(premise, claim):
    return compare(claim, Passage(premise), rarity)


def test_every_weight_has_the_sign_of_its_meaning():
    assert WEIGHTS.keys() == SIGNS.keys()
    assert all(weight * SIGNS[name] >= 0 for name, weight in WEIGHTS.items())


@given(st.text(max_size=60), st.text(max_size=60))
def test_signals_are_shares_and_scores_probabilities(premise, claim):
    found = compared(premise, claim)
    assert found.signals.keys() == SIGNS.keys()
    assert all(0 <= value <= 1 for value in found.signals.values())
    assert 0 <= score(found.signals) <= 1
    assert 0 <= found.share <= 1


def test_all_words_in_one_sentence_cover_the_claim():
    found = compared("The plan covers fire, theft and hail.", "The plan covers hail.")
    assert found.signals["coverage"] == found.share == 1.0
    assert (found.apart, found.missing, found.subject) == (0, (), "")


def test_words_of_two_sentences_are_apart():
    found = compared("The plan covers fire. Hail is excluded.", "The plan covers hail.")
    assert (found.apart, found.missing) == (1, ())


@pytest.mark.parametrize(
    ("premise", "claim", "signal"),
    [
        ("Fees rise in May.", "Fees do not rise in May.", "negation"),
        ("Fees do not rise in May.", "Fees rise in May.", "dropped"),
        ("Members pay in May.", "All members pay in May.", "universal"),
        ("Members pay in May.", "Some members pay in May.", "partial"),
        ("Members pay in May.", "Only members pay in May.", "only"),
        ("Members may pay in May.", "Members must pay in May.", "modality"),
        ("Members must pay in May.", "Members may pay in May.", "lowered"),
        ("Members pay in May.", "I pay as members do in May.", "speaker"),
        ("Sales of tin rose.", "Sales of tin fell.", "differs"),
        ("Sales of tin rose.", "Sales of tin increased.", "agrees"),
        ("Anna paid 5 euros.", "Anna paid 6 euros.", "number"),
        ("Anna paid Ben.", "Anna paid Dora.", "name"),
        ("Anna paid Ben.", "Anna paid Dora.", "tail"),
        ("Anna paid Ben.", "Anna paid Dora.", "unmatched"),
    ],
)
def test_a_signal_is_there_where_it_should_be_and_not_on_the_sentence_itself(
    premise, claim, signal
):
    assert compared(premise, claim).signals[signal] > 0
    if SIGNS[signal] < 0:
        assert compared(premise, premise).signals[signal] == 0


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("The landlord pays the fee.", "landlord"),
        ("Landlords pay the fee.", "landlords"),
        ("Compared with Bonn, the fee is high.", ""),
        ("He pays the fee.", ""),
        ("The tenant pays the fee.", ""),
    ],
)
def test_a_subject_is_missing_only_where_the_claim_begins_with_it(claim, expected):
    assert compared("The tenant pays the fee.", claim).subject == expected
