"""Reading what a judge model wrote: one label, or no verdict at all.

The agreed reply is `{"label": "supported" | "partial" | "contradicted" | "not_addressed"}`.
The label alone decides; a reason beside it is for people. Whatever else comes back (prose,
two labels, an unknown one, a key twice, a refusal, nothing) is no verdict, and no verdict
is never support.
"""

from __future__ import annotations

from collections.abc import Mapping

from groundedgen.text.replies import read_object
from groundedgen.values import Label, Verdict

__all__ = ["read_verdict"]

#: The labels, and the names that entailment models give to the same classes.
_LABELS: Mapping[str, Label] = {
    "supported": "supported",
    "entailment": "supported",
    "entailed": "supported",
    "partial": "partial",
    "partially_supported": "partial",
    "contradicted": "contradicted",
    "contradiction": "contradicted",
    "refuted": "contradicted",
    "not_addressed": "not_addressed",
    "neutral": "not_addressed",
    "not_supported": "not_addressed",
}


def read_verdict(raw: str | None) -> Verdict:
    """The verdict a judge's reply holds.

    >>> read_verdict('{"label": "supported", "reason": "The passage says so."}').label
    'supported'
    >>> read_verdict("Yes, this is supported.").reason
    'judge_bad_reply'
    >>> read_verdict(None).reason
    'judge_missing_item'
    """
    if raw is None:
        return Verdict("not_judged", reason="judge_missing_item")
    try:
        reply = read_object(raw)
    except ValueError:
        return Verdict("not_judged", reason="judge_bad_reply")
    written, why = reply.get("label"), reply.get("reason")
    label = _LABELS.get(_name(written)) if isinstance(written, str) else None
    if label is None:
        return Verdict("not_judged", reason="judge_bad_reply")
    return Verdict(label, why=why if isinstance(why, str) else "")


def _name(written: str) -> str:
    return "_".join(written.lower().replace("-", " ").replace("_", " ").split())
