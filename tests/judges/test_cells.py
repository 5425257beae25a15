"""What a claim says out of a table stands in the row and the column that it names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundedgen.judges.lexical import LexicalJudge
from groundedgen.judges.wording.cells import misreads_table
from groundedgen.ports import Pair
from groundedgen.text.markdown.tables import tables
from groundedgen.text.sentences import sentence_spans
from tests.growth import LINEAR, factor

LOANS = """\
# Loans

| Product | Minimum loan | Maximum loan | Representative APR | Term |
|---|---|---|---|---|
| Basic | £1,000 | £7,500 | 12.9% | 1 to 5 years |
| Basic Plus | £7,501 | £15,000 | 7.4% | 1 to 7 years |
| Premier | £15,001 | £35,000 | 5.9% | 2 to 8 years |

A late payment costs £12 in each plan.
"""
TRUE = [
    "The Basic Plus product has a representative APR of 7.4%.",
    "The maximum Basic loan is £7,500.",
    "The maximum loan for Basic is £7 500.",
    "The minimum Premier loan is £15001.",
    "The term of a Basic loan is 1 to 5 years.",
    "A late payment costs £12 in each plan.",
]
FALSE = [
    "The Basic Plus product has a representative APR of 5.9%.",
    "The Basic product has a representative APR of 7.4%.",
    "The maximum Basic loan is £35,000.",
    "The maximum Basic loan is £1,000.",
    "The minimum Premier loan is £1,000.",
    "The term of a Basic loan is 2 to 8 years.",
    "The representative APR is 5.9%.",
    "Premier: minimum loan £35,000, maximum loan £15,001.",
    "Basic and Premier loans are at most £7,500 and £35,000.",
    "Product: Basic; Representative APR: 5.9%",
]
PERILS = "| Peril | Covered |\n|:--|:-:|\n| Fire | yes |\n| Flood | no |\n"


def misreads(claim, passage):
    return misreads_table(claim, passage, [s for s in sentence_spans(passage) if "|" in passage])


@pytest.mark.parametrize("point", ["balanced", "strict"])
@pytest.mark.parametrize("claim", FALSE)
def test_a_figure_of_another_row_or_column_is_not_supported(claim, point):
    [verdict] = LexicalJudge(point=point).judge([Pair(LOANS, claim)])
    assert "supported" != verdict.label


@pytest.mark.parametrize("claim", TRUE)
def test_a_figure_of_the_row_and_column_that_are_named_is_no_misreading(claim):
    [table] = tables(LOANS)
    rows = [(row.start, row.end) for row in table.rows]
    assert not misreads_table(claim, LOANS, rows if "late" not in claim else [])


@pytest.mark.parametrize("claim", ["Flood is covered.", "Floods are covered.", "Hail is covered."])
def test_a_cell_that_denies_is_not_passed_over(claim):
    [verdict] = LexicalJudge().judge([Pair(PERILS, claim)])
    assert "supported" != verdict.label


@given(st.text(alphabet="ab 1|-\n\\:", max_size=80), st.text(alphabet="ab 1.", max_size=20))
def test_no_text_breaks_it_and_rows_are_slices(text, claim):
    for table in tables(text):
        for row in (table.head, *table.rows):
            assert "|" in text[row.start : row.end]
    assert misreads(claim, text) in (True, False)


def test_time_grows_with_the_table_and_no_faster():
    assert (
        factor(lambda text: misreads("A is 1.", "| a | b |\n|---|---|\n" + text), "| a | 1 |\n")
        < LINEAR
    )
