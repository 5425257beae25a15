"""What the checks of generators and of judges share: texts, calling a part, saying what broke."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from groundedgen.errors import InputError
from groundedgen.judges.concurrency import in_background

__all__ = [
    "BROKEN",
    "STRANGE",
    "TEXTS",
    "Check",
    "awaited",
    "called",
    "has",
    "named",
    "promise",
    "run",
]

Check = Callable[[Any], None]

TEXTS: Final = (
    "Water damage from a burst pipe is covered up to 12,000 euros per claim.",
    "Damage must be reported within 14 days after it was noticed.",
    "Floods, earthquakes and war are not covered by this policy.",
)
STRANGE: Final = (
    "Ein Rohrbruch ist gedeckt 😀 e\u0301 نمی\u200cخواهم 保険金は支払われます。 \u202e\0 ﬁn."
)
BROKEN: Final = "A burst pipe is covered \ud83d by the policy \udc00 in full."


def run(who: str, checks: Mapping[str, Check], part: Any) -> None:
    for name, check in checks.items():
        try:
            check(part)
        except AssertionError as error:
            raise AssertionError(f"{who}, {name}: {error}") from error
        except Exception as error:
            raise AssertionError(f"{who}, {name}: raised {type(error).__name__}") from error


def promise(kept: object, otherwise: str) -> None:
    """`assert` that also holds under `python -O`."""
    if not kept:
        raise AssertionError(otherwise)


def has(part: object, sync: str, coroutine: str) -> bool:
    method = getattr(part, sync, None)
    promise(not inspect.iscoroutinefunction(method), f"{sync} is a coroutine; call it {coroutine}")
    promise(
        callable(method) or callable(getattr(part, coroutine, None)),
        f"no {sync} and no {coroutine}",
    )
    return callable(method)


def called(part: Any, sync: str, coroutine: str, *given: object) -> Any:
    """What the part returns; awaited where it has only that, or a client that serves only that."""
    if has(part, sync, coroutine):
        try:
            return getattr(part, sync)(*given)
        except InputError as error:
            if error.code != "bad_type" or not callable(getattr(part, coroutine, None)):
                raise
    return awaited(lambda: getattr(part, coroutine)(*given))


def awaited(call: Callable[[], Awaitable[Any]]) -> Any:
    """What the call comes to, in one loop for all of them: an async client belongs to one."""

    async def work() -> Any:
        return await call()

    return in_background(work)


def named(*checks: Check) -> Mapping[str, Check]:
    return {getattr(check, "__name__", ""): check for check in checks}
