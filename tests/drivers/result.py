from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Result:
    """What one case came to.

    `must_accept` sorts it for the count: whether the honest thing had to come through.
    """

    ok: bool
    must_accept: bool
    why: str = ""
    needs_model: bool = False
