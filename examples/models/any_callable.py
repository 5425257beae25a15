"""Any function from two strings to one: whatever client you have, no adapter needed.

The first string is the rules (system prompt), the second the passages and the question.
Nothing binds the form of the reply, so whatever comes back is read strictly.
"""

import json
import os
import urllib.request

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


def my_model(system: str, user: str) -> str:
    """A plain HTTP call, here to a server that speaks OpenAI's protocol."""
    url = os.environ.get("MY_MODEL_URL", "http://localhost:8080") + "/v1/chat/completions"
    messages = [{"role": "system", "content": system}, {"role": "user", "content": user}]
    body = json.dumps({"model": "default", "messages": messages}).encode()
    request = urllib.request.Request(url, body, {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as response:
        return json.load(response)["choices"][0]["message"]["content"]


answer = ask("Is a burst pipe covered?", passages, model=my_model, judge=my_model, timeout=60)

print(render(answer, format="text"))
print(f"{answer.engine}, {answer.response_format}, judged by {answer.judge}")
