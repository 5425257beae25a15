"""What the gates cost: 5 statements against passages of 400 words, every one of them searched.

Run with `pytest benchmarks --benchmark-only`. Two statements are quoted exactly, one with other
typography, one from another passage than it names, one from none: the last two are looked for in
every passage. "Cold" folds all texts anew, "warm" has them from the call before. Targets on a
small two-core machine, for 8 passages: 3 ms cold, 1 ms warm.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import pytest

from groundedgen.gates.leak import contained
from groundedgen.gates.quotes import locate
from groundedgen.text.matching.shelf import forget
from groundedgen.values import Finding, Located, Sourced

# Fees, clauses and conditions: about as many different words as a page has.
VOCABULARY = """
the policy covers damage caused by water that leaks from a burst pipe inside an insured home unless
tenants were told in writing of repair work and non-refundable fees of $1,250.50 are due within ten
days after notice by insurer’s office however rising ground-water is excluded under section 4.2 or
where official “flood maps” list it at 35% risk claims for lost income must reach us before month’s
end together with receipts photographs police reports statements of witnesses if any person was hurt
we pay reasonable medical expenses up to limits shown below neither party may assign this agreement
without prior consent which shall not be withheld unreasonably interest accrues daily from default
until payment at a rate of two points above base deposits are returned less deductions for cleaning
carriers deliver goods only against signature outside normal hours an additional charge applies per
pallet every certificate names its holder term territory and maximum aggregate liability
"""
WORDS = VOCABULARY.split()


def passage(seed: int, words: int = 400) -> str:
    """Sentences of 8 to 20 words, wrapped as extracted text is, with hyphens at line ends."""
    rng = random.Random(seed)
    text: list[str] = []
    for n in range(words):
        word = rng.choice(WORDS)
        if n % rng.randint(8, 20) == 0 and text:
            text[-1] += "."
            word = word.capitalize()
        if n % 14 == 13:
            word = f"{word[:3]}-\n{word[3:]}" if len(word) > 7 and word.isalpha() else f"{word}\n"
        text.append(word)
    return " ".join(text).replace("\n ", "\n")


def case(passages: int) -> tuple[dict[str, str], list[Sourced]]:
    docs = {f"S{n + 1}": passage(n) for n in range(passages)}
    last = docs[f"S{passages}"]
    exact, folded = last[300:420], last[900:1000]
    exact = exact[exact.index(" ") + 1 : exact.rindex(" ")]
    folded = folded[folded.index(" ") + 1 : folded.rindex(" ")].replace("’", "'").replace("\n", " ")
    return docs, [
        Sourced(0, exact, (f"S{passages}",), exact),
        Sourced(1, "It says so.", ("S1",), " ".join(docs["S1"].split()[20:32])),
        Sourced(2, "It says so.", (f"S{passages}",), folded),
        Sourced(3, "It says so.", ("S1",), exact),
        Sourced(
            4,
            "It says so.",
            ("S2",),
            "the policy covers damage caused by rising meteorites in an insured home",
        ),
    ]


def check(docs: Mapping[str, str], statements: list[Sourced]) -> list[Located | Finding]:
    results = [locate(statement, docs) for statement in statements]
    failed = [s.quote for s, r in zip(statements, results, strict=True) if isinstance(r, Finding)]
    found = [r for r in results if isinstance(r, Located)]
    verified = [r.quote for r in found]
    return [*results, *(contained(r, failed, verified, docs, list(docs)) for r in found)]


@pytest.mark.parametrize("passages", [5, 8, 50, 200])
def test_warm(benchmark: Any, passages: int) -> None:
    docs, statements = case(passages)
    results = benchmark(check, docs, statements)
    assert sum(isinstance(r, Located) for r in results[:5]) == 3


@pytest.mark.parametrize("passages", [5, 8, 50, 200])
def test_cold(benchmark: Any, passages: int) -> None:
    docs, statements = case(passages)

    def cold() -> tuple[tuple[Any, ...], dict[str, Any]]:
        forget()
        return (docs, statements), {}

    results = benchmark.pedantic(check, setup=cold, rounds=20)
    assert sum(isinstance(r, Located) for r in results[:5]) == 3
