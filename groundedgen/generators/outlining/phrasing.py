"""A call of an Outlines model: the prompt in the form it takes, its arguments by their names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from groundedgen.errors import MissingExtraError
from groundedgen.generators.outlining.dialects import Dialect, at, placed
from groundedgen.generators.replies.completions import sendable
from groundedgen.values import Prompt

try:
    from outlines.inputs import Chat
except ImportError as error:
    raise MissingExtraError("a model that Outlines reaches", extra="outlines") from error

__all__ = ["arguments", "end_ids", "phrased", "sampling"]


def phrased(model: Any, prompt: Prompt, *, system: bool = True) -> Any:
    """The prompt as this model takes it: a chat, or plain text where it has no template.

    Templates may know no system message (Gemma's does not): the rules then stand in front of
    the user's message. Which form a model takes is asked of Outlines' own formatting.

    Args:
        model: A model of Outlines.
        prompt: The words to send.
        system: Whether a system message may be tried.
    """
    rules, user = sendable(prompt.system), sendable(prompt.user)
    both = f"{rules}\n\n{user}" if rules else user
    adapter = getattr(model, "type_adapter", None)
    if not getattr(adapter, "has_chat_template", True):
        return both
    apart = [{"role": "system", "content": rules}, {"role": "user", "content": user}]
    together = [{"role": "user", "content": both}]
    chats = [Chat(apart), Chat(together)] if system and rules else [Chat(together)]
    return next((chat for chat in chats if _takes(adapter, chat)), both)


def _takes(adapter: Any, chat: Any) -> bool:
    try:
        adapter.format_input(chat)
    except Exception:  # noqa: BLE001  # templates and adapters say no in ways of their own
        return False
    return True


def arguments(
    model: Any,
    dialect: Dialect,
    options: Mapping[str, Any],
    *,
    limit: int | None,
    temperature: float | None,
    seconds: float | None,
) -> dict[str, Any]:
    """The arguments of a call, as the library below Outlines names them.

    Args:
        model: A model of Outlines.
        dialect: How it is asked.
        options: The caller's own arguments, which come before ours.
        limit: The most tokens of a reply.
        temperature: 0 for the most likely words.
        seconds: How long the call may take, for those that can be told.
    """
    named = {**dialect.extra, **options}
    wanted = [(dialect.tokens, limit), (dialect.temperature, temperature)]
    for path, value in wanted:
        if path and value is not None and at(named, path) is None:
            named = placed(named, path, value)
    if dialect.tokens == ("max_new_tokens",) and dialect.steered:
        return {**_of_transformers(model, temperature, seconds), **named}
    return named


def _of_transformers(
    model: Any, temperature: float | None, seconds: float | None
) -> dict[str, Any]:
    """What `generate` of transformers calls these things; it has a clock of its own."""
    named: dict[str, Any] = {"max_time": seconds} if seconds is not None else {}
    named |= {"eos_token_id": end_ids(model), "pad_token_id": model.tokenizer.pad_token_id}
    if temperature is None:
        return named
    sampled = {"do_sample": True, "temperature": temperature}
    return named | (sampled if temperature > 0 else {"do_sample": False})


def end_ids(model: Any) -> list[int]:
    """The ids of tokens that end a text: first the tokenizer's own, which grammars end with.

    A chat model may name others, and stop at none but those.
    """
    config = getattr(getattr(model, "model", None), "generation_config", None)
    named = getattr(config, "eos_token_id", None)
    others = named if isinstance(named, list | tuple) else [named]
    ids = [model.tokenizer.eos_token_id, *others]
    return list(dict.fromkeys(token for token in ids if isinstance(token, int)))


def sampling(model: Any, *, limit: int, temperature: float | None) -> Any:
    """The sampling parameters of vLLM in this process: the model's own defaults, and these two."""
    params = model.model.get_default_sampling_params()
    params.max_tokens = limit
    if temperature is not None:
        params.temperature = temperature
    return params
