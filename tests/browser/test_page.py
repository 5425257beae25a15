"""The page as a reader has it: by mouse and keyboard, in any light, on any screen, on paper."""

from __future__ import annotations

import struct

import pytest

from groundedgen.render import render
from groundedgen.render.labels import LABELS
from tests.browser.pages import ANNEX, ANSWER, ATTACKS, LEASE, NOT_FOUND, hostile

PAGE = render(ANSWER, format="html")
LONG_WORD = next(attack["text"] for attack in ATTACKS if attack["kind"] == "very-long-word")


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize(
    "answer", [ANSWER, NOT_FOUND, hostile(LONG_WORD)], ids=["answered", "not found", "long word"]
)
def test_nothing_is_wider_than_the_screen_and_all_words_are_seen(show, tmp_path, answer, width):
    with show(render(answer, format="html", developer=True), width=width) as opened:
        page = opened.page
        picture = page.screenshot(full_page=True, path=tmp_path / f"{width}.png")
        assert width == struct.unpack(">I", picture[16:20])[0]
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        for words in page.locator("h1, h2, h3, .statement, .score, .meaning, blockquote").all():
            box = words.bounding_box()
            assert words.is_visible()
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= width
            assert box["height"] > 10


@pytest.mark.parametrize("width", [360, 1280])
def test_the_quoted_words_are_lit_up_where_they_stand(show, width):
    with show(PAGE, width=width) as opened:
        lit = opened.page.locator("mark")
        quotes = {c.quote for statement in ANSWER.statements for c in statement.citations}
        assert quotes == set(lit.all_text_contents())
        style = "e => [getComputedStyle(e).backgroundColor, getComputedStyle(e).textDecorationLine]"
        ground = opened.page.evaluate("getComputedStyle(document.body).backgroundColor")
        for mark in lit.all():
            colour, line = mark.evaluate(style)
            assert colour != ground
            assert "underline" == line  # not by colour alone
            assert mark.is_visible()


def test_a_source_s_card_tells_title_page_and_date(show):
    with show(PAGE) as opened:
        first, second = (card.inner_text() for card in opened.page.locator(".source").all())
        for words in (LEASE.title, "p. 3", LEASE.date, "[1]"):
            assert words in first
        for words in (ANNEX.title, ANNEX.date, "[2]"):
            assert words in second
        assert "https://docs.example/lease" == opened.page.locator("h3 a").get_attribute("href")


def test_a_marker_shows_its_quote_to_the_mouse(show):
    with show(PAGE) as opened:
        quote = opened.page.locator(".cite .quote").first
        assert not quote.is_visible()
        opened.page.locator(".cite a").first.hover()
        assert quote.is_visible()
        quote.hover()  # it stays while the pointer is on it
        assert quote.is_visible()
        opened.page.locator("h1").hover()
        assert not quote.is_visible()


def test_a_marker_shows_its_quote_to_the_keyboard_and_leads_to_its_source(show):
    with show(PAGE) as opened:
        page = opened.page
        page.keyboard.press("Tab")
        assert "Source 1" == page.evaluate("document.activeElement.getAttribute('aria-label')")
        assert page.locator(".cite .quote").first.is_visible()
        assert "none" != page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        page.keyboard.press("Enter")
        assert "#source-1" == page.evaluate("location.hash")
        assert "source-1" == page.locator(":target").get_attribute("id")


def test_every_marker_is_reached_by_the_keyboard_in_order(show):
    with show(PAGE) as opened:
        page, reached = opened.page, []
        for _ in range(page.locator("a").count()):
            page.keyboard.press("Tab")
            reached.append(page.evaluate("document.activeElement.textContent"))
        assert ["[1]", "[1]", "[2]", "[1]", "[2]", LEASE.title] == reached


def test_a_screen_reader_is_told_source_and_quote(show):
    with show(PAGE) as opened:
        described = opened.page.evaluate(
            "[...document.querySelectorAll('.cite a')].map(a => [a.getAttribute('aria-label'),"
            " document.getElementById(a.getAttribute('aria-describedby')).textContent])"
        )
    quotes = ["Source 1", ANSWER.statements[0].citations[0].quote]
    assert quotes == described[0]
    assert 5 == len(described)


def test_without_a_developer_nothing_dropped_is_there(show):
    with show(PAGE) as opened:
        assert "sublet" not in opened.page.content()
    with show(render(ANSWER, format="html", developer=True)) as opened:
        assert "The tenant may sublet." in opened.page.locator("main").inner_text()


@pytest.mark.parametrize("lang", LABELS)
def test_the_page_speaks_one_language_and_says_how_much_was_verified(show, lang):
    labels = LABELS[lang]
    with show(render(ANSWER, format="html", lang=lang)) as opened:
        assert lang == opened.page.evaluate("document.documentElement.lang")
        words = opened.page.locator("main").inner_text()
        for told in (
            labels.scored(3, 4), labels.means, labels.means_not,
            labels.unchecked_means, labels.sources,
        ):  # fmt: skip
            assert told in words


def test_it_is_dark_where_the_reader_s_screen_is(show):
    ground = "getComputedStyle(document.body).backgroundColor"
    with show(PAGE, color_scheme="light") as light, show(PAGE, color_scheme="dark") as dark:
        assert "rgb(255, 255, 255)" == light.page.evaluate(ground)
        assert max(int(n) for n in dark.page.evaluate(ground)[4:-1].split(",")) < 60


def test_on_paper_the_address_is_written_out_and_nothing_covers_the_words(show):
    with show(PAGE, color_scheme="dark") as opened:
        page = opened.page
        page.emulate_media(media="print")
        page.keyboard.press("Tab")
        assert not page.locator(".cite .quote").first.is_visible()
        after = "getComputedStyle(document.querySelector('h3 a'), '::after').content"
        assert "https://docs.example/lease" in page.evaluate(after).replace("attr(href)", LEASE.url)
        assert "rgb(255, 255, 255)" == page.evaluate(
            "getComputedStyle(document.body).backgroundColor"
        )
        assert page.pdf().startswith(b"%PDF")


def test_it_works_without_any_script(show):
    with show(PAGE, java_script_enabled=False) as opened:
        opened.page.locator(".cite a").first.hover()
        assert opened.page.locator(".cite .quote").first.is_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("answer", [ANSWER, NOT_FOUND], ids=["answered", "not found"])
def test_axe_finds_no_fault(show, axe, answer, width, scheme):
    html = render(answer, format="html", developer=True)
    with show(html, width=width, color_scheme=scheme) as opened:
        page = opened.page
        page.evaluate(axe)
        page.keyboard.press("Tab")  # with a quote open, which is then looked at too
        found = page.evaluate("axe.run()")
    faults = {f["id"]: (f["impact"], [n["html"] for n in f["nodes"]]) for f in found["violations"]}
    assert {} == faults
    assert found["passes"]
