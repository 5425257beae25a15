"""A block quote shows words as someone else's; words that are in no source lose that look.

Nothing is deleted: an invented quotation becomes ordinary prose, by losing its `>` marks,
and stands where it stood.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import regex

from groundedgen.patterns import lazy
from groundedgen.text.brackets import markers
from groundedgen.text.cutting import Cut, cut
from groundedgen.text.markdown.blocks import Line, lines
from groundedgen.text.markdown.regions import code_spans
from groundedgen.text.search import find

__all__ = ["BlockquoteResult", "demote_blockquotes"]

# Fewer words than this, or fewer letters where words are not set apart, quote nothing.
_FEWEST_WORDS = 4
_FEWEST_LETTERS = 8
_UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
_WORD = lazy(
    rf"[{_UNSPACED}]|[\p{{L}}\p{{M}}\p{{N}}--[{_UNSPACED}]]++(?:['’\-][\p{{L}}\p{{M}}\p{{N}}]++)*+",
    regex.V1,
)
_ONE_UNSPACED = lazy(rf"[{_UNSPACED}]")

_TAG = lazy(r"\s*+\[!(?!quote\]|cite\])[\w\-]+(?:\|[^\]\r\n]*)?\][+\-]?", regex.IGNORECASE)
_LABELS = (
    "note notice tip hint important warning caution attention danger info information remark "
    "reminder disclaimer example summary definition question update hinweis achtung warnung "
    "wichtig tipp vorsicht beispiel remarque avertissement conseil nota aviso advertencia "
    "importante consejo avviso attenzione suggerimento opmerking waarschuwing obs uwaga "
    "примечание внимание важно 注意 注 提示 警告 重要 备注 備註 说明 説明 참고 주의 ملاحظة تحذير"
)
_NAMES = _LABELS.replace(" ", "|")
_LABEL = lazy(
    rf"[\p{{So}}\uFE0F\u200D\u203C\s]*+(?P<bold>\*\*|__)\s*(?:{_NAMES})"
    r"\s*(?:[:：.!]\s*(?P=bold)|(?P=bold)\s*(?:[:：]|[\r\n]|\Z))"
    rf"|\s*+[\p{{So}}\u203C][\uFE0F\s]*+(?:{_NAMES})\s*[:：]",
    regex.IGNORECASE,
)

# A last line "— Lease, clause 4": who said it. Only names and numbers; a dash before a clause
# of its own would let invented words ride along.
_ATTRIBUTION = lazy(r"(?:\A|[\r\n])[ \t]*(?:[—–―]|--?)[ \t]*([^\r\n]{1,80})\s*\Z")
_SMALL = (
    "a an and at by for from in of on p para pp page pages section sec the to vol no clause art "
    "ch "
    "der die das des den und vom von aus s abs seite de la le les du et del los las el y di "
    "il"
)
_SMALL_WORDS = frozenset(_SMALL.split())
_ROUND = " \t\r\n\"“”„«»'‘’‚‹›「」『』*_"  # quotation marks and emphasis round a whole quote
# Numbers stay: which clause it is, is part of what is quoted.
_BULLET = lazy(r"^[ \t]*+(?:[-*+•‣◦▪]|#{1,6})[ \t]++", regex.MULTILINE)


@dataclass(frozen=True, slots=True)
class BlockquoteResult:
    """A text whose invented block quotes are prose; `demoted` says how many there were."""

    text: str = field(repr=False)
    demoted: int


def demote_blockquotes(text: str, sources: Iterable[str]) -> BlockquoteResult:
    """Take the `>` marks off block quotes whose words stand in no single source.

    A line without marks that continues a quoted paragraph belongs to the quote. Call-outs
    (`> [!NOTE]`, `> **Warning:**`), quotes of fewer than four words, and code stay as they are.
    Markers in a quote, quotation marks round it and a last line that names its origin are
    not looked for in the source.

    >>> demote_blockquotes("> Pets are welcome in all rooms.", ["Pets are not allowed."]).text
    'Pets are welcome in all rooms.'
    >>> demote_blockquotes("> Pets are not allowed.", ["Pets are not allowed."]).demoted
    0
    """
    if ">" not in text:
        return BlockquoteResult(text, 0)
    texts = tuple(sources)
    cuts: list[tuple[int, int]] = []
    demoted = 0
    for block in _blocks(text):
        if not _stands(_words(text, block), texts):
            demoted += 1
            cuts += _marks(text, block)
    return BlockquoteResult(_without(text, cuts), demoted)


def _blocks(text: str) -> Iterator[list[Line]]:
    block: list[Line] = []
    code = code_spans(text if "<" in text else "")  # HTML code; Markdown's own shows in the lines
    for line in lines(text):
        if code.cover(line.marks):
            continue
        if line.depth or (block and line.lazy):
            # A list item that begins with a quote of its own begins another block.
            if block and line.depth and text[line.start : line.marks].strip():
                yield block
                block = []
            block.append(line)
        elif block:
            yield block
            block = []
    if block:
        yield block


def _words(text: str, block: list[Line]) -> str:
    """What a block quotes, without its marks; code in it is not quoted."""
    return "".join(text[line.body : line.end] for line in block if not line.code)


def _stands(words: str, sources: tuple[str, ...]) -> bool:
    """Whether a quote may stay: it is none, too short to judge, or in one source."""
    if _TAG.match(words) or _LABEL.match(words) or _is_short(words):
        return True
    return any(find(needle, source) for needle in _needles(words) for source in sources)


def _is_short(words: str) -> bool:
    found = _WORD.findall(words[:10_000])
    unspaced = sum(_ONE_UNSPACED.match(word) is not None for word in found)
    return len(found) - unspaced < _FEWEST_WORDS and unspaced < _FEWEST_LETTERS


def _needles(words: str) -> list[str]:
    """Ways to write the same quote, the plainest first."""
    unmarked = cut(words, [Cut(start, end) for start, end in markers(words)])
    unsigned = _unsigned(unmarked)
    ways = [words, unmarked, unsigned, _BULLET.sub("", unsigned)]
    bare = [way.strip(_ROUND) for way in ways]
    return [way for way in dict.fromkeys([*ways, *bare]) if not _is_short(way)]


def _unsigned(words: str) -> str:
    """A quote without its last line, if that only names its origin."""
    match = _ATTRIBUTION.search(words, max(0, len(words) - 200))
    if match is None:
        return words
    names = [name for name in _WORD.findall(match[1]) if name.lower() not in _SMALL_WORDS]
    if any(name[0].islower() for name in names):
        return words
    return words[: len(words) - len(match[0])]


def _marks(text: str, block: list[Line]) -> Iterator[tuple[int, int]]:
    """The `>` marks of a block, each with the one blank behind it."""
    for line in block:
        for match in _MARK.finditer(text, line.marks, line.body):
            yield match.span()


_MARK = lazy(r">[ \t]?")


def _without(text: str, cuts: list[tuple[int, int]]) -> str:
    pieces: list[str] = []
    at = 0
    for start, end in cuts:
        pieces.append(text[at:start])
        at = end
    return "".join([*pieces, text[at:]])
