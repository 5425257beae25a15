"""A Claude model writes the draft in the agreed JSON.

Needs `pip install 'groundedgen[anthropic]'` and a key in ANTHROPIC_API_KEY.
"""

import os

import anthropic

from groundedgen import Passage, ask, render
from groundedgen.generators.anthropic import AnthropicGenerator

passages = [
    Passage(
        "policy#3",
        "Water damage from a burst pipe is covered up to 12,000 euros per claim.",
        title="Home policy, section 3",
    ),
    Passage(
        "policy#4",
        "Flood damage is not covered. The deductible is 500 euros for each loss.",
        title="Home policy, section 4",
    ),
]
client = anthropic.Anthropic()
model = AnthropicGenerator(client, model=os.environ.get("ANTHROPIC_MODEL", "claude-sonnet-5-5"))

answer = ask("Is a burst pipe covered?", passages, model=model, judge="llm", timeout=60)

print(render(answer, format="text"))
print(f"{answer.engine}, {answer.response_format}, judged by {answer.judge}")
print(f"{answer.usage.cached_input_tokens} of {answer.usage.input_tokens} input tokens were cached")
