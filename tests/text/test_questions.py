"""Promises of what a question asks for."""

from __future__ import annotations

import pytest

from groundedgen.text.questions import asked, is_heading, looks_like_answer


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How much is the fee?", "number"),
        ("how long does it last", "number"),
        ("What percentage is paid?", "number"),
        ("When is rent due?", "time"),
        ("Who signs?", "name"),
        ("Where is the key?", "name"),
        ("Why was it refused?", "cause"),
        ("Is hail covered?", "other"),
        ("", "other"),
        ("Ist Hagel gedeckt?", "other"),
    ],
)
def test_the_kind_of_answer_is_read_off_the_question(question, expected):
    assert asked(question) == expected


@pytest.mark.parametrize(
    ("sentence", "kind", "fits"),
    [
        ("The fee is 20 euros.", "number", True),
        ("The fee is twenty euros.", "number", True),
        ("The fee is due.", "number", False),
        ("Rent is due in May.", "time", True),
        ("Rent is due.", "time", False),
        ("The form is signed by Ms Weber.", "name", True),
        ("The form is signed.", "name", False),
        ("It was refused because it was late.", "cause", True),
        ("It was refused.", "cause", False),
        ("Hail is covered.", "other", True),
        ("Hail", "other", False),
        ("We do not pay for:", "other", False),
        ("The landlord must begin within", "other", False),
        ("| hail | 5 |", "number", True),
        ("| hail | 5 |", "other", False),
    ],
)
def test_a_sentence_has_the_shape_of_an_answer_or_not(sentence, kind, fits):
    assert looks_like_answer(sentence, kind) is fits


def test_headings_are_short_and_have_no_stop():
    assert is_heading("Burst pipes")
    assert not is_heading("We pay.")
    assert not is_heading("We pay for:")
    assert not is_heading("this runs on " * 6)
