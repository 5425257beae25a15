"""Folders of models from the Hugging Face hub: from its cache, and only on demand from the net."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from groundedgen.errors import InputError, MissingExtraError

try:
    from huggingface_hub import (  # type: ignore[import-not-found,unused-ignore]  # an extra
        snapshot_download,
    )
except ImportError as error:
    raise MissingExtraError("a model named by its hub id", extra="nli") from error

__all__ = ["folder_of"]

# What a judge reads, and nothing else: repositories hold the same weights in many formats.
_FILES: Final = (
    "config.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "model.onnx",
    "model.onnx_data",
    "onnx/model.onnx",
    "onnx/model.onnx_data",
)


def folder_of(repository: str, *, revision: str, download: bool) -> Path:
    """The local folder of a repository's snapshot.

    Args:
        repository: As "owner/name".
        revision: A branch, tag or commit.
        download: Whether the network may be used. Without it only the cache is read.

    Raises:
        InputError: It is not in the cache and may not be fetched, or there is no such one.
    """
    try:
        found: str = snapshot_download(
            repository,
            revision=revision,
            allow_patterns=list(_FILES),
            local_files_only=not download,
        )
    except (OSError, ValueError) as error:  # what the hub raises is one of the two
        way_out = (
            "there is no such repository, or it cannot be reached"
            if download
            else "nothing is fetched uninvited: name a folder, or in Python pass "
            "NLIJudge(..., download=True)"
        )
        raise InputError(
            f"no such folder, and no model {repository!r} at revision {revision!r} in the hub's "
            f"cache; {way_out}",
            code="no_model",
        ) from error
    return Path(found)
