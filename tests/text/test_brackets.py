"""Scanning for markers: what reads as one, and where none can stand."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundedgen.text.brackets import markers, marks
from groundedgen.text.cutting import Cut, cut
from groundedgen.text.markdown.blocks import lines
from groundedgen.text.markdown.regions import Spans, code_spans, link_end, unprose_spans
from groundedgen.text.markers.bracketed import is_content
from groundedgen.text.markers.foreign import foreign_marks
from groundedgen.text.markers.offers import Numbers, offer
from tests.growth import LINEAR, factor


def slices(text, spans):
    return [text[start:end] for start, end in spans]


CODE = [
    ("a `b` c", ["`b`"]),
    ("a ``b ` c`` d `e`", ["``b ` c``", "`e`"]),
    ("a \\`b` c `d", ["` c `"]),
    ("a `b\nc` d", ["`b\nc`"]),
    ("a `b\n\nc` d", []),
    ("- a `b\n- c` d", []),
    ("| a `b |\n| c` d |", []),
    ("# a `b\nc` d", []),
    ("> a `b\n\nc` d", []),
    ("x\n```py\na\n```\ny", ["```py\na\n```\n"]),
    ("~~~\na\n```\nb\n~~~~\nc", ["~~~\na\n```\nb\n~~~~\n"]),
    ("````\n```\na\n````\nb", ["````\n```\na\n````\n"]),
    ("```\nopen", ["```\nopen"]),
    ("```a``` b", ["```a```"]),
    ("> ```\n> a\n> ```\n> b", ["> ```\n> a\n> ```\n"]),
    ("> ```\n> a\nb", ["> ```\n> a\n"]),
    ("- ```\n  a\n  ```\nb", ["- ```\n  a\n  ```\n"]),
    ("1. a\n\n   ```\n   b\n   ```\n   c", ["   ```\n   b\n   ```\n"]),
    ("```\r\na\r\n```\r\nb", ["```\r\na\r\n```\r\n"]),
    ("    a\nb", ["    a\n"]),
    ("\ta\nb", ["\ta\n"]),
    ("a\n    b", []),
    ("a\n\n    b\n\nc", ["    b\n"]),
    ("# a\n    b", ["    b"]),
    ("- a\n\n    b", []),
    ("- a\n\n      b", ["      b"]),
    ("1. a\n   - b\n\n     c", []),
    ("- a\n\nb\n\n    c", ["    c"]),
    ("- a\n  - b\n- c\n\n      d", ["      d"]),
    ("- - - - - - - - - - a\n\n    b", []),
    ("<pre>a\n\nb</pre> c", ["<pre>a\n\nb</pre>"]),
    ("<PRE class='x'>a", ["<PRE class='x'>a"]),
    ("<code>a</code> <code>b", ["<code>a</code>"]),
    ("<codex>a</codex>", []),
    ("no code at all", []),
]


@pytest.mark.parametrize(("text", "expected"), CODE)
def test_code_is_what_commonmark_takes_for_code(text, expected):
    assert expected == slices(text, code_spans(text).spans)


UNPROSE = [
    ("$x[7]$ and $5 [7] or $6", ["$x[7]$"]),
    ("US$5 [7], A$6 [8]", []),
    ("$^{[7]}$ and $[7]$ and \\[7\\]", []),
    ("$[0, 1]$", ["$[0, 1]$"]),
    ("\\(a_{[1]}\\) and \\[ x[7] = 2 \\]", ["\\(a_{[1]}\\)", "\\[ x[7] = 2 \\]"]),
    ("$$\na[7] + b\n$$", ["$$\na[7] + b\n$$"]),
    ("https://a.example/?b[7]=c d", ["https://a.example/?b[7]=c"]),
    (
        "(https://a.example)[7] a [2](https://a.example)[7]b",
        ["https://a.example", "(https://a.example)"],
    ),
    ("https://a.example/b[7].", ["https://a.example/b"]),
    ("[a](https://b.example/c[7]) [d](see e)", ["(https://b.example/c[7])"]),
    ("<a href='[7]'>b</a>", ["<a href='[7]'>", "</a>"]),
]


@pytest.mark.parametrize(("text", "expected"), UNPROSE)
def test_no_marker_stands_in_formulas_addresses_and_tags(text, expected):
    assert expected == slices(text, unprose_spans(text).spans)


@pytest.mark.parametrize(
    ("target", "length"),
    [
        ("(https://a.example)", 19),
        ("(https://a.example/b_(c))", 25),
        ("(<a b>)", 7),
        ("(#top)", 6),
        ("(../a.md)", 9),
        ("(a.example/b)", 13),
        ("(lease.pdf)", 11),
        ("(/a 'title')", 12),
        ("()", 2),
        ("(annex)", None),
        ("(see below)", None),
        ("(p. 4)", None),
        ("(https://a.example", None),
        (" (https://a.example)", None),
    ],
)
def test_a_link_target_is_an_address(target, length):
    assert length == link_end(target, 0)


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(1, 9))), st.integers(-1, 70))
def test_spans_cover_what_one_of_them_covers(pairs, offset):
    spans = [(start, start + length) for start, length in pairs]
    assert any(start <= offset < end for start, end in spans) == Spans(spans).cover(offset)


@given(st.text(st.sampled_from(list("ab >-`~\n\r\t1.#|*")), max_size=60))
def test_lines_are_all_of_the_text_in_order(text):
    found = lines(text)
    assert text == "".join(text[line.start : line.end] for line in found)
    assert all(line.start <= line.marks <= line.body <= line.end for line in found)
    assert all(text.count(">", line.marks, line.body) == line.depth for line in found)


def test_lazy_lines_go_on_with_the_quote_above_them():
    def lazy(text):
        return [line.lazy for line in lines(text)]

    assert [False, True, True] == lazy("> a\nb\nc")
    assert [False, False, False] == lazy("> a\n\nb")
    assert [False, False] == lazy("> a\n- b")
    assert [False, False] == lazy("> a\n# b")
    assert [False, False] == lazy("> # a\nb")
    assert [False, False, False] == lazy("> ```\n> a\nb")
    assert [False, True] == lazy("> > a\n> b")


READS = [
    ("[7]", "[7]"),
    ("[ 7 , 8 ]", "[ 7 , 8 ]"),
    ("[1–3; S4]", "[1–3; S4]"),
    ("【7】［8］〔9〕", "【7】 ［8］ 〔9〕"),
    ("[Source 7] [ref: 8] [出典9]", "[Source 7] [ref: 8] [出典9]"),
    ("[7, p. 12] [8 § 3]", "[7, p. 12] [8 § 3]"),
    ("\\[7\\]", "\\[7\\]"),
    (
        "[4:0†source] \ue200cite\ue202turn0search1\ue201",
        "[4:0†source] \ue200cite\ue202turn0search1\ue201",
    ),
    ("[fig-3] [7.4] [^9] [7a] [sic] [] [ ] [,] [7,] [7-] [-] [7 8]", ""),
    ("[2019] UKSC 41 [10,000] x[7]", ""),
]


@pytest.mark.parametrize(("text", "expected"), READS)
def test_what_reads_as_a_marker(text, expected):
    assert expected == " ".join(slices(text, markers(text)))


def test_names_are_markers_where_they_are_listed():
    text = "[lease] [annex] [S1]"
    assert ["[S1]"] == slices(text, markers(text))
    assert ["[lease]", "[S1]"] == slices(text, markers(text, ["lease", "policy"]))


@given(
    st.text(st.sampled_from(list("[]【】()1279S, –-;:†`$<>/\\ \n.a")), max_size=50),
    st.integers(0, 9),
)
def test_marks_are_in_order_and_do_not_overlap(text, count):
    found = marks(text, Numbers(count))
    assert all(a.end <= b.start for a, b in pairwise(found))
    assert all(mark.start < mark.end <= len(text) for mark in found)
    for mark in found:
        if not mark.fabricated and not mark.foreign:
            assert text[mark.start : mark.end] == mark.rest


@given(st.integers(0, 30), st.integers(0, 60), st.integers(0, 60))
def test_a_range_is_read_like_its_members_one_by_one(count, first, last):
    """The oracle expands the range; the reader never does."""
    item = Numbers(count).item(f"{first}-{last}")
    step = range(first, last + 1) if first <= last else (first, last)
    members = [n for n in step if not 1 <= n <= count]
    assert members == [n for stretch in item.removed for n in stretch]
    if first <= last:
        assert last - first + 1 == item.kept + len(members)


def test_offers_are_numbers_or_names():
    assert offer(["doc_1", "doc_3"]) is offer(("doc_1", "doc_3"))
    with pytest.raises(ValueError, match="-1"):
        offer(-1)
    for wrong in ("S1", b"S1", True, None, 1.0):
        with pytest.raises(TypeError):
            offer(wrong)


@pytest.mark.parametrize("number", ["7", "2019", "1,000", "0, 1"])
@given(before=st.text(max_size=60), after=st.text(max_size=60))
def test_any_surroundings_can_be_judged(number, before, after):
    text = f"{before}[{number}]{after}"
    assert is_content(text, len(before), len(text) - len(after), number) in (True, False)


def test_the_reach_of_a_rule_does_not_depend_on_what_lies_beyond():
    far = "x" * 500
    assert is_content(f"{far} within [30] days {far}", 508, 512, "30")
    assert not is_content(f"{far} excluded [30]. {far}", 510, 514, "30")


def test_other_systems_marks_are_found_whole():
    text = "a \ue200x\ue202y\ue201 b【4:0†s】c {{cite:1}} turn0search1 citeturn0search1 【重要】"
    assert ["\ue200x\ue202y\ue201", "【4:0†s】", "{{cite:1}}", "citeturn0search1"] == slices(
        text, foreign_marks(text)
    )


CUTS = [
    ("a [x] b", (2, 5), "a b"),
    ("a [x].", (2, 5), "a."),
    ("a [x]b", (2, 5), "a b"),
    ("a  [x] b", (3, 6), "a  b"),
    ("[x] b", (0, 3), "b"),
    ("a ([x]) b", (3, 6), "a b"),
    ("a **[x]** b", (4, 7), "a b"),
    ("**a**[x]**b**", (5, 8), "**a****b**"),
    ("* a *[x]* b", (5, 8), "* a b"),
    ("a<sup>[x]</sup>b", (6, 9), "a b"),
    ("a<br>[x]</sup>b", (5, 8), "a<br></sup>b"),
    ("a<sup>[x]</sub>b", (6, 9), "a<sup></sub>b"),
    ("(((((((((([x]))))))))))", (10, 13), "(())"),
    ('"[x] a"', (1, 4), '"a"'),
    ("**[x] a**", (2, 5), "**a**"),
    ("a[x](https://b.example) c", (1, 4), "a c"),
    ("1[x]2", (1, 4), "1 2"),
    ("人[x]人", (1, 4), "人人"),
]


@pytest.mark.parametrize(("text", "span", "expected"), CUTS)
def test_a_cut_takes_with_it_what_it_alone_filled(text, span, expected):
    assert expected == cut(text, [Cut(*span)])


def test_what_joins_two_stretches_goes_with_the_one_that_is_cut():
    assert "a [1] b" == cut("a [1], [x] b", [Cut(2, 5, "[1]"), Cut(7, 10)])
    assert "a [1] b" == cut("a [x], [1] b", [Cut(2, 5), Cut(7, 10, "[1]")])
    assert "a b" == cut("a [x]; [y] b", [Cut(2, 5), Cut(7, 10)])
    assert "a\nb" == cut("a [x]\n[y] b", [Cut(2, 5), Cut(6, 9)])
    assert "same" == cut("same", [])


@given(st.text(st.sampled_from(list("ab ()*_[]{}<>^$\n.")), max_size=30), st.data())
def test_a_cut_removes_its_stretch_and_adds_at_most_one_blank(text, data):
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    if start == end:
        return
    after = cut(text, [Cut(start, end)])
    assert len(after) <= len(text) - (end - start) + 1
    assert set(after) <= {*text, " "}
    assert after.count("\n") <= text.count("\n")


UNITS = [
    "`",
    "`` ",
    "`a\n\n",
    "<code>",
    "<pre ",
    "$",
    "$a",
    "\\(",
    "\\[",
    "](",
    "](a '",
    "https://a[",
    "> ",
    "- - ",
]
UNITS += [
    "    a\n",
    "```\n",
    "~~~\n",
    "a\n",
    "* a\n  ",
    "1. ",
    "](((",
    "\t",
    "<",
    "- > a\n",
    "[[",
    "{{cite:",
    "\ue202",
]


@pytest.mark.parametrize("unit", UNITS)
def test_time_grows_with_the_text(unit):
    assert factor(lambda text: (unprose_spans("`a` <b> ~~~ " + text), markers(text)), unit) < LINEAR
