"""A sentence minus a piece, where that piece narrows it: whatever its words, it may not go."""

from __future__ import annotations

import pytest

from groundedgen.judges.lexical import LexicalJudge
from groundedgen.ports import Pair

# What the strict point passes the balanced one passes: where nothing may pass, that one is asked.
POINTS = ["balanced", "strict"]


def label(passage, claim, point="balanced"):
    return LexicalJudge(point=point).judge([Pair(passage, claim)])[0].label


STATED = [
    ("Theft", "is covered"),
    ("Cover under this policy", "is 5,000 euros"),
    ("Damage", "is not paid by us"),
    ("The insurer", "pays the claim"),
]
LIMITS = [
    "Gold tariff only",
    "in the Gold tariff",
    "from locked rooms",
    "as long as the alarm is set",
    "when the alarm is set",
    "while the policy is in force",
    "during the first year",
    "in the case of fire",
    "up to 500 euros",
    "for each loss",
    "per year",
    "at the insurer's discretion",
    "after proof of loss",
    "within 14 days of the renewal date",
    "subject to clause 9",
    "not from cars",
    "limits apply",
]
BEHIND = [
    "{} {} ({}).",
    "{} {} [{}].",
    "{} {}; {}.",
    "{} {}: {}.",
    "{} {} - {}.",
    "{} {} \u2013 {}.",
]
BEHIND += ["{} {}, {}.", "{} {}, but {}.", "{} {} {}."]


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("form", BEHIND)
def test_a_limit_behind_may_not_go(form, limit):
    for subject, said in STATED:
        assert label(form.format(subject, said, limit), f"{subject} {said}.") != "supported"


BETWEEN = ["{} ({}) {}.", "{} [{}] {}.", "{}, {}, {}.", "{} \u2013 {} \u2013 {}.", "{} - {} - {}."]


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("form", BETWEEN)
def test_a_limit_between_may_not_go(form, limit):
    for subject, said in STATED:
        assert label(form.format(subject, limit, said), f"{subject} {said}.") != "supported"


BEFORE = ["{}, {} {}.", "{}: {} {}.", "({}) {} {}.", "{} - {} {}.", "{}; {} {}."]


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("form", BEFORE)
def test_a_limit_before_may_not_go(form, limit):
    for subject, said in STATED:
        passage = form.format(limit[0].upper() + limit[1:], subject, said)
        assert label(passage, f"{subject} {said}.") != "supported"


TURNED = [
    ("The policy covers theft", "Theft is covered by the policy."),
    ("The landlord must return the deposit", "The deposit must be returned by the landlord."),
    ("Cover is 5,000 euros", "5,000 euros is the cover."),
    ("The tenant is entitled to a refund", "The tenant has a right to a refund."),
]


@pytest.mark.parametrize(("stated", "claim"), TURNED)
@pytest.mark.parametrize("form", ["{} ({}).", "{}; {}.", "{}, {}.", "{} {}.", "{} \u2013 {}."])
def test_a_limit_may_not_go_in_another_order_of_words(stated, claim, form):
    for limit in LIMITS:
        assert label(form.format(stated, limit), claim) != "supported"


QUANTITIES = [
    "500 euros or less",
    "500 euros or below",
    "500 euros and above",
    "500 euros or more",
    "3 hours or longer",
    "25 years or older",
    "up to 500 euros",
    "under 500 euros",
    "more than 500 euros",
    "100 to 500 euros",
    "between 100 and 500 euros",
    "500 euros",
]


@pytest.mark.parametrize("quantity", QUANTITIES)
@pytest.mark.parametrize("form", ["{} of {} {}.", "{} amounting to {} {}.", "{} ({}) {}."])
def test_a_quantity_is_no_item_of_a_list(quantity, form):
    for subject, said in [("Damage", "is not paid by us"), ("Delays", "are not paid")]:
        passage = form.format(subject, quantity, said)
        assert label(passage, f"{subject} {said}.") != "supported"


PERIODS = [
    "The policyholder may cancel this contract within 14 days",
    "Claims must be filed within 2 years",
    "Suicide is excluded within 2 years",
    "The insurer must pay within 30 days",
    "Benefits are paid for 26 weeks",
    "The insurer pays 80 %",
    "Notice must be given within one month",
]
RUNNING = [
    "of the renewal date",
    "of the loss",
    "of the start of cover",
    "of inception",
    "from the claim",
    "after receipt",
    "before the due date",
    "of receiving a claim",
    "following the loss",
    "of illness",
    "per year",
    "for each loss",
    "each",
]


@pytest.mark.parametrize("period", PERIODS)
@pytest.mark.parametrize("running", RUNNING)
def test_a_period_keeps_what_it_runs_from_and_a_share_what_it_is_of(period, running):
    assert label(f"{period} {running}.", f"{period}.") != "supported"


LISTS = [
    ("Fire and, in the Gold tariff, theft are covered.", "Fire and theft are covered."),
    ("Fire and, with our consent, theft are covered.", "Theft is covered."),
    ("Fire and (Gold only) theft are covered.", "Fire and theft are covered."),
    ("Fire, flood (Gold) and theft are covered.", "Fire, flood and theft are covered."),
    ("We pay for fire, flood (Gold) and theft.", "We pay for flood."),
    ("We pay for fire, flood of cellars and theft.", "We pay for flood."),
    ("Theft (Gold) and fire (Silver) are covered.", "Theft and fire are covered."),
    ("In the Gold tariff, fire and theft are covered.", "Theft is covered."),
    ("Eligible members and guests may use the pool.", "Guests may use the pool."),
    ("Cash, jewellery and watches in a safe are insured.", "Watches are insured."),
    ("Cash, jewellery and watches in a safe are insured.", "Cash is insured."),
    ("We insure dogs, cats and horses up to 8 years of age.", "We insure dogs."),
    ("We insure dogs, cats and horses (up to 8 years).", "We insure dogs."),
    ("The tenant must heat and, in winter, clear snow.", "The tenant must heat and clear snow."),
    ("Members, Gold and Platinum, may use the pool.", "Members may use the pool."),
    ("The insurer shall reimburse necessary costs.", "The insurer shall reimburse costs."),
    ("The policy covers bicycles, which must be locked.", "The policy covers bicycles."),
    ("The policy covers bicycles locked to a stand.", "The policy covers bicycles."),
    ("Payments made in error qualify for a refund (Gold).", "Payments made qualify for a refund."),
    ("Theft is covered, bicycles excepted.", "Theft is covered."),
    ("Theft is covered, unlike in Silver.", "Theft is covered."),
    ("Theft is covered; bicycles are not.", "Theft is covered."),
    ("Theft is covered; bicycles must be locked.", "Theft is covered."),
    ("Theft is covered; theft from cars is not.", "Theft is covered."),
    ("Theft is covered; however, the excess is 500 euros.", "Theft is covered."),
    ("The fee is 50 euros, including VAT.", "The fee is 50 euros."),
    ("The fee (including VAT) is 50 euros.", "The fee is 50 euros."),
    ("The limit is 5,000 euros (10,000 euros in Gold).", "The limit is 5,000 euros."),
    ("The room costs 50 euros (per night).", "The room costs 50 euros."),
    ("The dose is 5 mg (adults) or 2 mg (children).", "The dose is 5 mg."),
    ("Theft is covered (EU).", "Theft is covered."),
    ("Theft is covered (see footnote 3).", "Theft is covered."),
    ("| Gold | Theft is covered |", "Theft is covered."),
    ("Mr Miller was insured (Gold tariff only).", "Mr Miller was insured."),
]


@pytest.mark.parametrize(("passage", "claim"), LISTS)
def test_what_narrows_an_item_of_a_list_may_not_go(passage, claim):
    assert label(passage, claim) != "supported"


TAKEN_BACK = [
    "However, bicycles are excluded.",
    "But not theft from cars.",
    "This does not apply to cash.",
    "Unless the door was open.",
]


@pytest.mark.parametrize("behind", TAKEN_BACK)
@pytest.mark.parametrize("claim", ["Theft is covered by the policy.", "The policy covers theft."])
def test_a_sentence_is_not_proved_without_the_one_that_limits_it(behind, claim):
    passage = f"Theft is covered by the policy. {behind}"
    assert label(passage, claim) != "supported"


def test_a_story_may_go_on_with_however():
    passage = "The firm moved to Leeds in 2010. However, it kept an office in York."
    assert label(passage, "In 2010 the firm moved to Leeds.") == "supported"


HARMLESS = [
    ("Theft is also covered.", "Theft is covered."),
    ("Theft is covered as well.", "Theft is covered."),
    ("Theft is covered.", "Theft is covered as well."),
    ("Theft is covered by us.", "Theft is covered."),
    ("Theft, however, is covered.", "Theft is covered."),
    ("Theft is covered under this policy.", "Theft is covered."),
    ("Please note that theft is covered.", "Theft is covered."),
    ("Theft is covered (see page 4).", "Theft is covered."),
    ("Theft is covered, see page 4.", "Theft is covered."),
    ("Theft is covered (clause 4.2).", "Theft is covered."),
    ("Theft is covered (Section 4.2 of the policy).", "Theft is covered."),
    ("Theft is covered [3].", "Theft is covered."),
    ("The Federal Office (BSI) must be informed.", "The Federal Office must be informed."),
    ("The body mass index (BMI) must be stated.", "The body mass index must be stated."),
    ("The tenant must pay in thirty (30) days.", "The tenant must pay in thirty days."),
    ("The tenant must pay in thirty (30) days.", "The tenant must pay in 30 days."),
    ("The fee is 500 euros (EUR 500).", "The fee is 500 euros."),
    ('The insurer (the "Company") must pay the claim.', "The insurer must pay the claim."),
    ("Mr Smith must pay the rent.", "Smith must pay the rent."),
    ("Fire, theft and hail are covered.", "Theft is covered."),
    ("Fire, theft and hail are covered.", "Fire and hail are covered."),
    ("Fire (Gold) and hail are covered.", "Hail is covered."),
    ("The tenant must pay the rent and clean the stairs.", "The tenant must pay the rent."),
    ("The shop opens at 8 am and closes at 6 pm.", "The shop opens at 8 am."),
    ("Theft is covered; the excess is 500 euros.", "Theft is covered."),
    ("Theft is covered; the excess is 500 euros.", "The excess is 500 euros."),
    ("The seller, rather than the buyer, bears the cost.", "The seller bears the cost."),
    ("The limit is 80%.", "The limit is 80 percent."),
    ("The insurer pays 80 percent of the loss.", "The insurer pays 80% of the loss."),
    ("The insurer pays 80 % of the loss.", "The insurer pays 80 per cent of the loss."),
]


@pytest.mark.parametrize(("passage", "claim"), HARMLESS)
@pytest.mark.parametrize("point", POINTS)
def test_what_says_nothing_more_may_go(passage, claim, point):
    assert label(passage, claim, point) == "supported"


AT_ONCE = ["immediately", "without delay", "without undue delay", "at once"]


@pytest.mark.parametrize("told", AT_ONCE)
@pytest.mark.parametrize("claimed", AT_ONCE)
def test_another_word_for_at_once_is_no_contradiction(told, claimed):
    passage = f"The policyholder must inform us {told}."
    assert label(passage, f"The policyholder must inform us {claimed}.") != "contradicted"


def test_a_figure_in_percent_must_still_be_the_figure():
    assert label("The limit is 80%.", "The limit is 90 percent.") != "supported"
