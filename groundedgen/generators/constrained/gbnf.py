"""The tie of source and quote for a stock llama.cpp: a GBNF grammar.

Its character classes know no kinds of characters, so the digits of a text stay free; the number
gate looks at them as always.
"""

from __future__ import annotations

import json
from typing import Final

from groundedgen.generators.grammar import HEAD, NOT_FOUND, TAIL, Quotables
from groundedgen.patterns import lazy

__all__ = ["gbnf"]

_UNSEEN: Final = lazy(r"[\p{C}\p{Zl}\p{Zp}]")
_FIRST: Final = r"0-9A-Za-z\u00A1-\U0010FFFF"  # so that no text is all blanks and signs
_CHAR: Final = r'[^"\\\x00-\x1F\x7F] | "\\\""'


def gbnf(found: Quotables) -> str:
    r"""A GBNF grammar for a whole draft: each source with its own quotes.

    >>> from groundedgen.generators.grammar import quotables
    >>> written = gbnf(quotables({"S1": 'We call it "all risks" in this policy.'}))
    >>> [line for line in written.splitlines() if line.startswith("q1 ")]
    ['q1 ::= "We call it \\\\\\"all risks\\\\\\" in this policy."']
    >>> gbnf(quotables({"S1": ""}))
    'root ::= "{\\"status\\":\\"not_found\\",\\"statements\\":[]}"\n'
    """
    nothing = _literal(NOT_FOUND)
    if not found.quotable:
        return f"root ::= {nothing}\n"
    limits = found.limits
    more = limits.max_statements - 1
    again = f' ("," st){{0,{more}}}' if more else ""
    names = " | ".join(f"p{number}" for number in range(1, len(found.quotable) + 1))
    lines = [f"root ::= {_literal(HEAD)} st{again} {_literal(TAIL)} | {nothing}", f"st ::= {names}"]
    for number, passage in enumerate(found.quotable, 1):
        head = f'{{"sources":[{json.dumps(passage.alias, ensure_ascii=False)}],"quote":"'
        middle, tail = _literal('","text":"'), _literal('"}')
        lines.append(f"p{number} ::= {_literal(head)} q{number} {middle} text {tail}")
        quotes = (json.dumps(quote, ensure_ascii=False)[1:-1] for quote in passage.quotes)
        lines.append(f"q{number} ::= {' | '.join(map(_literal, quotes))}")
    lines += [f"text ::= [{_FIRST}] char{{0,{limits.max_text - 1}}}", f"char ::= {_CHAR}"]
    return "\n".join(lines) + "\n"


def _literal(text: str) -> str:
    """A string of the grammar; characters that cannot be seen by their number."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{_UNSEEN.sub(lambda match: _numbered(ord(match[0])), escaped)}"'


def _numbered(code: int) -> str:
    return f"\\u{code:04X}" if code <= 0xFFFF else f"\\U{code:08X}"
