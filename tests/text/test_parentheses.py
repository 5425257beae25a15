"""A sentence in brackets between two others is a sentence of its own."""

from __future__ import annotations

import pytest

from groundedgen.text.limiting.parentheses import aside_end
from groundedgen.text.sentences import sentence_spans


def cut(text):
    return [text[start:end] for start, end in sentence_spans(text)]


@pytest.mark.parametrize(
    "sentences",
    [
        ["Theft is covered.", "(See section 4.)", "The cap is high."],
        ["Theft is covered.", "(Only for members.)", "(Not abroad.)", "The cap is high."],
        ["Theft is covered.", "(See section 4. It is long.)", "The cap is high."],
        ["Theft is covered.", "[Not in force since May.]", "The cap is high."],
        ["Diebstahl ist versichert.", "(Nur für Mitglieder.)", "Der Deckel ist hoch."],
        ["(See section 4.)", "The cap is high."],
    ],
)
def test_it_belongs_to_neither_neighbour(sentences):
    assert sentences == cut(" ".join(sentences))


def test_scripts_without_blanks_have_them_too():
    assert ["盗难在承保范围内。", "（仅限会员。）", "上限为五百欧元。"] == cut(
        "盗难在承保范围内。（仅限会员。）上限为五百欧元。"
    )


@pytest.mark.parametrize(
    "text",
    [
        "(a) The cap is high.",
        "(Optional) Locks cost extra.",
        "(As in section 4.) and in 5 too.",
        "(Never closed. The cap is high.",
        "(1.) The cap is high.",
        "",
    ],
)
def test_what_is_no_sentence_in_brackets_is_not_cut(text):
    assert aside_end(text, 0, len(text)) is None
