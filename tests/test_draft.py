"""The agreed reply: one schema per number of passages, and reading what a model wrote."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from groundedgen.draft import (
    LONGEST_REPLY,
    LONGEST_STATEMENT,
    MOST_STATEMENTS,
    Answered,
    NotFound,
    check_end,
    draft_json_schema,
    parse,
    schema,
)
from groundedgen.errors import (
    DraftFormatError,
    GenerationError,
    InputError,
    RefusedError,
    TruncatedError,
)
from groundedgen.values import CitedText, Reply
from tests.growth import LINEAR, factor

NAMES = ["S1", "S2", "S3"]
ONE = '{"text": "Pipes are covered.", "sources": ["S1"], "quote": "covers burst pipes"}'
GOOD = f'{{"statements": [{ONE}]}}'


def read(raw, finish_reason="stop", refusal=None, names=NAMES):
    return parse(Reply(raw, finish_reason, refusal), names)


def statement(**fields):
    item = {"text": "Pipes.", "sources": ["S1"], "quote": "burst pipes", **fields}
    return read(json.dumps({"statements": [item]}))


def test_the_schema_takes_the_agreed_shape_only():
    model = schema(NAMES)
    good = {"status": "answered", "statements": [json.loads(ONE)]}
    assert good == model.model_validate(good).model_dump()
    for wrong in (
        {**good, "more": 1},
        {"statements": []},
        {"status": "answered"},
        {**good, "status": "perhaps"},
        {**good, "statements": [{**json.loads(ONE), "sources": ["S4"]}]},
        {**good, "statements": [{"text": "a", "sources": ["S1"]}]},
    ):
        with pytest.raises(ValidationError):
            model.model_validate(wrong)


def test_n_passages_have_one_schema_for_ever():
    assert schema(["S1", "S2"]) is schema(("S1", "S2"))
    assert schema(["S1"]) is schema(["S1", "S1"])
    assert schema(["a", "b"]) is schema(["a", "b"])
    with pytest.raises(InputError):
        schema([])


@pytest.mark.parametrize("count", [1, 2, 500])
def test_the_json_schema_is_the_part_all_strict_servers_take(count):
    names = [f"S{n}" for n in range(1, count + 1)]
    whole = draft_json_schema(names)
    text = json.dumps(whole)
    for word in ("title", "$ref", "$defs", "anyOf", "const", "minLength", "minItems", "default"):
        assert f'"{word}"' not in text
    item = whole["properties"]["statements"]["items"]
    assert ["status", "statements"] == list(whole["properties"]) == whole["required"]
    assert ["text", "sources", "quote"] == list(item["properties"]) == item["required"]
    assert whole["additionalProperties"] is item["additionalProperties"] is False
    assert names == item["properties"]["sources"]["items"]["enum"]
    whole["properties"].clear()
    assert draft_json_schema(names)["properties"]


WRAPPED = [
    GOOD,
    f"\ufeff{GOOD}\n",
    f"\u200b{GOOD}\0",
    f"```json\n{GOOD}\n```",
    f"```\n{GOOD}\n```",
    f"~~~~json\n{GOOD}\n~~~~",
    f"```json {GOOD}```",
    f"```json\n{GOOD}",
    f"Here it is:\n```json\n{GOOD}\n```\nI hope that helps.",
    f'<think>First {{"statements": []}}</think>\n{GOOD}',
    f"<thinking>\nso\n</thinking>\n```json\n{GOOD}\n```",
    f"the template kept the opening tag</think>{GOOD}",
    f"<think>a</think> <think>b</think> {GOOD}",
    f"[THINK]a[/THINK]{GOOD}",
    f"◁think▷a◁/think▷{GOOD}",
    f"<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>final<|message|>{GOOD}<|return|>",
    f"{GOOD}</s>",
    f"{GOOD} <|im_end|>\n<|eot_id|>",
    GOOD.replace('"statements"', '"status": "answered", "statements"'),
    GOOD.replace('"statements"', '"status": "Answered", "statements"'),
    GOOD.replace('"statements"', '"status": null, "note": 1e999, "statements"'),
]


@pytest.mark.parametrize("raw", WRAPPED)
def test_wrapping_that_has_one_meaning_is_taken_off(raw):
    assert [("Pipes are covered.", ("S1",), "covers burst pipes")] == [
        (s.text, s.aliases, s.quote) for s in read(raw).statements
    ]


MALFORMED = [
    None,
    "",
    " \n",
    "Paris is the capital of France.",
    "I'm sorry, but I can't assist with that request.",
    GOOD[:-1],
    GOOD[:-2],
    GOOD + GOOD,
    f"{GOOD}\nThat is all.",
    f"Sure: {GOOD}",
    f"```json\n{GOOD}\n```\n```json\n{GOOD}\n```",
    f"<think>never closed {GOOD}",
    f"[{ONE}]",
    f'"{ONE[:5]}"',
    "null",
    "{}",
    "{'statements': []}",
    "{statements: []}",
    GOOD.replace("}]", "},]"),
    '{"thoughts": {"text": "plan"}, "command": {"name": "finish"}}',
    '{"statements": {}}',
    '{"statements": null}',
    '{"status": "answered"}',
    f'{{"statements": [], "statements": [{ONE}]}}',
    '{"status": "answered", "status": "not_found", "statements": []}',
    GOOD.replace('"statements"', '"status": "partial", "statements"'),
    GOOD.replace('"statements"', '"status": "", "statements"'),
    GOOD.replace('"statements"', '"status": true, "statements"'),
    '{"statements": [NaN]}',
    '{"statements": [-Infinity]}',
    f'{{"statements": [{ONE}], "n": {"9" * 5000}}}',
    '{"a":' * 100_000,
    "[" * 1_000_000,
]


@pytest.mark.parametrize("raw", MALFORMED, ids=range(len(MALFORMED)))
def test_what_is_broken_or_has_two_readings_is_refused_whole(raw):
    with pytest.raises(DraftFormatError) as caught:
        read(raw)
    for word in ("Pipes", "Paris", "sorry", "plan"):
        assert word not in str(caught.value)
    assert caught.value.__cause__ is None
    assert len(str(caught.value)) < 200


CUT = "length max_tokens MAX_TOKENS FinishReason.MAX_TOKENS max_output_tokens maxTokens incomplete "
CUT += (
    "model_context_window_exceeded incomplete:max_output_tokens token_limit pause_turn model_length"
)


@pytest.mark.parametrize("word", CUT.split())
@pytest.mark.parametrize("raw", [GOOD, GOOD[:30], "", None])
def test_a_reply_cut_off_is_truncated_whatever_it_looks_like(word, raw):
    with pytest.raises(TruncatedError):
        read(raw, word)


DECLINED = (
    "refusal content_filter SAFETY RECITATION PROHIBITED_CONTENT BLOCKLIST SPII content-filter "
)
DECLINED += "incomplete:content_filter guardrail_intervened ContentFilter"


@pytest.mark.parametrize("word", DECLINED.split())
@pytest.mark.parametrize("raw", [GOOD, "", None])
def test_a_declined_reply_is_refused(word, raw):
    with pytest.raises(RefusedError):
        read(raw, word)


@pytest.mark.parametrize("raw", [None, "", GOOD])
@pytest.mark.parametrize("word", ["stop", "length"])
def test_a_refusal_in_its_own_field_is_a_refusal(raw, word):
    with pytest.raises(RefusedError) as caught:
        read(raw, word, "I can't help with that.")
    assert "help" not in str(caught.value)


@pytest.mark.parametrize(
    "word", ["stop", "STOP", "end_turn", "tool_calls", "tool_use", "eos_token", "stop_sequence", ""]
)
def test_every_other_end_is_an_end(word):
    assert isinstance(read(GOOD, word, "  "), Answered)


@pytest.mark.parametrize(
    ("raw", "total"),
    [
        ('{"statements": []}', 0),
        ('{"status": "answered", "statements": []}', 0),
        ('{"status": "not_found", "statements": []}', 0),
        ('{"status": "not_found"}', 0),
        ('{"status": "not_found", "statements": null}', 0),
        ('{"status": "NOT FOUND", "statements": []}', 0),
        (GOOD.replace('"statements"', '"status": "not_found", "statements"'), 1),
    ],
)
def test_not_found_is_an_outcome_of_its_own(raw, total):
    assert NotFound(total) == read(raw)


DROPPED = [
    ({"sources": ["S9"]}, "sources", "unknown_source", ("S9",)),
    ({"sources": ["S1", "S9"]}, "sources", "unknown_source", ("S9",)),
    ({"sources": []}, "sources", "no_source", ()),
    ({"sources": None}, "sources", "no_source", ()),
    ({"sources": [["S1"], ["S2"]]}, "sources", "bad_type", ()),
    ({"sources": [{"id": "S1"}]}, "sources", "bad_type", ()),
    ({"sources": [True]}, "sources", "bad_type", ()),
    ({"sources": [1.0]}, "sources", "bad_type", ()),
    ({"quote": None}, "draft", "empty_quote", ()),
    ({"quote": " \u200b"}, "draft", "empty_quote", ()),
    ({"quote": ["a"]}, "draft", "bad_type", ()),
    ({"text": 5}, "draft", "bad_type", ()),
    ({"text": None}, "draft", "empty_text", ()),
    ({"text": " [S1][7] "}, "draft", "empty_text", ()),
    ({"text": "(S1)."}, "draft", "empty_text", ()),
    ({"text": "[S1], [S2]."}, "draft", "empty_text", ()),
    ({"text": "...!"}, "draft", "empty_text", ()),
]


@pytest.mark.parametrize(("fields", "check", "reason", "details"), DROPPED)
def test_a_statement_of_the_wrong_shape_is_dropped_with_its_reason(fields, check, reason, details):
    drafted = statement(**fields)
    (found,) = drafted.findings
    assert ((), 1) == (drafted.statements, drafted.total)
    assert (check, reason, 0, details) == (found.check, found.reason, found.index, found.details)


def test_one_bad_statement_does_not_sink_the_others():
    items = [
        ONE,
        "1",
        "null",
        '"x"',
        "[]",
        "{}",
        '{"text": "a", "text": "b"}',
        ONE.replace("S1", "s2"),
    ]
    drafted = read(f'{{"statements": [{", ".join(items)}]}}')
    assert [(0, ("S1",)), (7, ("S2",))] == [(s.index, s.aliases) for s in drafted.statements]
    assert [1, 2, 3, 4, 5, 6] == [found.index for found in drafted.findings]
    assert 8 == drafted.total


def test_missing_fields_are_named_and_more_fields_are_ignored():
    assert (
        "empty_quote"
        == read('{"statements": [{"text": "a", "sources": ["S1"]}]}').findings[0].reason
    )
    assert "no_source" == read('{"statements": [{"text": "a", "quote": "b"}]}').findings[0].reason
    assert () == statement(confidence=0.9).findings


def test_text_and_quote_are_kept_as_drafted():
    """Which markers go is decided beside the passages: some are the source's own."""
    (kept,) = statement(text="Pipes [S1] are covered [7].", quote=" burst [7] pipes ").statements
    assert ("Pipes [S1] are covered [7].", " burst [7] pipes ") == (kept.text, kept.quote)


@pytest.mark.parametrize(
    "text", ["[S1] Pipes.", "Pipes [S1]", "(pipes)", "[10,000] pipes", "管道", "5", "[2019] UKSC 1"]
)
def test_a_text_with_a_word_beside_its_markers_is_a_text(text):
    assert text == statement(text=text).statements[0].text


def test_a_lone_surrogate_and_a_raw_line_break_are_read():
    raw = '{"statements":[{"text":"A \\ud800\nb.","sources":["S1"],"quote":"c d"}]}'
    assert "A \ud800\nb." == read(raw).statements[0].text


_json = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(NAMES),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["status", "statements", "text", "sources", "quote"]), inner
        )
    ),
    max_leaves=12,
)


@given(
    _json.map(json.dumps)
    | st.text()
    | st.sampled_from(WRAPPED).flatmap(lambda raw: st.integers(0, len(raw)).map(lambda n: raw[:n]))
)
def test_parsing_raises_nothing_but_its_own_errors(raw):
    try:
        drafted = read(raw)
    except GenerationError:
        return
    if isinstance(drafted, Answered):
        assert drafted.total == len(drafted.statements) + len(drafted.findings) > 0
        assert all(set(s.aliases) <= set(NAMES) and s.text.strip() for s in drafted.statements)


@given(st.integers(1, len(GOOD) - 1))
def test_brackets_are_never_closed_for_the_model(cut):
    with pytest.raises(DraftFormatError):
        read(GOOD[:cut])


UNITS = [
    " ",
    "\n",
    "</think>",
    "```\n",
    "~~~ ",
    "{",
    '"',
    "\\",
    "<|a|>",
    "</s>",
    '{"a":1,',
    "```",
    "[",
]


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("frame", ['{"a": "%s"', "x%s", "%s{}", "{%s}"])
def test_time_grows_with_the_reply(unit, frame):
    def work(text):
        with pytest.raises(GenerationError):
            read(frame % text)

    assert factor(work, unit, size=20_000) < LINEAR


def _one(text):
    statement = {"text": text, "sources": ["S1"], "quote": "The fee is 12 euros for each loss"}
    return parse(Reply(json.dumps({"status": "answered", "statements": [statement]})), ["S1"])


@pytest.mark.parametrize("hidden", ["\u202e{}\u202c", "\u2066{}\u2069", "\x08{}", "{}\U000e0041"])
def test_what_steers_the_display_is_taken_out_before_the_checks(hidden):
    """ "12" between overrides of direction is shown as "21"."""
    (statement,) = _one(f"The fee is {hidden.format('12')} euros.").statements
    assert "The fee is 12 euros." == statement.text


@pytest.mark.parametrize("struck", ["~~not~~", "<s>not</s>", "n\u0336o\u0336t\u0336"])
def test_words_that_would_be_shown_struck_out_fail_their_statement(struck):
    (finding,) = _one(f"Hail is {struck} covered.").findings
    assert ("draft", "struck_text") == (finding.check, finding.reason)


def test_no_message_repeats_what_a_server_wrote_as_its_reason():
    with pytest.raises(TruncatedError) as caught:
        parse(Reply("{}", finish_reason="length zanzibar"), ["S1"])
    assert "zanzibar" not in str(caught.value)


def test_a_statement_that_its_constraint_cut_off_is_dropped_alone():
    """ "Floods are covered, except" says the opposite of the sentence that it was to be."""
    quote = "Floods are covered, except those of a river."
    texts = ["Floods are covered.", "Floods are covered, except", 7]
    items = [{"text": text, "sources": ["S1"], "quote": quote} for text in texts]
    reply = Reply(json.dumps({"status": "answered", "statements": items}), cut=(1, 2))
    read = parse(reply, ["S1"])
    assert [0] == [s.index for s in read.statements]
    assert [(1, "cut_off", "Floods are covered, except"), (2, "bad_type", "")] == [
        (f.index, f.reason, f.statement) for f in read.findings
    ]


def test_a_statement_that_is_too_long_to_be_one_is_dropped_alone():
    sound = {"text": "The fee is due.", "sources": ["S1"], "quote": "The fee is due at once."}
    long = {**sound, "text": "very " * (LONGEST_STATEMENT // 5) + "due."}
    body = {"status": "answered", "statements": [long, sound]}
    read = parse(Reply(json.dumps(body)), ["S1"])
    assert ([1], ["too_long"]) == (
        [s.index for s in read.statements],
        [f.reason for f in read.findings],
    )
    assert len(read.findings[0].statement) < LONGEST_STATEMENT


def test_a_reply_of_more_statements_than_anybody_reads_is_refused():
    def of(count):
        return parse(Reply(json.dumps({"status": "answered", "statements": [{}] * count})), ["S1"])

    assert MOST_STATEMENTS == of(MOST_STATEMENTS).total
    with pytest.raises(DraftFormatError, match=r"1001 statements.*max_statements"):
        of(MOST_STATEMENTS + 1)


@pytest.mark.parametrize("form", ["raw", "cited"])
def test_a_reply_that_is_longer_than_any_is_refused_with_the_way_out(form):
    text = "a " * (LONGEST_REPLY // 2) + "."
    reply = Reply(text) if form == "raw" else Reply(None, cited=(CitedText(text),))
    with pytest.raises(DraftFormatError, match=r"1000001 code points.*max_tokens"):
        check_end(reply)
    with pytest.raises(TruncatedError):
        check_end(replace(reply, finish_reason="length"))


def test_a_long_thought_before_a_draft_is_none_of_it():
    body = '{"status": "not_found", "statements": []}'
    assert NotFound() == parse(Reply(f"<think>{'so ' * 200_000}</think>{body}"), ["S1"])
