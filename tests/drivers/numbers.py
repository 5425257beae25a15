from __future__ import annotations

from groundedgen.gates import unsupported_numbers
from tests.drivers.result import Result


def run(case):
    given, expected = case["input"], case["expect"]["supported"]
    missing = unsupported_numbers(given["claim"], given["passage"], lang=given.get("lang"))
    return Result((not missing) == expected, expected, f"missing: {missing}")
