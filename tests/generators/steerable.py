"""A model in this process for Outlines' own `LlamaCpp`, without llama.cpp: a drawer of lots.

It writes tokens at random, as a model with random weights does, and calls its logits processors
as llama-cpp-python does: from a C callback, which drops what they raise and goes on unbound.
"""

from __future__ import annotations

import ctypes
import sys
import time
import types

import numpy as np

from tests.generators.walks import tokenizer

END = 256
_CALLBACK = ctypes.CFUNCTYPE(None, ctypes.c_int)


class Processors(list):
    """llama-cpp-python's `LogitsProcessorList`."""

    def __call__(self, input_ids, logits):
        for processor in self:
            logits = processor(input_ids, logits)
        return logits


class Llama:
    """What Outlines uses of `llama_cpp.Llama`.

    Args:
        seed: Of the lots.
        ignores: It never calls its processors.
        heeds: Rather than by lot, it writes this where it may (as much of it as it may).
        step: Seconds for one token.
    """

    def __init__(self, seed=0, *, ignores=False, heeds=b"", step=0.0, refuses_system=False):
        self.random = np.random.default_rng(seed)
        self.ignores, self.heeds, self.step = ignores, heeds, step
        self.refuses_system = refuses_system
        self.asked = []
        self.lost = 0  # exceptions that the callback dropped
        self.busy = self.busiest = 0
        self.tokens = [tokenizer().decode_bytes([n]) for n in range(tokenizer().vocab_size)]
        known = {str(n): n for n in range(len(self.tokens))}
        told = {"eos_token_id": END, "eos_token": "<end>", "get_vocab": lambda: known}
        self.tokenizer_ = types.SimpleNamespace(hf_tokenizer=types.SimpleNamespace(**told))

    def tokenizer(self):
        return self.tokenizer_

    def reset(self):
        pass

    def __call__(self, prompt, *, logits_processor=None, max_tokens=16, temperature=0.8):
        self.asked.append(prompt)
        text = self._written(prompt, logits_processor, max_tokens)
        return {"choices": [{"text": text}]}

    def create_chat_completion(
        self, messages, *, logits_processor=None, max_tokens=None, temperature=0.2
    ):
        if self.refuses_system and messages[0]["role"] == "system":
            raise ValueError("System role not supported")
        self.asked.append(messages)
        prompt = "\n".join(message["content"] for message in messages)
        text = self._written(prompt, logits_processor, max_tokens)
        return {"choices": [{"message": {"content": text}}]}

    def _written(self, prompt, processors, most):
        self.busy += 1
        self.busiest = max(self.busiest, self.busy)
        try:
            return self._drawn(list(prompt.encode()), processors, most)
        finally:
            self.busy -= 1

    def _drawn(self, ids, processors, most):
        begun = len(ids)
        while len(ids) - begun < most:
            time.sleep(self.step)
            token = self._next(ids, processors, len(ids) - begun)
            if token == END:
                break
            ids.append(token)
        return b"".join(self.tokens[token] for token in ids[begun:]).decode(errors="ignore")

    def _next(self, ids, processors, place):
        logits = self.random.gumbel(size=len(self.tokens)).astype(np.float32)
        if place < len(self.heeds):
            logits[self.heeds[place]] = 50
        elif self.heeds:
            logits[END] = 50
        if processors is not None and not self.ignores:
            self._processed(np.array(ids), logits, processors)
        return int(np.argmax(logits))

    def _processed(self, ids, logits, processors):
        def process(_):
            self.lost += 1
            logits[:] = processors(ids, logits)
            self.lost -= 1

        _CALLBACK(process)(0)


def install(monkeypatch):
    """Let Outlines find a `llama_cpp`, and `llguidance` the vocabulary of the lots."""
    from outlines.backends.llguidance import LLGuidanceBackend

    module = types.ModuleType("llama_cpp")
    module.LogitsProcessorList = Processors
    module.Llama = Llama
    monkeypatch.setitem(sys.modules, "llama_cpp", module)
    monkeypatch.setattr(LLGuidanceBackend, "_create_llg_tokenizer", lambda self, model: tokenizer())


def model(**how):
    """An Outlines model of a drawer of lots; `install` comes first."""
    import outlines

    return outlines.from_llamacpp(Llama(**how))


def batching(seed=0):
    """A model of Outlines' class `Transformers` that draws lots for all rows of a batch at once.

    As transformers does: a row that has ended is padded until the last one has.
    """
    import outlines
    from outlines.models.transformers import TransformersTypeAdapter

    class Lots(outlines.models.Transformers):
        tensor_library_name = "numpy"

        def __init__(self):
            told = {"eos_token_id": END, "pad_token_id": END}
            self.tokenizer = types.SimpleNamespace(**told)
            config = types.SimpleNamespace(eos_token_id=[END])
            self.model = types.SimpleNamespace(generation_config=config)
            self.hf_tokenizer = None
            self.type_adapter = TransformersTypeAdapter(None, has_chat_template=False)
            self.random = np.random.default_rng(seed)
            self.tokens = Llama().tokens
            self.batches = []
            self.named = {}

        def generate(self, model_input, output_type=None, **named):
            return self.generate_batch([model_input], output_type, **named)[0]

        def generate_batch(self, model_input, output_type=None, **named):
            self.batches.append(len(model_input))
            self.named = named
            width = max(len(prompt.encode()) for prompt in model_input)
            padded = [[END] * (width - len(p.encode())) + list(p.encode()) for p in model_input]
            return self._drawn(np.array(padded), width, output_type, named["max_new_tokens"])

        def _drawn(self, ids, width, processor, most):
            ended = np.zeros(len(ids), dtype=bool)
            while not ended.all() and ids.shape[1] - width < most:
                logits = self.random.gumbel(size=(len(ids), len(self.tokens))).astype(np.float32)
                if processor is not None:
                    logits = processor(ids, logits)
                drawn = np.where(ended, END, logits.argmax(axis=1))
                ended |= drawn == END
                ids = np.concatenate([ids, drawn[:, None]], axis=1)
            return [self._text(row[width:]) for row in ids.tolist()]

        def _text(self, row):
            kept = [self.tokens[token] for token in row if token != END]
            return b"".join(kept).decode(errors="ignore")

    return Lots()
