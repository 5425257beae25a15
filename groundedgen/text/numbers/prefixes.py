"""Unit symbols with their SI prefixes, by the letter case that tells them apart.

5 mSv are a dose, 5 MSv a billion of them: prefixes and symbols keep their case (BIPM, The
International System of Units, 9th edition, 2019, chapters 3 and 5). Added are units that are used
with the same prefixes (litre, bar, electronvolt, mole per litre).
"""

from __future__ import annotations

from typing import Final

__all__ = ["PREFIXED", "SPACED"]

_PREFIXES: Final = {
    "f": "femto", "p": "pico", "n": "nano", "µ": "micro", "m": "milli", "k": "kilo", "M": "mega",
    "G": "giga", "T": "tera",
}  # fmt: skip
_UNITS: Final = {
    "g": "gram", "m": "metre", "s": "second", "A": "ampere", "V": "volt", "W": "watt",
    "J": "joule", "N": "newton", "Pa": "pascal", "Hz": "hertz", "F": "farad", "Ω": "ohm",
    "S": "siemens", "T": "tesla", "H": "henry", "Wb": "weber", "Sv": "sievert", "Gy": "gray",
    "Bq": "becquerel", "lm": "lumen", "lx": "lux", "kat": "katal", "mol": "mole", "M": "molar",
    "L": "litre", "l": "litre", "bar": "bar", "eV": "electronvolt", "Wh": "watt-hour",
    "Ci": "curie", "Da": "dalton", "U": "unit", "IU": "international-unit", "Eq": "equivalent",
}  # fmt: skip
# More often something else: television, General Motors, a title, a million of millions.
_NO_UNITS: Final = """
fm pH kM MM GM TM Ms Gs Ts ks MS GS TS kT MT GT TT TV TL Tl GU TU fU pU
"""
PREFIXED: Final[dict[str, frozenset[str]]] = {
    prefix + unit: frozenset([name + base])
    for prefix, name in _PREFIXES.items()
    for unit, base in _UNITS.items()
    if prefix + unit not in _NO_UNITS.split()
} | {
    **{
        f"u{unit}": frozenset([f"micro{_UNITS[unit]}"])
        for unit in ("A", "V", "F", "M", "Sv", "mol")
    },
    "Mg": frozenset(["megagram", "tonne"]),
    "cGy": frozenset(["centigray"]),
    "eV": frozenset(["electronvolt"]),
    "Sv": frozenset(["sievert"]),
    "Gy": frozenset(["gray"]),
    "Bq": frozenset(["becquerel"]),
}
# One capital that is a unit only with a blank before it: 5G is no 5 G.
SPACED: Final[dict[str, frozenset[str]]] = {
    "M": frozenset(["molar"]),
    "T": frozenset(["tesla"]),
    "G": frozenset(["gauss"]),
    "S": frozenset(["siemens"]),
    "H": frozenset(["henry"]),
}
