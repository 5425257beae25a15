"""What must all hold may not be halved; of several further facts one may be told."""

from __future__ import annotations

import pytest

from groundedgen.judges.lexical import LexicalJudge
from groundedgen.ports import Pair

POINTS = ["balanced", "strict"]


def passes(passage, claim):
    pair = Pair(passage, claim)
    return any(LexicalJudge(point=p).judge([pair])[0].label == "supported" for p in POINTS)


CLAUSES = [
    "once",
    "if",
    "when",
    "whenever",
    "where",
    "while",
    "as soon as",
    "as long as",
    "provided that",
    "on condition that",
    "only if",
    "in case",
    "assuming",
    "after",
    "before",
    "until",
    "unless",
]
ONE, OTHER = "the rent is paid", "the keys are returned"


@pytest.mark.parametrize("opener", CLAUSES)
def test_a_clause_behind_keeps_all_that_and_joins(opener):
    may = f"The tenant may leave {opener}"
    for passage in [f"{may} {ONE} and {OTHER}.", f"{may} {ONE}, and {OTHER}."]:
        assert not passes(passage, f"{may} {ONE}.")
        assert not passes(passage, f"{may} {OTHER}.")
    three = f"{may} {ONE}, {OTHER} and the form is signed."
    assert not passes(three, f"{may} {ONE}.")
    assert not passes(three, f"{may} {ONE} and {OTHER}.")
    assert not passes(three, f"{may} {OTHER} and the form is signed.")


@pytest.mark.parametrize("opener", CLAUSES)
def test_a_clause_with_one_verb_or_one_subject_keeps_all(opener):
    may = f"The tenant may leave {opener}"
    assert not passes(f"{may} he pays the rent and returns the keys.", f"{may} he pays the rent.")
    assert not passes(f"{may} the rent and the fee are paid.", f"{may} the rent is paid.")
    assert not passes(f"{may} the rent and the fee are paid.", f"{may} the fee is paid.")


@pytest.mark.parametrize("opener", CLAUSES)
def test_a_clause_before_or_between_keeps_all_that_and_joins(opener):
    opens, main = opener[0].upper() + opener[1:], "the tenant may leave."
    for passage in [f"{opens} {ONE} and {OTHER}, {main}", f"{opens} {ONE}, and {OTHER}, {main}"]:
        assert not passes(passage, f"{opens} {ONE}, {main}")
        assert not passes(passage, f"{opens} {OTHER}, {main}")
        assert not passes(passage, f"The tenant may leave {opener} {ONE}.")
    between = f"The tenant, {opener} {ONE} and {OTHER}, may leave."
    assert not passes(between, f"The tenant, {opener} {ONE}, may leave.")


PHRASES = [
    "upon",
    "on",
    "after",
    "before",
    "until",
    "by",
    "with",
    "without",
    "against",
    "following",
    "through",
    "subject to",
    "in exchange for",
    "in return for",
]
NOUNS = [
    ("payment of the premium", "approval of the board"),
    ("payment of the premium", "approval by us"),
    ("proof of income", "a guarantee"),
]


@pytest.mark.parametrize("opener", PHRASES)
@pytest.mark.parametrize(("one", "other"), NOUNS)
@pytest.mark.parametrize("joint", ["and", "as well as", "together with", "plus"])
def test_a_phrase_keeps_all_that_is_joined(opener, one, other, joint):
    said, opens = f"Cover begins {opener}", opener[0].upper() + opener[1:]
    passage = f"{said} {one} {joint} {other}."
    assert not passes(passage, f"{said} {one}.")
    assert not passes(passage, f"{said} {other}.")
    before = f"{opens} {one} {joint} {other}, cover begins."
    assert not passes(before, f"{opens} {one}, cover begins.")
    assert not passes(before, f"{said} {other}.")
    turned = f"The bank grants the loan {opener} {one} {joint} {other}."
    assert not passes(turned, f"The loan is granted by the bank {opener} {one}.")


QUALITIES = [
    ("are insured", "passed the test"),
    ("are over 65", "live alone"),
    ("own a car", "pay the fee"),
    ("must pay", "have paid"),
    ("live in Kent", "work in Leeds"),
]
GAINS = ["get a discount", "are covered", "may use the garage", "receive a card"]


@pytest.mark.parametrize("relative", ["who", "that"])
@pytest.mark.parametrize(("one", "other"), QUALITIES)
def test_a_relative_clause_that_says_which_keeps_all(relative, one, other):
    for gain in GAINS:
        both = f"Drivers {relative} {one} and {other} {gain}."
        assert not passes(both, f"Drivers {relative} {one} {gain}.")
        assert not passes(both, f"Drivers {relative} {other} {gain}.")
        again = f"Drivers {relative} {one} and {relative} {other} {gain}."
        assert not passes(again, f"Drivers {relative} {one} {gain}.")
        three = f"Drivers {relative} {one}, {other} and work here {gain}."
        assert not passes(three, f"Drivers {relative} {one} and {other} {gain}.")
        assert not passes(three, f"Drivers {relative} {other} and work here {gain}.")
    behind = f"We insure drivers {relative} {one} and {other}."
    assert not passes(behind, f"We insure drivers {relative} {one}.")
    assert not passes(behind, f"We insure drivers {relative} {other}.")


HALVED = [
    ("The claim is made by calling us and sending the form.", "The claim is made by calling us."),
    (
        "The claim is made by calling us and sending the form.",
        "The claim is made by sending the form.",
    ),
    (
        "The lease ends on the death of the tenant and the owner.",
        "The lease ends on the death of the tenant.",
    ),
    (
        "The contract is valid with the names of A. Bell and B. Hall.",
        "The contract is valid with the name of A. Bell.",
    ),
    (
        "The tenant may sublet with the consent of Ann and the bank.",
        "The tenant may sublet with the consent of Ann.",
    ),
    ("The member cancels by letter and by returning the card.", "The member cancels by letter."),
    ("Drivers holding a licence and a card are insured.", "Drivers holding a licence are insured."),
    ("The deposit is returned less the fee and the tax.", "The deposit is returned less the fee."),
    ("Forms signed and dated are accepted.", "Forms signed are accepted."),
    (
        "Entry is free for children who are small and accompanied.",
        "Entry is free for children who are small.",
    ),
    ("Those who signed and paid were admitted.", "Those who signed were admitted."),
    (
        "Should the tenant pay and sign, the lease is renewed.",
        "Should the tenant pay, the lease is renewed.",
    ),
    (
        "It is a condition that the door is locked and the alarm is set.",
        "It is a condition that the door is locked.",
    ),
    ("The loan requires proof of income and a guarantee.", "The loan requires proof of income."),
    ("The loan requires proof of income and a guarantee.", "The loan requires a guarantee."),
    ("A passport and a visa are required for entry.", "A passport is required for entry."),
    ("A passport and a visa are needed.", "A visa is needed."),
    (
        "To cancel, the member writes a letter and returns the card.",
        "To cancel, the member writes a letter.",
    ),
    (
        "To cancel, the member writes a letter and returns the card.",
        "To cancel, the member returns the card.",
    ),
    ("In order to cancel, you need a letter and a card.", "In order to cancel, you need a letter."),
    ("To cancel you must send a letter and a card.", "To cancel you must send a card."),
    (
        "The member must write a letter and return the card to cancel.",
        "The member must write a letter to cancel.",
    ),
    ("You need a passport and a visa to enter.", "You need a visa to enter."),
    ("For cover, you must lock the door and set the alarm.", "For cover, you must lock the door."),
    (
        "The tenant may stay unless he left or the rent is late.",
        "The tenant may stay unless he left.",
    ),
    (
        "The tenant may stay until he dies or the house is sold.",
        "The tenant may stay until he dies.",
    ),
    ("The loan requires proof of income or a guarantee.", "The loan requires proof of income."),
]


@pytest.mark.parametrize(("passage", "claim"), HALVED)
def test_a_requirement_a_means_or_a_purpose_keeps_all(passage, claim):
    assert not passes(passage, claim)


KEPT = [
    ("We cover fire and theft.", "We cover theft."),
    ("We cover fire and theft.", "We cover fire."),
    ("The insurer pays the damage and inspects the car.", "The insurer pays the damage."),
    ("The insurer pays the damage and inspects the car.", "The insurer inspects the car."),
    ("The tenant must pay the rent and clean the stairs.", "The tenant must pay the rent."),
    ("The shop is open on Mondays and Fridays.", "The shop is open on Mondays."),
    ("The member pays the fee by card and receives a ticket.", "The member pays the fee by card."),
    ("Members pay the fee by card and receive a ticket.", "Members pay the fee by card."),
    (
        "The tenant pays the rent by card and the owner returns the keys.",
        "The tenant pays the rent by card.",
    ),
    (
        "If theft occurs, the tenant must call the police and inform us.",
        "If theft occurs, the tenant must inform us.",
    ),
    (
        "As soon as the rent is paid, the tenant may leave and keep the garage.",
        "As soon as the rent is paid, the tenant may leave.",
    ),
    (
        "Once the premium is paid, cover begins and the card is sent.",
        "Once the premium is paid, the card is sent.",
    ),
    (
        "If the alarm was set, fire and theft are covered.",
        "If the alarm was set, theft is covered.",
    ),
    (
        "Theft is covered if the door was locked, and the excess is 500 euros.",
        "Theft is covered if the door was locked.",
    ),
    (
        "Fire and theft are covered after payment of the premium.",
        "Fire is covered after payment of the premium.",
    ),
    (
        "Members who pay the fee may use the pool and the gym.",
        "Members who pay the fee may use the gym.",
    ),
    ("We insure the cars and bikes that you own.", "We insure the bikes that you own."),
    ("Alpha is a firm that makes cars and bikes.", "Alpha is a firm that makes cars."),
    (
        "Anna Miller, who wrote plays and novels, died in 2010.",
        "Anna Miller, who wrote plays, died in 2010.",
    ),
    ("The firm was bought by Alpha and moved to Leeds.", "The firm was bought by Alpha."),
    ("The firm was founded by Miller and Smith.", "The firm was founded by Miller."),
    (
        "The firm moved to Leeds after the vote and sold the house.",
        "The firm moved to Leeds after the vote.",
    ),
    ("The bridge was built to carry cars and trains.", "The bridge was built to carry cars."),
    (
        "The tenant may leave when the rent is paid and the keys are returned.",
        "The tenant may leave if the rent is paid and the keys are returned.",
    ),
    (
        "Drivers who are insured and passed the test get a discount.",
        "Drivers who are insured and passed the test get a discount, too.",
    ),
]


@pytest.mark.parametrize(("passage", "claim"), KEPT)
def test_one_of_several_facts_and_a_whole_condition_may_be_told(passage, claim):
    assert passes(passage, claim)


UNSURE = [
    "rarely",
    "perhaps",
    "maybe",
    "possibly",
    "sometimes",
    "usually",
    "exceptionally",
    "in part",
    "if asked",
]
SET_OFF = [
    "The insurer inspects the car and, {}, pays the damage.",
    "The insurer inspects the car, pays the fee and, {}, pays the damage.",
    "The insurer inspects the car and {} pays the damage.",
    "The insurer, {}, pays the damage.",
    "The insurer pays the damage, {}.",
]


@pytest.mark.parametrize("word", UNSURE)
@pytest.mark.parametrize("form", SET_OFF)
def test_a_word_that_makes_it_rare_or_unsure_may_not_go(form, word):
    assert not passes(form.format(word), "The insurer pays the damage.")


@pytest.mark.parametrize("word", UNSURE[:6])
def test_the_same_holds_of_what_happened(word):
    passage = f"The insurer inspected the car and, {word}, paid the damage."
    assert not passes(passage, "The insurer paid the damage.")


@pytest.mark.parametrize("word", ["also", "therefore", "then", "however"])
def test_a_word_that_only_joins_may_go(word):
    passage = f"The insurer inspects the car and, {word}, pays the damage."
    assert passes(passage, "The insurer pays the damage.")
