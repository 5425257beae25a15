from __future__ import annotations

from groundedgen import aliases as alias_room
from groundedgen.errors import InputError
from groundedgen.passages import Passage
from groundedgen.prompt import build, read_back
from tests.drivers.result import Result


def run(case):
    given, expect = case["input"], case["expect"]
    passages = [Passage(**fields) for fields in given["passages"]]
    must_accept = "error" not in expect
    try:
        aliases = alias_room.assign(passages)
        prompt = build(given["question"], aliases)
    except InputError as error:
        return Result(expect.get("error") == error.code, must_accept, f"error {error.code}")
    if not must_accept:
        return Result(False, False, "was built")
    problems = _problems(expect, passages, aliases, prompt)
    return Result(not problems, must_accept, "; ".join(problems))


def _problems(expect, passages, aliases, prompt):
    read = read_back(prompt)
    seen = prompt.system + "\n" + prompt.user
    given = [p.text for p in passages if p.text.strip()]
    ids = {name: aliases.origins(name)[0].id for name in aliases.names}
    tests = {
        "aliases": lambda: ids == expect["aliases"],
        "aliases_values": lambda: list(ids.values()) == expect["aliases_values"],
        "n_passages": lambda: len(read) == expect["n_passages"],
        "roundtrip": lambda: ([text for _, text in read] == given) == expect["roundtrip"],
        "must_contain": lambda: all(text in seen for text in expect["must_contain"]),
        "must_not_contain": lambda: not any(text in seen for text in expect["must_not_contain"]),
    }
    return [name for name in expect if not tests[name]()]
