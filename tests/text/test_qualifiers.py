"""A sentence that the next words limit is put to a judge; one with other neighbours is not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundedgen import ask
from groundedgen.entailment import restates
from groundedgen.testing import ScriptedGenerator, ScriptedJudge
from groundedgen.text.qualifiers import is_taken_back, limits_what_precedes
from groundedgen.text.sentences import sentence_spans
from tests.growth import LINEAR, factor

SAID = "Theft of bicycles is covered by this policy."
BEHIND = "The cap is 500 euros a year."

LIMITING = {
    "in brackets": [
        "(Only for Plus members.)", "(Not for e-bikes.)", "(No longer in force.)", "[Not in force]",
        "(see the exclusions)", "(See section 4.)", "(Plus.) (Not abroad.)",
    ],
    "behind a sign": [
        "* Not for e-bikes.", "† Plus only.", "❌", "☐", "True [ ] False [x]",
    ],
    "without a verb": [
        "Only for Plus members.", "For Plus members only.", "Plus members only.", "Until 2020.",
        "In theory.", "According to the claimant.", "Within the first year.", "Not abroad.",
        "For bicycles locked with a chain.", "Subject to clause 4.", "A common misunderstanding.",
        "Pure fiction.", "Under the old rules.", "While stocks last.",
        "Where the lock was approved.",
    ],
    "a condition": [
        "If it was locked.", "As long as it was locked.", "Unless it was unlocked.",
        "Provided the lock was approved.", "If you live abroad, there is no cover.",
    ],
    "a denial": [
        "Allegedly.", "Or so they said.", "Quite the opposite.", "Incorrect.", "Never.", "Hardly.",
        "Answer: no", "Note: repealed.", "Exception: e-bikes.", "But not e-bikes.", "Is it?",
        "Since repealed.", "Save for e-bikes.", "So the broker claimed.",
    ],
    "about it": [
        "The court rejected this view.", "The court disagreed.", "That view is wrong.",
        "This was the position of the claimant.", "Such cover ended in 2020.", "It used to be so.",
        "The same does not hold for e-bikes.", "The opposite is true.", "The minister denied it.",
        "This applies to Plus members only.", "It applies to Plus members only.",
        "It was abolished in 2020.", "These terms are a draft.", "They no longer are.",
    ],
}  # fmt: skip
LIMITING["dressed"] = [
    "This does _not_ apply to e-bikes.",
    "_However_, this was changed.",
    "__But__ not in May.",
    "_(repealed)_",
    "<b>Only for members.</b>",
    "<br>Only for members.",
    "&nbsp;Only for members.",
    "This does n\u00adot apply to e-bikes.",
    "This doesn\u02bct apply to e-bikes.",
    "(2) This does not apply to e-bikes.",
    "\u00a72 This does not apply to e-bikes.",
    "\u00b2 Only for members.",
    "b) This does not apply to e-bikes.",
]
LIMITING["without a verb of its own"] = [
    "Assuming it was locked.",
    "Given that it was locked.",
    "Once it was locked.",
    "Even so, not in May.",
    "Yet not in May.",
    "Expired in 2020.",
    "Valid until 2020.",
    "Apart from e-bikes.",
    "Said the broker.",
    "That is the claimant\u2019s view.",
    "On appeal this was overturned.",
    "The provision was repealed in 2020.",
]
LIMITING["of a part"] = [
    "Theft from sheds is not.",
    "Theft of e-bikes is excluded.",
    "The theft abroad is not covered.",
]
BESIDE = [
    "Hail is not.", "Theft of a bicycle must be reported.", "Theft is not rare.",
    "It also covers theft abroad.", "The cap is 500 euros.", "Call us today.", "Insured.", "Yes.",
    "We pay within ten days.", "In May, we pay half of the fee.", "Floods are not covered.",
    "The insurer pays the costs of repair.", "No deductible applies.", "Locks cost extra.",
    "They also include helmets.", "This includes locks and lights.", "Such cover includes e-bikes.",
    "In 2020 Parliament passed a new law.", "For theft abroad the cap is 500 euros.",
    "Under this policy theft of cars is covered.", "See section 4 for details.",
    "When a bicycle is stolen, we replace it.", "If you move, please tell us.",
    "(1) The cap is 500 euros.", "(May 2016)", "It not only covers theft.",
    "At the end of the year the cover is renewed.", "After the theft you must call the police.",
]  # fmt: skip


def _asked(passage, text, judge):
    draft = {"status": "answered", "statements": [{"text": text, "sources": ["S1"], "quote": text}]}
    return ask("Is it covered?", [passage], model=ScriptedGenerator([draft, draft]), judge=judge)


@pytest.mark.parametrize("rest", [f" {BEHIND}", ""], ids=["amid a passage", "at its end"])
@pytest.mark.parametrize("limit", [one for kind in LIMITING.values() for one in kind])
def test_a_sentence_that_the_next_words_limit_is_put_to_the_judge(limit, rest):
    passage = f"{SAID} {limit}{rest}"
    judge = ScriptedJudge("contradicted")
    assert "answered" != _asked(passage, SAID, judge).status
    assert SAID in {pair.claim for pair in judge.pairs} or not restates(SAID, passage)
    assert "answered" != _asked(passage, SAID, "lexical").status


@pytest.mark.parametrize("neighbour", BESIDE)
def test_another_sentence_beside_it_costs_no_judge(neighbour):
    passage = f"{SAID} {neighbour} {BEHIND}"
    judge = ScriptedJudge("contradicted")
    shown = _asked(passage, SAID, judge).statements
    assert ["whole_sentence"] == [statement.entailment.how for statement in shown]
    assert [] == judge.pairs


@pytest.mark.parametrize(
    "limit", ["(Only for Plus members.)", "Until 2020.", "The court rejected this view."]
)
def test_with_what_limits_it_it_is_whole_again(limit):
    assert restates(f"{SAID} {limit}", f"{SAID} {limit} {BEHIND}")
    shown = ask("Is theft of bicycles covered?", [f"{SAID} {limit} {BEHIND}"]).statements
    assert [f"{SAID} {limit}"] == [statement.text for statement in shown]


@pytest.mark.parametrize(
    ("said", "limits", "beside"),
    [
        (
            "Der Diebstahl von Rädern ist versichert.",
            ["(Nur für Mitglieder.)", "Nur für Mitglieder.", "Bis 2020.", "Angeblich.", "Falsch.",
             "Sofern es abgeschlossen war.", "Dies gilt nur für Mitglieder.", "Laut dem Kläger.",
             "Das war die Ansicht des Klägers.", "Das Gegenteil ist richtig.", "Ausnahme: E-Bikes.",
             "Es sei denn, es war offen."],
            ["Er gilt auch im Ausland.", "Es gilt weltweit.", "Für Räder zahlen wir sofort.",
             "Dies umfasst auch Helme.", "Wenn Sie umziehen, melden Sie sich bitte."],
        ),
        (
            "Le vol de vélos est couvert par ce contrat.",
            ["(Uniquement pour les membres.)", "Seulement pour les membres.", "Jusqu'en 2020.",
             "S'il était verrouillé.", "Cela ne vaut que pour les membres.", "Faux.",
             "Selon le demandeur."],
            ["Il couvre aussi les casques.", "Appelez-nous vite.", "Cela comprend les casques."],
        ),
        (
            "El robo de bicicletas está cubierto por la póliza.",
            ["(Solo para socios.)", "Solo para socios.", "Hasta 2020.", "Si estaba cerrada.",
             "Esto solo vale para socios.", "Según el demandante.", "No se aplica a los socios."],
            ["También cubre los cascos.", "El límite es alto.", "Esto incluye los cascos."],
        ),
    ],
    ids=["German", "French", "Spanish"],
)  # fmt: skip
def test_other_languages_limit_in_the_same_ways(said, limits, beside):
    assert [] == [limit for limit in limits if restates(said, f"{said} {limit}")]
    assert [] == [other for other in beside if not restates(said, f"{said} {other}")]


@pytest.mark.parametrize("limit", ["Only for Plus members.", "- Not for e-bikes.", "Incorrect."])
def test_the_next_line_of_a_paragraph_limits_too(limit):
    assert not restates(SAID, f"{SAID}\n{limit}\n{BEHIND}")


@pytest.mark.parametrize("line", ["Your duties", "1. Your duties", "- Helmets.", "Old age"])
def test_a_heading_or_an_item_in_the_next_line_is_no_fragment_of_it(line):
    assert restates(SAID, f"{SAID}\n{line}\n{BEHIND}")


@pytest.mark.parametrize("limit", ["Only for Plus members.", "(Not abroad.)", "Until 2020."])
def test_what_stands_in_another_paragraph_limits_nothing(limit):
    text = f"{SAID}\n\n{limit}"
    assert not limits_what_precedes(text, sentence_spans(text), 1)


@pytest.mark.parametrize("behind", ["", " The", " By the"])
def test_a_passage_that_is_cut_off_says_nothing_about_the_sentence_before(behind):
    assert restates(SAID, f"{SAID}{behind}")


@pytest.mark.parametrize(
    ("passage", "limited"),
    [
        ("Theft of bicycles* is covered here. Fire is too.\n\n* Plus only.", True),
        ("Theft of bicycles is covered here.¹ Fire is too.\n\n¹ Plus members only.", True),
        ("Theft of bicycles is covered here.[1] Fire is too.\n\n[1] Plus members only.", True),
        ("Theft of bicycles† is covered here. Fire is too.", True),
        ("Theft of bicycles² is covered here. Fire is too.\n\n¹ Plus members only.", False),
        ("A garage of 20 m² is covered here. Fire is too.\n\n² Plus members only.", False),
        ("Theft of *bicycles* is covered here. Fire is too.", False),
    ],
)
def test_a_footnote_limits_the_sentence_that_its_mark_stands_in(passage, limited):
    spans = sentence_spans(passage)
    judge = ScriptedJudge("contradicted")
    shown = _asked(passage, passage[slice(*spans[0])], judge).statements
    assert limited == (() == shown)


@pytest.mark.parametrize(
    "heading",
    [
        "Old policy", "# Old policy", "What competitors offer", "Misconceptions", "Until May 2020",
        "Example of a typical misunderstanding", "Submissions of the claimant", "Former rules",
        "Common errors", "Ausschlüsse", "Idées reçues", "Mitos",
    ],
)  # fmt: skip
def test_what_stands_under_a_heading_that_disowns_it_is_put_to_the_judge(heading):
    passage = f"{heading}\n\n{SAID}\n\nNew policy\n\nBicycles are excluded."
    assert () == _asked(passage, SAID, ScriptedJudge("contradicted")).statements
    assert () == _asked(passage, SAID, "lexical").statements


@pytest.mark.parametrize(
    "heading", ["Cover", "Theft", "What we offer", "Old age", "Other benefits", "Past 65"]
)
def test_other_headings_cost_no_judge(heading):
    passage = f"{heading}\n\n{SAID}\n\nNew policy\n\nBicycles are excluded."
    assert restates(SAID, passage)


def test_what_goes_on_in_words_can_be_read_as_one_with_it():
    texts = [f"{SAID} {limit}" for limit in ("But not in May.", "The court disagreed.")]
    assert [False, True] == [is_taken_back(text, sentence_spans(text), 0) for text in texts]


@given(st.text(alphabet="Iftno ,.()[]*†❌\n¹isup", max_size=60))
def test_the_rule_takes_any_text(behind):
    text = f"{SAID} {behind}"
    spans = sentence_spans(text)
    found = [limits_what_precedes(text, spans, place) for place in range(len(spans))]
    assert [] == [one for one in found[:1] if one]


@pytest.mark.parametrize("unit", ["(", "Only if, ", "[ ] ", "* a", "¹ x\n"])
def test_the_time_grows_with_the_length(unit):
    def rule(text):
        spans = sentence_spans(text)
        return [limits_what_precedes(text, spans, place) for place in range(1, len(spans))]

    assert factor(rule, unit, size=10_000) < LINEAR
