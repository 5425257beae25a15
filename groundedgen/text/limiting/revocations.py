"""Words behind a sentence that take all of it back: "Denied.", "This was true until 2020"."""

from __future__ import annotations

from typing import Final

import regex

from groundedgen.patterns import lazy
from groundedgen.text.limiting.spelling import as_read

__all__ = ["takes_back"]

# Said behind it, what takes it back: a word alone, or a word about what stands before.
_TAKES_BACK: Final = lazy(
    r"\A\W*(?:(?:not|no|wrong|false|untrue|void|far\s+from\s+it|nonsense|on\s+the\s+contrary)\b"
    r"|(?:deni|disput|reject|dismiss|overrul|refus|retract|rescind|revok|repeal|delet|cancell?|expir"
    r"|supersed|contest|refut|overturn|withdr)\p{L}++)\W*(?:\Z|\n)"
    r"|\A\W*[(\[]\s*(?:repealed|deleted|withdrawn|superseded|cancell?ed|struck|draft)\b"
    r"|\A\W*(?:so\s+(?:said|says|claimed|claims|argued)\b|we\s+no\s+longer\b)"
    r"|\A\W*(?:this|that|it)\s+(?:is|was)\s+(?:an?\s+)?(?:\w+\s+)?(?:myth|lie|error|mistake|fiction"
    r"|rumou?r|nonsense|joke)\b|\b(?:proposal|motion|request|argument|amendment)\s+(?:failed|lapsed)\b"
    r"|\A\W*(?:(?:but|however|though|yet|and|all\s+of|both\s+of)\W+)*"
    r"(?:this|that|these|the\s+(?:above|foregoing|previous|preceding|last)|above|foregoing)\b"
    r"[^.!?,;]{0,60}?\b(?:deleted|repealed|void|withdrawn|revoked|superseded|struck|suspended"
    r"|no\s+longer|(?:not|never)(?!\s+(?:be\s+)?(?:only|limited|merely|just)\b)|false|wrong|untrue"
    r"|incorrect|until|old|former|ceased|lapsed|ended|expired|crossed|denied|rejected|disputed)\b"
    r"|\A\W*the\s+(?:above|foregoing|previous|preceding|last)\b[^.!?]{0,60}?\bonly\b"
    r"|\b(?:prevails?|disagrees?|(?:nobody|no\s+one)\s+believes)\b",
    regex.IGNORECASE,
)


def takes_back(behind: str) -> bool:
    """Whether what stands behind a sentence says that it does not hold, or no longer.

    >>> takes_back("(repealed)"), takes_back("This was true until 2020."), takes_back("Call us.")
    (True, True, False)
    """
    return _TAKES_BACK.search(as_read(behind)) is not None
