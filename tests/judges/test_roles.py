"""Which changes in the order of words are let pass, and which are not."""

from __future__ import annotations

import pytest

from groundedgen.judges.wording.alignment import align
from groundedgen.judges.wording.roles import moved
from groundedgen.text.english.analysis import analyse


def is_moved(passage, claim):
    return moved(align(analyse(claim), analyse(passage), lambda key: 1.0)) is not None


@pytest.mark.parametrize(
    ("passage", "claim"),
    [
        ("The policy covers water damage from pipes.", "Damage by water from pipes is covered."),
        ("Floods are excluded from the policy.", "The policy excludes floods."),
        ("The plan covers fire, theft and hail.", "Hail, fire and theft are covered by the plan."),
        ("On Mondays the lift is closed.", "The lift is closed on Mondays."),
        ("If rent is late, a fee is due.", "A fee is due if rent is late."),
        ("Give three months' notice.", "Give notice of three months."),
        ("It was on 26 June.", "It was on June 26."),
        ("Villages with storks had births.", "Births were seen in villages with storks."),
        ("Paris is the capital of France.", "The capital of France is Paris."),
        ("The drug lowered pressure.", "Pressure fell with the drug."),
        ("In adults over 65 the drug helped.", "The drug helped in adults over 65."),
    ],
)
def test_a_known_turn_is_let_pass(passage, claim):
    assert not is_moved(passage, claim)


@pytest.mark.parametrize(
    ("passage", "claim"),
    [
        ("Team A beat Team B.", "Team B beat Team A."),
        ("Team A beat Team B.", "Team A was beaten by Team B."),
        ("The landlord pays the tenant.", "The tenant pays the landlord."),
        ("Rent is paid by Ann to Bob.", "Rent is paid by Bob to Ann."),
        ("Gold costs more than tin.", "Tin costs more than gold."),
        ("Ann and Bob are 5 and 6 years old, respectively.", "Ann is 6 years old."),
        ("After the Flash comes the Final.", "After the Final comes the Flash."),
        (
            "He lives in Mayan Belize and ancient Rome.",
            "He lives in ancient Belize and Mayan Rome.",
        ),
        ("Donald Pierce met the Leper Queen.", "Donald Queen met the Leper Pierce."),
        ("It is sold with a key.", "It is sold without a key."),
    ],
)
def test_a_swap_is_not(passage, claim):
    assert is_moved(passage, claim)


THINGS = [
    ("payment in cash", "payment by card"),
    ("work at night", "work by day"),
    ("damage from fire", "damage from flood"),
    ("mortality in men", "mortality in women"),
    ("cash payment", "card payment"),
]
RELATIONS = [
    "is safer than",
    "is preferred to",
    "is replaced by",
    "comes before",
    "costs more than",
]


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize(("one", "other"), THINGS)
def test_two_of_one_noun_do_not_change_places(one, other, relation):
    assert is_moved(f"In May {one} {relation} {other}.", f"In May {other} {relation} {one}.")
    assert not is_moved(f"In May {one} {relation} {other}.", f"{one} {relation} {other} in May.")


def test_a_sentence_is_never_moved_against_itself():
    for text in ("A dog bit a man in May by the lake.", "Ann, Bob and Cy left; 5 and 6 stayed."):
        assert not is_moved(text, text)
