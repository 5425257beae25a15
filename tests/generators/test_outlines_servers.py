"""Outlines' models behind servers: what each minds is seen, what it loses is not claimed."""

from __future__ import annotations

import asyncio
import json
import sys
import types
from types import SimpleNamespace as Object

import pytest

from groundedgen import Passage, aliases, cited, draft, prompt
from groundedgen.errors import (
    DeadlineError,
    DraftFormatError,
    InputError,
    ProviderError,
    RefusedError,
    TruncatedError,
)
from groundedgen.values import Request, Usage
from tests.servers.loopback import Said, serving
from tests.servers.openai_wire import USAGE, fails, says
from tests.servers.own_wire import (
    LLAMACPP,
    NOTHING,
    OLLAMA,
    SGLANG_LLGUIDANCE,
    VLLM,
    constraints,
    nonce_of,
    obeying,
    probed,
    real,
)

outlines = pytest.importorskip("outlines", reason="needs the extra outlines")
openai = pytest.importorskip("openai", reason="needs the extra openai")

from groundedgen.generators.outlines import OutlinesGenerator

TEXT = "Water damage from a burst pipe is covered up to 12,000 euros per claim."
DRAFT = {
    "status": "answered",
    "statements": [{"sources": ["S1"], "quote": TEXT, "text": "Burst pipes are covered."}],
}
WRITTEN = json.dumps(DRAFT, separators=(",", ":"))
INVENTED = WRITTEN.replace("burst pipe is", "flood is")
FREE = "Certainly! A burst pipe is covered."


def _request():
    named = aliases.assign([Passage("p", TEXT)])
    words = prompt.build("Is a burst pipe covered?", named)
    return Request("?", words, draft.schema(named.names), dict(named.docs))


def _clients(server, kind="OpenAI"):
    return getattr(openai, kind)(api_key="none", base_url=f"{server.url}/v1", max_retries=2)


def _asked(server, make=outlines.from_vllm, **options):
    with _clients(server) as client:
        return OutlinesGenerator(make(client, "m"), **options).generate(_request())


def _fields(server):
    return [next(iter(constraints(asked.body)), "") for asked in real(server)]


@pytest.mark.parametrize(
    ("make", "obeyed", "field"),
    [
        (outlines.from_vllm, VLLM, "structured_outputs.grammar"),
        (outlines.from_openai, VLLM, "structured_outputs.grammar"),
        (outlines.from_sglang, SGLANG_LLGUIDANCE, "ebnf"),
        (outlines.from_openai, LLAMACPP, "grammar"),
        (outlines.from_vllm, LLAMACPP, "grammar"),
        (outlines.from_sglang, LLAMACPP, "grammar"),
    ],
)
def test_the_grammar_goes_into_the_field_that_the_server_minds(make, obeyed, field):
    with serving(obeying(obeyed, lambda _: says(WRITTEN))) as server:
        reply = _asked(server, make)
    assert ("grammar", [field]) == (reply.constraint, _fields(server))


def test_a_server_that_minds_schemas_only_gets_the_passages_own_sentences_as_one():
    with serving(obeying(OLLAMA, lambda _: says(WRITTEN))) as server:
        reply = _asked(server, outlines.from_openai)
    assert ("schema", "json_schema") == (reply.constraint, reply.response_format)
    assert TEXT in json.dumps(real(server)[-1].body["response_format"])


def test_a_server_that_minds_nothing_is_not_said_to_be_bound():
    with serving(obeying(NOTHING, lambda _: says(FREE))) as server:
        reply = _asked(server)
    assert "none" == reply.constraint
    with pytest.raises(DraftFormatError):
        cited.parse(reply, ("S1",))


def test_words_of_passages_stay_out_of_the_schemas_of_hosted_services():
    with serving(lambda _: says(WRITTEN)) as server:
        reply = _asked(server, outlines.from_openai, own_server=False)
    (sent,) = server.asked
    assert ("enum", []) == (reply.constraint, probed(server))
    assert "burst" not in json.dumps(sent.body["response_format"])


def test_an_address_on_the_internet_is_taken_for_a_hosted_service():
    near, far = (
        OutlinesGenerator(outlines.from_openai(openai.OpenAI(api_key="none", base_url=url), "m"))
        for url in ("http://gpu-box:8000/v1", "https://api.example.com/v1")
    )
    assert (True, False) == (near._own, far._own)


def test_what_a_server_minds_is_asked_once_for_all_generators_made_from_a_model():
    with serving(obeying(VLLM, lambda _: says(WRITTEN))) as server, _clients(server) as client:
        model = outlines.from_vllm(client, "m")
        replies = [OutlinesGenerator(model).generate(_request()) for _ in range(3)]
    assert ["grammar"] * 3 == [reply.constraint for reply in replies]
    assert len(probed(server)) == len(set(probed(server)))


@pytest.mark.parametrize(
    "lost",
    [
        says(""),  # vLLM out of fuel while it compiles
        says(FREE),  # llama.cpp, a grammar that does not compile
        says(INVENTED),  # llama.cpp, a grammar that fails in mid-answer
        fails(400, message="grammar error"),  # vLLM
        fails(500, message="does not match the expected peg-native format"),  # llama.cpp
    ],
)
def test_a_server_that_loses_the_grammar_is_not_said_to_be_bound_by_it(lost):
    def answer(asked):
        sent = "".join(constraints(asked.body))
        return lost if "grammar" in sent else says(WRITTEN)

    with serving(obeying(VLLM, answer)) as server:
        reply = _asked(server)
    assert (reply.constraint, reply.raw) in {("schema", WRITTEN), ("none", INVENTED)}


def test_a_server_that_loses_every_constraint_is_not_said_to_be_bound():
    with serving(obeying(VLLM, lambda _: says(FREE))) as server:
        reply = _asked(server)
    assert "none" == reply.constraint


def test_a_reply_that_was_cut_off_is_said_to_be():
    cut = says(WRITTEN[:40], finish_reason="length")
    with serving(obeying(VLLM, lambda _: cut)) as server:
        reply = _asked(server)
    assert ("length", "none") == (reply.finish_reason, reply.constraint)
    with pytest.raises(TruncatedError):
        cited.parse(reply, ("S1",))


def test_a_refusal_that_outlines_would_raise_is_a_refusal():
    with serving(obeying(VLLM, lambda _: says(None, refusal="No."))) as server:
        reply = _asked(server)
    with pytest.raises(RefusedError):
        cited.parse(reply, ("S1",))


def test_a_key_that_is_refused_is_an_error_not_a_server_that_minds_nothing():
    with serving(lambda _: fails(401)) as server, pytest.raises(ProviderError) as told:
        _asked(server)
    assert (401, 1) == (told.value.status, len(server.asked))


def test_limits_and_further_fields_go_along():
    with serving(obeying(VLLM, lambda _: says(WRITTEN))) as server:
        reply = _asked(server, max_tokens=77, options={"seed": 7, "extra_body": {"min_p": 0.1}})
    body = real(server)[-1].body
    assert (7, 0.1, 0.0) == (body["seed"], body["min_p"], body["temperature"])
    assert 77 in (body.get("max_tokens"), body.get("max_completion_tokens"))
    assert reply.usage.output_tokens >= USAGE["completion_tokens"]


def test_an_asynchronous_model_is_awaited():
    async def asked(server):
        async with _clients(server, "AsyncOpenAI") as client:
            generator = OutlinesGenerator(outlines.from_vllm(client, "m"))
            with pytest.raises(InputError, match="aask"):
                generator.generate(_request())
            return await asyncio.gather(*(generator.agenerate(_request()) for _ in range(3)))

    with serving(obeying(VLLM, lambda _: says(WRITTEN))) as server:
        replies = asyncio.run(asked(server))
    assert ["grammar"] * 3 == [reply.constraint for reply in replies]


def test_a_server_of_openais_form_is_read_while_it_arrives():
    async def streamed(server):
        async with _clients(server, "AsyncOpenAI") as client:
            generator = OutlinesGenerator(outlines.from_vllm(client, "m"))
            return [part async for part in generator.astream(_request())]

    with serving(obeying(VLLM, lambda _: says(WRITTEN))) as server:
        parts = asyncio.run(streamed(server))
    assert WRITTEN == parts[-1].raw


def test_the_reply_of_another_server_comes_in_one_piece():
    async def streamed():
        generator, _ = _ollama(WRITTEN)
        return [part async for part in generator.astream(_request())]

    (reply,) = asyncio.run(streamed())
    assert WRITTEN == reply.raw


def test_a_server_that_hangs_is_given_up_in_time():
    with (
        serving(obeying(VLLM, lambda _: Said(wait=5.0))) as server,
        pytest.raises((ProviderError, DeadlineError)),
    ):
        _asked(server, timeout=0.3, attempts=1)


def test_several_requests_to_a_server_go_one_after_the_other():
    with serving(obeying(VLLM, lambda _: says(WRITTEN))) as server, _clients(server) as client:
        generator = OutlinesGenerator(outlines.from_vllm(client, "m"))
        replies = generator.generate_batch([_request()] * 2)
    assert ["grammar"] * 2 == [reply.constraint for reply in replies]


# --- servers that have a client of their own ----------------------------------------------------


class Minding:
    """It minds a schema, or not; it is asked for a word, and then for drafts."""

    def __init__(self, *drafts, minds=True):
        self.drafts, self.minds, self.sent = list(drafts), minds, []

    def said(self, prompt, schema):
        if "one word" not in prompt:
            return self.drafts.pop(0) if len(self.drafts) > 1 else self.drafts[0]
        bound = json.loads(schema) if isinstance(schema, str) else schema
        return nonce_of(bound) if bound and self.minds else "Ready."


class Ollama(Minding):
    """What Outlines uses of `ollama.Client`."""

    end = "stop"

    def chat(self, *, messages, format, **named):  # noqa: A002  # Ollama's own name
        self.sent.append({"messages": messages, "format": format, **named})
        said = self.said(messages[-1]["content"], format)
        if isinstance(said, Exception):
            raise said
        told = {"done_reason": self.end, "prompt_eval_count": 50, "eval_count": 9}
        return Object(message=Object(content=said), **told)


class AsyncOllama(Ollama):
    async def chat(self, **asked):
        return super().chat(**asked)


def _ollama(*drafts, minds=True, **options):
    client = Ollama(*drafts, minds=minds)
    generator = OutlinesGenerator(outlines.models.Ollama(client, "qwen3"), **options)
    return generator, client


def test_ollama_is_bound_by_a_schema_and_says_what_it_cost():
    generator, client = _ollama(WRITTEN, max_tokens=300)
    reply = generator.generate(_request())
    assert ("schema", Usage(50, 9)) == (reply.constraint, reply.usage)
    assert {"num_predict": 300, "temperature": 0.0} == client.sent[-1]["options"]
    assert TEXT in json.dumps(client.sent[-1]["format"])


def test_an_ollama_that_ignores_the_schema_is_not_said_to_be_bound():
    generator, client = _ollama(FREE, minds=False)
    assert ("none", None) == (generator.generate(_request()).constraint, client.sent[-1]["format"])


@pytest.mark.parametrize("lost", ["", FREE, INVENTED])
def test_a_reply_that_lost_its_schema_is_asked_for_with_a_looser_one(lost):
    generator, client = _ollama(lost, WRITTEN)
    reply = generator.generate(_request())
    assert ("enum", Usage(100, 18)) == (reply.constraint, reply.usage)
    assert TEXT not in json.dumps(client.sent[-1]["format"])


def test_a_reply_that_loses_every_constraint_is_not_said_to_be_bound():
    generator, client = _ollama(FREE)
    reply = generator.generate(_request())
    assert ("none", FREE, None) == (reply.constraint, reply.raw, client.sent[-1]["format"])


def test_a_reply_that_was_cut_off_is_no_reason_to_ask_for_less():
    generator, client = _ollama(WRITTEN[:40])
    generator.generate(_request())
    client.end, client.sent = "length", []
    reply = generator.generate(_request())
    assert ("length", "none", 1) == (reply.finish_reason, reply.constraint, len(client.sent))


def test_a_template_that_refuses_a_system_message_is_asked_without_one():
    class NoSystem(Exception):  # noqa: N818  # as an SDK's
        status_code = 400
        body = "System role not supported"

    generator, client = _ollama(NoSystem(), WRITTEN)
    reply = generator.generate(_request())
    assert ("schema", ["user"]) == (
        reply.constraint,
        [message["role"] for message in client.sent[-1]["messages"]],
    )


def test_an_error_of_an_sdk_is_told_by_its_status():
    class ResponseError(Exception):
        status_code = 404

    generator, _ = _ollama(WRITTEN)
    generator.generate(_request())
    generator._asker.model.client.drafts = [ResponseError("secret")]
    with pytest.raises(ProviderError, match="404") as told:
        generator.generate(_request())
    assert "secret" not in str(told.value)


def test_an_asynchronous_ollama_is_awaited():
    client = AsyncOllama(WRITTEN)
    generator = OutlinesGenerator(outlines.models.AsyncOllama(client, "qwen3"))
    reply = asyncio.run(generator.agenerate(_request()))
    assert ("schema", Usage(50, 9)) == (reply.constraint, reply.usage)


def test_an_asynchronous_model_that_fails_is_an_error_of_the_model():
    class ResponseError(Exception):
        status_code = 404

    client = AsyncOllama(WRITTEN)
    generator = OutlinesGenerator(outlines.models.AsyncOllama(client, "qwen3"))
    asyncio.run(generator.agenerate(_request()))
    client.drafts = [ResponseError("secret")]
    with pytest.raises(ProviderError, match="404"):
        asyncio.run(generator.agenerate(_request()))


class TGI(Minding):
    """What Outlines uses of `huggingface_hub.InferenceClient`."""

    model = "http://127.0.0.1:8080"

    def text_generation(self, **asked):
        self.sent.append(asked)
        said = self.said(asked["prompt"], asked.get("grammar", {}).get("value"))
        end = Object(finish_reason="eos_token", generated_tokens=9)
        return Object(generated_text=said, details=end)


def test_tgi_is_bound_by_a_schema_and_gets_plain_text():
    client = TGI(WRITTEN)
    reply = OutlinesGenerator(outlines.models.TGI(client)).generate(_request())
    assert ("schema", WRITTEN, 9) == (reply.constraint, reply.raw, reply.usage.output_tokens)
    assert isinstance(client.sent[-1]["prompt"], str)
    assert 2048 == client.sent[-1]["max_new_tokens"]


def test_a_tgi_client_that_drops_the_grammar_is_seen_to():
    """`huggingface_hub` leaves out, with a warning, what a server said once it did not take."""
    client = TGI(FREE, minds=False)
    assert "none" == OutlinesGenerator(outlines.models.TGI(client)).generate(_request()).constraint


def test_a_model_that_thinks_longer_than_a_probe_is_probed_with_more_tokens():
    class Thinking(Ollama):
        def said(self, prompt, schema):
            longest = self.sent[-1]["options"]["num_predict"]
            self.end = "length" if longest < 1000 else "stop"
            return "" if longest < 1000 else super().said(prompt, schema)

    client = Thinking(WRITTEN)
    model = outlines.models.Ollama(client, "qwen3")
    assert "schema" == OutlinesGenerator(model, max_tokens=2000).generate(_request()).constraint


class Mistral(Minding):
    """What Outlines uses of `mistralai.Mistral`: a hosted service."""

    chat = property(lambda self: self)

    def complete(self, *, messages, response_format, **named):
        self.sent.append({"response_format": response_format, **named})
        message = Object(content=self.said("", response_format), role="assistant")
        choice = Object(message=message, finish_reason="stop")
        return Object(choices=[choice], usage=Object(prompt_tokens=50, completion_tokens=9))


@pytest.fixture
def _mistralai(monkeypatch):
    module = types.ModuleType("mistralai")
    for role in ("UserMessage", "SystemMessage", "AssistantMessage"):
        setattr(module, role, lambda content: {"content": content})
    monkeypatch.setitem(sys.modules, "mistralai", module)


@pytest.mark.usefixtures("_mistralai")
def test_a_hosted_service_is_not_probed_and_told_no_words_of_passages_in_a_schema():
    client = Mistral(WRITTEN)
    reply = OutlinesGenerator(outlines.models.Mistral(client, "m")).generate(_request())
    assert ("enum", Usage(50, 9), 1) == (reply.constraint, reply.usage, len(client.sent))
    assert TEXT not in json.dumps(client.sent[0])


@pytest.mark.usefixtures("_mistralai")
def test_a_hosted_service_that_does_not_keep_to_its_schema_is_not_said_to():
    client = Mistral(FREE)
    reply = OutlinesGenerator(outlines.models.Mistral(client, "m")).generate(_request())
    assert ("none", 2) == (reply.constraint, len(client.sent))


def test_gemini_and_anthropic_get_what_their_clients_take():
    from outlines.models import Anthropic, Gemini

    class Google:
        models = property(lambda self: self)

        def generate_content(self, *, contents, model, config):
            self.config = config
            end = Object(finish_reason=Object(name="STOP"))
            return Object(text=WRITTEN, candidates=[end])

    client = Google()
    reply = OutlinesGenerator(Gemini(client, "g"), max_tokens=99).generate(_request())
    assert ("enum", 99) == (reply.constraint, client.config["max_output_tokens"])
    assert "response_json_schema" in client.config

    class Claude:
        messages = property(lambda self: self)

        def create(self, *, messages, model, max_tokens):
            self.sent = messages
            return Object(content=[Object(type="text", text=WRITTEN)], stop_reason="end_turn")

    client = Claude()
    reply = OutlinesGenerator(Anthropic(client, "c")).generate(_request())
    assert ("none", ["user"]) == (reply.constraint, [message["role"] for message in client.sent])


def test_a_class_of_models_that_is_not_known_is_probed_like_any():
    from outlines.models.base import Model, ModelTypeAdapter

    class Adapter(ModelTypeAdapter):
        def format_input(self, model_input):
            return model_input

        def format_output_type(self, output_type=None):
            return output_type

    class Mine(Model):
        type_adapter = Adapter()

        def generate(self, model_input, output_type=None, **inference_kwargs):
            if isinstance(output_type, outlines.types.CFG):
                raise NotImplementedError
            return FREE

        def generate_batch(self, model_input, output_type=None, **inference_kwargs):
            raise NotImplementedError

        def generate_stream(self, model_input, output_type=None, **inference_kwargs):
            raise NotImplementedError

    reply = OutlinesGenerator(Mine(), own_server=True).generate(_request())
    assert ("none", FREE, "outlines/mine") == (reply.constraint, reply.raw, reply.engine)
