"""Every input case of a folder, run against the library.

`GROUNDEDGEN_CASES` names another folder in the same form; `GROUNDEDGEN_JUDGE` the judge
that premise-and-claim cases are put to (default: lexical). Undisputed cases must pass.
Disputed ones are run and reported apart, and never decide.

Cases that need a model and say "supported" are counted, not required: a judge that is
unsure must say so. Those that must be rejected are required of every judge.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.drivers import AREAS, Result

FOLDER = Path(os.environ.get("GROUNDEDGEN_CASES", Path(__file__).parent / "cases"))


def _load() -> list[dict[str, Any]]:
    files = sorted(FOLDER.glob("*.jsonl"))
    return [
        json.loads(line)
        for file in files
        for line in file.read_text(encoding="utf-8").splitlines()
        if line.strip()
    ]


CASES = _load()


def _required(case: dict[str, Any], result: Result) -> bool:
    return not case.get("disputable") and not (result.needs_model and result.must_accept)


def test_the_folder_holds_cases_of_known_areas_only():
    assert CASES, f"no *.jsonl in {FOLDER}"
    assert {case["area"] for case in CASES} <= set(AREAS)


def test_every_area_is_covered_by_the_default_folder():
    if "GROUNDEDGEN_CASES" in os.environ:
        pytest.skip("another folder may hold fewer areas")
    assert {case["area"] for case in CASES} == set(AREAS)


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_case(case, record_property):
    result = AREAS[case["area"]](case)
    record_property(
        "case",
        [
            case["area"],
            result.must_accept,
            bool(case.get("disputable")),
            result.ok,
            result.needs_model,
        ],
    )
    if _required(case, result):
        assert result.ok, f"{case['id']} ({case['kind']}): {result.why}; {case['why']}"
    elif not result.ok:
        kind = "disputed" if case.get("disputable") else "needs a better judge"
        pytest.xfail(f"{case['id']} ({kind}): {result.why}")
