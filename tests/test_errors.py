"""Errors travel between processes, and carry nothing that was sent."""

from __future__ import annotations

import copy
import pickle

import pytest

from groundedgen import errors
from groundedgen.errors import MissingExtraError, ProviderError


class StubbornError(Exception):
    """As the SDKs' own: it cannot be made again from its arguments."""

    def __init__(self, message, *, body):
        super().__init__(message)


@pytest.mark.parametrize("again", [copy.deepcopy, lambda e: pickle.loads(pickle.dumps(e))])  # noqa: S301  # our own
def test_a_provider_error_is_the_same_in_another_process(again):
    original = StubbornError("zanzibar", body={})
    error = ProviderError("busy", retryable=True, hint="later", status=429, original=original)
    error.attempts = 2
    copied = again(error)
    assert ("busy", True, "later", 429, 2) == (
        str(copied), copied.retryable, copied.hint, copied.status, copied.attempts,
    )  # fmt: skip
    assert copied.original is None
    assert b"zanzibar" not in pickle.dumps(error)


def test_every_error_can_be_pickled():
    made = [
        getattr(errors, name)("a message") for name in errors.__all__ if name != "MissingExtraError"
    ]
    made.append(MissingExtraError("a page", extra="web"))
    for error in made:
        copied = pickle.loads(pickle.dumps(error))  # noqa: S301  # our own
        assert (type(error), str(error)) == (type(copied), str(copied))
