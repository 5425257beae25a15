"""Replies of other APIs than chat completions, told apart by what they hold."""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundedgen.errors import ProviderError
from groundedgen.generators.replies.completions import Said
from groundedgen.generators.replies.othershapes import read_message
from groundedgen.values import Usage

ONE, OTHER = {"status": "not_found", "statements": []}, {"status": "answered", "statements": []}


def converse(*content, stop="end_turn"):
    """A reply of Bedrock's."""
    return {
        "output": {"message": {"role": "assistant", "content": list(content)}},
        "stopReason": stop,
        "usage": {"inputTokens": 10, "outputTokens": 7, "cacheReadInputTokens": 4,
                  "cacheWriteInputTokens": 2, "totalTokens": 23},
    }  # fmt: skip


def test_a_reply_of_bedrocks_is_its_text_without_its_thinking():
    thought = {"reasoningContent": {"reasoningText": {"text": json.dumps(OTHER)}}}
    said = read_message(converse(thought, {"text": json.dumps(ONE)}, stop="max_tokens"))
    assert Said(json.dumps(ONE), "max_tokens", None, Usage(16, 7, 4)) == said


@pytest.mark.parametrize(("second", "whole"), [(ONE, True), (OTHER, False)])
def test_two_calls_of_bedrocks_are_one_only_if_they_are_the_same(second, whole):
    calls = [{"toolUse": {"name": "Draft", "input": given}} for given in (ONE, second)]
    raw = read_message(converse(*calls)).raw
    assert (raw == json.dumps(ONE)) is whole


class Container(Mapping):
    """A mapping that is no dict, as Google's SDK makes them."""

    def __init__(self, given):
        self._given = given

    def __getitem__(self, name):
        return self._given[name]

    def __iter__(self):
        return iter(self._given)

    def __len__(self):
        return len(self._given)


def test_arguments_in_containers_of_an_sdk_are_read():
    args = Container({"status": "answered", "statements": [Container({"text": "A."})]})
    parts = [SimpleNamespace(text="", thought=None, function_call=SimpleNamespace(args=args))]
    candidate = SimpleNamespace(content=SimpleNamespace(parts=parts), finish_reason=None)
    raw = read_message(SimpleNamespace(candidates=[candidate])).raw
    assert {"status": "answered", "statements": [{"text": "A."}]} == json.loads(raw)


def test_a_blocked_prompt_of_googles_tells_why():
    feedback = SimpleNamespace(block_reason=SimpleNamespace(name="SAFETY"))
    said = read_message(SimpleNamespace(candidates=None, prompt_feedback=feedback))
    assert Said(None, "SAFETY") == said


def test_an_error_in_place_of_a_reply_is_a_failure_with_what_it_cost():
    failed = {"output": [], "error": {"code": "server_error", "message": "secret"},
              "usage": {"input_tokens": 3, "output_tokens": 1}}  # fmt: skip
    with pytest.raises(ProviderError) as caught:
        read_message(failed, "mine")
    assert ("secret" in str(caught.value), Usage(3, 1)) == (False, caught.value.wasted)


_NAMES = (
    "arguments args candidates content error finish_reason function_call input output parts "
    "refusal stop_reason text thought toolUse type usage message"
)
_ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3) | st.just("message"),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(_NAMES.split()), inner, max_size=4)
        | st.dictionaries(st.sampled_from(_NAMES.split()), inner, max_size=4).map(
            lambda fields: SimpleNamespace(**fields)
        )
    ),
    max_leaves=12,
)


@given(_ANY)
def test_whatever_comes_is_a_reply_or_a_failure(message):
    try:
        said = read_message(message)
    except ProviderError:
        return
    assert isinstance(said.raw, str | None)
    assert isinstance(said.finish_reason, str)
