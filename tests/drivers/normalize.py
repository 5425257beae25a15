from __future__ import annotations

from groundedgen.gates import normalize
from groundedgen.text.search import find
from tests.drivers.result import Result


def run(case):
    """Equal: one normal form, or the matcher finds one whole in the other."""
    a, b = case["input"]["a"], case["input"]["b"]
    equal = normalize(a).text == normalize(b).text or _is_all_of(a, b) or _is_all_of(b, a)
    expected = case["expect"]["equal"]
    return Result(equal == expected, expected, f"equal is {equal}")


def _is_all_of(needle, haystack):
    hit = find(needle, haystack)
    if hit is None:
        return False
    rest = haystack[: hit.start] + haystack[hit.end :]
    return not any(character.isalnum() for character in rest)
