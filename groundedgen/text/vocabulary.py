"""Word tables: function words by language and irregular English forms. No rules here.

Function words tell little about what a text is about; they are left out when texts are
ranked or aligned by content. Negators and words like "only" are among them: whoever needs
their sense looks at them apart. The lists are our own, kept to closed classes.
"""

from __future__ import annotations

from typing import Final

__all__ = ["FUNCTION_WORDS", "IRREGULAR", "QUESTION_WORDS"]

_ENGLISH = """
a an the this that these those i me my mine myself we us our ours ourselves you your yours
yourself yourselves he him his himself she her hers herself it its itself they them their theirs
themselves one oneself who whom whose which what when where why how whether if then than as so
and or but nor yet because since while although though unless until of in on at to by for from
with without within into onto upon over under above below between among amongst about against
through throughout during before after across along around behind beside besides beyond near off
out up down via per toward towards be am is are was were been being have has had having do does
did doing done will would shall should can could may might must ought not no yes also too very
just only even still again already ever never any some all each every both either neither none
other another such same own more most much many few less least there here now thus hence
therefore however moreover furthermore whereas whereby wherein thereof therein thereby hereby
herein hereof that's etc eg ie s t re ll ve d m
"""
_GERMAN = """
der die das den dem des ein eine einer eines einem einen kein keine keiner keines keinem keinen
und oder aber sondern denn doch wenn ob als wie dass daß weil da damit sowie sowohl ich mich mir
du dich dir er ihn ihm sie ihr ihnen es wir uns euch mein dein sein unser euer ihre ihrer ihrem
ihren seine seiner seinem seinen dieser diese dieses diesem diesen jener jene jenes welcher welche
welches wer wen wem wessen was wann wo warum wieso weshalb woher wohin von vom zu zum zur mit in
im ins an am auf aus bei beim nach für über unter vor hinter zwischen durch gegen ohne um bis seit
während wegen bin bist ist sind seid war waren wird werden wurde wurden worden hat haben hatte
hatten kann können könnte muss müssen soll sollen darf dürfen mag will wollen nicht nein ja auch
nur noch schon sehr so dann hier dort man sich
"""
_FRENCH = """
le la les l un une des du de d au aux à en dans sur sous avec sans pour par entre vers chez et ou
mais donc or ni car si que qu qui quoi dont où quand comment pourquoi quel quelle quels quelles ce
cet cette ces c je j me m moi tu te t toi il elle on nous vous ils elles se s lui leur leurs mon
ma mes ton ta tes son sa ses notre nos votre vos est sont était étaient être été suis es sommes
êtes sera seront a ai as ont avait avaient avoir eu fait faire peut peuvent doit doivent ne n pas
plus non oui aussi très même tout tous toute toutes y
"""
_SPANISH = """
el la los las lo un una unos unas de del al a en con sin por para sobre entre hasta desde y e o u
ni pero sino si que qué quien quién quienes cual cuál cuales cuando cuándo donde dónde como cómo
cuanto cuánto este esta estos estas ese esa esos esas aquel aquella yo me mi tú te tu él ella ello
nosotros vosotros ellos ellas se le les su sus nuestro nuestra es son era eran ser sido soy está
están estar fue fueron ha han había haber tiene tienen puede pueden debe deben no sí también muy
más ya
"""
_ITALIAN = """
il lo la i gli le l un uno una di del dello della dei degli delle a al allo alla ai agli alle da
dal dalla dai dalle in nel nella nei nelle con su sul sulla sui sulle per tra fra e ed o ma se che
chi cui quale quali quando dove come perché quanto questo questa questi queste quello quella io mi
tu ti lui lei noi ci voi vi loro si suo sua suoi sue è sono era erano essere stato stata sia ha
hanno aveva avere può possono deve devono non sì anche più molto
"""
_DUTCH = """
de het een en of maar want als dat die dit deze wie wat wanneer waar waarom hoe welke van in op aan
te ter ten tot bij met zonder voor door over onder tussen naar uit om tegen sinds tijdens ik mij je
jij hij hem zij ze haar wij we ons jullie u hun mijn zijn is was waren ben bent wordt worden werd
werden heeft hebben had hadden kan kunnen moet moeten mag mogen zal zullen niet geen nee ja ook nog
al zeer er zich
"""
_PORTUGUESE = """
o a os as um uma uns umas de do da dos das ao à aos às em no na nos nas com sem por pelo pela para
sobre entre até desde e ou mas se que quem qual quais quando onde como porque quanto este esta
estes estas esse essa isso aquele aquela eu me tu te ele ela nós vós eles elas lhe seu sua seus
suas é são era eram ser sido foi foram está estão estar tem têm tinha ter pode podem deve devem
não sim também muito mais já
"""

FUNCTION_WORDS: Final[dict[str, frozenset[str]]] = {
    "en": frozenset(_ENGLISH.split()),
    "de": frozenset(_GERMAN.split()),
    "fr": frozenset(_FRENCH.split()),
    "es": frozenset(_SPANISH.split()),
    "it": frozenset(_ITALIAN.split()),
    "nl": frozenset(_DUTCH.split()),
    "pt": frozenset(_PORTUGUESE.split()),
}

# Words that make up an English question and that its answer need not hold.
_QUESTION = """
tell say explain describe list name give mean means called happen happens please know
"""
QUESTION_WORDS: Final = frozenset(_QUESTION.split())

# First word: the base form; the others: forms that a suffix stemmer does not bring to it.
_IRREGULAR = """
arise arose arisen|awake awoke|bear bore borne|beat beaten|become became|begin began begun
bend bent|bind bound|bite bit bitten|bleed bled|blow blew blown|break broke broken
bring brought|build built|burn burnt|buy bought|catch caught|choose chose chosen|come came
deal dealt|dig dug|draw drew drawn|drink drank drunk|drive drove driven|eat ate eaten
fall fell fallen|feed fed|feel felt|fight fought|find found|fly flew flown|forbid forbade forbidden
forget forgot forgotten|freeze froze frozen|get got gotten|give gave given|go went gone
grow grew grown|hang hung|hear heard|hide hid hidden|hold held|keep kept|know knew known
lay laid|lead led|leave left|lend lent|lose lost|make made|mean meant|meet met|mistake mistook
overcome overcame|pay paid|prove proven|ride rode ridden|ring rang rung|rise rose risen
run ran|say said|see saw seen|seek sought|sell sold|send sent|shake shook shaken|shine shone
shoot shot|show shown|shrink shrank shrunk|sing sang sung|sink sank sunk|sit sat|sleep slept
speak spoke spoken|spend spent|stand stood|steal stole stolen|stick stuck|strike struck
swear swore sworn|swim swam swum|take took taken|teach taught|tear tore torn|tell told
think thought|throw threw thrown|undergo underwent undergone|understand understood
undertake undertook undertaken|wake woke woken|wear wore worn|win won|wind wound
withdraw withdrew withdrawn|withhold withheld|withstand withstood|write wrote written
man men|woman women|child children|person people persons|foot feet|tooth teeth|mouse mice
life lives|wife wives|knife knives|leaf leaves|half halves|loss losses|analysis analyses
criterion criteria|phenomenon phenomena|index indices|datum data|medium media
old older elder eldest oldest|good better best|bad worse worst|far further farther
"""

IRREGULAR: Final[dict[str, str]] = {
    form: line.split()[0]
    for row in _IRREGULAR.split("\n")
    for line in row.split("|")
    if line.strip()
    for form in line.split()[1:]
}
