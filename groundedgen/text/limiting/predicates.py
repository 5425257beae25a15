"""Whether a piece between two full stops says something of its own, or hangs from what precedes it.

"Only for Plus members." and "Until 2020." have no verb of their own: they go on with the sentence
before them. Verbs are told by closed lists and by endings, so this is asked of short pieces only;
a long one without a known verb is taken for a sentence.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from groundedgen.patterns import lazy
from groundedgen.text.tokens import Word, words
from groundedgen.text.vocabulary import IRREGULAR

__all__ = ["hangs_from_before"]


def _set(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


_SHORT: Final = 2  # words: such a piece without a verb hangs from what precedes it, whatever it is
_NOMINAL: Final = 6  # words of one that begins with an article
_ADVERBIAL: Final = 15  # words of one that begins with a preposition

_COMMA: Final = lazy(r"[,;:\u2013\u2014()\[\]]")
# What agrees takes nothing back.
_AGREES: Final = _set(
    "yes true correct right indeed exactly agreed accepted affirmed allowed approved confirmed"
    " covered granted included insured paid permitted upheld verified thanks ok okay amen ja"
    " doch stimmt richtig genau versichert oui vrai exact s\u00ed cierto correcto verdadero"
)
_ADDS: Final = _set("also too likewise so and auch ebenso aussi tambi\u00e9n e y et und")

# --- English ---------------------------------------------------------------------------------

_VERBS: Final = _set(
    "am is are was were has have had do does did can could may might must shall should will"
    " would ought ll ve re cannot"
)
_ORDERS: Final = _set(
    "add allow apply ask avoid be book bring call check choose click come complete consider"
    " consult contact do download email enter fill find follow get give go inform keep leave let"
    " look make move note notify open pay phone please press put read refer remember remove"
    " report return select send sign speak stop store take tell try turn use visit wait wash"
    " wear write"
)
_SUBJECTS: Final = _set("i we you they he she it one everyone everybody anyone nobody who there")
_PREPOSITIONS: Final = _set(
    "about above according across after against along among around as at before behind below"
    " beneath beside besides between beyond by concerning despite due during excluding following"
    " for from in including inside into like near of off on only onto out outside over pending"
    " per prior pursuant regarding regardless since subject through throughout to toward towards"
    " under until till up upon via with within without"
)
_ADVERBS: Final = _set(
    "now then later recently currently almost allegedly apparently approximately barely"
    " exclusively formerly hardly historically ideally initially just mainly maybe merely mostly"
    " nearly never normally not often once originally partly perhaps possibly presumably"
    " previously purely quite rarely reportedly scarcely seldom solely sometimes supposedly"
    " temporarily theoretically usually"
)
_ARTICLES: Final = _set(
    "a an the his her their its our my your this that these those such some any no"
)
_OPENS_CLAUSE: Final = _set(
    "if unless when whenever while where wherever who whom whose which that because although"
    " though whereas whether how than as until till lest"
)
_LONG_ENOUGH: Final = 4  # letters of a verb with an "s"

_PROVIDED: Final = _set("provided providing")
_ADVERBIAL_OPENERS: Final = _PREPOSITIONS | _ADVERBS | _PROVIDED | _OPENS_CLAUSE - _set("that")

# --- German, French, Spanish, Italian, Dutch, Portuguese -----------------------------------------

_VERBS_ELSEWHERE: Final = _set(
    "ist sind war waren wird werden wurde wurden hat haben hatte hatten kann k\u00f6nnen konnte"
    " muss m\u00fcssen darf d\u00fcrfen soll sollen will wollen gilt gelten bleibt bitte est"
    " sont \u00e9tait \u00e9taient a ont avait avaient sera seront peut peuvent doit doivent"
    " faut fut vaut veuillez es son est\u00e1 est\u00e1n era eran fue fueron ha han hab\u00eda"
    " ser\u00e1 ser\u00e1n puede pueden debe deben tiene tienen hay \u00e8 sono era erano"
    " pu\u00f2 possono deve devono is zijn was waren wordt worden heeft hebben kan kunnen mag"
    " mogen moet moeten s\u00e3o est\u00e3o foi foram pode podem deve devem tem t\u00eam h\u00e1"
)
_VERB_ENDINGS: Final = {
    "de": lazy(r"\p{Ll}{2,}(?:e?t|ten?|en)"),
    "fr": lazy(r"\p{Ll}{2,}(?:ent|ons|ez|ait|aient|era|eront)"),
    "es": lazy(r"\p{Ll}{2,}(?:[ae]n|\u00f3|\u00eda|\u00edan|ar\u00e1n?)"),
}
_OPENERS_ELSEWHERE: Final = _set(
    "f\u00fcr nur bis ab seit laut gem\u00e4\u00df nach mit ohne bei in im an am auf unter"
    " \u00fcber von vom zu zum zur au\u00dfer au\u00dferhalb innerhalb w\u00e4hrend angeblich"
    " vermutlich fr\u00fcher kaum nie niemals nicht sofern soweit falls wenn solange sobald"
    " ausgenommen vorbehaltlich pour jusqu depuis selon d apr\u00e8s avec sans dans sur sous"
    " chez par en hors sauf seulement uniquement jamais pas si lorsque tant \u00e0 quand s para"
    " hasta desde seg\u00fan con sin sobre bajo por s\u00f3lo solo solamente \u00fanicamente"
    " salvo excepto nunca si cuando siempre mientras per fino da secondo senza solo soltanto"
    " tranne se voor tot vanaf volgens met zonder alleen tenzij als at\u00e9 sem somente apenas"
    " exceto"
)
_OPENS_CLAUSE_ELSEWHERE: Final = _set(
    "s wenn falls sofern soweit solange sobald weil obwohl dass ob si lorsque quand que qui"
    " parce cuando mientras porque aunque se als indien omdat"
)


def hangs_from_before(piece: str, lang: str | None) -> bool:
    """Whether a short piece has no verb in a main clause, so that it can only go on what precedes.

    Args:
        piece: What stands between two full stops.
        lang: The text's language; English where it is `None`.

    >>> [hangs_from_before(p, "en") for p in ("Only for Plus members.", "If it was locked.")]
    [True, True]
    >>> [hangs_from_before(p, "en") for p in ("It covers theft.", "In May, we pay half.", "Yes.")]
    [False, False, False]
    >>> hangs_from_before("Nur f\u00fcr Mitglieder.", "de"), hangs_from_before("Es gilt.", "de")
    (True, False)
    """
    found = words(piece, lang or "en")
    spelled = [word.text for word in found]
    if not any(text[0].isalpha() for text in spelled) or spelled[0] in _AGREES | _ADDS:
        return False
    english = lang in (None, "en")
    if len(spelled) > _longest(spelled, english=english):
        return False
    parts = (words(part, lang or "en") for part in _COMMA.split(piece))
    return not any(_has_verb(part, lang) for part in parts)


def _longest(spelled: Sequence[str], *, english: bool) -> int:
    """How many words a piece that begins so may have and still be a fragment."""
    opens = spelled[0]
    if not english:
        return _NOMINAL if opens in _OPENERS_ELSEWHERE else _SHORT
    if opens in _ADVERBIAL_OPENERS:
        return _ADVERBIAL
    if opens in _ARTICLES:
        return _NOMINAL
    return 0 if any(text[0].isdigit() for text in spelled) else _SHORT  # "Cardinals 3, Bears 0."


def _has_verb(part: Sequence[Word], lang: str | None) -> bool:
    english = lang in (None, "en")
    opens = _OPENS_CLAUSE if english else _OPENS_CLAUSE_ELSEWHERE
    end = next((i for i in range(len(part)) if _opens_clause(part, i, opens)), len(part))
    main = part[:end]
    if not english:
        return any(_is_verb_elsewhere(word, lang, first=i == 0) for i, word in enumerate(main))
    return any(_is_verb(main, place) for place in range(len(main)))


def _opens_clause(part: Sequence[Word], place: int, opens: frozenset[str]) -> bool:
    """Whether a clause begins that says something only together with another one."""
    word = part[place].text
    if place == 0:
        return (word in opens and word != "that") or word in _PROVIDED  # "That is wrong."
    return word in opens


def _is_verb_elsewhere(word: Word, lang: str | None, *, first: bool) -> bool:
    if word.text in _VERBS_ELSEWHERE:
        return True
    if first or word.capital:
        return False
    known = [_VERB_ENDINGS[lang]] if lang in _VERB_ENDINGS else _VERB_ENDINGS.values()
    return any(ending.fullmatch(word.text) for ending in known)


def _is_verb(main: Sequence[Word], place: int) -> bool:
    """Whether an English word is a finite verb, as far as lists, endings and its place tell."""
    word = main[place].text
    if word in _VERBS or (place == 0 and word in _ORDERS):
        return True
    if place == 0:
        return len(main) == 1 and word in _AGREES
    before = main[place - 1].text
    if before in _SUBJECTS and (place == 1 or main[place - 2].text not in _PREPOSITIONS):
        return word not in _ADVERBS and word != "only"
    if before in _PREPOSITIONS | _ARTICLES:
        return False
    past = word in IRREGULAR or word.endswith("ed")
    present = len(word) >= _LONG_ENOUGH and word[-1] == "s" and word[-2] not in "aious"
    return (past or present) and _has_subject(main, place)


def _has_subject(main: Sequence[Word], place: int) -> bool:
    """Whether a noun that no preposition governs stands before a word."""
    if main[0].text not in _PREPOSITIONS:
        return main[0].text not in _ADVERBS
    for at in range(1, place):
        begins = main[at].text in _ARTICLES or _is_name(main[at])
        governed = main[at - 1].text in _PREPOSITIONS | _ARTICLES
        governed = governed or (at > 1 and _is_name(main[at - 1]))
        if begins and not governed:
            return True
    return False


def _is_name(word: Word) -> bool:
    return word.capital and word.text[0].isalpha()
