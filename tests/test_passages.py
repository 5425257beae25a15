from __future__ import annotations

import decimal
import json
import math
import re
import sqlite3
import uuid
from collections import namedtuple
from datetime import UTC, date, datetime
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundedgen import wire
from groundedgen.errors import InputError
from groundedgen.passages import Passage

TEXT = "Water damage 😀 from a burst pipe is covered."


class Document:
    """As LangChain's."""

    def __init__(self, page_content, metadata=None, id=None):  # noqa: A002
        self.page_content, self.metadata, self.id = page_content, metadata or {}, id


class TextNode:
    """As LlamaIndex's."""

    def __init__(self, text, metadata=None, node_id="n-1", start=None):
        self.id_, self.node_id = node_id, node_id
        self.metadata, self.start_char_idx, self._text = metadata or {}, start, text

    def get_content(self, metadata_mode="none"):  # theirs
        return self._text


class NodeWithScore:
    def __init__(self, node, score=None):
        self.node, self.score = node, score

    @property
    def text(self):
        raise ValueError("Node must be a TextNode to get text.")


class HaystackDocument:
    def __init__(self, content, meta=None, id="h-1", score=None):  # noqa: A002
        self.content, self.meta, self.id, self.score = content, meta or {}, id, score
        self.embedding, self.blob = [0.5] * 3, None


def docling_chunk(text=TEXT, filename="policy.pdf"):
    boxes = [
        SimpleNamespace(
            page_no=page,
            bbox=SimpleNamespace(
                l=1.0, t=9.0, r=5.0, b=2.0, coord_origin=SimpleNamespace(value="BOTTOMLEFT")
            ),
        )
        for page in (4, 5)
    ]
    item = SimpleNamespace(self_ref="#/texts/7", prov=boxes, label="text", text=text)
    origin = SimpleNamespace(mimetype="application/pdf", filename=filename, uri=None)
    meta = SimpleNamespace(doc_items=[item], headings=["Part B"], captions=None, origin=origin)
    return SimpleNamespace(text=text, meta=meta)


def test_a_passage_is_taken_as_it_is():
    passage = Passage("a", TEXT)
    assert passage is Passage.from_any(passage, index=7)


@pytest.mark.parametrize(("index", "expected"), [(None, "p1"), (0, "p1"), (11, "p12")])
def test_a_string_is_named_after_its_place(index, expected):
    assert Passage(expected, TEXT) == Passage.from_any(TEXT, index=index)


def test_text_is_taken_over_to_the_letter():
    odd = "  \ufeffe\u0301\r\n\ud800\0 ﬁ "
    assert odd == Passage.from_any(odd).text
    assert odd == Passage.from_any({"id": "a", "content": odd}).text


def test_a_subclass_of_str_becomes_a_plain_string():
    class Navigable(str):
        __slots__ = ()

        def __str__(self):
            return "something else"

    assert type(Passage.from_any(Navigable(TEXT)).text) is str
    assert Passage.from_any(Navigable(TEXT)).text == TEXT


@pytest.mark.parametrize(
    ("item", "id_"),
    [
        ({"id": "a", "text": TEXT}, "a"),
        ({"_id": "a", "page_content": TEXT}, "a"),
        ({"chunk_id": "a", "chunk": TEXT}, "a"),
        ({"uuid": uuid.UUID(int=5), "content": TEXT}, str(uuid.UUID(int=5))),
        ({"id": 0, "document": TEXT}, "0"),
        ({"doc_id": "d", "id": "a", "text": TEXT}, "a"),
        ({"doc_id": "d", "text": TEXT}, "d"),
        ({"id": "None", "node_id": "n", "text": TEXT}, "n"),
        ({"id": "a", "text": TEXT, "content": "other"}, "a"),
        ({"id": "a", "text": " ", "content": TEXT}, "a"),
        ({"id": "a", "metadata": {"text": TEXT, "id": "b"}}, "a"),
        ({"text": TEXT, "metadata": {"chunk_id": "b"}}, "b"),
    ],
)
def test_mappings_by_the_common_names(item, id_):
    passage = Passage.from_any(item)
    assert (id_, TEXT) == (passage.id, passage.text)


def test_the_number_of_a_chunk_in_its_document_is_no_id():
    with pytest.raises(InputError, match="no usable id"):
        Passage.from_any({"text": TEXT, "metadata": {"chunk_id": 3}})


def test_optional_fields():
    item = {
        "id": "a", "text": TEXT, "title": "Policy", "url": "https://docs.example/p", "page": 0,
        "bbox": [1, 2, 3, 4], "start_index": 120, "language": "de-CH", "date": date(2024, 5, 1),
        "score": decimal.Decimal("0.5"), "acl": ["x"], "embedding": [0.1],
    }  # fmt: skip
    passage = Passage.from_any(item)
    assert passage == Passage(
        "a", TEXT, "Policy", "https://docs.example/p", 0, ((1, 2, 3, 4),), 120, "de-CH",
        "2024-05-01", 0.5, metadata=passage.metadata,
    )  # fmt: skip
    assert ["x"] == passage.metadata["acl"]
    assert "embedding" not in passage.metadata


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("score", math.nan), ("score", math.inf), ("score", True), ("score", "0.5"), ("score", 1j),
        ("page", True), ("page", "iv"), ("page", 1.5), ("page", math.nan), ("page", None),
        ("title", ""), ("title", 7), ("url", "  "), ("start", -1), ("start", "3"), ("start", False),
        ("lang", "English"), ("lang", 3), ("date", 2024), ("bboxes", 3), ("bboxes", []),
    ],
)  # fmt: skip
def test_an_optional_field_of_the_wrong_kind_is_left_out(field, value):
    passage = Passage.from_any({"id": "a", "text": TEXT, field: value})
    assert getattr(Passage("a", TEXT), field) == getattr(passage, field)


def test_a_page_that_is_no_number_is_not_lost():
    assert {"page": "iv"} == Passage.from_any({"id": "a", "text": TEXT, "page": "iv"}).metadata


@pytest.mark.parametrize(("value", "page"), [(3, 3), ("12", 12), (3.0, 3), (0, 0), ("-1", -1)])
def test_pages(value, page):
    assert page == Passage.from_any({"id": "a", "text": TEXT, "page_label": value}).page


def test_boxes_keep_their_numbers_and_become_hashable():
    boxes = [[1, 2, 3.5, 4], [5, 6, 7, 8]]
    passage = Passage.from_any({"id": "a", "text": TEXT, "bboxes": boxes})
    assert ((1, 2, 3.5, 4), (5, 6, 7, 8)) == passage.bboxes
    assert passage == Passage("a", TEXT, bboxes=boxes)
    hash(passage)


def test_langchain_documents_have_their_source_in_the_metadata():
    metadata = {"source": "/docs/policy.pdf", "page": 0, "page_label": "1", "start_index": 12}
    passage = Passage.from_any(Document(TEXT, metadata), index=3)
    assert ("policy.pdf", 0, 12) == (passage.title, passage.page, passage.start)
    assert passage.metadata is metadata
    assert re.fullmatch(r"/docs/policy\.pdf#[0-9a-f]{12}", passage.id)


def test_a_derived_id_is_the_same_wherever_the_document_stands_and_for_no_other():
    def first():
        return Document(TEXT, {"source": "a.pdf"})

    others = [
        Document(TEXT + ".", {"source": "a.pdf"}),
        Document(TEXT, {"source": "b.pdf"}),
        Document(TEXT, {"source": "a.pdf", "page": 2}),
    ]
    ids = [Passage.from_any(d, index=n).id for n, d in enumerate([first(), first(), *others])]
    assert ids[0] == ids[1]
    assert 4 == len(set(ids))


def test_a_langchain_document_without_a_source_is_named_after_its_place():
    assert "p5" == Passage.from_any(Document(TEXT), index=4).id


@pytest.mark.parametrize(
    ("id_", "metadata", "expected"),
    [("own", {"id": "meta"}, "own"), (None, {"id": "meta"}, "meta"), ("", {"_id": "m"}, "m")],
)
def test_a_langchain_id_before_one_in_the_metadata(id_, metadata, expected):
    assert expected == Passage.from_any(Document(TEXT, metadata, id_)).id


def test_a_web_source_is_a_link_and_no_title():
    passage = Passage.from_any(Document(TEXT, {"source": "https://docs.example/a"}))
    assert ("https://docs.example/a", None) == (passage.url, passage.title)


@pytest.mark.parametrize("order", [1, -1])
def test_document_and_score_in_either_order(order):
    passage = Passage.from_any((Document(TEXT, id="a"), 0.25)[::order])
    assert ("a", TEXT, 0.25) == (passage.id, passage.text, passage.score)


def test_text_and_score():
    assert Passage("p2", TEXT, score=3.0) == Passage.from_any((TEXT, 3), index=1)


def test_llama_index_nodes_with_and_without_score():
    node = TextNode(TEXT, {"page_label": "7", "file_name": "a.pdf"}, start=5)
    expected = Passage(
        "n-1", TEXT, "a.pdf", page=7, start=5, metadata={"page_label": "7", "file_name": "a.pdf"}
    )
    assert expected == Passage.from_any(node)
    scored = Passage.from_any(NodeWithScore(node, 0.75))
    assert (expected.id, expected.text, 0.75) == (scored.id, scored.text, scored.score)
    assert scored.metadata is node.metadata


def test_haystack_documents():
    meta = {"page_number": 2, "file_path": "x/q.pdf"}
    assert Passage("h-1", TEXT, "q.pdf", page=2, score=0.5, metadata=meta) == Passage.from_any(
        HaystackDocument(TEXT, meta, score=0.5)
    )


def test_docling_chunks_bring_pages_and_boxes():
    passage = Passage.from_any(docling_chunk())
    box = {"l": 1.0, "t": 9.0, "r": 5.0, "b": 2.0, "coord_origin": "BOTTOMLEFT"}
    assert ({"page_no": 4, **box}, {"page_no": 5, **box}) == passage.bboxes
    assert ("policy.pdf", 4) == (passage.title, passage.page)
    assert {"headings": ["Part B"], "doc_items": ["#/texts/7"]} == passage.metadata
    assert passage.id.startswith("policy.pdf#")


@pytest.mark.parametrize(
    "hit",
    [
        SimpleNamespace(id="h", version=1, score=0.5, payload={"text": TEXT, "k": 1}, vector=None),
        SimpleNamespace(id="h", score=0.5, values=[0.1], metadata={"text": TEXT, "k": 1}),
        SimpleNamespace(
            uuid="h", properties={"content": TEXT, "k": 1}, metadata=SimpleNamespace(score=0.5)
        ),
        {"_id": "h", "_score": 0.5, "_source": {"text": TEXT, "k": 1}},
        {"id": "h", "relevance": 0.5, "fields": {"body": TEXT, "k": 1}},
        {"id": "h", "score": 0.5, "entity": {"text": TEXT, "k": 1}},
        {"content": {"text": TEXT}, "score": 0.5, "metadata": {"id": "h", "k": 1}},
        {"id": "h", "score": 0.5, "payload": {"page_content": TEXT, "metadata": {"k": 1}}},
        {
            "id": "h",
            "score": 0.5,
            "metadata": {"_node_content": json.dumps({"text": TEXT}), "k": 1},
        },
    ],
    ids=[
        *("qdrant", "pinecone", "weaviate", "elasticsearch", "vespa"),
        *("milvus", "bedrock", "langchain", "llamaindex"),
    ],
)
def test_vector_store_hits(hit):
    passage = Passage.from_any(hit)
    assert ("h", TEXT, 0.5) == (passage.id, passage.text, passage.score)
    assert 1 == {**passage.metadata, **passage.metadata.get("metadata", {})}["k"]
    assert TEXT not in passage.metadata.values()


def test_rows_of_databases():
    connection = sqlite3.connect(":memory:")
    connection.row_factory = sqlite3.Row
    row = connection.execute("select 5 as id, ? as document, 3 as page", [TEXT]).fetchone()
    connection.close()
    named = namedtuple("Row", "id document page")(5, TEXT, 3)  # noqa: PYI024
    alchemy = SimpleNamespace(_mapping={"id": 5, "document": TEXT, "page": 3})
    for item in (row, named, alchemy):
        assert Passage("5", TEXT, page=3) == Passage.from_any(item)


def test_a_path_is_a_source():
    assert "a.pdf" == Passage.from_any(Document(TEXT, {"source": Path("x/a.pdf")})).title


def test_a_date_and_time():
    item = {"id": "a", "text": TEXT, "published_at": datetime(2024, 5, 1, tzinfo=UTC)}
    assert "2024-05-01T00:00:00+00:00" == Passage.from_any(item).date


@pytest.mark.parametrize(
    ("item", "code", "words"),
    [
        (None, "bad_type", ["passages[3]"]),
        (7, "bad_type", ["passages[3] (int)"]),
        (b"bytes", "bad_type", ["(bytes)"]),
        ([TEXT], "bad_type", ["(list)"]),
        (("a", TEXT), "bad_type", ["(tuple)"]),
        ((TEXT, True), "bad_type", ["(tuple)"]),
        ({}, "missing_field", ["(dict)", "no text", "no field at all"]),
        ({"id": "a", "txt": TEXT}, "missing_field", ["no text", "'txt'", "page_content"]),
        ({"id": "a", "text": None}, "missing_field", ["no text"]),
        ({"id": "a", "text": 5}, "bad_type", ["text is int"]),
        ({"id": "a", "text": math.nan}, "bad_type", ["text is float"]),
        ({"text": TEXT}, "missing_field", ["no usable id", "'text'"]),
        ({"id": "", "text": TEXT}, "missing_field", ["blank str"]),
        ({"id": True, "text": TEXT}, "missing_field", ["id is a bool"]),
        ({"id": 1.5, "text": TEXT}, "missing_field", ["id is a float"]),
        (HaystackDocument(None), "missing_field", ["(HaystackDocument)", "no text"]),
        (SimpleNamespace(id="h", payload=None), "missing_field", ["no text"]),
        (SimpleNamespace(text=TEXT), "missing_field", ["no usable id"]),
        (object(), "missing_field", ["(object)", "no text"]),
    ],
)
def test_an_error_names_the_item_the_field_and_the_way_out(item, code, words):
    with pytest.raises(InputError) as caught:
        Passage.from_any(item, index=3)
    message = str(caught.value)
    assert code == caught.value.code
    assert message.startswith("passages[3]")
    assert all(word in message for word in [*words, "Passage(id=..., text=...)"])
    assert TEXT not in message


def test_without_an_index_the_error_names_the_type():
    with pytest.raises(InputError, match=r"^a dict: no text"):
        Passage.from_any({"id": "a"})


def test_a_property_that_raises_is_no_field():
    class Angry:
        id, content = "a", TEXT

        @property
        def text(self):
            raise RuntimeError

        @property
        def title(self):
            raise KeyError

        def get_content(self):
            raise OSError

    with pytest.raises(InputError):
        Passage.from_any(SimpleNamespace(id="a", get_content=Angry().get_content))
    del Angry.get_content
    assert TEXT == Passage.from_any(Angry()).text


def test_the_metadata_of_others_is_not_changed():
    payload = {"text": TEXT, "k": 1}
    Passage.from_any(SimpleNamespace(id="h", payload=payload))
    assert {"text": TEXT, "k": 1} == payload


words = st.text(min_size=1).filter(str.strip)
passages = st.builds(
    Passage,
    id=words.filter(lambda text: text != "None"),
    text=words,
    title=st.none() | words,
    url=st.none() | words,
    page=st.none() | st.integers(),
    bboxes=st.lists(
        st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=4, max_size=4)
    ).map(tuple),
    start=st.none() | st.integers(0),
    lang=st.none() | st.sampled_from(["en", "de-CH", "zh-Hant"]),
    date=st.none() | words,
    score=st.none() | st.floats(allow_nan=False, allow_infinity=False),
    metadata=st.dictionaries(st.sampled_from(["k", "l"]), st.integers() | words),
)


@given(passages)
def test_a_passage_written_as_a_mapping_is_read_as_the_same(passage):
    assert passage == Passage.from_any(wire.dump(passage))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: st.lists(inner) | st.dictionaries(
        st.sampled_from(["id", "text", "content", "metadata", "payload", "score", "page", "bbox",
                         "title", "node", "document", "_node_content", "doc_items", "prov"]), inner
    ),
    max_leaves=12,
)  # fmt: skip


@given(json_values)
def test_whatever_comes_it_is_a_passage_or_a_clear_error(item):
    try:
        passage = Passage.from_any(item, index=0)
    except InputError as error:
        assert error.code in {"missing_field", "bad_type"}  # noqa: PT017  # either is right
    else:
        assert passage.id.strip()


# The real ones, where they are installed


@pytest.mark.parametrize(
    ("field", "value", "named"),
    [
        *((name, 5, f"{name} must be a string") for name in ("title", "url", "lang", "date")),
        ("lang", "english", "'english'"),
    ],
)
def test_a_field_that_would_break_later_is_refused_at_once(field, value, named):
    with pytest.raises(InputError, match=r"passage 'policy#4': .*") as caught:
        Passage("policy#4", TEXT, **{field: value})
    assert named in str(caught.value)


def test_real_langchain():
    documents = pytest.importorskip("langchain_core.documents")
    document = documents.Document(page_content=TEXT, metadata={"source": "a.pdf", "page": 0})
    passage = Passage.from_any(document)
    assert (TEXT, 0, "a.pdf") == (passage.text, passage.page, passage.title)
    assert "x" == Passage.from_any((documents.Document(page_content=TEXT, id="x"), 0.5)).id


def test_real_llama_index():
    schema = pytest.importorskip("llama_index.core.schema")
    node = schema.TextNode(text=TEXT, metadata={"page_label": "2"}, start_char_idx=4)
    passage = Passage.from_any(schema.NodeWithScore(node=node, score=0.5))
    assert (node.node_id, TEXT, 2, 4, 0.5) == (
        passage.id, passage.text, passage.page, passage.start, passage.score,
    )  # fmt: skip
    assert TEXT == Passage.from_any(schema.Document(text=TEXT)).text


def test_real_haystack():
    haystack = pytest.importorskip("haystack")
    document = haystack.Document(content=TEXT, meta={"page_number": 2}, score=0.5)
    passage = Passage.from_any(document)
    assert (document.id, TEXT, 2, 0.5) == (passage.id, passage.text, passage.page, passage.score)


def test_real_docling():
    types = pytest.importorskip("docling_core.types.doc")
    chunker = pytest.importorskip("docling_core.transforms.chunker.hierarchical_chunker")
    origin = types.DocumentOrigin(mimetype="application/pdf", binary_hash=1, filename="a.pdf")
    document = types.DoclingDocument(name="a", origin=origin)
    box = types.BoundingBox(l=1, t=2, r=3, b=4)
    place = types.ProvenanceItem(page_no=4, bbox=box, charspan=(0, len(TEXT)))
    document.add_text(types.DocItemLabel.TEXT, TEXT, prov=place)
    [chunk] = chunker.HierarchicalChunker().chunk(document)
    passage = Passage.from_any(chunk)
    assert (TEXT, 4, "a.pdf") == (passage.text, passage.page, passage.title)
    assert {"page_no": 4, "l": 1.0, "t": 2.0, "r": 3.0, "b": 4.0, "coord_origin": "TOPLEFT"} == (
        passage.bboxes[0]
    )
