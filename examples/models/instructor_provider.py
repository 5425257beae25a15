"""Whatever instructor reaches: Gemini, Mistral, Groq, Bedrock, LiteLLM and more.

    python examples/models/instructor_provider.py google/gemini-2.5-flash

Needs `pip install 'groundedgen[instructor]'` and the provider's own SDK and key. instructor's
own retries are off and nothing is rendered as a template; drafts are checked like all others.
"""

import sys

import instructor

from groundedgen import Passage, ask, render
from groundedgen.generators.instructor import InstructorGenerator

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
name = sys.argv[1] if len(sys.argv) > 1 else "google/gemini-2.5-flash"
model = InstructorGenerator(instructor.from_provider(name), name=name)

answer = ask("Is a burst pipe covered?", passages, model=model, judge="llm", timeout=60)

print(render(answer, format="text"))
print(f"{answer.engine}, {answer.response_format}, judged by {answer.judge}")
