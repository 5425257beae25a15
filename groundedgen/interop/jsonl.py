"""JSON Lines: one passage a line, under the caller's own ids."""

from __future__ import annotations

import json
import math
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from groundedgen.errors import InputError
from groundedgen.interop.decoding import decode
from groundedgen.passages import Passage

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["FIELDS", "read", "read_lines"]

_NUMBER = (int, float)
#: The fields of a line and what each must be; all but `text` may be missing or null.
FIELDS: Final[dict[str, tuple[type | tuple[type, ...], str]]] = {
    "id": ((str, int), "a string"),
    "text": (str, "a string"),
    "title": (str, "a string"),
    "url": (str, "a string"),
    "page": (int, "a whole number"),
    "bboxes": (list, "a list"),
    "start": (int, "a whole number from 0"),
    "lang": (str, "a string"),
    "date": (str, "a string"),
    "score": (_NUMBER, "a finite number"),
    "metadata": (dict, "an object"),
}


def read(data: bytes, path: str, name: str, _size: int | None) -> Iterator[Passage]:
    """The passages of a JSON Lines file. `path` is for errors, `name` for ids; see `read_file`."""
    return read_lines(decode(data, path), name, where=path)


def read_lines(text: str, name: str, *, where: str = "") -> Iterator[Passage]:
    r"""The passages of a JSON Lines text, in order; blank lines are skipped.

    Each line is an object with `text` and any of the other fields of `Passage`; one
    without `text` may be a document as other libraries write it (`page_content`, ...). A
    line without an id is called `name#` and its line number. Fields of other names go
    into `metadata`.

    Args:
        text: The file's text.
        name: How ids name the file.
        where: How errors name it; as ids do if left out.

    Raises:
        InputError: A line is no JSON object, lacks `text`, or holds a field of the wrong
            type, or an id has two texts; the message names the file, the line (from 1)
            and the field.

    >>> [p.id for p in read_lines('{"text": "One."}\n\n{"id": "b", "text": "Two."}', "a.jsonl")]
    ['a.jsonl#1', 'b']
    >>> list(read_lines('{"id": "b", "txt": "One."}', "a.jsonl"))
    Traceback (most recent call last):
    groundedgen.errors.InputError: a.jsonl, line 1: no field 'text'; it has 'id', 'txt'
    """
    seen: dict[str, tuple[int, str]] = {}
    # Not `splitlines`: JSON strings may hold U+2028 and its like unescaped.
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        place = f"{where or name}, line {number}"
        passage = _passage(_object(line, place), f"{name}#{number}", place)
        first, words = seen.setdefault(passage.id, (number, passage.text))
        if words != passage.text:
            raise InputError(
                f"{place}: field 'id': {passage.id!r} already stands for another text "
                f"(line {first}); give each its own id",
                code="duplicate_id",
            )
        yield passage


def _object(line: str, where: str) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except json.JSONDecodeError as error:
        raise InputError(
            f"{where}: not JSON: {error.msg} at column {error.colno}; "
            "each line must be one whole object",
            code="bad_json",
        ) from None
    except (ValueError, RecursionError) as error:
        # An integer of thousands of digits, or nesting thousands deep.
        kind = type(error).__name__
        raise InputError(f"{where}: JSON beyond any sane size ({kind})", code="bad_json") from None
    if not isinstance(value, dict):
        kind = type(value).__name__
        raise InputError(f"{where}: must be a JSON object, got {kind}", code="bad_type")
    return value


def _passage(fields: dict[str, Any], default_id: str, where: str) -> Passage:
    known = {key: fields[key] for key in FIELDS if fields.get(key) is not None}
    for key, value in known.items():
        _check(key, value, where)
    if "text" not in known and (foreign := _foreign(fields, default_id)):
        return foreign
    if "text" not in known:
        held = ", ".join(repr(key[:40]) for key in list(fields)[:8]) or "no field at all"
        raise InputError(f"{where}: no field 'text'; it has {held}", code="missing_field")
    other = {key: value for key, value in fields.items() if key not in FIELDS}
    metadata = {**other, **known.get("metadata", {})}
    known |= {
        "id": str(known.get("id", default_id)),
        "bboxes": tuple(known.get("bboxes", ())),
        "metadata": metadata,
    }
    return Passage(**known)


def _foreign(fields: dict[str, Any], default_id: str) -> Passage | None:
    """A line that another library wrote, with its own name for the text."""
    for record in fields, {**fields, "id": default_id}:
        with suppress(InputError):
            return Passage.from_any(record)
    return None


def _check(key: str, value: object, where: str) -> None:
    kind, words = FIELDS[key]
    usable = isinstance(value, kind) and not isinstance(value, bool)
    if key == "score" and usable:
        usable = math.isfinite(value)  # type: ignore[arg-type]  # a number, by the line above
    if key == "start" and usable:
        usable = value >= 0  # type: ignore[operator]  # as above
    if key == "id" and usable:
        usable = bool(str(value).strip())
        words = "a string that is not blank"
    if not usable:
        raise InputError(
            f"{where}: field {key!r} must be {words}, got {type(value).__name__}", code="bad_type"
        )
