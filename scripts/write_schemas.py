"""Writes schemas/*.json, the JSON Schemas of what goes in and out, from the code.

`python -m scripts.write_schemas` writes them; a test compares them with the code.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from groundedgen import draft
from groundedgen.passages import Passage
from groundedgen.values import Answer, TraceEvent

FOLDER = Path(__file__).parent.parent / "schemas"
DIALECT = "https://json-schema.org/draft/2020-12/schema"
#: How the draft's schema looks for three passages; only the names of the sources vary.
SOURCES = ("S1", "S2", "S3")


def schemas() -> dict[str, dict[str, Any]]:
    """File name -> schema."""
    return {
        "passage.json": _of(Passage),
        "draft.json": {"$schema": DIALECT, **draft.schema(SOURCES).model_json_schema()},
        "answer.json": _of(Answer),
        "trace_event.json": _of(TraceEvent),
    }


def written(schema: dict[str, Any]) -> str:
    return json.dumps(schema, indent=2, ensure_ascii=True) + "\n"


def _of(kind: type) -> dict[str, Any]:
    schema = TypeAdapter(kind).json_schema()
    return {"$schema": DIALECT, **_as_written(schema)}


def _as_written(node: Any) -> Any:
    """What `Answer.model_dump_json` writes: nothing but the named fields, and numbers that
    are not finite as strings. Of a docstring, the first paragraph says what the thing is."""
    if isinstance(node, list):
        return [_as_written(item) for item in node]
    if not isinstance(node, dict):
        return node
    whole = {
        key: _as_written(value)
        for key, value in node.items()
        if not (key == "title" and isinstance(value, str))
    }
    if isinstance(description := whole.get("description"), str):
        whole["description"] = " ".join(description.split("\n\n", 1)[0].split())
    if isinstance(node.get("properties"), dict):
        whole["additionalProperties"] = False
    if whole.get("type") == "number":
        del whole["type"]
        whole["anyOf"] = [{"type": "number"}, {"enum": ["NaN", "Infinity", "-Infinity"]}]
    return whole


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, schema in schemas().items():
        (FOLDER / name).write_text(written(schema), encoding="utf-8")
        print(FOLDER / name)


if __name__ == "__main__":
    main()
