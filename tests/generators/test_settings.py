"""Ordinary mistakes of set-up: each ends in an error that names the variable, and never a key."""

from __future__ import annotations

import asyncio
import ssl

import pytest

pytest.importorskip("openai", reason="needs the extra openai")
pytest.importorskip("anthropic", reason="needs the extra anthropic")

import openai

from groundedgen import aask, ask
from groundedgen.checkup import examine
from groundedgen.errors import ProviderError
from groundedgen.generators.openai import OpenAIGenerator
from groundedgen.generators.transport.failures import failure
from tests.servers.loopback import Said, in_turn, serving

GIVEN = ("Is fire covered?", ["Fire is covered by this policy."])
MODELS = ("openai/m@http://127.0.0.1:9/v1", "anthropic/m@http://127.0.0.1:9")
SECRET = "s3cret"
_VARIABLES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")


@pytest.fixture(autouse=True)
def _environment(monkeypatch):
    for name in _VARIABLES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.setenv(name, "k")


def failed(model, way):
    call = {"ask": ask, "aask": lambda *a, **n: asyncio.run(aask(*a, **n))}[way]
    with pytest.raises(ProviderError) as met:
        call(*GIVEN, model=model)
    return met.value


def everything_of(error):
    """All that anybody may print of an error, and of the errors that it came from."""
    said, met = [], error
    while met is not None:
        said += [str(met), repr(met), repr(getattr(met, "hint", ""))]
        met = getattr(met, "original", None) or met.__cause__ or met.__context__
    return " ".join(said)


@pytest.mark.parametrize("way", ["ask", "aask"])
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(
    "mistake",
    [
        ("SSL_CERT_FILE", "/no/such.pem", "/no/such.pem"),
        ("SSL_CERT_FILE", __file__, "test_settings.py"),
        ("ALL_PROXY", f"socks5://me:{SECRET}@localhost:1", "socks5://"),
        ("HTTP_PROXY", f"ftp://me:{SECRET}@localhost:1", "ftp://"),
    ],
)
def test_a_variable_that_keeps_a_client_from_being_built_is_named(monkeypatch, mistake, model, way):
    name, value, shown = mistake
    monkeypatch.setenv(name, value)
    error = failed(model, way)
    assert name in str(error)
    assert shown in str(error)
    assert error.hint
    assert not error.retryable
    assert SECRET not in everything_of(error)


@pytest.mark.parametrize("way", ["ask", "aask"])
@pytest.mark.parametrize("model", MODELS)
def test_a_key_that_no_header_holds_is_named_and_not_shown(monkeypatch, model, way):
    name = f"{model.partition('/')[0].upper()}_API_KEY"
    monkeypatch.setenv(name, f"{SECRET}-\udcff")
    error = failed(model, way)
    assert name in str(error)
    assert error.hint
    assert SECRET not in everything_of(error)


@pytest.mark.parametrize("letter", ["ü", "\n"])
def test_nothing_of_a_client_of_the_callers_own_is_shown(letter):
    with (
        serving(in_turn(Said(500))) as server,
        openai.OpenAI(api_key="k", base_url=server.url, organization=SECRET + letter) as client,
    ):
        error = failed(OpenAIGenerator(client, "m", attempts=1), "ask")
        assert not server.asked
    assert error.hint
    assert SECRET not in everything_of(error)


def test_a_body_that_cannot_be_written_is_told_apart_from_a_header():
    with openai.OpenAI(api_key="k", base_url="http://127.0.0.1:9") as client:
        error = failed(OpenAIGenerator(client, "m\udcff", attempts=1), "ask")
    assert "extra_body" in error.hint
    assert "Fire is covered" not in everything_of(error)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(
    ("name", "value"), [("SSL_CERT_FILE", "/no/such.pem"), ("ALL_PROXY", "socks5://localhost:1")]
)
def test_the_doctor_tells_of_it_and_goes_on_to_the_judge(monkeypatch, model, name, value):
    monkeypatch.setenv(name, value)
    seen = {symptom.about: symptom for symptom in examine(model, timeout=10)}
    assert "fail" == seen["endpoint"].state
    assert name in seen["endpoint"].text
    assert "judge" in seen


def test_a_certificate_that_is_not_trusted_is_not_asked_for_again():
    error = type("APIConnectionError", (Exception,), {})()
    error.__cause__ = type("ConnectError", (Exception,), {})()
    error.__cause__.__context__ = ssl.SSLCertVerificationError(1, "self-signed certificate")
    told = failure(error, "openai/m")
    assert not told.retryable
    assert "SSL_CERT_FILE" in told.hint


@pytest.mark.parametrize("status", [400, 408, 418, 500, 600, 999])
def test_every_status_has_a_way_out(status):
    error = type("APIStatusError", (Exception,), {"status_code": status, "body": None})()
    told = failure(error, "openai/m")
    assert told.hint
    assert told.status == status
    assert told.retryable is (status in {408, 500})
