r"""Statements of a reply that is still arriving, each as soon as its JSON object closes.

Only the form that servers are asked for is followed: the status first, `answered`, then the list
of statements, possibly in a code fence. Anything else (a thinking part, another order, another
key) may be an honest reply as well, but whether it is can only be said of all of it: nothing of
it closes early. What closes here is a hint; the whole reply is read anew when it has ended.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

import regex

from groundedgen.draft import Answered, NotFound
from groundedgen.errors import DraftFormatError
from groundedgen.patterns import lazy
from groundedgen.text.replies import PADDING
from groundedgen.values import Finding, Reply, Sourced

__all__ = ["Scanner", "read"]

_BLANK: Final = r"[ \t\n\r]*"
_PADDING: Final = f"[{regex.escape(PADDING)}]*"
#: All before the first statement. Matched in part while it arrives, so nothing is possessive.
_OPENING = lazy(
    rf"{_PADDING}(?:(?:`{{3,9}}|~{{3,9}})[ \t]*[\w+.\-]*{_PADDING})?"
    rf'\{{{_BLANK}"status"{_BLANK}:{_BLANK}"(?:answered|Answered|ANSWERED)"{_BLANK},'
    rf'{_BLANK}"statements"{_BLANK}:{_BLANK}\['
)
_LONGEST_OPENING: Final = 400  # code points; the usual one has 40
_INSIDE = lazy(r'["{}\[\]]')
_IN_STRING = lazy(r'["\\]')
_GAP = lazy(r"[^ \t\n\r]")


class Scanner:
    r"""Finds the statements of one reply. Takes time in proportion to the text, however cut.

    >>> scanner = Scanner()
    >>> scanner.feed('{"status": "answered", "statements": [{"text": "A {brace}')
    ()
    >>> scanner.feed('.", "sources": ["S1"]}, {"te')
    ('{"text": "A {brace}.", "sources": ["S1"]}',)
    >>> Scanner().feed('{"statements": [{"text": "A."}], "status": "answered"}')
    ()
    """

    def __init__(self) -> None:
        self._opening: str | None = ""
        self._expects = "{]"  # what may come next in the list; "" once nothing is followed any more
        self._open: list[str] = []  # pieces of the statement that is open
        self._depth = 0
        self._in_string = self._escaped = False

    def feed(self, delta: str) -> tuple[str, ...]:
        """The JSON of each statement that closes with this part of the reply, in order."""
        if self._opening is not None:
            rest = self._opened(self._opening + delta)
            if rest is None:
                return ()
            delta = rest
        return tuple(self._closed(delta))

    def _opened(self, text: str) -> str | None:
        """What follows the opening; `None` while there is nothing of it."""
        found = _OPENING.match(text, partial=True) if self._expects else None
        if found is None or found.end() > _LONGEST_OPENING:
            self._expects = self._opening = ""
            return None
        if found.partial:
            self._opening = text
            return None
        self._opening = None
        return text[found.end() :]

    def _closed(self, text: str) -> list[str]:
        closed: list[str] = []
        at = 0
        while at < len(text) and self._expects:
            if self._depth:
                end = self._inside(text, at)
                self._open.append(text[at:end])
                if not self._depth:
                    closed.append("".join(self._open))
                    self._open.clear()
                at = end
            else:
                at = self._between(text, at)
        return closed

    def _between(self, text: str, at: int) -> int:
        """Go on from `at`, between two statements."""
        found = _GAP.search(text, at)
        if found is None:
            return len(text)
        if found[0] not in self._expects or found[0] == "]":
            self._expects = ""
        elif found[0] == "{":
            self._expects, self._depth = ",]", 1
            self._open.append("{")
        else:
            self._expects = "{"
        return found.end()

    def _inside(self, text: str, at: int) -> int:
        """Go on from `at`, inside a statement: its end, or the end of the text."""
        while self._depth:
            if self._escaped and at < len(text):
                self._escaped, at = False, at + 1
            found = (_IN_STRING if self._in_string else _INSIDE).search(text, at)
            if found is None:
                return len(text)
            at = found.end()
            match found[0]:
                case "\\":
                    self._escaped = True
                case '"':
                    self._in_string = not self._in_string
                case "{" | "[":
                    self._depth += 1
                case _:
                    self._depth -= 1
        return at


def read(
    statement: str, index: int, parse: Callable[[Reply], Answered | NotFound]
) -> Sourced | Finding | None:
    """A statement that has closed, read as it will be with the whole reply.

    Args:
        statement: Its JSON.
        index: Its place in the draft, from 0.
        parse: Reads a whole reply.

    Returns:
        The statement, or what is wrong with it; `None` if it is no JSON, so that the whole
        reply will be none either.

    >>> from groundedgen.draft import parse
    >>> statement = '{"text": "A.", "sources": ["S9"], "quote": "b"}'
    >>> read(statement, 3, lambda reply: parse(reply, ["S1"])).reason
    'unknown_source'
    """
    try:
        drafted = parse(Reply(f'{{"status": "answered", "statements": [{statement}]}}'))
    except DraftFormatError:
        return None
    if not isinstance(drafted, Answered) or drafted.total != 1:
        return None
    only = drafted.statements[0] if drafted.statements else drafted.findings[0]
    return replace(only, index=index)
