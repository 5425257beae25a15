"""What a claim may leave out of the sentence it lies on. None of these wordings is in a table."""

from __future__ import annotations

import pytest

from groundedgen.judges.lexical import LexicalJudge
from groundedgen.ports import Pair

BESIDE = " The parties signed the agreement in London. Notices are sent by post."


def label(passage, claim, **settings):
    return LexicalJudge(**settings).judge([Pair(passage + BESIDE, claim)])[0].label


CLAIMS = [
    ("the pump fails during the night", "The pump fails during the night."),
    ("the policy covers flood damage", "The policy covers flood damage."),
    ("Miller signed the lease in March", "Miller signed the lease in March."),
    ("the contract was renewed in 2021", "The contract was renewed in 2021."),
]
FRAMES = [
    "In the screenplay, {}.",
    "In last night's nightmare, {}.",
    "Envisage that {}.",
    "Whichever way {}, nothing changes.",
    "Detractors grumble that {}.",
    "Ms Wu is adamant that {}.",
    "There is scant proof that {}.",
    "The brochure gushes that {}.",
    "{}, detractors grumble.",
    "{}, a tabloid gushed.",
    "{} (unverified).",
    "Weather allowing, {}.",
    "With a doctor's note, {}.",
    "The plan was that {}.",
    "Suppose {}.",
    "In theory, {}.",
]


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize(("words", "claim"), CLAIMS)
@pytest.mark.parametrize("point", ["balanced", "strict"])
def test_a_frame_that_takes_a_sentence_back_may_not_go(frame, words, claim, point):
    said = words[0].upper() + words[1:] if frame.startswith("{}") else words
    assert label(frame.format(said), claim, point=point) != "supported"


@pytest.mark.parametrize(
    "limit",
    [
        "once the keys are handed over",
        "at the board's whim",
        "in leap years",
        "bar a handful of cases",
        "for gold members",
        "weather allowing",
        "minus the cleaning fee",
        "until 1 May",
    ],
)
def test_a_limit_of_what_is_so_may_not_go(limit):
    assert label(f"The deposit is returned {limit}.", "The deposit is returned.") != "supported"


CHANGED = [
    ("The study found no difference in pain.", "The study found a difference in pain."),
    ("The trial had no effect on weight.", "The trial had an effect on weight."),
    ("The driver that hit the cyclist left the country.", "The cyclist left the country."),
    ("Alpha, which bought Beta, made a loss.", "Beta made a loss."),
    ("The understudy mayor opened the pool.", "The mayor opened the pool."),
    ("Elderly tenants pay by card.", "Tenants pay by card."),
    ("The pool will open in May.", "The pool opens in May."),
    ("The pool will open in May.", "The pool opened in May."),
    ("The doors were locked.", "The doors are locked."),
    ("Miller was begged to sign the lease.", "Miller signed the lease."),
    ("Miller dabbled in signing the lease.", "Miller signed the lease."),
    ("The fee is 20 euros per stay.", "The fee is 20 euros."),
    ("The fee was 20 euros a night.", "The fee was 20 euros."),
    ("The fee is ten times the rent.", "The fee is the rent."),
    ("The term is 5 to 9 days.", "The term is 9 days."),
    ("Leeds is the second largest of all.", "Leeds is the largest of all."),
    ("Leeds is among the largest of all.", "Leeds is the largest of all."),
    ("The plan may cover fire or theft.", "The plan may cover fire and theft."),
    ("Anna was born in Rome in 1950 and died in Bonn in 2010.", "Anna was born in Bonn in 2010."),
    ("The drug has zero effect on pain.", "The drug has effect on pain."),
    ("The safe is too heavy to lift.", "The safe is heavy to lift."),
    ("Notice is given before 1 May.", "Notice is given by 1 May."),
    ("Not every tenant pays by card.", "No tenant pays by card."),
    ("Many tenants pay by card.", "Most tenants pay by card."),
    ("Rent is due.", "Rent is due in May."),
]


@pytest.mark.parametrize(("passage", "claim"), CHANGED)
@pytest.mark.parametrize("point", ["balanced", "strict"])
def test_what_narrows_or_turns_a_statement_may_not_go(passage, claim, point):
    assert label(passage, claim, point=point) != "supported"


HONEST = [
    ("In May 2010, the firm moved to Leeds.", "The firm moved to Leeds."),
    ("However, the firm moved to Leeds in 2010.", "The firm moved to Leeds in 2010."),
    ("3. The tenant pays the rent.", "The tenant pays the rent."),
    ("Born in Rome, Anna moved to Leeds in 1970.", "Anna moved to Leeds in 1970."),
    ("The plan covers fire, theft and hail.", "The plan covers theft."),
    ("Hail is covered and theft is excluded.", "Theft is excluded."),
    ("The album was released in 1991 in Japan.", "It was released in 1991."),
    ("Alpha is a large firm based in Leeds.", "Alpha is a firm."),
    ("Ella Vay is a Danish singer and painter.", "Ella Vay is Danish."),
    ("Alpha bought Beta, which is based in Leeds, in 2010.", "Alpha bought Beta."),
    ("Floods are covered by this policy.", "Floods are covered."),
]


@pytest.mark.parametrize(("passage", "claim"), HONEST)
def test_a_date_a_list_and_another_clause_may_go(passage, claim):
    assert label(passage, claim) == "supported"


LEADS = [
    "1. {}",
    "- {}",
    "It is stated that {}",
    "It is true that {}",
    "As the policy states, {}",
]


@pytest.mark.parametrize("lead", LEADS)
def test_what_an_answer_puts_before_a_sentence_says_nothing(lead):
    assert (
        label("The tenant pays the rent.", lead.format("the tenant pays the rent.")) == "supported"
    )


def test_a_source_named_behind_says_nothing():
    claim = "The tenant pays the rent, according to the passage."
    assert label("The tenant pays the rent.", claim) == "supported"


def test_a_sentence_that_stands_there_word_for_word_is_never_contradicted():
    passage = "We do not pay for:\n- fines.\n- Loss of keys is covered."
    assert label(passage, "Loss of keys is covered.") != "contradicted"


FOREIGN = [
    ("Vattenskada täcks inte av försäkringen.", "Vattenskada täcks av försäkringen."),
    ("Vannskade er ikke dekket av polisen.", "Vannskade er dekket av polisen."),
    ("Szkody wodne nie są objęte polisą.", "Szkody wodne są objęte polisą."),
    ("Vesivahinko ei kuulu vakuutukseen.", "Vesivahinko kuulu vakuutukseen."),
    ("Hư hỏng do nước không được bảo hiểm.", "Hư hỏng do nước được bảo hiểm."),
    ("A vízkár nem biztosított.", "A vízkár biztosított."),
    ("Ущерб от воды не покрывается.", "Ущерб от воды покрывается."),
    ("Waterschade is niet gedekt.", "Waterschade is gedekt."),
    (
        "Hochwasserschäden sind nach diesem Vertrag nicht versichert.",
        "Hochwasserschäden sind versichert.",
    ),
    ("Poškození vodou není kryto.", "Poškození vodou kryto."),
    ("Šteta od vode nije pokrivena.", "Šteta od vode pokrivena."),
]


@pytest.mark.parametrize(("passage", "claim"), FOREIGN)
def test_another_language_beside_english_is_not_judged(passage, claim):
    assert label(passage, claim) == "not_judged"


@pytest.mark.parametrize("claim", ["Hail is covered.", "Quokkas sleep under wattle bushes"])
def test_a_short_english_claim_is_judged(claim):
    assert label("Hail is covered. Quokkas sleep under wattle bushes.", claim) == "supported"


@pytest.mark.parametrize(
    ("passage", "claim", "supported"),
    [
        (
            "6 Exclusions\n6.1 Fire damage to the home is covered in full.",
            "Fire damage to the home is covered in full.",
            False,
        ),
        (
            "6 Exclusions\n6.1 We do not pay for fines of any kind.",
            "We do not pay for fines of any kind.",
            True,
        ),
    ],
)
def test_a_heading_in_one_piece_with_its_clause_counts_for_what_it_turns(passage, claim, supported):
    [verdict] = LexicalJudge().judge([Pair(passage, claim)])
    assert (verdict.label == "supported") is supported
