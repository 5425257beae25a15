from __future__ import annotations

import re
import sys
from pathlib import PurePath

import pytest

from groundedgen import resolve
from groundedgen.errors import InputError, MissingExtraError
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


def test_a_folder_is_an_nli_model_with_its_kind_before_it_and_without(tmp_path):
    pytest.importorskip("onnxruntime", reason="the extra `nli` is not installed")
    pytest.importorskip("onnx", reason="it writes the model")
    from tests.tinymodel import write_model

    folder = write_model(tmp_path / "my, model")
    names = {resolve.name_of(resolve.judge(f"{kind}{folder}")) for kind in ("", "nli/")}
    assert {"nli/my, model"} == names
    with pytest.raises(InputError, match=r"no model\.onnx in"):
        resolve.judge(str(tmp_path))


def test_names_with_commas_between_are_judges_in_a_row():
    made = resolve.judge("lexical:strict, lexical")
    assert "lexical-strict then lexical" == resolve.name_of(made)
    writer = ScriptedGenerator([])
    assert "lexical then llm/scripted" == resolve.name_of(resolve.judge("lexical,llm", writer))


@pytest.mark.parametrize("name", ["", " ", "lexical,", ",lexical", "lexical, ,lexical"])
def test_a_blank_name_of_a_judge_is_told_as_that(name):
    with pytest.raises(InputError, match="the name of a judge is blank; there are lexical"):
        resolve.judge(name)


@pytest.mark.parametrize("name", ["nli", "nli/"])
def test_a_kind_without_a_model_is_told_what_it_needs(name):
    with pytest.raises(InputError, match=r"it needs a model, nli/FOLDER with model\.onnx"):
        resolve.judge(name)


def test_a_folder_mistyped_without_the_extra_is_told_as_both(monkeypatch):
    def missing(*given):
        raise MissingExtraError("mistral/MODEL", extra="instructor")

    monkeypatch.setattr(resolve, "_model", missing)
    told = "no such folder as 'models/none', and as a model it needs an optional part"
    with pytest.raises(MissingExtraError, match=told):
        resolve.judge("models/none")


def test_a_folder_that_is_not_there_is_told_as_that():
    pytest.importorskip("onnxruntime")
    with pytest.raises(InputError, match=r"no folder 'no-such-folder'.*model.onnx.*tokenizer.json"):
        resolve.judge("nli/no-such-folder")


@pytest.mark.parametrize(
    "name", ["no-such-judge", "./no/such", "../no-such", "nli/", "/x", "x" * 5000]
)
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


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("OpenAI/gpt-5", "openai/gpt-5"),
        ("opnai/gpt-5", "openai/gpt-5"),
        ("vLLM/Qwen/Qwen3-8B", "vllm/Qwen/Qwen3-8B"),
        ("llama.cpp/q", "llamacpp/q"),
        ("llama-cpp/q", "llamacpp/q"),
        ("SGLang/q", "sglang/q"),
        ("Ollama/q", "ollama/q"),
        ("antropic/claude", "anthropic/claude"),
        ("anthropic_citations/claude", "anthropic-citations/claude"),
        ("Local/q.gguf", "local/q.gguf"),
        ("Local", "local"),
        ("Extractive", "extractive"),
    ],
)
def test_a_misspelt_model_is_told_the_one_that_was_meant(said, meant, monkeypatch):
    monkeypatch.setitem(sys.modules, "instructor", None)  # it is not needed for that
    with pytest.raises(InputError, match=f"did you mean '{re.escape(meant)}'") as caught:
        resolve.generator(said)
    assert "unknown_model" == caught.value.code


def test_a_misspelt_model_with_an_address_does_not_repeat_it():
    with pytest.raises(InputError, match="did you mean 'vllm/m@URL'") as caught:
        resolve.generator("vLLM/m@http://me:secret@host:8000/v1")
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    "path",
    [
        "x.gguf", "x.GGUF", "./x.gguf", "../models/x.gguf", "/abs/x.gguf", "~/x.gguf",
        "models/x.gguf", "C:/models/x.gguf", r"C:\models\x.gguf", r".\x.gguf", "./openai/x.gguf",
    ],
)  # fmt: skip
@pytest.mark.parametrize("there", [True, False])
def test_a_path_is_told_how_it_is_given_with_instructor_and_without(path, there, monkeypatch):
    if not there:
        monkeypatch.setitem(sys.modules, "instructor", None)
    told = f"unknown model {path!r}; a GGUF file is given as local/PATH: {'local/' + path!r}"
    for given in (path, PurePath(path)):
        with pytest.raises(InputError, match=re.escape(f"{told}") + r"\Z") as caught:
            resolve.generator(given)
        assert "unknown_model" == caught.value.code
        told = told.replace(repr(path), repr(str(PurePath(path))))
        told = told.replace(repr(f"local/{path}"), repr(f"local/{PurePath(path)}"))


@pytest.mark.parametrize("path", [".", "./model", "../model", "/srv/model", "~", "~/model"])
def test_a_path_of_no_gguf_file_is_told_as_a_path(path):
    with pytest.raises(InputError, match=f"unknown model '{path}'; it looks like a path"):
        resolve.generator(path)


@pytest.mark.parametrize("said", ["local/", "local/ ", "local/@http://me:secret@host:8000/v1"])
def test_a_local_model_without_a_file_is_told_both_ways_out(said):
    with pytest.raises(InputError, match=r"names no file; give local/PATH\.gguf, or local") as got:
        resolve.generator(said)
    assert repr(said.partition("@")[0])[:-1] in str(got.value)
    assert "secret" not in str(got.value)


@pytest.mark.parametrize(
    ("said", "meant"),
    [("local/ x.gguf", "local/x.gguf"), ("openai/m ", "openai/m"), ("vllm/ m@h:1", "vllm/m@URL")],
)
def test_blanks_round_a_model_are_told(said, meant):
    with pytest.raises(InputError, match=f"did you mean '{meant}'"):
        resolve.generator(said)


@pytest.mark.parametrize("said", ["vllm/@http://me:secret@h:1/v1", "/m@http://me:secret@h:1"])
def test_an_address_of_no_model_is_not_repeated(said):
    with pytest.raises(InputError, match="@URL") as caught:
        resolve.generator(said)
    assert "secret" not in str(caught.value)


def test_a_local_model_that_is_not_there_is_told_with_where_it_was_looked_for(
    tmp_path, monkeypatch
):
    pytest.importorskip("xllamacpp", reason="the extra `local` is not installed")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "small.gguf").write_bytes(b"GGUF")
    (tmp_path / "models").mkdir()
    for said, told in {
        "local/x": f"there is no file 'x' in {tmp_path}; give a GGUF file",
        "local/small": f"there is no file 'small' in {tmp_path}; did you mean 'small.gguf'?",
        "local/models": "'models' is a folder; name a GGUF file in it (it holds none)",
        "local/.": "'.' is a folder; name a GGUF file in it (there are small.gguf)",
        f"local/{tmp_path}/x.gguf": f"there is no file '{tmp_path}/x.gguf'; give a GGUF file",
        "local/\0": "cannot be read (ValueError)",
        "local/..": "is a folder",
    }.items():
        with pytest.raises(InputError, match=re.escape(told)) as caught:
            resolve.generator(said)
        assert "no_weights" == caught.value.code


@pytest.mark.parametrize("provider", ["azure_openai", "google", "mistral", "openrouter", "xai"])
def test_what_instructor_reaches_is_no_misspelling_of_ours(provider):
    pytest.importorskip("instructor")
    assert f"{provider}/m" == resolve.generator(f"{provider}/m").name


def test_no_provider_of_instructors_is_taken_for_one_of_ours():
    known = pytest.importorskip("instructor.auto_client").supported_providers
    assert [] == [p for p in known if resolve._meant(p, resolve.PROVIDERS)]


def test_a_provider_that_nobody_knows_is_told_ours_as_well():
    pytest.importorskip("instructor")
    with pytest.raises(InputError, match=r"llamacpp, local, ollama.*instructor reaches.*cohere"):
        resolve.generator("lm-studio/m")


@pytest.mark.parametrize(("said", "meant"), [("Lexical", "lexical"), ("LLM", "llm")])
def test_a_misspelt_judge_is_told_the_one_that_was_meant(said, meant):
    with pytest.raises(InputError, match=f"did you mean '{meant}'"):
        resolve.judge(said)


@pytest.mark.parametrize("which", [["lexical"], ("lexical",)])
def test_a_list_of_one_judge_is_that_judge(which):
    assert "lexical" == resolve.judge(which).name


@pytest.mark.parametrize("which", [[], (), [[]], ["lexical", []]])
def test_an_empty_list_of_judges_is_told_the_way_out(which):
    with pytest.raises(
        InputError, match=r'judge= holds no judge.*"lexical".*leave judge= out'
    ) as e:
        resolve.judge(which)
    assert "no_judge" == e.value.code
