"""A Claude model cites natively; every place it cites is looked up again, then judged.

The model writes prose, the provider attaches the places. They exist by construction, but
whether the words there say what the sentence says is checked here like any other draft's.
Needs `pip install 'groundedgen[anthropic]'` and a key in ANTHROPIC_API_KEY.
"""

import os

import anthropic

from groundedgen import Passage, ask, render
from groundedgen.generators.anthropic import AnthropicCitations, AnthropicGenerator
from groundedgen.judges.llm import LLMJudge

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
name = os.environ.get("ANTHROPIC_MODEL", "claude-sonnet-5-5")
model = AnthropicCitations(client, model=name)
judge = LLMJudge(AnthropicGenerator(client, model=name))

answer = ask("Is a burst pipe covered?", passages, model=model, judge=judge, timeout=60)

print(render(answer, format="text"))
print(f"{answer.engine}, {answer.response_format}, judged by {answer.judge}")
