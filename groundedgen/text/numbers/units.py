"""Tables of what may stand beside a number: units, currencies, scale words, periods. No rules.

A word names a set of measures, since some words are shared: pounds are money or weight,
`$` is any dollar. Two numbers conflict only where both name measures and share none.
Currencies are ISO 4217 codes in capitals; everything else is in small letters.
"""

# ruff: noqa: SIM905 - a table of words is read as words
from __future__ import annotations

from typing import Final

from groundedgen.text.numbers.prefixes import PREFIXED, SPACED

__all__ = [
    "ADJECTIVES",
    "ANY_CASE",
    "CJK_UNITS",
    "CODES",
    "GLUED",
    "GLUED_SCALES",
    "LENGTHS",
    "MONEY",
    "PERIODS",
    "PHRASES",
    "SCALES",
    "SCALES_BY_LANGUAGE",
    "SIGNS",
    "SIGN_PREFIXES",
    "SYMBOLS",
    "WORDS",
    "Measures",
    "units_of",
]

Measures = frozenset[str]


def _one(names: str) -> Measures:
    return frozenset(names.split("|"))


# The sign alone is the American dollar, or a peso ("PESO" is no code: it is not said which).
# A dollar that is named otherwise is another amount: A$5 is not $5.
_DOLLAR: Final = "USD|PESO"

# Signs before or after a number.
SIGNS: Final[dict[str, Measures]] = {
    sign: _one(names)
    for sign, names in {
        "$": _DOLLAR, "€": "EUR", "£": "GBP", "¥": "JPY|CNY", "₹": "INR", "₨": "INR|PKR",
        "₩": "KRW", "₽": "RUB", "₺": "TRY", "฿": "THB", "₫": "VND", "₪": "ILS", "₴": "UAH",
        "₦": "NGN", "₱": "PHP", "₿": "BTC", "¢": "cent",
        "%": "percent", "‰": "permille", "‱": "basis-point",
        "°": "degree|celsius|fahrenheit", "℃": "celsius", "℉": "fahrenheit",
    }.items()
}  # fmt: skip
# Letters before "$": US$, C$, ...
SIGN_PREFIXES: Final[dict[str, Measures]] = {
    letters: _one(code)
    for code, prefixes in {
        "USD": "US U.S. U.S USD", "CAD": "C CA CAN CAD CDN Can", "AUD": "A AU AUD Aus",
        "NZD": "NZ NZD", "HKD": "HK HKD", "SGD": "S SG SGD", "TWD": "NT TWD", "BRL": "R BRL",
        "MXN": "MX MEX MXN", "JMD": "J", "TTD": "TT", "ZWD": "Z",
    }.items()
    for letters in prefixes.split()
}  # fmt: skip
# Codes and abbreviations of currencies, as written (case counts), before or after a number.
CODES: Final[dict[str, Measures]] = {
    code: _one(code)
    for code in (
        "USD EUR GBP JPY CNY INR CHF CAD AUD NZD HKD SGD TWD KRW SEK NOK DKK ISK PLN CZK HUF RON "
        "BGN "
        "RUB UAH TRY ILS ZAR BRL MXN ARS CLP COP PEN THB VND IDR MYR PHP PKR BDT LKR NPR EGP NGN "
        "KES "
        "GHS MAD TND AED SAR QAR KWD BHD OMR JOD BTC XAU DEM FRF ITL ESP NLG ATS BEF PTE IEP"
    ).split()
} | {
    "RMB": _one("CNY"), "CNH": _one("CNY"), "Rs": _one("INR|PKR|LKR|NPR"),
    "RM": _one("MYR"), "Fr": _one("CHF|FRF|BEF"), "SFr": _one("CHF"), "sFr": _one("CHF"),
    "kr": _one("SEK|NOK|DKK|ISK"), "Kr": _one("SEK|NOK|DKK|ISK"), "zł": _one("PLN"),
    "Kč": _one("CZK"), "Rp": _one("IDR"), "Euro": _one("EUR"), "Euros": _one("EUR"),
    "DM": _one("DEM"), "Stg": _one("GBP"),
}  # fmt: skip

MONEY: Final[Measures] = frozenset(["PESO"]).union(*CODES.values(), *SIGN_PREFIXES.values())

# Unit symbols whose letter case counts: glued to the number or one blank after it.
SYMBOLS: Final[dict[str, Measures]] = PREFIXED | CODES | {
    symbol: _one(names)
    for names, symbols in {
        "microgram": "µg mcg ug", "milligram": "mg", "gram": "g gr gm",
        "kilogram": "kg Kg KG kgs kilo kilos",
        "tonne": "t", "tonne|megatonne": "MT Mt", "kilotonne": "kt Kt", "gigatonne": "Gt",
        "pound-mass": "lb lbs", "ounce": "oz",
        "nanometre": "nm", "micrometre": "µm um", "millimetre": "mm", "centimetre": "cm",
        "decimetre": "dm",
        "metre": "m", "kilometre": "km Km KM", "foot": "ft", "yard": "yd yds", "mile": "mi",
        "hectare": "ha", "square-foot": "sqft sqf", "square-metre": "sqm qm",
        "square-kilometre": "sqkm",
        "microlitre": "µl µL uL", "millilitre": "ml mL", "centilitre": "cl cL",
        "decilitre": "dl dL",
        "litre": "l L ltr", "hectolitre": "hl hL", "barrel": "bbl bbls", "gallon": "gal",
        "millisecond": "ms", "microsecond": "µs", "nanosecond": "ns", "second": "s",
        "hour": "h", "minute": "min mins",
        "kilometre-hour": "kmh kph km/h", "mile-hour": "mph MPH", "metre-second": "m/s",
        "bit": "bit bits", "byte": "bytes byte", "kilobyte": "kB KB", "megabyte": "MB",
        "gigabyte": "GB",
        "terabyte": "TB", "petabyte": "PB", "kibibyte": "KiB", "mebibyte": "MiB", "gibibyte": "GiB",
        "tebibyte": "TiB", "kilobit": "kbit Kbit kb Kb", "megabit": "Mbit Mb", "gigabit": "Gbit Gb",
        "kilobit-second": "kbps Kbps", "megabit-second": "Mbps Mbit/s",
        "gigabit-second": "Gbps Gbit/s",
        "milliwatt": "mW", "watt": "W", "kilowatt": "kW KW", "megawatt": "MW", "gigawatt": "GW",
        "terawatt": "TW", "watt-hour": "Wh", "kilowatt-hour": "kWh KWh KWH kwh",
        "megawatt-hour": "MWh",
        "gigawatt-hour": "GWh", "terawatt-hour": "TWh", "watt-peak": "Wp", "kilowatt-peak": "kWp",
        "millivolt": "mV", "volt": "V", "kilovolt": "kV", "milliampere": "mA", "ampere-hour": "Ah",
        "milliampere-hour": "mAh", "ohm": "Ω",
        "hertz": "Hz", "kilohertz": "kHz", "megahertz": "MHz", "gigahertz": "GHz",
        "joule": "J", "kilojoule": "kJ", "megajoule": "MJ", "calorie": "cal", "kilocalorie": "kcal",
        "pascal": "Pa", "hectopascal": "hPa", "kilopascal": "kPa", "megapascal": "MPa",
        "bar": "bar",
        "millibar": "mbar", "psi": "psi", "mmhg": "mmHg", "newton": "N", "kilonewton": "kN",
        "decibel": "dB dBA", "lux": "lx", "lumen": "lm", "horsepower": "hp HP bhp PS",
        "millimole": "mmol", "micromole": "µmol", "mole": "mol", "international-unit": "IU I.U.",
        "ppm": "ppm", "ppb": "ppb", "basis-point": "bp", "basis-point|bit-second": "bps",
        "percentage-point": "pp ppt", "percent": "pct pct.", "thousand-tonne": "kto",
    }.items()
    for symbol in symbols.split()
}  # fmt: skip
# Symbols of units in small letters -> all that they can be in some letter case. For a symbol in a
# case that none has ("kw"), and for headings in capitals.
ANY_CASE: Final[dict[str, Measures]] = {}
# A week, a year, hours of a clock, the end of an ordinal.
_NO_FOLDED: Final = frozenset(["pw", "pa", "pm", "ph", "pd", "th", "nd", "st", "rd"])


def _fold_symbols() -> None:
    for table in (SYMBOLS, SPACED):
        for symbol, names in table.items():
            low = symbol.lower()
            if symbol not in CODES and low not in _NO_FOLDED:
                ANY_CASE[low] = ANY_CASE.get(low, frozenset()) | names


_fold_symbols()


def units_of(symbol: str, *, shouted: bool = False) -> Measures:
    """What a symbol with a blank before it can measure: by its case, if there is one in that case.

    Args:
        symbol: As written.
        shouted: Whether it stands in a text all of capitals, whose case tells nothing.

    >>> sorted(units_of("mSv")), sorted(units_of("msv"))
    (['millisievert'], ['megasievert', 'millisievert'])
    >>> sorted(units_of("MW")), sorted(units_of("MW", shouted=True)), units_of("cars")
    (['megawatt'], ['megawatt', 'milliwatt'], frozenset())
    """
    exact = SYMBOLS.get(symbol) or SPACED.get(symbol)
    if exact and not (shouted and symbol.isupper()):
        return exact
    if len(symbol) == 1 and not shouted:
        return frozenset()
    return ANY_CASE.get(symbol.lower(), exact or frozenset())


# Letters that are a unit only when glued to the number.
GLUED: Final[dict[str, Measures]] = {
    "x": _one("times"), "X": _one("times"), "×": _one("times"), "d": _one("day"), "y": _one("year"),
    "C": _one("celsius"), "F": _one("fahrenheit"), "A": _one("ampere"), "p": _one("pence"),
    "c": _one("cent"), "s": _one("second"), "hr": _one("hour"), "yr": _one("year"),
    "mo": _one("month"),
    "wk": _one("week"), "in": _one("inch"),
}  # fmt: skip

# Words for units, in any letter case, in the languages whose number words are read.
WORDS: Final[dict[str, Measures]] = {
    word: _one(names)
    for names, words in {
        "second": "second seconds sec secs sekunde sekunden seconde secondes segundo segundos "
        "secondo secondi",
        "minute": "minute minutes mins minuten minuto minutos minuti minuut",
        "hour": "hour hours hr hrs час часа часов ساعة ساعات שעות stunde stunden std heure "
        "heures hora horas ora ore uur uren",
        "day": "day days tag tage tagen kalendertage kalendertagen день дня дней يوم يوما أيام "
        "ימים "
        "jour jours journée journées día "
        "días dia dias "
        "giorno giorni dag dagen",
        "business-day": "werktag werktage werktagen arbeitstag arbeitstage arbeitstagen "
        "bankarbeitstage "
        "bankarbeitstagen geschäftstage geschäftstagen werkdag werkdagen",
        "week": "week weeks wk wks woche wochen semaine semaines semana semanas settimana "
        "settimane weken",
        "fortnight": "fortnight fortnights",
        "month": "month months mth mths месяц месяца месяцев شهر أشهر חודש חודשים monat monate "
        "monaten mois mes meses mese mesi mês maand "
        "maanden",
        "quarter": "quarter quarters quartal quartale quartalen trimestre trimestres trimestri "
        "kwartaal kwartalen",
        "half-year": "halbjahr halbjahre semester semesters semestre semestres",
        "year": "year years yr yrs год года лет سنة سنوات שנה שנים jahr jahre jahren ans année "
        "années año años ano anos anno anni "
        "jaar jaren",
        "decade": "decade decades jahrzehnt jahrzehnte jahrzehnten décennie décennies década "
        "décadas decennio decennia",
        "century": "century centuries jahrhundert jahrhunderte jahrhunderten siècle siècles siglo "
        "siglos secolo secoli "
        "século séculos eeuw eeuwen",
        "percent": "процент процента процентов percent percents prozent procent pct percento",
        "percentage-point": "prozentpunkt prozentpunkte prozentpunkten procentpunt procentpunten",
        "basis-point": "basispunkt basispunkte basispunkten basispunt basispunten",
        "permille": "promille permille permil",
        "times": "times mal fois vez veces volta volte vezes keer fold fach",
        "microgram": "microgram micrograms microgramme microgrammes mikrogramm microgrammi "
        "microgramos",
        "milligram": "milligram milligrams milligramme milligrammes milligramm milligrammi "
        "miligramo miligramos",
        "gram": "gram grams gramme grammes gramm gramo gramos grammo grammi grama gramas",
        "kilogram": "kilogram kilograms kilogramme kilogrammes kilogramm kilogramo kilogramos "
        "chilogrammo "
        "chilogrammi chili quilograma quilogramas quilos kilo kilos",
        "tonne": "tonne tonnes tonelada toneladas tonnellata tonnellate ton",
        "tonne|short-ton|long-ton": "ton tons tonnen",
        "kilotonne": "kilotonne kilotonnes kiloton kilotons",
        "megatonne": "megatonne megatonnes megaton megatons",
        "pound-mass": "lb lbs", "pound-mass|GBP": "pound pounds pfund libra libras livre livres",
        "ounce|fluid-ounce": "ounce ounces oz unze unzen onza onzas", "stone": "stone stones",
        "nanometre": "nanometre nanometres nanometer nanometers",
        "micrometre": "micrometre micrometres micrometer micrometers micron microns mikrometer",
        "millimetre": "millimetre millimetres millimeter millimeters millimètre millimètres "
        "milímetro milímetros "
        "millimetro millimetri",
        "centimetre": "centimetre centimetres centimeter centimeters zentimeter centimètre "
        "centimètres centímetro "
        "centímetros centimetro centimetri",
        "metre": "metre metres meter meters metern mètre mètres metro metros metri",
        "kilometre": "kilometre kilometres kilometer kilometers kilometern kilomètre kilomètres "
        "kilómetro kilómetros "
        "chilometro chilometri quilômetro quilômetros quilómetro quilómetros kms",
        "inch": "inch inches zoll pouce pouces pulgada pulgadas pollice pollici polegada polegadas "
        "duim",
        "foot": "foot feet fuß pied pieds", "yard": "yard yards",
        "mile": "mile miles meile meilen milla millas "
        "miglio miglia milha milhas mijl",
        "acre": "acre acres", "hectare": "hectare hectares hektar hectárea hectáreas ettaro ettari "
        "hectaren",
        "square-metre": "quadratmeter quadratmetern", "square-kilometre": "quadratkilometer",
        "cubic-metre": "kubikmeter",
        "millilitre": "millilitre millilitres milliliter milliliters mililitro mililitros",
        "litre": "litre litres liter liters litro litros litri",
        "gallon": "gallon gallons", "barrel": "barrel barrels", "pint": "pint pints",
        "quart": "quart quarts",
        "cup": "cup cups", "tablespoon": "tablespoon tablespoons tbsp",
        "teaspoon": "teaspoon teaspoons tsp",
        "celsius": "celsius centigrade", "fahrenheit": "fahrenheit", "kelvin": "kelvin kelvins",
        "degree|celsius|fahrenheit": "degree degrees grad degré degrés grado grados gradi grau "
        "graus graden",
        "bit": "bit bits", "byte": "byte bytes", "kilobyte": "kilobyte kilobytes",
        "megabyte": "megabyte megabytes", "gigabyte": "gigabyte gigabytes",
        "terabyte": "terabyte terabytes",
        "watt": "watt watts", "kilowatt": "kilowatt kilowatts", "megawatt": "megawatt megawatts",
        "gigawatt": "gigawatt gigawatts", "kilowatt-hour": "kilowattstunde kilowattstunden",
        "volt": "volt volts", "ampere": "amp amps ampere amperes", "hertz": "hertz",
        "megahertz": "megahertz",
        "gigahertz": "gigahertz", "kilohertz": "kilohertz", "joule": "joule joules",
        "calorie|kilocalorie": "calorie calories kalorien",
        "kilocalorie": "kilocalorie kilocalories",
        "decibel": "decibel decibels", "horsepower": "horsepower", "mile-hour": "mph", "psi": "psi",
        "ppm": "ppm", "ppb": "ppb", "knot": "knot knots",
        "USD": "доллар доллара долларов دولار דולר dollar dollars dólar dólares dollari "
        "dollaro dólars buck "
        "bucks",
        "EUR": "euro euros eur евро يورو אירו", "GBP": "quid sterling",
        "CHF|FRF|BEF": "franc francs franken franco francos franchi",
        "JPY": "yen", "RUB": "rouble roubles ruble rubles rubel руб рубль рубля рублей",
        "CNY": "yuan renminbi rmb",
        "INR|PKR|LKR|NPR": "rupee rupees rupie rupien roupie roupies rupia "
        "rupias rupie", "KRW": "won",
        "MXN|ARS|CLP|COP|PHP|PESO": "peso pesos", "BRL": "reais", "PLN": "zloty zlotys złoty "
        "złotych",
        "SEK|NOK|DKK|ISK": "krona kronor krone kroner kronen", "ZAR": "rand rands",
        "TRY": "lira liras",
        "DEM": "mark", "BTC": "bitcoin bitcoins",
        "cent": "cent cents eurocent eurocents centavo centavos centesimi céntimo céntimos centime "
        "centimes rappen",
        "pence": "pence penny pennies", "paise": "paise paisa",
    }.items()
    for word in words.split()
}  # fmt: skip
# Units of more than one word, by their first; the longest is tried first.
PHRASES: Final[dict[str, tuple[tuple[tuple[str, ...], Measures], ...]]] = {}
_PHRASES: Final = {
    "business-day": "business day, working day, banking day, trading day, jours ouvrables, jours "
    "ouvrés, "
    "días hábiles, días laborables, dias úteis, giorni lavorativi",
    "day": "calendar day, jours calendaires, días naturales, dias corridos",
    "percent": "per cent, pour cent, por ciento, por cento, per cento, v h, vom hundert",
    "permille": "per mille, per mil, pour mille, por mil",
    "percentage-point": "percentage point, percent point, points de pourcentage, puntos "
    "porcentuales, "
    "pontos percentuais, punti percentuali",
    "basis-point": "basis point, points de base, puntos básicos, pontos base, punti base",
    "celsius": "degrees celsius, degrees centigrade, degrees c, degree celsius, grad celsius, "
    "degrés celsius, "
    "grados celsius, gradi celsius, graus celsius, graden celsius",
    "fahrenheit": "degrees fahrenheit, degrees f, degree fahrenheit, grad fahrenheit",
    "square-foot": "square foot, square feet, sq ft, sq feet",
    "square-inch": "square inch, square inches, sq in",
    "square-metre": "square metre, square meter, sq m, mètres carrés, metros cuadrados, metri "
    "quadrati",
    "square-kilometre": "square kilometre, square kilometer, sq km, kilomètres carrés, kilómetros "
    "cuadrados",
    "square-mile": "square mile, sq mi", "square-yard": "square yard, sq yd",
    "cubic-metre": "cubic metre, cubic meter, mètres cubes, metros cúbicos, metri cubi",
    "cubic-foot": "cubic foot, cubic feet, cu ft",
    "cubic-centimetre": "cubic centimetre, cubic centimeter",
    "light-year": "light year", "nautical-mile": "nautical mile",
    "mile-hour": "miles per hour, mile per hour, miles an hour",
    "kilometre-hour": "kilometres per hour, kilometers per hour, kilomètres par heure",
    "tonne": "metric ton, metric tonne, metric tons", "short-ton": "short ton",
    "long-ton": "long ton",
    "fluid-ounce": "fluid ounce, fl oz", "ounce": "troy ounce",
    "kilowatt-hour": "kilowatt hour", "megawatt-hour": "megawatt hour",
    "gigawatt-hour": "gigawatt hour",
    "USD": "us dollar, u s dollar, american dollar, dólares estadounidenses",
    "CAD": "canadian dollar", "AUD": "australian dollar", "NZD": "new zealand dollar",
    "HKD": "hong kong dollar", "SGD": "singapore dollar",
    "GBP": "pounds sterling, pound sterling, british pound",
    "CHF": "swiss franc, schweizer franken", "JPY": "japanese yen", "CNY": "chinese yuan",
    "INR": "indian rupee",
    "cent": "euro cent, us cent",
}  # fmt: skip


def _spread() -> None:
    table: dict[str, list[tuple[tuple[str, ...], Measures]]] = {}
    for names, phrases in _PHRASES.items():
        for phrase in phrases.split(", "):
            first, *rest = phrase.split()
            for last in (rest[-1], rest[-1] + "s"):
                table.setdefault(first, []).append(((*rest[:-1], last), _one(names)))
    for first, entries in table.items():
        PHRASES[first] = tuple(sorted(entries, key=lambda entry: -len(entry[0])))


_spread()

# Words that may stand between a number and its unit without changing either.
ADJECTIVES: Final = frozenset(
    "consecutive full additional further successive complete whole extra other straight continuous "
    "more "
    "different separate individual entire fiscal financial aufeinanderfolgende volle weitere ganze "
    "consécutifs consecutivos "
    "consecutivi opeenvolgende".split()
)

THOUSAND, MILLION, BILLION, TRILLION = 10**3, 10**6, 10**9, 10**12
# Scale words after digits, in any letter case.
SCALES: Final[dict[str, int]] = {
    word: value
    for value, words in {
        100: "hundred hundert honderd cento",
        THOUSAND: "тыс тысяча тысячи тысяч ألف آلاف אלף thousand thousands thou tausend tsd "
        "duizend mila mille k thsd",
        10**5: "lakh lakhs lac lacs",
        MILLION: "млн миллион миллиона миллионов مليون ملايين מיליון million millions mn mln "
        "mio mill millionen millón millones millon milhão milhões "
        "milione milioni "
        "miljoen miljoenen mm mios",
        10**7: "crore crores cr",
        BILLION: "млрд миллиард миллиарда миллиардов مليار billion billions bn bln milliarde "
        "milliarden mrd milliard milliards md mds "
        "miliardo miliardi mld "
        "miljard miljarden bilhão bilhões",
        TRILLION: "trillion trillions trn tn billón billones bilião biliões biljoen biljoenen "
        "billionen trilhão "
        "trilhões",
        10**15: "quadrillion quadrillions billiarde billiarden",
    }.items()
    for word in words.split()
}  # fmt: skip
del SCALES["k"], SCALES["mm"]  # these two only in GLUED_SCALES, where money decides
# Where a language counts by other names: the long scale, and Spanish "mil".
SCALES_BY_LANGUAGE: Final[dict[str, dict[str, int]]] = {
    "de": {"billion": TRILLION, "trillion": 10**18, "trillionen": 10**18},
    "fr": {"billion": TRILLION, "billions": TRILLION, "trillion": 10**18},
    "es": {"mil": THOUSAND, "miles": THOUSAND},
    "pt": {"mil": THOUSAND},
    "nl": {"triljoen": 10**18},
    "it": {"bilione": TRILLION, "bilioni": TRILLION},
}
# Letters after a number that scale it: (with money, without); 0 where they do not.
GLUED_SCALES: Final[dict[str, tuple[int, int]]] = {
    "k": (THOUSAND, THOUSAND), "K": (THOUSAND, THOUSAND), "M": (MILLION, MILLION),
    "MM": (MILLION, MILLION), "mm": (MILLION, 0), "m": (MILLION, 0), "B": (BILLION, BILLION),
    "b": (BILLION, 0), "t": (TRILLION, 0), "T": (TRILLION, TRILLION), "tr": (TRILLION, 0),
}  # fmt: skip

# Units that are squared and cubed.
LENGTHS: Final = frozenset(
    "nanometre micrometre millimetre centimetre decimetre metre kilometre inch foot yard "
    "mile".split()
)
# Units and counters of scripts without blanks, right after the number.
CJK_UNITS: Final[dict[str, Measures]] = {
    word: _one(names)
    for names, words in {
        "day": "天 日間 日 일", "week": "周 週間 週 星期 주",
        "month": "个月 個月 か月 ヶ月 カ月 ケ月 개월",
        "year": "年間 年 년", "hour": "小时 小時 時間 시간", "minute": "分钟 分鐘 分間 분",
        "second": "秒間 秒 초", "times": "倍 배 次 回",
        "percentage-point": "个百分点 個百分點 ポイント",
        "USD": "美元 美金 ドル 달러", "EUR": "欧元 歐元 ユーロ 유로", "JPY": "日元 円",
        "KRW": "韩元 원",
        "HKD": "港元 港币", "GBP": "英镑 ポンド", "CNY": "元 人民币 人民幣 块",
        "kilogram": "公斤 千克 キログラム 킬로그램", "gram": "克 グラム", "tonne": "吨 噸 トン 톤",
        "metre": "米 メートル 미터", "kilometre": "公里 千米 キロメートル 킬로미터",
        "celsius": "摄氏度",
    }.items()
    for word in words.split()
}  # fmt: skip

# What a rate is per, by every word for it.
PERIODS: Final[dict[str, str]] = {
    word: period
    for period, words in {
        "second": "second seconds sec sekunde seconde segundo secondo s",
        "minute": "minute minutes min minuto minuut",
        "hour": "hour hours hr hrs h hourly stunde stunden std stündlich heure heures hora horas "
        "ora ore uur uren",
        "day": "day days d daily tag tage tagen täglich jour jours día días dia dias giorno giorni "
        "dag dagen diario diarios diaria diarias quotidien quotidiens quotidienne giornaliero "
        "diário dagelijks",
        "night": "night nights nightly nacht nuit noche notte",
        "week": "week weeks wk weekly woche wochen wöchentlich semaine semaines semana semanas "
        "settimana semanal semanales hebdomadaire hebdomadaires wekelijks",
        "month": "month months mo mth monthly monat monate monaten monatlich mtl mois mes "
        "meses mese "
        "mês maand mensual mensuales mensuel mensuels mensuelle mensuelles mensile mensili mensal "
        "mensais maandelijks",
        "quarter": "quarter quarters quarterly quartal vierteljährlich trimestre trimestral "
        "trimestriel trimestriels kwartaal",
        "year": "year years yr y pa annum annual annually yearly jahr jahre jahren jährlich "
        "jährl an "
        "ans année año años ano anos anno jaar anual anuales annuel annuels annuelle annuelles "
        "annuo annui annua anuais jaarlijks",
        "kilogram": "kg kilogram kilogramme kilo", "tonne": "t tonne ton", "pound": "lb pound",
        "kilometre": "km kilometre kilometer", "mile": "mile mi", "litre": "l litre liter",
        "millilitre": "ml millilitre milliliter", "gallon": "gal gallon", "barrel": "bbl barrel",
        "acre": "acre", "hectare": "ha hectare", "square-foot": "sqft",
        "square-metre": "sqm qm quadratmeter", "cubic-metre": "kubikmeter",
    }.items()
    for word in words.split()
}  # fmt: skip
