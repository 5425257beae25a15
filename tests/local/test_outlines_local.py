"""Outlines on real PyTorch: what a model with random weights writes under the grammar is a draft.

The weights are of no matter to a constraint, so a model is made on the spot; the tokenizer is real,
trained on a few sentences. SmolLM2 is asked as well, and a real vLLM with it.
"""

from __future__ import annotations

import json

import pytest

from groundedgen import Passage, Policy, aliases, ask, draft, prompt
from groundedgen.deadlines import within
from groundedgen.errors import DeadlineError, GenerationError
from groundedgen.gates import quote_gate
from groundedgen.values import Request

# PyTorch and transformers warn of their own affairs.
pytestmark = pytest.mark.filterwarnings("ignore")

torch = pytest.importorskip("torch", reason="needs PyTorch: make test-local")
transformers = pytest.importorskip("transformers", reason="needs transformers: make test-local")
tokenizers = pytest.importorskip("tokenizers", reason="needs tokenizers: make test-local")
outlines = pytest.importorskip("outlines", reason="needs the extra outlines")

from groundedgen.generators.outlines import OutlinesGenerator

TEXTS = (
    'Water damage from a burst pipe is covered up to 12,000 euros. Floods are "not covered".',
    "Ein Schaden ist binnen 30 Tagen zu melden. 保险公司在三十天内赔偿。",
)
TEMPLATE = (
    "{% for message in messages %}<{{ message['role'] }}>{{ message['content'] }}\n{% endfor %}"
    "{% if add_generation_prompt %}<assistant>{% endif %}"
)
ENDS = "<end>"


def _tokenizer(template=TEMPLATE):
    """Byte-level BPE, as most models have it, with merges across blanks, digits and quotes."""
    made = tokenizers.Tokenizer(tokenizers.models.BPE())
    made.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = tokenizers.decoders.ByteLevel()
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=500,
        special_tokens=[ENDS],
        initial_alphabet=tokenizers.pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    made.train_from_iterator([*TEXTS, '{"status":"answered","statements":[{"sources":'], trainer)
    wrapped = transformers.PreTrainedTokenizerFast(
        tokenizer_object=made, eos_token=ENDS, pad_token=ENDS
    )
    wrapped.chat_template = template
    return wrapped


def _model(seed=0, template=TEMPLATE):
    tokenizer = _tokenizer(template)
    torch.manual_seed(seed)
    config = transformers.LlamaConfig(
        vocab_size=len(tokenizer) + 7,  # padded, as real ones are
        hidden_size=32,
        intermediate_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        max_position_embeddings=16384,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    model = transformers.LlamaForCausalLM(config).eval()
    return outlines.from_transformers(model, tokenizer)


def _request(texts=TEXTS, **further):
    named = aliases.assign([Passage(f"p{n}", text) for n, text in enumerate(texts)])
    words = prompt.build("Is a burst pipe covered?", named)
    limits = {"max_statements": 1, **further}
    return Request("?", words, draft.schema(named.names), dict(named.docs), **limits)


def _keeps_to(reply, request):
    docs = dict(request.docs)
    for statement in json.loads(reply.raw)["statements"]:
        (source,) = statement["sources"]
        assert "found" == quote_gate(statement["quote"], source, docs).verdict


@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_random_weights_write_drafts_with_real_quotes_under_the_grammar(temperature):
    generator = OutlinesGenerator(_model(), temperature=temperature)
    for _ in range(3):
        request = _request()
        reply = generator.generate(request)
        assert ("grammar", "grammar") == (reply.constraint, reply.response_format)
        _keeps_to(reply, request)
        assert reply.usage.input_tokens > 100


def test_without_the_grammar_the_same_weights_write_no_json():
    model = _model()
    words = model(outlines.inputs.Chat([{"role": "user", "content": "Hi"}]), max_new_tokens=60)
    with pytest.raises(ValueError, match="Expecting"):
        json.loads(words)


def test_the_rules_go_through_the_chat_template():
    model = _model()
    seen = []
    encode = model.tokenizer.encode
    model.tokenizer.encode = lambda words, **named: seen.append(words) or encode(words, **named)
    request = _request()
    OutlinesGenerator(model).generate(request)
    assert seen[-1].startswith(f"<system>{request.prompt.system}\n<user>")
    assert seen[-1].endswith("<assistant>")


def test_a_template_that_refuses_system_messages_gets_one_message_of_the_user():
    refusing = "{% if messages[0]['role'] == 'system' %}{{ raise_exception('No system role') }}"
    model = _model(template=refusing + "{% endif %}" + TEMPLATE)
    assert OutlinesGenerator(model).generate(_request()).constraint == "grammar"


def test_a_model_without_a_template_gets_plain_text():
    assert OutlinesGenerator(_model(template=None)).generate(_request()).constraint == "grammar"


def test_each_row_of_a_batch_has_its_own_grammar():
    requests = [_request(), _request(TEXTS[1:]), _request(TEXTS[:1], max_statements=2)]
    replies = OutlinesGenerator(_model(), temperature=1.0).generate_batch(requests)
    assert ["grammar"] * 3 == [reply.constraint for reply in replies]
    for reply, request in zip(replies, requests, strict=True):
        _keeps_to(reply, request)


def test_a_model_whose_end_is_another_than_the_tokenizers_still_stops():
    model = _model()
    model.model.generation_config.eos_token_id = 5
    reply = OutlinesGenerator(model).generate(_request())
    assert reply.constraint == "grammar"
    assert reply.usage.output_tokens < 2048


def test_a_model_is_stopped_at_the_deadline():
    generator = OutlinesGenerator(_model(), temperature=1.0)
    generator.generate(_request())
    with within(0.05), pytest.raises(DeadlineError):
        generator.generate(_request(max_statements=8))
    assert generator.generate(_request()).constraint == "grammar"


def test_what_is_cut_off_is_said_to_be():
    reply = OutlinesGenerator(_model(), max_tokens=8).generate(_request())
    assert "length" == reply.finish_reason


def test_no_word_of_random_weights_is_shown_unverified():
    generator = OutlinesGenerator(_model(), temperature=1.0)
    passages = [Passage(f"p{n}", text) for n, text in enumerate(TEXTS)]
    for _ in range(3):
        try:
            answer = ask("Is it?", passages, model=generator, policy=Policy(regenerate=False))
        except GenerationError:
            continue
        assert all(statement.verified for statement in answer.statements)


def test_a_real_model_of_135_million_parameters_keeps_to_the_grammar(weights):
    tokenizer = transformers.AutoTokenizer.from_pretrained(weights)
    model = transformers.AutoModelForCausalLM.from_pretrained(weights, dtype=torch.float32)
    generator = OutlinesGenerator(outlines.from_transformers(model, tokenizer), timeout=600)
    request = _request()
    reply = generator.generate(request)
    assert "grammar" == reply.constraint
    _keeps_to(reply, request)


@pytest.mark.parametrize("make", [outlines.from_vllm, outlines.from_openai, outlines.from_sglang])
def test_a_real_vllm_is_bound_whichever_server_the_model_was_made_for(vllm, make):
    url, name = vllm
    openai = pytest.importorskip("openai", reason="needs the extra openai")
    with openai.OpenAI(api_key="none", base_url=url) as client:
        generator = OutlinesGenerator(make(client, name), timeout=600, max_tokens=600)
        request = _request()
        reply = generator.generate(request)
    assert ("grammar", "structured_outputs.grammar") == (
        reply.constraint,
        generator.found.fields["lark"],
    )
    _keeps_to(reply, request)
