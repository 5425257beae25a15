"""What `make ask` runs: a question answered, one that is not, and three inventions stopped.

Needs no key and no network. Ends with an exit code other than 0 if anything that was
planted is shown, or if an answer is not what it should be.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text

from groundedgen import Answer, ask
from groundedgen.cli import main as command
from groundedgen.cli.show import Scope, answer_lines
from groundedgen.cli.terminal import Line, console, render, write
from groundedgen.interop.files import read_paths
from groundedgen.testing import ScriptedGenerator

if TYPE_CHECKING:
    from groundedgen.ports import Request

POLICY = Path(__file__).parent / "policy"
ANSWERED = "Is water damage from a burst pipe covered?"
NOT_ANSWERED = "Who pays for window cleaning?"

QUOTE = "Water damage from a burst pipe is covered up to £50,000 for any one event."
INVENTED = {
    "unknown_source": "The cost of a plumber at night is paid in full.",
    "quote_not_found": "A hotel is paid for from the first night on.",
    "number_mismatch": "The excess for escape of water is £250.",
}


def draft(request: Request) -> dict[str, object]:
    """A model's reply: one honest statement, an invented source, quote and figure."""
    page = next(alias for alias, text in request.docs.items() if "3. Escape of water" in text)
    statements = [
        (QUOTE, page, QUOTE),
        (INVENTED["unknown_source"], "S99", "We pay the cost of a plumber at night in full."),
        (INVENTED["quote_not_found"], page, "we pay for a hotel from the first night on"),
        (INVENTED["number_mismatch"], page, "The excess for escape of water is £350."),
    ]
    return {
        "status": "answered",
        "statements": [{"text": t, "sources": [s], "quote": q} for t, s, q in statements],
    }


def heading(text: str) -> None:
    lines = [Line(Text()), Line(Text(f"━━ {text}", "bold cyan")), Line(Text())]
    write(render(lines, console(sys.stdout)))


def faults(answer: Answer) -> list[str]:
    """What is wrong with the answer to the scripted draft; empty as it should be."""
    shown = " ".join(
        f"{s.text} {' '.join(c.quote for c in s.citations)}" for s in answer.statements
    )
    stopped = {finding.reason: finding for finding in answer.findings if not finding.kept}
    wrong = [f"shown: {text}" for text in INVENTED.values() if text in shown]
    wrong += [f"not stopped as {reason}" for reason in INVENTED if reason not in stopped]
    if [statement.text for statement in answer.statements] != [QUOTE]:
        wrong.append("the honest statement alone should be shown")
    return wrong


def main() -> int:
    heading(f"1. The documents answer: {ANSWERED}")
    answered = command(["ask", ANSWERED, str(POLICY)])

    heading(f"2. They do not answer: {NOT_ANSWERED}")
    not_answered = command(["ask", NOT_ANSWERED, str(POLICY)])

    heading("3. A model tells the truth once, and invents a source, a quote and a figure")
    passages = read_paths(POLICY / "home-policy.pdf")
    answer = ask(ANSWERED, passages, model=ScriptedGenerator([draft]))
    scope = Scope(passages=len(passages), asked=len(passages), files=1)
    write(render(answer_lines(answer, scope), console(sys.stdout)))

    wrong = faults(answer)
    if answered != 0:
        wrong.append(f"the first question ended with exit code {answered}, not 0")
    if not_answered != 3:
        wrong.append(f"the second question ended with exit code {not_answered}, not 3")
    heading("Planted: 3 inventions. Shown: none." if not wrong else "FAILED: " + "; ".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
