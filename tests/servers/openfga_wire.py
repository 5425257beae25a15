"""An OpenFGA server of our own: the real HTTP API of checks, over tuples held in a set.

`POST /stores/{id}/batch-check` and `/check`, as the server of version 1.8 and newer answers
them, its limit of checks a batch and its validation of names included.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable

from tests.servers.loopback import Asked, Said, serving

STORE = "01JDGH5ZJ0Q9YV6T6V2E0N8K3B"
LIMIT = 50

_OBJECT = re.compile(r"[^\s:]{2,254}:[^\s:#]{2,256}")
_USER = re.compile(r"[^\s:]{2,254}:[^\s:#]{1,512}")
_CORRELATION = re.compile(r"[\w-]{1,36}")


class Tuples:
    """Who stands in which relation to what; told and asked by any thread."""

    def __init__(self) -> None:
        self._held: set[tuple[str, str, str]] = set()
        self._lock = threading.Lock()

    def write(self, user: str, relation: str, object_: str) -> None:
        with self._lock:
            self._held.add((user, relation, object_))

    def delete(self, user: str, relation: str, object_: str) -> None:
        with self._lock:
            self._held.discard((user, relation, object_))

    def holds(self, key: dict[str, str]) -> bool:
        with self._lock:
            return (key["user"], key["relation"], key["object"]) in self._held


def openfga(tuples: Tuples, change: Callable[[dict], object] = lambda reply: reply):
    """A running server; `change` may spoil the body of a batch's reply, or put a `Said` in its
    place."""

    def answer(asked: Asked) -> Said:
        if asked.path == f"/stores/{STORE}/check":
            return _check(tuples, asked.body)
        if asked.path == f"/stores/{STORE}/batch-check":
            said = _batch(tuples, asked.body)
            changed = change(said.body) if said.status == 200 else said
            return changed if isinstance(changed, Said) else Said(body=changed)
        return _error(404, "undefined_endpoint", "Not Found")

    return serving(answer)


def _check(tuples: Tuples, body: dict) -> Said:
    if why := _fault(body["tuple_key"]):
        return _error(400, "validation_error", why)
    return Said(body={"allowed": tuples.holds(body["tuple_key"]), "resolution": ""})


def _batch(tuples: Tuples, body: dict) -> Said:
    checks = body["checks"]
    if not 1 <= len(checks) <= LIMIT:
        return _error(400, "validation_error", f"batchCheck received {len(checks)} checks")
    ids = [check["correlation_id"] for check in checks]
    if len(set(ids)) < len(ids) or not all(map(_CORRELATION.fullmatch, ids)):
        return _error(400, "validation_error", "invalid correlation_id")
    for check in checks:
        if why := _fault(check["tuple_key"]):
            return _error(400, "validation_error", why)
    result = {c["correlation_id"]: {"allowed": tuples.holds(c["tuple_key"])} for c in checks}
    return Said(body={"result": result})


def _fault(key: dict[str, str]) -> str:
    if not _OBJECT.fullmatch(key["object"]):
        return f"invalid object {key['object']}"
    return "" if _USER.fullmatch(key["user"]) else f"invalid user {key['user']}"


def _error(status: int, code: str, message: str) -> Said:
    return Said(status, {"code": code, "message": message})
