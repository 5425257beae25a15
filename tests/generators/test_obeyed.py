"""A reply is called constrained only where it looks like it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundedgen import draft
from groundedgen.closing import Scanner
from groundedgen.draft import schema as draft_schema
from groundedgen.gates import quote_gate
from groundedgen.generators.constrained.obeyed import Watch, checked, cut_off, obeyed
from groundedgen.generators.constrained.rungs import Capabilities, Plan, drafted, planned
from groundedgen.judges.instructions import schema as labels
from groundedgen.values import Prompt, Reply, Request, Usage
from tests.streams import cut

DOCS = {
    "S1": "Damage by a burst pipe is covered. Claims are due within 30 days of the loss.",
    "S2": "The deductible is 250 euros per claim. Glass is not covered at all.",
}
REQUEST = Request("?", Prompt("", "", "1"), draft_schema(list(DOCS)), DOCS, max_statements=3)
NUMBERED, PLAIN = "Claims are due within 30 days of the loss.", "Damage by a burst pipe is covered."
RUNGS = ["lark", "schema", "gbnf", "enum", "none"]


def plan(rung, request=REQUEST):
    return planned(request, Capabilities() if rung == "none" else Capabilities(**{rung: True}))


def statement(text="It is due within 30 days.", quote=NUMBERED, sources=("S1",), **more):
    return {"sources": list(sources), "quote": quote, "text": text} | more


def written(*statements, status="answered", **more):
    draft = {"status": status, "statements": list(statements), **more}
    return json.dumps(draft, ensure_ascii=False, separators=(",", ":"))


def held(raw, request=REQUEST):
    """The rungs whose constraint this reply could have come through."""
    return [rung for rung in RUNGS if obeyed(plan(rung, request), request, raw)]


@pytest.mark.parametrize(
    ("raw", "rungs"),
    [
        (written(statement()), RUNGS),
        (written(status="not_found"), RUNGS),
        (written(statement(), statement("A pipe is.", PLAIN)), RUNGS),
        (written(statement("It is due within 60 days.")), RUNGS[1:]),
        (written(statement("It is due within ３０ days.")), RUNGS[1:]),
        (written(statement(quote="Claims are due within 30 days")), RUNGS[3:]),
        (written(statement(sources=["S2"])), RUNGS[3:]),
        (written(statement(sources=["S1", "S2"])), RUNGS[3:]),
        (written(statement(), statement(), statement(), statement()), RUNGS[3:]),
        (written(status="answered"), RUNGS[3:]),
        (written(statement(text="")), RUNGS[3:]),
        (written(statement(), status="not_found"), RUNGS[3:]),
        (written(statement(sources=["S9"])), ["none"]),
        (written(statement(sources=["s1"])), ["none"]),
        (written(statement(why="so")), ["none"]),
        (written(statement(), why="so"), ["none"]),
        (written("It is due."), ["none"]),
        (written(statement(), status="maybe"), ["none"]),
        (written(statement(text=7)), ["none"]),
        (written(statement())[:-1], ["none"]),
        (written(statement()) + written(statement()), ["none"]),
        (f"```json\n{written(statement())}\n```", ["none"]),
        (f"<think>Hm.</think>{written(statement())}", ["none"]),
        ("Certainly! It is due within 30 days.", ["none"]),
        ('{"status":"not_found","status":"not_found","statements":[]}', RUNGS[3:]),
        (json.dumps(json.loads(written(statement())), indent=1), ["schema", *RUNGS[3:]]),
        (written(dict(reversed(statement().items()))), ["schema", *RUNGS[3:]]),
        (written(statement("See http://evil.example.")), RUNGS[1:]),
        (written(statement("A\x00 b.")), ["schema", *RUNGS[3:]]),
        (written(statement(" ")), ["schema", *RUNGS[3:]]),
        ("[" * 10_000, ["none"]),
        ("7", ["none"]),
        ("null", ["none"]),
        ("", ["none"]),
        (None, ["none"]),
    ],
)
def test_a_reply_obeyed_what_its_rung_binds(raw, rungs):
    assert rungs == held(raw)


words = st.sampled_from([*DOCS, *DOCS.values(), NUMBERED, PLAIN, "It is 30.", "It is 31.", "", "½"])
items = st.fixed_dictionaries(
    {"sources": st.lists(words, max_size=2), "quote": words, "text": words},
    optional={"more": words},
)
drafts = st.builds(
    lambda statements, status: json.dumps({"status": status, "statements": statements}),
    st.lists(items, max_size=4),
    st.sampled_from(["answered", "not_found", "?"]),
)


@given(drafts | st.text())
def test_what_is_called_constrained_holds_before_the_gates(raw):
    """Real sources, real quotes of the source named, digits of the quote: as the words say."""
    if not obeyed(plan("gbnf"), REQUEST, raw):
        return
    read = draft.parse(Reply(raw), tuple(DOCS))
    for said in getattr(read, "statements", ()):
        [alias] = said.aliases
        assert "found" == quote_gate(said.quote, alias, DOCS).verdict
    if obeyed(plan("lark"), REQUEST, raw):
        assert not any(
            set("½1") & set(s.text) - set(s.quote) for s in getattr(read, "statements", ())
        )


@given(drafts | st.text())
def test_what_a_tighter_rung_lets_through_so_do_the_looser_ones(raw):
    # GBNF and Lark spell a reply in one way, a schema leaves blanks and the order of keys free.
    looser = {"lark": RUNGS, "gbnf": ["gbnf", "schema", "enum", "none"], "schema": RUNGS[3:]}
    rungs = held(raw)
    assert all(set(looser.get(rung, [])) <= {*rungs, rung} for rung in rungs)


def test_any_other_request_is_held_against_its_own_schema():
    other = Request("?", Prompt("", "", "1"), labels(2), DOCS)
    assert drafted(other) is None
    asked = planned(other, Capabilities(schema=True))
    good = json.dumps({"C1": "supported", "C2": "partial"})
    assert obeyed(asked, other, good)
    for raw in (good.replace("partial", "so"), '{"C1": "supported"}', "supported", written(), None):
        assert not obeyed(asked, other, raw)
    assert not cut_off(asked, other, good)


def test_the_grammar_itself_has_the_last_word_where_it_can_be_asked():
    asked, seen = plan("lark"), []

    def admits(grammar, raw):
        seen.append((grammar, raw))
        return False

    assert not obeyed(asked, REQUEST, written(statement()), admits)
    assert [(asked.grammar, written(statement()))] == seen
    assert not obeyed(asked, REQUEST, "free words", admits)
    assert obeyed(plan("gbnf"), REQUEST, written(statement()), admits)
    assert 1 == len(seen)


def test_llguidance_admits_what_a_decoder_wrote_and_not_what_it_could_not():
    admits = pytest.importorskip("groundedgen.generators.constrained.llguide").admits
    asked = plan("lark")
    for text, holds in {"It is due within 30 days.": True, "It is due, minus 30.": False}.items():
        raw = json.dumps(json.loads(written(statement(text))), separators=(",", ":"))
        assert holds is obeyed(asked, REQUEST, raw, admits)
        assert obeyed(asked, REQUEST, raw)
    assert not admits(asked.grammar, "\ud800")


def test_whatever_a_decoder_can_write_under_a_constraint_obeys_it():
    walks = pytest.importorskip("tests.generators.walks")
    admits = pytest.importorskip("groundedgen.generators.constrained.llguide").admits
    bound = {"lark": walks.Walker.of_lark(plan("lark").grammar)}
    bound["schema"] = walks.Walker.of_schema(plan("schema").schema)
    bound["enum"] = walks.Walker.of_schema(plan("enum").schema)
    for rung, walker in bound.items():
        for seed in range(25):
            walk = walker.walk(seed, answered=rung != "enum")
            if walk.ended:
                assert obeyed(plan(rung), REQUEST, walk.raw, admits), (rung, walk.raw)


# Texts that reach their bound


@pytest.mark.parametrize("rung", ["lark", "schema", "gbnf"])
@pytest.mark.parametrize(
    ("text", "is_cut"),
    [
        ("a " * 200, True),
        ("a " * 199 + "b", False),
        ("a" * 399 + ".", False),
        ("a" * 398 + ".”", False),
        ("a" * 400, True),
        ("It is covered.", False),
    ],
)
def test_a_text_that_reaches_its_bound_was_cut_off(rung, text, is_cut):
    raw = written(statement("It is.", PLAIN), statement(text, PLAIN))
    assert ((1,) if is_cut else ()) == cut_off(plan(rung), REQUEST, raw)


def test_under_a_grammar_a_text_with_numbers_is_counted_in_words():
    long = written(statement("Wordy " * 80 + "text"))
    assert (0,) == cut_off(plan("lark"), REQUEST, long)
    assert not cut_off(plan("lark"), REQUEST, written(statement("Wordy " * 79 + "text")))
    assert not cut_off(plan("lark"), REQUEST, written(statement("Wordy " * 80 + "text.")))


@pytest.mark.parametrize("rung", ["enum", "none"])
def test_where_no_text_is_bounded_none_is_cut_off(rung):
    assert not cut_off(plan(rung), REQUEST, written(statement("a" * 900, PLAIN)))


# What is said of a reply


def test_a_reply_says_what_bound_it():
    said = {}
    for rung in RUNGS:
        asked = plan(rung)
        raw = written(statement())
        reply = checked(Reply(raw, usage=Usage(1, 2), engine="m"), asked, REQUEST)
        assert Reply(raw, usage=Usage(1, 2), engine="m") == Reply(
            reply.raw, reply.finish_reason, reply.refusal, reply.usage, reply.engine
        )
        said[rung] = reply.constraint, reply.response_format
    assert said == {
        "lark": ("grammar", "grammar"),
        "schema": ("schema", "json_schema"),
        "gbnf": ("schema", "grammar"),
        "enum": ("enum", "json_schema"),
        "none": ("none", "text"),
    }


@pytest.mark.parametrize("rung", RUNGS)
def test_free_text_is_never_called_constrained(rung):
    reply = checked(Reply("It is due within 30 days."), plan(rung), REQUEST)
    assert ("none", plan(rung).response_format) == (reply.constraint, reply.response_format)


def test_a_text_that_was_cut_off_is_named_and_the_reply_is_whole():
    """Its other statements are as they were meant: only a limit on tokens loses them."""
    raw = written(statement(), statement("a " * 200, PLAIN), statement())
    reply = checked(Reply(raw), plan("schema"), REQUEST)
    assert ("stop", "schema", (1,)) == (reply.finish_reason, reply.constraint, reply.cut)
    read = draft.parse(reply, tuple(DOCS))
    assert ([0, 2], [(1, "cut_off")]) == (
        [s.index for s in read.statements],
        [(f.index, f.reason) for f in read.findings],
    )
    assert () == checked(Reply(written(statement())), plan("schema"), REQUEST).cut


def test_a_text_that_was_cut_off_is_named_where_the_rest_did_not_obey():
    """A grammar that is dropped in mid-answer has bound what stands before."""
    raw = written(statement("a " * 200, PLAIN), statement("It is so.", "An invented quote."))
    reply = checked(Reply(raw), plan("gbnf"), REQUEST)
    assert ("none", (0,)) == (reply.constraint, reply.cut)
    for broken in (raw[:-9], "Certainly!", None, "{}"):
        assert () == checked(Reply(broken), plan("gbnf"), REQUEST).cut


# What of it is handed on while it arrives


def told(watch, raw, *places):
    parts = [watch.told(part) for part in cut(raw, *places)]
    return "".join(parts)


@given(
    st.lists(st.booleans(), max_size=3),
    st.lists(st.integers(0, 10_000), max_size=12),
    st.sampled_from(RUNGS),
)
def test_no_statement_that_was_cut_off_closes_in_what_is_handed_on(cuts, places, rung):
    """However a reply is cut into parts; and where none was cut off, all of it is handed on."""
    texts = [statement("a " * 200 if is_cut else "It is.", PLAIN) for is_cut in cuts]
    raw = written(*texts, status="answered" if texts else "not_found")
    heard = told(Watch(plan(rung), REQUEST), raw, *places)
    if not any(cuts) or rung in ("enum", "none"):
        assert raw == heard
        return
    closed = Scanner().feed(heard)
    assert raw.startswith(heard)
    assert len(closed) <= cuts.index(True)


DEEP = '{"status":"answered","statements":[{"a":' + "[" * 9_000 + "]" * 9_000 + "}]}"


@pytest.mark.parametrize(
    "raw", ["Certainly!", '{"status":"answered","statements":[{"a":}]}', "", DEEP]
)
def test_what_is_no_draft_is_handed_on_as_it_comes(raw):
    assert raw == told(Watch(plan("lark"), REQUEST), raw, 3)
    other = written({"sources": ["S9"], "quote": "x", "text": "a " * 200})
    assert other == told(Watch(plan("lark"), REQUEST), other, 40)


def test_a_plan_of_no_rung_is_obeyed_by_anything():
    assert obeyed(Plan("none"), REQUEST, None)
