"""A stop behind an abbreviation ends no sentence: what follows alone could say the opposite."""

from __future__ import annotations

import pytest

from groundedgen import Passage, ask
from groundedgen.policy import Policy
from groundedgen.spans import quotable_spans
from groundedgen.testing import ScriptedGenerator
from groundedgen.text.sentences import sentence_spans

DENIED = {
    "en": (
        "It is not true that under {} {} flood damage to the house is covered.",
        """
        acc. approx. art. cl. Cl. para. paras. Sec. ss. subj. excl. incl. Ref. Reg. Sched. App. ann.
        cf. e.g. i.e. viz. vs. pt. ch. pp. Nos. Ltd. Inc. plc. est. max. min. ed. cert. Gov. St. Mr.
        Ms. Messrs. Dr. Prof. Hon. Jr. Capt. a.m. p.m. U.S. Ph.D. M.D. R.N. b.i.d. mg. ml. hrs. wk.
        pat. dx. Rx. endt. Pol. lim. ded.
        """,
        ["Schedule 5", "Smith", "5", "Dr. Smith"],
    ),
    "de": (
        "Es trifft nicht zu, dass {} {} Schäden durch Hochwasser versichert sind.",
        """
        gem. lt. i.S.d. Abs. Nr. Art. ca. bzw. vgl. i.V.m. u.a. insb. ggf. inkl. exkl. sog. entspr.
        z.B. u.U. Kap. Anl. S. Dr. evtl. max. mind. Fa. Abschn. Bd. Rn. Rdnr.
        """,
        ["Ziff. 5", "Anlage 5", "§ 5", "Satz 2"],
    ),
    "fr": (
        "Il n'est pas vrai que {} {} les dommages d'inondation sont couverts.",
        "art. al. cf. env. M. Mme. Cie. réf. chap. incl. par. ann. Dr. St.",
        ["Annexe 5", "Alinéa 2", "5"],
    ),
    "es": (
        "No es cierto que {} {} los daños por inundación estén cubiertos.",
        "art. núm. pág. cf. v. aprox. incl. Sr. Sra. ap. ref. cap. párr. p.ej. S.A. máx. mín.",
        ["Anexo 5", "Art. 5", "5"],
    ),
    "pt": (
        "Não é verdade que {} {} os danos por inundação estão cobertos.",
        "art. n. pág. cf. aprox. Sr. Dr. ref. cap. par. al. máx. v. ex. S.A.",
        ["Anexo 5", "Art. 5", "5"],
    ),
}
CASES = [
    (tag, frame.format(short, name), lang)
    for tag, (frame, shorts, names) in DENIED.items()
    for short in shorts.split()
    for name in names
    for lang in (None, tag)
]


def test_nothing_can_be_quoted_from_behind_a_denial():
    assert len(CASES) > 700
    cut = [
        text[start:end]
        for _, text, lang in CASES
        for start, end in quotable_spans(text, lang)
        if start > 0
    ]
    assert cut == []


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        (
            "It is not true that under Sched. 5 flood damage to the house is covered.",
            "5 flood damage to the house is covered.",
        ),
        (
            "The court did not accept that Ms. Smith is entitled to the full sum of 5,000 euros.",
            "Smith is entitled to the full sum of 5,000 euros.",
        ),
        (
            "The patient must not be given, cf. App. B, Aspirin is given at 500 mg daily.",
            "B, Aspirin is given at 500 mg daily.",
        ),
    ],
)
def test_a_copy_of_what_stands_behind_an_abbreviation_is_no_sentence(text, quote):
    statement = {"sources": ["S1"], "quote": quote, "text": quote}
    draft = {"status": "answered", "statements": [statement]}
    for policy in (Policy(), Policy.strict()):
        model = ScriptedGenerator([draft, draft])
        answer = ask("Is it so?", [Passage("p", text)], model=model, policy=policy)
        assert not answer.statements
    default = ask("Is flood damage to the house covered, in what dose?", [Passage("p", text)])
    assert all(s.text == text for s in default.statements)


@pytest.mark.parametrize(
    "text",
    [
        "Floods are not covered. Fire is covered.",
        "The NHS does not pay. The patient pays.",
        "The rent does not include water. It includes heat.",
        "Fire is covered up to 500 mg. That is all.",
        "Der Schaden ist nicht versichert. Feuer ist versichert.",
    ],
)
def test_sentences_that_end_in_a_word_stay_apart(text):
    assert len(sentence_spans(text)) == 2
