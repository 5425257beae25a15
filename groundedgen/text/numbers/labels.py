"""Tables of words that make the number after them a name: sections, standards, versions."""

# ruff: noqa: SIM905 - a table of words is read as words
from __future__ import annotations

from typing import Final

__all__ = ["CAPITAL", "LABELS", "LABEL_BYTES", "NUMBER_SIGNS", "POINTED", "ROMANS"]

_LABELS: Final = {
    "section": "section sections sec sect abschnitt sección secciones seção secção sezione sektion",
    "subsection": "subsection subsections unterabschnitt",
    "article": "article articles art arts artikel artikels artículo artículos articolo articoli "
    "artigo artigos",
    "clause": "clause clauses klausel klauseln cláusula cláusulas clausola clausole clausule",
    "subclause": "subclause subclauses",
    "paragraph": "paragraph paragraphs para paras absatz abs paragraphe párrafo parágrafo "
    "paragrafo lid",
    "subparagraph": "subparagraph subparagraphs",
    "sentence": "satz", "number": "ziffer ziff",
    "chapter": "chapter chapters chap kapitel chapitre capítulo capitolo hoofdstuk",
    "part": "part parts teil partie parte deel", "title": "title titles titel titre título titolo",
    "book": "buch", "schedule": "schedule schedules",
    "annex": "annex annexes annexe anhang anlage anexo allegato bijlage",
    "appendix": "appendix appendices",
    "exhibit": "exhibit exhibits", "form": "form forms formular formulaire formulario formulier",
    "rule": "rule rules regel règle regla", "regulation": "regulation regulations verordnung "
    "règlement",
    "directive": "directive directives richtlinie directiva", "item": "item items",
    "figure": "figure figures fig figs abbildung abb",
    "table": "table tables tab tabelle tableau tabla",
    "page": "page pages pp seite seiten página páginas pagina",
    "note": "note notes footnote footnotes",
    "version": "version versions ver", "release": "release releases",
    "volume": "volume volumes vol vols band", "phase": "phase phases", "stage": "stage stages",
    "level": "level levels", "type": "type types typ", "class": "class classes klasse",
    "grade": "grade grades",
    "tier": "tier tiers", "category": "category categories kategorie", "step": "step steps schritt",
    "room": "room rooms", "gate": "gate", "platform": "platform", "flight": "flight",
    "route": "route",
    "highway": "highway", "line": "line lines", "apartment": "apt apartment", "suite": "suite",
    "lot": "lot", "amendment": "amendment", "endorsement": "endorsement", "rider": "rider",
    "resolution": "resolution", "protocol": "protocol", "bylaw": "bylaw", "war": "war",
    "chromosome": "chromosome", "question": "question", "option": "option", "model": "model",
}  # fmt: skip
NUMBER_SIGNS: Final = frozenset("no nos nr nrs num núm n nº n°".split())
_STANDARDS: Final = (
    "iso iec en din iec ieee rfc ifrs ias asc asu sfas fas fin eitf sab ansi astm nist soc bs cfr "
    "usc fips nfpa "
    "pep cve gdpr python java windows ios android macos ubuntu debian node php ruby tls ssl http "
    "usb bluetooth "
    "postgresql mysql kubernetes openssl cuda covid sars gpt vitamin apollo boeing airbus formula "
    "channel area fortune "
    "studio nasdaq ftse dax nikkei interstate terminal catch"
)
LABELS: Final[dict[str, str]] = {
    word: label for label, words in _LABELS.items() for word in words.split()
} | dict.fromkeys(_STANDARDS.split(), "")
_ROMANS: Final = "i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx xxi xxii "
"xxiii xxiv xxv l c"
ROMANS: Final = frozenset(_ROMANS.split())
LABEL_BYTES: Final = frozenset(word.encode() for word in (*LABELS, *ROMANS))
# In small letters these are also verbs or plain nouns: "form 10 teams".
CAPITAL: Final = frozenset(
    "form forms note notes rule rules step part parts line lines title fin en soc bs lot model "
    "option question "
    "gate war item lid abs node ruby formula channel area fortune studio terminal catch "
    "apollo".split()
)
# Too short to be read without a point: "Art. 5", "Abs. 2", but not "fin 5".
POINTED: Final = frozenset(
    "sec sect art arts abs fig figs tab vol vols chap para paras pp abb ziff ver apt".split()
)
