"""A model on a server of your own: vLLM, Ollama, llama.cpp, SGLang, by its address.

    python examples/models/local_server.py vllm/Qwen/Qwen3-8B@http://localhost:8000/v1
    python examples/models/local_server.py ollama/llama3.1

Needs `pip install 'groundedgen[openai]'`, since all of them speak OpenAI's protocol. Run
`groundedgen doctor --model ...` first: it says what the server really does.
"""

import sys

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
model = sys.argv[1] if len(sys.argv) > 1 else "ollama/llama3.1"

answer = ask("Is a burst pipe covered?", passages, model=model, judge="llm", timeout=120)

print(render(answer, format="text"))
# What bound the model while it wrote, as it was seen to obey it; docs/local.md has the four words.
print(f"{answer.engine}, {answer.response_format}, constraint {answer.constraint}, ", end="")
print(f"judged by {answer.judge}")
