"""What `make test-local` needs besides Python packages, or why it is not there."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.lacking import lacking
from tests.servers import smollm2, vllm_cpu


def _impossible() -> str:
    """Why `scripts/install_local.sh` gave up, "" if it did not."""
    if (told := Path(sys.prefix, "impossible")).is_file():
        return told.read_text(encoding="utf-8").strip()
    if not (smollm2.FOLDER / "tokenizer.json").is_file():
        return "this is not the environment of `make test-local`"
    return ""


@pytest.fixture(scope="session")
def vllm():
    """The address and the model's name of a real vLLM."""
    if not os.environ.get(vllm_cpu.VARIABLE) and (reason := _impossible()):
        lacking("local", reason)
    with vllm_cpu.vllm_server() as (url, model):
        yield url, model


@pytest.fixture(scope="session")
def weights():
    """SmolLM2's folder, for whatever reads one of Hugging Face's."""
    if reason := _impossible():
        lacking("local", reason)
    return smollm2.FOLDER
