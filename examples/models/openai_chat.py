"""An OpenAI model writes the draft and, in calls of its own, judges it.

Needs `pip install 'groundedgen[openai]'` and a key in OPENAI_API_KEY. OPENAI_BASE_URL and
OPENAI_MODEL say which server and model, if they are not OpenAI's own.
"""

import os

import openai

from groundedgen import Passage, ask, render
from groundedgen.generators.openai import OpenAIGenerator

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
client = openai.OpenAI()  # your client, with your settings; it is used as it is
model = OpenAIGenerator(client, model=os.environ.get("OPENAI_MODEL", "gpt-5-mini"))

answer = ask("Is a burst pipe covered?", passages, model=model, judge="llm", timeout=60)

print(render(answer, format="text"))
print(f"{answer.engine}, {answer.response_format}, judged by {answer.judge}")
print(f"{answer.usage.input_tokens} tokens in, {answer.usage.output_tokens} out")
