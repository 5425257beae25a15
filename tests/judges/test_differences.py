"""Promises of the rules on what differs, as they are asked for."""

from __future__ import annotations

import pytest

from groundedgen.judges.wording.alignment import align
from groundedgen.judges.wording.differences import SENSE, differences
from groundedgen.text.english.analysis import analyse

# A sentence, and claims in which something of each kind differs from it.
SENTENCES = {
    "The tenant may not sublet the flat before May unless the landlord agrees.": (
        "The tenant may sublet the flat before May unless the landlord agrees.",
        "The tenant must not sublet the flat before May.",
        "The tenant may not sublet the flat after May unless the landlord agrees.",
        "The landlord may not sublet the flat before May unless the tenant agrees.",
    ),
    "Only staff or nurses used to park here, but not on Sundays, because rents rose.": (
        "Nurses park here.",
        "Staff or nurses park here on Sundays.",
        "Some staff and all nurses park here.",
        "Rents rose because nurses used to park here.",
        "Only nurses park here, but not on Sundays.",
    ),
    "Unlike the landlord, at least 5 of the tenants were said to lower their rent by 3 %.": (
        "The landlord lowers the rent by 3 %.",
        "At most 5 of the tenants raise their rent by 3 %.",
        "The tenants lower their rent by > 3 %.",
    ),
}
PAIRS = [(sentence, claim) for sentence, claims in SENTENCES.items() for claim in claims]


def laid(sentence, claim):
    return align(analyse(claim), analyse(sentence), lambda key: 1.0)


@pytest.mark.parametrize(("sentence", "claim"), PAIRS)
@pytest.mark.parametrize("among", [SENSE, SENSE | {"aside", "cause"}, {"aside"}, {"clauses"}])
def test_asking_for_some_names_skips_rules_and_loses_none(sentence, claim, among):
    al = laid(sentence, claim)
    kept = [flip for flip in differences(al) if flip.name in among]
    assert list(differences(al, among=frozenset(among))) == kept


def test_the_claims_above_meet_rules_of_many_kinds():
    names = {flip.name for pair in PAIRS for flip in differences(laid(*pair))}
    assert len(names) >= 8


@pytest.mark.parametrize("sentence", SENTENCES)
def test_a_sentence_does_not_differ_from_itself(sentence):
    assert list(differences(laid(sentence, sentence))) == []
