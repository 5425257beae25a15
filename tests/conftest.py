"""What holds for the whole suite: no socket leaves the machine, and cases are counted."""

from __future__ import annotations

import os
import signal
import socket
from collections import Counter

import pytest
from hypothesis import HealthCheck, settings

# What is drawn is the same in every run, so that a change is judged by what it changed. New
# examples are looked for apart, by `make search`; what that finds becomes an `@example`.
_SLOW_OK = [HealthCheck.too_slow]
settings.register_profile(
    "default", derandomize=True, deadline=None, suppress_health_check=_SLOW_OK
)
settings.register_profile("fast", max_examples=10, derandomize=True, deadline=None)
settings.register_profile(
    "search", max_examples=2_000, deadline=None, suppress_health_check=_SLOW_OK, print_blob=True
)
settings.load_profile("fast" if os.environ.get("FAST") else "default")

#: What takes minutes: the SDKs over the wire, seeded faults, real models, walks through
#: grammars, leaks in every store. `make test-slow` runs it, and so does CI.
SLOW = frozenset(
    {
        "test_addresses.py", "test_anthropic.py", "test_bodies.py", "test_calls.py",
        "test_listedsources.py", "test_marked.py",
        "test_cancelling.py", "test_citations.py", "test_clients.py", "test_concurrency.py",
        "test_constrained.py", "test_cutting.py", "test_drafting_walks.py",
        "test_dying.py", "test_faults.py", "test_grammar.py", "test_grammar_lark.py",
        "test_grammar_llamacpp.py", "test_grammar_search.py", "test_instructor.py",
        "test_late_usage.py", "test_leaks.py",
        "test_llamacpp_drafts.py", "test_llamacpp_model.py", "test_llguide.py", "test_models.py",
        "test_openai.py", "test_outlines.py", "test_outlines_llamacpp.py",
        "test_outlines_servers.py", "test_parts.py", "test_planted.py", "test_quiet.py",
        "test_real_llm.py", "test_requests.py", "test_servers.py", "test_settings.py",
        "test_stream_faults.py", "test_stream_leaks.py", "test_streamed.py",
        "test_visible.py",
    }
)  # fmt: skip


def pytest_collection_modifyitems(items):
    for item in items:
        if item.path.name in SLOW:
            item.add_marker(pytest.mark.slow)


# Ctrl-C is ignored in what a shell starts in the background, and then in its children too; tests
# that send it to a program of theirs would find nothing raised.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

_connect = socket.socket.connect


@pytest.fixture(autouse=True)
def _loopback_only(monkeypatch):
    """Nothing leaves the machine: a test that reaches out fails, naming the address."""

    def connect(self, address):
        if isinstance(address, tuple) and address[0] not in {"127.0.0.1", "::1", "localhost"}:
            raise AssertionError(f"a test tried to reach {address[0]}")
        return _connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", connect)
    for name in [n for n in os.environ if n.endswith("_API_KEY")]:
        monkeypatch.delenv(name)


_COUNTS: Counter[tuple[str, str, bool]] = Counter()


def pytest_runtest_logreport(report):
    """Collect what each case came to; under xdist too, as reports travel to the controller."""
    case = dict(report.user_properties).get("case") if report.when == "call" else None
    if case is None:
        return
    area, must_accept, disputed, ok, needs_model = case
    side = "disputed" if disputed else "accept" if must_accept else "reject"
    if needs_model:
        area = f"{area} (model)"
    _COUNTS[area, side, ok] += 1


def pytest_terminal_summary(terminalreporter):
    if not _COUNTS:
        return
    terminalreporter.section("input cases: passed / all, accept and reject apart")
    areas = sorted({area for area, _, _ in _COUNTS})
    for area in [*areas, "all"]:
        cells = [_cell(area, side) for side in ("accept", "reject", "disputed")]
        terminalreporter.write_line(f"{area:15s} " + "  ".join(cells))


def _cell(area, side):
    def count(ok):
        return sum(
            n for (a, s, o), n in _COUNTS.items() if s == side and o is ok and area in {a, "all"}
        )

    passed, failed = count(True), count(False)
    return f"{side} {passed:3d}/{passed + failed:3d}"
