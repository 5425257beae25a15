"""A model that tells one truth and one lie, and a judge that knows which, behind both wire formats.

What the examples and the README's code talk to: `POST /v1/chat/completions` as OpenAI's
servers answer it, `POST /v1/messages` as Anthropic's do, with and without citations.
"""

from __future__ import annotations

import json
import re

from tests.servers import anthropic_wire, openai_wire

TRUE = "A burst pipe's water damage is covered, up to 12,000 euros for each claim."
FALSE = "A hotel is paid for."
DRAFT = {
    "status": "answered",
    "statements": [
        {"text": TRUE, "sources": ["S1"],
         "quote": "Water damage from a burst pipe is covered up to 12,000 euros per claim."},
        {"text": FALSE, "sources": ["S1"], "quote": "we pay for a hotel from the first night on"},
    ],
}  # fmt: skip


def _words(content):
    return content if isinstance(content, str) else "".join(p.get("text", "") for p in content)


def _reply(asked):
    """A draft with one lie, or the true labels of the claims that are asked about."""
    said = json.dumps(asked.body)
    if "You check claims" not in said:
        return DRAFT
    claims = re.findall(r"claim (C\d+)\n(.*)", _words(asked.body["messages"][-1]["content"]))
    return {name: "supported" if claim == TRUE else "not_addressed" for name, claim in claims}


def answer(asked):
    """The response of either kind of server."""
    return _anthropic(asked) if asked.path.endswith("/messages") else _openai(asked)


def _openai(asked):
    return openai_wire.says(_reply(asked))


def _anthropic(asked):
    if "You check claims" in json.dumps(asked.body) or "documents" not in _kinds(asked.body):
        return anthropic_wire.says(anthropic_wire.text(_reply(asked)))
    place = anthropic_wire.cites(asked.body, "S1", "Water damage from a burst pipe is covered")
    cited = anthropic_wire.text(TRUE, place)
    return anthropic_wire.says(cited, anthropic_wire.text(f" {FALSE}"))


def _kinds(body):
    blocks = body["messages"][0]["content"]
    return {
        "documents" for block in blocks if isinstance(block, dict) and block["type"] == "document"
    }
