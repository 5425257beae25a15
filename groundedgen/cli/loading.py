"""From paths to the passages that a question is put to."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from groundedgen.cli.terminal import progress, write_error
from groundedgen.interop.files import read_paths
from groundedgen.text.ranking import rank_passages

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from groundedgen.errors import InputError
    from groundedgen.values import Passage

__all__ = ["Loaded", "choose", "load"]

#: Fewer files, and smaller ones, are read before a display could be looked at.
_MANY_FILES: Final = 20
_LARGE_FILE: Final = 1_000_000  # bytes


@dataclass(frozen=True, slots=True)
class Loaded:
    """What was read, and how many files of other types were not ("2 .docx")."""

    passages: list[Passage]
    files: int
    others: str


def load(paths: Sequence[Path], *, quiet: bool, strict: bool) -> Loaded:
    """Read everything. What a folder holds that cannot be read is told on standard error."""
    others: Counter[str] = Counter()
    read: set[Path] = set()

    def on_skip(path: Path, error: InputError) -> None:
        read.discard(path)
        if error.code == "unsupported_type":
            others[path.suffix or "no suffix"] += 1
        elif strict:
            raise error
        else:
            write_error(f"warning: left out: {error}")

    with progress(shown=not quiet) as display:
        task = display.add_task("reading", total=None, visible=False)

        def on_file(path: Path, done: int, total: int) -> None:
            read.add(path)
            long = total >= _MANY_FILES or _size(path) >= _LARGE_FILE
            display.update(
                task,
                total=total,
                completed=done,
                description=f"reading {done + 1} of {total}",
                visible=long,
            )

        passages = read_paths(paths, on_skip=on_skip, on_file=on_file)
    return Loaded(
        passages, len(read), ", ".join(f"{n} {kind}" for kind, n in sorted(others.items()))
    )


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:  # it is about to be reported as unreadable
        return 0


def choose(question: str, passages: Sequence[Passage], top_k: int) -> list[Passage]:
    """The passages to ask, closest first where there are more than fit."""
    if len(passages) <= top_k:
        return list(passages)
    # Titles name the document, which a question often does ("the lease").
    texts = [f"{passage.title or ''}\n{passage.text}" for passage in passages]
    ranked = rank_passages(question, texts)[:top_k]
    return [replace(passages[index], score=score) for index, score in ranked]
