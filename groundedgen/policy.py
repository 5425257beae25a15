"""What to do with what the checks found. Every such decision is made here and nowhere else.

The flow asks `decide` after each round (one draft, all its checks). There are at most
two rounds: `decide` answers "regenerate" to the first one only.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Final, get_type_hints

from groundedgen.errors import PolicyError
from groundedgen.values import Finding, Reason, Status

__all__ = ["Decision", "Policy", "Regenerate", "Round", "Settle", "decide", "disputes"]

ENV_PREFIX = "GROUNDEDGEN_POLICY_"
_PRESETS = ("balanced", "strict", "internal")


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """How strict one call is. Frozen; made from a preset, a TOML file or the environment.

    Args:
        name: Shown in `Answer.versions`.
        min_quote_words: Fewest words that count as evidence, 1 to 50. Scripts without
            spaces count characters instead. 5 is the shortest run that is rarely in a
            text by accident.
        max_statements: Most statements one draft may hold, 1 to 50.
        remap: A quote that stands in exactly one other passage moves its statement
            there, where everything is checked anew; a finding says so.
        regenerate: Ask once more, naming what failed, when the core of the answer is lost.
        any_failure_withholds: One dropped statement withholds the whole answer, and so does one
            that stays and is contradicted by a passage it cites; see `disputes`.
        show_unverified: When the judge gives no verdict, show what passed every other
            check, each statement marked as not verified, instead of withholding it.
            For internal tools only: a reader will see text that no judge has read.

    Raises:
        PolicyError: A value is out of its range or of the wrong type.

    >>> Policy.strict().remap
    False
    >>> Policy.from_mapping({"preset": "strict", "min_quote_words": 8}).min_quote_words
    8
    """

    name: str = "balanced"
    min_quote_words: int = 5
    max_statements: int = 8
    remap: bool = True
    regenerate: bool = True
    any_failure_withholds: bool = False
    show_unverified: bool = False

    def __post_init__(self) -> None:
        for setting, kind in get_type_hints(Policy).items():
            value = getattr(self, setting)
            if type(value) is not kind:
                raise PolicyError(
                    f"policy setting {setting!r} must be {kind.__name__}, got {value!r}"
                )
        for setting in ("min_quote_words", "max_statements"):
            if not 1 <= getattr(self, setting) <= 50:
                raise PolicyError(
                    f"policy setting {setting!r} must be 1 to 50, got {getattr(self, setting)!r}"
                )
        if self.any_failure_withholds and self.show_unverified:
            raise PolicyError(
                "any_failure_withholds and show_unverified exclude each other: "
                "an unjudged statement is a failure"
            )

    @classmethod
    def balanced(cls) -> Policy:
        """Drop what fails, ask once more if that loses the core. The default."""
        return cls()

    @classmethod
    def strict(cls) -> Policy:
        """For law and finance: any failure withholds the answer and shows passages only.

        A passage that contradicts a statement which cites it is a failure, even where another one
        supports that statement: see `disputes`.
        """
        return cls(name="strict", remap=False, regenerate=False, any_failure_withholds=True)

    @classmethod
    def internal(cls) -> Policy:
        """For internal tools: without a judge, show text that is marked as not verified."""
        return cls(name="internal", show_unverified=True)

    @classmethod
    def from_mapping(cls, settings: Mapping[str, Any]) -> Policy:
        """A policy from names and values; `preset` names the one to start from.

        Raises:
            PolicyError: An unknown name, an unknown preset, or a value out of its range.
        """
        changes = dict(settings)
        preset = changes.pop("preset", "balanced")
        if preset not in _PRESETS:
            raise PolicyError(f"unknown policy preset {preset!r}; there are {', '.join(_PRESETS)}")
        known = [f.name for f in fields(cls)]
        unknown = sorted(set(changes) - set(known))
        if unknown:
            raise PolicyError(
                f"unknown policy setting {unknown[0]!r}; there are preset, {', '.join(known)}"
            )
        base: Policy = getattr(cls, preset)()
        return replace(base, **changes)

    @classmethod
    def from_toml(cls, path: str | os.PathLike[str]) -> Policy:
        """A policy from a TOML file, from its table `[policy]` where it has one.

        Raises:
            PolicyError: The file is no TOML, or as `from_mapping`.
            OSError: The file cannot be read.
        """
        import tomllib  # noqa: PLC0415  # few calls read a file

        try:
            document = tomllib.loads(Path(path).read_text(encoding="utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise PolicyError(f"{os.fspath(path)} is no TOML file: {error}") from error
        table = document.get("policy", document)
        if not isinstance(table, dict):
            raise PolicyError(f"{os.fspath(path)}: [policy] must be a table")
        try:
            return cls.from_mapping(table)
        except PolicyError as error:
            raise PolicyError(f"{os.fspath(path)}: {error}") from None

    @classmethod
    def from_env(cls, environ: Mapping[str, str] | None = None) -> Policy:
        """A policy from variables such as `GROUNDEDGEN_POLICY_MIN_QUOTE_WORDS=8`.

        Raises:
            PolicyError: An unknown variable with that prefix, or a value that does not read.
        """
        environ = os.environ if environ is None else environ
        kinds = get_type_hints(cls)
        settings = {
            key.removeprefix(ENV_PREFIX).lower(): value
            for key, value in environ.items()
            if key.startswith(ENV_PREFIX)
        }
        return cls.from_mapping(
            {
                name: _read_setting(name, value, kinds.get(name, str))
                for name, value in settings.items()
            }
        )


def _read_setting(name: str, value: str, kind: type[Any]) -> Any:
    if kind is bool:
        if value.lower() in {"1", "true", "yes", "on"}:
            return True
        if value.lower() in {"0", "false", "no", "off"}:
            return False
        raise PolicyError(f"{ENV_PREFIX}{name.upper()} must be true or false, got {value!r}")
    if kind is int:
        try:
            return int(value)
        except ValueError:
            raise PolicyError(
                f"{ENV_PREFIX}{name.upper()} must be a whole number, got {value!r}"
            ) from None
    return value


@dataclass(frozen=True, slots=True)
class Round:
    """What one draft came to.

    Attributes:
        attempt: 1 or 2.
        said_not_found: The model itself said that the passages do not answer.
        core: Whether the first drafted statement survived every check.
        core_unjudged: Whether it failed only because there was no verdict on it.
        kept: How many statements survived, those of an earlier round included.
        dropped: How many failed a check.
        unjudged: How many failed only because there was no verdict on them.
        disputed: How many findings say that a passage contradicts a statement that cites it and
            survived by another one.
    """

    attempt: int
    said_not_found: bool = False
    core: bool = False
    core_unjudged: bool = False
    kept: int = 0
    dropped: int = 0
    unjudged: int = 0
    disputed: int = 0


@dataclass(frozen=True, slots=True)
class Regenerate:
    """Ask for a second draft that names what failed."""


@dataclass(frozen=True, slots=True)
class Settle:
    """The call ends here, with this status and reason."""

    status: Status
    reason: Reason


Decision = Regenerate | Settle

_DISPUTES: Final = frozenset([("entailment", "contradicted"), ("numbers", "number_mismatch")])


def disputes(finding: Finding) -> bool:
    """Whether a passage says otherwise than a statement that cites it, and that stays.

    The judge found that it contradicts the statement, or it holds the quote with another number. A
    passage that merely does not say it, or does not hold the quote, is a citation too many: it is
    cut off, and what is shown rests on the others. One that says the opposite is a doubt about the
    answer itself: two sources of one draft cannot both be right, and a reader in law or finance,
    who never sees the one that was cut off, must not be shown a tick.

    >>> disputes(Finding("entailment", "contradicted", 0, "", kept=True))
    True
    >>> disputes(Finding("entailment", "not_addressed", 0, "", kept=True))
    False
    """
    return finding.kept and (finding.check, finding.reason) in _DISPUTES


def decide(policy: Policy, outcome: Round) -> Decision:
    """What one round of drafting and checking leads to.

    The core is the first statement: it answers the question, the others support it. An
    answer whose core is gone is no answer, however much else survived. A statement
    without a verdict is not supported, but neither is it refuted: asking the model
    again cannot bring the judge back, so that withholds.

    >>> decide(Policy(), Round(attempt=1, core=False, kept=2, dropped=1))
    Regenerate()
    >>> decide(Policy(), Round(attempt=2, core=False, kept=2, dropped=1))
    Settle(status='not_found', reason='core_lost')
    """
    if outcome.said_not_found:
        return Settle("not_found", "model_said_not_found")
    if policy.any_failure_withholds and outcome.unjudged:
        return Settle("withheld", "judge_unavailable")
    if policy.any_failure_withholds and (outcome.dropped or outcome.disputed):
        return Settle("withheld", "strict_policy")
    if outcome.core:
        return Settle("answered", "answered")
    if outcome.core_unjudged:
        return Settle("withheld", "judge_unavailable")
    if outcome.attempt == 1 and policy.regenerate:
        return Regenerate()
    if outcome.kept:
        return Settle("not_found", "core_lost")
    if outcome.unjudged:
        return Settle("withheld", "judge_unavailable")
    return Settle("not_found", "nothing_survived")
