"""`groundedgen.interop.splitting`: long texts become exact slices, and nothing is lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundedgen.errors import InputError
from groundedgen.interop.splitting import SIZE, split_passage, split_spans
from groundedgen.passages import Passage
from tests.growth import LINEAR, factor

WORDS = ["word", "Dr.", "stop. ", "Is it? ", "(a) ", "1. ", "1.5 %", "x" * 130]
LINES = ["- item;\n", "We do not pay for:\n", "# Head\n", "| a | b |\n"]
BLANKS = [" ", "\t", "\xa0", "\n", "\n\n", "\r\n", "\r\n\r\n", "\n\n\n ", "\u2028"]
STRANGE = ["ﬁ", "e\u0301", "你好。", "\U0001f469\u200d\U0001f680", "\ud800", "\x00", "\u202e"]
ATOMS = st.sampled_from([*WORDS, *LINES, *BLANKS, *STRANGE])
TEXTS = st.lists(ATOMS, max_size=120).map("".join) | st.text(max_size=600)


@given(TEXTS, st.integers(100, 400))
def test_every_character_that_is_not_blank_lies_in_exactly_one_piece(text, size):
    spans = split_spans(text, size)
    position = 0
    for start, end in spans:
        assert 0 < end - start <= size
        assert not text[position:start].strip()
        assert text[start:end] == text[start:end].strip()
        position = end
    assert not text[position:].strip()


@given(TEXTS, st.integers(100, 400), st.none() | st.integers(0, 10**6))
def test_a_piece_is_the_slice_that_its_start_says(text, size, start):
    whole = Passage("doc", text, title="T", page=3, start=start, metadata={"k": 1})
    pieces = split_passage(whole, size)
    base = start or 0
    for piece in pieces:
        if piece is not whole:
            at = piece.start - base
            assert text[at : at + len(piece.text)] == piece.text
        assert (piece.title, piece.page, piece.metadata) == ("T", 3, {"k": 1})
    assert len({piece.id for piece in pieces}) == len(pieces)


@given(TEXTS)
def test_the_same_text_gives_the_same_pieces(text):
    assert split_spans(text, 150) == split_spans(text, 150)


def test_a_text_that_fits_is_not_touched():
    passage = Passage("a", "  short \n")
    assert split_passage(passage) == [passage]
    assert split_passage(passage)[0] is passage


def test_a_blank_text_has_no_pieces():
    assert split_spans(" \n\t ") == []
    assert split_passage(Passage("a", " " * 5000))[0].id == "a"


def test_a_paragraph_is_the_first_choice():
    text = ("One sentence here. " * 6).strip() + "\n\n" + ("Another one there. " * 6).strip()
    pieces = [text[a:b] for a, b in split_spans(text, 150)]
    assert [piece[:3] for piece in pieces] == ["One", "Ano"]


def test_a_sentence_is_never_cut_while_it_fits():
    text = " ".join(f"Sentence number {n} says what it says and then it stops." for n in range(200))
    pieces = [text[a:b] for a, b in split_spans(text, 300)]
    assert all(piece.startswith("Sentence") and piece.endswith("stops.") for piece in pieces)
    assert len(pieces) > 30


def test_a_sentence_of_a_line_wrapped_page_is_not_cut_at_a_line_end():
    text = "\n".join(
        f"Clause {n} of this policy is about water that\nescapes from pipes and tanks."
        for n in range(40)
    )
    assert all(text[:b].endswith("tanks.") for _, b in split_spans(text, 400))


def test_list_items_stay_with_the_line_that_rules_them():
    """ "We do not pay for:" turns the meaning of every item below it."""
    before = "Storm damage is paid in full. " * 20
    items = "We do not pay for:\n" + "\n".join(f"- damage of kind {n};" for n in range(15)) + "\n"
    text = before + "\n" + items + "Call us at any hour. " * 20
    piece = next(text[a:b] for a, b in split_spans(text, 600) if "kind 14" in text[a:b])
    assert "We do not pay for:" in piece
    assert "kind 0" in piece


def test_no_crumb_remains_at_the_end():
    text = "A sentence of some length stands here. " * 70  # a little more than one piece
    sizes = [b - a for a, b in split_spans(text, SIZE)]
    assert len(sizes) == 2
    assert min(sizes) > SIZE // 4


def test_a_sentence_longer_than_a_piece_is_cut_between_words():
    text = "and " * 500
    pieces = [text[a:b] for a, b in split_spans(text, 200)]
    assert set(" ".join(pieces).split()) == {"and"}


def test_a_character_is_not_parted_from_its_marks():
    text = "e\u0301" * 500
    assert all(text[a:b].startswith("e") for a, b in split_spans(text, 101))
    flags = "\U0001f469\u200d\U0001f680" * 300
    assert all(flags[a:b].startswith("\U0001f469") for a, b in split_spans(flags, 100))


def test_one_endless_cluster_is_cut_all_the_same():
    text = "e" + "\u0301" * 1000
    assert max(b - a for a, b in split_spans(text, 100)) <= 100


@pytest.mark.parametrize("size", [99, 0, -1])
def test_a_size_that_holds_no_sentence_is_an_error(size):
    with pytest.raises(InputError, match="at least 100") as caught:
        split_spans("text", size)
    assert caught.value.code == "bad_size"


@pytest.mark.parametrize(
    "unit",
    [
        "It rained. ",
        "We pay for:\n- fire;\n- hail.\n",
        "word ",
        "x",
        "\n",
        " \n\n",
        "(a) item;\n",
        "e\u0301",
        "你好。",
    ],
)
def test_time_grows_linearly(unit):
    assert factor(lambda text: split_spans(f"a{text}b", 500), unit, size=25_000) < LINEAR
