"""`groundedgen.interop.files`: what is read, how it is called, and every way a file can be bad."""

from __future__ import annotations

import io
import json
import os
import random
import re
from itertools import pairwise
from pathlib import Path

import pypdf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundedgen.errors import InputError
from groundedgen.interop.files import read_file, read_paths
from groundedgen.interop.folders import READERS, find_files
from groundedgen.interop.markdown import sections

POLICY = Path(__file__).parents[2] / "examples" / "policy"


def put(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def pdf_bytes(*, pages=1, password=None):
    writer = pypdf.PdfWriter()
    for _ in range(pages):
        writer.add_blank_page(200, 200)
    if password is not None:
        writer.encrypt(password)
    stream = io.BytesIO()
    writer.write(stream)
    return stream.getvalue()


def encrypted_policy(password):
    writer = pypdf.PdfWriter(clone_from=POLICY / "home-policy.pdf")
    writer.encrypt(user_password=password, owner_password=password, algorithm="RC4-128")
    stream = io.BytesIO()
    writer.write(stream)
    return stream.getvalue()


def outcome(path):
    """The error's code and no passages, or no code and the passages."""
    try:
        return "", read_file(path)
    except InputError as error:
        return error.code, []


# --- each type ------------------------------------------------------------------------


def test_a_text_file_is_one_passage_of_its_own_text(tmp_path):
    text = "First line.\r\nSecond line, naïve.\r\n"
    (passage,) = read_paths(put(tmp_path / "notes.txt", text))
    assert (passage.id, passage.title, passage.text, passage.start) == (
        "notes.txt",
        "notes.txt",
        text,
        0,
    )


def test_a_byte_order_mark_is_not_part_of_the_text(tmp_path):
    (passage,) = read_paths(put(tmp_path / "notes.txt", b"\xef\xbb\xbfna\xc3\xafve"))
    assert passage.text == "naïve"


def test_a_long_file_is_split_into_slices_with_offsets(tmp_path):
    text = "\n\n".join(f"Paragraph {n} says one thing and then another." for n in range(200))
    passages = read_paths(put(tmp_path / "long.txt", text), size=500)
    assert [p.id for p in passages] == [f"long.txt#{n}" for n in range(1, len(passages) + 1)]
    assert all(text[p.start : p.start + len(p.text)] == p.text for p in passages)
    assert re.sub(r"\s+", "", "".join(p.text for p in passages)) == re.sub(r"\s+", "", text)


def test_nothing_is_split_on_request(tmp_path):
    (passage,) = read_paths(put(tmp_path / "long.txt", "It rained. " * 5000), size=None)
    assert len(passage.text) == 55_000


def test_headings_become_titles_and_sections_stay_slices(tmp_path):
    text = (
        "Intro.\n\n# Lease of *Flat* 3\n\n## 1. `Rent` & [fees](http://x)\nDue monthly.\n\n"
        "Late\n----\n\n```sh\n# no heading\n```\n\n## 1. Rent & fees\nAgain.\n"
    )
    passages = read_paths(put(tmp_path / "lease.md", text))
    assert [(p.id, p.title) for p in passages] == [
        ("lease.md", "lease.md"),
        ("lease.md#1-rent--fees", "Lease of Flat 3 › 1. Rent & fees"),
        ("lease.md#late", "Lease of Flat 3 › Late"),
        ("lease.md#1-rent--fees-1", "Lease of Flat 3 › 1. Rent & fees"),
    ]
    assert "".join(p.text for p in passages) == text
    assert all(text[p.start : p.start + len(p.text)] == p.text for p in passages)
    assert "# no heading" in passages[2].text


def test_a_long_section_is_numbered_after_its_heading(tmp_path):
    text = "# Terms\n\n" + "The tenant must pay the rent in advance. " * 60
    ids = [p.id for p in read_paths(put(tmp_path / "a.md", text), size=1000)]
    assert ids == ["a.md#terms.1", "a.md#terms.2", "a.md#terms.3"]


def test_front_matter_gives_the_title_and_is_no_passage(tmp_path):
    text = '---\ntitle: "The Lease"\ntags: [a]\n---\n# Rent\nDue monthly.\n'
    (passage,) = read_paths(put(tmp_path / "a.md", text))
    assert (passage.title, passage.text) == ("The Lease › Rent", "# Rent\nDue monthly.\n")


@pytest.mark.parametrize(
    "text", ["# A\n\n## B\n", "# A", "Title\n=====\n", "---\n\ntext\n", "# \n"]
)
def test_a_heading_without_a_body_is_not_lost(tmp_path, text):
    passages = read_paths(put(tmp_path / "a.md", text))
    assert "".join(p.text for p in passages) == text


@given(
    st.lists(
        st.sampled_from(["# A\n", "## B\n", "### a\n", "\n", "text\n", "===\n", "---\n", "```\n"])
        | st.sampled_from(
            ["> # q\n", "- # l\n", "\r\n", "\r", "    # code\n", "<!-- # x -->\n", "\t"]
        ),
        max_size=30,
    ).map("".join)
)
def test_sections_tile_the_text(text):
    parts = sections(text)
    if parts:
        assert not text[: parts[0].start].strip() or text.startswith("---")
        assert all(a.end == b.start for a, b in pairwise(parts))
        assert parts[-1].end == len(text)
        assert len({part.slug for part in parts}) == len(parts)
    else:
        assert not text.strip() or text.startswith("---")


def test_a_web_page_is_what_a_reader_sees(tmp_path):
    html = """<!doctype html><html lang="en-GB"><head><title>Price &amp; terms</title>
    <style>p {color: red}</style><meta charset="utf-8"></head><body><script>steal()</script>
    <h1>Prices</h1><p>A tap costs <b>£7</b>2,\n or <s>£99</s> less.<!-- secret --></p>
    <ul><li>One</li><li>Two</li></ul><table><tr><td>washer</td><td>£38</td></tr></table>
    <p hidden>hidden</p><div style="color:red; DISPLAY : none">gone</div>
    <p>10<sup>2</sup> m, note<sup>a</sup>, H<sub>2</sub>O</p><pre>a  b\n c\n</pre>
    <noscript>no</noscript></body></html>"""
    (passage,) = read_paths(put(tmp_path / "page.html", html))
    assert passage.title == "Price & terms"
    assert passage.lang == "en-GB"
    assert passage.text == (
        "Prices\n\nA tap costs £72, or less.\n\n- One\n- Two\n\nwasher\t£38\n\n"
        "10² m, notea, H₂O\n\na  b\n c"
    )


def test_a_page_that_nests_deeper_than_the_stack_is_read(tmp_path):
    html = "<div>" * 20_000 + "deep" + "</div>" * 20_000
    (passage,) = read_paths(put(tmp_path / "page.htm", html))
    assert passage.text == "deep"


def test_a_page_in_a_declared_character_set_is_read(tmp_path):
    html = '<meta charset="windows-1252"><p>Straße – £5</p>'
    (passage,) = read_paths(put(tmp_path / "page.html", html.encode("cp1252")))
    assert passage.text == "Straße – £5"
    (passage,) = read_paths(put(tmp_path / "utf.html", html.encode("utf-8")))
    assert passage.text == "Straße – £5"


def test_a_pdf_is_a_passage_a_page_with_its_text_layer_untouched():
    passages = read_paths(POLICY / "home-policy.pdf")
    assert [(p.id, p.page) for p in passages] == [(f"home-policy.pdf#p{n}", n) for n in range(1, 6)]
    assert {p.title for p in passages} == {"Larkfield Mutual Home Policy"}
    text = "".join(p.text for p in passages)
    assert "ﬁ" in text
    assert "ﬂ" in text
    assert "“Excess” means the ﬁrst part" in text
    assert re.search(r"household appli-\nance", text)


def test_a_long_page_is_numbered_within_the_page():
    passages = read_paths(POLICY / "home-policy.pdf", size=700)
    page = next(p.text for p in read_paths(POLICY / "home-policy.pdf") if p.page == 2)
    pieces = [p for p in passages if p.page == 2]
    assert [p.id for p in pieces] == [f"home-policy.pdf#p2.{n}" for n in range(1, len(pieces) + 1)]
    assert len(pieces) > 1
    assert all(page[p.start : p.start + len(p.text)] == p.text for p in pieces)


def test_a_pdf_with_an_empty_password_is_read(tmp_path):
    passages = read_paths(put(tmp_path / "open.pdf", encrypted_policy("")))
    assert "burst pipe" in "".join(p.text for p in passages)


def test_json_lines_keep_the_callers_ids_and_fields(tmp_path):
    line = {
        "id": "a",
        "text": "One.",
        "title": "T",
        "url": "https://x.example",
        "page": 0,
        "bboxes": [[1, 2, 3, 4]],
        "start": 7,
        "lang": "en",
        "date": "2025-01-01",
        "score": 1.5,
        "metadata": {"k": 1},
        "owner": "me",
    }
    body = json.dumps(line) + "\n\n" + '{"id": 7, "text": "Two.\u2028Line", "title": null}\r\n'
    first, second = read_paths(put(tmp_path / "a.jsonl", body))
    assert (first.id, first.text, first.title, first.url, first.page) == (
        "a",
        "One.",
        "T",
        "https://x.example",
        0,
    )
    assert [list(box) for box in first.bboxes] == [[1, 2, 3, 4]]
    assert (first.start, first.lang, first.date) == (7, "en", "2025-01-01")
    assert (first.score, first.metadata) == (1.5, {"k": 1, "owner": "me"})
    assert (second.id, second.text, second.title) == ("7", "Two.\u2028Line", None)


def test_a_line_is_never_split_and_gets_an_id_if_it_has_none(tmp_path):
    body = "\n" + json.dumps({"text": "It rained. " * 1000})
    (passage,) = read_paths(put(tmp_path / "a.jsonl", body))
    assert passage.id == "a.jsonl#2"
    assert len(passage.text) == 11_000


def test_a_line_as_other_libraries_write_it_is_read(tmp_path):
    body = json.dumps({"page_content": "One.", "metadata": {"source": "x.pdf", "page": 3}})
    (passage,) = read_paths(put(tmp_path / "a.jsonl", body))
    assert (passage.id, passage.text, passage.page) == ("a.jsonl#1", "One.", 3)


# --- what is bad ------------------------------------------------------------------------

BAD = {
    "empty text": ("a.txt", b"", "empty_file", "empty"),
    "blank text": ("a.txt", b" \n\t ", "empty_file", "empty"),
    "only a mark": ("a.txt", b"\xef\xbb\xbf", "empty_file", "no text"),
    "latin-1": ("a.txt", b"na\xefve", "bad_encoding", r"byte 0xEF at offset 2.*iconv"),
    "latin-1 after a mark": ("a.md", b"\xef\xbb\xbfna\xefve", "bad_encoding", "offset 5"),
    "cut off in a letter": ("a.txt", "naï".encode()[:-1], "bad_encoding", "offset 2"),
    "encoded surrogate": ("a.txt", b"ab\xed\xa0\x80", "bad_encoding", "offset 2"),
    "utf-16": ("a.txt", "text".encode("utf-16"), "bad_encoding", "UTF-16.*iconv"),
    "utf-32": ("a.txt", "text".encode("utf-32"), "bad_encoding", "UTF-32"),
    "utf-16 without a mark": ("a.txt", "text".encode("utf-16-le"), "binary_file", "offset 1"),
    "binary": ("a.txt", b"\x89PNG\r\n\x1a\n\x00\x00", "binary_file", "not a text file"),
    "binary markdown": ("a.md", b"PK\x03\x04\x00", "binary_file", "not a text file"),
    "binary lines": ("a.jsonl", b"\x00\x01", "binary_file", "not a text file"),
    "blank markdown": ("a.md", b"---\ntitle: x\n---\n\n", "empty_file", "no text"),
    "page without text": ("a.html", b"<p></p><script>x</script>", "empty_file", "no text"),
    "page of a wrong set": ("a.html", b"<meta charset=utf-8><p>\xe9", "bad_encoding", "offset 23"),
    "page of no real set": ("a.html", b"<meta charset=rot13><p>\xe9", "bad_encoding", "offset 23"),
    "page of an unknown set": (
        "a.html",
        b"<meta charset=x-none><p>\xe9",
        "bad_encoding",
        "offset 24",
    ),
    "page against its set": (
        "a.html",
        b"<meta charset=shift_jis><p>\xff\xff",
        "bad_encoding",
        "declares shift_jis.*offset 27",
    ),
    "unclosed comments": ("a.html", b"<!-- x " * 200, "bad_html", "200 tags that it never closes"),
    "more unclosed comments": ("a.html", b"<!-- x > " * 200, "bad_html", "200 comments"),
    "unparsable page": ("a.html", b"<p>x <![<![ >", "bad_html", "cannot be parsed"),
    "not a pdf": ("a.pdf", b"plain words", "bad_pdf", "not a PDF"),
    "header only": ("a.pdf", b"%PDF-1.7\n", "bad_pdf", "damaged"),
    "half a pdf": ("a.pdf", (POLICY / "home-policy.pdf").read_bytes()[:5000], "bad_pdf", "damaged"),
    "scan": ("a.pdf", pdf_bytes(pages=3), "no_text_layer", r"3 pages.*ocrmypdf"),
    "no page": ("a.pdf", pdf_bytes(pages=0), "no_text_layer", "0 pages"),
    "password": (
        "a.pdf",
        encrypted_policy("secret"),
        "encrypted_file",
        "encrypted.*without a pass",
    ),
    "not json": ("a.jsonl", b'{"text": "a"}\n{"text": ', "bad_json", "line 2: not JSON.*column 10"),
    "json array": ("a.jsonl", b'[{"text": "a"}]', "bad_type", "line 1: must be a JSON object"),
    "no text field": (
        "a.jsonl",
        b'{"id": "a", "txt": "x"}',
        "missing_field",
        "line 1: no field 'text'",
    ),
    "no field": ("a.jsonl", b"{}", "missing_field", "no field at all"),
    "null text": ("a.jsonl", b'{"text": null}', "missing_field", "no field 'text'"),
    "text of a wrong type": (
        "a.jsonl",
        b'{"text": 5}',
        "bad_type",
        "field 'text' must be a string",
    ),
    "blank id": ("a.jsonl", b'{"id": " ", "text": "x"}', "bad_type", "field 'id'.*blank"),
    "page as a string": (
        "a.jsonl",
        b'{"text": "x", "page": "3"}',
        "bad_type",
        "field 'page'.*got str",
    ),
    "page as a truth": ("a.jsonl", b'{"text": "x", "page": true}', "bad_type", "field 'page'"),
    "no number": ("a.jsonl", b'{"text": "x", "score": NaN}', "bad_type", "field 'score'.*finite"),
    "start before the start": (
        "a.jsonl",
        b'{"text": "x", "start": -1}',
        "bad_type",
        "field 'start'",
    ),
    "metadata as a list": ("a.jsonl", b'{"text": "x", "metadata": []}', "bad_type", "'metadata'"),
    "huge number": ("a.jsonl", b'{"text": "x", "n": ' + b"9" * 5000 + b"}", "bad_json", "line 1"),
    "deep nesting": ("a.jsonl", b"[" * 100_000, "bad_json", "line 1"),
    "one id, two texts": (
        "a.jsonl",
        b'{"id": "x", "text": "a"}\n{"id": "x", "text": "b"}',
        "duplicate_id",
        r"line 2: field 'id': 'x'.*line 1",
    ),
    "all texts empty": ("a.jsonl", b'{"text": ""}', "empty_file", "no text"),
    "other type": ("a.docx", b"PK", "unsupported_type", r"\.docx.*\.txt \.md"),
    "no suffix": ("LICENSE", b"text", "unsupported_type", "no suffix"),
}


@pytest.mark.parametrize("fault", BAD)
def test_a_bad_file_is_an_error_that_names_it_and_the_way_out(tmp_path, fault):
    name, content, code, message = BAD[fault]
    path = put(tmp_path / name, content)
    with pytest.raises(InputError, match=message) as caught:
        read_paths(path)
    assert caught.value.code == code
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)


def test_one_file_of_another_type_is_an_error(tmp_path):
    with pytest.raises(InputError, match="cannot read this type"):
        read_file(put(tmp_path / "a.docx", b"PK"))


def test_errors_hold_no_words_of_the_file(tmp_path):
    path = put(tmp_path / "a.jsonl", '{"id": "x", "text": ["secretword"], "page": 1}\n')
    with pytest.raises(InputError) as caught:
        read_paths(path)
    assert "secretword" not in str(caught.value)


def test_a_missing_path_is_an_error(tmp_path):
    for path in (tmp_path / "none.txt", "no\0thing.txt", tmp_path / "a.txt" / "b.txt", "x" * 300):
        put(tmp_path / "a.txt", "text")
        with pytest.raises(InputError, match=r"no such file or folder|cannot be read"):
            read_paths([path])


def test_a_broken_link_is_an_error(tmp_path):
    (tmp_path / "a.txt").symlink_to(tmp_path / "gone.txt")
    with pytest.raises(InputError, match="no such file"):
        read_paths(tmp_path)


def test_what_is_no_regular_file_is_an_error(tmp_path):
    os.mkfifo(tmp_path / "pipe.txt")
    with pytest.raises(InputError, match="not a regular file"):
        read_paths(tmp_path / "pipe.txt")


def test_a_file_that_may_not_be_read_is_an_error(tmp_path, monkeypatch):
    path = put(tmp_path / "a.txt", "text")

    def deny(self):
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "read_bytes", deny)
    with pytest.raises(InputError, match="cannot be read: permission denied") as caught:
        read_paths(path)
    assert caught.value.code == "unreadable_file"


def test_a_pdf_whose_cipher_is_not_installed_is_encrypted(tmp_path, monkeypatch):
    def lacking(_reader, _password):
        raise pypdf.errors.DependencyError("cryptography>=3.1 is required")

    monkeypatch.setattr(pypdf.PdfReader, "decrypt", lacking)
    path = put(tmp_path / "a.pdf", encrypted_policy("secret"))
    with pytest.raises(InputError, match="encrypted") as caught:
        read_file(path)
    assert caught.value.code == "encrypted_file"


def test_no_damage_to_a_pdf_is_anything_but_an_input_error(tmp_path):
    """Whatever a parser raises on broken bytes, the caller sees one kind of error."""
    whole = (POLICY / "home-policy.pdf").read_bytes()
    chance = random.Random(7)
    for number in range(25):
        damaged = bytearray(whole)
        for _ in range(chance.choice([1, 20, 400])):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        path = put(tmp_path / f"{number}.pdf", bytes(damaged))
        code, passages = outcome(path)
        assert code in {"", "bad_pdf", "encrypted_file", "no_text_layer"}
        assert all(p.text for p in passages)


@given(st.binary(max_size=300), st.sampled_from(sorted(READERS)))
def test_no_bytes_are_anything_but_passages_or_an_input_error(tmp_path_factory, data, suffix):
    path = put(tmp_path_factory.getbasetemp() / f"fuzz{suffix}", data)
    code, passages = outcome(path)
    assert bool(code) != any(p.text.strip() for p in passages)


# --- folders and names ------------------------------------------------------------------


def test_a_folder_is_read_recursively_in_order_without_what_is_hidden(tmp_path):
    for name in ("b.txt", "a/z.txt", "a/b.txt", ".hidden.txt", ".git/c.txt", "a/.x/d.txt", "B.TXT"):
        put(tmp_path / name, f"text of {name}")
    put(tmp_path / "a" / "image.png", b"\x89PNG")
    skipped = []
    passages = read_paths(
        tmp_path, on_skip=lambda path, error: skipped.append((path.name, error.code))
    )
    assert [p.id for p in passages] == ["B.TXT", "b.txt", "a/b.txt", "a/z.txt"]
    assert skipped == [("image.png", "unsupported_type")]
    assert [p.id for p in read_paths(tmp_path)] == [p.id for p in passages]


def test_an_unreadable_file_in_a_folder_is_an_error_unless_someone_is_told(tmp_path):
    put(tmp_path / "a.txt", "text")
    bad = put(tmp_path / "b.txt", b"\xff")
    with pytest.raises(InputError, match="not UTF-8"):
        read_paths(tmp_path)
    told = []
    passages = read_paths(tmp_path, on_skip=lambda path, error: told.append((path, error.code)))
    assert [p.id for p in passages] == ["a.txt"]
    assert told == [(bad, "bad_encoding")]


def test_a_file_named_by_the_caller_is_never_skipped(tmp_path):
    put(tmp_path / "a.txt", "text")
    bad = put(tmp_path / "b.txt", b"\xff")
    for paths in ([bad], [tmp_path, bad], [bad, tmp_path]):
        with pytest.raises(InputError, match="not UTF-8"):
            read_paths(paths, on_skip=lambda _path, _error: None)


def test_a_folder_with_nothing_to_read_is_an_error(tmp_path):
    put(tmp_path / "a.docx", b"PK")
    with pytest.raises(InputError, match="nothing to read") as caught:
        read_paths(tmp_path, on_skip=lambda _path, _error: None)
    assert caught.value.code == "nothing_to_read"
    put(tmp_path / "a.txt", b"")
    with pytest.raises(InputError, match="none of the 1 files"):
        read_paths(tmp_path, on_skip=lambda _path, _error: None)
    with pytest.raises(InputError, match="no path was given"):
        read_paths([])


def test_a_wrong_size_is_told_once_and_not_for_each_file(tmp_path):
    put(tmp_path / "a.txt", "text. " * 100)
    with pytest.raises(InputError, match="at least 100"):
        read_paths(tmp_path, size=5, on_skip=lambda _path, _error: None)


def test_a_folder_that_cannot_be_opened_is_an_error_unless_someone_is_told(tmp_path, monkeypatch):
    put(tmp_path / "a.txt", "text")
    closed = tmp_path / "closed"
    closed.mkdir()
    scandir = os.scandir

    def deny(path):
        if Path(path) == closed:
            raise PermissionError(13, "Permission denied", str(closed))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", deny)
    with pytest.raises(InputError, match="permission denied"):
        read_paths(tmp_path)
    told = []
    read_paths(tmp_path, on_skip=lambda path, _error: told.append(path))
    assert told == [closed]


def test_the_same_file_is_read_once(tmp_path):
    path = put(tmp_path / "a.txt", "text")
    (tmp_path / "link.txt").symlink_to(path)
    assert [p.id for p in read_paths([path, tmp_path, str(path)])] == ["a.txt"]


def test_files_of_one_name_are_told_apart_by_their_folders(tmp_path):
    for folder in ("x/2023", "x/2024", "y/2024"):
        put(tmp_path / folder / "lease.txt", folder)
    put(tmp_path / "other.txt", "other")
    paths = [tmp_path / "x/2023/lease.txt", tmp_path / "x/2024/lease.txt", tmp_path / "other.txt"]
    assert [p.id for p in read_paths(paths)] == ["2023/lease.txt", "2024/lease.txt", "other.txt"]
    both = [p.id for p in read_paths([tmp_path / "x", tmp_path / "y"])]
    assert both == ["2023/lease.txt", "x/2024/lease.txt", "y/2024/lease.txt"]


def test_names_do_not_depend_on_where_the_command_runs(tmp_path, monkeypatch):
    put(tmp_path / "docs" / "a.txt", "text")
    from_above = [p.id for p in read_paths(tmp_path / "docs")]
    monkeypatch.chdir(tmp_path / "docs")
    assert [p.id for p in read_paths(".")] == from_above == ["a.txt"]


def test_a_name_that_is_not_text_becomes_escapes(tmp_path):
    put(tmp_path / os.fsdecode(b"caf\xe9.txt"), "text")
    (passage,) = read_paths(tmp_path)
    assert passage.id == "caf\\xe9.txt"


def test_one_id_for_two_texts_in_two_files_is_an_error(tmp_path):
    put(tmp_path / "a.jsonl", '{"id": "x", "text": "a"}')
    put(tmp_path / "b.jsonl", '{"id": "x", "text": "b"}')
    with pytest.raises(InputError, match=r"a\.jsonl and in .*b\.jsonl") as caught:
        read_paths(tmp_path)
    assert caught.value.code == "duplicate_id"
    put(tmp_path / "b.jsonl", '{"id": "x", "text": "a"}')
    assert [p.id for p in read_paths(tmp_path)] == ["x"]


def test_every_file_is_announced_before_it_is_read(tmp_path):
    for number in range(3):
        put(tmp_path / f"{number}.txt", "text")
    told = []
    read_paths(tmp_path, on_file=lambda path, done, total: told.append((path.name, done, total)))
    assert told == [("0.txt", 0, 3), ("1.txt", 1, 3), ("2.txt", 2, 3)]


def test_finding_files_opens_none(tmp_path):
    put(tmp_path / "a.pdf", b"not a pdf")
    (file,) = find_files(tmp_path)
    assert (file.name, file.named) == ("a.pdf", False)
    (file,) = find_files([tmp_path / "a.pdf"])
    assert file.named


def test_ids_of_the_example_documents_are_unique_and_stable():
    first = [p.id for p in read_paths(POLICY, size=300)]
    assert len(first) == len(set(first)) > 40
    assert first == [p.id for p in read_paths(str(POLICY), size=300)]
