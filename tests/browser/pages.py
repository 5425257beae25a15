"""Answers and pages that the browser is shown."""

from __future__ import annotations

import json
from pathlib import Path

from groundedgen.values import (
    Answer,
    Citation,
    Closest,
    Entailment,
    Finding,
    Passage,
    Statement,
)

ATTACKS = [
    json.loads(line)
    for line in (Path(__file__).parent / "attacks.jsonl").read_text(encoding="utf-8").splitlines()
]

#: Addresses that a store may hold by mistake or by malice; none may become a link.
BAD_URLS = [
    "javascript:window.hit=1", " JaVaScRiPt:window.hit=1", "java\nscript:window.hit=1",
    "data:text/html,<script>window.hit=1</script>", "vbscript:x", "blob:https://docs.example/1",
    "https://docs.example@evil.example/", "https:\\\\evil.example", "//evil.example/", "file:///etc/passwd",
]  # fmt: skip

LEASE = Passage(
    "lease#3",
    "The tenant shall pay the rent of 900 euros monthly in advance, no later than the third "
    "working day. Late payment bears interest of 5 % a year.\n\nThe deposit is 2,700 euros. "
    "It is returned within six months of the end of the lease.",
    title="Lease agreement, Main Street 5",
    url="https://docs.example/lease",
    page=3,
    date="2024-05-01",
    lang="en",
)
ANNEX = Passage(
    "annex",
    "Pets are allowed with written consent of the landlord. Consent may be refused for good "
    "reason only.",
    title="Annex B: house rules, with a rather long title that has to wrap on a small screen",
    date="2024-06-01",
)


def cited(passage, quote):
    start = passage.text.index(quote)
    end = start + len(quote)
    astral = sum(char > "\uffff" for char in passage.text[:start])
    return Citation(passage.id, quote, start, end, "exact", start, end, astral)


def said(text, *citations, verified=True):
    label, how = ("supported", "judge") if verified else ("not_judged", "unverified")
    return Statement(text, citations, Entailment(label, how))


ANSWER = Answer(
    "answered",
    "answered",
    "What must the tenant pay, and when is the deposit returned?",
    (
        said(
            "The tenant pays 900 euros a month in advance.",
            cited(LEASE, "The tenant shall pay the rent of 900 euros monthly in advance"),
        ),
        said(
            "The deposit of 2,700 euros is returned within six months of the end of the lease.",
            cited(LEASE, "The deposit is 2,700 euros."),
            cited(LEASE, "It is returned within six months of the end of the lease."),
        ),
        said(
            "Pets need written consent, which may be refused for good reason only.",
            cited(ANNEX, "Pets are allowed with written consent of the landlord."),
            cited(LEASE, "Late payment bears interest of 5 % a year."),
        ),
        said(
            "Consent is usually given.",
            cited(ANNEX, "Consent may be refused for good reason only."),
            verified=False,
        ),
    ),
    (
        Finding(
            "quotes", "quote_not_found", 4, "The quote is not in the passage.",
            statement="The tenant may sublet.", passage_id="annex", nearest="Pets are allowed",
        ),
    ),
    passages=(LEASE, ANNEX),
)  # fmt: skip

NOT_FOUND = Answer(
    "not_found",
    "nothing_survived",
    "May the tenant sublet?",
    closest=(Closest("annex", ANNEX.text, 0, len(ANNEX.text), 1.0),),
    passages=(ANNEX,),
)


def hostile(text):
    """An answer with the same hostile words in every place that can hold some."""
    passage = Passage("id", f"{text} {text}", title=text, url="https://docs.example/", date=text)
    citation = Citation("id", text, 0, len(text), "exact", 0, len(text))
    finding = Finding("quotes", text, 0, text, 1, text, (text,), "id", text)
    return Answer(
        "answered",
        "answered",
        text,
        (said(text, citation), said(text, citation, verified=False)),
        (finding,),
        (Closest("id", text, 0, len(text), 1.0),),
        (passage,),
    )
