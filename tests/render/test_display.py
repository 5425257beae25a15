from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundedgen.render.display import clean, line, unlinked, web_link
from groundedgen.render.excerpts import MARGIN, WHOLE, Span, excerpts
from tests.growth import LINEAR, factor

text = st.text(
    st.characters() | st.sampled_from("\x1b\x9b\x9d\x07\u202e\u2066\ufeff\u200b\r\n[]0;m\\")
)
#: What a reader cannot see but a screen or a reader's eye would obey.
DANGEROUS = {"\x1b", "\x07", "\x08", "\x00", "\u202e", "\u2066", "\u200b", "\ufeff", "\U000e0041"}


@given(text)
def test_what_is_shown_has_no_control_and_can_be_encoded(value):
    seen = clean(value)
    assert not any(
        unicodedata.category(char) in {"Cc", "Cs"} for char in seen if char not in "\t\n"
    )
    assert not DANGEROUS & set(seen)
    seen.encode()


@given(text)
def test_cleaning_twice_is_cleaning_once(value):
    assert clean(value) == clean(clean(value))
    assert line(value) == line(line(value))


@given(text)
def test_a_line_is_one_line(value):
    assert len(line(value).splitlines()) <= 1


@pytest.mark.parametrize(
    "value",
    [
        "Straße & 保单, naïve e\u0301, 10² 5 °C ½ ﬁn “quotes” – dash … €",
        "नमस्ते क्षत्रिय",
        "نمی\u200cخواهم",
        "👩\u200d👩\u200d👧 👍🏽 ❤\ufe0f",
        "mixed עברית and English, שָׁלוֹם כَتَبَ كـــتب",
        "ക്\u200d 🏴 1\ufe0f\u20e3 葛\U000e0100",
        "a\u00a0b\u202f000\tc\nd",
    ],
)
def test_letters_marks_and_joiners_are_not_touched(value):
    assert value == clean(value)


@pytest.mark.parametrize(
    ("value", "seen"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]8;;https://evil.example\x1b\\here\x1b]8;;\x1b\\", "here"),
        ("\x1b]0;title\x07text", "text"),
        ("\x9b2Jtext", "text"),
        ("\x1b]unclosed, so shown", "]unclosed, so shown"),
        ("a\x1b", "a"),
        ("a\r\nb\rc\x85d\u2028e\x0cf", "a\nb\nc\nd\ne\nf"),
        ("\u202euro 000,1", "uro 000,1"),
        ("in\u200bvis\u2060i\xadble", "invisible"),
        ("smug\U000e0061\U000e0062gled", "smuggled"),
        ("hid\ufe01\ufe02\U000e0101\ufe03den", "hidden"),
        ("葛\U000e0100\U000e0101 \ufe0f", "葛\U000e0100 "),
        ("mixed עברית\u200f and English\u200e \u061c", "mixed עברית and English "),
        ("\u200f12\u200f.\u200f5\u200f", "12.5"),
        ("1\u200d2\u200c.\u06405", "12.5"),
        ("n\u0591o\u064bt", "not"),
        ("20\xad30, 20\x0230, insur\xadance", "20-30, 20-30, insurance"),
        ("insur\xad\nance", "insur-\nance"),
        ("نمی\u200c\u200c\u200dخواهم", "نمی\u200cخواهم"),
        ("\u2764\u200b\ufe0f\u2060\ufe0f", "\u2764\ufe0f"),
        ("\ud800x\udfff\uffff", "\ufffdx\ufffd\ufffd"),
        ("back\x08\x08\x08\x08space", "backspace"),
    ],
)
def test_what_hides_or_reorders_is_left_out(value, seen):
    assert seen == clean(value)


@pytest.mark.parametrize(
    "unit", ["\x1b]", "\x9d", "\x1b[", "\x9b0;", "\x1b]8;;x", "https://", "@a "]
)
def test_time_is_linear(unit):
    assert factor(lambda text: unlinked(line(text)), unit, size=20_000) < LINEAR


@given(text)
def test_only_joiners_are_put_into_an_address(value):
    assert line(value).replace("\u2060", "") == unlinked(line(value)).replace("\u2060", "")


@pytest.mark.parametrize(
    "url",
    [
        "https://docs.example/lease",
        "http://docs.example",
        "https://docs.example:8443/a/b.pdf#page=4",
        "https://docs.example/?x=1&abc=123&copy=2",
        "https://docs.example/a%20b",
        "https://127.0.0.1/a",
        "https://[::1]:80/a",
        "https://a_b.example/~x/;y,z'!*$+",
    ],
)
def test_a_plain_web_address_stays_as_it_is(url):
    assert url == web_link(url)


@pytest.mark.parametrize(
    ("url", "link"),
    [
        (" https://docs.example/a\n", "https://docs.example/a"),
        ("HTTPS://Docs.Example/A", "https://docs.example/A"),
        ("https://docs.example/straße", "https://docs.example/stra%C3%9Fe"),
        ("https://müller.example/", "https://xn--mller-kva.example/"),
        ("https://docs.example/a b", "https://docs.example/a%20b"),
        ("https://docs.example/a)b(c", "https://docs.example/a%29b%28c"),
        ('https://docs.example/"><script>', "https://docs.example/%22%3E%3Cscript%3E"),
        ("https://docs.example/`[x]`|<>", "https://docs.example/%60%5Bx%5D%60%7C%3C%3E"),
    ],
)
def test_what_could_end_a_link_is_encoded(url, link):
    assert link == web_link(url)


@pytest.mark.parametrize(
    "url",
    [
        None, "", " ", "lease.pdf", "/lease", "//docs.example/a", "docs.example", "https:", "https://",
        "https:///a", "https:docs.example", "https:/docs.example", "javascript:alert(1)",
        " JaVaScRiPt:alert(1)", "java\nscript:alert(1)", "\x01javascript:alert(1)",
        "javascript://docs.example/%0aalert(1)", "data:text/html,x", "vbscript:x", "file:///etc/passwd",
        "ftp://docs.example/", "mailto:a@b.example", "blob:https://docs.example/1",
        "https://user:pass@docs.example/", "https://bank.example@evil.example/",
        "https://docs.example\\@evil.example/", "https:\\\\docs.example", "https://docs.example/\u202e",
        "https://docs.example/a\tb", "https://docs.example/a\nb", "https://docs.example/\ud800",
        "https://a..b/", "https://docs.example:port/", "https://docs.example:99999/", "https://[::1/",
        "https://evil\u200b.example/", "https://exa mple/", "https://<b>/", "https://a%2fb/",
        "https://" + "a" * 70 + ".example/",
    ],
)  # fmt: skip
def test_anything_else_is_no_link(url):
    assert web_link(url) is None


@given(text, st.sampled_from(["", "https://", "https://docs.example/", "http://a"]))
def test_a_link_is_ascii_without_anything_that_ends_it(value, start):
    link = web_link(start + value)
    if link is not None:
        assert link.isascii()
        assert link.startswith(("https://", "http://"))
        assert not set('"<>\\`{}|^ \t\r\n()') & set(link)


# Excerpts

spans = st.lists(
    st.tuples(st.integers(0, 3000), st.integers(0, 200), st.integers(0, 300)), max_size=4
)


@given(st.text("ab .é😀", max_size=40).map(lambda t: t * 80), spans)
def test_excerpts_are_the_source_s_own_text_with_the_quotes_lit_up(source, drawn):
    made = []
    for first, length, around in drawn:
        start = min(first, len(source))
        end = min(start + length, len(source))
        context = max(0, start - around), min(len(source), end + around)
        made.append(Span(start, end, *context, source[start:end]))
    found = excerpts(source, made)
    lit = [False] * len(source)
    for span in made:
        lit[span.start : span.end] = [True] * (span.end - span.start)
    position = 0
    for excerpt in found:
        whole = "".join(segment.text for segment in excerpt.segments)
        at = 0
        if len(source) > WHOLE:
            at = next(
                p for p in range(position, len(source) + 1)
                if source.startswith(whole, p) and _marks(excerpt) == lit[p : p + len(whole)]
            )  # fmt: skip
        assert _marks(excerpt) == lit[at : at + len(whole)]
        assert excerpt.before == (at > 0) or len(source) > WHOLE
        position = at + len(whole)
    shown = sum(sum(_marks(excerpt)) for excerpt in found)
    assert sum(lit) == shown


def _marks(excerpt):
    return [segment.marked for segment in excerpt.segments for _ in segment.text]


def test_a_long_passage_is_shown_round_its_quotes_only():
    source = "word " * 2_000
    [excerpt] = excerpts(source, [Span(5_000, 5_009, 5_000, 5_009, "word word")])
    assert (True, True) == (excerpt.before, excerpt.after)
    assert sum(len(segment.text) for segment in excerpt.segments) <= 2 * MARGIN + 9


def test_a_long_passage_without_blanks_has_context_too():
    source = "保険" * 2_000
    [excerpt] = excerpts(source, [Span(1_000, 1_010, 1_000, 1_010, "保険" * 5)])
    assert 2 * MARGIN + 10 == sum(len(segment.text) for segment in excerpt.segments)
