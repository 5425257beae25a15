"""Words by which the rules on what a claim leaves out tell what may go; English only."""

from __future__ import annotations

from typing import Final

__all__ = [
    "ADJUNCTS",
    "BARE",
    "DOCUMENTS",
    "HOLDING",
    "LESSER",
    "NUMBERED",
    "OPENERS",
    "REPORTING",
    "RULING",
    "SCENES",
    "SETTINGS",
    "TERMS",
    "TIMES",
    "UNSURE",
    "WITHHOLDING",
]


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Before a claim's first word these change nothing.
BARE: Final = _set(
    "the a an this that these those his her its their our my your it there he she they we i is are"
    " was were be been has have had do does did will would of all every each both also very"
)
OPENERS: Final = _set(
    "however therefore moreover furthermore also thus meanwhile additionally accordingly"
    " consequently similarly likewise finally then secondly thirdly and but"
)
NUMBERED: Final = _set("section article clause paragraph rule chapter part item point step")
# Prepositions of when and where.
ADJUNCTS: Final = _set(
    "in on at during since after before from by to into for with of between among through"
    " throughout near about across against as within under over around along"
)
# Those of them that open a sentence.
SETTINGS: Final = _set(
    "in on at during since after before throughout between by from around within"
)
TIMES: Final = _set(
    "year years month months week weeks day days morning afternoon evening night spring summer"
    " autumn winter quarter century centuries decade decades season war time later following"
    " previous same next late early end beginning first second third fourth half mid period"
    " january february march april may june july august september october november december"
)
# Where something holds that does not hold here.
SCENES: Final = _set(
    "theory principle paper dream dreams novel book film movie play story tale game series episode"
    " fiction legend myth view opinion eyes mind imagination simulation scenario world version"
    " draft hope expectation belief case cases name part breach vain"
)
# Verbs of policies, contracts and rules: what they state holds within what stands beside it.
RULING: Final = _set(
    "covers insures includes excludes reimburses refunds protects entitles requires allows permits"
    " prohibits forbids applies lapses expires pays provides grants indemnifies guarantees waives"
    " qualifies warrants"
)
# The same of several, where they are no nouns.
HOLDING: Final = _set("qualify apply lapse expire entitle pay receive")
# What has terms: a sentence that says what one of these is, states one.
TERMS: Final = _set(
    "cover coverage limit excess deductible fee fees premium premiums rent deposit benefit benefits"
    " allowance compensation liability price rate dose dosage penalty deadline entitlement refund"
    " insured sum notice term"
)
# A policy that says so may be left unnamed.
DOCUMENTS: Final = _set("policy agreement contract lease document plan clause section terms")
# No kind of what they stand before, or not all of it.
LESSER: Final = _set(
    "vice deputy acting assistant associate interim former ex future retired late fake false"
    " counterfeit alleged supposed so self styled would aspiring prospective potential possible"
    " designated elect outgoing incoming unsuccessful failed fictional imaginary mock pseudo"
    " honorary sub co non semi quasi anti zero negligible insufficient little no minimal north"
    " south east west new upper lower shadow junior under proposed planned intended expected"
    " draft nominal apparent attempted near toy model replica artificial second third fourth"
    " joint half double triple twice quarter"
)
UNSURE: Final = _set(
    "allegedly reportedly supposedly purportedly apparently presumably probably possibly"
    " hypothetically theoretically hopefully ideally officially nominally ostensibly seemingly"
    " arguably perhaps maybe falsely wrongly mistakenly nearly almost barely hardly scarcely"
    " partly partially temporarily conditionally initially provisionally tentatively assumed"
    " rumoured rumored granted given disputed contested suppose imagine pretend picture say"
    " whether lest unless wrong untrue false unproven unlikely doubtful questionable theory"
    " claim claims allegation idea notion hypothesis fear hope risk chance myth rumour proposal"
)
# Saying, thinking, wanting, doubting: whatever hangs from these is somebody's.
REPORTING: Final = _set(
    "say says said saying state states stated claim claims claimed argue argues argued think thinks"
    " thought believe believes believed reckon reckons reckoned feel feels felt fear fears feared"
    " hope hopes hoped insist insists insisted maintain maintains maintained contend contends"
    " contended allege alleges alleged assert asserts asserted suggest suggests suggested suspect"
    " suspects suspected speculate speculates speculated guess guesses guessed predict predicts"
    " predicted warn warns warned testify testifies testified swear swears swore dream dreams"
    " dreamed dreamt imagine imagines imagined pretend pretends pretended lie lied doubt doubts"
    " doubted deny denies denied dispute disputes disputed reject rejects rejected dismiss"
    " dismisses"
    " dismissed question questions questioned contest contests contested refute refutes refuted"
    " disprove disproves disproved propose proposes proposed demand demands demanded promise"
    " promises promised tell tells told report reports reported announce announces announced write"
    " writes wrote opine opines opined estimate estimates estimated assume assumes assumed suppose"
    " supposes supposed expect expects expected note notes noted comment commented remark remarked"
    " joke joked quip quipped boast boasts boasted complain complained accuse accused advise"
    " advised"
    " ask asks asked wonder wonders wondered wish wishes wished want wants wanted accept accepts"
    " accepted recommend recommends recommended conclude concluded concludes hypothesize"
    " hypothesise hypothesized hypothesised"
)
# Without a comma these limit what they follow, also in the past.
WITHHOLDING: Final = _set(
    "once unless until if provided providing assuming pending barring absent failing given lest"
    " whether except excluding minus less plus net gross per short only though although "
    " wherever whenever while subject dependent contingent conditional"
)
