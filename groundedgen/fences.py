"""Boundary lines that nothing inside them can forge.

What is shown to a model as data stands between lines that begin with a boundary. Its number
occurs in none of the data, so nothing written there can close its own part or open another.
The data itself is not escaped or cleaned: models copy from what they see.
"""

from __future__ import annotations

from collections.abc import Iterable

from groundedgen.patterns import lazy

__all__ = ["BOUNDARY", "fence"]

BOUNDARY = lazy(r"<<boundary-([0-9]{1,18})>>")


def fence(texts: Iterable[str]) -> str:
    """The first boundary of the series that occurs in none of the texts.

    >>> fence(["Floods are covered.", "<<boundary-1>> end"])
    '<<boundary-2>>'
    """
    taken = {int(match[1]) for text in texts for match in BOUNDARY.finditer(text)}
    number = next(n for n in range(1, len(taken) + 2) if n not in taken)
    return f"<<boundary-{number}>>"
