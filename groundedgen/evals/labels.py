"""Pairs that people have labelled, out of a CSV or JSONL file, checked line by line."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final, Literal, get_args

import regex

from groundedgen.errors import InputError

__all__ = ["HumanLabel", "Labelled", "read_labels"]

HumanLabel = Literal["supported", "partial", "contradicted", "not_addressed", "not_supported"]

# What people and data sets call the classes, in small letters without blanks or marks.
_NAMES: Final[Mapping[HumanLabel, str]] = {
    "supported": "supported supports entailment entailed attributable consistent",
    "partial": "partial partiallysupported",
    "contradicted": "contradicted contradicts contradiction contradictory refuted refutes",
    "not_addressed": "notaddressed neutral notmentioned notenoughinfo nei",
    "not_supported": "notsupported unsupported notentailment notentailed inconsistent "
    "hallucinated notattributable",
}
_LABELS: Final[Mapping[str, HumanLabel]] = {
    name: label for label, names in _NAMES.items() for name in names.split()
}
_NEEDED: Final = ("premise", "claim", "label")
_OPTIONAL: Final = ("source", "lang", "id")
_SEPARATOR: Final = regex.compile(r'(?i)"?sep=([,;\t|])"?\r?\n')
_SHOWN: Final = 30  # code points of a wrong label that may be shown; more is somebody's text


@dataclass(frozen=True, slots=True)
class Labelled:
    """One pair with what people say of it.

    Attributes:
        premise: The passage.
        claim: What is said to follow from it.
        label: `supported` or not. Where people told no more apart than that, `not_supported`;
            a file of only such labels has no three-way figures.
        source: Where the pair is from, for figures by source; "" if unknown.
        lang: Language tag; "" if unknown.
        id: How messages name it; "" for none.
    """

    premise: str = field(repr=False)
    claim: str = field(repr=False)
    label: HumanLabel
    source: str = ""
    lang: str = ""
    id: str = ""

    def __post_init__(self) -> None:
        if self.label not in get_args(HumanLabel):
            raise InputError(
                f"a label is one of {', '.join(get_args(HumanLabel))}, got {_told(self.label)}",
                code="bad_label",
            )

    @property
    def supported(self) -> bool:
        return self.label == "supported"


def read_labels(path: str | Path) -> tuple[Labelled, ...]:
    """The labelled pairs of a file, in its order.

    Columns `premise`, `claim` and `label` are needed, `source`, `lang` and `id` are read where
    they are there, others are ignored. A CSV has them in its first line, separated by comma,
    semicolon or tab; a JSONL has one object a line. Labels may be written as entailment data
    sets do ("entailment", "neutral", "contradiction", "not_entailment").

    Raises:
        InputError: Something cannot be read; names file, line and column, never the text.
        OSError: The file cannot be opened.
    """
    path = Path(path)
    rows = _ROWS.get(path.suffix.lower())
    if rows is None:
        raise InputError(
            f"{path.name}: labelled pairs are read from {', '.join(_ROWS)}, not from "
            f"{path.suffix or 'a file without suffix'!r}",
            code="unsupported_type",
        )
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise InputError(f"{path.name}, line {line}: not UTF-8", code="bad_encoding") from None
    return _checked(path.name, rows(path.name, text))


def _checked(name: str, rows: Iterator[tuple[int, Mapping[str, Any]]]) -> tuple[Labelled, ...]:
    found: list[Labelled] = []
    seen: dict[tuple[str, str], int] = {}
    for line, row in rows:
        item = _labelled(f"{name}, line {line}", row)
        first = seen.setdefault((item.premise, item.claim), line)
        if first != line:
            raise InputError(
                f"{name}, line {line}: the same premise and claim as line {first}; keep one, "
                f"with the label people agreed on",
                code="duplicate_pair",
            )
        found.append(item)
    if not found:
        raise InputError(f"{name}: there is no labelled pair in it", code="no_pairs")
    return tuple(found)


def _labelled(at: str, row: Mapping[str, Any]) -> Labelled:
    for column in _NEEDED:
        value = row.get(column)
        if not isinstance(value, str):
            raise InputError(
                f"{at}, column {column!r}: missing or no text; needed are {', '.join(_NEEDED)}",
                code="missing_field",
            )
        if not value.strip():
            raise InputError(f"{at}, column {column!r}: it is blank", code="missing_field")
    optional = {name: row.get(name) for name in _OPTIONAL}
    for name, value in optional.items():
        if value is not None and not isinstance(value, str | int):
            kind = type(value).__name__
            raise InputError(f"{at}, column {name!r}: must be text, got {kind}", code="bad_type")
    given = {name: "" if value is None else str(value) for name, value in optional.items()}
    return Labelled(row["premise"], row["claim"], _label(at, row["label"]), **given)


def _label(at: str, written: str) -> HumanLabel:
    label = _LABELS.get("".join(c for c in written.casefold() if c.isalnum()))
    if label is None:
        raise InputError(
            f"{at}, column 'label': {_told(written)} is none of {', '.join(get_args(HumanLabel))} "
            f"(or entailment, neutral, contradiction, not_entailment)",
            code="bad_label",
        )
    return label


def _told(written: object) -> str:
    """A label as a message may show it: in a table that slipped, it is somebody's text."""
    short = isinstance(written, str) and len(written) <= _SHOWN
    return repr(written) if short else f"a text of {len(str(written))} characters"


def _csv_rows(name: str, text: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    said = _SEPARATOR.match(text)  # Excel's own first line, which its own export may need
    header = text.partition("\n")[0]
    delimiter = said[1] if said else max(",;\t", key=header.count)
    text, skipped = (text[said.end() :], 1) if said else (text, 0)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    columns: Sequence[str] | None = None
    line = 1 + skipped
    try:
        for row in reader:
            if columns is None:
                columns = [column.strip().casefold() for column in row]
                _check_columns(f"{name}, line {line}", columns)
            elif any(field.strip() for field in row):  # spreadsheets leave rows of ",,"
                if len(row) != len(columns):
                    raise InputError(
                        f"{name}, line {line}: {len(row)} fields for {len(columns)} columns",
                        code="bad_csv",
                    )
                yield line, dict(zip(columns, row, strict=True))
            line = reader.line_num + 1 + skipped
    except csv.Error as error:
        raise InputError(
            f"{name}, line {line}: {error}; a .jsonl file knows no such limits", code="bad_csv"
        ) from None


def _check_columns(at: str, columns: Sequence[str]) -> None:
    for column in _NEEDED:
        if column not in columns:
            raise InputError(
                f"{at}: no column {column!r}; needed are {', '.join(_NEEDED)}",
                code="missing_field",
            )
    for column in (*_NEEDED, *_OPTIONAL):
        if columns.count(column) > 1:
            raise _twice(at, column)


def _twice(at: str, column: str) -> InputError:
    return InputError(
        f"{at}: {column!r} is there twice; keep the one that counts, or rename the other",
        code="duplicate_column",
    )


def _jsonl_rows(name: str, text: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    for line, written in enumerate(text.split("\n"), start=1):
        if not written.strip():
            continue
        try:
            row = json.loads(written, object_pairs_hook=partial(_object, f"{name}, line {line}"))
        except InputError:
            raise
        except json.JSONDecodeError as error:
            raise InputError(
                f"{name}, line {line}, column {error.colno}: {error.msg}", code="bad_json"
            ) from None
        except (ValueError, RecursionError) as error:
            kind = type(error).__name__
            raise InputError(f"{name}, line {line}: no JSON ({kind})", code="bad_json") from None
        if not isinstance(row, dict):
            raise InputError(f"{name}, line {line}: a line is one JSON object", code="bad_json")
        yield line, row


def _object(at: str, fields: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """An object out of its fields as they are written, none of those that count there twice."""
    names = [name for name, _ in fields]
    for column in (*_NEEDED, *_OPTIONAL):
        if names.count(column) > 1:
            raise _twice(at, column)
    return dict(fields)


_ROWS: Final = {".csv": _csv_rows, ".jsonl": _jsonl_rows}
