"""From the tightest constraint down, each time that a model in this process lost the one before.

And the words in which llama.cpp takes each kind, with a probe that finds out whether it obeys.
Pure: values in, values out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from groundedgen.generators.constrained.llguide import fault
from groundedgen.generators.constrained.probes import answers, only
from groundedgen.generators.constrained.rungs import Capabilities, Plan, Rung, planned
from groundedgen.generators.replies.completions import read_completion
from groundedgen.values import Reply, Request, Usage

__all__ = ["WAYS", "Descent", "Way", "Ways", "by_format", "is_answered", "probe"]

Way = Callable[[Plan], dict[str, Any]]
"""The fields of a request that hold a plan's constraint."""

_SHORT: Final = 32  # tokens of a probe's reply; a nonce has a dozen
_CUT: Final = "length"


class Descent:
    """The plans for one request, from the tightest; each next one where the last was not kept."""

    def __init__(self, request: Request, able: Capabilities) -> None:
        self._request, self._able = request, able
        self._plan: Plan | None = None
        self._spent = Usage()

    def __iter__(self) -> Iterator[Plan]:
        while True:
            self._plan = planned(self._request, self._able, fault)
            yield self._plan
            if (rung := self._plan.rung) != "none":
                self._able = replace(self._able, **{rung: False})

    def ends_with(self, reply: Reply) -> bool:
        """Whether this is the reply; if not, its constraint was lost, and the next plan is due."""
        rung = self._plan.rung if self._plan else "none"
        if rung == "none" or reply.constraint != "none" or reply.finish_reason == _CUT:
            return True
        self._spent += reply.usage
        return False

    def total(self, reply: Reply) -> Reply:
        return replace(reply, usage=reply.usage + self._spent)


class Ways:
    """How this build of llama.cpp takes each kind of constraint, as far as it obeys one."""

    def __init__(self, found: dict[Rung, Way]) -> None:
        self.found = found

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities(**{str(rung): True for rung in self.found})

    def placed(self, plan: Plan) -> dict[str, Any]:
        return self.found[plan.rung](plan) if plan.rung != "none" else {}


def _by_grammar(plan: Plan) -> dict[str, Any]:
    return {"grammar": plan.grammar}


def by_format(plan: Plan) -> dict[str, Any]:
    named = {"name": "Reply", "strict": True, "schema": plan.schema}
    return {"response_format": {"type": "json_schema", "json_schema": named}}


# No rung "schema": llama.cpp makes a GBNF grammar of one, and ours has no blanks to be lost in. As
# `%json` inside a Lark grammar it was seen to be lost at a quotation mark within a quote.
WAYS: Final[tuple[tuple[Rung, Way], ...]] = (
    ("lark", _by_grammar),
    ("gbnf", _by_grammar),
    ("enum", by_format),
)
_PROBE: Final[dict[str, Any]] = {
    "messages": [{"role": "user", "content": "Say hello."}],
    "max_tokens": _SHORT,
    "temperature": 0.0,
}


def probe(rung: Rung, way: Way, nonce: str) -> dict[str, Any]:
    """A request under a constraint that admits a nonce and nothing else."""
    return _PROBE | way(only(rung, nonce))


def is_answered(rung: Rung, completion: Mapping[str, Any], nonce: str) -> bool:
    """Whether a reply is what only a bound model writes."""
    return "error" not in completion and answers(
        rung, nonce, read_completion(completion, "probe").raw
    )
