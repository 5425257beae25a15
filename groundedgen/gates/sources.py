"""Every source a statement names is one that was offered, or the statement goes.

A statement with one real and one invented source goes too: which of the two its words
came from cannot be known, and a second draft can name the right one.
"""

from __future__ import annotations

from collections.abc import Collection

from groundedgen.text.names import resolve
from groundedgen.values import Finding, Sourced

__all__ = ["check_sources"]

_UNKNOWN_ONE = "It names a source that was not offered."
_UNKNOWN = "It names {} sources that were not offered."


def check_sources(
    index: int, text: str, written: object, quote: str, names: Collection[str]
) -> Sourced | Finding:
    """Read a drafted statement's sources against the offered names.

    Args:
        index: Place of the statement in its draft, from 0.
        text: The statement, handed on.
        written: The value of the draft's `sources`, whatever its type.
        quote: The quote, handed on; it is not looked up here.
        names: The offered aliases.

    Returns:
        The statement with its aliases in their listed spelling, without repeats; or a
        finding `no_source`, `bad_type`, or `unknown_source` with the unknown ones.

    >>> check_sources(0, "Pipes are covered.", "[s1]", "a quote", ["S1", "S2"])
    Sourced(index=0, aliases=('S1',))
    >>> check_sources(0, "Pipes are covered.", ["S1", "S9"], "a quote", ["S1", "S2"]).reason
    'unknown_source'
    """
    read = resolve([] if written is None else written, names)
    if read is None:
        return _finding("bad_type", index, "Its sources are no list of names.", text)
    if read.unknown:
        message = _UNKNOWN_ONE if len(read.unknown) == 1 else _UNKNOWN.format(len(read.unknown))
        return _finding("unknown_source", index, message, text, read.unknown)
    if not read.known:
        return _finding("no_source", index, "It names no source.", text)
    return Sourced(index=index, text=text, aliases=read.known, quote=quote)


def _finding(
    reason: str, index: int, message: str, text: str, details: tuple[str, ...] = ()
) -> Finding:
    return Finding("sources", reason, index, message, statement=text, details=details)
