"""Orders sentences by meaning, with a sentence-embedding model run by onnxruntime.

For `ExtractiveGenerator(reranker=...)`: BM25 misses a question put in other words than the
passage's; a MiniLM-sized model finds some of those. It needs the extra `rerank` (no torch)
and a folder with an exported model: nothing is downloaded.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from groundedgen.errors import InputError, MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Sequence

try:
    import numpy as np  # type: ignore[import-not-found,unused-ignore]  # comes with onnxruntime
    import onnxruntime  # type: ignore[import-not-found,import-untyped,unused-ignore]  # no stubs
    from tokenizers import Tokenizer  # type: ignore[import-not-found,unused-ignore]  # an extra
except ImportError as error:
    raise MissingExtraError("reranking by meaning", extra="rerank") from error

__all__ = ["MiniLMReranker"]

# Where the usual exports put the model, in order of preference.
_MODELS: Final = ("model.onnx", "onnx/model.onnx", "onnx/model_quantized.onnx")
_POOLING: Final = "1_Pooling/config.json"


class MiniLMReranker:
    """Cosine similarity of sentence embeddings.

    Args:
        folder: Holds `model.onnx` (or `onnx/model.onnx`) and `tokenizer.json`; where there
            is `1_Pooling/config.json`, it says whether tokens are averaged (the default)
            or the first one stands for all. `optimum-cli export onnx` writes such a folder.
        max_tokens: Longer texts are cut; MiniLM was trained on 256.
        batch: Texts per run, 1 or more.
        threads: Threads of one run; 1 keeps results the same on every machine.

    Raises:
        InputError: A file is missing; names it.
        MissingExtraError: On import, without onnxruntime and tokenizers.
    """

    def __init__(
        self, folder: str | Path, *, max_tokens: int = 256, batch: int = 32, threads: int = 1
    ) -> None:
        root = Path(folder)
        model = next((root / name for name in _MODELS if (root / name).is_file()), None)
        if model is None:
            raise InputError(f"no {_MODELS[0]} in {root.name!r}", code="no_model")
        if not (root / "tokenizer.json").is_file():
            raise InputError(f"no tokenizer.json in {root.name!r}", code="no_model")
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = threads
        self._session: Any = onnxruntime.InferenceSession(
            str(model), sess_options=options, providers=["CPUExecutionProvider"]
        )
        self._tokenizer: Any = Tokenizer.from_file(str(root / "tokenizer.json"))
        self._tokenizer.enable_truncation(max_tokens)
        self._tokenizer.enable_padding()
        self._inputs = {i.name for i in self._session.get_inputs()}
        self._first_token = _takes_first_token(root / _POOLING)
        self._batch = batch

    def similarities(self, question: str, texts: Sequence[str]) -> list[float]:
        """How close each text is to the question, -1 to 1, in order."""
        if not texts:
            return []
        vectors = self._embed([question, *texts])
        return [float(value) for value in vectors[1:] @ vectors[0]]

    def _embed(self, texts: Sequence[str]) -> Any:
        """Vectors of length one, a row per text."""
        # Batches of like length waste least on padding.
        order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
        rows: dict[int, Any] = {}
        for start in range(0, len(order), self._batch):
            chosen = order[start : start + self._batch]
            rows |= zip(chosen, self._run([_whole(texts[i]) for i in chosen]), strict=True)
        return np.stack([rows[i] for i in range(len(texts))])

    def _run(self, texts: list[str]) -> Any:
        encoded = self._tokenizer.encode_batch(texts)
        mask = np.array([e.attention_mask for e in encoded], dtype=np.int64)
        feed = {
            "input_ids": np.array([e.ids for e in encoded], dtype=np.int64),
            "attention_mask": mask,
            "token_type_ids": np.array([e.type_ids for e in encoded], dtype=np.int64),
        }
        states = self._session.run(None, {k: v for k, v in feed.items() if k in self._inputs})[0]
        if self._first_token:
            pooled = states[:, 0]
        else:
            weights = mask[:, :, None].astype(states.dtype)
            pooled = (states * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1e-9)
        return pooled / np.maximum(np.linalg.norm(pooled, axis=1, keepdims=True), 1e-9)


def _whole(text: str) -> str:
    """The text without lone surrogates, on which the tokenizer raises."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _takes_first_token(config: Path) -> bool:
    if not config.is_file():
        return False
    return bool(json.loads(config.read_text("utf-8")).get("pooling_mode_cls_token", False))
