"""One request on its way to an OpenAI-compatible server: what is sent, what comes of the answer.

A step down is taken where the server says or shows that it does not keep to the form: on a
server of one's own from the tightest constraint that it was seen to obey, for this passage set;
on any other from a strict schema. Each step is taken once a call, whatever is tried again for
another reason, so a call sends at most its attempts and one request more for each step.

Pure: bodies are yielded, and what came back is sent in.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from collections.abc import Generator as Steps
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

from groundedgen.draft import check_end
from groundedgen.errors import MissingExtraError, ProviderError, RefusedError, TruncatedError
from groundedgen.generators.chat.fields import Settings
from groundedgen.generators.chat.servers import Known
from groundedgen.generators.constrained.ladder import RUNGS, Form, Learned, is_about_else
from groundedgen.generators.constrained.obeyed import Admits, Watch, checked
from groundedgen.generators.constrained.probes import Found
from groundedgen.generators.constrained.refusals import is_of_the_form, shape
from groundedgen.generators.constrained.rungs import (
    CONSTRAINTS,
    Capabilities,
    Plan,
    Rung,
    drafted,
    planned,
)
from groundedgen.generators.replies.completions import read_completion
from groundedgen.generators.transport.failures import code_of, failure, status_of, words_of
from groundedgen.text.replies import read_object
from groundedgen.values import Reply, Request, Usage

__all__ = ["Outcome", "Sending"]

Outcome = object
"""A completion, or the exception in its place."""

#: Codes of status 400 for a prompt that a filter stopped.
_FILTERED: Final = (
    "content_filter", "content_policy_violation", "responsibleaipolicyviolation",
    "data_inspection_failed", "invalid_prompt", "moderation_blocked",
)  # fmt: skip
#: Statuses of a constraint that does not compile, or dies in mid-answer.
_CONSTRAINTS: Final = frozenset({400, 415, 422, 500, 501})
_STRICT: Final = Plan("enum", schema={})  # a hosted service's strict schema


class Sending:
    """One request, over all its attempts.

    Args:
        request: What is asked for.
        settings: What all requests have in common.
        learned: What else depends on the server.
        fixed: Stay on the rung of `learned`.
        known: What is known of a server of one's own; `None` for any other.

    Attributes:
        name: The generator's name.
        watch: Looks at the reply to the last body while it arrives.
    """

    def __init__(
        self,
        request: Request,
        settings: Settings,
        learned: Learned,
        *,
        fixed: bool = False,
        known: Known | None = None,
    ) -> None:
        self.name, self.known, self.learned = settings.name, known, learned
        self._request, self._settings = request, settings
        self._shape = shape(request.schema)
        self._form, self._fixed = learned.form_for(self._shape), fixed
        self._refused: dict[str, bool] = {}  # rungs, and whether it was they that were refused
        self._found, self._plan = Found({}), Plan("none")
        self._key = ""
        self._lowered = self._suspected = frozenset[Rung]()
        self._spent = Usage()

    def probing(self) -> Steps[dict[str, Any], Outcome, Found]:
        """Asks what the server obeys; see `servers.Known.probing`."""
        if self.known is None:  # pragma: no cover - a server of somebody else's is never probed
            return Found({})
        settings = self._settings
        found, spent = yield from self.known.probing(self.learned, settings.probe, self.name)
        self._form = self.learned.form_for(self._shape)
        self._spent += spent
        return found

    def bind(self, found: Found) -> None:
        """Send by what a server of one's own was seen to obey."""
        if self.known is None or found == self._found:
            return
        self._found, self._key = found, _key(self._request)
        self._lowered |= self.known.lowered(self._key)
        self._planned()

    def taken(self) -> Usage:
        """What was spent on probes and on replies that were no use, since last asked."""
        spent, self._spent = self._spent, Usage()
        return spent

    def steps(self) -> Steps[dict[str, Any], Outcome, Reply]:
        """Yields bodies to send and is sent what came back, until that is a reply.

        Raises:
            ProviderError: The server failed.
            DraftFormatError: It sent two replies that differ.
        """
        while True:
            outcome = yield self._body()
            reply = (
                self._failed(outcome) if isinstance(outcome, BaseException) else self._read(outcome)
            )
            if reply is not None:
                return reply

    def _body(self) -> dict[str, Any]:
        self.watch = Watch(self._plan, self._request)
        prompt = self._request.prompt
        fields = self._found.placed(self._plan, self._request.schema.__name__)
        fields = fields or self._form.response_format(self._request.schema)
        self._sent = self._settings.body(self._form, prompt.system, prompt.user, fields)
        return self._sent

    def _failed(self, error: BaseException) -> Reply | None:
        """The reply that an error is, or `None` where another form is tried.

        Raises:
            ProviderError: It is none, and there is no other form to try.
        """
        if isinstance(error, ProviderError):
            if self._steps_down(error.status, ""):
                self._spent += error.wasted or Usage()
                return None
            raise error
        if code_of(error).lower() in _FILTERED:
            return Reply(
                None,
                "content_filter",
                engine=self.name,
                response_format=self.response_format(),
            )
        status, words = status_of(error), words_of(error)
        fixed = self._fixed or self._plan.rung != "none"
        narrower = self._form.without(status, words, self._sent, fixed=fixed)
        if narrower is not None:
            self._narrow(narrower, words)
            return None
        if self._steps_down(status, words):
            return None
        raise failure(error, self.name) from None

    def _narrow(self, form: Form, words: str) -> None:
        """Leave out what was turned down; a rung that is known to be is not tried again."""
        if form.rung != self._form.rung:
            whole = self._form.rung != "json_schema" or is_of_the_form(words, self._shape)
            self._refused[self._form.rung] = whole
            if not self.learned.refusals.takes(form.rung):
                form = replace(form, rung=RUNGS[-1])
        self._form = form

    def _steps_down(self, status: int | None, words: str) -> bool:
        if self._plan.rung == "none" or status not in _CONSTRAINTS or is_about_else(words):
            return False
        if status == 500:
            self._suspected |= {self._plan.rung}
        self._lower()
        return True

    def _read(self, outcome: object) -> Reply | None:
        """The reply, or `None` where its constraint was lost and nothing of it is any use."""
        try:
            said = read_completion(outcome, self.name)
        except ProviderError as error:
            return self._failed(error)
        reply = Reply(
            said.raw,
            said.finish_reason,
            said.refusal,
            said.usage,
            self.name,
            response_format=self.response_format(),
        )
        if self._plan.rung == "none":
            # Of a server that was asked, it is known that it does not enforce a schema.
            strict = self._form.rung == "json_schema" and self.known is None
            self._kept(obeyed=False)
            return checked(reply, _STRICT, self._request) if strict else reply
        if _ended_early(reply):
            return reply
        told = checked(reply, self._plan, self._request, _admits())
        if told.constraint == CONSTRAINTS[self._plan.rung]:
            self._kept(obeyed=True)
            return told
        self._lower()
        if _is_object(reply.raw):  # free as it is, it is read and checked as any other
            self._kept(obeyed=False)
            return told
        self._spent += reply.usage
        return None

    def _lower(self) -> None:
        self._lowered |= {self._plan.rung}
        self._planned()

    def _planned(self) -> None:
        able = self._found.capabilities
        if self._lowered and drafted(self._request) is None:
            able = Capabilities()  # it has a schema of its own, and that was not kept
        left = replace(able, **dict.fromkeys(self._lowered, False))
        self._plan = planned(self._request, left, _fault())
        if self._plan.rung == "none" and "enum" in self._lowered and not self._fixed:
            lowest = max(self._form.rung, "json_object", key=RUNGS.index)
            self._form = replace(self._form, rung=lowest)

    def _kept(self, *, obeyed: bool) -> None:
        """Remember what worked: of the server, and of this passage set."""
        learned = self.learned
        learned.keep(replace(self._form, rung=learned.form.rung))
        if not self._lowered:
            for rung, whole in self._refused.items():
                learned.refusals.add(rung, self._shape, of_the_form=whole)
        if self.known is not None:
            sure = self._lowered - self._suspected
            self.known.kept(self._key, sure, self._suspected, obeyed=obeyed)

    def response_format(self) -> Any:
        """How the form of the reply to the last body was asked for; see `values.Reply`."""
        return self._form.rung if self._plan.rung == "none" else self._plan.response_format


def _key(request: Request) -> str:
    """A hash of what is bound: the passages of a draft, or the schema of anything else."""
    if (found := drafted(request)) is not None:
        return found.key
    schema = json.dumps(request.schema.model_json_schema(), sort_keys=True)
    return hashlib.sha256(schema.encode()).hexdigest()


def _ended_early(reply: Reply) -> bool:
    """Whether it was declined or cut off: no constraint can help that."""
    try:
        check_end(reply)
    except (RefusedError, TruncatedError):
        return True
    return False


def _is_object(raw: str | None) -> bool:
    try:
        read_object(raw or "")
    except ValueError:
        return False
    return True


# `llguidance` is imported with the first request to a server of one's own, and may be missing.


@lru_cache(maxsize=1)
def _fault() -> Callable[[str, str], str] | None:
    try:
        from groundedgen.generators.constrained.llguide import fault  # noqa: PLC0415  # see above
    except MissingExtraError:
        return None
    return fault


@lru_cache(maxsize=1)
def _admits() -> Admits | None:
    try:
        from groundedgen.generators.constrained.llguide import admits  # noqa: PLC0415  # see above
    except MissingExtraError:
        return None
    return admits
