"""Both providers' streams in small pieces, as a model that is still writing sends them."""

from __future__ import annotations

import json

from tests.servers.anthropic_wire import event
from tests.servers.loopback import Said
from tests.servers.openai_wire import USAGE

DONE = b"data: [DONE]\n\n"


def data(body) -> bytes:
    return f"data: {json.dumps(body)}\n\n".encode()


def chunk(delta, finish_reason=None, **fields) -> bytes:
    """One chunk of a chat completion."""
    choice = {"index": 0, "delta": delta, "finish_reason": finish_reason}
    body = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    return data({**body, "choices": [choice], **fields})


def openai_parts(parts, finish_reason="stop", usage=USAGE):
    """The chunks of a whole completion that says these parts; no end without a finish reason."""
    made = [chunk({"role": "assistant", "content": ""})]
    made += [chunk({"content": part}) for part in parts]
    if finish_reason:
        made.append(chunk({}, finish_reason))
        if usage:
            made.append(data({"id": "c", "object": "chat.completion.chunk", "created": 1,
                              "model": "m", "choices": [], "usage": usage}))  # fmt: skip
        made.append(DONE)
    return made


def anthropic_parts(parts, stop="end_turn", *, tool=False):
    """The events of a whole message that says these parts; no end without a stop reason."""
    usage = {"input_tokens": 40, "output_tokens": 1}
    message = {
        "id": "m", "type": "message", "role": "assistant", "model": "m", "content": [],
        "stop_reason": None, "stop_sequence": None, "usage": usage,
    }  # fmt: skip
    block = {"type": "text", "text": ""}
    kind, name = "text_delta", "text"
    if tool:
        block = {"type": "tool_use", "id": "t", "name": "reply", "input": {}}
        kind, name = "input_json_delta", "partial_json"
    made = [event("message_start", message=message)]
    made.append(event("content_block_start", index=0, content_block=block))
    made += [
        event("content_block_delta", index=0, delta={"type": kind, name: part}) for part in parts
    ]
    if stop:
        made.append(event("content_block_stop", index=0))
        delta = {"stop_reason": stop, "stop_sequence": None}
        made.append(event("message_delta", delta=delta, usage={"output_tokens": 20}))
        made.append(event("message_stop"))
    return made


def overloaded(sdk) -> bytes:
    error = {"type": "overloaded_error", "message": "secret words"}
    return event("error", error=error) if sdk == "anthropic" else data({"error": error})


def streamed(sdk, parts, *, end="stop", more=(), **options) -> Said:
    """A response of either provider; `end=None` leaves it without one, `more` follows the parts."""
    if sdk == "anthropic":
        stop = {"stop": "end_turn", "length": "max_tokens"}.get(end, end)
        made = anthropic_parts(parts, stop)
    else:
        made = openai_parts(parts, end)
    return Said(chunks=[*made, *more], **options)
