"""What belongs to a number beyond its digits, as patterns over folded text.

Cut off, each of these changes the value: a scale ("5 | million"), a per cent sign, a unit, a
currency, an exponent, the second half of a mixed fraction, a comparison or a sign before it.
"""

from __future__ import annotations

import re
from typing import Final
from unicodedata import normalize

from groundedgen.patterns import compiled

__all__ = [
    "AFTER_NUMBER",
    "AFTER_NUMBER_WORD",
    "BEFORE_NUMBER",
    "FRACTION",
    "GROUP",
    "GROUP_AFTER",
    "GROUP_BEFORE",
    "SCALE",
]


def _any_of(*lists: str) -> str:
    """A pattern for the comma-separated alternatives, which may be patterns themselves."""
    words = [word.strip() for line in lists for word in line.split(",") if word.strip()]
    return "(?:" + normalize("NFC", "|".join(words)).replace(" ", r"\ ") + ")"


# Scale words: English, German, French, Spanish, Portuguese, Italian, Dutch, Polish, Swedish,
# Turkish; Russian; Vietnamese, Indonesian; Arabic, Hebrew, Hindi, Korean.
_SCALES: Final = _any_of(
    "hundred, thousand, million, billion, trillion, lakh, lakhs, crore, crores, dozen, mn, bn, tn",
    "k, tausend, mio, mrd, milliarden?, millionen, mille, millions?, milliards?, mil, mill[oó]n",
    "millones, milh[õo]es, milh[ãa]o, bilh[õo]es, bilh[ãa]o, mila, milioni, milione, miliard[io]",
    "duizend, miljoen, miljard, tysi[ąe]c[ey]?, milion[óo]w, miljoner, miljarder, milyon, milyar",
    r"тыс, тысяч\w*, млн, миллион\w*, млрд, миллиард\w*",
    "nghìn, ngàn, triệu, tỷ, ribu, juta, miliar",
    "ألف, آلاف, مليون, ملايين, مليار, אלף, אלפים, מיליון, מיליארד",
    "हज़ार, हजार, लाख, करोड़, अरब, 만, 억, 조, 천",
)
_PER_CENT: Final = _any_of(
    "percent, per cent, pct, percentage points?, basis points?, bps, prozent, pour cent",
    r"por ciento, por cento, per cento, procent, процент\w*, phần trăm, persen",
    "بالمائة, بالمئة, في المئة, في المائة, אחוז, אחוזים, प्रतिशत, 퍼센트",
)
# Left out are units that are rather a word when a blank stands before them: a, in, m., s, v, w.
_UNITS: Final = _any_of(
    "mg, kg, g, μg, mcg, ng, lbs?, oz, km, m, cm, mm, nm, ft, yd, inch(?:es)?, feet, foot, miles?",
    "yards?, (?:kilo|centi|milli)?met(?:er|re)s?, (?:kilo|milli)?grams?, pounds?, tons?, tonnes?",
    "l, ml, dl, litres?, liters?, gallons?, hz, khz, mhz, ghz, kw, mw, gw, kwh, mwh, kv, mv, ma",
    "kj, mj, cal, kcal, pa, kpa, mpa, bar, psi, kb, mb, gb, tb, kbit, mbit, gbit, mol, mmol, ppm",
    r"ppb, ha, acres?, hectares?, sq, square, cubic, degrees?, °\w?",
)
_TIMES: Final = _any_of(
    "ms, secs?, mins?, h, hrs?, seconds?, minutes?, hours?, days?, weeks?, months?, years?",
    "(?:business|working|calendar) days?, sekunden?, minuten?, stunden?, tagen?, tage, wochen?",
    "monaten?, monate, jahren?, jahre, secondes?, heures?, jours?, semaines?, mois, ans, années?",
    r"segundos?, minutos?, horas?, d[ií]as?, semanas?, mes(?:es)?, años?, [ap]\.?m",
)
_MONEY: Final = _any_of(
    "usd, eur, gbp, chf, jpy, cny, rmb, inr, cad, aud, nzd, sek, nok, dkk, pln, czk, huf, rub, brl",
    "mxn, zar, krw, sgd, hkd, try, ils, dollars?, euros?, cents?, pence, francs?, franken, yen",
    "yuan, rupees?, rubles?, złotych, kronor, kroner, pesos?, reais, 원",
)
# Without "may", which is rather what a party may do under clause 5.
_MONTHS: Final = _any_of(
    "january, february, march, april, june, july, august, september, october, november, december",
    "jan, feb, mar, apr, jun, jul, aug, sept?, oct, nov, dec, januar, februar, märz, mai, juni",
    "juli, oktober, dezember, janvier, février, mars, avril, juin, juillet, août, septembre",
    "octobre, novembre, décembre, de (?:enero|febrero|marzo|abril|mayo|junio|julio|agosto)",
    "de (?:septiembre|octubre|noviembre|diciembre)",
)
_CURRENCY: Final = "[$¢£¤¥֏؋৲৳฿៛₠-⃀]"

AFTER_NUMBER: Final = compiled(
    rf"""
      \ ?[%‰‱°¢]
    | [⁰¹²³⁴-⁹⁻\^½]
    | \ ?{_CURRENCY}(?!\ ?\d)
    | \ ?[x×*·]\ ?\d                 # times ten to the ...
    | \ -\ \d                        # a range
    | \ \d+/\d                       # a mixed fraction
    | \ \+/-                         # a tolerance
    | \ (?:{_SCALES}|{_PER_CENT}|{_UNITS}|{_TIMES}|{_MONEY}|{_MONTHS})(?!\w|')
    | \ ?[〇零一二三四五六七八九十百千万萬亿億兆円元年月日号號条條名]
    | \ ?(?:ล้าน|แสน|หมื่น|พัน|ร้อย|บาท|เปอร์เซ็นต์)
    """,
    re.VERBOSE,
)
"""Matched at the end of a quote that ends in a digit: what follows is still the number."""

_ONES: Final = _any_of("one, two, three, four, five, six, seven, eight, nine")
_TEENS: Final = _any_of("ten, eleven, twelve, thirteen, fourteen, fifteen, sixteen, seventeen")
_TENS: Final = _any_of("twenty, thirty, forty, fifty, sixty, seventy, eighty, ninety")
_OTHERS: Final = _any_of(
    "eighteen, nineteen, hundred, thousand, million, billion, half, zwei, drei, vier, fünf, sechs",
    "sieben, acht, neun, zehn, zwanzig, hundert, deux, trois, quatre, cinq, dix, vingt, cent, dos",
    "tres, cuatro, cinco, diez, veinte, cien, ciento",
)
_NUMBER_WORD: Final = f"(?:{_ONES}|{_TEENS}|{_TENS}|{_OTHERS})"
AFTER_NUMBER_WORD: Final = compiled(
    rf"(?<!\w)(?:{_NUMBER_WORD}\0\ (?:{_SCALES}|{_PER_CENT})|{_TENS}\0\ {_ONES}"
    rf"|(?:hundred|thousand|million)\0\ and\ {_NUMBER_WORD})(?!\w)"
)
"""Matched on the text round a quote's end, which is written as NUL, where it ends in a letter."""

BEFORE_NUMBER: Final = compiled(
    rf"""
      (?: [<>~≈≠±%\#^*×=.@+]         # touching
      | [<>≤≥~≈±][ ]                  # comparisons, with a blank
      | (?:[<>!]=|\+/-)\ ?
      | {_CURRENCY}\ ?
      | \d\ ?[x×*·]\ ?
      | \d\ -[ ]                      # a range
      | (?<!\w)(?:minus|negative|moins|menos|meno|минус)[ ]
      | (?<!\w)(?:usd|eur|gbp|chf|jpy|cny|rmb|inr|cad|aud|nzd|us\$|hk\$|a\$|rs\.?)\ ?
      ) $""",
    re.VERBOSE,
)
"""Matched at the start of a quote that begins with a number: what precedes is part of it."""

GROUP: Final = compiled(r"\d{3}(?!\d)")
GROUP_BEFORE: Final = compiled(r"(?<![\d.,])\d{1,3}(?: \d{3})*,? $")
"""A group of three digits at a quote's start, and what precedes it if it is not the first."""

GROUP_AFTER: Final = compiled(r"(?<!\d)\d{1,3}\0,? \d{3}(?!\d)|(?<!\d)\d{1,3},\0 \d{3}(?!\d)")
"""Matched on the text round a quote's end, written as NUL: a further group follows."""

FRACTION: Final = compiled(r"\d+/\d")
"""At a quote's start, with a whole number before it: the rest of a mixed one."""

SCALE: Final = compiled(rf"(?:{_SCALES}|{_PER_CENT})(?!\w)")
"""Matched at the start of a quote that has a number before it: the number's second half."""
