"""Which files there are to read, in which order, and what each is called.

Order and names depend only on the paths, so passage ids stay the same from one run to
the next.
"""

from __future__ import annotations

import os
import stat
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final

from groundedgen.errors import InputError

__all__ = ["READERS", "OnSkip", "SourceFile", "StrPath", "find_files", "printable"]

StrPath = str | os.PathLike[str]
OnSkip = Callable[[Path, InputError], None]

#: Suffix -> the module beside this one that reads it.
READERS: Final[Mapping[str, str]] = MappingProxyType(
    {
        ".txt": "plain",
        ".md": "markdown",
        ".markdown": "markdown",
        ".jsonl": "jsonl",
        ".html": "html",
        ".htm": "html",
        ".pdf": "pdf",
    }
)


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file to read.

    Attributes:
        path: Where it is.
        name: How passage ids and titles call it; unique among the files of one call.
        named: Whether the caller named the file itself, not a folder around it.
    """

    path: Path
    name: str
    named: bool


def find_files(
    paths: StrPath | Iterable[StrPath], *, on_skip: OnSkip | None = None
) -> list[SourceFile]:
    """The files that `read_paths` would read, in order, each once; opens none of them.

    Folders are walked recursively, sorted by name; hidden files and folders are left out.

    Args:
        paths: Files and folders.
        on_skip: Told of every file of another suffix (code `unsupported_type`), and of
            every folder that cannot be opened (which is an error without it).

    Raises:
        InputError: A path does not exist (`no_such_file`), cannot be opened
            (`unreadable_file`), is a file of another suffix (`unsupported_type`), or there
            is nothing to read (`nothing_to_read`).
    """
    given = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    found: dict[str, _Found] = {}
    for path in map(Path, given):
        for file in _files(path, on_skip):
            known = found.setdefault(os.path.realpath(file.path), file)
            known.named |= file.named
    if not found:
        where = ", ".join(map(str, given)) or "no path was given"
        raise InputError(
            f"nothing to read ({where}); readable are {' '.join(READERS)}", code="nothing_to_read"
        )
    names = _names(list(found.values()))
    return [
        SourceFile(file.path, name, file.named)
        for file, name in zip(found.values(), names, strict=True)
    ]


@dataclass(slots=True)
class _Found:
    """A file, and the folder that its name is told from."""

    path: Path
    base: Path
    named: bool


def _files(path: Path, on_skip: OnSkip | None) -> Iterator[_Found]:
    if _is_folder(path):
        for file in _walk(path, on_skip):
            yield _Found(file, path, named=False)
    elif path.suffix.lower() not in READERS:
        raise unsupported(path)
    else:
        yield _Found(path, path.parent, named=True)


def _is_folder(path: Path) -> bool:
    try:
        return stat.S_ISDIR(path.stat().st_mode)
    except (FileNotFoundError, NotADirectoryError, ValueError):  # the last: a NUL in the name
        raise InputError(f"{path}: no such file or folder", code="no_such_file") from None
    except OSError as error:
        raise unreadable(path, error) from error


def _walk(folder: Path, on_skip: OnSkip | None) -> Iterator[Path]:
    def refuse(error: OSError) -> None:
        place = Path(error.filename or folder)
        if on_skip is None:
            raise unreadable(place, error) from error
        on_skip(place, unreadable(place, error))

    for place, folders, files in os.walk(folder, onerror=refuse):
        # In place: that is how `os.walk` is told where to go, and in which order.
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(name for name in files if not name.startswith(".")):
            path = Path(place, name)
            if path.suffix.lower() in READERS:
                yield path
            elif on_skip:
                on_skip(path, unsupported(path))


def _names(files: Sequence[_Found]) -> list[str]:
    """The shortest path of each file, from its base on, that no other file has."""
    # Not `resolve()`: a link keeps its own name.
    parts = [Path(os.path.abspath(file.path)).parts for file in files]  # noqa: PTH100
    depths = [len(file.path.relative_to(file.base).parts) for file in files]
    while True:
        names = [printable("/".join(p[-depth:])) for p, depth in zip(parts, depths, strict=True)]
        repeated = {name for name, count in Counter(names).items() if count > 1}
        longer = [
            min(depth + (name in repeated), len(p))
            for name, depth, p in zip(names, depths, parts, strict=True)
        ]
        if longer == depths:
            return names
        depths = longer


def printable(name: str) -> str:
    r"""A file name as text: bytes that are not UTF-8 become escapes.

    >>> printable("lease.md"), printable("caf\udce9.md")
    ('lease.md', 'caf\\xe9.md')
    """
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def unsupported(path: Path) -> InputError:
    """The error for a file of a suffix that has no reader."""
    kind = path.suffix or "no suffix"
    return InputError(
        f"{path}: cannot read this type ({kind}); readable are {' '.join(READERS)}",
        code="unsupported_type",
    )


def unreadable(path: Path, error: OSError) -> InputError:
    """The error for what the operating system would not open."""
    why = (error.strerror or type(error).__name__).lower()
    return InputError(f"{path}: cannot be read: {why}", code="unreadable_file")
