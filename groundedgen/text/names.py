"""Which of the listed names a written one means: `[s01]` is `S1`, `S1O` is nothing.

Exact spelling always wins. After that only typography is forgiven (letter case, width,
brackets round the name, a leading zero, the sign between letters and number), and only
where exactly one listed name can be meant. Nothing is guessed between near spellings:
the letter O is no zero, a Cyrillic letter is another letter, and a word after the name
makes it another name.

A name may have a part behind a full stop: `S2.3` is the third sentence of `S2`. It is read in
the same ways, but for a zero behind the stop (1.02 is no other way to write 1.2), and a range
of them stays within one `S2`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

import regex

from groundedgen.patterns import lazy

__all__ = ["DASH", "HEADS", "Names", "Resolved", "index", "narrow", "resolve"]

# Words that models put before a source's name or number. Only nouns for a source as a
# whole: "fig", "section" or "page" name a place inside one and are never citations.
_HEAD_WORDS = (
    "source sources src doc docs document documents passage passages ref refs reference references "
    "cite cites cited citation citations context snippet snippets excerpt excerpts chunk chunks "
    "quelle quellen dokument beleg fuente fuentes documento pasaje fonte fontes fonti bron bronnen "
    "source sources passage источник источники документ källa kilde lähde kaynak źródło zdroj "
    "来源 來源 资料 資料 文档 文檔 出典 参考 參考 引用 출처 자료 문서 المصدر مصدر स्रोत"
)
HEADS = tuple(dict.fromkeys(_HEAD_WORDS.split()))

_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 0x20}
DASH = r"[-\u2010-\u2015\u2212\uFE58\uFE63~\u301C]"
_CLOSERS = {"[": "]", "(": ")", "【": "】", "［": "］", "〔": "〕", "<": ">", "{": "}"}
_PADDING = " \t\r\n\ufeff\u200b\u2060\u00a0\"'`“”„‘’«»"
_LETTERS_NUMBER = lazy(r"(\p{L}[\p{L}\p{M}]*)[\s_\-#.:]?([0-9]{1,9})")
_LETTERS_NUMBER_SIGN = lazy(r"((?:\p{L}[\p{L}\p{M}]*[\s_\-#.:]?)?)([0-9]{1,9})")
_NUMBER = lazy(r"[0-9]{1,9}")
_PART = r"\.(0|[1-9][0-9]{0,8})"
_LETTERS_PARTED = lazy(rf"(\p{{L}}[\p{{L}}\p{{M}}]*)[\s_\-#.:]?([0-9]{{1,9}}){_PART}")
_PARTED = lazy(rf"(0|[1-9][0-9]{{0,8}}){_PART}")
_RANGE = lazy(
    rf"(.*?[0-9])\s*(?:{DASH}|\bto\b|\.\.)\s*((?:\p{{L}}.*)?(?:[0-9]+\.)?[0-9]+)", regex.DOTALL
)
_LIST = lazy(r"[,;\u3001\uFF0C\uFF1B\r\n]|(?<=[\])】])\s*+(?=[\[(【])")
_JOINTS = lazy(r"\s*[|/&+]\s*|\s+(?:and|und|et|y|e|и)\s+|\s*[和及]\s*|\s+", regex.IGNORECASE)
_HEAD = lazy(
    rf"(?:{'|'.join(sorted(set(HEADS), key=len, reverse=True))})"
    r"(?:[\s:#_.\-]+|(?=[0-9])|(?<=[^\x00-\x7F]))(.+)",
    regex.IGNORECASE | regex.DOTALL,
)
K = TypeVar("K")

_MAX = 500  # code points of one written name that are read; longer ones are unknown
_SHOWN = 80  # code points of an unknown name that are reported
_WIDEST = 20  # parts of one name that a range of them may have: a page, and not a document


@dataclass(frozen=True, slots=True)
class Resolved:
    """What a written source means.

    Attributes:
        known: Listed names, in their listed spelling, in order, without repeats.
        unknown: What means none of them, as written, each cut to 80 code points.
    """

    known: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Names:
    """Listed names, looked up in every way in which exactly one can be meant.

    Attributes:
        listed: The names.
        folded: By small letters.
        numbered: "S1" by ("s", 1).
        bare: By number alone, where all names are one series ("S1" to "S9").
        parted: "S1.2" by ("s", 1, 2).
        bare_parted: By (1, 2) alone, where all names are one series of those.
    """

    listed: frozenset[str]
    folded: dict[str, str]
    numbered: dict[tuple[str, int], str]
    bare: dict[int, str]
    parted: dict[tuple[str, int, int], str]
    bare_parted: dict[tuple[int, int], str]

    def one(self, written: str) -> str | None:
        """The one listed name that `written` means, or `None`."""
        if written in self.listed:
            return written
        name = narrow(written)
        if name in self.listed:
            return name
        if (found := self.folded.get(name.lower())) is not None:
            return found
        if match := _LETTERS_NUMBER.fullmatch(name):
            return self.numbered.get((match[1].lower(), int(match[2])))
        if (part := _part(name)) is not None and part[0]:
            return self.parted.get(part)
        if _NUMBER.fullmatch(name):
            return self.bare.get(int(name))
        return None

    def sole(self, written: str) -> str | None:
        """The one listed name that stands for a source; there "1.2" can be "S1.2" as well.

        In a text it is a number: see `one`, which looks for marks there.
        """
        if (found := self.one(written)) is not None:
            return found
        part = _part(narrow(written))
        return self.bare_parted.get(part[1:]) if part is not None and not part[0] else None

    def ends(self, written: str) -> tuple[str, int, int] | None:
        """Prefix and both ends of a range as written: "S2-S9" or "S2-9" is ("S", 2, 9)."""
        match = _RANGE.fullmatch(narrow(written))
        parts = match and _LETTERS_NUMBER_SIGN.fullmatch(match[1].strip())
        if match is None or not parts:
            return None
        last = _split(match[2].strip())
        if last is None or (last[0] and last[0] != _bare(parts[1])):
            return None
        return parts[1], int(parts[2]), last[1]

    def span(self, first: str, last: str) -> tuple[str, ...] | None:
        """The listed names from `first` to `last`, if every number between is listed."""
        start, end = _split(first), _split(last)
        if start is None or end is None or (end[0] and end[0] != start[0]):
            return None
        width = end[1] - start[1] + 1
        if not 1 <= width <= len(self.listed):
            return None
        keys = range(start[1], end[1] + 1)
        if start[0]:
            found = [self.numbered.get((start[0], key)) for key in keys]
        else:
            found = [self.bare.get(key) for key in keys]
        names = tuple(name for name in found if name is not None)
        return names if len(names) == width else None

    def stretch(self, first: str, last: str) -> tuple[str, ...] | None:
        """The listed parts of one name from `first` to `last`: "S1.1" to "S1.3", "1.3" or "3".

        At most 20, and every one between is listed.
        """
        start = _part(first)
        if start is None:
            return None
        prefix, number, low = start
        end = _part(last)
        if end is None and prefix:
            end = _part(f"{number}.{last}")
        if end is None or end[0] not in ("", prefix) or end[1] != number:
            return None
        if not 1 <= end[2] - low + 1 <= _WIDEST:
            return None
        parts = range(low, end[2] + 1)
        if prefix:
            found = [self.parted.get((prefix, number, part)) for part in parts]
        else:
            found = [self.bare_parted.get((number, part)) for part in parts]
        names = tuple(name for name in found if name is not None)
        return names if len(names) == len(parts) else None


def narrow(written: str) -> str:
    """Take width variants, outer brackets, quotes and blanks off a written name.

    >>> narrow(" [Ｓ１] ")
    'S1'
    >>> narrow("S1 (p. 4)")
    'S1 (p. 4)'
    """
    name = written.translate(_WIDTH).strip(_PADDING)
    while _is_wrapped(name):
        name = name[1:-1].strip(_PADDING)
    return name


def _is_wrapped(name: str) -> bool:
    """Whether one pair of brackets goes round all of it: "[S1], [S2]" is two."""
    if len(name) < 2 or _CLOSERS.get(name[0]) != name[-1]:
        return False
    closes, opens = name.find(name[-1], 1), name.find(name[0], 1)
    return closes == len(name) - 1 or 0 < opens < closes


def _split(name: str) -> tuple[str, int] | None:
    if match := _LETTERS_NUMBER.fullmatch(name):
        return match[1].lower(), int(match[2])
    return ("", int(name)) if _NUMBER.fullmatch(name) else None


def _part(name: str) -> tuple[str, int, int] | None:
    """Small letters, or "" without any, number and part: "S1.2" is ("s", 1, 2)."""
    if match := _LETTERS_PARTED.fullmatch(name):
        return match[1].lower(), int(match[2]), int(match[3])
    if match := _PARTED.fullmatch(name):
        return "", int(match[1]), int(match[2])
    return None


def _bare(prefix: str) -> str:
    return prefix.rstrip("_-#.: \t").lower()


def index(names: Collection[str]) -> Names:
    """Prepare listed names for look-up; what two of them share means neither."""
    return _index(tuple(names))


@lru_cache(maxsize=64)
def _index(names: tuple[str, ...]) -> Names:
    listed = tuple(dict.fromkeys(names))
    split = [(name, _split(name)) for name in listed]
    numbered = [(key, name) for name, key in split if key is not None]
    # A bare number can mean a name only where all names are one series ("S1" to "S9").
    series = _is_series(listed, [key[0] for key, _ in numbered])
    parts = [(name, _part(name)) for name in listed]
    parted = [(key, name) for name, key in parts if key is not None and key[0]]
    series_of_parts = _is_series(listed, [key[0] for key, _ in parted])
    return Names(
        frozenset(listed),
        _unique([(name.lower(), name) for name in listed]),
        _unique(numbered),
        _unique([(key[1], name) for key, name in numbered]) if series else {},
        _unique(parted),
        _unique([(key[1:], name) for key, name in parted]) if series_of_parts else {},
    )


def _is_series(listed: Sequence[str], prefixes: Sequence[str]) -> bool:
    """Whether all listed names have a number, and the same letters before it."""
    return len(prefixes) == len(listed) and len(set(prefixes)) == 1


def _unique(pairs: Sequence[tuple[K, str]]) -> dict[K, str]:
    counts = Counter(key for key, _ in pairs)
    return {key: name for key, name in pairs if counts[key] == 1}


def resolve(written: object, names: Collection[str]) -> Resolved | None:
    """Read what a model wrote as its source or sources.

    Taken: a listed name as it is; one that differs in typography only; a bare number or
    an integer where all names are one series ("1.2" where all are parts of one; but no
    fraction, which could be 1.20 as well); a noun for "source" before any of these; several
    joined in one string; a range, if every name in it is listed; a flat list of all that.
    Never expanded past the listed names.

    Returns:
        The known and the unknown ones, or `None` where the value is of a wrong type
        (a nested list, an object, a fraction, a truth value).

    >>> resolve(["s1", "[S02]", 3], ["S1", "S2", "S3"])
    Resolved(known=('S1', 'S2', 'S3'), unknown=())
    >>> resolve("S1, S8", ["S1", "S2"])
    Resolved(known=('S1',), unknown=('S8',))
    >>> resolve("S1O", ["S1", "S10"])
    Resolved(known=(), unknown=('S1O',))
    >>> resolve(["S1.1-3", "2.1"], ["S1.1", "S1.2", "S1.3", "S2.1"]).known
    ('S1.1', 'S1.2', 'S1.3', 'S2.1')
    >>> resolve([["S1"], ["S2"]], ["S1", "S2"]) is None
    True
    """
    listed = list(written) if isinstance(written, list | tuple) else [written]
    items = [item for item in listed if isinstance(item, str | int) and not isinstance(item, bool)]
    if len(items) < len(listed):
        return None
    table = index(names)
    known: dict[str, None] = {}
    unknown: dict[str, None] = {}
    for item in items:
        for part, found in _read(item, table):
            known.update(dict.fromkeys(found))
            if not found:
                unknown[part[:_SHOWN]] = None
    return Resolved(tuple(known), tuple(unknown))


_Read = list[tuple[str, tuple[str, ...]]]


def _read(item: str | int, table: Names) -> _Read:
    """Every name in one written item, each with the listed names it means."""
    if isinstance(item, int):
        # Python refuses to print integers of more than some thousand digits.
        item = str(item) if abs(item) < 10**9 else "number out of range"
    if not item.strip():
        return []
    if (found := _single(item, table)) or len(item) > _MAX:
        return [(item, found)]
    parts = [part.strip() for part in _LIST.split(narrow(item)) if part.strip()]
    read = [(part, _single(part, table) or _joined(part, table)) for part in parts]
    # Where nothing in it is known the whole is reported, as the model wrote it.
    return read if any(found for _, found in read) else [(item.strip(), ())]


def _joined(part: str, table: Names) -> tuple[str, ...]:
    """Names joined by a word, a stroke or blanks: all of them are listed, or none is taken."""
    pieces = [piece for piece in _JOINTS.split(part) if piece]
    found = [_single(piece, table) for piece in pieces]
    return tuple(name for names in found for name in names) if all(found) else ()


def _single(written: str, table: Names) -> tuple[str, ...]:
    """The names that one name or one range means; empty when it means none."""
    if len(written) > _MAX:
        return (written,) if written in table.listed else ()
    if (name := table.sole(written)) is not None:
        return (name,)
    name = narrow(written)
    if match := _HEAD.fullmatch(name):
        name = narrow(match[1])
        if (found := table.sole(name)) is not None:
            return (found,)
    if match := _RANGE.fullmatch(name):
        first, last = match[1].strip(), match[2].strip()
        return table.span(first, last) or table.stretch(first, last) or ()
    return ()
