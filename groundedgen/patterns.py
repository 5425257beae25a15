"""Patterns that are compiled when they are first used.

Compiling is what importing costs: a hundred patterns take longer than everything else
together, and most calls use few of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, cast

import regex

__all__ = ["compiled", "lazy"]


class _Lazy:
    """Stands for a pattern until the first use of one of its methods."""

    def __init__(self, compile_: Callable[[str, int], Any], pattern: str, flags: int) -> None:
        self._compile = compile_
        self._pattern = pattern
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        # Only called for what is not set yet: from then on the compiled method is found directly.
        method = getattr(self._compile(self._pattern, self._flags), name)
        setattr(self, name, method)
        return method


def lazy(pattern: str, flags: int = 0) -> regex.Pattern[str]:
    r"""A pattern like `regex.compile(pattern, flags)`, compiled when it is first used.

    >>> lazy(r"\p{Nd}+").findall("1 and 22")
    ['1', '22']
    """
    return cast("regex.Pattern[str]", _Lazy(regex.compile, pattern, flags))


def compiled(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """A pattern like `re.compile(pattern, flags)`, compiled when it is first used.

    For small patterns the standard library's engine is the faster one.

    >>> compiled("[0-9]+").findall("1 and 22")
    ['1', '22']
    """
    return cast("re.Pattern[str]", _Lazy(re.compile, pattern, flags))
