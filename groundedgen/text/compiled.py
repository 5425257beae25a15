"""Patterns of the standard library's engine, compiled when they are first used.

Compiling is what importing costs, and most texts need few of the patterns here. The engine
is `re` and not `regex`: for these small patterns it is the faster one.
"""

from __future__ import annotations

import re
from typing import Any, cast

__all__ = ["compiled"]


class _Pattern:
    """Stands for a pattern until one of its methods is used."""

    def __init__(self, source: str, flags: int) -> None:
        self._source = source
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        # Only called for what is not set yet: from then on the compiled method is found directly.
        method = getattr(re.compile(self._source, self._flags), name)
        setattr(self, name, method)
        return method


def compiled(source: str, flags: int = 0) -> re.Pattern[str]:
    """A pattern like `re.compile(source, flags)`, compiled when it is first used.

    >>> compiled("[0-9]+").findall("1 and 22")
    ['1', '22']
    """
    return cast("re.Pattern[str]", _Pattern(source, flags))
