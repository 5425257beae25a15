from __future__ import annotations

from groundedgen.gates import span_gate
from tests.drivers.result import Result


def run(case):
    given, expect = case["input"], case["expect"]
    result = span_gate(
        given["doc_id"],
        given["start"],
        given["end"],
        given["docs"],
        chunk=given.get("chunk"),
        quote=given.get("quote"),
    )
    ok = result.accepted == expect["accept"]
    if ok and "text" in expect:
        ok = result.text == expect["text"]
    return Result(ok, expect["accept"], f"accepted={result.accepted} reason={result.reason}")
