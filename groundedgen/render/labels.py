"""The few words around an answer, one table a language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from groundedgen.errors import InputError
from groundedgen.values import Reason

__all__ = ["LABELS", "Labels", "labels_for"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """Words in one language. Templates name their fields: `{verified}`, `{shown}`, `{page}`.

    No label may hold text of an answer, and none may tell an outcome with hidden sources
    from one without.
    """

    lang: str
    answer: str
    sources: str
    closest: str
    dropped: str
    source: str
    untitled: str
    page: str
    verified: str
    not_checked: str
    score: str
    score_one: str
    means: str
    means_not: str
    unchecked_means: str
    opens: str
    draft: str
    nearest: str
    outcomes: Mapping[Reason, str]
    unasked: Mapping[Reason, str]

    def told(self, reason: Reason, question: str) -> str:
        """Why there is no answer, in words; where no question is known, without one.

        >>> ENGLISH.told("nothing_survived", "")
        'Nothing in this text could be verified in the sources.'
        """
        outcome = self.outcomes[reason]
        return outcome if question.strip() else self.unasked.get(reason, outcome)

    def scored(self, verified: int, shown: int) -> str:
        """How many of the statements shown are verified, in the number that goes with it.

        The noun goes with all of them, in French with those that are verified.

        >>> ENGLISH.scored(1, 1), FRENCH.scored(1, 2)
        ('1 of 1 statement verified', '1 affirmation vérifiée sur 2')
        """
        is_one = verified < 2 if self.lang == "fr" else shown == 1
        words = self.score_one if is_one else self.score
        return words.format(verified=verified, shown=shown)


ENGLISH: Final = Labels(
    lang="en",
    answer="Answer",
    sources="Sources",
    closest="Closest passages",
    dropped="Dropped statements (for developers)",
    source="Source {number}",
    untitled="Untitled source",
    page="p. {page}",
    verified="verified",
    not_checked="not checked",
    score="{verified} of {shown} statements verified",
    score_one="{verified} of {shown} statement verified",
    means=(
        "Verified means: the quoted words stand in the source exactly there, every number of "
        "the statement is in it, and the statement was checked against it."
    ),
    means_not=(
        "It does not mean that the source is right, or that these are all the sources there are."
    ),
    unchecked_means=(
        "Not checked means: the quoted words stand in the source, but nothing has confirmed "
        "that the source says what the statement says. Read the source before you rely on it."
    ),
    opens="Quoted words are underlined.",
    draft="draft {attempt}, statement {number}",
    nearest="nearest text",
    outcomes={
        "answered": "",
        "model_said_not_found": "The sources do not answer this question.",
        "nothing_survived": "Nothing that could be verified in the sources answers this question.",
        "core_lost": "No direct answer to this question could be verified in the sources.",
        "no_passages": "There are no sources to answer this question from.",
        "strict_policy": "The answer is withheld, because not all of it could be verified.",
        "judge_unavailable": "The answer is withheld, because it could not be checked.",
        "reader_may_not_open": "There is nothing here that can be shown to you.",
    },
    unasked={
        "nothing_survived": "Nothing in this text could be verified in the sources.",
        "core_lost": "The main statement of this text could not be verified in the sources.",
        "model_said_not_found": "This text says that the sources hold no answer.",
        "no_passages": "There are no sources to check this text against.",
    },
)

GERMAN: Final = Labels(
    lang="de",
    answer="Antwort",
    sources="Quellen",
    closest="Nächstliegende Stellen",
    dropped="Verworfene Aussagen (für Entwickler)",
    source="Quelle {number}",
    untitled="Quelle ohne Titel",
    page="S. {page}",
    verified="geprüft",
    not_checked="nicht geprüft",
    score="{verified} von {shown} Aussagen geprüft",
    score_one="{verified} von {shown} Aussage geprüft",
    means=(
        "Geprüft heißt: Die zitierten Worte stehen genau dort in der Quelle, jede Zahl der "
        "Aussage steht in ihr, und die Aussage wurde mit ihr abgeglichen."
    ),
    means_not=(
        "Es heißt nicht, dass die Quelle recht hat oder dass es keine weiteren Quellen gibt."
    ),
    unchecked_means=(
        "Nicht geprüft heißt: Die zitierten Worte stehen in der Quelle, aber nichts bestätigt, "
        "dass die Quelle sagt, was die Aussage sagt. Lesen Sie die Quelle, bevor Sie sich "
        "darauf verlassen."
    ),
    opens="Zitierte Worte sind unterstrichen.",
    draft="Entwurf {attempt}, Aussage {number}",
    nearest="nächstliegender Text",
    outcomes={
        "answered": "",
        "model_said_not_found": "Die Quellen beantworten diese Frage nicht.",
        "nothing_survived": (
            "Nichts, was sich in den Quellen prüfen ließ, beantwortet diese Frage."
        ),
        "core_lost": (
            "Eine unmittelbare Antwort auf diese Frage ließ sich in den Quellen nicht prüfen."
        ),
        "no_passages": "Es gibt keine Quellen, aus denen sich diese Frage beantworten ließe.",
        "strict_policy": (
            "Die Antwort wird zurückgehalten, weil sie nicht ganz geprüft werden konnte."
        ),
        "judge_unavailable": (
            "Die Antwort wird zurückgehalten, weil sie nicht geprüft werden konnte."
        ),
        "reader_may_not_open": "Hier gibt es nichts, was Ihnen gezeigt werden kann.",
    },
    unasked={
        "nothing_survived": "Nichts in diesem Text ließ sich in den Quellen prüfen.",
        "core_lost": "Die Hauptaussage dieses Textes ließ sich in den Quellen nicht prüfen.",
        "model_said_not_found": "Dieser Text sagt, dass die Quellen keine Antwort enthalten.",
        "no_passages": "Es gibt keine Quellen, an denen sich dieser Text prüfen ließe.",
    },
)

FRENCH: Final = Labels(
    lang="fr",
    answer="Réponse",
    sources="Sources",
    closest="Passages les plus proches",
    dropped="Affirmations écartées (pour les développeurs)",
    source="Source {number}",
    untitled="Source sans titre",
    page="p. {page}",
    verified="vérifié",
    not_checked="non vérifié",
    score="{verified} affirmations vérifiées sur {shown}",
    score_one="{verified} affirmation vérifiée sur {shown}",
    means=(
        "Vérifié signifie : les mots cités figurent exactement à cet endroit de la source, "
        "chaque nombre de l’affirmation s’y trouve, et l’affirmation a été confrontée à elle."
    ),
    means_not=(
        "Cela ne signifie pas que la source ait raison, ni qu’il n’existe pas d’autres sources."
    ),
    unchecked_means=(
        "Non vérifié signifie : les mots cités figurent dans la source, mais rien ne confirme "
        "que la source dise ce que dit l’affirmation. Lisez la source avant de vous y fier."
    ),
    opens="Les mots cités sont soulignés.",
    draft="version {attempt}, affirmation {number}",
    nearest="texte le plus proche",
    outcomes={
        "answered": "",
        "model_said_not_found": "Les sources ne répondent pas à cette question.",
        "nothing_survived": (
            "Rien de ce qui a pu être vérifié dans les sources ne répond à cette question."
        ),
        "core_lost": (
            "Aucune réponse directe à cette question n’a pu être vérifiée dans les sources."
        ),
        "no_passages": "Il n’y a pas de source permettant de répondre à cette question.",
        "strict_policy": "La réponse est retenue, car elle n’a pas pu être entièrement vérifiée.",
        "judge_unavailable": "La réponse est retenue, car elle n’a pas pu être vérifiée.",
        "reader_may_not_open": "Il n’y a rien ici qui puisse vous être montré.",
    },
    unasked={
        "nothing_survived": "Rien dans ce texte n’a pu être vérifié dans les sources.",
        "core_lost": "L’affirmation principale n’a pas pu être vérifiée dans les sources.",
        "model_said_not_found": "Ce texte dit que les sources ne contiennent pas de réponse.",
        "no_passages": "Il n’y a pas de source permettant de vérifier ce texte.",
    },
)

SPANISH: Final = Labels(
    lang="es",
    answer="Respuesta",
    sources="Fuentes",
    closest="Pasajes más cercanos",
    dropped="Afirmaciones descartadas (para desarrolladores)",
    source="Fuente {number}",
    untitled="Fuente sin título",
    page="pág. {page}",
    verified="verificado",
    not_checked="sin verificar",
    score="{verified} de {shown} afirmaciones verificadas",
    score_one="{verified} de {shown} afirmación verificada",
    means=(
        "Verificado significa: las palabras citadas están exactamente en ese lugar de la fuente, "
        "cada número de la afirmación está en ella y la afirmación se ha contrastado con ella."
    ),
    means_not="No significa que la fuente tenga razón ni que no haya otras fuentes.",
    unchecked_means=(
        "Sin verificar significa: las palabras citadas están en la fuente, pero nada confirma "
        "que la fuente diga lo que dice la afirmación. Lea la fuente antes de confiar en ella."
    ),
    opens="Las palabras citadas están subrayadas.",
    draft="borrador {attempt}, afirmación {number}",
    nearest="texto más cercano",
    outcomes={
        "answered": "",
        "model_said_not_found": "Las fuentes no responden a esta pregunta.",
        "nothing_survived": (
            "Nada de lo que se pudo verificar en las fuentes responde a esta pregunta."
        ),
        "core_lost": ("No se pudo verificar en las fuentes una respuesta directa a esta pregunta."),
        "no_passages": "No hay fuentes con las que responder a esta pregunta.",
        "strict_policy": "La respuesta se retiene porque no se pudo verificar del todo.",
        "judge_unavailable": "La respuesta se retiene porque no se pudo verificar.",
        "reader_may_not_open": "Aquí no hay nada que se le pueda mostrar.",
    },
    unasked={
        "nothing_survived": "Nada de este texto se pudo verificar en las fuentes.",
        "core_lost": "La afirmación principal de este texto no se pudo verificar en las fuentes.",
        "model_said_not_found": "Este texto dice que las fuentes no contienen ninguna respuesta.",
        "no_passages": "No hay fuentes con las que verificar este texto.",
    },
)

LABELS: Final[Mapping[str, Labels]] = {
    labels.lang: labels for labels in (ENGLISH, GERMAN, FRENCH, SPANISH)
}


def labels_for(lang: str) -> Labels:
    """The labels for a language tag; its region is ignored.

    Raises:
        InputError: There are none; the message lists what there is.

    >>> labels_for("en-GB").sources, labels_for("de").sources
    ('Sources', 'Quellen')
    """
    labels = (
        LABELS.get(lang.replace("_", "-").split("-", 1)[0].lower())
        if isinstance(lang, str)
        else None
    )
    if labels is None:
        known = ", ".join(sorted(LABELS))
        raise InputError(
            f"lang must name the language of the words around the answer: no labels in {lang!r}; "
            f"there are {known}, with or without a region",
            code="unknown_language",
        )
    return labels
