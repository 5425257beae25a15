from __future__ import annotations

import asyncio
import json
import logging
import re
import sys
import threading
import time
from dataclasses import asdict, replace
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundedgen import ask
from groundedgen.errors import InputError, MissingExtraError
from groundedgen.ports import SourceCard
from groundedgen.render import arender, render, view
from groundedgen.render.labels import LABELS
from groundedgen.stores.memory import MemoryStore
from groundedgen.values import (
    Answer,
    Citation,
    Closest,
    Entailment,
    Finding,
    Passage,
    Reason,
    Statement,
)
from tests.growth import LINEAR, factor
from tests.test_values import answers

FORMATS = ["markdown", "footnotes", "html", "text", "json"]
READER = "ann"
NOTHING = "There is nothing here that can be shown to you."

LEASE = Passage("lease", "Rent is 900 euros. It is due monthly.", "Lease", "https://docs.example/l")
MEMO = Passage("memo", "Rent is 900 euros. It will rise in May.", "Memo", "https://docs.example/m")


def cited(passage, quote="Rent is 900 euros."):
    start = passage.text.index(quote)
    end = start + len(quote)
    return Citation(passage.id, quote, start, end, "exact", start, end)


def said(text, *citations, verified=True):
    label, how = ("supported", "judge") if verified else ("not_judged", "unverified")
    return Statement(text, citations, Entailment(label, how))


def answered(*statements, passages=(LEASE, MEMO), **more):
    return Answer(
        "answered", "answered", "What is the rent?", statements, passages=passages, **more
    )


def store_of(*ids, passages=(LEASE, MEMO), title="{}"):
    cards = [SourceCard(p.id, title.format(p.title), p.url, p.date) for p in passages]
    return MemoryStore(cards, allowed={READER: ids})


def shown(answer, store, format="text", **more):  # noqa: A002
    return render(answer, store=store, reader=READER, format=format, **more)


ANSWER = answered(
    said("The memo says 900.", cited(MEMO)),
    said("Rent is 900 euros.", cited(MEMO), cited(LEASE)),
    said("It is due monthly.", cited(LEASE, "It is due monthly.")),
)


# Who may see what


def test_without_a_store_the_passages_speak_for_themselves():
    page = render(ANSWER, format="text")
    assert page.startswith("The memo says 900. [1]\nRent is 900 euros. [1][2]\n")
    assert "[1] Memo\n    https://docs.example/m\n" in page


def test_title_and_link_come_from_the_store_alone():
    store = MemoryStore(
        [SourceCard("lease", "Contract"), SourceCard("memo")], public=["lease", "memo"]
    )
    for format_ in FORMATS:
        page = shown(ANSWER, store, format_)
        assert "Contract" in page
        assert "Lease" not in page
        assert "docs.example" not in page


@pytest.mark.parametrize("format_", FORMATS)
def test_a_denied_source_takes_what_rests_on_it_alone(format_):
    page = shown(ANSWER, store_of("lease"), format_)
    for gone in ["memo", "Memo", "docs.example/m", "[2]", "3 of 3"]:
        assert gone not in page
    assert "It is due monthly." in page


def test_the_numbers_close_up():
    assert (
        "Rent is 900 euros. [1]\nIt is due monthly. [1]\n\n2 of 2 statements verified.\n\n"
        'Sources:\n[1] Lease\n    https://docs.example/l\n    "Rent is 900 euros."\n'
        '    "It is due monthly."'
    ) == shown(ANSWER, store_of("lease"))


@pytest.mark.parametrize("format_", FORMATS)
def test_where_nothing_is_left_one_plain_sentence_says_so(format_):
    page = shown(ANSWER, store_of(), format_)
    assert NOTHING in page
    for gone in ["lease", "memo", "Lease", "Memo", "900", "docs.example", "rent", "verified\n"]:
        assert gone not in page


def test_that_sentence_is_the_same_whatever_there_was():
    not_found = Answer("not_found", "core_lost", "Other?", closest=(near(MEMO),), passages=(MEMO,))
    pages = {shown(answer, store_of(), "html") for answer in (ANSWER, not_found)}
    assert 1 == len(pages)


def test_a_grant_brings_the_answer_back_without_a_new_call():
    store = store_of("lease", "memo")
    before = shown(ANSWER, store)
    store.revoke(READER, "lease", "memo")
    assert NOTHING == shown(ANSWER, store)
    store.grant(READER, "lease", "memo")
    assert before == shown(ANSWER, store)


def test_a_stored_answer_is_asked_for_again_for_every_reader():
    stored = Answer.model_validate_json(ANSWER.model_dump_json())
    assert "Memo" in shown(stored, store_of("lease", "memo"))
    assert NOTHING == render(stored, store=store_of("lease", "memo"), reader="bob", format="text")


def near(passage, quote="Rent is 900 euros.", score=1.0):
    start = passage.text.index(quote)
    return Closest(passage.id, quote, start, start + len(quote), score)


def test_closest_passages_are_passages_too():
    answer = Answer(
        "not_found", "nothing_survived", "?", closest=(near(MEMO), near(LEASE)),
        passages=(LEASE, MEMO),
    )  # fmt: skip
    page = shown(answer, store_of("lease"))
    assert "Nothing that could be verified" in page
    assert 'Closest passages:\n[1] Lease\n    https://docs.example/l\n    "Rent' in page
    assert "Memo" not in page


class Asked:
    """A store that does as it is told and remembers what it was asked."""

    def __init__(self, do):
        self.do, self.asked = do, []

    def get(self, ids, reader):
        self.asked.append((tuple(ids), reader))
        return self.do(ids)


def fail(error):
    raise error


def test_the_store_is_asked_once_a_render_for_each_id_once():
    store = Asked(lambda _: {})
    for _ in range(2):
        shown(ANSWER, store)
    assert [(("memo", "lease"), READER)] * 2 == store.asked


CARD = SourceCard("lease", "Lease")
SAID = answered(said("It is due monthly.", cited(LEASE, "It is due monthly.")))


@pytest.mark.parametrize(
    "reply",
    [
        lambda _: fail(TimeoutError("lease timed out")),
        lambda _: fail(PermissionError("memo")),
        lambda _: fail(KeyError("lease")),
        lambda _: None,
        lambda _: ["lease"],
        lambda _: [CARD],
        lambda _: "lease",
        lambda _: True,
        lambda _: {"lease": "Lease"},
        lambda _: {"lease": None},
        lambda _: {"lease": {"id": "lease", "title": "Lease"}},
        lambda _: {"lease": SourceCard("memo", "Lease")},
        lambda _: {"lease": SourceCard("lease", 7)},
        lambda _: {"lease": SourceCard("lease", "Lease", url=b"x")},
        lambda _: {"lease": SourceCard("lease", "Lease", page="4")},
        lambda _: {"Lease": CARD},
    ],
)
def test_whatever_goes_wrong_in_a_store_denies_and_is_not_told(reply, caplog):
    with caplog.at_level(logging.DEBUG):
        for format_ in FORMATS:
            page = shown(SAID, Asked(reply), format_)
            assert NOTHING in page
            assert "ease" not in page.replace("please", "")
    assert "lease" not in caplog.text
    assert "memo" not in caplog.text


def test_a_coroutine_of_a_store_denies_without_a_warning():
    async def get():
        return {}

    assert NOTHING == shown(ANSWER, Asked(lambda _: get()))


@pytest.mark.parametrize("store", [{"lease": CARD}, 7, object(), "store"])
def test_what_is_no_store_is_a_mistake_of_the_program(store):
    with pytest.raises(InputError, match="store="):
        shown(ANSWER, store)


class OnlyAwaited:
    async def aget(self, ids, reader):
        await asyncio.sleep(0)
        return store_of("lease").get(ids, reader)


def test_a_store_that_must_be_awaited_is_for_arender():
    with pytest.raises(InputError, match="arender"):
        shown(ANSWER, OnlyAwaited())


@pytest.mark.parametrize("store", [OnlyAwaited(), store_of("lease"), Asked(store_of("lease").get)])
def test_awaited_it_shows_the_same(store):
    if isinstance(store, Asked):
        store = Asked(lambda ids: store_of("lease").get(ids, READER))
    page = asyncio.run(arender(ANSWER, store=store, reader=READER, format="text"))
    assert shown(ANSWER, store_of("lease")) == page
    assert render(ANSWER) == asyncio.run(arender(ANSWER))


class Slow:
    def get(self, ids, reader):
        time.sleep(0.4)
        return store_of("lease", "memo").get(ids, reader)


class SlowAwaited:
    async def aget(self, ids, reader):
        await asyncio.sleep(5)
        return store_of("lease", "memo").get(ids, reader)


def test_a_store_that_takes_too_long_denies():
    start = time.monotonic()
    assert NOTHING == shown(ANSWER, Slow(), timeout=0.05)
    for store in (Slow(), SlowAwaited()):
        arendered = arender(ANSWER, store=store, reader=READER, format="text", timeout=0.05)
        assert NOTHING == asyncio.run(arendered)
    assert time.monotonic() - start < 2
    assert "Memo" in shown(ANSWER, Slow(), timeout=5)


def test_a_store_error_in_time_denies_too():
    assert NOTHING == shown(ANSWER, Asked(lambda _: fail(OSError())), timeout=5)
    with pytest.raises(InputError):
        asyncio.run(arender(ANSWER, store=object()))


def test_a_reader_whom_nobody_would_be_asked_about_is_refused():
    for show in (render, lambda *a, **k: asyncio.run(arender(*a, **k))):
        with pytest.raises(InputError, match="store=") as raised:
            show(ANSWER, reader=READER)
        assert "no_store" == raised.value.code


@pytest.mark.parametrize("showing", ["render", "arender"])
@pytest.mark.parametrize(
    ("reader", "ids", "told"), [(None, (), True), (None, ("lease",), False), (READER, (), False)]
)
def test_a_reader_that_was_forgotten_is_told_in_the_log_and_not_on_the_page(
    showing, reader, ids, told, caplog
):
    store = MemoryStore([SourceCard("lease", "Lease")], public=ids)
    page = render(ANSWER, store=store, reader=reader) if showing == "render" else (
        asyncio.run(arender(ANSWER, store=store, reader=reader))
    )  # fmt: skip
    assert (NOTHING == page) == (not ids)
    assert told == ("store= was given without reader=" in caplog.text)
    assert "lease" not in caplog.text


def test_an_answer_that_a_forgotten_reader_made_empty_is_told_as_well(caplog):
    store = MemoryStore([SourceCard("lease", "Lease")])
    withheld = ask("What is the rent?", [LEASE], store=store)
    assert "pass reader= to ask() and to render()" in caplog.text
    assert NOTHING == render(withheld, store=store)
    assert NOTHING == render(withheld)


def test_an_answer_that_was_altered_is_not_shown():
    forged = replace(cited(LEASE), quote="Rent is 100 euros.")
    answer = answered(said("Rent is 100 euros.", forged), said("Rent is 900 euros.", cited(LEASE)))
    page = render(answer, format="text")
    assert "100" not in page
    assert "1 of 1 statement verified." in page


def test_a_citation_that_quotes_nothing_proves_nothing():
    empty = replace(cited(LEASE), quote="", start=4, end=4)
    for passages in [(LEASE,), ()]:
        answer = answered(said("Rent is 100 euros.", empty), passages=passages)
        assert NOTHING == render(answer, format="text")


@pytest.mark.parametrize("astral", [0, 7])
def test_utf16_offsets_are_counted_anew_whatever_was_stored(astral):
    passage = Passage("p", "😀 Rent is 900 euros.")
    stored = replace(cited(passage), astral_before=astral)
    answer = answered(said("Rent is 900 euros.", stored), passages=(passage,))
    [told] = json.loads(render(answer, format="json"))["statements"][0]["citations"]
    assert ([2, 20], [3, 21]) == ([told["start"], told["end"]], told["utf16"])


# What a tick may stand beside


@pytest.mark.parametrize("format_", FORMATS)
def test_an_unchecked_statement_says_so_in_words_and_is_not_counted(format_):
    answer = answered(
        said("Rent is 900 euros.", cited(LEASE)),
        said("It is due monthly.", cited(LEASE, "It is due monthly."), verified=False),
    )
    page = shown(answer, store_of("lease"), format_)
    if format_ == "json":
        told = json.loads(page)
        assert [True, False] == [s["verified"] for s in told["statements"]]
        assert (1, 2) == (told["verified"], told["shown"])
    else:
        assert "not checked" in page
        assert "1 of 2 statements verified" in page


def test_no_tick_on_a_page_without_a_verified_statement():
    page = render(answered(said("Rent is 900 euros.", cited(LEASE), verified=False)), format="html")
    assert "✓" not in page
    assert "not checked" in page
    assert "0 of 1 statement verified" in page


@pytest.mark.parametrize("status", ["not_found", "withheld"])
@pytest.mark.parametrize("format_", FORMATS)
def test_an_answer_that_is_none_shows_no_statement(status, format_):
    answer = replace(ANSWER, status=status, reason="strict_policy", closest=(near(LEASE),))
    page = render(answer, format=format_)
    assert "withheld" in page
    assert "Rent is 900 euros." in page
    for gone in ["The memo says", "Memo", "statements verified", "✓"]:
        assert gone not in page


@pytest.mark.parametrize("lang", LABELS)
def test_every_outcome_has_a_sentence(lang):
    assert set(get_args(Reason)) == set(LABELS[lang].outcomes)
    assert ["answered"] == [reason for reason, told in LABELS[lang].outcomes.items() if not told]


@pytest.mark.parametrize("lang", ["en", "de", "fr", "es"])
def test_every_language_has_every_word_with_the_same_blanks_to_fill(lang):
    english, labels = asdict(LABELS["en"]), asdict(LABELS[lang])
    for name, words in labels.items():
        if isinstance(words, str):
            assert words.strip() == words != ""
            blanks = [set(re.findall(r"\{\w+\}", text)) for text in (english[name], words)]
            assert blanks[0] == blanks[1]


@pytest.mark.parametrize("lang", ["de", "de-CH", "DE_at", "fr-CA", "es", "en"])
@pytest.mark.parametrize("format_", FORMATS)
def test_a_page_is_in_the_language_asked_for(lang, format_):
    labels = LABELS[lang[:2].lower()]
    page = render(ANSWER, format=format_, lang=lang)
    core_lost = replace(ANSWER, status="withheld", reason="core_lost")
    withheld = render(core_lost, format=format_, lang=lang)
    if format_ == "json":
        assert labels.outcomes["core_lost"] == json.loads(withheld)["message"]
    else:
        assert labels.scored(3, 3) in page
        assert labels.outcomes["core_lost"] in withheld.replace("&#39;", "'")


def test_markdown_with_footnotes():
    page = shown(ANSWER, store_of("lease", "memo"), "footnotes")
    assert page.startswith("The memo says 900. [^1]\n\nRent is 900 euros. [^1][^2]\n\n")
    assert (
        "[^1]: Source 1: [Memo](https://docs.example/m)\n\n    > Rent is 900 euros.\n\n"
        "[^2]: Source 2: [Lease](https://docs.example/l)"
    ) in page


def test_the_closest_passages_are_a_list_where_footnotes_would_not_be_shown():
    answer = Answer("not_found", "nothing_survived", "?", closest=(near(MEMO),), passages=(MEMO,))
    page = render(answer, format="footnotes")
    assert "**Closest passages**\n\n[1] [Memo]" in page
    assert "[^" not in page


def test_what_was_dropped_is_for_developers():
    finding = Finding(
        "quotes", "quote_not_found", 2, "The quote is not there.",
        statement="Rent is 800 euros.", details=("S9",), passage_id="lease", nearest="Rent is 900",
    )  # fmt: skip
    kept = replace(finding, kept=True, statement="Kept.")
    answer = replace(ANSWER, findings=(finding, kept))
    for format_ in FORMATS:
        assert "800" not in render(answer, format=format_)
        page = render(answer, format=format_, developer=True)
        assert "Rent is 800 euros." in page
        assert "Rent is 900" in page
        assert "Kept." not in page


@pytest.mark.parametrize("format_", FORMATS)
def test_what_both_drafts_dropped_alike_is_told_once(format_):
    first = Finding("quotes", "quote_not_found", 0, "It is not there.", 1, "Rent is 800 euros.")
    again = replace(first, index=3, attempt=2, statement="Rent is\n800 euros.")
    for guarded in (None, store_of("lease", "memo")):

        def page(*findings, store=guarded):
            answer = replace(ANSWER, findings=findings)
            given = {} if store is None else {"store": store, "reader": READER}
            return render(answer, format=format_, developer=True, **given)

        assert page(first) == page(first, again)
        assert page(first) != page(first, replace(again, reason="quote_too_short"))
        assert page(first) != page(first, replace(again, passage_id="lease"))


def test_a_finding_on_no_words_goes_by_its_place_in_the_draft():
    one = Finding("sources", "bad_type", 1, "It is no object.")
    found = [one, replace(one, attempt=2), replace(one, index=2, attempt=2)]
    assert [found[0], found[2]] == view.distinct(found)


@given(answers, st.integers(0, 3))
def test_nothing_dropped_is_lost_and_nothing_told_twice(answer, times):
    once = view.distinct(answer.findings)
    assert once == view.distinct([*answer.findings, *once * times])
    told = {(f.check, f.reason, " ".join(f.statement.split())) for f in answer.findings}
    assert told == {(f.check, f.reason, " ".join(f.statement.split())) for f in once}


def test_with_a_store_developers_see_only_what_rests_on_what_they_may_open():
    open_, elsewhere = (
        Finding("quotes", "quote_not_found", n, f"In {p}.", statement=f"Said {p}", details=(p,),
                passage_id=p if n == 0 else None, nearest=f"near {p}")
        for n, p in enumerate(["lease", "secret"])
    )  # fmt: skip
    answer = replace(ANSWER, findings=(open_, elsewhere))
    page = shown(answer, store_of("lease", "memo"), developer=True)
    assert "near lease" in page
    for gone in ["Said", "secret", "In lease"]:
        assert gone not in page
    assert "quote_not_found" in page
    assert "quote_not_found" not in shown(answer, store_of("lease"), developer=True)


# Formats


def test_json_for_programs():
    told = json.loads(shown(ANSWER, store_of("lease"), "json"))
    assert ("answered", "answered", "", 2, 2) == (
        told["status"], told["reason"], told["message"], told["verified"], told["shown"],
    )  # fmt: skip
    [citation] = told["statements"][1]["citations"]
    assert LEASE.text[citation["start"] : citation["end"]] == citation["quote"]
    assert {
        "number": 1, "id": "lease", "title": "Lease", "url": "https://docs.example/l",
        "date": None, "page": None, "bboxes": [], "cited": True,
    }.items() <= told["sources"][0].items()  # fmt: skip
    assert 1 == len(told["sources"])


def test_json_may_stand_in_a_script_element():
    odd = Passage("a", "</script><!-- & -->", "</script>")
    answer = answered(said("</script>", cited(odd, odd.text)), passages=(odd,))
    page = render(answer, format="json")
    assert not {"<", ">", "&"} & set(page)
    assert "</script>" == json.loads(page)["statements"][0]["text"]


def test_boxes_and_pages_come_back_unchanged():
    boxed = replace(LEASE, page=0, bboxes=((1, 2.5, 3, 4),), date="2024-05-01")
    answer = answered(said("Rent is 900 euros.", cited(boxed)), passages=(boxed,))
    [source] = json.loads(render(answer, format="json"))["sources"]
    assert (0, [[1, 2.5, 3, 4]], "2024-05-01") == (source["page"], source["bboxes"], source["date"])
    for format_ in ("markdown", "html", "text"):
        assert "p. 0, 2024-05-01" in render(answer, format=format_)


def test_the_page_of_the_card_before_that_of_the_passage():
    card = SourceCard("lease", "Lease", page=7)
    store = MemoryStore([card], public=["lease"])
    assert "p. 7" in shown(SAID, store)
    paged = replace(SAID, passages=(replace(LEASE, page=3),))
    assert "p. 7" in shown(paged, store)
    assert "p. 3" in shown(paged, store_of("lease"))


def test_a_source_without_a_title_has_one_all_the_same():
    store = MemoryStore([SourceCard("lease", "\u200b \u202e")], public=["lease"])
    for format_ in ("markdown", "html", "text"):
        assert "Untitled source" in shown(SAID, store, format_)


@pytest.mark.parametrize("format_", FORMATS)
def test_a_quote_whose_passage_is_not_in_the_answer_is_not_shown(format_):
    forged = said(
        "Floods are covered.", Citation("lease", "Invented words.", 0, 15, "exact", 0, 15)
    )
    page = render(answered(forged, passages=()), format=format_)
    assert NOTHING in page
    assert "Invented" not in page
    assert "Floods" not in page
    closest = Answer("not_found", "core_lost", "?", closest=(near(LEASE),))
    assert LEASE.text[:10] not in render(closest, format=format_)


# A stored answer that was altered


def test_a_label_without_a_verdict_is_no_tick():
    forged = Statement("Rent is 900 euros.", (cited(LEASE),), Entailment("supported", "unverified"))
    assert "0 of 1 statement verified" in render(answered(forged), format="text")


@pytest.mark.parametrize(
    ("text", "verified"),
    [
        ("Rent is 900 euros.", True),
        ("Rent is 900 euros. It is due monthly.", True),
        ("Rent is 900 euros in all.", False),
        ("Floods are covered.", False),
    ],
)
def test_a_sentence_of_its_passage_must_still_be_one(text, verified):
    said_so = Statement(text, (cited(LEASE),), Entailment("supported", "whole_sentence"))
    page = render(answered(said_so), format="text")
    assert f"{int(verified)} of 1 statement verified" in page
    assert ("(not checked)" in page) is not verified


@pytest.mark.parametrize(("text", "verified"), [("It costs 900.", 1), ("It costs 90.", 0)])
def test_a_number_that_no_passage_holds_takes_the_tick_of_a_judge(text, verified):
    page = render(answered(said(text, cited(LEASE))), format="text")
    assert f"{verified} of 1 statement verified" in page


def test_offsets_that_were_altered_are_counted_anew():
    passage = Passage("lease", "\U0001f415 " + LEASE.text)
    altered = replace(cited(passage), astral_before=7, context_start=-5, context_end=10**9)
    answer = answered(said("Rent.", altered), passages=(passage,))
    [found] = json.loads(render(answer, format="json"))["statements"][0]["citations"]
    assert [3, 21] == found["utf16"]
    assert passage.text[found["start"] : found["end"]] == found["quote"]


def test_time_does_not_grow_with_citations_times_passage():
    unit = "\U0001f415 Rent is 900 euros. " + "It is due monthly. " * 30

    def rendered(text):
        passage = Passage("lease", text)
        quotes = [
            Citation("lease", "Rent is 900 euros.", at, at + 18, "exact", at, at + 18)
            for at in range(2, len(text), len(unit))
        ]
        said_so = [said("Rent is 900 euros.", quote) for quote in quotes]
        assert render(answered(*said_so, passages=(passage,)), format="json")

    assert factor(rendered, unit, size=60_000) < LINEAR


@pytest.mark.parametrize("format_", FORMATS)
def test_an_empty_answer_is_told(format_):
    page = render(Answer("not_found", "no_passages", "?"), format=format_)
    assert "There are no sources to answer this question from." in page


def test_an_unknown_format_and_language_are_errors():
    with pytest.raises(InputError, match="markdown, footnotes, html, text, json"):
        render(ANSWER, format="pdf")
    with pytest.raises(InputError, match="'pt'; there are de, en, es, fr"):
        render(ANSWER, lang="pt")
    with pytest.raises(InputError, match=r"lang must name the language .* no labels in ''"):
        render(ANSWER, lang="")
    with pytest.raises(InputError):
        render(ANSWER, lang=None)


def test_what_is_no_answer_is_told_how_to_become_one():
    with pytest.raises(InputError, match="model_validate_json"):
        render(ANSWER.model_dump())


@given(answers, st.sampled_from(FORMATS), st.booleans())
def test_no_answer_whatsoever_breaks_a_page(answer, format_, developer):
    """Stored answers come from anywhere: offsets may be off, and text may be no text."""
    cards = [SourceCard(p.id, p.title, p.url, p.date, p.page) for p in answer.passages]
    for store in (None, MemoryStore(cards, public=[card.id for card in cards])):
        render(answer, store=store, format=format_, developer=developer).encode()


def test_html_without_the_extra_names_it(monkeypatch):
    package = sys.modules["groundedgen.render"]
    monkeypatch.setitem(sys.modules, "jinja2", None)
    monkeypatch.delitem(sys.modules, "groundedgen.render.page", raising=False)
    monkeypatch.delattr(package, "page", raising=False)
    with pytest.raises(MissingExtraError, match=r"groundedgen\[web\]"):
        render(ANSWER, format="html")
    assert "900" in render(ANSWER)


def test_rendering_from_many_threads():
    store = store_of("lease")
    expected = shown(ANSWER, store, "html")
    pages = []
    threads = [
        threading.Thread(target=lambda: pages.append(shown(ANSWER, store, "html")))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [expected] * 8 == pages


# What is denied leaves no trace, in any format, for any answer

IDS = ["qid0x", "qid1x", "qid2x", "qid3x"]
PASSAGES = tuple(
    Passage(
        f"qid{n}x", f"Start qquote{n}x and qother{n}x, then qend{n}x follows.", f"Qtitle{n}x",
        f"https://qhost{n}x.example/", page=9000 + n, bboxes=((7000 + n, 1),), date=f"qdate{n}x",
        metadata={"k": f"qmeta{n}x"},
    )
    for n in range(4)
)  # fmt: skip


def of(n):
    """Every word that only passage n can have brought."""
    own = ("qid", "qquote", "qother", "qend", "Qtitle", "qhost", "qdate", "qmeta")
    return {f"{word}{n}x" for word in own} | {str(9000 + n), str(7000 + n)}


def citation(n, word):
    return cited(PASSAGES[n], f"{word}{n}x")


citations = st.builds(citation, st.integers(0, 3), st.sampled_from(["qquote", "qother", "qend"]))
entailments = st.sampled_from(
    [
        Entailment("supported", "judge", 0.5, "qquote0x qquote1x qquote2x qquote3x"),
        Entailment("not_judged", "unverified"),
    ]
)
statements = st.lists(
    st.tuples(st.lists(citations, min_size=1, max_size=3), entailments), min_size=1, max_size=4
).map(
    lambda drawn: tuple(
        Statement(f"qsaid{n}x.", tuple(held), entailment)
        for n, (held, entailment) in enumerate(drawn)
    )
)
closests = st.lists(st.integers(0, 3).map(lambda n: near(PASSAGES[n], f"qend{n}x", n)), max_size=3)
finding = st.builds(
    lambda n, about, other: Finding(
        "quotes", "quote_not_found", n, f"It stands in qid{other}x.", 1,
        f"qfound{n}x qquote{other}x", (f"qid{other}x",), f"qid{about}x", f"Start qquote{about}x",
    ),
    st.integers(0, 3), st.integers(0, 3), st.integers(0, 3),
)  # fmt: skip
some_answers = st.builds(
    lambda outcome, statements, closest, findings: Answer(
        *outcome, "Why?", statements, tuple(findings), tuple(closest), PASSAGES,
        trace=(), versions={"policy": "balanced"},
    ),
    st.sampled_from(
        [("answered", "answered"), ("not_found", "core_lost"), ("withheld", "judge_unavailable")]
    ),
    statements, closests, st.lists(finding, max_size=2),
)  # fmt: skip
grants = st.sets(st.integers(0, 3))


def store_for(granted):
    return store_of(*(f"qid{n}x" for n in granted), passages=PASSAGES)


@given(some_answers, grants, st.sampled_from(FORMATS), st.booleans())
def test_no_word_of_a_denied_source_is_shown(answer, granted, format_, developer):
    page = shown(answer, store_for(granted), format_, developer=developer)
    for n in {0, 1, 2, 3} - granted:
        assert not {word for word in of(n) if word in page}
    for n, statement in enumerate(answer.statements):
        rests_on = {int(c.passage_id[3]) for c in statement.citations}
        if answer.status != "answered" or not rests_on & granted:
            assert f"qsaid{n}x" not in page
        else:
            assert f"qsaid{n}x" in page


def without(answer, granted):
    """The answer as it would be had the denied sources never existed."""
    ids = {f"qid{n}x" for n in granted}
    held = [
        replace(s, citations=tuple(c for c in s.citations if c.passage_id in ids))
        for s in answer.statements
    ]
    return replace(
        answer,
        statements=tuple(s for s in held if s.citations),
        closest=tuple(c for c in answer.closest if c.passage_id in ids),
        passages=tuple(p for p in answer.passages if p.id in ids),
        findings=(),
    )


@given(some_answers, grants, st.sampled_from(FORMATS))
def test_a_page_is_the_same_as_if_the_denied_had_never_been(answer, granted, format_):
    """Not even a count, a number or a gap tells that something is hidden."""
    clean = without(answer, granted)
    page = shown(answer, store_for(granted), format_)
    if NOTHING in page:
        assert not (clean.statements if answer.status == "answered" else clean.closest)
    else:
        assert shown(clean, store_for(granted), format_) == page


@given(some_answers, st.sampled_from(FORMATS))
def test_with_everything_granted_everything_is_shown(answer, format_):
    page = shown(answer, store_for({0, 1, 2, 3}), format_)
    if answer.status == "answered":
        assert all(f"qsaid{n}x" in page for n in range(len(answer.statements)))
    assert all(f"qend{c.passage_id[3]}x" in page for c in answer.closest)


@given(some_answers, grants)
def test_numbers_run_from_one_in_order_of_appearance(answer, granted):
    cards = store_for(granted).get([p.id for p in PASSAGES], READER)
    seen = view.build(answer, cards)
    assert list(range(1, len(seen.sources) + 1)) == [source.number for source in seen.sources]
    marks = [mark.number for statement in seen.statements for mark in statement.marks]
    cited_ = [source.number for source in seen.sources if source.cited]
    assert cited_ == list(dict.fromkeys(marks))
    assert all(number <= max([*marks[:n], 0]) + 1 for n, number in enumerate(marks))


@pytest.mark.parametrize(
    ("lang", "counts", "told"),
    [
        ("en", (0, 1), "0 of 1 statement verified"),
        ("en", (1, 2), "1 of 2 statements verified"),
        ("de", (1, 1), "1 von 1 Aussage geprüft"),
        ("de", (0, 2), "0 von 2 Aussagen geprüft"),
        ("fr", (1, 1), "1 affirmation vérifiée sur 1"),
        ("fr", (1, 3), "1 affirmation vérifiée sur 3"),
        ("fr", (2, 3), "2 affirmations vérifiées sur 3"),
        ("es", (1, 1), "1 de 1 afirmación verificada"),
        ("es", (1, 2), "1 de 2 afirmaciones verificadas"),
    ],
)
def test_the_score_is_told_in_the_number_of_its_noun(lang, counts, told):
    assert told == LABELS[lang].scored(*counts)
