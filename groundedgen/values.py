"""The frozen values that travel through one call, in the order in which they appear.

A drafted statement becomes richer with every check it passes, and each check takes
only the type the one before it returns::

    Sourced   what the model wrote; every alias it names exists
    Located   its quote was found, at exact offsets, in the passages of its spots
    Statement everything passed; cited by passage id

What does not pass is a `Finding`. All offsets are code points, half-open, into the
passage's own text. Text fields are left out of `repr` (see `Passage`).
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, Self

from groundedgen import wire
from groundedgen.errors import InputError
from groundedgen.passages import Passage

__all__ = [
    "Answer",
    "CheckName",
    "Citation",
    "CitedSpan",
    "CitedText",
    "Closest",
    "Constraint",
    "Entailment",
    "Finding",
    "Judged",
    "Label",
    "Located",
    "Match",
    "Pair",
    "Passage",
    "Prompt",
    "Reason",
    "Reply",
    "Request",
    "ResponseFormat",
    "Sourced",
    "Spot",
    "Statement",
    "Status",
    "TraceEvent",
    "Usage",
    "Verdict",
]

Status = Literal["answered", "not_found", "withheld"]
Reason = Literal[
    "answered",
    "model_said_not_found",
    "nothing_survived",
    "core_lost",
    "no_passages",
    "strict_policy",
    "judge_unavailable",
    "reader_may_not_open",
]
_STATUSES: Final[Mapping[Reason, Status]] = {
    "answered": "answered",
    "model_said_not_found": "not_found",
    "nothing_survived": "not_found",
    "core_lost": "not_found",
    "no_passages": "not_found",
    "strict_policy": "withheld",
    "judge_unavailable": "withheld",
    "reader_may_not_open": "withheld",
}
CheckName = Literal[
    "draft", "sources", "quotes", "numbers", "leak", "entailment", "policy", "generation"
]
Match = Literal["exact", "folded"]
Constraint = Literal["grammar", "schema", "enum", "none"]
ResponseFormat = Literal["text", "json_object", "json_schema", "tool", "citations", "grammar"]
Label = Literal["supported", "partial", "contradicted", "not_addressed", "not_judged"]


@dataclass(frozen=True, slots=True)
class Prompt:
    """The words a model is sent: `system` (the rules) and `user` (passages, then the question).

    `version` changes whenever the wording does, so that stored answers can name it.
    """

    system: str = field(repr=False)
    user: str = field(repr=False)
    version: str


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens spent, summed over all calls of one answer. Zero where a server reports none."""

    input_tokens: int = 0
    output_tokens: int = 0
    cached_input_tokens: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cached_input_tokens + other.cached_input_tokens,
        )


@dataclass(frozen=True, slots=True)
class Request:
    """What a generator is asked for.

    Attributes:
        question: The question as the caller wrote it.
        prompt: The words to send.
        schema: A Pydantic model class of the reply; its source ids are an enum of the aliases.
        docs: Alias -> passage text, in prompt order; for generators that read it themselves.
        langs: Alias -> language tag, where known.
        max_statements: The most statements the reply may hold.
        min_quote_words: The fewest words of a quote; see `text.amounts.word_count`.
        attempt: 1 for the first draft, 2 for the one regeneration.
    """

    question: str = field(repr=False)
    prompt: Prompt
    schema: type[Any]
    docs: Mapping[str, str] = field(repr=False)
    langs: Mapping[str, str] = field(default_factory=dict)
    max_statements: int = 8
    min_quote_words: int = 5
    attempt: int = 1


@dataclass(frozen=True, slots=True)
class CitedSpan:
    """A place a provider says it cites: `docs[alias][start:end] == quote`, to be checked here."""

    alias: str
    start: int
    end: int
    quote: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class CitedText:
    """A piece of a reply with the places it cites, possibly none, from native citations."""

    text: str = field(repr=False)
    spans: tuple[CitedSpan, ...] = ()


@dataclass(frozen=True, slots=True)
class Reply:
    """What a generator returns: the model's raw words and how it came to stop.

    Attributes:
        raw: The reply's text, unparsed; `None` when there was none.
        finish_reason: The provider's own word ("stop", "length", "end_turn", ...).
        refusal: The provider's refusal text, where it has a field for one.
        usage: Tokens of this call.
        engine: Who wrote it, for people ("openai/gpt-5-mini", "extractive").
        constraint: What bound the decoding: "grammar" (source, quote and digits), "schema"
            (source and quote), "enum" (the form, and which sources exist) or "none"; of a reply
            that was cut off nothing can be seen, so "none".
        response_format: How the form was asked for: a strict "json_schema", a "tool", a bare
            "json_object", the prompt alone ("text"), ... Says what was sent, not what was obeyed.
        cited: The reply as pieces of text with the places they cite, instead of `raw`, from a
            provider that cites natively.
        cut: Places of the statements, from 0, whose text was ended in mid sentence by the
            constraint, at the longest that it lets through. Each of them fails alone.
    """

    raw: str | None = field(repr=False)
    finish_reason: str = "stop"
    refusal: str | None = field(default=None, repr=False)
    usage: Usage = Usage()
    engine: str = ""
    constraint: Constraint = "none"
    response_format: ResponseFormat = "text"
    cited: tuple[CitedText, ...] | None = field(default=None, repr=False)
    cut: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Sourced:
    """A drafted statement of the right shape, whose every alias exists.

    Attributes:
        index: Place in the draft, from 0. A statement is known by its place, never by its text.
        text: The statement as drafted, our markers cut out.
        aliases: The aliases it names, in their listed spelling, without repeats, at least one.
        quote: The quote as drafted, not yet looked up.
        spans: Where a provider with native citations says it stands, not yet looked up either.
    """

    index: int
    text: str = field(repr=False)
    aliases: tuple[str, ...]
    quote: str = field(repr=False)
    spans: tuple[CitedSpan, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a quote stands: `docs[alias][start:end]`. `match` is "exact" or "folded"."""

    alias: str
    start: int
    end: int
    match: Match


@dataclass(frozen=True, slots=True)
class Located:
    """A statement whose quote stands word for word in the passage of every one of its spots.

    Attributes:
        spots: One per passage it was found in, at least one; passages it named but that
            do not hold the quote are gone.
        remapped_from: The aliases it named, where `Policy.remap` moved it to another passage.
    """

    index: int
    text: str = field(repr=False)
    quote: str = field(repr=False)
    spots: tuple[Spot, ...]
    remapped_from: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Pair:
    """What a judge is asked: does `premise` entail `claim`?

    Attributes:
        group: Names the passage the premise is cut from, so that a judge may put all claims
            about one passage into one call.
        quote: Where the statement's quote stands, `premise[start:end]`, if that is known. A judge
            that reads long premises in parts reads one that holds it whole. It is a hint, and no
            part of the question: pairs that differ in nothing else are equal.
    """

    premise: str = field(repr=False)
    claim: str = field(repr=False)
    group: str = ""
    quote: tuple[int, int] | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a judge says. Only the label `supported` counts as support.

    Attributes:
        score: The judge's confidence that the premise entails the claim, 0 to 1, or `None`.
        why: One sentence for people; may hold words of the claim or the premise.
        reason: For `not_judged`, why there is no verdict: nothing came (`judge_timeout`,
            `judge_error`, `judge_denied`, `judge_rate_limited`, `judge_cancelled`), what came was
            no verdict (`judge_refused`, `judge_truncated`, `judge_bad_reply`, `judge_missing_item`,
            `judge_echo`: it was copied from what was judged, or does not stand without the words
            there that speak a verdict), or the judge cannot read it (`too_long`; `quote_too_long`:
            the claim and the quote with its sentences do not fit together; `language`).
    """

    label: Label
    score: float | None = None
    why: str = field(default="", repr=False)
    reason: str = ""


class Judged(tuple[Verdict, ...]):  # noqa: SLOT001  # a tuple takes attributes only without
    """Verdicts together with what they cost, from a judge that knows; a plain tuple otherwise.

    Attributes:
        usage: Tokens of all its calls, failed ones included where known.
        calls: Times a model was asked, 0 or more; what an adapter sends again is one call.

    >>> judged = Judged([Verdict("supported")], usage=Usage(120, 4), calls=1)
    >>> judged[0].label, judged.usage.input_tokens
    ('supported', 120)
    """

    usage: Usage
    calls: int

    def __new__(
        cls, verdicts: Iterable[Verdict] = (), *, usage: Usage | None = None, calls: int = 0
    ) -> Self:
        judged = super().__new__(cls, verdicts)
        judged.usage, judged.calls = usage or Usage(), calls
        return judged


@dataclass(frozen=True, slots=True)
class Entailment:
    """How one statement's agreement with its passage was decided.

    `how` is "whole_sentence" (the statement is a sentence of the passage, no model was
    asked), "judge", or "unverified" (a policy that says so loudly let it through unjudged).
    """

    label: Label
    how: Literal["whole_sentence", "judge", "unverified"]
    score: float | None = None
    why: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Citation:
    """A quote at its place: `passage.text[start:end] == quote`, always.

    Attributes:
        passage_id: The caller's id of the passage.
        quote: The source's own characters, line breaks and ligatures included.
        start: First code point of the quote in the passage's text.
        end: One past the last.
        match: "exact", or "folded" where only typography differed.
        context_start: Start of the sentences the quote lies in.
        context_end: One past their end.
        astral_before: Code points above U+FFFF before `start`; what `utf16` needs.
    """

    passage_id: str
    quote: str = field(repr=False)
    start: int
    end: int
    match: Match
    context_start: int
    context_end: int
    astral_before: int = field(default=0, repr=False)

    def utf16(self) -> tuple[int, int]:
        """The same span in UTF-16 code units, as JavaScript and most browsers count.

        >>> Citation("p", "a fox", 2, 7, "exact", 0, 8, astral_before=1).utf16()
        (3, 8)
        """
        start = self.start + self.astral_before
        return start, start + len(self.quote) + sum(c > "\uffff" for c in self.quote)


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement that survived every check, with at least one citation."""

    text: str = field(repr=False)
    citations: tuple[Citation, ...]
    entailment: Entailment

    @property
    def verified(self) -> bool:
        """Whether every check passed; false only under a policy that shows unverified text.

        A verdict that nobody gave supports nothing, whatever a stored answer says of it.
        """
        decided = self.entailment.how in ("whole_sentence", "judge")
        return decided and self.entailment.label == "supported"


@dataclass(frozen=True, slots=True)
class Finding:
    """One check that one drafted statement failed, or, with `kept`, survived with a change.

    Attributes:
        check: The check that found it.
        reason: Stable lower-case name: `quote_not_found`, `number_mismatch`, ...
        index: Place of the statement in its draft, from 0; -1 for the draft as a whole.
        message: A sentence for people, without words of any passage.
        attempt: The draft, 1 or 2.
        statement: The statement as drafted.
        details: What exactly failed: the unknown aliases, the numbers that are missing, ...
        passage_id: The passage the finding is about, if any.
        nearest: The closest real text of that passage, or "".
        kept: True where the statement was not dropped (a re-mapped quote, a cut alias).
    """

    check: CheckName
    reason: str
    index: int
    message: str
    attempt: int = 1
    statement: str = field(default="", repr=False)
    details: tuple[str, ...] = field(default=(), repr=False)
    passage_id: str | None = None
    nearest: str = field(default="", repr=False)
    kept: bool = False


@dataclass(frozen=True, slots=True)
class Closest:
    """One of the passages closest to the question: `passage.text[start:end] == quote`."""

    passage_id: str
    quote: str = field(repr=False)
    start: int
    end: int
    score: float


@dataclass(frozen=True, slots=True)
class TraceEvent:
    """One step of the flow, for logs and metrics: names, ids, counts and lengths, never text."""

    name: str
    attempt: int = 0
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Answer:
    """What `ask` returns: only what survived every check, and why the rest did not.

    Attributes:
        status: "answered", "not_found" or "withheld".
        reason: Why; see `Reason`.
        question: The question asked.
        statements: What may be shown, the direct answer first; empty unless answered
            (or a policy shows unverified text).
        findings: Every dropped statement and why, in order of attempt and index.
        closest: The closest passages, best first; filled when there is no answer.
        passages: The passages that `statements` and `closest` point at.
        usage: Tokens of all calls.
        attempts: Generations made: 0, 1 or 2.
        engine: The generator that wrote the draft.
        judge: The judge that was asked.
        constraint: What bound the decoding of the last draft, or of the first where statements of
            that are shown and it promises less; see `Reply`.
        response_format: How the form of the last draft was asked for; see `Reply`.
        trace: The steps, without any text.
        versions: Versions of the library, the normaliser, the prompt, and the policy's name.
    """

    status: Status
    reason: Reason
    question: str = field(repr=False)
    statements: tuple[Statement, ...] = ()
    findings: tuple[Finding, ...] = ()
    closest: tuple[Closest, ...] = ()
    passages: tuple[Passage, ...] = ()
    usage: Usage = Usage()
    attempts: int = 0
    engine: str = ""
    judge: str = ""
    constraint: Constraint = "none"
    response_format: ResponseFormat = "text"
    trace: tuple[TraceEvent, ...] = field(default=(), repr=False)
    versions: Mapping[str, str] = field(default_factory=dict, repr=False)

    def model_dump(self) -> dict[str, Any]:
        """The whole answer as plain dicts, lists, strings and numbers, passages included.

        This is the stored proof, for whoever may see everything. What one reader may
        see comes from `render`, never from here.
        """
        plain: dict[str, Any] = wire.dump(self)
        return plain

    def model_dump_json(self, *, indent: int | None = None) -> str:
        """The whole answer as JSON in ASCII; `model_validate_json` gives back an equal one.

        Metadata of other types than JSON has comes back as the JSON it was written as.

        >>> answer = Answer("not_found", "no_passages", "Is it covered?")
        >>> Answer.model_validate_json(answer.model_dump_json()) == answer
        True
        """
        return wire.to_json(self.model_dump(), indent=indent)

    def guarantee(self, calibration: Any = None) -> str:
        """What a tick in this answer means, in one plain sentence for the person relying on it.

        Args:
            calibration: How far its judge agrees with people: an `evals.Calibration`, or the path
                of the JSON that `groundedgen calibrate` writes. Without one, the sentence says
                that it is not known.

        >>> Answer("not_found", "no_passages", "Is it covered?").guarantee()
        'Nothing in this answer carries a tick, so nothing in it has passed every check.'
        """
        # By name, since the measuring of judges stands above the values that travel.
        said: str = pkgutil.resolve_name("groundedgen.evals.guarantee:guarantee")(self, calibration)
        return said

    @classmethod
    def model_validate(cls, data: Mapping[str, Any]) -> Answer:
        """The answer that `model_dump` made this from.

        Raises:
            InputError: A field is missing, unknown or of the wrong type; names its path. Or the
                reason is none of the status, as in an answer that was altered.
        """
        answer = wire.load(cls, data, at="answer")
        if answer.status != (status := _STATUSES[answer.reason]):
            raise InputError(
                f"answer.reason {answer.reason!r} belongs to the status {status!r}, not to "
                f"{answer.status!r}; store an answer as model_dump_json wrote it",
                code="bad_status",
            )
        return answer

    @classmethod
    def model_validate_json(cls, data: str | bytes | bytearray) -> Answer:
        """The answer that `model_dump_json` made this from.

        Raises:
            InputError: As `model_validate`, or it is no JSON.
        """
        return cls.model_validate(wire.from_json(data, at="answer"))
