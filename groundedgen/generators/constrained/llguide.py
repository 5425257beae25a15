"""Compiling a grammar with `llguidance` before a server is given it.

Servers that cannot compile a grammar write unconstrained text, an empty string or an error, each
in its own way; here it is known before anything is sent.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

from groundedgen.errors import MissingExtraError

try:
    from llguidance import LLMatcher, LLTokenizer, TokenizerWrapper
except ImportError as error:
    raise MissingExtraError("compiling grammars (llguidance)", extra="local") from error

__all__ = ["admits", "fault"]

_KEPT: Final = 64
_faults: Final[dict[str, str]] = {}


def fault(grammar: str, draft: str = "") -> str:
    r"""What is wrong with a Lark grammar, as `llguidance` says; "" if nothing is.

    It is validated, compiled over the single bytes, asked for its first mask, and fed a draft:
    validation alone does not see every limit, the number of symbols among them. A vocabulary of
    whole words costs more of a lexer's fuel than bytes do, so a grammar that passes here can
    still fail in a server; the reply is checked in any case. Results are kept by the
    grammar's hash.

    Args:
        grammar: The text of a grammar.
        draft: A reply that it should admit, as a whole.

    Returns:
        One line, possibly with words of the grammar, and so of passages: not for logs.

    >>> fault('start: "yes" | "no"'), fault('start: "yes" | "no"', "no")
    ('', '')
    >>> bool(fault('start: no_such_rule')), fault('start: "yes"', "no")
    (True, 'it admits 0 of the 2 bytes of a draft')
    """
    key = hashlib.sha256(f"{grammar}\0{draft}".encode()).hexdigest()
    if key not in _faults:
        if len(_faults) >= _KEPT:
            _faults.pop(next(iter(_faults)), None)
        _faults[key] = _fault(grammar, draft)
    return _faults[key]


def admits(grammar: str, reply: str) -> bool:
    """Whether a Lark grammar admits a reply, as a whole; a grammar is compiled once.

    >>> admits('start: "yes" | "no"', "no"), admits('start: "yes" | "no"', "nothing")
    (True, False)
    """
    matcher = _compiled(grammar).deep_copy()
    try:
        written = reply.encode()
    except UnicodeEncodeError:  # half of a surrogate pair, which no constrained decoder writes
        return False
    taken = matcher.try_consume_tokens(list(written))
    return bool(taken == len(written) and not matcher.is_error() and matcher.is_accepting())


@lru_cache(maxsize=8)
def _compiled(grammar: str) -> LLMatcher:
    return LLMatcher(_tokenizer(), LLMatcher.grammar_from_lark(grammar), log_level=0)


def _fault(grammar: str, draft: str) -> str:
    compiled = LLMatcher.grammar_from_lark(grammar)
    if invalid := LLMatcher.validate_grammar(compiled):
        return _line(invalid)
    matcher = _compiled(grammar).deep_copy()
    if not matcher.is_error():
        matcher.compute_bitmask()
    if draft and not matcher.is_error():
        written = draft.encode()
        taken = matcher.try_consume_tokens(list(written))
        if not matcher.is_error() and (taken < len(written) or not matcher.is_accepting()):
            return f"it admits {taken} of the {len(written)} bytes of a draft"
    return _line(matcher.get_error()) if matcher.is_error() else ""


def _line(message: str) -> str:
    return message.strip().split("\n", 1)[0]


class _Bytes:
    """A vocabulary of the 256 bytes and an end."""

    eos_token_id: Final = 256
    bos_token_id: Final = None
    special_token_ids: Final[Sequence[int]] = (256,)
    tokens: Final[Sequence[bytes]] = (*(bytes([value]) for value in range(256)), b"<end>")

    def __call__(self, text: Any) -> list[int]:
        return list(text if isinstance(text, bytes) else text.encode())


@lru_cache(maxsize=1)
def _tokenizer() -> LLTokenizer:
    return LLTokenizer(TokenizerWrapper(_Bytes()))
