"""`AnthropicCitations` against a loopback server that speaks the real wire format."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from types import SimpleNamespace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from groundedgen import Passage, aask, ask
from groundedgen.aliases import assign
from groundedgen.cited import parse
from groundedgen.conformance import GENERATOR_CHECKS
from groundedgen.draft import schema
from groundedgen.errors import (
    DraftFormatError,
    InputError,
    ProviderError,
    RefusedError,
    TruncatedError,
)
from groundedgen.gates.placed import locate_placed
from groundedgen.prompt import build
from groundedgen.testing import ScriptedJudge
from groundedgen.text.amounts import word_count
from groundedgen.text.search import folded
from groundedgen.values import CitedSpan, Located, Request, Sourced, Usage
from tests.servers.anthropic_wire import (
    breaks,
    citation,
    cites,
    cut_off,
    fails,
    says,
    text,
)
from tests.servers.loopback import in_turn, serving

anthropic = pytest.importorskip("anthropic")
from groundedgen.generators.anthropic import AnthropicCitations, AnthropicGenerator
from groundedgen.generators.citations import cited_text, documents, units

PIPE = "Water damage from a burst pipe is covered up to 12,000 euros per claim."
REPORT = "Damage must be reported within 14 days after it was noticed."
PASSAGES = [
    Passage("p#1", f"{PIPE} {REPORT} Call us.", title="Home policy"),
    Passage("p#2", "Floods are not covered by this policy."),
]
QUESTION = "Is a burst pipe covered?"


def request(passages=PASSAGES, **fields):
    aliases = assign(passages)
    words = build(QUESTION, aliases)
    return Request(QUESTION, words, schema(aliases.names), dict(aliases.docs), **fields)


@pytest.fixture
def serve():
    """`serve(answer)` -> a running server and a synchronous client of it."""
    opened = []

    def start(*said):
        context = serving(said[0] if callable(said[0]) else in_turn(*said))
        server = context.__enter__()
        client = anthropic.Anthropic(api_key="secret", base_url=server.url)
        opened.append((context, client))
        return server, client

    yield start
    for context, client in opened:
        client.close()
        context.__exit__(None, None, None)


def generator(client, **options):
    return AnthropicCitations(client, "claude-test", **{"attempts": 1, **options})


def answering(*pieces):
    """A server whose reply is made of texts and of (text, alias, words it cites)."""

    def answer(asked):
        blocks = [
            text(piece) if isinstance(piece, str) else text(piece[0], cites(asked.body, *piece[1:]))
            for piece in pieces
        ]
        return says(*blocks)

    return answer


def asked_of(client, **options):
    return ask(
        QUESTION, PASSAGES, model=generator(client), judge=ScriptedJudge("supported"), **options
    )


# --- what is sent ---------------------------------------------------------------------------


def test_passages_go_out_as_documents_named_by_alias_with_citations_on_all(serve):
    server, client = serve(says("NOT_FOUND"))
    generator(client).generate(request())
    body = server.asked[0].body
    *docs, question = body["messages"][0]["content"]
    assert ["S1", "S2"] == [d["title"] for d in docs]
    assert all(d["citations"] == {"enabled": True} for d in docs)
    assert [p.text for p in PASSAGES] == [
        "".join(block["text"] for block in d["source"]["content"]) for d in docs
    ]
    assert ["Title: Home policy", None] == [d.get("context") for d in docs]
    assert QUESTION in question["text"]
    assert PIPE not in question["text"] + body["system"][0]["text"]
    assert {"output_config", "tools", "temperature"}.isdisjoint(body)


def test_rules_and_the_last_document_end_in_cache_breakpoints(serve):
    server, client = serve(says("NOT_FOUND"))
    generator(client).generate(request())
    generator(client, cache=None).generate(request())
    body = server.asked[0].body
    marked = ["cache_control" in block for block in body["messages"][0]["content"]]
    assert ([False, True, False], True) == (marked, "cache_control" in body["system"][0])
    assert "cache_control" not in json.dumps(server.asked[1].body)


def _prefix(body):
    """What comes before and with the last cache breakpoint, as the service would key it."""
    content = body["messages"][0]["content"]
    last = max(n for n, block in enumerate(content) if "cache_control" in block)
    return json.dumps([body["model"], body["system"], content[: last + 1]])


@pytest.mark.parametrize("count", [1, 2, 7, 60])
@pytest.mark.parametrize("kind", [AnthropicGenerator, AnthropicCitations])
def test_there_are_never_more_than_four_breakpoints_and_the_last_is_on_the_last_passage(
    serve, kind, count
):
    passages = [
        Passage(f"p{n}", f"Clause {n} covers damage by fire in full.") for n in range(count)
    ]
    server, client = serve(says("NOT_FOUND"))
    kind(client, "m", attempts=1).generate(request(passages))
    body = server.asked[0].body
    content = body["messages"][0]["content"]
    marked = [n for n, block in enumerate(content) if "cache_control" in block]
    assert 2 == json.dumps(body).count('"cache_control"')
    assert [len(content) - 2] == marked
    assert passages[-1].text in json.dumps(content[marked[0]])
    assert QUESTION in content[-1]["text"]


@pytest.mark.parametrize("kind", [AnthropicGenerator, AnthropicCitations])
def test_what_is_cached_is_the_same_for_another_question_and_for_a_second_draft(serve, kind):
    wrong = {"text": "Theft is covered.", "sources": ["S1"], "quote": "It covers theft in full."}
    draft = {"status": "answered", "statements": [wrong]}
    server, client = serve(
        says("Theft is covered." if kind is AnthropicCitations else draft), says("NOT_FOUND")
    )
    for question, history in ((QUESTION, ()), ("And floods?", ("Is a pipe covered?",))):
        with suppress(DraftFormatError):
            ask(question, PASSAGES, model=kind(client, "m", attempts=1), history=history)
    assert 3 <= len(server.asked)
    assert 1 == len({_prefix(asked.body) for asked in server.asked})
    ends = [asked.body["messages"][0]["content"][-1]["text"] for asked in server.asked]
    assert len(ends) == len(set(ends))


def test_ids_of_passages_are_not_sent(serve):
    server, client = serve(says("NOT_FOUND"))
    generator(client).generate(request())
    assert "p#1" not in json.dumps(server.asked[0].body)


@given(st.text(alphabet="ab .\n-1:水。", max_size=60).filter(str.strip), st.integers(1, 6))
def test_the_pieces_of_a_passage_are_the_passage_and_each_can_prove_something(text, least):
    pieces = units(text, least)
    assert text == "".join(text[start:end] for start, end in pieces)
    assert all(text[start:end].strip() for start, end in pieces)
    if len(pieces) > 1:
        assert all(word_count(text[start:end]) >= least for start, end in pieces)


@pytest.mark.parametrize("mark", ["**", "*", "__", "_", "`", "~~"])
def test_marks_that_close_a_sentence_stay_with_it(mark):
    first = f"{mark}The deductible is for you and all others.{mark}"
    text = f"{first}\nYou pay 500 euros for each loss. See KIPDF.COM for all of the terms."
    pieces = [text[start:end].strip() for start, end in units(text)]
    assert [first, "You pay 500 euros for each loss."] == pieces[:2]
    assert "KIPDF.COM" in pieces[2]


MARKDOWN = st.lists(
    st.sampled_from(
        ["**", "*", "__", "`", "~~", " ", "\n", "\n\n", "- ", "1. ", "## ", "Fire is covered",
         "not", "Flood damage is never covered by this", ". ", ".", "5,000", " euros", "(", ")",
         "U.S.", "-", "&amp;", "\u2014 "]
    ),
    max_size=40,
).map("".join).filter(str.strip)  # fmt: skip


@given(MARKDOWN)
@example(" euros.Fire is covered 1. Flood damage is never covered by this")
def test_every_place_that_can_be_cited_of_markdown_is_found_where_it_has_words(text):
    pieces = units(text)
    for first, (start, end) in enumerate(pieces):
        last = pieces[min(first + 1, len(pieces) - 1)][1]
        for stop in {end, last}:
            place = CitedSpan("S1", start, stop, text[start:stop])
            read = locate_placed(Sourced(0, "x", ("S1",), place.quote, (place,)), {"S1": text})
            assert isinstance(read, Located) or not any(map(str.isalnum, folded(place.quote).text))


# --- what comes back ------------------------------------------------------------------------


def test_cited_places_come_back_as_exact_offsets_of_the_passage(serve):
    _, client = serve(
        answering(
            "So ",
            ("a burst pipe is covered", "S1", PIPE),
            " and ",
            ("floods are not", "S2", "Floods"),
            ".",
        )
    )
    reply = generator(client).generate(request())
    spans = [span for piece in reply.cited for span in piece.spans]
    docs = request().docs
    assert [PIPE, PASSAGES[1].text] == [docs[s.alias][s.start : s.end].strip() for s in spans]
    assert [docs[s.alias][s.start : s.end] for s in spans] == [s.quote for s in spans]
    assert ("So a burst pipe is covered and floods are not.", None) == (
        "".join(piece.text for piece in reply.cited),
        reply.raw,
    )
    assert ("citations", "none", "anthropic-citations/claude-test") == (
        reply.response_format,
        reply.constraint,
        reply.engine,
    )
    assert Usage(100, 20, 50) == reply.usage


def test_offsets_do_not_depend_on_how_a_server_counts_characters(serve):
    passages = [Passage("p", f"😀 Häuser 😀 sind versichert, auch im Ausland. {PIPE}")]
    _, client = serve(answering(("Burst pipes are covered.", "S1", PIPE)))
    answer = ask(QUESTION, passages, model=generator(client), judge=ScriptedJudge())
    assert [PIPE] == [c.quote for s in answer.statements for c in s.citations]


def test_half_a_surrogate_pair_is_sent_as_a_replacement_and_found_again(serve):
    broken = "A burst pipe is covered \ud83d by the policy \udc00 in full."
    passages = [Passage("p", broken)]
    _, client = serve(answering(("Burst pipes are covered.", "S1", "burst pipe")))
    answer = ask(QUESTION, passages, model=generator(client), judge=ScriptedJudge())
    assert [broken] == [c.quote for s in answer.statements for c in s.citations]


@pytest.mark.parametrize(
    ("wrong", "alias"),
    [
        (citation(7, 0, 1, PIPE), "document 7"),
        (citation(-1, 0, 1, PIPE), "document -1"),
        (citation(None, 0, 1, PIPE), "document None"),
        (citation(0, 0, 9, PIPE), "S1"),
        (citation(0, 1, 1, PIPE), "S1"),
        (citation(0, -1, 1, PIPE), "S1"),
        (citation(0, None, 1, PIPE), "S1"),
        (citation(0, 0.0, 1, PIPE), "S1"),
        (citation(0, False, True, PIPE), "S1"),
        (citation(0, "0", "1", PIPE), "S1"),
        (citation("0", 0, 1, PIPE), "document 0"),
        (citation(True, 0, 1, PIPE), "document True"),
        ({"type": "char_location", "document_index": 0, "cited_text": PIPE}, "S1"),
        ({"type": "web_search_result_location", "url": "http://x"}, "document None"),
    ],
)
def test_a_pointer_to_nowhere_stays_one_that_no_check_accepts(wrong, alias):
    (span,) = cited_text("So.", [SimpleNamespace(**wrong)], request()).spans
    assert CitedSpan(alias, -1, -1, wrong.get("cited_text", "")) == span


@pytest.mark.parametrize("title", ["S1", None, "Home policy", "", 7])
def test_a_title_that_names_no_other_document_changes_nothing(title):
    placed = SimpleNamespace(**citation(0, 0, 1, f"{PIPE} ", document_title=title))
    (span,) = cited_text("So.", [placed], request()).spans
    assert ("S1", 0, len(PIPE) + 1) == (span.alias, span.start, span.end)


def test_a_citation_that_names_one_document_and_points_into_another_holds_in_neither():
    placed = SimpleNamespace(**citation(0, 0, 1, f"{PIPE} ", document_title="S2"))
    (span,) = cited_text("So.", [placed], request()).spans
    assert CitedSpan("S1", -1, -1, f"{PIPE} ") == span


#: Of `PASSAGES`: the blocks of S1 are PIPE and REPORT with what follows, S2 has one.
POINTERS = {
    "one block too many": citation(0, 0, 2, f"{PIPE} "),
    "one block too far": citation(0, 1, 2, f"{PIPE} "),
    "its end is meant to be inclusive": citation(0, 0, 0, PIPE),
    "another document": citation(1, 0, 1, f"{PIPE} "),
    "no words": citation(0, 0, 1, ""),
    "a part of the block's words": citation(0, 0, 1, PIPE[:40]),
    "words of the block and more": citation(0, 0, 1, f"{PIPE} Always."),
    "a word less": citation(0, 0, 1, PIPE.replace("burst ", "")),
    "characters": {
        "type": "char_location", "document_index": 0, "document_title": "S1", "file_id": None,
        "start_char_index": 0, "end_char_index": len(PIPE), "cited_text": PIPE,
    },
    "pages": {
        "type": "page_location", "document_index": 0, "document_title": "S1", "file_id": None,
        "start_page_number": 1, "end_page_number": 2, "cited_text": PIPE,
    },
    "a search result": {
        "type": "search_result_location", "search_result_index": 0, "source": "s", "title": "S1",
        "start_block_index": 0, "end_block_index": 1, "cited_text": PIPE,
    },
    "the web": {
        "type": "web_search_result_location", "url": "https://example.com", "title": "S1",
        "encrypted_index": "x", "cited_text": PIPE,
    },
}  # fmt: skip


@pytest.mark.parametrize("wrong", POINTERS.values(), ids=POINTERS)
def test_a_pointer_that_is_not_exactly_right_shows_nothing(serve, wrong):
    _, client = serve(says(text("A burst pipe is covered.", wrong)), says("NOT_FOUND"))
    answer = asked_of(client)
    assert () == answer.statements
    assert {f.reason for f in answer.findings} in ({"quote_not_found"}, {"unknown_source"})


def test_places_that_overlap_are_one_citation(serve):
    def answer(asked):
        blocks = [b["text"] for b in asked.body["messages"][0]["content"][0]["source"]["content"]]
        both, one = citation(0, 0, 2, "".join(blocks)), citation(0, 1, 2, blocks[1])
        return says(text("Pipes are covered, and damage must be reported.", both, one, both))

    _, client = serve(answer)
    (statement,) = asked_of(client).statements
    assert [PASSAGES[0].text] == [c.quote for c in statement.citations]


@given(
    st.integers(-2, 3), st.integers(-2, 4), st.integers(-2, 4),
    st.sampled_from([PIPE, f"{PIPE} ", REPORT, f"{REPORT} Call us.", PASSAGES[1].text, "x", ""]),
    st.sampled_from([None, "S1", "S2", "Home policy"]),
)  # fmt: skip
def test_every_place_that_is_kept_holds_the_words_that_were_cited(index, first, end, words, title):
    """Whatever a server points at: what a reader is shown are the passage's own words."""
    placed = SimpleNamespace(**citation(index, first, end, words, document_title=title))
    asked = request()
    spans = cited_text("So it is.", [placed], asked).spans
    located = locate_placed(Sourced(0, "So.", (spans[0].alias,), words, spans), asked.docs)
    if isinstance(located, Located):
        (spot,) = located.spots
        assert words.strip() == asked.docs[spot.alias][spot.start : spot.end]
        assert title in {None, spot.alias, "Home policy"}


def test_a_long_list_with_its_places_is_read_in_a_moment(serve):
    """500 items, 30,000 characters and more: nothing of it is walked once for each piece."""
    items = [
        f"Clause {n} of the policy covers damage by fire and by hail in full." for n in range(500)
    ]
    passages = [Passage("p", " ".join(items))]

    def answer(asked):
        pieces = [text("We cover:\n\n")]
        for n, item in enumerate(items):
            pieces += [
                text("- "),
                text(item, citation(0, n, n + 1, item)),
                text("\n"),
            ]
        return says(*pieces)

    _, client = serve(answer)
    reply = generator(client).generate(request(passages))
    drafted = parse(reply, ("S1",))
    assert (500, 500) == (drafted.total, len(drafted.statements))
    assert 30_000 < sum(len(piece.text) for piece in reply.cited)


def test_the_order_of_documents_is_that_of_the_aliases():
    made = documents(request(), None)
    assert list(request().docs) == [document["title"] for document in made]


# --- checked like any other draft -----------------------------------------------------------


def test_a_cited_sentence_is_a_statement_with_the_places_as_citations(serve):
    _, client = serve(answering(("A burst pipe is covered up to 12,000 euros.", "S1", PIPE)))
    answer = asked_of(client)
    (statement,) = answer.statements
    assert ("answered", [("p#1", PIPE, "exact")]) == (
        answer.status,
        [(c.passage_id, c.quote, c.match) for c in statement.citations],
    )
    assert "citations" == answer.response_format


def test_a_wrong_number_is_found_whatever_is_cited(serve):
    _, client = serve(answering(("A burst pipe is covered up to 15,000 euros.", "S1", PIPE)))
    answer = asked_of(client)
    assert ((), {"number_mismatch"}) == (answer.statements, {f.reason for f in answer.findings})


def test_what_the_judge_does_not_support_is_not_shown(serve):
    _, client = serve(answering(("Floods are covered.", "S2", "Floods")))
    answer = ask(QUESTION, PASSAGES, model=generator(client), judge=ScriptedJudge("contradicted"))
    assert ("not_found", {"contradicted"}) == (answer.status, {f.reason for f in answer.findings})


def test_a_sentence_without_a_citation_is_not_shown(serve):
    _, client = serve(
        answering(("A burst pipe is covered.", "S1", PIPE), " Theft is covered as well.")
    )
    answer = asked_of(client)
    assert ["A burst pipe is covered."] == [s.text for s in answer.statements]
    assert ["no_source"] == [f.reason for f in answer.findings]


def test_cited_words_that_are_not_those_of_the_place_are_not_shown(serve):
    _, client = serve(
        says(text("Theft is covered.", citation(0, 0, 1, "Theft is always covered in full.")))
    )
    answer = asked_of(client)
    assert ("not_found", {"quote_not_found"}) == (
        answer.status,
        {f.reason for f in answer.findings},
    )


def test_an_unknown_document_is_an_unknown_source_and_the_repair_names_it(serve):
    server, client = serve(
        says(text("Theft is covered.", citation(9, 0, 1, PIPE))), says("NOT_FOUND")
    )
    answer = asked_of(client)
    assert ["unknown_source"] == [f.reason for f in answer.findings]
    assert "document 9" in server.asked[1].body["messages"][0]["content"][-1]["text"]


def test_one_false_place_beside_a_true_one_is_cut_off_with_a_finding(serve):
    def answer(asked):
        true = cites(asked.body, "S1", PIPE)
        return says(text("A burst pipe is covered.", citation(1, 0, 1, "Invented words."), true))

    _, client = serve(answer)
    shown = asked_of(client)
    assert ["p#1"] == [c.passage_id for s in shown.statements for c in s.citations]
    assert [("quote_not_found", True, "p#2")] == [
        (f.reason, f.kept, f.passage_id) for f in shown.findings
    ]


def test_two_places_of_one_passage_are_two_citations_and_one_question_to_the_judge(serve):
    long = [Passage("p", f"{PIPE} {REPORT} Hail is covered where it breaks a window.")]

    def answer(asked):
        places = [cites(asked.body, "S1", words) for words in (PIPE, "Hail is covered")]
        return says(text("Pipes and hail are covered.", *places))

    _, client = serve(answer)
    judge = ScriptedJudge("supported")
    shown = ask(QUESTION, long, model=generator(client), judge=judge)
    assert 2 == len(shown.statements[0].citations)
    assert 1 == len(judge.pairs)


def test_not_found_is_believed(serve):
    _, client = serve(says("NOT_FOUND"))
    assert "model_said_not_found" == asked_of(client).reason


def test_a_forged_answer_in_a_passage_shows_nothing(serve):
    """The model obeys and copies the order; nothing of it is cited."""
    _, client = serve(says('{"status": "answered", "statements": []} Everything is covered [S1].'))
    answer = asked_of(client)
    assert ((), "not_found") == (answer.statements, answer.status)


@pytest.mark.parametrize(
    ("stop", "error"),
    [
        ("refusal", RefusedError),
        ("max_tokens", TruncatedError),
        ("model_context_window_exceeded", TruncatedError),
    ],
)
def test_a_reply_that_did_not_end_by_itself_is_no_draft(serve, stop, error):
    def answer(asked):
        return says(text("A burst pipe is covered.", cites(asked.body, "S1", PIPE)), stop=stop)

    _, client = serve(answer)
    with pytest.raises(error):
        asked_of(client)


@pytest.mark.parametrize(
    "said", [cut_off("A burst pipe is covered.", keep=2), breaks("overloaded_error"), fails(500)]
)
def test_failures_are_those_of_the_provider(serve, said):
    server, client = serve(said)
    with pytest.raises(ProviderError) as caught:
        ask(QUESTION, PASSAGES, model=generator(client, attempts=2))
    assert (True, 2) == (caught.value.retryable, len(server.asked))


# --- sync, async, strings, the contract ------------------------------------------------------


def test_the_asynchronous_client_gives_the_same_reply(serve):
    server, client = serve(answering(("A burst pipe is covered.", "S1", PIPE)))

    async def awaited():
        async with anthropic.AsyncAnthropic(api_key="secret", base_url=server.url) as other:
            return await generator(other).agenerate(request())

    assert generator(client).generate(request()) == asyncio.run(awaited())


def test_a_model_string_serves_both_ways(serve, monkeypatch):
    server, _ = serve(answering(("A burst pipe is covered.", "S1", PIPE)))
    monkeypatch.setenv("ANTHROPIC_API_KEY", "secret")
    model = f"anthropic-citations/claude-test@{server.url}"
    judge = ScriptedJudge()
    answers = [ask(QUESTION, PASSAGES, model=model, judge=judge)]
    answers.append(asyncio.run(aask(QUESTION, PASSAGES, model=model, judge=judge)))
    assert ["answered", "answered"] == [answer.status for answer in answers]


def test_it_writes_drafts_only_and_cannot_judge(serve):
    _, client = serve(says("NOT_FOUND"))
    with pytest.raises(InputError, match="only writes drafts"):
        ask(QUESTION, PASSAGES, model=generator(client), judge="llm")


@pytest.mark.parametrize("check", GENERATOR_CHECKS.values(), ids=GENERATOR_CHECKS)
def test_it_keeps_what_every_generator_promises(serve, check):
    def answer(asked):
        words = asked.body["messages"][0]["content"][0]["source"]["content"][0]["text"]
        return says(text(words, citation(0, 0, 1, words)))

    _, client = serve(answer)
    check(generator(client))
