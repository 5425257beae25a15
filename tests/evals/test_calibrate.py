"""`groundedgen calibrate`, through typer's own runner."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

import pytest

pytest.importorskip("typer", reason="the extra `cli` is not installed")

from typer.testing import CliRunner

from groundedgen import cli
from groundedgen.cli import calibrate as calibrating
from groundedgen.cli.app import app
from groundedgen.evals import Calibration

SENTENCES = ("Fire is covered by this policy.", "Floods are not covered by this policy.")


@pytest.fixture
def labels(tmp_path):
    lines = ["premise,claim,label,source"]
    for n in range(120):
        premise = f"{SENTENCES[0]} Clause {n} says more. {SENTENCES[1]}"
        lines.append(f"{premise},{SENTENCES[n % 2]},entailment,web")
        lines.append(f"{premise},The tenant pays {n + 2} euros of rent in May.,neutral,book")
    path = tmp_path / "labels.csv"
    path.write_text("\n".join(lines), "utf-8")
    return path


def invoke(*arguments):
    return CliRunner().invoke(app, ["calibrate", *map(str, arguments)])


def test_it_measures_the_lexical_judge(labels):
    result = invoke(labels)
    assert 0 == result.exit_code, result.output
    assert result.output.startswith("lexical is calibrated on 240 human-labelled pairs.")
    assert "Cohen's kappa      1.000 [interval not defined]" in result.output
    assert "false pass         0.0 % [0.0 to 3.1], 0 of 120" in result.output
    assert "by source" in result.output


def test_reports_are_written_and_read_back(labels, tmp_path):
    pytest.importorskip("jinja2", reason="the extra `web` is not installed")
    page, plain = tmp_path / "out.html", tmp_path / "out.json"
    options = ["--repeat", 2, "--max-false-pass", 0.02, "--html", page, "--json", plain]
    result = invoke(labels, *options)
    assert 0 == result.exit_code, result.output
    assert "same every time    100.0 %" in result.output
    assert "threshold for at most 2 % false pass: " in result.output
    assert "<h1>Judge lexical against people</h1>" in page.read_text("utf-8")
    found = Calibration.load(plain)
    assert (240, 2) == (found.distinct, found.consistency.calls)
    assert "NaN" not in plain.read_text("utf-8")
    json.loads(plain.read_text("utf-8"))


def test_a_folder_is_an_nli_model(labels, tmp_path):
    pytest.importorskip("onnxruntime", reason="the extra `nli` is not installed")
    pytest.importorskip("onnx", reason="it writes the model")
    from tests.tinymodel import write_model

    result = invoke(labels, "--judge", write_model(tmp_path / "model"))
    assert 0 == result.exit_code, result.output
    assert result.output.startswith("nli/model is calibrated")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("here", "no model.onnx in 'here'; the folder of an NLI model holds"),
        ("nli/nowhere", "no folder 'nowhere'; an NLI model is a folder with model.onnx"),
        ("nli/./nowhere", "no folder './nowhere'"),
        ("nli/no/where", "no such folder, and no model 'no/where'"),
        ("./nowhere", "unknown judge './nowhere': there is no such folder"),
        ("no/where", "there is no such folder"),
        ("nowhere", "unknown judge 'nowhere': there is no such folder"),
        ("lexical,nowhere", "unknown judge 'nowhere'"),
        ("lexical,", "the name of a judge is blank"),
        ("", "the name of a judge is blank"),
        ("nli", "it needs a model, nli/FOLDER with model.onnx"),
    ],
)
def test_a_folder_that_holds_no_model_or_is_not_there_says_what_is_needed(
    labels, monkeypatch, capsys, name, told
):
    pytest.importorskip("onnxruntime")
    (labels.parent / "here").mkdir()
    monkeypatch.chdir(labels.parent)
    assert 2 == cli.main(["calibrate", str(labels), "--judge", name])
    assert told in capsys.readouterr().err


def test_judges_are_named_in_a_row_and_at_their_strict_point(labels):
    result = invoke(labels, "--judge", "lexical:strict,lexical")
    assert 0 == result.exit_code, result.output
    assert result.output.startswith("lexical-strict then lexical is calibrated on 240")
    assert invoke(labels, "--judge", "lexical-strict").output.startswith("lexical-strict is")


# What it writes


@pytest.mark.parametrize("option", ["--json", "--html"])
@pytest.mark.parametrize("link", [None, "symlink_to", "hardlink_to"])
def test_the_labels_are_never_written_over(labels, tmp_path, capsys, option, link):
    pytest.importorskip("jinja2")
    before, target = labels.read_bytes(), labels
    if link:
        target = tmp_path / "another.json"
        getattr(target, link)(labels)
    assert 2 == cli.main(["calibrate", str(labels), option, str(target)])
    assert "that is the file of the labels" in capsys.readouterr().err
    assert before == labels.read_bytes()


def test_two_reports_do_not_go_into_one_file(labels, tmp_path, capsys):
    pytest.importorskip("jinja2")
    page = str(tmp_path / "out")
    assert 2 == cli.main(["calibrate", str(labels), "--html", page, "--json", page])
    assert "that is the file of the other report" in capsys.readouterr().err


@pytest.mark.parametrize("place", ["none/out.json", "."])
def test_where_nothing_can_be_written_nothing_is_judged(labels, monkeypatch, capsys, place):
    monkeypatch.setattr(calibrating, "measure", None)
    path = labels.parent / place
    assert 2 == cli.main(["calibrate", str(labels), "--json", str(path)])
    assert "no file can be written there" in capsys.readouterr().err


def test_what_was_measured_is_shown_where_it_cannot_be_written_after_all(
    labels, monkeypatch, capsys
):
    def full(path, content):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_bytes", full)
    path = labels.parent / "out.json"
    assert 1 == cli.main(["calibrate", str(labels), "--json", str(path)])
    captured = capsys.readouterr()
    assert captured.out.startswith("lexical is calibrated on 240")
    assert f"error: {path}: No space left on device\n" == captured.err


def test_half_a_character_in_a_name_does_not_stop_a_report(tmp_path):
    pytest.importorskip("jinja2", reason="the extra `web` is not installed")
    path, page = tmp_path / "labels.jsonl", tmp_path / "out.html"
    row = {"premise": "Fire.", "claim": "Fire.", "label": "neutral", "source": "\ud800"}
    path.write_text(json.dumps(row), "utf-8")
    assert 0 == invoke(path, "--html", page).exit_code
    assert page.read_text("utf-8")


# What it says


@pytest.mark.parametrize(
    ("sdk", "key"), [("openai", "OPENAI_API_KEY"), ("anthropic", "ANTHROPIC_API_KEY")]
)
def test_a_judge_without_a_key_says_what_to_set(labels, monkeypatch, capsys, sdk, key):
    pytest.importorskip(sdk)
    monkeypatch.delenv(key, raising=False)
    assert 1 == cli.main(["calibrate", str(labels), "--judge", f"{sdk}/some-model"])
    captured = capsys.readouterr()
    assert f"unscored         240: judge_error (ProviderError: set {key}" in captured.out
    assert captured.err.startswith("error: no pair got a verdict: judge_error, ProviderError: set")
    assert key in captured.err
    assert 1 == captured.err.count("\n")


def test_pairs_that_the_judge_cannot_read_are_told_with_the_cause(tmp_path):
    path = tmp_path / "labels.csv"
    german = "Die Miete ist im Mai zu zahlen.,Der Mieter zahlt die Miete im Mai.,neutral\n"
    path.write_text(f"premise,claim,label\n{german}Fire.,Fire.,neutral\n", "utf-8")
    result = invoke(path)
    assert 0 == result.exit_code
    assert "unscored         1: language (This judge reads English only" in result.output


def test_a_threshold_with_too_little_behind_it_is_told_before_the_word(labels):
    lines = invoke(labels, "--max-false-pass", 0.02).output.splitlines()
    assert lines[0].startswith("WARNING: the picked threshold is too thin to rely on: ")
    assert lines[1].startswith("lexical is calibrated on 240")
    assert any("another name: calibrate it again" in line for line in lines)


def test_few_pairs_are_not_called_calibrated(tmp_path):
    path = tmp_path / "few.csv"
    path.write_text("premise,claim,label\nFire is covered.,Fire is covered.,entailment\n", "utf-8")
    result = invoke(path, "--max-false-pass", 0.1)
    assert 0 == result.exit_code
    assert "calibrated" not in result.output
    assert "tried on 1 human-labelled pairs, fewer than 200" in result.output
    assert "Label 200 pairs or more" in result.output
    assert "none, one half of the pairs lacks supported or unsupported ones" in result.output


@pytest.mark.parametrize(
    ("content", "arguments", "told"),
    [
        ("premise,claim\n", [], "error: labels.csv, line 1: no column 'label'"),
        ("premise,claim,label\nA.,B.,neutral\n", ["--judge", "nobody"], "nobody"),
        ("premise,claim,label\nA.,B.,neutral\n", ["--max-false-pass", "2"], "max-false-pass"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(tmp_path, capsys, content, arguments, told):
    (tmp_path / "labels.csv").write_text(content, "utf-8")
    code = cli.main(["calibrate", str(tmp_path / "labels.csv"), *arguments])
    output = capsys.readouterr().err
    assert 2 == code
    assert told in output
    assert 1 == output.count("\n")


def test_a_missing_file_is_one_line(tmp_path, capsys):
    missing = tmp_path / "none.csv"
    assert 1 == cli.main(["calibrate", str(missing)])
    assert f"error: {missing}: No such file or directory\n" == capsys.readouterr().err


def test_names_from_the_file_cannot_steer_the_terminal(tmp_path):
    path = tmp_path / "labels.csv"
    rows = [f"Fire {n}.,Fire {n}.,entailment,{name}" for n, name in enumerate(("\x1b[31mred", "b"))]
    path.write_text("premise,claim,label,source\n" + "\n".join(rows), "utf-8")
    assert "\x1b" not in invoke(path).output
