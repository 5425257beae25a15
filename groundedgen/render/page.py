"""One self-contained HTML page. Everything foreign passes Jinja's autoescape, nothing is exempt."""

from __future__ import annotations

import base64
import hashlib
from functools import lru_cache
from importlib.resources import files
from typing import Final

from jinja2 import Environment, StrictUndefined, Template
from markupsafe import Markup

from groundedgen.patterns import compiled
from groundedgen.render.display import clean, direction, line, name, plain, web_link
from groundedgen.render.labels import Labels
from groundedgen.render.view import Source, View

__all__ = ["write"]

#: A language tag that may stand in a `lang` attribute (BCP 47, loosely).
_LANG: Final = compiled(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8}){0,8}")


def write(view: View, labels: Labels) -> str:
    """The view as one HTML5 page with its own style and no script.

    Its content security policy allows nothing but that one style: even a mistake in here
    could neither run a script nor fetch anything.
    """
    style, digest = _style()
    return _template().render(view=view, labels=labels, style=style, digest=digest)


@lru_cache(maxsize=1)
def _style() -> tuple[Markup, str]:
    css = _read("page.css")
    digest = base64.b64encode(hashlib.sha256(css.encode()).digest()).decode()
    return Markup(css), f"sha256-{digest}"  # noqa: S704  # our own file, not foreign words


@lru_cache(maxsize=1)
def _template() -> Template:
    environment = Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined
    )
    environment.filters |= {
        "line": line,
        "name": name,
        "direction": direction,
        "statement": plain,
        "excerpt": clean,
        "link": web_link,
        "lang": _lang,
    }
    return environment.from_string(_read("page.html.jinja"))


def _read(name: str) -> str:
    return (files(__package__) / "templates" / name).read_text(encoding="utf-8")


def _lang(source: Source) -> str:
    tag = source.passage.lang
    return tag if tag and _LANG.fullmatch(tag) else ""
