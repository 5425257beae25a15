"""What can be no address is told as that, by its item, value and way out; passwords never are."""

from __future__ import annotations

import asyncio
import pkgutil
from contextlib import suppress
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundedgen import aask, ask, resolve
from groundedgen.errors import GenerationError, InputError, ProviderError
from groundedgen.generators.transport.addresses import checked, sayable

PASSAGES = ["Fire is covered by this policy."]
QUESTION = "Is fire covered?"
NONE = [
    "http://[",
    "http://[::1",
    "ftp://host/v1",
    "localhost:8000",
    "host.example:80/v1",
    "http://",
    "http:///v1",
    "http:host",
    "http://:8000",
    "http://host:0",
    "http://host:99999",
    "http://host:-1",
    "http://host:x",
    "http://host:80:80",
    "http://my host/v1",
    " http://host/v1",
    "http://host/v1\n",
    "http://host/a b",
    "http://a..b/",
    f"http://{'a' * 64}.de/",
    "http://h%20x/",
    "http://host\\x",
    "",
    "  ",
]
SERVERS = ["openai", "vllm", "sglang", "ollama", "llamacpp", "anthropic", "anthropic-citations"]


@pytest.mark.parametrize("url", NONE)
def test_what_can_be_no_address_is_told_with_its_value_and_the_way_out(url):
    with pytest.raises(InputError) as caught:
        checked(url, "vllm/m")
    assert "bad_url" == caught.value.code
    assert repr(url[:100]) in str(caught.value)
    assert str(caught.value).endswith("write it as vllm/m@http://HOST:PORT/v1")


@pytest.mark.parametrize(
    "url",
    [
        "http://localhost:8000/v1",
        "https://host",
        "HTTP://HOST:65535/",
        "http://[::1]:8000/v1",
        "http://127.0.0.1:1",
        "http://my_host.internal./v1",
        "https://ann:secret@host:8443/v1?key=x",
        "https://münchen.example/v1",
        "https://例え.jp",
        "http://host:/v1",
    ],
)
def test_what_can_be_one_is_left_as_it_is(url):
    assert url == checked(url, "vllm/m")


def test_a_password_is_not_repeated():
    for url in ("ftp://ann:secret@host/v1", "http://ann:secret@host:x", "ann:secret@host:80"):
        with pytest.raises(InputError) as caught:
            checked(url, "vllm/m")
        assert "secret" not in str(caught.value)


@given(st.text(max_size=40))
def test_nothing_but_an_input_error_comes_of_any_text(text):
    for url in (text, f"http://{text}", f"http://host:{text}"):
        with suppress(InputError):
            assert url == checked(url, "m")
        assert "\n" not in sayable(url)


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("http://ann:secret@host:8000/v1/chat?key=k#f", "http://host:8000/v1/chat"),
        ("http://[::1]:8000/v1", "http://[::1]:8000/v1"),
        ("https://host", "https://host"),
        ("ftp://host/x", "ftp://host/x"),
        ("http://[", ""),
        ("http://host:x", ""),
        ("", ""),
        (None, "None"),
    ],
)
def test_an_address_is_said_without_what_is_secret(url, said):
    assert (said if url is not None else "") == sayable("" if url is None else url)


@pytest.mark.parametrize("server", SERVERS)
@pytest.mark.parametrize("url", NONE)
def test_a_model_string_with_no_address_is_an_input_error_before_anything_is_sent(server, url):
    pytest.importorskip("anthropic" if "anthropic" in server else "openai")
    for judge in ("lexical", f"{server}/m@{url}"):
        model = f"{server}/m@{url}" if judge == "lexical" else "extractive"
        if judge != "lexical" and server == "anthropic-citations":
            continue
        with pytest.raises(InputError) as caught:
            ask(QUESTION, PASSAGES, model=model, judge=judge)
        assert "bad_url" == caught.value.code
        assert f"{server}/m" in str(caught.value)


@pytest.mark.parametrize("name", ["claude-3@20240307", "@cf/meta/llama", "m@abc:7b", "qwen3:8b"])
def test_an_at_sign_in_a_models_name_is_no_address(name):
    pytest.importorskip("openai")
    assert f"ollama/{name}" == resolve.name_of(resolve.generator(f"ollama/{name}"))


@pytest.mark.parametrize("name", ["vllm/ m", "vllm/m ", "vllm/ ", "vllm/@http://h"])
def test_a_models_name_has_no_blanks_round_it(name):
    with pytest.raises(InputError, match="unknown model"):
        resolve.generator(name)


@pytest.mark.parametrize("url", ["http://host/v1", "ftp://host", "localhost:80"])
def test_what_instructor_reaches_takes_no_address(url):
    with pytest.raises(InputError, match="openai/MODEL@http://HOST:PORT/v1"):
        resolve.generator(f"groq/m@{url}")


# Clients that were given, and servers that are not there


def _failure(sdk, url, way):
    """What comes of asking through a client with this base_url, in either way."""
    kinds = pytest.importorskip(sdk)
    name = {"openai": "OpenAI", "anthropic": "Anthropic"}[sdk]
    generator = pkgutil.resolve_name(f"groundedgen.generators.{sdk}:{name}Generator")
    made = partial(getattr(kinds, name if way == "ask" else f"Async{name}"), api_key="k")

    def asked():
        with made(base_url=url) as client:
            ask(QUESTION, PASSAGES, model=generator(client, "m", attempts=1), timeout=20)

    async def awaited():
        async with made(base_url=url) as client:
            await aask(QUESTION, PASSAGES, model=generator(client, "m", attempts=1), timeout=20)

    with pytest.raises(GenerationError) as caught:
        asked() if way == "ask" else asyncio.run(awaited())
    return caught.value


@pytest.mark.parametrize("way", ["ask", "aask"])
@pytest.mark.parametrize("sdk", ["openai", "anthropic"])
@pytest.mark.parametrize("url", ["ftp://host/v1", "localhost:8000", "  "])
def test_a_client_with_no_address_is_a_providers_error_that_says_so(sdk, url, way):
    error = _failure(sdk, url, way)
    assert isinstance(error, ProviderError)
    assert not error.retryable
    assert "http://HOST:PORT/v1" in error.hint


@pytest.mark.parametrize("way", ["ask", "aask"])
@pytest.mark.parametrize("sdk", ["openai", "anthropic"])
def test_a_server_that_is_not_there_is_named_by_its_address_without_secrets(sdk, way):
    error = _failure(sdk, "http://ann:secret@127.0.0.1:9/base?key=secret", way)
    assert isinstance(error, ProviderError)
    assert "at http://127.0.0.1:9/base" in str(error)
    assert "secret" not in f"{error} {error.hint}"
    assert "is the server running" in error.hint
    assert "vllm/MODEL@http://HOST:PORT/v1" in error.hint


@pytest.mark.parametrize(
    ("name", "address"),
    [
        ("vllm/m", "http://localhost:8000/v1"),
        ("sglang/m", "http://localhost:30000/v1"),
        ("ollama/m", "http://localhost:11434/v1"),
        ("llamacpp/m", "http://localhost:8080/v1"),
    ],
)
def test_the_address_of_a_local_server_by_default_is_named_where_nobody_listens(
    monkeypatch, name, address
):
    pytest.importorskip("openai")
    generator = resolve.generator(name)
    monkeypatch.setattr(generator, "_attempts", 1)
    monkeypatch.setattr("socket.socket.connect", _refused)
    with pytest.raises(ProviderError) as caught:
        ask(QUESTION, PASSAGES, model=generator)
    assert f"at {address}/" in str(caught.value)


def _refused(*_):
    raise ConnectionRefusedError
