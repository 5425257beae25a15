"""The rules of a text beside its numbers, each a copy from the quote: a part of `lark`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from groundedgen.generators.constrained.copied import Copied, Form, Kind, has_digit
from groundedgen.generators.grammar import Limits
from groundedgen.patterns import lazy

__all__ = ["Texts", "literal", "quoted"]

_BESIDE: Final = lazy(r"\bbeside\b|\bBESIDE\b")
_DATED: Final = {"beside": "dated", "BESIDE": "DATED"}  # where a month may follow
_UNSEEN: Final = lazy(r"[\p{C}\p{Zl}\p{Zp}]")


def _escaped(text: str) -> str:
    """The inside of a JSON string."""
    return json.dumps(text, ensure_ascii=False)[1:-1]


def literal(text: str) -> str:
    """A string of the grammar, on one line, without characters that cannot be seen.

    A server that takes two kinds of grammar may tell them apart by "::=", so no passage holds it.
    """
    written = json.dumps(text, ensure_ascii=False)
    written = _UNSEEN.sub(lambda match: json.dumps(match[0])[1:-1], written)
    return written.replace("::=", "\\u003a:=")


def quoted(text: str) -> str:
    """Text of a reply, inside a JSON string, as a string of the grammar."""
    return literal(_escaped(text))


class Texts:
    """The rules of texts with numbers, and the terminals of their numbers' words."""

    def __init__(self, limits: Limits) -> None:
        self.words = limits.max_text // 5
        self.terminals: dict[str, str] = {}

    def rules(self, name: str, lent: Copied) -> list[str]:
        """Words and numbers, at most `words` of them; a number never stands beside another one.

        What may stand behind a number goes by its kind: see `copied.Form`. At the beginning no
        blank stands before them.
        """
        if lent.glued:
            return self._runs(name, lent.forms)
        rules = self._spaced(name, lent.forms)
        if any(form.dated for form in lent.forms):
            return [_BESIDE.sub(lambda word: _DATED[word[0]], rule) for rule in rules]
        return rules

    def definitions(self) -> Iterator[str]:
        """The terminals of all numbers met so far."""
        yield from (f"{name}: {definition}" for definition, name in self.terminals.items())

    def _spaced(self, name: str, forms: Sequence[Form]) -> list[str]:
        usual = [form for form in forms if not form.turned]
        turned = [form for form in forms if form.turned]
        rules: list[str] = []
        begins, items, ends = ["FIRST MORE{0,4}"], ["word"], list[str]()
        if usual:
            rules += self._numbers(name, name, usual)
            begins += [f"ASIDE_FIRST n{name}"]
            items, ends = [*items, f"ASIDE n{name}"], [f"ASIDE e{name}"]
        if begun := not all(form.listed for form in usual):
            rules += self._numbers(f"b{name}", name, usual, "_FIRST")
            begins += [f"nb{name}"]
        if turned:
            rules += self._numbers(f"r{name}", f"r{name}", turned)
            items, ends = [*items, f"TURNED nr{name}"], [*ends, f"TURNED er{name}"]
        text = f"({' | '.join(begins)}) ({' | '.join(items)}){{0,{self.words}}}"
        text += f" ({' | '.join(ends)})?"
        if usual:
            text += f" | ASIDE_FIRST e{name}"
        if begun:
            text += f" | eb{name}"
        return [*rules, f"t{name}: {text}"]

    def _numbers(
        self, name: str, later: str, forms: Sequence[Form], place: str = ""
    ) -> Iterator[str]:
        """The numbers of one place: `n` where the text goes on, `e` at its end.

        One number alone is `s` where the text goes on behind it and `z` at the end; `m` and `f`
        are one or two, `n` and `e` up to three, each parted from the next by a single word.
        """
        ended = _Ended(name, forms)
        for form in forms:
            if place and form.listed:
                continue
            opening = ("BARE" if form.signed or form.kind == "address" else "OPEN") + place
            for end in _ends(form):
                last = "" if place and end == "BRACKET" else end  # no "30)" begins a text
                ended.add(form, end, self._written(form, opening, last))
        yield from ended.rules()
        undated = _undated(forms, ended.groups)
        for kind, two, one in (("n", "m", "s"), ("e", "f", "z")):
            either = [f"{one}{name}"] if ended.measured() else []
            either += ended.months(going_on=one == "s")
            named = [f"{one}{later}{group}" for group in undated]
            either += [
                f"{o} ({_links(m, k, one + later, g, named)})" for o, m, k, g in ended.opens()
            ]
            wholes = ended.wholes()
            if not wholes:
                yield f"{kind}{name}: {' | '.join(either)}"
                continue
            if not place:
                yield f"{two}{name}: {' | '.join([*either, f'({wholes}) {one}{name}'])}"
                either = [f"{two}{name}"]
            yield f"{kind}{name}: {' | '.join([*either, f'({wholes}) {two}{later}'])}"

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
        shut = [before + quoted(form.text) for form in forms if form.kind in _WHOLE]
        open_ = [before + quoted(form.text) for form in forms if form.kind not in _WHOLE]
        return _Touching(
            [self._terminal(number) for number in shut]
            + [self._terminal(f"{number} BEHIND") for number in open_],
            [self._terminal(f"{number} LINK") for number in open_],
            [self._terminal(number) for number in open_],
        )

    def _written(self, form: Form, opening: str, end: str) -> str:
        """A form word by word, each a terminal with its blank, the last one with its end."""
        first, *rest = form.text.split(" ")
        words = [f"{opening} {quoted(first)}", *(quoted(f" {word}") for word in rest)]
        words[-1] += f" {end}"
        return " ".join(self._terminal(word.strip()) for word in words)

    def _terminal(self, definition: str) -> str:
        return self.terminals.setdefault(definition, f"N{len(self.terminals)}")


class _Ended:
    """The numbers of one place by what they measure and what ends them, each kind one rule.

    A parser looks at every alternative of a place at every token, so none is written twice.
    """

    def __init__(self, name: str, forms: Iterable[Form]) -> None:
        self.name = name
        measured = list(dict.fromkeys(f.measures for f in forms if f.kind != "month"))
        endings = [f"_{number}" for number in range(len(measured))] if len(measured) > 1 else [""]
        #: All that is measured, with the ending of its rules.
        self.groups = dict(zip(measured, endings, strict=False))
        self.written: dict[tuple[frozenset[str], Kind, str], dict[str, None]] = {}
        self.behind: dict[tuple[Kind, str], str | None] = {}

    def add(self, form: Form, end: str, written: str) -> None:
        self.behind[form.kind, end] = _ends(form)[end]
        self.written.setdefault((form.measures, form.kind, end), {})[written] = None

    def rules(self) -> Iterator[str]:
        names = {key: f"x{self.name}_{number}" for number, key in enumerate(self.written)}
        for key, alternatives in self.written.items():
            yield f"{names[key]}: {' | '.join(alternatives)}"
        measured = self.measured()
        for measures, group in measured.items():
            parts = [key for key in names if key[0] == measures and key[1] != "month"]
            yield f"s{self.name}{group}: {' | '.join(self._going_on(parts, names))}"
            ends = [names[key] for key in parts]
            ends += [f"{names[key]} beside" for key in parts if key[1:] == ("few", "BRACKET")]
            yield f"z{self.name}{group}: {' | '.join(ends)}"
        if measured and len(self.groups) > 1:
            for one in "sz":
                groups = (f"{one}{self.name}{group}" for group in measured.values())
                yield f"{one}{self.name}: {' | '.join(groups)}"

    def measured(self) -> dict[frozenset[str], str]:
        """What the numbers written at this place measure, with the ending of its rules."""
        written = {measures for measures, kind, _ in self.written if kind != "month"}
        return {what: ending for what, ending in self.groups.items() if what in written}

    def opens(self) -> Iterator[tuple[str, frozenset[str], Kind, str]]:
        """The rules of numbers without a unit: what they measure, their kind, their ending."""
        for number, key in enumerate(self.written):
            if key[1] in _OPEN and key[2] == "BRACKET":
                yield f"x{self.name}_{number}", key[0], key[1], self.groups[key[0]]

    def wholes(self) -> str:
        """Any number with its unit and a word behind it, or ""."""
        asides = {"quantity": "ASIDE_AFTER", "head": "ASIDE_HEAD"}
        rules = [
            f"x{self.name}_{number} {asides[key[1]]}"
            for number, key in enumerate(self.written)
            if key[1] in asides and key[2] == ""
        ]
        return " | ".join(rules)

    def months(self, *, going_on: bool) -> list[str]:
        names = {key: f"x{self.name}_{number}" for number, key in enumerate(self.written)}
        parts = [key for key in names if key[1] == "month"]
        return self._going_on(parts, names) if going_on else [names[key] for key in parts]

    def _going_on(
        self,
        parts: Iterable[tuple[frozenset[str], Kind, str]],
        names: Mapping[tuple[frozenset[str], Kind, str], str],
    ) -> list[str]:
        ends = ((names[key], self.behind[key[1:]]) for key in parts)
        return [f"{name} {behind}".rstrip() for name, behind in ends if behind is not None]


@dataclass(frozen=True, slots=True)
class _Touching:
    """Numbers that letters touch: with what follows, with what leads to another, at the end."""

    going_on: list[str]
    linking: list[str]
    ending: list[str]


# What ends a form of each kind, and what must follow where the text goes on: see `terminals`.
_ENDS: Final[dict[Kind, dict[str, str | None]]] = {
    "quantity": {"": "(AFTER | LED beside)", "CLOSED": ""},
    "head": {"": "(AFTER_HEAD | LED beside)", "CLOSED": ""},
    # No "1 case in 5": that is a share.
    "few": {"BRACKET": "(beside word | LED beside)", "STOP": "", "POINT": None},
    "amount": {"BRACKET": "(beside | LED beside)", "STOP": "", "POINT": None},
    "number": {"BRACKET": "(beside | LED beside)", "STOP": "", "POINT": None},
    "time": {"BRACKET": "(BESIDE_HOUR | IN THE? NO_HALF)", "STOP_HOUR": "", "POINT": None},
    "hour": {"BRACKET": None, "STOP": "", "POINT": None},
    "month": {"BRACKET": "beside", "STOP": "", "POINT": None},
    "address": {"": "", "WEB": ""},
    "word": {"": "", "CLOSED": ""},
}
_OPEN: Final = frozenset({"number", "few", "amount"})
_WHOLE: Final = frozenset({"quantity", "head", "address", "word"})


def _ends(form: Form) -> dict[str, str | None]:
    """What may end a form: each with what follows it, `None` where the text ends there.

    Of an address with a digit a sign behind it would be read as its last one, and a name of a
    month before an Arabic or Chinese comma is not read as one.
    """
    ends = _ENDS[form.kind]
    if form.kind == "address" and has_digit(form.text):
        return {"": ""}
    if "STOP" in ends and form.text[-1].isalpha() and form.text[-1] < "\u0530":
        return {"STOP_LATIN" if end == "STOP" else end: next_ for end, next_ in ends.items()}
    return ends


def _undated(forms: Sequence[Form], groups: Mapping[frozenset[str], str]) -> list[str]:
    """The endings of numbers that begin with no month: "TiO 2 of May 2010" has a second of May."""
    dated = {form.measures for form in forms if form.dated and form.kind != "month"}
    return [ending for measures, ending in groups.items() if measures not in dated]


def _links(
    measures: frozenset[str], kind: Kind, later: str, group: str, named: Sequence[str]
) -> str:
    """What may lead from a number without its unit to the next one, past a single word.

    `named` are those of the next ones that may be what a name is a part of.
    """
    links = f"BETWEEN {later} | LISTED {later}{group} | IN IN_ASIDE {later}"
    if kind == "amount":
        links += f" | IN {later}"
    if kind == "few":
        links += f" | BESIDE ASIDE_HEAD {later}"
    part = "PART_OF_FEW" if kind == "few" else "PART"  # "5 in 1099" is a share
    links_names = measures == {"identifier"} and named
    return f"{links} | {part} {_either(named)}" if links_names else links


def _either(alternatives: Iterable[str]) -> str:
    return f"({' | '.join(alternatives)})"
