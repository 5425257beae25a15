from __future__ import annotations

import asyncio
import json
import threading
from types import SimpleNamespace

import pytest

from groundedgen import aliases, draft, prompt
from groundedgen.errors import InputError, ProviderError
from groundedgen.passages import Passage
from groundedgen.ports import AsyncGenerator, AsyncJudge, Generator, Judge
from groundedgen.stores.memory import MemoryStore as Store
from groundedgen.testing import (
    GENERATOR_CHECKS,
    JUDGE_CHECKS,
    MemoryStore,
    ScriptedGenerator,
    ScriptedJudge,
    check_generator,
    check_judge,
)
from groundedgen.values import Pair, Reply, Request, Usage, Verdict

DRAFT = {"status": "answered", "statements": [{"text": "A.", "sources": ["S1"], "quote": "A b."}]}
PAIR = Pair("Fire is covered.", "Fire is covered.")
OTHER = Pair("Fire is covered.", "Floods are covered.")


def request(attempt=1):
    named = aliases.assign([Passage("a", "Fire is covered.")])
    words = prompt.build("Fire?", named)
    return Request("Fire?", words, draft.schema(named.names), named.docs, attempt=attempt)


# ScriptedGenerator


def test_replies_come_in_order_in_every_form():
    whole = Reply("{}", engine="mine", usage=Usage(1, 2))
    generator = ScriptedGenerator([DRAFT, "raw", whole, None, lambda _: DRAFT, lambda _: whole])
    replies = [generator.generate(request()) for _ in range(6)]
    assert DRAFT == json.loads(replies[0].raw) == json.loads(replies[4].raw)
    assert ["raw", "{}", None] == [reply.raw for reply in replies[1:4]]
    assert whole == replies[2] == replies[5]
    assert ["scripted", "scripted", "mine"] == [reply.engine for reply in replies[:3]]
    assert 0 == generator.remaining


def test_a_lone_surrogate_in_a_draft_reaches_the_parser():
    generator = ScriptedGenerator([{"statements": [{"text": "\ud83d"}]}])
    assert "\ud83d" == json.loads(generator.generate(request()).raw)["statements"][0]["text"]


def test_exceptions_of_the_script_are_raised():
    error = ProviderError("down")
    generator = ScriptedGenerator([error, lambda _: error])
    for _ in range(2):
        with pytest.raises(ProviderError) as caught:
            generator.generate(request())
        assert error is caught.value


def test_a_function_sees_the_request():
    generator = ScriptedGenerator([lambda r: f"{r.attempt} {list(r.docs)}"])
    assert "2 ['S1']" == generator.generate(request(attempt=2)).raw


def test_requests_are_recorded_also_the_one_too_many():
    generator = ScriptedGenerator([DRAFT])
    asked = [request(), request(attempt=2)]
    generator.generate(asked[0])
    with pytest.raises(AssertionError, match=r"held 1 replies.*attempt 2"):
        generator.generate(asked[1])
    assert asked == generator.requests


def test_the_generator_can_be_awaited():
    generator = ScriptedGenerator([DRAFT])
    assert DRAFT == json.loads(asyncio.run(generator.agenerate(request())).raw)


def test_no_reply_is_given_twice_to_threads():
    generator = ScriptedGenerator([str(n) for n in range(200)])
    given = []
    threads = [
        threading.Thread(
            target=lambda: given.extend(generator.generate(request()).raw for _ in range(25))
        )
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(map(str, range(200))) == sorted(given)


@pytest.mark.parametrize("script", [DRAFT, "raw", Reply("{}"), [7], [[DRAFT]], [b"raw"]])
def test_what_is_no_script_of_a_generator_is_refused(script):
    with pytest.raises(InputError):
        ScriptedGenerator(script)


def test_a_function_that_returns_nonsense_is_an_error():
    with pytest.raises(InputError):
        ScriptedGenerator([lambda _: 7]).generate(request())


# ScriptedJudge


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("partial", ["partial", "partial"]),
        (Verdict("supported", 0.5), ["supported", "supported"]),
        (["supported", Verdict("contradicted")], ["supported", "contradicted"]),
        ({PAIR.claim: "supported", OTHER.claim: "not_judged"}, ["supported", "not_judged"]),
        (lambda pair: "supported" if pair is PAIR else "partial", ["supported", "partial"]),
        ([lambda _: "supported", lambda _: Verdict("partial")], ["supported", "partial"]),
    ],
)
def test_verdicts_in_every_form(script, expected):
    judge = ScriptedJudge(script)
    assert expected == [verdict.label for verdict in judge.judge([PAIR, OTHER])]
    assert [PAIR, OTHER] == judge.pairs
    assert [(PAIR, OTHER)] == judge.calls


def test_a_list_of_verdicts_goes_on_over_several_calls():
    judge = ScriptedJudge(["supported", "partial", "not_judged"])
    judge.judge([PAIR])
    assert ["partial", "not_judged"] == [v.label for v in judge.judge([OTHER, PAIR])]
    assert [] == judge.judge([])
    with pytest.raises(AssertionError, match="run out"):
        judge.judge([PAIR])


def test_a_claim_without_a_verdict_is_an_error():
    with pytest.raises(AssertionError, match="none of the 1"):
        ScriptedJudge({PAIR.claim: "supported"}).judge([OTHER])


@pytest.mark.parametrize("script", [TimeoutError(), [TimeoutError()], {PAIR.claim: TimeoutError()}])
def test_exceptions_of_the_judge_are_raised(script):
    with pytest.raises(TimeoutError):
        ScriptedJudge(script).judge([PAIR])


def test_the_judge_can_be_awaited_and_declares_a_window():
    judge = ScriptedJudge("partial", window=80)
    assert "partial" == asyncio.run(judge.ajudge([PAIR]))[0].label
    assert 80 == judge.window


@pytest.mark.parametrize("script", ["yes", ["yes"], {"a": True}, [None], ""])
def test_what_is_no_verdict_is_refused(script):
    with pytest.raises(InputError):
        ScriptedJudge(script)


def test_doubles_are_parts_of_both_kinds():
    generator, judge = ScriptedGenerator([]), ScriptedJudge()
    assert isinstance(generator, Generator)
    assert isinstance(generator, AsyncGenerator)
    assert isinstance(judge, Judge)
    assert isinstance(judge, AsyncJudge)
    assert MemoryStore is Store


# check_generator


class Sound:
    """A generator that keeps every promise; broken ones below change one thing of it."""

    constraint = "enum"

    def generate(self, request):
        statement = {"text": "A.", "sources": [next(iter(request.docs))], "quote": "A b."}
        raw = json.dumps({"status": "answered", "statements": [statement]})
        return Reply(raw, engine="sound", constraint=self.constraint)


class SoundAwaited(Sound):
    async def agenerate(self, request):
        await asyncio.sleep(0)
        return self.generate(request)


class OnlyAwaited:
    async def agenerate(self, request):
        return Sound().generate(request)


class Concurrent(Sound):
    concurrent = True


def breaking(**changes):
    """A sound generator whose replies, or whose handling of one kind of request, are broken."""

    class Broken(Sound):
        def generate(self, request):
            reply = super().generate(request)
            return changes["generate"](request, reply)

    return Broken()


def raised(error):
    raise error


def forgetful(request, reply):
    request.docs.clear()
    return reply


class Coroutine:
    async def generate(self, request):
        return Sound().generate(request)


class Mixed(Sound):
    """Claims to be concurrent, and mixes the requests up."""

    concurrent = True

    def __init__(self):
        self.last = None
        self.together = threading.Barrier(6, timeout=5)

    def generate(self, request):
        if threading.current_thread() is threading.main_thread():
            return super().generate(request)
        self.last = max(self.last or [], list(request.docs), key=len)
        self.together.wait()
        statement = {"text": "A.", "sources": self.last, "quote": "A b."}
        return Reply(json.dumps({"statements": [statement]}), constraint="enum")


class AwaitedMixed(Sound):
    async def agenerate(self, request):
        self.docs = list(request.docs)
        await asyncio.sleep(0.01)
        statement = {"text": "A.", "sources": self.docs, "quote": "A b."}
        return Reply(json.dumps({"statements": [statement]}), constraint="enum")


class Streamed(Sound):
    """Streams its reply in parts; broken ones change what comes before it, or after."""

    def __init__(self, before=None, after=()):
        self.before, self.after = before, after

    async def astream(self, request):
        reply = self.generate(request)
        for part in [reply.raw[:9], reply.raw[9:]] if self.before is None else self.before:
            yield part
        yield reply
        for part in self.after:
            yield part


class Again(Streamed):
    async def astream(self, request):
        yield "half of"
        yield ProviderError("busy", retryable=True)
        async for part in super().astream(request):
            yield part


class Unstoppable(Streamed):
    async def astream(self, request):
        reply = self.generate(request)
        try:
            yield reply.raw
        except GeneratorExit:
            yield "more"
        yield reply


BROKEN_GENERATORS = [
    ("has_a_method", object()),
    ("has_a_method", Coroutine()),
    ("returns_a_reply", breaking(generate=lambda _, reply: reply.raw)),
    ("returns_a_reply", breaking(generate=lambda *_: None)),
    ("returns_a_reply", breaking(generate=lambda *_: Reply({"statements": []}))),
    ("returns_a_reply", breaking(generate=lambda *_: Reply("{}", finish_reason=None))),
    ("returns_a_reply", breaking(generate=lambda *_: Reply("{}", usage=None))),
    ("returns_a_reply", breaking(generate=lambda *_: Reply("{}", usage=Usage(-1)))),
    ("returns_a_reply", breaking(generate=lambda *_: Reply("{}", engine=None))),
    ("returns_a_reply", breaking(generate=lambda *_: Reply("{}", refusal=True))),
    ("returns_a_reply", breaking(generate=lambda *_: Reply("{}", constraint="json"))),
    ("leaves_the_request_alone", breaking(generate=forgetful)),
    ("writes_a_draft", breaking(generate=lambda *_: Reply("The pipe is covered."))),
    ("writes_a_draft", breaking(generate=lambda *_: Reply(None, refusal="I cannot."))),
    (
        "keeps_to_its_constraint",
        breaking(generate=lambda _, r: Reply(r.raw.replace("S1", "S9"), constraint="enum")),
    ),
    (
        "takes_one_passage",
        breaking(generate=lambda q, r: raised(IndexError()) if len(q.docs) == 1 else r),
    ),
    (
        "takes_many_passages",
        breaking(generate=lambda q, r: raised(MemoryError()) if len(q.docs) > 50 else r),
    ),
    (
        "takes_unicode",
        breaking(generate=lambda q, r: "".join(q.docs.values()).encode("cp1252") and r),
    ),
    (
        "takes_lone_surrogates",
        breaking(generate=lambda q, r: "".join(q.docs.values()).encode() and r),
    ),
    (
        "takes_a_second_attempt",
        breaking(generate=lambda q, r: raised(ValueError()) if q.attempt == 2 else r),
    ),
    ("works_concurrently_if_it_says_so", Mixed()),
    ("works_concurrently_if_it_says_so", AwaitedMixed()),
    ("streams_what_it_returns", Streamed(["another text"])),
    ("streams_what_it_returns", Streamed([b"bytes"])),
    ("streams_what_it_returns", Streamed([Reply("{}")])),
    ("streams_what_it_returns", Streamed(after=["more"])),
    ("ends_when_its_stream_is_closed", Unstoppable()),
]


class OneClient(Sound):
    """Has both methods, and a client that can only be awaited."""

    def generate(self, request):
        raise InputError("the client is asynchronous", code="bad_type")

    async def agenerate(self, request):
        return Sound().generate(request)


SOUND = [Sound(), SoundAwaited(), OnlyAwaited(), Concurrent(), OneClient()]


@pytest.mark.parametrize("generator", [*SOUND, Streamed(), Streamed([]), Again()])
def test_a_sound_generator_passes(generator):
    check_generator(generator)


@pytest.mark.parametrize(("check", "generator"), BROKEN_GENERATORS)
def test_a_broken_generator_is_told_what_it_broke(check, generator):
    with pytest.raises(AssertionError, match=f"^check_generator, {check}: "):
        check_generator(generator)


def test_every_check_of_generators_can_fail():
    assert set(GENERATOR_CHECKS) == {check for check, _ in BROKEN_GENERATORS}


@pytest.mark.parametrize("chunk", [None, 1, 7, 10_000])
def test_the_scripted_generator_keeps_the_promises(chunk):
    check_generator(ScriptedGenerator([DRAFT] * 40, chunk=chunk))


@pytest.mark.parametrize("chunk", [None, 1, 7, 10_000])
def test_a_scripted_reply_is_streamed_in_parts_of_a_size(chunk):
    async def read(reply):
        generator = ScriptedGenerator([reply], chunk=chunk)
        return [part async for part in generator.astream(request())]

    *parts, reply = asyncio.run(read(DRAFT))
    assert json.loads(reply.raw) == DRAFT
    assert "".join(parts) == ("" if chunk is None else reply.raw)
    assert {len(part) for part in parts[:-1]} <= {chunk}
    refused = Reply(None, refusal="No.")
    assert [refused] == asyncio.run(read(refused))


@pytest.mark.parametrize("chunk", [0, -1, 1.5, True, "8"])
def test_a_size_of_parts_that_is_none_is_refused(chunk):
    with pytest.raises(InputError, match="chunk"):
        ScriptedGenerator([DRAFT], chunk=chunk)


# check_judge


class Word:
    """A sound judge: supported only if the claim stands in the premise, whole and as written."""

    def judge(self, pairs):
        return [Verdict("supported" if self.holds(p) else "not_addressed", 0.5) for p in pairs]

    def holds(self, pair):
        return bool(pair.claim.strip()) and pair.claim in pair.premise


class WordAwaited:
    async def ajudge(self, pairs):
        return Word().judge(pairs)


def judging(function, **more):
    return SimpleNamespace(judge=function, **more)


def sound(pairs):
    return Word().judge(pairs)


class Moody:
    calls = 0

    def judge(self, pairs):
        self.calls += 1
        return [Verdict("partial" if self.calls % 2 else "not_addressed") for _ in pairs]


async def contrary(pairs):
    return [Verdict("contradicted")] * len(pairs)


def sorting(pairs):
    pairs.sort(key=lambda pair: pair.claim)
    return [Verdict("not_addressed")] * len(pairs)


BROKEN_JUDGES = [
    ("has_a_judging_method", object()),
    ("has_a_judging_method", SimpleNamespace(judge=contrary)),
    ("gives_one_verdict_a_pair", judging(lambda pairs: sound(pairs)[:-1])),
    ("gives_one_verdict_a_pair", judging(lambda pairs: iter(sound(pairs)))),
    ("gives_one_verdict_a_pair", judging(lambda pairs: ["supported"] * len(pairs))),
    ("gives_one_verdict_a_pair", judging(lambda _: None)),
    ("takes_an_empty_list", judging(lambda pairs: sound(pairs) if pairs[0] else [])),
    ("keeps_to_the_labels", judging(lambda pairs: [Verdict("yes")] * len(pairs))),
    ("scores_from_0_to_1", judging(lambda pairs: [Verdict("partial", 87)] * len(pairs))),
    ("scores_from_0_to_1", judging(lambda pairs: [Verdict("partial", True)] * len(pairs))),
    ("scores_from_0_to_1", judging(lambda pairs: [Verdict("partial", float("nan"))] * len(pairs))),
    ("says_the_same_twice", Moody()),
    (
        "keeps_the_order",
        judging(lambda pairs: sorted(sound(pairs), key=lambda verdict: verdict.label)),
    ),
    ("leaves_the_pairs_alone", judging(sorting)),
    (
        "survives_200_pairs",
        judging(lambda pairs: raised(OverflowError()) if len(pairs) > 100 else sound(pairs)),
    ),
    (
        "survives_strange_text",
        judging(lambda pairs: [p.premise.encode() for p in pairs] and sound(pairs)),
    ),
    (
        "does_not_obey_the_premise",
        judging(
            lambda pairs: [
                Verdict("supported") if "supported" in p.premise else sound([p])[0] for p in pairs
            ]
        ),
    ),
    (
        "does_not_support_what_is_not_there",
        judging(
            lambda pairs: [
                Verdict("supported") if "Floods" in p.premise else sound([p])[0] for p in pairs
            ]
        ),
    ),
    ("declares_a_window_of_code_points", judging(sound, window=0)),
    ("declares_a_window_of_code_points", judging(sound, window="512 tokens")),
    ("says_the_same_awaited", judging(sound, ajudge=contrary)),
]


@pytest.mark.parametrize("judge", [Word(), WordAwaited(), judging(sound, window=400)])
def test_a_sound_judge_passes(judge):
    check_judge(judge)


@pytest.mark.parametrize(("check", "judge"), BROKEN_JUDGES)
def test_a_broken_judge_is_told_what_it_broke(check, judge):
    with pytest.raises(AssertionError, match=f"^check_judge, {check}: "):
        check_judge(judge)


def test_every_check_of_judges_can_fail():
    assert set(JUDGE_CHECKS) == {check for check, _ in BROKEN_JUDGES}


def test_a_judge_that_says_yes_to_everything_is_caught():
    with pytest.raises(AssertionError, match="does_not_obey_the_premise"):
        check_judge(ScriptedJudge("supported"))
    check_judge(ScriptedJudge("not_addressed"))
