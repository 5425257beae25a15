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


# --- edits of the passage: the claim stands word for word in what the passage does not say -----

Framing = Callable[[str, random.Random], str | None]


def _low(sentence: str) -> str | None:
    return (
        sentence[0].lower() + sentence[1:] if sentence.split(maxsplit=1)[0] in _ARTICLES else None
    )


def _framed(frames: str) -> Framing:
    """Frames round a sentence, `{}` its words without the stop; none is in a table of the judge."""
    table = [frame for line in frames.strip().split("\n") for frame in line.split(" | ")]

    def edit(sentence: str, rng: random.Random) -> str | None:
        low = _low(sentence)
        frame = rng.choice(table)
        if low is None or not sentence.endswith("."):
            return None
        whole = sentence[:-1] if frame.startswith("{}") else low[:-1]
        return frame.format(whole)

    return edit


FRAMES: dict[str, Framing] = {
    "fiction": _framed(
        """In the screenplay, {}. | In her bedtime saga, {}. | On the fake poster, {}.
In an imagined country, {}. | In last night's nightmare, {}."""
    ),
    "supposition": _framed(
        """Envisage that {}. | Let it be posited that {}. | Whichever way {}, nothing changes.
Were it so that {}, all would be well. | Say for argument's sake that {}."""
    ),
    "view before": _framed(
        """Detractors grumble that {}. | The brochure gushes that {}. | It is a cliche that {}.
Sceptics scoff at the notion that {}. | There is scant proof that {}. | Ms Wu is adamant that {}.
To hear the firm tell it, {}. | It would be naive to hold that {}.
The minutes misquote that {}."""
    ),
    "view behind": _framed(
        """{}, detractors grumble. | {} (unverified). | {}, or such is the rumour.
{}, as some have it. | {}, which is nonsense. | {}, a tabloid gushed. | {}, on the face of it."""
    ),
    "proviso before": _framed(
        """Weather allowing, {}. | In leap years, {}. | With a doctor's note, {}.
Save in Ohio, {}. | On payment of a toll, {}. | At the board's whim, {}. | For gold members, {}."""
    ),
    "proviso behind": _framed(
        """{} weather allowing. | {} at the board's whim. | {} on payment of a toll.
{} in leap years. | {} contingent upon a vote. | {} for gold members.
{} bar a handful of cases."""
    ),
}


def _sub(pattern: str, new: str, *, flags: int = 0) -> Edit:
    found = re.compile(pattern, flags)

    def edit(sentence: str, rng: random.Random) -> str | None:
        changed = found.sub(new, sentence, count=1)
        if changed == sentence or len(changed.split()) < 4:
            return None
        return changed[0].upper() + changed[1:]

    return edit


_SUBORDINATE = (
    "when|whenever|once|until|while|after|before|as soon as|only when|only after|in case|pending"
    "|depending on|upon"
)
# Not in `FLIPS`, of which the fit is made: these kinds are looked at, never fitted to.
WIDER: dict[str, Edit] = {
    "no difference": _sub(
        r"\bno (significant |clear |apparent )?"
        r"(difference|differences|effect|evidence|change|benefit|association|improvement)\b",
        r"a \1\2",
    ),
    "no to some": _sub(
        r"\b(has|have|had|is|are|was|were|with|found|shows?) no (?=[a-z])", r"\1 some "
    ),
    "without": _sub(r"\bwithout (?!prejudice|limit)", "with "),
    "cannot": _sub(r"\bcannot\b", "can"),
    "nobody": _sub(r"\b(?:nobody|no one)\b", "everybody", flags=re.IGNORECASE),
    "neither": _sub(r"\bneither ", "both ", flags=re.IGNORECASE),
    "fails to": _sub(r"\bfail(?:s|ed)? to (\w+)", r"\1s"),
    "lack of": _sub(r"\b(?:lack|absence) of ", "presence of "),
    "un-": _sub(r"\b(?:un|non-?)(?=(?:able|likely|known|paid|safe|usual|clear|sold|profit)\b)", ""),
    "subordinate behind": _sub(rf",? (?:{_SUBORDINATE}) [^,.;]{{8,}}(?=\.$)", ""),
    "subordinate before": _sub(
        rf"^(?:{_SUBORDINATE}|without|for|among|in most cases) [^,]{{4,80}}, ",
        "",
        flags=re.IGNORECASE,
    ),
    "narrowing word": _sub(
        r"\b(?:deputy|vice|former|acting|assistant|associate|interim|alleged|so-called|proposed"
        r"|potential|planned|would-be) (?=[a-zA-Z])",
        "",
        flags=re.IGNORECASE,
    ),
    "will to past": _sub(r"\bwill (?!not|be|have|also)(\w+?)e?\b(?= )", r"\1ed"),
    "will be to is": _sub(r"\bwill be\b", "is"),
    "was to is": _sub(r"\bwas\b", "is"),
    "wanted to": _sub(
        r"\b(?:tried|wanted|planned|hoped|agreed|refused|promised|forced|ordered|asked|told"
        r"|scheduled|hired|sentenced) to (\w+?)e?\b(?= )",
        r"\1ed",
    ),
    "basis of a figure": _sub(
        r"(\d[\w.,]*(?: \w+)?) (?:per|a|an|each|every)"
        r" (?:year|month|day|week|hour|annum|person|kg)\b",
        r"\1",
    ),
    "bound of a figure": _sub(
        r"\b(?:approximately|about|roughly|nearly|almost|up to|at least|more than|less than)"
        r" (?=[\d$€£])",
        "",
    ),
    "one of the largest": _sub(r"\bone of the (most \w+|\w+est)\b", r"the \1"),
    "second largest": _sub(r"\b(?:second|third|fourth|joint)[ -](?=(?:most|\w+est)\b)", ""),
    "or to and": _sub(r" or ", " and "),
    "end of a range": _sub(r"\b(\d+(?:\.\d+)?)(?: to |-|–)(\d+(?:\.\d+)?)\b(?! ?[-–/])", r"\2"),
    "relative clause": _sub(r"^(?:The|An?) \w+ (?:that|who|which) \w+ed the ", "The "),
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
