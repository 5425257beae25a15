"""`groundedgen calibrate`, through typer's own runner."""

from __future__ import annotations

import json

import pytest

pytest.importorskip("typer", reason="the extra `cli` is not installed")

from typer.testing import CliRunner

from groundedgen import cli
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
        ("./nowhere", "unknown judge './nowhere'; there are lexical"),
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
