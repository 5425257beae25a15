"""Whether a sentence says on its own what it says where it stands.

"Sublet the flat." under "The tenant must not:", "Flood damage to your home." under
"Exclusions", a line that is crossed out, a sentence that goes on behind its full stop:
each is a whole sentence of its passage and means something else alone. In doubt it does
not stand alone; then a judge has to read it in its place.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import regex

from groundedgen.patterns import lazy
from groundedgen.text.limiting.footnotes import is_footnoted
from groundedgen.text.limiting.headings import disowns
from groundedgen.text.limiting.revocations import takes_back
from groundedgen.text.limiting.spelling import as_read
from groundedgen.text.lines import BLANK_LINE, HEADING, MARKER
from groundedgen.text.qualifiers import is_taken_back, limits_what_precedes
from groundedgen.text.sentences import Span, ends_stopped, lead_in

__all__ = [
    "can_assert",
    "governor",
    "governs",
    "is_disowned",
    "is_turning",
    "stands_alone",
    "struck",
    "surroundings",
]

_HEADING: Final = 60  # code points
_NEAR: Final = 900  # code points within which a mere lead-in is read too
_LEAST: Final = 7  # the level of a heading without marks, below all that have them
_SECTION: Final = 200  # sentences that a heading over a heading is looked for above
_REACH: Final = 40  # sentences that a heading or a "following" is looked for above

# What turns round or takes back whatever stands under it.
_TURNING: Final = lazy(
    r"\b(?:not|never|no|none|nothing|neither|nor|cannot|without|unless|if|suppose|except\w*|exclu\w+"
    r"|outside|false|wrong|untrue|incorrect|myths?|repealed|deleted|withdrawn|void|draft|former|prohibit\w*"
    r"|forbid\w*|forbidden|alleg\w+|claim(?:s|ed)|stat(?:es|ed)|sa(?:ys|id)|example|contra-?indicat\w*|nicht|kein\w*|ausgeschlossen|pas|aucun\w*|ning[u\u00fa]n\w*)\b"
    r"|n['\u2019]t\b|\u307e\u305b\u3093|\u306a\u3044|\u9664\u5916|\u514d\u8d23|\u514d\u8cac"
    r"|[\u4e0d\u7121\u65e0\u672a\u975e](?=\p{Han})",
    regex.IGNORECASE,
)
# The noun says nothing of what stands under it: "Claims handbook", "How to make claims".
_CLAIMS: Final = lazy(
    r"(?:\A[\W\d]*|\b(?:your|our|my|any|all|mak(?:e|ing)|handl(?:e|ing)|report(?:ing)?|fil(?:e|ing)"
    r"|settl(?:e|ing)|pay(?:ing)?|insurance|for|about|on)\s+)\Kclaims(?=\W*\Z|\s+(?:and|or|under|for|on"
    r"|paid|handbook|handling|procedures?|process|forms?|line|guide|teams?|managers?|manual|services?"
    r"|settlement|notification|department|are|must|may|can|will|should|have)\b)",
    regex.IGNORECASE,
)
_FOLLOWS: Final = lazy(
    r"\b(?:following|as follows|below)\b|\b(?:any|all|none|each|either)\s+of\s+(?:these|those)\W*\Z"
    r"|\b(?:folgende\w*|suivante?s?|siguientes?|seguenti|seguintes?|volgende)\b"
    r"|\u4ee5\u4e0b|\u6b21\u306e|\u4e0b\u8a18|\u5982\u4e0b|\u4e0b\u5217",
    regex.IGNORECASE,
)
# A label in front of a line says of all that stands behind it on that line.
_LABEL: Final = lazy(r"[*_#\s]*[^\s*_:.!?][^:.!?\n]{0,60}[:\uff1a]", regex.IGNORECASE)
_STRUCK: Final = lazy(
    r"~~(?=\S).+?~~|<(del|s|strike)\b[^>]*>.*?</\1\s*>", regex.DOTALL | regex.IGNORECASE
)
_UNTICKED: Final = lazy(r"[\u2717\u2718\u2610\u274c\u2612]\s*\Z|\[ \]\s*\Z")
_DELETED: Final = lazy(
    r"\W{0,3}(?:[\u2717\u2718\u2610\u274c\u2612]|\[\s*\]|\[\s*(?:deleted|repealed|withdrawn|draft)\b)",
    regex.IGNORECASE,
)
_GOES_ON: Final = lazy(r"\s*(?:\p{Ll}\p{Ll}|\.\.\.|\u2026)|[*\u2020\u2021]|[ ]*\[\s*\p{L}")


_BESIDE: Final = 200  # code points of a neighbouring sentence that are looked at

# Said before a sentence, what makes it somebody's, somewhere's, or nobody's.
_DISOWNS: Final = lazy(
    r"\bonly\W*\Z|\bnot\s+the\s+case\b|\bstruck\b|\b(?:deleted|repealed|withdrawn|superseded)\b"
    r"|\bnot\s+in\s+force\b|\A\W*draft\b|\bfalse\b|\bmyths?\b"
    r"|\b(?:claim|alleg|argu|stat|sa)(?:s|es|ed|ys|id|ues)\s+(?:this|that|so|the\s+following)\W*\Z"
    r"|\bthe\s+following\s+(?:applied|was|were|used\s+to|request|claim|argument)\b|\bdisregard\b"
    r"|\b(?:next|following)\s+(?:sentence|paragraph|clause)\b|\bno\s+part\s+of\b|\bnot\s+part\s+of\b"
    r"|\b(?:was|were|is|are)\s+proposed\b|\A\W*no\W*\Z",
    regex.IGNORECASE,
)
# "For members only." at the end of another paragraph says nothing of this one.
_ONLY: Final = lazy(r"\bonly\W*\Z", regex.IGNORECASE)
# A heading that denies what stands under it, unless that denies it as well.
_DENIES: Final = lazy(
    r"\A[\W\d]*exclu\w+\W*\Z|\bnot\s+(?:cover|pay|insure)(?:\s+for)?\W*\Z", regex.IGNORECASE
)


def stands_alone(text: str, spans: list[Span], first: int, last: int) -> bool:
    r"""Whether the sentences `first` to `last` mean alone what they mean in `text`.

    >>> from groundedgen.text.sentences import sentence_spans
    >>> def alone(text, place):
    ...     return stands_alone(text, sentence_spans(text), place, place)
    >>> alone("Fire is covered. Floods are not.", 0), alone("Exclusions\n\nFire damage.", 1)
    (True, False)
    >>> alone("The fee is waived. ... if paid in May.", 0), alone("~~Fire is covered.~~ Hail.", 0)
    (False, False)
    """
    above = (governor(text, spans, place) for place in (first, last))
    if any(place is not None and place < first for place in above):
        return False
    if last + 1 < len(spans) and limits_what_precedes(text, spans, last + 1):
        return False
    if is_disowned(text, spans, first, last):
        return False
    return can_assert(text, spans[first][0], spans[last][1])


def is_disowned(text: str, spans: list[Span], first: int, last: int) -> bool:
    """Whether the sentence before says whose or where it is, or what is behind takes it back.

    That is the next sentence, unless it limits in words that go on ("but not in May"), or a
    footnote.
    """
    if first > 0:
        before = as_read(text[slice(*spans[first - 1])][-_BESIDE:])
        apart = BLANK_LINE.search(text, spans[first - 1][1], spans[first][0]) is not None
        ended = apart and ends_stopped(text, *spans[first - 1])
        if _DISOWNS.search(_ONLY.sub("", before) if ended else before):
            return True
        if _DENIES.search(before) and not is_turning(text[slice(*spans[first])]):
            return True
    if is_taken_back(text, spans, last) or is_footnoted(text, spans[first][0], spans[last][1]):
        return True
    behind = text[spans[last][1] : spans[last][1] + _BESIDE]
    if last + 1 < len(spans):
        behind = text[slice(*spans[last + 1])][:_BESIDE]
    return takes_back(behind)


def surroundings(text: str, spans: list[Span], first: int, last: int) -> Span:
    r"""What must be read together with the sentences `first` to `last` to know what they mean.

    Returns:
        The bounds of the sentences with the lines that turn them round and the sentence that
        limits them; half-open, in code points.

    >>> from groundedgen.text.sentences import sentence_spans
    >>> text = "Old policy\n\nCall us. Theft is covered. (Not abroad.) Fire is covered."
    >>> start, end = surroundings(text, sentence_spans(text), 2, 2)
    >>> text[start:end]
    'Old policy\n\nCall us. Theft is covered. (Not abroad.)'
    """
    start, end = spans[first][0], spans[last][1]
    above = governor(text, spans, first)
    while above is not None:
        words = text[slice(*spans[above])]
        if end - spans[above][0] <= _NEAR or is_turning(words) or disowns(words):
            start = spans[above][0]
        above = governor(text, spans, above)
    # What limits that again is a neighbour like others: "Nor hail. Nor snow. Nor ..." has no end.
    if last + 1 < len(spans) and limits_what_precedes(text, spans, last + 1):
        end = spans[last + 1][1]
    return start, end


def governor(text: str, spans: list[Span], index: int) -> int | None:
    r"""The sentence that decides what a later one means, as an index into `spans`, or `None`.

    A lead-in (see `sentences.lead_in`), also for what follows in the same list item or
    the next line; a line without a full stop, or a sentence with "following", that turns
    what stands under it round.

    >>> from groundedgen.text.sentences import sentence_spans
    >>> text = "The tenant must not:\nKeep a dog.\nSublet the flat."
    >>> spans = sentence_spans(text)
    >>> [governor(text, spans, place) for place in range(len(spans))]
    [None, 0]
    """
    opening = _first_of_line(text, spans, index)
    for place in {index, opening}:
        lead = lead_in(text, spans, place)
        if lead is not None:
            return lead
    # "We do not pay for fines." under "Exclusions" says itself what the heading says.
    negative = is_turning(text[slice(*spans[index])])
    if opening < index and not negative and _is_labelled(text, spans[opening]):
        return opening
    for place in range(index - 1, max(-1, index - _REACH), -1):
        start, end = spans[place]
        if place < opening and _opens_list(text, spans, place, opening):
            return place
        if not negative and is_turning(text[start:end]) and _FOLLOWS.search(text, start, end):
            return place
        if not negative and _is_turning_heading(text, spans[place]):
            return place
        if _is_open_line(text, spans, place):
            adjoins = place == opening - 1
            turned = is_turning(text[start:end]) and not negative
            turned = turned or disowns(text[start:end])
            if turned or (adjoins and _dangles(text, end)):
                return place
            return None if negative else _turning_section(text, spans, place)
    return None


def _turning_section(text: str, spans: list[Span], heading: int) -> int | None:
    """The Markdown heading over a lesser one that turns round the whole section, or `None`.

    "## Home" under "# Exclusions" names what is excluded; it does not end the exclusions.
    """
    level = _level(text, spans[heading]) or _LEAST
    for place in range(heading - 1, max(-1, heading - _SECTION), -1):
        if level <= 1:
            break
        above = _level(text, spans[place])
        if 0 < above < level:
            level = above
            words = text[slice(*spans[place])]
            if is_turning(words) or disowns(words):
                return place
    return None


def _level(text: str, line: Span) -> int:
    """How deep a Markdown heading is, 1 to 6; 0 for any other line."""
    mark = HEADING.match(text, *line)
    return mark[0].count("#") if mark else 0


def _is_turning_heading(text: str, line: Span) -> bool:
    """Whether a short paragraph of its own ends in a colon and turns round what stands under it.

    A list that begins in the next line ends at the first gap; what follows a gap has no such end.
    """
    start, end = line
    begins = text[start - 1 : start] in ("", "\n", "\r")
    return (
        begins
        and BLANK_LINE.match(text, end) is not None
        and end - start <= _HEADING
        and text[end - 1] in ":\uff1a"
        and (is_turning(text[start:end]) or disowns(text[start:end]))
    )


def _is_labelled(text: str, opening: Span) -> bool:
    """Whether a line begins with a label that turns it round, as "Not covered: hail. Theft."."""
    label = _LABEL.match(text, *opening)
    return label is not None and is_turning(label[0])


def _first_of_line(text: str, spans: list[Span], index: int) -> int:
    """The first sentence of the line that a sentence stands on."""
    if text.find("\n", 0, spans[index][0]) < 0:
        return 0  # one long line
    while index > 0 and "\n" not in text[spans[index - 1][1] : spans[index][0]]:
        index -= 1
    return index


def _opens_list(text: str, spans: list[Span], place: int, below: int) -> bool:
    """Whether a sentence ends in a colon and lines without a gap lead down from it."""
    start, end = spans[place]
    if not (
        text[end - 1] in ":\u2026" or text.endswith("...", start, end) or ":\n" in text[start:end]
    ):
        return False
    gaps = [text[spans[p][1] : spans[p + 1][0]] for p in range(place + 1, below)]
    return all(gap.count("\n") <= 1 for gap in gaps)


def _is_open_line(text: str, spans: list[Span], place: int) -> bool:
    """Whether a sentence is a line of its own that no full stop ends: most often a heading."""
    start, end = spans[place]
    begins = text[start - 1 : start] in ("", "\n", "\r", "\t") or start == 0
    bullet = MARKER.match(text, start)
    if not begins or (bullet and bullet["bullet"]):
        return False
    return not ends_stopped(text, start, end) and text[end - 1] not in ";,:"


# A line that ends in the middle of a sentence governs the next one whatever it says.
_DANGLING: Final = lazy(
    r"\b(?:a|an|the|of|in|on|at|to|by|for|from|with|and|or|not|no|is|are|was|may|must|shall|will"
    r"|if|when|that|which|who|as|than|do|does|be)\Z",
    regex.IGNORECASE,
)


def _dangles(text: str, end: int) -> bool:
    return _DANGLING.search(text, max(0, end - 12), end) is not None


def can_assert(text: str, start: int, end: int) -> bool:
    """Whether a sentence can say that something is so.

    Not a question, a lead-in without what it leads to, a sentence that goes on behind its
    full stop, or one that is crossed out, not ticked, or marked as deleted.

    >>> can_assert("Fire is covered.", 0, 16), can_assert("Is fire covered?", 0, 16)
    (True, False)
    >>> can_assert("~~Fire is covered.~~", 2, 18), can_assert("It is £30. [repealed]", 0, 10)
    (False, False)
    """
    if text[end - 1 : end] in ("?", ":", "\uff1f", "\uff1a") or _GOES_ON.match(text, end):
        return False
    if _UNTICKED.search(text, max(0, start - 4), start) or _DELETED.match(text, start, end):
        return False
    if "~~" not in text and "<" not in text:
        return True
    return not any(first < end and start < last for first, last in struck(text))


@lru_cache(maxsize=64)  # asked of each sentence of a text in turn
def struck(text: str) -> tuple[Span, ...]:
    """What is crossed out: bounds with the marks, half-open, in code points.

    >>> struck("Fire is, ~~hail is~~ covered.")
    ((9, 20),)
    """
    return tuple(match.span() for match in _STRUCK.finditer(text))


def governs(text: str, start: int, end: int) -> bool:
    """Whether what stands under these words says little without them; a plain heading does not.

    >>> governs("Notes", 0, 5), governs("Exclusions", 0, 10), governs("We cover:", 0, 9)
    (False, True, True)
    """
    words = text[start:end]
    if is_turning(words) or disowns(words):
        return True
    return not words[-1].isalnum() or _dangles(text, end) or ":\n" in words


@lru_cache(maxsize=4_096)  # a sentence is asked for by each of the 40 below it
def is_turning(words: str) -> bool:
    """Whether words over a statement turn it round, or tell of it as somebody's.

    >>> is_turning("We do not cover"), is_turning("Opening hours")
    (True, False)
    >>> is_turning("Claims handbook"), is_turning("What the tenant claims")
    (False, True)
    """
    return _TURNING.search(_CLAIMS.sub("", as_read(words))) is not None
