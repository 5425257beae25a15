from __future__ import annotations

from groundedgen.gates import leaked_quotes
from tests.drivers.result import Result


def run(case):
    given, expected = case["input"], case["expect"]["leaked"]
    failed = [q["text"] for q in given["quotes"] if not q["verified"]]
    verified = [q["text"] for q in given["quotes"] if q["verified"]]
    leaks = leaked_quotes(given["answer"], failed, verified)
    return Result(bool(leaks) == expected, not expected, f"leaks: {len(leaks)}")
