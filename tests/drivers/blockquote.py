from __future__ import annotations

from groundedgen.gates import demote_blockquotes
from tests.drivers.result import Result


def run(case):
    given, expect = case["input"], case["expect"]
    result = demote_blockquotes(given["answer"], given["sources"])
    ok = result.text in [expect["text"], *expect.get("also_ok", [])]
    ok = ok and result.demoted == expect["demoted"]
    return Result(ok, expect["demoted"] == 0, f"{result.text!r}, demoted={result.demoted}")
