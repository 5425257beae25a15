"""Half of what must all hold: "once the rent is paid and the keys are returned".

Of several facts a claim may tell one. Of what a condition, a requirement, a restrictive clause, a
means or a purpose joins by "and" it must keep all or nothing; of what "unless", "until" and "only
if" join by "or" as well.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from groundedgen.judges.wording.flips import Flip
from groundedgen.judges.wording.leftovers import has_past
from groundedgen.judges.wording.openers import Scope, scopes
from groundedgen.judges.wording.verbs import has_verb_before, opens_clause

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundedgen.judges.wording.alignment import Alignment
    from groundedgen.text.english.analysis import Analysis

__all__ = ["halved_condition", "set_off"]

_AND: Final = (
    ("and",), ("plus",), ("as", "well", "as"), ("together", "with"), ("along", "with"),
    ("in", "addition", "to"),
)  # fmt: skip
_ENDING: Final = frozenset(["until", "till", "before", "while"])
_NARROWING: Final = frozenset(["some", "only", "if", "bound", "negation", "doubt"])


def halved_condition(al: Alignment) -> Flip | None:
    """One of several conditions that the claim keeps without the others."""
    side = al.sentence
    if side.vocabulary.isdisjoint({"and", "or", "plus", "together", "along", "addition", "well"}):
        return None
    past = has_past(al.claim)
    for scope in scopes(side, past=past):
        for start, stop in _joints(side, scope):
            lost = _lost(al, scope, start, stop)
            if lost is not None:
                word = side.words[lost].text
                return Flip("joint", f'the claim drops "{word}", which must hold as well')
    return None


def _joints(side: Analysis, scope: Scope) -> Iterator[tuple[int, int]]:
    """Where two parts of a condition meet: the words `[start, stop)` that join them."""
    texts = [w.text for w in side.words[: scope.last]]
    closing = -1
    for at in range(scope.first + 1, scope.last):
        for joint in _AND:
            if tuple(texts[at : at + len(joint)]) == joint:
                closing = at
                yield at, at + len(joint)
        if texts[at] == "or" and _must_keep_or(side, scope):
            closing = at
            yield at, at + 1
    for at in range(scope.first + 2, closing):
        if "," in side.text[side.words[at - 1].end : side.words[at].start]:
            yield at, at


def _must_keep_or(side: Analysis, scope: Scope) -> bool:
    if scope.first < 0:
        return True
    mark = side.mark_at.get(scope.first)
    if mark is not None and mark.kind == "if" and mark.value in ("unless", "only"):
        return True
    only = scope.first and side.words[scope.first - 1].text == "only"
    return bool(only) or side.words[scope.first].text in _ENDING or scope.kind == "need"


def _lost(al: Alignment, scope: Scope, start: int, stop: int) -> int | None:
    """The word of one part that the claim drops while it keeps the other; `None` for none."""
    side = al.sentence
    another = scope.kind in ("need", "phrase") and has_verb_before(side, scope.first)
    if another and opens_clause(side, stop):
        return None
    left, right = side.last_content(start), side.next_content(stop)
    if right is None or right >= scope.last:
        return None
    if left is None or left <= scope.first:
        small = range(scope.first + 1, start)
        said = any(side.words[i].text in al.claim.vocabulary for i in small)
        return right if said and right not in al.here else None
    if (left in al.here) == (right in al.here):
        return None
    return right if left in al.here else left


def set_off(al: Alignment) -> Flip | None:
    """A word between commas that narrows what stands beside it: "and, rarely, pays"."""
    side = al.sentence
    if not al.here:
        return None
    ours = {(m.kind, m.value) for m in al.claim.marks}
    for mark in side.marks:
        narrowing = mark.kind in _NARROWING or (mark.kind == "modal" and mark.value == "may")
        if not narrowing or (mark.kind, mark.value) in ours:
            continue
        number = side.segment[mark.first]
        inside = range(side.segment_start(mark.first), side.segment_end(mark.first))
        if any(i in side.keys for i in inside) or number in al.segments:
            continue
        if {number - 1, number + 1} & al.segments:
            return Flip("leftover", f'the claim drops "{side.phrase(mark)}" of the passage')
    return None
