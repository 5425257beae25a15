"""Finding a quote: a slow matcher that cannot be wrong agrees, and offsets always hold."""

from __future__ import annotations

import itertools
import re
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundedgen.text.matching import shelf
from groundedgen.text.search import find, find_all
from tests.growth import LINEAR, factor

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=60)


# --- the obvious matcher --------------------------------------------------------------------

ONE_BY_ONE = {"ﬁ": "fi", "’": "'", "\u00a0": " ", "\n": " ", "\u200b": "", "‑": "-"}
LIGATURE_BLANK = r"(?<=ﬁ)[\u200b]*[ \n\u00a0]+|[ \n\u00a0]+[\u200b]*(?=ﬁ)"


def slow_find(needle, haystack):
    """Whether the needle stands, on word boundaries, in any reading of the haystack."""
    text = slow_fold(needle)
    return any(
        stands_at(reading, start, text)
        for reading in map(slow_fold, readings(haystack))
        for start in range(len(reading))
    )


def readings(text):
    """Each line-end hyphen dropped, kept or as printed; each blank at a ligature kept or not."""
    pattern = rf"(?<=\w)\u200b*-\u200b*[\n ][\n \u200b]*(?=\w)|{LIGATURE_BLANK}"
    spots = list(re.finditer(pattern, text))
    options = [("", "-", "- ") if "-" in spot[0] else ("", " ") for spot in spots]
    for chosen in itertools.product(*options):
        pieces, done = [], 0
        for spot, new in zip(spots, chosen, strict=True):
            pieces += (text[done : spot.start()], new)
            done = spot.end()
        yield "".join([*pieces, text[done:]])


def slow_fold(text):
    folded = "".join(ONE_BY_ONE.get(char, char) for char in text.lower())
    return re.sub(" +", " ", folded).strip(" ")


def stands_at(text, start, needle):
    end = start + len(needle)
    if text[start:end] != needle:
        return False
    before, after = text[:start], text[end:]
    inside_before = re.search(r"\w$|\w['-]$|\w- $", before)
    inside_after = re.match(r"\w|'\w|-", after)
    return not inside_before and not inside_after


QUOTED = ["a", "b", "ab", "fi", "afi", "fib"]
PRINTED = ["a", "B", "ab", "fi", "ﬁ", "aﬁ", "ﬁb", "a\u200bb", "\u200bb"]


@st.composite
def texts(draw, vocabulary, separators, most):
    words = draw(st.lists(st.sampled_from(vocabulary), min_size=1, max_size=most))
    joins = draw(st.lists(st.sampled_from(separators), min_size=most, max_size=most))
    return "".join(itertools.chain(*zip(words, joins, strict=False)))[: -len(joins[len(words) - 1])]


@given(
    texts(QUOTED, [" ", "-", "’", "\n"], 3),
    texts(PRINTED, [" ", "\n", "-\n", "\u00a0", "’", "‑", "-", "  "], 6),
)
def test_a_slow_obvious_matcher_agrees(needle, haystack):
    """Per-character folding, every reading written out, a quadratic scan."""
    assert slow_find(needle, haystack) == (find(needle, haystack) is not None)


# --- promises -------------------------------------------------------------------------------

WORDS = ["water", "from", "a", "burst", "pipe", "is", "official", "well-known", "insurer's", "loss"]
AMOUNTS = ["-5", "8%", "$40", "1,250.50", "4.2", "≥40", "12"]


def joined(words, draw, blanks):
    return "".join(itertools.chain(*((word, draw(st.sampled_from(blanks))) for word in words)))


@st.composite
def quotes_in_passages(draw, words=None):
    """A passage of distinct words and amounts, and the bounds of a run of at least two of them."""
    mixed = draw(st.permutations(words or WORDS + AMOUNTS))
    passage = [f"{word}," if word in AMOUNTS else word for word in mixed]  # no unit follows
    start = draw(st.integers(0, len(mixed) - 2))
    end = draw(st.integers(start + 2, len(mixed)))
    return passage, start, end


SET_OTHERWISE = {
    "fi": ["ﬁ", "f\xadi", "f\u200bi", "FI"],
    "'": ["’", "ʼ", "′"],
    "-": ["‑", "–", "-"],
    "o": ["o", "O", "\u200bo", "ｏ", "&#111;"],
    "a": ["a", "A", "𝐚", "a\ufe0f"],
    " ": [" ", "\n", "\u00a0", " \r\n\t", "\u2009\ufeff "],
    "≥": ["≥", ">=", "&ge;"],
    "$": ["$", "\\$", "＄"],
    "%": ["%", "％", "&percnt;"],
}


def mangled(text, draw):
    for plain, others in SET_OTHERWISE.items():
        pieces = text.split(plain)
        text = pieces[0] + "".join(draw(st.sampled_from(others)) + piece for piece in pieces[1:])
    return text


@settings(max_examples=50)
@given(quotes_in_passages(), st.data())
def test_a_quote_that_differs_in_typography_is_always_found(case, data):
    words, start, end = case
    lead, body, rest = (" ".join(part) for part in (words[:start], words[start:end], words[end:]))
    printed = [mangled(part, data.draw) for part in (lead, body, rest)]
    passage = " ".join(part for part in printed if part)
    quote = mangled(body, data.draw)
    for needle in (quote, f'"{quote}"', f"...{quote}", f"**{quote}**", f"{quote}."):
        hit = find(needle, passage)
        assert hit is not None
        assert normal(passage[hit.start : hit.end]) == normal(printed[1])


def normal(text):
    return find_all.__globals__["folded"](text).text.strip(",")


CHANGES = {
    "another letter": lambda text, at: (
        f"{text[:at]}q{text[at + 1 :]}" if text[at].isalpha() else ""
    ),
    "another digit": lambda text, at: f"{text[:at]}7{text[at + 1 :]}" if text[at].isdigit() else "",
    "a digit more": lambda text, at: f"{text[:at]}7{text[at:]}" if text[at].isdigit() else "",
    "a character less": lambda text, at: text[:at] + text[at + 1 :] if text[at] not in " ," else "",
    "a sign more": lambda text, at: f"{text[:at]}+{text[at:]}" if text[at] in "58$41≥" else "",
    "another sign": lambda text, at: f"{text[:at]}£{text[at + 1 :]}" if text[at] in "-%$.≥" else "",
    "a word cut in two": lambda text, at: f"{text[:at]} {text[at:]}" if is_inner(text, at) else "",
    "two words joined": lambda text, at: text[:at] + text[at + 1 :] if is_between(text, at) else "",
}


def is_inner(text, at):
    return 0 < at and text[at - 1].isalnum() and text[at].isalnum()


def is_between(text, at):
    return text[at] == " " and text[at - 1].isalpha() and text[at + 1].isalpha()


@given(quotes_in_passages(), st.sampled_from(sorted(CHANGES)), st.data())
def test_one_changed_letter_digit_or_sign_is_never_found(case, change, data):
    words, start, end = case
    quote, passage = " ".join(words[start:end]), " ".join(words)
    at = data.draw(st.integers(1, len(quote.rstrip(",")) - 1))
    changed = CHANGES[change](quote, at)
    if changed and changed.strip(" ,'") not in passage:
        assert find(changed, passage) is None


@given(ANY_TEXT, ANY_TEXT)
def test_offsets_hold_for_any_two_texts(needle, haystack):
    for hit in find_all(needle, haystack):
        assert 0 <= hit.start < hit.end <= len(haystack)
        assert hit.exact == (haystack[hit.start : hit.end] == needle)


@given(ANY_TEXT, ANY_TEXT, st.text("abc ", max_size=9))
def test_more_text_after_a_full_stop_takes_no_hit_away(needle, haystack, more):
    if find(needle, haystack):
        assert find(needle, f"{haystack} . \n\n{more}") or haystack.rstrip().endswith("-")


# --- readings -------------------------------------------------------------------------------

READ_ALIKE = [
    ("example", "exam-\nple"),
    ("example", "exam-\r\n   ple"),
    ("example", "exam\xad\nple"),
    ("example", "exam\x02\r\nple"),
    ("example", "exam- ple"),
    ("well-known", "well-\nknown"),
    ("well-known", "well\xad\nknown"),
    ("COVID-19", "COVID-\n19"),
    ("and/or", "and/\nor"),
    ("the fee - if any - is due", "the fee—if any—is due"),
    ("the fee—if any—is due", "the fee – if any – is due"),
    ("保険契約は有効です", "保険\n契約は有効です"),
    ("第 5 条", "第5条"),
    ("שלום", "שָׁלוֹם"),
    ("العقد شريعة", "العَقْدُ شريعة"),
    ("STRASSE", "Straße"),
    ("Straße", "STRASSE"),
    ("istanbul", "İSTANBUL"),
    ("ısparta", "ISPARTA"),
    ("Ελλάδα", "ΕΛΛΑΔΑ"),
    ("data.", "data ."),
    ("clause 5(a)", "clause 5 (a)"),
    ("z.B.", "z.\u202fB."),
    ("p < 0.05", "p<0.05"),
    ("the 'Insured' means", 'the "Insured" means'),
    ("verification", "veri ﬁ cation"),
    ("the fee is waived now", "the **fee** is <b>waived</b> now"),
    ("the **fee is waived", "the **fee** is waived"),
]
READ_APART = [
    ("53 of them", "5-\n3 of them"),
    ("ab minus", "a -\nb minus"),
    ("COVID19", "COVID-\n19"),
    ("well known", "well-\nknown"),
    ("well - known", "well-known"),
    ("example", "exam-\n12\nple"),
    ("verification", "veri fi cation"),
    ("nowhere", "now here"),
    ("保険契約", "保険 契約"),
    ("שָׂלוֹם", "שָׁלוֹם"),
    ("كُتِبَ", "كَتَبَ"),
    ("Strasse", "Straße"),
    ("ILIK", "İLİK"),
    ("Ελλαδα", "Ελλάδα"),
    ("clause 1.5", "clause 1. 5"),
    ("A$5", "A $5"),
    ("a 5' pipe", 'a 5" pipe'),
    ("23 is eight", "2**3 is eight"),
    ("its here", "it's here"),
    ("the Insured means", 'the "Insured" means'),
    ("eat grandma", "eat, grandma"),
    ("fee ... due", "fee is always due"),
    ("the [local] council", "the council"),
]


@pytest.mark.parametrize(("needle", "haystack"), READ_ALIKE)
def test_a_second_reading_of_the_same_print_is_found(needle, haystack):
    hit = find(needle, haystack)
    assert hit is not None
    assert haystack[hit.start : hit.end].strip(".") == haystack.strip(".")


@pytest.mark.parametrize(("needle", "haystack"), READ_APART)
def test_what_no_rule_allows_is_not_found(needle, haystack):
    assert find(needle, haystack) is None


# --- speed and memory -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "unit", ["-", " ", "\u0301", "a ", "-a ", "שָׁ", "字\n", "İ", "'", "1.", "ﬁ ", "[...]"]
)
def test_hopeless_searches_stay_linear(unit):
    """The quote is half of the text and fails at its end, or at its edges everywhere."""

    def search(text):
        quote = unit * (len(text) // len(unit) // 2)
        find(quote + "x", text)
        find(quote, text + "z")

    assert factor(search, unit, size=40_000) < LINEAR


def test_a_long_quote_in_a_longer_text_is_answered():
    assert find("a " * 100_000 + "b", "a " * 200_000) is None
    assert find("a " * 100_000, "a " * 200_000) is not None


def test_the_shelf_holds_no_more_than_its_capacity():
    small = shelf._Shelf(capacity=1_000)
    for n in range(50):
        small.get(f"text number {n} " * 5)
    assert small._length <= 1_000
    assert len(small._texts) < 50
    assert sum(forms.weight for forms in small._texts.values()) == small._length


def test_many_threads_get_the_same_answers():
    passages = [f"The fee of passage {n} is due at once. " * 20 for n in range(30)]
    wrong = []

    def work():
        for n, passage in enumerate(passages):
            hit = find(f"fee of passage {n} is", passage)
            if hit is None or hit.start != 4:
                wrong.append(n)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_forgetting_changes_nothing_but_time():
    before = find("fee is due", "The fee is due.")
    shelf.forget()
    assert before == find("fee is due", "The fee is due.")


# --- what dresses words, and what changes them ----------------------------------------------


@pytest.mark.parametrize(
    ("quote", "passage"),
    [
        ("the monthly fee is due", "The monthly fee\u00b9 is due."),
        ("the monthly fee\u00b9\u00b2 is due", "The monthly fee is due."),
        ("pay the fee (\u00a35) now", "Pay the fee ( \u00a35 ) now."),
        ("pay the fee [ \u20ac5 ] now", "Pay the fee [\u20ac5] now."),
        ("the tenant's goods", "The tenant`s goods."),
        ("see the policy terms for all", "See the [policy terms](https://x.example/t) for all."),
        ("see the [terms](/t) and fees", "See the terms and [fees](fees.html)."),
    ],
)
def test_notes_links_ticks_and_blanks_in_brackets_are_typography(quote, passage):
    assert find(quote, passage) is not None


@pytest.mark.parametrize(
    ("quote", "passage"),
    [
        ("there is no 5 here", "There is \u2116 5 here."),
        ("there is no refund", "There is \u2116 refund."),
        ("the monthly fee\u00b9 is due", "The monthly fee\u00b2 is due."),
        ("the area is 10 m", "The area is 10\u00b2 m."),
        ("the sin x is used", "The sin\u00b2 x is used."),
        ("the ion ca is measured", "The ion Ca\u00b2\u207a is measured."),
        ("five km of it", "Five km\u00b2 of it."),
        ("see the annex for all", "See the [annex](section 2) for all."),
        ("see the picture for all", "See the ![picture](a.png) for all."),
        ("pay US $5 now", "Pay US$5 now."),
    ],
)
def test_what_changes_the_words_is_not_typography(quote, passage):
    assert find(quote, passage) is None
