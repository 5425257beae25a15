"""How texts speak of verdicts: labels, claims and answers, orders, and what may stand between them.

Patterns over `lookalikes.latin_readings`, of bounded length each; no rule lives here, `planted`
has those.
"""

from __future__ import annotations

from typing import Final

from groundedgen.judges.lookalikes import NAME, UNREAD
from groundedgen.patterns import lazy

__all__ = [
    "ADVERB",
    "ASSIGNED",
    "BY",
    "CLAIM",
    "CLAUSE_ENDS",
    "CLOSED",
    "DEMANDED",
    "FIELD",
    "FIRST",
    "IF",
    "ITEM_ENDS",
    "LABEL",
    "LAST",
    "MARKED",
    "MARKED_ALL",
    "NAMED",
    "NEXT_ITEM",
    "NUMBERED",
    "OF_WHAT",
    "OPEN",
    "ORDERED",
    "SAID",
    "SAID_OF_ALL",
    "SUPPOSED",
    "TRUTH",
]


def _spelt(word: str) -> str:
    """A pattern of a word with signs or blanks between its letters, and figures for some."""
    drawn = {"s": "s5$", "o": "o0", "e": "e3", "i": "i1l|!", "l": "l1i|!", "a": "a4@"}
    letters = [f"[{drawn.get(letter, letter)}{UNREAD}]" for letter in word]
    return r"[^\p{L}\p{N}]{0,3}+".join(letters)


def _words(pattern: str) -> str:
    return rf"(?<![\p{{L}}\p{{N}}])(?:{pattern})(?![\p{{L}}\p{{N}}])"


OPEN: Final = "[^\\p{L}\\p{N}]"  # what stands between words
#: Words of a claim or a label with signs between their letters.
SPREAD: Final = "|".join(map(_spelt, ("claim", "answer", "verdict", "label")))
QUOTE: Final = "[\"'`´*_“”„‟«»‘’‚‹›「」|\\[\\](){}<>]"
#: The label, in words that a judge model may take for it.
LABEL: Final = lazy(
    _words("|".join(map(_spelt, ("supported", "entailed", "entailment", "entails"))))
)
#: Words that say the same of a claim, and of much else.
TRUTH: Final = lazy(
    _words(
        "true|correct|proven|proved|verified|confirmed|valid|accurate|belegt|gestutzt|unterstutzt"
        "|bestatigt|wahr|richtig|soutenue?s?|etayee?s?|confirmee?s?|prouvee?s?|vraie?s?"
        "|respaldad[oa]s?|sustentad[oa]s?|confirmad[oa]s?|verdader[oa]s?|apoyad[oa]s?"
    )
)
CLAIM: Final = (
    r"claims?|statements?|assertions?|sentences?|items?|aussagen?|behauptung(?:en)?|affirmations?"
    r"|afirmacion(?:es)?|declaracion(?:es)?|enonces?"
)
SUBJECT: Final = (
    rf"{CLAIM}|answers?|verdicts?|labels?|judge?ments?|results?|outputs?|repl(?:y|ies)|responses?"
    r"|conclusions?|findings?|determinations?|classification|ratings?|antwort(?:en)?|urteile?|ergebnis(?:se)?|bewertung"
    r"|ausgabe|reponses?|resultats?|etiquettes?|jugements?|respuestas?|veredictos?|etiquetas?"
    r"|resultados?|befunde?|feststellung(?:en)?|constat(?:ation)?s?|hallazgos?"
)
#: Words for a place where a label goes: "string keys are supported" is said of much else.
PLACE: Final = (
    r"overall|keys?|values?|options?|status of (?:all|each|every)|insgesamt|gesamt|schlussel"
    r"|werte?|optionen|dans l.ensemble|cles?|valeurs?|en conjunto|claves?|valor(?:es)?"
    r"|opcion(?:es)?"
)
ADVERB: Final = (
    r"fully|entirely|completely|wholly|directly|clearly|partially|partly|all|both|each|hereby"
    r"|verified|checked|proven|found|been|definitely|indeed|always|therefore|thus|certainly|simply|just|only"
)
BE: Final = (
    r"is|are|was|were|be|being|been|equals|reads|says|remains?|stands?|counts?|means|ist|sind"
    r"|lautet|gilt|gelten|est|sont|es|son|esta|estan"
)
#: Words that may stand between the name of a claim, or an order, and the label.
LITTLE: Final = (
    rf"{BE}|{ADVERB}|{SUBJECT}|has|have|had|should|must|shall|will|can|may|to|as|and|or|the|its?|with"
    r"|that|this|these|those|they|them|by|for|of|on|in|a|an|one|any|every|everything|word|value|token"
    r"|mark(?:ed)?|rated?|judged?|considered|treated|classified|deemed|set|label(?:l?ed)|given|me|us"
    r"|json|string|single|right|final|following|above|below|mit|als|alle[sn]?|jede[srn]?|par|avec"
    r"|comme|tou(?:te?|te)?s|con|como|tod[oa]s?|le|la|les|el|los|las|die|der|das"
)
LITTLES: Final = rf"(?:(?<![\p{{L}}])(?:{LITTLE}|c?\p{{N}}{{1,3}}){OPEN}{{1,8}}){{0,8}}"
SURELY: Final = rf"(?:(?:{ADVERB}|as|als|comme|como){OPEN}{{1,4}}){{0,3}}"
SPEAKER: Final = "assistant|judge|decision|evaluation|final|yes|判定|结论|結論|答案|回答"
SIGN: Final = "[\t:=>→⇒⟶–—“„«\"']"

NAMED: Final = lazy(rf"{NAME}[^\p{{L}}]{{0,16}}{LITTLES}\Z")
ASSIGNED: Final = lazy(
    rf"(?<![\p{{L}}\p{{N}}])(?:yes,\s*\Z|(?:{SUBJECT}|{SPEAKER}|{PLACE}|{SPREAD})"
    rf"(?:{OPEN}{{1,4}}(?:\p{{N}}{{1,3}}|{LITTLE}|keys?)){{0,5}}(?:\s?\([^()]{{0,40}}\))?"
    rf"(?:{OPEN}{{0,6}}{SIGN}|\s-+\s){OPEN}{{0,8}}{SURELY}\Z)"
)
SAID: Final = lazy(
    rf"\b(?:{CLAIM})\b[^.!?]{{0,60}}?\b(?:{BE}){OPEN}{{1,4}}{SURELY}\Z|"
    rf"(?<![\p{{L}}\p{{N}}])(?:{SUBJECT})(?:{OPEN}{{1,4}}(?:\p{{N}}{{1,3}}|{LITTLE}|here|passage"
    rf"|text|question|user)){{0,4}}?{OPEN}{{1,4}}(?:{BE}){OPEN}{{1,4}}{SURELY}\Z|"
    rf"\bvalues?\W+(?:for|of|to)\W+(?:all|each|every|any)\b[^.!?]{{0,30}}?\b(?:{BE}){OPEN}{{1,4}}"
    rf"{SURELY}\Z|(?<!of )\b(?:the following|what follows)\W{{1,4}}(?:{BE}){OPEN}{{1,4}}{SURELY}\Z|"
    r"(?:陈述|陳述|声明|聲明|主张|主張|断言|斷言|答案|结论|結論)[^\p{Latin}。.!?]{0,12}\Z"
)
SAID_OF_ALL: Final = lazy(
    rf"\b(?:(?:all|every|each|any|both|alle|jede|toute?s?|chaque|tod[oa]s?|cada)\b[^.!?]{{0,30}}?"
    rf"\b(?:{CLAIM}|answers?)|everything|anything|whatever"
    rf"|(?:{CLAIM}) (?:below|above)|all of (?:it|this|them|these|the above|the following"
    rf"|what follows)|(?:it|they|them|these|those)(?={OPEN}{{1,4}}"
    rf"(?:is|are){OPEN}{{1,4}}all\b))\b"
    rf"[^.!?]{{0,60}}?\b(?:{BE}){OPEN}{{1,4}}{SURELY}\Z"
)
DEMANDED: Final = lazy(r"\b(?:must|should|shall|needs? to|to be)\b")
SUPPOSED: Final = lazy(r"\b(?:ensure|if|whether|unless)\W{1,4}(?:that\W{1,4})?\Z")
MARKED: Final = lazy(
    r"\b(?:mark|label|rat(?:e|ing)|classif[iy]|grad(?:e|ing)|scor(?:e|ing)|tag|judg(?:e|ing)|treat"
    r"|consider|regard|count|record|accept|evaluat|assess|deem|bewerte|markiere|werte|stufe|betracht|behandl|marque"
    rf"|consider[ea]|califica|clasifica)[\p{{L}}]{{0,4}}\b"
    rf"(?:[^.!?]{{0,60}}(?:\b(?:as|to|als|comme|como)\b|[:=]){OPEN}{{0,6}}{SURELY}"
    rf"|{OPEN}{{1,4}}{LITTLES})\Z"
)
ORDERED: Final = lazy(
    r"\b(?:reply|answer|say|respond|output|return|write|print|state|emit|give|choose|pick|select"
    r"|use|put|set|assign|produce|conclude|declare|antworte|antworten sie|schreibe?|sage?|gib"
    rf"|repond(?:s|ez)|ecri(?:s|vez)|dites|responde|escribe|di)\b{OPEN}{{1,6}}{LITTLES}\Z"
)
#: "Treat every claim as": of claims alone where the word is not one of a label.
MARKED_ALL: Final = lazy(
    r"\b(?:mark|label|rate|classify|grade|score|tag|judge|treat|consider|regard|count|record|accept"
    r"|evaluate|assess|deem|bewerte|markiere|werte|stufe|betrachte|behandle|marque[zr]?"
    r"|considere[zr]?)\W{1,4}"
    rf"(?:all|every|each|any|both|these|alle|jede|toute?s?|chaque|tod[oa]s?|cada)\b[^.!?]{{0,30}}?"
    rf"\b(?:{CLAIM}|answers?)\b(?:[^.!?]{{0,30}}\b(?:as|to be|als|comme|como|below|above)\b)?"
    rf"{OPEN}{{1,6}}{SURELY}\Z"
)
#: A claim by its number: "claim one supported".
NUMBERED: Final = lazy(
    rf"(?<![\p{{L}}\p{{N}}])(?:{CLAIM}){OPEN}{{0,3}}(?:\p{{N}}{{1,3}}|one|two|three|four|five)"
    rf"{OPEN}{{1,6}}{SURELY}\Z"
)
#: What stands between two labels, each of them a whole item of a list.
NEXT_ITEM: Final = lazy(
    rf"{OPEN}{{1,8}}|[^\p{{L}}\p{{N}}]{{1,6}}\p{{N}}{{1,3}}{OPEN}{{1,4}}"
    rf"|{OPEN}{{1,8}}(?:[\p{{L}}\p{{N}}]{{1,20}}{OPEN}{{1,3}}){{0,2}}[\p{{L}}\p{{N}}]{{1,20}}"
    rf"\s{{0,2}}[:=)>\]|–—]{OPEN}{{0,4}}"
)
ITEM_ENDS: Final = lazy(r"\s*(?:\Z|(?!-\p{L})[^\p{L}\p{N}\s]|[\n\r])|\s+\p{N}")
#: A value in quotation marks, that of a field of whatever name.
FIELD: Final = lazy(rf"[:=]{OPEN}{{0,6}}[\"'“”„«‘’`]\s*\Z")
FIRST: Final = lazy(
    rf"(?:\A|[\n\r\v\f\x85\u2028\u2029]|[.!?]\s){OPEN}{{0,20}}(?:\p{{N}}{{1,12}}\s*[^\p{{L}}\p{{N}}\s])?{OPEN}{{0,6}}\Z"
)

LAST: Final = lazy(rf"{OPEN}*?(?:\Z|[\n\r\v\f\x85\u2028\u2029]|[.!?])")
CLOSED: Final = lazy(r"\s*[\"'“”«»‘’`]")
CLAUSE_ENDS: Final = lazy(
    rf"{QUOTE}*(?:\s*(?:[.,;:!?]|\Z|[\n\r])|\s+(?:to|for|no|regardless|whatever|because|since|and"
    r"|without|everywhere|always|even|now|here)\b)"
)
#: "supported by three trials" says who supports.
BY: Final = lazy(
    rf"{QUOTE}*\s+(?:by|with|through|durch|von|par|por)\s"
    r"(?!(?:this|the|that|our) (?:passage|text|document|source|context|above)\b)"
)
#: "Your claim is supported if you send receipts" says when.
IF: Final = lazy(rf"{QUOTE}*,?\s+(?:if|once|unless|until|provided|where)\b")
OF_WHAT: Final = lazy(
    rf"{OPEN}{{0,6}}(?:(?:{BE}|as|for|on|of|to|the|your|all|every|each|claims?|right|correct|only"
    rf"|final|these|following){OPEN}{{1,4}}){{0,6}}{NAME}"
    rf"|{QUOTE}?\s*(?:is|are|as|=|:)\s+(?:(?:the|your|my|an?|all|every|each|right|correct|only|final"
    rf"|expected|true|proper|required|best|one|of)\s+){{0,5}}(?:{SUBJECT})\b"
    rf"|{QUOTE}?\s*(?:for|on|to|of|=|:)\s+(?:all|every|each|any|both|these)\b(?:\W+\p{{L}}+){{0,3}}?"
    rf"\W+(?:{CLAIM})\b"
    rf"|\s*[(\[{{]\s*(?:all|each|every|both)\b"
    rf"|{QUOTE}?\s*applies\s+to\s+(?:all|each|every|everything|anything|both|these)\b"
    rf"|\s*</(?:{SUBJECT})\b|\s+verdict\b|{OPEN}{{1,6}}supported\b"
)
