"""A stored answer against the sources of another day."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundedgen import Passage, ask
from groundedgen.cli import main
from groundedgen.errors import InputError
from groundedgen.reverify import passage_hash, reverify
from groundedgen.testing import ScriptedJudge
from groundedgen.text.folds import NORMALIZER_VERSION
from groundedgen.text.windows import context
from groundedgen.values import Answer, Citation, Entailment, Statement
from tests.test_values import answers

RENT = "The rent is 900 euros. It is due on the first working day of each month."
PETS = "Pets need written consent of the landlord. Non-refundable fees apply to them."
LEASE, ANNEX = Passage("lease#1", RENT, lang="en"), Passage("annex#b", PETS)
SOURCES = [LEASE, ANNEX]


def cited(passage, quote):
    start = passage.text.index(quote)
    end = start + len(quote)
    around = context(passage.text, start, end, passage.lang)
    astral = sum(char > "\uffff" for char in passage.text[:start])
    return Citation(passage.id, quote, start, end, "exact", *around, astral)


def said(text, *citations, how="judge"):
    label = "not_judged" if how == "unverified" else "supported"
    return Statement(text, citations, Entailment(label, how))


def answered(*statements, passages=tuple(SOURCES)):
    return Answer(
        "answered",
        "answered",
        "?",
        statements,
        passages=passages,
        versions={"normalizer": NORMALIZER_VERSION},
    )


ANSWER = answered(
    said("The rent is 900 euros a month.", cited(LEASE, "The rent is 900 euros.")),
    said("Pets need written consent of the landlord.",
         cited(ANNEX, "Pets need written consent of the landlord."), how="whole_sentence"),
)  # fmt: skip


def reasons(answer, passages=SOURCES):
    """Statement by statement, what no longer holds; nothing where all does."""
    report = reverify(answer, passages)
    broken = [
        [b.reason for b in (*s.broken, *(b for c in s.citations for b in c.broken))]
        for s in report.statements
    ]
    assert report.holds == (not any(broken))
    assert [s.holds for s in report.statements] == [not b for b in broken]
    return broken


def now(passage, text):
    """The sources with one of them changed."""
    return [replace(p, text=text) if p.id == passage.id else p for p in SOURCES]


def test_against_the_same_sources_all_of_it_holds():
    assert [[], []] == reasons(ANSWER)
    stored = Answer.model_validate_json(ANSWER.model_dump_json())
    assert [[], []] == reasons(stored)
    [check] = reverify(stored, SOURCES).statements[0].citations
    assert (0, 22) == (check.start, check.end)
    assert passage_hash(RENT) == check.stored_hash == check.current_hash


def test_passages_that_are_not_cited_do_not_matter():
    assert [[], []] == reasons(ANSWER, [Passage("other", "Words."), *SOURCES])


def test_a_withdrawn_source_is_named():
    assert [["source_gone"], []] == reasons(ANSWER, [ANNEX])
    assert [["source_gone"], ["source_gone"]] == reasons(ANSWER, [])


def test_a_renamed_source_is_told_with_its_new_ids():
    report = reverify(ANSWER, [replace(LEASE, id="lease-2026#1"), ANNEX])
    [broken] = report.statements[0].citations[0].broken
    assert ("source_gone", ("lease-2026#1",)) == (broken.reason, broken.details)


def test_a_change_anywhere_in_the_passage_breaks_what_a_judge_read_there():
    """An exception added two sentences later can turn a statement round."""
    assert [["source_changed"], []] == reasons(ANSWER, now(LEASE, RENT + " This ends in May."))


def test_a_quote_that_moved_is_found_at_its_new_place():
    changed = now(LEASE, "New. " + RENT)
    assert [["source_changed", "quote_moved"], []] == reasons(ANSWER, changed)
    [check] = reverify(ANSWER, changed).statements[0].citations
    assert "The rent is 900 euros." == changed[0].text[check.start : check.end]


def test_a_quote_and_number_that_are_gone_are_told():
    changed = now(LEASE, RENT.replace("900", "950"))
    expected = ["source_changed", "quote_not_found", "number_mismatch"]
    assert [expected, []] == reasons(ANSWER, changed)
    report = reverify(ANSWER, changed)
    [check] = report.statements[0].citations
    assert (-1, -1) == (check.start, check.end)
    assert ("900",) == check.broken[2].details


def test_a_statement_that_was_a_sentence_must_still_be_one():
    changed = now(ANNEX, PETS.replace("Pets need", "Unless they are small, pets need"))
    [_, broken] = reasons(ANSWER, changed)
    assert {"not_a_sentence", "source_changed"} <= set(broken)


def test_only_one_of_the_cited_passages_must_be_the_sentence():
    copy = Passage("copy", "As agreed, pets need written consent of the landlord.")
    both = said("Pets need written consent of the landlord.",
                cited(ANNEX, "Pets need written consent of the landlord."),
                cited(copy, "pets need written consent of the landlord"),
                how="whole_sentence")  # fmt: skip
    answer = answered(both, passages=(ANNEX, copy))
    assert [[]] == reasons(answer, [ANNEX, copy])


def test_one_lost_citation_of_two_is_something_that_no_longer_holds():
    both = said("Rent is 900 euros.", cited(LEASE, "The rent is 900 euros."),
                cited(replace(LEASE, id="copy"), "The rent is 900 euros."))  # fmt: skip
    answer = answered(both, passages=(LEASE, replace(LEASE, id="copy")))
    assert [["source_gone"]] == reasons(answer)
    assert [True, False] == [c.holds for c in reverify(answer, SOURCES).statements[0].citations]


@pytest.mark.parametrize(
    ("altered", "reason"),
    [
        (said("Rent is 90 euros.", cited(LEASE, "The rent is 900 euros.")), "number_mismatch"),
        (said("Rent.",
              replace(cited(LEASE, "The rent is 900 euros."), quote="The rent is 9 euros.")),
         "quote_not_found"),
        (said("Rent.", replace(cited(LEASE, "The rent is 900 euros."), start=3)), "quote_moved"),
        (said("Rent.", replace(cited(LEASE, "The rent is 900 euros."), start=-5, end=22)),
         "quote_moved"),
        (said("Rent.", replace(cited(LEASE, "The rent"), quote="", end=0)), "quote_not_found"),
        (said("Fees are refundable.", cited(ANNEX, "refundable fees apply")), "quote_not_found"),
        (said("Pets are free.", cited(ANNEX, "Pets need written consent of"), how="whole_sentence"),
         "not_a_sentence"),
        (said("See https://evil.example/", cited(LEASE, "The rent is 900 euros.")), "link_in_text"),
        (said("As annex#b says.", cited(LEASE, "The rent is 900 euros.")), "passage_id_in_text"),
        (Statement("Rent.", (cited(LEASE, "The rent is 900 euros."),),
                   Entailment("supported", "unverified")), "verdict_altered"),
        (Statement("Rent.", (cited(LEASE, "The rent is 900 euros."),),
                   Entailment("contradicted", "judge")), "verdict_altered"),
        (said("Rent."), "no_citation"),
        *((said(text, cited(LEASE, "The rent is 900 euros.")), "text_altered")
          for text in ("", " . ", "~~The rent is 900 euros.~~", "It is \u202e900\u202c euros.")),
    ],
)  # fmt: skip
def test_a_stored_answer_that_was_altered_does_not_hold(altered, reason):
    [broken] = reasons(answered(altered))
    assert [reason] == broken


@pytest.mark.parametrize(
    "change",
    [
        {"context_start": -5},
        {"context_end": 10**9},
        {"context_start": 1},
        {"astral_before": 1},
    ],
)
def test_what_follows_from_the_place_of_a_quote_cannot_be_altered(change):
    statement = said("Rent is 900.", replace(cited(LEASE, "The rent is 900 euros."), **change))
    assert [["citation_altered"]] == reasons(answered(statement))


def test_a_quote_of_few_words_proves_nothing_unless_it_is_all_there_is():
    short = answered(said("Theft, flood and war are covered.", cited(LEASE, "is")))
    assert [["quote_too_short"]] == reasons(short)
    four = answered(said("Rent is 900.", cited(LEASE, "rent is 900 euros")))
    assert [["quote_too_short"]] == reasons(four)
    assert reverify(four, SOURCES, min_quote_words=4).holds
    whole = Passage("short", "- Hail: no.")
    assert [[]] == reasons(answered(said("No hail.", cited(whole, "Hail: no")), passages=(whole,)),
                           [whole])  # fmt: skip
    for figure in (0, 51, True, "5"):
        with pytest.raises(InputError, match="1 to 50"):
            reverify(four, SOURCES, min_quote_words=figure)


def test_a_quote_must_stand_alone_at_its_very_place():
    text = "Non-refundable fees apply to all pets. Refundable fees apply to all pets."
    passage = Passage("fees", text)
    quote = "efundable fees apply to all pets"
    at = text.index(quote)
    forged = Citation("fees", quote, at, at + len(quote), "exact", 0, 38)
    answer = answered(said("Fees are refundable.", forged), passages=(passage,))
    assert [["quote_not_found"]] == reasons(answer, [passage])


def test_either_of_two_places_of_the_same_words_may_be_cited():
    twice = Passage("twice", "Rent is due each month. Now: rent is due each month.")
    quote = cited(twice, "rent is due each month")
    assert quote.start > 20
    assert [[]] == reasons(answered(said("It is due.", quote), passages=(twice,)), [twice])
    same = Passage("same", "It is due each month. It is due each month. So.")
    second = replace(cited(same, "It is due each month."), start=22, end=43,
                     context_start=22, context_end=43)  # fmt: skip
    assert [[]] == reasons(answered(said("It is due.", second), passages=(same,)), [same])


def test_a_number_cannot_hide_in_a_citation_mark():
    forged = said("No one pays more than [2].", cited(LEASE, "The rent is 900 euros."))
    assert [["marker_in_text"]] == reasons(answered(forged))
    notes = Passage("notes", "The rent is 900 euros [2] from May on.")
    own = said("The rent is 900 euros [2] from May on.", cited(notes, "The rent is 900 euros"))
    assert [[]] == reasons(answered(own, passages=(notes,)), [notes])


FORGED = answered(said("Theft, flood and war are covered.", cited(LEASE, "The rent is 900 euros.")))


def test_other_words_over_a_true_quote_are_believed_only_as_stored():
    report = reverify(FORGED, SOURCES)
    assert (True, 1, "") == (report.holds, report.as_stored, report.judge)
    assert report.statements[0].as_stored
    assert [True, False] == [s.as_stored for s in reverify(ANSWER, SOURCES).statements]


def test_a_judge_that_is_asked_again_reads_the_words_and_passages_of_today():
    report = reverify(FORGED, SOURCES, judge="lexical")
    [check] = report.statements
    assert (False, 0, "lexical") == (report.holds, report.as_stored, report.judge)
    assert check.citations[0].broken[-1].reason in {"not_supported", "not_judged"}
    honest = answered(said("The rent is 900 euros.", cited(LEASE, "The rent is 900 euros.")))
    report = reverify(honest, SOURCES, judge="lexical")
    assert (True, 0) == (report.holds, report.as_stored)


@pytest.mark.parametrize(
    ("verdict", "reason"),
    [("contradicted", "not_supported"), ("partial", "not_supported"), ("not_judged", "not_judged")],
)
def test_only_support_from_every_cited_passage_holds(verdict, reason):
    statement = said("It costs 900.", cited(LEASE, "The rent is 900 euros."))
    report = reverify(answered(statement), SOURCES, judge=ScriptedJudge(verdict))
    assert [reason] == [b.reason for b in report.statements[0].citations[0].broken]


def test_a_judge_is_not_asked_about_what_is_gone_or_was_never_judged():
    judge = ScriptedJudge("supported")
    unjudged = said("Rent.", cited(LEASE, "The rent is 900 euros."), how="unverified")
    gone = said("Cats.", cited(ANNEX, "Pets need written consent of the landlord."))
    report = reverify(answered(unjudged, gone), [LEASE], judge=judge)
    assert [True, False] == [s.holds for s in report.statements]
    assert [] == list(judge.pairs)


def test_an_altered_copy_of_the_passage_does_not_match_the_source():
    forged = replace(LEASE, text=RENT.replace("900", "100"))
    statement = said("Rent is 100 euros.", cited(forged, "The rent is 100 euros."))
    [broken] = reasons(answered(statement, passages=(forged, ANNEX)))
    assert ["source_changed", "quote_not_found", "number_mismatch"] == broken


def test_without_a_copy_of_the_passage_nothing_tells_whether_it_changed():
    [broken, _] = reasons(replace(ANSWER, passages=(ANNEX,)))
    assert ["source_not_stored"] == broken


def test_what_no_judge_had_read_is_told_and_its_quote_still_checked():
    answer = answered(said("Rent.", cited(LEASE, "The rent is 900 euros."), how="unverified"))
    report = reverify(answer, SOURCES)
    assert (True, False) == (report.holds, report.statements[0].verified)
    assert [["source_gone"]] == reasons(answer, [ANNEX])


def test_an_answer_without_statements_has_nothing_that_could_fall():
    report = reverify(Answer("not_found", "core_lost", "?"), [])
    assert (True, ()) == (report.holds, report.statements)


def test_another_normalizer_is_told_and_is_no_failure_by_itself():
    report = reverify(replace(ANSWER, versions={"normalizer": "0"}), SOURCES)
    assert (True, "0") == (report.holds, report.stored_normalizer)
    assert NORMALIZER_VERSION == report.normalizer
    assert "" == reverify(replace(ANSWER, versions={}), SOURCES).stored_normalizer


@pytest.mark.parametrize(
    "use",
    [
        lambda: reverify(ANSWER.model_dump(), SOURCES),
        lambda: reverify(ANSWER, RENT),
        lambda: reverify(ANSWER, [LEASE, replace(LEASE, text="Other.")]),
    ],
)
def test_what_cannot_be_meant_is_an_error(use):
    with pytest.raises(InputError):
        use()


def test_a_report_in_a_log_line_holds_no_text():
    changed = now(LEASE, RENT.replace("900", "950"))
    shown = repr(reverify(ANSWER, changed))
    assert "number_mismatch" in shown
    assert "euros" not in shown
    assert "'900'" not in shown


# Promises

sentences = st.lists(
    st.sampled_from(
        ["Rent is 900 euros a month.", "It is due on the 1st of each month.",
         "No pets 🐕 live here.",
         "The o\ufb03ce is “open” from 9 to 5.", "Cafe\u0301 guests may pay 12,50 € extra.",
         "Fees of 1.2 million are non-refundable.", "See § 5(2) of the lease - it applies."]
    ),
    min_size=1, max_size=4, unique=True,
)  # fmt: skip
documents = st.lists(sentences.map(" ".join), min_size=1, max_size=3, unique=True).map(
    lambda texts: [Passage(f"doc#{n}", text) for n, text in enumerate(texts)]
)


@settings(max_examples=30)
@given(documents, st.sampled_from(["rent a month", "pets", "fees", "office open", "lease"]))
def test_what_ask_returns_holds_against_its_own_passages(passages, question):
    answer = ask(question, passages, judge=ScriptedJudge("supported"))
    stored = Answer.model_validate_json(answer.model_dump_json())
    assert all(not broken for broken in reasons(stored, passages))


@settings(max_examples=30)
@given(documents, st.data())
def test_any_change_of_a_cited_passage_is_noticed(passages, data):
    answer = ask("rent pets fees office lease", passages, judge=ScriptedJudge("supported"))
    for passage in answer.passages:
        at = data.draw(st.integers(0, len(passage.text)))
        put = data.draw(st.sampled_from([" ", "not ", "x", "\u200b", "\n"]))
        changed = replace(passage, text=passage.text[:at] + put + passage.text[at:])
        sources = [changed if p.id == passage.id else p for p in passages]
        report = reverify(answer, sources)
        for statement in report.statements:
            held = all(c.passage_id != passage.id for c in statement.citations)
            assert held == statement.holds


@given(answers)
def test_no_stored_answer_breaks_it(answer):
    report = reverify(answer, list({p.id: p for p in answer.passages}.values()))
    assert len(answer.statements) == len(report.statements)
    reverify(answer, [])


# The command


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "lease.txt").write_text(RENT, encoding="utf-8")
    (tmp_path / "docs" / "annex.txt").write_text(PETS, encoding="utf-8")
    return tmp_path


def stored(folder, capsys):
    """What `ask --json` prints, in a file."""
    assert 0 == main(
        ["ask", "On which working day of the month is it due?", str(folder / "docs"), "--json"]
    )
    (folder / "answer.json").write_text(capsys.readouterr().out, encoding="utf-8")
    return str(folder / "answer.json")


def test_what_ask_printed_is_verified(folder, capsys):
    answer = stored(folder, capsys)
    assert 0 == main(["verify", answer, "--passages", str(folder / "docs")])
    told = capsys.readouterr().out
    assert "statements still hold" in told
    assert "✗" not in told


def test_a_changed_source_is_named_and_ends_with_5(folder, capsys):
    answer = stored(folder, capsys)
    changed = RENT.replace("first", "third")
    (folder / "docs" / "lease.txt").write_text(changed, encoding="utf-8")
    assert 5 == main(["verify", answer, "--passages", str(folder / "docs")])
    told = capsys.readouterr().out
    for words in ("✗ ", "lease.txt: source_changed.", "quote_not_found", "0 of 1 statements"):
        assert words in told


def test_several_paths_may_follow_one_option_or_each_its_own(folder, capsys):
    answer = stored(folder, capsys)
    lease, annex = str(folder / "docs" / "lease.txt"), str(folder / "docs" / "annex.txt")
    assert 0 == main(["verify", answer, "--passages", annex, lease])
    assert 0 == main(["verify", answer, "--passages", annex, "--passages", lease])
    assert 5 == main(["verify", answer, "--passages", annex])
    assert "source_gone" in capsys.readouterr().out


def test_json_is_the_report_and_nothing_else(folder, capsys):
    answer = stored(folder, capsys)
    (folder / "docs" / "lease.txt").write_text("All is new.", encoding="utf-8")
    assert 5 == main(["verify", answer, "--passages", str(folder / "docs"), "--json"])
    told = json.loads(capsys.readouterr().out)
    assert (False, False) == (told["holds"], told["statements"][0]["holds"])
    broken = told["statements"][0]["citations"][0]["broken"]
    assert "source_changed" == broken[0]["reason"]


def test_an_answer_that_is_none_has_nothing_to_verify(folder, capsys):
    not_found = Answer("not_found", "core_lost", "?", versions={"normalizer": "0"})
    path = folder / "none.json"
    path.write_text(not_found.model_dump_json(), encoding="utf-8")
    assert 0 == main(["verify", str(path), "--passages", str(folder / "docs")])
    told = capsys.readouterr().out
    assert "no statement to check: the answer is not_found" in told
    assert f"made with normaliser 0, checked with {NORMALIZER_VERSION}" in told


def test_what_a_policy_showed_unchecked_says_so(folder, capsys):
    text = (folder / "docs" / "lease.txt").read_text(encoding="utf-8")
    passage = Passage("lease.txt", text)
    answer = answered(
        said("Rent \x1b[31mis due.", cited(passage, "The rent is 900 euros."), how="unverified"),
        Statement("Rent.", (cited(passage, "The rent is 900 euros."),),
                  Entailment("contradicted", "judge")),
        passages=(passage,),
    )  # fmt: skip
    path = folder / "unchecked.json"
    path.write_text(answer.model_dump_json(), encoding="utf-8")
    assert 5 == main(["verify", str(path), "--passages", str(folder / "docs")])
    told = capsys.readouterr().out
    assert "NOT CHECKED" in told
    assert "verdict_altered" in told
    assert "\x1b" not in told


def test_a_verdict_as_stored_is_told_and_can_be_asked_again(folder, capsys):
    passage = Passage("lease.txt", RENT)
    quote = cited(passage, "The rent is 900 euros.")
    forged = answered(said("Theft and war are covered.", quote), passages=(passage,))
    path = folder / "forged.json"
    path.write_text(forged.model_dump_json(), encoding="utf-8")
    asked = ["verify", str(path), "--passages", str(folder / "docs")]
    assert 0 == main(asked)
    told = " ".join(capsys.readouterr().out.split())
    assert "✓" not in told
    assert (
        "1 of 1 statements: quotes and numbers still hold; the judge's verdict on 1 of them" in told
    )
    assert "as stored, not checked again" in told
    assert 0 == main([*asked, "--json"])
    assert 1 == json.loads(capsys.readouterr().out)["verdicts_as_stored"]
    assert 5 == main([*asked, "--judge", "lexical"])
    assert "0 of 1 statements still hold" in capsys.readouterr().out
    assert 5 == main([*asked, "--min-quote-words", "9"])
    assert "quote_too_short" in capsys.readouterr().out


@pytest.mark.parametrize("content", ["", "{}", "[1]", "no json", '{"status": "perhaps"}'])
def test_a_file_that_is_no_answer_is_a_usage_error(folder, capsys, content):
    path = folder / "bad.json"
    path.write_text(content, encoding="utf-8")
    assert 2 == main(["verify", str(path), "--passages", str(folder / "docs")])
    assert capsys.readouterr().err.startswith("error: ")


def test_what_is_missing_is_a_usage_error(folder, capsys):
    answer = stored(folder, capsys)
    assert 2 == main(["verify", str(folder / "none.json"), "--passages", str(folder / "docs")])
    assert 2 == main(["verify", answer, "--passages", str(folder / "none")])
    assert 2 == main(["verify", answer])
    assert 2 == main(["verify"])
    assert 4 == capsys.readouterr().err.count("error: ")


def test_an_answer_may_come_from_standard_input(folder, capsys, monkeypatch):
    import io

    data = Path(stored(folder, capsys)).read_bytes()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert 0 == main(["verify", "-", "--passages", str(folder / "docs")])
