"""The leak gate: what failed must not ride along in the words that are shown.

A model whose quote was thrown out often has the same words in its statement; and a statement is
the place where a written link, a picture or a raw document id would reach the reader.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from groundedgen.patterns import compiled
from groundedgen.text.amounts import word_count
from groundedgen.text.markdown.links import links
from groundedgen.text.matching.runs import Run, shared_runs, spoken
from groundedgen.text.search import find, folded
from groundedgen.values import Finding, Located

__all__ = ["contained", "leaked_quotes"]

# Shorter quotes stand in an answer by accident.
_FEWEST_WORDS = 5

# Our own marks: [1], [S2], [1, 3], [2-4], [^1].
_MARKER = compiled(r"[\[【]\^?S?\d{1,9}(?:\s?[,;–-]\s?S?\d{1,9})*[\]】]", re.IGNORECASE)


def leaked_quotes(
    text: str, failed: Iterable[str], verified: Iterable[str] = ()
) -> tuple[str, ...]:
    """Those of the `failed` quotes whose words can be read in `text`.

    The whole quote, or more than half of its words in one run; punctuation, markup and our own
    markers between them do not hide it. Quotes below five words, and words that stand in one of
    the `verified` texts, do not count.

    >>> quote = "the landlord may enter at any hour of the night"
    >>> leaked_quotes("So the landlord may enter at any [1] hour.", [quote])
    ('the landlord may enter at any hour of the night',)
    >>> leaked_quotes("So the landlord may enter.", [quote])
    ()
    """
    plain = _unmarked(text)
    shown, proved = _Shown(plain, spoken(plain)), _Proved(verified)
    return tuple(quote for quote in failed if _leaks(quote, shown, proved))


def contained(
    statement: Located,
    failed: Iterable[str],
    verified: Iterable[str],
    docs: Mapping[str, str],
    ids: Collection[str],
) -> Located | Finding:
    """The statement if nothing rides along in its text.

    Args:
        statement: Words that stand in the passages of its spots are its own, whatever failed.
        failed: Quotes of this answer that failed.
        verified: Quotes of this answer that were found.
        docs: Passage texts by alias.
        ids: The caller's passage ids, which a reader is never shown.

    Returns:
        The statement, or a finding: `failed_quote_in_text`, `link_in_text`, `passage_id_in_text`.
    """
    own = tuple(docs[spot.alias] for spot in statement.spots if spot.alias in docs)
    if leaks := leaked_quotes(statement.text, failed, (*verified, *own)):
        reason, message, details = "failed_quote_in_text", "It repeats a quote that failed.", leaks
    elif found := links(statement.text, own):
        reason, message, details = "link_in_text", "It holds a link that no passage holds.", found
    elif named := tuple(_raw_ids(statement.text, own, ids)):
        reason, message, details = "passage_id_in_text", "It holds the id of a passage.", named
    else:
        return statement
    return Finding(
        "leak",
        reason,
        statement.index,
        message,
        statement=statement.text,
        details=details,
        passage_id=statement.spots[0].alias if statement.spots else None,
    )


# --- words of a failed quote ----------------------------------------------------------------


def _unmarked(text: str) -> str:
    """The text as it reads without our markers; one inside a word leaves the word whole."""

    def gone(match: re.Match[str]) -> str:
        before, after = text[match.start() - 1 : match.start()], text[match.end() : match.end() + 1]
        return "" if before.isalnum() and after.isalnum() else " "

    return _MARKER.sub(gone, text)


class _Shown:
    """A text to be shown, and its words."""

    def __init__(self, text: str, words: Sequence[str]) -> None:
        self.text = text
        self.words = words
        self.vocabulary = frozenset(words)


class _Proved:
    """The verified texts, as words; read only when something would leak."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts = tuple(texts)
        self._lines: list[str] | None = None

    def holds(self, words: Sequence[str]) -> bool:
        if self._lines is None:
            self._lines = [_line(spoken(text)) for text in self._texts]
        line = _line(words)
        return any(line in proved for proved in self._lines)


def _line(words: Sequence[str]) -> str:
    return f" {' '.join(words)} "


def _leaks(quote: str, shown: _Shown, proved: _Proved) -> bool:
    words = spoken(_unmarked(quote))
    most = len(words) // 2 + 1
    if sum(map(shown.vocabulary.__contains__, words)) < most:
        return False
    if word_count(folded(quote).text, enough=_FEWEST_WORDS) < _FEWEST_WORDS:
        return False
    if find(quote, shown.text) and not proved.holds(words):
        return True
    return any(
        not proved.holds(shown.words[run.start : run.start + run.length])
        and not _is_cut_word(run, shown.words, words)
        for run in shared_runs(shown.words, words, most)
    )


def _is_cut_word(run: Run, shown: Sequence[str], words: Sequence[str]) -> bool:
    """Whether the text goes on as the quote does, but inside a longer word.

    "art is due on Monday" is not what "part is due on Monday" says: a match inside a word is none.
    """
    end, after = run.at + run.length, run.start + run.length
    left = run.at == 1 and run.start > 0 and shown[run.start - 1].endswith(words[0])
    right = end == len(words) - 1 and after < len(shown) and shown[after].startswith(words[-1])
    return (left or right) and (left or run.at == 0) and (right or end == len(words))


# --- raw ids --------------------------------------------------------------------------------


def _raw_ids(text: str, own: Sequence[str], ids: Iterable[str]) -> Iterator[str]:
    """Ids that stand in the text as a whole token, and in none of its own passages."""
    lowered = text.lower()
    for name in ids:
        token = name.lower()
        if (
            _looks_like_id(name)
            and _holds_token(lowered, token)
            and not any(_holds_token(passage.lower(), token) for passage in own)
        ):
            yield name


def _looks_like_id(name: str) -> bool:
    """Not a word that a sentence may hold by accident."""
    return len(name) >= 4 and any(char.isdigit() or not char.isalnum() for char in name)


def _holds_token(text: str, token: str) -> bool:
    at = text.find(token)
    while at >= 0:
        before, after = text[at - 1 : at], text[at + len(token) : at + len(token) + 1]
        if not (_is_inner(before) or _is_inner(after)):
            return True
        at = text.find(token, at + 1)
    return False


def _is_inner(char: str) -> bool:
    return char.isalnum() or (char != "" and char in "_-")
