"""A headless Chromium that shows pages from a loopback port, and tells all that they did.

`GROUNDEDGEN_CHROMIUM` names another browser than the `chromium` in PATH, `GROUNDEDGEN_AXE` another
`axe.min.js` than the one that the package `axe-playwright-python` brings.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.lacking import lacking
from tests.servers.loopback import Said, serving

HERE = Path(__file__).parent
#: Two frames and a little time: what a page starts by itself has been started by then.
SETTLED = """() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(
    () => setTimeout(done, 20))))"""
NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")


def pytest_configure(config):
    config.addinivalue_line("markers", "browser: needs a headless Chromium and playwright")


def pytest_collection_modifyitems(items):
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="module")
def chromium():
    """For one module: playwright's event loop would be in the way of others' `asyncio.run`."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = os.environ.get("GROUNDEDGEN_CHROMIUM") or next(
        filter(None, map(shutil.which, NAMES)), ""
    )
    if not path:
        lacking("browser", f"there is none of {', '.join(NAMES)} in PATH")
    with playwright.sync_playwright() as started:
        # A container's root has no user namespace to build the sandbox from.
        sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = started.chromium.launch(executable_path=path, args=sandbox)
        yield browser
        browser.close()


@dataclass
class Opened:
    """A page as it stands open, and everything that happened since it was asked for.

    Attributes:
        elsewhere: Requests to anything but the page's own address that were on their way out.
        told: Dialogs, errors, new windows, and whatever stood in the console.
        refused: Requests that the page's own content security policy stopped.
    """

    page: Any = None
    host: str = ""
    elsewhere: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)

    def request(self, request: Any) -> None:
        if request.url not in (f"{self.host}/page", f"{self.host}/favicon.ico"):
            self.elsewhere.append(request.url)

    def failed(self, request: Any) -> None:
        if request.failure == "csp":
            self.elsewhere.remove(request.url)
            self.refused.append(request.url)

    def dialog(self, dialog: Any) -> None:
        self.told.append(dialog.message)
        dialog.dismiss()

    def console(self, message: Any) -> None:
        if "favicon" not in str(message.location):
            self.told.append(message.text)


class Window:
    """One tab that shows one page after the other; a new one for each takes ten times as long."""

    def __init__(self, chromium: Any, **context: Any) -> None:
        self.seen = Opened()
        self.scripted = context.get("java_script_enabled", True)
        self.context = chromium.new_context(**context)
        self.page = self.context.new_page()
        self.context.on("request", self._request)
        self.context.on("requestfailed", self._failed)
        self.context.on("page", lambda other: self.seen.told.append(f"window {other.url}"))
        self.page.on("dialog", self._dialog)
        self.page.on("pageerror", lambda error: self.seen.told.append(str(error)))
        self.page.on("console", self._console)

    # What is seen is replaced with every page, so the methods of one page's will not do.

    def _request(self, request: Any) -> None:
        self.seen.request(request)

    def _failed(self, request: Any) -> None:
        self.seen.failed(request)

    def _dialog(self, dialog: Any) -> None:
        self.seen.dialog(dialog)

    def _console(self, message: Any) -> None:
        self.seen.console(message)

    def open(self, host: str) -> Opened:
        self.page.goto("about:blank")
        self.page.mouse.move(0, 0)
        self.page.emulate_media(media="screen")
        self.seen = Opened(self.page, host)
        self.page.goto(f"{host}/page")
        if self.scripted:
            self.page.evaluate(SETTLED)
        return self.seen


@pytest.fixture(scope="module")
def windows():
    made: dict[str, Window] = {}
    yield made
    for window in made.values():
        window.context.close()


@pytest.fixture(scope="module")
def show(chromium, windows):
    """Opens HTML at an address of its own: `with show(html, width=360) as opened`."""

    @contextmanager
    def opening(html: str, *, width: int = 1280, **context: Any):
        said = Said(200, html, {"content-type": "text/html; charset=utf-8"})
        context |= {"viewport": {"width": width, "height": 800}}
        window = windows.get(str(context)) or Window(chromium, **context)
        windows[str(context)] = window
        with serving(lambda asked: said if asked.path == "/page" else Said(404)) as server:
            yield window.open(server.url)

    return opening


@pytest.fixture(scope="session")
def axe() -> str:
    """The source of axe-core."""
    named = os.environ.get("GROUNDEDGEN_AXE", "")
    found = importlib.util.find_spec("axe_playwright_python")
    folders = found.submodule_search_locations if found is not None else None
    places = [Path(named)] if named else [Path(f, "axe.min.js") for f in folders or ()]
    if not (places and places[0].is_file()):
        lacking("browser", "there is no axe-core: pip install axe-playwright-python")
    return places[0].read_text(encoding="utf-8")
