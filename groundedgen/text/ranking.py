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

from groundedgen.text.faqs import answer_to, is_asked
from groundedgen.text.lines import MARKER
from groundedgen.text.questions import Asked, asked, is_heading, is_row, looks_like_answer
from groundedgen.text.sentences import Span, sentence_spans
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
# A word that only the headings over a sentence hold counts this much of one that the sentence
# holds, in its score; so does the coverage of a sentence that holds none itself.
OVER: Final = 0.6


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
    says: str  # what is read for its shape: itself; of a question, its answer
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
    under_heading = under_question = in_table = False
    spans = sentence_spans(text, lang)
    for place, (start, end) in enumerate(spans):
        sentence = text[start:end]
        bag = _bag(sentence, lang)
        row, title = is_row(sentence), _is_title(text, start, end)
        if title and under_question:
            over = frozenset()
        under = head if row and in_table else frozenset[str]()
        says = _says(text, spans, place)
        found.append(_Sentence(index, start, end, says, bag, over, under))
        if row and not in_table:
            head = frozenset(bag)
        heading = title or (is_heading(sentence) and not _is_item(sentence))
        if heading:
            # Headings in a row ("Part 2", "Water") stand over one another; questions do not.
            over = over.union(bag) if under_heading else frozenset(bag)
            under_question = title
        under_heading, in_table = heading and not title, row
    return found


def _says(text: str, spans: list[Span], place: int) -> str:
    """The words by which a sentence has the shape of an answer; "" for an unanswered question."""
    sentence = text[slice(*spans[place])]
    if sentence[-1] in ":\uff1a" and place + 1 < len(spans):
        start, end = spans[place + 1]
        # With its items it is a sentence, whether or not they end in a stop.
        return f"{text[spans[place][0] : end]}." if MARKER.match(text, start) else sentence
    if not is_asked(sentence):
        return sentence
    answer = answer_to(text, spans, place)
    return text[spans[answer[0]][0] : spans[answer[1]][1]] if answer else ""


def _is_title(text: str, start: int, end: int) -> bool:
    """Whether a sentence is a question on a line of its own, as those of an FAQ are."""
    alone = text[start - 1 : start] in ("", "\n") and text[end : end + 1] in ("", "\n", "\r")
    return alone and is_asked(text[start:end])


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
    fits = looks_like_answer(sentence.says, query.kind)
    held = sum(w for s, w in weights.items() if s in sentence.bag)
    # A row answers by what it holds itself; one that holds nothing is no better than its head.
    head = sentence.head if held else frozenset[str]()
    beside = sum(w for s, w in weights.items() if s in head and s not in sentence.bag)
    near = sentence.bag.keys() | head
    above = sum(w for s, w in weights.items() if s in sentence.over and s not in near)
    trust *= 1.0 if held else OVER
    held += beside + above
    whole = sum(weights.values())
    trust *= 1.0 if fits else UNFIT
    return Ranked(
        sentence.index,
        sentence.start,
        sentence.end,
        score=(score + beside + OVER * above) * (1.0 if fits else MISFIT),
        coverage=0.0 if query.empty or not whole else min(held / whole, 1.0) * trust,
        fits=fits,
    )
