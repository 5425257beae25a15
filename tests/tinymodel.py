"""A cross-encoder of a few nodes, written on the spot as real ONNX, with a real tokenizer.

It reads as far as words go: entailment where every word of the claim stands in the premise,
contradiction where only one of the two holds "not" as well, and otherwise neither. What comes
after the first [SEP] is the claim, as for real models.

`python -m tests.tinymodel FOLDER` writes one, to see how an NLI judge is used. It knows some
forty words and proves nothing.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
NOT, STOP = 4, 5
NAMES = {"entailment": "entailment", "contradiction": "contradiction", "other": "neutral"}
THREE = ("contradiction", "entailment", "other")
_TEXT = """
the policy covers floods fire theft and tenant pays rent in may up to euros is are covered by
this a clause says nothing of interest here report damage within days after it water from
burst pipe per claim was noticed must be reported earthquakes war premiums rise
"""
WORDS = _TEXT.split()


class _Graph:
    """Nodes by name; a call adds one and gives the name of its result."""

    def __init__(self):
        self.nodes, self.constants = [], []

    def __call__(self, kind, *inputs, **attributes):
        name = f"{kind}{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], **attributes))
        return name

    def constant(self, value, kind):
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.array(value, dtype=kind), name))
        return name

    def number(self, condition):
        return self("Cast", condition, to=TensorProto.FLOAT)

    def total(self, values):
        return self("ReduceSum", values, self.constant([1], np.int64), keepdims=1)


def graph(roles, vocabulary, hidden=0, layers=0, *, types=True, size="length", broken=None):
    g = _Graph()
    ids = "input_ids"
    attended = g("Cast", "attention_mask", to=TensorProto.FLOAT)
    axis = g.constant(1, np.int64)
    ends = g("Cast", g("Equal", ids, g.constant(3, np.int64)), to=TensorProto.FLOAT)
    after = g.number(g("Greater", g("CumSum", ends, axis, exclusive=1), g.constant(0, np.float32)))
    claim = g("Mul", attended, after)
    premise = g("Mul", attended, g("Sub", g.constant(1, np.float32), after))
    words = g.number(g("Greater", ids, g.constant(STOP, np.int64)))
    unknown = g.number(g("Equal", ids, g.constant(1, np.int64)))
    asked = g("Mul", claim, g("Max", words, unknown))
    held = g("Mul", premise, words)
    one = g("Unsqueeze", ids, g.constant([2], np.int64))
    other = g("Unsqueeze", ids, g.constant([1], np.int64))
    same = g(
        "Mul", g.number(g("Equal", one, other)), g("Unsqueeze", held, g.constant([1], np.int64))
    )
    found = g("ReduceMax", same, axes=[2], keepdims=0)
    lost = g.total(g("Mul", asked, g("Sub", g.constant(1, np.float32), found)))
    is_not = g.number(g("Equal", ids, g.constant(NOT, np.int64)))
    negated = [
        g.number(g("Greater", g.total(g("Mul", is_not, side)), g.constant(0, np.float32)))
        for side in (claim, premise)
    ]
    differs = g("Abs", g("Sub", *negated))
    lacks = g("Min", lost, g.constant(1, np.float32))
    bad = g("Max", lacks, differs)
    against = g("Mul", differs, g("Sub", g.constant(1, np.float32), lacks))
    twelve, six = g.constant(12, np.float32), g.constant(6, np.float32)
    by_role = {
        "entailment": g("Sub", six, g("Mul", twelve, bad)),
        "contradiction": g("Sub", g("Mul", twelve, against), six),
        "other": g("Mul", lost, g.constant(0, np.float32)),
    }
    logits = g("Concat", *(by_role[role] for role in roles), axis=1)
    if layers:
        logits = g("Add", logits, _work(g, ids, vocabulary, hidden, layers))
    if broken is not None:
        logits = _infinite(g, ids, broken, logits)
    outputs = [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", len(roles)])]
    g.nodes.append(helper.make_node("Identity", [logits], ["logits"]))
    names = [ids, "attention_mask", *(["token_type_ids"] if types else [])]
    inputs = [helper.make_tensor_value_info(n, TensorProto.INT64, ["batch", size]) for n in names]
    return helper.make_graph(g.nodes, "tiny", inputs, outputs, g.constants)


def _infinite(g, ids, token, logits):
    """The logits, but infinity for a pair that holds a token."""
    holds = g.number(g("Equal", ids, g.constant(token, np.int64)))
    has = g("Greater", g("ReduceMax", holds, axes=[1], keepdims=1), g.constant(0, np.float32))
    return g("Where", has, g.constant(np.inf, np.float32), logits)


def _work(g, ids, vocabulary, hidden, layers):
    """Layers of real size that change nothing: their result counts for zero."""
    rng = np.random.default_rng(0)
    states = g("Gather", g.constant(rng.normal(size=(vocabulary, hidden)), np.float32), ids)
    for _ in range(layers):
        weights = g.constant(rng.normal(size=(hidden, hidden)) / hidden**0.5, np.float32)
        states = g("Tanh", g("MatMul", states, weights))
    mean = g("ReduceMean", states, axes=[1, 2], keepdims=0)
    row = g("Unsqueeze", mean, g.constant([1], np.int64))
    return g("Mul", row, g.constant(0, np.float32))


def tokenizer(vocabulary):
    numbers = {word: place for place, word in enumerate(vocabulary)}
    made = Tokenizer(models.WordLevel(numbers, unk_token=SPECIAL[1]))
    made.normalizer = normalizers.Lowercase()
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.add_special_tokens(SPECIAL)
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    return made


def write_model(
    folder,
    roles=THREE,
    *,
    config=None,
    words=(),
    hidden=0,
    layers=0,
    types=True,
    size="length",
    broken=None,
):
    """A model in a folder, as an export would leave it there.

    `config` changes its config.json; of a pair with the word `broken` it makes infinity.
    """
    vocabulary = [*SPECIAL, "not", ".", *dict.fromkeys([*WORDS, *words])]
    folder.mkdir(parents=True, exist_ok=True)
    made = helper.make_model(
        graph(
            roles,
            len(vocabulary),
            hidden,
            layers,
            types=types,
            size=size,
            broken=None if broken is None else vocabulary.index(broken),
        ),
        opset_imports=[helper.make_opsetid("", 17)],
    )
    made.ir_version = 8
    onnx.checker.check_model(made)
    (folder / "model.onnx").write_bytes(made.SerializeToString())
    spoken = tokenizer(vocabulary)
    # As many published tokenizers are saved: a judge must not let these cut or pad.
    spoken.enable_truncation(128)
    spoken.enable_padding(length=128)
    spoken.save(str(folder / "tokenizer.json"))
    plain = {
        "model_type": "bert",
        "pad_token_id": 0,
        "max_position_embeddings": 128,
        "id2label": {str(n): NAMES[role] for n, role in enumerate(roles)},
    }
    (folder / "config.json").write_text(json.dumps(plain | (config or {})), "utf-8")
    return folder


if __name__ == "__main__":
    write_model(Path(sys.argv[1]))
