"""Which passages, and which sentences in them, are closest to a question: BM25.

Written out in plain Python: the libraries for it (`bm25s`, `rank-bm25`) bring NumPy, and
some SciPy, into a core that is to cost no more than pydantic costs. A question is put to
some hundred sentences here, not to an index.

Okapi BM25 with its usual k1 = 1.2 and b = 0.75, over stems of content words. Other values
from 0.5 to 2 and from 0.3 to 0.9 moved no more than two answers in 148 (`scripts/
tune_extractive.py`).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING, Final

from groundedgen.text.lines import MARKER
from groundedgen.text.questions import Asked, asked, is_heading, is_row, looks_like_answer
from groundedgen.text.sentences import sentence_spans
from groundedgen.text.tokens import content_stems, guess_language, words

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

__all__ = ["Ranked", "best_spans", "rank_passages"]

K1: Final = 1.2
B: Final = 0.75
# A sentence of the wrong shape (see `questions`) counts this much of its score.
MISFIT: Final = 0.6
# and this much of its coverage;
UNFIT: Final = 0.8
# a passage that lacks a number the question names counts this much of its coverage.
OTHER_NUMBER: Final = 0.5


@dataclass(frozen=True, slots=True)
class Ranked:
    """One sentence of one text: `texts[index][start:end]`.

    Attributes:
        index: Which of the texts.
        start: First code point of the sentence in it.
        end: One past its last.
        score: BM25, 0 or more; larger is closer. Comparable within one call only.
        coverage: Share, 0 to 1, of the question's content words, weighted by how rare they
            are among the sentences, that the sentence or the headings over it hold. 0 when
            the question has no content word. This is what a threshold belongs on.
        fits: Whether the sentence has the shape of an answer to the question.
    """

    index: int
    start: int
    end: int
    score: float
    coverage: float
    fits: bool


def rank_passages(question: str, texts: Sequence[str]) -> list[tuple[int, float]]:
    """All texts by closeness to the question, best first, ties in their given order.

    >>> rank_passages("Is hail covered?", ["Rent is due.", "Hail is covered.", "Cover ends."])[0][0]
    1
    >>> rank_passages("", ["a", "b"])
    [(0, 0.0), (1, 0.0)]
    """
    query = _read(question, texts, None)
    bags = [_bag(text, query.lang) for text in texts]
    scores = _bm25(query.stems, bags, _rarity(bags))
    return sorted(enumerate(scores), key=lambda item: (-item[1], item[0]))


def best_spans(question: str, texts: Sequence[str], lang: str | None = None) -> list[Ranked]:
    r"""All sentences of all texts by closeness to the question, best first.

    A heading's words count for the sentences below it. Ties keep the order of the texts.

    Args:
        question: As the user wrote it.
        texts: The passages' texts.
        lang: BCP 47 tag of question and texts; guessed where it is `None`.

    >>> texts = ["Hail\nWe pay for broken glass.", "Rent is due on the first of May."]
    >>> best = best_spans("Is glass broken by hail paid for?", texts)[0]
    >>> texts[best.index][best.start : best.end], round(best.coverage, 2)
    ('We pay for broken glass.', 1.0)
    >>> best_spans("Who is it?", texts)[0].coverage, best_spans("x", [" "])
    (0.0, [])
    """
    query = _read(question, texts, lang)
    sentences = [s for i, text in enumerate(texts) for s in _sentences(i, text, query.lang)]
    bags = [s.bag for s in sentences]
    rarity = _rarity(bags)
    scores = _bm25(query.stems, bags, rarity)
    strangers = _without_its_numbers(query, sentences)
    weights = {stem: rarity(stem) for stem in query.stems}
    ranked = [
        _ranked(query, s, score, weights, OTHER_NUMBER if s.index in strangers else 1.0)
        for s, score in zip(sentences, scores, strict=True)
    ]
    return sorted(ranked, key=lambda r: (-r.score, r.index, r.start))


@dataclass(frozen=True, slots=True)
class _Query:
    """A question as it is matched. `empty`: it has no content word, only "what is it"."""

    stems: tuple[str, ...]
    empty: bool
    kind: Asked
    lang: str


@dataclass(frozen=True, slots=True)
class _Sentence:
    index: int
    start: int
    end: int
    text: str
    bag: Counter[str]
    over: frozenset[str]  # stems of the headings it stands under
    head: frozenset[str]  # stems of the head of the table that it is a row of


def _read(question: str, texts: Sequence[str], lang: str | None) -> _Query:
    lang = lang or guess_language(" ".join([question, *(t[:1000] for t in texts[:8])])) or ""
    content = _bag(question, lang)
    stems = content or Counter(w.stem for w in words(question, lang))
    return _Query(tuple(sorted(stems)), not content, asked(question), lang)


def _bag(text: str, lang: str) -> Counter[str]:
    return Counter(content_stems(text, lang))


def _sentences(index: int, text: str, lang: str) -> list[_Sentence]:
    found: list[_Sentence] = []
    over: frozenset[str] = frozenset()
    head: frozenset[str] = frozenset()  # of the table whose rows are read
    under_heading = in_table = False
    for start, end in sentence_spans(text, lang):
        sentence = text[start:end]
        bag = _bag(sentence, lang)
        row = is_row(sentence)
        under = head if row and in_table else frozenset[str]()
        found.append(_Sentence(index, start, end, sentence, bag, over, under))
        if row and not in_table:
            head = frozenset(bag)
        heading = is_heading(sentence) and not _is_item(sentence)
        if heading:
            # Headings in a row ("Part 2", "Water") stand over one another.
            over = over.union(bag) if under_heading else frozenset(bag)
        under_heading, in_table = heading, row
    return found


def _is_item(sentence: str) -> bool:
    """Whether a sentence is an item of a list and so stands over nothing, as "- floods"."""
    marker = MARKER.match(sentence)
    return marker is not None and (marker["bullet"] is not None or marker[0][0] == "(")


def _rarity(bags: Sequence[Counter[str]]) -> Callable[[str], float]:
    """BM25's inverse document frequency over these bags; what is in none is rarest."""
    holders = Counter(stem for bag in bags for stem in bag)
    return lambda stem: log(1 + (len(bags) - holders[stem] + 0.5) / (holders[stem] + 0.5))


def _bm25(
    stems: Sequence[str], bags: Sequence[Counter[str]], rarity: Callable[[str], float]
) -> list[float]:
    weights = [(stem, rarity(stem)) for stem in stems]
    lengths = [bag.total() for bag in bags]
    mean = sum(lengths) / len(lengths) if any(lengths) else 1.0
    scores = []
    for bag, length in zip(bags, lengths, strict=True):
        damp = K1 * (1 - B + B * length / mean)
        scores.append(
            0.0 + sum(w * bag[s] * (K1 + 1) / (bag[s] + damp) for s, w in weights if s in bag)
        )
    return scores


def _without_its_numbers(query: _Query, sentences: Sequence[_Sentence]) -> set[int]:
    """Texts that lack a number the question names: another year's figures, another clause."""
    numbers = {stem for stem in query.stems if stem[0].isdigit()}
    held: dict[int, set[str]] = {}
    for sentence in sentences:
        held.setdefault(sentence.index, set()).update(sentence.bag)
    return {index for index, stems in held.items() if numbers - stems}


def _ranked(
    query: _Query, sentence: _Sentence, score: float, weights: Mapping[str, float], trust: float
) -> Ranked:
    fits = looks_like_answer(sentence.text, query.kind)
    held = sum(w for s, w in weights.items() if s in sentence.bag)
    # A row answers by what it holds itself; one that holds nothing is no better than its head.
    over = sentence.over | sentence.head if held else sentence.over
    above = sum(w for s, w in weights.items() if s in over and s not in sentence.bag)
    held += above
    whole = sum(weights.values())
    trust *= 1.0 if fits else UNFIT
    return Ranked(
        sentence.index,
        sentence.start,
        sentence.end,
        score=(score + above) * (1.0 if fits else MISFIT),
        coverage=0.0 if query.empty or not whole else min(held / whole, 1.0) * trust,
        fits=fits,
    )
