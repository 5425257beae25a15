from __future__ import annotations

from groundedgen.gates import quote_gate
from tests.drivers.result import Result


def run(case):
    given, expect = case["input"], case["expect"]
    docs = given["passages"]
    result = quote_gate(given["quote"], given["cited"], docs)
    found = result.verdict == "found"
    ok, why = found == expect["accept"], f"verdict is {result.verdict}"
    if found:
        slice_ = docs[given["cited"]][result.start : result.end]
        if slice_ != result.quote:
            return Result(False, expect["accept"], "offsets and quote differ")
        if ok and "source_text" in expect and result.quote != expect["source_text"]:
            return Result(False, True, f"the slice is {result.quote!r}")
    return Result(ok, expect["accept"], why)
