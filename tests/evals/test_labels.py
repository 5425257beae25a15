"""Labelled pairs are read as they are, and every mistake is named by line and column."""

from __future__ import annotations

import csv
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundedgen.errors import InputError
from groundedgen.evals.labels import Labelled, read_labels

SECRET = "The patient, born in 1961, has been told about it. " * 3


def write(folder, text, name="labels.csv", encoding="utf-8"):
    path = folder / name
    path.write_bytes(text.encode(encoding))
    return path


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_csv_is_read_with_any_usual_delimiter(tmp_path, delimiter, end):
    rows = [
        ["Label", "premise ", "claim", "source", "other"],
        ["entailment", '"Fire, theft;\ttwo\nlines"', "Fire.", "web", "x"],
        ["NEUTRAL", "Fire.", "Floods.", "", ""],
        ["not_supported", "Fire.", "Theft.", "web", ""],
        [""],
    ]
    text = end.join(delimiter.join(row) for row in rows) + end
    found = read_labels(write(tmp_path, "\ufeff" + text))
    assert ["supported", "not_addressed", "not_supported"] == [item.label for item in found]
    assert "Fire, theft;\ttwo\nlines" == found[0].premise
    assert ["web", "", "web"] == [item.source for item in found]


@pytest.mark.parametrize("said", ["sep=;", "SEP=;", '"sep=;"'])
def test_the_line_that_excel_puts_before_a_csv_is_understood(tmp_path, said):
    """More commas than semicolons in the header must not win over what the line says."""
    text = f'\ufeff{said}\r\npremise;claim;label;"a,b,c,d,e"\r\nFire, theft.;Fire.;neutral;\r\n'
    [item] = read_labels(write(tmp_path, text))
    assert ("Fire, theft.", "not_addressed") == (item.premise, item.label)


def test_rows_that_a_spreadsheet_left_blank_are_skipped(tmp_path):
    text = "premise,claim,label,other,other\nA.,B.,neutral,,\n,,,,\n ,,\nA.,C.,neutral,1,2\n,,,,\n"
    assert ["B.", "C."] == [item.claim for item in read_labels(write(tmp_path, text))]


def test_a_jsonl_is_read(tmp_path):
    lines = [
        {"premise": "Fire.", "claim": "Fire.", "label": "SUPPORTS", "lang": "en", "id": 7},
        {"premise": "Fire.", "claim": "No fire.", "label": "refuted", "meta": {"any": 1}},
    ]
    text = "\n\n".join(map(json.dumps, lines)) + "\n"
    found = read_labels(write(tmp_path, text, "labels.jsonl"))
    expected = Labelled("Fire.", "Fire.", "supported", lang="en", id="7")
    assert (expected, "contradicted") == (found[0], found[1].label)


texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(str.strip)


@given(st.lists(st.tuples(texts, texts), min_size=1, max_size=5, unique=True))
def test_whatever_a_csv_writer_writes_is_read_back(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("labels") / "labels.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["premise", "claim", "label"])
        writer.writerows([premise, claim, "supported"] for premise, claim in rows)
    assert rows == [(item.premise, item.claim) for item in read_labels(path)]


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("a.csv", "premise,claim\nFire.,Fire.\n", "line 1: no column 'label'"),
        ("a.csv", "premise,claim,label\nA.,B.,yes\n", "line 2, column 'label': 'yes'"),
        ("a.csv", 'premise,claim,label\n"A\nB",C,neutral\nD,E,yes\n', "line 4, column 'label'"),
        ("a.csv", "premise,claim,label\nA.,,neutral\n", "line 2, column 'claim': it is blank"),
        ("a.csv", "premise,claim,label\nA.,B.\n", "line 2: 2 fields for 3 columns"),
        ("a.csv", 'premise,claim,label\n"A,B.,neutral\n', "line 2: "),
        (
            "a.csv",
            "premise,claim,label,Label \nA.,B.,neutral,x\n",
            "line 1: 'label' is there twice",
        ),
        ("a.csv", "sep=;\npremise;claim;id;id;label\n", "line 2: 'id' is there twice"),
        ("a.csv", "sep=;\npremise;claim;label\nA.;B.;yes\n", "line 3, column 'label': 'yes'"),
        ("a.csv", "premise,claim,label\n,,\nA.,B.,yes\n", "line 3, column 'label': 'yes'"),
        ("a.csv", "premise,claim,label\n,,\n , ,\n", "no labelled pair"),
        (
            "a.jsonl",
            '{"label": "neutral", "label": "entailment"}',
            "line 1: 'label' is there twice",
        ),
        ("a.csv", "premise,claim,label\n", "no labelled pair"),
        ("a.csv", "", "no labelled pair"),
        ("a.jsonl", '{"premise": "A."}\n', "line 1, column 'claim'"),
        ("a.jsonl", '\n{"premise": }\n', "line 2, column 13"),
        ("a.jsonl", "[1]\n", "line 1: a line is one JSON object"),
        ("a.jsonl", "[" * 100_000, "line 1"),
        ("a.jsonl", '{"premise": "A.", "claim": 3, "label": "neutral"}', "column 'claim'"),
        (
            "a.jsonl",
            '{"premise": "A.", "claim": "B.", "label": "neutral", "source": []}',
            "column 'source': must be text, got list",
        ),
        ("a.txt", "x", "not from '.txt'"),
    ],
)
def test_a_mistake_is_named_by_line_and_column(tmp_path, name, text, told):
    with pytest.raises(InputError, match=r"^a\.") as caught:
        read_labels(write(tmp_path, text, name))
    assert told in str(caught.value)


def test_the_same_pair_twice_is_refused_with_both_lines(tmp_path):
    """With two labels it would be right whatever the judge says; with one, it counts twice."""
    text = "premise,claim,label\nA.,B.,neutral\nA.,C.,neutral\nA.,B.,entailment\n"
    with pytest.raises(InputError, match="line 4: the same premise and claim as line 2"):
        read_labels(write(tmp_path, text))


def test_no_text_of_a_pair_gets_into_a_message(tmp_path):
    """A table whose columns slipped holds a passage where the label should be."""
    text = f'premise,claim,label\nA.,B.,"{SECRET}"\n'
    with pytest.raises(InputError) as caught:
        read_labels(write(tmp_path, text))
    assert "born" not in str(caught.value)
    assert SECRET[:9] not in repr(Labelled(SECRET, SECRET, "supported"))


def test_another_encoding_is_named_with_its_line(tmp_path):
    path = write(tmp_path, "premise,claim,label\nA.,Gebühr,neutral\n", encoding="latin-1")
    with pytest.raises(InputError, match="line 2: not UTF-8"):
        read_labels(path)


def test_a_long_passage_in_a_csv_is_read_or_refused_with_its_line(tmp_path):
    path = write(tmp_path, f"premise,claim,label\n{'word ' * 40_000},B.,neutral\n")
    with pytest.raises(InputError, match=r"line 2: .*jsonl"):
        read_labels(path)


def test_a_label_of_ones_own_is_refused():
    with pytest.raises(InputError, match="one of supported"):
        Labelled("A.", "B.", "entailment")
