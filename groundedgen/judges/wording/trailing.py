"""What a claim leaves out behind its last word: "once paid", ", critics say", "(disputed)"."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

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
from groundedgen.text.english.phrases import AUXILIARIES, is_past

if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundedgen.judges.wording.alignment import Alignment
    from groundedgen.text.english.analysis import Analysis

__all__ = ["trailer"]

_QUOTES: Final = '"\u201d\u201c'
_DAYS: Final = frozenset(
    ["day", "days", "week", "weeks", "month", "months", "year", "years", "hour", "hours"]
)
_SIGNS: Final = frozenset("$€£¥%")


def trailer(al: Alignment) -> Flip | None:
    """What stands behind the claim's last word: "once paid", ", critics say", "(disputed)"."""
    side = al.sentence
    if not al.here:
        return None
    last, past = max(al.here), has_past(al.claim)
    parts: dict[int, list[int]] = {}
    for at in range(last + 1, len(side.words)):
        if side.below and side.words[at].start >= side.below:
            break  # another sentence, which the rules on provisos read
        parts.setdefault(side.segment[at], []).append(at)
    opened = side.segment[last]
    for number, part in parts.items():
        content = any(i in side.keys for i in part)
        if number == opened:
            fine = _may_follow(al, part, past=past) if content else _is_slight(side, part)
        else:
            fine = _may_stand_apart(al, part, past=past)
            if fine and side.words[part[0]].text in RELATIVE:
                past = True  # what follows is told of what stands in that clause
        if not fine:
            why = f'the claim drops "{phrase(side, part)}" behind it in the passage'
            return Flip("leftover", why)
    return None


def _is_slight(side: Analysis, part: Sequence[int]) -> bool:
    """Whether no word is left that could limit anything ("took it over")."""
    texts = {side.words[i].text for i in part}
    return texts.isdisjoint(WITHHOLDING | {"least", "most", "more", "less", "and", "or"})


def _may_follow(al: Alignment, part: Sequence[int], *, past: bool) -> bool:
    """Whether words that no comma sets off may go."""
    side = al.sentence
    if is_doubting(al, part):
        return False
    opens = side.words[part[0]]
    if opens.text in ("and", "or"):
        return True
    content = [i for i in part if i in side.keys]
    if (
        len(part) > PARTNERS
        and opens.text in ("by", "under", "of", "in")
        and all(side.words[i].text in DOCUMENTS for i in content)
    ):
        return True
    if _is_told_otherwise(al, part, content):
        return True
    if not past or opens.text in WITHHOLDING:
        return False
    return _may_follow_past(side, part, content)


def _is_told_otherwise(al: Alignment, part: Sequence[int], content: Sequence[int]) -> bool:
    """Whether the claim says it in another form, or it belongs to what is joined by "and"."""
    side, opens = al.sentence, al.sentence.words[part[0]]
    joint = next((i for i in part if side.words[i].text in ("and", ";")), None)
    if joint is not None and all(i > joint for i in content):
        return True
    before = side.words[part[0] - 1].text
    owned = [w.text for w in al.claim.words[-2:-1]]
    if opens.text == "of" and len(content) == 1 and owned in (["its"], ["their"]):
        return True  # "its purpose" and "the purpose of the box"
    if before in ("a", "an") or side.words[part[0] - 2].text in ("a", "an"):
        adjective = al.claim.words[-2:-1] and al.claim.words[-2].text in COPULA | PAST
        if adjective and side.words[part[0] - 1].capital and part[0] in side.keys:
            return True  # "is an American singer" is American
    if opens.text == "of" and before in _DAYS:
        return True  # "within 30 days of the loss"
    # "1,000 euros" and "€1,000"
    return not _SIGNS.isdisjoint(al.claim.text) and len(part) == 1 and before[0].isdigit()


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
    plain = _may_be_set_off(al, part, content, past=past)
    if plain is not None:
        return plain
    return past and _may_stand_apart_past(side, part, content)


def _may_be_set_off(
    al: Alignment, part: Sequence[int], content: Sequence[int], *, past: bool
) -> bool | None:
    """The same, told by the signs and words that set it off; `None` where they tell nothing."""
    side, opens = al.sentence, al.sentence.words[part[0]]
    between = side.text[side.words[part[0] - 1].end : opens.start]
    if ")" in between or "]" in between or any(q in between for q in _QUOTES):
        loose = opens.text not in WITHHOLDING and not (
            opens.text == "at" and not _is_somewhere(side, content)
        )
        return (past and loose) or _may_follow(al, part, past=past)
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
    if opens.text == "and" or _ends_list(side, part):
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


def _ends_list(side: Analysis, part: Sequence[int]) -> bool:
    """Whether a part is an item of a list, of which the last is joined by "and" or "or"."""
    number = side.segment[part[0]]
    rest = [i for i in range(part[0], len(side.words)) if side.segment[i] - number <= 3]
    ahead = next((i for i in rest if side.words[i].text in ("and", "or")), None)
    if ahead is None:
        return False
    item = [i for i in range(part[0], ahead) if i in side.keys]
    plain = all(side.words[i].text not in AUXILIARIES for i in range(part[0], ahead))
    return plain and side.words[part[0]].text not in ADJUNCTS and len(item) <= 4
