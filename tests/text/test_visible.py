"""What is shown is what was verified, whatever is strewn into it."""

from __future__ import annotations

import html
import json
import re
import sys
import unicodedata

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from groundedgen import Passage, ask, render
from groundedgen.entailment import restates
from groundedgen.render.display import clean
from groundedgen.testing import ScriptedGenerator
from groundedgen.text.folding.foldtables import SOFT_HYPHENS
from groundedgen.text.visible import adds_signs, unhidden, visible
from tests.growth import LINEAR, factor

SENTENCES = [
    "The deductible of this policy is 12.5 percent of each loss.",
    "Claims are paid within 20-30 days, up to 1,500 euros, from 03/12 at a ratio of 3:1.",
    "Theft is not covered under this policy at all.",
    "Шкода не покривається до 12.5 відсотків.",
]
BIDI = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
#: Signs and digits that folding reads as others, and that are read from right to left.
TURNING = "\u0640\u066b\u066c\u05be\u05f3\u05f4\u060c\u06d4\u06dd\u0661\u0665"
STREWN = [
    char
    for char in map(chr, range(sys.maxunicode + 1))
    if unicodedata.category(char) in {"Cf", "Mn", "Me"} and char not in SOFT_HYPHENS
]
strewn = st.lists(
    st.tuples(
        st.integers(0, 90),
        st.sampled_from(BIDI + "\u200b\u200c\u200d\u0640") | st.sampled_from(STREWN),
    ),
    min_size=1,
    max_size=6,
)


def with_strewn(sentence, places):
    text = list(sentence)
    for at, char in places:
        text.insert(min(at, len(text)), char)
    return "".join(text)


def asked(text, source):
    drafted = {"text": text, "sources": ["S1"], "quote": source}
    model = ScriptedGenerator([{"status": "answered", "statements": [drafted]}] * 2)
    return ask("What does it say?", [Passage("p", source)], model=model)


def words(shown):
    """Without what stays and neither shows nor turns anything: joiners, selectors."""
    shown = shown.strip(",.")  # what some of the digits' signs become at an edge
    return re.sub("[\u200c\u200d\ufe00-\ufe0f\U000e0100-\U000e01ef\u2060]", "", shown)


def unmarked(shown):
    plain = unicodedata.normalize("NFD", shown)
    return "".join(c for c in plain if unicodedata.category(c) not in {"Cf", "Mn", "Me"})


def every_showing(answer):
    page = render(answer, format="html")
    said = re.search('<bdi class="said">(.*?)</bdi>', page, re.DOTALL)
    quoted = re.search("<mark>(.*?)</mark>", page, re.DOTALL)
    yield from (html.unescape(found[1]) for found in (said, quoted) if found)
    for format_ in ("markdown", "footnotes"):
        written = MarkdownIt("commonmark").render(render(answer, format=format_))
        first = re.search(r"<p>(.*?) \[\^?1\]", written, re.DOTALL)
        yield html.unescape(first[1]) if first else ""
    yield render(answer, format="text").split(" [1]")[0]
    yield json.loads(render(answer, format="json"))["statements"][0]["text"]


@settings(max_examples=80)
@given(st.sampled_from(SENTENCES), strewn)
@example(SENTENCES[0], [(33, "\u200f"), (36, "\u200f"), (38, "\u200f"), (40, "\u200f")])
@example(SENTENCES[1], [(26, "\u00ad")])
@example(SENTENCES[2], [(10, "\u0591"), (12, "\u064b")])
def test_what_is_strewn_into_a_sentence_is_not_shown_with_it(sentence, places):
    answer = asked(with_strewn(sentence, places), sentence)
    if not answer.statements:
        return
    seen = set(every_showing(answer))
    assert not set(BIDI) & set("".join(seen))
    if answer.statements[0].entailment.how == "judge":  # it may read past a mark
        sentence, seen = unmarked(sentence), {unmarked(shown) for shown in seen}
    assert {words(sentence)} == {words(shown) for shown in seen}


@settings(max_examples=40)
@given(st.sampled_from(SENTENCES), strewn)
def test_what_is_strewn_into_a_passage_shows_nothing_else_than_folding_reads(sentence, places):
    answer = asked(sentence, with_strewn(sentence, places))
    for statement in answer.statements:
        assert sentence == statement.text
        assert not set(BIDI) & set("".join(every_showing(answer)))


@pytest.mark.parametrize("sentence", SENTENCES)
def test_no_mark_or_format_character_in_a_number_or_word_makes_a_whole_sentence(sentence):
    def strewn_everywhere(char):
        return re.sub(r"(\w)", rf"\1{char}", sentence)

    passed = {
        char
        for char in STREWN
        if restates(strewn_everywhere(char), sentence)
        and words(clean(strewn_everywhere(char))) != words(sentence)
    }
    assert set() == passed


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("It is 20\u05be30 days from \u05d0.", "It is 20-30 days from \u05d0."),
        ("Due in \u0662\u0660-\u0663\u0660 days.", "Due in 20-30 days."),
        ("It is 12\u066b5 percent.", "It is 12.5 percent."),
        ("\u05e9\u05b8\u05dc\u05d5\u05dd \u05dc\u05db.", "\u05e9\u05dc\u05d5\u05dd \u05dc\u05db."),
    ],
)  # fmt: skip
def test_signs_that_a_reader_sees_and_the_passage_lacks_need_a_judge(text, source):
    assert adds_signs(text, source)
    assert not restates(text, source)
    assert restates(source, source)


@pytest.mark.parametrize("soft", SOFT_HYPHENS)
def test_where_folding_reads_a_hyphen_in_a_soft_one_a_hyphen_is_shown(soft):
    source = f"Claims are paid within 20{soft}30 days of insur{soft}ance cover."
    read = "Claims are paid within 20-30 days of insurance cover."
    assert read == visible(source) == clean(source)
    assert "20-30" == visible(f"20-{soft}30")
    for text in (source, read):
        answer = asked(text, source)
        assert not answer.statements or {read} == set(every_showing(answer))
    assert not asked(read.replace("20-30", "2030"), source).statements


def test_points_may_be_left_out():
    assert restates(
        "\u05e9\u05dc\u05d5\u05dd \u05dc\u05db\u05dc.",
        "\u05e9\u05b8\u05dc\u05d5\u05dd \u05dc\u05db\u05dc.",
    )
    assert restates(
        "\u0643\u062a\u0628 \u0647\u0648.", "\u0643\u064e\u062a\u064e\u0628 \u0647\u0648."
    )


def test_digits_and_signs_of_another_direction_become_what_folding_reads():
    assert "Due in 20-30 days." == visible("Due in \u0662\u0660\u05be\u0663\u0660 days.")
    assert "\u0645\u0646 \u0662\u0660 \u064a\u0648\u0645" == visible(
        "\u0645\u0646 \u0662\u0660 \u064a\u0648\u0645"
    )
    assert "\u05ea\u05dc\u05be\u05d0\u05d1\u05d9\u05d1" == visible(
        "\u05ea\u05dc\u05be\u05d0\u05d1\u05d9\u05d1"
    )


text = st.text(
    st.sampled_from(list("a1 .-\nכ\u05b8ب\u064bक\u094d👩❤\u2640\u20e3葛\u25cc" + BIDI + TURNING))
    | st.sampled_from("\u200b\u200c\u200d\u00ad\u0002\ufffe\ufe0f\ufe01\U000e0100\u180b\u034f\r")
    | st.characters()
)


@settings(max_examples=300)
@given(text)
def test_a_statement_as_it_is_checked_is_shown_as_it_is(value):
    assert visible(value) == visible(visible(value)) == unhidden(visible(value))
    assert len(visible(value)) == len(clean(visible(value)))  # what is no character is replaced
    assert unhidden(value) == unhidden(unhidden(value))
    assert not set(BIDI) & set(unhidden(value))


@pytest.mark.parametrize(
    "unit", ["\u200c\u0640", "\u200d\ufe0f", "a\u0591", "\u00ad 1", "כ\u05b8\u200c"]
)
def test_time_is_linear(unit):
    assert factor(visible, unit, size=20_000) < LINEAR
