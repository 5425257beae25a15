"""At a digit: is it part of a name, a label, a list, a code?"""

# ruff: noqa: SIM905 - a table of words is read as words
from __future__ import annotations

from fractions import Fraction
from typing import Final

from groundedgen.patterns import compiled
from groundedgen.text.numbers.dates import clock
from groundedgen.text.numbers.heads import NOTHING, is_latin, word_before
from groundedgen.text.numbers.identifiers import chunk, identifier, label_before, label_end
from groundedgen.text.numbers.quantity import Numeral, Value
from groundedgen.text.numbers.scanning import RUN, Found, Scan
from groundedgen.text.numbers.tails import LETTER

__all__ = [
    "GERMAN_ORDINAL",
    "SERIES_VERBS",
    "SERIES_WORDS",
    "after_letter",
    "is_name",
    "labelled",
    "list_number",
    "name",
]

GERMAN_ORDINAL: Final = compiled(
    r"\.[ \xa0](?=(?:Quartal|Halbjahr|Jahrhundert|Platz|Stock|Etage|Tag|Monat|Jahr|Woche|Auflage"
    r"|Abschnitt|Mal)[a-zäöü]*\b)"
)
_FISCAL: Final = frozenset(["FY", "CY", "FYE", "AY"])
_FISCAL_YEAR: Final = compiled(rf"(?:20)?[0-9]{{2}}(?!{LETTER}|[0-9])")
_PERIOD: Final = compiled(rf"[1-4](?=$|[^\w]|(?:20)?[0-9]{{2}}(?!{LETTER}|[0-9]))")
_PERIODS: Final = {"Q": "quarter", "H": "half"}
_LIST: Final = compiled(
    r"[0-9]{1,3}(?:\.[0-9]{1,3}){0,4}[.)](?=[ \t\xa0]+[^\W\d])"
    r"|[0-9]{1,3}(?:\.[0-9]{1,2}){1,4}(?=[ \t\xa0]+[A-ZÀ-Þ][^\W\d])"
)
# Groups of digits behind such a word are one name: account 4111 1111 1111 1111.
SERIES_WORDS: Final = frozenset(
    "account acct konto kontonummer compte cuenta conto iban card karte carte tarjeta tel "
    "telephone "
    "phone telefon téléphone teléfono fax call mobile hotline number nummer numéro número "
    "reference "
    "ref code".split()
)
SERIES_VERBS: Final = frozenset(["us", "on", "is", "ist"])
_SERIES: Final = compiled(r"[0-9]{2,8}(?:[ \xa0/-][0-9]{2,8}){1,7}(?![0-9]|[.,/-][0-9]|[%€$£°])")
_LEAST_SERIES: Final = 7  # digits
_LONG_GROUP: Final = compiled(r"(?:[ \xa0/-][0-9]{3,8})+(?![0-9]|[.,/-][0-9]|[%€$£°])")
_IBAN: Final = compiled(
    r"[A-Z]{2}[0-9]{2}(?:[ \xa0]?[A-Z0-9]{4}){2,7}(?:[ \xa0]?[A-Z0-9]{1,3})?(?![A-Za-z0-9])"
)
_LONGEST_LIST: Final = 20  # items; beyond, a claim's first figure may be meant
_LIST_INDENT: Final = " \t\xa0(*#>-"
_ENDED: Final = frozenset(".:;!?)*\u3002")
# Words before a hyphen that leave the number after it a number: mid-2020, under-18.
_PREFIXES: Final = frozenset(
    "mid pre post non over under sub early late top circa ca approx approximately about nearly "
    "almost sup super the to of and or than from until up anti inter by".split()
)


def name(scan: Scan, at: int) -> Found:
    """The name that the digits at `at` are a part of."""
    run = RUN.match(scan.text, at)
    start, end = chunk(scan.text, at, run.end() if run else at + 1)
    return [identifier(scan.text, max(start, scan.ended, 0), end)], end


def is_name(scan: Scan, at: int) -> bool:
    """Whether a hyphen ties the digits to a name: COVID-19, but not mid-2020 or 5 mg-10 mg."""
    text = scan.text
    if text[at - 1 : at] != "-" or at < 2 or not is_latin(text[at - 2]) or scan.ended >= at - 1:
        return False
    return word_before(text, at - 1)[0].lower() not in _PREFIXES


def after_letter(scan: Scan, at: int) -> Found | None:
    """Digits glued to letters: Q3, FY2023, v1.2, another name; `None` where they count."""
    text = scan.text
    if scan.ended == at or scan.head(at).start < at:  # 5x10, EUR5
        return None
    if text[at - 1] == "T" and scan.ended == at - 1 and (time := clock(text, at)):
        return [time], time.end + text.startswith("Z", time.end)
    word, begin, _ = word_before(text, at)
    if begin and (text[begin - 1].isalnum() or text[begin - 1] in "_-"):
        return name(scan, at)
    if len(word) == 2 and word.isupper() and (account := _account(text, begin)):
        return [account], account.end
    if word in _FISCAL and (years := _FISCAL_YEAR.match(text, at)):
        year = Value(Fraction(int(years[0]) % 100 + 2000), NOTHING)
        return [scan.numeral(begin, years.end(), (year,))], years.end()
    if word in _PERIODS and (period := _PERIOD.match(text, at)):
        value = Value(Fraction(int(period[0])), frozenset([_PERIODS[word]]))
        return [scan.numeral(begin, period.end(), (value,), "ordinal")], period.end()
    if word.lower() == "v":
        end = _label_end(text, at)
        if end == len(text) or not (text[end].isalnum() or text[end] == "_"):
            return [identifier(text, begin, end, "version", text[at:end])], end
    return name(scan, at)


def _account(text: str, begin: int) -> Numeral | None:
    """DE89 3704 0044 0532 0130 00: an IBAN, or the beginning of one where an account is named."""
    match = _IBAN.match(text, begin)
    if not match:
        return None
    key = "".join(match[0].replace("\xa0", " ").split())
    if len(key) < 15 and word_before(text, begin)[0].lower() not in SERIES_WORDS:
        return None
    return identifier(text, begin, match.end(), "", key)


def _series(text: str, at: int) -> Numeral | None:
    match = _SERIES.match(text, at)
    if not match:
        return None
    digits = "".join(filter(str.isdecimal, match[0]))
    if len(digits) < _LEAST_SERIES:
        return None
    word, begin, _ = word_before(text, at)
    if word.lower() in SERIES_VERBS:  # "call us on", "the account number is"
        word, begin, _ = word_before(text, begin)
        if word.lower() in SERIES_VERBS:
            word = word_before(text, begin)[0]
    if word.lower() not in SERIES_WORDS:
        return None
    return identifier(text, at, match.end(), "phone", digits)


def _label_end(text: str, at: int) -> int:
    run = RUN.match(text, at)
    return max(label_end(text, at), run.end() if run else at)


def labelled(scan: Scan, at: int) -> Numeral | None:
    """The number of a section, page, standard ..., or `None` where a unit shows that it counts."""
    if series := _series(scan.text, at):
        return series
    label, begin = label_before(scan.text, at)
    if begin == at:
        return None
    end = _label_end(scan.text, at)
    if label == "no" and end - at >= 3 and (more := _LONG_GROUP.match(scan.text, end)):
        digits = "".join(filter(str.isdecimal, scan.text[at : more.end()]))
        if scan.text[at:end].isdecimal() and not _is_measured(scan, more.end()):
            return identifier(scan.text, at, more.end(), label, digits)
    if end == at or _is_measured(scan, end):
        return None
    return identifier(scan.text, at, end, label) if label else identifier(scan.text, begin, end)


def _is_measured(scan: Scan, end: int) -> bool:
    reading = scan.tail(end).readings[0]
    return reading.scale > 1 or bool(reading.measures)


def list_number(scan: Scan, at: int) -> Found | None:
    """The number of a list item or heading: first on its line, with a point or bracket.

    The line above must be finished, or hold the item before: a sentence broken by width can
    put "30." first on a line too. A small one is weak: nobody's claim rests on it.
    """
    text, place = scan.text, at
    while place > 0 and text[place - 1] in _LIST_INDENT:
        place -= 1
    if place > 0 and text[place - 1] not in "\n\r":
        return None
    match = _LIST.match(text, at)
    if not match or _is_measured(scan, match.end()) or GERMAN_ORDINAL.match(text, match.end() - 1):
        return None
    number = match[0].rstrip(".)")
    above = text[max(0, place - 200) : place].rstrip()
    follows = scan.listed.isdecimal() and number == str(int(scan.listed) + 1)
    if (
        above
        and above[-1] not in _ENDED
        and not follows
        and "\n\n" not in text[max(0, place - 3) : place]
    ):
        return None
    scan.listed = number
    item = identifier(text, at, match.end(), "item", number)
    small = number.isdecimal() and int(number) <= _LONGEST_LIST
    return [item._replace(weak=small)], match.end()
