"""A reply that comes in several parts: one reply, the same one twice, or two.

A server may cut one text into parts, hand the same call of a tool over twice, or send two replies
in one. Nothing says which of two counts, so neither does: they stand side by side, and that is no
JSON object.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from groundedgen.text.replies import read_object

__all__ = ["one_reply", "whole_object"]


def one_reply(words: Sequence[str], called: Sequence[str] = ()) -> str | None:
    """What the parts of a reply come to; `None` if there are none.

    Args:
        words: Its texts, in order.
        called: What a tool that was offered was called with, as JSON. It then counts, and words
            beside it only where they are a whole object, too.

    >>> one_reply(['{"a":', " 1}"]), one_reply(["Here it is."], ['{"a": 1}', '{"a":1}'])
    ('{"a": 1}', '{"a": 1}')
    >>> one_reply(['{"a": 1}', '{"a": 2}'])
    '{"a": 1}{"a": 2}'
    """
    texts = [text for text in words if text]
    if called:
        texts = [*called, *(text for text in texts if whole_object(text) is not None)]
    if len(texts) < 2:
        return texts[0] if texts else ("" if words else None)
    first = whole_object(texts[0])
    if first is not None and all(whole_object(text) == first for text in texts[1:]):
        return texts[0]
    # With a comma between calls, so that one that is empty does not pass for none.
    return (", " if called else "").join(texts)


def whole_object(text: str) -> dict[str, Any] | None:
    """The JSON object that a text is, if it is one and nothing else.

    >>> whole_object('{"a": 1}'), whole_object("So it is.")
    ({'a': 1}, None)
    """
    try:
        return read_object(text, alone=True)
    except ValueError:
        return None
