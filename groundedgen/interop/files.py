"""Files and folders become passages: `.txt .md .jsonl .html .pdf`.

What cannot be read is an error that names the file and the way out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from groundedgen.errors import InputError
from groundedgen.interop.folders import (
    READERS,
    OnSkip,
    SourceFile,
    StrPath,
    find_files,
    printable,
    unreadable,
    unsupported,
)
from groundedgen.interop.splitting import SIZE

if TYPE_CHECKING:
    from groundedgen.passages import Passage

__all__ = ["OnFile", "read_file", "read_paths"]

OnFile = Callable[[Path, int, int], None]


def read_paths(
    paths: StrPath | Iterable[StrPath],
    *,
    size: int | None = SIZE,
    on_skip: OnSkip | None = None,
    on_file: OnFile | None = None,
) -> list[Passage]:
    """Read files and folders into passages, in a stable order.

    Folders are read recursively, sorted by name; hidden files and folders are left out.

    ======= ============================================= =================== ================
    suffix  passages                                      id                  start counts in
    ======= ============================================= =================== ================
    .txt    the text                                      notes.txt           the file's text
    .md     one a section; its headings are its title     lease.md#rent       the file's text
    .html   the visible text                              terms.html          the visible text
    .pdf    one a page; `page` counts from 1              policy.pdf#p3       the page's text
    .jsonl  one a line, under its own id, never split     as given            as given
    ======= ============================================= =================== ================

    What is longer than `size` is split at paragraphs or sentences, and the pieces are
    numbered: `notes.txt#2`, `lease.md#rent.2`, `policy.pdf#p3.2`. A file in a folder is
    called by its path within it, and two files of one name by as much of their paths as
    tells them apart. Text is never altered: every passage is an exact slice.

    Args:
        paths: Files and folders.
        size: Longest passage in code points, at least 100; `None` splits nothing.
        on_skip: Told of every file in a folder that is not read, and why: code
            `unsupported_type` for a suffix not listed here, or what `read_file` raised.
            Without it the first are passed over and the second are errors.
        on_file: Told the file, how many were read before it, and how many there are.

    Raises:
        InputError: A path does not exist, a file named by the caller cannot be read or is
            of an unsupported type, there is nothing to read, or one id stands for two texts.
    """
    files = find_files(paths, on_skip=on_skip)
    passages: dict[str, Passage] = {}
    origins: dict[str, Path] = {}
    for number, file in enumerate(files):
        if on_file:
            on_file(file.path, number, len(files))
        for passage in _read(file, size, on_skip):
            known = passages.setdefault(passage.id, passage)
            first = origins.setdefault(passage.id, file.path)
            if known.text != passage.text:
                raise _duplicate(passage.id, first, file.path)
    if not passages:
        raise InputError(
            f"none of the {len(files)} files could be read; nothing is left to answer from",
            code="nothing_to_read",
        )
    return list(passages.values())


def read_file(path: StrPath, *, name: str | None = None, size: int | None = SIZE) -> list[Passage]:
    """Read one file into passages; see `read_paths`.

    Args:
        path: The file.
        name: How ids call it; its file name if left out.
        size: Longest passage in code points, at least 100; `None` splits nothing.

    Raises:
        InputError: It cannot be read. Its code is `unreadable_file`, `empty_file`,
            `unsupported_type`, `binary_file`, `bad_encoding`, `bad_json`, `bad_type`,
            `missing_field`, `duplicate_id`, `bad_html`,
            `bad_pdf`, `encrypted_file` or `no_text_layer`.
    """
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in READERS:
        raise unsupported(path)
    data = _bytes(path)
    if not data.strip():
        raise InputError(f"{path}: the file is empty; give one with text", code="empty_file")
    # Each reader brings its own parser in, when the first file needs it.
    reader = import_module(f"groundedgen.interop.{READERS[suffix]}")
    passages: list[Passage] = list(reader.read(data, str(path), name or printable(path.name), size))
    if not any(passage.text.strip() for passage in passages):
        raise InputError(
            f"{path}: the file holds no text that a reader sees; give one with text",
            code="empty_file",
        )
    return passages


def _bytes(path: Path) -> bytes:
    if path.exists() and not path.is_file():
        raise InputError(
            f"{path}: not a regular file; save it as one first", code="unreadable_file"
        )
    try:
        return path.read_bytes()
    except OSError as error:
        raise unreadable(path, error) from error


def _read(file: SourceFile, size: int | None, on_skip: OnSkip | None) -> list[Passage]:
    try:
        return read_file(file.path, name=file.name, size=size)
    except InputError as error:
        if file.named or on_skip is None or error.code == "bad_size":
            raise
        on_skip(file.path, error)
        return []


def _duplicate(id_: str, first: Path, second: Path) -> InputError:
    where = f"in {first}" if first == second else f"in {first} and in {second}"
    return InputError(
        f"the id {id_!r} stands for two different texts {where}; give each its own id",
        code="duplicate_id",
    )
