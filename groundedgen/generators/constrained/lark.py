"""The tightest constraint: a Lark grammar, as `llguidance` reads it.

Every quote is an alternative of its own: the literal source, the literal sentence, then a text
whose digits are numbers of that very sentence, written as it writes them. All other characters
come from a closed alphabet of letters, marks and the punctuation of prose: a model that is
barred from digits reaches for look-alike signs.

What it cannot do: number words ("thirty", and "one in 5" where the quote has the 5), the right
number for the wrong thing, meaning. Nor can it know the language of a text: in an English one the
Spanish "5 mil euros" of its quote is read as five. The gates and the judge see to those.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from groundedgen.generators.constrained.copied import copied
from groundedgen.generators.constrained.terminals import terminals
from groundedgen.generators.constrained.texts import Texts, literal, quoted
from groundedgen.generators.grammar import HEAD, NOT_FOUND, TAIL, Quotable, Quotables

__all__ = ["lark", "sample"]


def lark(found: Quotables) -> str:
    r"""A Lark grammar for a whole draft.

    It begins with `%llguidance {}`, by which llama.cpp knows it. With a single statement no
    list is built. Every repetition is bounded by the limits of `found`; `not_found` is always
    possible, and the only thing to say where no passage has a quotable sentence.

    >>> from groundedgen.generators.grammar import quotables
    >>> written = lark(quotables({"S1": "Claims are due within 30 days of the loss."}))
    >>> print("\n".join(written.splitlines()[2:4]))
    p1: HEAD1 ( "Claims are due within 30 days of the loss." MID t1_1 ) "\"}"
    HEAD1: "{\"sources\":[\"S1\"],\"quote\":\""
    """
    if not found.quotable:
        return f"%llguidance {{}}\nstart: {literal(NOT_FOUND)}\n"
    more = found.limits.max_statements - 1
    again = f' ("," st){{0,{more}}}' if more else ""
    start = f"start: {literal(HEAD)} st{again} {literal(TAIL)} | {literal(NOT_FOUND)}"
    texts = Texts(found.limits)
    rules = [
        line
        for number, passage in enumerate(found.quotable, 1)
        for line in _passage(number, passage, texts)
    ]
    names = " | ".join(f"p{number}" for number in range(1, len(found.quotable) + 1))
    shared = [
        f"st: {names}",
        'MID: "\\",\\"text\\":\\""',
        "t: TEXT",
        "word: WORD MORE{0,4}",
        "beside: BESIDE | IN INSIDE",
        "dated: DATED | OF{1,2} UNDATED | IN INSIDE",
        "latin: LATIN (RUN | BLANK)",
    ]
    lines = [
        "%llguidance {}",
        start,
        *rules,
        *shared,
        *texts.definitions(),
        *terminals(found.limits.max_text),
    ]
    return "\n".join(lines) + "\n"


def sample(found: Quotables) -> str:
    """A draft that the grammar admits: the last passage's last quote. To try a compiled one with.

    >>> from groundedgen.generators.grammar import quotables
    >>> sample(quotables({"S1": "Floods are not covered at all."}))[35:-4]
    '{"sources":["S1"],"quote":"Floods are not covered at all.","text":"It is so.'
    """
    if not found.quotable:
        return NOT_FOUND
    passage = found.quotable[-1]
    written = {"sources": [passage.alias], "quote": passage.quotes[-1], "text": "It is so."}
    return f"{HEAD}{json.dumps(written, ensure_ascii=False, separators=(',', ':'))}{TAIL}"


def _passage(number: int, passage: Quotable, texts: Texts) -> Iterator[str]:
    """The rules of one passage: its quotes, and the texts of those that lend numbers."""
    plain: list[str] = []
    rules: list[str] = []
    numbered: list[str] = []
    for place, quote in enumerate(passage.quotes, 1):
        written = quoted(quote)
        lent = copied(quote, passage.lang)
        if not lent.forms:
            plain.append(written)
            continue
        name = f"{number}_{place}"
        numbered.append(f"{written} MID t{name}")
        rules += texts.rules(name, lent)
    alternatives = [f"( {' | '.join(plain)} ) MID t"] if plain else []
    alternatives += numbered
    yield f'p{number}: HEAD{number} ( {" | ".join(alternatives)} ) "\\"}}"'
    alias = json.dumps(passage.alias, ensure_ascii=False)
    head = f'{{"sources":[{alias}],"quote":"'
    yield f"HEAD{number}: {literal(head)}"
    yield from rules
