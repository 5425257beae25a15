"""The words of what leads into a sentence: what goes on below, what turns round, what says nothing.

What is known of English only is said where it is.
"""

from __future__ import annotations

from typing import Final

import regex

from groundedgen.patterns import lazy
from groundedgen.text.amounts import word_count
from groundedgen.text.negations import negates
from groundedgen.text.standing import is_turning

__all__ = [
    "CLOSERS", "announces", "asks", "breaks_off", "goes_on", "is_bare", "is_clause", "is_joined",
    "is_limiting", "is_neutral", "is_topic", "is_whole", "turns",
]  # fmt: skip

_BARE_WORDS: Final = 2

CLOSERS: Final = "*_`\"'\u201d\u2019\u00bb)] \t"
# What a line ends in that goes on below it.
_GOES_ON: Final = lazy(
    r"(?:[:;,\-=>\u2013\u2014\u2015\u2026\u2192\ufe55\ufe30\uff1a\uff1b\uff0c\u3001]|\.\.\.)\Z"
)
_FOLLOWING: Final = lazy(
    r"\b(?:following|as follows|folgende\w?|suivante?s?|siguientes?|seguenti|seguintes)\.?\Z",
    regex.IGNORECASE,
)
# ... and what makes whole sentences hang from it: "We do not pay if: The driver is drunk."
_CLAUSE: Final = lazy(
    r"\b(?:if|when\w*|where\w*|unless|until|while|because|that|who|which|whose|cases?|conditions?"
    r"|circumstances|situations|events?|following|follows)\W*\Z",
    regex.IGNORECASE,
)
_ASKS: Final = lazy(r"[?\uff1f\u061f\u037e]\Z")
# A sentence that announces what is listed below it, though it ends: "These are not covered."
_LISTS: Final = lazy(
    r"\b(?:list\w*|several|these|those|things?|items?|kinds?|types?|cases|losses|exclusions?"
    r"|exceptions?|below|some|many|certain|few|number of)\b",
    regex.IGNORECASE,
)
_YES_OR_NO: Final = lazy(r"(?:yes|no|ja|nein|oui|non|s\u00ed|si|sim|n\u00e3o)\W*", regex.IGNORECASE)

# English sentences that are whole: a subject, and a verb that is none of a clause that hangs on.
_WHOLE: Final = lazy(
    r"(?:I|we|you|they|it|he|she)\s|(?:(?!\b(?:that|which|who|whom|whose|what|if|when|where|while"
    r"|because|since|unless|except|until|after|before|you|we|they|it)\b)[^:])*?"
    r"\b(?:is|are|was|were|has|have|had|does|do|did|can|cannot|could|may|might|must|shall|should"
    r"|will|would)(?:n['\u2019]t)?\b",
    regex.IGNORECASE,
)
# ... also behind a clause or a time: "If you are late, we may", "After 6 missed payments we may".
_MODAL: Final = r"(?:may|can|cannot|must|will|shall|should)(?:n['\u2019]t)?\b"
_LATER: Final = lazy(
    r"(?:(?:if|when|once|after|before|unless|until|where|while|because|since|as|although|under|in|on"
    r"|for|to)\s[^,:;]+,|(?:after|within|before|until|for|from|on|in|at)\s\d\S*(?:\s\p{L}+){1,4})"
    rf"\s(?:I|we|you|they|it|he|she)\s{_MODAL}",
    regex.IGNORECASE,
)
# Titles that turn round or bound what stands below them, besides those that negate.
_BOUNDS: Final = lazy(
    r"\b(?:exclu|except|exempt|limit|restrict|unless|gap|myth|mis(?!s(?:es|ed|ing)?\b|cellan)|false"
    r"|wrong|untrue|prohib|forb|ban(?:s|ned|ning)?\b|refus|den[iy]|reject|outside|beyond|void|only"
    r"|former|past|old|un(?!it|ivers|ions?\b|arranged|secured|paid)\w"
    r"|dis(?!tan|clos|put|count|play|tri|burs|abil)\w"
    r"|(?:if|when|where|for|of|by|to)\W*\Z)|[\u2717\u2718\u274c\u274e\u26d4\U0001f6ab]",
    regex.IGNORECASE,
)
# Leads of nothing but these say only that an answer comes.
_ANNOUNCING = """
a according an and answer answers are as based below brief details document documents excerpt
excerpts following follows found from given here here's i in information is it its key me my note
of on overview passage passages point points policy provided provision provisions question quick
relevant response say says short source sources state stated states statement statements summary
tell tells text that the their these they this to us what which you your
"""
_NEUTRAL: Final = frozenset(_ANNOUNCING.split())
# Questions ask about a topic, and assert nothing that a sentence below them could hang from.
_QUESTION: Final = lazy(
    r"\W*(?:\d{1,2}[.)]\s+)?(?:what|how|when|where|who|why|which)\b", regex.IGNORECASE
)
_TOPIC_WORDS: Final = 10
# What negates in another language only.
_SAFE: Final = lazy(r"\b(?:new|newly|next|needs?|net|network|near(?:est|by)?)\b", regex.IGNORECASE)
# Over items that are its cases, though each is a sentence; and what doubts them.
_CONDITIONS: Final = lazy(
    r"\b(?:conditions?|requirements?|reasons?|grounds|criteri(?:a|on)|triggers?|scenarios?|examples?"
    r"|assum\w+|hypothe\w+|propos\w+|rumou?rs?|opinions?|argu\w+|quot\w+|nobody|lies?|lying|fakes?"
    r"|fiction\w*|contrary|hardly|rarely|seldom|scarcely|ended|expired|cancell?ed|mistakes?|errors?"
    r"|until|instead|supposed\w*|jokes?)\b",
    regex.IGNORECASE,
)
# What begins to say something, which goes on below: "You may", "The policy covers".
_PREDICATES: Final = lazy(
    r"\b(?:I|we|you|they|it|he|she|is|are|was|were|has|have|had|does|do|did|can|could|may|might"
    r"|must|shall|should|will|would|to)\b|\A(?:the|this|that|these|those|our|your|a|an)\b.*s\Z",
    regex.IGNORECASE,
)
_WORD: Final = lazy(r"[^\W_]+(?:['\u2019][^\W_]+)*")


def is_neutral(plain: str) -> bool:
    """Whether a lead only says that something comes, so that nothing depends on it.

    >>> is_neutral("Here is what the policy says:"), is_neutral("The policy does not cover:")
    (True, False)
    """
    words = _WORD.findall(plain.replace("\u2019", "'").lower())
    return bool(words) and _NEUTRAL.issuperset(words)


def is_bare(plain: str) -> bool:
    """Whether a sentence is no more than an opening to what follows: "Yes.", "Not covered."."""
    return word_count(plain) <= _BARE_WORDS


def goes_on(plain: str) -> bool:
    """Whether a lead says by its end that it goes on in what follows.

    >>> goes_on("We do not pay:"), goes_on("The rules are as follows."), goes_on("We pay.")
    (True, True, False)
    """
    end = plain.rstrip(CLOSERS)
    return _GOES_ON.search(end) is not None or _FOLLOWING.search(end) is not None


def breaks_off(line: str) -> bool:
    """Whether a line in the middle of a sentence ends so, and not merely at a comma or hyphen."""
    end = line.rstrip(CLOSERS)
    return end[-1:] not in ",-" and _GOES_ON.search(end) is not None


def is_joined(plain: str) -> bool:
    """Whether it ends as an item does that another one follows: in a comma or a semicolon."""
    return plain.rstrip(CLOSERS)[-1:] in tuple(",;\uff0c\u3001\uff1b")


def is_whole(plain: str) -> bool:
    """Whether it is known to be a sentence that says something alone; of English only.

    >>> is_whole("Floods are not covered."), is_whole("Damage that is caused by floods.")
    (True, False)
    """
    if not plain[:1].isupper():
        return False
    return _WHOLE.match(plain) is not None or _LATER.match(plain) is not None


def is_topic(plain: str) -> bool:
    """Whether a heading or a label only names what a sentence below it is about; of English only.

    A whole sentence says the same without it. Not what turns round or bounds, what tells of
    somebody's words, or what goes on in the sentence.

    >>> is_topic("Loan terms"), is_topic("What happens if I miss payments?"), is_topic("Arrears:")
    (True, True, True)
    >>> is_topic("Exclusions"), is_topic("You may:"), is_topic("What the tenant claims")
    (False, False, False)
    """
    words = plain.strip(CLOSERS + ":\uff1a.\u2013\u2014- ")
    english = all(sign.isascii() for sign in words if sign.isalpha())
    if not english or not 0 < word_count(words) <= _TOPIC_WORDS or turns(words):
        return False
    question = _QUESTION.match(words) is not None
    if question and asks(plain):
        return True
    if is_turning(words) or is_clause(words) or _CONDITIONS.search(words):
        return False
    return question or _PREDICATES.search(words) is None


def is_clause(plain: str) -> bool:
    """Whether whole sentences can hang from a lead: "We do not pay if:"."""
    return _CLAUSE.search(plain) is not None


def asks(plain: str) -> bool:
    """Whether it is a question."""
    return _ASKS.search(plain.rstrip(CLOSERS)) is not None


def turns(plain: str) -> bool:
    """Whether a title turns round or bounds what stands below it.

    >>> turns("Exclusions"), turns("What we pay for"), turns("Colours")
    (True, True, False)
    """
    return negates(_SAFE.sub("", plain)) or _BOUNDS.search(plain) is not None


def is_limiting(plain: str) -> bool:
    """Whether a title bounds what stands below it, or tells of it as somebody's words.

    >>> is_limiting("Exclusions"), is_limiting("What the tenant claims"), is_limiting("Colours")
    (True, True, False)
    """
    return turns(plain) or (is_turning(plain) and not is_topic(plain))


def announces(plain: str) -> bool:
    """Whether a sentence that ends is still read together with what follows it."""
    if is_bare(plain):
        return _YES_OR_NO.fullmatch(plain) is None
    return turns(plain) and _LISTS.search(plain) is not None
