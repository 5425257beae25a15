"""CommonMark with GFM's rules in mind: what is not ours cannot become markup.

Foreign words come out as the words they are, in any renderer: links, images, bare
addresses, HTML, headings, lists, tables, code and emphasis in them do not open.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from groundedgen.patterns import compiled
from groundedgen.render.display import line, name, unlinked, web_link
from groundedgen.render.labels import Labels
from groundedgen.render.view import Dropped, Shown, Source, View

__all__ = ["escape", "write", "write_footnotes"]

_MARKUP: Final = compiled(r"[\\`*_\[\]~|]|(?<=\])\(|<|>|&(?=#?\w{1,32};)")
_ENTITIES: Final = {"<": "&lt;", ">": "&gt;", "&": "&amp;"}
#: What opens a block at the start of a line: headings, lists, rules and underlines.
_OPENING: Final = compiled(r"#{1,6}(?=\s|$)|[-+=](?=\s|$|[-=+])|\d{1,9}[.)](?=\s|$)")
#: Names of hosts that some renderers link without any `www`; `\.` shows the same.
_HOST_DOT: Final = compiled(
    r"(?<=[\w\-\u2060])\.(?=(?:com|net|org|info|biz|edu|gov|pro|web|xxx|aero|asia|coop|museum"
    r"|name|shop|app|dev|xyz|рф|[a-z]{2})(?![0-9A-Za-z]))",
    re.IGNORECASE,
)


def escape(text: str) -> str:
    r"""Foreign words on one line, as Markdown that shows exactly them.

    >>> print(escape("# 5 * 3 <b> [a](https://evil.example)").replace("\u2060", "~"))
    \# 5 \* 3 &lt;b&gt; \[a\]\(https:/~/evil.example)
    >>> print(escape("R & D, no. 5 (2024): up to 12,000.50 euros - all in."))
    R & D, no. 5 (2024): up to 12,000.50 euros - all in.
    """
    text = unlinked(line(text))
    # One dollar sign is money; two open mathematics in many chats.
    marked = re.sub(r"\$", r"\\$", _escaped(text)) if text.count("$") > 1 else _escaped(text)
    return _OPENING.sub(_closed, marked, count=1) if _OPENING.match(marked) else marked


def _escaped(text: str) -> str:
    text = _MARKUP.sub(lambda match: _ENTITIES.get(match[0], "\\" + match[0]), text)
    return _HOST_DOT.sub(r"\\.", text)


def _closed(match: re.Match[str]) -> str:
    return match[0][:-1] + "\\" + match[0][-1]


def write(view: View, labels: Labels) -> str:
    """The whole view as Markdown; blocks are separated by one blank line."""
    return "\n\n".join(
        (
            *_said(view, labels, "[{}]"),
            *_listed(labels.sources, view.cited, labels),
            *_listed(labels.closest, view.near, labels),
            *_all_dropped(view, labels),
        )
    )


def write_footnotes(view: View, labels: Labels) -> str:
    """The whole view as Markdown whose sources are GFM footnotes, `[^1]`.

    A renderer of footnotes shows only those that something points at, and so the closest
    passages stay a list.
    """
    notes = ("\n\n".join(_footnote(source, labels)) for source in view.cited)
    return "\n\n".join(
        (
            *_said(view, labels, "[^{}]"),
            *_listed(labels.closest, view.near, labels),
            *_all_dropped(view, labels),
            *notes,
        )
    )


def _said(view: View, labels: Labels, mark: str) -> Iterator[str]:
    if message := labels.told(view.reason, view.question):
        yield message
    yield from (_statement(statement, labels, mark) for statement in view.statements)
    if view.statements:
        yield labels.scored(view.verified, len(view.statements)) + "."


def _statement(statement: Shown, labels: Labels, mark: str) -> str:
    marks = "".join(mark.format(shown.number) for shown in statement.marks)
    note = "" if statement.verified else f" *({labels.not_checked})*"
    return f"{escape(statement.text)} {marks}{note}"


def _listed(heading: str, sources: Sequence[Source], labels: Labels) -> Iterator[str]:
    if sources:
        yield f"**{heading}**"
    for source in sources:
        yield f"[{source.number}] {_entry(source, labels)}"
        yield from (f"> {escape(span.quote)}" for span in source.spans)


def _footnote(source: Source, labels: Labels) -> Iterator[str]:
    # Where footnotes are not known, this must not define where `[^1]` leads to: after its first
    # word comes one of ours that could not be the title of a link.
    lead = labels.source.format(number=source.number)
    yield f"[^{source.number}]: {lead}: {_entry(source, labels)}"
    yield from (f"    > {escape(span.quote)}" for span in source.spans)


def _entry(source: Source, labels: Labels) -> str:
    card = source.card
    title = escape(name(card.title)) or labels.untitled
    link = web_link(card.url)
    entry = [f"[{title}]({link})" if link else title]
    if card.page is not None:
        entry.append(labels.page.format(page=card.page))
    if card.date:
        entry.append(escape(card.date))
    return ", ".join(entry)


def _all_dropped(view: View, labels: Labels) -> Iterator[str]:
    if view.dropped:
        yield f"**{labels.dropped}**"
        yield "\n".join(_dropped(dropped, labels) for dropped in view.dropped)


def _dropped(dropped: Dropped, labels: Labels) -> str:
    place = labels.draft.format(attempt=dropped.attempt, number=dropped.index + 1)
    parts = [f"{place}: {escape(dropped.check)}, {escape(dropped.reason)}"]
    parts += [escape(words) for words in (dropped.message, dropped.statement) if words]
    if dropped.nearest:
        parts.append(f"{labels.nearest}: {escape(dropped.nearest)}")
    return "- " + " / ".join(parts)
