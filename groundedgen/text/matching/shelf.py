"""Folded texts, kept for the next search: many quotes are looked up in the same few passages."""

from __future__ import annotations

import threading
from collections import OrderedDict

from groundedgen.text.folds import Folded, normalize
from groundedgen.text.forms import Loose, loosen

__all__ = ["folded", "forget", "loose"]


class _Shelf:
    """The texts used last, up to a total length. Safe to use from several threads."""

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._texts: OrderedDict[str, _Forms] = OrderedDict()
        self._length = 0
        self._lock = threading.Lock()

    def get(self, text: str) -> _Forms:
        with self._lock:
            forms = self._texts.get(text)
            if forms is not None:
                self._texts.move_to_end(text)
                return forms
        forms = _Forms(normalize(text))  # outside the lock: two threads may do it twice
        with self._lock:
            if text not in self._texts:
                self._texts[text] = forms
                self._length += forms.weight
            while self._length > self._capacity:
                self._length -= self._texts.popitem(last=False)[1].weight
        return forms

    def clear(self) -> None:
        with self._lock:
            self._texts.clear()
            self._length = 0


class _Forms:
    __slots__ = ("_loose", "folded")

    def __init__(self, folded: Folded) -> None:
        self.folded = folded
        self._loose: Loose | None = None

    @property
    def weight(self) -> int:
        """What it is counted as: its code points, and eight for each place where folding cut."""
        cuts = sum(len(step.starts) for step in self.folded.steps)
        return len(self.folded.source) + 8 * cuts + 1

    @property
    def loose(self) -> Loose:
        if self._loose is None:
            self._loose = loosen(self.folded)
        return self._loose


# In code points; each is held three times (original, folded, loose), at one to four bytes.
_shelf = _Shelf(capacity=16_000_000)


def folded(text: str) -> Folded:
    """`normalize(text)`, remembered."""
    return _shelf.get(text).folded


def loose(text: str) -> Loose:
    """The loose form of `normalize(text)`, remembered."""
    return _shelf.get(text).loose


def forget() -> None:
    """Forget all remembered texts: to free their memory, or to measure a cold start."""
    _shelf.clear()
