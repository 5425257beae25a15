"""What a machine may lack: its tests are skipped, or fail where it was promised.

`GROUNDEDGEN_REQUIRE=browser,postgres` promises a browser (with axe-core) and PostgreSQL; `.ci/run`
does, so that no machine of CI's passes by testing less.
"""

from __future__ import annotations

import os
from typing import Literal, NoReturn

import pytest

VARIABLE = "GROUNDEDGEN_REQUIRE"


def lacking(what: Literal["browser", "postgres", "local"], reason: str) -> NoReturn:
    """Skip the test that asks, with a reason; fail it where `what` was promised."""
    promised = {name.strip() for name in os.environ.get(VARIABLE, "").split(",")}
    if what in promised:
        pytest.fail(f"{VARIABLE} names {what}, but {reason}", pytrace=False)
    pytest.skip(reason)
