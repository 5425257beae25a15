"""JSON of what one reader may see, for programs that show it themselves.

Strings are data: nothing is left out of them and nothing is escaped but what JSON asks
for, and `<`, `>` and `&`, so that the text may stand inside an HTML page's script block.
"""

from __future__ import annotations

from typing import Any

from groundedgen import wire
from groundedgen.render.display import web_link
from groundedgen.render.labels import Labels
from groundedgen.render.view import Dropped, Shown, Source, View
from groundedgen.values import Citation

__all__ = ["write"]

_IN_SCRIPT = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})


def write(view: View, labels: Labels) -> str:
    """The view as one JSON object in ASCII. Offsets are code points, half-open, and UTF-16."""
    plain = {
        "status": view.status,
        "reason": view.reason,
        "message": labels.told(view.reason, view.question),
        "question": view.question,
        "verified": view.verified,
        "shown": len(view.statements),
        "statements": [_statement(statement) for statement in view.statements],
        "sources": [_source(source) for source in view.sources],
        "engine": view.engine,
    }
    if view.dropped:
        plain["dropped"] = [_dropped(dropped) for dropped in view.dropped]
    return wire.to_json(wire.dump(plain), indent=2).translate(_IN_SCRIPT)


def _statement(statement: Shown) -> dict[str, Any]:
    return {
        "text": statement.text,
        "verified": statement.verified,
        "citations": [
            _citation(mark.number, citation)
            for mark in statement.marks
            for citation in mark.citations
        ],
    }


def _citation(number: int, citation: Citation) -> dict[str, Any]:
    return {
        "source": number,
        "passage_id": citation.passage_id,
        "quote": citation.quote,
        "start": citation.start,
        "end": citation.end,
        "utf16": citation.utf16(),
        "context": (citation.context_start, citation.context_end),
        "match": citation.match,
    }


def _source(source: Source) -> dict[str, Any]:
    card, passage = source.card, source.passage
    return {
        "number": source.number,
        "id": card.id,
        "title": card.title,
        "url": web_link(card.url),
        "date": card.date,
        "page": card.page,
        "bboxes": passage.bboxes,
        "cited": source.cited,
        "quotes": [
            {"quote": span.quote, "start": span.start, "end": span.end} for span in source.spans
        ],
    }


def _dropped(dropped: Dropped) -> dict[str, Any]:
    plain: dict[str, Any] = wire.dump(dropped)
    return plain
