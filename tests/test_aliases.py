"""Aliases: short names in order, and what a written name means."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from groundedgen.aliases import assign, resolve
from groundedgen.errors import InputError
from groundedgen.gates.markers import cut_markers
from groundedgen.passages import Passage
from tests.growth import LINEAR, factor

THREE = ["S1", "S2", "S3"]
TWELVE = [f"S{n}" for n in range(1, 13)]


def passages(*texts):
    return [Passage(f"p{number}", text) for number, text in enumerate(texts)]


def test_aliases_follow_the_order_of_the_passages():
    aliases = assign(passages("Pipes.", "Floods."))
    assert ("S1", "S2") == aliases.names
    assert {"S1": "p0", "S2": "p1"} == aliases.ids
    assert {"S1": "Pipes.", "S2": "Floods."} == aliases.docs


@pytest.mark.parametrize("blank", ["", "  ", "\n\t", "\u200b\ufeff", "\u202e", "\ud800", "\0"])
def test_a_passage_without_visible_text_gets_no_alias_and_shifts_none(blank):
    aliases = assign(passages("Pipes.", blank, "Floods."))
    assert {"S1": "p0", "S2": "p2"} == aliases.ids


def test_equal_texts_share_an_alias_and_keep_all_origins():
    aliases = assign(passages("Pipes.", "Floods.", "Pipes."))
    assert ("S1", "S2") == aliases.names
    assert ["p0", "p2"] == [passage.id for passage in aliases.origins("S1")]


def test_the_same_passage_twice_is_one():
    twice = Passage("a", "Pipes.")
    assert (twice,) == assign([twice, Passage("a", "Pipes.", title="Other")]).origins("S1")


@pytest.mark.parametrize("texts", [("Pipes.", "Floods."), ("Pipes.", ""), ("", "Pipes.")])
def test_one_id_for_two_texts_is_an_error_that_names_it(texts):
    with pytest.raises(InputError, match="'policy#4'") as caught:
        assign([Passage("policy#4", text) for text in texts])
    assert "duplicate_id" == caught.value.code
    assert "Pipes" not in str(caught.value)


def test_languages_come_from_the_passages_that_have_one():
    given = [Passage("a", "Rohre.", lang="de"), Passage("b", "Pipes."), Passage("c", "Rohre.")]
    assert {"S1": "de"} == assign(given).langs


def test_no_passages_have_no_aliases():
    assert () == assign([]).names
    with pytest.raises(KeyError):
        assign([]).origins("S1")


@given(st.lists(st.text(max_size=5), max_size=12))
def test_docs_hold_every_distinct_text_once_and_unchanged(texts):
    aliases = assign(passages(*texts))
    assert list(aliases.docs) == [f"S{n}" for n in range(1, len(aliases.names) + 1)]
    assert set(aliases.docs.values()) <= set(texts)
    assert len(set(aliases.docs.values())) == len(aliases.docs)


def test_ten_thousand_equal_passages_are_one_alias():
    assert 10_000 == len(assign(passages(*["Pipes."] * 10_000)).origins("S1"))


KNOWN = [
    ("S1", ["S1"]),
    ("s1", ["S1"]),
    (" S1 ", ["S1"]),
    ("[S1]", ["S1"]),
    ("【S1】", ["S1"]),
    ("(S1)", ["S1"]),
    ('"S1"', ["S1"]),
    ("[[S1]]", ["S1"]),
    ("Ｓ１", ["S1"]),
    ("S01", ["S1"]),
    ("S 1", ["S1"]),
    ("S-1", ["S1"]),
    ("1", ["S1"]),
    ("[2]", ["S2"]),
    (2, ["S2"]),
    ("Source S1", ["S1"]),
    ("source: 2", ["S2"]),
    ("Passage 3", ["S3"]),
    ("S1, S2", ["S1", "S2"]),
    ("S1;S2", ["S1", "S2"]),
    ("S1 and S2", ["S1", "S2"]),
    ("S1/S2", ["S1", "S2"]),
    ("S1 S2", ["S1", "S2"]),
    ("[S1][S2]", ["S1", "S2"]),
    ("[S1], [S2]", ["S1", "S2"]),
    ("S1、S2", ["S1", "S2"]),
    ("S1-S3", ["S1", "S2", "S3"]),
    ("S1–S3", ["S1", "S2", "S3"]),
    ("S1-3", ["S1", "S2", "S3"]),
    ("1-3", ["S1", "S2", "S3"]),
    (["S1", "[s1]", 1, "S2"], ["S1", "S2"]),
    ([], []),
    ("", []),
    ([" "], []),
]


@pytest.mark.parametrize(("written", "expected"), KNOWN)
def test_one_meaning_is_taken(written, expected):
    read = resolve(written, THREE)
    assert (tuple(expected), ()) == (read.known, read.unknown)


UNKNOWN = [
    "S9",
    "S0",
    "0",
    "9",
    0,
    -1,
    10**30,
    "S1O",
    "SI",
    "Ѕ1",
    "ſ1",
    "S¹",
    "S1a",
    "S1.5",
    "1.0",
    "https://S1.example",
    "S1 pages 14-17",
    "Author et al. (2019)",
    "S1-S9",
    "S3-S1",
    "S1-S999999999",
    "docket 1",
    "none",
    "*",
    "x" * 5000,
]


@pytest.mark.parametrize("written", UNKNOWN)
def test_nothing_is_guessed(written):
    read = resolve(written, THREE)
    assert () == read.known
    assert len(read.unknown) == 1
    assert len(read.unknown[0]) <= 80


def test_known_and_unknown_are_told_apart():
    assert (("S1",), ("S8",)) == _both("S1, S8", THREE)
    assert (("S2",), ("S9", "page 4")) == _both(["S9", "S2", "page 4"], THREE)


def _both(written, names):
    read = resolve(written, names)
    return read.known, read.unknown


@pytest.mark.parametrize("wrong", [None, True, 1.0, {"id": "S1"}, [["S1"], ["S2"]], [None], [True]])
def test_a_wrong_type_is_not_read(wrong):
    assert resolve(wrong, THREE) is None


def test_exact_spelling_wins_over_every_other():
    assert ("a1",) == resolve("a1", ["A1", "a1"]).known
    assert () == resolve("ab1", ["Ab1", "aB1"]).known
    assert ("S01",) == resolve("S01", ["S1", "S01"]).known
    assert ("S1, S2",) == resolve("S1, S2", ["S1", "S2", "S1, S2"]).known


def test_ten_is_not_one():
    assert ("S10",) == resolve("S10", TWELVE).known
    assert () == resolve("S1O", TWELVE).known


def test_a_number_means_no_name_where_names_are_no_series():
    assert () == resolve("2", ["lease", "annex"]).known
    assert () == resolve(1, ["S1", "T1"]).known
    assert ("kb/a", "kb/b") == resolve("kb/a, kb/b", ["kb/a", "kb/b"]).known


@given(st.text() | st.integers() | st.lists(st.text(max_size=8) | st.integers(), max_size=5))
def test_any_value_can_be_read_and_known_names_are_listed_ones(written):
    read = resolve(written, TWELVE)
    assert set(read.known) <= set(TWELVE)
    assert len(set(read.known)) == len(read.known)


@given(st.sampled_from(TWELVE))
def test_every_name_means_itself(name):
    assert (name,) == resolve(name, TWELVE).known


@pytest.mark.parametrize("unit", ["[", " ", "S1, ", "S1 ", "1-", "((", "source ", "a\n", "] ["])
def test_time_grows_with_what_is_written(unit):
    assert factor(lambda text: resolve([text, f"[{text}]", *text.split(",")], THREE), unit) < LINEAR


# --- names with a part: the ids of sentences --------------------------------------------------

IDS = ["S1.1", "S1.2", "S1.3", "S2.1", *(f"S3.{n}" for n in range(1, 41))]

PARTS = [
    ("S1.2", ["S1.2"]),
    ("s1.2", ["S1.2"]),
    ("S 1.2", ["S1.2"]),
    ("S01.2", ["S1.2"]),
    ("Ｓ１．２", ["S1.2"]),
    ("1.2", ["S1.2"]),
    ("[3.10]", ["S3.10"]),
    ("3.1", ["S3.1"]),
    ("Source 1.2", ["S1.2"]),
    ("S1.1-S1.3", ["S1.1", "S1.2", "S1.3"]),
    ("S1.1\u2013S1.3", ["S1.1", "S1.2", "S1.3"]),
    ("S1.1 to S1.3", ["S1.1", "S1.2", "S1.3"]),
    ("S1.1..S1.3", ["S1.1", "S1.2", "S1.3"]),
    ("S1.1-3", ["S1.1", "S1.2", "S1.3"]),
    ("S1.1-1.3", ["S1.1", "S1.2", "S1.3"]),
    ("1.1-1.3", ["S1.1", "S1.2", "S1.3"]),
    ("[S1.2-S1.2]", ["S1.2"]),
    ("S1.2-3, S2.1", ["S1.2", "S1.3", "S2.1"]),
    ("S3.3-S3.22", [f"S3.{n}" for n in range(3, 23)]),
]


@pytest.mark.parametrize(("written", "expected"), PARTS)
def test_the_usual_spellings_of_a_sentence_s_id_are_taken(written, expected):
    assert (tuple(expected), ()) == _both([written], IDS)


NO_PART = [
    "S1",
    "1",
    "S1.4",
    "S1.0",
    "S1.02",
    "1.02",
    "01.2",
    "1.2.1",
    "S1.2.1",
    "S1,2",
    "S1.\u0662",
    "\u04051.2",
    "S1.2a",
    "clause 1.2",
    "section S1.2",
    "S1-S3",
    "S1-3",
    "1-3",
    "1.1-3",
    "S1.1-S1.4",
    "S1.1-S2.1",
    "S1.1-2.1",
    "S1.1-S3",
    "S1.3-S1.1",
    "S3.3-S3.23",
    "S3.1-S3.999999999",
    "S1.1-03",
]


@pytest.mark.parametrize("written", NO_PART)
def test_no_sentence_is_guessed(written):
    read = resolve([written], IDS)
    assert () == read.known
    assert read.unknown


def test_a_bare_number_with_a_part_means_none_where_two_could_be_meant():
    assert () == resolve(["1.2"], ["S1.2", "T1.2"]).known
    assert () == resolve(["1.2"], ["S1", "S1.2"]).known
    assert () == resolve(["1.1-1.2"], ["S1.1", "S1.2", "annex"]).known
    assert () == resolve(["s 1.2"], ["S1.2", "S-1.2"]).known
    assert ("S1.2",) == resolve(["S1.2"], ["S1.2", "S-1.2"]).known
    assert resolve([1.2], IDS) is None


def test_in_a_text_a_bare_number_with_a_part_is_no_mark():
    assert "Clause [1.2] holds (1.3)." == cut_markers("Clause [1.2] holds (1.3).", ["S1.2", "S1.3"])


def _spellings(listed):
    """The slow oracle: each way to write each listed id and range, written out.

    What two of them share means neither.
    """
    meant = {}

    def write(spelling, names):
        meant.setdefault(spelling.lower(), set()).add(tuple(names))

    ids = [(int(a), int(b)) for a, b in (name[1:].split(".") for name in listed)]

    def forms(a, b):
        return [f"s{sign}{zero}{a}.{b}" for sign in ("", " ", "-") for zero in ("", "0")]

    for a, b in ids:
        for one in (*forms(a, b), f"{a}.{b}"):
            write(one, [f"S{a}.{b}"])
        for c, d in ids:
            between = [(a, n) for n in range(b, d + 1)]
            if c != a or not 1 <= len(between) <= 20 or not set(between) <= set(ids):
                continue
            names = [f"S{x}.{y}" for x, y in between]
            ends = [(f, g) for f in forms(a, b) for g in (*forms(c, d), f"{c}.{d}", f"{d}")]
            for first, last in [*ends, (f"{a}.{b}", f"{c}.{d}")]:
                for sign in ("-", "\u2013", " to ", ".."):
                    write(f"{first}{sign}{last}", names)
    return {spelling: found.pop() for spelling, found in meant.items() if len(found) == 1}


_SOME = st.lists(
    st.builds("S{}.{}".format, st.integers(1, 2), st.integers(1, 4)), min_size=1, unique=True
)
_NEAR_IDS = st.builds(
    "{}{}{}".format,
    st.from_regex(r"[Ss]?[ -]?0?[0-3](\.0?[0-5]){0,2}", fullmatch=True),
    st.sampled_from(["", "", "-", "\u2013", " to ", ".."]),
    st.from_regex(r"(([Ss][ -]?)?0?[0-3]\.)?0?[0-5]|", fullmatch=True),
)


@given(_SOME, _NEAR_IDS)
@example(["S1.1", "S1.2", "S1.3"], "S1.1-3")
@example(["S1.1", "S1.3"], "S1.1-3")
@example(["S1.1", "S1.2"], "S-1.1-1.2")
def test_an_id_means_what_is_written_out_and_nothing_else(listed, written):
    """A list of all spellings, made without reading any of them, says the same as the reader."""
    assert (
        _spellings(listed).get(written.lower().strip(" "), ()) == resolve([written], listed).known
    )


@pytest.mark.parametrize("unit", ["1.", "S1.1-", "S1.1 ", "1.1 to ", "S1.1, ", "s 1.0"])
def test_time_to_read_ids_grows_with_what_is_written(unit):
    assert factor(lambda text: resolve([text, f"[{text}]", *text.split(",")], IDS), unit) < LINEAR
