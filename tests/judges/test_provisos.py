"""Each rule on conditions and reservations, alone."""

from __future__ import annotations

import pytest

from groundedgen.judges.wording.alignment import align
from groundedgen.judges.wording.provisos import (
    alternative,
    cause,
    condition,
    group,
    reservation,
    restriction,
    tense,
)
from groundedgen.text.english.analysis import analyse


def found(rule, passage, claim):
    flip = rule(align(analyse(claim), analyse(passage), lambda key: 1.0))
    return None if flip is None else flip.name


@pytest.mark.parametrize(
    ("rule", "passage", "claim", "fires"),
    [
        (condition, "If the alarm was set, theft is covered.", "Theft is covered.", True),
        (condition, "If the alarm was set, theft is covered.", "The alarm was set.", True),
        (
            condition,
            "If the alarm was set, theft is covered.",
            "Theft is covered provided the alarm was set.",
            False,
        ),
        (condition, "Theft is covered unless it rains.", "Theft is covered if it rains.", True),
        (condition, "Theft is covered if it rains.", "Theft is covered only if it rains.", True),
        (condition, "All is covered except war.", "All is covered.", True),
        (condition, "Fire is covered, and theft if it rains.", "Fire is covered.", False),
        (condition, "Theft is covered.", "Theft is covered if it rains.", True),
        (condition, "When he set up the prize, he left.", "He left.", False),
        (condition, "When it rains, theft is covered.", "Theft is covered.", True),
        (condition, "The tools are provided by the firm.", "The firm provides tools.", False),
        (alternative, "It was Ann or Bob.", "It was Bob.", True),
        (alternative, "It was Ann or Bob.", "It was Ann or Bob.", False),
        (alternative, "It was Ann or Bob.", "It was Ann and Bob.", True),
        (alternative, "Fire or theft is not covered.", "Theft is not covered.", False),
        (alternative, "Any fire or theft is covered.", "Theft is covered.", False),
        (alternative, "Fire and theft are covered.", "Theft is covered.", False),
        (alternative, "Fire and theft cost 5 together.", "Theft costs 5.", True),
        (alternative, "It took 3 hours and 18 minutes.", "It took 3 hours.", True),
        (alternative, "The Frog and Toad is a poem.", "The Frog is a poem.", True),
        (cause, "Storks and births rise.", "Births rise because of storks.", True),
        (cause, "Births rise because of storks.", "Storks cause births to rise.", False),
        (reservation, "He claims that it burst.", "It burst.", True),
        (reservation, "He claims that it burst.", "He says that it burst.", False),
        (reservation, "It burst, he said.", "It burst.", True),
        (reservation, "According to the tenant, it burst.", "It burst.", True),
        (reservation, "According to the census, 5 live here.", "5 live here.", False),
        (reservation, "They plan to open a shop.", "They open a shop.", True),
        (reservation, "The United States won.", "The States won.", False),
        (reservation, "The court asks whether it is valid.", "It is valid.", True),
        (tense, "The bridge was safe until 2010.", "The bridge is safe.", True),
        (tense, "The bridge was safe until 2010.", "The bridge was safe.", False),
        (tense, "The bridge is safe since 2010.", "The bridge is safe.", False),
        (group, "In adults the drug helped.", "The drug helped.", True),
        (group, "The drug helped in mice.", "The drug helped.", True),
        (group, "In adults the drug helped.", "The drug helped in adults.", False),
        (group, "In Spain the drug helped.", "The drug helped.", False),
        (restriction, "He may sublet with consent.", "He may sublet.", True),
        (restriction, "He may sublet with consent.", "With consent he may sublet.", False),
        (restriction, "Users under 16 pay.", "Users pay.", True),
        (restriction, "The plan covers damage from hail.", "The plan covers damage.", True),
        (restriction, "The plan covers fire and hail.", "The plan covers fire.", False),
        (restriction, "He paid in Rome.", "He paid.", False),
    ],
)
def test_a_rule_fires_where_a_limit_is_lost_and_only_there(rule, passage, claim, fires):
    assert (found(rule, passage, claim) is not None) is fires
