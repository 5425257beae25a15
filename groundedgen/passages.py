"""The passage: one piece of a source, with a name and its own, never altered words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from groundedgen.documents import read_fields
from groundedgen.errors import InputError
from groundedgen.fieldvalues import is_language_tag

__all__ = ["Passage"]


@dataclass(frozen=True, slots=True)
class Passage:
    """One passage that an answer may rest on. Only `id` and `text` are required.

    `text` is never altered: every offset this library returns counts code points
    into exactly this string. The text is left out of `repr`, so that a passage in
    a log line or a traceback shows its id and not its words.

    Args:
        id: The name under which the caller knows the passage; unique in one call.
        text: The passage's own words, as extracted.
        title: What a reader would call the source.
        url: Where the reader may open it; only http(s) is ever made a link.
        page: Page number as the caller counts it; handed back unchanged.
        bboxes: Boxes of the passage on its page, in the caller's own units and order; lists
            in it become tuples, nothing else changes.
        start: Offset of `text` in its document, in code points, if known.
        lang: BCP 47 language tag ("en", "de-CH"), used where a number or a sentence
            end depends on the language; `None` means unknown.
        date: Date of the source as an ISO 8601 string.
        score: The retriever's score; larger is closer. Used only to order `closest`.
        metadata: Anything else of the caller's; handed back unchanged, never read.

    Raises:
        InputError: `id`, `text`, `title`, `url`, `lang` or `date` is no string, `id` is blank, or
            `lang` begins like no language tag ("english").

    >>> Passage("policy#4", "Water from a burst pipe is covered.")
    Passage(id='policy#4', title=None, page=None)
    """

    id: str
    text: str = field(repr=False)
    title: str | None = None
    url: str | None = field(default=None, repr=False)
    page: int | None = None
    bboxes: tuple[Any, ...] = field(default=(), repr=False, hash=False)
    start: int | None = field(default=None, repr=False)
    lang: str | None = field(default=None, repr=False)
    date: str | None = field(default=None, repr=False)
    score: float | None = field(default=None, repr=False)
    metadata: Mapping[str, Any] = field(default_factory=dict, repr=False, hash=False)

    def __post_init__(self) -> None:
        if not isinstance(self.id, str) or not self.id.strip():
            raise InputError(
                f"a passage's id must be a non-blank string, got {self.id!r}", code="bad_type"
            )
        if not isinstance(self.text, str):
            raise InputError(
                f"passage {self.id!r}: text must be a string, got {type(self.text).__name__}",
                code="bad_type",
            )
        for name in ("title", "url", "lang", "date"):
            value = getattr(self, name)
            if value is not None and not isinstance(value, str):
                raise InputError(
                    f"passage {self.id!r}: {name} must be a string or None, "
                    f"got {type(value).__name__}",
                    code="bad_type",
                )
        if self.lang and not is_language_tag(self.lang):
            raise InputError(
                f"passage {self.id!r}: lang must be a language tag such as 'en' or 'de-CH', "
                f"got {self.lang!r:.40}",
                code="bad_argument",
            )
        object.__setattr__(self, "bboxes", _frozen(self.bboxes))

    @classmethod
    def from_any(cls, item: object, *, index: int | None = None) -> Passage:
        """A passage out of what other libraries and stores return, by its fields alone.

        Taken as it is: a `Passage`. Read: a string; a mapping or database row; documents
        of LangChain, LlamaIndex (with or without score), Haystack and Docling; hits of
        Qdrant, Pinecone, Weaviate, Elasticsearch, pgvector and others that keep their
        fields in a payload; `(document, score)`.

        `text` is taken over to the letter. An id must be there, with one exception: a
        string is called `p1`, `p2`, ... by its place, and a LangChain document or Docling
        chunk without one after its source and a digest of its text, so that it has the
        same id in every call (after its place, where it names no source). Optional fields
        that are blank or of the wrong type are left out. A score is larger when closer;
        distances are not read.

        Args:
            item: What to read.
            index: The item's place in the caller's list, from 0; for ids and errors.

        Raises:
            InputError: `missing_field` or `bad_type`; the message names the item's place,
                its type, the field and the way out.

        >>> Passage.from_any("Water from a burst pipe is covered.", index=0)
        Passage(id='p1', title=None, page=None)
        >>> Passage.from_any({"id": 7, "page_content": "Fire.", "metadata": {"page": 0}})
        Passage(id='7', title=None, page=0)
        >>> same = Passage("a", "Fire is covered.")
        >>> Passage.from_any(same) is same
        True
        >>> Passage.from_any({"text": "Fire."}, index=3)  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        groundedgen.errors.InputError: passages[3] (dict): no usable id; looked for id, _id, ...
        """
        return item if isinstance(item, cls) else cls(**read_fields(item, index))


def _frozen(value: Any) -> Any:
    return tuple(_frozen(item) for item in value) if isinstance(value, list | tuple) else value
