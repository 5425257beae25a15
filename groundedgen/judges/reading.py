"""Reading what a judge model wrote: one label for each claim, or no verdict at all.

The agreed reply on one claim is `{"label": "supported" | "partial" | "contradicted" |
"not_addressed"}`, on several `{"C1": label, "C2": label, ...}`, or with other names where the
text that is judged holds such ones (see `claimnames`). The label alone decides; a reason beside a
single one is for people. Whatever else comes back (prose, two labels, an unknown one, a key
twice, names that were not asked for, a refusal, nothing) is no verdict, and no verdict is never
support.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, get_args

from groundedgen.judges.claimnames import DEFAULT_PREFIX, claim_names
from groundedgen.patterns import compiled
from groundedgen.text.replies import read_object
from groundedgen.values import Label, Verdict

__all__ = ["LABELS", "read_verdict", "read_verdicts"]

LABELS: Final[tuple[Label, ...]] = tuple(
    label for label in get_args(Label) if label != "not_judged"
)
"""What a judge model may say of a claim."""

#: The labels, and the names that entailment models give to the same classes.
_SPELLINGS: Final[Mapping[str, Label]] = {
    **{label: label for label in LABELS},
    "entailment": "supported",
    "entailed": "supported",
    "partially_supported": "partial",
    "contradiction": "contradicted",
    "refuted": "contradicted",
    "neutral": "not_addressed",
    "not_supported": "not_addressed",
}


_DEFAULT_NAME: Final = compiled(rf"(?i:\s*{DEFAULT_PREFIX}[\W_]*[0-9]+\s*)")


def read_verdict(raw: str | None) -> Verdict:
    """The verdict a judge's reply on one claim holds.

    >>> read_verdict('{"label": "supported", "reason": "The passage says so."}').label
    'supported'
    >>> read_verdict("Yes, this is supported.").reason
    'judge_bad_reply'
    >>> read_verdict(None).reason
    'judge_missing_item'
    """
    if raw is None:
        return _none("judge_missing_item")
    try:
        reply = read_object(raw, alone=True)
    except ValueError:
        return _none("judge_bad_reply")
    written, why = reply.get("label"), reply.get("reason")
    label = _SPELLINGS.get(_name(written)) if isinstance(written, str) else None
    if label is None:
        return _none("judge_bad_reply")
    return Verdict(label, why=why if isinstance(why, str) else "")


def read_verdicts(raw: str | None, count: int, prefix: str = DEFAULT_PREFIX) -> tuple[Verdict, ...]:
    """The verdicts a judge's reply on `count` claims holds, one a claim, in order.

    A claim that is left out, or has no label of ours, has no verdict, and the others keep
    theirs. A reply that is not one object, or names anything but these claims, has another
    shape than was agreed, so nothing says which label belongs to which claim: it has none.

    Names like C1 and no others, where other names were asked for, were copied from what was
    judged: that reply is `judge_echo`.

    Labels are taken in any letter case, and with blanks or hyphens for "_", as some servers
    write enum values; other words for the same thing are not labels here.

    >>> [v.label for v in read_verdicts('{"C2": "partial", "C1": "supported"}', 2)]
    ['supported', 'partial']
    >>> [v.reason for v in read_verdicts('{"C1": "yes"}', 2)]
    ['judge_bad_reply', 'judge_missing_item']
    >>> [v.reason for v in read_verdicts('{"C1": "supported", "C1": "partial"}', 1)]
    ['judge_bad_reply']
    >>> [v.reason for v in read_verdicts('{"C1": "supported"}', 1, prefix="bdfghjkm")]
    ['judge_echo']
    """
    names = claim_names(count, prefix)
    if raw is None:
        return (_none("judge_missing_item"),) * count
    try:
        reply = read_object(raw, alone=True)
    except ValueError:
        return (_none("judge_bad_reply"),) * count
    if not reply.keys() <= set(names):
        echoed = prefix != DEFAULT_PREFIX and all(map(_DEFAULT_NAME.fullmatch, reply))
        return (_none("judge_echo" if echoed else "judge_bad_reply"),) * count
    return tuple(
        _labelled(reply[name]) if name in reply else _none("judge_missing_item") for name in names
    )


def _labelled(written: object) -> Verdict:
    name = _name(written) if isinstance(written, str) else ""
    label = next((label for label in LABELS if label == name), None)
    return _none("judge_bad_reply") if label is None else Verdict(label)


def _none(reason: str) -> Verdict:
    return Verdict("not_judged", reason=reason)


def _name(written: str) -> str:
    return written.strip().lower().replace("-", "_").replace(" ", "_")
