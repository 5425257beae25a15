"""Outlines' models in this process: bound to the end, or not said to be."""

from __future__ import annotations

import asyncio
import gc
import json
import sys
import threading
import time
import types
import weakref
from concurrent.futures import ThreadPoolExecutor
from typing import Literal

import numpy as np
import pytest
from pydantic import BaseModel

from groundedgen import Passage, Policy, aliases, ask, cited, draft, prompt
from groundedgen.conformance import check_generator
from groundedgen.deadlines import unblocked, within
from groundedgen.errors import (
    DeadlineError,
    DraftFormatError,
    GenerationError,
    InputError,
    MissingExtraError,
    ProviderError,
    TruncatedError,
)
from groundedgen.gates import quote_gate
from groundedgen.values import Prompt, Request
from tests.servers.loopback import true_soon
from tests.servers.own_wire import nonce_of

outlines = pytest.importorskip("outlines", reason="needs the extra outlines")

from groundedgen.generators.outlines import OutlinesGenerator
from groundedgen.generators.outlining import guarded
from groundedgen.generators.outlining.guarded import Guarded
from tests.generators import steerable

TEXTS = (
    "Water damage from a burst pipe is covered up to 12,000 euros per claim. Floods are not.",
    "A claim has to be reported within 30 days. The insurer answers within two weeks.",
)
ANSWERED = b'{"status":"answered","statements":[{"sources":["S1"],"quote":"'
QUOTED = TEXTS[0].split(". ")[0].encode() + b"."
RUNS_ON = ANSWERED + QUOTED + b'","text":"A burst pipe is covered' + b" and so on" * 30 + b'."}]}'


@pytest.fixture(autouse=True)
def _lots(monkeypatch):
    steerable.install(monkeypatch)


def _request(texts=TEXTS, **further):
    named = aliases.assign([Passage(f"p{n}", text) for n, text in enumerate(texts)])
    words = prompt.build("Is a burst pipe covered?", named)
    return Request("?", words, draft.schema(named.names), dict(named.docs), **further)


def _short(**further):
    return _request(max_statements=1, **further)


def _generator(**how):
    options = {name: how.pop(name) for name in ("timeout", "max_tokens", "options") if name in how}
    model = steerable.model(**how)
    return OutlinesGenerator(model, **options), model.model


@pytest.mark.parametrize("seed", range(8))
def test_what_random_weights_write_under_the_grammar_is_a_draft_with_real_quotes(seed):
    generator, llama = _generator(seed=seed)
    request = _short()
    reply = generator.generate(request)
    assert (reply.constraint, reply.response_format) == ("grammar", "grammar")
    _keeps_to(reply, request)
    assert llama.lost == 0


def test_usage_counts_the_prompt_and_the_tokens_written():
    generator, llama = _generator(heeds=b'{"status":"not_found","statements":[]}')
    reply = generator.generate(_short())
    words = "\n".join(message["content"] for message in llama.asked[-1])
    assert (len(words.encode()), 39) == (reply.usage.input_tokens, reply.usage.output_tokens)


def test_the_rules_go_as_a_system_message_where_the_template_takes_one():
    generator, llama = _generator()
    request = _short()
    generator.generate(request)
    assert [
        {"role": "system", "content": request.prompt.system},
        {"role": "user", "content": request.prompt.user},
    ] == llama.asked[-1]


def test_a_template_without_a_system_role_gets_the_rules_before_the_question():
    generator, llama = _generator(refuses_system=True)
    request = _short()
    assert generator.generate(request).constraint == "grammar"
    rules = f"{request.prompt.system}\n\n{request.prompt.user}"
    assert [{"role": "user", "content": rules}] == llama.asked[-1]


def test_a_model_without_a_chat_template_gets_plain_text():
    llama = steerable.Llama()
    model = outlines.from_llamacpp(llama, chat_mode=False)
    request = _short()
    OutlinesGenerator(model).generate(request)
    assert f"{request.prompt.system}\n\n{request.prompt.user}" == llama.asked[-1]


def test_what_a_model_obeys_is_asked_once_for_all_generators_made_from_it():
    generator, llama = _generator()
    generator.generate(_short())
    OutlinesGenerator(generator._asker.model).generate(_short())
    probes = [asked for asked in llama.asked if "one word" in str(asked)]
    assert len(probes) == 1


def test_a_grammar_is_compiled_once_for_the_same_passages(monkeypatch):
    generator, _ = _generator()
    compiled = []
    whole = guarded.Compiler._compile
    monkeypatch.setattr(
        guarded.Compiler,
        "_compile",
        lambda self, *what: compiled.append(what) or whole(self, *what),
    )
    for _ in range(3):
        generator.generate(_short())
    assert 1 == len([text for _, text in compiled if "burst" in text])


def test_a_model_whose_processors_are_never_called_is_not_said_to_be_bound():
    said = b"Certainly! A burst pipe is covered."
    generator, _ = _generator(ignores=True, heeds=said)
    reply = generator.generate(_short())
    assert ("none", "text", said.decode()) == (
        reply.constraint,
        reply.response_format,
        reply.raw,
    )
    with pytest.raises(DraftFormatError):
        cited.parse(reply, ("S1", "S2"))


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_outlines_alone_returns_free_text_where_a_processor_raises_inside_the_callback(monkeypatch):
    """The loss that the next tests are about, so that they cannot pass for another reason."""
    model = steerable.model(heeds=b"Free.")
    monkeypatch.setattr(
        guarded.LLGuidanceLogitsProcessor, "_setup", _raising(ImportError("no numba"))
    )
    grammar = outlines.types.CFG('start: "bound"')
    assert "Free." == outlines.Generator(model, grammar)("Hi", max_tokens=20)
    assert model.model.lost > 0


def test_a_module_that_a_processor_misses_is_an_error_that_names_the_extra(monkeypatch):
    generator, llama = _generator(heeds=b"Free.")
    monkeypatch.setattr(
        guarded.LLGuidanceLogitsProcessor, "_setup", _raising(ImportError("no numba"))
    )
    with pytest.raises(MissingExtraError) as told:
        generator.generate(_short())
    assert ("outlines", 0) == (told.value.extra, llama.lost)


def test_a_processor_that_fails_in_mid_answer_leaves_no_free_text(monkeypatch):
    generator, llama = _generator(heeds=ANSWERED)
    _fails_after(monkeypatch, 60, RuntimeError("too many expressions constructed"))
    reply = generator.generate(_request())
    assert ("none", ANSWERED.decode()) == (reply.constraint, reply.raw)
    assert llama.lost == 0


def test_a_grammar_that_fails_in_mid_answer_goes_down_one_rung(monkeypatch):
    generator, _ = _generator(heeds=ANSWERED)
    generator.generate(_short())
    seen = _fails_after(monkeypatch, 60, RuntimeError("fuel"), times=1)
    reply = generator.generate(_short())
    assert ("schema", 1) == (reply.constraint, seen["failed"])


def test_a_grammar_too_large_for_the_vocabulary_goes_down_a_rung(monkeypatch):
    generator, _ = _generator()
    compiled = guarded.Compiler._compile

    def fails(self, kind, text):
        broken = kind == "lark" and "burst" in text
        return compiled(self, kind, "start: nosuch" if broken else text)

    monkeypatch.setattr(guarded.Compiler, "_compile", fails)
    reply = generator.generate(_short())
    assert ("schema", "json_schema") == (reply.constraint, reply.response_format)


def test_a_matcher_that_is_in_error_is_found_by_its_first_mask_not_taken_for_an_empty_reply(
    monkeypatch,
):
    generator, _ = _generator()
    monkeypatch.setattr(guarded.Compiler, "fault", lambda *_: "")
    compiled = guarded.Compiler._compile

    def fails(self, kind, text):
        broken = kind == "lark" and "burst" in text
        return compiled(self, kind, "start: nosuch" if broken else text)

    monkeypatch.setattr(guarded.Compiler, "_compile", fails)
    assert generator.generate(_short()).constraint == "schema"


def test_a_vocabulary_that_llguidance_does_not_know_leaves_the_prompt_alone(monkeypatch):
    generator, _ = _generator(heeds=b'{"status":"not_found","statements":[]}')
    monkeypatch.setattr(
        guarded.LLGuidanceBackend,
        "_create_llg_tokenizer",
        _raising(ValueError("Only fast tokenizers are supported")),
    )
    reply = generator.generate(_short())
    assert ("none", "text") == (reply.constraint, reply.response_format)
    assert cited.parse(reply, ("S1", "S2")) == draft.NotFound(0)


def test_a_reply_that_reaches_the_limit_of_tokens_is_cut_off():
    generator, _ = _generator(max_tokens=70, heeds=ANSWERED)
    reply = generator.generate(_request())
    assert "length" == reply.finish_reason
    with pytest.raises(TruncatedError):
        cited.parse(reply, ("S1", "S2"))


def test_the_callers_own_limit_of_tokens_counts():
    generator, _ = _generator(options={"max_tokens": 70}, heeds=ANSWERED)
    assert "length" == generator.generate(_request()).finish_reason


def test_a_model_is_stopped_at_the_deadline_with_its_next_token():
    generator, llama = _generator(seed=1)
    generator.generate(_short())
    llama.step = 0.02
    with within(0.3), pytest.raises(DeadlineError):
        generator.generate(_request(min_quote_words=1))
    _until(lambda: llama.busy == 0)
    assert llama.busy == 0


def test_a_cancelled_call_stops_the_model_with_its_next_token():
    generator, llama = _generator(heeds=RUNS_ON)
    generator.generate(_short())
    llama.step = 0.05
    asyncio.run(_cancelled(generator.agenerate(_short()), lambda: llama.busy))
    _until(lambda: llama.busy == 0)
    assert 0 == llama.busy
    llama.step = 0.0
    with within(20):
        assert "grammar" == generator.generate(_short()).constraint


def test_a_call_that_is_cancelled_while_it_waits_for_its_turn_never_reaches_the_model():
    generator, llama = _generator()
    generator.generate(_short())
    before, threads = len(llama.asked), set(threading.enumerate())
    with generator._known.turn:
        waits = _Noted(generator._known.turn)
        generator._known.turn = waits
        asyncio.run(_cancelled(generator.agenerate(_short()), lambda: waits.asked))
    _until(lambda: set(threading.enumerate()) <= threads)
    assert (before, threads) == (len(llama.asked), threads | set(threading.enumerate()))


def test_a_cancelled_batch_stops_the_model_with_its_next_token():
    model = steerable.batching(seed=5)
    generator = OutlinesGenerator(model)
    generator.generate(_short())
    model.random = drawn = _Slow(model.random)
    threads = set(threading.enumerate())

    def asked():
        return generator.generate_batch([_request(), _request()])

    asyncio.run(_cancelled(unblocked(asked), lambda: drawn.times > 2))
    at_most = drawn.times + 3
    _until(lambda: set(threading.enumerate()) <= threads)
    assert drawn.times <= at_most


def test_a_timeout_of_its_own_is_an_error_of_the_model():
    generator, llama = _generator(seed=1)
    generator.generate(_short())
    slow = OutlinesGenerator(generator._asker.model, timeout=0.2)
    llama.step = 0.02
    with pytest.raises(ProviderError) as told:
        slow.generate(_request(min_quote_words=1))
    assert told.value.retryable


def test_a_model_has_one_call_at_a_time():
    generator, llama = _generator()
    with ThreadPoolExecutor(4) as pool:
        replies = list(pool.map(generator.generate, [_short()] * 4))
    assert 1 == llama.busiest
    assert ["grammar"] * 4 == [reply.constraint for reply in replies]


def test_a_model_that_stays_busy_is_not_waited_for_beyond_the_deadline():
    generator, _ = _generator()
    generator.generate(_short())
    with generator._known.turn, within(0.2), pytest.raises(DeadlineError):
        generator.generate(_short())


def test_another_schema_than_a_drafts_is_asked_for_by_itself():
    generator, _ = _generator()
    reply = generator.generate(Request("?", Prompt("", "Is it?", "1"), _Verdict, {}))
    assert ("enum", "json_schema") == (reply.constraint, reply.response_format)
    assert _Verdict.model_validate_json(reply.raw)


def test_an_error_of_the_model_names_its_class_and_none_of_its_words():
    generator, llama = _generator()
    generator.generate(_short())
    llama.create_chat_completion = _raising(ValueError("secret words"))
    with pytest.raises(ProviderError) as told:
        generator.generate(_short())
    assert "ValueError" in str(told.value)
    assert "secret" not in str(told.value)


def test_asked_asynchronously_it_runs_in_a_thread():
    generator, _ = _generator()
    assert asyncio.run(generator.agenerate(_short())).constraint == "grammar"


def test_what_is_no_model_of_outlines_is_refused():
    with pytest.raises(InputError, match="str"):
        OutlinesGenerator("gpt2")


def test_a_generator_is_named_after_the_class_and_the_model():
    assert "outlines/llamacpp" == OutlinesGenerator(steerable.model()).name
    model = outlines.models.Ollama(None, "qwen3:8b")
    assert "outlines/ollama/qwen3:8b" == OutlinesGenerator(model).name


def test_it_is_what_a_generator_promises():
    generator, _ = _generator(max_tokens=6000)
    check_generator(generator)


def test_nothing_a_model_with_random_weights_writes_is_shown_unverified():
    generator, _ = _generator(seed=3)
    passages = [Passage(f"p{n}", text) for n, text in enumerate(TEXTS)]
    for _ in range(3):
        try:
            answer = ask("Is it?", passages, model=generator, policy=Policy(regenerate=False))
        except GenerationError:
            continue
        assert all(statement.verified for statement in answer.statements)
        assert answer.constraint == "grammar"


def test_an_outlines_model_is_taken_as_it_is():
    model = steerable.model(heeds=b'{"status":"not_found","statements":[]}')
    answer = ask("Is it?", [Passage("p", TEXTS[0])], model=model)
    assert ("not_found", "outlines/llamacpp") == (answer.status, answer.engine)


def test_prompts_too_long_for_the_model_are_told_with_a_way_out():
    generator, llama = _generator()
    generator.generate(_short())
    llama.create_chat_completion = _raising(
        ValueError("Requested tokens (5000) exceed context window of 4096")
    )
    with pytest.raises(ProviderError) as told:
        generator.generate(_short())
    assert "fewer or shorter" in told.value.hint


def test_what_is_known_of_a_model_goes_with_it():
    generator, llama = _generator()
    generator.generate(_short())
    gone = weakref.ref(llama)
    del generator, llama
    _until(lambda: gc.collect() is None or gone() is None)  # a thread may still be ending
    assert gone() is None


def test_a_batch_goes_as_one_and_each_row_has_its_own_grammar():
    model = steerable.batching()
    generator = OutlinesGenerator(model)
    requests = [_short(), _request(TEXTS[1:], max_statements=1), _request(max_statements=2)]
    replies = generator.generate_batch(requests)
    assert [1, 3] == model.batches
    assert ["grammar"] * 3 == [reply.constraint for reply in replies]
    for reply, request in zip(replies, requests, strict=True):
        _keeps_to(reply, request)
        assert reply.usage.output_tokens > 0


def test_a_row_of_a_batch_that_reached_the_limit_is_cut_off_alone():
    model = steerable.batching(seed=5)
    nothing = Request("?", Prompt("", "Say it.", "1"), _Verdict, {})
    replies = OutlinesGenerator(model, max_tokens=45).generate_batch([nothing, _request()])
    assert ["stop", "enum"] == [replies[0].finish_reason, replies[0].constraint]
    assert replies[1].finish_reason == "length" or "not_found" in replies[1].raw


def test_a_batch_in_which_a_grammar_failed_is_asked_for_one_by_one(monkeypatch):
    model = steerable.batching()
    generator = OutlinesGenerator(model)
    generator.generate(_short())
    _fails_after(monkeypatch, 0, RuntimeError("fuel"), times=1)
    replies = generator.generate_batch([_short(), _short()])
    assert [1, 1, 2, 1, 1] == model.batches
    assert ["grammar"] * 2 == [reply.constraint for reply in replies]


def test_a_batch_whose_model_fails_is_an_error_of_the_model():
    model = steerable.batching()
    generator = OutlinesGenerator(model)
    generator.generate(_short())
    model.generate_batch = _raising(RuntimeError("out of memory"))
    with pytest.raises(ProviderError, match="RuntimeError"):
        generator.generate_batch([_short(), _short()])


def test_several_sequences_for_one_prompt_are_not_bound_by_one_grammar():
    """Rows beyond those asked for would go unbound, so none goes on."""
    model = steerable.batching()
    compiler = guarded.Compiler(model)
    guard = Guarded(compiler, [None], end=[steerable.END], ends=time.monotonic() + 60)
    ids, logits = np.zeros((2, 3), dtype=int), np.zeros((2, 300), dtype=np.float32)
    assert [steerable.END] * 2 == list(guard(ids, logits).argmax(axis=1))
    assert "ValueError" == guard.fault


def test_a_compiler_tries_a_draft_and_keeps_the_last_grammars():
    compiler = guarded.Compiler(steerable.model())
    assert ("", "it admits 0 of the 1 tokens of a draft") == (
        compiler.fault('start: "a"', "a"),
        compiler.fault('start: "a"', "b"),
    )
    for number in range(40):
        assert "" == compiler.fault(f'start: "a{number}"')
    assert len(compiler._compiled) <= 16


def test_transformers_are_told_the_time_and_every_token_that_ends_a_text():
    model = steerable.batching()
    OutlinesGenerator(model, timeout=50, temperature=0.7).generate(_short())
    named = model.named
    assert ([steerable.END], 0.7, True) == (
        named["eos_token_id"],
        named["temperature"],
        named["do_sample"],
    )
    assert 0 < named["max_time"] <= 50


class _Offline:
    """What Outlines uses of `vllm.LLM`: it writes what its parameters bind it to."""

    def __init__(self, *, minds=True):
        self.minds, self.asked = minds, []

    def get_tokenizer(self):
        return types.SimpleNamespace(apply_chat_template=lambda messages: "")

    def get_default_sampling_params(self):
        return _Params()

    def chat(self, *, messages, sampling_params, use_tqdm):
        batch = isinstance(sampling_params, list)
        rows = sampling_params if batch else [sampling_params]
        self.asked.append(rows)
        return [self._said(params) for params in rows]

    def _said(self, params):
        bound = params.structured_outputs.grammar if self.minds else ""
        asked = bound and "NONCE:" in bound
        text = nonce_of(bound) if asked else '{"status":"not_found","statements":[]}'
        output = types.SimpleNamespace(text=text, finish_reason="stop", token_ids=[1, 2])
        return types.SimpleNamespace(outputs=[output], prompt_token_ids=[1])


class _Params:
    __struct_fields__ = ("max_tokens", "temperature", "structured_outputs")

    def __init__(self, max_tokens=16, temperature=1.0, structured_outputs=None):
        self.max_tokens, self.temperature = max_tokens, temperature
        self.structured_outputs = structured_outputs or _Outputs()


class _Outputs:
    def __init__(self, grammar="", json=None):
        self.grammar, self.json = grammar, json


@pytest.fixture
def _vllm(monkeypatch):
    module = types.ModuleType("vllm.sampling_params")
    module.SamplingParams, module.StructuredOutputsParams = _Params, _Outputs
    monkeypatch.setitem(sys.modules, "vllm", types.ModuleType("vllm"))
    monkeypatch.setitem(sys.modules, "vllm.sampling_params", module)


@pytest.mark.usefixtures("_vllm")
def test_vllm_in_this_process_has_a_constraint_and_a_limit_for_each_row():
    model = outlines.from_vllm_offline(_Offline())
    generator = OutlinesGenerator(model, max_tokens=300)
    first, second = generator.generate_batch([_short(), _request(TEXTS[1:])])
    assert ("grammar", "grammar") == (first.constraint, second.constraint)
    assert (1, 2, "stop") == (
        first.usage.input_tokens,
        second.usage.output_tokens,
        first.finish_reason,
    )
    rows = model.model.asked[-1]
    assert [(300, 0.0)] * 2 == [(params.max_tokens, params.temperature) for params in rows]
    assert rows[0].structured_outputs.grammar != rows[1].structured_outputs.grammar
    assert generator.generate(_short()).constraint == "grammar"


@pytest.mark.usefixtures("_vllm")
def test_vllm_in_this_process_that_minds_nothing_is_not_said_to_be_bound():
    generator = OutlinesGenerator(outlines.from_vllm_offline(_Offline(minds=False)))
    assert "none" == generator.generate(_short()).constraint


class _Verdict(BaseModel):
    model_config = {"extra": "forbid"}
    label: Literal["supported", "contradicted"]


async def _cancelled(call, begun):
    task = asyncio.ensure_future(call)
    await true_soon(begun, 20)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


class _Noted:
    """A lock that notes how often it was asked for."""

    def __init__(self, lock):
        self._lock, self.asked, self.release = lock, 0, lock.release

    def acquire(self, **how):
        self.asked += 1
        return self._lock.acquire(**how)


class _Slow:
    """Lots that take their time."""

    def __init__(self, random):
        self._random, self.times = random, 0

    def gumbel(self, size):
        self.times += 1
        time.sleep(0.05)
        return self._random.gumbel(size=size)


def _keeps_to(reply, request):
    """It is JSON whose every quote stands in the passage that it names."""
    docs = dict(request.docs)
    for statement in json.loads(reply.raw)["statements"]:
        (source,) = statement["sources"]
        assert "found" == quote_gate(statement["quote"], source, docs).verdict


def _raising(error):
    def raises(*given, **named):
        raise error

    return raises


def _fails_after(monkeypatch, calls, error, times=10**6):
    """Let the processor's masks fail from the given call on, for so many replies."""
    whole = guarded.LLGuidanceLogitsProcessor._bias_logits_numpy
    seen = {"calls": 0, "failed": 0}

    def fails(self, input_ids, logits):
        seen["calls"] += 1
        if seen["calls"] > calls and seen["failed"] < times:
            seen["failed"] += 1
            raise error
        return whole(self, input_ids, logits)

    monkeypatch.setattr(guarded.LLGuidanceLogitsProcessor, "_bias_logits_numpy", fails)
    return seen


def _until(holds, seconds=5.0):
    ends = time.monotonic() + seconds
    while not holds() and time.monotonic() < ends:
        time.sleep(0.01)
