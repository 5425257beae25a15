"""Patterns that are compiled when they are first used.

Compiling is what importing costs: a hundred patterns take longer than everything else
together, and most calls use few of them.
"""

from __future__ import annotations

from typing import Any, cast

import regex

__all__ = ["lazy"]


class _Lazy:
    """Stands for a pattern until the first use of one of its methods."""

    def __init__(self, pattern: str, flags: int) -> None:
        self._pattern = pattern
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        # Only called for what is not set yet: from then on the compiled method is found directly.
        method = getattr(regex.compile(self._pattern, self._flags), name)
        setattr(self, name, method)
        return method


def lazy(pattern: str, flags: int = 0) -> regex.Pattern[str]:
    """A pattern like `regex.compile(pattern, flags)`, compiled when it is first used.

    >>> digits = lazy("[0-9]+")
    >>> digits.findall("1 and 22")
    ['1', '22']
    """
    return cast("regex.Pattern[str]", _Lazy(pattern, flags))
