"""Shows an answer to one reader: only what this reader may open, escaped for its format.

::

    answer ─ access ─> cards this reader may see ─ view ─> what is shown ─> commonmark | page | ...

The source store is asked again at every render. What it does not grant leaves no trace:
no title, quote, link, id, offset or count, and the numbers close up.
"""

from __future__ import annotations

from typing import Any, Final, Literal

from groundedgen import access
from groundedgen.errors import InputError, MissingExtraError
from groundedgen.ports import AsyncSourceStore, SourceStore
from groundedgen.render import commonmark, payload, plaintext, view
from groundedgen.render.labels import Labels, labels_for
from groundedgen.values import Answer

__all__ = ["Format", "arender", "render"]

Format = Literal["markdown", "footnotes", "html", "text", "json"]
_FORMATS: Final = ("markdown", "footnotes", "html", "text", "json")


def render(
    answer: Answer,
    *,
    store: SourceStore | None = None,
    reader: object = None,
    format: Format = "markdown",  # noqa: A002  # the word every reader of the field expects
    developer: bool = False,
    lang: str = "en",
    timeout: float | None = None,
) -> str:
    """Show an answer to one reader.

    With a store, titles, links and dates come from it alone, and it is asked at every
    call which sources `reader` may open right now. An error, a reply that is no mapping
    of `SourceCard`s, or a time-out denies everything. A denied citation takes its
    statement with it unless another one stays; if nothing stays, the reader is told in
    one plain sentence, the same whatever there was.

    Without a store nobody is asked: the passages' own titles and links are shown. A reader
    without a store is refused. A store without a reader is asked about `None`, and mostly grants
    that reader what is public and no more; where that is nothing, a warning in the log says so. The
    page does not: it looks alike whatever was denied.

    Args:
        answer: What `ask` returned, or `Answer.model_validate_json` gave back.
        store: Says what `reader` may see. Asked in the calling thread.
        reader: Whoever will read this, in the store's own terms; `None` is nobody in particular.
        format: "markdown" (CommonMark and GFM, numbers in brackets and a list of sources),
            "footnotes" (the same with GFM's footnotes, `[^1]`), "html" (one self-contained page;
            needs the extra `web`), "text" or "json" (for programs that show it themselves; its
            strings are data and not escaped for any other format).
        developer: Also show dropped statements and why; never for readers.
        lang: Language of the few words around the answer: "en", "de", "fr" or "es", with or
            without a region.
        timeout: Seconds to wait for the store. The store is then asked in a worker
            thread; `None` asks it directly and waits as long as it takes.

    Raises:
        InputError: An unknown format or language, no `Answer`, a reader without a store, or a
            store without a synchronous `get`.
        MissingExtraError: "html" without the extra `web`.

    >>> from groundedgen.values import Citation, Entailment, Passage, Statement
    >>> policy = Passage("a", "Fire is covered.", title="Policy", url="https://docs.example/p")
    >>> said = Statement(
    ...     "Fire is covered.",
    ...     (Citation("a", "Fire is covered.", 0, 16, "exact", 0, 16),),
    ...     Entailment("supported", "whole_sentence"),
    ... )
    >>> answer = Answer("answered", "answered", "Fire?", (said,), passages=(policy,))
    >>> print(render(answer))
    Fire is covered. [1]
    <BLANKLINE>
    1 of 1 statement verified.
    <BLANKLINE>
    **Sources**
    <BLANKLINE>
    [1] [Policy](https://docs.example/p)
    <BLANKLINE>
    > Fire is covered.

    A reader who may not open the source learns nothing of it:

    >>> class Closed:
    ...     def get(self, ids, reader):
    ...         return {}
    >>> print(render(answer, store=Closed(), reader="b"))
    There is nothing here that can be shown to you.
    """
    labels = _checked(answer, format, lang)
    access.require_store(store, reader)
    cards = None
    if store is not None:
        access.require_sync(store)
        cards = access.granted(store, view.ids(answer, developer=developer), reader, timeout)
    shown = view.build(answer, cards, developer=developer)
    return _written(shown, format, labels)


async def arender(
    answer: Answer,
    *,
    store: SourceStore | AsyncSourceStore | None = None,
    reader: object = None,
    format: Format = "markdown",  # noqa: A002  # as render
    developer: bool = False,
    lang: str = "en",
    timeout: float | None = None,  # noqa: ASYNC109  # running out of time denies; it must not raise
) -> str:
    """`render`, awaited. A store that is only synchronous is asked in a worker thread."""
    labels = _checked(answer, format, lang)
    access.require_store(store, reader)
    cards = None
    if store is not None:
        wanted = view.ids(answer, developer=developer)
        cards = await access.agranted(store, wanted, reader, timeout)
    shown = view.build(answer, cards, developer=developer)
    return _written(shown, format, labels)


def _checked(answer: object, format_: str, lang: str) -> Labels:
    if not isinstance(answer, Answer):
        raise InputError(
            f"render takes an Answer, got {type(answer).__name__}; a stored one comes back with "
            f"Answer.model_validate_json",
            code="bad_type",
        )
    if format_ not in _FORMATS:
        raise InputError(
            f"format must be one of {', '.join(_FORMATS)}, got {format_!r}", code="unknown_format"
        )
    return labels_for(lang)


def _written(shown: view.View, format_: Format, labels: Labels) -> str:
    if format_ == "html":
        written: str = _page().write(shown, labels)
        return written
    writers = {
        "markdown": commonmark.write,
        "footnotes": commonmark.write_footnotes,
        "text": plaintext.write,
        "json": payload.write,
    }
    return writers[format_](shown, labels)


def _page() -> Any:
    try:
        from groundedgen.render import page  # noqa: PLC0415  # jinja2 is an extra
    except ModuleNotFoundError as error:
        if error.name not in {"jinja2", "markupsafe"}:
            raise
        raise MissingExtraError("render(format='html')", extra="web") from error
    return page
