"""Measure the quote gate on quotes against text as PDF extractors give it.

Reads `pdf_quotes_dev.jsonl` from the folder named by GROUNDEDGEN_DATA, or from `../shared/data`
beside the repository. Prints how many true quotes are found, whether their offsets are right (the
slice without its typography is the quote without its own), how many false ones are, and each miss.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections import Counter
from pathlib import Path

from groundedgen.gates.quotes import quote_gate

FILE = "pdf_quotes_dev.jsonl"
LETTERS = {"ﬁ": "fi", "ﬂ": "fl", "ﬀ": "ff", "ﬃ": "ffi", "ﬄ": "ffl", "\xad": ""}


def data_folder() -> Path:
    here = Path(__file__).resolve().parent.parent
    return Path(os.environ.get("GROUNDEDGEN_DATA", here.parent / "shared" / "data"))


def letters(text: str) -> str:
    """Letters and digits only: enough to see whether a slice is the right place."""
    for ligature, spelled in LETTERS.items():
        text = text.replace(ligature, spelled)
    return re.sub(r"[\W_]+", "", text).lower()


def main() -> int:
    path = data_folder() / FILE
    if not path.exists():
        print(f"skipped: no {FILE} in {path.parent} (set GROUNDEDGEN_DATA)")
        return 0
    count: Counter[str] = Counter()
    for line in path.read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        result = quote_gate(case["quote"], "p", {"p": case["passage"]})
        found = result.verdict == "found"
        kind = "true" if case["verbatim"] else f"false ({case['edit']})"
        count[f"{kind}, {'found' if found else 'refused'}"] += 1
        right = letters(result.quote) == letters(case["quote"])
        if found and case["verbatim"] and not right:
            count["true, found at wrong offsets"] += 1
        if found != case["verbatim"] or (found and not right):
            print(f"{case['id']}: {kind}, {result.verdict}, damage {case['damage']}")
    for kind, number in sorted(count.items()):
        print(f"{number:5} {kind}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
