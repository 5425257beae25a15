"""One driver an area: reads a case, asks the library, says whether it did as expected.

Drivers hold no rule of their own. `expect` is compared; nothing of it is handed to the library.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tests.drivers import (
    blockquote,
    judge,
    leak,
    markers,
    normalize,
    numbers,
    prompt,
    quote,
    render,
    schema,
    span,
)
from tests.drivers.result import Result

__all__ = ["AREAS", "Result"]

AREAS: Mapping[str, Callable[[dict[str, Any]], Result]] = {
    "blockquote": blockquote.run,
    "judge": judge.run,
    "leak": leak.run,
    "markers": markers.run,
    "normalize": normalize.run,
    "numbers": numbers.run,
    "prompt": prompt.run,
    "quote": quote.run,
    "render": render.run,
    "schema": schema.run,
    "span": span.run,
}
