"""The drivers, with scripted parts: they decide nothing, lose nothing and hide nothing."""

from __future__ import annotations

import asyncio
import threading

import pytest

from groundedgen import Passage, Policy, aask, ask, astream
from groundedgen.errors import InputError, ProviderError, RefusedError
from groundedgen.ports import Reply, SourceCard
from groundedgen.streaming import stream
from groundedgen.testing import MemoryStore, ScriptedGenerator, ScriptedJudge

PASSAGES = [
    Passage("policy#1", "Water damage from a burst pipe is covered up to 12,000 euros per claim."),
    Passage("policy#2", "Flood damage is not covered. The deductible is 500 euros for each loss."),
]
GOOD = {
    "text": "A burst pipe's water damage is insured up to 12,000 euros.",
    "sources": ["S1"],
    "quote": "Water damage from a burst pipe is covered up to 12,000 euros",
}
DRAFT = {"status": "answered", "statements": [GOOD]}
QUESTION = "Is a burst pipe covered?"


def parts(replies=(DRAFT,), verdicts=None):
    return {
        "model": ScriptedGenerator(list(replies)),
        "judge": ScriptedJudge(verdicts or (lambda pair: "supported")),
    }


def both(question, passages, **arguments):
    """The same call through both drivers; they must agree in every field."""
    make = arguments.pop("parts", parts)
    one = ask(question, passages, **make(), **arguments)
    other = asyncio.run(aask(question, passages, **make(), **arguments))
    assert one == other
    return one


def test_sync_and_async_return_the_same_answer():
    answer = both(QUESTION, PASSAGES)
    assert ("answered", [GOOD["text"]]) == (answer.status, [s.text for s in answer.statements])


def test_the_answer_names_who_wrote_and_who_judged_it():
    answer = ask(QUESTION, PASSAGES, **parts())
    assert ("scripted", "scripted") == (answer.engine, answer.judge)


@pytest.mark.parametrize("reply", ["text", None, {"status": "answered"}])
def test_a_generator_that_returns_no_reply_is_told_what_to_return(reply):
    class Wrong:
        def generate(self, request):
            return reply

    with pytest.raises(InputError, match=r"Reply\(raw="):
        ask(QUESTION, PASSAGES, model=Wrong())
    with pytest.raises(InputError, match=r"Reply\(raw="):
        asyncio.run(aask(QUESTION, PASSAGES, model=Wrong()))


def test_the_embedded_default_answers_without_any_part_of_ours_being_named():
    answer = ask("What is the deductible for each loss?", PASSAGES)
    assert "answered" == answer.status
    assert "extractive" == answer.engine
    assert "500 euros" in answer.statements[0].text


@pytest.mark.parametrize("question", ["", "   ", "\n\t", "\u2003"])
def test_a_blank_question_is_an_error(question):
    with pytest.raises(InputError, match="blank"):
        ask(question, PASSAGES)


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        ({"question": 3}, "string"),
        ({"passages": "one text"}, "list"),
        ({"passages": {"id": "a", "text": "b"}}, "list"),
        ({"passages": 5}, "sequence"),
        ({"passages": [{"id": "a"}]}, "text"),
        ({"model": "no-such-model"}, "no-such-model.*extractive"),
        ({"model": object()}, "generate"),
        ({"model": ScriptedGenerator}, "generate"),
        ({"judge": "no-such-judge"}, "no-such-judge.*lexical"),
        ({"judge": 4}, "judge"),
        ({"policy": "strict"}, "Policy.strict"),
        ({"history": "earlier"}, "sequence"),
        ({"store": object()}, "get"),
    ],
)
def test_a_bad_argument_names_itself_and_the_way_out(arguments, match):
    call = {"question": QUESTION, "passages": PASSAGES, **arguments}
    with pytest.raises(InputError, match=match):
        ask(call.pop("question"), call.pop("passages"), **call)


def test_everything_past_the_passages_is_keyword_only():
    with pytest.raises(TypeError):
        ask(QUESTION, PASSAGES, "extractive")


def test_an_async_only_part_is_refused_by_ask_and_taken_by_aask():
    class Later:
        name = "later"

        async def agenerate(self, request):
            return ScriptedGenerator([DRAFT]).generate(request)

    with pytest.raises(InputError, match="aask"):
        ask(QUESTION, PASSAGES, model=Later(), judge=parts()["judge"])
    answer = asyncio.run(aask(QUESTION, PASSAGES, model=Later(), judge=parts()["judge"]))
    assert "answered" == answer.status


def test_a_synchronous_part_does_not_block_the_event_loop():
    loop_thread, seen = threading.get_ident(), []

    class Slow:
        def generate(self, request):
            seen.append(threading.get_ident())
            return ScriptedGenerator([DRAFT]).generate(request)

    asyncio.run(aask(QUESTION, PASSAGES, model=Slow(), judge=parts()["judge"]))
    assert [loop_thread] != seen


@pytest.mark.parametrize("error", [ProviderError("down", hint="wait"), RefusedError("no")])
def test_a_provider_error_reaches_the_caller(error):
    with pytest.raises(type(error)):
        ask(QUESTION, PASSAGES, **parts([error]))


def test_a_fault_in_a_generator_is_not_hidden():
    def broken(request):
        raise KeyError("a bug")

    with pytest.raises(KeyError):
        ask(QUESTION, PASSAGES, **parts([broken]))


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (TimeoutError(), "judge_timeout"),
        (PermissionError(), "judge_denied"),
        (ConnectionError(), "judge_error"),
        (ValueError("nonsense"), "judge_error"),
    ],
)
def test_a_judge_that_fails_withholds_and_says_how(error, reason):
    def failing(pair):
        raise error

    answer = both(QUESTION, PASSAGES, parts=lambda: parts(verdicts=failing))
    assert ("withheld", "judge_unavailable") == (answer.status, answer.reason)
    assert reason in answer.findings[0].details


def store(*ids):
    return MemoryStore([SourceCard(p.id, f"Title {p.id}") for p in PASSAGES], allowed={"ann": ids})


def test_a_passage_the_reader_may_not_open_is_never_sent():
    model = ScriptedGenerator([{"status": "not_found", "statements": []}])
    answer = ask(QUESTION, PASSAGES, model=model, store=store("policy#2"), reader="ann")
    assert [PASSAGES[1].text] == list(model.requests[0].docs.values())
    assert "policy#1" not in repr(answer) + answer.model_dump_json()


def test_a_reader_who_may_open_nothing_gets_nothing():
    model = ScriptedGenerator([])
    answer = ask(QUESTION, PASSAGES, model=model, store=store(), reader="ann")
    assert ("withheld", "reader_may_not_open") == (answer.status, answer.reason)
    assert () == answer.closest == answer.passages == answer.trace == tuple(model.requests)


@pytest.mark.parametrize("bad", [RuntimeError("down"), None, 5, ["policy#1"]])
def test_a_store_that_fails_denies_everything(bad):
    class Broken:
        def get(self, ids, reader):
            if isinstance(bad, Exception):
                raise bad
            return bad

    answer = ask(QUESTION, PASSAGES, model=ScriptedGenerator([]), store=Broken(), reader="ann")
    assert "reader_may_not_open" == answer.reason


def test_the_recorder_is_told_every_event_afterwards():
    class Recorder:
        def __init__(self):
            self.events = []

        def record(self, event):
            self.events.append(event)

    recorder = Recorder()
    answer = ask(QUESTION, PASSAGES, **parts(), recorder=recorder)
    assert list(answer.trace) == recorder.events
    assert ["assigned", "prompted", "generated", "parsed", "checked", "judged", "settled"] == [
        event.name for event in recorder.events
    ]


def test_no_word_of_a_passage_or_statement_is_in_trace_or_repr():
    secret = "Zanzibar"
    passages = [Passage("a", f"The {secret} clause covers burst pipes in full for every insured.")]
    drafted = {
        "text": f"The {secret} clause covers burst pipes.",
        "sources": ["S1"],
        "quote": f"The {secret} clause covers burst pipes in full",
    }
    invented = {**drafted, "quote": f"{secret} words that stand nowhere at all"}
    answer = ask(
        "Are burst pipes covered?",
        passages,
        **parts([{"status": "answered", "statements": [drafted, invented]}]),
    )
    assert 1 == len(answer.statements)
    assert secret not in repr(answer) + repr(answer.trace) + str(answer.findings)


def test_the_stream_ends_with_done_and_shows_only_verified_statements():
    async def events():
        return [event async for event in astream(QUESTION, PASSAGES, **parts())]

    seen = asyncio.run(events())
    assert ["passages", "statement", "done"] == [event.type for event in seen]
    assert seen[1].statement in seen[2].answer.statements
    assert 2 == len(seen[0].passages)


def test_the_stream_ends_with_failed_when_the_provider_fails():
    async def events():
        stream = astream(QUESTION, PASSAGES, **parts([ProviderError("down")]))
        return [event.type async for event in stream]

    assert ["passages", "failed"] == asyncio.run(events())


def test_the_stream_shows_no_passage_the_reader_may_not_open():
    async def events():
        stream = astream(QUESTION, PASSAGES, store=store("policy#2"), reader="ann", model=model)
        return [event async for event in stream]

    model = ScriptedGenerator([{"status": "not_found", "statements": []}])
    seen = asyncio.run(events())
    assert ["policy#2"] == [passage.id for passage in seen[0].passages]


def test_history_is_in_the_prompt_and_no_evidence():
    model = ScriptedGenerator([DRAFT])
    earlier = "The limit was raised to 99,000 euros."
    answer = ask(QUESTION, PASSAGES, history=[earlier], model=model, judge=parts()["judge"])
    assert earlier in model.requests[0].prompt.user
    assert earlier not in model.requests[0].docs.values()
    assert "answered" == answer.status


def test_strict_withholds_but_shows_the_closest_passages():
    bad = {**GOOD, "text": "Insured up to 120,000 euros."}
    answer = both(
        QUESTION,
        PASSAGES,
        parts=lambda: parts([{"status": "answered", "statements": [GOOD, bad]}]),
        policy=Policy.strict(),
    )
    assert ("withheld", "strict_policy", ()) == (answer.status, answer.reason, answer.statements)
    assert "policy#1" == answer.closest[0].passage_id


@pytest.mark.parametrize("words", [5, 8, 14])
def test_the_embedded_default_quotes_as_much_as_the_policy_asks_for(words):
    text = "Hail damage is covered in full. Rent is due on the first day of May. Call us at once."
    policy = Policy(min_quote_words=words)
    answer = ask("Is hail damage covered in full?", [text], policy=policy)
    assert "answered" == answer.status
    assert len(answer.statements[0].citations[0].quote.split()) >= words


def test_the_answer_names_the_versions_it_was_made_with():
    versions = ask(QUESTION, PASSAGES, **parts()).versions
    assert {"groundedgen", "normalizer", "prompt", "evidence", "policy"} == set(versions)


def test_five_hundred_passages_are_answered():
    many = [Passage(f"p{n}", f"Clause {n} covers item number {n} of the list.") for n in range(500)]
    answer = ask("What does clause 321 cover?", many)
    assert "p321" == answer.statements[0].citations[0].passage_id


def test_a_passage_of_ten_megabytes_is_answered():
    filler = "The house was built of brick and stands on the north side. " * 170_000
    big = Passage("big", filler + "Water from a burst pipe is covered.")
    draft = {
        "text": "A burst pipe's water is insured.",
        "sources": ["S1"],
        "quote": "Water from a burst pipe is covered",
    }
    answer = ask(QUESTION, [big], **parts([{"status": "answered", "statements": [draft]}]))
    citation = answer.statements[0].citations[0]
    assert citation.quote == big.text[citation.start : citation.end]


def test_a_reader_without_a_store_is_refused():
    """The caller believes that permissions are asked; nothing would ask them."""
    with pytest.raises(InputError, match="store"):
        ask("Is fire covered?", ["Fire is covered."], reader="ann")
    with pytest.raises(InputError, match="store"):
        asyncio.run(aask("Is fire covered?", ["Fire is covered."], reader="ann"))


@pytest.mark.parametrize("bad", [0, -1, "5", True, float("nan")])
def test_a_timeout_that_is_none_is_refused(bad):
    with pytest.raises(InputError, match="timeout"):
        ask("Is fire covered?", ["Fire is covered."], timeout=bad)


def test_a_generator_that_raises_stop_iteration_does_not_pass_for_an_answer():
    class Ended:
        name = "ended"

        def generate(self, request):
            raise StopIteration("made up")

    with pytest.raises(RuntimeError, match="StopIteration"):
        ask("Is fire covered?", ["Fire is covered."], model=Ended())


@pytest.mark.parametrize(
    "fields",
    [
        {"raw": 123}, {"raw": "{}", "usage": None}, {"raw": b"{}"}, {"raw": "{}", "cut": 5},
        {"raw": "{}", "cut": ("a",)}, {"raw": "{}", "finish_reason": 3},
        {"raw": "{}", "constraint": ["enum"]}, {"raw": "{}", "response_format": "xml"},
    ],
)  # fmt: skip
def test_a_reply_with_odd_fields_is_a_clear_error(fields):
    with pytest.raises(InputError, match="Reply"):
        ask("Is fire covered?", ["Fire is covered."], model=ScriptedGenerator([Reply(**fields)]))


@pytest.mark.parametrize(
    "asked",
    [
        ask,
        lambda *given, **named: asyncio.run(aask(*given, **named)),
        lambda *given, **named: list(stream(*given, **named)),
    ],
)
def test_what_cannot_record_is_refused_before_anything_is_sent(asked):
    model = ScriptedGenerator([])
    with pytest.raises(InputError, match=r"recorder= needs a method record\(event\), which int"):
        asked(QUESTION, PASSAGES, model=model, recorder=5)
    assert not model.requests


@pytest.mark.parametrize("window", ["5", 0, True, float("nan")])
def test_a_window_that_is_no_length_is_refused_before_anything_is_sent(window):
    model, judge = ScriptedGenerator([]), ScriptedJudge("supported")
    judge.window = window
    with pytest.raises(InputError, match=r"judge= \(.*\) has a window of"):
        ask(QUESTION, PASSAGES, model=model, judge=judge)
    assert not model.requests


def test_a_recorder_that_fails_loses_no_answer():
    class Broken:
        def record(self, event):
            raise OSError("disk full")

    answer = ask("Is fire covered?", ["Fire is covered by this policy."], recorder=Broken())
    assert "answered" == answer.status


def test_an_endless_timeout_is_a_timeout():
    answer = ask("Is fire covered?", ["Fire is covered by this policy."], timeout=float("inf"))
    assert "answered" == answer.status
