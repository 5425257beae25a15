from __future__ import annotations

from groundedgen.draft import NotFound, parse
from groundedgen.errors import DraftFormatError, RefusedError, TruncatedError
from groundedgen.values import Reply
from tests.drivers.result import Result


def run(case):
    given, expect = case["input"], case["expect"]
    must_accept = bool(expect.get("kept")) or expect["outcome"] == "no_answer"
    reply = Reply(given["raw"], given["finish_reason"], given.get("refusal"))
    outcome, kept, dropped = _parsed(reply, given["aliases"])
    ok = outcome == expect["outcome"]
    if ok and "kept" in expect:
        ok = kept == expect["kept"]
    if ok and "dropped" in expect:
        ok = sorted(dropped) == sorted(int(index) for index in expect["dropped"])
    return Result(ok, must_accept, f"{outcome}, kept {kept}, dropped {dropped}")


def _parsed(reply, aliases):
    try:
        drafted = parse(reply, aliases)
    except RefusedError:
        return "refused", [], {}
    except TruncatedError:
        return "truncated", [], {}
    except DraftFormatError:
        return "invalid", [], {}
    if isinstance(drafted, NotFound):
        return "no_answer", [], {}
    kept = [[s.index, list(s.aliases)] for s in drafted.statements]
    return "ok", kept, {f.index: f.reason for f in drafted.findings}
