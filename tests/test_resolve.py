from __future__ import annotations

import pytest

from groundedgen import resolve
from groundedgen.errors import InputError
from groundedgen.testing import ScriptedGenerator, ScriptedJudge


@pytest.mark.parametrize("name", sorted(resolve.GENERATORS))
def test_every_named_generator_can_be_made(name):
    assert name == resolve.name_of(resolve.generator(name))


@pytest.mark.parametrize("name", sorted(resolve.JUDGES))
def test_every_named_judge_can_be_made(name):
    assert name == resolve.name_of(resolve.judge(name))


def test_an_object_is_taken_as_it_is():
    generator, judge = ScriptedGenerator([]), ScriptedJudge("supported")
    assert generator is resolve.generator(generator)
    assert judge is resolve.judge(judge)


@pytest.mark.parametrize("bad", [None, 3, object(), ScriptedGenerator, ScriptedJudge, {}])
def test_what_is_neither_is_a_clear_error(bad):
    with pytest.raises(InputError, match="generate"):
        resolve.generator(bad)
    with pytest.raises(InputError, match="judge"):
        resolve.judge(bad)


def test_a_part_without_a_name_is_called_by_its_class():
    class Mine:
        name = ""

    assert "Mine" == resolve.name_of(Mine())
