"""What a stream shows is verified, stays, and begins the answer, whatever goes wrong."""

from __future__ import annotations

import asyncio
import json
import threading
from contextlib import aclosing

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundedgen import Passage, Policy, aask, astream
from groundedgen.ask import stream
from groundedgen.effects import Next, Streaming
from groundedgen.errors import (
    DeadlineError,
    DraftFormatError,
    InputError,
    ProviderError,
    RefusedError,
    TruncatedError,
)
from groundedgen.flow import flow
from groundedgen.ports import Reply, SourceCard, Usage, Verdict
from groundedgen.testing import MemoryStore, ScriptedGenerator, ScriptedJudge
from tests.streams import StreamingGenerator, Try, cut
from tests.test_flow import (
    ALSO_GOOD,
    GOOD,
    INVENTED_FIGURE,
    INVENTED_ID,
    INVENTED_QUOTE,
    NEVER_SHOWN,
    PASSAGES,
    POOL,
    QUESTION,
    WHOLE,
)

BUSY = ProviderError("busy", retryable=True)
DOWN = ProviderError("down")
DOWN.wasted = Usage(7, 3)


def written(*statements, status="answered"):
    return json.dumps({"status": status, "statements": list(statements)})


def parts(*statements, status="answered"):
    """The draft in parts that end where a statement does."""
    text, found, at = written(*statements, status=status), [], 0
    for statement in statements:
        end = text.index(json.dumps(statement), at) + len(json.dumps(statement))
        found.append(text[at:end])
        at = end
    return [*found, text[at:]]


async def gathered(model, judge=None, question=QUESTION, passages=PASSAGES, **arguments):
    judge = judge or ScriptedJudge("supported")
    events = astream(question, passages, model=model, judge=judge, **arguments)
    return [event async for event in events]


def run(tries, judge=None, **arguments):
    return asyncio.run(gathered(StreamingGenerator(list(tries)), judge, **arguments))


def types(events):
    return [event.type for event in events]


def shown(events):
    return [event.statement.text for event in events if event.type == "statement"]


def reasons(events):
    return [finding.reason for finding in events[-1].answer.findings]


# --- in order --------------------------------------------------------------------------------


def test_a_statement_is_shown_while_the_model_still_writes():
    async def first():
        model = StreamingGenerator([Try([*parts(GOOD, ALSO_GOOD)[:1], None])])
        judge = ScriptedJudge("supported")
        async with aclosing(astream(QUESTION, PASSAGES, model=model, judge=judge)) as events:
            return [await anext(events), await anext(events)], model

    events, model = asyncio.run(first())
    assert ["passages", "statement"] == types(events)
    assert (GOOD["text"], 1) == (events[1].statement.text, events[1].number)
    assert 1 == model.closed


def test_a_whole_stream_ends_with_the_answer_that_aask_gives():
    events = run([Try(parts(GOOD, INVENTED_QUOTE, ALSO_GOOD, WHOLE))])
    whole = ScriptedGenerator([Reply(written(GOOD, INVENTED_QUOTE, ALSO_GOOD, WHOLE))])
    answer = asyncio.run(aask(QUESTION, PASSAGES, model=whole, judge=ScriptedJudge("supported")))
    assert ["passages", *["statement"] * 3, "done"] == types(events)
    done = events[-1].answer
    assert (answer.status, answer.statements, answer.findings, answer.passages) == (
        done.status,
        done.statements,
        done.findings,
        done.passages,
    )
    assert answer.statements == tuple(event.statement for event in events[1:-1])
    assert [1, 2, 3] == [event.number for event in events[1:-1]]


def test_what_closes_while_a_judge_is_busy_is_judged_in_one_call():
    judge = ScriptedJudge("supported")
    run([Try(cut(written(GOOD, ALSO_GOOD, GOOD)))], judge)
    assert [3] == [len(call) for call in judge.calls]


def test_what_was_judged_is_not_judged_again():
    judge = ScriptedJudge("supported")
    pause = 0.02
    made = parts(GOOD, ALSO_GOOD)
    events = run([Try([made[0], pause, made[1], pause, made[2]])], judge)
    assert [GOOD["text"], ALSO_GOOD["text"]] == [pair.claim for pair in judge.pairs]
    assert 2 == len(judge.calls)
    assert "done" == events[-1].type


def test_strict_shows_nothing_before_the_decision():
    good = run([Try(parts(GOOD, ALSO_GOOD))], policy=Policy.strict())
    assert ["passages", "statement", "statement", "done"] == types(good)
    bad = run([Try(parts(GOOD, ALSO_GOOD, INVENTED_FIGURE))], policy=Policy.strict())
    assert (["passages", "done"], "strict_policy") == (types(bad), bad[-1].answer.reason)


def test_nothing_is_shown_without_the_core():
    events = run([Try(parts(INVENTED_FIGURE, ALSO_GOOD)), Try(parts(GOOD))])
    assert [GOOD["text"], ALSO_GOOD["text"]] == shown(events)
    assert (2, "answered") == (events[-1].answer.attempts, events[-1].answer.status)


def test_a_reply_that_cannot_be_followed_is_checked_at_its_end():
    text = json.dumps({"statements": [GOOD, ALSO_GOOD], "status": "answered"})
    events = run([Try(cut(f"<think>Let me see.</think>{text}", *range(0, 300, 7)))])
    assert ["passages", "statement", "statement", "done"] == types(events)


def test_a_model_that_says_not_found_shows_nothing():
    events = run([Try(parts(GOOD, status="not_found"))])
    assert (["passages", "done"], "model_said_not_found") == (
        types(events),
        events[-1].answer.reason,
    )


@pytest.mark.parametrize("error", [TimeoutError(), ValueError("nonsense")])
def test_a_judge_that_fails_shows_nothing(error):
    events = run([Try(parts(GOOD, ALSO_GOOD))], ScriptedJudge(error))
    assert (["passages", "done"], "judge_unavailable") == (types(events), events[-1].answer.reason)


def test_internal_shows_what_was_not_judged_marked_as_such():
    events = run([Try(parts(GOOD))], ScriptedJudge(TimeoutError()), policy=Policy.internal())
    assert [False] == [e.statement.verified for e in events if e.type == "statement"]


def test_the_words_of_a_quote_that_fails_later_are_named_where_they_were_shown():
    early = {**GOOD, "text": "Frost damage to pipes is covered, and burst ones up to 12,000 euros."}
    made = parts(early, INVENTED_QUOTE)
    held = run([Try(cut(written(early, INVENTED_QUOTE))), Try(parts(GOOD))])
    events = run([Try([made[0], 0.02, *made[1:]])])
    assert [GOOD["text"]] == shown(held)
    assert [early["text"]] == shown(events)
    leaks = [f for f in events[-1].answer.findings if f.check == "leak"]
    assert [("failed_quote_in_text", 0, True)] == [(f.reason, f.index, f.kept) for f in leaks]


def test_a_statement_with_words_of_a_failed_quote_waits_for_the_end():
    """A quote that comes later may hold the same words and stand."""
    words = "the insured must report a loss within 60 days of its discovery"
    failed = {**INVENTED_QUOTE, "quote": words}
    suspect = {**GOOD, "text": f"{GOOD['text']} And must report a loss within 30 days."}
    made = parts(GOOD, failed, suspect, ALSO_GOOD)
    events = run([Try([made[0], 0.02, made[1], made[2], 0.02, *made[3:]])])
    assert "done" == events[-1].type
    assert events[-1].answer.statements == tuple(e.statement for e in events[1:-1])


def test_history_is_no_evidence_while_streaming_either():
    """Support that stands only in an earlier turn is none: the quote is not found."""
    turn = "The limit for jewellery was raised to 99,000 euros for each loss last year."
    only = {"text": "Jewellery is insured up to 99,000 euros.", "sources": ["S1"], "quote": turn}
    judge = ScriptedJudge("supported")
    events = run([Try(parts(GOOD, only))], judge, history=[turn])
    assert [GOOD["text"]] == shown(events)
    assert ["quote_not_found"] == reasons(events)
    whole = ScriptedGenerator([Reply(written(GOOD, only))])
    answer = asyncio.run(
        aask(QUESTION, PASSAGES, model=whole, judge=ScriptedJudge("supported"), history=[turn])
    )
    assert ([GOOD["text"]], ["quote_not_found"]) == (
        [s.text for s in answer.statements],
        [f.reason for f in answer.findings],
    )
    assert not [pair for pair in judge.pairs if turn in pair.premise]


# --- when the provider fails ------------------------------------------------------------------

ENDS = {
    "provider_error": DOWN,
    "truncated": Reply("", finish_reason="length", engine="streamed"),
    "refused": Reply("", finish_reason="content_filter", engine="streamed"),
    "bad_format": Reply("prose", engine="streamed"),
    "deadline": DeadlineError("late"),
}


@pytest.mark.parametrize("reason", ENDS)
def test_what_was_shown_before_the_provider_failed_is_the_answer(reason):
    model = StreamingGenerator([Try([parts(GOOD, ALSO_GOOD, WHOLE)[0], 0.02], ENDS[reason])])
    events = asyncio.run(gathered(model))
    assert ["passages", "statement", "done"] == types(events)
    answer = events[-1].answer
    assert ("answered", 1, "streamed") == (answer.status, answer.attempts, answer.engine)
    assert [events[1].statement] == list(answer.statements)
    assert [("generation", reason)] == [(f.check, f.reason) for f in answer.findings]
    assert (1, 1) == (len(model.requests), model.closed)


def test_how_a_reply_that_broke_off_was_asked_for_is_told():
    error = ProviderError("down")
    error.response_format = "json_schema"
    events = run([Try([parts(GOOD, WHOLE)[0], 0.02], error)])
    assert ([GOOD["text"]], "json_schema") == (shown(events), events[-1].answer.response_format)


def test_a_kept_statement_that_is_said_again_is_shown_once_with_all_its_places():
    stopped = {**ALSO_GOOD, "quote": ALSO_GOOD["quote"] + "."}
    events = run([Try(parts(INVENTED_ID, ALSO_GOOD)), Try(parts(GOOD, stopped))])
    answer = events[-1].answer
    assert [GOOD["text"], ALSO_GOOD["text"]] == shown(events)
    assert list(answer.statements) == [e.statement for e in events if e.type == "statement"]


def test_tokens_of_a_reply_that_broke_off_are_counted():
    events = run([Try([parts(GOOD, WHOLE)[0], 0.02], DOWN)])
    assert Usage(7, 3) == events[-1].answer.usage


@pytest.mark.parametrize(
    ("end", "kind"),
    [
        (DOWN, ProviderError),
        (Reply("", finish_reason="refusal"), RefusedError),
        (DeadlineError("late"), DeadlineError),
    ],
)
def test_a_provider_that_fails_before_anything_was_shown_fails_the_stream(end, kind):
    events = run([Try([written(GOOD)[:30]], end)])
    assert ["passages", "failed"] == types(events)
    assert kind is type(events[-1].error)
    assert "policy#1" == events[-1].closest[0].passage_id


def test_a_draft_cut_off_before_anything_was_shown_is_asked_for_again():
    cut_off = Reply(written(GOOD)[:30], finish_reason="length")
    events = run([Try([written(GOOD)[:30]], cut_off), Try(parts(GOOD))])
    assert ["passages", "statement", "done"] == types(events)
    assert (["truncated"], 2) == (reasons(events), events[-1].answer.attempts)


def test_two_drafts_cut_off_fail():
    cut_off = Reply(written(GOOD)[:30], finish_reason="length")
    events = run([Try([], cut_off), Try([], cut_off)])
    assert (["passages", "failed"], TruncatedError) == (types(events), type(events[-1].error))


def test_a_reply_that_breaks_off_in_passing_is_sent_again_while_nothing_was_shown():
    model = StreamingGenerator([Try(parts(GOOD, ALSO_GOOD)[:2], again=BUSY), Try(parts(WHOLE))])
    events = asyncio.run(gathered(model))
    assert [WHOLE["text"]] == shown(events)
    assert (1, 2) == (len(model.requests), model.begun)
    assert 1 == events[-1].answer.attempts


def test_nothing_is_sent_again_once_something_was_shown():
    tries = [Try([parts(GOOD, ALSO_GOOD)[0], 0.02], again=BUSY), Try(parts(WHOLE))]
    model = StreamingGenerator(tries)
    events = asyncio.run(gathered(model))
    assert ([GOOD["text"]], ["provider_error"]) == (shown(events), reasons(events))
    assert (1, 1) == (model.begun, model.closed)


def test_a_provider_that_hangs_ends_at_the_deadline_with_what_was_shown():
    events = run([Try([parts(GOOD, ALSO_GOOD)[0], None])], timeout=0.2)
    assert ([GOOD["text"]], ["deadline"]) == (shown(events), reasons(events))
    assert "answered" == events[-1].answer.status


def test_a_provider_that_hangs_at_once_fails_at_the_deadline():
    events = run([Try([None])], timeout=0.1)
    assert (["passages", "failed"], DeadlineError) == (types(events), type(events[-1].error))


def test_a_reply_that_is_not_what_was_streamed_adds_nothing_to_what_was_shown():
    other = Reply(written(WHOLE, ALSO_GOOD))
    events = run([Try([parts(GOOD)[0], 0.02], other)])
    assert ([GOOD["text"]], ["bad_format"]) == (shown(events), reasons(events))
    unshown = run([Try([written(GOOD)[:-10]], Reply(written(WHOLE)))])
    assert [WHOLE["text"]] == shown(unshown)


def test_what_was_read_early_is_forgotten_if_the_reply_differs_and_nothing_was_shown():
    """The first statement was judged and refuted; the whole reply does not begin with it."""
    judge = ScriptedJudge({GOOD["text"]: "not_addressed", ALSO_GOOD["text"]: "supported"})
    made = Try([parts(GOOD)[0], 0.02], Reply(written(ALSO_GOOD)))
    events = run([made], judge, mode="optimistic")
    assert ([ALSO_GOOD["text"]], ()) == (shown(events), events[-1].answer.findings)
    assert [("unverified", 1), ("withdrawn", 1)] == [(e.type, e.claim) for e in events if e.claim]


def test_what_closes_but_is_no_json_stops_the_early_reading():
    text = written(GOOD)[:-2] + ", {'text': 1}, " + json.dumps(ALSO_GOOD) + "]}"
    events = run([Try(cut(text)), Try(parts(WHOLE))])
    assert ([GOOD["text"]], ["bad_format"]) == (shown(events), reasons(events))


def test_a_driver_that_sends_something_else_is_told_so():
    steps = flow(QUESTION, PASSAGES)
    next(steps)
    assert isinstance(steps.send(Streaming("mine")), Next)
    with pytest.raises(TypeError, match="Reply"):
        steps.send(["nonsense"])


@pytest.mark.parametrize("reply", [None, "a string", KeyError("a bug")])
def test_a_fault_in_a_generator_ends_the_stream_and_is_not_hidden(reply):
    reply = Reply if reply == "a string" else reply
    events = run([Try([written(GOOD)[:30]], reply)])
    assert ["passages", "failed"] == types(events)
    assert isinstance(events[-1].error, InputError | KeyError)


# --- who may see it, who asks, who leaves -----------------------------------------------------


def test_a_passage_the_reader_may_not_open_is_never_sent_or_shown():
    store = MemoryStore([SourceCard(p.id) for p in PASSAGES], allowed={"ann": ["policy#1"]})
    model = StreamingGenerator([Try(parts(GOOD))])
    events = asyncio.run(gathered(model, store=store, reader="ann"))
    assert ["policy#1"] == [passage.id for passage in events[0].passages]
    assert [PASSAGES[0].text] == list(model.requests[0].docs.values())
    closed = asyncio.run(gathered(StreamingGenerator([]), store=store, reader="bob"))
    assert (["passages", "done"], ()) == (types(closed), closed[0].passages)
    assert "reader_may_not_open" == closed[1].answer.reason


@pytest.mark.parametrize(
    "arguments",
    [
        {"question": " "},
        {"mode": "fast"},
        {"reader": "ann"},
        {"timeout": 0},
        {"passages": [Passage("a", "One."), Passage("a", "Two.")]},
        {"passages": "text"},
    ],
)
def test_a_bad_argument_is_raised_before_the_first_event(arguments):
    with pytest.raises(InputError):
        run([Try(parts(GOOD))], **arguments)
    with pytest.raises(InputError):
        next(stream(**{"question": QUESTION, "passages": PASSAGES} | arguments))


def test_no_passage_with_text_calls_no_model():
    events = run([], passages=[Passage("a", " ")])
    assert (["passages", "done"], "no_passages") == (types(events), events[-1].answer.reason)


def test_whoever_leaves_closes_the_connection_and_no_judge_is_asked():
    async def leave():
        model = StreamingGenerator([Try([written(GOOD)[:40], None])])
        judge = ScriptedJudge("supported")
        async with aclosing(astream(QUESTION, PASSAGES, model=model, judge=judge)) as events:
            await anext(events)
            await asyncio.sleep(0.02)
            assert (1, 0) == (model.begun, model.closed)
        closed = model.closed
        await asyncio.sleep(0.02)
        return closed, judge.calls, len(asyncio.all_tasks())

    assert (1, [], 1) == asyncio.run(leave())


def test_a_cancelled_reader_closes_the_connection():
    async def cancelled():
        model = StreamingGenerator([Try([written(GOOD)[:40], None])])
        task = asyncio.create_task(gathered(model))
        await asyncio.sleep(0.05)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return model.closed, len(asyncio.all_tasks())

    assert (1, 1) == asyncio.run(cancelled())


def test_the_synchronous_stream_gives_the_same_events():
    made = [Try(parts(GOOD, INVENTED_ID, ALSO_GOOD))]
    model, judge = StreamingGenerator(list(made)), ScriptedJudge("supported")
    events = list(stream(QUESTION, PASSAGES, model=model, judge=judge))
    assert types(run(made)) == types(events)
    assert run(made)[-1].answer.statements == events[-1].answer.statements


def test_leaving_the_synchronous_stream_ends_its_thread():
    model = StreamingGenerator([Try([written(GOOD)[:40], None])])
    events = stream(QUESTION, PASSAGES, model=model, judge=ScriptedJudge("supported"))
    assert "passages" == next(events).type
    events.close()
    assert 1 == model.closed or 0 == model.begun
    assert not [t for t in threading.enumerate() if t.name == "groundedgen-stream"]


def test_the_recorder_is_told_before_done():
    class Recorder:
        names: list = []  # noqa: RUF012

        def record(self, event):
            self.names.append(event.name)

    events = run([Try(parts(GOOD))], recorder=Recorder())
    assert [event.name for event in events[-1].answer.trace] == Recorder.names


def test_a_recorder_that_fails_loses_no_answer():
    class Recorder:
        def record(self, event):
            raise KeyError("a bug")

    events = run([Try(parts(GOOD))], recorder=Recorder())
    assert ["passages", "statement", "done"] == types(events)


def test_no_word_of_a_statement_is_in_the_repr_of_an_event():
    events = run([Try(parts(GOOD, ALSO_GOOD))], mode="optimistic")
    assert "insured" not in repr(events)


# --- optimistic -------------------------------------------------------------------------------


def test_optimistic_shows_a_statement_at_once_and_settles_each():
    events = run([Try(parts(GOOD, INVENTED_FIGURE, ALSO_GOOD))], mode="optimistic")
    told = [(e.type, e.claim) for e in events if e.claim]
    assert {("unverified", 1), ("verified", 1), ("withdrawn", 2), ("verified", 3)} <= set(told)
    assert GOOD["text"] == next(e.text for e in events if e.type == "unverified")
    assert [GOOD["text"], ALSO_GOOD["text"]] == shown(events)


def test_optimistic_withdraws_what_a_retry_makes_void():
    tries = [Try([parts(GOOD)[0], 0.02], again=BUSY), Try(parts(WHOLE))]
    events = run(tries, ScriptedJudge({GOOD["text"]: "not_addressed"}), mode="optimistic")
    assert [("unverified", 1), ("withdrawn", 1), ("unverified", 2), ("verified", 2)] == [
        (e.type, e.claim) for e in events if e.claim
    ]


# --- every fault, every cut ---------------------------------------------------------------------

FAULTS = {
    "none": {},
    "down": {"reply": DOWN},
    "busy": {"again": BUSY},
    "late": {"reply": DeadlineError("late")},
    "cut off": {"reply": Reply(written(GOOD), finish_reason="length")},
    "refused": {"reply": Reply(None, refusal="No.")},
    "prose": {"reply": Reply("I would rather not say.")},
    "format": {"reply": DraftFormatError("x")},
    "other": {"reply": Reply(written(ALSO_GOOD, GOOD))},
}
labels = st.sampled_from(["supported"] * 4 + ["partial", "contradicted", "not_judged", "error"])
places = st.lists(st.integers(0, 10_000), max_size=8)
tries = st.tuples(
    st.lists(st.sampled_from(POOL), max_size=5),
    places,
    st.sampled_from(["answered"] * 5 + ["not_found"]),
    st.integers(0, 9),
    st.sampled_from(["none"] * 6 + list(FAULTS)),
    st.booleans(),
)


def made(one):
    pool, cuts, status, keep, fault, pause = one
    pieces = cut(written(*pool, status=status), *cuts)
    if fault != "none":
        pieces = pieces[: keep * len(pieces) // 9]
    if pause:
        pieces = [part for piece in pieces for part in (piece, 0)]
    return Try(pieces, **FAULTS[fault])


class Judge:
    """Labels by schedule, remembers which; an error takes the whole call."""

    def __init__(self, schedule):
        self.schedule, self.count, self.supported = schedule, 0, set()

    async def ajudge(self, pairs):
        await asyncio.sleep(0)
        verdicts = []
        for pair in pairs:
            label = self.schedule[self.count % len(self.schedule)]
            self.count += 1
            if label == "error":
                raise ValueError("nonsense")
            verdicts.append((pair, label))
        self.supported |= {pair.claim for pair, label in verdicts if label == "supported"}
        return [Verdict(label) for _, label in verdicts]


@settings(max_examples=200)
@given(
    st.lists(tries, min_size=6, max_size=6),
    st.lists(labels, min_size=1, max_size=9),
    st.sampled_from([Policy(), Policy(), Policy.strict(), Policy.internal()]),
    st.sampled_from(["verified", "optimistic"]),
)
def test_nothing_unverified_is_shown_and_nothing_shown_is_taken_back(
    script, schedule, policy, mode
):
    judge = Judge(schedule)
    model = StreamingGenerator([made(one) for one in script] + [Try([], DOWN)] * 4)
    events = asyncio.run(gathered(model, judge, policy=policy, mode=mode))
    assert "passages" == events[0].type
    assert 1 == sum(event.type in {"done", "failed"} for event in events)
    told = [event for event in events if event.type == "statement"]
    assert list(range(1, len(told) + 1)) == [event.number for event in told]
    for event in told:
        _assert_stands(event.statement, judge, policy)
    if events[-1].type == "done":
        assert events[-1].answer.statements == tuple(event.statement for event in told)
        assert events[-1].answer.attempts == len(model.requests) <= 2
    else:
        assert (events[-1].type, []) == ("failed", told)
    _assert_settled(events, mode)


def _assert_stands(statement, judge, policy):
    texts = {passage.id: passage.text for passage in PASSAGES}
    assert statement.text not in NEVER_SHOWN
    assert statement.citations
    for citation in statement.citations:
        assert citation.quote == texts[citation.passage_id][citation.start : citation.end]
    if statement.verified:
        assert statement.text in judge.supported or statement.text == WHOLE["text"]
    else:
        assert policy.show_unverified


def _assert_settled(events, mode):
    claims = [(event.type, event.claim) for event in events if event.claim]
    if mode == "verified":
        assert [] == claims
    opened = [claim for kind, claim in claims if kind == "unverified"]
    closed = [claim for kind, claim in claims if kind != "unverified"]
    assert sorted(opened) == sorted(closed) == sorted(set(opened))
    for claim in opened:
        assert claims.index(("unverified", claim)) == min(
            place for place, (_, number) in enumerate(claims) if number == claim
        )
    texts = {event.claim: event.text for event in events if event.type == "unverified"}
    for event in (event for event in events if event.type == "verified"):
        assert texts[event.claim] == event.statement.text


@settings(max_examples=80)
@given(
    st.lists(st.sampled_from(POOL), max_size=5),
    places,
    st.lists(st.sampled_from(["supported", "supported", "partial"]), min_size=3, max_size=3),
    st.sampled_from([Policy(), Policy.strict()]),
)
def test_a_stream_without_faults_comes_to_the_same_answer(pool, cuts, schedule, policy):
    """Verdicts belong to claims here, so that it does not matter in how many calls they come."""
    texts = sorted({statement["text"] for statement in POOL})
    verdicts = {text: schedule[n % 3] for n, text in enumerate(texts)}
    script = [written(*pool), written(GOOD)]
    model = StreamingGenerator([Try(cut(text, *cuts)) for text in script])
    events = asyncio.run(gathered(model, ScriptedJudge(verdicts), policy=policy))
    whole = ScriptedGenerator([Reply(text) for text in script])
    answer = asyncio.run(
        aask(QUESTION, PASSAGES, model=whole, judge=ScriptedJudge(verdicts), policy=policy)
    )
    done = events[-1].answer
    leaks = [f for f in done.findings if f.check == "leak" and f.kept]
    if not leaks:
        assert (answer.status, answer.statements, answer.findings, answer.attempts) == (
            done.status,
            done.statements,
            done.findings,
            done.attempts,
        )
