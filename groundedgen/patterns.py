"""Patterns that are compiled when they are first used.

Compiling is what importing costs: a hundred patterns take longer than everything else
together, and most calls use few of them.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from typing import Any, Final, cast

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
    >>> compiled("(?:[0-9]|[.](?=[0-9]))*+").match("1.2.")[0]
    '1.2'
    """
    return cast("re.Pattern[str]", _Lazy(_compile, pattern, flags))


#: Before Python 3.11.5 `re` keeps what a possessive group has begun and not matched (CPython issue
#: 106052): it took the full stop of "1.2." above. Debian 12 has 3.11.2.
_KEEPS_TOO_MUCH: Final = sys.version_info < (3, 11, 5)
_POSSESSIVE_GROUP: Final = re.compile(r"\)(?:[*+?]|\{[0-9,]+\})\+|\(\?>")


def _compile(pattern: str, flags: int) -> re.Pattern[str] | regex.Pattern[str]:
    if _KEEPS_TOO_MUCH and _POSSESSIVE_GROUP.search(pattern):
        return regex.compile(pattern, flags)
    return re.compile(pattern, flags)
