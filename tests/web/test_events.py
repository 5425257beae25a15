"""What one reader is told of a stream: only what they may open at that very moment."""

from __future__ import annotations

import asyncio
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundedgen import Passage, astream, render
from groundedgen.errors import DeadlineError, InputError, ProviderError, RefusedError
from groundedgen.ports import SourceCard
from groundedgen.streaming import Event
from groundedgen.testing import MemoryStore, ScriptedJudge
from groundedgen.values import Answer, Citation, Closest, Entailment, Statement
from groundedgen.web.events import EXCERPT, ForReader
from tests.streams import StreamingGenerator, Try
from tests.test_flow import ALSO_GOOD, GOOD, QUESTION, WHOLE
from tests.test_flow import PASSAGES as PLAIN
from tests.test_streaming import DOWN, parts

#: Each with words of its own in every field, so that any of them that leaks is seen.
PASSAGES = tuple(
    Passage(p.id, p.text, title=f"Title-{n}", url=f"https://docs.example/{n}", page=n)
    for n, p in enumerate(PLAIN, 1)
)
CARDS = {p.id: SourceCard(p.id, p.title, p.url, page=p.page) for p in PASSAGES}
WORDS = {
    "policy#1": ("policy#1", "Title-1", "docs.example/1", "12,000"),
    "policy#2": ("policy#2", "Title-2", "docs.example/2", "Flood", "deductible"),
    "policy#3": ("policy#3", "Title-3", "docs.example/3", "30 days"),
}
STATEMENTS = (GOOD, WHOLE, ALSO_GOOD)


class Scheduled:
    """A store that grants something else, or fails, each time it is asked."""

    def __init__(self, grants):
        self.grants, self.asked = list(grants), 0

    async def aget(self, ids, reader):
        grant = self.grants[min(self.asked, len(self.grants) - 1)]
        self.asked += 1
        if grant is None:
            raise ConnectionError("down")
        return {name: CARDS[name] for name in ids if name in grant}

    @property
    def last(self):
        return self.grants[min(self.asked, len(self.grants)) - 1] or ()


async def told(store, tries, reader="ann", **options):
    """Every event for the reader, with what the store had granted when it was made."""
    view = ForReader(store=store, reader=reader if store else None, **options)
    events = astream(
        QUESTION,
        PASSAGES,
        model=StreamingGenerator(list(tries)),
        judge=ScriptedJudge("supported"),
        store=store,
        reader=reader if store else None,
    )
    return [(one, getattr(store, "last", None)) async for one in view.all(events)]


def run(store, *tries, **options):
    return asyncio.run(told(store, tries or [Try(parts(*STATEMENTS))], **options))


def names(seen):
    return [one.name for one, _ in seen]


def test_without_a_store_passages_speak_for_themselves():
    seen = run(None)
    assert ["passages", "statement", "statement", "statement", "done"] == names(seen)
    first = seen[0][0].data["passages"][0]
    assert ("policy#1", "Title-1", "https://docs.example/1", 1, PASSAGES[0].text, False) == (
        first["id"], first["title"], first["url"], first["page"], first["text"], first["cut"],
    )  # fmt: skip


def test_numbers_are_those_of_the_whole_answer():
    seen = run(Scheduled([set(CARDS)]))
    statements = [one.data for one, _ in seen if one.name == "statement"]
    done = seen[-1][0].data
    assert [1, 2, 3] == [statement["number"] for statement in statements]
    for early, late in zip(statements, done["statements"], strict=True):
        assert (early["text"], early["citations"]) == (late["text"], late["citations"])
    numbered = {s["number"]: s["id"] for data in statements for s in data["sources"]}
    assert numbered == {s["number"]: s["id"] for s in done["sources"]}


def test_a_statement_whose_sources_are_denied_leaves_no_gap():
    seen = run(Scheduled([set(CARDS)] * 2 + [{"policy#1", "policy#3"}]))
    statements = [one.data for one, _ in seen if one.name == "statement"]
    assert [(1, GOOD["text"]), (2, ALSO_GOOD["text"])] == [
        (s["number"], s["text"]) for s in statements
    ]
    assert [[1], [2]] == [[c["source"] for c in s["citations"]] for s in statements]
    assert 2 == seen[-1][0].data["shown"]


def test_closest_passages_of_a_failure_are_asked_for_as_well():
    open_ones = run(Scheduled([set(CARDS)]), Try([], DOWN))
    assert (["passages", "failed"], "provider_error") == (
        names(open_ones),
        open_ones[-1][0].data["reason"],
    )
    assert "policy#1" == open_ones[-1][0].data["sources"][0]["id"]
    closed = run(Scheduled([set(CARDS), set()]), Try([], DOWN))
    assert [] == closed[-1][0].data["sources"]


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (DeadlineError("late"), "deadline"),
        (TimeoutError(), "deadline"),
        (RefusedError("no"), "refused"),
        (ProviderError("policy#1 secret"), "provider_error"),
        (KeyError("secret"), "error"),
    ],
)
@pytest.mark.parametrize("lang", ["en", "de-AT", "fr", "es"])
def test_a_failure_tells_its_kind_and_never_its_words(error, reason, lang):
    one = asyncio.run(ForReader(lang=lang).told(Event("failed", error=error)))
    assert (reason, True) == (one.data["reason"], one.is_last)
    assert "secret" not in json.dumps(one.data)
    assert one.data["message"]


def test_what_nothing_has_checked_is_sent_only_where_no_store_is_asked():
    async def claims(**options):
        view = ForReader(**options)
        events = [Event("unverified", claim=1, text="Fire."), Event("withdrawn", claim=1)]
        return [await view.told(event) for event in events]

    said, gone = asyncio.run(claims())
    assert ({"claim": 1, "text": "Fire."}, {"claim": 1}) == (said.data, gone.data)
    assert [None, None] == asyncio.run(claims(store=MemoryStore([]), reader="ann"))


def test_a_long_passage_is_cut_where_it_is_shown():
    long = Passage("a", "x" * (EXCERPT + 1))
    one = asyncio.run(ForReader().told(Event("passages", passages=(long,))))
    assert (EXCERPT, True) == (len(one.data["passages"][0]["text"]), one.data["passages"][0]["cut"])


@pytest.mark.parametrize("options", [{"reader": "ann"}, {"lang": "tlh"}])
def test_what_cannot_be_shown_to_a_reader_is_refused(options):
    with pytest.raises(InputError):
        ForReader(**options)


grants = st.one_of(st.none(), st.sets(st.sampled_from(sorted(CARDS))))


@settings(max_examples=150)
@given(
    st.lists(grants, min_size=1, max_size=7),
    st.permutations(STATEMENTS),
    st.sampled_from([None, None, DOWN]),
)
def test_nothing_of_a_source_that_is_closed_at_that_moment_is_told(schedule, drafted, end):
    ending = {} if end is None else {"reply": end}
    made = [part for piece in parts(*drafted) for part in (piece, 0)]
    for one, granted in run(Scheduled(schedule), Try(made, **ending)):
        data = json.dumps(one.data, ensure_ascii=False)
        for name in CARDS.keys() - set(granted):
            for word in WORDS[name]:
                assert word not in data
        numbers = [one.data.get("number")] if one.name == "statement" else []
        assert all(number >= 1 for number in numbers)


def test_the_done_event_is_what_render_gives():
    seen = run(None)
    events = astream(
        QUESTION, PASSAGES, model=StreamingGenerator([Try(parts(*STATEMENTS))]),
        judge=ScriptedJudge("supported"),
    )  # fmt: skip

    async def last():
        return [event async for event in events][-1].answer

    whole = json.loads(render(asyncio.run(last()), format="json"))
    for number, said in enumerate(whole["statements"], 1):
        said["number"] = number  # as in the event of the statement
    assert whole == seen[-1][0].data


# --- numbers that were given stay ---------------------------------------------------------------


def statements_of(seen):
    return [one.data for one, _ in seen if one.name == "statement"]


def numbered(data):
    return {source["number"]: source["id"] for source in data["sources"]}


def ends(seen):
    return seen[-1][0].data


def test_a_failure_after_a_statement_keeps_the_numbers_that_were_given():
    """Its closest passages are others, in another order: they are numbered on from there."""

    async def broken():
        made = StreamingGenerator([Try(parts(ALSO_GOOD))])
        judge = ScriptedJudge("supported")
        async for event in astream(QUESTION, PASSAGES, model=made, judge=judge):
            if event.type != "done":
                yield event
        near = tuple(Closest(p.id, p.text[:9], 0, 9, 1.0) for p in PASSAGES)
        yield Event("failed", error=KeyError("x"), closest=near)

    async def read():
        return [(one, None) async for one in ForReader().all(broken())]

    seen = asyncio.run(read())
    assert {1: "policy#3"} == numbered(statements_of(seen)[0])
    assert {1: "policy#3", 2: "policy#1", 3: "policy#2"} == numbered(ends(seen))
    assert [1, 2, 3] == [source["number"] for source in ends(seen)["sources"]]


@pytest.mark.parametrize("denied", [None, set(), {"policy#1", "policy#3"}])
def test_a_statement_denied_at_its_event_stays_out_of_the_answer(denied):
    """Whether the store failed for a moment or the grant came later: `done` is what was told."""
    seen = run(Scheduled([set(CARDS)] * 3 + [denied, set(CARDS)]))
    told = statements_of(seen)
    assert [GOOD["text"], ALSO_GOOD["text"]] == [said["text"] for said in told]
    assert [(s["number"], s["text"]) for s in told] == [
        (s["number"], s["text"]) for s in ends(seen)["statements"]
    ]
    assert (2, 2) == (ends(seen)["shown"], ends(seen)["verified"])


def test_a_citation_denied_at_its_event_stays_out_of_the_answer():
    """The statement stands on its other source; the page has no number for this one."""
    cited = tuple(Citation(p.id, p.text[:9], 0, 9, "exact", 0, 9) for p in PASSAGES[:2])
    said = Statement("Both.", cited, Entailment("supported", "judge"))
    answer = Answer("answered", "answered", QUESTION, (said,), passages=PASSAGES)
    events = [
        Event("passages", passages=PASSAGES, guarded=True),
        Event("statement", statement=said, number=1),
        Event("done", answer=answer),
    ]

    async def read():
        store = Scheduled([set(CARDS), {"policy#2"}, set(CARDS)])
        view = ForReader(store=store, reader="ann")
        return [(await view.told(event)).data for event in events]

    _, told, done = asyncio.run(read())
    assert [(1, "policy#2")] == [(c["source"], c["passage_id"]) for c in told["citations"]]
    assert told["citations"] == done["statements"][0]["citations"]
    assert {1: "policy#2"} == numbered(done)


def test_what_is_revoked_leaves_the_others_their_numbers():
    seen = run(Scheduled([set(CARDS)] * 5 + [{"policy#3"}]))
    (left,) = ends(seen)["statements"]
    assert (3, ALSO_GOOD["text"], [3]) == (
        left["number"], left["text"], [c["source"] for c in left["citations"]],
    )  # fmt: skip
    assert {3: "policy#3"} == numbered(ends(seen))
    assert 1 == ends(seen)["shown"]


def test_an_answer_without_the_events_before_it_is_shown_as_it_is():
    async def last():
        made = StreamingGenerator([Try(parts(*STATEMENTS))])
        judge = ScriptedJudge("supported")
        return [e async for e in astream(QUESTION, PASSAGES, model=made, judge=judge)][-1]

    one = asyncio.run(ForReader().told(asyncio.run(last())))
    assert [1, 2, 3] == [said["number"] for said in one.data["statements"]]


@settings(max_examples=150)
@given(
    st.lists(grants, min_size=1, max_size=7),
    st.permutations(STATEMENTS),
    st.sampled_from([None, None, DOWN]),
)
def test_no_number_is_given_twice_and_done_holds_only_what_was_told(schedule, drafted, end):
    ending = {} if end is None else {"reply": end}
    made = [part for piece in parts(*drafted) for part in (piece, 0)]
    seen = run(Scheduled(schedule), Try(made, **ending))
    pairs = {(n, name) for one, _ in seen if "sources" in one.data
             for n, name in numbered(one.data).items()}  # fmt: skip
    assert len(pairs) == len({n for n, _ in pairs}) == len({name for _, name in pairs})
    told = {said["number"]: said for said in statements_of(seen)}
    assert list(range(1, len(told) + 1)) == list(told)
    last = ends(seen)
    for said in last.get("statements", []):
        before = told[said["number"]]
        assert said["text"] == before["text"]
        assert all(citation in before["citations"] for citation in said["citations"])
    assert last.get("shown", 0) == len(last.get("statements", []))


# --- a stream that was made with a store --------------------------------------------------------


def guarded(**options):
    store = MemoryStore(list(CARDS.values()), allowed={"ann": ["policy#1"]})
    judge = ScriptedJudge("supported")
    made = StreamingGenerator([Try(parts(GOOD))])
    events = astream(QUESTION, PASSAGES, model=made, judge=judge, store=store, reader="ann")

    async def read():
        return [(one, None) async for one in ForReader(**options).all(events)]

    return asyncio.run(read())


def test_a_stream_made_with_a_store_is_not_shown_without_one():
    with pytest.raises(InputError, match="store="):
        guarded()


def test_a_stream_made_with_a_store_is_shown_to_anyone_where_that_is_said():
    assert ["passages", "statement", "done"] == names(guarded(store=None))


def test_a_closed_stream_made_with_a_store_is_not_shown_without_one_either():
    async def read():
        events = astream(QUESTION, PASSAGES, store=MemoryStore([]), reader="ann")
        return [one async for one in ForReader().all(events)]

    with pytest.raises(InputError, match="store="):
        asyncio.run(read())
