"""Foreign words in a real browser: they are read, and do nothing.

The pages are opened with their content security policy switched off: what keeps scripts out
must be the escaping. The policy is a second wall behind it, and has a test of its own.
"""

from __future__ import annotations

import json

import pytest
from markdown_it import MarkdownIt

from groundedgen.ports import SourceCard
from groundedgen.render import render
from groundedgen.render.display import line
from groundedgen.stores.memory import MemoryStore
from tests.browser.pages import ANSWER as HARMLESS
from tests.browser.pages import ATTACKS, BAD_URLS, LEASE, cited, hostile, said

EVERY_ATTACK = pytest.mark.parametrize("attack", ATTACKS, ids=[a["kind"] for a in ATTACKS])

#: All elements that could load or run something; the page's own style is the only one.
ACTIVE = "script,img,svg,math,iframe,object,embed,video,audio,form,input,button,link,base,details"


def looked_at(opened):
    """Try what a reader would do, and say what came of it."""
    page = opened.page
    if page.locator(".cite a").count():
        page.locator(".cite a").first.hover()
    page.keyboard.press("Tab")
    return {
        "hit": page.evaluate("window.hit"),
        "told": opened.told,
        "elsewhere": opened.elsewhere,
        "active": page.locator(ACTIVE).count(),
        "links": set(page.evaluate("[...document.links].map(a => a.href.split('#')[0])"))
        - {f"{opened.host}/page", "https://docs.example/"},
    }


HARMLESS_PAGE = {"hit": None, "told": [], "elsewhere": [], "active": 0, "links": set()}


def test_this_browser_would_run_and_fetch_what_is_not_escaped(show):
    """The tests below can fail: the same words, put on a page as they are, do what they say."""
    raw = {attack["kind"]: attack["text"] for attack in ATTACKS}
    seen = {}
    for kind in (
        "script",
        "image-with-handler",
        "closing-everything",
        "input-focus",
        "image-slash",
    ):
        with show(f"<!doctype html><body>{raw[kind]}") as opened:
            seen[kind] = looked_at(opened)
    assert [1, 1, 1, 1] == [seen[kind]["hit"] for kind in list(seen)[:4]]
    assert ["1"] == seen["script"]["told"]
    assert ["https://evil.example/p.gif"] == seen["image-slash"]["elsewhere"]


@EVERY_ATTACK
def test_a_page_runs_and_fetches_nothing_that_its_words_ask_for(show, attack):
    html = render(hostile(attack["text"]), format="html", developer=True)
    with show(html, bypass_csp=True) as opened:
        assert HARMLESS_PAGE == looked_at(opened)
        shown = opened.page.locator(".statement").first.text_content()
        assert line(attack["text"]).replace("\u2060", "") in shown.replace("\u2060", "")


@EVERY_ATTACK
def test_markdown_in_a_chat_that_allows_html_runs_and_fetches_nothing(show, attack):
    answer = hostile(attack["text"])
    turns = [render(answer, format=f, developer=True) for f in ("markdown", "footnotes")]
    html = "<hr>".join(map(chat().render, turns))
    with show(f"<!doctype html><meta charset=utf-8>{html}") as opened:
        assert HARMLESS_PAGE == looked_at(opened)


def chat():
    """The most permissive renderer a host may have: HTML, tables, bare addresses, footnotes."""
    markdown = MarkdownIt("commonmark", {"html": True, "linkify": True})
    markdown.enable(["table", "strikethrough"])
    linkify = pytest.importorskip("linkify_it", reason="linkify-it-py is not installed")
    markdown.linkify = linkify.LinkifyIt()
    markdown.enable("linkify")
    footnotes = pytest.importorskip(
        "mdit_py_plugins.footnote", reason="mdit-py-plugins is not installed"
    )
    return markdown.use(footnotes.footnote_plugin)


def test_json_in_a_script_element_of_a_host_s_page_is_data(show):
    told = [render(hostile(a["text"]), format="json", developer=True) for a in ATTACKS]
    scripts = "".join(f'<script type="application/json">{text}</script>' for text in told)
    read = "s => JSON.stringify(JSON.parse(s.textContent).statements[0].text)"
    with show(f"<!doctype html>{scripts}") as opened:
        assert (None, []) == (opened.page.evaluate("window.hit"), opened.told)
        shown = [script.evaluate(read) for script in opened.page.locator("script").all()]
    assert [json.loads(t)["statements"][0]["text"] for t in told] == list(map(json.loads, shown))


@pytest.mark.parametrize("url", BAD_URLS)
def test_an_address_that_is_no_plain_web_address_is_no_link(show, url):
    store = MemoryStore([SourceCard(LEASE.id, "Lease", url)], public=[LEASE.id])
    quote = "The deposit is 2,700 euros."
    html = render(
        HARMLESS.__class__(
            "answered", "answered", "?", (said("Yes.", cited(LEASE, quote)),), passages=(LEASE,)
        ),
        store=store,
        format="html",
    )
    with show(html) as opened:
        assert HARMLESS_PAGE == looked_at(opened)
        assert 0 == opened.page.locator("h3 a").count()


def test_the_policy_of_the_page_stops_what_escaping_would_let_through(show):
    """The second wall stands by itself: a script and an image forced into the page are refused."""
    html = render(HARMLESS, format="html").replace(
        "</main>", "<script>window.hit=1</script><img src='https://evil.example/x'></main>"
    )
    with show(html) as opened:
        assert opened.page.evaluate("window.hit") is None
        assert ([], ["https://evil.example/x"]) == (opened.elsewhere, opened.refused)
