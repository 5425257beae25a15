"""Checking an answer that something else wrote."""

from __future__ import annotations

import json

import pytest

from groundedgen import Passage, Policy, verify
from groundedgen.errors import InputError
from groundedgen.testing import ScriptedJudge

PASSAGES = [
    Passage("policy", "Water damage from a burst pipe is covered. Floods are not covered."),
    Passage("terms", "The deductible is 500 euros per loss and at most 2,000 euros a year."),
]


def check(text, judge="supported", **arguments):
    return verify(text, PASSAGES, judge=ScriptedJudge(judge), **arguments)


def reasons(answer):
    return [finding.reason for finding in answer.findings if not finding.kept]


def texts(answer):
    return [statement.text for statement in answer.statements]


def test_a_cited_sentence_is_held_against_the_closest_sentence_of_its_passage():
    answer = check("The yearly deductible is at most 2,000 euros [2].")
    (citation,) = answer.statements[0].citations
    assert ("terms", PASSAGES[1].text) == (citation.passage_id, citation.quote)


def test_markers_count_passages_as_passed_even_past_a_blank_one():
    answer = verify(
        "The deductible is 500 euros per loss [2].",
        [Passage("blank", " "), PASSAGES[1]],
        judge=ScriptedJudge("supported"),
    )
    assert ["terms"] == [c.passage_id for c in answer.statements[0].citations]


@pytest.mark.parametrize("marker", ["[2]", "[S2]", "[terms]", "[1, 2]"])
def test_a_marker_may_be_a_number_an_alias_or_an_id(marker):
    answer = check(f"The deductible is 500 euros per loss {marker}.")
    assert ["The deductible is 500 euros per loss."] == texts(answer)
    assert "terms" in [c.passage_id for c in answer.statements[0].citations]


def test_a_marker_behind_the_full_stop_belongs_to_the_sentence_before():
    answer = check("The deductible is 500 euros per loss. [2] Floods are not covered. [1]")
    assert ["The deductible is 500 euros per loss.", "Floods are not covered."] == texts(answer)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Floods are not covered.", "no_source"),
        ("Floods are not covered [7].", "unknown_source"),
        ("The deductible is 50 euros per loss [2].", "number_mismatch"),
        ('It says "all floods are covered without any limit" [1].', "quote_not_found"),
        ("It says «all floods are covered without any limit» [1].", "quote_not_found"),
        ("Zebras graze quietly [1].", "quote_not_found"),
    ],
)
def test_what_fails_is_dropped_with_its_reason(text, reason):
    answer = check(text)
    assert ("not_found", ()) == (answer.status, answer.statements)
    assert reason in reasons(answer)


def test_what_the_judge_refuses_is_dropped():
    answer = check("The deductible may be waived by the insurer [2].", judge="not_addressed")
    assert ["not_addressed"] == reasons(answer)


def test_a_sentence_without_a_marker_does_not_take_the_others_with_it():
    answer = check("Here is what I found. The deductible is 500 euros per loss [2].")
    assert ("answered", 1) == (answer.status, len(answer.statements))
    assert ["no_source"] == reasons(answer)


def test_strict_withholds_for_one_sentence():
    text = "Here is what I found. The deductible is 500 euros per loss [2]."
    assert "withheld" == check(text, policy=Policy.strict()).status


BURST = "Water damage from a burst pipe is covered."


@pytest.mark.parametrize(
    "text",
    [
        f"**{BURST}** [1]",
        f"- {BURST} [1]",
        f"# Cover\r\n\r\n{BURST} [1]",
        f"> {BURST} [1]",
        f"{BURST} [^1]\n\n[^1]: Policy, p. 3",
        "According to [1], water damage from a burst pipe is covered.",
        "Water damage from a burst pipe is covered (see [1]).",
    ],
)
def test_markdown_and_phrases_about_the_source_leave_a_statement_as_it_reads(text):
    answer = verify(text, PASSAGES, policy=Policy.strict())
    assert ([BURST], ()) == (texts(answer), answer.findings)


def test_what_leads_into_a_list_is_not_lost():
    answer = verify("The policy covers:\n\n- floods [1]", PASSAGES)
    assert () == answer.statements
    assert ["The policy covers: floods"] == [finding.statement for finding in answer.findings]


def test_lists_nested_deeper_than_anybody_reads_are_an_error():
    text = "\n".join(f"{'  ' * depth}- so:" for depth in range(20)) + f"\n{'  ' * 20}- it is [1]"
    with pytest.raises(InputError, match="verify"):
        check(text)


DRAFT = {
    "status": "answered",
    "statements": [
        {
            "text": "At most 2,000 euros a year.",
            "sources": ["S2"],
            "quote": "at most 2,000 euros a year",
        }
    ],
}


@pytest.mark.parametrize("form", [DRAFT, json.dumps(DRAFT)])
def test_a_draft_is_checked_as_one(form):
    assert ["At most 2,000 euros a year."] == texts(check(form))


@pytest.mark.parametrize("bad", [5, None, {"a": object()}, {"status": "perhaps"}, '{"status":'])
def test_what_cannot_be_read_is_a_clear_error(bad):
    with pytest.raises(InputError, match="verify"):
        check(bad)


@pytest.mark.parametrize("text", ["", "   ", "[1]", "[1][2]", "# Heading", "\ud800 [1]."])
def test_odd_texts_never_raise(text):
    assert "answered" != check(text).status
