"""Of a list of conditions a claim keeps all; of what a list counts up it may tell one."""

from __future__ import annotations

import pytest

from groundedgen.entailment import restates
from groundedgen.judges.lexical import LexicalJudge
from groundedgen.judges.wording.labels import mislabelled, rows
from groundedgen.ports import Pair
from groundedgen.text.limiting.conditionleads import asks_conditions
from groundedgen.text.limiting.conditionlists import conditions, with_whole_lists
from groundedgen.text.sentences import sentence_spans

POINTS = ["balanced", "strict"]
ITEMS = ("you are over 18", "you live in Kent", "you have a job")
LEADS = [
    "You qualify if:",
    "**You qualify if:**",
    "You qualify when:",
    "You qualify provided that:",
    "You qualify if you meet all of these:",
    "You qualify if each of these is true:",
    "You qualify if all of the following apply.",
]
FORMS = [
    "\n(a) {};\n(b) {}; and\n(c) {}.",
    " (a) {}; (b) {}; and (c) {}.",
    "\n- {}\n- {}\n- {}",
    "\n* {}, and\n* {}, and\n* {}.",
    "\n1. {}\n2. {}\n3. {}",
    "\na) {}\n\nb) {}\n\nc) {}",
]


def passes(passage, claim):
    pair = Pair(passage, claim)
    judged = any(LexicalJudge(point=p).judge([pair])[0].label == "supported" for p in POINTS)
    return judged or restates(claim, passage)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("lead", LEADS)
def test_one_or_two_of_three_conditions_are_not_shown(lead, form):
    passage = f"{lead}{form.format(*ITEMS)}\n\nCall us if you need help."
    one, two, three = ITEMS
    for kept in (one, two, three, f"{one} and {two}", f"{two} and {three}", f"{one} and {three}"):
        assert not passes(passage, f"You qualify if {kept}.")
    for last in (one, two):
        assert not passes(passage, passage[: passage.index(last) + len(last)])


@pytest.mark.parametrize("form", FORMS)
def test_all_conditions_are_shown(form):
    passage = f"You qualify if:{form.format(*ITEMS)}\n\nCall us if you need help."
    one, two, three = ITEMS
    assert passes(passage, f"You qualify if {one}, {two} and {three}.")
    assert restates(passage.partition("\n\nCall")[0], passage)


@pytest.mark.parametrize(
    ("passage", "claim"),
    [
        ("We pay unless:\n- you were drunk; or\n- you sped.", "We pay unless you were drunk."),
        ("The card is for people who:\n- are over 18\n- live in Kent",
         "The card is for people who live in Kent."),
        ("You qualify if:\n- you are over 18; and", "You qualify if you are over 18."),
        ("You qualify if you:\n- are over 18\n- live in Kent", "You qualify if you are over 18."),
    ],
)  # fmt: skip
def test_what_must_all_hold_is_kept_whole(passage, claim):
    assert not passes(passage, claim)


def test_a_list_that_ends_in_a_semicolon_is_not_cut_where_the_text_goes_on():
    passage = "You qualify if:\n- you are over 18;\n- you live in Kent;\n\nCall us."
    assert passes(passage, "You qualify if you are over 18 and you live in Kent.")
    assert not passes(passage.partition("\n\n")[0], "You qualify if you are over 18.")


@pytest.mark.parametrize(
    ("passage", "claim"),
    [
        ("You may not borrow if you:\n- owe us fines; or\n- have lost your card.",
         "You may not borrow if you have lost your card."),
        ("The tenant must:\n- pay the rent;\n- keep the flat clean.",
         "The tenant must keep the flat clean."),
        ("We do not pay for:\n- damage from floods;\n- fines of a court.",
         "We do not pay for damage from floods."),
    ],
)  # fmt: skip
def test_one_of_what_a_list_counts_up_is_shown(passage, claim):
    assert passes(passage, claim)


@pytest.mark.parametrize(
    "lead",
    ["We cover:", "We do not pay for:", "The tenant must:", "If you smell gas:",
     "If you have an accident you must:", "What to do if you smell gas:", "P = A x B, where:",
     "The things that we cover:", "We inspect once a year:", "To claim, send us:",
     "You qualify if any of these apply:", "You qualify if you are one of these:"],
)  # fmt: skip
def test_a_lead_that_counts_up_makes_no_conditions(lead):
    assert conditions(f"{lead}\n- fire\n- hail") is None


@pytest.mark.parametrize(
    "lead",
    ["You qualify if", "4.2 You qualify if:", "If you:", "people who:", "A home that is:",
     "The loan is approved if the applicant:", "You qualify only if:", "We pay as long as:",
     "You may sublet subject to:", "You qualify if, on the day of the claim, you:",
     "customers who meet all of the following criteria:", "Cover ends once:"],
)  # fmt: skip
def test_a_lead_that_asks_makes_conditions(lead):
    assert asks_conditions(lead)


def test_what_stands_behind_a_list_is_no_item_of_it():
    text = "You qualify if:\n- you are over 18\n- you live here\n\nFees\n\n4.3 The fee is £5."
    cut = [text[a:b] for a, b in with_whole_lists(text, sentence_spans(text))]
    assert cut[1:] == ["Fees", "4.3 The fee is £5."]


def test_sentences_without_a_list_stay_as_they_are():
    text = "You qualify if you pay. Then call us:\n- today;\n- tomorrow.\nIf it rains, stay."
    spans = sentence_spans(text)
    assert with_whole_lists(text, spans) == spans


# --- labels ---------------------------------------------------------------------------

CHAPS, SEPA = "CHAPS: the same day if you instruct us before 3.30pm", "SEPA: the next working day"
FASTER = "Faster Payments: within two hours"


@pytest.mark.parametrize(
    "form",
    ["{}\n{}\n{}", "- {}\n- {};\n- {}.", "Times\n\n- {}\n- {}\n- {}",
     "Transfers arrive:\n- {}\n- {}\n- {}", "Transfers arrive: {}; {}; {}."],
)  # fmt: skip
@pytest.mark.parametrize(
    "claim",
    ["CHAPS transfers arrive the same day.", "SEPA transfers arrive the same day.",
     "SEPA transfers arrive within two hours.", "Faster Payments arrive the next working day."],
)  # fmt: skip
def test_a_line_says_it_of_its_label_alone(form, claim):
    assert not passes(form.format(CHAPS, SEPA, FASTER), claim)


def test_what_a_line_says_of_its_own_label_may_be_said():
    found = rows(f"{CHAPS}\n{SEPA}\n{FASTER}")
    assert mislabelled("SEPA transfers arrive the next working day.", found) == ""
    assert mislabelled("CHAPS takes the same day if you instruct us before 3.30pm.", found) == ""
    assert mislabelled("Transfers to Ann's bank are free.", found) == ""


def test_people_who_speak_in_turn_are_no_labels():
    assert rows("Ann: The fee is due.\nBob: When?\nAnn: In May.").lines == ()


# --- the other case -------------------------------------------------------------------

LATE = "more than 12 months of the term remain"


@pytest.mark.parametrize(
    "passage",
    [
        f"If {LATE}, we charge two months' interest; otherwise we charge one month's interest.",
        f"If {LATE}, we charge two months' interest. Otherwise, we charge one month's interest.",
        f"We charge two months' interest if {LATE}; if not, we charge one month's interest.",
        f"We charge two months' fees if {LATE}. In all other cases, we charge one month's fees.",
    ],
)
def test_a_condition_is_not_joined_to_what_follows_otherwise(passage):
    what = "fees" if "fees" in passage else "interest"
    for claim in (
        f"We charge one month's {what} if {LATE}.",
        f"If {LATE}, we charge one month's {what}.",
        f"We charge one month's {what}.",
    ):
        assert not passes(passage, claim)
    assert passes(passage, passage)


@pytest.mark.parametrize(
    ("passage", "claim", "shown"),
    [
        ("For claims under £500 we pay half; in all other cases we pay all of it.",
         "For claims under £500 we pay all of it.", False),
        ("We do not refund you if you are late; otherwise we refund you.",
         "We refund you if you are late.", False),
        ("Premium members pay £5, whereas basic members pay £10.",
         "Premium members pay £10.", False),
        ("Premium members pay £5, whereas basic members pay £10.", "Basic members pay £10.", True),
        ("We pay half if it is late; otherwise we pay all. Rent is due in May.",
         "Rent is due in May.", True),
    ],
)  # fmt: skip
def test_one_of_two_cases_may_be_told(passage, claim, shown):
    assert passes(passage, claim) is shown
