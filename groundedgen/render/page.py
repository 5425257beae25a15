"""One self-contained HTML page. Everything foreign passes Jinja's autoescape, nothing is exempt."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

from jinja2 import Template

from groundedgen.patterns import compiled
from groundedgen.render.display import clean, direction, line, name, plain, web_link
from groundedgen.render.documents import style_of, template_of
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
    style, digest = style_of(__package__, "page.css")
    return _template().render(view=view, labels=labels, style=style, digest=digest)


@lru_cache(maxsize=1)
def _template() -> Template:
    filters: dict[str, Callable[..., Any]] = {
        "line": line,
        "name": name,
        "direction": direction,
        "statement": plain,
        "excerpt": clean,
        "link": web_link,
        "lang": _lang,
    }
    return template_of(__package__, "page.html.jinja", filters)


def _lang(source: Source) -> str:
    tag = source.passage.lang
    return tag if tag and _LANG.fullmatch(tag) else ""
