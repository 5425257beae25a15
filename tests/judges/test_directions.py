"""Which way a quantity goes, with its denials."""

from __future__ import annotations

import pytest

from groundedgen.judges.wording.directions import directions


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("rent rose", ["up"]),
        ("rent did not increase", ["same"]),
        ("no significant difference was seen", ["same", "same"]),
        ("a difference was seen", ["some"]),
        ("the groups were similar", ["same"]),
        ("the groups were not similar", ["some"]),
        ("significantly lower", ["down"]),
        ("rent is due", []),
    ],
)
def test_a_direction_is_read_with_its_denial(words, expected):
    found = [way for _, way in directions(words.split())]
    assert found == expected
