"""The text layer of a PDF, page by page."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING

from groundedgen.errors import InputError, MissingExtraError
from groundedgen.interop.splitting import split_passage
from groundedgen.passages import Passage

if TYPE_CHECKING:
    from collections.abc import Iterator

try:
    import pypdf
    from pypdf.errors import DependencyError, FileNotDecryptedError
except ModuleNotFoundError as error:
    raise MissingExtraError("Reading PDF", extra="cli") from error

__all__ = ["Document", "read", "read_document"]


@dataclass(frozen=True, slots=True)
class Document:
    """A PDF's title ("" where it has none) and, for every page in order, its text."""

    title: str
    pages: tuple[str, ...]


def read(data: bytes, path: str, name: str, size: int | None) -> Iterator[Passage]:
    """The passages of a PDF. `path` is for errors, `name` for ids; see `read_file`."""
    document = read_document(data, path)
    title = document.title or name
    for number, text in enumerate(document.pages, 1):
        if text.strip():
            page = Passage(f"{name}#p{number}", text, title=title, page=number, start=0)
            yield from split_passage(page, size, separator=".")


def read_document(data: bytes, name: str) -> Document:
    """The text of every page, exactly as the text layer holds it.

    Ligature characters, line ends and hyphens at line ends stay. Pages without text are "".

    Args:
        data: The whole file.
        name: How errors name it.

    Raises:
        InputError: It is no PDF or damaged (`bad_pdf`), needs a password
            (`encrypted_file`), or no page has any text (`no_text_layer`).
    """
    if b"%PDF-" not in data[:1024]:
        raise InputError(f"{name}: not a PDF: it has no %PDF header", code="bad_pdf")
    try:
        document = _read(data)
    except (DependencyError, FileNotDecryptedError):
        raise InputError(
            f"{name}: the PDF is encrypted; save a copy without a password", code="encrypted_file"
        ) from None
    except Exception as error:
        # A damaged file surfaces in the parser as whatever its bytes happen to hit.
        kind = type(error).__name__
        raise InputError(
            f"{name}: the PDF is damaged ({kind}); open it in a viewer and save it anew",
            code="bad_pdf",
        ) from error
    if not any(page.strip() for page in document.pages):
        raise InputError(
            f"{name}: the PDF has no text layer ({len(document.pages)} pages, perhaps scans); "
            "run text recognition over it first (for instance: ocrmypdf)",
            code="no_text_layer",
        )
    return document


def _read(data: bytes) -> Document:
    reader = pypdf.PdfReader(io.BytesIO(data))
    # Many files are encrypted with an empty password, only to forbid printing.
    if reader.is_encrypted and not reader.decrypt(""):
        raise FileNotDecryptedError
    title = reader.metadata.title if reader.metadata else None
    pages = tuple(page.extract_text() for page in reader.pages)
    return Document(" ".join(str(title or "").split()), pages)
