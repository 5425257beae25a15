"""Any documents, any ids, any reply, cut anywhere: what is shown by sentence ids is real."""

from __future__ import annotations

import asyncio
import json

from hypothesis import given
from hypothesis import strategies as st

from groundedgen import Passage, Policy, ask
from groundedgen.aliases import assign
from groundedgen.errors import GenerationError
from groundedgen.evidence import label
from groundedgen.testing import ScriptedGenerator, ScriptedJudge
from groundedgen.text.names import resolve
from groundedgen.values import Reply
from tests.streams import Try, cut
from tests.test_drafting import BURST, QUESTION, UNKNOWN, WAR, WRONG, asked, said, streamed

_pool = st.lists(
    st.sampled_from([BURST, WAR, WRONG, UNKNOWN, {"text": "x"}, {**WAR, "text": "War [S2.1]."}]),
    min_size=1,
    max_size=4,
)


@given(_pool, st.lists(st.integers(0, 600), max_size=5))
def test_a_stream_ends_with_the_answer_to_the_whole_reply(statements, cuts):
    policy = Policy(regenerate=False)
    events = asyncio.run(streamed([Try(cut(said(*statements).raw, *cuts))], policy=policy))
    whole, _ = asked(said(*statements), policy=policy)
    done = events[-1].answer
    assert (whole.status, whole.statements, whole.findings) == (
        done.status, done.statements, done.findings,
    )  # fmt: skip
    told = [event.statement for event in events if event.type == "statement"]
    assert told == list(done.statements)


_words = st.sampled_from(
    ["Fire", "is", "covered", "not", "up", "to", "12", "euros.", "Floods", "are", "[S1.1]", "\n",
     "S2.1", "- hail;", "No.", "If", "so:", "non-", "3.5", "🔥", "a\u0301", "条款。", "\ud800"]
)  # fmt: skip
_documents = st.lists(
    st.lists(_words, min_size=1, max_size=40).map(" ".join) | st.text(max_size=80),
    min_size=1,
    max_size=3,
)
_ids = st.lists(
    st.builds("S{}.{}".format, st.integers(0, 4), st.integers(0, 9))
    | st.sampled_from(["S1", "1", "", "[S1.1]", "s1.2", "S1.1, S2.1", "S1.1-S1.3"]),
    max_size=4,
)
_statement = st.fixed_dictionaries(
    {"sources": _ids, "text": st.lists(_words, min_size=1, max_size=8).map(" ".join)}
)


@given(_documents, st.lists(_statement, min_size=1, max_size=4))
def test_what_is_shown_are_words_of_the_passage_and_no_unknown_id_is_shown(texts, statements):
    passages = [Passage(f"p{n}", text) for n, text in enumerate(texts)]
    by_id = {passage.id: passage.text for passage in passages}
    answer = ask(
        QUESTION,
        passages,
        model=ScriptedGenerator([said(*statements)] * 2),
        judge=ScriptedJudge("supported"),
        policy=Policy(min_quote_words=2),
        evidence="sentences",
    )
    for statement in answer.statements:
        assert statement.citations
        for citation in statement.citations:
            assert citation.quote == by_id[citation.passage_id][citation.start : citation.end]
    ids = label(assign(passages).docs, min_words=2).ids
    read = [resolve(statement["sources"], ids) for statement in statements]
    strange = {number: names.unknown for number, names in enumerate(read) if names.unknown}
    if ids:
        assert strange == {
            f.index: f.details
            for f in answer.findings
            if (f.reason, f.attempt) == ("unknown_source", 1)
        }
        assert not {index for index in strange if answer.attempts == 1 and index == 0}


_junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | _ids,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["status", "statements", "sources", "text", "quote", "x"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)
_raw = (
    st.text(max_size=60)
    | _junk.map(json.dumps)
    | _junk.map(lambda junk: json.dumps({"status": "answered", "statements": [junk, BURST]}))
    | st.sampled_from(
        [
            None,
            '{"statements": [{"text": "a", "text": "b", "sources": ["S1.1"]}]}',
            '{"statements": [{"sources": {"S1.1": 1}, "text": "a"}], "statements": []}',
            said(BURST).raw[:-3],
        ]
    )
)


@given(_raw, st.sampled_from(["none", "enum", "schema", "grammar"]), st.integers(0, 80))
def test_no_reply_whatsoever_raises_anything_but_a_generation_error(raw, constraint, place):
    reply = Reply(raw, constraint=constraint)
    for call in (
        lambda: asked(reply, reply)[0],
        lambda: asyncio.run(streamed([Try(cut(raw or "", place), reply)] * 2))[-1],
    ):
        try:
            ended = call()
        except GenerationError:
            continue
        error = getattr(ended, "error", None)
        assert error is None or isinstance(error, GenerationError)
