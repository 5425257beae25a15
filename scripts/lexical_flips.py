"""Edits of sentences by a script: some turn the meaning, some must leave it.

A few flips leave a sentence true ("may" becomes "must" where a must stands elsewhere).
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator

Edit = Callable[[str, random.Random], str | None]

_SWAPS = {
    "modality": "may must|must may|shall may|can must|should must|will may|could must|might must",
    "quantifier": "all some|some all|every some|each some|most all|many all|often always"
    "|usually always|sometimes always|several all|always sometimes|few most|both neither",
    "direction": "increase decrease|increased decreased|increases decreases|decrease increase"
    "|decreased increased|decreases increases|higher lower|lower higher|more less|less more"
    "|before after|after before|rise fall|rose fell|fell rose|above below|below above|first last"
    "|last first|largest smallest|highest lowest|maximum minimum|minimum maximum|up down"
    "|gained lost|won lost|lost won|begins ends|began ended|north south|south north|east west"
    "|positive negative|negative positive|increasing decreasing|reduced raised|early late",
}
_AUXILIARY = re.compile(
    r"\b(is|are|was|were|has|have|had|can|may|will|must|shall|should|could|would)\b(?! not)"
)
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{2,}(?: [A-Z][a-z]{2,})*")


def _swap(kind: str) -> Edit:
    table = dict(pair.split() for pair in _SWAPS[kind].split("|"))
    pattern = re.compile(rf"\b({'|'.join(table)})\b(?! 1?[0-9])")

    def edit(sentence: str, rng: random.Random) -> str | None:
        found = list(pattern.finditer(sentence))
        if not found:
            return None
        one = rng.choice(found)
        return sentence[: one.start()] + table[one[1]] + sentence[one.end() :]

    return edit


def negation_in(sentence: str, rng: random.Random) -> str | None:
    found = _AUXILIARY.search(sentence)
    if found is None or re.search(r"\b(not|no|never)\b", sentence):
        return None
    return sentence[: found.end()] + " not" + sentence[found.end() :]


def negation_out(sentence: str, rng: random.Random) -> str | None:
    changed = re.sub(r"\b(?:not|never) |n't\b", "", sentence, count=1)
    return changed if changed != sentence else None


def number(sentence: str, rng: random.Random) -> str | None:
    found = list(re.finditer(r"(?<![\w.,])\d+(?![\w])", sentence))
    if not found:
        return None
    one = rng.choice(found)
    return (
        sentence[: one.start()] + str(int(one[0]) + rng.choice((1, 2, 10))) + sentence[one.end() :]
    )


def condition(sentence: str, rng: random.Random) -> str | None:
    for pattern in (
        r"^(?:If|Unless|Except|Provided that) [^,]+, ",
        r",? (?:if|unless|except|provided that|as long as|only if|subject to) [^,.;]+(?=[.;]$)",
    ):
        changed = re.sub(pattern, "", sentence, count=1)
        if changed != sentence and len(changed.split()) > 3:
            return changed[0].upper() + changed[1:]
    return None


def names_swapped(sentence: str, rng: random.Random) -> str | None:
    found = [m for m in _NAME.finditer(sentence) if sentence.count(m[0]) == 1]
    if len(found) < 2:
        return None
    one, two = found[0], found[-1]
    between = sentence[one.end() : two.start()]
    if re.fullmatch(r"[\s,]*(?:and|or|,)?[\s,]*", between) or len({one[0], two[0]}) < 2:
        return None
    return sentence[: one.start()] + two[0] + between + one[0] + sentence[two.end() :]


def subject(sentence: str, rng: random.Random) -> str | None:
    found = re.match(r"(?:The |An? )?([A-Z]?[a-z]{3,})\b", sentence)
    if found is None:
        return None
    other = rng.choice(["landlord", "company", "committee", "museum", "river", "engineer", "bank"])
    word = found[1]
    if word.lower() == other or word.lower() in {"this", "that", "these", "those", "they", "when"}:
        return None
    new = other.capitalize() if word[0].isupper() else other
    return sentence[: found.start(1)] + new + sentence[found.end(1) :]


_UNITS = {
    "days": "months", "day": "month", "weeks": "days", "months": "weeks", "years": "months",
    "hours": "minutes", "minutes": "hours", "kilometres": "miles", "kilometers": "miles",
    "km": "miles", "miles": "kilometres", "feet": "metres", "metres": "feet", "meters": "feet",
    "inches": "feet", "euros": "dollars", "dollars": "euros", "million": "billion",
    "billion": "million", "percent": "points", "kg": "tonnes", "pounds": "tonnes",
    "thousand": "million", "acres": "hectares",
}  # fmt: skip
_UNIT = re.compile(rf"(?<=[0-9] )({'|'.join(_UNITS)})\b|(?<=[0-9])%|[$€£](?=[0-9])")
_SIGNS = {"%": " points", "$": "€", "€": "£", "£": "$"}


def unit(sentence: str, rng: random.Random) -> str | None:
    found = list(_UNIT.finditer(sentence))
    if not found:
        return None
    one = rng.choice(found)
    other = _SIGNS.get(one[0]) or _UNITS[one[0]]
    return sentence[: one.start()] + other + sentence[one.end() :]


FLIPS: dict[str, Edit] = {
    "wrong unit": unit,
    "negation in": negation_in,
    "negation out": negation_out,
    "modality": _swap("modality"),
    "quantifier": _swap("quantifier"),
    "direction": _swap("direction"),
    "number": number,
    "condition dropped": condition,
    "names swapped": names_swapped,
    "subject changed": subject,
}


def led_in(sentence: str, rng: random.Random) -> str | None:
    lead = rng.choice(["According to the passage, ", "In addition, ", "The document states that "])
    return (
        lead + sentence[0].lower() + sentence[1:]
        if sentence.split(maxsplit=1)[0] in _ARTICLES
        else None
    )


_ARTICLES = {"The", "A", "An", "In", "It", "This", "There", "They", "He", "She"}


def bracket_dropped(sentence: str, rng: random.Random) -> str | None:
    changed = re.sub(r" \([^()]{3,60}\)", "", sentence, count=1)
    return changed if changed != sentence else None


def contracted(sentence: str, rng: random.Random) -> str | None:
    changed = re.sub(r"\b(is|are|was|were|does|did|has) not\b", r"\1n't", sentence, count=1)
    return changed if changed != sentence else None


def fronted(sentence: str, rng: random.Random) -> str | None:
    found = re.match(r"((?:In|On|During|Since|After|Before) [^,]{3,40}), (.*)\.$", sentence)
    if found is None or found[2].count(",") > 0:
        return None
    rest = found[2]
    return f"{rest[0].upper()}{rest[1:]} {found[1][0].lower()}{found[1][1:]}."


def synonym(sentence: str, rng: random.Random) -> str | None:
    table = {"purchased": "bought", "began": "started", "shows": "demonstrates", "company": "firm",
             "film": "movie", "ended": "finished", "used": "utilised", "large": "big",
             "annual": "yearly", "includes": "contains", "created": "made"}  # fmt: skip
    for word, other in table.items():
        if re.search(rf"\b{word}\b", sentence):
            return re.sub(rf"\b{word}\b", other, sentence, count=1)
    return None


HONEST: dict[str, Edit] = {
    "untouched": lambda sentence, rng: sentence,
    "led in": led_in,
    "bracket dropped": bracket_dropped,
    "contracted": contracted,
    "phrase moved": fronted,
    "synonym": synonym,
}


def flips(sentence: str, rng: random.Random) -> Iterator[tuple[str, str]]:
    """Each kind of flip that a sentence allows, with the flipped sentence."""
    for kind, edit in FLIPS.items():
        changed = edit(sentence, rng)
        if changed is not None:
            yield kind, changed
