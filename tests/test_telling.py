"""Which events a stream becomes, whatever order the flow shows, drafts and withdraws in."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from groundedgen.effects import Drafted, Show, Withdraw
from groundedgen.telling import Teller
from groundedgen.values import Entailment, Statement

STATEMENT = Statement("Fire is covered.", (), Entailment("supported", "judge"))

claims = st.integers(1, 4)
effects = st.lists(
    st.builds(Drafted, claims, st.just("Fire is covered."))
    | st.builds(Show, st.just(STATEMENT), st.none() | claims)
    | st.builds(Withdraw, claims),
    max_size=20,
)


def told(effects, *, optimistic):
    events = []
    teller = Teller(events.append, optimistic=optimistic)
    for effect in effects:
        match effect:
            case Drafted():
                teller.drafted(effect)
            case Show():
                teller.show(effect)
            case Withdraw():
                teller.withdraw(effect)
    teller.withdraw_open()
    return events


@given(effects, st.booleans())
def test_statements_are_numbered_in_the_order_in_which_they_are_shown(effects, optimistic):
    numbers = [e.number for e in told(effects, optimistic=optimistic) if e.type == "statement"]
    assert list(range(1, sum(isinstance(e, Show) for e in effects) + 1)) == numbers


@given(effects)
def test_whoever_wants_verified_statements_only_is_told_of_nothing_else(effects):
    assert {event.type for event in told(effects, optimistic=False)} <= {"statement"}


@given(effects)
def test_what_was_told_of_as_unverified_is_settled_and_nothing_else_is(effects):
    open_claims = set()
    for event in told(effects, optimistic=True):
        if event.type == "unverified":
            open_claims.add(event.claim)
        elif event.type in {"verified", "withdrawn"}:
            assert event.claim in open_claims
            open_claims.remove(event.claim)
    assert not open_claims
