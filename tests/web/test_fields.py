"""The fields that the documentation lists are the fields that are sent."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from groundedgen import astream
from groundedgen.streaming import Event
from groundedgen.testing import ScriptedJudge
from groundedgen.web.events import ForReader
from tests.streams import StreamingGenerator, Try
from tests.test_flow import ALSO_GOOD, GOOD, PASSAGES, QUESTION
from tests.test_streaming import DOWN, parts

PAGE = (Path(__file__).parents[2] / "docs" / "streaming.md").read_text(encoding="utf-8")
SECTION = PAGE.partition("### The fields of each event")[2].partition("### ")[0]
ROWS = dict(re.findall(r"^\| (.+?) \| (.+) \|$", SECTION, re.MULTILINE))


def listed(row):
    plain = re.sub(r"\(.*?\)", "", ROWS[row])
    return set(re.findall(r"`(\w+)`", plain))


def told(*tries, **options):
    async def read():
        model, judge = StreamingGenerator(list(tries)), ScriptedJudge("supported")
        events = astream(QUESTION, PASSAGES, model=model, judge=judge, **options)
        return {one.name: one.data async for one in ForReader().all(events)}

    return asyncio.run(read())


DATA = told(Try(parts(GOOD, ALSO_GOOD)), mode="optimistic") | {
    "failed": told(Try([], DOWN))["failed"],
    "withdrawn": asyncio.run(ForReader().told(Event("withdrawn", claim=1))).data,
}
DONE = DATA["done"]


@pytest.mark.parametrize(
    ("row", "data"),
    [
        *((f"`{name}`", DATA[name]) for name in ("statement", "done", "failed", "unverified")),
        ("`verified`, `withdrawn`", DATA["verified"]),
        ("`verified`, `withdrawn`", DATA["withdrawn"]),
        ("of `statements`", DONE["statements"][0]),
        ("of `citations`", DONE["statements"][0]["citations"][0]),
        ("of `sources`", DONE["sources"][0]),
        ("of `quotes`", DONE["sources"][0]["quotes"][0]),
    ],
)
def test_the_fields_that_are_listed_are_those_that_are_sent(row, data):
    assert listed(row) == set(data)


def test_the_fields_of_passages_are_those_that_are_sent():
    assert listed("`passages`") == {"passages", *DATA["passages"]["passages"][0]}
