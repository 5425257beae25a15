"""From the name of a generator or judge to the object, without importing any until asked.

The names stand here as text, so that this room stays below the adapters it names and
`import groundedgen` brings in no SDK.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

import regex

from groundedgen.errors import InputError
from groundedgen.ports import AsyncGenerator, AsyncJudge, Generator, Judge

__all__ = ["GENERATORS", "JUDGES", "PROVIDERS", "generator", "judge", "name_of"]

GENERATORS: Mapping[str, str] = {
    "extractive": "groundedgen.generators.extractive:ExtractiveGenerator",
}
JUDGES: Mapping[str, str] = {
    "lexical": "groundedgen.judges.lexical:LexicalJudge",
}
#: Provider -> a function from (model, url or None) to a generator. Whatever is not here is
#: left to instructor, which knows some twenty more.
PROVIDERS: Mapping[str, str] = {
    "anthropic": "groundedgen.generators.anthropic:from_name",
    "anthropic-citations": "groundedgen.generators.anthropic:citations_from_name",
    "llamacpp": "groundedgen.generators.openai:llamacpp",
    "local": "groundedgen.generators.llamacpp:from_name",
    "ollama": "groundedgen.generators.openai:ollama",
    "openai": "groundedgen.generators.openai:from_name",
    "sglang": "groundedgen.generators.openai:sglang",
    "vllm": "groundedgen.generators.openai:vllm",
}
#: What of a model string is an address, whether or not it can be one: what follows an "@" and has
#: a scheme, or ends with a port. Names of models hold an "@" too ("claude-3@20240307").
_ADDRESS: Final = regex.compile(
    r"(?s)@(\s*(?:https?\b|[A-Za-z][\w+.-]*:/|[^@]*:\d{1,5}(?:/|$)).*|\s*$)"
)
_OTHERS = "groundedgen.generators.instructor:from_name"
_CALLING = "groundedgen.generators.calling:CallingGenerator"
_OUTLINES = "groundedgen.generators.outlines:OutlinesGenerator"
_LLM_JUDGE = "groundedgen.judges.llm:LLMJudge"
_NLI_JUDGE = "groundedgen.judges.nli:NLIJudge"
_ENSEMBLE = "groundedgen.judges.ensemble:EnsembleJudge"


def generator(model: object) -> Generator | AsyncGenerator:
    """The generator a caller means by `model=`.

    Args:
        model: A name ("extractive"), a model string ("openai/gpt-5-mini",
            "vllm/Qwen/Qwen3-8B@http://localhost:8000/v1"), an object with `generate` or
            `agenerate`, a model of Outlines, or a function `(system, user) -> str`, which may be
            asynchronous.

    Raises:
        InputError: No generator has that name, or the object is none of these.
        MissingExtraError: The provider's SDK is not installed.

    >>> generator("extractive").name
    'extractive'
    >>> generator(lambda system, user: "").name
    'callable'
    """
    if isinstance(model, str):
        return _model(model)
    if any(kind.__module__.startswith("outlines.models.") for kind in type(model).__mro__):
        return _generator(_OUTLINES, model)  # its own generate() is of another kind
    if isinstance(model, Generator | AsyncGenerator) and not isinstance(model, type):
        return model
    if callable(model) and not isinstance(model, type):
        return _generator(_CALLING, model)
    raise InputError(
        f"model= takes a name, an object with generate() or agenerate(), or a function "
        f"(system, user) -> str; got {type(model).__name__}",
        code="bad_type",
    )


def _model(name: str) -> Generator | AsyncGenerator:
    if name in GENERATORS:
        return _generator(GENERATORS[name])
    if name == "local":  # the weights of an installed package; "local/PATH.gguf" is below
        return _generator(PROVIDERS[name])
    provider, slash, rest = name.partition("/")
    at = _ADDRESS.search(rest)
    model = rest[: at.start()] if at else rest
    if not slash or not provider or not model or model != model.strip():
        known = ", ".join((*sorted(GENERATORS), *(f"{p}/MODEL" for p in sorted(PROVIDERS))))
        raise InputError(
            f"unknown model {name!r}; there are {known}, and PROVIDER/MODEL for what instructor "
            f"reaches; in Python, pass an object of your own",
            code="unknown_model",
        )
    if provider in PROVIDERS:
        return _generator(PROVIDERS[provider], model, at[1] if at else None)
    if at:
        raise InputError(
            f"{provider}/MODEL takes no address; a server that speaks OpenAI's protocol is "
            f"openai/MODEL@http://HOST:PORT/v1",
            code="unknown_model",
        )
    return _generator(_OTHERS, name)


def judge(which: object, writer: Generator | AsyncGenerator | None = None) -> Judge | AsyncJudge:
    """The judge a caller means by `judge=`.

    Args:
        which: "lexical"; "llm", the model that writes the draft; a model string as for
            `generator`; "nli/FOLDER_OR_HUB_ID"; an object with `judge` or `ajudge`; a function
            `(system, user) -> str`; or a list of these, cheapest first.
        writer: What "llm" means.

    Raises:
        InputError: No judge has that name, or the object is none of these.
        MissingExtraError: What the judge needs is not installed.

    >>> judge("lexical").name
    'lexical'
    """
    if isinstance(which, str):
        return _judge(which, writer)
    if isinstance(which, list | tuple):
        parts = [judge(part, writer) for part in which]
        return _judging(_ENSEMBLE, parts)
    if isinstance(which, Judge | AsyncJudge) and not isinstance(which, type):
        return which
    if callable(which) and not isinstance(which, type):
        return _judging(_LLM_JUDGE, generator(which))
    raise InputError(
        f"judge= takes a name, an object with judge() or ajudge(), a function "
        f"(system, user) -> str, or a list of these; got {type(which).__name__}",
        code="bad_type",
    )


def _judge(name: str, writer: Generator | AsyncGenerator | None) -> Judge | AsyncJudge:
    if name in JUDGES:
        return _judging(JUDGES[name])
    if name.startswith("nli/") and len(name) > len("nli/"):
        return _judging(_NLI_JUDGE, name[len("nli/") :])
    if name == "llm" and writer is not None:
        _check_judging(writer)
        return _judging(_LLM_JUDGE, writer)
    if name == "llm":
        raise InputError(
            'judge="llm" means the model that writes, and there is none here; '
            "name one as PROVIDER/MODEL",
            code="unknown_judge",
        )
    provider, slash, model = name.partition("/")
    if provider not in PROVIDERS and _is_folder(name):
        raise InputError(
            f"unknown judge {name!r}; for an NLI model in this folder write nli/{name}",
            code="unknown_judge",
        )
    if slash and provider.strip(".") and model and provider != "nli":
        return _judging(_LLM_JUDGE, _able(name))
    raise InputError(
        f"unknown judge {name!r}; there are {', '.join(sorted(JUDGES))}, llm, nli/FOLDER and "
        f"PROVIDER/MODEL; in Python, pass an object of your own",
        code="unknown_judge",
    )


def _is_folder(name: str) -> bool:
    with suppress(OSError, ValueError):  # too long a name, or one with a null in it
        return Path(name).is_dir()
    return False


def _able(name: str) -> Generator | AsyncGenerator:
    """The model of a judge's name; whoever meant a folder is told that there is none."""
    try:
        writer = _model(name)
    except InputError as error:
        if error.code != "unknown_model" or name.partition("/")[0] in PROVIDERS:
            raise
        raise InputError(
            f"unknown judge {name!r}: there is no such folder (an NLI model's is nli/FOLDER), and "
            f"as a model: {error}",
            code="unknown_judge",
        ) from None
    _check_judging(writer)
    return writer


def _check_judging(writer: Generator | AsyncGenerator) -> None:
    """Name the model that can judge, where a model that writes drafts only has one of that kind.

    Raises:
        InputError: It writes nothing but drafts.
    """
    if not getattr(writer, "only_drafts", False):
        return
    name = name_of(writer)
    provider, _, model = name.partition("/")
    able = provider.removesuffix("-citations")
    instead = f'"{able}/{model}"' if model and able != provider else 'another model, or "lexical"'
    raise InputError(
        f"{name} only writes drafts and cannot judge; give judge= {instead}", code="cannot_judge"
    )


def name_of(part: object) -> str:
    """What to call a generator or judge in an answer: its `name`, or else its class."""
    name = getattr(part, "name", None)
    return name if isinstance(name, str) and name else type(part).__name__


# An adapter is imported now, and says itself which extra it needs.
def _generator(place: str, *given: object) -> Generator | AsyncGenerator:
    made: Generator | AsyncGenerator = pkgutil.resolve_name(place)(*given)
    return made


def _judging(place: str, *given: object) -> Judge | AsyncJudge:
    made: Judge | AsyncJudge = pkgutil.resolve_name(place)(*given)
    return made
