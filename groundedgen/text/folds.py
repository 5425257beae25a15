"""Folding: the one function through which a quote and a passage are both put before they meet.

The line is *lossless to wording, indifferent to typography*. Folded away is what a typesetter, an
extractor or a transport may change: letter case, canonical and width variants, ligature and
presentation characters, the glyphs of quote marks, dashes and blanks, invisible characters,
escapes, paired emphasis marks. Everything an author wrote stays: letters and the marks that make
another letter, digits, signs, points, units, operators, exponents, order. See `foldtables` for
what is on the lists and `signs` and `markup` for the rules that need context.

Folding changes lengths, so every step keeps where it cut, and `Folded.origin` leads back to the
original characters.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from groundedgen.text.folding import signs
from groundedgen.text.folding.glyphs import settle
from groundedgen.text.folding.rewriting import Draft, Step
from groundedgen.text.folding.rules import foreign
from groundedgen.text.markdown import markup

__all__ = ["NORMALIZER_VERSION", "Folded", "normalize"]

NORMALIZER_VERSION = "2"
"""Changes whenever a folded text may come out different; stored answers can name it."""

# Rules that need context can uncover one another (`&amp;lt;`, a code span in bold). Real text is
# stable after two rounds; what is not after this many was built to nest, and is then not unwrapped.
_ROUNDS = 8


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text and the way back. Equal to another if the folded texts are.

    Attributes:
        text: The folded text.
        source: The text as it was given.
        steps: The rewritings that led from `source` to `text`, in order.
    """

    text: str = field(repr=False)
    source: str = field(repr=False, compare=False)
    steps: tuple[Step, ...] = field(default=(), repr=False, compare=False)

    def origin(self, start: int, end: int) -> tuple[int, int]:
        r"""The span of `source` that a span of `text` came from.

        Half-open, in code points, and minimal: whole original characters, without those at
        either edge that folded to nothing. Empty spans stay empty.

        >>> folded = normalize("of\ufb01cial  word")
        >>> folded.text
        'official word'
        >>> folded.origin(0, 8), folded.origin(3, 4), folded.origin(9, 13)
        ((0, 7), (2, 3), (9, 13))
        """
        empty, last = start >= end, end - 1
        for step in reversed(self.steps):
            start = step.start_of(start)
            last = start if empty else step.end_of(last) - 1
        return start, start if empty else last + 1

    def splits(self, position: int) -> bool:
        """Whether a cut at `position` would go through one original character.

        >>> normalize("\ufb01").splits(1), normalize("fi").splits(1)
        (True, False)
        """
        if not self.steps or not 0 < position < len(self.text):
            return False
        return self.origin(position - 1, position)[1] > self.origin(position, position + 1)[0]


def normalize(text: str) -> Folded:
    r"""Fold `text` to the form in which wording is compared.

    Idempotent, linear in the length of `text`, and never raises: a lone surrogate or a NUL is a
    character like any other.

    >>> normalize("The\u00a0 insurer of\ufb01cially “accepts”").text
    'the insurer officially "accepts"'
    >>> normalize("**Note:** 5 &lt; 7").text
    'note: 5 < 7'
    >>> normalize("10² is not 102, -5 % is not 5 %, œ is not oe").text
    '10² is not 102, -5 % is not 5 %, œ is not oe'
    """
    draft = Draft(text)
    if "&" in text:  # while case still tells &Prime; from &prime;
        draft.edit(markup.references(text))
    for _ in range(_ROUNDS):
        settle(draft)
        if not _in_context(draft):
            return _folded(draft, text)
    draft = Draft(text)
    settle(draft)
    return _folded(draft, text)


def _folded(draft: Draft, source: str) -> Folded:
    return Folded(draft.text, source, tuple(draft.steps))


def _in_context(draft: Draft) -> bool:
    """The rules that need their surroundings; whether any applied."""
    found, strange = False, foreign(draft.text)
    for rule in (*markup.RULES, *signs.RULES):
        if rule.may_apply(draft.text, strange) and draft.edit(rule.edits(draft.text)):
            found, strange = True, foreign(draft.text)
    return found
