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


# What a judge can be


def test_a_model_that_only_cites_names_the_one_that_judges():
    pytest.importorskip("anthropic")
    writer = resolve.generator("anthropic-citations/claude-x")
    for which, given in (("llm", writer), ("anthropic-citations/claude-x", None)):
        with pytest.raises(InputError, match='give judge= "anthropic/claude-x"') as caught:
            resolve.judge(which, given)
        assert "cannot_judge" == caught.value.code


def test_a_writer_that_only_writes_has_another_judge_named():
    with pytest.raises(InputError, match="another model, or"):
        resolve.judge("llm", resolve.generator("extractive"))


def test_a_folder_that_is_named_without_its_kind_is_told_how(tmp_path):
    with pytest.raises(InputError) as caught:
        resolve.judge(str(tmp_path))
    assert f"write nli/{tmp_path}" in str(caught.value)
    assert "unknown_judge" == caught.value.code


def test_a_folder_that_is_not_there_is_told_as_that():
    pytest.importorskip("onnxruntime")
    with pytest.raises(InputError, match=r"no folder 'no-such-folder'.*model.onnx.*tokenizer.json"):
        resolve.judge("nli/no-such-folder")


@pytest.mark.parametrize("name", ["no-such-judge", "./no/such", "../x", "nli/", "/x", "x" * 5000])
def test_a_judge_that_nobody_knows_is_told_what_there_is(name):
    with pytest.raises(InputError, match=r"unknown judge.*nli/FOLDER") as caught:
        resolve.judge(name)
    assert "unknown_judge" == caught.value.code


def test_a_path_that_is_no_folder_is_told_as_both_that_it_could_be():
    pytest.importorskip("instructor")
    with pytest.raises(InputError, match=r"no such folder.*nli/FOLDER.*unknown model") as caught:
        resolve.judge("models/none")
    assert "unknown_judge" == caught.value.code


def test_a_folder_in_the_way_does_not_hide_a_model(tmp_path, monkeypatch):
    pytest.importorskip("openai")
    (tmp_path / "openai" / "m").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    assert "llm/openai/m" == resolve.name_of(resolve.judge("openai/m"))
