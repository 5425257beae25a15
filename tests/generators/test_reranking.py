"""Promises of the reranker, on a model of six words that the test writes itself."""

from __future__ import annotations

import json
import struct

import pytest

pytest.importorskip("onnxruntime", reason="the extra `rerank` is not installed")
pytest.importorskip("tokenizers", reason="the extra `rerank` is not installed")

from groundedgen.errors import InputError
from groundedgen.generators.extractive import ExtractiveGenerator
from groundedgen.generators.reranking import MiniLMReranker
from groundedgen.values import Prompt, Request

WORDS = {
    "[UNK]": (0.0, 0.0, 1.0),
    "bicycle": (1.0, 0.0, 0.0),
    "bike": (0.9, 0.1, 0.0),
    "rent": (0.0, 1.0, 0.0),
    "stolen": (0.5, 0.0, 0.0),
    "due": (0.0, 0.5, 0.0),
}


def varint(value):
    parts = []
    while value > 127:
        parts.append(value & 127 | 128)
        value >>= 7
    return bytes([*parts, value])


def field(number, content):
    """One field of a protocol-buffers message: a number or bytes."""
    if isinstance(content, int):
        return varint(number << 3) + varint(content)
    raw = content.encode() if isinstance(content, str) else content
    return varint(number << 3 | 2) + varint(len(raw)) + raw


def tensor_type(name, kind, dimensions):
    shape = b"".join(
        field(1, field(2, d) if isinstance(d, str) else field(1, d)) for d in dimensions
    )
    return field(1, name) + field(2, field(1, field(1, kind) + field(2, shape)))


def model():
    """ONNX: `last_hidden_state` is the row of a table for each of `input_ids`."""
    rows = [value for row in WORDS.values() for value in row]
    table = field(1, len(WORDS)) + field(1, 3) + field(2, 1)
    table += field(8, "table") + field(9, struct.pack(f"<{len(rows)}f", *rows))
    gather = field(1, "table") + field(1, "input_ids") + field(2, "last_hidden_state")
    gather += field(4, "Gather")
    graph = field(1, gather) + field(2, "six words") + field(5, table)
    graph += field(11, tensor_type("input_ids", 7, ["batch", "length"]))
    graph += field(12, tensor_type("last_hidden_state", 1, ["batch", "length", 3]))
    return field(1, 8) + field(7, graph) + field(8, field(2, 17))


def tokenizer():
    vocabulary = {word: place for place, word in enumerate(WORDS)}
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": {"type": "Lowercase"},
        "pre_tokenizer": {"type": "Whitespace"},
        "post_processor": None,
        "decoder": None,
        "model": {"type": "WordLevel", "vocab": vocabulary, "unk_token": "[UNK]"},
    }


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "model.onnx").write_bytes(model())
    (tmp_path / "tokenizer.json").write_text(json.dumps(tokenizer()), "utf-8")
    return tmp_path


def test_likeness_is_measured_by_meaning(folder):
    reranker = MiniLMReranker(folder)
    bike, rent = reranker.similarities("bicycle stolen", ["bike", "rent due"])
    assert bike > 0.9
    assert abs(rent) < 0.1


def test_padding_and_batches_change_nothing(folder):
    texts = ["bike", "rent due rent due rent", "bike stolen bike", "\ud800", ""]
    one = MiniLMReranker(folder, batch=1).similarities("bicycle", texts)
    all_at_once = MiniLMReranker(folder, batch=8).similarities("bicycle", texts)
    assert one == pytest.approx(all_at_once, abs=1e-6)
    assert MiniLMReranker(folder).similarities("bicycle", []) == []


def test_the_first_token_stands_for_all_where_the_folder_says_so(folder):
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling/config.json").write_text('{"pooling_mode_cls_token": true}', "utf-8")
    (found,) = MiniLMReranker(folder).similarities("bicycle", ["bicycle rent rent rent"])
    assert found == pytest.approx(1.0)


@pytest.mark.parametrize("missing", ["model.onnx", "tokenizer.json"])
def test_a_missing_file_is_named(folder, missing):
    (folder / missing).unlink()
    with pytest.raises(InputError, match=missing):
        MiniLMReranker(folder)


def test_a_question_in_other_words_is_answered_with_it_and_not_without(folder):
    docs = {"S1": "Rent is due. Rent is due in May. Bike bike bike bike bike."}
    request = Request("Bicycle?", Prompt("", "", ""), schema=dict, docs=docs)
    without = json.loads(ExtractiveGenerator().generate(request).raw)
    assert without["status"] == "not_found"
    generator = ExtractiveGenerator(reranker=MiniLMReranker(folder))
    draft = json.loads(generator.generate(request).raw)
    assert draft["statements"][0]["quote"] == "Bike bike bike bike bike."
