"""The meaning of a model's outputs is read, never guessed."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundedgen.errors import InputError
from groundedgen.judges.classes import Classes, read_classes

SPELLINGS = [
    ("entailment", "neutral", "contradiction"),
    ("ENTAILMENT", "NEUTRAL", "CONTRADICTION"),
    ("Entailed", "not_enough_info", "Contradicts"),
    ("SUPPORTS", "NOT ENOUGH INFO", "REFUTES"),
]
SIGMOID = "torch.nn.modules.activation.Sigmoid"


@pytest.mark.parametrize("order", list(permutations(range(3))))
@pytest.mark.parametrize("spelling", SPELLINGS)
def test_every_order_and_spelling_is_read_right(order, spelling):
    roles = ("entailment", "other", "contradiction")
    config = {"id2label": {str(n): spelling[place] for n, place in enumerate(order)}}
    classes = read_classes(config)
    assert tuple(roles[place] for place in order) == classes.roles
    logits = [{"entailment": 2.0, "other": 1.0, "contradiction": 0.0}[r] for r in classes.roles]
    shares = classes.shares(logits)
    assert shares.entailment > shares.other > shares.contradiction


@pytest.mark.parametrize(
    "names",
    [
        ("not_entailment", "entailment"),
        ("hallucinated", "consistent"),
        ("Unsupported", "Supported"),
        ("contradiction", "entailment"),
    ],
)
def test_two_labels_are_read_in_either_order(names):
    for order in (names, names[::-1]):
        classes = read_classes({"label2id": {name: n for n, name in enumerate(order)}})
        assert order.index(names[1]) == classes.roles.index("entailment")


@pytest.mark.parametrize(
    ("config", "told"),
    [
        ({}, "neither id2label nor label2id"),
        ({"id2label": {}}, "number its labels from 0"),
        ({"id2label": {"0": "LABEL_0", "1": "LABEL_1"}}, "'LABEL_0'"),
        ({"id2label": {"1": "entailment", "2": "neutral"}}, "from 0"),
        ({"id2label": {"0": "joy", "1": "anger"}}, "'joy'"),
        ({"id2label": {"0": "entailment", "1": "supported"}}, "one entailment"),
        ({"id2label": {"0": "neutral", "1": "contradiction"}}, "one entailment"),
        ({"id2label": {"0": "entailment", "1": "neutral", "2": "unsupported"}}, "one entailment"),
        ({"id2label": {"0": "entailment 1", "1": "neutral"}}, "'entailment 1'"),
        ({"id2label": {"0": "entailment"}}, "sigmoid"),
        (
            {
                "id2label": {"0": "contradiction", "1": "entailment", "2": "neutral"},
                "label2id": {"entailment": 0, "neutral": 1, "contradiction": 2},
            },
            "disagree",
        ),
        (
            {
                "id2label": {"0": "entailment", "1": "neutral"},
                "label2id": {"entailment": 0, "neutral": 1, "contradiction": 2},
            },
            "disagree",
        ),
        (
            {
                "id2label": {"0": "entailment", "1": "neutral"},
                "problem_type": "multi_label_classification",
            },
            "multi_label",
        ),
    ],
)
def test_what_says_nothing_about_entailment_is_refused_with_a_way_out(config, told):
    with pytest.raises(InputError, match=told) as caught:
        read_classes(config)
    assert caught.value.code == "bad_model"
    assert "labels=" in str(caught.value)


@pytest.mark.parametrize(
    "config",
    [
        {"sbert_ce_default_activation_function": SIGMOID},
        {"sentence_transformers": {"activation_fn": SIGMOID}},
        {"function_to_apply": "sigmoid"},
    ],
)
def test_one_output_counts_where_the_config_says_sigmoid_and_a_name_says_what_it_scores(config):
    named = config | {"id2label": {"0": "LABEL_0"}}
    with pytest.raises(InputError, match="LABEL_0"):
        read_classes(named)
    classes = read_classes(named, labels=["consistent"])
    assert 0.5 == classes.shares([0.0]).entailment
    assert 0.0 == classes.shares([-800.0]).entailment
    assert 1.0 == classes.shares([800.0]).entailment


def test_two_lists_of_names_that_agree_are_read_and_one_that_says_nothing_is_left_aside():
    named = {"id2label": {"0": "Entailment", "1": "not entailment"}}
    for other in ({"entailment": 0, "NOT_ENTAILMENT": 1}, {"LABEL_0": 0, "LABEL_1": 1}, {}):
        assert ("entailment", "other") == read_classes(named | {"label2id": other}).roles
    filled_in = {"id2label": {"0": "LABEL_0", "1": "LABEL_1"}}
    label2id = {"neutral": 0, "entailment": 1}
    assert ("other", "entailment") == read_classes(filled_in | {"label2id": label2id}).roles


def test_an_identity_on_one_output_is_no_sigmoid():
    config = {"sentence_transformers": {"activation_fn": "torch.nn.modules.linear.Identity"}}
    with pytest.raises(InputError, match="sigmoid"):
        read_classes(config, labels=["entailment"])


@given(st.lists(st.floats(-1e4, 1e4), min_size=3, max_size=3))
def test_shares_are_probabilities(logits):
    shares = Classes(("other", "entailment", "contradiction")).shares(logits)
    assert all(0 <= share <= 1 for share in shares)
    assert 1 == pytest.approx(sum(shares), abs=2e-6)
