r"""Frozen values to JSON and back. Knows no class of its own: it reads their annotations.

Not Pydantic's own JSON: that refuses a lone surrogate on the way out and on the way in, and
text extracted from PDFs holds them.

Plain JSON values come back as they went in, and so does every string: a lone surrogate
is written as an escape, never dropped. Three things JSON has no word for:

* a number that is not finite is the string "NaN", "Infinity" or "-Infinity";
* a string in which two surrogates stand side by side, which JSON would merge into one
  character, is written in pieces: `{"$pieces": ["\ud83d", "\ude00"]}`;
* a foreign object in a field of type `Any` (a date, a UUID, a model) is written as
  Pydantic would write it, and comes back as that.
"""

from __future__ import annotations

import dataclasses
import json
import math
import types
import typing
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final, Literal, TypeVar

from groundedgen.errors import InputError
from groundedgen.patterns import compiled

__all__ = ["dump", "from_json", "load", "to_json"]

T = TypeVar("T")

_PIECES: Final = "$pieces"
_PAIR: Final = compiled("(?<=[\ud800-\udbff])(?=[\udc00-\udfff])")
_NOT_FINITE: Final[Mapping[str, float]] = {
    "NaN": math.nan,
    "Infinity": math.inf,
    "-Infinity": -math.inf,
}


def dump(value: object) -> Any:
    """The value as plain dicts, lists, strings, numbers, booleans and `None`.

    Raises:
        InputError: It nests thousands deep, or holds itself.

    >>> dump((1, None, {"a": float("inf")}))
    [1, None, {'a': 'Infinity'}]
    >>> dump("words are not changed")
    'words are not changed'
    """
    try:
        return _dump(value)
    except RecursionError:
        kind = type(value).__name__
        raise InputError(
            f"a {kind} with metadata that nests too deep, or holds itself, has no JSON",
            code="bad_metadata",
        ) from None


def _dump(value: object) -> Any:
    if value is None or isinstance(value, bool | int | float | str):
        return _scalar(value)
    if isinstance(value, Mapping):
        return {str(key): _dump(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_dump(item) for item in value]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: _dump(getattr(value, f.name)) for f in dataclasses.fields(value)}
    return _foreign(value)


def _scalar(value: float | str | None) -> Any:
    if isinstance(value, str):
        pieces = _PAIR.split(value)
        return str.__str__(value) if len(pieces) == 1 else {_PIECES: pieces}
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value


def _foreign(value: object) -> Any:
    """Storing an answer must not fail because of what a retriever put into its metadata."""
    if callable(listed := getattr(value, "tolist", None)):  # arrays and numbers of numpy and torch
        return _dump(listed())
    # Only foreign objects need it, and it takes a fifth of the time of importing the library.
    from pydantic_core import PydanticSerializationError, to_jsonable_python  # noqa: PLC0415

    try:
        return to_jsonable_python(
            value, serialize_unknown=True, inf_nan_mode="strings", bytes_mode="base64"
        )
    except (PydanticSerializationError, ValueError):
        return f"<{type(value).__name__}>"


def load(kind: type[T], data: object, *, at: str) -> T:
    """A value of `kind` out of what `dump` made of one.

    Fields that have a default may be missing; unknown ones are refused, since a part of
    a stored proof that is not understood must not be dropped without a word.

    Args:
        kind: A dataclass whose annotations say what it holds.
        data: Plain JSON values.
        at: How an error names the place, such as "answer".

    Raises:
        InputError: A field is missing, unknown or of the wrong type; the message names its path.
    """
    try:
        return typing.cast("T", _load(kind, data, at))
    except RecursionError:
        raise InputError(f"{at} nests too deep to be read", code="bad_type") from None


def _load(kind: Any, data: Any, at: str) -> Any:
    origin = typing.get_origin(kind)
    if dataclasses.is_dataclass(kind):
        return _object(typing.cast("type", kind), data, at)
    if origin is Literal:
        return _one_of(typing.get_args(kind), data, at)
    if origin in (typing.Union, types.UnionType):
        (inner,) = (arm for arm in typing.get_args(kind) if arm is not types.NoneType)
        return None if data is None else _load(inner, data, at)
    if origin is tuple:
        inner = typing.get_args(kind)[0]
        items = _typed(data, list, "a list", at)
        return tuple(_load(inner, item, f"{at}[{n}]") for n, item in enumerate(items))
    if origin is not None:  # Mapping[str, X]
        inner = typing.get_args(kind)[1]
        items = _typed(data, dict, "an object", at)
        return {key: _load(inner, item, f"{at}.{_short(key)}") for key, item in items.items()}
    return _plain(kind, data, at)


def _object(kind: type, data: object, at: str) -> Any:
    given = _typed(data, dict, "an object", at)
    hints, required = _shape(kind)
    for key in given:
        if key not in hints:
            raise InputError(f"{at}: unknown field {_short(key)!r}", code="unknown_field")
    for key in required:
        if key not in given:
            raise InputError(f"{at}: no field {key!r}", code="missing_field")
    return kind(**{key: _load(hints[key], item, f"{at}.{key}") for key, item in given.items()})


@lru_cache(maxsize=64)
def _shape(kind: type) -> tuple[dict[str, Any], tuple[str, ...]]:
    fields = dataclasses.fields(kind)
    hints = typing.get_type_hints(kind)
    missing = dataclasses.MISSING
    required = (f.name for f in fields if f.default is missing and f.default_factory is missing)
    return {f.name: hints[f.name] for f in fields}, tuple(required)


def _one_of(allowed: tuple[Any, ...], data: object, at: str) -> Any:
    if isinstance(data, str) and data in allowed:
        return data
    raise InputError(f"{at} must be one of {', '.join(map(repr, allowed))}", code="bad_type")


def _plain(kind: Any, data: Any, at: str) -> Any:
    if kind is Any:
        return _restored(data)
    if kind is str:
        return _typed(_restored(data), str, "a string", at)
    if kind is float:
        if isinstance(data, str) and data in _NOT_FINITE:
            return _NOT_FINITE[data]
        return _typed(data, (int, float), "a number", at)
    if kind is int:
        return _typed(data, int, "a whole number", at)
    return _typed(data, bool, "true or false", at)


def _restored(data: Any) -> Any:
    if isinstance(data, list):
        return [_restored(item) for item in data]
    if not isinstance(data, dict):
        return data
    pieces = data.get(_PIECES)
    if len(data) == 1 and isinstance(pieces, list) and all(isinstance(p, str) for p in pieces):
        return "".join(pieces)
    return {key: _restored(item) for key, item in data.items()}


def _typed(data: Any, kind: Any, words: str, at: str) -> Any:
    if isinstance(data, kind) and (kind is bool or not isinstance(data, bool)):
        return data
    raise InputError(f"{at} must be {words}, got {type(data).__name__}", code="bad_type")


def _short(key: object) -> str:
    return str(key)[:40]


def to_json(plain: object, *, indent: int | None = None) -> str:
    """ASCII only, so that every string survives every transport, lone surrogates included."""
    return json.dumps(plain, ensure_ascii=True, allow_nan=False, indent=indent)


def from_json(text: str | bytes | bytearray, *, at: str) -> Any:
    """Read JSON.

    Raises:
        InputError: It is no JSON, nests too deep, or holds a number beyond any sane size.
    """
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise InputError(f"{at} is not JSON: {error.msg} at {where}", code="bad_json") from None
    except (TypeError, ValueError, RecursionError) as error:
        kind = type(error).__name__
        raise InputError(f"{at} cannot be read as JSON ({kind})", code="bad_json") from None
