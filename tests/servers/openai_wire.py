"""What an OpenAI-compatible server sends, in the current wire format of chat completions."""

from __future__ import annotations

import json

from tests.servers.loopback import Said

USAGE = {
    "prompt_tokens": 100,
    "completion_tokens": 20,
    "total_tokens": 120,
    "prompt_tokens_details": {"cached_tokens": 60},
}


def completion(content, *, finish_reason="stop", refusal=None, usage=USAGE, **message):
    """One chat completion; `content` that is no string goes out as its JSON."""
    if content is not None and not isinstance(content, str):
        content = json.dumps(content)
    said = {"role": "assistant", "content": content, "refusal": refusal, **message}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [
            {"index": 0, "finish_reason": finish_reason, "message": said, "logprobs": None}
        ],
        **({} if usage is None else {"usage": usage}),
    }


def says(content, **options) -> Said:
    return Said(body=completion(content, **options))


def fails(status, *, code=None, kind="error", message="failed", param=None, **headers) -> Said:
    """An error in OpenAI's form; keyword headers are written with `_` for `-`."""
    error = {"message": message, "type": kind, "code": code, "param": param}
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return Said(status, {"error": error}, sent)


def calls(content, *, finish_reason="tool_calls", refusal=None, usage=USAGE, name="Draft") -> Said:
    """A completion that calls a tool with `content`; with none where there is no content."""
    arguments = content if isinstance(content, str) else json.dumps(content)
    call = {"id": "call_1", "type": "function", "function": {"name": name, "arguments": arguments}}
    ends = {"finish_reason": finish_reason, "refusal": refusal, "usage": usage}
    return Said(body=completion(None, **ends, tool_calls=[call] if content is not None else None))
