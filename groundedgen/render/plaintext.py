"""Plain text: for terminals, logs of one's own and mail without markup."""

from __future__ import annotations

from collections.abc import Iterator

from groundedgen.render.display import name, plain, web_link
from groundedgen.render.labels import Labels
from groundedgen.render.view import Dropped, Shown, Source, View

__all__ = ["write"]


def write(view: View, labels: Labels) -> str:
    """The whole view as text. Foreign words keep to their line, so they cannot fake another."""
    return "\n".join(_lines(view, labels)).strip("\n")


def _lines(view: View, labels: Labels) -> Iterator[str]:
    if message := labels.told(view.reason, view.question):
        yield message
    yield from (_statement(statement, labels) for statement in view.statements)
    if view.statements:
        score = labels.scored(view.verified, len(view.statements))
        yield from ("", f"{score}.")
    for heading, sources in ((labels.sources, view.cited), (labels.closest, view.near)):
        if sources:
            yield from ("", f"{heading}:")
        for source in sources:
            yield from _source(source, labels)
    if view.dropped:
        yield from ("", f"{labels.dropped}:")
        for dropped in view.dropped:
            yield from _dropped(dropped, labels)


def _statement(statement: Shown, labels: Labels) -> str:
    marks = "".join(f"[{mark.number}]" for mark in statement.marks)
    note = "" if statement.verified else f" ({labels.not_checked})"
    return f"{plain(statement.text)} {marks}{note}"


def _source(source: Source, labels: Labels) -> Iterator[str]:
    card = source.card
    entry = [f"[{source.number}] {plain(name(card.title)) or labels.untitled}"]
    if card.page is not None:
        entry.append(labels.page.format(page=card.page))
    if card.date:
        entry.append(plain(card.date))
    yield ", ".join(entry)
    if link := web_link(card.url):
        yield f"    {link}"
    yield from (f'    "{plain(span.quote)}"' for span in source.spans)


def _dropped(dropped: Dropped, labels: Labels) -> Iterator[str]:
    place = labels.draft.format(attempt=dropped.attempt, number=dropped.index + 1)
    yield f"{place}: {plain(dropped.check)}, {plain(dropped.reason)}"
    yield from (f"    {plain(words)}" for words in (dropped.message, dropped.statement) if words)
    if dropped.nearest:
        yield f"    {labels.nearest}: {plain(dropped.nearest)}"
