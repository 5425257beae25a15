"""What pages of ours are made with: a template that escapes, and one style with its hash."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, StrictUndefined, Template
from markupsafe import Markup

__all__ = ["style_of", "template_of"]


@lru_cache(maxsize=8)
def style_of(package: str, name: str) -> tuple[Markup, str]:
    """A style sheet out of a package's folder `templates`, and the hash that a policy allows it by.

    The hash is that of Content Security Policy Level 3, `sha256-` and Base64.

    >>> css, digest = style_of("groundedgen.render", "page.css")
    >>> digest.startswith("sha256-"), len(digest)
    (True, 51)
    """
    css = _read(package, name)
    digest = base64.b64encode(hashlib.sha256(css.encode()).digest()).decode()
    return Markup(css), f"sha256-{digest}"  # noqa: S704  # our own file, not foreign words


def template_of(package: str, name: str, filters: Mapping[str, Callable[..., Any]]) -> Template:
    """A template out of a package's folder `templates`; a name that it lacks is an error."""
    environment = Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined
    )
    environment.filters |= filters
    return environment.from_string(_read(package, name))


def _read(package: str, name: str) -> str:
    return (files(package) / "templates" / name).read_text(encoding="utf-8")
