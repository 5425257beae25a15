"""A real vLLM on this machine's processor, on a loopback port, with SmolLM2.

`GROUNDEDGEN_VLLM=http://host:8000/v1` names another vLLM to test, one on a GPU say; the model is
then the first that it serves.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager

from tests.servers.smollm2 import FOLDER

VARIABLE = "GROUNDEDGEN_VLLM"
_PATIENCE = 600  # seconds until it is up: 80 on two free cores
_SETTINGS = {
    "HF_HUB_OFFLINE": "1",
    "VLLM_NO_USAGE_STATS": "1",
    "DO_NOT_TRACK": "1",
    "VLLM_CPU_KVCACHE_SPACE": "2",  # GB
}


@contextmanager
def vllm_server() -> Iterator[tuple[str, str]]:
    """The address, with /v1 at its end, and the name of its model.

    Raises:
        RuntimeError: It ended by itself, or was not up in time; the end of its log says why.
    """
    if url := os.environ.get(VARIABLE):
        yield url, _first_model(url)
        return
    url = f"http://127.0.0.1:{(port := _free_port())}/v1"
    with tempfile.TemporaryFile() as log, _started(port, log) as process:
        _wait(url, process, log)
        yield url, "smollm2"


@contextmanager
def _started(port, log):
    # As a module, since the command `vllm` looks for a package of that name; this one is vllm-cpu.
    options = {
        "--model": FOLDER, "--served-model-name": "smollm2", "--host": "127.0.0.1", "--port": port,
        "--dtype": "float32", "--max-model-len": 4096,
    }  # fmt: skip
    words = [str(word) for option in options.items() for word in option]
    process = subprocess.Popen(
        [sys.executable, "-m", "vllm.entrypoints.openai.api_server", *words, "--enforce-eager"],
        env={**os.environ, **_SETTINGS},
        stdout=log,
        stderr=subprocess.STDOUT,
    )
    try:
        yield process
    finally:
        process.terminate()  # it ends its engine's process itself
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:
            process.kill()


def _wait(url, process, log):
    ends = time.monotonic() + _PATIENCE
    while process.poll() is None and time.monotonic() < ends:
        try:
            _first_model(url)
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(1)
        else:
            return
    log.seek(0)
    said = log.read().decode(errors="replace")[-2000:]
    raise RuntimeError(f"vLLM is not up (exit status {process.poll()}): {said}")


def _first_model(url):
    with urllib.request.urlopen(f"{url}/models", timeout=10) as reply:  # noqa: S310  # of ours
        return json.load(reply)["data"][0]["id"]


def _free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
