"""Calls of libraries that warn, also where warnings are errors.

A library may warn of its own ways, which is no business of whoever asks a question.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Awaitable, Callable
from typing import Any, Final

from groundedgen.errors import ProviderError

__all__ = ["aunwarned", "unwarned", "warned"]

_MOST: Final = 8  # warnings of one call that are let pass


def _never() -> bool:
    return False


def unwarned(call: Callable[[], Any], has_begun: Callable[[], bool] = _never) -> Any:
    """`call`, also where warnings are errors.

    Only while nothing was sent, since a request costs, and a second one may say something else.

    Not `warnings.catch_warnings`: it changes the filters of all threads and puts them back in
    any order. One filter for this very text does no harm to anything else.

    Args:
        call: What may warn.
        has_begun: Whether something may have been sent.

    Raises:
        Warning: It came once something had begun, or is one of many.
    """
    for _ in range(_MOST):
        try:
            return call()
        except Warning as warning:
            if has_begun():
                raise
            _ignore(warning)
    return call()


async def aunwarned(
    call: Callable[[], Awaitable[Any]], has_begun: Callable[[], bool] = _never
) -> Any:
    """`unwarned`, awaited."""
    for _ in range(_MOST):
        try:
            return await call()
        except Warning as warning:
            if has_begun():
                raise
            _ignore(warning)
    return await call()


def _ignore(warning: Warning) -> None:
    warnings.filterwarnings("ignore", re.escape(str(warning)), type(warning))


def warned(warning: Warning, who: str) -> ProviderError:
    """What to raise for a warning that came in place of a reply.

    >>> warned(DeprecationWarning("..."), "mine").hint.partition(";")[0]
    'warnings are errors in this program'
    """
    return ProviderError(
        f"{who}: there was a warning in place of a reply ({type(warning).__name__})",
        hint="warnings are errors in this program; let those of this class pass, as "
        "warnings.filterwarnings does, or do what it asks for (`original` is the warning)",
        original=warning,
    )
