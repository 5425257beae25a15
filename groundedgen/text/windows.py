"""Pieces of a passage round a quote: its whole sentences, and as much as a judge can read."""

from __future__ import annotations

from groundedgen.text.sentences import sentence_spans, sentences_around

__all__ = ["context", "window"]

# A sentence is looked for this far to each side, in code points; only in texts longer than
# `_WHOLE`, where asking for all sentences would cost more than the answer.
_SIDE = 6_000
_WHOLE = 20_000


def context(text: str, start: int, end: int, lang: str | None = None) -> tuple[int, int]:
    """The bounds of the whole sentence or sentences that `text[start:end]` lies in.

    Half-open, in code points; never smaller than the span itself.

    >>> text = "It rains. The fee is due, unless waived. Call us."
    >>> start, end = context(text, 10, 24)
    >>> text[start:end]
    'The fee is due, unless waived.'
    >>> context(text, 0, 9)
    (0, 9)
    """
    return sentences_around(_sentences(text, start, end, lang), start, end)


def window(
    text: str, start: int, end: int, limit: int, lang: str | None = None
) -> tuple[int, int] | None:
    """The largest piece of whole sentences round `text[start:end]` that a reader can take.

    At most `limit` code points. Where not even the sentences of the span itself fit, as many whole
    words round it as do.

    Returns:
        Bounds that contain the span, or `None` if the span alone is longer than `limit`.

    >>> text = "It rains. The fee is due. Call us."
    >>> [text[slice(*window(text, 14, 17, limit))] for limit in (34, 25, 15, 9)]
    ['It rains. The fee is due. Call us.', 'It rains. The fee is due.', 'The fee is due.', 'fee is']
    >>> window(text, 14, 17, 2) is None
    True
    """
    if end - start > limit:
        return None
    if len(text) <= limit:
        return 0, len(text)
    spans = _sentences(text, start, end, lang, reach=limit)
    first, last = sentences_around(spans, start, end)
    if last - first > limit:
        return _words(text, start, end, limit)
    return _grown(spans, first, last, limit)


def _sentences(
    text: str, start: int, end: int, lang: str | None, reach: int = 0
) -> list[tuple[int, int]]:
    if len(text) <= _WHOLE:
        return sentence_spans(text, lang)
    low = max(0, start - _SIDE - reach)
    high = min(len(text), end + _SIDE + reach)
    return [(low + a, low + b) for a, b in sentence_spans(text[low:high], lang)]


def _grown(spans: list[tuple[int, int]], first: int, last: int, limit: int) -> tuple[int, int]:
    """Add the nearer neighbour first, before rather than after, while anything fits."""
    before = [span for span in spans if span[1] <= first]
    after = [span for span in reversed(spans) if span[0] >= last]
    start, end = first, last
    while before or after:
        left = end - before[-1][0] if before else limit + 1
        right = after[-1][1] - start if after else limit + 1
        balanced = first - start <= end - last
        if left <= limit and (balanced or right > limit):
            start = before.pop()[0]
        elif right <= limit:
            end = after.pop()[1]
        else:
            break
    return start, end


def _words(text: str, start: int, end: int, limit: int) -> tuple[int, int]:
    """As much as fits on both sides, without the words that the cut goes through."""
    spare = limit - (end - start)
    low = max(0, start - spare // 2)
    high = min(len(text), low + limit)
    low = max(0, high - limit)
    if low and not text[low - 1].isspace():
        blank = next((i for i in range(low, start) if text[i].isspace()), start - 1)
        low = blank + 1
    if high < len(text) and not text[high].isspace():
        high = next((i for i in range(high - 1, end - 1, -1) if text[i].isspace()), end)
    return low, high
