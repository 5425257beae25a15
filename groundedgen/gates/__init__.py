"""The gates: cheap, deterministic checks that find and never decide.

Each is usable alone, on plain strings::

    quote_gate           does this quote stand in that passage, word for word?
    span_gate            is this span inside its document, and does it hold the quote?
    unsupported_numbers  which numbers of a claim does its passage not hold?
    strip_markers        cut the citation markers that point at nothing
    demote_blockquotes   turn block quotes that stand in no source into prose
    leaked_quotes        which failed quotes can still be read in a text?
    normalize            the folding that all of them share
"""

from groundedgen.gates.blockquotes import demote_blockquotes
from groundedgen.gates.leak import leaked_quotes
from groundedgen.gates.markers import strip_markers
from groundedgen.gates.numbers import unsupported_numbers
from groundedgen.gates.quotes import quote_gate
from groundedgen.gates.spans import span_gate
from groundedgen.text.folds import normalize

__all__ = [
    "demote_blockquotes",
    "leaked_quotes",
    "normalize",
    "quote_gate",
    "span_gate",
    "strip_markers",
    "unsupported_numbers",
]
