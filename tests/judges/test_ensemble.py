"""Promises of judges in a row."""

from __future__ import annotations

import asyncio
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundedgen import ask
from groundedgen.errors import InputError, ProviderError
from groundedgen.judges.ensemble import EnsembleJudge
from groundedgen.judges.lexical import LexicalJudge
from groundedgen.ports import Judged
from groundedgen.testing import ScriptedJudge, check_judge
from groundedgen.values import Pair, Usage, Verdict

LABELS = ("supported", "partial", "contradicted", "not_addressed", "not_judged")
PAIR = Pair("Fire is covered.", "It covers fire.", "S1")
PAIRS = [Pair("Fire is covered.", f"Claim {n}.", "S1") for n in range(4)]


class Awaited:
    """A judge that can only be awaited."""

    name = "awaited"

    def __init__(self, script):
        self.inner = ScriptedJudge(script)

    async def ajudge(self, pairs):
        return self.inner.judge(pairs)


def by_claim(*labels):
    return ScriptedJudge({pair.claim: label for pair, label in zip(PAIRS, labels, strict=True)})


def test_only_what_is_unsure_goes_on():
    first = by_claim("supported", "contradicted", "partial", "not_addressed")
    second = ScriptedJudge("supported")
    verdicts = EnsembleJudge([first, second]).judge(PAIRS)
    expected = ["supported", "contradicted", "supported", "supported"]
    assert expected == [verdict.label for verdict in verdicts]
    assert PAIRS[2:] == second.pairs
    assert 1 == len(second.calls)


def test_a_judge_that_has_nothing_left_to_judge_is_not_asked():
    second = ScriptedJudge("supported")
    EnsembleJudge([ScriptedJudge("contradicted"), second]).judge(PAIRS)
    EnsembleJudge([ScriptedJudge("contradicted"), second]).judge([])
    assert [] == second.calls


scripts = st.lists(st.sampled_from(LABELS), min_size=2, max_size=4)


@given(scripts, st.booleans())
def test_support_needs_a_supporting_judge_and_no_contradiction_by_any_that_was_asked(
    labels, confirm
):
    judges = [ScriptedJudge(label) for label in labels]
    [verdict] = EnsembleJudge(judges, confirm=confirm).judge([PAIR])
    asked = [label for label, judge in zip(labels, judges, strict=True) if judge.calls]
    if verdict.label == "supported":
        assert "supported" in asked
        assert "contradicted" not in asked
    if "contradicted" in asked:
        assert "contradicted" == verdict.label
    if confirm:
        assert "supported" != verdict.label or labels[-1] == "supported"


@given(scripts, st.booleans())
def test_awaited_says_the_same(labels, confirm):
    one = EnsembleJudge([ScriptedJudge(label) for label in labels], confirm=confirm)
    two = EnsembleJudge([Awaited(label) for label in labels], confirm=confirm)
    [first], [second] = one.judge([PAIR]), asyncio.run(two.ajudge([PAIR]))
    assert (first.label, first.reason) == (second.label, second.reason)


def test_confirmed_only_the_last_judges_support_counts():
    """The judges in front can only reject."""
    for last in LABELS:
        judges = [ScriptedJudge("supported"), ScriptedJudge(last)]
        assert last == EnsembleJudge(judges, confirm=True).judge([PAIR])[0].label
        assert "supported" == EnsembleJudge(judges).judge([PAIR])[0].label


def test_a_judge_that_is_down_is_told_and_does_not_stop_the_others():
    down = ScriptedJudge(TimeoutError())
    assert "supported" == EnsembleJudge([down, ScriptedJudge("supported")]).judge([PAIR])[0].label
    [verdict] = EnsembleJudge([ScriptedJudge("not_addressed"), down]).judge([PAIR])
    assert ("not_judged", "judge_timeout") == (verdict.label, verdict.reason)
    assert not verdict.score


def test_why_a_judge_is_down_is_told_with_its_way_out_and_without_its_words():
    down = ScriptedJudge(ProviderError("secret", status=401, hint="set the key"), name="far")
    [verdict] = EnsembleJudge([ScriptedJudge("partial"), down]).judge([PAIR])
    assert "far: ProviderError, status 401: set the key" == verdict.why
    assert "judge_denied" == verdict.reason


def test_a_judge_that_is_down_is_told_to_those_who_await():
    judge = EnsembleJudge([Awaited(PermissionError()), Awaited(TimeoutError())])
    [verdict] = asyncio.run(judge.ajudge([PAIR]))
    assert ("not_judged", "judge_timeout") == (verdict.label, verdict.reason)


def test_what_the_last_judge_cannot_read_stays_with_the_one_before():
    other = ScriptedJudge(Verdict("not_judged", reason="language"))
    [verdict] = EnsembleJudge([ScriptedJudge("not_addressed"), other]).judge([PAIR])
    assert "not_addressed" == verdict.label
    [verdict] = EnsembleJudge([other, other]).judge([PAIR])
    assert ("not_judged", "language") == (verdict.label, verdict.reason)
    for reason in ("too_long", "quote_too_long"):
        long = ScriptedJudge(Verdict("not_judged", reason=reason))
        [verdict] = EnsembleJudge([ScriptedJudge("not_addressed"), long]).judge([PAIR])
        assert "not_addressed" == verdict.label


@pytest.mark.parametrize("score", [float("nan"), float("inf"), 5.0, -0.1, True, "0.9"])
def test_a_verdict_with_a_score_that_is_none_supports_nothing(score):
    odd = ScriptedJudge(Verdict("supported", score))
    [verdict] = EnsembleJudge([odd, ScriptedJudge("not_addressed")]).judge([PAIR])
    assert "not_addressed" == verdict.label
    [verdict] = EnsembleJudge([ScriptedJudge("partial"), odd]).judge([PAIR])
    assert ("not_judged", "judge_bad_reply") == (verdict.label, verdict.reason)


def test_a_support_that_the_last_judge_cannot_read_is_not_confirmed():
    other = ScriptedJudge(Verdict("not_judged", reason="language"))
    [verdict] = EnsembleJudge([ScriptedJudge("supported"), other], confirm=True).judge([PAIR])
    assert ("not_judged", "language") == (verdict.label, verdict.reason)


def test_the_reason_names_the_judge_that_decided():
    first = ScriptedJudge(Verdict("partial", 0.4, "Half of it."), name="a")
    second = ScriptedJudge(Verdict("supported", 0.9, "All of it."), name="b")
    [verdict] = EnsembleJudge([first, second]).judge([PAIR])
    assert ("b: All of it.", 0.9) == (verdict.why, verdict.score)
    [verdict] = EnsembleJudge([ScriptedJudge("partial", name="a"), first]).judge([PAIR])
    assert "a: Half of it." == verdict.why


@pytest.mark.parametrize("given", [[], ["supported"], None, [Verdict("supported")] * 9])
def test_a_reply_that_is_no_list_of_verdicts_is_no_support(given):
    class Broken:
        name = "broken"

        def judge(self, pairs):
            return given

    verdicts = EnsembleJudge([Broken(), ScriptedJudge("not_addressed")]).judge(PAIRS)
    assert ["not_addressed"] * 4 == [verdict.label for verdict in verdicts]
    verdicts = EnsembleJudge([ScriptedJudge("partial"), Broken()]).judge(PAIRS)
    assert {"not_judged"} == {verdict.label for verdict in verdicts}
    assert all(v.reason in {"judge_bad_reply", "judge_missing_item"} for v in verdicts)


def test_what_the_judges_cost_is_added_up():
    class Costly(ScriptedJudge):
        def judge(self, pairs):
            return Judged(super().judge(pairs), usage=Usage(10, 2), calls=1)

    judged = EnsembleJudge([Costly("partial"), Costly("supported")]).judge([PAIR])
    assert (Usage(20, 4), 2) == (judged.usage, judged.calls)


def test_the_name_says_who_and_how_and_the_window_is_the_shortest():
    judges = [ScriptedJudge(name="a", window=900), ScriptedJudge(name="b", window=500)]
    assert ("a then b", 500) == (EnsembleJudge(judges).name, EnsembleJudge(judges).window)
    assert "a then b, confirmed" == EnsembleJudge(judges, confirm=True).name
    assert EnsembleJudge([ScriptedJudge(), ScriptedJudge()]).window is None


@pytest.mark.parametrize("judges", [[], [ScriptedJudge()], [ScriptedJudge(), "lexical"]])
def test_fewer_than_two_judges_or_something_else_are_refused(judges):
    with pytest.raises(InputError):
        EnsembleJudge(judges)


def test_a_judge_that_can_only_be_awaited_serves_those_who_do_not_await():
    judge = EnsembleJudge([ScriptedJudge("partial"), Awaited("supported")])
    assert "supported" == judge.judge([PAIR])[0].label


def test_an_ensemble_of_ensembles_is_a_judge():
    inner = EnsembleJudge([ScriptedJudge("partial"), ScriptedJudge("not_addressed")])
    outer = EnsembleJudge([inner, ScriptedJudge("supported")])
    assert "supported" == outer.judge([PAIR])[0].label


@pytest.mark.parametrize("confirm", [False, True])
def test_it_keeps_what_every_judge_promises(confirm):
    check_judge(EnsembleJudge([LexicalJudge(), LexicalJudge()], confirm=confirm))


def test_a_list_of_judges_answers():
    judges = ["lexical", ScriptedJudge("not_addressed", name="mine")]
    passages = ["Water damage from a burst pipe is covered."]
    answer = ask("Is water damage from a burst pipe covered?", passages, judge=judges)
    assert ("answered", "lexical then mine") == (answer.status, answer.judge)


def test_every_pair_of_labels_has_one_outcome():
    """The whole table for two judges, so that a change of the rule shows."""
    outcome = {
        (a, b): EnsembleJudge([ScriptedJudge(a), ScriptedJudge(b)]).judge([PAIR])[0].label
        for a, b in itertools.product(LABELS, LABELS)
    }
    for (first, second), label in outcome.items():
        settled = first in {"supported", "contradicted"}
        assert label == (first if settled else second)
