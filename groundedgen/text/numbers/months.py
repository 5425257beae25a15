"""The names of the months, as table."""

from __future__ import annotations

from typing import Final

__all__ = ["CAPITAL_ONLY", "MONTHS"]

_NAMES: Final = {
    "en": "january february march april may june july august september october november december",
    "en abbreviated": "jan feb mar apr may jun jul aug sep|sept oct nov dec",
    "de": "januar|jänner februar märz|maerz april mai juni juli august september oktober november "
    "dezember",
    "de abbreviated": "jan feb mär|mrz apr mai jun jul aug sep|sept okt nov dez",
    "fr": "janvier février|fevrier mars avril mai juin juillet août|aout septembre octobre "
    "novembre décembre",
    "fr abbreviated": "janv févr|fév mars avr mai juin juil août sept oct nov déc",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre|setiembre octubre "
    "noviembre diciembre",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre "
    "dicembre",
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro "
    "dezembro",
    "nl": "januari februari maart april mei juni juli augustus september oktober november december",
}
MONTHS: Final[dict[str, int]] = {
    spelling: number
    for names in _NAMES.values()
    for number, name in enumerate(names.split(), 1)
    for spelling in name.split("|")
}
# Names that in small letters are other words of their language.
CAPITAL_ONLY: Final = frozenset(
    ["may", "march", "mar", "sept", "dec", "jan", "sep", "oct", "nov", "jun", "jul"]
)
