from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundedgen.entailment import ask_about, collect, restates
from groundedgen.values import Located, Pair, Spot, Verdict

PASSAGE = (
    "Water damage is covered. Floods are not covered! Is hail covered? "
    "If the alarm was set, theft is covered. He said: “Fire is covered.” Yes."
)


@pytest.mark.parametrize(
    "text",
    [
        "Water damage is covered.",
        "Water damage is covered",
        "water  damage is\ncovered.",
        "Floods are not covered!",
        "Water damage is covered. Floods are not covered!",
        "If the alarm was set, theft is covered.",
    ],
)
def test_a_whole_sentence_is_a_restatement(text):
    assert restates(text, PASSAGE)


@pytest.mark.parametrize(
    "text",
    [
        "Floods are covered.",
        "Theft is covered.",
        "theft is covered",
        "Water damage",
        "Hail is covered.",
        "hail covered",
        "Water damage is covered. If the alarm was set, theft is covered.",
        "Water damage may be covered.",
        "",
        "   ",
        "...",
    ],
)
def test_anything_less_or_else_is_none(text):
    assert not restates(text, PASSAGE)


@pytest.mark.parametrize("question", ["Is hail covered", "Is hail covered.", "Hail is covered."])
def test_a_question_is_no_statement(question):
    assert not restates(question, PASSAGE)


def test_a_list_item_is_no_sentence_of_its_own():
    passage = (
        "We never pay for:\n- damage from floods;\n- theft of cash.\n\nWe pay for hail damage."
    )
    assert not restates("- damage from floods;", passage)
    assert restates("We never pay for:\n- damage from floods;", passage)
    assert restates("We pay for hail damage.", passage)


@pytest.mark.parametrize(
    ("passage", "fragment"),
    [
        ("the alarm was set. Theft is covered.", "the alarm was set."),
        ("Fire is covered. Theft is not", "Theft is not"),
        ("Fire is covered. Theft is covered if", "Theft is covered if"),
    ],
)
def test_a_piece_at_the_edge_of_a_passage_may_be_half_a_sentence(passage, fragment):
    assert not restates(fragment, passage)


def located(index, text, *aliases):
    return Located(index, text, "quote", tuple(Spot(a, 0, 5, "exact") for a in aliases))


DOCS = {"S1": "Water damage is covered. Rain is frequent.", "S2": "Pipes are covered in full."}


def asked(*statements, limit=None):
    return ask_about(statements, DOCS, {}, limit)


def test_only_what_is_no_sentence_is_put_to_the_judge():
    queries = asked(
        located(0, "Water damage is covered.", "S1"), located(1, "Insured.", "S1", "S2")
    )
    assert [None, "S1", "S2"] == [query.pair and query.pair.group for query in queries]


def test_a_premise_is_cut_to_what_the_judge_reads_with_the_quote_whole():
    long = "Nothing to see here at all. " * 40 + "Water damage is covered. " + "It rains. " * 40
    start = long.index("Water")
    statement = Located(0, "It is insured.", "q", (Spot("S1", start, start + 23, "exact"),))
    (query,) = ask_about([statement], {"S1": long}, {}, 200)
    assert "Water damage is covered." in query.pair.premise
    assert len(query.pair.premise) <= 200
    assert "Water damage is covered"[:23] == query.pair.premise[slice(*query.pair.quote)]


def test_a_judge_is_told_where_the_quote_stands_and_that_makes_no_other_question():
    queries = ask_about([twice(("S1", 2, 5), ("S2", 0, 5))], DOCS, {}, None)
    assert [(2, 5), (0, 5)] == [query.pair.quote for query in queries]
    plain = Pair(DOCS["S1"], "Insured.", "S1")
    assert plain == queries[0].pair
    assert hash(plain) == hash(queries[0].pair)
    assert plain.quote is None


@pytest.mark.parametrize(
    ("passage", "held"),
    [
        (f"{'It rains. ' * 40}{{}} (Only in May.) {'It snows. ' * 40}", "(Only in May.)"),
        (f"{'It rains. ' * 40}{{}} Until 2020. {'It snows. ' * 40}", "Until 2020."),
        (f"Old policy\n\n{'It rains. ' * 10}{{}} {'It snows. ' * 40}", "Old policy"),
        (
            f"We never pay for:\n- snow.\n- hail.\n- {{}}\n\n{'It snows. ' * 40}",
            "We never pay for:",
        ),
    ],
)
def test_a_premise_holds_what_decides_what_the_quote_says_there(passage, held):
    said = "Water damage to the building."
    long = passage.format(said)
    spot = Spot("S1", long.index(said), long.index(said) + len(said), "exact")
    (query,) = ask_about([Located(0, "It is insured.", "q", (spot,))], {"S1": long}, {}, 240)
    assert held in query.pair.premise
    read_together = query.pair.premise[slice(*query.pair.quote)]
    assert held in read_together
    assert said in read_together


@pytest.mark.parametrize(
    ("passage", "held"),
    [
        (f"{{}}\n\n{'It snows. ' * 40}\n\n* Only in May.", "\n* Only in May."),
        (
            "The following is not covered:\n" + "- It snows.\n" * 400 + "- {}\n",
            "The following is not covered:\n- ",
        ),
    ],
)
@pytest.mark.parametrize(("limit", "judged"), [(240, True), (40, False)])
def test_what_decides_from_afar_is_read_with_the_quote_or_nothing_is(passage, held, limit, judged):
    """A footnote at the end of the page, a lead-in at its beginning."""
    said = "Water damage* to the building."
    long = passage.format(said)
    spot = Spot("S1", long.index(said), long.index(said) + len(said), "exact")
    (query,) = ask_about([Located(0, "It is insured.", "q", (spot,))], {"S1": long}, {}, limit)
    if not judged:
        assert (None, "too_long") == (query.pair, query.verdict.reason)
        return
    assert held in query.pair.premise
    assert said == query.pair.premise[slice(*query.pair.quote)]
    assert len(query.pair.premise) <= limit


def twice(*spots):
    return Located(0, "Insured.", "q", tuple(Spot(*spot, "exact") for spot in spots))


def test_two_places_of_one_passage_are_one_question_and_both_are_kept():
    """No judge is asked, or paid, for the same pair twice."""
    queries = ask_about([twice(("S1", 0, 5), ("S1", 25, 30), ("S2", 0, 5))], DOCS, {}, None)
    assert ["S1", "S2"] == [query.pair.group for query in queries]
    entailed, findings = collect(queries, [Verdict("supported"), Verdict("supported")])
    assert [("S1", 0), ("S1", 25), ("S2", 0)] == [
        (s.alias, s.start) for s in entailed[0].statement.spots
    ]
    assert () == findings


def test_a_passage_that_does_not_support_is_cut_off_with_all_its_places_and_told_once():
    queries = ask_about([twice(("S1", 0, 5), ("S2", 0, 5), ("S1", 25, 30))], DOCS, {}, None)
    entailed, findings = collect(queries, [Verdict("not_addressed"), Verdict("supported")])
    assert ["S2"] == [spot.alias for spot in entailed[0].statement.spots]
    assert [("S1",)] == [f.details for f in findings]


def test_places_far_apart_are_two_questions_where_the_judge_reads_a_window():
    long = "Pipes are insured here. " + "Nothing to see here at all. " * 40 + "Hail is insured too."
    spots = ("S1", 0, 22), ("S1", len(long) - 20, len(long))
    queries = ask_about([twice(*spots)], {"S1": long}, {}, 200)
    assert 2 == len({query.pair.premise for query in queries})
    entailed, _ = collect(queries, [Verdict("partial"), Verdict("supported")])
    assert [spots[1][1]] == [spot.start for spot in entailed[0].statement.spots]


def test_what_does_not_fit_is_not_judged():
    statement = located(0, "It is insured.", "S1")
    (query,) = ask_about([statement], {"S1": "word " * 500}, {}, 10)
    entailed, findings = collect([query], [])
    assert ((), "not_judged") == (entailed, findings[0].reason)
    assert "too_long" in findings[0].details


def test_one_supporting_passage_is_enough_and_the_other_is_cut_off():
    queries = asked(located(0, "Insured.", "S1", "S2"))
    entailed, findings = collect(queries, [Verdict("not_addressed"), Verdict("supported", 0.7)])
    assert ["S2"] == [spot.alias for spot in entailed[0].statement.spots]
    assert [("not_addressed", True, ("S1",))] == [(f.reason, f.kept, f.details) for f in findings]


@pytest.mark.parametrize(
    ("verdicts", "reason"),
    [
        (["partial", "not_addressed"], "partial"),
        (["not_addressed", "contradicted"], "contradicted"),
        (["contradicted", "not_judged"], "not_judged"),
    ],
)
def test_the_telling_label_is_the_reason(verdicts, reason):
    _, findings = collect(asked(located(0, "Insured.", "S1", "S2")), [Verdict(v) for v in verdicts])
    assert [reason] == [finding.reason for finding in findings]


anything = st.one_of(
    st.builds(
        Verdict,
        st.sampled_from(["supported", "partial", "not_judged", "yes", ""]),
        st.none() | st.floats(),
    ),
    st.none(),
    st.text(),
    st.just({"label": "supported"}),
)


@given(st.lists(anything, max_size=6))
def test_no_reply_of_a_judge_supports_more_than_it_says(verdicts):
    queries = asked(located(0, "A.", "S1"), located(1, "B.", "S1"), located(2, "C.", "S2"))
    entailed, findings = collect(queries, verdicts)
    supported = {
        n
        for n, v in enumerate(verdicts)
        if isinstance(v, Verdict)
        and v.label == "supported"
        and (v.score is None or 0 <= v.score <= 1)
    }
    kept = {e.statement.index for e in entailed}
    assert kept <= (supported if len(verdicts) <= 3 else set())
    assert {0, 1, 2} == kept | {f.index for f in findings}


TABLE = "| Cover | Excess |\n|---|---|\n| Fire | 500 euros |\n| Theft | 200 euros |"


@pytest.mark.parametrize(
    ("table", "whole"),
    [(TABLE, True), (f"{TABLE}\n", True), (TABLE.removesuffix(" 200 euros |"), False)],
)
def test_the_last_row_of_a_table_is_whole_where_none_of_its_bars_is_missing(table, whole):
    assert whole == restates(table.replace("\n", " "), f"# Limits\n\n{table}")
