"""What counts as a verdict, and that nothing else does."""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from groundedgen.judges.claimnames import claim_names
from groundedgen.judges.reading import LABELS, read_verdict, read_verdicts


def labels(raw, count):
    return [verdict.label for verdict in read_verdicts(raw, count)]


def reasons(raw, count):
    return [verdict.reason for verdict in read_verdicts(raw, count)]


@given(st.lists(st.sampled_from(LABELS), min_size=1, max_size=12), st.randoms())
def test_a_sound_reply_gives_each_claim_its_own_label_in_whatever_order(said, rng):
    items = list(zip(claim_names(len(said)), said, strict=True))
    rng.shuffle(items)
    assert said == labels(json.dumps(dict(items)), len(said))


@pytest.mark.parametrize(
    "wrapped",
    [
        '```json\n{"C1": "supported"}\n```',
        "<think>C1 is {supported}.</think>\n" + '{"C1": "supported"}',
        '\ufeff{"C1": "supported"}<|im_end|>',
        '{"C1": "SUPPORTED"}',
        '{"C1": " Supported "}',
    ],
)
def test_wrapping_that_has_one_meaning_is_taken_off(wrapped):
    assert ["supported"] == labels(wrapped, 1)


@pytest.mark.parametrize("written", ["not addressed", "NOT_ADDRESSED", "not-addressed"])
def test_a_label_may_be_spelt_as_servers_spell_enums(written):
    assert ["not_addressed"] == labels(json.dumps({"C1": written}), 1)


@pytest.mark.parametrize(
    "item",
    [
        "yes", "entailment", "true", "", "not_judged", "supported.", "-supported", "supported -",
        "unsupported", "not supported", "supported or partial", "sup ported", "LABEL_0",
        True, 1, None, 0.99, ["supported"], ["supported", "contradicted"], {"label": "supported"},
    ],
)  # fmt: skip
def test_a_bad_item_has_no_verdict_and_does_not_spoil_the_others(item):
    raw = json.dumps({"C1": "supported", "C2": item, "C3": "contradicted"})
    assert ["supported", "not_judged", "contradicted"] == labels(raw, 3)
    assert ["", "judge_bad_reply", ""] == reasons(raw, 3)


def test_a_missing_item_has_its_own_reason_and_does_not_spoil_the_others():
    raw = '{"C1": "supported", "C3": "partial"}'
    assert ["supported", "not_judged", "partial"] == labels(raw, 3)
    assert ["", "judge_missing_item", ""] == reasons(raw, 3)


@pytest.mark.parametrize(
    "raw",
    [
        "",
        "   ",
        "Both are supported.",
        "C1: supported\nC2: supported",
        "I can't help with that.",
        '["supported", "supported"]',
        '"supported"',
        "null",
        "NaN",
        '{"C1": "supported", "C2": "supported"',
        '{"C1": "supported", "C2": "suppor',
        "{'C1': 'supported', 'C2': 'supported'}",
        '{"C1": "supported", "C2": "supported"} {"C1": "partial", "C2": "partial"}',
        '{"C1": "supported", "C2": "supported"}\n{"C1": "supported", "C2": "supported"}',
        'They are {"C1": "supported", "C2": "supported"}',
        '{"C1": "supported", "C2": "supported"} I am sure.',
        '```json\n{"C1": "supported", "C2": "supported"}\n```\n```json\n{"C1": "partial"}\n```',
        '{"C1": "supported", "C1": "supported", "C2": "supported"}',
        '{"C1": "contradicted", "C2": "supported", "C1": "supported"}',
        '{"C1": "supported", "C2": "supported", "C3": "supported"}',
        '{"C1": "supported", "C2": "supported", "reason": "It says so."}',
        '{"C1": "supported", "C2": "supported", "C1 ": "partial"}',
        '{"c1": "supported", "c2": "supported"}',
        '{"1": "supported", "2": "supported"}',
        '{"label": "supported"}',
        '{"verdicts": {"C1": "supported", "C2": "supported"}}',
        "[" * 100_000,
    ],
)
def test_a_reply_of_another_shape_gives_no_verdict_at_all(raw):
    assert ["judge_bad_reply"] * 2 == reasons(raw, 2)
    assert ["not_judged"] * 2 == labels(raw, 2)


def test_no_reply_is_no_verdict():
    assert ["judge_missing_item"] * 2 == reasons(None, 2)


def exact(raw, count):
    """What Python's own JSON makes of a reply without any wrapping: an oracle that is obvious."""
    pairs = []

    def told(items):
        pairs.append(len(items) == len(dict(items)))
        return dict(items)

    try:
        reply = json.loads(raw, object_pairs_hook=told, strict=False)
    except (ValueError, RecursionError):
        return None
    if not isinstance(reply, dict) or not all(pairs) or set(reply) - set(claim_names(count)):
        return None
    return reply


WORDS = st.sampled_from([*LABELS, "Supported", "yes", "entailed", "supported ", "", "C1", "label"])
KEYS = st.sampled_from(["C1", "C2", "C3", "c1", "C01", "C 1", "label", "S1", "verdict", ""])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | WORDS | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS | st.text(), inner),
    max_leaves=6,
)
OBJECTS = st.dictionaries(KEYS, VALUES, max_size=4)


@st.composite
def mutated(draw):
    """A valid reply after a few cuts, doublings and swaps of pieces."""
    said = draw(st.lists(st.sampled_from(LABELS), min_size=1, max_size=3))
    raw = json.dumps(dict(zip(claim_names(len(said)), said, strict=True)))
    for _ in range(draw(st.integers(1, 3))):
        a, b = sorted(draw(st.tuples(*[st.integers(0, len(raw))] * 2)))
        piece = draw(st.sampled_from(["", raw[a:b] * 2, raw[a:b][::-1], ",", '"', "}", " ", "{}"]))
        raw = raw[:a] + piece + raw[b:]
    return raw


@given(st.text() | OBJECTS.map(json.dumps) | VALUES.map(json.dumps) | mutated(), st.integers(1, 3))
@example('{"C1": "supported", "C1": "supported"}', 1)
@example('{"C1": "supported"}{"C1": "supported"}', 1)
def test_no_reply_whatever_supports_a_claim_but_by_its_exact_label(raw, count):
    """Support needs one object, this claim's own key, and the label itself, letter case aside."""
    verdicts = read_verdicts(raw, count)
    assert len(verdicts) == count
    reply = exact(raw.strip("\ufeff\u200b\u2060\x00 \t\r\n\f\v"), count)
    for name, verdict in zip(claim_names(count), verdicts, strict=True):
        if verdict.label == "supported":
            written = reply[name]
            assert "supported" == written.strip().lower()
        assert (verdict.label == "not_judged") == bool(verdict.reason)


@given(st.text() | OBJECTS.map(json.dumps) | mutated())
def test_reading_one_verdict_fails_closed_as_well(raw):
    verdict = read_verdict(raw)
    assert (verdict.label == "not_judged") == bool(verdict.reason)


@pytest.mark.parametrize(
    "raw",
    [
        'The form:\n```json\n{"C1": "supported"}\n```\nHowever, the claim is contradicted.',
        'Verdict: {"C1": "contradicted"}\n```json\n{"C1": "supported"}\n```',
        '```json\n{"C1": "supported"}\n```\nWait: on reflection C1 is contradicted.',
        'Here you are:\n```json\n{"C1": "supported"}\n```',
    ],
)
def test_words_round_a_fenced_verdict_are_no_verdict(raw):
    """They may say the opposite of what the fence holds."""
    assert ["judge_bad_reply"] == [v.reason for v in read_verdicts(raw, 1)]


def test_a_fence_alone_is_taken_off():
    raw = '<think>Hm.</think>\n```json\n{"C1": "supported"}\n```\n'
    assert ["supported"] == [v.label for v in read_verdicts(raw, 1)]
