"""Reads one foreign value as what a `Passage` holds; `None` where it is no such thing.

Only the text and the id of a passage must be right. The other fields help to show it,
so a value of the wrong type is left out and never an error.
"""

from __future__ import annotations

import math
import re
import uuid
from collections.abc import Mapping
from datetime import date
from numbers import Integral
from typing import Any, Final

from groundedgen.patterns import compiled

__all__ = [
    "as_boxes",
    "as_date",
    "as_id",
    "as_lang",
    "as_number",
    "as_offset",
    "as_whole",
    "as_words",
    "exact",
    "field_of",
    "file_name",
    "is_language_tag",
    "is_number",
    "is_web",
]

# The shape of RFC 5646, also with the underscores of POSIX locales.
_LANG: Final = compiled(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{1,8}){0,8}")
_WHOLE: Final = compiled(r"[+-]?[0-9]{1,9}", re.ASCII)
_WEB: Final = compiled(r"https?://", re.IGNORECASE)


def as_id(value: object, *, numbers: bool) -> str | None:
    if isinstance(value, str):
        # LlamaIndex writes the word for "no document" into a store's metadata.
        return exact(value) if value.strip() and value != "None" else None
    if isinstance(value, uuid.UUID) or type(value).__name__ == "ObjectId":
        return str(value)
    if numbers and isinstance(value, Integral) and not isinstance(value, bool):
        return str(int(value))
    return None


def as_words(value: object) -> str | None:
    if isinstance(value, str):
        return exact(value) if value.strip() else None
    return str(value) if hasattr(value, "__fspath__") else None


def file_name(source: str | None) -> str | None:
    if source is None or is_web(source):
        return None
    return re.split(r"[/\\]", source.rstrip("/\\"))[-1] or None


def as_whole(value: object) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, Integral):  # numpy's too
        return int(value)
    if isinstance(value, float) and value.is_integer():  # a column of a data frame with gaps
        return int(value)
    if isinstance(value, str) and _WHOLE.fullmatch(value.strip()):
        return int(value)
    return None


def as_offset(value: object) -> int | None:
    number = as_whole(value) if isinstance(value, Integral) else None
    return number if number is not None and number >= 0 else None


def is_number(value: object) -> bool:
    return not isinstance(value, str | bytes | bool) and hasattr(value, "__float__")


def as_number(value: object) -> float | None:
    """A score; anything that is none, or is not finite, is left out: it only orders."""
    if not is_number(value):
        return None
    try:
        number = float(value)  # type: ignore[arg-type]  # has __float__, by the line above
    except (ArithmeticError, TypeError, ValueError):
        return None
    return number if math.isfinite(number) else None


def as_lang(value: object) -> str | None:
    return exact(value) if isinstance(value, str) and is_language_tag(value) else None


def is_language_tag(tag: str) -> bool:
    """Whether it has the shape of a BCP 47 tag; whether anyone registered it is not looked up.

    >>> [is_language_tag(tag) for tag in ("de-CH", "zh_Hant", "english", "")]
    [True, True, False, False]
    """
    return _LANG.fullmatch(tag) is not None


def as_date(value: object) -> str | None:
    return value.isoformat() if isinstance(value, date) else as_words(value)


def as_boxes(value: object) -> tuple[Any, ...] | None:
    if isinstance(value, list | tuple) and value:
        one = all(is_number(number) for number in value)
        return (tuple(value),) if one else tuple(value)
    return (value,) if isinstance(value, Mapping) and value else None


def exact(value: str) -> str:
    return str.__str__(value)


def is_web(text: str) -> bool:
    return _WEB.match(text) is not None


def field_of(layer: object, name: str) -> Any:
    """A mapping's value or an object's attribute of that name, or `None`."""
    if isinstance(layer, Mapping):
        return layer.get(name)
    try:
        return getattr(layer, name, None)
    except Exception:  # noqa: BLE001  # a foreign property may raise whatever it likes
        return None
