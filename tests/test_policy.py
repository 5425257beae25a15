from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundedgen.errors import PolicyError
from groundedgen.policy import Policy, Regenerate, Round, Settle, decide, disputes
from groundedgen.values import Finding

POLICIES = [Policy.balanced(), Policy.strict(), Policy.internal()]

rounds = st.builds(
    Round,
    attempt=st.sampled_from([1, 2]),
    said_not_found=st.booleans(),
    core=st.booleans(),
    core_unjudged=st.booleans(),
    kept=st.integers(0, 5),
    dropped=st.integers(0, 5),
    unjudged=st.integers(0, 5),
    disputed=st.integers(0, 2),
)


@given(rounds, st.sampled_from(POLICIES))
def test_a_second_draft_is_never_followed_by_a_third(outcome, policy):
    if isinstance(decide(policy, outcome), Regenerate):
        assert outcome.attempt == 1


@given(rounds, st.sampled_from(POLICIES))
def test_an_answer_without_its_core_is_no_answer(outcome, policy):
    if decide(policy, outcome) == Settle("answered", "answered"):
        assert outcome.core


@given(rounds)
def test_strict_answers_only_when_nothing_was_dropped(outcome):
    if decide(Policy.strict(), outcome) == Settle("answered", "answered"):
        assert outcome.dropped == outcome.unjudged == outcome.disputed == 0


@given(rounds)
def test_a_dispute_among_sources_changes_nothing_elsewhere(outcome):
    for policy in (Policy.balanced(), Policy.internal()):
        assert decide(policy, outcome) == decide(policy, replace(outcome, disputed=0))


@pytest.mark.parametrize(
    ("check", "reason", "kept", "expected"),
    [
        ("entailment", "contradicted", True, True),
        ("numbers", "number_mismatch", True, True),
        ("entailment", "contradicted", False, False),  # dropped, and counted as that
        ("entailment", "not_addressed", True, False),
        ("entailment", "partial", True, False),
        ("entailment", "judge_timeout", True, False),
        ("numbers", "number_missing", True, False),
        ("quotes", "quote_not_found", True, False),
        ("quotes", "misattributed", True, False),
    ],
)
def test_only_a_passage_that_says_otherwise_disputes(check, reason, kept, expected):
    assert disputes(Finding(check, reason, 0, "", kept=kept)) is expected


@given(rounds)
def test_strict_never_asks_again(outcome):
    assert not isinstance(decide(Policy.strict(), outcome), Regenerate)


@pytest.mark.parametrize(
    ("outcome", "expected"),
    [
        (Round(1, said_not_found=True), Settle("not_found", "model_said_not_found")),
        (Round(1, core=True, kept=3), Settle("answered", "answered")),
        (Round(1, core=True, kept=2, dropped=1), Settle("answered", "answered")),
        (Round(1, kept=2, dropped=1), Regenerate()),
        (Round(1, dropped=3), Regenerate()),
        (Round(2, kept=2, dropped=1), Settle("not_found", "core_lost")),
        (Round(2, dropped=1), Settle("not_found", "nothing_survived")),
        (
            Round(1, core_unjudged=True, dropped=1, unjudged=1),
            Settle("withheld", "judge_unavailable"),
        ),
        (Round(1, core=True, kept=1, dropped=1, unjudged=1), Settle("answered", "answered")),
        (Round(2, dropped=2, unjudged=1), Settle("withheld", "judge_unavailable")),
    ],
)
def test_balanced(outcome, expected):
    assert expected == decide(Policy.balanced(), outcome)


@pytest.mark.parametrize(
    ("outcome", "reason"),
    [
        (Round(1, core=True, kept=2, dropped=1), "strict_policy"),
        (Round(1, core=True, kept=2, dropped=1, unjudged=1), "judge_unavailable"),
    ],
)
def test_strict_withholds_for_one_failure(outcome, reason):
    assert Settle("withheld", reason) == decide(Policy.strict(), outcome)


@pytest.mark.parametrize(
    "settings",
    [
        {"min_quote_words": 0},
        {"max_statements": 51},
        {"min_quote_words": "5"},
        {"remap": 1},
        {"any_failure_withholds": True, "show_unverified": True},
    ],
)
def test_an_impossible_setting_is_refused(settings):
    with pytest.raises(PolicyError):
        Policy(**settings)


def test_an_unknown_setting_names_itself_and_the_known_ones():
    with pytest.raises(PolicyError, match=r"'min_words'.*min_quote_words"):
        Policy.from_mapping({"min_words": 5})


def test_an_unknown_preset_names_the_known_ones():
    with pytest.raises(PolicyError, match="strict"):
        Policy.from_mapping({"preset": "lenient"})


def test_toml_with_a_policy_table(tmp_path):
    path = tmp_path / "groundedgen.toml"
    path.write_text('[policy]\npreset = "strict"\nmin_quote_words = 8\n', encoding="utf-8")
    policy = Policy.from_toml(path)
    assert (8, True) == (policy.min_quote_words, policy.any_failure_withholds)


@pytest.mark.parametrize("text", ["preset = ", "policy = 3", "[policy]\nmin_words = 3"])
def test_toml_that_holds_no_policy_is_a_clear_error(tmp_path, text):
    path = tmp_path / "broken.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(PolicyError, match=r"broken\.toml"):
        Policy.from_toml(path)


def test_environment():
    environ = {
        "GROUNDEDGEN_POLICY_PRESET": "internal",
        "GROUNDEDGEN_POLICY_REMAP": "off",
        "GROUNDEDGEN_POLICY_MAX_STATEMENTS": "3",
        "PATH": "/bin",
    }
    policy = Policy.from_env(environ)
    assert (True, False, 3) == (policy.show_unverified, policy.remap, policy.max_statements)


@pytest.mark.parametrize(
    ("name", "value"), [("REMAP", "perhaps"), ("MAX_STATEMENTS", "three"), ("NO_SUCH", "1")]
)
def test_environment_errors_name_the_variable(name, value):
    with pytest.raises(PolicyError, match=f"(?i){name}"):
        Policy.from_env({f"GROUNDEDGEN_POLICY_{name}": value})
