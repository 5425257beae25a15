"""Reads the pages, boxes and headings of a Docling chunk, which keeps them one level deeper."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from groundedgen.fieldvalues import field_of

__all__ = ["boxes", "metadata"]


def boxes(layers: Sequence[object]) -> tuple[dict[str, Any], ...]:
    """Page and box of each item of the chunk, with the corner that the box is counted from."""
    places = [place for item in _listed(layers, "doc_items") for place in _listed([item], "prov")]
    return tuple(_box(place) for place in places)


def metadata(layers: Sequence[object]) -> dict[str, Any]:
    """The headings over the chunk and the references of its items; empty for anything else."""
    items = _listed(layers, "doc_items")
    if not items:
        return {}
    references = [field_of(item, "self_ref") for item in items]
    return {"headings": [*_listed(layers, "headings")], "doc_items": references}


def _listed(layers: Sequence[object], name: str) -> Sequence[object]:
    found = (field_of(layer, name) for layer in layers)
    return next((value for value in found if isinstance(value, list | tuple) and value), ())


def _box(place: object) -> dict[str, Any]:
    box = field_of(place, "bbox")
    corner = field_of(box, "coord_origin")
    return {
        "page_no": field_of(place, "page_no"),
        **{side: field_of(box, side) for side in ("l", "t", "r", "b")},
        "coord_origin": getattr(corner, "value", corner),
    }
