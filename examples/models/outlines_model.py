"""A model through Outlines: in this process, or on a server of your own.

    python examples/models/outlines_model.py Qwen/Qwen3-8B http://localhost:8000/v1

Needs `pip install 'groundedgen[outlines,openai]'`. Any other model of Outlines is passed in the
same way, as `outlines.from_transformers(model, tokenizer)`. The answer's `constraint` says what
really bound the model: source, quote and figures under a "grammar", and nothing under "none".
"""

import sys

import openai
import outlines

from groundedgen import Passage, ask, render

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
name = sys.argv[1] if len(sys.argv) > 1 else "Qwen/Qwen3-8B"
url = sys.argv[2] if len(sys.argv) > 2 else "http://localhost:8000/v1"

with openai.OpenAI(api_key="none", base_url=url) as client:
    model = outlines.from_vllm(client, name)
    answer = ask("Is a burst pipe covered?", passages, model=model, judge="llm", timeout=120)

print(render(answer, format="text"))
print(f"{answer.engine}, {answer.constraint}, judged by {answer.judge}")
