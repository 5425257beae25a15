"""What Anthropic's Messages API sends, in its current wire format: events of a stream, and errors.

Blocks of a reply are dicts made by `text`, `tool` and `citing`.
"""

from __future__ import annotations

import json

from tests.servers.loopback import Said

USAGE = {
    "input_tokens": 40,
    "cache_creation_input_tokens": 10,
    "cache_read_input_tokens": 50,
    "output_tokens": 1,
}
PING = b'event: ping\ndata: {"type": "ping"}\n\n'
REQUEST = "req_011CSHoEeqs5C35K2UUqR7Fy"


def event(kind, **data) -> bytes:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **data})}\n\n".encode()


def text(words, *citations) -> dict:
    """A block of text; one that is no string goes out as its JSON."""
    words = words if isinstance(words, str) else json.dumps(words)
    return {"type": "text", "text": words, "citations": list(citations)}


def tool(arguments, name="reply") -> dict:
    return {"type": "tool_use", "id": "toolu_1", "name": name, "input": arguments}


def citation(document, first, end, words, **fields) -> dict:
    """A place in a document of blocks: the blocks from `first` up to `end`."""
    return {
        "type": "content_block_location",
        "document_index": document,
        "document_title": None,
        "file_id": None,
        "start_block_index": first,
        "end_block_index": end,
        "cited_text": words,
        **fields,
    }


def cites(body, alias, words) -> dict:
    """The place in the documents of a request that holds these words, whole blocks of it."""
    documents = [b for b in body["messages"][0]["content"] if b["type"] == "document"]
    index = [document["title"] for document in documents].index(alias)
    blocks = [block["text"] for block in documents[index]["source"]["content"]]
    for size in range(1, len(blocks) + 1):
        for first in range(len(blocks) - size + 1):
            if words in "".join(blocks[first : first + size]):
                return citation(index, first, first + size, "".join(blocks[first : first + size]))
    raise AssertionError("no run of blocks holds the words")


def events(*blocks, stop="end_turn", details=None, usage=USAGE, output=20, ping=True):
    """The events of a whole message, each block's text in two deltas."""
    message = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": usage,
    }
    yield event("message_start", message=message)
    if ping:
        yield PING
    for index, block in enumerate(blocks):
        yield from _block(index, block)
    delta = {"stop_reason": stop, "stop_sequence": None, "stop_details": details}
    yield event("message_delta", delta=delta, usage={"output_tokens": output})
    yield event("message_stop")


def _block(index, block):
    begun, kind, name, words = block, "", "", ""
    if block["type"] == "tool_use":
        begun = block | {"input": {}}
        kind, name, words = "input_json_delta", "partial_json", json.dumps(block["input"])
    elif block["type"] == "text":
        begun = {"type": "text", "text": ""}
        kind, name, words = "text_delta", "text", block["text"]
    yield event("content_block_start", index=index, content_block=begun)
    half = len(words) // 2
    for part in filter(None, (words[:half], words[half:])):
        yield event("content_block_delta", index=index, delta={"type": kind, name: part})
    for cited in block.get("citations", ()):
        delta = {"type": "citations_delta", "citation": cited}
        yield event("content_block_delta", index=index, delta=delta)
    yield event("content_block_stop", index=index)


def says(*blocks, **options) -> Said:
    """A whole stream; what is no block is the text of one."""
    made = [b if isinstance(b, dict) and "type" in b else text(b) for b in blocks]
    return Said(chunks=list(events(*made, **options)))


def cut_off(*blocks, keep=1, reset=False, **options) -> Said:
    """A stream that ends in the middle: without its last `keep` events."""
    whole = says(*blocks, **options)
    return Said(chunks=list(whole.chunks)[: -keep or None], cut=reset)


def breaks(kind, *blocks, after=2, **options) -> Said:
    """A stream with status 200 that turns into an error event."""
    body = {"error": {"type": kind, "message": "secret words"}}
    return Said(chunks=[*list(says(*blocks, **options).chunks)[:after], event("error", **body)])


def fails(status, kind="api_error", message="secret words", *, details=None, **headers) -> Said:
    """An error in Anthropic's form; keyword headers are written with `_` for `-`."""
    error = {"type": kind, "message": message, **({"details": details} if details else {})}
    sent = {"request-id": REQUEST, **{k.replace("_", "-"): v for k, v in headers.items()}}
    return Said(status, {"type": "error", "error": error, "request_id": REQUEST}, sent)
