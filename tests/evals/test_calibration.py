"""What `calibrate` counts, by hand; what it refuses to say; and that nothing is ever NaN."""

from __future__ import annotations

import json
import math
import os
import random
import subprocess
import sys
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundedgen.errors import InputError
from groundedgen.evals import Calibration, Labelled, calibrate
from groundedgen.evals.thresholds import halves
from groundedgen.ports import Verdict
from groundedgen.testing import ScriptedJudge

HUMAN = ("supported", "partial", "contradicted", "not_addressed", "not_supported")
LABELS = ("supported", "partial", "contradicted", "not_addressed", "not_judged")


def items(*labels, **fields):
    return [
        Labelled(f"Premise {n}.", f"Claim {n}.", label, **fields) for n, label in enumerate(labels)
    ]


def judged(pairs, labels):
    """A judge that says these labels of these pairs."""
    return ScriptedJudge({p.claim: label for p, label in zip(pairs, labels, strict=True)})


def test_the_figures_by_hand():
    pairs = items(*["supported"] * 5, *["contradicted"] * 2, *["not_addressed"] * 3)
    said = ["supported"] * 3 + ["partial", "not_judged"]
    said += ["contradicted", "not_judged", "supported", "not_addressed", "contradicted"]
    found = calibrate(pairs, judged(pairs, said))
    overall = found.overall
    assert (10, 2) == (overall.pairs, overall.unscored)
    assert (4, 8) == (overall.base_rate.count, overall.base_rate.total)
    assert (6, 8) == (overall.agreement.count, overall.agreement.total)
    assert 0.5 == overall.majority
    assert (3 / 4 + 3 / 4) / 2 == overall.balanced_accuracy
    assert (1, 4) == (overall.false_pass.count, overall.false_pass.total)
    assert (1, 4) == (overall.false_strip.count, overall.false_strip.total)
    assert (2, 5) == (overall.lost.count, overall.lost.total)
    assert {"supported": 3, "partial": 1, "not_judged": 1} == found.confusion["supported"]
    assert {"contradicted": 1, "not_judged": 1} == found.confusion["contradicted"]
    assert 8 == found.three_way.total


def test_an_unscored_pair_agrees_with_nobody():
    pairs = items("not_supported", "not_supported")
    found = calibrate(pairs, ScriptedJudge(Verdict("not_judged", reason="judge_timeout")))
    assert 2 == found.overall.unscored
    assert {"judge_timeout": 2} == found.unscored
    assert 0 == found.overall.agreement.total
    assert found.overall.agreement.share is None
    assert found.overall.false_pass.share is None


def numbers(value):
    if isinstance(value, dict):
        return [n for item in value.values() for n in numbers(item)]
    if isinstance(value, list):
        return [n for item in value for n in numbers(item)]
    return [value] if isinstance(value, int | float) else []


cases = st.lists(
    st.tuples(
        st.sampled_from(HUMAN),
        st.sampled_from(LABELS),
        st.none() | st.floats(0, 1) | st.floats(),
        st.sampled_from(["", "web", "\ud83d\ude00"]),
    ),
    min_size=1,
    max_size=30,
)


@given(cases, st.sampled_from([None, 0.0, 0.02, 0.5]), st.sampled_from([1, 2]))
def test_nothing_is_nan_whatever_people_and_judge_say(tmp_path_factory, case, most, repeat):
    pairs = [
        Labelled(f"Premise {n // 2}.", f"Claim {n}.", human, source=source)
        for n, (human, _, _, source) in enumerate(case)
    ]
    script = {f"Claim {n}.": Verdict(label, score) for n, (_, label, score, _) in enumerate(case)}
    judge = ScriptedJudge(script)
    judge.threshold = 0.5
    found = calibrate(pairs, judge, max_false_pass=most, repeat=repeat)
    text = found.model_dump_json()
    assert "NaN" not in text
    assert "Infinity" not in text
    path = tmp_path_factory.getbasetemp() / "found.json"
    found.save(path)
    assert found == Calibration.load(path)
    odd = sum(score is not None and not 0 <= score <= 1 for _, _, score, _ in case)
    assert odd == found.unscored.get("judge_bad_reply", 0)
    assert all(math.isfinite(n) for n in numbers(json.loads(text)))
    assert sum(sum(row.values()) for row in found.confusion.values()) == len(case)
    for by_name in found.groups.values():
        assert len(case) == sum(one.pairs for one in by_name.values())


def test_under_200_pairs_nothing_is_called_calibrated():
    labels = ["supported", "not_supported"] * 100
    pairs = items(*labels)
    assert "is calibrated on 200 " in calibrate(pairs, ScriptedJudge("supported")).standing
    few = calibrate(pairs[:199], ScriptedJudge("supported"))
    assert not few.enough
    assert "calibrated" not in few.standing
    assert "calibrated" not in few.model_dump_json()


def test_what_got_no_verdict_is_named_beside_the_word():
    english = items(*["supported", "not_supported"] * 100, lang="en")
    german = [Labelled(f"Satz {n}.", f"Aussage {n}.", "supported", lang="de") for n in range(30)]
    said = ["supported", "partial"] * 100 + ["not_judged"] * 30
    found = calibrate(english + german, judged(english + german, said))
    told = (
        "is calibrated on 200 human-labelled pairs; 30 more got no verdict, among them all in de."
    )
    assert found.standing.endswith(told)


def test_a_judge_no_better_than_one_label_for_all_is_not_called_calibrated_without_saying_so():
    pairs = items(*["supported", "not_supported", "not_supported"] * 100)
    no_better = "no more often than always giving their commoner label would"
    assert no_better in calibrate(pairs, ScriptedJudge("partial")).standing
    one_right = ["supported", *["partial"] * 299]
    assert no_better not in calibrate(pairs, judged(pairs, one_right)).standing


def test_pairs_without_a_verdict_twice_or_of_one_kind_do_not_make_200():
    pairs = items(*["supported", "not_supported"] * 100)
    silent = judged(pairs, ["not_judged", *["supported"] * 199])
    assert not calibrate(pairs, silent).enough
    assert not calibrate([*pairs[:150], *pairs[:150]], ScriptedJudge("supported")).enough
    mute = [s if s == "supported" else "not_judged" for s in ["supported", "partial"] * 200]
    many = items(*["supported", "not_supported"] * 200)
    assert not calibrate(many, judged(many, mute)).enough
    one_kind = calibrate(items(*["supported"] * 300), ScriptedJudge("supported"))
    assert not one_kind.enough
    assert "calibrated" not in one_kind.standing


def test_it_is_stored_and_read_back(tmp_path):
    pairs = items(*["supported", "not_supported"] * 20, source="web")
    judge = ScriptedJudge(Verdict("supported", 0.9))
    judge.threshold = 0.5
    found = calibrate(pairs, judge, max_false_pass=0.1, repeat=2)
    found.save(tmp_path / "found.json")
    assert found == Calibration.load(tmp_path / "found.json")
    assert "Premise" not in found.model_dump_json()


def stored(tmp_path):
    pairs = items(*["supported", "not_supported"] * 20, source="web")
    none = Verdict("not_judged", reason="language")
    script = {
        p.claim: none if n % 3 == 0 else Verdict("supported", 0.9 if p.supported else n / 50)
        for n, p in enumerate(pairs)
    }
    judge = ScriptedJudge(script)
    judge.threshold = 0.5
    calibrate(pairs, judge, max_false_pass=0.6, repeat=2).save(tmp_path / "found.json")
    return json.loads((tmp_path / "found.json").read_text("utf-8"))


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("threshold", 2),
        ("threshold", "NaN"),
        ("distinct", 10_000),
        ("distinct", -1),
        ("distinct", 0),
        ("unscored.language", 0),
        ("unscored.language", -3),
        ("confusion.supported.supported", 400),
        ("overall.pairs", 500),
        ("overall.unscored", -1),
        ("overall.unscored", 0),
        ("overall.majority", 1.5),
        ("overall.balanced_accuracy", "NaN"),
        ("overall.agreement.count", 19),
        ("overall.agreement.share", 0.99),
        ("overall.agreement.high", 0.001),
        ("overall.agreement.low", None),
        ("overall.false_pass.total", 300),
        ("overall.false_pass.share", "Infinity"),
        ("overall.false_pass.count", 0),
        ("overall.lost.count", 0),
        ("overall.lost.total", 400),
        ("overall.kappa.value", 3),
        ("overall.kappa.value", "NaN"),
        ("overall.kappa.total", 4000),
        ("overall.kappa.low", -2),
        ("groups.source.web.pairs", 7),
        ("consistency.calls", 1),
        ("consistency.same.total", 3),
        ("three_way", {"total": 4000}),
        ("picked.threshold", "NaN"),
        ("picked.threshold", None),
        ("picked.max_false_pass", -0.5),
        ("picked.false_pass.share", 0.01),
        ("curve", [{"threshold": "NaN", "false_pass": 0.1, "kept": 0.2}]),
    ],
)
def test_figures_that_cannot_be_are_refused_with_their_name(tmp_path, place, value):
    content = stored(tmp_path)
    assert Calibration.load(tmp_path / "found.json").picked.threshold is not None
    *path, last = place.split(".")
    inner = content
    for name in path:
        inner = inner[name]
    inner[last] = value
    (tmp_path / "found.json").write_text(json.dumps(content), "utf-8")
    with pytest.raises(InputError, match=r"^calibration\..*; write it anew") as caught:
        Calibration.load(tmp_path / "found.json")
    assert "bad_calibration" == caught.value.code


SCRIPT = """
import random
from groundedgen.evals import Labelled, calibrate
from groundedgen.testing import ScriptedJudge
from groundedgen.values import Verdict

rng = random.Random(3)
labels = ["supported", "contradicted", "not_addressed"]
pairs = [
    Labelled(f"P {n % 30}.", f"C {n}.", rng.choice(labels), source=f"s{n % 7}") for n in range(97)
]
script = {p.claim: Verdict(rng.choice(labels), round(rng.random(), 3)) for p in pairs}
judge = ScriptedJudge(script)
judge.threshold = 0.1
print(calibrate(pairs, judge, max_false_pass=0.2, repeat=2).model_dump_json())
"""


def test_the_same_pairs_give_the_same_bytes_in_every_process():
    """Sets are ordered by a seed of the process, and the last digit of a sum by that order."""
    said = [
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    ]
    assert b"three_way" in said[0]
    assert 1 == len(set(said))


def test_each_pair_is_told_with_its_verdict():
    told = []
    pairs = items("supported", "not_supported")
    calibrate(pairs, ScriptedJudge("partial"), repeat=2, on_verdict=lambda *one: told.append(one))
    assert [(pairs[0], Verdict("partial")), (pairs[1], Verdict("partial"))] == told


def test_a_file_that_is_no_calibration_is_refused(tmp_path):
    (tmp_path / "found.json").write_text('{"judge": 3}', "utf-8")
    with pytest.raises(InputError, match="calibration"):
        Calibration.load(tmp_path / "found.json")


def test_groups_are_by_source_language_length_and_number():
    pairs = [
        Labelled("Fire is covered. " * 20, "Fire is covered by the policy.", "supported", "web"),
        Labelled("Fire.", "It costs 12 euros and is due.", "not_supported", "web", lang="de"),
        Labelled("Fire. " * 300, "Wort.", "not_supported"),
    ]
    groups = calibrate(pairs, ScriptedJudge("supported")).groups
    assert {"web": 2, "unknown": 1} == {name: one.pairs for name, one in groups["source"].items()}
    assert {"en", "de", "unknown"} == set(groups["language"])
    assert {"up to 50 words", "51 to 200 words", "over 200"} == set(groups["length"])
    assert 1 == groups["number"]["with a number"].pairs


def test_more_groups_than_can_be_read_are_put_together():
    pairs = [Labelled(f"P {n}.", "C.", "supported", source=f"source {n}") for n in range(50)]
    by_source = calibrate(pairs, ScriptedJudge("supported")).groups["source"]
    assert 30 == len(by_source)
    assert 21 == by_source["others"].pairs


def test_a_source_of_two_way_labels_is_left_out_of_the_three_way_figure():
    blunt = items("supported", "not_supported", source="blunt")
    sharp = items("supported", "contradicted", "not_addressed", source="sharp")
    assert 3 == calibrate([*blunt, *sharp], ScriptedJudge("supported")).three_way.total
    assert calibrate(blunt, ScriptedJudge("supported")).three_way is None


def test_a_judge_that_wavers_is_told():
    class Wavering:
        first = True

        def judge(self, pairs):
            said = "partial" if self.first else "supported"
            self.first = False
            return [Verdict(said), Verdict("supported")]

    pairs = items("supported", "not_supported")
    consistency = calibrate(pairs, Wavering(), repeat=3).consistency
    assert 3 == consistency.calls
    assert (1, 2) == (consistency.same.count, consistency.same.total)
    assert 1 == consistency.swayed.count
    assert calibrate(pairs, ScriptedJudge()).consistency is None


def test_progress_counts_up_to_all_repeats():
    told = []
    pairs = items(*["supported"] * 100)
    calibrate(pairs, ScriptedJudge(), repeat=2, on_progress=lambda *n: told.append(n))
    assert [(64, 200), (100, 200), (164, 200), (200, 200)] == told


def test_claims_about_one_passage_are_put_to_the_judge_together():
    pairs = [Labelled(f"P {n % 2}.", f"C {n}.", "supported") for n in range(6)]
    judge = ScriptedJudge("supported")
    calibrate(pairs, judge)
    assert ["S1"] * 3 + ["S2"] * 3 == [pair.group for pair in judge.pairs]
    assert ["C 0.", "C 2.", "C 4."] == [pair.claim for pair in judge.pairs[:3]]


class Scoring(ScriptedJudge):
    """A judge whose score is the number its claim ends in, and whose threshold is 0.2."""

    threshold = 0.2

    def judge(self, pairs):
        scores = [float(pair.claim.split()[-1]) for pair in pairs]
        return [Verdict("supported" if s >= 0.2 else "not_addressed", s) for s in scores]


@dataclass(frozen=True)
class Anew:
    """The same, made anew with another threshold; what it scores 0.5555 passes at any threshold."""

    threshold: float = 0.2

    def judge(self, pairs):
        scores = [float(pair.claim.split()[-1]) for pair in pairs]
        passed = [s >= self.threshold or s == 0.5555 for s in scores]
        return [
            Verdict("supported" if p else "partial", s) for p, s in zip(passed, scores, strict=True)
        ]


def scored_items(count=400, seed=1):
    rng = random.Random(seed)
    for n in range(count):
        honest = n % 2 == 0
        score = rng.uniform(0.3, 1) if honest else rng.uniform(0, 0.8)
        yield Labelled(f"P {n}.", f"C {n} {score:.3f}", "supported" if honest else "not_supported")


@pytest.mark.parametrize("judge", [Scoring(), Anew()])
def test_a_threshold_is_picked_on_one_half_and_tried_on_the_other(judge):
    pairs = list(scored_items())
    picked = calibrate(pairs, judge, max_false_pass=0.1).picked
    assert 0.6 < picked.threshold < 0.85
    assert picked.picking_false_pass.share <= 0.1
    first, second = halves(pairs)
    others = [pairs[n] for n in second if not pairs[n].supported]
    passed = [p for p in others if float(p.claim.split()[-1]) >= picked.threshold]
    assert (len(passed), len(others)) == (picked.false_pass.count, picked.false_pass.total)
    assert not set(first) & set(second)


def test_what_a_judge_passes_at_any_threshold_cannot_be_picked_away():
    """Its scores alone would say so; judged anew, the pairs pass all the same."""
    always = [Labelled(f"Q {n}.", f"C {n} 0.5555", "not_supported") for n in range(200)]
    picked = calibrate([*scored_items(), *always], Anew(), max_false_pass=0.02).picked
    assert (None, "no_threshold") == (picked.threshold, picked.why)


def test_why_there_is_no_threshold_is_told():
    pairs = list(scored_items(40))
    picked = calibrate(pairs, ScriptedJudge(Verdict("supported", 0.9)), max_false_pass=0.1).picked
    assert "no_scores" == picked.why  # it has no attribute `threshold`
    judge = ScriptedJudge("supported")
    judge.threshold = 0.5
    assert "no_scores" == calibrate(pairs, judge, max_false_pass=0.1).picked.why
    one = items(*["supported"] * 9, "not_supported")
    assert "one_class" == calibrate(one, Scoring(), max_false_pass=0.1).picked.why


@given(st.lists(st.integers(0, 8), max_size=40), st.randoms())
def test_halves_share_no_premise_and_do_not_depend_on_order(premises, rng):
    pairs = [Labelled(f"P {p}.", f"C {n}.", "supported") for n, p in enumerate(premises)]
    first, second = halves(pairs)
    assert sorted([*first, *second]) == list(range(len(pairs)))
    assert not {pairs[n].premise for n in first} & {pairs[n].premise for n in second}
    shuffled = rng.sample(pairs, len(pairs))
    again = halves(shuffled)[0]
    assert {pairs[n].premise for n in first} == {shuffled[n].premise for n in again}


@pytest.mark.parametrize(
    ("given_pairs", "arguments", "told"),
    [
        ([], {}, "no labelled pair"),
        (["pair"], {}, r"pairs\[0\] must be"),
        (items("supported"), {"max_false_pass": 1.5}, "max_false_pass"),
        (items("supported"), {"max_false_pass": math.nan}, "max_false_pass"),
        (items("supported"), {"repeat": 0}, "repeat"),
        (items("supported"), {"judge": "nobody"}, "nobody"),
    ],
)
def test_an_argument_that_cannot_be_used_is_named(given_pairs, arguments, told):
    with pytest.raises(InputError, match=told):
        calibrate(given_pairs, **arguments)


def test_a_judge_that_raises_stops_it():
    with pytest.raises(PermissionError):
        calibrate(items("supported"), ScriptedJudge(PermissionError()))


def test_a_judge_that_can_only_be_awaited_is_measured():
    class Awaited:
        name = "awaited"

        async def ajudge(self, pairs):
            return [Verdict("supported")] * len(pairs)

    assert 1 == calibrate(items("supported"), Awaited()).overall.agreement.count
