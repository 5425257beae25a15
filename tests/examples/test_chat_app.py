"""`examples/chat`: the application as it is, with the embedded default and the documents."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="needs the extra fastapi")
pytest.importorskip("httpx", reason="Starlette's test client needs httpx")
pytest.importorskip("pypdf", reason="the example reads a PDF: needs the extra cli")

from fastapi.testclient import TestClient

CHAT = Path(__file__).parents[2] / "examples" / "chat"


@pytest.fixture(scope="module")
def client():
    spec = importlib.util.spec_from_file_location("chat_app", CHAT / "app.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return TestClient(module.app)


@pytest.mark.parametrize(
    ("path", "kind"),
    [("/", "text/html"), ("/chat.js", "text/javascript"), ("/chat.css", "text/css")],
)
def test_the_page_and_its_parts_are_served_and_may_load_nothing_else(client, path, kind):
    response = client.get(path)
    assert 200 == response.status_code
    assert response.headers["content-type"].startswith(kind)
    assert "default-src 'self'" in response.headers["content-security-policy"]
    assert not re.findall(r"https?://", response.text)


def test_a_question_to_the_example_documents_is_answered(client):
    question = "Is water damage from a burst pipe covered?"
    text = client.post("/api/ask", json={"question": question}).text
    assert ["passages", "statement", "done"] == list(
        dict.fromkeys(re.findall(r"event: (\w+)", text))
    )
    assert "\\u00a350,000" in text
