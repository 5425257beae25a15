"""The words a model is sent, and the way back from them to the passages.

The rules come first and are the same in every call with the same limits, so that a server
can cache them. Then the passages, then the question, and, in a second draft, what failed
in the first: each part keeps the ones before it as an unchanged prefix.

Everything that is not ours is data. Passages, titles, earlier questions and the question
stand between boundary lines whose number occurs in none of them, so nothing written there
can close its own part or open another. Passage text is not escaped or cleaned: quotes are
copied from what the model sees, so it must see the passage's own characters. Where sentences are
named instead, each has its label before it and is otherwise as it stands.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence

from groundedgen import briefing
from groundedgen.aliases import Aliases
from groundedgen.briefing import NOT_FOUND
from groundedgen.errors import InputError
from groundedgen.fences import BOUNDARY, fence
from groundedgen.values import Finding, Prompt

__all__ = ["NOT_FOUND", "PROMPT_VERSION", "build", "for_citations", "read_back", "split", "titles"]

PROMPT_VERSION = "1"
"""Changes with every change of the wording; a test pins a hash of the wording to it."""

_LINE_BREAKS = {ord(c): f"\\u{ord(c):04x}" for c in "\x7f\x85\u2028\u2029"}
_TITLE = 200  # code points of a title that are shown
_TITLED = ", title "


def build(
    question: str,
    aliases: Aliases,
    *,
    max_statements: int = 8,
    min_words: int = 5,
    history: Sequence[str] = (),
    repair: Sequence[Finding] = (),
    kept: Sequence[str] = (),
    unknown: Sequence[str] = (),
    labelled: Mapping[str, str] | None = None,
    label: str = "",
) -> Prompt:
    """Write the prompt for one draft.

    Args:
        question: The question, shown unchanged; as little trusted as a passage.
        aliases: The passages; their ids and links are not shown.
        max_statements: The most statements the model is asked for.
        min_words: The fewest words of a quote.
        history: Earlier questions of the conversation, oldest first.
        repair: What failed in the first draft; makes this the prompt of the second.
        kept: Statements of the first draft that are verified, not to be written again.
        unknown: Source names of the first draft that do not exist.
        labelled: Alias -> its text with a label before each sentence; the model is then asked
            for the ids of sentences instead of quotes. See `evidence.label`.
        label: The first of these labels, such as "[S1.1]".

    Raises:
        InputError: No passage has text (`no_passages`), the question is blank
            (`blank_question`) or no string (`bad_type`).

    >>> from groundedgen.aliases import assign
    >>> from groundedgen.passages import Passage
    >>> prompt = build("Are floods covered?", assign([Passage("p#4", "Floods are not covered.")]))
    >>> print(prompt.user)
    Boundary: <<boundary-1>>
    Source names: S1
    <<boundary-1>> passage S1
    Floods are not covered.
    <<boundary-1>> question
    Are floods covered?
    <<boundary-1>> end
    >>> read_back(prompt)
    (('S1', 'Floods are not covered.'),)
    """
    _check(question, aliases)
    heads = [_head(alias, aliases) for alias in aliases.names]
    words = briefing.QUOTING if labelled is None else briefing.BY_ID
    texts = aliases.docs if labelled is None else labelled
    earlier = [_line(turn) for turn in history]
    wrong = words.unknown.format(unknown=", ".join(map(_line, unknown))) if unknown else ""
    after = _repair_part(repair, kept, wrong, texts)
    edge = fence([question, after, *earlier, *heads, *texts.values()])
    parts = [words.intro.format(fence=edge, names=", ".join(aliases.names), label=label)]
    parts += [
        f"{edge} {head}\n{texts[alias]}\n" for head, alias in zip(heads, aliases.names, strict=True)
    ]
    if earlier:
        parts.append(f"{edge} earlier questions, oldest first\n" + "\n".join(earlier) + "\n")
    parts.append(f"{edge} question\n{question}\n{edge} end")
    if after:
        parts.append(f"\n{after}")
    system = words.rules.format(max_statements=max_statements, min_words=min_words)
    return Prompt(system=system, user="".join(parts), version=PROMPT_VERSION)


def read_back(prompt: Prompt | str) -> tuple[tuple[str, str], ...]:
    """The passages of a prompt: (alias, text), the texts exactly as they were put in.

    A string is read as the `user` part, or as both parts one after the other. What is no prompt
    of ours has no passages.

    >>> read_back("<<boundary-1>> passage S1")
    ()
    """
    user = prompt if isinstance(prompt, str) else prompt.user
    return tuple((head.partition(_TITLED)[0], text) for head, text in _passages(user))


def titles(prompt: Prompt) -> dict[str, str]:
    """Alias -> the title that the prompt shows with a passage, for those that have one.

    >>> from groundedgen.aliases import assign
    >>> from groundedgen.passages import Passage
    >>> titles(build("Floods?", assign([Passage("p", "Not covered.", title="Home policy")])))
    {'S1': 'Home policy'}
    """
    heads = [head.partition(_TITLED) for head, _ in _passages(prompt.user)]
    return {alias: json.loads(title) for alias, _, title in heads if title}


def split(prompt: Prompt) -> tuple[str, str]:
    """The user part in two: the passages, and what differs from one question to the next.

    One after the other they are the user part again. For servers that are told how much of a
    prompt to cache: the first part is the same for every question and every repair of the same
    passages. A prompt without passages of ours has an empty first part.

    >>> from groundedgen.aliases import assign
    >>> from groundedgen.passages import Passage
    >>> first, rest = split(build("Are floods covered?", assign([Passage("p", "No.")])))
    >>> print(rest)
    <<boundary-1>> question
    Are floods covered?
    <<boundary-1>> end
    """
    user = prompt.user
    edge = _own_fence(user)
    if not edge or f"{edge} passage " not in user:
        return "", user
    at = user.find(f"{edge} ")
    while user.startswith("passage ", at + len(edge) + 1):
        at = user.find(f"{edge} ", at + 1)
    return (user, "") if at < 0 else (user[:at], user[at:])


def for_citations(prompt: Prompt, *, max_statements: int = 8) -> Prompt:
    """The same question to a model that cites natively: passages go beside it, as documents.

    Its rules ask for sentences instead of JSON; what is left of the user part is the earlier
    questions, the question and, in a second draft, what failed. The reply is read by `cited`.

    Args:
        prompt: As `build` wrote it.
        max_statements: The most sentences the model is asked for.

    >>> from groundedgen.aliases import assign
    >>> from groundedgen.passages import Passage
    >>> asked = for_citations(build("Are floods covered?", assign([Passage("p", "No.")])))
    >>> print(asked.user)
    Boundary: <<boundary-1>>
    <<boundary-1>> question
    Are floods covered?
    <<boundary-1>> end
    """
    passages, rest = split(prompt)
    if rest.endswith(f"\n{briefing.RULES}"):
        rest = rest.removesuffix(briefing.RULES) + briefing.CITING_RULES
    intro = briefing.CITING_INTRO.format(fence=_own_fence(prompt.user)) if passages else ""
    system = briefing.CITING.format(max_statements=max_statements, not_found=NOT_FOUND)
    return Prompt(system=system, user=intro + rest, version=prompt.version)


def _own_fence(user: str) -> str:
    """The boundary that a prompt declares, or "" if it is none of ours."""
    first = BOUNDARY.search(user)
    if first is None or not user.endswith("Boundary: ", 0, first.start()):
        return ""
    return first[0]


def _passages(user: str) -> list[tuple[str, str]]:
    """The passages of a user part: the rest of the boundary line, and the text."""
    edge = _own_fence(user)
    if not edge:
        return []
    parts = user.split(f"{edge} passage ")[1:]
    # What follows the last passage is cut off at the boundary that opens it.
    texts = [part.partition(edge)[0].partition("\n") for part in parts]
    return [(head, text[:-1]) for head, _, text in texts]


def _check(question: object, aliases: Aliases) -> None:
    if not isinstance(question, str):
        raise InputError(
            f"the question must be a string, got {type(question).__name__}", code="bad_type"
        )
    if not question.strip():
        raise InputError("the question is blank; nothing can be asked", code="blank_question")
    if not aliases.names:
        raise InputError(
            "no passage has any text, so there is nothing to answer from", code="no_passages"
        )


def _head(alias: str, aliases: Aliases) -> str:
    """The rest of a passage's boundary line: its alias and, where harmless, its title."""
    origins = aliases.origins(alias)
    title = next((p.title.strip() for p in origins if p.title and p.title.strip()), "")
    if (
        not title
        or "://" in title
        or any(_shows(title, name) for p in origins for name in (p.id, p.url))
    ):
        return f"passage {alias}"
    return f"passage {alias}{_TITLED}{_line(title[:_TITLE])}"


def _shows(title: str, name: str | None) -> bool:
    """Whether a title is really the id or link that the alias is there to hide."""
    return name is not None and (name == title or (len(name) > 5 and name in title))


def _line(text: str) -> str:
    """`text` as a JSON string on one line, letters of all scripts left readable."""
    return json.dumps(text, ensure_ascii=False).translate(_LINE_BREAKS)


def _repair_part(
    repair: Sequence[Finding], kept: Sequence[str], unknown: str, names: Collection[str]
) -> str:
    parts = []
    if failed := [finding for finding in repair if finding.index >= 0]:
        lines = "\n".join(_failed(finding, names) for finding in failed)
        parts.append(briefing.REPAIR.format(failed=lines))
    elif repair:
        why = briefing.REASONS.get(repair[0].reason, "it did not arrive whole")
        parts.append(briefing.NO_DRAFT.format(why=why))
    if unknown:
        parts.append(unknown)
    if kept:
        parts.append(briefing.KEPT.format(kept="\n".join(map(_line, kept))))
    return "".join([*parts, briefing.RULES]) if parts else ""


def _failed(finding: Finding, names: Collection[str]) -> str:
    """One failed statement as a line of JSON. The ids of passages are not for the model."""
    told = {
        "statement": finding.statement,
        # One whose text is no string can only be told by its place.
        "statement_number": 0 if finding.statement else finding.index + 1,
        "failed_because": briefing.REASONS.get(finding.reason, finding.message),
        "which": list(finding.details) if finding.reason in briefing.TELLING else [],
        "passage": finding.passage_id if finding.passage_id in names else "",
        "closest_real_text": finding.nearest,
    }
    fields = {name: value for name, value in told.items() if value}
    return json.dumps(fields, ensure_ascii=False).translate(_LINE_BREAKS)
