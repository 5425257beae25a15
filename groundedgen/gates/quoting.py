"""What makes a quote evidence, and how a failed one is told: shared by the gates of quotes.

A quote may be looked for (`quotes`) or come with its place (`placed`); what counts is the same.
"""

from __future__ import annotations

from collections.abc import Mapping

from groundedgen.text.amounts import word_count
from groundedgen.text.matching.nearest import nearest
from groundedgen.text.search import core, folded
from groundedgen.text.windows import context, window
from groundedgen.values import Finding, Sourced

__all__ = ["has_words", "is_all", "readable", "told"]


def has_words(quote: str, min_words: int) -> bool:
    """Whether a quote has the words that prove something.

    >>> has_words("covered up to 500 euros", 5), has_words("500 euros", 5)
    (True, False)
    """
    return word_count(core(folded(quote).text), enough=min_words) >= min_words


def is_all(text: str, start: int, end: int) -> bool:
    """Whether nothing that says anything stands outside of a span: a short passage, quoted whole.

    >>> is_all("- Hail: no.", 2, 10), is_all("Hail: no. Fire: yes.", 0, 8)
    (True, False)
    """
    return not any(char.isalnum() for char in text[:start] + text[end:])


#: Words from which real text says something beside a failed quote: as many as a quote needs.
_ENOUGH = 5
_AROUND = 200  # code points that fewer words are shown in


def told(
    statement: Sourced,
    reason: str,
    message: str,
    docs: Mapping[str, str],
    details: tuple[str, ...] = (),
) -> Finding:
    """A finding on a quote, with the nearest real text of the first passage the statement names."""
    alias = next((a for a in statement.aliases if a in docs), None)
    text = docs.get(alias, "") if alias else ""
    start, end = readable(text, *nearest(statement.quote, text))
    return Finding(
        "quotes",
        reason,
        statement.index,
        message,
        statement=statement.text,
        details=details,
        passage_id=alias,
        nearest=text[start:end],
    )


def readable(text: str, start: int, end: int) -> tuple[int, int]:
    """The bounds of a piece of text, with its sentences where it is too little to be read alone.

    A quote that shares one word with its passage has that word as its nearest text. It is shown,
    and offered to the model to copy from, within its sentence; where that is short too, as a
    heading, or very long, within what fits into 200 code points.

    >>> text = "Floods. We pay for a hotel room from the third night on."
    >>> text[slice(*readable(text, 19, 24))], text[slice(*readable(text, 8, 31))]
    ('We pay for a hotel room from the third night on.', 'We pay for a hotel room')
    >>> text[slice(*readable(text, 0, 6))]
    'Floods. We pay for a hotel room from the third night on.'
    >>> readable(text, 0, 0)
    (0, 0)
    """
    if start == end or has_words(text[start:end], _ENOUGH):
        return start, end
    # No sentence that fits reaches farther; to split all of a passage would take longer.
    low = max(0, start - 2 * _AROUND)
    near, at = text[low : end + 2 * _AROUND], (start - low, end - low)
    first, last = context(near, *at)
    if last - first > _AROUND or not has_words(near[first:last], _ENOUGH):
        first, last = window(near, *at, _AROUND) or at
    return low + first, low + last
