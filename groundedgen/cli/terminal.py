"""What a terminal is sent: foreign text made harmless, colour only where it is wanted."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TextIO

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.text import Text

from groundedgen.patterns import lazy

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["Line", "console", "one_line", "progress", "render", "shorten", "write", "write_error"]

# Control characters move the cursor, start escape sequences or ring; overrides and
# isolates of direction make text read as other text. Each is shown as a sign, so that a
# reader sees that something stood there.
_SIGNS: Final[dict[int, str]] = {
    **{code: chr(0x2400 + code) for code in range(0x20)},
    0x7F: "\u2421",
    **dict.fromkeys(range(0x80, 0xA0), "\ufffd"),
    **dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A)], "\ufffd"),
    **dict.fromkeys(range(0xFFF9, 0xFFFC), "\ufffd"),
    **dict.fromkeys(range(0xD800, 0xE000), "\ufffd"),
}
_BLANKS: Final = lazy(r"\s+")
_BROKEN_WORD: Final = lazy(r"(?<=\p{L}[-\u00ad\u2010])[^\S\n\r]*(?:\r\n|[\n\r])\s*(?=\p{L})")
_STRAY_JOINER: Final = lazy(r"(?<![^\s\p{C}])\u200d+|(?<=\u200d)\u200d+")
#: Narrower columns than this hold no word.
_NARROWEST: Final = 12


def one_line(text: str) -> str:
    r"""Foreign text on one line, without anything that could steer a terminal.

    Runs of blanks and line ends become one blank, except that a word broken at a line end
    stays in one piece, hyphen included. Nothing that can be seen is left out: only joiners
    with nothing to join go, on which the measuring of width trips.

    >>> one_line("the insur-\nance\x1b[31m  is\tvoid")
    'the insur-ance␛[31m is void'
    >>> one_line("10 - 12 Main St, ﬁrst ﬂoor [bold]")
    '10 - 12 Main St, ﬁrst ﬂoor [bold]'
    """
    joined: str = _BLANKS.sub(" ", _BROKEN_WORD.sub("", text)).strip()
    return _STRAY_JOINER.sub("", joined).translate(_SIGNS)


def shorten(text: str, limit: int) -> str:
    """At most `limit` characters, cut at a blank where there is one, the cut marked.

    >>> shorten("a long quotation", 9), shorten("short", 9)
    ('a long …', 'short')
    """
    if len(text) <= limit:
        return text
    head = text[: limit - 2]
    return (head.rsplit(" ", 1)[0] if " " in head else head) + " …"


@dataclass(frozen=True, slots=True)
class Line:
    """One paragraph of output: `lead` stands before its first line, `indent` blanks before all."""

    text: Text
    lead: str = ""
    indent: int = 0


def console(stream: TextIO) -> Console:
    """A console on a stream. Plain where it is no terminal or `NO_COLOR` is set."""
    plain = bool(os.environ.get("NO_COLOR"))
    return Console(
        file=stream,
        markup=False,
        emoji=False,
        highlight=False,
        color_system=None if plain else "auto",
    )


def render(lines: Iterable[Line], target: Console) -> str:
    """The lines as one string, wrapped to the console's width, without blanks at line ends."""
    with target.capture() as captured:
        for line in lines:
            for piece in _wrapped(line, target):
                target.print(piece, soft_wrap=True)
    return captured.get()


def _wrapped(line: Line, target: Console) -> Iterator[Text]:
    lead = line.lead
    margin = min(line.indent + len(lead), max(0, target.width - _NARROWEST))
    # A wide character needs two columns; it would be lost in one.
    pieces = line.text.wrap(target, max(target.width - margin, 2), tab_size=1) or [Text()]
    first = (" " * line.indent + lead)[-margin:] if margin else ""
    for number, piece in enumerate(pieces):
        row = Text.assemble(first if number == 0 else " " * margin, piece)
        row.rstrip()
        yield row


def write(text: str) -> None:
    """Put text on standard output, whatever its encoding. A reader that has gone is no error."""
    stream = sys.stdout
    if stream is None:  # closed by whoever started the process
        return
    encoding = stream.encoding or "utf-8"
    try:
        stream.write(text.encode(encoding, "replace").decode(encoding))
        stream.flush()
    except BrokenPipeError:
        # What Python would flush at exit goes nowhere instead of failing again.
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def write_error(message: str) -> None:
    """Put one line on standard error."""
    encoding = sys.stderr.encoding or "utf-8"
    line = one_line(message).encode(encoding, "replace").decode(encoding)
    with suppress(BrokenPipeError):
        sys.stderr.write(f"{line}\n")
        sys.stderr.flush()


@contextmanager
def progress(*, shown: bool) -> Iterator[Progress]:
    """A progress display on standard error, gone when done; silent unless that is a terminal."""
    target = console(sys.stderr)
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TimeElapsedColumn())
    with Progress(
        *columns, console=target, transient=True, disable=not (shown and target.is_terminal)
    ) as display:
        yield display
