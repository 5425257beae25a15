"""A passage is read once and only as far as it is asked about."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from groundedgen.entailment import restates
from groundedgen.judges.wording import lexpassage
from groundedgen.judges.wording.lexpassage import LONGEST, Passage


def test_a_sentence_is_read_once_and_the_others_not_at_all(monkeypatch):
    read = []
    analyse = lexpassage.analyse
    monkeypatch.setattr(lexpassage, "analyse", lambda text: read.append(text) or analyse(text))
    passage = Passage("Hail is covered. Floods are not. Call us.")
    assert passage.analysis(1) is passage.analysis(1)
    assert read == ["Floods are not."]


def test_an_item_is_read_behind_what_governs_it():
    passage = Passage("We do not pay for:\n- floods;\n- fines.")
    assert passage.analysis(1).text.startswith("We do not pay for floods")


def test_a_lead_in_a_question_and_a_table_assert_nothing():
    assert Passage("We do not pay for:\n- floods.").analysis(0) is None
    assert Passage("Is hail covered? Yes.").analysis(0) is None
    table = Passage("word " * LONGEST)
    assert (table.analysis(0), table.tokens) == (None, [[]])


def test_kin_are_found_with_their_worth():
    passage = Passage("Anna bought two cars. The rents rose.")
    assert passage.holding("purchased") == {0: 0.9}
    assert passage.holding("rent") == {1: 1.0}
    assert passage.holding("2") == {0: 1.0}
    assert passage.holding("vehicle") == {0: 0.9}
    assert passage.holding("hail") == {}


@given(st.text(max_size=40), st.text(max_size=12), st.text(max_size=12))
def test_what_cannot_be_held_is_not_restated(claim, before, after):
    text = f"{before}{claim}{after}"
    passage = Passage(text)
    assert passage.may_hold(claim) or not restates(claim, text)


def test_what_differs_in_its_letters_cannot_be_held():
    assert not Passage("The lease ends in May.").may_hold("The lease ends in June.")
    assert Passage("The lease ends in May.").may_hold("the lease\nends in May")
