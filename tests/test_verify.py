"""Checking an answer that something else wrote."""

from __future__ import annotations

import json

import pytest

from groundedgen import Passage, Policy, render, verify
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


LOAN = [
    Passage(
        "loan",
        "After 6 missed payments we may issue a default notice. The fee is 5 euros. Unpaid fees "
        "attract interest at 5% a year.",
        title="Loan terms",
    ),
    Passage("close", "You may close your account at any time without charge.", title="Terms"),
]
TOPICS = [
    "## Arrears\n\n", "# Loans\n\n", "# Loan terms\n\n", "## What happens if I miss payments?\n\n",
    "**Arrears**\n\n", "**Arrears:**\n\n", "**Arrears:** ", "**Arrears.** ", "Arrears:\n\n- ",
    "- **Default notice:** ", "- **Default notice**: ", "1. **Default notice** \u2013 ",
    "# Loans\n\n## New loans\n\n- ", "## \u2705 Next steps\n\n", "### 1. Closing an account\n\n",
]  # fmt: skip
TURNING = [
    "## Exclusions\n\n", "**Not covered:** ", "**Myth:** ", "Myths:\n\n- ", "# \u274c Loans\n\n",
    "## Exclusions\n\n### Loans\n\n", "**It is untrue that:** ", "## What the customer claims\n\n",
    "**Example:** ", "**Old rule:** ", "Nobody says:\n\n- ", "**The bank never does this:** ",
]  # fmt: skip


@pytest.mark.parametrize("heading", TOPICS)
@pytest.mark.parametrize(
    "sentence",
    [
        "After 6 missed payments we may issue a default notice.",
        "Unpaid fees attract interest at 5% a year.",
    ],
)
def test_the_heading_of_a_topic_is_no_part_of_a_whole_sentence(heading, sentence):
    assert [sentence] == texts(verify(f"{heading}{sentence} [1]", LOAN))


@pytest.mark.parametrize("heading", TURNING)
def test_what_turns_a_sentence_round_is_not_taken_off_it(heading):
    answer = verify(f"{heading}Unpaid fees attract interest at 5% a year. [1]", LOAN)
    assert [] == texts(answer)


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("Arrears:\n\n- interest at 5% a year [1]", "Arrears: interest at 5% a year"),
        ("**Arrears:** They attract interest. [1]", "Arrears: They attract interest."),
        ("**Card:** The fee is 5 euros. [1]", "Card: The fee is 5 euros."),
        ("**You may:** Pay the fee of 5 euros. [1]", "You may: Pay the fee of 5 euros."),
    ],
)
def test_a_fragment_and_what_points_to_its_label_keep_it(text, statement):
    answer = verify(text, LOAN)
    told = [f.statement for f in answer.findings] + [s.text for s in answer.statements]
    assert told == [statement]


@pytest.mark.parametrize(
    "between",
    [
        "We do not lend to you if you:\n\n- are bankrupt [1]\n- are under 18 [1]\n\n",
        "**Eligibility.** Lenders look at your payments. [1]\n\n",
        "**Eligibility:** Lenders look at your payments. [1]\n\n",
    ],
)
@pytest.mark.parametrize(
    ("block", "expected"),
    [
        ("| Fee | Rate |\n|---|---|\n| Late | 5% [1] |\n", "Fee: Late; Rate: 5%"),
        ("Fees attract interest. [1]", "Fees attract interest."),
        ("> Fees attract interest. [1]", "Fees attract interest."),
        ("# Fees\n\nYou pay a fee. [1]", "You pay a fee."),
    ],
)
def test_what_leads_into_a_list_or_a_paragraph_ends_with_it(between, block, expected):
    answer = verify(between + block, LOAN)
    told = [f.statement for f in answer.findings] + [s.text for s in answer.statements]
    assert expected in told


def test_a_label_of_a_paragraph_does_not_lead_into_a_list_behind_it():
    answer = verify("**Fees.** We look. [1]\n\n1. Card: 5 euros [1]\n2. Post: 9 euros [1]", LOAN)
    told = [f.statement for f in answer.findings] + [s.text for s in answer.statements]
    assert {"Card: 5 euros", "Post: 9 euros"} <= set(told)


def test_a_table_that_a_lead_governs_keeps_it():
    answer = verify("Not covered:\n\n| Fee | Rate |\n|---|---|\n| Late | 5% [1] |\n", LOAN)
    assert ["Not covered: Fee: Late; Rate: 5%"] == [f.statement for f in answer.findings]


@pytest.mark.parametrize("definition", ["Terms", "*Terms*.", "Terms, section C"])
def test_a_footnote_with_a_title_is_read_as_its_passage(definition):
    text = f"You may close your account at any time without charge.[^t]\n\n[^t]: {definition}\n"
    answer = verify(text, LOAN)
    assert answer.statements[0].citations[0].passage_id == "close"
    assert answer.findings == ()


@pytest.mark.parametrize("definition", ["Elsewhere", "See there", ""])
def test_a_footnote_that_names_no_passage_is_an_unknown_source(definition):
    said = "You may close your account at any time without charge."
    [finding] = verify(f"{said}[^terms]\n\n[^terms]: {definition}\n", LOAN).findings
    assert (finding.reason, finding.details) == ("unknown_source", ("[^terms]",))


@pytest.mark.parametrize("label", ["B.3", "A.1.2", "3.3", "B3.", "Note:", "**Note:**", "NB:"])
@pytest.mark.parametrize("above", ["", "Cards are sent by post.\n\n"])
def test_the_label_of_a_clause_is_no_part_of_its_sentence(label, above):
    sentence = "We do not charge a fee for closing an account."
    answer = verify(f"{sentence} [1]", [Passage("b", f"{above}{label} {sentence}")])
    assert [sentence] == [statement.text for statement in answer.statements]


def test_a_note_still_limits_what_stands_before_it():
    passage = Passage("b", "We pay for theft of bicycles. Note: repealed.")
    assert () == verify("We pay for theft of bicycles. [1]", [passage]).statements


def test_an_answer_is_sent_to_the_function_that_checks_it():
    answer = verify("You may close your account at any time without charge. [2]", LOAN)
    with pytest.raises(InputError, match=r"reverify\(answer, passages\)"):
        verify(answer, LOAN)


@pytest.mark.parametrize("question", [5, None, b"What?", ["What?"]])
def test_a_question_that_is_no_text_is_a_clear_error(question):
    with pytest.raises(InputError, match="question must be a text") as caught:
        verify("Nothing. [1]", LOAN, question=question)
    assert caught.value.code == "bad_question"


@pytest.mark.parametrize("format_", ["text", "markdown", "html", "json"])
def test_without_a_question_nothing_is_told_of_one(format_):
    unasked = render(verify("Nothing here is so. [1]", LOAN), format=format_)
    assert "Nothing in this text could be verified in the sources." in unasked
    assert "question." not in unasked
    asked = render(verify("Nothing here is so. [1]", LOAN, question="What?"), format=format_)
    assert "answers this question." in asked
