"""Sentences that begin by limiting what precedes them, or speak of it and limit it.

English is read in English texts; in all others German, French, Spanish, and some Chinese and
Japanese too.
"""

from __future__ import annotations

from typing import Final

import regex

from groundedgen.patterns import lazy
from groundedgen.text.limiting.predicates import hangs_from_before

__all__ = ["opens_limiting", "reads_on", "speaks_of_it_and_limits"]

# Begins an exception, a restriction or a denial of what was just said.
_LIMITS: Final = lazy(
    r"(?:however|but|except\w*|otherwise|nevertheless|nonetheless|notwithstanding|albeit"
    r"|only|solely|exclusively|merely|or\s+(?:so|is|that|at|rather)|that\s+said|save|excluding|barring"
    r"|not|no(?!\s+\w)|none|never|neither|nor|hardly|scarcely|barely|rarely|seldom|allegedly"
    r"|yet\s+not|even\s+so,|still,|apart\s+from|depending\s+on|said\s+(?:the|an?|his|her)|expired"
    r"|withdrawn|valid\s+(?:until|till|for|from|in)|(?:starting|beginning|coming\s+into\s+force)"
    r"\s+(?:in|on|from)|provided,"
    r"|supposedly|reportedly|quite\s+the|far\s+from|on\s+the\s+contrary|no\s+longer"
    r"|(?:but\s+)?see\s+(?:\p{L}+\s+){0,3}(?:exclu|except|limit|restrict)\p{L}+)(?!\w)",
    regex.IGNORECASE,
)
_LIMITS_ELSEWHERE: Final = lazy(
    r"(?:jedoch|allerdings|aber|au\u00dfer\w*|nur|lediglich|ausschlie\u00dflich|ausgenommen|nicht|kein\w*"
    r"|nie|niemals|angeblich|vorbehaltlich|es\s+sei\s+denn"
    r"|toutefois|cependant|mais|sauf|hormis|except\u00e9|seulement|uniquement|sous\s+r\u00e9serve|pas"
    r"|jamais|aucun\w*|non"
    r"|sin\s+embargo|pero|salvo|excepto|solo|s\u00f3lo|solamente|\u00fanicamente|nunca|ning\u00fan\w*|no)(?!\w)"
    r"|\u4f46|\u9664|\u53ea|\u4ec5|\u7136\u800c|\u4e0d\u8fc7|\u305f\u3060\u3057|\u4f46\u3057|\u3057\u304b\u3057",
    regex.IGNORECASE,
)
# Begins a condition. With a main clause of its own it says what holds then, not when that holds.
_CONDITION: Final = lazy(
    r"(?:if|once|in\s+case|assuming|supposing|given\s+that|unless|provid(?:ed|ing)|(?:as|so)\s+long\s+as|on\s+condition|subject\s+to|until|till)(?!\w)",
    regex.IGNORECASE,
)
_CONDITION_ELSEWHERE: Final = lazy(
    r"(?:sofern|soweit|falls|wenn|solange|vorausgesetzt|bis"
    r"|\u00e0\s+condition|si|s['\u2019](?=ils?\b)|\u00e0\s+moins|jusqu['\u2019]\w+"
    r"|siempre\s+que|a\s+menos|hasta)(?!\w)",
    regex.IGNORECASE,
)
_ONLY: Final = lazy(r"(?:\S+\s+){1,5}only\W*", regex.IGNORECASE)  # "Plus members only."
_NUMERO: Final = lazy(r"no\.?\s*\p{N}", regex.IGNORECASE)
_ADDS: Final = lazy(
    r"\bnot\s+(?:only|just|merely)\b|\bno\s+(?:doubt|matter)\b|\bif\s+not\b", regex.IGNORECASE
)
_NOTED: Final = lazy(
    r"(?:exceptions?|exclusions?|limit(?:ation)?s?|restrictions?|conditions?|caveats?|ausnahmen?"
    r"|einschr\u00e4nkung(?:en)?|bedingung(?:en)?|excepci\u00f3n(?:es)?|condici\u00f3n(?:es)?)\s*[:\uff1a]",
    regex.IGNORECASE,
)
_LABEL: Final = lazy(r"\p{L}[\p{L} ]{0,20}[:\uff1a]\s*")

# What stands for the sentence before, or for something in it.
_ANAPHOR: Final = lazy(
    r"(?:(?:but|however|though|yet|and|also|still|in\s+fact|all\s+of|both\s+of|even)\W+)*"
    r"(?:th(?:is|at|ese|ose)|it|they|such|here|the\s+(?:same|opposite|contrary|reverse|above"
    r"|foregoing|previous|preceding|last|latter|former|rest)|above|foregoing)(?!\w)",
    regex.IGNORECASE,
)
_ANAPHOR_ELSEWHERE: Final = lazy(
    r"(?:dies\w*|das|es|sie|derselbe\w*|dasselbe|solche\w*|hier\w+|davon|daf\u00fcr|gleiches|letzter\w+"
    r"|das\s+gegenteil|ce(?:ci|la|t|tte|s|lui-ci|lle-ci)?|c['\u2019]\w+|ils?|elles?"
    r"|(?:le|la|les)\s+(?:m\u00eames?|contraire)|tel(?:le)?s?|est[aoe]s?|es[aoe]s?|ello"
    r"|l[oa]\s+(?:mism[oa]|contrario)|tal(?:es)?|dich[oa]s?)(?!\w)",
    regex.IGNORECASE,
)
_DENIAL = (
    r"not|never|no|none|nobody|nothing|cannot|without|only|solely|exclusively|unless|except\w*"
    r"|exclu\w+|void|invalid|cease[sd]?|laps(?:es?|ed)|expire[sd]?|forfeit\w*|refus\w+|false|wrong"
    r"|untrue|incorrect|myth|lie|misconception|misunderstanding|formerly|superseded|repealed|abolished"
    r"|withdrawn|revoked|overruled"
)
_DENIES: Final = lazy(rf"\b(?:{_DENIAL})\b|n['\u2019]t\b", regex.IGNORECASE)
# These say so of what the sentence is about only where they stand near its head.
_NARROWS: Final = lazy(
    r"\b(?:until|till|if|provided|subject\s+to|limited|restricted|opposite|contrary|reverse"
    r"|end(?:s|ed)(?!\s+(?:with|up|by)\b)|stop(?:s|ped)|reject\w*|den(?:y|ies|ied)|disput(?:es|ed)"
    r"|overturn\w*|dismissed|disagree\w*|contested|previously|merely|old|former|mistake|error"
    r"|mistaken|inaccurate|misleading|outdated|obsolete|fiction|rumou?r|nonsense|joke|alleg\w+"
    r"|proposed|draft|suspended|deleted|cancell?ed|discontinued|struck|crossed|used\s+to|hardly"
    r"|barely|rarely|seldom|depends|according\s+to"
    r"|(?:is|was|are|were)\s+(?:(?:only|just)\s+)?(?:the|his|her|their|its|one|\p{L}+['\u2019]s)\s+"
    r"(?:\p{L}+(?:['\u2019]s?)?\s+){0,2}(?:view|opinion|position|claim|contention|argument|submission|belief|theory))\b",
    regex.IGNORECASE,
)
_LIMIT_ELSEWHERE: Final = lazy(
    r"\b(?:nicht|kein\w*|nie(?:mals)?|nur|lediglich|ausschlie\u00dflich|ausgenommen|ausgeschlossen"
    r"|au\u00dfer|bis|sofern|soweit|falls|wenn|endet\w*|aufgehoben|falsch|fr\u00fcher\w*|ehemal\w+"
    r"|abgelehnt|bestritten|zur\u00fcckgewiesen|ansicht|auffassung|meinung|gegenteil|irrtum"
    r"|ne|pas|que|seulement|uniquement|sauf|hormis|aucun\w*|jusqu|faux|fausse|abrog\w+|rejet\w+"
    r"|conteste\w*|ancien\w*|contraire|erreur|no|nunca|s\u00f3lo|solo|solamente|\u00fanicamente|salvo"
    r"|excepto|hasta|ning\u00fan\w*|fals[oa]|derogad\w+|rechaz\w+|contrario|error)\b|\bn['\u2019](?=\w)",
    regex.IGNORECASE,
)
_STOP: Final = lazy(r"(?<=[.!?])\s+")
_NEAR: Final = lazy(r"(?:\S++\s*+){0,12}")  # words
_CLAUSE: Final = lazy(r"[;:\u2013\u2014]|--|\Z")

# Somebody who does not think so, about something said before.
_VERDICT: Final = lazy(
    r"\A(?:or\s+)?(?:is|was|are|were|do|does|did|has|have)\s+(?:it|this|that|they)\b[^.!]{0,20}\?"
    r"|\Aso\s+(?:\p{L}+\s+){1,3}(?:claim|sa(?:y|id)|argue|allege|think|thought|believe)"
    r"|\A(?:[\p{L}\p{N}]+\s+){0,4}(?:this|it|the\s+(?:provision|rule|clause|section|cover|decision|finding"
    r"|ruling))\s+(?:is|was|has\s+been)\s+(?:not|overturned|repealed|abolished|overruled|excluded"
    r"|set\s+aside|revoked|withdrawn)\b|\bheld\s+otherwise\b"
    r"|\b(?:disagree[sd]?|dissent(?:s|ed)"
    r"|(?:reject|den(?:y|ie)|disput|overrul|overturn|dismiss|revers|quash|refut|disprov|debunk"
    r"|retract|withdr|revok|repeal|abolish|contradict|abandon|doubt|contest|refus|condemn)"
    r"\p{L}*+\s+(?:\p{L}+\s+)?(?:th(?:is|at|ese|ose)|it|them|such|so|the\s+(?:above|\p{L}+))"
    r"|th(?:is|at)\s+(?:view|claim|argument|submission|contention|position|proposal|motion|request"
    r"|idea|statement|sentence)\s[^.!?]{0,40}?\b(?:reject|den(?:y|ie)|disput|overrul|dismiss|fail"
    r"|laps|wrong|false)\p{L}*)\b",
    regex.IGNORECASE,
)
_BRIEF: Final = 12  # words of a verdict

# What a reader of the two as one sentence understands: "Theft is covered, unless ...".
_READS_ON: Final = lazy(
    r"(?:however|but|except|unless|otherwise|nevertheless|nonetheless|notwithstanding"
    r"|(?:this|that|these|it|they) (?:does|do|is|are|will|shall|must|may|can) ?not"
    r"|(?:this|that|it) (?:is|was) (?:wrong|false|untrue|incorrect|disputed|denied)"
    r"|this (?:only|applies only)|only|provided|not (?:true|so|correct)|no[.!]"
    r"|if|(?:as|so) long as|subject to"
    r"|dies gilt nicht|jedoch|allerdings|au\u00dfer|toutefois|cependant|sauf|sin embargo|salvo)"
    r"(?!\w)",
    regex.IGNORECASE,
)


def opens_limiting(piece: str, lang: str | None) -> bool:
    """Whether a sentence begins with a word that limits or denies what stands before it.

    Args:
        piece: A sentence, or the head of a long one.
        lang: The text's language; `None` reads all that are known.

    >>> [opens_limiting(p, "en") for p in ("Unless it was locked.", "Note: repealed.", "Never.")]
    [True, True, True]
    >>> opens_limiting("No deductible applies.", "en"), opens_limiting("Nur f\u00fcr Kunden.", "de")
    (False, True)
    >>> [opens_limiting(f"If you move, {then}.", "en") for then in ("tell us", "cover is void")]
    [False, True]
    """
    read = _ADDS.sub("", piece)
    label = _LABEL.match(piece)
    if _NUMERO.match(piece):
        return False
    if _NOTED.match(piece) or (label and _denies(read[label.end() :][:_WORD], lang)):
        return True
    if (
        _LIMITS.match(read)
        or _ONLY.fullmatch(piece)
        or (lang != "en" and _LIMITS_ELSEWHERE.match(read))
    ):
        return True
    english = _CONDITION.match(piece)
    condition = english or (lang != "en" and _CONDITION_ELSEWHERE.match(piece))
    if not condition:
        return False
    first = _STOP.split(piece, maxsplit=1)[0]  # where a sentence was not cut off
    if english:  # one word for all of them, "given that" among them
        first = f"if{first[english.end() :]}"
    return _denies(piece[condition.end() :], lang) or hangs_from_before(first, lang)


_WORD: Final = 24  # code points


def _denies(words: str, lang: str | None) -> bool:
    found = _DENIES.search(words) or (lang != "en" and _LIMIT_ELSEWHERE.search(words))
    return bool(found)


def speaks_of_it_and_limits(piece: str, lang: str | None) -> bool:
    """Whether a sentence stands on the one before it ("this", "such", "it") and limits or denies.

    >>> speaks_of_it_and_limits("It applies to Plus members only.", "en")
    True
    >>> speaks_of_it_and_limits("The court rejected this view.", "en")
    True
    >>> speaks_of_it_and_limits("It also covers theft abroad.", "en")
    False
    """
    read = _ADDS.sub("", piece)
    if len(read.split()) <= _BRIEF and _VERDICT.search(read):
        return True
    head = _ANAPHOR.match(read)
    if head and (_DENIES.search(read, head.end(), _end(read)) or _narrows(read, head)):
        return True
    other = _ANAPHOR_ELSEWHERE.match(read) if lang != "en" else None
    return other is not None and _LIMIT_ELSEWHERE.search(read, other.start()) is not None


def _end(read: str) -> int:
    """Where the first clause of a sentence ends: "this one: the other is not"."""
    found = _CLAUSE.search(read)
    return found.start() if found else len(read)


def _narrows(read: str, head: regex.Match[str]) -> bool:
    near = _NEAR.match(read)
    return _NARROWS.search(read, head.start(), near.end() if near else 0) is not None


def reads_on(piece: str) -> bool:
    """Whether a limiting sentence can be read with the one before it as one, without its stop.

    >>> reads_on("Unless it was locked."), reads_on("(Not in force.)")
    (True, False)
    """
    return _READS_ON.match(piece) is not None
