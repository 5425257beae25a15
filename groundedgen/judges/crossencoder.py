"""A sequence-classification model as ONNX: pairs of texts in, rows of logits out. No torch."""

from __future__ import annotations

import json
import mmap
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, cast

import regex

from groundedgen.errors import InputError, MissingExtraError
from groundedgen.outages import MisuseError

try:
    import numpy as np  # type: ignore[import-not-found,unused-ignore]  # comes with onnxruntime
    import onnxruntime  # type: ignore[import-not-found,import-untyped,unused-ignore]  # no stubs
    from tokenizers import Tokenizer  # type: ignore[import-not-found,unused-ignore]  # an extra
except ImportError as error:
    raise MissingExtraError("an NLI judge", extra="nli") from error

__all__ = ["CrossEncoder", "ModelFolder", "check_providers"]

# Where the usual exports put the model, in order of preference.
_MODELS: Final = ("model.onnx", "onnx/model.onnx")
_INPUTS: Final = frozenset({"input_ids", "attention_mask", "token_type_ids"})
_DEFAULT_TOKENS: Final = 512  # what BERT and its kin were trained on
_UNSET: Final = 1_000_000  # tokenizer configs hold 1e30 where nobody set a length
_UNKNOWN: Final = frozenset({"[UNK]", "<unk>"})
# Their positions begin after the padding's number: 514 of them are room for 512 tokens.
_OFFSET: Final = ("roberta", "camembert", "mpnet", "data2vec-text")


class ModelFolder:
    """The files of one exported model, found and named, nothing heavy read yet.

    Raises:
        InputError: A file is missing, or is not JSON; names it.
    """

    def __init__(self, root: Path) -> None:
        model = next((root / name for name in _MODELS if (root / name).is_file()), None)
        if model is None:
            raise _missing(_MODELS[0], root)
        if not model.stat().st_size:
            raise _unreadable(model, "it is empty")
        if not (root / "tokenizer.json").is_file():
            raise _missing("tokenizer.json", root)
        self.model, self.tokenizer = model, root / "tokenizer.json"
        self.config = _read(root / "config.json", needed=True)
        self._tokenizer_config = _read(root / "tokenizer_config.json", needed=False)

    def max_tokens(self) -> int:
        """The longest input that the model's own files allow."""
        limits = [self._tokenizer_config.get("model_max_length"), self._positions()]
        known = [int(n) for n in limits if isinstance(n, int | float) and 0 < n < _UNSET]
        return min(known, default=_DEFAULT_TOKENS)

    def _positions(self) -> object:
        positions = self.config.get("max_position_embeddings")
        kind, padding = str(self.config.get("model_type", "")), self.config.get("pad_token_id")
        if isinstance(positions, int) and any(name in kind for name in _OFFSET):
            return positions - (padding if isinstance(padding, int) else 1) - 1
        return positions

    def scales_by_batch(self) -> bool:
        """Whether it is quantised dynamically: then a pair's result depends on its neighbours."""
        with (
            self.model.open("rb") as file,
            mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content,
        ):
            return content.find(b"DynamicQuantizeLinear") >= 0


def _missing(name: str, root: Path) -> InputError:
    return InputError(
        f"no {name} in {str(root)!r}; the folder of an NLI model holds model.onnx, tokenizer.json "
        f"and config.json, see docs/judges.md",
        code="no_model",
    )


def _read(path: Path, *, needed: bool) -> dict[str, Any]:
    if not path.is_file():
        if needed:
            raise _missing(path.name, path.parent)
        return {}
    try:
        content = json.loads(path.read_text("utf-8"))
    except ValueError:
        content = None
    if not isinstance(content, dict):
        raise InputError(f"{path.name} in {path.parent.name!r} is no JSON object", code="bad_model")
    return content


class CrossEncoder:
    """One loaded model. Safe to use from several threads.

    Args:
        folder: Its files.
        template: One text with `{premise}` and `{claim}` for models that were trained on a
            single text; without it the tokenizer's own form for pairs.
        threads: Threads of one run.
        providers: Execution providers of onnxruntime, best first.

    Raises:
        InputError: A file cannot be read as what it should be, or the model asks for what a judge
            has not got; names the file.
    """

    def __init__(
        self, folder: ModelFolder, template: str | None, threads: int, providers: Sequence[str]
    ) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = threads
        self._session: Any = _opened(
            folder.model,
            lambda path: onnxruntime.InferenceSession(
                path, sess_options=options, providers=list(providers)
            ),
        )
        self._types = _input_types(self._session.get_inputs())
        self._tokenizer: Any = _opened(folder.tokenizer, Tokenizer.from_file)
        self._padding = _padding_id(self._tokenizer.padding, folder.config)
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self._template = template
        special = {
            number: token.content
            for number, token in self._tokenizer.get_added_tokens_decoder().items()
            if token.special and token.content not in _UNKNOWN
        }
        self._special = frozenset(special)
        self._written = regex.compile("|".join(map(regex.escape, special.values())) or r"(?!)")
        self._own = self._specials(self.encode([("a", "a")])[0])

    def lengths(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text by itself, without any that frame it."""
        plain = [self._clean(text) for text in texts]
        return [len(e.ids) for e in self._tokenizer.encode_batch(plain, add_special_tokens=False)]

    def encode(self, pairs: Sequence[tuple[str, str]]) -> list[Any]:
        """Each pair of premise and claim as the model will read it, whole."""
        cleaned = [(self._clean(premise), self._clean(claim)) for premise, claim in pairs]
        if self._template is None:
            return list(self._tokenizer.encode_batch(cleaned))
        return list(self._tokenizer.encode_batch([self._filled(*pair) for pair in cleaned]))

    def _filled(self, premise: str, claim: str) -> str:
        """The template with both texts; what looks like a field inside a text stays text."""
        given = {"{premise}": premise, "{claim}": claim}
        parts = regex.split(r"(\{premise\}|\{claim\})", self._template or "")
        return "".join(given.get(part, part) for part in parts)

    def _clean(self, text: str) -> str:
        """The text without lone surrogates, on which the tokenizer raises, or control tokens.

        A passage that holds "[SEP]" could otherwise write a claim of its own.
        """
        text = text.encode("utf-8", "replace").decode("utf-8")
        return str(self._written.sub(lambda found: f"{found[0][0]} {found[0][1:]}", text))

    def is_framed(self, encoding: Any) -> bool:
        """Whether it holds the control tokens that frame every pair, and no more."""
        return self._specials(encoding) == self._own

    def _specials(self, encoding: Any) -> int:
        return sum(number in self._special for number in encoding.ids)

    def logits(self, encodings: Sequence[Any]) -> list[list[float]]:
        """One row for each encoding, in order; shorter ones are padded to the longest.

        A row may hold numbers that are not finite: its neighbours' are as good as any.

        Raises:
            InputError: The model cannot be run, or its output is not one row for each pair.
        """
        length = max(len(e.ids) for e in encodings)
        columns = {
            "input_ids": [_padded(e.ids, length, self._padding) for e in encodings],
            "attention_mask": [_padded(e.attention_mask, length, 0) for e in encodings],
            "token_type_ids": [_padded(e.type_ids, length, 0) for e in encodings],
        }
        feed = {name: np.array(columns[name], dtype=kind) for name, kind in self._types.items()}
        try:
            found = self._session.run(None, feed)
        except Exception as error:  # noqa: BLE001  # the runtime's own classes have no common base
            raise InputError(
                f"the model could not be run ({type(error).__name__}): memory is short (try a "
                f"smaller batch_size), or its tokenizer is of another model (export both again)",
                code="bad_model",
            ) from None  # its message may hold what was read
        rows = np.asarray(found[0], dtype=np.float64)
        if rows.ndim != 2 or len(rows) != len(encodings):
            raise InputError(
                f"the model gave numbers of shape {rows.shape} for {len(encodings)} pairs; "
                f"export it for sequence classification",
                code="bad_model",
            )
        return [[float(value) for value in row] for row in rows]


def check_providers(providers: object) -> tuple[str, ...]:
    """The names of execution providers, all of them installed.

    Raises:
        InputError: It is no list of names, or one is not installed; says which are.
    """
    able = onnxruntime.get_available_providers()
    listed = isinstance(providers, Sequence) and not isinstance(providers, str)
    names: tuple[Any, ...] = tuple(cast("Sequence[Any]", providers)) if listed else ()
    if names and all(isinstance(name, str) and name in able for name in names):
        return names
    raise InputError(
        f"providers must be a list of execution providers of the installed onnxruntime, which has "
        f"{', '.join(able)}; got {providers!r}",
        code="bad_argument",
    )


def _opened(path: Path, read: Callable[[str], Any]) -> Any:
    try:
        return read(str(path))
    except Exception as error:  # both libraries raise classes that have no other base
        raise _unreadable(path, type(error).__name__) from error


def _unreadable(path: Path, how: str) -> MisuseError:
    return MisuseError(
        f"{path.name} in {str(path.parent)!r} cannot be read ({how}): it is damaged, incomplete or "
        f"of another kind; download or export it again",
        code="bad_model",
    )


def _padded(values: Sequence[int], length: int, filling: int) -> list[int]:
    return [*values, *([filling] * (length - len(values)))]


def _padding_id(padding: Mapping[str, Any] | None, config: Mapping[str, Any]) -> int:
    number = (padding or {}).get("pad_id", config.get("pad_token_id"))
    return number if isinstance(number, int) else 0


def _input_types(inputs: Sequence[Any]) -> dict[str, Any]:
    """Name -> type of number, of each input the model asks for."""
    for given in inputs:
        if given.name not in _INPUTS:
            raise MisuseError(
                f"the model asks for an input {given.name!r}; only {', '.join(sorted(_INPUTS))} "
                f"can be given",
                code="bad_model",
            )
        if any(isinstance(size, int) for size in given.shape):
            raise MisuseError(
                f"the model's input {given.name!r} has a fixed shape {given.shape}; "
                f"export it with dynamic axes",
                code="bad_model",
            )
    return {i.name: np.int32 if i.type == "tensor(int32)" else np.int64 for i in inputs}
