"""Where sentences begin and end, as exact slices of the text.

Line structure is settled first (paragraphs, list lines, table rows, headings), then
`sentencex` cuts each block, then cuts it should not have made are taken back.
In doubt two sentences stay one: a piece that is no sentence could pass for proof
("the alarm was set" out of "no cover if the alarm was set"), a piece that is two
sentences only makes a longer quote.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import Final

import regex
import sentencex  # type: ignore[import-untyped]  # ships no stubs

from groundedgen.patterns import lazy
from groundedgen.text.limiting.parentheses import aside_end
from groundedgen.text.lines import HEADING, MARKER, ONLY_MARKER, blocks
from groundedgen.text.negations import negates
from groundedgen.text.qualifiers import limits_what_precedes
from groundedgen.text.tokens import guess_language

__all__ = [
    "clause_spans",
    "ends_stopped",
    "lead_in",
    "limits_what_precedes",
    "sentence_spans",
    "sentences_around",
]

Span = tuple[int, int]

# Abbreviations that `sentencex` takes for a sentence end, of all languages alike, since a
# passage seldom says which it is in. They end none when a digit or a small letter follows ...
_BEFORE_FIGURES = """
abs al anl annex app approx aprox art bd bijv blz bzw cf chap cl cond conds ded ecc endt env es
est evt evtl excl exp fig figs gl incl inkl lett lim ln m\u00e1x m\u00edn max min n n\u00fam
nos nr op p\u00e1g p\u00e1rr par para paras pat plc pol pos pt pts r\u00e9f rdnr ref refs reg regs
rel resp rif rn sched scheds sect sig subpara tab tel usw vgl vol vols zff zgn ziff zzgl
"""
# ... and these none when a capital follows either: it begins a name, a title or a number.
_BEFORE_NAMES = """
\u00e9d abs abschn acc al anl ann ap app approx aprox bd bijv blz bzw capt cert cf cfr ch chap cie
cl cllr dhr dott dr dx ed eds endt entspr env evt evtl excl exkl fa fr frl gen ggf gov hon hr hrs
inc incl inkl insb insp jr kap lett lt ltd maj messrs mlle mm mme mr mrs ms n\u00fam nos p\u00e1g
p\u00e1rr pag par para paras plc pol prof pt r\u00e9f rdnr ref reg rep rev rif rn rx sched sen sgt
sig sog sr sra srta ss st subj supra supt tel tit ud usw vd vgl viz vs wk zb zgn ziff
"""
# ... but for these in English, where they are words.
_WORDS_IN_ENGLISH: Final = frozenset(["all", "cap", "ex", "fam", "gem", "lid", "mind", "sub"])
_TITLES: Final = frozenset(_BEFORE_NAMES.split())
_ABBREVIATIONS: Final = _TITLES.union(_BEFORE_FIGURES.split())
# "mg.", "Ph.D.", "a.m.", "Plan B.": without a vowel, with stops inside or a letter alone, but no
# "NHS.".
_SHORTENED: Final = lazy(
    r"(?:^|[^\p{L}.])(?:(?:\p{L}{1,3}\.-?)+\p{L}{1,3}|\p{L}|[Nn][\u00b0\u00ba]"
    r"|(?!\p{Lu}{2})[b-df-hj-np-tv-xzB-DF-HJ-NP-TV-XZ]{2,5})\.\s*$"
)
_BRIEF: Final = 4  # letters
_BREAK: Final = lazy(r"\r\n|[\n\r\x0b\x0c\x85\u2028\u2029]")
# Words that `sentencex` always takes for abbreviations ("due in May. Damage is").
_WORDS_AFTER_ALL: Final = lazy(r"\b(?i:may|no|me|art|fed|ill|miss|etc)[.]\s++(?=\p{Lu}\p{Ll})")
_STOP: Final = lazy(r"[.!?]\s+|[\u3002\uff01\uff1f\u0964]")
_SURROGATE: Final = lazy(r"[\ud800-\udfff]")
_LAST_WORD: Final = lazy(r"(?:^|[^\p{L}.])(\p{L}{1,6})\.\s*$")
# Where "the 3rd paragraph" is written "3. Absatz" (CLDR, ordinals). `sentencex` knows the months of
# German only.
_ORDINAL_LANGUAGES = "bs cs da de et eu fi fo hr hu is lb lv nb nn no pl sk sl sr tr"
_ORDINALS_IN: Final = frozenset(_ORDINAL_LANGUAGES.split())
_ORDINAL: Final = lazy(r"(?<![\p{L}\p{N}.,:/%-])[0-9]{1,3}\.\s*$")
_CLOSED_QUOTE: Final = lazy(r"[.!?\u3002\uff01\uff1f][\u201d\u2019\u300d\u300f\"]$")
_STOPPED: Final = lazy(r"[.!?\u3002\uff01\uff1f\u0964][\p{Pf}\p{Pe}\"'*_]*\Z")
_FOLLOWING: Final = lazy(r"\b(?:following|as follows)[.:;]?\Z", regex.IGNORECASE)
_CLAUSE_NUMBER: Final = lazy(r"#{0,6} *([0-9]{1,3}(?:\.[0-9]{1,3}){0,4})[.)]?(?=\s)")
_CLAUSE: Final = lazy(r"[;:](?=\s)|[\uff1b\uff1a]|[\n\r\u2028\u2029]")


def sentence_spans(text: str, lang: str | None = None) -> list[Span]:
    r"""The sentences of a text, in order, as bounds of exact slices without outer blanks.

    Everything that is not blank lies in exactly one span. Paragraphs, list lines, table
    rows and headings end a sentence; a line break inside a sentence does not. Nothing is
    cut for length. Never raises on strange text; time is linear in its length.

    Args:
        text: Any text, unaltered.
        lang: BCP 47 tag, if known; guessed otherwise (only abbreviations differ).

    Returns:
        Half-open `(start, end)` in code points into `text`.

    >>> text = "Dr. Li pays 1.5 %. Is it\ndue now? No"
    >>> [text[a:b] for a, b in sentence_spans(text)]
    ['Dr. Li pays 1.5 %.', 'Is it\ndue now?', 'No']
    >>> [len(sentence_spans(s)) for s in ("", " \n ", "see no. 5 below", "One.\n\nTwo")]
    [0, 0, 1, 2]
    """
    kept = _cached if len(text) <= _CACHED_LENGTH else _cached_long
    return list(kept(text, _language(lang or _guessed(text))))


# Lengths in code points. See `_boundaries` for the windows.
_WINDOW: Final = 2_000
_MARGIN: Final = 100
_LIST_LENGTH: Final = 60  # sentences
# A passage is asked for by ranking, quoting, entailment and judging in turn.
_CACHED_LENGTH: Final = 20_000


@lru_cache(maxsize=256)
def _guessed(text: str) -> str | None:
    return guess_language(text)


@lru_cache(maxsize=256)
def _cached(text: str, lang: str) -> tuple[Span, ...]:
    return tuple(_spans(text, lang))


@lru_cache(maxsize=8)  # many statements may rest on one long text
def _cached_long(text: str, lang: str) -> tuple[Span, ...]:
    return tuple(_spans(text, lang))


def _language(lang: str | None) -> str:
    base = (lang or "en").replace("_", "-").split("-")[0].lower()
    return base if base.isascii() and base.isalpha() else "en"


def _spans(text: str, lang: str) -> list[Span]:
    spans: list[Span] = []
    for start, end in blocks(text):
        spans += _sentences(text, start, end, lang)
    return spans


def lead_in(text: str, spans: list[Span], index: int) -> int | None:
    r"""The sentence that a list item hangs from, as an index into `spans`, or `None`.

    "We do not pay for:" governs each item below it; an item quoted without it can mean
    the opposite. What leads in ends in a colon or a dash, says "following", or is a line
    that no full stop ends: "The tenant must not", or the heading "Exclusions". Items are
    what follows it, up to the first sentence that ends with a full stop and is not itself
    marked as an item. A numbered clause that is a sentence of its own ("6.1 Pets are
    allowed.") hangs from a colon only: else every clause would hang from its heading; and
    not from one whose items are letters or bullets: there the document goes on.

    >>> text = "Not covered:\n- floods;\n- theft.\nCall us."
    >>> spans = sentence_spans(text)
    >>> [lead_in(text, spans, i) for i in range(4)]
    [None, 0, 0, None]
    >>> text = "5. Rules\n5.1 Pay on time.\n5.2 The tenant must not\n- smoke;\n- sublet."
    >>> spans = sentence_spans(text)
    >>> [lead_in(text, spans, i) for i in range(5)]
    [None, None, None, 2, 2]
    """
    start, end = spans[index]
    kind = _kind(text, start)
    hangs = kind == "bullet" or (kind == "number" and _is_fragment(text, start, end))
    for place in range(index - 1, max(-1, index - _LIST_LENGTH), -1):
        start, end = spans[place]
        if text[end - 1] in ":\uff1a\u2014" or _FOLLOWING.search(text, max(start, end - 40), end):
            first_marked = _kind(text, spans[place + 1][0])
            beyond = kind == "number" and _is_behind_list(text, spans, place, index)
            return place if (kind or not first_marked) and not beyond else None
        stopped = ends_stopped(text, start, end)
        begins_line = text[start - 1 : start] in ("", "\n", "\r")
        if hangs and begins_line and not stopped and _kind(text, start) != kind:
            return place
        inside_item = _kind(text, start) or not begins_line
        if stopped and not (kind and inside_item):
            return None
    return None


def ends_stopped(text: str, start: int, end: int) -> bool:
    """Whether `text[start:end]` ends in a full stop of its script, quotation marks aside.

    >>> ends_stopped("“Fire.”", 0, 7), ends_stopped("We cover:", 0, 9)
    (True, False)
    """
    return _STOPPED.search(text, max(start, end - 10), end) is not None


def _kind(text: str, start: int) -> str:
    """The sort of list marker at `start`: "bullet", "number", or "" for none."""
    marker = MARKER.match(text, start)
    return (marker.lastgroup or "") if marker else ""


def _is_fragment(text: str, start: int, end: int) -> bool:
    """Whether a numbered item is only a part of a sentence: "(a) smoke in the flat;"."""
    marker = MARKER.match(text, start, end)
    body = text[marker.end() : end].lstrip() if marker else ""
    return body[:1].islower() or body[-1:] in ";,"


def _is_behind_list(text: str, spans: list[Span], lead: int, index: int) -> bool:
    """Whether a clause such as "4.1 Fire is covered." stands behind the list of a lead-in.

    The list's own items are letters or bullets; the clause goes on with the numbers of the
    document, which "4." or "3.9" before it show, and no list from 1 on has begun in between. In
    doubt it is one of the items.
    """
    clause = _clause_number(text, spans[index])
    first = MARKER.match(text, *spans[lead + 1])
    if len(clause) < 2 or clause[0] == 1 or _is_fragment(text, *spans[index]):
        return False
    if first is None or any(char.isdecimal() for char in first[0]):
        return False
    above, *before = [_clause_number(text, span) for span in spans[lead:index]]
    if any(number[:1] == (1,) for number in before) or above == clause[: len(above) or None]:
        return False
    siblings = [number for number in (above, *before) if number[:-1] == clause[:-1]]
    return clause[:-1] in before or any(() < number < clause for number in siblings)


def _clause_number(text: str, span: Span) -> tuple[int, ...]:
    """The number that a sentence begins with, "4.1" as (4, 1); empty where there is none."""
    found = _CLAUSE_NUMBER.match(text, *span)
    return tuple(map(int, found[1].split("."))) if found else ()


def clause_spans(text: str, start: int, end: int, max_chars: int = 300) -> list[Span]:
    """Cut `text[start:end]` at semicolons, colons and line breaks where it is overlong.

    For licence clauses and run-together lists of which nobody would quote the whole.
    A sentence of at most `max_chars` comes back as it is.

    >>> text = "The fee is due at once; interest runs from the first day."
    >>> [text[a:b] for a, b in clause_spans(text, 0, len(text), max_chars=30)]
    ['The fee is due at once;', 'interest runs from the first day.']
    >>> clause_spans(text, 0, len(text))
    [(0, 57)]
    """
    if end - start <= max_chars:
        return [(start, end)]
    cuts = [m.end() for m in _CLAUSE.finditer(text, start, end)]
    return _trimmed(text, [start, *cuts, end])


def _trimmed(text: str, bounds: list[int]) -> list[Span]:
    spans = []
    for start, end in pairwise(bounds):
        piece = text[start:end]
        core = piece.strip()
        if core:
            first = start + len(piece) - len(piece.lstrip())
            spans.append((first, first + len(core)))
    return spans


# --- sentences of one block ----------------------------------------------------


def _sentences(text: str, start: int, end: int, lang: str) -> list[Span]:
    # `sentencex` cuts nothing in what begins like a list item, so the marker is kept from it, and
    # cuts "## 2. Rent" behind its number.
    heading = HEADING.match(text, start, end)
    marker = MARKER.match(text, heading.end() if heading else start, end)
    first = marker.end() if marker else start
    kept = [start]
    for cut in _boundaries(text[first:end], lang):
        if not _is_false_cut(text, kept[-1], first + cut, end, lang):
            kept.append(first + cut)
    return _trimmed(text, [*_with_asides(text, [*kept, end]), end])


def _with_asides(text: str, bounds: Sequence[int]) -> Iterator[int]:
    """The cuts with those behind sentences in brackets, where `sentencex` makes none."""
    for start, end in pairwise(bounds):
        cut: int | None = start
        while cut is not None:
            yield cut
            cut = aside_end(text, cut, end)


def _boundaries(block: str, lang: str) -> list[int]:
    """Inner cuts of one block, by `sentencex`.

    It is asked in windows: on quotation marks that nobody closes its time grows with the
    square of the length (200,000 of them take 16 s). A window's last stretch is asked
    again with what follows.
    """
    cuts: list[int] = []
    start = 0
    while start < len(block):
        stop = start + _WINDOW
        found = [start + cut for cut in _segment(block[start:stop], lang)]
        if stop >= len(block):
            return cuts + found
        sure = [cut for cut in found if cut <= stop - _MARGIN]
        cuts += sure
        start = sure[-1] if sure else _word_start(block, stop - _MARGIN)
    return cuts


def _word_start(block: str, place: int) -> int:
    blank = block.rfind(" ", place - _MARGIN, place)
    return blank + 1 if blank >= 0 else place


def _segment(block: str, lang: str) -> list[int]:
    """Inner cuts of one window; by stops alone where the library's pieces are not the text.

    Breaks become blanks and lone surrogates U+FFFD, both one for one: the library cuts at
    the first and raises on the second.
    """
    plain = _SURROGATE.sub("\ufffd", _BREAK.sub(lambda m: " " * len(m[0]), block))
    pieces: list[str] = sentencex.segment(lang, plain)
    if "".join(pieces) != plain:
        return [m.end() for m in _STOP.finditer(plain) if m.end() < len(plain)]
    cuts = set(accumulate(len(piece) for piece in pieces[:-1]))
    if lang == "en":
        cuts.update(m.end() for m in _WORDS_AFTER_ALL.finditer(plain))
    return sorted(cuts)


def _is_false_cut(text: str, start: int, cut: int, end: int, lang: str) -> bool:
    """Whether a cut leaves no sentence on one side of it. Looks 40 code points around."""
    before, after = text[max(start, cut - 40) : cut], text[cut : min(end, cut + 40)]
    if cut - start <= 12 and ONLY_MARKER.fullmatch(before):
        return True
    if not any(c.isalnum() for c in (after if end - cut <= 40 else "x")):
        return True
    if not any(c.isalnum() for c in (before if cut - start <= 40 else "x")):
        return True
    head = after.lstrip()[:1]
    if _CLOSED_QUOTE.search(before) and head.isalnum():
        return True  # no blank between: the sentence goes on after the quotation
    return _is_shortened(text[start:cut], before, head, lang)


def _is_shortened(sentence: str, before: str, head: str, lang: str) -> bool:
    """Whether a stop is that of an abbreviation and not of a sentence; in doubt it is.

    Args:
        sentence: All that stands before the cut.
        before: Its last code points.
        head: The first character behind it.
        lang: The base of the text's language.
    """
    if lang in _ORDINALS_IN and _ORDINAL.search(before):
        return True
    found = _LAST_WORD.search(before)
    word = found[1].lower() if found else ""
    if word in _TITLES or (lang != "en" and word in _WORDS_IN_ENGLISH):
        return True
    shortened = word in _ABBREVIATIONS or _SHORTENED.search(before) is not None
    if (shortened or word in _WORDS_IN_ENGLISH) and (head.isdigit() or head.islower()):
        return True
    # Other languages have more abbreviations than are listed here.
    doubtful = shortened or (lang != "en" and 0 < len(word) <= _BRIEF)
    # Behind a negation nearly anything may be one: what follows, alone, would say the opposite.
    return doubtful and negates(sentence)


def sentences_around(spans: list[Span], start: int, end: int) -> Span:
    """The bounds of the sentences that `[start, end)` touches; itself where there are none.

    >>> sentences_around([(0, 10), (11, 20), (21, 30)], 5, 13)
    (0, 20)
    """
    starts = [a for a, _ in spans]
    first = max(bisect_right(starts, start) - 1, 0)
    last = max(bisect_right(starts, max(end - 1, start)) - 1, first)
    if not spans:
        return start, end
    return min(start, spans[first][0]), max(end, spans[last][1])
