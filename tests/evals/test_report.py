"""The report: everything foreign escaped, nothing fetched, nothing undefined shown as a number."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest

pytest.importorskip("jinja2", reason="the extra `web` is not installed")

from groundedgen.evals import Labelled, calibrate
from groundedgen.evals.plots import curve_plot, whisker_plot
from groundedgen.evals.report import to_html
from groundedgen.evals.thresholds import Point
from groundedgen.ports import Verdict
from groundedgen.testing import ScriptedJudge

ATTACK = '"><script>alert(1)</script>'


def measured(count=300, name="mine", source="web", **arguments):
    pairs = [
        Labelled(f"Premise {n}.", f"Claim {n}.", "supported" if n % 2 else "contradicted", source)
        for n in range(count)
    ]
    script = {p.claim: Verdict("supported", n / count) for n, p in enumerate(pairs)}
    judge = ScriptedJudge(script, name=name)
    judge.threshold = 0.1
    return calibrate(pairs, judge, **arguments)


def test_names_of_judge_and_sources_are_escaped():
    page = to_html(measured(name=ATTACK, source=ATTACK))
    assert "<script" not in page
    assert "&lt;script" in page


def test_the_page_fetches_nothing_and_runs_nothing():
    page = to_html(measured(max_false_pass=0.1, repeat=2))
    assert "default-src 'none'" in page
    assert not re.search(r"https?:|<script|\bon\w+=|url\(|@import| style=", page)


def test_no_text_of_a_pair_is_on_the_page():
    page = to_html(measured())
    assert "Premise" not in page
    assert "Claim 1" not in page


def test_every_tag_is_closed_and_every_plot_is_well_formed():
    page = to_html(measured(max_false_pass=0.1, repeat=2))
    plots = re.findall(r"<svg.*?</svg>", page, re.DOTALL)
    assert 3 == len(plots)
    for plot in plots:
        ET.fromstring(plot)  # noqa: S314  # our own page
    for tag in ("table", "div", "section", "tr", "td", "th", "main"):
        assert len(re.findall(rf"<{tag}[ >]", page)) == page.count(f"</{tag}>")


def test_what_is_not_defined_says_so():
    page = to_html(measured(1, max_false_pass=0.1))
    assert "not defined" in page
    assert not re.search(r"\b(nan|NaN|inf|None)\b", page.replace("None was picked", ""))


def test_the_word_stands_only_where_it_is_deserved():
    assert "is calibrated on 300 human-labelled pairs" in to_html(measured())
    few = to_html(measured(199))
    assert "calibrated" not in few
    assert "tried on 199 human-labelled pairs" in few


def test_scores_that_are_none_do_not_reach_the_page():
    pairs = [Labelled(f"P {n}.", f"C {n}.", ("supported", "partial")[n % 2]) for n in range(8)]
    judge = ScriptedJudge(Verdict("supported", float("nan")))
    judge.threshold = 0.5
    page = to_html(calibrate(pairs, judge, max_false_pass=0.5))
    assert not re.search(r"\b(nan|NaN|inf)\b", page)
    assert "judge bad reply 8" in page


def test_the_threshold_is_told_with_the_figures_of_the_other_half():
    page = to_html(measured(max_false_pass=0.3))
    assert "at most 30.0 % false pass" in page
    assert "False pass, other half" in page
    none = to_html(measured(1, max_false_pass=0.3))
    assert "None was picked: one half of the pairs lacks supported or unsupported ones" in none


def test_too_few_pairs_for_the_stated_rate_are_told():
    thin = r"too thin to rely on: \d+ unsupported pairs cannot show 2 %"
    page = to_html(measured(max_false_pass=0.02))
    assert re.search(thin, page)
    assert page.index("too thin") < page.index("is calibrated")
    assert "too thin" not in to_html(measured(max_false_pass=0.3))


def test_it_has_a_dark_and_a_light_side():
    page = to_html(measured())
    assert "prefers-color-scheme: dark" in page
    assert 'content="light dark"' in page


def test_a_plot_of_nothing_is_none():
    assert whisker_plot({}) is None
    assert curve_plot([]) is None
    assert curve_plot([Point(0.5, 0.1, 0.2)]) is None
