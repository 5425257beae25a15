"""An answer built from the case, rendered for a reader of a `MemoryStore`.

What must stand on the page may stand there as written or as a reader sees it (an escaped
apostrophe is an apostrophe); what must not, may not stand there as written. Beyond the
case, every page is checked for what none may hold: a link or image that is not the store's.
"""

from __future__ import annotations

import html
import re

from markdown_it import MarkdownIt

from groundedgen.ports import SourceCard
from groundedgen.render import render
from groundedgen.render.display import web_link
from groundedgen.stores.memory import MemoryStore
from groundedgen.values import Answer, Citation, Entailment, Passage, Statement
from tests.drivers.result import Result

READER = "reader"


def run(case):
    given, expect = case["input"], case["expect"]
    page = render(answer(given), store=store(given), reader=READER, format=given["format"])
    seen = as_seen(page, given["format"])
    missing = [s for s in expect.get("must_contain", ()) if s not in page and s not in seen]
    present = [s for s in expect.get("must_not_contain", ()) if s in page]
    counts = expect.get("counts", {})
    miscounted = [s for s, n in counts.items() if n not in (page.count(s), seen.count(s))]
    strange = links(page, given["format"]) - {
        web_link(card["url"]) for card in given["store"].values() if card["allowed"]
    }
    why = f"missing {missing}, present {present}, miscounted {miscounted}, links {strange}"
    must_accept = not expect.get("must_not_contain")
    return Result(not (missing or present or miscounted or strange), must_accept, why)


def answer(given):
    statements = tuple(_statement(s, number) for number, s in enumerate(given["statements"]))
    passages = tuple(
        Passage(name, "\n".join(s["quote"] for s in given["statements"] if name in s["sources"]))
        for name in dict.fromkeys(n for s in given["statements"] for n in s["sources"])
    )
    return Answer("answered", "answered", "", _placed(statements, passages), passages=passages)


def _statement(given, number):
    verified = given.get("verified", True)
    label, how = ("supported", "judge") if verified else ("not_judged", "unverified")
    citations = tuple(
        Citation(name, given["quote"], number, 0, "exact", 0, 0) for name in given["sources"]
    )
    return Statement(given["text"], citations, Entailment(label, how))


def _placed(statements, passages):
    texts = {passage.id: passage.text for passage in passages}
    return tuple(
        Statement(s.text, tuple(_at(c, texts[c.passage_id]) for c in s.citations), s.entailment)
        for s in statements
    )


def _at(citation, text):
    start = text.index(citation.quote)
    end = start + len(citation.quote)
    return Citation(citation.passage_id, citation.quote, start, end, "exact", 0, len(text))


def store(given):
    cards = [SourceCard(n, c.get("title"), c.get("url")) for n, c in given["store"].items()]
    return MemoryStore(
        cards, allowed={READER: [n for n, c in given["store"].items() if c["allowed"]]}
    )


def as_html(page, format_):
    """The page as a browser gets it; Markdown as CommonMark with tables and strikethrough."""
    if format_ != "markdown":
        return page if format_ == "html" else ""
    return MarkdownIt("gfm-like", {"linkify": False, "html": True}).render(page)


def as_seen(page, format_):
    if format_ == "text":
        return page
    markup = re.sub(r"<(style|title)>.*?</\1>", "", as_html(page, format_), flags=re.DOTALL)
    return html.unescape(re.sub(r"<[^<>]*>", "", markup)).replace("\u2060", "")


def links(page, format_):
    """Every address the page leads to or would fetch, those within the page left out."""
    found = re.findall(
        r"""<[a-z][^<>]*\s(?:href|src|action|srcset|poster)\s*=\s*["']?([^"'\s>]*)""",
        as_html(page, format_),
        flags=re.IGNORECASE,
    )
    return {html.unescape(url) for url in found if not url.startswith("#")}
