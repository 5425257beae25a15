"""Tables of number words, by language: cardinals, scales, ordinals, fractions. No rules.

Compounds that are written as one word (German, Dutch, Italian) are spelled out by the small
generators at the end, up to 999; `spelled` splits thousands off.
"""

# ruff: noqa: SIM905 - a table of words is read as words
from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from typing import Final

__all__ = ["HALVES", "LANGUAGES", "Lexicon", "compounds", "lexicon"]

MILLION, BILLION, TRILLION = 10**6, 10**9, 10**12
_HALF: Final = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The number words of one language, in small letters.

    Attributes:
        cardinals: Words for 0 to 999.
        scales: 100 and up: they multiply what stands before them.
        bare: Those of `scales` that are a number without anything before them.
        ordinals: Words for ordinals, 1 and up.
        parts: Words for parts: their denominators.
        and_words: Words between the parts of one number.
        points: Words for the decimal sign.
        articles: Words for "one" that are mostly an article or a pronoun.
        minus: Words for the minus sign.
        multiples: Words for "so many times", and for what makes that of something.
    """

    cardinals: Mapping[str, int]
    scales: Mapping[str, int]
    ordinals: Mapping[str, int]
    parts: Mapping[str, int] = field(default_factory=dict)
    bare: frozenset[str] = frozenset()
    and_words: frozenset[str] = frozenset()
    points: frozenset[str] = frozenset()
    articles: frozenset[str] = frozenset()
    minus: frozenset[str] = frozenset()
    multiples: Mapping[str, int | Fraction] = field(default_factory=dict)


def _count(words: str, start: int = 0, step: int = 1) -> dict[str, int]:
    """`a|b c` -> both spellings of the first number, then the next one."""
    return {
        spelling: start + place * step
        for place, word in enumerate(words.split())
        for spelling in word.split("|")
    }


_EN_TENS = "twenty thirty forty|fourty fifty sixty seventy eighty ninety"
_ENGLISH: Final = Lexicon(
    cardinals=_count(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen"
    )
    | _count(_EN_TENS, 20, 10),
    scales={
        "hundred": 100, "thousand": 1000, "lakh": 10**5, "lac": 10**5, "million": MILLION,
        "crore": 10**7, "billion": BILLION, "trillion": TRILLION, "dozen": 12,
    },
    ordinals=_count(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth "
        "thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth",
        1,
    )
    | _count("twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth", 20,
    10)
    | {"hundredth": 100, "thousandth": 1000, "millionth": MILLION, "billionth": BILLION},
    parts={"half": 2, "halves": 2, "quarter": 4, "quarters": 4}
    | _count("thirds fourths fifths sixths sevenths eighths ninths tenths", 3)
    | {"twelfths": 12, "sixteenths": 16, "twentieths": 20, "hundredths": 100, "thousandths": 1000},
    bare=frozenset(),
    and_words=frozenset({"and"}),
    points=frozenset({"point"}),
    articles=frozenset({"a", "an"}),
    minus=frozenset({"minus", "negative"}),
    multiples=_count(
        "once twice|twofold|double|doubled|doubles|doubling|duplicated "
        "thrice|threefold|triple|tripled|triples|tripling|treble|trebled|trebles|trebling "
        "fourfold|quadruple|quadrupled|quadrupling fivefold|quintuple|quintupled sixfold sevenfold "
        "eightfold ninefold tenfold",
        1,
    )
    | {"hundredfold": 100, "halved": _HALF, "halving": _HALF},
)  # fmt: skip
_GERMAN: Final = Lexicon(
    cardinals={},
    scales={
        "hundert": 100, "tausend": 1000, "million": MILLION, "millionen": MILLION,
        "milliarde": BILLION, "milliarden": BILLION, "billion": TRILLION, "billionen": TRILLION,
        "dutzend": 12,
    },
    ordinals={},
    parts={"hälfte": 2, "viertel": 4, "drittel": 3, "fünftel": 5, "achtel": 8, "zehntel": 10},
    bare=frozenset({"hundert", "tausend"}),
    and_words=frozenset({"und"}),
    points=frozenset({"komma"}),
    articles=frozenset({"ein", "eine", "einer", "eines", "einem", "einen", "eins"}),
    minus=frozenset({"minus"}),
    multiples=_count(
        "einmal "
        "zweimal|doppelt|doppelte|doppelten|doppelter|doppeltes|zweifach|zweifache|verdoppelt"
        "|verdoppelte|verdoppelten|verdoppeln dreimal|dreifach|dreifache|dreifachen|verdreifacht"
        "|verdreifachte|verdreifachten|verdreifachen viermal|vierfach|vierfache|vervierfacht"
        "|vervierfachte|vervierfachten fünfmal|fünffach|fünffache|verfünffacht|verfünffachte "
        "sechsmal"
        "|sechsfach siebenmal achtmal neunmal zehnmal|zehnfach|zehnfache",
        1,
    )
    | dict.fromkeys("halbiert halbierte halbierten halbieren".split(), _HALF),
)  # fmt: skip
_FRENCH: Final = Lexicon(
    cardinals=_count(
        "zéro un|une deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze "
        "quinze seize"
    )
    | {"vingt": 20, "vingts": 20, "trente": 30, "quarante": 40, "cinquante": 50, "soixante": 60}
    | {"septante": 70, "huitante": 80, "octante": 80, "nonante": 90},
    scales={
        "cent": 100, "cents": 100, "mille": 1000, "million": MILLION, "millions": MILLION,
        "milliard": BILLION, "milliards": BILLION, "billion": TRILLION, "billions": TRILLION,
        "douzaine": 12,
    },
    ordinals={"premier": 1, "première": 1, "premiers": 1, "premières": 1, "second": 2, "seconde": 2}
    | {
        word + end: value
        for value, word in enumerate(
            "deuxi troisi quatri cinqui sixi septi huiti neuvi dixi onzi douzi treizi quatorzi "
            "quinzi seizi".split(), 2
        )
        for end in ("ème", "èmes")
    }
    | {"vingtième": 20, "trentième": 30, "centième": 100, "millième": 1000},
    parts={"quart": 4, "quarts": 4, "tiers": 3, "demi": 2, "demie": 2, "moitié": 2},
    bare=frozenset({"cent", "mille"}),
    and_words=frozenset({"et"}),
    points=frozenset({"virgule"}),
    articles=frozenset({"un", "une"}),
    minus=frozenset({"moins"}),
    multiples=_count(
        "double|doubles|doublé|doublée|doublés|doublées "
        "triple|triples|triplé|triplée|triplés|triplées "
        "quadruple|quadruplé|quadruplée|quadruplés quintuple|quintuplé",
        2,
    ),
)  # fmt: skip
_ES_HUNDREDS = "doscient trescient cuatrocient quinient seiscient setecient ochocient novecient"
_SPANISH: Final = Lexicon(
    cardinals=_count(
        "cero un|uno|una dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce "
        "quince dieciséis|dieciseis diecisiete dieciocho diecinueve veinte "
        "veintiuno|veintiún|veintiuna "
        "veintidós|veintidos veintitrés|veintitres veinticuatro veinticinco veintiséis|veintiseis "
        "veintisiete veintiocho veintinueve"
    )
    | _count("treinta cuarenta cincuenta sesenta setenta ochenta noventa", 30, 10)
    | {"ciento": 100}
    | {
        stem + end: value * 100
        for value, stem in enumerate(_ES_HUNDREDS.split(), 2)
        for end in ("os", "as")
    },
    scales={
        "cien": 100, "mil": 1000, "millón": MILLION, "millon": MILLION, "millones": MILLION,
        "billón": TRILLION, "billones": TRILLION, "docena": 12,
    },
    ordinals={
        stem + end: value
        for value, stem in enumerate(
            "primer segund tercer cuart quint sext séptim octav noven décim".split(), 1
        )
        for end in ("o", "a", "os", "as")
    }
    | {"primer": 1, "tercer": 3},
    parts={"mitad": 2, "cuartos": 4, "tercio": 3, "tercios": 3, "quintos": 5},
    bare=frozenset({"cien", "mil"}),
    and_words=frozenset({"y"}),
    points=frozenset({"coma", "punto"}),
    articles=frozenset({"un", "uno", "una"}),
    minus=frozenset({"menos"}),
    multiples=_count(
        "doble|dobles|duplicó|duplicaron|duplicado|duplicada|duplica|duplican|duplicar "
        "triple|triples|triplicó|triplicaron|triplicado|triplicada|triplica|triplican|triplicar "
        "cuádruple|cuadruplicó|cuadruplicaron|cuadruplicado|cuadruplicar",
        2,
    ),
)  # fmt: skip
_PT_HUNDREDS = "duzent trezent quatrocent quinhent seiscent setecent oitocent novecent"
_PORTUGUESE: Final = Lexicon(
    cardinals=_count(
        "zero um|uma dois|duas três|tres quatro cinco seis sete oito nove dez onze doze treze "
        "catorze|quatorze quinze dezesseis|dezasseis dezessete|dezassete dezoito dezenove|dezanove"
    )
    | _count("vinte trinta quarenta cinquenta sessenta setenta oitenta noventa", 20, 10)
    | {"cento": 100}
    | {
        stem + end: value * 100
        for value, stem in enumerate(_PT_HUNDREDS.split(), 2)
        for end in ("os", "as")
    },
    scales={
        "cem": 100, "mil": 1000, "milhão": MILLION, "milhões": MILLION, "bilhão": BILLION,
        "bilhões": BILLION, "bilião": TRILLION, "biliões": TRILLION, "trilhão": TRILLION,
        "trilhões": TRILLION, "dúzia": 12,
    },
    ordinals={
        stem + end: value
        for value, stem in enumerate(
            "primeir segund terceir quart quint sext sétim oitav non décim".split(), 1
        )
        for end in ("o", "a", "os", "as")
    },
    parts={"terço": 3, "terços": 3, "quartos": 4},
    bare=frozenset({"cem", "mil"}),
    and_words=frozenset({"e"}),
    points=frozenset({"vírgula", "ponto"}),
    articles=frozenset({"um", "uma"}),
    minus=frozenset({"menos"}),
)  # fmt: skip
_ITALIAN: Final = Lexicon(
    cardinals={},
    scales={
        "cento": 100, "mille": 1000, "mila": 1000, "milione": MILLION, "milioni": MILLION,
        "miliardo": BILLION, "miliardi": BILLION, "bilione": TRILLION, "bilioni": TRILLION,
        "dozzina": 12,
    },
    ordinals={
        stem + end: value
        for value, stem in enumerate(
            "prim second terz quart quint sest settim ottav non decim".split(), 1
        )
        for end in "oaie"
    },
    parts={"quarti": 4, "terzi": 3, "mezzo": 2},
    bare=frozenset({"cento", "mille"}),
    and_words=frozenset({"e"}),
    points=frozenset({"virgola"}),
    articles=frozenset({"un", "uno", "una"}),
    minus=frozenset({"meno"}),
)  # fmt: skip
_DUTCH: Final = Lexicon(
    cardinals={},
    scales={
        "honderd": 100, "duizend": 1000, "miljoen": MILLION, "miljard": BILLION,
        "biljoen": TRILLION, "dozijn": 12,
    },
    ordinals={},
    parts={"kwart": 4, "derde": 3},
    bare=frozenset({"honderd", "duizend"}),
    and_words=frozenset({"en"}),
    points=frozenset({"komma"}),
    articles=frozenset({"een", "één"}),
    minus=frozenset({"min"}),
)  # fmt: skip

_TABLES: Final = {
    "en": _ENGLISH, "de": _GERMAN, "fr": _FRENCH, "es": _SPANISH, "it": _ITALIAN,
    "pt": _PORTUGUESE, "nl": _DUTCH,
}  # fmt: skip
LANGUAGES: Final = tuple(_TABLES)

HALVES: Final[Mapping[str, Fraction]] = {
    "anderthalb": Fraction(3, 2), "eineinhalb": Fraction(3, 2), "zweieinhalb": Fraction(5, 2),
    "dreieinhalb": Fraction(7, 2), "viereinhalb": Fraction(9, 2), "anderhalf": Fraction(3, 2),
    "anderhalve": Fraction(3, 2), "dreiviertel": Fraction(3, 4),
}  # fmt: skip


@lru_cache(maxsize=len(_TABLES))
def lexicon(language: str) -> Lexicon:
    """The number words of a language ("en", "de", ...); English for one that is not known."""
    table = _TABLES.get(language, _ENGLISH)
    generated = compounds(language)
    if not generated:
        return table
    ordinals = _ORDINAL_MAKERS[language](generated) | dict(table.ordinals)
    return replace(table, cardinals=generated, ordinals=ordinals)


@lru_cache(maxsize=len(_TABLES))
def compounds(language: str) -> Mapping[str, int]:
    """Every word for 0 to 999 of a language that writes them as one word, else nothing."""
    maker = _MAKERS.get(language)
    return dict(maker()) if maker else {}


def _with_hundreds(
    below: dict[str, int], units: dict[str, int], hundred: str, joiners: tuple[str, ...]
) -> Iterator[tuple[str, int]]:
    yield from below.items()
    heads = {hundred: 100} | {unit + hundred: value * 100 for unit, value in units.items()}
    for head, value in heads.items():
        if value != 100 or head != hundred:
            yield head, value
        for word, rest in below.items():
            if rest:
                for joiner in joiners:
                    yield head + joiner + word, value + rest


_DE_UNITS = "ein zwei drei vier fünf|fuenf sechs sieben acht neun"


def _german() -> Iterator[tuple[str, int]]:
    below = _count(
        "null eins|ein|eine|einen|einem|einer|eines zwei|zwo drei vier fünf|fuenf sechs sieben "
        "acht neun "
        "zehn elf zwölf|zwoelf dreizehn vierzehn fünfzehn|fuenfzehn sechzehn siebzehn achtzehn "
        "neunzehn"
    )
    tens = _count(
        "zwanzig dreißig|dreissig vierzig fünfzig|fuenfzig sechzig siebzig achtzig neunzig", 20, 10
    )
    units = _count(_DE_UNITS, 1)
    below |= tens
    below |= {f"{u}und{t}": v + w for u, v in units.items() for t, w in tens.items()}
    return _with_hundreds(below, units, "hundert", ("", "und"))


def _dutch() -> Iterator[tuple[str, int]]:
    below = _count(
        "nul een|één|eén twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien "
        "vijftien "
        "zestien zeventien achttien negentien"
    )
    tens = _count("twintig dertig veertig vijftig zestig zeventig tachtig negentig", 20, 10)
    units = _count("een|één twee drie vier vijf zes zeven acht negen", 1)
    below |= tens
    below |= {
        f"{u}{joiner}{t}": v + w
        for u, v in units.items()
        for t, w in tens.items()
        for joiner in (("ën", "en") if u.endswith("e") else ("en",))
    }
    return _with_hundreds(below, units, "honderd", ("", "en"))


def _italian() -> Iterator[tuple[str, int]]:
    below = _count(
        "zero un|uno|una due tre quattro cinque sei sette otto nove dieci undici dodici tredici "
        "quattordici "
        "quindici sedici diciassette diciotto diciannove"
    )
    tens = _count("venti trenta quaranta cinquanta sessanta settanta ottanta novanta", 20, 10)
    units = _count("uno|un due tre|tré quattro cinque sei sette otto nove", 1)
    below |= tens
    below |= {
        (t[:-1] if u[0] in "uo" else t) + u: v + w
        for u, v in units.items()
        for t, w in tens.items()
    }
    return _with_hundreds(
        below, _count("due tre quattro cinque sei sette otto nove", 2), "cento", ("",)
    )


def _german_ordinals(cardinals: Mapping[str, int]) -> dict[str, int]:
    stems = {"ers": 1, "drit": 3, "sieb": 7, "ach": 8}
    stems |= {
        word + ("s" if value >= 20 else ""): value
        for word, value in cardinals.items()
        if 2 <= value <= 100 and value not in (3, 7, 8)
    }
    ends = ("te", "ter", "tes", "ten", "tem")
    return {stem + end: value for stem, value in stems.items() for end in ends}


def _dutch_ordinals(cardinals: Mapping[str, int]) -> dict[str, int]:
    ordinals = {"eerste": 1, "derde": 3, "achtste": 8}
    for word, value in cardinals.items():
        if 2 <= value <= 100 and value not in (3, 8):
            ordinals[word + ("ste" if value >= 20 else "de")] = value
    return ordinals


def _italian_ordinals(cardinals: Mapping[str, int]) -> dict[str, int]:
    return {
        word[:-1] + "esim" + end: value
        for word, value in cardinals.items()
        if 11 <= value <= 100
        for end in "oaie"
    }


_MAKERS: Final = {"de": _german, "nl": _dutch, "it": _italian}
_ORDINAL_MAKERS: Final = {
    "de": _german_ordinals, "nl": _dutch_ordinals, "it": _italian_ordinals
}  # fmt: skip
