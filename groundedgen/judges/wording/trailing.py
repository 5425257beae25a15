"""What a claim leaves out behind its last word: "once paid", ", critics say", "(disputed)"."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from groundedgen.judges.wording.brackets import is_reference, repeating
from groundedgen.judges.wording.flips import Flip
from groundedgen.judges.wording.leftovers import (
    ASIDE,
    COPULA,
    PARTNERS,
    PAST,
    RELATIVE,
    has_past,
    is_doubting,
    is_place_or_time,
    looks_verbal,
    phrase,
)
from groundedgen.judges.wording.leftwords import (
    ADJUNCTS,
    BARE,
    DOCUMENTS,
    SCENES,
    TIMES,
    UNSURE,
    WITHHOLDING,
)
from groundedgen.judges.wording.limits import is_further, is_own_clause
from groundedgen.judges.wording.terms import ends_list, may_stand_apart, rest_of
from groundedgen.text.english.phrases import AUXILIARIES, is_past

if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundedgen.judges.wording.alignment import Alignment
    from groundedgen.text.english.analysis import Analysis

__all__ = ["trailer"]

_QUOTES: Final = '"\u201d\u201c'
_UNITS: Final = frozenset(
    ["euro", "euros", "dollar", "dollars", "pound", "pounds", "yen", "percent", "cents"]
)
_SIGNS: Final = frozenset("$€£¥%")


def trailer(al: Alignment) -> Flip | None:
    """What stands behind the claim's last word: "once paid", ", critics say", "(disputed)"."""
    side = al.sentence
    if not al.here:
        return None
    last, past = max(al.here), has_past(al.claim)
    opened = side.segment[last]
    for number, part in _parts_behind(side, last).items():
        content = any(i in side.keys for i in part)
        if is_reference(side, part):
            fine = True
        elif not past and _is_behind_semicolon(side, part):
            return None if is_own_clause(al, rest_of(side, part[0])) else _left_behind(side, part)
        elif number == opened:
            slight = _is_slight(side, part) and (past or not _is_each(side, part))
            fine = _may_follow(al, part, past=past) if content else slight
        else:
            fine = _may_stand_apart(al, part, past=past)
            if fine and side.words[part[0]].text in RELATIVE:
                past = True  # what follows is told of what stands in that clause
        if not fine:
            return _left_behind(side, part)
    return None


def _left_behind(side: Analysis, part: Sequence[int]) -> Flip:
    return Flip("leftover", f'the claim drops "{phrase(side, part)}" behind it in the passage')


def _parts_behind(side: Analysis, last: int) -> dict[int, list[int]]:
    """The words behind a place, by segment, but for what says nothing more."""
    parts: dict[int, list[int]] = {}
    free = repeating(side)
    for at in range(last + 1, len(side.words)):
        if side.below and side.words[at].start >= side.below:
            break  # another sentence, which `taken_back` reads
        if at not in free:
            parts.setdefault(side.segment[at], []).append(at)
    return parts


def _is_behind_semicolon(side: Analysis, part: Sequence[int]) -> bool:
    return ";" in side.text[side.words[part[0] - 1].end : side.words[part[0]].start]


def _is_slight(side: Analysis, part: Sequence[int]) -> bool:
    """Whether no word is left that could limit anything ("took it over")."""
    texts = {side.words[i].text for i in part}
    return texts.isdisjoint(WITHHOLDING | {"least", "most", "more", "less", "and", "or"})


def _is_each(side: Analysis, part: Sequence[int]) -> bool:
    """Whether a small word behind says of how many or when: "500 euros each"."""
    marked = any(m.first in part and m.kind in ("every", "some", "bound") for m in side.marks)
    return marked or not _WHEN.isdisjoint(side.words[i].text for i in part)


_WHEN: Final = frozenset(
    ["each", "once", "then", "there", "here", "before", "after", "so", "if", "per", "such", "as"]
)


def _may_follow(al: Alignment, part: Sequence[int], *, past: bool) -> bool:
    """Whether words that no comma sets off may go."""
    side = al.sentence
    if is_doubting(al, part):
        return False
    opens = side.words[part[0]]
    if opens.text in ("and", "or"):
        return past or is_further(al, part, part[0] - 1)
    if [side.words[i].text for i in part] == ["as", "well"]:
        return True
    content = [i for i in part if i in side.keys]
    if (
        len(part) > PARTNERS
        and opens.text in ("by", "under", "of", "in")
        and all(side.words[i].text in DOCUMENTS for i in content)
    ):
        return True
    if _is_told_otherwise(al, part, content, past=past):
        return True
    if not past or opens.text in WITHHOLDING:
        return False
    return _may_follow_past(side, part, content)


def _is_told_otherwise(
    al: Alignment, part: Sequence[int], content: Sequence[int], *, past: bool
) -> bool:
    """Whether the claim says it in another form, or it belongs to what is joined by "and"."""
    side, opens = al.sentence, al.sentence.words[part[0]]
    joint = next((i for i in part if side.words[i].text in ("and", ";")), None)
    if joint is not None and all(i > joint for i in content):
        return past or is_further(al, [i for i in part if i >= joint], part[0] - 1)
    before = side.words[part[0] - 1].text
    owned = [w.text for w in al.claim.words[-2:-1]]
    if opens.text == "of" and len(content) == 1 and owned in (["its"], ["their"]):
        return True  # "its purpose" and "the purpose of the box"
    if before in ("a", "an") or side.words[part[0] - 2].text in ("a", "an"):
        adjective = al.claim.words[-2:-1] and al.claim.words[-2].text in COPULA | PAST
        if adjective and side.words[part[0] - 1].capital and part[0] in side.keys:
            return True  # "is an American singer" is American
    # "1,000 euros" and "€1,000"
    unit = len(part) == 1 and opens.text in _UNITS and before[0].isdigit()
    return unit and not _SIGNS.isdisjoint(al.claim.text)


def _may_follow_past(side: Analysis, part: Sequence[int], content: Sequence[int]) -> bool:
    """Whether words may go that stand behind what happened, or what something is."""
    opens = side.words[part[0]]
    if part[0] in side.keys:
        if all(side.is_number(i) or side.words[i].text in TIMES for i in content):
            return True  # the rest of a date
        return _is_tail(side, part[0])
    if opens.text in ADJUNCTS:
        if opens.text == "at" and len(content) > 1 and not _is_somewhere(side, content):
            return False  # "at the landlord's discretion"
        return side.words[content[0]].text not in SCENES
    return opens.text in RELATIVE or opens.text in ("that", "when", "because", "as", "than", "to")


def _is_somewhere(side: Analysis, content: Sequence[int]) -> bool:
    return any(is_place_or_time(side, i) for i in content)


def _is_tail(side: Analysis, place: int) -> bool:
    """Whether a word right behind is a participle or says how: "sold quickly", "a house built"."""
    word, before = side.words[place].text, side.words[place - 1].text
    if before[0].isdigit() or word in UNSURE:
        return False
    return (
        is_past(word)
        or (word.endswith("ing") and len(word) > 5)
        or (word.endswith("ly") and word not in UNSURE)
    )


def _may_stand_apart(al: Alignment, part: Sequence[int], *, past: bool) -> bool:
    """Whether words behind a comma, a dash or a bracket may go."""
    side = al.sentence
    if is_doubting(al, part):
        return False
    opens, content = side.words[part[0]], [i for i in part if i in side.keys]
    if not content:
        return opens.text in ("too", "also", "however", "and", "but", "respectively")
    if opens.text in ("this", "that", "these", "it", "so", "not", "if"):
        return False
    if not past:
        between = side.text[side.words[part[0] - 1].end : opens.start]
        if ")" in between or "]" in between or any(q in between for q in _QUOTES):
            return _may_follow(al, part, past=False)
        return may_stand_apart(al, part, content, between)
    plain = _may_be_set_off(al, part, content)
    return _may_stand_apart_past(side, part, content) if plain is None else plain


def _may_be_set_off(al: Alignment, part: Sequence[int], content: Sequence[int]) -> bool | None:
    """The same of what happened, told by signs and words; `None` where they tell nothing."""
    side, opens = al.sentence, al.sentence.words[part[0]]
    between = side.text[side.words[part[0] - 1].end : opens.start]
    if ")" in between or "]" in between or any(q in between for q in _QUOTES):
        loose = opens.text not in WITHHOLDING and not (
            opens.text == "at" and not _is_somewhere(side, content)
        )
        return loose or _may_follow(al, part, past=True)
    if ";" in between or opens.text in ASIDE or all(side.is_number(i) for i in content):
        return True
    if opens.text in AUXILIARIES and part[0] - 1 in al.here:
        return True  # the claim lies in an aside: "(born in 1980) is a singer"
    if "(" in between or "[" in between:
        return (
            _are_names(side, content) or side.words[content[0]].capital or len(content) > PARTNERS
        )
    if opens.text == "or":
        return len(content) <= PARTNERS
    if opens.text == "and" or ends_list(side, part):
        return True
    if opens.text in RELATIVE:
        return len(content) > PARTNERS or any(side.words[i].capital for i in content)
    return None


def _are_names(side: Analysis, content: Sequence[int]) -> bool:
    return all(is_place_or_time(side, i) for i in content)


def _may_stand_apart_past(side: Analysis, part: Sequence[int], content: Sequence[int]) -> bool:
    """Whether it may go beside what happened, or what something is."""
    opens, names = side.words[part[0]], _are_names(side, content)
    following = side.words[part[1]].text if len(part) > 1 else ""
    texts = {side.words[i].text for i in part}
    timed = any(side.is_number(i) for i in content) or not texts.isdisjoint(TIMES)
    if side.is_number(part[0]) or (timed and not texts.isdisjoint(ADJUNCTS)):
        return True
    if opens.text in UNSURE | {"both", "namely"} and following in ADJUNCTS | {"starring"}:
        return True  # "apparently by his son" doubts who did it
    if opens.text in ("the", "a", "an") or opens.capital:
        return not any(looks_verbal(side, i) for i in part)  # an apposition
    if opens.text in ADJUNCTS or names:
        return names or (
            opens.text in ADJUNCTS
            and side.words[content[0]].text not in SCENES
            and len(content) > PARTNERS
        )
    if opens.text in (
        "but",
        "although",
        "though",
        "while",
        "whereas",
        "when",
        "because",
        "after",
        "as",
    ):
        return not any(m.kind == "negation" and m.first in part for m in side.marks)
    if opens.text.endswith("ing"):
        return len(part) > PARTNERS
    return is_past(opens.text) and following not in BARE | {"he", "she", "they"}
