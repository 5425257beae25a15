# ruff: noqa: E501  # passages as they are found
"""Sentences that mean something else where they stand are never shown alone."""

from __future__ import annotations

import pytest

from groundedgen import Passage, ask
from groundedgen.testing import ScriptedGenerator, ScriptedJudge
from groundedgen.text.sentences import sentence_spans
from groundedgen.text.standing import stands_alone

MISLEADING = [
    ("The deposit is £900. The rent is £500.", "The deposit is £500."),
    ("Water is £20. Gas is £30.", "Water is £30."),
    ("Floods are covered? No.", "Floods are covered."),
    ("We never pay for:", "We never pay for."),
    ("The tenant must not: 1) Keep a dog. 2) Sublet the flat.", "2) Sublet the flat."),
    (
        "The tenant must not: (a) Keep a dog. (b) Sublet the flat. (c) Smoke.",
        "(b) Sublet the flat.",
    ),
    ("The tenant must not:\n\n1) Keep a dog.\n2) Sublet the flat.", "2) Sublet the flat."),
    ("The bank does not state that:\n\nThe fee is waived.", "The fee is waived."),
    (
        "Suppose the following. The bank waives the fee. The customer then owes nothing.",
        "The bank waives the fee.",
    ),
    (
        "The draft of 2019 read as follows. Interest is 9% a year. It was never adopted.",
        "Interest is 9% a year.",
    ),
    (
        "The following statements are false:\n1. Smoking is permitted in the flat.\n2. Pets are permitted.",
        "Pets are permitted.",
    ),
    (
        "The following is not insured:\n• Jewellery worth more than £2,000.\n• Cash.",
        "Jewellery worth more than £2,000.",
    ),
    (
        "The following do not apply to tenants:\n\na) You may end the lease at any time.\nb) You may keep a dog.",
        "You may keep a dog.",
    ),
    ("The tenant must not\n- Keep a dog.\n- Sublet the flat.", "Sublet the flat."),
    ("The tenant must not: (a) Keep a dog; (b) Sublet the flat.", "Sublet the flat."),
    ("The tenant must not: sublet the flat; keep a dog.", "Sublet the flat; keep a dog."),
    (
        "6.3 Excluded\n6.3.1 Theft from an unlocked car.\n6.3.2 Theft from a garden.",
        "Theft from a garden.",
    ),
    ("It is not true that:\nThe fee is waived.", "The fee is waived."),
    ("Myth: Floods are covered. Fact: Floods are not covered.", "Floods are covered."),
    ("False: Floods are covered.\nTrue: Fire is covered.", "Floods are covered."),
    ("Repealed on 1 May 2020:\nThe fee is £30.", "The fee is £30."),
    ("[Repealed] The fee is £30.", "The fee is £30."),
    ("~~Floods are covered.~~ Fire is covered.", "Floods are covered."),
    ("<del>Floods are covered.</del> Fire is covered.", "Floods are covered."),
    ("[Deleted: Floods are covered.] Fire is covered.", "Floods are covered."),
    ("✗ Floods are covered.", "Floods are covered."),
    ("☐ Floods are covered.", "Floods are covered."),
    (
        '"The deposit is paid back in full", said the tenant. It is not.',
        "The deposit is paid back in full.",
    ),
    ('"The deposit is paid back in full." Not true.', "The deposit is paid back in full."),
    (
        'The claimant said: "The landlord never repaired the roof." The court did not believe her.',
        "The landlord never repaired the roof.",
    ),
    ("The tenant must not:\nKeep a dog.\nSublet the flat.", "Sublet the flat."),
    ("Do NOT:\nMix bleach with vinegar.\nTake with alcohol.", "Take with alcohol."),
    (
        "We do not cover the following:\n\nFlood damage is excluded up to £500.\nDamage by vermin is paid.",
        "Damage by vermin is paid.",
    ),
    (
        "The following do not apply to tenants:\n\n(a) You may end the lease at any time. You may keep a dog.\n(b) You may paint.",
        "You may keep a dog.",
    ),
    (
        "A party is not liable for\n(i) Loss of profit.\n(ii) Death caused by negligence.",
        "(ii) Death caused by negligence.",
    ),
    (
        "6.3 Excluded\n6.3.1 Theft from an unlocked car.\n6.3.2 Theft from a garden.",
        "6.3.2 Theft from a garden.",
    ),
    (
        "The tenant must not\n\n- Keep a dog.\n\n  It may be a cat.\n\n- Sublet the flat.",
        "It may be a cat.",
    ),
    ("It is not the case that\n\nThe fee is waived.", "The fee is waived."),
    (
        "In no event\nThe Bank shall be liable for loss of profit.",
        "The Bank shall be liable for loss of profit.",
    ),
    ("Do not\n\nMix bleach with vinegar.", "Mix bleach with vinegar."),
    (
        "What is not covered\n\nFlood damage to your home.\n\nWhat is covered\n\nFire.",
        "Flood damage to your home.",
    ),
    ("Exclusions\n\nDamage caused by frost.\n\nDamage caused by storm.", "Damage caused by frost."),
    ("Exclusions\n\nDamage caused by frost.\n\nDamage caused by storm.", "Damage caused by storm."),
    ("# Not allowed\n\n* Keeping a dog. Keeping a cat.", "Keeping a cat."),
    (
        "None of the following is covered.\n\nFlood damage to the cellar.\nStorm damage to the roof.",
        "Storm damage to the roof.",
    ),
    (
        "None of the following is true. Floods are covered. Storms are covered.",
        "Storms are covered.",
    ),
    ("Cover ends on 1 May.\n\nunless the policy is renewed.", "Cover ends on 1 May."),
    ("The fee is waived. ... if the balance is above £1,000.", "The fee is waived."),
    ("The fee is £30.\nper day, not per month.", "The fee is £30."),
    ("The fee is £30. [repealed 2020]", "The fee is £30."),
    ("~~Floods are covered. Theft is covered.~~ Fire is covered.", "Theft is covered."),
    ("<s>Old text. Floods are covered.</s> Fire is covered.", "Floods are covered."),
    (
        "The tenant pays the repairs. This does not apply to repairs above £100.",
        "The tenant pays the repairs.",
    ),
]
MISLEADING += [
    (
        "# Policy\n\n## 4. Exclusions\n\nDamage to your home by floods.",
        "Damage to your home by floods.",
    ),
    (
        "# Policy\n\n## 4. Exclusions\n\nFire.\n\nTheft of cash from a car.\n\nEnd.",
        "Theft of cash from a car.",
    ),
    (
        "# Exclusions\n\n## Home\n\nFire in the shed behind it.\n\nEnd.",
        "Fire in the shed behind it.",
    ),
    (
        "# Exclusions\n\n## 1. Home\n\nFire in the shed behind it.\n\nEnd.",
        "Fire in the shed behind it.",
    ),
    (
        "# Exclusions\n\n1. Home\n\nFire in the shed behind it.\n\nEnd.",
        "Fire in the shed behind it.",
    ),
    (
        "# Exclusions\n\n## A\n\n### B\n\nFire in the shed behind it.\n\nEnd.",
        "Fire in the shed behind it.",
    ),
    ("# What the tenant claims\n\nThe roof leaks in two rooms.", "The roof leaks in two rooms."),
    ("# Exclusions\n\nClaims for theft from a car.\n\nEnd.", "Claims for theft from a car."),
]
HONEST = [
    (
        "# Claims handbook\n\n## 1. Deadlines\n\nYou may appeal within 30 days.",
        "You may appeal within 30 days.",
    ),
    ("# Claims\n\nYou may appeal within 30 days.", "You may appeal within 30 days."),
    ("How to make claims\n\nCall us within 30 days of it.", "Call us within 30 days of it."),
    (
        "# Exclusions\n\n## Home\n\nFire.\n\n# Cover\n\n## Home\n\nHail is paid in full.",
        "Hail is paid in full.",
    ),
    (
        "6 Exclusions\n6.1 We do not pay for fines of any kind.",
        "We do not pay for fines of any kind.",
    ),
    (
        "2. Rent\n2.1 The rent is £1,140 a month.\n2.2 It is due in May.",
        "The rent is £1,140 a month.",
    ),
    (
        "Exclusions\n\nDamage caused by frost is not covered.",
        "Damage caused by frost is not covered.",
    ),
    ("Notes\n- The deductible is 500 euros.\n- Call us.", "The deductible is 500 euros."),
]


def shown(passage, text):
    draft = {
        "status": "answered",
        "statements": [{"text": text, "sources": ["S1"], "quote": passage}],
    }
    model = ScriptedGenerator([draft, draft])
    return [
        s.text for s in ask("What does it say?", [Passage("p", passage)], model=model).statements
    ]


@pytest.mark.parametrize(("passage", "text"), MISLEADING)
def test_what_its_place_turns_round_is_not_shown(passage, text):
    assert [] == shown(passage, text)


@pytest.mark.parametrize(("passage", "text"), HONEST)
def test_what_stands_on_its_own_is_shown(passage, text):
    assert [text] == shown(passage, text)


NOTICE = "The tenant must give two months' notice in writing."
TAKEN_BACK = [
    "{} This clause has been deleted.", "{} This paragraph no longer applies.",
    "{} The previous sentence is void.", "{}\n\nThe above is void.", "{} (repealed)",
    "{} — wrong!", "{} Not.", "{} This was true until 2020.", "{} That is what the old policy said.",
    "{} The foregoing does not apply to flats.", "{} Section 3 prevails.",
    "It is not the case that\n\n{}", "Draft, not in force.\n\n{}", "Clause 5 (struck out)\n\n{}",
    "False statements about our policy\n\n{}", "Which of these is false?\n{}",
    "MYTH\n\n{}\n\nFACT\n\nFire is never covered.", "For Gold members only.\n{}",
    "This clause applies in Scotland only. {}", "1. Exclusions\n\n{}",
    "What we do not cover.\n\n{}", "Smith claimed this. {} Nobody believes him.",
    "According to the claimant, it is so. {} We disagree.",
]  # fmt: skip


def _said(context, judge):
    passage = context.format(NOTICE)
    draft = {
        "status": "answered",
        "statements": [{"text": NOTICE, "sources": ["S1"], "quote": NOTICE}],
    }
    model = ScriptedGenerator([draft, draft])
    return ask("How much notice?", [Passage("p", passage)], model=model, judge=judge)


@pytest.mark.parametrize("context", TAKEN_BACK)
def test_a_sentence_that_its_neighbour_takes_back_is_put_to_the_judge(context):
    """It is a whole sentence of the passage, and the passage does not say it."""
    assert () == _said(context, ScriptedJudge("contradicted")).statements
    assert () == _said(context, "lexical").statements


@pytest.mark.parametrize(
    "context",
    [
        "Fire is covered. {} Floods are not covered.",
        "Floods are not covered.\n\n{}\n\nRent is due in May.",
        "{} The tenant may pay in cash.",
        "2. Notice\n\n{} It must be signed.",
    ],
)
def test_a_sentence_among_others_needs_no_judge(context):
    answer = _said(context, ScriptedJudge("contradicted"))
    assert ["whole_sentence"] == [s.entailment.how for s in answer.statements]


S = "Fire damage to the building is fully covered."


@pytest.mark.parametrize(
    "behind",
    [
        "Denied.",
        "Overruled.",
        "That is a myth.",
        "Far from it.",
        "(Deleted by amendment 3.)",
        "This cover ended on 1 May 2020.",
        "We no longer offer this.",
        "So said the broker, wrongly.",
        "The preceding sentence applies to Plan B only.",
        "This statement is incorrect and was withdrawn.",
    ],
)
def test_what_the_next_sentence_takes_back_does_not_stand_alone(behind):
    text = f"{S} {behind}"
    assert not stands_alone(text, sentence_spans(text), 0, 0)


@pytest.mark.parametrize(
    "before",
    [
        "The next sentence is void.",
        "Disregard the next sentence.",
        "No.",
        "We rejected the following request.",
        "It was proposed to add this.",
        "Here is a sentence that is not part of this policy.",
        "We will not pay for any of these.",
        "Before 2020 the following applied.",
        "**Not covered:** Damage by flood to your home.",
        "Contraindications:\n\nSevere asthma of any kind.\n\n",
    ],
)
def test_what_the_sentence_before_makes_of_it_does_not_stand_alone(before):
    text = f"{before} {S} Call us today."
    spans = sentence_spans(text)
    place = next(i for i, (a, b) in enumerate(spans) if text[a:b] == S)
    assert not stands_alone(text, spans, place, place)


@pytest.mark.parametrize(
    "text",
    ["次の損害は補償されません。洪水による建物の損害。", "以下各項不承保。洪水造成的房屋損失。"],
)
def test_a_denial_leads_in_what_follows_it_in_chinese_and_japanese_too(text):
    assert not stands_alone(text, sentence_spans(text), 1, 1)


@pytest.mark.parametrize("behind", ["Call us today.", "Floods are not covered.", "Insured."])
def test_another_statement_beside_it_takes_nothing_back(behind):
    text = f"{S} {behind}"
    assert stands_alone(text, sentence_spans(text), 0, 0)
