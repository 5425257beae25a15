"""Reads what other libraries call a document, without importing any of them.

An item is looked at by its fields: its own first, then those of what it wraps
(`node`, `payload`, `_source`, ...) and of its metadata. `fieldnames` says which names
are known; the first that holds a usable value counts.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from groundedgen import docling
from groundedgen import fieldnames as known
from groundedgen.errors import InputError
from groundedgen.fieldvalues import (
    as_boxes,
    as_date,
    as_id,
    as_lang,
    as_number,
    as_offset,
    as_whole,
    as_words,
    exact,
    field_of,
    file_name,
    is_number,
    is_web,
)

__all__ = ["read_fields"]

_SCALARS: Final = (str, bytes, bytearray, int, float, complex, list, tuple, set, type(None))


def read_fields(item: object, index: int | None) -> dict[str, Any]:
    """The fields of a `Passage`, out of whatever the caller passed in.

    Raises:
        InputError: `bad_type` or `missing_field`; names the item's index, its type, the
            field, and the way out.
    """
    where = f"a {type(item).__name__}" if index is None else f"passages[{index}]"
    if index is not None and item is not None:
        where += f" ({type(item).__name__})"
    item, score = _unpaired(item)
    if isinstance(item, str):
        return {"id": f"p{(index or 0) + 1}", "text": exact(item), "score": score}
    whole = _as_mapping(item)
    if whole is None and isinstance(item, _SCALARS):
        raise InputError(f"{where} is no passage; {_WAY_OUT}", code="bad_type")
    layers = list(_layers(item if whole is None else whole))
    text, home, name = _text(layers, where)
    fields = {"text": text, **_optional(layers)}
    if score is not None:
        fields["score"] = score
    fields["metadata"] = _metadata(layers, fields, home, name)
    fields["id"] = _id(layers) or _derived_id(layers, fields, index)
    if fields["id"]:
        return fields
    names = ", ".join(known.ID)
    wrong = field_of(layers[0], "id")
    blank = "blank " if isinstance(wrong, str) else ""
    kind = "" if wrong is None else f"; its id is a {blank}{type(wrong).__name__}"
    raise InputError(
        f"{where}: no usable id; looked for {names}{kind}{_held(layers)}; {_WAY_OUT}",
        code="missing_field",
    )


_WAY_OUT: Final = (
    "pass Passage(id=..., text=...), a string, a mapping with 'id' and 'text', or a document "
    "of LangChain, LlamaIndex, Haystack or Docling"
)


def _unpaired(item: object) -> tuple[object, float | None]:
    """`(document, score)`, as similarity searches return it; anything else stays as it is."""
    if type(item) is not tuple or len(item) != 2:
        return item, None
    first, second = item
    if is_number(second) and not is_number(first):
        return first, as_number(second)
    if is_number(first) and not is_number(second):
        return second, as_number(first)
    return item, None


def _as_mapping(item: object) -> Mapping[Any, Any] | None:
    """Mappings, and rows of database drivers that behave like one."""
    if isinstance(item, Mapping):
        return item
    row = getattr(item, "_mapping", None)
    if isinstance(row, Mapping):  # SQLAlchemy
        return row
    if isinstance(item, tuple) and callable(as_dict := getattr(item, "_asdict", None)):
        return dict(as_dict())
    if callable(keys := getattr(item, "keys", None)) and hasattr(item, "__getitem__"):
        return {key: item[key] for key in keys()}  # sqlite3.Row, asyncpg.Record, a pandas row
    return None


def _layers(item: object) -> Iterator[object]:
    """The item, what it wraps, and what that wraps. Two levels are as deep as anyone goes."""
    level = [item]
    for depth in range(3):
        yield from level
        if depth < 2:
            inner = [field_of(layer, name) for layer in level for name in known.WRAPPERS]
            inner += [_packed(layer) for layer in level]
            level = [value for value in inner if _may_hold(value)]


def _packed(layer: object) -> object:
    """What LlamaIndex writes into a store beside the metadata: the node, as one JSON string."""
    packed = field_of(layer, "_node_content")
    try:
        return json.loads(packed) if isinstance(packed, str) else None
    except (ValueError, RecursionError):
        return None


def _may_hold(value: object) -> bool:
    return not isinstance(value, _SCALARS) and not callable(value)


def _text(layers: Sequence[object], where: str) -> tuple[str, object, str]:
    """The text, the layer it stands in and its name there; a blank one if there is no other."""
    blank: tuple[str, object, str] | None = None
    wrong = ""
    for layer in layers:
        for name, value in _texts(layer):
            if isinstance(value, str):
                found = exact(value), layer, name
                if value.strip():
                    return found
                blank = blank or found
            elif value is not None and isinstance(value, _SCALARS):
                wrong = wrong or f"; its {name} is {type(value).__name__}, not a string"
    if blank is not None:
        return blank
    code = "bad_type" if wrong else "missing_field"
    names = ", ".join(known.TEXT)
    raise InputError(
        f"{where}: no text; looked for {names}{wrong}{_held(layers)}; {_WAY_OUT}", code=code
    )


def _texts(layer: object) -> Iterator[tuple[str, object]]:
    if not isinstance(layer, Mapping) and callable(method := field_of(layer, "get_content")):
        try:
            yield "get_content", method()  # LlamaIndex
        except Exception:  # noqa: BLE001  # as in `field_of`
            return
    for name in known.TEXT:
        yield name, field_of(layer, name)


def _held(layers: Sequence[object]) -> str:
    """The names a mapping does have, for the error; never its values."""
    if not isinstance(layers[0], Mapping):
        return ""
    names = ", ".join(repr(str(key)[:40]) for key in list(layers[0])[:12])
    return f"; it has {names or 'no field at all'}"


def _id(layers: Sequence[object]) -> str | None:
    for names in (known.ID, known.DOCUMENT_ID):
        for depth, layer in enumerate(layers):
            for name in names:
                # A number that a splitter put into the metadata counts chunks of one document.
                ordinal = depth > 0 and name == "chunk_id"
                found = as_id(field_of(layer, name), numbers=not ordinal)
                if found is not None:
                    return found
    return None


def _derived_id(
    layers: Sequence[object], fields: Mapping[str, Any], index: int | None
) -> str | None:
    """An id for the documents that may lack one (LangChain, Docling).

    The source and a digest of the text and its place: the same piece has the same id in
    every call, and two pieces of one source have two. Without a source, the place in the list.
    """
    item = layers[0]
    if isinstance(item, Mapping) or not (
        isinstance(field_of(item, "page_content"), str) or docling.boxes(layers)
    ):
        return None
    source = _first(layers, known.SOURCE, as_words)
    if source is None:
        return f"p{(index or 0) + 1}"
    place = f"{fields.get('page')}\0{fields.get('start')}\0{fields['text']}"
    digest = hashlib.sha256(place.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{source}#{digest[:12]}"


def _optional(layers: Sequence[object]) -> dict[str, Any]:
    source = _first(layers, ("source", "file_path", "path"), as_words)
    boxes = docling.boxes(layers)
    found = {
        "title": _first(layers, known.TITLE, as_words) or file_name(source),
        "url": _first(layers, known.URL, as_words)
        or (source if source and is_web(source) else None),
        "page": _first(boxes or layers, ("page_no",) if boxes else known.PAGE, as_whole),
        "bboxes": boxes or _first(layers, known.BOXES, as_boxes) or (),
        "start": _first(layers, known.START, as_offset),
        "lang": _first(layers, known.LANG, as_lang),
        "date": _first(layers, known.DATE, as_date),
        "score": _first(layers, known.SCORE, as_number),
    }
    return {name: value for name, value in found.items() if value is not None}


def _first(layers: Sequence[object], names: Sequence[str], read: Any) -> Any:
    for name in names:
        for layer in layers:
            value = read(field_of(layer, name))
            if value is not None:
                return value
    return None


def _metadata(
    layers: Sequence[object], fields: Mapping[str, Any], home: object, text_name: str
) -> Mapping[str, Any]:
    """The caller's own mapping, unchanged where nothing of it has become a field.

    Other fields of a mapping that wraps it are put beside it: also one with the name of a
    field that could not be read as one (a page "iv"), but no vectors.
    """
    item = layers[0]
    kept = _kept(layers)
    if kept is not None and kept is home:
        kept = {key: value for key, value in kept.items() if key != text_name}
    if not isinstance(item, Mapping):
        return kept or docling.metadata(layers)
    gone = {"id", text_name, *fields, *known.VECTORS}
    gone |= {name for name in known.OWN if _is_empty(item.get(name))}
    read = {id(layer) for layer in layers}
    rest = {key: v for key, v in item.items() if key not in gone and id(v) not in read}
    return {**rest, **(kept or {})} if rest or kept is None else kept


def _is_empty(value: object) -> bool:
    return value is None or (isinstance(value, str | list | tuple) and not value)


def _kept(layers: Sequence[object]) -> Mapping[str, Any] | None:
    """The mapping that is the item's metadata: so named, or else the body of a store's hit."""
    named = [field_of(layers[0], name) for name in (*known.METADATA, *known.BODIES)]
    named += [field_of(layer, name) for layer in layers[1:] for name in known.METADATA]
    return next((value for value in named if isinstance(value, Mapping)), None)
