"""How many threads a model in this process may compute with.

A container with a share of a host's processors sees all of them, and the system gives it the
share by stopping it: threads that wait for each other, as those of a matrix product do, then
mostly wait. So the quota of the control groups counts as well as the affinity, which Python's own
`os.process_cpu_count` leaves out. The files are those of the Linux kernel's documents "Control
Group v2" (`cpu.max`) and "CFS Bandwidth Control" (`cpu.cfs_quota_us`, `cpu.cfs_period_us`).
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import Final

from groundedgen.errors import InputError

__all__ = ["MOST", "allowed", "asked_for", "fitting", "folders"]

MOST: Final = 1024
"""Threads that can be asked for."""

#: By this name llama.cpp's own programs are told the same (its `--threads`).
_VARIABLE: Final = "LLAMA_ARG_THREADS"

_MOUNT: Final = Path("/sys/fs/cgroup")
_MEMBERSHIPS: Final = Path("/proc/self/cgroup")
#: Where the controller is mounted, under `_MOUNT`: in version 2 at the top, in version 1 in a room
#: of its own or in one with the accounts.
_ROOMS: Final = {2: (".",), 1: ("cpu", "cpu,cpuacct")}
_UNLIMITED: Final = "max"
_NUMBER: Final = re.compile(r"[+-]?[0-9]{1,9}")


def asked_for(environ: Mapping[str, str] = os.environ) -> int | None:
    """Threads that the environment asks for, 1 or more; `None` where it leaves them open.

    For programs that give a model by its name and have no place for a setting, as the command
    line. The variable is llama.cpp's own, `LLAMA_ARG_THREADS`, and means the same: what is less
    than 1 leaves them open.

    Raises:
        InputError: It is no whole number, or too large a one.

    >>> asked_for({"LLAMA_ARG_THREADS": "4"}), asked_for({"LLAMA_ARG_THREADS": "-1"}), asked_for({})
    (4, None, None)
    """
    told = environ.get(_VARIABLE, "").strip()
    if not told:
        return None
    number = int(told) if _NUMBER.fullmatch(told) else MOST + 1
    if number > MOST:
        raise InputError(
            f"the environment's {_VARIABLE} must be a whole number of threads up to {MOST}, got "
            f"{told!r:.60}; unset it for as many as this process may use",
            code="bad_threads",
        )
    return number if number > 0 else None


def allowed(mount: Path = _MOUNT, memberships: Path = _MEMBERSHIPS) -> int:
    """Threads to compute with, 1 or more: within the affinity and the quota of this process.

    Args:
        mount: Where control groups are mounted.
        memberships: The kernel's list of the groups this process is in.

    >>> 1 <= allowed() <= (os.cpu_count() or 1)
    True
    """
    told = _read(memberships) or ""
    limits = (_limit(mount / folder) for folder in folders(told))
    return fitting(_processors(), (limit for limit in limits if limit is not None))


def fitting(processors: int, limits: Iterable[str]) -> int:
    """The threads that fit into quotas, 1 or more; part of a processor counts as a whole one.

    Args:
        processors: Those that this process may run on, 1 or more.
        limits: "QUOTA PERIOD" each, both in microseconds: so much of the processors' time in so
            much of the clock's. A quota of "max", or of less than 1, is none; what is no such
            pair is passed over.

    >>> fitting(64, ["max 100000", "200000 100000"]), fitting(64, ["150000 100000"])
    (2, 2)
    >>> fitting(2, ["800000 100000"]), fitting(64, ["-1 100000"]), fitting(4, ["1000 100000"])
    (2, 64, 1)
    """
    return min([processors, *filter(None, map(_whole, limits))])


def folders(memberships: str) -> tuple[str, ...]:
    r"""Where limits can stand, below the mount: for each group its own folder and all above it.

    A container often sees its own group at the top of the mount, whatever the list says.

    Args:
        memberships: The kernel's list, lines of "NUMBER:CONTROLLERS:/PATH".

    >>> folders("0::/user.slice/one.scope")
    ('./user.slice/one.scope', './user.slice', '.')
    >>> folders("4:cpu,cpuacct:/docker/a\n3:memory:/b")[:3]
    ('cpu/docker/a', 'cpu/docker', 'cpu')
    """
    found = dict.fromkeys(
        f"{room}/{group}" if group else room
        for version, path in _groups(memberships)
        for room in _ROOMS[version]
        for group in _upwards(path)
    )
    return tuple(found)


def _groups(memberships: str) -> Iterator[tuple[int, str]]:
    """Version and path of each group that bounds the time of processors."""
    for line in memberships.splitlines():
        _, colon, rest = line.partition(":")
        controllers, colon, path = rest.partition(":")
        if colon and not controllers:
            yield 2, path
        elif colon and "cpu" in controllers.split(","):
            yield 1, path


def _upwards(path: str) -> list[str]:
    """The path and all above it, "" last; of one outside of what is seen here, that only."""
    here = PurePosixPath(path.lstrip("/"))
    if ".." in here.parts:
        return [""]
    return [str(group) for group in (here, *here.parents) if group.parts] + [""]


def _whole(limit: str) -> int | None:
    """The processors of a limit, rounded up; `None` for no limit."""
    quota, _, period = limit.strip().partition(" ")
    try:
        share = int(quota) / int(period) if quota != _UNLIMITED else 0
    except (ValueError, ArithmeticError):
        return None
    return math.ceil(share) if share > 0 else None


def _limit(folder: Path) -> str | None:
    if (limit := _read(folder / "cpu.max")) is not None:
        return limit
    quota, period = _read(folder / "cpu.cfs_quota_us"), _read(folder / "cpu.cfs_period_us")
    return None if quota is None or period is None else f"{quota.strip()} {period.strip()}"


def _read(file: Path) -> str | None:
    with suppress(OSError, ValueError):  # a name that is none, or what is no text
        return file.read_text()
    return None


def _processors() -> int:
    """Those that this process may run on, by its affinity where the system has one."""
    count = getattr(os, "process_cpu_count", None)  # Python 3.13's also heeds PYTHON_CPU_COUNT
    if count is not None:
        return count() or 1
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1
