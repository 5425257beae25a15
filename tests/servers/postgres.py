"""A PostgreSQL server to throw away: started from the installed programs, gone afterwards.

`python -m tests.servers.postgres COMMAND...` runs a command with GROUNDEDGEN_POSTGRES set to
such a server's URL. Where that is set already, `postgres_url` uses it and starts nothing.
"""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

VARIABLE = "GROUNDEDGEN_POSTGRES"


class NoServerError(RuntimeError):
    """There is no PostgreSQL to be had here; the message says what is missing."""


def programs() -> Path:
    """The folder of the newest PostgreSQL's programs."""
    folders = [Path(found).parent for found in [shutil.which("initdb")] if found]
    folders += sorted(
        (p.parent for p in Path("/usr/lib/postgresql").glob("*/bin/initdb")),
        key=lambda folder: int(folder.parent.name),
        reverse=True,
    )
    if not folders:
        raise NoServerError("no initdb in PATH or /usr/lib/postgresql: PostgreSQL is not installed")
    return folders[0]


@contextmanager
def postgres_url() -> Iterator[str]:
    """The URL, in SQLAlchemy's form, of a server that lives as long as the block.

    Raises:
        NoServerError: There is none and none can be started.
    """
    if url := os.environ.get(VARIABLE):
        yield url
        return
    folder = Path(tempfile.mkdtemp(prefix="groundedgen-postgres-"))
    try:
        user = _owner(folder)
        yield from _served(programs(), folder, user)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _owner(folder: Path) -> str | None:
    """Who runs the server: PostgreSQL refuses root, so root lends it another user."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        os.chown(folder, entry.pw_uid, entry.pw_gid)
        return name
    raise NoServerError("PostgreSQL does not run as root, and there is no other user to run it")


def _served(bin_: Path, folder: Path, user: str | None) -> Iterator[str]:
    data, port = folder / "data", _free_port()
    _run(user, bin_ / "initdb", "-D", data, "-U", "test", "-A", "trust", "-E", "UTF8", "-N")
    # No fsync: it is thrown away. The socket's folder may not be writable, so only TCP.
    options = f"-h 127.0.0.1 -p {port} -F -c unix_socket_directories= -c max_connections=50"
    log = folder / "log"
    _run(user, bin_ / "pg_ctl", "-D", data, "-l", log, "-w", "-t", 60, "-o", options, "start")
    try:
        yield f"postgresql+psycopg://test@127.0.0.1:{port}/postgres"
    finally:
        _run(user, bin_ / "pg_ctl", "-D", data, "-m", "immediate", "stop")


def _run(user: str | None, *command: object) -> None:
    done = subprocess.run(
        [str(part) for part in command],
        user=user,
        group=None if user is None else pwd.getpwnam(user).pw_gid,
        extra_groups=None if user is None else [],
        cwd="/",
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    if done.returncode:
        raise NoServerError(f"{command[0]} failed: {done.stderr.strip()[-500:]}")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


if __name__ == "__main__":
    with postgres_url() as server:
        environment = {**os.environ, VARIABLE: server}
        sys.exit(subprocess.run(sys.argv[1:], env=environment, check=False).returncode)
