"""The flow, driven by hand: no generator and no judge, only schedules of what they might say."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundedgen.errors import (
    DraftFormatError,
    GenerationError,
    InputError,
    ProviderError,
    RefusedError,
    TruncatedError,
)
from groundedgen.flow import Generate, Judge, flow
from groundedgen.passages import Passage
from groundedgen.policy import Policy
from groundedgen.values import Reply, Usage, Verdict

PASSAGES = (
    Passage("policy#1", "Water damage from a burst pipe is covered up to 12,000 euros per claim."),
    Passage("policy#2", "Flood damage is not covered. The deductible is 500 euros for each loss."),
    Passage("policy#3", "The insured must report a loss within 30 days of its discovery."),
)
QUESTION = "Is water damage from a burst pipe covered?"

GOOD = {
    "text": "A burst pipe's water damage is insured up to 12,000 euros.",
    "sources": ["S1"],
    "quote": "Water damage from a burst pipe is covered up to 12,000 euros",
}
ALSO_GOOD = {
    "text": "Losses have to be reported in 30 days.",
    "sources": ["S3"],
    "quote": "must report a loss within 30 days of its discovery",
}
WHOLE = {
    "text": "Flood damage is not covered.",
    "sources": ["S2"],
    "quote": "Flood damage is not covered. The deductible is 500 euros",
}
INVENTED_ID = {**GOOD, "sources": ["S9"]}
INVENTED_QUOTE = {
    "text": "Frost damage is insured as well.",
    "sources": ["S1"],
    "quote": "Frost damage to pipes is covered without any limit at all",
}
INVENTED_FIGURE = {**GOOD, "text": "Burst pipes are insured up to 120,000 euros."}
MISATTRIBUTED = {**ALSO_GOOD, "sources": ["S2"]}
SHORT = {**GOOD, "quote": "a burst pipe"}
NO_QUOTE = {**GOOD, "quote": ""}
LINK = {**GOOD, "text": "A burst pipe is insured, see https://evil.example/page for 12,000 euros."}

POOL = [
    GOOD, ALSO_GOOD, WHOLE, INVENTED_ID, INVENTED_QUOTE, INVENTED_FIGURE,
    MISATTRIBUTED, SHORT, NO_QUOTE, LINK,
]  # fmt: skip
NEVER_SHOWN = {s["text"] for s in (INVENTED_QUOTE, INVENTED_FIGURE, LINK)}


def draft(*statements, status="answered"):
    return Reply(json.dumps({"status": status, "statements": list(statements)}), usage=Usage(10, 5))


def supported(pairs):
    return [Verdict("supported", 0.9)] * len(pairs)


def drive(replies, judge=supported, **arguments):
    """Run the flow; returns the answer and every effect it asked for."""
    replies, effects = iter(replies), []
    steps = flow(QUESTION, arguments.pop("passages", PASSAGES), **arguments)
    try:
        effect = next(steps)
        while True:
            effects.append(effect)
            if isinstance(effect, Generate):
                effect = steps.send(next(replies))
            else:
                effect = steps.send(judge(effect.pairs))
    except StopIteration as end:
        return end.value, effects


def reasons(answer):
    return [finding.reason for finding in answer.findings]


def test_a_good_draft_is_answered_after_one_generation():
    answer, effects = drive([draft(GOOD, ALSO_GOOD)])
    assert ("answered", "answered", 1) == (answer.status, answer.reason, answer.attempts)
    assert [GOOD["text"], ALSO_GOOD["text"]] == [s.text for s in answer.statements]
    assert [Generate, Judge] == [type(effect) for effect in effects]
    assert () == answer.findings


def test_every_citation_is_a_slice_of_its_own_passage():
    answer, _ = drive([draft(GOOD, ALSO_GOOD, WHOLE)])
    by_id = {passage.id: passage.text for passage in PASSAGES}
    citations = [c for s in answer.statements for c in s.citations]
    assert 3 == len(citations)
    for citation in citations:
        assert citation.quote == by_id[citation.passage_id][citation.start : citation.end]
        assert citation.context_start <= citation.start < citation.end <= citation.context_end


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (INVENTED_ID, "unknown_source"),
        (INVENTED_QUOTE, "quote_not_found"),
        (INVENTED_FIGURE, "number_mismatch"),
        (SHORT, "quote_too_short"),
        (NO_QUOTE, "empty_quote"),
        (LINK, "link_in_text"),
    ],
)
def test_a_bad_statement_falls_alone(bad, reason):
    answer, _ = drive([draft(GOOD, bad, ALSO_GOOD)])
    assert "answered" == answer.status
    assert [GOOD["text"], ALSO_GOOD["text"]] == [s.text for s in answer.statements]
    assert [(reason, 1)] == [(f.reason, f.index) for f in answer.findings]


def test_a_misattributed_quote_is_moved_and_checked_against_its_own_passage():
    answer, effects = drive([draft(GOOD, MISATTRIBUTED)])
    assert "policy#3" == answer.statements[1].citations[0].passage_id
    assert [("misattributed", True)] == [(f.reason, f.kept) for f in answer.findings]
    assert PASSAGES[2].text in {pair.premise for pair in effects[1].pairs}


def test_strict_does_not_move_a_misattributed_quote():
    answer, _ = drive([draft(GOOD, MISATTRIBUTED)], policy=Policy.strict())
    assert ("withheld", "strict_policy") == (answer.status, answer.reason)
    assert () == answer.statements
    assert ["misattributed", "strict_policy"] == reasons(answer)


def test_a_whole_sentence_of_the_passage_needs_no_judge():
    answer, effects = drive([draft(WHOLE)])
    assert "whole_sentence" == answer.statements[0].entailment.how
    assert [Generate] == [type(effect) for effect in effects]


def test_the_second_prompt_names_what_failed_and_keeps_what_stood():
    answer, effects = drive([draft(INVENTED_ID, ALSO_GOOD), draft(GOOD)])
    second = effects[2].request.prompt
    assert "S9" in second.user
    assert "unknown_source" in second.user or "does not exist" in second.user
    assert [GOOD["text"], ALSO_GOOD["text"]] == [s.text for s in answer.statements]
    assert ("answered", 2) == (answer.status, answer.attempts)
    assert Usage(20, 10) == answer.usage


def test_the_second_prompt_shows_the_text_that_a_refused_statement_was_quoted_from():
    def contradicts(pairs):
        return [Verdict("contradicted" if p.claim == GOOD["text"] else "supported") for p in pairs]

    answer, effects = drive([draft(GOOD, ALSO_GOOD), draft(WHOLE)], contradicts)
    lines = effects[2].request.prompt.user.splitlines()
    told = next(json.loads(line) for line in lines if line.startswith("{"))
    assert ("the passage says otherwise", "S1") == (told["failed_because"], told["passage"])
    assert PASSAGES[0].text == told["closest_real_text"]
    assert [PASSAGES[0].text] == [f.nearest for f in answer.findings]


def test_of_a_long_run_of_sentences_only_the_quote_itself_is_shown():
    text = (
        "It says " + "so and so, " * 60 + "water damage from a burst pipe is covered, " * 2 + "too."
    )
    said = {**GOOD, "text": "Pipes.", "quote": "water damage from a burst pipe is covered"}
    answer, _ = drive(
        [draft(said)] * 2,
        lambda pairs: [Verdict("partial")] * len(pairs),
        passages=[Passage("p", text)],
    )
    assert {said["quote"]} == {f.nearest for f in answer.findings}


def test_a_statement_whose_text_is_no_string_is_named_by_its_place():
    _, effects = drive([draft(INVENTED_ID, {**GOOD, "text": 5}), draft(GOOD)])
    lines = effects[1].request.prompt.user.splitlines()
    told = [json.loads(line) for line in lines if line.startswith("{")]
    assert [None, 2] == [line.get("statement_number") for line in told]
    assert [INVENTED_ID["text"], None] == [line.get("statement") for line in told]


ELSEWHERE = {**ALSO_GOOD, "sources": ["S4"]}
STOPPED = {**ALSO_GOOD, "quote": ALSO_GOOD["quote"] + "."}
FOUR = (*PASSAGES, Passage("policy#4", f"{PASSAGES[2].text} This is also said here."))


@pytest.mark.parametrize("text", [ALSO_GOOD["text"], f" {ALSO_GOOD['text']}\n"])
def test_a_kept_statement_that_is_said_again_is_shown_once(text):
    again = {**STOPPED, "text": text}
    answer, _ = drive([draft(INVENTED_ID, ALSO_GOOD), draft(GOOD, again)])
    assert [GOOD["text"], ALSO_GOOD["text"]] == [s.text.strip() for s in answer.statements]
    assert [STOPPED["quote"]] == [c.quote for c in answer.statements[1].citations]


def test_what_a_kept_statement_was_proved_by_is_not_lost_where_it_is_said_again():
    replies = [draft(INVENTED_ID, ALSO_GOOD), draft(GOOD, ELSEWHERE)]
    answer, _ = drive(replies, passages=FOUR)
    assert [GOOD["text"], ALSO_GOOD["text"]] == [s.text for s in answer.statements]
    assert ["policy#4", "policy#3"] == [c.passage_id for c in answer.statements[1].citations]


def test_a_kept_statement_that_fails_when_it_is_said_again_stays():
    failing = {**ALSO_GOOD, "quote": "This quote stands in no passage at all"}
    answer, _ = drive([draft(INVENTED_ID, ALSO_GOOD), draft(GOOD, failing)])
    assert [GOOD["text"], ALSO_GOOD["text"]] == [s.text for s in answer.statements]


def test_a_repetition_without_a_verdict_takes_none_from_what_was_verified():
    verdicts = iter([[Verdict("supported", 0.9)], [Verdict("supported"), Verdict("not_judged")]])
    replies = [draft(INVENTED_ID, ALSO_GOOD), draft(GOOD, STOPPED)]
    answer, _ = drive(replies, lambda _: next(verdicts), policy=Policy.internal())
    assert [True, True] == [s.verified for s in answer.statements]
    assert [ALSO_GOOD["quote"]] == [c.quote for c in answer.statements[1].citations]


def test_a_draft_that_never_came_tells_how_it_was_asked_for():
    error = DraftFormatError("two replies")
    error.response_format = "json_schema"
    answer, _ = drive([draft(INVENTED_ID, ALSO_GOOD), error])
    assert "json_schema" == answer.response_format


def test_the_core_lost_twice_is_not_found_with_the_closest_passages():
    answer, effects = drive([draft(INVENTED_QUOTE, ALSO_GOOD), draft(INVENTED_FIGURE)])
    assert ("not_found", "core_lost") == (answer.status, answer.reason)
    assert () == answer.statements
    assert "policy#1" == answer.closest[0].passage_id
    assert 2 == sum(isinstance(effect, Generate) for effect in effects)
    assert "core_lost" in reasons(answer)  # the one that stood is not lost in silence


def test_all_citations_fabricated_is_in_the_trace():
    answer, _ = drive([draft(INVENTED_ID), draft(INVENTED_ID)])
    parsed = [event for event in answer.trace if event.name == "parsed"]
    assert [True, True] == [event.data["all_fabricated"] for event in parsed]
    assert "nothing_survived" == answer.reason


def test_not_found_is_taken_at_its_word():
    answer, effects = drive([draft(status="not_found")])
    assert ("not_found", "model_said_not_found", 1) == (
        answer.status,
        answer.reason,
        answer.attempts,
    )
    assert 1 == len(effects)
    assert answer.closest


def test_no_passage_with_text_calls_no_model():
    answer, effects = drive([], passages=[Passage("a", "  ")])
    assert ("not_found", "no_passages", []) == (answer.status, answer.reason, effects)


def test_one_id_for_two_texts_is_an_error():
    with pytest.raises(InputError, match="'a'"):
        drive([], passages=[Passage("a", "One text."), Passage("a", "Another text.")])


def test_equal_texts_keep_both_origins():
    twins = [PASSAGES[0], Passage("copy", PASSAGES[0].text)]
    answer, _ = drive([draft(GOOD)], passages=twins)
    assert ["policy#1", "copy"] == [c.passage_id for c in answer.statements[0].citations]


def test_an_alias_that_does_not_hold_the_quote_is_cut_off():
    answer, _ = drive([draft({**GOOD, "sources": ["S1", "S2"]})])
    assert ["policy#1"] == [c.passage_id for c in answer.statements[0].citations]


def test_markers_in_the_text_are_cut():
    answer, _ = drive(
        [draft({**GOOD, "text": "Burst pipes are insured up to 12,000 euros [S1][S9]."})]
    )
    assert "Burst pipes are insured up to 12,000 euros." == answer.statements[0].text


@pytest.mark.parametrize("error", [DraftFormatError("x"), TruncatedError("x")])
def test_a_reply_of_the_wrong_shape_is_asked_for_once_more(error):
    answer, _ = drive([error, draft(GOOD)])
    assert ("answered", 2) == (answer.status, answer.attempts)
    assert -1 == answer.findings[0].index


@pytest.mark.parametrize(
    ("replies", "kind"),
    [
        ([RefusedError("x")], RefusedError),
        ([ProviderError("x")], ProviderError),
        ([DraftFormatError("x"), DraftFormatError("x")], DraftFormatError),
        ([TruncatedError("x"), ProviderError("x")], ProviderError),
        ([Reply("prose"), Reply("more prose")], DraftFormatError),
    ],
)
def test_no_usable_draft_at_all_is_an_error(replies, kind):
    with pytest.raises(kind):
        drive(replies)


def test_strict_does_not_ask_again_after_a_bad_format():
    with pytest.raises(DraftFormatError):
        drive([DraftFormatError("x"), draft(GOOD)], policy=Policy.strict())


def test_a_provider_that_dies_in_the_second_round_loses_no_finding():
    answer, _ = drive([draft(INVENTED_QUOTE), ProviderError("down")])
    assert ("not_found", "nothing_survived") == (answer.status, answer.reason)
    assert ["quote_not_found", "provider_error"] == reasons(answer)


@pytest.mark.parametrize(
    "judge",
    [
        lambda pairs: [Verdict("not_judged", reason="judge_timeout")] * len(pairs),
        lambda pairs: [],
        lambda pairs: ["supported"] * len(pairs),
        lambda pairs: [Verdict("supported")] * (len(pairs) + 1),
        lambda pairs: [Verdict("yes")] * len(pairs),
    ],
)
def test_no_usable_verdict_withholds(judge):
    answer, _ = drive([draft(GOOD)], judge)
    assert ("withheld", "judge_unavailable") == (answer.status, answer.reason)
    assert () == answer.statements
    assert ["not_judged"] == reasons(answer)
    assert answer.closest


def test_what_was_judged_is_kept_when_the_judge_dies_half_way():
    half = [Verdict("supported"), Verdict("not_judged", reason="judge_error")]
    answer, _ = drive([draft(GOOD, ALSO_GOOD)], lambda pairs: half)
    assert [GOOD["text"]] == [s.text for s in answer.statements]
    assert ["not_judged"] == reasons(answer)


@pytest.mark.parametrize("count", [1, 3])
def test_one_verdict_too_few_or_too_many_counts_for_none(count):
    """Nothing says which of the statements it was that the judge left out."""
    answer, _ = drive([draft(GOOD, ALSO_GOOD)], lambda pairs: [Verdict("supported")] * count)
    assert ("withheld", "judge_unavailable") == (answer.status, answer.reason)
    assert ["not_judged", "not_judged"] == reasons(answer)


def test_more_statements_than_asked_for_are_dropped():
    answer, _ = drive(
        [draft(GOOD, ALSO_GOOD)],
        lambda pairs: [Verdict("supported")] * len(pairs),
        policy=Policy(max_statements=1),
    )
    assert [GOOD["text"]] == [s.text for s in answer.statements]
    assert ["too_many"] == reasons(answer)


def test_internal_shows_unjudged_text_and_says_so():
    answer, _ = drive([draft(GOOD)], lambda pairs: [], policy=Policy.internal())
    assert ("answered", False) == (answer.status, answer.statements[0].verified)
    assert "unverified" == answer.statements[0].entailment.how
    assert [("not_judged", True)] == [(f.reason, f.kept) for f in answer.findings]


def test_internal_still_drops_what_a_gate_or_the_judge_refused():
    refuse = lambda pairs: [Verdict("contradicted")] * len(pairs)  # noqa: E731
    replies = [draft(GOOD, INVENTED_QUOTE), draft(GOOD, INVENTED_FIGURE)]
    answer, _ = drive(replies, refuse, policy=Policy.internal())
    assert ("not_found", ()) == (answer.status, answer.statements)


labels = st.sampled_from(["supported", "partial", "contradicted", "not_addressed", "not_judged"])
outcomes = st.one_of(
    st.lists(st.sampled_from(POOL), max_size=6).map(lambda pool: draft(*pool)),
    st.just(draft(status="not_found")),
    st.sampled_from(
        [RefusedError("x"), TruncatedError("x"), DraftFormatError("x"), ProviderError("x")]
    ),
    st.text(max_size=40).map(Reply),
)


@given(
    st.lists(outcomes, min_size=4, max_size=4),
    st.lists(labels, min_size=1, max_size=12),
    st.integers(-2, 2),
    st.sampled_from([Policy.balanced(), Policy.strict(), Policy.internal()]),
)
def test_no_schedule_shows_a_failed_statement_or_drafts_a_third_time(
    replies, schedule, surplus, policy
):
    generations, verdicts = [], {}

    def judge(pairs):
        given_ = []
        for pair in pairs:
            label = schedule[len(verdicts) % len(schedule)]
            verdicts.setdefault((pair.premise, pair.claim), []).append(label)
            given_.append(Verdict(label))
        return given_[:surplus] if surplus < 0 else given_ + [Verdict("supported")] * surplus

    try:
        answer, effects = drive(replies, judge, policy=policy)
    except GenerationError:
        return
    generations = [effect for effect in effects if isinstance(effect, Generate)]
    assert len(generations) == answer.attempts <= 2
    if answer.status != "answered":
        assert () == answer.statements
    for statement in answer.statements:
        _assert_stands(statement, verdicts, policy)


def _assert_stands(statement, verdicts, policy):
    texts = {passage.id: passage.text for passage in PASSAGES}
    assert statement.text not in NEVER_SHOWN
    assert statement.citations
    for citation in statement.citations:
        text = texts[citation.passage_id]
        assert citation.quote == text[citation.start : citation.end]
        if statement.entailment.how == "whole_sentence":
            assert statement.text in text
        elif statement.entailment.how == "judge":
            assert "supported" in verdicts[text, statement.text]
        else:
            assert policy.show_unverified
            assert not statement.verified


TWICE = "The cap for theft of bicycles is"
CAPPED = {"text": "For bicycles the cap is 500 euros.", "sources": ["S1", "S2"], "quote": TWICE}
CAP = "The cap for theft of bicycles is 500 euros a year."


def contradicting(pairs):
    return [Verdict("contradicted" if "wrong" in p.premise else "supported") for p in pairs]


@pytest.mark.parametrize(
    ("other", "told", "strict"),
    [
        ("The cap for theft of bicycles is 700 euros.", "numbers.number_mismatch", "withheld"),
        (f"{CAP} So said the leaflet, which is wrong.", "entailment.contradicted", "withheld"),
        ("The cap for theft of bicycles is told below.", "numbers.number_missing", "answered"),
        ("Hail is covered up to 500 euros.", "quotes.quote_not_found", "answered"),
    ],
)
def test_a_source_that_is_cut_off_is_told_and_under_strict_one_that_says_otherwise_withholds(
    other, told, strict
):
    passages = [Passage("a", CAP), Passage("b", other)]
    for policy, status in ((Policy.balanced(), "answered"), (Policy.strict(), strict)):
        answer, _ = drive([draft(CAPPED)], contradicting, passages=passages, policy=policy)
        assert status == answer.status
        kept = [finding for finding in answer.findings if finding.kept]
        assert [told] == [f"{finding.check}.{finding.reason}" for finding in kept]
        assert ["b"] == [finding.passage_id for finding in kept]
        assert all(word not in kept[0].message for word in ("cap", "700", "Hail", "leaflet"))
        cited = [c.passage_id for s in answer.statements for c in s.citations]
        assert cited == (["a"] if status == "answered" else [])
    assert answer.status == "answered" or answer.reason == "strict_policy"


def test_where_all_sources_agree_nothing_is_cut_and_strict_answers():
    passages = [Passage("a", CAP), Passage("b", f"{CAP} Hail is too.")]
    answer, _ = drive([draft(CAPPED)], passages=passages, policy=Policy.strict())
    assert ("answered", ()) == (answer.status, answer.findings)
    assert ["a", "b"] == [c.passage_id for c in answer.statements[0].citations]
