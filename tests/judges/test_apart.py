"""A figure is told of what the passage tells it of, whatever the score."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundedgen.judges.lexical import LexicalJudge
from groundedgen.judges.wording.apart import apart
from groundedgen.judges.wording.lexpassage import Passage
from groundedgen.ports import Pair

DOSES = (
    "Adults take 500 mg every six hours. Children take 250 mg every eight hours. The maximum dose"
    " for adults is 4 g per day. Patients with liver disease should not take paracetamol."
)
LEASE = (
    "The notice period for tenants is three months. The notice period for landlords is six months."
    " The deposit is 1,200 euros. The rent is 600 euros per month."
)
BANK = (
    "Account A pays 2% interest. Account B pays 3% interest. The transfer limit is 5,000 euros."
    " A fee of 10 euros applies to transfers abroad."
)


def label(premise, claim):
    return LexicalJudge().judge([Pair(premise, claim)])[0].label


@pytest.mark.parametrize(
    ("premise", "claim"),
    [
        (DOSES, "Patients with liver disease take 500 mg every six hours."),
        (DOSES, "Children take 4 g per day."),
        (DOSES, "Adults take 4 g every six hours."),
        (DOSES, "Patients with liver disease take 500 mg of paracetamol every six hours per day."),
        (DOSES, "Adult patients with liver disease take a maximum of 500 mg paracetamol per day."),
        (DOSES, "The dose for children is 500 mg."),
        (DOSES, "Paracetamol: 4 g per day for children."),
        (LEASE, "Landlords: three months; tenants: six months."),
        (LEASE, "Three months for landlords and six months for tenants."),
        (LEASE, "The deposit is 600 euros and the rent is 1,200 euros."),
        (LEASE, "The deposit for tenants is 600 euros."),
        (BANK, "The transfer limit is 10 euros."),
        (BANK, "Account A: 3%; Account B: 2%."),
    ],
)
def test_the_figure_of_one_thing_is_not_told_of_another(premise, claim):
    assert label(premise, claim) != "supported"


@pytest.mark.parametrize(
    ("premise", "claim"),
    [
        (DOSES, "Adults should take 500 mg every 6 hours."),
        (DOSES, "Adults: 500 mg every six hours; children: 250 mg every eight hours."),
        (DOSES, "For adults, 4 g per day is the maximum."),
        (LEASE, "Landlords: six months; tenants: three months."),
        (LEASE, "Six months for landlords and three months for tenants."),
        (LEASE, "A deposit of 1,200 euros and a rent of 600 euros."),
        (BANK, "A fee of 10 euros for transfers abroad."),
        ("The rent is low. It was 600 euros in May.", "The rent was 600 euros in May."),
        ("Rent\n\nYou pay 600 euros a month.", "The rent that you pay is 600 euros."),
        ("Rent: see below. You pay 600 euros.", "They pay 600 euros in cash."),
        ("The FiO2 was low. Oxygen was given.", "Oxygen at a low FiO2 was given."),
    ],
)
def test_a_figure_beside_its_own_words_is_left_alone(premise, claim):
    assert apart(claim, Passage(premise)) == ()


@pytest.mark.parametrize("between", ["\n", "\n\n", ". "])
def test_what_stands_under_another_heading_is_not_told_of_it(between):
    passage = Passage(f"Children{between}You take 250 mg.\n\nAdults{between}You take 4 g.")
    assert apart("Children take 4 g", passage) == ("children",)


def test_a_true_row_passes():
    assert label(LEASE, "Landlords: six months; tenants: three months.") == "supported"


def test_a_claim_of_many_words_is_left_to_its_score():
    long = (
        "Children take 4 g per day with water, milk, juice, tea, bread, rice, salt, food, fruit,"
        " oil, nuts."
    )
    assert apart(long, Passage(f"{DOSES} They drink water, milk, juice, tea.")) == ()


@given(st.permutations(range(4)), st.integers(0, 3))
def test_each_sentence_stands_beside_its_own_figure_in_any_order(order, which):
    subjects = ("tenants", "landlords", "brokers", "guests")
    sentences = [f"The fee for {subjects[n]} is {n + 5}0 euros." for n in order]
    passage = Passage(" ".join(sentences))
    assert apart(f"A fee of {which + 5}0 euros for {subjects[which]}", passage) == ()
    other = subjects[(which + 1) % 4]
    assert apart(f"A fee of {which + 5}0 euros for {other}", passage) == (other,)
