"""What foreign words may do on a page: nothing but be read."""

from __future__ import annotations

import html
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from groundedgen.errors import InputError
from groundedgen.gates import unsupported_numbers
from groundedgen.ports import SourceCard
from groundedgen.render import render
from groundedgen.render.commonmark import escape
from groundedgen.render.display import line, unlinked
from groundedgen.render.labels import LABELS
from groundedgen.stores.memory import MemoryStore
from groundedgen.values import Answer, Citation, Closest, Entailment, Finding, Passage, Statement

LINK = "https://docs.example/lease"

#: Characters and openings of every kind of markup, and whatever else there is.
attack = st.lists(
    st.sampled_from(list("\\`*_[]()<>~|&#!+-=.:;/@$\"'{}^% \n\t01a\xa0"))
    | st.sampled_from(
        ["https://evil.example", "www.evil.example", "a@evil.example", "&lt;", "&#60;", "<b>", "![",
         "](", "```", "~~~", "1. ", "# ", "\n\n", "    ", "---", "- ", "<!--", "]]>", "</style>",
         "<script>", "javascript:a", "[^1]:", "[a]: b", "| a |\n|---|", "{{ 7 }}", "{% if %}", "$$",
         "\u202e", "\x1b[31m", "\ud800", "\u2028", '" onclick="x', "' style='", "</p>"]
    )
    | st.characters(),
    max_size=20,
).map("".join)  # fmt: skip

markdown = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
try:
    linking = MarkdownIt("gfm-like", {"html": True})
    linking.render("x")
except ModuleNotFoundError:
    linking = None
try:
    from mdit_py_plugins.footnote import footnote_plugin

    footnotes = MarkdownIt("commonmark", {"html": True}).enable("table").use(footnote_plugin)
except ModuleNotFoundError:
    footnotes = None


def as_paragraph(value):
    seen = unlinked(line(value)).strip()
    return f"<p>{html.escape(seen, quote=False)}</p>" if seen else ""


def told(rendered):
    """Blanks at the edges are the renderer's business."""
    return "".join(rendered.replace("&quot;", '"').split())


@given(attack)
def test_foreign_words_are_one_plain_paragraph_in_commonmark(value):
    assert told(as_paragraph(value)) == told(markdown.render(escape(value)))


@pytest.mark.skipif(linking is None, reason="linkify-it-py is not installed")
@given(attack)
def test_foreign_words_are_one_plain_paragraph_where_bare_addresses_are_linked(value):
    assert told(as_paragraph(value)) == told(linking.render(escape(value)))


@given(attack)
def test_foreign_words_stay_in_their_block_quote(value):
    expected = as_paragraph(value)
    if expected:
        rendered = told(markdown.render(f"> {escape(value)}"))
        assert told(f"<blockquote>{expected}</blockquote>") == rendered


@given(attack)
def test_foreign_words_stay_in_their_cell_of_a_table(value):
    rendered = markdown.render(f"| {escape(value)} | b |\n|---|---|\n| c | {escape(value)} |")
    assert (2, 2) == (rendered.count("<th>"), rendered.count("<td>"))


@pytest.mark.parametrize(
    "value",
    [
        "Water damage is covered up to 12,000.50 euros (excl. VAT), i.e. 15 % more - in all.",
        "R & D; Straße & 保单: “quoted” it's 50% ± 2 °C, v1.2.3, §5, 2024-05-01.",
        "- 5 °C".replace("- ", "-"),
        "It costs $5,000.",
        "e.g. and/or No. 5 (a)",
    ],
)
def test_ordinary_words_are_not_changed(value):
    assert value == escape(value)


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("1. First", "1\\. First"),
        ("12) Twelfth", "12\\) Twelfth"),
        ("# Not a heading", "\\# Not a heading"),
        ("#5 is a number", "#5 is a number"),
        ("- no list", "\\- no list"),
        ("-5 is a number", "-5 is a number"),
        ("--- no rule", "\\--- no rule"),
        ("$5 and $6", "\\$5 and \\$6"),
        ("![x](y)", "!\\[x\\]\\(y)"),
        ("&copy; & co", "&amp;copy; & co"),
        ("a | b", "a \\| b"),
        ("evil.com or booking.com.", "evil\\.com or booking\\.com."),
    ],
)
def test_markup_is_escaped_and_no_more(value, written):
    assert written == escape(value)


# Whole pages


def page(format, foreign, title=None, url=LINK, **more):  # noqa: A002
    """A page with the same foreign words in every place that can hold some."""
    passage = Passage("id", f"{foreign}.", lang="en")
    citation = Citation("id", foreign, 0, len(foreign), "exact", 0, len(foreign))
    checked = Statement(foreign, (citation,), Entailment("supported", "judge"))
    unchecked = Statement(foreign, (citation,), Entailment("not_judged", "unverified"))
    finding = Finding(
        "quotes", "quote_not_found", 0, foreign, 1, foreign, (foreign,), "id", foreign
    )
    answer = Answer(
        "answered", "answered", foreign, (checked, unchecked), (finding,),
        (Closest("id", foreign, 0, len(foreign), 1.0),), (passage,),
    )  # fmt: skip
    card = SourceCard("id", foreign if title is None else title, url, date=foreign)
    store = MemoryStore([card], public=["id"])
    return render(answer, store=store, format=format, **more)


class Elements(HTMLParser):
    """Every element and attribute a browser would see."""

    def __init__(self, markup):
        super().__init__(convert_charrefs=True)
        self.elements, self.text, self.open, self.faults = [], [], [], []
        self.feed(markup)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in {"meta", "br", "hr"}:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(tag)

    def handle_data(self, data):
        self.text.append(data)

    def handle_comment(self, data):  # the parser's signature
        self.faults.append("comment")


OURS = {
    *("html", "head", "meta", "title", "style", "body", "main", "h1", "h2", "h3", "p", "section"),
    *("article", "span", "a", "blockquote", "mark", "strong", "ul", "li", "code", "bdi"),
}
ATTRIBUTES = {
    *("lang", "charset", "http-equiv", "content", "name", "dir", "id", "class", "role", "href"),
    *("rel", "aria-label", "aria-labelledby", "aria-describedby", "aria-hidden"),
}


@given(attack.filter(str.strip))
def test_html_holds_our_elements_and_no_others(value):
    found = Elements(page("html", value, developer=True))
    assert [] == found.faults == found.open
    assert OURS >= {tag for tag, _ in found.elements}
    assert ATTRIBUTES >= {name for _, attrs in found.elements for name in attrs}
    links = {attrs["href"] for tag, attrs in found.elements if tag == "a"}
    assert {LINK, "#source-1"} == links
    ids = [attrs["id"] for _, attrs in found.elements if "id" in attrs]
    assert sorted(set(ids)) == sorted(ids)


@given(attack.filter(str.strip))
def test_html_shows_the_words_as_they_are(value):
    text = "".join(Elements(page("html", value)).text).replace("\u2060", "")
    assert line(value).replace("\u2060", "") in text


@given(attack.filter(str.strip))
def test_html_can_be_written_to_a_file(value):
    page("html", value, developer=True).encode()


@given(attack.filter(str.strip))
def test_the_words_of_a_page_never_change_its_structure(value):
    # A number that cannot be read back costs a stored statement its tick, and so some elements.
    if line(value) and not unsupported_numbers(value, f"{value}.", lang="en"):
        plain = Elements(page("html", "plain", developer=True))
        found = Elements(page("html", value, developer=True))
        assert [tag for tag, _ in plain.elements] == [tag for tag, _ in found.elements]


@pytest.mark.skipif(footnotes is None, reason="mdit-py-plugins is not installed")
@given(attack.filter(str.strip))
def test_foreign_words_open_and_close_no_footnote(value):
    """The one footnote is ours: it is marked twice, and leads to the one source."""
    found = Elements(footnotes.render(page("footnotes", value, developer=True)))
    links = [attrs["href"] for tag, attrs in found.elements if tag == "a"]
    assert [LINK] == [link for link in links if not link.startswith("#")]
    assert ["#fn1", "#fn1"] == [link for link in links if re.fullmatch(r"#fn\d+", link)]
    assert 1 == sum(attrs.get("class") == "footnote-item" for _, attrs in found.elements)
    assert "img" not in {tag for tag, _ in found.elements}


UNSTORED = [
    "/logout",
    "?delete=1",
    "//evil.example",
    "a",
    "a 'b'",
    '"a" (b)',
    "<a> 'b'",
    "(a",
    "a\\",
]


@pytest.mark.parametrize("renderer", [markdown, linking], ids=["commonmark", "gfm"])
@pytest.mark.parametrize("lang", LABELS)
@pytest.mark.parametrize("title", UNSTORED)
def test_a_footnote_is_no_link_where_footnotes_are_not_known(renderer, lang, title):
    if renderer is None:
        pytest.skip("linkify-it-py is not installed")
    written = page("footnotes", "Fire is covered.", title, url=None, lang=lang)
    rendered = renderer.render(written)
    assert "<a" not in rendered
    assert 2 == rendered.count("Fire is covered. [^1]")
    assert "<p>[^1]: " in rendered
    if footnotes is not None:
        assert 1 == footnotes.render(written).count('class="footnote-item"')


@given(attack.filter(str.strip), attack)
def test_no_title_defines_where_the_marker_of_a_footnote_leads(value, title):
    rendered = markdown.render(page("footnotes", value, title, url=None))
    assert "<a" not in rendered


@pytest.mark.parametrize("address", ["https://evil.example", "www.evil.example", "a@evil.example"])
def test_no_address_in_plain_text_is_one_that_a_program_would_link(address):
    written = page("text", f"see {address}", url=None, developer=True)
    assert address not in written
    assert written.replace("\u2060", "").count(address) >= 6


@given(attack.filter(str.strip))
def test_a_whole_markdown_page_has_one_link_and_no_image(value):
    rendered = markdown.render(page("markdown", value, developer=True))
    found = Elements(rendered)
    assert {"p", "a", "strong", "em", "blockquote", "ul", "li"} >= {t for t, _ in found.elements}
    assert [LINK] == [attrs["href"] for tag, attrs in found.elements if tag == "a"]


@given(attack.filter(str.strip))
def test_plain_text_keeps_every_field_to_its_line(value):
    lines = page("text", value).split("\n")
    assert page("text", "plain").count("\n") + 1 == len(lines)
    assert not any(
        ord(char) < 32 or char in "\x7f\x9b\u2028\u202e" for row in lines for char in row
    )


def test_the_page_lets_nothing_run_or_load():
    found = Elements(page("html", "words"))
    policies = [a["content"] for t, a in found.elements if a.get("http-equiv")]
    [policy] = policies
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy
    assert "url(" not in page("html", "words")
    assert "@import" not in page("html", "words")


def test_the_policy_names_the_style_that_is_there():
    import base64
    import hashlib

    written = page("html", "words")
    style = written.split("<style>")[1].split("</style>")[0]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert f"'sha256-{digest}'" in written


def test_the_page_can_be_read_without_seeing_it():
    """A language, one heading of the first level, named regions, links that say where to."""
    found = Elements(page("html", "words"))
    elements = found.elements
    assert "en" == dict(elements)["html"]["lang"]
    assert 1 == sum(tag == "h1" for tag, _ in elements)
    ids = {attrs.get("id") for _, attrs in elements}
    for _, attrs in elements:
        for name in ("aria-labelledby", "aria-describedby"):
            assert name not in attrs or attrs[name] in ids
        if attrs.get("href", "").startswith("#"):
            assert attrs["href"][1:] in ids
            assert attrs["aria-label"].startswith("Source ")
    assert "not checked" in "".join(found.text)


@pytest.mark.parametrize(("tag", "expected"), [("de-CH", True), ("", False)])
def test_the_language_of_a_passage_is_told_if_it_is_one(tag, expected):
    passage = Passage("id", "Miete.", lang=tag)
    citation = Citation("id", "Miete.", 0, 6, "exact", 0, 6)
    statement = Statement("Miete.", (citation,), Entailment("supported", "judge"))
    answer = Answer("answered", "answered", "?", (statement,), passages=(passage,))
    langs = [a.get("lang") for t, a in Elements(render(answer, format="html")).elements]
    assert expected == (tag in langs)


def test_what_is_no_language_reaches_no_page():
    with pytest.raises(InputError, match="lang"):
        Passage("id", "Miete.", lang='"><b>')
