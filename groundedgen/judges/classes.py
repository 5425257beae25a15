"""Which of a model's outputs means entailment: read from its own config, never guessed.

A three-way model may order its classes in any of six ways, and the wrong one would turn
contradictions into support. So a name that is not known is an error with a way out, not a
default. A scorer with one output counts only where its config says that a sigmoid belongs
on it and a name says what it scores: a reranker or a similarity model has one output too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp
from typing import Any, Final, Literal, NamedTuple

import regex

from groundedgen.errors import InputError

__all__ = ["Classes", "Shares", "read_classes"]

Role = Literal["entailment", "contradiction", "other"]

# What models call their classes, in small letters and without anything else.
_ROLES: Final[Mapping[Role, str]] = {
    "entailment": "entailment entailed entails entail supported supports support consistent "
    "factuallyconsistent attributable grounded faithful",
    "contradiction": "contradiction contradicted contradicts contradict contradictory refuted "
    "refutes refute",
    "other": "neutral notentailment nonentailment notentailed unentailed unsupported notsupported "
    "notsupport inconsistent notattributable ungrounded unfaithful hallucinated hallucination "
    "notenoughinfo notenoughinformation nei notaddressed notmentioned unrelated",
}
_NAMES: Final[Mapping[str, Role]] = {
    name: role for role, names in _ROLES.items() for name in names.split()
}
_FILLED_IN: Final = regex.compile(r"(?i)label_\d+")
_WAY_OUT: Final = (
    "pass labels= with a name for each output in order, such as "
    '("contradiction", "entailment", "neutral") or ("hallucinated", "consistent")'
)


class Shares(NamedTuple):
    """What a model gives each reading of one pair, 0 to 1; they add up to 1."""

    entailment: float
    contradiction: float
    other: float


@dataclass(frozen=True, slots=True)
class Classes:
    """What each output of a model means, in order. `sigmoid`: there is one, a logit of its own."""

    roles: tuple[Role, ...]
    sigmoid: bool = False

    def shares(self, logits: Sequence[float]) -> Shares:
        """The outputs of one pair as probabilities, rounded to six places.

        Rounded, since the same pair in a batch of another shape differs in the seventh.

        >>> Classes(("contradiction", "entailment", "other")).shares([0.0, 5.0, 0.0])
        Shares(entailment=0.986703, contradiction=0.006648, other=0.006648)
        >>> Classes(("entailment",), sigmoid=True).shares([0.0])
        Shares(entailment=0.5, contradiction=0.0, other=0.5)
        """
        if self.sigmoid:
            given = _softmax([logits[0], 0.0])[0]
            return Shares(round(given, 6), 0.0, round(1.0 - given, 6))
        parts = _softmax(logits)
        by_role = dict(zip(self.roles, parts, strict=True))
        return Shares(*(round(by_role.get(role, 0.0), 6) for role in _ROLES))


def _softmax(logits: Sequence[float]) -> list[float]:
    highest = max(logits)
    parts = [exp(logit - highest) for logit in logits]
    return [part / sum(parts) for part in parts]


def read_classes(config: Mapping[str, Any], labels: Sequence[str] | None = None) -> Classes:
    """The meaning of a model's outputs, from its `config.json`.

    Args:
        config: The model's config; `id2label` names its outputs (or else `label2id`).
        labels: Names that stand in for those, output by output, where the config has none
            that say anything ("LABEL_0").

    Raises:
        InputError: A name is unknown, two mean the same, none means entailment, `id2label` and
            `label2id` disagree, or a single output comes without a sigmoid.

    >>> read_classes({"id2label": {"0": "CONTRADICTION", "1": "Entailment", "2": "neutral"}}).roles
    ('contradiction', 'entailment', 'other')
    >>> read_classes({"label2id": {"not_entailment": 1, "entailment": 0}}).roles
    ('entailment', 'other')
    """
    names = list(labels) if labels is not None else _named(config)
    roles = tuple(_role(name) for name in names)
    if roles.count("entailment") != 1 or len(set(roles)) != len(roles):
        raise _refused(f"its outputs {_listed(names)} are not one entailment and its opposites")
    if config.get("problem_type") == "multi_label_classification" and len(roles) > 1:
        raise _refused("its config says multi_label_classification; the outputs exclude nothing")
    if len(roles) > 1:
        return Classes(roles)
    if not _has_sigmoid(config):
        raise _refused("it has one output and its config does not say that a sigmoid belongs on it")
    return Classes(roles, sigmoid=True)


def _named(config: Mapping[str, Any]) -> list[str]:
    """The names of the outputs, by their number."""
    by_id, by_name = config.get("id2label"), config.get("label2id")
    forth = {str(k): str(v) for k, v in by_id.items()} if isinstance(by_id, Mapping) else {}
    back = {str(v): str(k) for k, v in by_name.items()} if isinstance(by_name, Mapping) else {}
    if not isinstance(by_id, Mapping) and not isinstance(by_name, Mapping):
        raise _refused("its config has neither id2label nor label2id")
    # What exporters write where nobody gave names says nothing, so it contradicts nothing.
    given = [names for names in (forth, back) if names and not _is_filled_in(names)]
    if len(given) == 2 and not _is_same(forth, back):
        raise _refused("the id2label and the label2id of its config disagree")
    numbered = given[0] if given else forth or back
    wanted = [str(number) for number in range(len(numbered))]
    if not wanted or set(wanted) != numbered.keys():
        raise _refused("its config does not number its labels from 0")
    return [numbered[number] for number in wanted]


def _is_filled_in(names: Mapping[str, str]) -> bool:
    return all(_FILLED_IN.fullmatch(name) for name in names.values())


def _is_same(one: Mapping[str, str], other: Mapping[str, str]) -> bool:
    return {key: _plain(name) for key, name in one.items()} == {
        key: _plain(name) for key, name in other.items()
    }


def _plain(name: str) -> str:
    return "".join(c for c in name.casefold() if c.isalnum())


def _role(name: str) -> Role:
    role = _NAMES.get("".join(c for c in name.casefold() if c.isalpha()))
    # "LABEL_0" is all that many configs hold; a digit may also tell two classes apart.
    if role is None or any(c.isdigit() for c in name):
        raise _refused(f"its label {name[:40]!r} says nothing about entailment")
    return role


def _has_sigmoid(config: Mapping[str, Any]) -> bool:
    """Whether the config names a sigmoid: as sentence-transformers writes it, old and new."""
    trained = config.get("sentence_transformers")
    named = (
        config.get("sbert_ce_default_activation_function"),
        config.get("function_to_apply"),
        trained.get("activation_fn") if isinstance(trained, Mapping) else None,
    )
    return any(str(name).rsplit(".", 1)[-1].casefold() == "sigmoid" for name in named)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(repr(name[:40]) for name in names)


def _refused(what: str) -> InputError:
    return InputError(f"the model cannot be used as a judge: {what}; {_WAY_OUT}", code="bad_model")
