from __future__ import annotations

import json
import math
import uuid
from dataclasses import replace
from datetime import UTC, datetime
from types import MappingProxyType, SimpleNamespace
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundedgen.errors import InputError
from groundedgen.values import (
    Answer,
    CheckName,
    Citation,
    Closest,
    Constraint,
    Entailment,
    Finding,
    Label,
    Match,
    Passage,
    Reason,
    Statement,
    Status,
    TraceEvent,
    Usage,
)

# All code points, lone surrogates and NUL among them.
text = st.text(st.characters(), max_size=12)
name = text.filter(lambda value: bool(value.strip()))
number = st.integers(0, 10**6)
finite = st.floats(allow_nan=False)
plain = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | text,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=5,
)
mapping = st.dictionaries(st.text(max_size=5), plain, max_size=3)


def one_of(literal):
    return st.sampled_from(get_args(literal))


citations = st.builds(
    Citation,
    passage_id=name, quote=text, start=number, end=number, match=one_of(Match),
    context_start=number, context_end=number, astral_before=number,
)  # fmt: skip
entailments = st.builds(
    Entailment,
    label=one_of(Label), how=st.sampled_from(["whole_sentence", "judge", "unverified"]),
    score=st.none() | finite, why=text,
)  # fmt: skip
statements = st.builds(
    Statement,
    text=text, citations=st.lists(citations, max_size=2).map(tuple), entailment=entailments,
)  # fmt: skip
findings = st.builds(
    Finding,
    check=one_of(CheckName), reason=text, index=st.integers(-1, 9), message=text, attempt=number,
    statement=text, details=st.lists(text, max_size=2).map(tuple), passage_id=st.none() | text,
    nearest=text, kept=st.booleans(),
)  # fmt: skip
passages = st.builds(
    Passage,
    id=name, text=text, title=st.none() | text, url=st.none() | text, page=st.none() | number,
    bboxes=st.lists(st.lists(number, max_size=4), max_size=2), start=st.none() | number,
    lang=st.sampled_from([None, "", "en", "de-CH", "zh_Hant", "xyz"]),
    date=st.none() | text, score=st.none() | finite, metadata=mapping,
)  # fmt: skip
closest = st.builds(Closest, passage_id=name, quote=text, start=number, end=number, score=finite)
usages = st.builds(Usage, number, number, number)
outcomes = st.sampled_from(
    [
        ("answered", "answered"),
        *(("not_found", reason) for reason in
          ("model_said_not_found", "nothing_survived", "core_lost", "no_passages")),
        *(("withheld", reason) for reason in
          ("strict_policy", "judge_unavailable", "reader_may_not_open")),
    ]
)  # fmt: skip
answers = st.builds(
    lambda outcome, **rest: Answer(*outcome, **rest),
    outcome=outcomes, question=text,
    statements=st.lists(statements, max_size=2).map(tuple),
    findings=st.lists(findings, max_size=2).map(tuple),
    closest=st.lists(closest, max_size=2).map(tuple),
    passages=st.lists(passages, max_size=2).map(tuple),
    usage=usages, attempts=number, engine=text, judge=text, constraint=one_of(Constraint),
    trace=st.lists(st.builds(TraceEvent, name, number, mapping), max_size=2).map(tuple),
    versions=st.dictionaries(st.text(max_size=5), text, max_size=2),
)  # fmt: skip

ANSWER = Answer(
    "answered",
    "answered",
    "Is a burst pipe covered?",
    (
        Statement(
            "Burst pipes are covered.",
            (Citation("a", "burst pipe", 20, 30, "folded", 0, 42, 1),),
            Entailment("supported", "judge", 0.5, "It says so."),
        ),
    ),
    passages=(Passage("a", "Water damage 😀 from burst pipe is covered.", bboxes=((1, 2.5),)),),
)


@pytest.mark.parametrize("status", get_args(Status))
@pytest.mark.parametrize("reason", get_args(Reason))
def test_a_reason_of_another_status_is_refused(status, reason):
    stored = replace(ANSWER, status=status, reason=reason).model_dump_json()
    if outcome_of(reason) == status:
        assert status == Answer.model_validate_json(stored).status
    else:
        with pytest.raises(InputError, match=f"'{reason}' belongs to the status"):
            Answer.model_validate_json(stored)


def outcome_of(reason):
    if reason == "answered":
        return "answered"
    withheld = {"strict_policy", "judge_unavailable", "reader_may_not_open"}
    return "withheld" if reason in withheld else "not_found"


def test_only_a_verdict_that_was_given_makes_a_statement_verified():
    decided = {
        (label, how)
        for label in get_args(Label)
        for how in ("whole_sentence", "judge", "unverified")
        if replace(ANSWER.statements[0], entailment=Entailment(label, how)).verified
    }
    assert {("supported", "whole_sentence"), ("supported", "judge")} == decided


@given(answers)
def test_an_answer_comes_back_equal_from_json(answer):
    """Also with lone surrogates, which plain UTF-8 could not carry."""
    written = answer.model_dump_json()
    assert answer == Answer.model_validate_json(written)
    assert answer == Answer.model_validate_json(written.encode("ascii"))
    assert answer == Answer.model_validate(answer.model_dump())


@given(answers)
def test_json_is_standard_json_in_ascii(answer):
    def refuse(constant):
        raise AssertionError(constant)

    written = answer.model_dump_json(indent=1)
    assert written.isascii()
    json.loads(written, parse_constant=refuse)


@pytest.mark.parametrize(
    "odd", ["\ud83d", "\ude00\ud83d", "a\ud83d\ude00b\ud83d\ude00", "😀\0\r\u2028"]
)
def test_no_two_strings_become_one(odd):
    answer = replace(ANSWER, question=odd, passages=(Passage("a", odd, metadata={"k": odd}),))
    back = Answer.model_validate_json(answer.model_dump_json())
    assert odd == back.question == back.passages[0].text == back.passages[0].metadata["k"]


@pytest.mark.parametrize("score", [math.inf, -math.inf, math.nan])
def test_numbers_that_are_not_finite_come_back(score):
    answer = replace(ANSWER, closest=(Closest("a", "x", 0, 1, score),))
    back = Answer.model_validate_json(answer.model_dump_json()).closest[0].score
    assert back == score or (math.isnan(back) and math.isnan(score))


class Odd:
    pass


class Listed:
    def tolist(self):
        return [1.5, math.inf]


def test_metadata_of_other_types_is_written_and_never_an_error():
    metadata = {
        "when": datetime(2024, 5, 1, tzinfo=UTC),
        "uuid": uuid.UUID(int=1),
        "pair": (1, 2),
        "bytes": b"\xff",
        "array": Listed(),
        "odd": Odd(),
        7: "a number as key",
        "view": MappingProxyType({"k": SimpleNamespace()}),
    }
    answer = replace(ANSWER, passages=(Passage("a", "x", metadata=metadata),))
    back = Answer.model_validate_json(answer.model_dump_json()).passages[0].metadata
    assert ("2024-05-01T00:00:00Z", str(uuid.UUID(int=1))) == (back["when"], back["uuid"])
    assert ([1, 2], [1.5, "Infinity"]) == (back["pair"], back["array"])
    assert "a number as key" == back["7"]
    assert isinstance(back["odd"], str)
    assert (
        back
        == Answer.model_validate_json(
            Answer.model_validate_json(answer.model_dump_json()).model_dump_json()
        )
        .passages[0]
        .metadata
    )


def test_metadata_that_holds_itself_is_a_clear_error():
    metadata = {}
    metadata["self"] = metadata
    with pytest.raises(InputError, match="nests too deep"):
        replace(ANSWER, passages=(Passage("a", "x", metadata=metadata),)).model_dump()


def changed(*path, to):
    plain_answer = ANSWER.model_dump()
    node = plain_answer
    for step in path[:-1]:
        node = node[step]
    node[path[-1]] = to
    return plain_answer


@pytest.mark.parametrize(
    ("data", "place"),
    [
        ([], "answer must be an object"),
        (None, "answer must be an object"),
        ({}, "answer: no field 'status'"),
        (changed("extra", to=1), "answer: unknown field 'extra'"),
        (changed("status", to="ANSWERED"), "answer.status must be one of"),
        (changed("attempts", to=True), "answer.attempts must be a whole number, got bool"),
        (changed("attempts", to=1.0), "answer.attempts must be a whole number, got float"),
        (changed("question", to=None), "answer.question must be a string, got NoneType"),
        (changed("statements", to={}), "answer.statements must be a list"),
        (changed("statements", 0, "citations", 0, "start", to="1"), "citations[0].start"),
        (changed("statements", 0, "citations", 0, "match", to=[]), "citations[0].match"),
        (changed("statements", 0, "entailment", "score", to="high"), "entailment.score"),
        (changed("passages", 0, "id", to=" "), "a passage's id"),
        (changed("passages", 0, "metadata", to=[]), "passages[0].metadata must be an object"),
        (changed("versions", to={"prompt": 1}), "answer.versions.prompt must be a string"),
        (changed("findings", to=[1]), "answer.findings[0] must be an object, got int"),
    ],
)
def test_what_is_no_answer_names_the_place(data, place):
    with pytest.raises(InputError) as caught:
        Answer.model_validate(data)
    assert place in str(caught.value)


@pytest.mark.parametrize("data", ["", "{", "NaN}", b"\xff\xfe\xff", "[" * 100_000, "1" * 5_000, 7])
def test_what_is_no_json_is_a_clear_error(data):
    with pytest.raises(InputError) as caught:
        Answer.model_validate_json(data)
    assert "answer" in str(caught.value)


def test_fields_added_since_may_be_missing():
    plain_answer = ANSWER.model_dump()
    del plain_answer["versions"], plain_answer["constraint"]
    assert ANSWER == Answer.model_validate(plain_answer)


def test_what_is_not_understood_is_not_dropped():
    with pytest.raises(InputError, match="unknown field 'signature'"):
        Answer.model_validate(changed("statements", 0, "signature", to="x"))


def test_no_error_holds_words_of_a_passage():
    told = "the words of a passage"
    for path in [("passages", 0, "page"), ("statements", 0, "citations", 0, "end"), ("usage",)]:
        with pytest.raises(InputError) as caught:
            Answer.model_validate(changed(*path, to=told))
        assert told not in str(caught.value)


def test_repr_holds_no_text():
    assert "burst" not in repr(ANSWER)


def test_citation_offsets_in_utf16():
    citation = ANSWER.statements[0].citations[0]
    source = ANSWER.passages[0].text
    encoded = source.encode("utf-16-le")
    start, end = citation.utf16()
    assert citation.quote == source[citation.start : citation.end]
    assert citation.quote == encoded[2 * start : 2 * end].decode("utf-16-le")


def test_only_supported_counts_as_verified():
    for label in get_args(Label):
        statement = Statement("x", (), Entailment(label, "judge"))
        assert statement.verified == (label == "supported")


def test_usage_adds_up():
    assert Usage(3, 5, 7) == Usage(1, 2, 3) + Usage(2, 3, 4)


def test_a_dump_is_plain():
    def walk(value):
        assert isinstance(value, dict | list | str | int | float | bool | None)
        if isinstance(value, dict | list):
            for item in value.values() if isinstance(value, dict) else value:
                walk(item)

    walk(ANSWER.model_dump())
