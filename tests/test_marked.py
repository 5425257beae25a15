"""Sentences of someone else's answer, each with the markers that are its own."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundedgen import marked
from groundedgen.aliases import assign
from groundedgen.passages import Passage
from groundedgen.text.markdown.flattening import evened
from tests.growth import LINEAR, factor

PASSAGES = [
    Passage("a", "Fire is covered by this policy in full."),
    Passage("b-2", "Floods are not covered by this policy at all."),
]


def read(text):
    return marked.read(evened(text), PASSAGES, assign(PASSAGES), min_words=5)


def sources(text):
    """Text and aliases of each sentence, an empty tuple for one without a source."""
    answered = read(text)
    found = [(s.index, s.text, s.aliases) for s in answered.statements]
    found += [(f.index, f.statement, ()) for f in answered.findings]
    return [(text, aliases) for _, text, aliases in sorted(found)]


FIRE, FLOOD = "Fire is covered in full.", "Floods are not covered at all."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{FIRE} [1] {FLOOD} [2]", [(FIRE, ("S1",)), (FLOOD, ("S2",))]),
        (f"{FIRE}[1] {FLOOD}[2]", [(FIRE, ("S1",)), (FLOOD, ("S2",))]),
        (f"{FIRE} [1][2] {FLOOD}", [(FIRE, ("S1", "S2")), (FLOOD, ())]),
        (f"{FIRE}\n[1] [2]\n{FLOOD} [2]", [(FIRE, ("S1", "S2")), (FLOOD, ("S2",))]),
        (f"[1] {FIRE} [2] {FLOOD}", [(FIRE, ("S1", "S2")), (FLOOD, ())]),
        (f"[1] {FIRE}\n[2] {FLOOD}", [(FIRE, ("S1",)), (FLOOD, ("S2",))]),
        (f"[1]: {FIRE}\n[2]: {FLOOD}", [(FIRE, ("S1",)), (FLOOD, ("S2",))]),
        (f"{FIRE}\n\n[2] {FLOOD}", [(FIRE, ()), (FLOOD, ("S2",))]),
        (f"- [1] {FIRE}\n- [2] {FLOOD}", [(FIRE, ("S1",)), (FLOOD, ("S2",))]),
        (f"{FIRE} Floods are not [2] covered at all [2].", [(FIRE, ()), (FLOOD, ("S2",))]),
        (f"**{FIRE}** [1] *{FLOOD}* [2]", [(FIRE, ("S1",)), (FLOOD, ("S2",))]),
        (f"**{FIRE} [1]** __{FLOOD}__<sup>[2]</sup>", [(FIRE, ("S1",)), (FLOOD, ("S2",))]),
        (f"{FIRE} ([1]) {FLOOD} (Source: [2])", [(FIRE, ("S1",)), (FLOOD, ("S2",))]),
        (f"Fire is covered in full [1]. [1] {FLOOD} (b-2)", [(FIRE, ("S1",)), (FLOOD, ("S2",))]),
        ("Fire is covered in full \\[1\\].", [(FIRE, ("S1",))]),
        (f"{FIRE} [[1]](https://a.example) {FLOOD} [2](#two)", [(FIRE, ("S1",)), (FLOOD, ("S2",))]),
        (f"{FIRE}【1】{FLOOD}［2］", [(FIRE, ("S1",)), (FLOOD, ("S2",))]),
    ],
)
def test_markers_belong_to_the_sentence_they_stand_in_or_behind(text, expected):
    assert expected == sources(text)


ITEMS = [
    f"- {FIRE} [1]\n- {FLOOD} [2]",
    f"* {FIRE} [1]\n+ {FLOOD} [2]",
    f"1. {FIRE} [1]\n2. {FLOOD} [2]",
    f"1) {FIRE} [1]\r\n2) {FLOOD} [2]\r\n",
    f"    - {FIRE} [1]\n    - {FLOOD} [2]",
    f"# Covered\n\n{FIRE} [1]\n\n## Colours\n\n{FLOOD} [2]",
    f"1. **Fire**\n   - {FIRE} [1]\n2. **Floods**\n   1. {FLOOD} [2]",
    f"- **Fire:** {FIRE} [1]\n- **Floods**: {FLOOD} [2]",
    f"> {FIRE} [1]\n\n> {FLOOD}\n> — The policy, p. 3 [2]",
    f"[1] says:\n\n> {FIRE}\n\n{FLOOD} [2]",
    f"{FIRE} [1]<br>{FLOOD} [2]",
    f"<ul><li>{FIRE} [1]</li><li><b>{FLOOD}</b> [2]</li></ul>",
    f"| What | Rule |\n|---|---|\n| Fire | {FIRE} [1] |\n| Floods | {FLOOD} [2] |\n",
    f"| What | Rule | Source |\n|:-:|--:|--|\n| Fire | {FIRE} | [1] |\n| Flood | {FLOOD} | [2] |",
    f"```markdown\n{FIRE} [1]\n{FLOOD} [2]\n```",
    f"Answer: {FIRE} [1]\n\n**The policy says:** {FLOOD} [2]",
    f"[Fire](https://a.example) is covered in full. [1]\n\n---\n\n`{FLOOD}` [2]",
]


@pytest.mark.parametrize("text", ITEMS)
def test_a_statement_is_the_text_of_its_item_and_not_the_marks_of_markdown(text):
    assert [(FIRE, ("S1",)), (FLOOD, ("S2",))] == sources(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Not covered:\n- floods [2]\n- war [2]", ["Not covered: floods", "Not covered: war"]),
        ("## Not covered\n\n- Floods [2]", ["Not covered: Floods"]),
        ("We do not pay for: [2]\n- floods", ["We do not pay for: floods"]),
        ("**Myth:** Fire is covered. [1]", ["Myth: Fire is covered."]),
        ("Theft:\n- The damage is covered. [1]", ["Theft: The damage is covered."]),
        ("| Peril | Not covered |\n|-|-|\n| Ice | yes [2] |", ["Peril: Ice; Not covered: yes"]),
        ("| Risk | Not ours |\n|-|-|\n| Ice | Ice is. [1] |", ["Risk: Ice; Not ours: Ice is."]),
        ("> 30 days of notice are due. [1]", ["> 30 days of notice are due."]),
        ("> 4. Pets are not welcome. [1]", ["4. Pets are not welcome."]),
    ],
)  # fmt: skip
def test_what_turns_round_or_bounds_a_statement_stays_with_it(text, expected):
    assert expected == [text for text, _ in sources(text)]


def test_a_marker_behind_a_quote_is_that_of_all_its_sentences():
    expected = [(FIRE, ("S1",)), (FLOOD, ("S1",))]
    assert expected == sources(f"> {FIRE} {FLOOD} [1]")
    assert expected == sources(f"> {FIRE}\n> {FLOOD}\n>\n> — Policy [1]")


@pytest.mark.parametrize(
    "text",
    ["# Heading", "**Heading**", "The policy says:", "Is fire covered?", "Covered:\n\n---\n"],
)
def test_what_claims_nothing_is_no_statement(text):
    assert [] == sources(text)


@pytest.mark.parametrize("text", [FIRE, f"- {FIRE}", "Not covered.", "Yes.", f"`x = [1]` {FIRE}"])
def test_a_claim_without_a_source_is_told(text):
    assert ["no_source"] == [finding.reason for finding in read(text).findings]


def test_code_holds_no_markers():
    text = f"So:\n\n```\n{FIRE} [1]\n```\n"
    assert {"no_source"} == {finding.reason for finding in read(text).findings}


@pytest.mark.parametrize("text", ["It is ~~not~~ so [1].", "It is <del>not</del> so [1]."])
def test_what_would_be_shown_struck_out_is_no_statement(text):
    assert ["struck_text"] == [finding.reason for finding in read(text).findings]


@pytest.mark.parametrize(
    "text",
    [
        "Laut [1] ist Feuer versichert.",
        "Both [1] and [2] cover fire.",
        "While [1] covers fire, [2] does not.",
        "Contrary to [1], fire is covered.",
        "[1] covers fire.",
        "[1] does not state that fire is covered.",
        "Fire is covered except as stated in [1].",
    ],
)
def test_a_sentence_that_is_broken_without_its_marker_is_no_statement(text):
    assert ["marker_in_text"] == [finding.reason for finding in read(text).findings]


def test_hidden_characters_are_taken_out_before_the_check():
    assert [(FIRE, ("S1",))] == sources("Fi\u200bre is \u202ecovered\u202c in full. [1]")


def test_a_statement_of_any_length_is_told_in_short():
    (finding,) = read(f"{'fire ' * 2_000}[1].").findings
    assert ("too_long", 200) == (finding.reason, len(finding.statement))


_PARTS = f"""{FIRE}|{FLOOD}|Fire|is|[1]|[2]|[^1]|[7]|\n|\n\n|- |1. |> |# |**|*|_|`|```\n|<br>
<li>|~~|According to |(see |)|, |. |:|[^1]: |Sources:\n|\\|    |\u202e|](https://a.example)|\r\n""".split(
    "|"
)
_parts = st.sampled_from([*_PARTS, "|", "\n|-|-|\n", "| a | b |"])


@given(st.lists(_parts, max_size=25).map("".join))
def test_any_text_can_be_read_and_no_marker_is_shown(text):
    answered = read(text)
    assert answered.total == len(answered.statements) + len(answered.findings)
    for statement in answered.statements:
        assert not any(sign in statement.text for sign in ("[1]", "[2]", "[7]", "\u202e", "\n"))
        assert statement.text == statement.text.strip() != ""


UNITS = [
    "Fire is covered [1]. ",
    '"Fire is ',
    "Fire is. ",
    "- a [1]\n",
    "> Fire is [1].\n\n",
    "[1]",
]
UNITS += [
    "| a | b |\n",
    "|-|-|\n",
    "**a** [1] ",
    "According to [1], ",
    "see [1], ",
    "# a\n",
    "[^1]: a\n",
]
UNITS += [
    "<br>",
    "<sup>[1]</sup>",
    "Sources:\n[1] a\n",
    "[a](https://b.example) ",
    "\\*",
    "  - a:\n",
    ", ",
]


@pytest.mark.parametrize("unit", UNITS)
def test_time_to_read_grows_with_the_text(unit):
    assert (
        factor(lambda text: marked._sentences(evened(text), ("a", "b-2")), unit, size=3_000)
        < LINEAR
    )


TITLES = st.lists(
    st.sampled_from(["Home", "cover", "and", "loan", "terms", "Fees", "new"]), max_size=4
)


@given(
    st.sampled_from(["# {}\n\n", "**{}**\n\n", "**{}:** ", "- **{}**: ", "{}:\n\n- "]),
    TITLES,
    st.sampled_from(["Exclusions", "Not covered", "Myths", "Never", "Except", "Unless", "Denied"]),
    TITLES,
)
def test_no_word_in_a_title_hides_one_that_turns_it_round(form, before, turning, behind):
    title = " ".join([*before, turning, *behind])
    [(shown, _)] = sources(f"{form.format(title)}{FIRE} [1]")
    assert shown.startswith(title)


@pytest.mark.parametrize("form", ["# {}\n\n", "**{}**\n\n", "**{}.** ", "**{}:** ", "{}:\n\n- "])
@pytest.mark.parametrize("title", ["Home", "Loan terms", "Missed payments", "United Kingdom"])
def test_the_title_of_a_topic_is_not_shown_with_a_whole_sentence(form, title):
    assert [FIRE] == [shown for shown, _ in sources(f"{form.format(title)}{FIRE} [1]")]
