"""Entailment by a cross-encoder: any sequence-classification model exported to ONNX.

Needs the extra `nli` (onnxruntime and tokenizers, no torch) and a model; see `docs/judges.md`
for recipes. Nothing is downloaded uninvited, no text is ever cut.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import inf, isfinite
from pathlib import Path
from typing import Any, Final, Literal

import regex

from groundedgen.deadlines import remaining
from groundedgen.errors import InputError
from groundedgen.judges.classes import Shares, read_classes
from groundedgen.judges.crossencoder import CrossEncoder, ModelFolder, check_providers
from groundedgen.judges.languages import foreign_to
from groundedgen.judges.premises import Premise, decide, weighed
from groundedgen.outages import MisuseError
from groundedgen.values import Pair, Verdict

__all__ = ["NLIJudge"]

_HUB_ID: Final = regex.compile(r"[\w-][\w.-]*/[\w.-]+")
#: Inputs per run. On one CPU thread 8 of like length are faster than 1, and than 32, whose
#: states no longer fit into the cache (`benchmarks/test_nli_bench.py`). On a GPU take more.
_BATCH: Final = 8
#: Seconds before the deadline of a call at which the judge ends: what it has must still arrive.
_RESERVE: Final = 0.1
_THRESHOLD: Final = 0.5
#: Shares of the room that windows fill, tried in turn: sentences may take more tokens together.
_FILLED: Final = (1.0, 0.9, 0.75, 0.5, 0.25)


class NLIJudge:
    """Judges with a cross-encoder that was trained on entailment.

    A passage that is longer than the model reads is read in windows of whole sentences that
    overlap, each behind the lines above that govern it; the claim is whole in each, and the quote,
    where the pair says where it stands, is whole in one, with its sentences. The best window's
    entailment counts, unless a contradiction is read in that window, in one that shares a sentence
    with it, in one that holds the quote, or in one that holds most words of the claim: then the
    contradiction wins. Nothing is ever cut: with a claim, or a sentence of the passage, that does
    not fit the verdict is `not_judged`, reason `too_long`; with a quote whose sentences do not fit,
    reason `quote_too_long`.

    A verdict's score is the model's probability of entailment, 0 to 1. Verdicts do not depend
    on which pairs are judged together; a pair for which the model gives no finite numbers is
    `not_judged`, reason `judge_bad_reply`. Files are looked for when the judge is made, the model
    is loaded by the first pair. One judge may be used from several threads.

    Args:
        model: A folder with `model.onnx` (or `onnx/model.onnx`), `tokenizer.json` and
            `config.json`; or a hub id ("owner/name"), looked for in the local cache.
        threshold: Least probability of entailment that supports, above 0, at most 1. 0.5 is
            what MiniCheck and HHEM are used with; pick a stricter one on labelled pairs with
            `groundedgen calibrate`.
        languages: Languages the model reads; a pair known to be in another is `not_judged`,
            reason `language`. `None` lets every pair through.
        labels: The meaning of the outputs in order, where the model's config does not say.
        template: A text with `{premise}` and `{claim}`, for models trained on one text instead
            of a pair, such as "{premise}</s>{claim}".
        max_tokens: Longest input; without it what the model's own files say.
        batch_size: Inputs per run. Without it 8, or 1 for a dynamically quantised model, whose
            results would depend on the others in the batch.
        threads: Threads of one run; 1 keeps results the same on every machine.
        providers: Execution providers of onnxruntime, best first.
        revision: Branch, tag or commit of a hub id.
        download: Whether a hub id may be fetched from the network.

    Raises:
        InputError: A file is missing; the labels say nothing about entailment; an argument is
            out of its range. The message says which.
        MissingExtraError: On import, without onnxruntime and tokenizers.
    """

    def __init__(
        self,
        model: str | Path,
        *,
        threshold: float = _THRESHOLD,
        languages: Sequence[str] | None = ("en",),
        labels: Sequence[str] | None = None,
        template: str | None = None,
        max_tokens: int | None = None,
        batch_size: int | None = None,
        threads: int = 1,
        providers: Sequence[str] = ("CPUExecutionProvider",),
        revision: str = "main",
        download: bool = False,
    ) -> None:
        _check(threshold, languages, template)
        _check_counts(max_tokens=max_tokens, batch_size=batch_size, threads=threads)
        installed = check_providers(providers)
        folder = ModelFolder(_root(model, revision, download=download))
        self.threshold = threshold
        self.name = _name(model, threshold)
        self._folder = folder
        self._classes = read_classes(folder.config, labels)
        self._languages = None if languages is None else tuple(languages)
        self._max_tokens = max_tokens or folder.max_tokens()
        self._batch = batch_size or (1 if folder.scales_by_batch() else _BATCH)
        self._loading = (template, threads, installed)
        self._lock = threading.Lock()
        self._loaded: CrossEncoder | None = None

    def judge(self, pairs: Sequence[Pair]) -> tuple[Verdict, ...]:
        """One verdict per pair, in order.

        At the deadline of the call what has been read stands; the rest is `not_judged`, reason
        `judge_timeout`.

        Raises:
            InputError: A file of the model cannot be read, the model cannot be run, or it does
                not give one number for each of its labels.
        """
        readings = self._read(pairs)
        inputs = [encoding for reading in readings for encoding in reading.inputs]
        shares = iter(self._shares(inputs))
        verdicts: list[Verdict] = []
        for reading in readings:
            found = [next(shares) for _ in reading.inputs]
            verdicts.append(reading.verdict or self._verdict(reading, found))
        return tuple(verdicts)

    def _read(self, pairs: Sequence[Pair]) -> list[_Reading]:
        premises: dict[str, Premise] = {}
        readings: list[_Reading] = []
        for pair in pairs:
            known = self._without_model(pair)
            if known is not None:
                readings.append(_Reading(verdict=known))
                continue
            if pair.premise not in premises:
                premises[pair.premise] = Premise.of(pair.premise, self._model().lengths)
            readings.append(self._windowed(premises[pair.premise], pair.claim, pair.quote))
        return readings

    def _without_model(self, pair: Pair) -> Verdict | None:
        """The verdict on a pair that needs none, or that this model cannot read."""
        if not pair.claim.strip() or not pair.premise.strip():
            return Verdict("not_addressed", 0.0, "There is no text to read.")
        if self._languages is None:
            return None
        for text in (pair.claim, pair.premise):
            found = foreign_to(self._languages, text)
            if found is not None:
                why = f"The text is in {found}; this judge reads {', '.join(self._languages)}."
                return Verdict("not_judged", None, why, reason="language")
        return None

    def _windowed(self, premise: Premise, claim: str, quote: tuple[int, int] | None) -> _Reading:
        """The inputs that cover the premise; or why there are none."""
        model = self._model()
        room = self._max_tokens - len(model.encode([("", claim)])[0].ids)
        held = premise.holding(quote) if quote else None
        if held and room > 0 and not self._fits([(premise.window(held), claim)]):
            return _Reading(verdict=_too_long("The claim and the quote's sentences do", "quote_"))
        for filled in _FILLED:
            planned = premise.planned(int(room * filled), held)
            if not planned.windows:
                return _Reading(verdict=_too_long("The claim and one sentence of the passage do"))
            bare = planned.bare
            texts = [premise.window(w, bare=w in bare) for w in planned.windows]
            inputs = model.encode([(text, claim) for text in texts])
            if any(not model.is_framed(e) for e in inputs):
                why = "The text holds control tokens of the model."
                return _Reading(verdict=Verdict("not_judged", None, why, reason="judge_refused"))
            if all(len(e.ids) <= self._max_tokens for e in inputs):
                evidence = premise.evidence(planned.windows, claim, held)
                unread = bool(planned.unread)
                return _Reading(inputs, planned.windows, unread, evidence, bare=bare)
        return _Reading(verdict=_too_long("The passage's sentences do"))

    def _fits(self, pairs: Sequence[tuple[str, str]]) -> bool:
        return all(len(e.ids) <= self._max_tokens for e in self._model().encode(pairs))

    def _shares(self, inputs: Sequence[Any]) -> list[Shares | None]:
        """What the model says to each input, those of like length run together.

        `None` for those that there was no time for; shares that are not finite where the model
        gave no finite numbers.
        """
        found: dict[int, Shares] = {}
        order = sorted(range(len(inputs)), key=lambda n: len(inputs[n].ids))
        for start in range(0, len(order), self._batch):
            if remaining(most=_RESERVE + 1) <= _RESERVE:  # type: ignore[operator]  # never None
                break
            chosen = order[start : start + self._batch]
            rows = self._model().logits([inputs[n] for n in chosen])
            found |= zip(chosen, map(self._share, rows), strict=True)
        return [found.get(n) for n in range(len(inputs))]

    def _share(self, row: Sequence[float]) -> Shares:
        if len(row) != len(self._classes.roles):
            raise MisuseError(
                f"the model gives {len(row)} numbers a pair, and there are "
                f"{len(self._classes.roles)} labels; pass labels= with one for each",
                code="bad_model",
            )
        return self._classes.shares(row) if all(map(isfinite, row)) else _NONE

    def _verdict(self, reading: _Reading, given: Sequence[Shares | None]) -> Verdict:
        windows, shares = reading.windows, [share for share in given if share is not None]
        if len(shares) < len(windows):
            return Verdict("not_judged", None, "There was no time to read it.", "judge_timeout")
        if _NONE in shares:
            why = "The model gave numbers that are not finite."
            return Verdict("not_judged", None, why, "judge_bad_reply")
        shares = weighed(windows, shares, reading.bare)
        label, place = decide(windows, shares, reading.evidence, self.threshold)
        if reading.unread and label != "contradicted":
            return _too_long("A sentence of the passage does")
        found = shares[place]
        part = f", in part {place + 1} of {len(windows)} of the passage" if len(windows) > 1 else ""
        why = (
            f"Entailment {found.entailment:.2f}, contradiction {found.contradiction:.2f}{part}; "
            f"{self.threshold:g} supports."
        )
        return Verdict(label, found.entailment, why)

    def _model(self) -> CrossEncoder:
        with self._lock:
            if self._loaded is None:
                self._loaded = CrossEncoder(self._folder, *self._loading)
            return self._loaded


@dataclass(frozen=True, slots=True)
class _Reading:
    """What is put to the model for one pair; or the verdict, where nothing is.

    `unread`: a sentence of the passage is in none of the windows. `bare`: windows that support
    nothing, see `premises.Plan`.
    """

    inputs: Sequence[Any] = ()
    windows: Sequence[tuple[int, int]] = ()
    unread: bool = False
    evidence: Collection[int] = ()
    verdict: Verdict | None = None
    bare: Collection[tuple[int, int]] = ()


#: What stands for the reading of an input for which the model gave no finite numbers.
_NONE: Final = Shares(inf, inf, inf)


def _too_long(what: str, which: Literal["", "quote_"] = "") -> Verdict:
    why = f"{what} not fit into what the model reads."
    return Verdict("not_judged", None, why, f"{which}too_long")


def _name(model: str | Path, threshold: float) -> str:
    """Another threshold is another judge: what was measured with one says nothing of the other."""
    text = str(model)
    name = text if _is_hub_id(model) else Path(model).resolve().name
    return f"nli/{name}" + ("" if threshold == _THRESHOLD else f" at {threshold:g}")


def _is_hub_id(model: str | Path) -> bool:
    hub = isinstance(model, str) and _HUB_ID.fullmatch(model) is not None
    return hub and not Path(model).is_dir()


def _root(model: str | Path, revision: str, *, download: bool) -> Path:
    if Path(model).is_dir():
        return Path(model)
    if not _is_hub_id(model):
        raise InputError(
            f"no folder {str(model)!r}; an NLI model is a folder with model.onnx, tokenizer.json "
            f"and config.json (see docs/judges.md), or a hub id such as 'owner/name'",
            code="no_model",
        )
    from groundedgen.judges import hub  # noqa: PLC0415 - a folder needs nothing of it

    return hub.folder_of(str(model), revision=revision, download=download)


def _check(threshold: float, languages: Sequence[str] | None, template: str | None) -> None:
    number = isinstance(threshold, int | float) and not isinstance(threshold, bool)
    if not number or not 0 < threshold <= 1:
        raise _wrong(f"threshold must be above 0 and at most 1, got {threshold!r}")
    if isinstance(languages, str) or (languages is not None and not languages):
        raise _wrong(f"languages must be a list such as ['en'], or None for any; got {languages!r}")
    fields = ("{premise}", "{claim}")
    if template is not None and (
        not isinstance(template, str) or any(template.count(field) != 1 for field in fields)
    ):
        raise _wrong("template must hold {premise} and {claim} once each")


def _check_counts(**counts: int | None) -> None:
    for name, count in counts.items():
        if count is not None and (type(count) is not int or count < 1):
            raise _wrong(f"{name} must be a whole number, 1 or more; got {count!r}")


def _wrong(message: str) -> InputError:
    return InputError(message, code="bad_argument")
