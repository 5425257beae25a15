"""The tightest constraint: a Lark grammar, as `llguidance` reads it.

Every quote is an alternative of its own: the literal source, the literal sentence, then a text
whose digits are numbers of that very sentence, written as it writes them. All other characters
come from a closed alphabet of letters, marks and the punctuation of prose: a model that is
barred from digits reaches for look-alike signs.

What it cannot do: number words ("thirty"), the right number for the wrong thing, meaning. The
gates and the judge see to those.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from groundedgen.generators.constrained.copied import Copied, Form, copied
from groundedgen.generators.constrained.terminals import terminals
from groundedgen.generators.grammar import HEAD, NOT_FOUND, TAIL, Limits, Quotable, Quotables
from groundedgen.patterns import lazy

__all__ = ["lark", "sample"]

_UNSEEN: Final = lazy(r"[\p{C}\p{Zl}\p{Zp}]")


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
        return f"%llguidance {{}}\nstart: {_literal(NOT_FOUND)}\n"
    more = found.limits.max_statements - 1
    again = f' ("," st){{0,{more}}}' if more else ""
    start = f"start: {_literal(HEAD)} st{again} {_literal(TAIL)} | {_literal(NOT_FOUND)}"
    texts = _Texts(found.limits)
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


def _passage(number: int, passage: Quotable, texts: _Texts) -> Iterator[str]:
    """The rules of one passage: its quotes, and the texts of those that lend numbers."""
    plain: list[str] = []
    rules: list[str] = []
    numbered: list[str] = []
    for place, quote in enumerate(passage.quotes, 1):
        written = _quoted(quote)
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
    yield f"HEAD{number}: {_literal(head)}"
    yield from rules


def _escaped(text: str) -> str:
    """The inside of a JSON string."""
    return json.dumps(text, ensure_ascii=False)[1:-1]


def _literal(text: str) -> str:
    """A string of the grammar, on one line, without characters that cannot be seen.

    A server that takes two kinds of grammar may tell them apart by "::=", so no passage holds it.
    """
    written = json.dumps(text, ensure_ascii=False)
    written = _UNSEEN.sub(lambda match: json.dumps(match[0])[1:-1], written)
    return written.replace("::=", "\\u003a:=")


# --- the text of a statement ----------------------------------------------------------------


class _Texts:
    """The rules of texts with numbers, and the terminals of their numbers' words."""

    def __init__(self, limits: Limits) -> None:
        self.words = limits.max_text // 5
        self.terminals: dict[str, str] = {}

    def rules(self, name: str, lent: Copied) -> list[str]:
        """Words and numbers, at most `words` of them; a number never stands beside another one.

        `open` is a number that a word could give another unit, `shut` one that none could: its
        unit or a full stop stands behind it. At the beginning no blank stands before them.
        """
        return self._runs(name, lent.forms) if lent.glued else self._spaced(name, lent.forms)

    def definitions(self) -> Iterator[str]:
        """The terminals of all numbers met so far."""
        yield from (f"{name}: {definition}" for definition, name in self.terminals.items())

    def _spaced(self, name: str, forms: Sequence[Form]) -> list[str]:
        rules = [
            *self._numbers(f"b{name}", name, forms, "OPEN_FIRST"),
            *self._numbers(name, name, forms, "OPEN"),
        ]
        text = f"(FIRST MORE{{0,4}} | ASIDE_FIRST n{name} | nb{name})"
        text += f" (word | ASIDE n{name}){{0,{self.words}}}"
        if not all(form.united for form in forms):
            text += f" (ASIDE e{name})? | eb{name} | ASIDE_FIRST e{name}"
        return [*rules, f"t{name}: {text}"]

    def _numbers(self, name: str, later: str, forms: Sequence[Form], opening: str) -> Iterator[str]:
        """The numbers of one place; `n` where the text goes on, `e` at its end."""
        opens = [self._written(form, opening, "BRACKET") for form in forms if not form.united]
        shuts = [
            self._written(form, opening, "CLOSED" if form.united else "STOP") for form in forms
        ]
        numbers = [f"shut{name}"]
        yield f"shut{name}: {' | '.join(shuts)}"
        if opens:
            one = f"open{name}"
            yield f"{one}: {' | '.join(opens)}"
            yield f"e{name}: {one} | {one} BETWEEN open{later}"
            numbers += [f"{one} BESIDE", f"{one} BETWEEN (shut{later} | open{later} BESIDE)"]
        yield f"n{name}: {' | '.join(numbers)}"

    def _runs(self, name: str, forms: Sequence[Form]) -> list[str]:
        """The same where numbers touch letters: each is one terminal with its neighbours."""
        first, last = self._touching(forms, ""), self._touching(forms, "BEFORE ")
        rules = [f"k{name}: {_either(first.going_on)}"]
        for kind, numbers in (("c", first), ("", last)):
            linked = [f"{link} k{name}" for link in numbers.linking]
            rules.append(f"n{kind}{name}: {_either([*numbers.going_on, *linked])}")
            if numbers.ending:
                linked = [f"{link} {_either(first.ending)}" for link in numbers.linking]
                rules.append(f"e{kind}{name}: {_either([*numbers.ending, *linked])}")
        text = f"(RUN_FIRST | latin | n{name} | nc{name}) (RUN | latin | BLANK | n{name})"
        text += f"{{0,{self.words}}}"
        if first.ending:
            return [*rules, f"t{name}: {text} (LATIN | e{name})? | LATIN | e{name} | ec{name}"]
        return [*rules, f"t{name}: {text} LATIN? | LATIN"]

    def _touching(self, forms: Sequence[Form], before: str) -> _Touching:
        shut = [before + _quoted(form.text) for form in forms if form.united]
        open_ = [before + _quoted(form.text) for form in forms if not form.united]
        return _Touching(
            [self._terminal(number) for number in shut]
            + [self._terminal(f"{number} BEHIND") for number in open_],
            [self._terminal(f"{number} LINK") for number in open_],
            [self._terminal(number) for number in open_],
        )

    def _written(self, form: Form, opening: str, end: str) -> str:
        """A form word by word, each a terminal with its blank, the last one with its end."""
        first, *rest = form.text.split(" ")
        words = [f"{opening} {_quoted(first)}", *(_quoted(f" {word}") for word in rest)]
        words[-1] += f" {end}"
        return " ".join(map(self._terminal, words))

    def _terminal(self, definition: str) -> str:
        return self.terminals.setdefault(definition, f"N{len(self.terminals)}")


@dataclass(frozen=True, slots=True)
class _Touching:
    """Numbers that letters touch: with what follows, with what leads to another, at the end."""

    going_on: list[str]
    linking: list[str]
    ending: list[str]


def _either(alternatives: Iterable[str]) -> str:
    return f"({' | '.join(alternatives)})"


def _quoted(text: str) -> str:
    """Text of a reply, inside a JSON string, as a string of the grammar."""
    return _literal(_escaped(text))
