"""Random walks: drafts drawn by chance from what a constraint lets through, token by token."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache

import regex
from llguidance import LLMatcher, LLTokenizer, TokenizerWrapper

from groundedgen import draft
from groundedgen.errors import GenerationError
from groundedgen.gates import quote_gate, unsupported_numbers
from groundedgen.generators.constrained.copied import has_digit
from groundedgen.values import Reply

_END = 256
_ANSWERED = b'{"status":"answered","statements":['
_RUN = regex.compile(r"\p{Nd}+|[\p{No}\p{Nl}]")
# Pieces that a real vocabulary has and single bytes never make: words, numbers, units, marks.
_PIECES = (
    " the| a| of| in| is| not| and| within| Section| No| no| EUR| minus| per| thirty| million| days"
    '| km| percent| months| m| x|, |. | (|) |: |; |-| -| 3| 30| 12|000|00|5|$|%|/|\\n|\\u00|\\"|](|'
    'http://|[1]|[S1]|(S1)|S2|","text":"|"}|covered|ing|\u00b2|\u00bd|\u2460|\u0663|\u5341|'
    "\u5929|\u4e07|\u200b|\u202e|\ufeff|**|<b>|{"
)


class _Bytes:
    eos_token_id = _END
    bos_token_id = None
    special_token_ids = (_END,)

    def __init__(self):
        pieces = dict.fromkeys(piece.encode() for piece in _PIECES.split("|") if len(piece) > 1)
        pieces |= dict.fromkeys(piece.encode() for piece in _PIECES.split("|") if piece > "\x7f")
        singles = [bytes([value]) for value in range(256)]
        self.tokens = [*singles, b"<|end|>", *(p for p in pieces if p and len(p) > 1)]

    def __call__(self, text):
        return list(text if isinstance(text, bytes) else text.encode())


@cache
def tokenizer():
    """All bytes, an end token, and a few dozen pieces."""
    return LLTokenizer(TokenizerWrapper(_Bytes()))


@dataclass(frozen=True)
class Walk:
    """One walk: its words, whether it ended by itself, and what the matcher complained of."""

    raw: str
    ended: bool
    error: str = ""


class Walker:
    """Walks through one grammar in `llguidance`'s own form."""

    def __init__(self, grammar):
        self.start = LLMatcher(tokenizer(), grammar, log_level=0)
        self.vocabulary = _Bytes().tokens

    @classmethod
    def of_lark(cls, text):
        return cls(LLMatcher.grammar_from_lark(text))

    @classmethod
    def of_schema(cls, schema):
        compact = {"whitespace_flexible": False}
        return cls(LLMatcher.grammar_from_json_schema(schema, overrides=compact))

    def walk(self, seed, *, most=6_000, ending=0.08, answered=False):
        """Draw allowed tokens until the end is one. `ending` is how often a string is closed.

        A uniform draw would close no string before its longest. With `answered` the walk
        starts behind that word.
        """
        chance = random.Random(seed)
        matcher, written = self.start.deep_copy(), bytearray()
        if answered and matcher.consume_tokens(list(_ANSWERED)):
            written += _ANSWERED
        elif answered:
            matcher = self.start.deep_copy()
        for _ in range(most):
            mask = matcher.compute_logit_bias()
            allowed = [token for token, bias in enumerate(mask) if bias]
            if not allowed or matcher.is_error():
                return Walk(written.decode("utf-8", "replace"), False, matcher.get_error())
            token = _drawn(allowed, chance, ending)
            matcher.consume_token(token)
            if token == _END or matcher.is_stopped():
                if token != _END:
                    written += self.vocabulary[token]
                return Walk(written.decode("utf-8", "replace"), True, matcher.get_error())
            written += self.vocabulary[token]
        return Walk(written.decode("utf-8", "replace"), False)


def _drawn(allowed, chance, ending):
    if _END in allowed:
        return _END
    if ord('"') in allowed and chance.random() < ending:
        return ord('"')
    digits = [token for token in allowed if 48 <= token <= 57]
    if digits and chance.random() < 0.5:
        return chance.choice(digits)
    pieces = [token for token in allowed if token > _END]
    if pieces and chance.random() < 0.5:
        return chance.choice(pieces)
    ascii_only = [token for token in allowed if token < 128]
    if ascii_only and chance.random() < 0.8:
        return chance.choice(ascii_only)
    return chance.choice([token for token in allowed if token <= 255] or allowed)


@dataclass(frozen=True)
class Score:
    """What one reply holds: statements, those that name real sources only, those of the right
    shape, and of these the ones whose quote, digits and numbers hold."""

    parsed: bool
    statements: int = 0
    sources: int = 0
    shaped: int = 0
    quotes: int = 0
    digits: int = 0
    numbers: int = 0


def score(raw, docs, langs=None, *, min_words=5, finish="stop"):
    """Check one reply with the library's own gates."""
    langs = langs or {}
    try:
        drafted = draft.parse(Reply(raw, finish_reason=finish), tuple(docs))
    except GenerationError:
        return Score(False)
    if isinstance(drafted, draft.NotFound):
        return Score(True)
    quotes = digits = numbers = 0
    for statement in drafted.statements:
        found = [
            quote_gate(statement.quote, a, docs, min_words=min_words) for a in statement.aliases
        ]
        quotes += all(result.verdict == "found" for result in found)
        lang = langs.get(statement.aliases[0])
        missing = unsupported_numbers(statement.text, statement.quote, lang=lang)
        digits += not any(map(has_digit, missing)) and _runs(statement.text) <= _runs(
            statement.quote
        )
        numbers += not missing
    unsourced = sum(finding.check == "sources" for finding in drafted.findings)
    sourced, shaped = drafted.total - unsourced, len(drafted.statements)
    return Score(True, drafted.total, sourced, shaped, quotes, digits, numbers)


def _runs(text):
    """Every run of digits of any script. A raised digit or a fraction is a run of its own."""
    return set(_RUN.findall(text))


def admits(grammar, text):
    """Whether a Lark grammar admits a whole reply."""
    matcher = LLMatcher(tokenizer(), LLMatcher.grammar_from_lark(grammar), log_level=0)
    assert not matcher.is_error(), matcher.get_error()[:500]
    wanted = list(text.encode())
    return matcher.try_consume_tokens(wanted) == len(wanted) and matcher.is_accepting()
