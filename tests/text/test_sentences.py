"""Promises of the sentence bounds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundedgen.text.sentences import clause_spans, lead_in, sentence_spans, sentences_around
from tests.growth import LINEAR, factor

PIECES = [
    *("Rent is due. ", "In May. ", "no. 5 ", "Dr. ", "e.g. ", "- item\n", "1. ", "(a) ", "• "),
    *(
        "\n\n",
        "\n",
        "\r\n",
        "\u2029",
        "# Head\n",
        "| a | b |\n",
        "“Yes.” ",
        "漢字。",
        "है। ",
        "\ud800",
    ),
    *("\x00", "\u202e", "e\u0301", "😀. ", "...", "?!", " ", "\t", "‘", "`", "''", "Heading"),
]
texts = st.lists(st.sampled_from(PIECES), max_size=30).map("".join) | st.text(max_size=80)


def pieces(text, lang=None):
    return [text[start:end] for start, end in sentence_spans(text, lang)]


@given(texts)
def test_everything_that_is_not_blank_lies_in_exactly_one_span(text):
    spans = sentence_spans(text)
    covered = {i for start, end in spans for i in range(start, end)}
    assert sum(end - start for start, end in spans) == len(covered)
    assert all(i in covered for i, char in enumerate(text) if not char.isspace())
    assert spans == sorted(spans)


@given(texts)
def test_spans_have_no_outer_blanks_and_are_never_empty(text):
    assert all(piece and piece == piece.strip() for piece in pieces(text))


@given(texts, st.sampled_from([None, "en", "de-AT", "xx", "", "zh_Hant", "漢"]))
def test_no_text_and_no_language_tag_raises(text, lang):
    assert isinstance(sentence_spans(text, lang), list)


@pytest.mark.parametrize(
    ("text", "lang", "expected"),
    [
        ("Der 3. Absatz gilt nicht. Der 4. Satz gilt.", None, 2),
        ("Die Frist endet am 5. März 2024. Danach nicht.", None, 2),
        ("Im 19. Jahrhundert war das so.", "de-CH", 1),
        ("Forsikringen ophører den 5. Maj 2024. Den gælder.", "da", 2),
        ("Vakuutus päättyy 5. Maaliskuuta. Se loppuu.", "fi", 2),
        ("Die Frist endet 2024. Die Haftung endet.", "de", 2),
        ("Es kostet 1.50. Die Haftung endet.", "de", 2),
        ("We pay 5. You pay 3.", "en", 2),
    ],
)
def test_an_ordinal_ends_no_sentence_where_it_is_written_with_a_stop(text, lang, expected):
    assert len(pieces(text, lang)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("See no. 5. Dr. Li agrees.", ["See no. 5.", "Dr. Li agrees."]),
        ("It costs approx. 5 euros. Pay.", ["It costs approx. 5 euros.", "Pay."]),
        ("Rent is due in May. Damage is not.", ["Rent is due in May.", "Damage is not."]),
        ("The answer is no. Damage is not.", ["The answer is no.", "Damage is not."]),
        ("One line\nof two. Next\none.", ["One line\nof two.", "Next\none."]),
        ("A paragraph\n\nAnother", ["A paragraph", "Another"]),
        ("It may not\n\nbe sublet at all.", ["It may not\n\nbe sublet at all."]),
        ("- fire\n- theft of\n  tools\n- hail", ["- fire", "- theft of\n  tools", "- hail"]),
        ("under clause\n(b) of this part.", ["under clause\n(b) of this part."]),
        ("Burst pipes\nWe pay for all repairs that follow from a burst pipe.", None),
        ("the Bank of\nEngland is old.", ["the Bank of\nEngland is old."]),
        ("彼は「行く。」と言った。次。", ["彼は「行く。」と言った。", "次。"]),
        ("यह एक है। दूसरा।", ["यह एक है।", "दूसरा।"]),
        ("• One. Two.", ["• One.", "Two."]),
        ("4.\nPay now.", ["4.\nPay now."]),
        ("a\ud800b. C d.", ["a\ud800b.", "C d."]),
        ("(See this. And that.)", ["(See this. And that.)"]),
        ("", []),
        (" \n\t", []),
    ],
)
def test_sentences_are_cut_where_a_reader_would_cut(text, expected):
    found = pieces(text)
    if expected is None:  # a heading stands alone
        assert found[0] == "Burst pipes"
    else:
        assert found == expected


def test_a_heading_and_table_rows_stand_alone():
    text = "# Terms\nPay now.\n| a | b |\n| 1 | 2 |\nx | y | z\nThen go."
    assert pieces(text) == [
        "# Terms",
        "Pay now.",
        "| a | b |",
        "| 1 | 2 |",
        "x | y | z",
        "Then go.",
    ]


def test_a_long_text_is_cut_as_its_parts_are():
    """The windows in which the library is asked leave no trace."""
    sentence = "The tenant may give notice under no. 5 (see clause 4.1) at any time. "
    text = sentence * 200
    assert pieces(text) == [sentence.strip()] * 200


@pytest.mark.parametrize(
    "unit",
    [
        "a b. ",
        "x\n",
        "- a\n",
        "\n",
        "‘",
        "`",
        "''",
        "“a. ",
        "1. ",
        "no. 5 ",
        "\ud800",
        ".\"'",
        "_*'\"",
    ],
)
def test_time_is_linear(unit):
    assert factor(sentence_spans, unit, size=30_000) < LINEAR


def test_an_item_hangs_from_its_lead_in():
    text = "Not covered:\n- floods;\n- theft.\nCall us."
    spans = sentence_spans(text)
    assert [lead_in(text, spans, i) for i in range(len(spans))] == [None, 0, 0, None]


def test_a_plain_paragraph_hangs_from_nothing():
    text = "Rent is due. It is paid in May. Then it is not."
    spans = sentence_spans(text)
    assert [lead_in(text, spans, i) for i in range(len(spans))] == [None, None, None]


def leads(text):
    """The lead-in of each sentence, as the words they begin with."""
    spans = sentence_spans(text)
    words = [text[a:b].split()[0] for a, b in spans]
    found = [lead_in(text, spans, place) for place in range(len(spans))]
    return {words[i]: words[lead] for i, lead in enumerate(found) if lead is not None}


def test_clauses_behind_a_list_do_not_hang_from_its_lead_in():
    text = "3.4 We do not pay for:\n(a) theft;\n(b) seals.\n3.5 Heat it.\n4. Fire\n4.1 We pay."
    assert {"(a)": "3.4", "(b)": "3.4"}.items() <= leads(text).items()
    assert {"3.5", "4.1"}.isdisjoint(leads(text))
    text = "We do not pay for:\n- war;\n- rust.\n9. Claims\n9.1 Tell us.\n9.2 Call us."
    assert {"9.1", "9.2"}.isdisjoint(leads(text))


@pytest.mark.parametrize(
    "text",
    [
        "3.4 We do not pay for:\n3.5 Theft of cash.\n3.6 Theft of a car.",
        "3 We do not pay for:\n(a) fines\n3.5 Theft of cash.\n3.6 Theft of a car.",
        "3 We do not pay for:\n3.5 Theft of cash.\n3.6 Theft of a car.",
        "We do not pay for:\n- fines\n1. Theft\n3.5 Theft of cash.\n3. Cars\n3.6 Theft of a car.",
        "3.4 We do not pay for:\n- fines;\n3.5 theft of cash;\n3.6 theft of a car;",
    ],
)
def test_in_doubt_a_numbered_clause_is_one_of_the_items(text):
    assert {"3.5", "3.6"} <= leads(text).keys()


@given(texts)
def test_lead_ins_stand_before_their_items(text):
    spans = sentence_spans(text)
    for i in range(len(spans)):
        lead = lead_in(text, spans, i)
        assert lead is None or 0 <= lead < i


def test_only_overlong_sentences_are_cut_into_clauses():
    text = "The fee is due at once; interest runs: from the first day."
    assert clause_spans(text, 0, len(text)) == [(0, len(text))]
    cut = [text[a:b] for a, b in clause_spans(text, 0, len(text), max_chars=20)]
    assert cut == ["The fee is due at once;", "interest runs:", "from the first day."]


def test_the_sentences_around_a_span_cover_it():
    spans = [(0, 10), (11, 20), (21, 30)]
    assert sentences_around(spans, 12, 14) == (11, 20)
    assert sentences_around(spans, 5, 25) == (0, 30)
    assert sentences_around([], 3, 4) == (3, 4)
