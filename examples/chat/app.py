"""A chat page that shows the passages first, and then each statement once it is verified.

    pip install 'groundedgen[fastapi,cli]' uvicorn
    uvicorn --app-dir examples/chat app:app

Without a key it picks whole sentences of the documents in `examples/policy`. With
`GROUNDEDGEN_MODEL=openai/gpt-5-mini` (or any other model string) a model writes, and statements
appear while it still does.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI
from fastapi.responses import FileResponse

from groundedgen.interop.files import read_paths
from groundedgen.web.router import router

if TYPE_CHECKING:
    from groundedgen.web.router import Asked

HERE = Path(__file__).parent
PASSAGES = read_paths(HERE.parent / "policy")
#: The page loads nothing from elsewhere and runs no script but its own.
POLICY = "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"


def answer_with(asked: Asked) -> dict[str, Any]:  # noqa: ARG001  # a real one searches here
    return {"passages": PASSAGES, "model": os.environ.get("GROUNDEDGEN_MODEL", "extractive")}


def page(name: str, kind: str) -> FileResponse:
    return FileResponse(HERE / name, media_type=kind, headers={"content-security-policy": POLICY})


def build(answer_with: Any = answer_with, **options: Any) -> FastAPI:
    """The application; the tests build it with parts of their own."""
    app = FastAPI()
    app.include_router(router(answer_with, **options), prefix="/api")
    app.get("/")(lambda: page("index.html", "text/html"))
    app.get("/chat.js")(lambda: page("chat.js", "text/javascript"))
    app.get("/chat.css")(lambda: page("chat.css", "text/css"))
    return app


app = build()
