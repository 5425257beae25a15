"""Half of a word that a hyphen joins is another word."""

from __future__ import annotations

import pytest

from groundedgen.judges.lexical import LexicalJudge
from groundedgen.judges.wording.alignment import align
from groundedgen.judges.wording.compounds import halved
from groundedgen.ports import Pair
from groundedgen.text.english.analysis import analyse


@pytest.mark.parametrize(
    "owner",
    ["would-be owner", "owner-to-be", "co-owner", "then-owner", "has-been owner", "ex-owner",
     "non-owner", "owner-elect", "soon-to-be owner", "would\u2011be owner"],
)  # fmt: skip
@pytest.mark.parametrize("tail", ["may vote in May", "was paid in May"])
def test_a_compound_is_not_its_head(owner, tail):
    pair = Pair(f"The {owner} {tail}.", f"The owner {tail}.")
    assert LexicalJudge().judge([pair])[0].label != "supported"


@pytest.mark.parametrize(
    ("premise", "claim"),
    [
        ("The would-be owner may vote.", "The would be owner may vote."),
        ("The 12-month lease was sold.", "The lease of 12 months was sold."),
        ("The built-in oven was sold.", "The oven was sold built in."),
        ("Jean-Paul Sartre was born in Paris.", "Sartre was born in Paris."),
        ("Short- and long-term loans were sold.", "Long-term loans were sold."),
    ],
)
def test_a_compound_told_with_all_its_words_is_whole(premise, claim):
    assert halved(align(analyse(claim), analyse(premise), lambda key: 1.0)) is None
