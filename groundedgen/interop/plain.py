"""Plain text: the whole file is one text."""

from __future__ import annotations

from groundedgen.interop.decoding import decode
from groundedgen.interop.splitting import split_passage
from groundedgen.passages import Passage

__all__ = ["read"]


def read(data: bytes, path: str, name: str, size: int | None) -> list[Passage]:
    """The passages of a text file. `path` is for errors, `name` for ids; see `read_file`."""
    return split_passage(Passage(name, decode(data, path), title=name, start=0), size)
