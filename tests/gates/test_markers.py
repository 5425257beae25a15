"""Promises of the marker gate: nothing in range moves, and cutting is local."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundedgen.gates.markers import cut_figures, cut_markers, strip_markers
from tests.growth import LINEAR, factor

words = st.sampled_from(
    [
        "Floods",
        "are",
        "excluded",
        "(see",
        "annex)",
        "不承保洪水",
        "§",
        "5,000",
        "`a[9]`",
        "**bold**",
    ]
)
stops = st.sampled_from([".", ",", "。", "!", "\n", "\r\n", " "])


@st.composite
def marked(draw, numbers):
    """A text of words, stops and markers, and the same text with its markers out of range gone.

    The oracle does not scan: it knows where it put each marker, and leaves out the wrong ones
    together with the one blank it had put before them.
    """
    text, expected = "Start", "Start"
    for _ in range(draw(st.integers(0, 12))):
        word, stop = " " + draw(words), draw(stops)
        number = draw(numbers)
        marker = f" [{number}]" if draw(st.booleans()) else ""
        text += word + marker + stop
        expected += word + (marker if 1 <= number <= 5 else "") + stop
    return text, expected


@given(marked(st.integers(1, 5)))
def test_in_range_marker_is_never_touched(texts):
    """A text whose markers all point at something comes back as the same string."""
    text, _ = texts
    assert text == strip_markers(text, 5).text


@given(marked(st.integers(0, 12)))
def test_what_is_cut_is_the_marker_and_one_blank(texts):
    """Leaving the wrong markers out while writing gives the same text as cutting them."""
    text, expected = texts
    assert expected == strip_markers(text, 5).text


@given(marked(st.integers(0, 12)))
def test_cutting_twice_is_cutting_once(texts):
    once = strip_markers(texts[0], 5)
    again = strip_markers(once.text, 5)
    assert (once.text, (), 0) == (again.text, again.removed, again.fabricated)


@given(st.text())
def test_text_without_brackets_is_never_touched(text):
    """No bracket, no marker: whatever else the text holds."""
    plain = text.translate({ord(c): None for c in "[]【】［］〔〕〖〗{}\ue200\ue202"}).replace(
        "turn", ""
    )
    assert plain == strip_markers(plain, 3).text


_sigils = st.sampled_from(list("[]【】()*_`$\\<>{}|^~, -–;:.\n\r\t 1279S\ue200\ue201†\ud800\0"))


@given(st.lists(_sigils, max_size=60).map("".join), st.integers(0, 9))
def test_any_string_can_be_read(text, count):
    """Nothing raises, and the figures agree with one another."""
    result = strip_markers(text, count)
    assert 0 <= result.fabricated <= result.total
    assert 0.0 <= result.ratio <= 1.0
    assert len(result.removed) <= result.fabricated
    assert result.all_fabricated == (result.total > 0 and result.fabricated == result.total)
    if not result.fabricated and not result.foreign:
        assert text == result.text
    named = strip_markers(text, ["S1", "S2"])
    assert 0 <= named.fabricated <= named.total


KEPT = [
    "Floods are excluded [5].",
    "Floods are excluded [1, 2; 3] and [1-3] and [2–3].",
    "Floods are excluded [ 2 ].",
    "Floods are excluded ([2]), [[3]], **[4]**, <sup>[5]</sup>, 【1】, ［2］.",
    "Floods are excluded [Source 2], [doc 3], [2, p. 40], [S4].",
    "See the notes [3-1] for that.",
    "Floods are excluded [^9]; see [fig-3], [note 7], [page 9], [7a], [x9], [sic].",
    "Of [9/8], [-7], [7+], [ ], [].",
    "- [ ] open\n- [x] done",
    "pH 7 [7.4], [95% CI 0.5-0.9], [2:255], [2024-01-05], [No. 7].",
    "[2019] UKSC 41; [1998] 1 All ER 1; [2020] 2 Lloyd's Rep 17",
    "[2003] EWCA Civ 15; [2007] ECR I-12; [2015] EWHC 12 (Ch); [1932] AC 562",
    "[2004] All ER (D) 7; [1936] Ch. 1; [1976] 1 S.C.R. 452; [2009] FamCA 12; [2019] O.J. No. 123",
    "Smith v Jones [2019] UKSC 41 at [45]–[48], [51]; paras [7] and [9]; under clause [12]",
    "国办发[2019]12号",
    "As of [2019], within [30] days, the [7]th day, USD [500].",
    "$[12,000], [10,000] dollars, [9]% more.",
    "p in [0, 1], the interval [0, 10], the vector [7, 8], x = [9], a ∈ [9]",
    "x[7], row_ids[9] = 3, argv[9], m[1][9] = 3, [0-9]+ and [0-9], items[0], f()[7]",
    '{"a": [7, 8]} and shape [32, 64]',
    "cucurbit[7]uril, cyclo[18]carbon, [18]crown-6, [4]helicene, calix[8]arene",
    "(7), {7}, <7>, 7), 7.",
    "```py\nx[9]\n```",
    "~~~\nx[9]\n~~~",
    "text\n```\nx[9] open to the end",
    "> ```\n> x[9]\n> ```",
    "- item\n  ```\n  x[9]\n  ```",
    "    x = y[9]\n\ntext",
    "``x[9] ` y[8]`` and `z[7]`",
    "<pre>x[9]</pre> <code>y[9]</code> <pre>open [9]",
    "$x[9]$, \\(f_{[9]}\\), $$ [9] + a = b $$",
    "https://a.example/?id[9]=1 and [text](https://a.example/x[9])",
    "<a href='#[9]'>x</a>",
]


@pytest.mark.parametrize("text", KEPT)
def test_what_is_content_or_in_range_stays(text):
    assert text == strip_markers(text, 5).text
    assert () == strip_markers(text, 5).removed


CUT = [
    ("Floods are excluded [ 7 ].", "Floods are excluded."),
    ("Floods [1, 7; 3].", "Floods [1,3]."),
    ("Floods [1 and 7].", "Floods [1]."),
    ("Floods [7—9], fire [4–7].", "Floods, fire [4,5]."),
    ("Floods [1-60].", "Floods [1,2,3,4,5]."),
    ("Floods [9-2].", "Floods [2]."),
    ("Floods [1-999999999] are.", "Floods are."),
    ("Floods [99999999999999999999999].", "Floods."),
    ("Floods [Source 7], [doc_8], [Document 9, page 3], [来源7].", "Floods."),
    ("Floods [7, p. 12]; fire [2, 7, p. 3].", "Floods; fire [2, p. 3]."),
    ("Floods ([7]); fire ( [7] ); hail (see [7]).", "Floods; fire; hail (see)."),
    ("**Floods are excluded [7]** and **[7]** so *[8]*.", "**Floods are excluded** and so."),
    ("**Floods**[7]**fire**", "**Floods****fire**"),
    ("Floods<sup>[7]</sup>, fire^[7]^, 洪水$^{[7]}$。", "Floods, fire, 洪水。"),
    ("Floods [1], [7]; fire [7], [1]; hail [7], [8].", "Floods [1]; fire [1]; hail."),
    ("Floods [1][7][2], fire [1] [7] [2], hail [7] [2].", "Floods [1][2], fire [1] [2], hail [2]."),
    ("Floods [7], and fire.", "Floods, and fire."),
    ("Floods [[7]](https://a.example) and [7](https://a.example/x_(y)).", "Floods and."),
    ("Floods [7](annex B) go.", "Floods (annex B) go."),
    ("Floods ![7](a.png) go.", "Floods go."),
    ("[7]: https://a.example 'title'\nFloods", "Floods"),
    ("- [7] Floods\n* Fire [8]\n1. Hail [9]", "- Floods\n* Fire\n1. Hail"),
    ("[7]\nFloods\n[8] Fire", "\nFloods\nFire"),
    (
        'the tenant [9]must, [9]**must**, [9]"must", [9](must)',
        'the tenant must, **must**, "must", (must)',
    ),
    ("are[8]excluded, 1[9]000, 不承保[7]洪水", "are excluded, 1 000, 不承保洪水"),
    ("سيل [٧]، بाढ़ [７]।", "سيل، بाढ़।"),
    ("a\u00a0[7]. b\u3000[7]。", "a. b。"),
    ("| a [7] | [8] |\n|---|---|", "| a | |\n|---|---|"),
    ("CO2[7] and COVID-19[8] and vitamin C[9].", "CO2 and COVID-19 and vitamin C."),
    ("Floods \\[7\\] and `code` [9]", "Floods and `code`"),
    ("- item\n\n    text [9]\n\ntext\n    more [9]", "- item\n\n    text\n\ntext\n    more"),
    ("a `unclosed [9] b", "a `unclosed b"),
    ("a \\`[9]\\` b", "a \\`\\` b"),
    ("see https://a.example/x [7].", "see https://a.example/x."),
    ("see the clause [7]; as shown at [9].", "see the clause; as shown at."),
    (
        "(https://a.example)[7] or [2](https://a.example)[7]b",
        "(https://a.example) or [2](https://a.example)b",
    ),
    ("a [[9]7] b 【7[8]】", "a b"),
]


@pytest.mark.parametrize(("text", "expected"), CUT)
def test_what_points_at_nothing_goes(text, expected):
    assert expected == strip_markers(text, 5).text


FOREIGN = [
    "Rain \ue200cite\ue202turn0search0\ue202turn1news3\ue201.",
    "Rain \ue200cite\ue202turn0search0",
    "Rain citeturn0search0turn0search3.",
    "Rain \\ue200cite\\ue202turn0search0\\ue201.",
    "Rain【4:0†source】【5†L1-L2】.",
    "Rain [4:0†source].",
    "Rain :contentReference[oaicite:3]{index=3}.",
    "[cite_start]Rain.",
    "Rain [^1^].",
    "Rain {{source:2}}.",
    "Rain [web:3].",
    "<co: 0,1>Rain</co: 0,1>.",
]


@pytest.mark.parametrize("text", FOREIGN)
def test_marks_of_other_systems_go_whole_and_count_as_none_of_ours(text):
    result = strip_markers(text, 5)
    assert "Rain" == result.text.rstrip(".")
    assert result.foreign >= 1
    assert (0, False) == (result.total, result.all_fabricated)


NAMED = [
    (["S1", "S2"], "So [S2], [S9], [s1], [2].", "So [S2], [s1], [2]."),
    (["S1", "S2"], "So (S9) and [S1O].", "So (S9) and [S1O]."),
    (["S1", "S2", "S3"], "So [S2-S9] or [S1–S3].", "So [S2,S3] or [S1–S3]."),
    (["S1", "S2", "S3"], "So [S2–S99999].", "So."),
    (["S1", "S2", "S3"], "So [S1-T3] and [S3-S1].", "So [S1-T3] and."),
    (
        ["x" * 300, "S1"],
        f"So [{'x' * 300}] and [{'y' * 300}].",
        f"So [{'x' * 300}] and [{'y' * 300}].",
    ),
    (["0f8fad5b-d9cb-469f-a165-70867728950e"], "So [7c9e6679-7425-40de-944b-e07fc1f90ae7].", "So."),
    (["doc_1", "doc_3"], "So [doc_3, doc_9], [Doc_3], [doc-9].", "So [doc_3], [Doc_3]."),
    (["doc-7f3a9d1e", "doc-81bb02aa"], "So [doc-7f3a9c1e] [doc-81bb02aa].", "So [doc-81bb02aa]."),
    (["lease", "policy"], "So [lease], [annex], [sic], [9].", "So [lease], [annex], [sic], [9]."),
    (["lease.pdf", "policy.pdf"], "So [annex.pdf], [lease.pdf].", "So [lease.pdf]."),
    (["kb/a", "kb/b"], "So [kb/x] and [kb/a].", "So and [kb/a]."),
    ([], "So [S1] and [1].", "So and."),
]


@pytest.mark.parametrize(("ids", "text", "expected"), NAMED)
def test_named_markers_are_known_by_their_names(ids, text, expected):
    assert expected == strip_markers(text, ids).text


def test_a_huge_range_is_reported_by_its_ends_and_never_expanded():
    result = strip_markers("So [1-999999999].", 5)
    assert ((1, 999999999), 2, 2) == (result.removed, result.total, result.fabricated)
    assert 1000 == len(strip_markers("[6-999][1001-1999]" * 2000, 5).removed)
    huge = strip_markers("So [1-99999999999999999999].", 5)
    assert ("So.", (1, "999999999999999999…")) == (huge.text, huge.removed)


def test_the_ratio_counts_members():
    result = strip_markers("One [1,7]. Two [2-5].", 5)
    assert (6, 1, 1 / 6) == (result.total, result.fabricated, result.ratio)
    assert 0.0 == strip_markers("None.", 5).ratio


@pytest.mark.parametrize("wrong", [-1, True, "S1", b"S1", 1.5, None])
def test_what_is_no_offer_is_refused(wrong):
    with pytest.raises((TypeError, ValueError)):
        strip_markers("So [1].", wrong)


def test_every_marker_can_be_cut():
    text = "Floods [S1] are (S2, S1) excluded [7][2]【4:0†source】, (S9) [2019] UKSC 41."
    assert "Floods are excluded, (S9) [2019] UKSC 41." == cut_markers(text, ["S1", "S2"])


UNITS = [
    "[7]",
    "[7], ",
    "[",
    "[[",
    "([7])",
    "[1-999999999]",
    "[2-1001]",
    "[7 , ",
    "[      ",
    "**[7]**",
]
UNITS += [
    "<sup>",
    "[7](",
    "\ue200",
    "turn0search0",
    "{{source:",
    "【4†",
    "`[7]",
    "$[7]",
    "a [7]\n",
    "> [7]\n",
]
UNITS += [
    "_[7]_",
    "[7, p. ",
    "[source ",
    "https://a[7]",
    "(   [7]   )",
    "\\[7\\]",
    "]",
    "](",
    "<code>",
    "* a\n  [7]",
]


@pytest.mark.parametrize("unit", UNITS)
def test_time_grows_with_the_text(unit):
    assert factor(lambda text: strip_markers(text, 5), unit) < LINEAR
    assert factor(lambda text: cut_markers(text, ["S1", "S2"]), unit, size=3_000) < LINEAR


@pytest.mark.parametrize("inside", ["7,", "7 ,", " ", "7 and ", "1-", "p. 7 ", "S7, "])
def test_one_huge_bracket_is_no_trap(inside):
    assert factor(lambda text: strip_markers(f"[{text}7]", 5), inside, size=30_000) < LINEAR
    assert factor(lambda text: strip_markers(f"[{text}S7]", ["S1"]), inside, size=30_000) < LINEAR


@pytest.mark.parametrize(
    ("text", "passage", "expected"),
    [
        ("The fee is [500].", "A fee of £500 is due.", ("500",)),
        ("The fee is [500], up from [40].", "It was £40 and is £500.", ("500", "40")),
        ("The fee is due [500].", "A fee of £40 is due.", ()),
        ("The fee is due [9].", "It is due after 9 days.", ()),  # near the sources: a slip
        ("The fee is [500 - 600].", "A fee of £500 is due.", ()),
        ("The fee is 500.", "A fee of £500 is due.", ()),
        ("The fee is [30] days.", "It takes 30 days.", ()),  # stays, and is checked
    ],
)
def test_a_figure_that_would_be_cut_is_told(text, passage, expected):
    assert expected == cut_figures(text, ["S1", "S2"], [passage])
