"""What must be read with a piece of a text, however far away it stands."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundedgen.text.excerpts import excerpt
from groundedgen.text.governing import Governing, limited_runs
from groundedgen.text.sentences import sentence_spans

QUOTE = "The insurer pays for theft of bicycles."
ITEMS = "".join(f"- The insurer pays for damage of kind {n}.\n" for n in range(300))
NUMBERED = "".join(f"({n}) damage of kind {n} to the wall;\n" for n in range(1, 300))
ROWS = "".join(f"| Kind {n} | {n} |\n" for n in range(300))
PLAIN = "The insurer is in London. " * 300
PARAGRAPHS = "The insurer is in London.\n\n" * 300


def above(text, words):
    spans = sentence_spans(text)
    place = next(n for n, (start, end) in enumerate(spans) if words in text[start:end])
    return Governing(text, spans).read_with(place)


@pytest.mark.parametrize(
    ("text", "governs"),
    [
        (f"These were repealed in 2019:\n\n{ITEMS}- {QUOTE}", "These were repealed in 2019:\n\n"),
        (f"Nobody is paid for:\n{NUMBERED}(300) theft;", "Nobody is paid for:\n"),
        (f"# Repealed\n\n{PARAGRAPHS}{QUOTE}", "# Repealed\n\n"),
        (f"# Old\n\n## Theft\n\n{PARAGRAPHS}{QUOTE}", "# Old\n\n## Theft\n\n"),
        (f"# Now\n\nYes.\n\n# Old\n\n{PARAGRAPHS}{QUOTE}", "# Old\n\n"),
        (f"2 Former terms\n\n2.1 Theft\n\n{PARAGRAPHS}{QUOTE}", "2 Former terms\n\n2.1 Theft\n\n"),
        (f"| Cover | Repealed |\n{ROWS}| theft | 5 |", "| Cover | Repealed |\n"),
        (f"{PARAGRAPHS}Not covered: hail. {QUOTE}", "Not covered: hail. "),
        (f"Of the tenant\n\nHe must not:\n{ITEMS}- {QUOTE}", "Of the tenant\n\nHe must not:\n"),
        (f"{PLAIN}\n\nIt is not the case that. {QUOTE}", "It is not the case that. "),
    ],
)
def test_what_governs_is_found_from_any_distance(text, governs):
    words = QUOTE if QUOTE in text else "theft"
    assert governs == above(text, words)


@pytest.mark.parametrize(
    "text",
    [
        f"These were repealed in 2019:\n{ITEMS}\nThe list ends here.\n\n{QUOTE}",
        f"{PLAIN}\n\n{QUOTE}",
        f"{PARAGRAPHS}{QUOTE}",
        QUOTE,
    ],
)
def test_nothing_governs_what_stands_for_itself(text):
    assert "" == above(text, QUOTE)


def test_a_heading_of_the_same_level_ends_the_one_above():
    text = f"# A\n\n## Old\n\nNo.\n\n## New\n\n{PARAGRAPHS}{QUOTE}"
    assert "# A\n\n## New\n\n" == above(text, QUOTE)


def test_a_sentence_and_what_limits_it_are_one_and_a_chain_of_them_ends():
    text = "Fire is covered. Theft is covered. But not in May. Call us. " + "But not so. " * 9
    runs = limited_runs(text, sentence_spans(text))
    assert (1, 3) in runs
    assert 4 == max(end - first for first, end in runs)
    assert [n for first, end in runs for n in range(first, end)] == list(range(13))


def cut(text, limit, words=QUOTE):
    start = text.index(words)
    found = excerpt(text, start, start + len(words), limit)
    if found is not None:
        place = found.place(start, start + len(words))
        assert words == found.text[slice(*place)]
        assert len(found.text) <= limit
    return found


@pytest.mark.parametrize("limit", [200, 1_000, 5_000])
@pytest.mark.parametrize(
    ("text", "held"),
    [
        (f"These were repealed in 2019:\n{ITEMS}- {QUOTE}\n{ITEMS}", "These were repealed"),
        (f"# Repealed\n\n{PARAGRAPHS}{QUOTE}\n\n{PARAGRAPHS}", "# Repealed\n\n"),
        (f"{PLAIN}{QUOTE} This does not apply to cash. {PLAIN}", "This does not apply to cash."),
        (f"{PLAIN}{QUOTE} (Repealed.) {PLAIN}", "(Repealed.)"),
        (f"{QUOTE[:-1]}.\u00b9 {PLAIN}\n\n\u00b9 Only for members.", "Only for members."),
    ],
)
def test_an_excerpt_holds_what_decides_or_there_is_none(text, held, limit):
    assert held in cut(text, limit).text
    assert cut(text, len(QUOTE) + 4) is None


@pytest.mark.parametrize(("opens", "closes"), [("~~", "~~"), ("<del>", "</del>")])
def test_what_is_crossed_out_is_read_with_its_marks_or_not_at_all(opens, closes):
    text = f"{PLAIN}\n\n{opens}{PLAIN[:260]}{QUOTE} {PLAIN[:259]}{closes}\n\n{PLAIN}"
    assert cut(text, 400) is None
    assert f"{opens}The insurer is" in cut(text, 2_000).text
    runs = limited_runs(text, sentence_spans(text))
    assert [True] == [end - first >= 21 for first, end in runs if end - first > 1]


def test_other_sentences_of_an_excerpt_are_read_with_what_governs_them_too():
    """The quote stands behind the list; the items that come along must not stand alone."""
    text = f"These were repealed in 2019:\n{ITEMS}\n{QUOTE} {PLAIN}"
    found = cut(text, 400)
    assert "- The insurer pays for damage" not in found.text or "repealed" in found.text
    assert "repealed" in cut(text, 2_000).text


def test_an_excerpt_does_not_end_before_what_limits_its_last_sentence():
    text = f"{QUOTE} " + "Hail is covered. This does not apply to cars. " * 100
    for limit in range(60, 400, 7):
        assert not cut(text, limit).text.endswith("Hail is covered.")


def test_in_plain_text_an_excerpt_is_one_piece_of_the_passage():
    found = cut(f"{PLAIN}{QUOTE} {PLAIN}", 500)
    assert found.text in f"{PLAIN}{QUOTE} {PLAIN}"
    assert 440 < len(found.text) <= 500


PIECES = st.lists(
    st.sampled_from(
        ["It rains. ", "We never pay for:\n", "- hail;\n", "\n\n", "# Old\n\n", "But not in May. "]
    ),
    max_size=30,
).map("".join)


@given(PIECES, PIECES, st.integers(10, 300))
def test_an_excerpt_is_made_of_the_passage_in_its_order(before, behind, limit):
    text = f"{before}{QUOTE} {behind}"
    found = cut(text, limit)
    if found is not None:
        at = 0
        for line in found.text.splitlines():
            assert (at := text.find(line.strip(), at)) >= 0
