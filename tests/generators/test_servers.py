"""What a server obeys is found out by asking it, and by nothing else."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundedgen import aask, ask, astream, stream
from groundedgen.deadlines import within
from groundedgen.errors import DeadlineError, ProviderError
from groundedgen.generators.chat import sending
from groundedgen.generators.chat.servers import Known, known_of
from groundedgen.generators.constrained.ladder import Form, Learned
from groundedgen.generators.constrained.probes import PROBES, Found
from groundedgen.testing import ScriptedJudge
from groundedgen.values import Usage
from tests.servers.loopback import Said, in_turn, serving
from tests.servers.openai_wire import completion, fails, says
from tests.servers.own_wire import (
    LLAMACPP,
    NOTHING,
    OLLAMA,
    SGLANG,
    SGLANG_LLGUIDANCE,
    STOCK_LLAMACPP,
    VLLM,
    constraints,
    is_probe,
    kind_of,
    nonce_of,
    obeying,
    probed,
    real,
)
from tests.servers.streaming_wire import openai_parts

openai = pytest.importorskip("openai", reason="needs the extra openai")
from groundedgen.generators.openai import OpenAIGenerator, llamacpp, ollama, sglang, vllm
from tests.generators.test_openai import DRAFT, PASSAGES, QUESTION, request

RF = "response_format"
SERVERS = {
    "vllm": (VLLM, {"lark": "structured_outputs.grammar", "schema": RF, "enum": RF}, 2),
    "llama.cpp": (LLAMACPP, {"lark": "grammar", "schema": RF, "enum": RF}, 3),
    "stock llama.cpp": (STOCK_LLAMACPP, {"schema": RF, "enum": RF}, 4),
    "sglang": (SGLANG, {"schema": RF, "enum": RF}, 4),
    "sglang, llguidance": (SGLANG_LLGUIDANCE, {"lark": "ebnf", "schema": RF, "enum": RF}, 4),
    "ollama": (OLLAMA, {"schema": RF, "enum": RF}, 4),
    "gbnf only": ({("gbnf", "grammar")}, {"gbnf": "grammar"}, 8),
    "nothing": (NOTHING, {}, 10),
}


@pytest.fixture
def own():
    """`own(answer)` -> a running server and a generator for it, as for a server of one's own."""
    open_now = []

    def start(answer, **options):
        context = serving(answer)
        server = context.__enter__()
        client = openai.OpenAI(api_key="k", base_url=f"{server.url}/v1")
        open_now.extend([client.close, lambda: context.__exit__(None, None, None)])
        return server, OpenAIGenerator(client, "m", own_server=True, **options)

    yield start
    for close in open_now:
        close()


@pytest.mark.parametrize(("obeyed", "fields", "probes"), SERVERS.values(), ids=SERVERS)
def test_each_server_is_known_by_what_comes_back(own, obeyed, fields, probes):
    server, generator = own(obeying(obeyed, in_turn(says(DRAFT))))
    assert generator.found is None
    generator.generate(request())
    assert Found(fields) == generator.found
    assert probes == len(probed(server))
    generator.generate(request())
    assert probes == len(probed(server))


@pytest.mark.parametrize("make", [vllm, llamacpp, sglang, ollama])
def test_the_name_of_a_server_decides_nothing(make):
    with serving(obeying(LLAMACPP, in_turn(says(DRAFT)))) as server:
        generator = make("m", server.url)
        generator.generate(request())
        assert "lark (grammar), schema (response_format), enum (response_format)" == str(
            generator.found
        )


def test_a_hosted_server_is_not_asked_and_told_no_passage_outside_of_the_prompt():
    with serving(in_turn(says(DRAFT))) as server:
        with openai.OpenAI(api_key="k", base_url=f"{server.url}/v1") as client:
            generator = OpenAIGenerator(client, "m")
            generator.generate(request())
        [asked] = server.asked
        assert generator.found is None
    told = json.dumps({**asked.body, "messages": []})
    assert not any(passage.text[:20] in told for passage in PASSAGES)


def test_a_nonce_is_new_each_time_and_stands_in_the_constraint_only(own):
    server, generator = own(obeying(NOTHING, in_turn(says(DRAFT))))
    generator.generate(request())
    asked = [a.body for a in server.asked if is_probe(a.body)]
    nonces = [nonce_of(c) for body in asked for c in constraints(body).values()]
    assert len(PROBES) == len(set(nonces))
    for body, nonce in zip(asked, nonces, strict=True):
        assert 1 == len(constraints(body))
        assert json.loads(nonce)["nonce"] if "{" in nonce else nonce not in str(body["messages"])
        assert 64 >= body["max_tokens"]


PRETENDERS = {
    "the constraint itself": lambda c: c if isinstance(c, str) else json.dumps(c),
    "the nonce with words": lambda c: f"The word is {nonce_of(c)}",
    "the nonce in capitals": lambda c: nonce_of(c).upper(),
    "a part of it": lambda c: nonce_of(c)[:-1],
    "an object with more": lambda c: f'{{"nonce": {json.dumps(nonce_of(c))}, "more": 1}}',
    "nothing": lambda c: "",
    "no content": lambda c: None,
}


@pytest.mark.parametrize("pretend", PRETENDERS.values(), ids=PRETENDERS)
def test_only_the_nonce_and_nothing_else_counts(own, pretend):
    def probes(asked):
        [constraint] = constraints(asked.body).values()
        return says(pretend(constraint))

    _, generator = own(obeying(NOTHING, in_turn(says(DRAFT)), probes=probes))
    generator.generate(request())
    assert Found({}) == generator.found


def test_blanks_in_the_json_of_a_schema_are_the_servers_own(own):
    def probes(asked):
        [constraint] = constraints(asked.body).values()
        if isinstance(constraint, dict):
            return says(json.dumps(json.loads(nonce_of(constraint)), indent=4) + "\n")
        return None

    _, generator = own(obeying(NOTHING, in_turn(says(DRAFT)), probes=probes))
    generator.generate(request())
    assert {"schema": RF, "enum": RF} == generator.found.fields


# Without a socket: any server at all


def driven(known, answer):
    """What probing comes to; `answer(body)` is a completion or an exception."""
    steps = known.probing(Learned(Form()), body, "m")
    asked = [next(steps)]
    try:
        while True:
            asked.append(steps.send(answer(asked[-1])))
    except StopIteration as end:
        found, spent = end.value
        return found, spent, asked


def body(form, fields, most):
    sent = {"max_tokens": most, **fields.get("extra_body", {}), **fields, "messages": []}
    return sent | ({"temperature": 0.0} if form.temperature else {})


def faithful(obeyed):
    def answer(sent):
        [(field, constraint)] = constraints(sent).items()
        is_plain = field in {RF, "structured_outputs.json"} and "anyOf" not in constraint
        kind = "enum" if is_plain else kind_of(constraint)
        return completion(nonce_of(constraint) if (kind, field) in obeyed else "Sure!")

    return answer


ALL = [(probe.ability, probe.field) for probe in PROBES]


@given(st.sets(st.sampled_from(ALL)))
def test_whatever_a_server_obeys_is_found_and_nothing_more(obeyed):
    found, spent, asked = driven(Known(), faithful(obeyed))
    assert len(asked) <= len(PROBES)
    assert Usage(100, 20, 60).input_tokens * len(asked) == spent.input_tokens
    for ability, field in found.fields.items():
        assert (ability, field) in obeyed or (ability == "enum" and found.fields["schema"] == field)
    for ability in ("lark", "schema"):
        assert (ability in found.fields) == any(kind == ability for kind, _ in obeyed)
    constrained = {"lark", "schema", "gbnf", "enum"} & {kind for kind, _ in obeyed}
    assert bool(constrained) == bool(found.fields)


class FailedError(Exception):
    def __init__(self, status, message=""):
        self.status_code, self.body = status, {"message": message}


@given(
    st.sets(st.sampled_from(ALL)),
    st.dictionaries(st.sampled_from(ALL), st.sampled_from([400, 415, 422, 500, 501])),
)
@settings(max_examples=50)
def test_a_constraint_that_is_turned_down_is_not_obeyed(obeyed, refused):
    """As long as anything at all is answered: otherwise nothing is known."""
    answer = faithful(obeyed)

    def refusing(sent):
        [(field, constraint)] = constraints(sent).items()
        is_plain = field in {RF, "structured_outputs.json"} and "anyOf" not in constraint
        kind = "enum" if is_plain else kind_of(constraint)
        status = refused.get((kind, field))
        return FailedError(status) if status else answer(sent)

    known = Known()
    known._answered = True
    found, _, asked = driven(known, refusing)
    taken = {
        pair for pair in found.fields.items() if pair[0] != "enum" or "schema" not in found.fields
    }
    assert taken <= obeyed - set(refused)
    assert len(asked) <= 2 * len(PROBES)


@pytest.mark.parametrize("status", [401, 403, 404, 408, 429, 502, 503, 529])
def test_an_outage_is_no_answer_and_probing_goes_on_where_it_was(status):
    known, times = Known(), count()
    answer = faithful(LLAMACPP)
    with pytest.raises(ProviderError) as caught:
        driven(known, lambda sent: answer(sent) if next(times) < 2 else FailedError(status))
    assert (None, Usage(200, 40, 120)) == (known.found, caught.value.wasted)
    found, _, asked = driven(known, answer)
    assert {"lark": "grammar", "schema": RF, "enum": RF} == found.fields
    assert 1 == len(asked)


def test_a_server_that_answers_nothing_but_500_is_down_and_nothing_is_remembered():
    known, asked = Known(), count()
    with pytest.raises(ProviderError) as caught:
        driven(known, lambda sent: (next(asked), FailedError(500))[1])
    assert (500, True, None) == (caught.value.status, caught.value.retryable, known.found)
    assert next(asked) <= 4
    assert "lark" in driven(known, faithful(VLLM))[0].fields


def test_a_500_in_passing_is_no_answer():
    times, answer = count(), faithful(VLLM)
    found, _, _ = driven(
        Known(), lambda sent: FailedError(500) if next(times) == 0 else answer(sent)
    )
    assert "structured_outputs.grammar" == found.fields["lark"]


def test_a_prompt_that_does_not_fit_is_no_constraints_fault():
    with pytest.raises(ProviderError):
        driven(Known(), lambda sent: FailedError(400, "maximum context length is 16 tokens"))


def test_a_parameter_that_is_turned_down_is_left_out_and_the_probe_repeated():
    answer = faithful(VLLM)

    def picky(sent):
        return (
            FailedError(400, "temperature is not supported")
            if "temperature" in sent
            else answer(sent)
        )

    found, _, asked = driven(Known(), picky)
    assert (3, "structured_outputs.grammar") == (len(asked), found.fields["lark"])
    with pytest.raises(ProviderError):
        driven(Known(), lambda sent: FailedError(404, "temperature"))


def test_a_model_that_thinks_first_is_given_the_tokens_to():
    answer = faithful(VLLM)

    def thinking(sent):
        said = answer(sent)
        if sent["max_tokens"] < 1000:
            said["choices"][0] = {
                "finish_reason": "length",
                "message": {"content": None, "reasoning_content": "Hm, one short word ..."},
            }
        return said

    found, _, asked = driven(Known(), thinking)
    assert {"lark", "schema", "enum"} == set(found.fields)
    assert [64, 4096, 4096] == [sent["max_tokens"] for sent in asked]


def test_two_different_choices_are_not_the_nonce():
    def twofold(sent):
        said = completion("a")
        said["choices"].append({**said["choices"][0], "message": {"content": "b"}})
        return said

    found, spent, _ = driven(Known(), twofold)
    assert (Found({}), 1000) == (found, spent.input_tokens)


def test_a_probe_that_hangs_is_asked_twice_and_then_passed_over():
    known, answer = Known(), faithful(VLLM)

    def hanging(sent):
        [field] = constraints(sent)
        return TimeoutError() if field == "structured_outputs.grammar" else answer(sent)

    for _ in range(2):
        with pytest.raises(ProviderError):
            driven(known, hanging)
    assert {"schema": RF, "enum": RF} == driven(known, hanging)[0].fields


# What is remembered


def test_a_passage_set_keeps_its_step_down_and_no_other_set_takes_it():
    known = Known()
    known.kept("a", frozenset({"lark"}), obeyed=True)
    known.kept("a", frozenset({"schema"}), obeyed=False)
    assert {"lark", "schema"} == known.lowered("a")
    assert frozenset() == known.lowered("b")


def test_what_fails_like_an_outage_counts_from_the_second_time():
    known, suspected = Known(), frozenset({"lark"})
    known.kept("a", frozenset(), suspected, obeyed=True)
    assert frozenset() == known.lowered("a")
    known.kept("a", frozenset(), suspected, obeyed=True)
    assert suspected == known.lowered("a")


def test_memory_is_bounded():
    known = Known()
    for number in range(1000):
        known.kept(str(number), frozenset({"lark"}), frozenset({"schema"}), obeyed=True)
        known.kept("other", frozenset(), obeyed=True)
    assert len(known._lowered) <= 256
    assert len(known._suspected) <= 256


def test_a_server_that_loses_set_after_set_is_asked_again():
    """Another server may stand at its address by now."""
    known = Known()
    driven(known, faithful(LLAMACPP))
    for key in "ab":
        known.kept(key, frozenset({"lark"}), obeyed=False)
    known.kept("c", frozenset(), obeyed=True)
    for key in "de":
        known.kept(key, frozenset({"lark"}), obeyed=False)
    assert known.found is not None
    known.kept("f", frozenset({"lark"}), obeyed=False)
    assert known.found is None
    assert frozenset() == known.lowered("a")
    assert OLLAMA == set(driven(known, faithful(OLLAMA))[0].fields.items()) - {("enum", RF)}


# A text that reaches its bound

FLOODS = PASSAGES[1].text
RUN_ON = {
    "sources": ["S2"],
    "quote": FLOODS,
    "text": ("No flood is covered, none at all, " * 12)[:400],
}
WHOLE = {**RUN_ON, "text": FLOODS}
CUT = json.dumps(
    {"status": "answered", "statements": [WHOLE, RUN_ON]},
    separators=(",", ":"),
    ensure_ascii=False,
)


@pytest.mark.parametrize("obeyed", [VLLM, OLLAMA, {("gbnf", "grammar")}])
@pytest.mark.parametrize("streams", [False, True])
def test_a_statement_that_was_cut_off_is_not_shown_and_the_whole_ones_are(obeyed, streams):
    parts = openai_parts([CUT[at : at + 30] for at in range(0, len(CUT), 30)])
    said = in_turn(Said(chunks=parts) if streams else says(CUT))
    with serving(obeying(obeyed, said)) as server:
        model = vllm(f"cut-{len(obeyed)}-{streams}", server.url)
        given = {"model": model, "judge": ScriptedJudge()}
        if streams:
            *_, ended = events = list(stream(QUESTION, PASSAGES, **given))
            answer, shown = ended.answer, [e.statement for e in events if e.statement]
        else:
            answer = ask(QUESTION, PASSAGES, **given)
            shown = answer.statements
        assert 1 == len(real(server))
    assert answer.constraint == ("grammar" if obeyed == VLLM else "schema")
    assert [FLOODS] == [statement.text for statement in shown]
    assert [(1, "cut_off")] == [(f.index, f.reason) for f in answer.findings]


# Cost, time, threads


def test_the_cost_of_asking_is_counted_with_the_first_reply(own):
    _, generator = own(obeying(VLLM, in_turn(says(DRAFT))))
    assert Usage(300, 60, 180) == generator.generate(request()).usage
    assert Usage(100, 20, 60) == generator.generate(request()).usage


def test_the_cost_of_asking_is_counted_where_it_fails(own):
    probes = in_turn(says("Sure!"), fails(401))
    _, generator = own(obeying(NOTHING, in_turn(says(DRAFT)), probes=probes))
    with pytest.raises(ProviderError) as caught:
        generator.generate(request())
    assert (401, Usage(100, 20, 60)) == (caught.value.status, caught.value.wasted)


def test_an_outage_while_asking_is_waited_for_as_any_other(own):
    busy = in_turn(fails(503, retry_after="0"), Said(body=completion(""), cut=True), says("Sure!"))
    server, generator = own(obeying(NOTHING, in_turn(says(DRAFT)), probes=busy))
    reply = generator.generate(request())
    assert ("none", "json_schema", 12) == (
        reply.constraint,
        reply.response_format,
        len(probed(server)),
    )


def test_asking_ends_with_the_deadline_of_the_call(own):
    server, generator = own(lambda asked: Said(wait=20))
    with within(0.3), pytest.raises(DeadlineError):
        generator.generate(request())
    with within(0.3), pytest.raises(DeadlineError):
        asyncio.run(generator.agenerate(request()))
    assert 2 == len(server.asked)


HANGING = {
    "before its status": Said(wait=30),
    "after its headers": Said(hang=True),
    "in a body that drips": Said(chunks=[b" "] * 300, drip=0.1),
}


async def streamed(model, limit):
    events = [e async for e in astream(QUESTION, PASSAGES, model=model, timeout=limit)]
    raise events[-1].error


@pytest.mark.parametrize("said", HANGING.values(), ids=HANGING)
@pytest.mark.parametrize("kind", [openai.OpenAI, openai.AsyncOpenAI])
def test_a_server_that_takes_a_probe_and_hangs_ends_with_the_call_whatever_drives_it(said, kind):
    """No call lasts longer than its deadline and a second, the probes of its server included."""
    limit = 0.4
    calls = [
        lambda model: asyncio.run(aask(QUESTION, PASSAGES, model=model, timeout=limit)),
        lambda model: asyncio.run(streamed(model, limit)),
    ]
    if kind is openai.OpenAI:
        calls.append(lambda model: ask(QUESTION, PASSAGES, model=model, timeout=limit))
    with serving(lambda asked: said) as server:
        for number, call in enumerate(calls):
            client = kind(api_key="k", base_url=f"{server.url}/v1")
            model = OpenAIGenerator(client, f"m{number}", own_server=True)
            start = time.monotonic()
            with pytest.raises(DeadlineError):
                call(model)
            assert time.monotonic() - start < limit + 1
        # The first one may have been late before it sent anything: it imports the client's parts.
        assert {True} == {is_probe(asked.body) for asked in server.asked}


def test_making_a_constraint_ends_with_the_deadline_of_the_call(own, monkeypatch):
    """A grammar of many passages takes seconds to compile, which no time-out of a client ends."""
    slow = threading.Event()
    monkeypatch.setattr(sending, "_fault", lambda: lambda grammar, draft: str(slow.wait(30)))
    server, generator = own(obeying(VLLM, in_turn(says(DRAFT))))
    try:
        with within(0.4), pytest.raises(DeadlineError, match="still being made"):
            generator.generate(request())
        with within(0.4), pytest.raises(DeadlineError, match="still being made"):
            asyncio.run(generator.agenerate(request()))
    finally:
        slow.set()
    assert [] == real(server)


def test_threads_and_loops_ask_once(own):
    server, generator = own(obeying(LLAMACPP, in_turn(says(DRAFT))))
    threads = [threading.Thread(target=generator.generate, args=[request()]) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (3, 6) == (len(probed(server)), len(real(server)))


def test_a_client_and_a_model_are_asked_once_however_many_generators_there_are():
    answer = obeying(OLLAMA, in_turn(says(DRAFT)))
    with serving(answer) as server, openai.OpenAI(api_key="k", base_url=server.url) as client:
        for model in ("a", "a", "b"):
            OpenAIGenerator(client, model, own_server=True).generate(request())
        assert 8 == len(probed(server))


def test_a_client_that_cannot_be_remembered_is_asked_by_each_generator():
    class Client:
        __hash__ = None
        __slots__ = ()

    assert known_of(Client(), "m") is not known_of(Client(), "m")
    assert known_of(openai, "m") is known_of(openai, "m")


def test_tasks_ask_once_and_whoever_waits_too_long_is_told():
    async def many(generator):
        return await asyncio.gather(*(generator.agenerate(request()) for _ in range(6)))

    with serving(obeying(LLAMACPP, in_turn(says(DRAFT)))) as server:
        generator = vllm("tasks", server.url)
        assert 6 == len(asyncio.run(many(generator)))
        assert 3 == len(probed(server))


def test_whoever_waits_for_another_to_ask_ends_with_its_own_deadline():
    known = Known()

    async def waiting():
        async with known.aturn("m"):
            pytest.fail("it was not its turn")

    with known.turn("m"):
        with within(0.1), pytest.raises(DeadlineError), known.turn("m"):
            pytest.fail("it was not its turn")
        with within(0.1), pytest.raises(DeadlineError):
            asyncio.run(waiting())
    with known.turn("m"):
        pass


def test_no_passage_and_no_nonce_is_in_a_repr():
    assert "grammar" in repr(Found({"lark": "grammar"}))
    assert "Found" not in repr(Known())
