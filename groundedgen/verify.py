"""Checking an answer that something else wrote, by the same rules as `ask`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from groundedgen import aliases as alias_room
from groundedgen import draft, marked
from groundedgen.ask import drive_checks, read_passages
from groundedgen.errors import DraftFormatError, InputError
from groundedgen.listedsources import listed, without_own_words
from groundedgen.passages import Passage
from groundedgen.policy import Policy
from groundedgen.ports import Judge
from groundedgen.text.markdown.flattening import evened
from groundedgen.values import Answer, Reply

__all__ = ["verify"]


def verify(
    text: str | Mapping[str, Any],
    passages: Sequence[Any],
    *,
    question: str = "",
    judge: str | Judge = "lexical",
    policy: Policy | None = None,
) -> Answer:
    """Check an answer that something else wrote against the passages it was written from.

    Nothing is generated: what does not survive is dropped, with a finding each. A sentence is one
    statement, an item of a list together with what leads into it. Headings, and openings such as
    "The policy says:", claim nothing and are passed over unless they cite something; so are lists
    of sources. What says no more than the source ("According to [1], ...", "(see [2])") is taken
    off; a sentence that would be broken without its marker is dropped (`marker_in_text`).

    Args:
        text: Prose or Markdown with citation markers: `[1]` or `[^1]` for the first of
            `passages` (or for what a list of sources or a footnote in it says), `[S1]`, `[id]`, or
            `[^terms]` with a footnote that gives a passage's title or quotes it;
            or a draft in the library's own shape, as a mapping or JSON.
        passages: What it was written from, in the order its markers count; as in `ask`.
        question: What it answers, if known; used to show the closest passages.
        judge: Who compares statements with their passages.
        policy: What to do with what fails.

    Returns:
        An `Answer` with the statements that survived; `not_found` when none did.

    Raises:
        InputError: An argument cannot be used.

    >>> passages = ["Water damage from a burst pipe is covered. Floods are not covered."]
    >>> answer = verify("Floods are not covered [1]. Theft is covered [2].", passages)
    >>> [statement.text for statement in answer.statements]
    ['Floods are not covered.']
    >>> answer.findings[0].reason
    'unknown_source'
    """
    if not isinstance(question, str):
        raise InputError(
            f"question must be a text, got {type(question).__name__}; leave it out if it is not "
            f"known",
            code="bad_question",
        )
    read = read_passages(passages)
    policy = policy or Policy()
    return drive_checks(_drafted(text, read, policy), read, question, judge, policy)


def _drafted(
    text: object, passages: Sequence[Passage], policy: Policy
) -> draft.Answered | draft.NotFound:
    aliases = alias_room.assign(passages)
    if isinstance(text, Mapping):
        return _draft(_as_json(text), aliases.names)
    if isinstance(text, Answer):
        raise InputError(
            "verify takes a text or a draft, got an Answer, which has been checked; to check it "
            "again against the sources as they are now, call reverify(answer, passages)",
            code="bad_type",
        )
    if not isinstance(text, str):
        raise InputError(
            f"verify takes a text or a draft, got {type(text).__name__}", code="bad_type"
        )
    if text.lstrip().startswith("{"):
        return _draft(text, aliases.names)
    return _read(evened(text), passages, aliases, policy)


def _read(
    text: str, passages: Sequence[Passage], aliases: alias_room.Aliases, policy: Policy
) -> draft.Answered:
    said = without_own_words(text, frozenset(passage.id for passage in passages))
    meant = listed(passages, said.named)
    try:
        return marked.read(
            said.text,
            passages,
            aliases,
            min_words=policy.min_quote_words,
            listed=listed(passages, said.entries),
            footnotes={label: meant.get(label) for label in said.named},
        )
    except DraftFormatError as error:
        raise InputError(f"the text to verify cannot be read: {error}", code="bad_draft") from None


def _as_json(given: Mapping[str, Any]) -> str:
    try:
        return json.dumps(dict(given))
    except (TypeError, ValueError) as error:
        raise InputError(f"the draft to verify is no JSON: {error}", code="bad_draft") from None


def _draft(raw: str, names: Sequence[str]) -> draft.Answered | draft.NotFound:
    try:
        return draft.parse(Reply(raw), names)
    except DraftFormatError as error:
        raise InputError(f"the draft to verify cannot be read: {error}", code="bad_draft") from None
