"""The names under which other libraries and stores keep what a `Passage` holds.

Order matters: the first name that holds a usable value counts.
"""

from __future__ import annotations

from typing import Final

TEXT: Final = (
    "text", "page_content", "content", "document", "chunk", "chunk_text", "passage", "body",
    "snippet",
)  # fmt: skip
#: Names of the piece itself. Those of the document it was cut from (`DOCUMENT_ID`) come
#: last: two pieces of one document would share them.
ID: Final = (
    "id", "_id", "id_", "node_id", "chunk_id", "passage_id", "point_id", "uuid", "pk",
    "x-amz-bedrock-kb-chunk-id",
)  # fmt: skip
DOCUMENT_ID: Final = ("doc_id", "document_id")
#: Larger is closer. Distances are left alone: whether they grow with likeness depends on the index.
SCORE: Final = (
    "score", "_score", "relevance_score", "rerank_score", "similarity", "relevance",
    "@search.score", "certainty",
)  # fmt: skip
TITLE: Final = ("title", "document_title", "doc_title", "file_name", "filename")
SOURCE: Final = ("source", "file_path", "path", "file_name", "filename", "url", "uri")
URL: Final = ("url", "source_url", "link", "uri", "href")
#: `page` is what most splitters count from 0, `page_label` what is printed; the first one
#: found is handed back as it is.
PAGE: Final = ("page", "page_number", "page_no", "page_num", "page_label")
BOXES: Final = ("bboxes", "bounding_boxes", "bbox", "bounding_box")
START: Final = ("start", "start_index", "start_char_idx", "start_char", "char_start")
LANG: Final = ("lang", "language")
DATE: Final = ("date", "published_at", "published", "publication_date")
#: What may hold a document or its fields, in the order in which it is looked into.
WRAPPERS: Final = (
    "node", "document", "doc", "chunk", "payload", "_source", "fields", "properties", "entity",
    "content", "metadata", "meta", "cmetadata", "origin",
)  # fmt: skip
METADATA: Final = ("metadata", "meta", "cmetadata")
BODIES: Final = ("payload", "_source", "fields", "properties", "entity")
VECTORS: Final = ("embedding", "embeddings", "vector", "vectors", "values", "sparse_values")
OWN: Final = (
    "id", "text", "title", "url", "page", "bboxes", "start", "lang", "date", "score", "metadata",
)  # fmt: skip
