from __future__ import annotations

from groundedgen.gates import strip_markers
from tests.drivers.result import Result


def run(case):
    given, expect = case["input"], case["expect"]
    valid = given["n_sources"] if "n_sources" in given else given["ids"]
    result = strip_markers(given["text"], valid)
    must_accept = expect["text"] == given["text"]
    ok = result.text in [expect["text"], *expect.get("also_ok", [])]
    if ok and "all_fabricated" in expect:
        ok = result.all_fabricated == expect["all_fabricated"]
    return Result(ok, must_accept, f"{result.text!r}, all_fabricated={result.all_fabricated}")
