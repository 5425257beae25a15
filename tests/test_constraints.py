"""What each constraint promises, and that breaking it is seen, in every way and nowhere else."""

from __future__ import annotations

import asyncio
import json

import pytest

from groundedgen import Passage, Policy, ask, astream
from groundedgen.constraints import broken
from groundedgen.errors import DraftFormatError, ProviderError, TruncatedError
from groundedgen.generators.constrained.copied import has_digit
from groundedgen.testing import ScriptedGenerator, ScriptedJudge
from groundedgen.trace import disagreements
from groundedgen.values import CitedSpan, Finding, Reply, Sourced

PASSAGES = [
    Passage("a", "Pipe damage is covered up to 12,000 euros per claim. Report it in 14 days."),
    Passage("b", "Floods are not covered by this policy at all. War is not covered either."),
]
QUOTE = "Pipe damage is covered up to 12,000 euros per claim."
GOOD = {"text": "Pipes are covered up to 12,000 euros.", "sources": ["S1"], "quote": QUOTE}


def run(*statements, constraint="grammar", policy=None, **fields):
    """One draft under a constraint, and the events that say it was broken."""
    body = {"status": "answered", "statements": [{**GOOD, **s} for s in statements]}
    reply = Reply(json.dumps(body), constraint=constraint, **fields)
    answer = ask(
        "Are pipes covered?",
        PASSAGES,
        model=ScriptedGenerator([reply]),
        judge=ScriptedJudge("supported"),
        policy=policy or Policy(regenerate=False),
    )
    return answer, [event for event in answer.trace if event.name == "constraint_broken"]


PLAIN = {"text": "Pipes are covered."}
BROKEN = {
    "sources.unknown_source": {"sources": ["S9"]},
    "sources.bad_type": {"sources": {"S1": 1}},
    "draft.bad_type": {"text": 3},
    "sources.no_source": {"sources": []},
    "draft.empty_quote": {"quote": " "},
    "quotes.quote_not_found": {
        **PLAIN,
        "quote": "Pipe damage is covered without any limit at all.",
    },
    "quotes.quote_too_short": {**PLAIN, "quote": "Pipe damage"},
    "quotes.misattributed": {**PLAIN, "quote": "Floods are not covered by this policy at all."},
    "numbers.digits": {"text": "Report it in 14 days."},
}
PROMISED = {
    "none": (),
    "enum": ("sources.unknown_source", "sources.bad_type", "draft.bad_type"),
    "schema": tuple(BROKEN)[:-1],
    "grammar": tuple(BROKEN),
}


@pytest.mark.parametrize("constraint", PROMISED)
@pytest.mark.parametrize("name", BROKEN)
def test_what_a_constraint_promises_is_counted_where_it_is_broken(name, constraint):
    answer, events = run({}, BROKEN[name], constraint=constraint)
    if name not in PROMISED[constraint]:
        assert (0, []) == (disagreements(answer), events)
        return
    (event,) = events
    assert event.data == {"constraint": constraint, "times": 1, "broken": {name: 1}}
    assert (1, 1) == (event.attempt, disagreements(answer))


@pytest.mark.parametrize(
    "statement",
    [
        {},
        {"text": "Pipes are covered up to 12,000 dollars."},  # another unit
        {"text": "Pipes are covered up to thirty euros."},  # a number in words
        {"text": "Pipes are covered, see https://a.example/x."},
        {"text": "..."},
        {"text": "Pipes are never covered."},
    ],
)
def test_what_no_grammar_promises_is_not_counted(statement):
    answer, events = run({}, statement)
    assert (0, []) == (disagreements(answer), events)


def test_more_statements_than_asked_for_and_refuted_ones_are_not_counted():
    answer, _ = run({}, {}, policy=Policy(max_statements=1, regenerate=False))
    assert ["too_many"] == [finding.reason for finding in answer.findings]
    assert 0 == disagreements(answer)


def test_a_figure_that_stands_elsewhere_in_the_passage_is_counted_though_the_gate_passes_it():
    answer, events = run({}, {"text": "Pipe damage is to be reported in 14 days."})
    assert 2 == len(answer.statements)
    assert {"numbers.digits": 1} == events[0].data["broken"]


@pytest.mark.parametrize("raw", ["prose", "", None, '{"status": "maybe"}', "[1]"])
def test_a_reply_that_is_no_draft_breaks_every_constraint_and_no_other(raw):
    def asked(constraint, **fields):
        model = ScriptedGenerator([Reply(raw, constraint=constraint, **fields)])
        with pytest.raises((DraftFormatError, TruncatedError)) as caught:
            ask("?", PASSAGES, model=model, policy=Policy(regenerate=False))
        return disagreements(caught.value)

    assert [0, 1, 1, 1] == [asked(c) for c in ("none", "enum", "schema", "grammar")]
    assert 0 == asked("grammar", finish_reason="length")


def test_an_error_in_place_of_a_reply_breaks_nothing():
    with pytest.raises(ProviderError) as caught:
        ask("?", PASSAGES, model=ScriptedGenerator([ProviderError("down")]))
    assert 0 == disagreements(caught.value)


def test_both_drafts_count_and_recorders_are_told():
    class Recorder:
        def __init__(self):
            self.told = []

        def record(self, event):
            self.told.append(event.name)

    bad = {"status": "answered", "statements": [{**GOOD, "sources": ["S9"]}]}
    replies = [
        Reply("prose", constraint="grammar"),
        Reply(json.dumps(bad), constraint="schema"),
    ]
    recorder = Recorder()
    answer = ask("?", PASSAGES, model=ScriptedGenerator(replies), recorder=recorder)
    assert 2 == disagreements(answer)
    assert 2 == recorder.told.count("constraint_broken")


def test_places_lend_their_digits_too():
    spans = tuple(CitedSpan("S1", 0, 9, quote) for quote in ("In 14 days.", "Up to 12,000."))
    statement = Sourced(0, "12,000 in 14 days.", ("S1",), "In 14 days.", spans)
    assert {} == broken("grammar", [statement], [])


@pytest.mark.parametrize("text", ["½", "²", "٣", "①", "3", "十"])
def test_digits_are_those_that_the_grammar_binds(text):
    counted = broken("grammar", [Sourced(0, text, ("S1",), "None here.")], [])
    assert has_digit(text) is bool(counted)


def test_a_constraint_that_is_none_of_the_four_promises_nothing():
    finding = Finding("sources", "unknown_source", 0, "")
    assert {} == broken("whatever", [], [finding])


def test_no_text_is_in_the_event():
    _, events = run({}, {"sources": ["a secret name"]})
    assert "secret" not in repr(events)


REPORT = {"text": "Report it in 14 days.", "sources": ["S1"], "quote": "Report it in 14 days."}
LOST = {**GOOD, "quote": "Pipe damage is covered without any limit at all."}


def drafts(*made):
    """Replies of one statement list each, with the constraint that bound it."""
    return [
        Reply(json.dumps({"status": "answered", "statements": said}), constraint=constraint)
        for constraint, said in made
    ]


@pytest.mark.parametrize(
    ("first", "second", "shown"),
    [("none", "grammar", "none"), ("grammar", "enum", "enum"), ("schema", "schema", "schema")],
)
def test_an_answer_out_of_two_drafts_claims_the_weaker_constraint(first, second, shown):
    model = ScriptedGenerator(drafts((first, [LOST, REPORT]), (second, [GOOD])))
    answer = ask("Are pipes covered?", PASSAGES, model=model, judge=ScriptedJudge("supported"))
    assert [GOOD["text"], REPORT["text"]] == [s.text for s in answer.statements]
    assert shown == answer.constraint


def test_a_first_draft_of_which_nothing_is_shown_does_not_count():
    model = ScriptedGenerator(drafts(("none", [LOST]), ("grammar", [GOOD])))
    answer = ask("Are pipes covered?", PASSAGES, model=model, judge=ScriptedJudge("supported"))
    assert "grammar" == answer.constraint


class BreaksOff:
    """A first draft under a grammar that fails; a second that streams one statement and breaks."""

    name = "breaks-off"

    async def agenerate(self, _request):
        raise AssertionError("it streams")

    async def astream(self, request):
        [reply] = drafts(("grammar", [LOST] if request.attempt == 1 else [GOOD, REPORT]))
        if request.attempt == 1:
            yield reply.raw
            yield reply
            return
        yield reply.raw[: reply.raw.index("},") + 20]
        await asyncio.sleep(0.05)
        yield ProviderError("it is gone")


async def _last(events):
    return [event async for event in events][-1]


def test_a_stream_that_breaks_off_claims_nothing_of_the_draft_before():
    stream = astream("?", PASSAGES, model=BreaksOff(), judge=ScriptedJudge("supported"))
    answer = asyncio.run(_last(stream)).answer
    assert [GOOD["text"]] == [s.text for s in answer.statements]
    assert ("none", "text") == (answer.constraint, answer.response_format)
