"""Models that judge, for tests: they read a judge's prompt as someone who keeps to its rules."""

from __future__ import annotations

import json

from groundedgen.ports import Pair

PIPES = "Water damage from a burst pipe is covered up to 12,000 euros per claim."
FLOODS = "Floods, earthquakes and war are not covered by this policy."


def parts(user):
    """Passage and claims of a prompt, as a reader who keeps to the boundaries sees them."""
    boundary, _, rest = user.removeprefix("Boundary: ").partition("\n")
    pieces = ("\n" + rest).split(f"\n{boundary} ")[1:]
    heads = [piece.partition("\n") for piece in pieces]
    passage = next(body for head, _, body in heads if head == "passage")
    claims = {head[6:]: body for head, _, body in heads if head.startswith("claim ")}
    return passage, claims


def careful(system, user):
    """A model that keeps to the rules: it reads the data as data, and supports what stands there.

    No part of the library judges here: a claim is supported if its words stand in a row.
    """
    passage, claims = parts(user)
    supported = {name: claim.rstrip(". ") in passage for name, claim in claims.items()}
    labels = {name: "supported" if yes else "not_addressed" for name, yes in supported.items()}
    return json.dumps(labels)


def every(label):
    """A generator function that gives each claim of a request the same label."""

    def reply(request):
        return dict.fromkeys(request.schema.model_fields, label)

    return reply


def pairs_over(passages, claims):
    """`claims` pairs for each of `passages` passages."""
    return [
        Pair(f"Passage {p}. {PIPES}", f"Claim {p}.{c}.", f"S{p}")
        for c in range(claims)
        for p in range(passages)
    ]


def labels(verdicts):
    return [verdict.label for verdict in verdicts]


def reasons(verdicts):
    return [verdict.reason for verdict in verdicts]
