"""Word tables: the small words that turn a sentence's meaning, and words that mean the same.

English only. A line is `kind value: phrase | phrase`. Rules are in `senses` and `kinship`.
"""

from __future__ import annotations

from typing import Final

__all__ = [
    "AGENTS",
    "ENDINGS",
    "GROUPS",
    "KINDS_OF",
    "OPPOSITES",
    "RELATED",
    "SAME",
    "SENSES",
]

# `#` stands for a number: a phrase with it counts only beside one.
SENSES: Final = """
negation no: not | no | never | neither | nor | none | nobody | nothing | nowhere | without | non
negation no: hardly | scarcely | barely | no longer | lack | lacks | lacked | lacking | absence of
negation no: fail to | fails to | failed to | failing to | unable to | free from | free of | yet to
negation no: not yet | cannot | devoid of | anything but | next to no
nothing -: not only | not just | not merely | no doubt | no matter | whether or not
nothing -: may or may not | can or can not | more or less | as well as
modal may: may | might | could | can | permitted to | allowed to | entitled to | free to | optional
modal may: right to | option to | possibly | perhaps | potentially | possible to | is able to
modal may: are able to | maybe | eligible to | eligible for | entitled | permitted | allowed
modal may: be permitted | be allowed | permits | allows | can be | might be
modal should: should | ought to | recommended | advised | advisable | recommend | recommends
modal must: must | shall | required to | required | obliged to | obliged | obligated to | obligated
modal must: has to | have to | had to | need to | needs to | needed to | necessary | mandatory
modal must: compulsory | is bound to | are bound to | require | requires | obligatory | essential
modal free: not required to | not required | not obliged to | not obligated to | not have to
modal free: need not | not need to | not necessary | not mandatory | not compulsory | no need to
modal free: does not require | do not require | not be required to | no obligation to
modal barred: must not | shall not
modal cannot: may not | can not | could not | might not
modal forbidden: not permitted | not allowed | not entitled | prohibited from | prohibited
modal forbidden: forbidden to | forbidden | banned from | banned | barred | not be permitted to
modal forbidden: not be allowed to | not be entitled to | not permitted to | not allowed to
modal forbidden: not entitled to | no right to | forbids | prohibits | bars
every all: all | every | each | everyone | everybody | everything | always | entire | entirely
every all: whole | wholly | in all cases | invariably | fully | completely | totally | throughout
every both: both
some some: some | certain | in some cases | a number of | part of | parts of
some many: many
some few: few | a few | rarely | seldom | minority | a small number of | little | infrequently
some most: most | mostly | majority of | majority | mainly | largely | predominantly
some often: often | usually | generally | typically | normally | frequently | commonly | in general
some often: as a rule | in most cases | ordinarily | tends to | tend to | tended to
some sometimes: sometimes | occasionally | at times | from time to time | temporarily
some part: partly | partially | in part | to some extent | half of | almost | nearly
only only: only | solely | exclusively | alone | nothing but | no one but
if if: if | provided | provided that | providing that | so long as | as long as | on condition that
if if: subject to | in the event of | in the event that | in case of | in case | in cases where
if if: conditional on | depends on | depending on | contingent on | on the condition that
if if: to the extent that | insofar as
if unless: unless | except | except for | except if | except when | except where | excepting
if unless: other than | apart from | save for | save where | with the exception of | excluding
if unless: except that | not including | notwithstanding | aside from
bound least: at least # | no less than # | not less than # | no fewer than # | not fewer than #
bound least: minimum of # | # or more | # and above | # and over | # or over | # or older
bound least: # upwards | from # upwards
bound most: at most # | no more than # | not more than # | up to # | maximum of # | # or less
bound most: # or fewer | # or under | # or younger | not exceeding # | not exceed # | limited to #
bound most: not later than # | no later than # | not longer than # | no longer than # | capped at #
bound over: more than # | over # | above # | exceeding # | in excess of # | greater than #
bound over: older than # | longer than # | higher than # | larger than # | exceed # | exceeds #
bound over: exceeded # | beyond # | bigger than # | later than #
bound under: less than # | under # | below # | fewer than # | younger than # | shorter than #
bound under: lower than # | smaller than # | earlier than #
bound about: about # | around # | approximately # | roughly # | nearly # | almost # | circa #
bound about: some # | estimated # | close to #
time before: before | prior to | ahead of | preceding | beforehand | earlier
time after: after | following | afterwards | subsequently | subsequent to | later | thereafter
time within: within
time since: since | as of | as from | with effect from | starting from
way up: increase | increases | increased | increasing | rise | rises | rose | risen | rising
way up: raise | raises | raised | raising | grow | grows | grew | grown | growing | higher | more
way up: greater | longer | larger | improve | improves | improved | upward | gain | gained
way up: climbed | climb | elevated | elevates | expanded | exceed | exceeds | exceeded | boost
way up: boosts | boosted | climbs | climbing | growth | expand | expands | elevate | doubled
way up: tripled
way down: decrease | decreases | decreased | decreasing | reduce | reduces | reduced | reducing
way down: reduction | lower | lowers | lowered | lowering | fall | falls | fell | fallen | falling
way down: drop | drops | dropped | dropping | decline | declines | declined | declining | less
way down: fewer | shorter | smaller | cut | cuts | cutting | diminish | diminishes | diminished
way down: shrink | shrank | downward | worse | lessened | halved | weakened | slowed | dip | dipped
way same: no difference | no differences | no significant difference | no significant differences
way same: not differ | did not differ | not significantly different | not significantly differ
way same: no change | no significant change | no changes | unchanged | similar | comparable | same
way same: no effect | no significant effect | equal | equivalent | remained stable | not affect
way same: not significantly affect | no significant effects | not change | not alter
doubt doubt: claimed | allege | alleges | alleged | allegedly | believe | believes | believed
doubt doubt: argue | argues | argued | thinks | thought | suggest | suggests | suggested | suspect
doubt doubt: suspected | says | said | announce | announced | announces | supposed | supposedly
doubt doubt: reportedly | rumoured | rumored | assume | assumes | assumed | deny | denies | denied
doubt doubt: refuse | refuses | refused | plans to | planned to | planned | intend | intends
doubt doubt: intended | expect | expects | expected | hope | hopes | hoped | wish | wishes | try to
doubt doubt: tries to | tried to | attempt | attempts | attempted | seek to | seeks to | sought to
doubt doubt: propose | proposes | proposed | likely | unlikely | predict | predicts | predicted
doubt doubt: forecast | considers | considered | former | formerly | instead of | rather than
doubt doubt: prevent | prevents | prevented | avoid | avoids | avoided | doubt | doubts | doubted
doubt doubt: pretend | pretended | asks | asked | demanded | hypothesised | hypothesized | wants
doubt doubt: wanted | apparent | apparently | seem | seems | seemed | appears to | appear to
doubt doubt: states that | stated that | state that | reports that | reported that | report that
doubt doubt: reported to | claims that | claim that | claimed that | claimed to | claims to
doubt doubt: plan to | potential | potentially | think | thinks that | say that | said to | want to
doubt doubt: wants to | wanted to | hopes to | rumour | rumours | wish to | whether | unclear
doubt doubt: unknown | uncertain
if when: when | whenever | where
doubt said: according to
cause cause: because | because of | due to | caused | causes | cause | as a result of | result of
cause cause: leads to | led to | lead to | therefore | thus | hence | owing to | thanks to
cause cause: results in | resulted in | so that
place up: up | upward | upwards
place down: down | downward | downwards
place above: above
place below: below | beneath | underneath
place inside: inside | indoors
place outside: outside | outdoors
if only: only if | only when | only where
"""

# Words that state the same, sense for sense, in the texts this is for; whole lines are equal.
SAME: Final = """
buy purchase acquire|begin start commence|end finish conclude|use utilise utilize employ
help assist aid|show demonstrate|inform notify notice|repair fix mend|doctor physician
car automobile|home house|film movie|company firm|big large|fast quick rapid
main principal primary chief|annual yearly|landlord lessor|tenant lessee renter|deductible excess
writer author|die decease dead|reimburse refund|get receive obtain|give provide supply furnish
need require|job occupation|cease stop|rent rental|flat apartment|bicycle bike|attorney lawyer
holiday vacation|allow permit let|terminate cancel|compensation indemnity|correct right accurate
wrong incorrect|simultaneous concurrent|sufficient enough adequate|immediate prompt instant
kid child|document paper|error mistake|aim goal objective|choose select pick|whole entire|per each
several multiple various|additional extra further|about approximately|happen occur|locate situate
sickness illness|injure hurt|thief burglar|stolen theft|steal theft|fire blaze|flood inundate
consent approval permission|written writing|prior previous advance|payable due|owe due|pay remit
remain stay|answer reply respond|ask request|keep retain|own possess|contain include
comprise include|consist comprise|build construct|close shut|complete finish|result outcome
warranty guarantee|phone telephone|mail post|email e-mail|child children kid|wed marry
open run operate|operate run work|cost price|wage salary pay|yearly annually|monthly month
daily day|weekly week|quarterly quarter|lift elevator|rubbish garbage waste trash|lorry truck
petrol gasoline|autumn fall|pavement sidewalk|baby infant|teacher instructor|pupil student
leave depart|arrive come|travel journey trip|hire recruit employ|dismiss fire sack|sign execute
forbid prohibit ban|last final|first initial|sum amount|premises property|damage harm|expire lapse
renew extend|frequent common|nearly almost|country nation|city town|found establish
create make produce|call name|star feature|novel book|locate lie|serve act
"""

# One way: what holds of the first holds of the second, not the other way round.
KINDS_OF: Final = """
car vehicle|truck vehicle|motorcycle vehicle|van vehicle|dog animal|cat animal|dog pet|cat pet
actress actor|songwriter writer|playwright writer|novelist writer|screenwriter writer|murder kill
assassinate kill|buy get|novel book|hail weather|storm weather|surgeon doctor|nurse staff
daughter child|son child|mother parent|father parent|wife spouse|husband spouse|hotel building
house building|school building|painting artwork|guitarist musician|pianist musician
singer musician|rapper musician|euro money|dollar money|lease contract|contract agreement
lease agreement
"""

OPPOSITES: Final = """
open close|run close|operate close|work close|run stop|cover exclude|include exclude|accept reject
accept refuse|accept decline|allow forbid|permit prohibit|allow prohibit|permit forbid|permit ban
allow ban|pass fail|succeed fail|win lose|valid invalid|valid void|legal illegal|lawful unlawful
possible impossible|able unable|likely unlikely|safe dangerous|safe unsafe|alive dead
present absent|true false|correct incorrect|insured uninsured|occupied vacant|occupied empty
full empty|active inactive|married single|public private|internal external|inside outside
indoor outdoor|buy sell|lend borrow|hire dismiss|begin end|start end|start stop|start finish
arrive leave|enter leave|early late|first last|high low|long short|large small|big small|hot cold
new old|young old|rich poor|strong weak|good bad|best worst|better worse|maximum minimum
most least|left right|north south|east west|east west|man woman|male female|mother father
son daughter|husband wife|brother sister|landlord tenant|lessor lessee|employer employee
buyer seller|insurer insured|lender borrower|plaintiff defendant|creditor debtor|import export
gain loss|profit loss|income expense|asset liability|credit debit|deposit withdrawal
mandatory optional|required optional|compulsory voluntary|fixed variable|permanent temporary
positive negative|increase decrease|rise fall|raise lower|raise reduce|increase reduce|grow shrink
deny confirm|deny admit|approve reject|approve deny|grant deny|grant refuse|add remove
build destroy|repair damage|save spend|weekday weekend|day night|morning evening|summer winter
dry wet|sober drunk|known unknown|paid unpaid|furnished unfurnished|authorised unauthorised
authorized unauthorized|smoker nonsmoker|domestic foreign|major minor|majority minority
above below|forward backward|attach detach|lock unlock|load unload|connect disconnect
continue stop|continue cease|keep discard
"""

# Whoever does a thing and whom it is done to share a stem; they must not be taken for one.
AGENTS: Final = ("er", "ers", "or", "ors", "ee", "ees")

# Endings that leave the thing spoken of the same: payment, payable, pay.
_ENDINGS = """
ations ation itions ition ments ment ances ance ences ence ancies ancy encies ency ities ity
nesses ness als al ages age ures ure ions ion ables able ibles ible ives ive ly ic ical ful
ings ing ed es s e y
"""
ENDINGS: Final = tuple(sorted(_ENDINGS.split(), key=len, reverse=True))

# Word families that no ending explains.
RELATED: Final = """
notice notify notification|lose loss|die death dead deceased|live life|decide decision
choose choice|sell sale|know knowledge|apply application applicant|grow growth|sign signature
renew renewal|see sight|think thought|speak speech|give gift|born birth|marry marriage|fly flight
long length|strong strength|high height|deep depth|wide width|hot heat|true truth|young youth
poor poverty|free freedom|able ability|possible possibility|responsible responsibility
liable liability|vacant vacancy|tenant tenancy|resident residence reside|pay payment payable
describe description|receive receipt|deliver delivery|inquire inquiry|arrive arrival
refuse refusal|withdraw withdrawal|approve approval|remove removal|dispose disposal
propose proposal|permit permission|admit admission|exclude exclusion|include inclusion
extend extension|expand expansion|produce production product|reduce reduction|restrict restriction
require requirement|destroy destruction|steal theft stolen thief|succeed success|proceed procedure
analyse analysis analyze|maintain maintenance|retain retention|prevent prevention
complain complaint|compare comparison|expire expiry expiration|conclude conclusion|invade invasion
explode explosion|corrode corrosion|burgle burglary burglar|freeze frozen|break breakage
store storage|use usage|store storage|write writing written|sing song singer
act actor actress action|compete competition|lead leader leadership|found founder foundation
own owner ownership|win winner|direct director|produce producer|play player|teach teacher
work worker|drive driver|build builder building|manage manager management
invest investor investment|govern government|argue argument|treat treatment|America american
France french|Britain british|England english|Germany german|Italy italian|Spain spanish
China chinese|Japan japanese|Russia russian|Canada canadian|Europe european|India indian
Rome roman
"""

# Groups of people or things for which a finding may hold and for others not.
_GROUPS = """
adult animal applicant boy business child claimant club company consumer customer driver employee
employer family farm female girl household infant insured male man member mouse participant
passenger patient pensioner person policyholder pupil rat resident school smoker student subject
teenager tenant user village volunteer woman worker
"""
GROUPS: Final = frozenset(_GROUPS.split())
