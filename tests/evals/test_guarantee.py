"""One plain sentence that promises no more than was done."""

from __future__ import annotations

from dataclasses import replace

import pytest

from groundedgen import ask
from groundedgen.errors import InputError
from groundedgen.evals import Labelled, calibrate, guarantee
from groundedgen.testing import ScriptedGenerator, ScriptedJudge
from groundedgen.values import Entailment, Verdict

PASSAGE = "Fire is covered by this policy up to 900 euros."
ASIDE = "The policy pays for fire."


def answer(judge, text=ASIDE):
    statement = {"text": text, "quote": PASSAGE, "sources": ["S1"]}
    draft = {"status": "answered", "statements": [statement]}
    return ask("Fire?", [PASSAGE], model=ScriptedGenerator([draft] * 2), judge=judge)


@pytest.fixture
def judged():
    return answer(ScriptedJudge("supported", name="mine"))


def measured(name, count=300):
    pairs = [
        Labelled(f"P {n}.", f"C {n}.", "supported" if n % 2 else "not_supported")
        for n in range(count)
    ]
    wrong = {"C 0.", "C 2.", "C 4."}
    script = {
        p.claim: Verdict("supported" if p.supported or p.claim in wrong else "partial")
        for p in pairs
    }
    return calibrate(pairs, ScriptedJudge(script, name=name))


def test_the_figures_of_the_same_judge_are_named(judged):
    said = guarantee(judged, measured("mine"))
    assert "of 300 pairs that people labelled, this judge agreed on 99.0 %" in said
    assert "Cohen's kappa 0.98" in said
    assert "let 2.0 % of the unsupported ones pass (95 % interval 0.7 to 5.7 %)" in said
    assert "does not mean that the passage is right" in said


def test_what_one_label_for_all_would_reach_stands_beside_the_agreement(judged):
    assert "agreed on 99.0 % (always giving their commoner label: 50.0 %;" in guarantee(
        judged, measured("mine")
    )


def test_the_path_of_a_calibration_is_read(judged, tmp_path):
    path = tmp_path / "mine.json"
    measured("mine").save(path)
    for given in (path, str(path)):
        assert judged.guarantee(measured("mine")) == judged.guarantee(given)
    with pytest.raises(FileNotFoundError):
        judged.guarantee(tmp_path / "none.json")
    path.write_text("{}", "utf-8")
    with pytest.raises(InputError, match="calibration: no field 'judge'"):
        judged.guarantee(path)


@pytest.mark.parametrize("given", [3, {}, b"x", True])
def test_what_is_no_calibration_says_what_is(judged, given):
    with pytest.raises(InputError, match=r"evals\.Calibration, or the path of the JSON"):
        judged.guarantee(given)


def test_without_figures_of_this_judge_none_are_named(judged):
    for given in (None, measured("another")):
        said = guarantee(judged, given)
        assert "has not been measured here" in said
        assert "kappa" not in said
    assert "another" in guarantee(judged, measured("another"))


def test_too_few_pairs_give_no_figure(judged):
    said = guarantee(judged, measured("mine", count=40))
    assert "tried on 40 human-labelled pairs, too few" in said
    assert "calibrated" not in said
    assert "kappa" not in said


def test_a_whole_sentence_needs_no_judge_and_no_figures():
    said = guarantee(answer(ScriptedJudge(name="mine"), text=PASSAGE), measured("mine"))
    assert "is a whole sentence of that passage" in said
    assert "mine" not in said
    assert "kappa" not in said


def test_both_ways_are_said_where_both_were_gone(judged):
    [one] = judged.statements
    whole = replace(one, entailment=Entailment("supported", "whole_sentence"))
    said = guarantee(replace(judged, statements=(one, whole)))
    assert "is a whole sentence of that passage or was found by the judge mine to follow" in said


def test_an_answer_without_a_tick_promises_nothing(judged):
    nothing = "Nothing in this answer carries a tick"
    assert guarantee(answer(ScriptedJudge("not_addressed"))).startswith(nothing)
    [one] = judged.statements
    open_ = replace(one, entailment=Entailment("not_judged", "unverified"))
    assert guarantee(replace(judged, statements=(open_,))).startswith(nothing)
    assert "statements without a tick were not checked" in guarantee(
        replace(judged, statements=(one, open_))
    )


def test_figures_of_another_version_say_so(judged):
    older = replace(measured("mine"), versions={"groundedgen": "0.0.9"})
    assert "measured with version 0.0.9 of groundedgen" in guarantee(judged, older)
    assert "measured with" not in guarantee(judged, measured("mine"))


def test_it_is_one_sentence(judged):
    for given in (None, measured("mine"), measured("mine", 40)):
        said = guarantee(judged, given)
        assert said.endswith(".")
        assert "\n" not in said


def test_what_is_not_defined_is_said_so(judged):
    found = measured("mine")
    bare = replace(found.overall, kappa=replace(found.overall.kappa, value=None))
    nothing = replace(bare.false_pass, share=None, low=None, high=None)
    said = guarantee(judged, replace(found, overall=replace(bare, false_pass=nothing)))
    assert "kappa" not in said
    assert "let not defined of the unsupported ones pass (interval not defined)" in said
