r"""Numbers in brackets that are the writer's content and no citation.

A marker and a bracketed figure look alike, so only what stands round it can tell them
apart. Each rule below names one kind of content that is seen in real answers; where none
applies, a number in square brackets is a marker. A rule here can only keep text, and what
is kept is plain text: it never becomes a citation.

Patterns for what stands before a bracket are matched backwards from it (`(?r)`), which
keeps the work per bracket small and bounded.
"""

from __future__ import annotations

import regex

from groundedgen.patterns import lazy

__all__ = ["is_content"]

_REACH = 48  # code points on either side that a rule may look at

_DASH = r"[-\u2010-\u2015]"
_AMOUNT = lazy(rf"\s*[0-9]{{1,3}}(?:,[0-9]{{3}})+(?:\s*{_DASH}\s*[0-9]{{1,3}}(?:,[0-9]{{3}})*)?\s*")
_YEAR = lazy(rf"\s*(?:1[2-9]|20|21)[0-9]{{2}}(?:\s*(?:{_DASH}|/)\s*[0-9]{{2,4}})?\s*")
_PAIR = lazy(rf"\s*[0-9]+\s*(?:(?:[,;]|{_DASH})\s*[0-9]+\s*)+")
_UNIT_INTERVAL = lazy(r"\s*0\s*,\s*[0-9]+\s*|\s*[0-9]+\s*,\s*0\s*")

# [2019] UKSC 41, [1998] 1 All ER 1, [2020] 2 Lloyd's Rep 1, [2007] ECR I-1234: a year, perhaps
# a volume, the short name of a series of reports, a page or number.
_REPORT = lazy(
    r"\s{1,2}(?:[0-9]{1,3}\s)?(?:"
    r"(?:[A-Z]\.?){2,7}[a-z]{0,3}|Fam[A-Z]{1,4}|(?:Ch|Fam|P|Eq|Pat)\.?"
    r"|(?:All|Cr|Bus|Env|Imm|Lloyd[\u2019']?s|Costs|Fam|Ir|Pat)(?=\s[A-Z])"
    r")(?:\s(?:[A-Z][A-Za-z.]{0,6}|\([A-Z][A-Za-z. ]{0,10}\))){0,3}"
    rf"\s(?:No\.?\s)?(?:[IVX]+{_DASH})?[0-9]"
)
# 国发[2019]12号: the number of a Chinese official document.
_DOCUMENT_NUMBER = lazy(r"\s?第?[0-9\p{Han}]{0,8}?[0-9]+\s?[号號]")
_BEFORE_YEAR = lazy(
    r"(?r)(?:\b(?:in|of|since|until|till|by|from|during|before|after|dated|year|circa|to|im|seit|"
    r"von|bis|en|de|depuis|desde|del|nel|dal|anno|Jahr|année|año)|年|民国)\s?",
    regex.IGNORECASE,
)
# "interval [0, 10]", and "in [0, 1]" where the numbers themselves look like one.
_MATHS = lazy(
    r"(?r)(?:\b(?:intervals?|range|vectors?|matrix|array|list|tuple|tensor|domain|coordinates|points?|"
    r"shape|size|bounds|bbox|indices|slice|Intervall|intervalle|intervalo)|区间|區間|範囲)\s?",
    regex.IGNORECASE,
)
_WITHIN = lazy(r"(?r)\b(?:in|within|on|over|between)\s")

# "UKSC 41 at [45]–[48]", "paras [7], [9]", "clause [7]": a place in a text, as lawyers write it.
# With an article before it ("see the section [7]") the noun stands alone.
_PLACE = lazy(
    r"(?r)(?:[0-9]\)?[,;]?\sat\s|\b(?:paras?\.?|paragraphs?|¶+|§+)\s?"
    r"|(?<!\b(?:the|this|that|an?|its|each|every|same|following|next)\s)\b(?:clause|section|article|"
    r"schedule|annex|appendix|exhibit|rule|regulation)s?\s)"
    rf"(?:\[[0-9]{{1,4}}\](?:\s?(?:,|{_DASH})\s?|,?\s(?:and|to|or)\s)){{0,4}}",
    regex.IGNORECASE,
)

# What stands before: an operator; the head of an index that no sentence ends with (x[7],
# argv[1], row_ids[7]); a currency.
_BEFORE = lazy(
    r"(?r)(?:[≠≤≥≈≡∈∉⊂⊆⊃⊇×÷∪∩]|(?<!\S=)(?<![\w=]=)=|(?<=\s)\+|[\"']\s?:)\s{0,2}|\w\(\)"
    r"|(?<![\w'’\-\]】])[b-z]|(?<!\w)\w*_\w*"
    r"|(?<!\w)(?:arr|argv|args|kwargs|vec|buf|ptr|lst|tmp|idx|df|dict|obj|elem|nums|params|ary|str"
    r"|len|req)"
    r"|(?:[$€£¥₹₩₽₺]|\b(?:USD|EUR|GBP|CHF|JPY|CNY|RMB|INR|CAD|AUD|NZD|HKD|SGD|SEK|NOK|DKK|PLN"
    r"|Rs\.?))\s?"
)
_MAY_STAND_BEFORE = frozenset("≠≤≥≈≡∈∉⊂⊆⊃⊇×÷∪∩=+:)$€£¥₹₩₽₺.")

# What stands behind: a unit, an ordinal's ending, a percent sign, a quantifier.
_AFTER = lazy(
    r"\s(?:(?:business|calendar|working|consecutive|full|clear)\s)?(?:days?|weeks?|months?|years?|"
    r"hours?|minutes?|seconds?|per\s?cent|percent|percentage|dollars?|euros?|pounds?|cents?|USD|"
    r"EUR|GBP|CHF|mg|kg|ml|km|cm|mm|metres?|meters?|miles?|Tagen?|Wochen|Monaten?|Jahren?|jours|"
    r"mois|días|meses)\b"
    r"|(?:st|nd|rd|th)\b|\s?(?:个月|個月|ヶ月|か月|万元|億円|万円)|\{[0-9]|[+%°]"
)
# m[1][9] = 3, row[7].name(: content where it touches the word before it.
_USED = lazy(r"(?:\[[^\[\]\r\n]{0,40}\]){0,4}\s?(?:=(?!=)|:=|[+\-*/]=|==)|\.[A-Za-z_]\w{0,40}\(")
_HEAD = lazy(r"(?r)\w(?:\[[^\[\]\r\n]{0,40}\]){0,4}")

# cucurbit[7]uril, cyclo[18]carbon, [18]crown-6, [4]helicene
_STEM = lazy(
    r"(?r)\p{Ll}{3,}o|(?:cucurbit|calix|pillar|resorcin|pyrogallol|crown)", regex.IGNORECASE
)
_RING = lazy(
    r"(?:crown|helicene|annulene|rotaxane|catenane|radialene|fullerene|\p{Ll}{0,20}(?:phane|arene|acene))"
)


def is_content(text: str, start: int, end: int, inner: str) -> bool:
    """Whether the bracketed figure `text[start:end]`, `inner` between its brackets, is content.

    >>> is_content("See [2019] UKSC 41.", 4, 10, "2019")
    True
    >>> is_content("Floods are excluded [2019].", 20, 26, "2019")
    False
    """
    if text[start] not in "[\\〔":
        return False  # no other bracket is used for an index, an amount or a year
    return (
        _AMOUNT.fullmatch(inner) is not None
        or (_YEAR.fullmatch(inner) is not None and _is_year(text, start, end))
        or (_PAIR.fullmatch(inner) is not None and _is_interval(text, start, inner))
        or _AFTER.match(text, end, end + _REACH) is not None
        or _behind(_PLACE, text, start)
        or _follows(text, start)
        or _is_used(text, start, end, inner)
    )


def _behind(pattern: regex.Pattern[str], text: str, start: int) -> bool:
    return pattern.match(text, max(0, start - _REACH), start) is not None


def _is_year(text: str, start: int, end: int) -> bool:
    after = end + _REACH
    return bool(
        _REPORT.match(text, end, after)
        or _DOCUMENT_NUMBER.match(text, end, after)
        or _behind(_BEFORE_YEAR, text, start)
    )


def _is_interval(text: str, start: int, inner: str) -> bool:
    """`in [0, 1]` is an interval; `in [7, 8]` are two sources that a sentence speaks of."""
    if _behind(_MATHS, text, start):
        return True
    return _UNIT_INTERVAL.fullmatch(inner) is not None and _behind(_WITHIN, text, start)


def _follows(text: str, start: int) -> bool:
    """Whether an operator, the head of an index or a currency stands before the bracket."""
    last = text[max(0, start - 3) : start].rstrip()[-1:]
    may = last.isalnum() or last == "_" or last in _MAY_STAND_BEFORE
    return bool(last) and may and _behind(_BEFORE, text, start)


def _is_used(text: str, start: int, end: int, inner: str) -> bool:
    """An index that is assigned to, a class of digits, a part of a chemical name."""
    after = text[end : end + 1]
    if _behind(_HEAD, text, start) and _USED.match(text, end, end + _REACH):
        return True
    if inner == "0-9" or (inner == "0" and text[max(0, start - 1) : start].isalpha()):
        return True  # a class of digits, a first index
    if not after.islower():
        return False
    return _RING.match(text, end, end + _REACH) is not None or _behind(_STEM, text, start)
