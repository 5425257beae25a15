"""How each class of Outlines' models is asked: where the limit of a reply and the constraint go.

Outlines hides how a reply ended and what it cost; what the SDK below returned is overheard.
The classes are named here as text, so that nothing of an SDK is needed to know them.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final
from urllib.parse import urlsplit

from groundedgen.errors import MissingExtraError
from groundedgen.generators.constrained.rungs import Plan, Rung

try:
    from outlines.types import CFG, JsonSchema
except ImportError as error:
    raise MissingExtraError("a model that Outlines reaches", extra="outlines") from error

__all__ = ["Dialect", "Put", "at", "dialect_of", "is_own", "placed"]

Path = tuple[str, ...]
Put = Callable[[Plan], tuple[Any, dict[str, Any]]]
"""From a plan to Outlines' output type and further arguments of the call."""


def _grammar_type(plan: Plan) -> tuple[Any, dict[str, Any]]:
    return CFG(plan.grammar), {}


def _schema_type(plan: Plan) -> tuple[Any, dict[str, Any]]:
    return JsonSchema(plan.schema or {}), {}


def _google(plan: Plan) -> tuple[Any, dict[str, Any]]:
    return None, {
        "response_mime_type": "application/json",
        "response_json_schema": plan.schema,
    }


@dataclass(frozen=True, slots=True)
class Dialect:
    """What is particular to one class of models.

    Attributes:
        tokens: Where the most tokens of a reply are said, among the call's arguments.
        temperature: Where its temperature is.
        client: The attribute of the model that holds the SDK's object.
        heard: The method of that object that returns replies.
        fields: For each rung the ways of saying it, to be tried in this order.
        own: Whether it is a server of one's own, which may be told the words of passages in a
            schema; `None` where the address decides.
        system: Whether it takes a system message.
        local: Whether it runs in this process, one call at a time.
        steered: Whether a logits processor of ours binds it.
        batches: Whether several prompts, each with its constraint, go at once.
        served: Whether it is a server of OpenAI's form, reached by OpenAI's own client.
        limit: The most tokens of a reply where none is given; `None` leaves it to the server.
        extra: Further arguments of each call.
    """

    tokens: Path = ()
    temperature: Path = ()
    client: str = "client"
    heard: Path = ()
    fields: Mapping[Rung, tuple[Put, ...]] = field(default_factory=dict)
    own: bool | None = False
    system: bool = True
    local: bool = False
    steered: bool = False
    batches: bool = False
    served: bool = False
    limit: int | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)


_LOCAL_LIMIT: Final = 2048  # tokens; the libraries' own defaults are 16, 20, 100 and 256
_TYPED: Final[Mapping[Rung, tuple[Put, ...]]] = {"schema": (_schema_type,), "enum": (_schema_type,)}
_NEAR: Final = (".local", ".internal", ".lan", ".localhost", ".home.arpa")

_OLLAMA: Final = Dialect(
    tokens=("options", "num_predict"),
    temperature=("options", "temperature"),
    heard=("chat",),
    fields=_TYPED,
    own=True,
)
_TGI: Final = Dialect(
    tokens=("max_new_tokens",),
    heard=("text_generation",),
    fields=_TYPED,
    own=None,
    limit=_LOCAL_LIMIT,
    extra={"details": True},
)
_LMSTUDIO: Final = Dialect(
    tokens=("config", "maxTokens"), temperature=("config", "temperature"), fields=_TYPED, own=True
)
_MISTRAL: Final = Dialect(
    tokens=("max_tokens",), temperature=("temperature",), heard=("chat", "complete"), fields=_TYPED
)
_DOTTXT: Final = Dialect(tokens=("max_tokens",), fields=_TYPED)

_DIALECTS: Final[Mapping[str, Dialect]] = {
    "LlamaCpp": Dialect(
        tokens=("max_tokens",),
        temperature=("temperature",),
        own=True,
        local=True,
        steered=True,
        limit=_LOCAL_LIMIT,
    ),
    "Transformers": Dialect(
        tokens=("max_new_tokens",),
        own=True,
        local=True,
        steered=True,
        batches=True,
        limit=_LOCAL_LIMIT,
    ),
    "MLXLM": Dialect(
        tokens=("max_tokens",), own=True, local=True, steered=True, limit=_LOCAL_LIMIT
    ),
    "VLLMOffline": Dialect(
        client="model",
        heard=("chat",),
        fields={"lark": (_grammar_type,), **_TYPED},
        own=True,
        local=True,
        batches=True,
        limit=_LOCAL_LIMIT,
        extra={"use_tqdm": False},
    ),
    **dict.fromkeys(("VLLM", "AsyncVLLM", "SGLang", "AsyncSGLang"), Dialect(served=True, own=True)),
    **dict.fromkeys(("OpenAI", "AsyncOpenAI"), Dialect(served=True, own=None)),
    **dict.fromkeys(("Ollama", "AsyncOllama"), _OLLAMA),
    **dict.fromkeys(("TGI", "AsyncTGI"), _TGI),
    **dict.fromkeys(("LMStudio", "AsyncLMStudio"), _LMSTUDIO),
    "Mistral": _MISTRAL,
    "AsyncMistral": replace(_MISTRAL, heard=("chat", "complete_async")),
    **dict.fromkeys(("Dottxt", "AsyncDottxt"), _DOTTXT),
    "Gemini": Dialect(
        tokens=("max_output_tokens",),
        temperature=("temperature",),
        heard=("models", "generate_content"),
        fields={"enum": (_google,)},
    ),
    "Anthropic": Dialect(
        tokens=("max_tokens",), heard=("messages", "create"), system=False, limit=_LOCAL_LIMIT
    ),
}
_UNKNOWN: Final = Dialect(fields={"lark": (_grammar_type,), **_TYPED})


def dialect_of(model: object) -> Dialect:
    """How a model of Outlines is asked; one of a class of its own as the class it is made from.

    >>> from outlines.models import Ollama
    >>> dialect_of(Ollama(client=None)).tokens
    ('options', 'num_predict')
    """
    names = (kind.__name__ for kind in type(model).__mro__ if "outlines" in kind.__module__)
    return next((_DIALECTS[name] for name in names if name in _DIALECTS), _UNKNOWN)


def is_own(dialect: Dialect, model: Any) -> bool:
    """Whether a model may be told the words of passages in a schema, which a service might keep.

    Where the class does not say, a server at an address of this machine or network may.
    """
    if dialect.own is not None:
        return dialect.own
    client = getattr(model, "client", None)
    address = getattr(client, "base_url", None) or getattr(client, "model", None)
    return _is_near(str(address or ""))


def _is_near(address: str) -> bool:
    """Whether an address is of this machine or network, as it is written.

    >>> [_is_near(f"http://{host}/v1") for host in ("localhost:8000", "10.0.0.7", "gpu-box")]
    [True, True, True]
    >>> _is_near("https://api.openai.com/v1/"), _is_near("Qwen/Qwen3-8B")
    (False, False)
    """
    try:
        host = urlsplit(address).hostname or ""
    except ValueError:
        return False
    try:
        return ipaddress.ip_address(host).is_private
    except ValueError:
        name = host.rstrip(".")
        return bool(name) and ("." not in name or name.endswith(_NEAR))


def placed(arguments: Mapping[str, Any], path: Path, value: object) -> dict[str, Any]:
    """`arguments` with a value at a path; what stands beside it stays.

    >>> placed({"options": {"seed": 1}}, ("options", "num_predict"), 9)
    {'options': {'seed': 1, 'num_predict': 9}}
    """
    first, *rest = path
    below = arguments.get(first)
    inner = below if isinstance(below, Mapping) else {}
    return {**arguments, first: placed(inner, tuple(rest), value) if rest else value}


def at(arguments: Mapping[str, Any], path: Path) -> Any:
    """What stands at a path, `None` if nothing does.

    >>> at({"options": {"seed": 1}}, ("options", "seed")), at({}, ("options", "seed"))
    (1, None)
    """
    value: Any = arguments
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value
