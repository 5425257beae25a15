"""From the name of a generator or judge to the object, without importing any until asked.

The names stand here as text, so that this room stays below the adapters it names and
`import groundedgen` brings in no SDK.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping
from typing import Any

from groundedgen.errors import InputError
from groundedgen.ports import AsyncGenerator, AsyncJudge, Generator, Judge

__all__ = ["GENERATORS", "JUDGES", "generator", "judge", "name_of"]

GENERATORS: Mapping[str, str] = {
    "extractive": "groundedgen.generators.extractive:ExtractiveGenerator",
}
JUDGES: Mapping[str, str] = {
    "lexical": "groundedgen.judges.lexical:LexicalJudge",
}


def generator(model: object) -> Generator | AsyncGenerator:
    """The generator a caller means by `model=`: a name, or an object that is one already.

    Raises:
        InputError: No generator has that name, or the object has no `generate`.

    >>> generator("extractive").name
    'extractive'
    """
    if isinstance(model, str):
        return _made("model", model, GENERATORS)  # type: ignore[no-any-return]  # named in GENERATORS
    if isinstance(model, Generator | AsyncGenerator) and not isinstance(model, type):
        return model
    raise InputError(
        f"model= takes a name or an object with generate() or agenerate(), "
        f"got {type(model).__name__}",
        code="bad_type",
    )


def judge(which: object) -> Judge | AsyncJudge:
    """The judge a caller means by `judge=`: a name, or an object that is one already.

    Raises:
        InputError: No judge has that name, or the object has no `judge`.

    >>> judge("lexical").name
    'lexical'
    """
    if isinstance(which, str):
        return _made("judge", which, JUDGES)  # type: ignore[no-any-return]  # named in JUDGES
    if isinstance(which, Judge | AsyncJudge) and not isinstance(which, type):
        return which
    raise InputError(
        f"judge= takes a name or an object with judge() or ajudge(), got {type(which).__name__}",
        code="bad_type",
    )


def _made(argument: str, name: str, known: Mapping[str, str]) -> Any:
    if name not in known:
        raise InputError(
            f"unknown {argument} {name!r}; there are {', '.join(sorted(known))}; "
            f"in Python, pass an object of your own",
            code=f"unknown_{argument}",
        )
    return pkgutil.resolve_name(known[name])()


def name_of(part: object) -> str:
    """What to call a generator or judge in an answer: its `name`, or else its class."""
    name = getattr(part, "name", None)
    return name if isinstance(name, str) and name else type(part).__name__
