"""The block quote gate: quoted words are somebody's, or they are prose."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundedgen.gates.blockquotes import demote_blockquotes
from tests.growth import LINEAR, factor

LEASE = (
    "The tenant may terminate this lease on sixty days' written notice to the landlord. "
    "The deposit is returned within ten days. 4. Pets are not allowed in the building at any time."
)
RENT = "Rent is due on the first of the month."
SOURCES = [LEASE, RENT]
FALSE = "The tenant may leave whenever he likes to."

STAYS = [
    "> The tenant may terminate this lease on sixty days' written notice to the landlord. [1]",
    "> “The tenant may terminate this lease on sixty days’ written notice to the landlord.”",
    "> ...on sixty days' written notice to the landlord...",
    "> The tenant **may terminate** this lease on sixty days' written notice",
    "> The tenant may terminate this lease on sixty days' written notice.\n>\n> — Lease, clause 4",
    ">> The tenant may terminate this lease\n>> on sixty days' written notice",
    "> > The deposit is returned\n> within ten days.",
    "> The deposit is returned\nwithin ten days.",
    "- > The deposit is returned within ten days.\n- > Rent is due on the first of the month.",
    "> - The deposit is returned within ten days.",
    "> 4. Pets are not allowed in the building at any time.",
    "> Rent is due on the first of the month.\r\n\r\n> The deposit is returned\r\n",
    "> Not found.",
    ">",
    "> [!NOTE]\n> This is a general remark and no advice on any lease.",
    "> [!warning]- Title\n> This is a general remark and no advice on any lease.",
    "> **Warning:** this remark is ours and not part of any lease.",
    "> ⚠️ **Hinweis**: Dies ist keine Rechtsberatung im Einzelfall.",
    f"```\n> {FALSE}\n```",
    f"> ```\n> {FALSE}\n> ```",
    f"    > {FALSE}",
    f"<pre>\n> {FALSE}\n</pre>",
    f"\\> {FALSE}",
    "The rent is > 500 and the notice is > 30 days in all such leases.",
]


@pytest.mark.parametrize("text", STAYS)
def test_quotes_from_one_source_and_what_is_no_quote_stay(text):
    result = demote_blockquotes(text, SOURCES)
    assert (text, 0) == (result.text, result.demoted)


GOES = [
    (f"> {FALSE}", FALSE),
    (f">{FALSE}", FALSE),
    (f"> > {FALSE}", FALSE),
    (f"   > {FALSE}", f"   {FALSE}"),
    (f"- > {FALSE}", f"- {FALSE}"),
    (f"1. Point\n\n   > {FALSE}", f"1. Point\n\n   {FALSE}"),
    (f"> {FALSE}\r\n> So.\r\n\r\nEnd", f"{FALSE}\r\nSo.\r\n\r\nEnd"),
    (f"```\n$ ls > x\n```\n> {FALSE}", f"```\n$ ls > x\n```\n{FALSE}"),
    (f"> **Clause 4:** {FALSE}", f"**Clause 4:** {FALSE}"),
    (f"> [!QUOTE]\n> {FALSE}", f"[!QUOTE]\n{FALSE}"),
    (f"> {FALSE}\n> [!NOTE]\n> So.", f"{FALSE}\n[!NOTE]\nSo."),
    ("> The tenant may not terminate this lease.", "The tenant may not terminate this lease."),
    ("> 7. Pets are not allowed in the building.", "7. Pets are not allowed in the building."),
    (
        "> The tenant may terminate ... within ten days.",
        "The tenant may terminate ... within ten days.",
    ),
    (
        "> The deposit is returned within ten days.\n> — And may leave at any time",
        "The deposit is returned within ten days.\n— And may leave at any time",
    ),
    (
        "> The deposit is returned within ten days.\nor kept by the landlord.",
        "The deposit is returned within ten days.\nor kept by the landlord.",
    ),
    ("> 房东可以随时终止本租约而无需通知租客。", "房东可以随时终止本租约而无需通知租客。"),
]


@pytest.mark.parametrize(("text", "expected"), GOES)
def test_words_of_no_source_lose_their_marks_and_nothing_else(text, expected):
    result = demote_blockquotes(text, SOURCES)
    assert (expected, 1) == (result.text, result.demoted)


def test_words_of_two_sources_are_words_of_none():
    joined = "> The deposit is returned within ten days. Rent is due on the first of the month."
    assert 1 == demote_blockquotes(joined, SOURCES).demoted
    assert 0 == demote_blockquotes(joined, [LEASE.partition(" 4.")[0] + " " + RENT]).demoted


def test_each_block_is_judged_alone():
    text = f"> {FALSE}\n\nBut:\n\n> {RENT}\n\n> {FALSE}"
    assert (f"{FALSE}\n\nBut:\n\n> {RENT}\n\n{FALSE}", 2) == (
        demote_blockquotes(text, SOURCES).text,
        demote_blockquotes(text, SOURCES).demoted,
    )


def test_without_sources_every_quote_is_prose():
    assert RENT == demote_blockquotes(f"> {RENT}", []).text


_parts = st.sampled_from(
    [
        ">",
        "> ",
        ">> ",
        "\n",
        "\r\n",
        "\n\n",
        "- ",
        "    ",
        "```\n",
        "~~~\n",
        "`",
        RENT,
        FALSE,
        "[1]",
        "— L",
        "\ud800",
    ]
)


@given(st.lists(_parts, max_size=25).map("".join))
def test_only_marks_go_and_a_second_pass_finds_nothing_new(text):
    result = demote_blockquotes(text, SOURCES)
    letters = [c for c in text if c not in "> \t"]
    assert letters == [c for c in result.text if c not in "> \t"]
    assert (result.demoted == 0) == (result.text == text)


@given(st.lists(_parts, max_size=25).map("".join))
def test_with_the_whole_answer_as_source_single_paragraph_quotes_stay(text):
    plain = text.replace(">", "").replace("`", "").replace("~", "")
    lines = [line for line in plain.splitlines() if line.strip()]
    quoted = "\n\n".join(f"> {line}" for line in lines if not line.startswith((" ", "-", "—")))
    assert 0 == demote_blockquotes(quoted, lines).demoted


@pytest.mark.parametrize(
    "unit",
    ["> ", ">\n", "> a b c d e\n", ">", "> > a b c d\n", "> '", "> — a\n", ">`", "> [", "- > a\n"],
)
def test_time_grows_with_the_text(unit):
    assert factor(lambda text: demote_blockquotes(text, SOURCES), unit) < LINEAR
