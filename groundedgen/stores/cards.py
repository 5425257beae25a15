"""What a store may hold: a card that `access.opened` would deny for ever is refused at once."""

from __future__ import annotations

from typing import Final

import regex

from groundedgen.errors import InputError
from groundedgen.ports import SourceCard

__all__ = ["check_card", "check_row", "is_storable"]

_UNSTORABLE: Final = regex.compile("[\x00\ud800-\udfff]")
_PAGES: Final = 2**31  # the bounds of a column of 32 bits


def check_card(card: object) -> SourceCard:
    """The card, if a reader could ever be shown it.

    Raises:
        InputError: It is no `SourceCard`, or a field is of the wrong type; names the field.

    >>> check_card(SourceCard("lease", page=3)).page
    3
    """
    if not isinstance(card, SourceCard):
        raise InputError(f"a store holds SourceCards, got {type(card).__name__}", code="bad_type")
    if not isinstance(card.id, str):
        kind = type(card.id).__name__
        raise InputError(f"the id of a card must be a string, got {kind}", code="bad_type")
    for name in ("title", "url", "date"):
        if not isinstance(value := getattr(card, name), str | None):
            raise _wrong(card, name, "a string or None", value)
    if not isinstance(card.page, int | None) or isinstance(card.page, bool):
        raise _wrong(card, "page", "a whole number or None", card.page)
    return card


def check_row(card: object) -> SourceCard:
    """`check_card`, for a database: no NUL, no lone surrogate, a page of 32 bits.

    Raises:
        InputError: As `check_card`, or a field that a database cannot hold.
    """
    card = check_card(card)
    for name in ("id", "title", "url", "date"):
        value = getattr(card, name)
        if value is not None and not is_storable(value):
            raise InputError(
                f"the {name} of the card {card.id!r} holds NUL or a lone surrogate, which no "
                f"database can hold; cut it out",
                code="bad_text",
            )
    if card.page is not None and not -_PAGES <= card.page < _PAGES:
        raise InputError(f"the page of the card {card.id!r} is beyond 32 bits", code="bad_page")
    return card


def is_storable(text: str) -> bool:
    r"""Whether a database can hold the text.

    >>> is_storable("Lease"), is_storable("Lea\x00se")
    (True, False)
    """
    return _UNSTORABLE.search(text) is None


def _wrong(card: SourceCard, name: str, wanted: str, value: object) -> InputError:
    return InputError(
        f"the {name} of the card {card.id!r} must be {wanted}, got {type(value).__name__}",
        code="bad_type",
    )
