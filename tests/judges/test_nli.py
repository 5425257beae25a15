"""Promises of the NLI judge, kept with a real ONNX model that the test writes itself."""

from __future__ import annotations

import json
import random
import sys
import threading

import pytest

pytest.importorskip("onnxruntime", reason="the extra `nli` is not installed")
pytest.importorskip("tokenizers", reason="the extra `nli` is not installed")
pytest.importorskip("onnx", reason="it writes the model")

from itertools import permutations

from groundedgen import ask
from groundedgen.deadlines import within
from groundedgen.errors import InputError, MissingExtraError
from groundedgen.evals import Labelled, calibrate
from groundedgen.judges.nli import NLIJudge
from groundedgen.testing import ScriptedGenerator, ScriptedJudge, check_judge
from groundedgen.values import Pair
from tests.tinymodel import THREE, WORDS, write_model

COVERED = Pair("The policy covers floods and fire.", "The policy covers fire.")
DENIED = Pair("The policy covers not floods.", "The policy covers floods.")
UNSAID = Pair("The policy covers fire.", "The tenant pays rent in may.")
FILLER = "This clause says nothing of interest here. "


@pytest.fixture
def folder(tmp_path):
    return write_model(tmp_path / "model")


def labels(judge, *pairs):
    return [verdict.label for verdict in judge.judge(pairs)]


def test_it_keeps_what_every_judge_promises(folder):
    check_judge(NLIJudge(folder))


@pytest.mark.parametrize("roles", list(permutations(THREE)))
def test_the_order_of_the_labels_is_read_from_the_config(tmp_path, roles):
    judge = NLIJudge(write_model(tmp_path, roles))
    assert ["supported", "contradicted", "not_addressed"] == labels(judge, COVERED, DENIED, UNSAID)


def test_a_model_of_two_labels_supports_or_does_not(tmp_path):
    config = {"id2label": {"0": "not_entailment", "1": "entailment"}}
    judge = NLIJudge(write_model(tmp_path, ("other", "entailment"), config=config))
    expected = ["supported", "not_addressed", "not_addressed"]
    assert expected == labels(judge, COVERED, DENIED, UNSAID)


def test_a_scorer_of_one_output_is_used_only_with_a_sigmoid_and_a_name(tmp_path):
    sigmoid = {"sbert_ce_default_activation_function": "torch.nn.modules.activation.Sigmoid"}
    write_model(tmp_path, ("entailment",), config=sigmoid | {"id2label": {"0": "LABEL_0"}})
    with pytest.raises(InputError, match="LABEL_0"):
        NLIJudge(tmp_path)
    judge = NLIJudge(tmp_path, labels=["consistent"])
    assert ["supported", "not_addressed"] == labels(judge, COVERED, UNSAID)


def test_labels_that_are_not_as_many_as_the_outputs_are_refused(folder):
    judge = NLIJudge(folder, labels=["unsupported", "supported"])
    with pytest.raises(InputError, match="3 numbers a pair, and there are 2 labels"):
        judge.judge([COVERED])


def test_evidence_at_the_end_of_3000_tokens_is_read(folder):
    """Truncation at the model's 128 tokens would lose it."""
    long = FILLER * 375 + "The tenant pays rent in may."
    judge = NLIJudge(folder)
    assert judge._model().lengths([long])[0] > 3000
    [verdict] = judge.judge([Pair(long, "The tenant pays rent in may.")])
    assert "supported" == verdict.label
    assert "of the passage" in verdict.why
    assert ["not_addressed"] == labels(judge, Pair(long, "The policy covers fire."))


@pytest.mark.parametrize("place", [0, 1, 7, 60, 119, 120])
def test_evidence_is_read_wherever_it_stands(folder, place):
    sentences = [FILLER] * 120
    sentences.insert(place, "The tenant pays rent in may. ")
    assert ["supported"] == labels(NLIJudge(folder), Pair("".join(sentences), "Tenant pays rent."))


def test_a_contradiction_in_the_window_of_the_evidence_wins(folder):
    near = FILLER * 30 + "The policy covers fire. " + "Fire is not covered. " + FILLER * 30
    far = "The policy covers fire. " + FILLER * 60 + "Water is not covered here."
    claim = "The policy covers fire."
    assert ["contradicted", "supported"] == labels(
        NLIJudge(folder), Pair(near, claim), Pair(far, claim)
    )


def test_a_claim_too_long_for_the_model_is_not_judged(folder):
    [verdict] = NLIJudge(folder).judge([Pair("Fire is covered.", "fire " * 200)])
    assert ("not_judged", "too_long", None) == (verdict.label, verdict.reason, verdict.score)


def test_a_sentence_too_long_for_the_model_is_never_cut(folder):
    """Nothing supports beside a sentence that nobody read; a contradiction still contradicts."""
    unread = "Fire is covered. " + "water " * 300 + ". The policy covers not floods."
    first, second = NLIJudge(folder).judge(
        [Pair(unread, "Fire is covered."), Pair(unread, "The policy covers floods.")]
    )
    assert ("not_judged", "too_long") == (first.label, first.reason)
    assert "contradicted" == second.label


@pytest.mark.parametrize(
    ("missing", "label"), [(1, "supported"), (4, "supported"), (9, "not_judged")]
)
def test_windows_are_made_shorter_where_sentences_take_more_room_together(
    folder, monkeypatch, missing, label
):
    """What the tokens of single sentences add up to is an estimate; what is sent is counted."""
    judge = NLIJudge(folder)
    model = judge._model()
    counted = model.lengths
    monkeypatch.setattr(model, "lengths", lambda texts: [n - missing for n in counted(texts)])
    sent = []
    run = model.logits
    monkeypatch.setattr(model, "logits", lambda inputs: sent.extend(inputs) or run(inputs))
    [verdict] = judge.judge([Pair(FILLER * 60 + "The tenant pays rent.", "Tenant pays rent.")])
    assert label == verdict.label
    assert verdict.reason == ("" if label == "supported" else "too_long")
    assert all(len(e.ids) <= 128 for e in sent)


BROKEN = Pair("The policy covers theft and fire.", "The policy covers fire.")


def test_numbers_that_are_not_finite_are_no_verdict_on_that_pair_alone(tmp_path):
    judge = NLIJudge(write_model(tmp_path, broken="theft"))
    first, broken, last = judge.judge([COVERED, BROKEN, DENIED])
    assert ["supported", "contradicted"] == [first.label, last.label]
    assert ("not_judged", "judge_bad_reply", None) == (broken.label, broken.reason, broken.score)
    assert "not finite" in broken.why


def test_a_pair_with_such_numbers_in_one_of_its_windows_is_not_judged(tmp_path):
    judge = NLIJudge(write_model(tmp_path, broken="theft"))
    long = "The policy covers fire. " + FILLER * 40 + "Theft is covered."
    assert ["not_judged"] == labels(judge, Pair(long, "The policy covers fire."))


def test_calibrate_counts_such_a_pair_as_unscored(tmp_path):
    judge = NLIJudge(write_model(tmp_path, broken="theft"))
    pairs = [Labelled(p.premise, p.claim, "supported") for p in (COVERED, BROKEN, DENIED)]
    found = calibrate(pairs, judge)
    assert ({"judge_bad_reply": 1}, 2) == (found.unscored, found.distinct)


# The quote

PAD = "a clause says nothing of interest here of interest here"
QUOTE = (
    f"The tenant pays rent in may {PAD}. The policy covers floods {PAD}. "
    f"Report damage within days {PAD}."
)
OF_QUOTE = "tenant pays rent in may the policy covers floods report damage within days"


def placed(before, quote=QUOTE, claim=OF_QUOTE):
    start = len(FILLER * before)
    return Pair(f"{FILLER * before}{quote} {FILLER * 20}", claim, "S1", (start, start + len(quote)))


def test_a_quote_is_whole_in_one_window_wherever_it_stands(folder):
    """Three sentences of 47 tokens, of which windows of 128 would cut some in two."""
    judge = NLIJudge(folder)
    assert 47 == judge._model().lengths([QUOTE])[0]
    pairs = [placed(before) for before in range(40)]
    assert {"supported"} == set(labels(judge, *pairs))
    unplaced = [Pair(pair.premise, pair.claim) for pair in pairs]
    assert "not_addressed" in labels(judge, *unplaced)  # so this is what the place is for


@pytest.mark.parametrize("before", [0, 9, 11, 25])
def test_a_call_tells_the_judge_where_the_quote_stands(folder, before):
    statement = {"text": OF_QUOTE, "quote": QUOTE, "sources": ["S1"]}
    generator = ScriptedGenerator([{"status": "answered", "statements": [statement]}] * 2)
    passages = [placed(before).premise]
    answer = ask("What is due?", passages, model=generator, judge=NLIJudge(folder))
    assert "answered" == answer.status


def test_a_quote_cut_out_of_sentences_is_read_with_them_whole(folder, monkeypatch):
    judge, sent = NLIJudge(folder), []
    encode = judge._model().encode
    monkeypatch.setattr(
        judge._model(), "encode", lambda pairs: sent.extend(p for p, _ in pairs) or encode(pairs)
    )
    pair = placed(11)
    middle = (pair.quote[0] + 30, pair.quote[1] - 30)
    judge.judge([Pair(pair.premise, pair.claim, "S1", middle)])
    assert any(QUOTE in text for text in sent)


def test_a_quote_that_does_not_fit_with_the_claim_is_not_judged_for_that_reason(folder):
    many = " ".join([f"The policy covers floods {PAD}."] * 12)
    [verdict] = NLIJudge(folder).judge([placed(3, many, "The policy covers floods.")])
    assert ("not_judged", "quote_too_long") == (verdict.label, verdict.reason)
    assert ["supported"] == labels(NLIJudge(folder), Pair(many, "The policy covers floods."))
    [verdict] = NLIJudge(folder).judge([placed(3, claim="fire " * 200)])
    assert "too_long" == verdict.reason  # here it is the claim


@pytest.mark.parametrize("quote", [(0, 0), (-5, 10**6), (900, 950), (7, 3)])
def test_a_place_that_holds_nothing_is_as_none(folder, quote):
    assert ["supported"] == labels(NLIJudge(folder), Pair(*_texts(COVERED), "S1", quote))


def _texts(pair):
    return pair.premise, pair.claim


def random_pairs(count, seed):
    rng = random.Random(seed)

    def text(words):
        return " ".join(rng.choice([*WORDS, "not", "unheard"]) for _ in range(words)) + "."

    for _ in range(count):
        sentences = [text(rng.randint(1, 20)) for _ in range(rng.randint(1, 30))]
        claim = rng.choice(sentences) if rng.random() < 0.5 else text(rng.randint(1, 8))
        yield Pair(" ".join(sentences), claim)


def test_batches_give_the_same_verdicts_as_one_by_one(folder):
    pairs = list(random_pairs(150, seed=4))
    together = NLIJudge(folder, batch_size=16, languages=None)
    alone = NLIJudge(folder, batch_size=1, languages=None)
    expected = [alone.judge([pair])[0] for pair in pairs]
    assert {"supported", "contradicted", "not_addressed"} <= {v.label for v in expected}
    assert expected == list(together.judge(pairs))
    assert expected[::-1] == list(together.judge(pairs[::-1]))


def test_a_dynamically_quantised_model_runs_one_by_one(folder):
    """Its scales are taken over the batch, so a neighbour would change a pair's result."""
    assert 8 == NLIJudge(folder)._batch
    with (folder / "model.onnx").open("ab") as file:
        file.write(b"DynamicQuantizeLinear")
    assert 1 == NLIJudge(folder)._batch
    assert 4 == NLIJudge(folder, batch_size=4)._batch


def test_pairs_in_another_language_are_not_judged_where_it_is_known(folder):
    german = Pair("Der Mieter zahlt die Miete im Mai.", "Die Miete ist im Mai zu zahlen.")
    mixed = Pair("The fee is due in May.", "Плата взимается в мае.")
    judge = NLIJudge(folder)
    for verdict in judge.judge([german, mixed]):
        assert ("not_judged", "language") == (verdict.label, verdict.reason)
    assert ["supported"] == labels(judge, Pair("fire theft", "theft"))
    assert "not_judged" not in labels(NLIJudge(folder, languages=None), german, mixed)
    assert "not_judged" not in labels(NLIJudge(folder, languages=["de"]), german)


def test_a_passage_cannot_write_the_models_control_tokens(folder):
    """With [SEP] understood, the claim would read "fire [SEP] floods": less of it to prove."""
    judge = NLIJudge(folder)
    pair = Pair("The policy covers [SEP] floods.", "The policy covers [SEP]")
    encoded = judge._model().encode([(pair.premise, pair.claim)])[0]
    assert 2 == encoded.ids.count(3)
    assert judge._model().is_framed(encoded)
    judge.judge([pair])


def test_control_tokens_that_come_through_all_the_same_are_refused(folder, monkeypatch):
    judge = NLIJudge(folder)
    monkeypatch.setattr(judge._model(), "_clean", lambda text: text)
    [verdict] = judge.judge([Pair("Fire [SEP] floods.", "Fire.")])
    assert ("not_judged", "judge_refused") == (verdict.label, verdict.reason)


def test_a_template_puts_both_texts_into_one(tmp_path):
    write_model(tmp_path, types=False)
    judge = NLIJudge(tmp_path, template="{premise} [SEP] {claim}")
    expected = ["supported", "contradicted", "not_addressed"]
    assert expected == labels(judge, COVERED, DENIED, UNSAID)
    assert ["not_addressed"] == labels(judge, Pair("Fire. {claim}", "The tenant pays rent."))
    long = FILLER * 60 + "The tenant pays rent in may."
    assert ["supported"] == labels(judge, Pair(long, "Tenant pays rent."))


def test_the_threshold_decides_and_is_part_of_the_name(folder):
    assert ["supported"] == labels(NLIJudge(folder, threshold=0.99), COVERED)
    assert ["not_addressed"] == labels(NLIJudge(folder, threshold=1), COVERED)
    assert "nli/model" == NLIJudge(folder).name
    assert "nli/model at 0.99" == NLIJudge(folder, threshold=0.99).name


def test_scores_are_the_probability_of_entailment(folder):
    yes, no = NLIJudge(folder).judge([COVERED, DENIED])
    assert 0.99 < yes.score <= 1
    assert 0 <= no.score < 0.01


def test_blank_texts_need_no_model(folder):
    judge = NLIJudge(folder)
    assert ["not_addressed", "not_addressed"] == labels(
        judge, Pair(" ", "Fire."), Pair("Fire.", "")
    )
    assert judge._loaded is None


def test_the_model_is_loaded_by_the_first_pair_and_once(folder):
    judge = NLIJudge(folder)
    assert judge._loaded is None
    found = []
    threads = [threading.Thread(target=lambda: found.append(judge._model())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert 1 == len(set(map(id, found)))


def test_what_there_is_no_time_for_is_not_judged(folder):
    judge = NLIJudge(folder)
    with within(1e-9):
        first, second = judge.judge([COVERED, Pair("", "Fire.")])
    assert ("not_judged", "judge_timeout") == (first.label, first.reason)
    assert "not_addressed" == second.label
    with within(60):
        assert ["supported"] == labels(judge, COVERED)


@pytest.mark.parametrize("missing", ["model.onnx", "tokenizer.json", "config.json"])
def test_a_missing_file_is_named(folder, missing):
    (folder / missing).unlink()
    with pytest.raises(InputError, match=missing):
        NLIJudge(folder)


@pytest.mark.parametrize("file", ["model.onnx", "tokenizer.json"])
@pytest.mark.parametrize("content", [b"", b"garbage", b"{}", b"\x08\x07\x12"])
def test_a_damaged_file_is_named_and_is_no_traceback(folder, file, content):
    (folder / file).write_bytes(content)
    with pytest.raises(InputError, match=file) as caught:
        NLIJudge(folder).judge([COVERED])
    assert "bad_model" == caught.value.code


@pytest.mark.parametrize("others", [[], [ScriptedJudge("partial")]])
def test_a_call_with_a_damaged_model_is_told_instead_of_withheld(folder, others):
    (folder / "model.onnx").write_bytes(b"garbage")
    statement = {"text": OF_QUOTE, "quote": QUOTE, "sources": ["S1"]}
    generator = ScriptedGenerator([{"status": "answered", "statements": [statement]}] * 2)
    judge = [*others, f"nli/{folder}"] if others else f"nli/{folder}"
    with pytest.raises(InputError, match=r"model\.onnx in .* cannot be read"):
        ask("What is due?", [placed(3).premise], model=generator, judge=judge)


def test_half_a_model_is_named(folder):
    content = (folder / "model.onnx").read_bytes()
    (folder / "model.onnx").write_bytes(content[: len(content) // 2])
    with pytest.raises(InputError, match=r"model\.onnx"):
        NLIJudge(folder).judge([COVERED])


def test_a_model_that_cannot_be_run_says_so_without_any_text(tmp_path):
    """A tokenizer of another model gives numbers that this one has no row for."""
    write_model(tmp_path / "one", hidden=8, layers=1)
    write_model(tmp_path / "two", words=["secret"])
    judge = NLIJudge(tmp_path / "one")
    (tmp_path / "two" / "tokenizer.json").replace(tmp_path / "one" / "tokenizer.json")
    with pytest.raises(InputError, match="could not be run") as caught:
        judge.judge([Pair("This is secret.", "This is secret.")])
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("written", ["[1]", "{", "\xff"])
def test_a_config_that_is_no_object_is_refused(folder, written):
    (folder / "config.json").write_bytes(written.encode("latin-1"))
    with pytest.raises(InputError, match=r"config\.json in 'model' is no JSON object"):
        NLIJudge(folder)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"threshold": 0}, "threshold"),
        ({"threshold": float("nan")}, "threshold"),
        ({"languages": "en"}, "languages"),
        ({"languages": []}, "languages"),
        ({"template": "{premise} {premise} {claim}"}, "template"),
        ({"batch_size": 0}, "batch_size"),
        ({"threads": 0}, "threads"),
        ({"max_tokens": -1}, "max_tokens"),
        ({"threshold": "0.5"}, "threshold"),
        ({"threshold": True}, "threshold"),
        ({"batch_size": "8"}, "batch_size"),
        ({"batch_size": 2.5}, "batch_size"),
        ({"threads": True}, "threads"),
        ({"template": 3}, "template"),
        ({"providers": ["Nope"]}, "providers must be .*CPUExecutionProvider.*Nope"),
        ({"providers": "CPUExecutionProvider"}, "providers"),
        ({"providers": []}, "providers"),
        ({"providers": None}, "providers"),
    ],
)
def test_an_argument_out_of_range_is_named(folder, given, told):
    with pytest.raises(InputError, match=told):
        NLIJudge(folder, **given)


def test_a_fixed_shape_or_an_unknown_input_is_refused(tmp_path):
    with pytest.raises(InputError, match="dynamic axes"):
        NLIJudge(write_model(tmp_path / "fixed", size=128)).judge([COVERED])
    content = (write_model(tmp_path / "other") / "model.onnx").read_bytes()
    renamed = content.replace(b"token_type_ids", b"position_idsss")
    (tmp_path / "other" / "model.onnx").write_bytes(renamed)
    with pytest.raises(InputError, match="position_idsss"):
        NLIJudge(tmp_path / "other").judge([COVERED])


@pytest.mark.parametrize(
    ("config", "tokenizer", "expected"),
    [
        ({}, {"model_max_length": 64}, 64),
        ({}, {"model_max_length": 1e30}, 128),
        ({"max_position_embeddings": None}, {}, 512),
        ({"model_type": "xlm-roberta", "max_position_embeddings": 514, "pad_token_id": 1}, {}, 512),
        ({"model_type": "deberta-v2", "max_position_embeddings": 512}, {}, 512),
    ],
)
def test_the_longest_input_is_what_the_models_files_allow(tmp_path, config, tokenizer, expected):
    write_model(tmp_path, config=config)
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(tokenizer), "utf-8")
    assert expected == NLIJudge(tmp_path)._max_tokens
    assert 32 == NLIJudge(tmp_path, max_tokens=32)._max_tokens


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """The hub's cache, in which one model lies as a download leaves it."""
    constants = pytest.importorskip("huggingface_hub.constants")
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    root = tmp_path / "models--someone--nli-model"
    write_model(root / "snapshots" / ("a" * 40))
    (root / "refs").mkdir()
    (root / "refs" / "main").write_text("a" * 40, "utf-8")
    return tmp_path


def test_a_hub_id_is_found_in_the_local_cache(cache):
    judge = NLIJudge("someone/nli-model")
    assert "nli/someone/nli-model" == judge.name
    assert ["supported"] == labels(judge, COVERED)


@pytest.mark.parametrize("given", [{}, {"revision": "v9"}])
def test_nothing_is_downloaded_uninvited(cache, given):
    """The suite forbids sockets: an attempt would fail with another error."""
    name = "someone/nli-model" if given else "someone/other-model"
    with pytest.raises(InputError, match="download=True"):
        NLIJudge(name, **given)


def test_invited_it_fetches_only_what_it_reads(cache, monkeypatch):
    from groundedgen.judges import hub

    asked = []

    def fetch(repository, **given):
        asked.append((repository, given))
        return str(cache / "models--someone--nli-model" / "snapshots" / ("a" * 40))

    monkeypatch.setattr(hub, "snapshot_download", fetch)
    NLIJudge("someone/nli-model", download=True, revision="v1")
    [(repository, given)] = asked
    assert ("someone/nli-model", "v1", False) == (
        repository,
        given["revision"],
        given["local_files_only"],
    )
    assert not any("safetensors" in name or "*" in name for name in given["allow_patterns"])


def test_what_the_hub_raises_becomes_one_error(cache, monkeypatch):
    from groundedgen.judges import hub

    def fail(repository, **given):
        raise ConnectionError

    monkeypatch.setattr(hub, "snapshot_download", fail)
    with pytest.raises(InputError, match="cannot be reached"):
        NLIJudge("someone/nli-model", download=True)


def test_a_name_that_is_neither_a_folder_nor_a_hub_id_is_refused():
    with pytest.raises(InputError, match="hub id such as"):
        NLIJudge("no such folder")


def test_a_missing_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    for name in ("nli", "crossencoder"):
        monkeypatch.delitem(sys.modules, f"groundedgen.judges.{name}", raising=False)
    with pytest.raises(MissingExtraError, match=r"groundedgen\[nli\]"):
        __import__("groundedgen.judges.nli")


def test_an_answer_is_judged_by_it(folder):
    passages = ["The policy covers floods and fire. Report damage within days."]
    statement = {
        "text": "The policy covers fire.",
        "quote": "The policy covers floods and fire",
        "sources": ["S1"],
    }
    generator = ScriptedGenerator([{"status": "answered", "statements": [statement]}] * 2)
    answer = ask("Is fire covered?", passages, model=generator, judge=f"nli/{folder}")
    assert ("answered", "nli/model") == (answer.status, answer.judge)
    assert "judge" == answer.statements[0].entailment.how
