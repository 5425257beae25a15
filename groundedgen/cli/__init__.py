"""The command line, `groundedgen`. Needs the extra `cli`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["main"]

_EXTRA = frozenset({"typer", "rich"})


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; `groundedgen --help` lists them.

    Args:
        argv: The arguments, without the program's name; those of the process if left out.
    """
    try:
        from groundedgen.cli.app import run  # noqa: PLC0415 - the one guarded import
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in _EXTRA:
            raise
        sys.stderr.write(
            f"error: the command line needs {error.name}: pip install 'groundedgen[cli]'\n"
        )
        return 2
    return run(argv)
