"""Replies with native citations, read as drafts."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundedgen.cited import MOST_PIECES, parse
from groundedgen.draft import MOST_STATEMENTS, Answered, NotFound
from groundedgen.errors import DraftFormatError, RefusedError, TruncatedError
from groundedgen.values import CitedSpan, CitedText, Reply
from tests import growth

ONE, TWO = (
    CitedSpan("S1", 0, 20, "The grass is green. "),
    CitedSpan("S2", 0, 16, "The sky is blue."),
)
NAMES = ("S1", "S2")


def reply(*pieces, **fields):
    made = [p if isinstance(p, CitedText) else CitedText(p) for p in pieces]
    return Reply(None, cited=tuple(made), **fields)


def read(*pieces):
    return parse(reply(*pieces), NAMES)


def cites(text, *spans):
    return CitedText(text, spans)


def told(drafted):
    return [(s.text, s.aliases) for s in drafted.statements], [f.reason for f in drafted.findings]


def test_a_sentence_has_the_places_of_all_its_pieces():
    """No fragment of a sentence is ever a statement."""
    drafted = read(
        "According to the documents, ", cites("the grass is green", ONE), " and ",
        cites("the sky is blue", TWO), ".",
    )  # fmt: skip
    text = "According to the documents, the grass is green and the sky is blue."
    assert ([(text, ("S1", "S2"))], []) == told(drafted)
    assert ((ONE, TWO), "The grass is green.") == (
        drafted.statements[0].spans,
        drafted.statements[0].quote,
    )


def test_a_piece_that_holds_two_sentences_proves_both_and_blanks_prove_nothing():
    drafted = read(cites("Grass is green. Sky is blue.", ONE), cites(" ", TWO), "Rain falls often.")
    assert (
        [("Grass is green.", ("S1",)), ("Sky is blue.", ("S1",))],
        ["no_source"],
    ) == told(drafted)


def test_a_full_stop_in_the_next_piece_brings_none_of_its_places():
    drafted = read(cites("The grass is green", ONE), cites(". The sky is blue.", TWO))
    assert [("The grass is green.", ("S1",)), ("The sky is blue.", ("S2",))] == told(drafted)[0]


def test_a_sentence_without_a_citation_has_no_source_and_keeps_its_place():
    drafted = read(
        cites("The grass is green. ", ONE),
        "I like the colour of it. ",
        cites("The sky is blue.", TWO),
    )
    assert ([0, 2], [1], 3) == (
        [s.index for s in drafted.statements],
        [f.index for f in drafted.findings],
        drafted.total,
    )


@pytest.mark.parametrize(
    "opening",
    [
        "# Colours\n\n",
        "**Colours**\n\n",
        "Colours\n\n",
        "Here is what they say:\n\n",
        "Yes. ",
    ],
)
def test_headings_and_openings_are_passed_over(opening):
    drafted = read(opening, cites("The grass is green.", ONE))
    assert ([("The grass is green.", ("S1",))], []) == told(drafted)
    assert 0 == drafted.statements[0].index


def test_a_reply_of_nothing_but_openings_is_no_answer_and_none_is_lost_silently():
    assert ([], ["no_source"]) == told(read("Yes."))


@pytest.mark.parametrize("mark", ["- ", "* ", "\u2022 ", "\u2013 ", "> ", "## "])
def test_marks_of_lines_and_bold_type_are_no_words(mark):
    drafted = read(mark, cites("The **grass** is green.", ONE))
    assert [("The grass is green.", ("S1",))] == told(drafted)[0]


@pytest.mark.parametrize(
    ("lead", "mark", "text"),
    [
        ("The policy does not cover:\n\n", "- ", "The policy does not cover: damage from floods"),
        ("The policy does not cover\n", "* ", "The policy does not cover: damage from floods"),
        ("## Exclusions\n\n", "- ", "Exclusions: damage from floods"),
        ("**Not covered:**\n", "1. ", "Not covered: damage from floods"),
    ],
)
def test_a_list_item_is_never_shown_without_what_leads_into_it(lead, mark, text):
    """Alone it can mean the opposite."""
    second = "2. " if mark == "1. " else mark
    drafted = read(lead, mark, cites("damage from floods", ONE), "\n", second, cites("war", TWO))
    assert (text, ("S1",)) == told(drafted)[0][0]
    assert 2 == drafted.total


FLOODS, WAR = cites("Damage by river floods.", ONE), cites("Damage by war.", TWO)
REPORT = cites("You must report a loss within 14 days.", TWO)


@pytest.mark.parametrize(
    ("lead", "shown"),
    [
        ("The policy does not cover:\n\n", "The policy does not cover: "),
        ("The policy does not cover:\n", "The policy does not cover: "),
        ("The following are excluded:\n\n", "The following are excluded: "),
        ("The policy does not cover \u2014\n\n", "The policy does not cover \u2014 "),
        ("The policy does not cover -\n", "The policy does not cover - "),
        ("The policy does not cover\u2026\n\n", "The policy does not cover\u2026 "),
        ("The policy does not cover,\n\n", "The policy does not cover, "),
        ("The policy does not cover\n\n", "The policy does not cover: "),
        ("We pay unless\n\n", "We pay unless: "),
        ("Everything is covered except\n", "Everything is covered except: "),
        ("Yes, except:\n", "Yes, except: "),
        ("**Not covered:**\n\n", "Not covered: "),
        ("**Not covered**:\n", "Not covered: "),
        ("__Not covered__\n", "Not covered: "),
        ("*Not covered:*\n\n", "*Not covered:* "),
        ("**Not covered:** ", "Not covered: "),
        ("**Exclusions.**\n", "Exclusions. "),
        ("## Exclusions\n\n", "Exclusions: "),
        ("## Exclusions\n", "Exclusions: "),
        ("Exclusions\n", "Exclusions: "),
        ("# Terms\n\n## Not covered\n\n### Water\n\n", "Terms: Not covered: Water: "),
        ("Nicht versichert\uff1a\n\n", "Nicht versichert\uff1a "),
        ("What is not covered?\n\n", "What is not covered? "),
        ("The exclusions are as follows. ", "The exclusions are as follows. "),
        ("These things are not covered. ", "These things are not covered. "),
        ("Not covered.\n\n", "Not covered. "),
        ("> Not covered:\n> ", "Not covered: "),
        (cites("The policy does not cover:\n\n", ONE), "The policy does not cover: "),
    ],
)
def test_what_looks_like_a_sentence_is_not_shown_without_what_leads_into_it(lead, shown):
    """With a capital and a full stop it is still no claim of its own."""
    text = lead.text if isinstance(lead, CitedText) else lead
    between = "\n> " if text[0] == ">" else "\n\n" if "\n" in text else " "
    drafted = read(lead, FLOODS, between, WAR)
    texts = [f"{shown}Damage by river floods.", f"{shown}Damage by war."]
    assert (texts, []) == ([s.text for s in drafted.statements], told(drafted)[1])


@pytest.mark.parametrize("mark", ["- ", "* ", "\u2022 ", "\u2717 ", "a) ", "1. ", "(1) ", "| "])
@pytest.mark.parametrize("lead", ["The policy does not cover:\n\n", "## Not covered\n"])
def test_neither_is_an_item_that_looks_like_a_sentence(lead, mark):
    second = mark.replace("1", "2").replace("a", "b")
    drafted = read(lead, mark, FLOODS, "\n", second, WAR)
    assert 2 == len(drafted.statements)
    assert all("ot cover" in s.text and "Damage by" in s.text for s in drafted.statements)


def test_what_leads_into_the_parts_of_a_list_leads_into_each():
    drafted = read("Not covered:\n\n**Water.**\n", FLOODS, "\n\n**War.**\n", WAR)
    assert [
        "Not covered: Water. Damage by river floods.", "Not covered: War. Damage by war.",
    ] == [s.text for s in drafted.statements]  # fmt: skip
    drafted = read("Not covered:\n\nWater:\n", FLOODS, "\n\nWar:\n", WAR)
    assert [
        "Not covered: Water: Damage by river floods.", "Not covered: War: Damage by war.",
    ] == [s.text for s in drafted.statements]  # fmt: skip


def test_items_that_end_in_a_semicolon_lead_into_nothing():
    drafted = read("Not covered:\n\n", cites("Damage by river floods;", ONE), "\n\n", WAR)
    assert ["Not covered: Damage by river floods;", "Not covered: Damage by war."] == [
        s.text for s in drafted.statements
    ]


@pytest.mark.parametrize(
    "pieces",
    [
        ("The policy does not cover:\n\n", FLOODS, "\n\n", REPORT),
        ("The policy does not cover:\n\n- ", FLOODS, "\n\n", REPORT),
        ("## Exclusions\n\n", FLOODS, "\n\n## Duties\n\n", REPORT),
        ("**Not covered:**\n- ", FLOODS, "\n\n**Duties**\n\n", REPORT),
        ("**Not covered:** ", FLOODS, "\n", REPORT),
        ("- **Not covered:** ", FLOODS, "\n- **Fire:** ", WAR, "\n\n", REPORT),
        ("- Not covered:\n- ", FLOODS, "\n\n", REPORT),
        ("- Not covered\n  - ", FLOODS, "\n\n", REPORT),
        ("Not covered:\n\n", FLOODS, "\n\nYour duties:\n\n", REPORT),
    ],
)
def test_what_leads_in_ends_with_its_list(pieces):
    *_, last = read(*pieces).statements
    assert last.text in {REPORT.text, f"Your duties: {REPORT.text}"}


@pytest.mark.parametrize(
    "lead", ["We do not pay if:\n\n", "We do not pay where\n\n", "No cover in these cases:\n\n"]
)
def test_whole_sentences_can_hang_from_a_condition(lead):
    drafted = read(lead, FLOODS, "\n\n", cites("The driver is drunk.", TWO))
    assert all(s.text.startswith(lead.strip()[:-1]) for s in drafted.statements)


@pytest.mark.parametrize(
    "opening",
    ["Here is what I found:\n", "Based on the documents:\n\n", "According to the policy:\n\n",
     "Is it green?\n\n", "Answer\n\n", "## Summary\n"],
)  # fmt: skip
def test_an_opening_that_only_announces_costs_no_statement_its_own_words(opening):
    drafted = read(opening, cites("Grass grows in spring. The sky is blue.", ONE))
    assert ["The sky is blue."] == [s.text for s in drafted.statements[1:]]
    assert () == drafted.findings


def test_marks_behind_a_full_stop_belong_to_the_sentence_before_them():
    drafted = read(cites("**The grass is green.** The sky is blue.", ONE))
    assert ["The grass is green.", "The sky is blue."] == [s.text for s in drafted.statements]


def test_a_piece_that_is_no_sentence_is_not_shown_alone_either():
    drafted = read("The policy does not cover:\n\n", cites("damage from floods", ONE))
    assert [("The policy does not cover: damage from floods", ("S1",))] == told(drafted)[0]


def test_a_nested_list_keeps_every_line_it_hangs_from():
    drafted = read("We pay for:\n- theft of:\n  - ", cites("bicycles", ONE), "\n  - cars")
    assert "We pay for: theft of: bicycles" == drafted.statements[0].text
    assert ["no_source"] == [f.reason for f in drafted.findings]


def test_places_of_a_lead_in_belong_to_its_items():
    drafted = read(cites("We do not pay for:", TWO), "\n- ", cites("floods.", ONE))
    assert [("We do not pay for: floods.", ("S1", "S2"))] == told(drafted)[0]


def test_a_statement_is_one_line():
    drafted = read(cites("The grass is\nalways green.", ONE))
    assert ["The grass is always green."] == [s.text for s in drafted.statements]


def test_a_dash_before_a_number_may_be_its_sign():
    assert (
        "- 5 degrees is the lowest."
        == read(cites("- 5 degrees is the lowest.", ONE)).statements[0].text
    )


def test_a_numbered_list_loses_its_numbers_and_a_date_keeps_its_day():
    drafted = read(
        "1. ", cites("The grass is green.", ONE), "\n2. ", cites("The sky is blue.", TWO)
    )
    assert ["The grass is green.", "The sky is blue."] == [s.text for s in drafted.statements]
    assert (
        "1. Januar 2025 ist der Stichtag."
        == read(cites("1. Januar 2025 ist der Stichtag.", ONE)).statements[0].text
    )


def test_a_place_cited_twice_in_a_sentence_counts_once():
    assert (ONE,) == read(cites("Grass ", ONE), cites("is green.", ONE)).statements[0].spans


def test_an_unknown_document_takes_its_statement_with_it():
    unknown = CitedSpan("document 7", -1, -1, "x")
    drafted = read(cites("The grass is green.", ONE, unknown))
    assert ([], ["unknown_source"], ("document 7",)) == (
        *told(drafted),
        drafted.findings[0].details,
    )


@pytest.mark.parametrize(
    "text",
    [
        "NOT_FOUND",
        " NOT_FOUND.\n",
        "**NOT_FOUND**",
        "Not found.",
        "not_found",
        "NOT_FOUND The documents are about grass.",
    ],
)
def test_not_found_is_said_in_a_word(text):
    assert NotFound() == read(text)


def test_not_found_with_statements_is_not_found():
    assert NotFound(1) == read(cites("The grass is green. ", ONE), "\n\nNOT_FOUND")


def test_not_found_before_a_sentence_that_cites_is_not_a_part_of_it():
    assert NotFound(1) == read("NOT_FOUND", cites(" The grass is green.", ONE))
    assert isinstance(read("NOT_FOUND", cites(" is the status of a lost page.", ONE)), Answered)


def test_a_sentence_about_a_status_of_that_name_is_an_answer():
    drafted = read(cites("NOT_FOUND is the status of a missing page.", ONE))
    assert isinstance(drafted, Answered)
    assert 1 == len(drafted.statements)


@pytest.mark.parametrize("pieces", [(), ("",), (" \n",), ("...",)])
def test_a_reply_without_words_is_of_no_form(pieces):
    with pytest.raises(DraftFormatError):
        read(*pieces)


# --- what stands above what -----------------------------------------------------------------


def marked(text):
    """A reply in which what stands in braces cites."""
    parts = re.split(r"[{}]", text)
    drafted = read(*(cites(p, ONE) if n % 2 else p for n, p in enumerate(parts) if p))
    return [s.text for s in drafted.statements], told(drafted)[1]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Exclusions\n\n{Damage by floods}\n\n{Damage by war}\n\n{Damage by wear}",
         ["Exclusions: Damage by floods", "Exclusions: Damage by war",
          "Exclusions: Damage by wear"]),
        ("What is not covered?\n{Damage by floods}\n{Damage by war}",
         ["What is not covered? Damage by floods", "What is not covered? Damage by war"]),
        ("Not covered\n{Floods by rivers}\n{Storm by wind}\n{War}",
         ["Not covered: Floods by rivers", "Not covered: Storm by wind", "Not covered: War"]),
        ("Nicht versichert\n\n{Sch\u00e4den durch Flut}\n\n{Sch\u00e4den durch Krieg}",
         ["Nicht versichert: Sch\u00e4den durch Flut",
          "Nicht versichert: Sch\u00e4den durch Krieg"]),
        ("{Der Vertrag zahlt nicht bei Krieg}\n\n{Der Vertrag zahlt bei Diebstahl}",
         ["Der Vertrag zahlt nicht bei Krieg", "Der Vertrag zahlt bei Diebstahl"]),
        ("**Exclusions**\n\n**{Damage by floods}**\n\n**{Damage by war}**",
         ["Exclusions: Damage by floods", "Exclusions: Damage by war"]),
        ("Limits\n\n{Fire: 500 euros}\n{Theft: 900 euros}",
         ["Limits: Fire: 500 euros", "Limits: Theft: 900 euros"]),
        ("Summary\n\n{Fire up to 500 euros}\n\n{Theft up to 900 euros}",
         ["Fire up to 500 euros", "Theft up to 900 euros"]),
        ("* Not insured\n  {Damage by floods}\n* Insured\n  {Damage by fire}",
         ["Not insured: Damage by floods", "Insured: Damage by fire"]),
        ("Not covered\n\n- {Floods}\n\n{War}", ["Not covered: Floods", "Not covered: War"]),
    ],
)  # fmt: skip
def test_a_line_that_cites_leads_into_no_other(text, shown):
    assert (shown, []) == marked(text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("| Not covered |\n|---|\n| {Floods} |\n| {War} |",
         ["| Not covered |: | Floods |", "| Not covered |: | War |"]),
        ("Not covered:\n\n| Peril | Limit |\n|:--|--:|\n| {Flood} | {10} |",
         ["Not covered: | Peril | Limit |: | Flood | 10 |"]),
        ("| Not covered |\r\n|---|\r\n| {Floods} |\r\n\r\n{You must report a loss.}",
         ["| Not covered |: | Floods |", "You must report a loss."]),
    ],
)  # fmt: skip
def test_the_head_of_a_table_leads_into_its_rows(text, shown):
    assert (shown, []) == marked(text)


@pytest.mark.parametrize(
    "titles",
    [
        "# Summary of cover\n\n## Water damage\n\n",
        "## Water damage\n\n### Cover\n\n",
        "Cover of water:\n\n**Floods**\n\n",
        "**Water damage**\n\n**Cover**\n\n",
        "Here is what I found:\n\n---\n\n",
        "# Cover\n\n---\n\n",
        "Cover\n=====\n\n",
        "Cover\n-----\n",
    ],
)
def test_a_whole_sentence_under_titles_that_turn_nothing_is_shown_as_it_is(titles):
    text = "Damage by floods is covered up to 500 euros."
    assert ([text], []) == marked(f"{titles}{{{text}}}")
    second = titles.replace("Water damage", "Fire").replace("Floods", "Fire")
    assert ([text] * 2, []) == marked(f"{titles}{{{text}}}\n\n{second}{{{text}}}")


@pytest.mark.parametrize("rule", ["---", "***", "====", "___", "- - -", "\u2500\u2500\u2500"])
@pytest.mark.parametrize("stop", [".", ""])
def test_a_line_without_words_is_a_part_of_nothing(rule, stop):
    text = f"{{Floods are covered{stop}}}\n\n{rule}\n\n{{fire is covered{stop}}}"
    assert ([f"Floods are covered{stop}", f"fire is covered{stop}"], []) == marked(text)


@pytest.mark.parametrize("rule", ["\n=====", "\n-----", "\n\n***"])
def test_nor_does_it_part_a_title_from_what_stands_under_it(rule):
    text = f"Exclusions{rule}\n{{The driver is drunk.}}\n{{Floods by rivers}}"
    assert (["Exclusions: The driver is drunk.", "Exclusions: Floods by rivers"], []) == marked(
        text
    )


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("- Not covered\n  - {Floods.}\n  - {War is frequent.}\n- Covered\n  - {hail}",
         ["Not covered: Floods.", "Not covered: War is frequent.", "Covered: hail"]),
        ("- **Not covered**\n  {Floods.}\n  {War is frequent.}\n- **Covered**\n  {hail}",
         ["Not covered: Floods.", "Not covered: War is frequent.", "Covered: hail"]),
        ("1. Not covered:\n   - {Floods.}\n   - {War is frequent.}\n2. Covered:\n   - {Hail.}",
         ["Not covered: Floods.", "Not covered: War is frequent.", "Covered: Hail."]),
        ("- **Not covered:** {Floods.}\n  {Rivers are frequent.}\n- **Covered:** {Hail.}",
         ["Not covered: Floods.", "Not covered: Rivers are frequent.", "Covered: Hail."]),
        ("## Not covered\n- Water\n  - {floods}\n- Fire\n  - {arson}\n## Covered\n- {hail}",
         ["Not covered: Water: floods", "Not covered: Fire: arson", "Covered: hail"]),
        ("- Not covered\n\t- {floods}\n\n{You must report a loss.}",
         ["Not covered: floods", "You must report a loss."]),
        ("{Fire is covered.} Not covered are\n- {floods}\n- {war}",
         ["Fire is covered.", "Not covered are: floods", "Not covered are: war"]),
        ("_Not covered_\n\n{Floods are paid for.} {Fire is paid for.}",
         ["_Not covered_: Floods are paid for.", "_Not covered_: Fire is paid for."]),
        ("*Exclusions*\n{Floods are paid for.}\n{Fire is paid for.}",
         ["*Exclusions*: Floods are paid for.", "*Exclusions*: Fire is paid for."]),
        ("_Exclusions_\n\n{Floods are paid for.}", ["_Exclusions_: Floods are paid for."]),
        ("\u274c Not covered\n\n{Floods by rivers}\n\n\u2705 Covered\n\n{Hail by storms}",
         ["\u274c Not covered: Floods by rivers", "\u2705 Covered: Hail by storms"]),
        ("\u274c\n- {Floods by rivers.}\n- {War}", ["\u274c: Floods by rivers.", "\u274c: War"]),
        ("> Not covered\n>\n> {Floods are paid for.}\n> {War}",
         ["Not covered: Floods are paid for.", "Not covered: War"]),
        ("```\nNot covered:\n```\n{Floods are paid for.}", ["Not covered: Floods are paid for."]),
        ("We never pay when one of these holds.\n\n- {The driver is drunk.}",
         ["We never pay when one of these holds. The driver is drunk."]),
        ("- Not covered\n- {Floods}\n- {War}", ["Not covered: Floods", "Not covered: War"]),
        ("- Not covered\n\n{Floods}\n\n{War}", ["Not covered: Floods", "Not covered: War"]),
        ("> Not covered\n\n> a) {Floods.}\n\n> b) {War.}",
         ["Not covered: a) Floods.", "Not covered: b) War."]),
        ("Exclusions\n\nFloods\n\nWar\n\n{Storms}", ["Exclusions: War: Storms"]),
        ("The policy covers:\n\n{Fire}\n\nNot covered\n\n{Floods}",
         ["The policy covers: Fire", "The policy covers: Not covered: Floods"]),
        ("# Exclusions\n\n{Floods}\n\n# Summary\n\n{Fire by rivers}",
         ["Exclusions: Floods", "Fire by rivers"]),
    ],
)  # fmt: skip
def test_the_lead_above_is_found_and_a_sibling_takes_its_place(text, shown):
    assert (shown, []) == marked(text)


PIECES = ("Floods by rivers", "War", "Diebstahl", "Hail.", "Fire is covered.")


@given(
    st.sampled_from(["Not covered", "Exclusions", "We never pay for", "_Nicht versichert_"]),
    st.sampled_from(["\n", "\n\n", "\n\n---\n\n"]),
    st.sampled_from(["", "- ", "  - "]),
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=4),
)
def test_what_turns_round_is_shown_before_each_and_no_piece_before_another(
    title, gap, mark, pieces
):
    lines = gap.join(f"{mark}{{{piece}}}" for piece in pieces)
    assert ([f"{title}: {piece}" for piece in pieces], []) == marked(f"{title}{gap}{lines}")


def test_lines_without_a_source_above_an_answer_do_not_cost_it():
    for line in ("Part {}", "- Part {}", "- No part {}", "**Part {}**"):
        titles = "\n\n".join(line.format(n) for n in range(30))
        shown, _ = marked(f"{titles}\n\n## Cover\n\n{{Fire is covered.}}")
        assert ["Fire is covered."] == shown


# --- length ---------------------------------------------------------------------------------


SHAPES = {
    "sentences": lambda n: [cites("The grass is green and stays so all year. ", ONE)] * n,
    "a list": lambda n: ["We cover:\n", *["- ", cites("grass that is green", ONE), "\n"] * n],
    "a numbered list": lambda n: [
        part for i in range(n) for part in (f"{i + 1}. ", cites("The grass is green.\n", ONE))
    ],
    "lines without a stop": lambda n: [cites("green grass grows\n", ONE)] * n,
    "one sentence in pieces": lambda n: [cites("grass ", ONE)] * n,
    "blanks": lambda n: ["It is so.", *[" \n"] * n, cites("Grass is green.", ONE)],
    "lines below a lead": lambda n: ["Not covered:\n\n", *[cites("Green grass.\n\n", ONE)] * n],
    "headings": lambda n: [part for _ in range(n) for part in ("# Not\n", cites("Grass.\n", ONE))],
    "leads": lambda n: [part for _ in range(n) for part in ("Not:\n", cites("Grass.\n", ONE))],
    "rules": lambda n: [cites("grass\n---\n", ONE)] * n,
    "a table": lambda n: ["| Not |\n|---|\n", *[cites("| grass |\n", ONE)] * n],
    "nested lists": lambda n: [
        part for _ in range(n) for part in ("- Not\n", cites("  - Grass.\n", ONE))
    ],
    "one paragraph": lambda n: [cites("Green grass\ngrows and\n" * n, ONE)],
    "one line": lambda n: [cites("Grass is green. Sky is blue. " * n, ONE, TWO)],
}


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_reading_takes_time_in_proportion_to_the_reply(shape):
    assert growth.factor(lambda units: read(*shape(len(units))), "x", size=90) < growth.LINEAR


def test_after_a_long_list_each_sentence_still_has_the_places_of_its_own_pieces():
    after = ["\n\n", cites("Sky is blue. Grass ", TWO), cites("is green.", ONE)]
    drafted = read(*SHAPES["a list"](20), *after)
    assert [(TWO,), (TWO, ONE)] == [s.spans for s in drafted.statements[-2:]]
    assert 22 == drafted.total


def test_a_reply_of_more_pieces_than_anybody_reads_is_refused():
    with pytest.raises(DraftFormatError, match=r"pieces.*max_statements"):
        read(*[cites("The grass is green. ", ONE)] * (MOST_PIECES // 2 + 1))
    with pytest.raises(DraftFormatError, match="places"):
        read(cites("The grass is green.", *[ONE] * MOST_PIECES))


def test_a_reply_of_more_sentences_than_anybody_reads_is_refused():
    text = "The grass is green. "
    assert MOST_STATEMENTS == read(cites(text * MOST_STATEMENTS, ONE)).total
    with pytest.raises(DraftFormatError, match=r"1001 statements.*max_statements"):
        read(cites(text * (MOST_STATEMENTS + 1), ONE))


def test_a_sentence_that_is_too_long_to_be_a_statement_is_dropped_alone():
    drafted = read(cites(f"The grass is {'very ' * 1_000}green. ", ONE), cites("Sky is blue.", TWO))
    assert ([("Sky is blue.", ("S2",))], ["too_long"]) == told(drafted)
    assert len(drafted.findings[0].statement) < 1_000


def test_a_list_that_is_nested_without_end_is_refused():
    """Each item hangs from all above it, so that its statement would hold them all."""
    with pytest.raises(DraftFormatError, match="nests its lists"):
        read(*["- more of:\n", cites("- grass\n", ONE)] * 300)


@pytest.mark.parametrize(
    ("stop", "error"),
    [("max_tokens", TruncatedError), ("refusal", RefusedError), ("pause_turn", TruncatedError)],
)
def test_a_reply_that_did_not_end_by_itself_is_not_read(stop, error):
    with pytest.raises(error):
        parse(reply(cites("The grass is green.", ONE), finish_reason=stop), NAMES)


def test_a_reply_without_native_citations_is_read_as_json():
    assert NotFound() == parse(Reply('{"status": "not_found", "statements": []}'), NAMES)


@given(
    st.lists(
        st.builds(
            CitedText,
            st.text(alphabet="ab .\n-*1#:!\u00e9\u6c34", max_size=12),
            st.lists(st.sampled_from([ONE, TWO]), max_size=2).map(tuple),
        ),
        max_size=8,
    )
)
def test_every_statement_rests_on_a_piece_that_it_shares_words_with(pieces):
    try:
        drafted = read(*pieces)
    except DraftFormatError:
        return
    if isinstance(drafted, NotFound):
        return
    assert drafted.total == len(drafted.statements) + len(drafted.findings)
    offered = {span for piece in pieces for span in piece.spans}
    for statement in drafted.statements:
        assert set(statement.spans) <= offered
        assert statement.spans
