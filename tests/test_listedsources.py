"""An answer that this library has written, fed back to it; and lists of sources of others."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from groundedgen import Passage, Policy, render, verify
from groundedgen.listedsources import without_own_words

TEXTS = (
    "The policyholder may appeal a refusal within 30 days. Interest runs from then on.",
    "The deductible is 500 euros per loss. It is paid at once.",
    "Pets_and_cats are never welcome in the building. Keep it [so].",
    "Claims go to www.insurer.example or by post to section #5 of the house.",
    "Floods are not covered by this policy & its annex <b>.",
    "R|D costs more than 5 * 3 = 15 euros $ in all $ cases.",
)
CLAIMS = tuple(f"{text.partition('. ')[0]}." if n < 3 else text for n, text in enumerate(TEXTS))
TITLES = ("Household policy", "Terms [2024]", "House *rules*", None, "Annex (1)", "Costs, p. 2")
PASSAGES = [
    Passage(f"p-{n}", text, title=title, url=f"https://docs.example/{n}", page=n or None)
    for n, (text, title) in enumerate(zip(TEXTS, TITLES, strict=True))
]


def shown(answer):
    return [(s.text, [c.passage_id for c in s.citations]) for s in answer.statements]


@settings(max_examples=25)  # each reads two answers
@given(
    st.permutations(range(len(TEXTS))),
    st.integers(1, len(TEXTS)),
    st.sampled_from(["markdown", "footnotes", "text"]),
    st.sampled_from(["en", "de", "fr", "es"]),
)
def test_a_rendered_answer_fed_back_gives_its_statements_again(order, count, form, lang):
    """Whatever their order: the list of sources says which passage a number means."""
    text = "\n\n".join(f"{CLAIMS[n]} [{n + 1}]" for n in order[:count])
    answer = verify(text, PASSAGES)
    assume(answer.statements)
    written = render(answer, format=form, lang=lang)
    again = verify(written, PASSAGES, policy=Policy.strict())
    assert shown(answer) == shown(again)
    assert () == again.findings


FIRE = "Fire is covered by this policy in full."
LISTED = [
    f"{FIRE} [1]\n\nSources:\n[1] House policy\n[2] Terms",
    f"{FIRE} [1]\n\n## References\n\n1. House policy, p. 3\n2. Terms",
    f"{FIRE} [1]\n\n**Quellen**\n\n- [1] [House policy](https://a.example)\n",
    f"{FIRE} [^1]\n\n[^1]: House policy, p. 3\n",
    f'{FIRE} [^1]\n\n[^1]: Somewhere\n    > {FIRE}\n\nSources:\n[2] Terms\n    "A fee is due."\n',
    f"{FIRE} [1]\n\n[1]: House policy, page 2\n",
    f"{FIRE} [^house]\n\n[^house]: Our own copy\n",
]


@pytest.mark.parametrize("text", LISTED)
def test_a_list_of_sources_says_which_passage_a_number_means(text):
    passages = [Passage("terms", "A fee is due.", title="Terms")]
    passages.append(Passage("house", FIRE, title="House policy"))
    answer = verify(text, passages, policy=Policy.strict())
    assert [(FIRE, ["house"])] == shown(answer)
    assert () == answer.findings


def test_a_title_that_several_passages_have_leaves_the_order_as_it_is():
    passages = [Passage(f"p{n}", text, title="Policy") for n, text in enumerate((FIRE, "Ice is."))]
    assert [(FIRE, ["p0"])] == shown(verify(f"{FIRE} [1]\n\nSources:\n[1] Policy\n", passages))


KEPT = [
    "Sources of income are rent and interest [1].",
    "Sources:\n- Rent is income [1].\n",
    "[1]: Fire is covered.\n",
    "So:\n\n```\n[^1]: x\nSources:\n[1] y\n```\n",
    "It is so [^note].\n",
]


@pytest.mark.parametrize("text", KEPT)
def test_statements_and_code_are_no_list_of_sources(text):
    assert text == without_own_words(text).text


def test_a_statement_that_was_not_checked_is_read_without_that_note():
    assert "Fire is covered. [1]" == without_own_words("Fire is covered. [1] *(not checked)*").text
