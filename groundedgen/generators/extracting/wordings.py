"""How a statement says what its quote says: as whole sentences, without the marks of Markdown.

The quote stays the source's own text. What stands under a heading that turns it round is said
behind that heading, which a judge has to read; else, and where that failed, it is said in the
source's own words, as few marks among them as can go without a judge.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import regex

from groundedgen.entailment import restates
from groundedgen.gates.numbers import unsupported_numbers
from groundedgen.patterns import lazy
from groundedgen.text.folding.rewriting import rewrite
from groundedgen.text.lines import HEADING, MARKER
from groundedgen.text.markdown.markup import RULES
from groundedgen.text.sentences import Span
from groundedgen.text.tokens import guess_language, leans_to

if TYPE_CHECKING:
    from groundedgen.generators.extracting.extents import Extent

__all__ = ["one_line", "wordings"]

_BROKEN: Final = lazy(r"(\p{L}+)[-\u00ad\u2010][ \t]*\r?\n\s*(\p{Ll}+)")
_CLOSING: Final = lazy(r"[ \t]+#+\s*\Z")  # "## Rent ##"
_BLANKS: Final = lazy(r"[^\S\n]+")
_LONG: Final = 400  # code points of a list; beyond, the item and its lead-in say enough


def wordings(
    text: str, spans: list[Span], found: Extent, texts: Sequence[str], lang: str | None = None
) -> tuple[str, ...]:
    r"""Ways to say what a stretch of a text says, the most readable one first; never none.

    The last is the text's own words in their order, and mostly the only one.

    Args:
        text: The passage.
        spans: Its sentences.
        found: Which of them are quoted, and which answer.
        texts: All passages, which tell how a word broken at a line end is written.
        lang: BCP 47 tag, if known.

    >>> from groundedgen.generators.extracting.extents import extent
    >>> from groundedgen.text.sentences import sentence_spans
    >>> def said(text, words):
    ...     spans = sentence_spans(text)
    ...     return wordings(text, spans, extent(text, spans, text.index(words), 5), [text])[0]
    >>> said("# Cover\n\nHail is **always** covered.", "Hail")
    'Hail is always covered.'
    >>> said("# Exclusions\n\n## 2. Home\n\nFire in the shed.\n\nWater from the river.", "Water")
    'Exclusions: Water from the river.'
    """
    source = text[spans[found.heads[0] if found.heads else found.begin][0] : spans[found.end][1]]
    exact = one_line(source, texts)
    own = (one_line(_bare(source), texts), exact, source)
    ways = [next((way for way in own if _stands(way, text, lang)), exact)]
    if found.heads and (_has_headings(source) or len(source) > _LONG):
        ways = [*_titled(text, spans, found, texts, lang), *ways]
    return tuple(ways)


def _has_headings(source: str) -> bool:
    return any(HEADING.match(line) for line in source.splitlines())


def _stands(way: str, text: str, lang: str | None) -> bool:
    """Whether nobody need judge it."""
    return restates(way, text, lang) and not unsupported_numbers(way, text, lang=lang)


def _titled(
    text: str, spans: list[Span], found: Extent, texts: Sequence[str], lang: str | None
) -> list[str]:
    """What answers, behind what decides its meaning: "Exclusions: damage by frost.".

    A judge has to read it, so it is left out where the judge that every answer has by default
    could not, or where it would write a heading's number as if it counted something.
    """

    def plain(start: int, end: int) -> str:
        line = one_line(_bare(text[start:end]), texts)
        marker = MARKER.match(line)
        return line[marker.end() :].strip() if marker else line

    heads = [plain(*spans[place]).rstrip(" .:\uff1a\u2014") for place in found.heads]
    said = ": ".join([*heads, plain(spans[found.begin][0], spans[found.end][1])])
    language = lang or guess_language(said) or "en"
    english = language.lower().startswith("en") and leans_to("en", said)
    return [said] if english and not unsupported_numbers(said, text, lang=lang) else []


def _bare(source: str) -> str:
    """Without marks of headings and of emphasis, references and escapes resolved."""
    lines = source.splitlines(keepends=True)
    source = "".join(
        _CLOSING.sub("", HEADING.sub("", line, count=1)) if HEADING.match(line) else line
        for line in lines
    )
    for rule in RULES:
        source, _ = rewrite(source, rule.edits(source))
    return source


def one_line(source: str, texts: Sequence[str]) -> str:
    r"""Sentences on one line, list items apart; a word broken at a line end is put together.

    Both readings of "cov-" + "ered" are verbatim; the hyphen stays only where the
    hyphenated word stands elsewhere in the passages ("well-" + "known").

    >>> one_line("A well-\nknown dam-\nage by\n- fire\n- hail", ["a well-known rule"])
    'A well-known damage by\n- fire\n- hail'
    """

    def settle(match: regex.Match[str]) -> str:
        hyphened = f"{match[1]}-{match[2]}"
        return hyphened if any(hyphened in text for text in texts) else match[1] + match[2]

    lines = [line for line in _BROKEN.sub(settle, source).splitlines() if line.strip()]
    joined = "".join(("\n" if MARKER.match(line) else " ") + line.strip() for line in lines)
    return _BLANKS.sub(" ", joined).strip()
