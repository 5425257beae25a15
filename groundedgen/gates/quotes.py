"""The quote gate: is this quote, word for word, in the passage it names?

The first check that can fail a statement, and the one that a model cannot talk its way past:
string work only. It returns the source's own characters at exact offsets, so that what is shown is
never the model's copy.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from groundedgen.gates.quoting import has_words, is_all, told
from groundedgen.text.folds import normalize
from groundedgen.text.search import Hit, find
from groundedgen.values import Finding, Located, Match, Sourced, Spot

__all__ = ["QuoteResult", "QuoteVerdict", "cut_off", "locate", "normalize", "quote_gate"]

QuoteVerdict = Literal["found", "not_found", "misattributed", "too_short", "unknown_source"]


@dataclass(frozen=True, slots=True)
class QuoteResult:
    """What the quote gate found.

    Attributes:
        verdict: "found": the quote stands in the named passage. "misattributed": only in others,
            see `found_in`. "not_found": in none. "too_short": too few words to prove anything.
            "unknown_source": no passage has that id.
        start: Where it stands in the named passage, in code points; -1 unless found.
        end: One past its last code point; -1 unless found.
        quote: The source's own characters: `docs[doc_id][start:end]`; "" unless found.
        match: "exact", or "folded" where typography differs; `None` unless found.
        found_in: The named passage if found; if misattributed, every passage that holds it.
    """

    verdict: QuoteVerdict
    start: int = -1
    end: int = -1
    quote: str = field(default="", repr=False)
    match: Match | None = None
    found_in: tuple[str, ...] = ()


def quote_gate(
    quote: str, doc_id: str, docs: Mapping[str, str], *, min_words: int = 5
) -> QuoteResult:
    """Look for `quote` in the passage `doc_id`, and if it is not there, in the others.

    Args:
        quote: The words as a model wrote them, in any typography.
        doc_id: The passage it claims to come from.
        docs: Passage texts by id.
        min_words: Fewer words than this prove nothing, unless they are the whole passage. Scripts
            without blanks count letters instead, see `text.amounts.word_count`.

    >>> docs = {"a": "Water from a burst pipe is covered.", "b": "Non-refundable fees are due."}
    >>> result = quote_gate("water from a burst pipe", "a", docs)
    >>> result.verdict, result.start, result.end, result.quote, result.match
    ('found', 0, 23, 'Water from a burst pipe', 'folded')
    >>> quote_gate("Water from a burst pipe", "b", docs).found_in
    ('a',)
    >>> quote_gate("refundable fees are due", "b", docs, min_words=3).verdict
    'not_found'
    """
    if doc_id not in docs:
        return QuoteResult("unknown_source")
    text = docs[doc_id]
    if hit := _evidence(quote, text, min_words):
        match: Match = "exact" if hit.exact else "folded"
        return QuoteResult("found", hit.start, hit.end, text[hit.start : hit.end], match, (doc_id,))
    elsewhere = _holders(quote, (other for other in docs if other != doc_id), docs, min_words)
    if elsewhere:
        return QuoteResult("misattributed", found_in=elsewhere)
    return QuoteResult("not_found" if has_words(quote, min_words) else "too_short")


def locate(
    statement: Sourced, docs: Mapping[str, str], *, min_words: int = 5, remap: bool = False
) -> Located | Finding:
    """Find the statement's quote in the passages it names.

    Offsets are code points into the passage's own text, half-open. Named passages that do not hold
    the quote are dropped from the statement. A real quote from a passage it does not name is
    `misattributed`, which needs another repair upstream than an invented one.

    Args:
        statement: Its aliases should be keys of `docs`; one that is not holds nothing.
        docs: Passage texts by alias.
        min_words: As for `quote_gate`.
        remap: Move a quote that stands in exactly one other passage there.

    Returns:
        The statement with one spot per passage, or a finding: `quote_not_found`, `misattributed`
        (`details` names the aliases that hold it) or `quote_too_short`. What was cut off from a
        statement that stays is told by `cut_off`.
    """
    quote = statement.quote
    spots = tuple(_spots(quote, statement.aliases, docs, min_words))
    if spots:
        return Located(statement.index, statement.text, quote, spots)
    elsewhere = _holders(quote, (a for a in docs if a not in statement.aliases), docs, min_words)
    if not elsewhere:
        return _missing(statement, docs, min_words)
    if remap and len(elsewhere) == 1:
        moved = tuple(_spots(quote, elsewhere, docs, min_words))
        return Located(statement.index, statement.text, quote, moved, statement.aliases)
    return told(
        statement,
        "misattributed",
        f"The quote stands in {', '.join(elsewhere)}, not in {', '.join(statement.aliases)}.",
        docs,
        details=elsewhere,
    )


def cut_off(statement: Sourced, located: Located, docs: Mapping[str, str]) -> tuple[Finding, ...]:
    """What was cut off from a statement that stays: a finding for each passage without its quote.

    Args:
        statement: What `locate` took.
        located: What it returned. Of a statement that was moved to another passage nothing is told.
        docs: Passage texts by alias.

    >>> docs = {"S1": "Floods are not covered by this policy.", "S2": "Fire is."}
    >>> sourced = Sourced(0, "Excluded.", ("S1", "S2"), "Floods are not covered by this policy")
    >>> [(f.reason, f.passage_id) for f in cut_off(sourced, locate(sourced, docs), docs)]
    [('quote_not_found', 'S2')]
    """
    if located.remapped_from:
        return ()
    held = {spot.alias for spot in located.spots}
    return tuple(
        Finding(
            "quotes",
            "quote_too_short" if find(statement.quote, docs.get(alias, "")) else "quote_not_found",
            statement.index,
            "The quote could not be confirmed in one of the passages that the statement names; "
            "that citation was cut off.",
            statement=statement.text,
            details=(alias,),
            passage_id=alias if alias in docs else None,
            kept=True,
        )
        for alias in dict.fromkeys(statement.aliases)
        if alias not in held
    )


# --- looking --------------------------------------------------------------------------------


def _evidence(quote: str, text: str, min_words: int) -> Hit | None:
    """Where the quote stands, if it is long enough or all there is."""
    hit = find(quote, text)
    if hit is None or has_words(quote, min_words):
        return hit
    return hit if is_all(text, hit.start, hit.end) else None


def _spots(
    quote: str, aliases: Iterable[str], docs: Mapping[str, str], min_words: int
) -> Iterable[Spot]:
    for alias in aliases:
        hit = _evidence(quote, docs.get(alias, ""), min_words)
        if hit:
            yield Spot(alias, hit.start, hit.end, "exact" if hit.exact else "folded")


def _holders(
    quote: str, others: Iterable[str], docs: Mapping[str, str], min_words: int
) -> tuple[str, ...]:
    return tuple(other for other in others if _evidence(quote, docs[other], min_words))


# --- what to say ----------------------------------------------------------------------------


def _missing(statement: Sourced, docs: Mapping[str, str], min_words: int) -> Finding:
    named = ", ".join(statement.aliases)
    if has_words(statement.quote, min_words):
        return told(
            statement, "quote_not_found", f"The quote stands in no passage, {named} included.", docs
        )
    return told(
        statement,
        "quote_too_short",
        f"The quote has fewer than {min_words} words, which prove nothing.",
        docs,
    )
