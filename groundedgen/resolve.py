"""From the name of a generator or judge to the object, without importing any until asked.

The names stand here as text, so that this room stays below the adapters it names and
`import groundedgen` brings in no SDK.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping

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
    "ollama": "groundedgen.generators.openai:ollama",
    "openai": "groundedgen.generators.openai:from_name",
    "sglang": "groundedgen.generators.openai:sglang",
    "vllm": "groundedgen.generators.openai:vllm",
}
_OTHERS = "groundedgen.generators.instructor:from_name"
_CALLING = "groundedgen.generators.calling:CallingGenerator"
_LLM_JUDGE = "groundedgen.judges.llm:LLMJudge"
_NLI_JUDGE = "groundedgen.judges.nli:NLIJudge"
_ENSEMBLE = "groundedgen.judges.ensemble:EnsembleJudge"


def generator(model: object) -> Generator | AsyncGenerator:
    """The generator a caller means by `model=`.

    Args:
        model: A name ("extractive"), a model string ("openai/gpt-5-mini",
            "vllm/Qwen/Qwen3-8B@http://localhost:8000/v1"), an object with `generate` or
            `agenerate`, or a function `(system, user) -> str`, which may be asynchronous.

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
    provider, slash, rest = name.partition("/")
    model, at, url = rest.partition("@http")
    if not slash or not provider or not model.strip():
        known = ", ".join((*sorted(GENERATORS), *(f"{p}/MODEL" for p in sorted(PROVIDERS))))
        raise InputError(
            f"unknown model {name!r}; there are {known}, and PROVIDER/MODEL for what instructor "
            f"reaches; in Python, pass an object of your own",
            code="unknown_model",
        )
    address = f"http{url}" if at else None
    if provider in PROVIDERS:
        return _generator(PROVIDERS[provider], model, address)
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
        return _judging(_LLM_JUDGE, writer)
    if name == "llm":
        raise InputError(
            'judge="llm" means the model that writes, and there is none here; '
            "name one as PROVIDER/MODEL",
            code="unknown_judge",
        )
    if "/" in name:
        return _judging(_LLM_JUDGE, _model(name))
    raise InputError(
        f"unknown judge {name!r}; there are {', '.join(sorted(JUDGES))}, llm, nli/FOLDER and "
        f"PROVIDER/MODEL; in Python, pass an object of your own",
        code="unknown_judge",
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
