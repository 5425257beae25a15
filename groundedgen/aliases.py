"""Short names for passages: the model sees `S1` to `Sn`, never an id of the caller's.

Ids are long, alike and sometimes secret; a model miscopies them, and one wrong character
still looks like a citation. An alias that does not exist is seen at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from groundedgen.errors import InputError
from groundedgen.passages import Passage
from groundedgen.patterns import lazy
from groundedgen.text.names import Resolved, resolve

__all__ = ["Aliases", "Resolved", "assign", "resolve"]

# Something that can be seen, and so quoted: not a blank, a control or a format character
# (zero-width space, direction mark), nor half of a surrogate pair.
_VISIBLE = lazy(r"[^\s\p{Cc}\p{Cf}\p{Cs}]")


@dataclass(frozen=True, slots=True)
class Aliases:
    """The aliases of one call and what stands behind each.

    Attributes:
        names: "S1" to "Sn", in prompt order.
        docs: Alias -> the passage's own text, unchanged.
        langs: Alias -> language tag, for the aliases whose passage has one.
        ids: Alias -> id of its first passage.
        passages: Alias -> every passage with exactly this text, in the order given.
    """

    names: tuple[str, ...]
    docs: Mapping[str, str] = field(repr=False)
    langs: Mapping[str, str]
    ids: Mapping[str, str]
    passages: Mapping[str, tuple[Passage, ...]] = field(repr=False)

    def origins(self, alias: str) -> tuple[Passage, ...]:
        """All passages that carry this alias's text; at least one.

        Raises:
            KeyError: The alias was not assigned.
        """
        return self.passages[alias]


def assign(passages: Sequence[Passage]) -> Aliases:
    """Give every distinct text an alias, in the order of the passages.

    A passage without visible text gets none and shifts none. Passages with exactly the
    same text share an alias and all remain its origins. The same id again with the same
    text is the same passage.

    Raises:
        InputError: One id stands for two different texts (`duplicate_id`).

    >>> aliases = assign([Passage("p#4", "Pipes."), Passage("p#5", " "), Passage("p#9", "Floods.")])
    >>> aliases.ids
    {'S1': 'p#4', 'S2': 'p#9'}
    >>> [p.id for p in assign([Passage("a", "Same."), Passage("b", "Same.")]).origins("S1")]
    ['a', 'b']
    """
    groups: dict[str, list[Passage]] = {}
    for passage in _distinct(passages):
        if _VISIBLE.search(passage.text):
            groups.setdefault(passage.text, []).append(passage)
    named = {f"S{number}": tuple(group) for number, group in enumerate(groups.values(), 1)}
    return Aliases(
        names=tuple(named),
        docs={alias: group[0].text for alias, group in named.items()},
        langs={alias: lang for alias, group in named.items() if (lang := _lang(group))},
        ids={alias: group[0].id for alias, group in named.items()},
        passages=named,
    )


def _distinct(passages: Sequence[Passage]) -> list[Passage]:
    """The passages without exact repeats of one id."""
    seen: dict[str, Passage] = {}
    for passage in passages:
        first = seen.setdefault(passage.id, passage)
        if first.text != passage.text:
            raise InputError(
                f"passage id {passage.id!r} stands for two different texts "
                f"({len(first.text)} and {len(passage.text)} code points); give each its own id",
                code="duplicate_id",
            )
    return list(seen.values())


def _lang(group: tuple[Passage, ...]) -> str | None:
    return next((passage.lang for passage in group if passage.lang), None)
