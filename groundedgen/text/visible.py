"""What a reader would see otherwise than a check reads it.

Characters that reorder or hide the ones round them are taken out of a statement before it is
checked, so that what is judged is what is shown. Words that are struck out cannot be: a check
reads them, and a reader does not.
"""

from __future__ import annotations

from groundedgen.patterns import lazy

__all__ = ["is_struck", "visible"]

# Controls but for tab and line breaks; embeddings, overrides and isolates of direction (marks
# of direction, which honest Hebrew and Arabic hold, reorder nothing); invisible tags.
_HIDING = lazy(
    "[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x84\\x86-\\x9f"
    "\\u202a-\\u202e\\u2066-\\u2069\\U000e0000-\\U000e007f]"
)
_STRUCK = lazy(r"~~\S|<(?:s|del|strike)\b|[\u0335-\u0338]")


def visible(text: str) -> str:
    r"""The text without what steers how the rest is displayed.

    >>> visible("The fee is \u202e12\u202c euros.")
    'The fee is 12 euros.'
    """
    cleaned: str = _HIDING.sub("", text)
    return cleaned


def is_struck(text: str) -> bool:
    """Whether some of it would be shown as struck out.

    >>> is_struck("It is ~~not~~ covered."), is_struck("It costs ~12 euros.")
    (True, False)
    """
    return _STRUCK.search(text) is not None
