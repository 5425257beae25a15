from __future__ import annotations

import pytest

from tests.lacking import VARIABLE, lacking


@pytest.mark.parametrize("promised", ["", "browser", "browser,local"])
def test_what_was_not_promised_is_skipped_with_the_reason(monkeypatch, promised):
    monkeypatch.setenv(VARIABLE, promised)
    with pytest.raises(pytest.skip.Exception, match="no initdb"):
        lacking("postgres", "no initdb")


@pytest.mark.parametrize("promised", ["postgres", "browser, postgres"])
def test_what_was_promised_fails(monkeypatch, promised):
    monkeypatch.setenv(VARIABLE, promised)
    with pytest.raises(pytest.fail.Exception, match="no initdb"):
        lacking("postgres", "no initdb")
