"""Fitted values of the lexical judge, written by `scripts/fit_lexical.py`.

Version 2. Measured on the pairs of the fit, each left out in its turn:

- five folds: kept 0.349, false pass 0.094, flips 0.068
- source left out: kept 0.357, false pass 0.104, flips 0.071
"""

from __future__ import annotations

from typing import Final

__all__ = ["BIAS", "RARITY", "THRESHOLD", "UNKNOWN", "VERSION", "WEIGHTS"]

VERSION: Final = 2
BIAS: Final = -0.097
THRESHOLD: Final = 0.34
WEIGHTS: Final[dict[str, float]] = {
    "coverage": 0.445,
    "unmatched": -0.943,
    "tail": -0.387,
    "number": -0.663,
    "name": -1.761,
    "negation": -1.205,
    "dropped": -1.116,
    "universal": -2.841,
    "partial": -0.171,
    "only": -0.852,
    "modality": -2.519,
    "lowered": -0.455,
    "speaker": -0.813,
    "agrees": 0.645,
    "differs": -0.298,
}
UNKNOWN: Final = 6.50

# Inverse document frequency (natural logarithm, in quarters) of word keys.
_LEVELS: Final = """
0.25: and of the
0.50: a in to
0.75: as is
1.00: by for it that with
1.25: be from not on or
1.50: an are at other this was which
1.75: all ani have includ inform such use
2.00: also but confidenti has may were year
2.25: agreement between can disclos follow know make no onli parti person provid receiv relat s
2.25: shall term than their time who will write
2.50: after been busi develop differ disclosur dure each first group he his if mean more need new
2.50: purpos requir result state these they under when without
2.75: about agre+ee american base becom both compani day direct do effect employe+ee end form give
2.75: had i increas into law limit million most non oblig oper our over part plan prior process
2.75: product public reason respect right signific take there third those through we within work
2.75: would
3.00: accord addit author avail b befor benefit certain chang compar contain control cost custom+er
3.00: date datum decemb+er design document except film financi find general good her high how
3.00: howev+er interest mani market materi name natur order out own p perform period properti
3.00: protect record refer remain report repres return same servic set show similar so some specif
3.00: studi them unit up upon well where whether while you
3.25: access act activ area asset begin c call care case come common condit connect continu copi
3.25: current d defin discuss doe due e either evalu expens help hold identifi import keep legal
3.25: less level life like maintain net note number oral otherwis place play price proprietari rate
3.25: releas request respons sale second secret see seri she subject support system tabl tax then
3.25: total trade understand valu way what world
3.50: abov account against agent allow analysi anoth+er appli applic appropri around associ becaus
3.50: born breach caus child collect communic complet concern confid consider could creat decreas
3.50: degre+ee deriv did event exampl extent far+er fiscal futur get go govern grant health herein
3.50: higher ii improv incom independ individu invest involv later lead learn list long loss measur
3.50: member model much nation now obtain offer origin patient per point posit possibl potenti
3.50: prepar present prevent primarili produc profession program provis recipi regard research
3.50: revenu role secur sever share should sign sinc team therefor treatment u us your
3.75: acknowledg acquir action although amount appear back basi below bind bodi capit cash citi
3.75: commerci comput+er consent consid consist consult contract corpor countri cours court definit
3.75: describ determin draw earli electron entiti even exchang execut expect express final forc
3.75: free great him home iii issu john june larg least liabil live locat look main major man manag
3.75: march mark matter medium meet method month must necessari notic observ often particip
3.75: particular pay possess post practic propos question rang reduc reflect relationship restrict
3.75: review risk run say section septemb+er softwar sole sourc statement still success technic
3.75: technolog televis tell think titl togeth+er transact treat unless until various week wherea
4.00: achiev acquisit actual address administr affect affili age agre among april august averag
4.00: award believ challeng claim client combin competit consolid constitut credit deem depend
4.00: desir detail director distribut duti econom employ english ensur enter establish estim
4.00: exercis exist fact famili featur feder financ focus forth function furnish g game good+er
4.00: grow growth herebi hous human immedi impact indic industri initi intellectu intend internat
4.00: januari king knowledg land languag last licens line low lower m manner medic my network north
4.00: object occur octob+er off offic+er option organiz permit physic polici popular portion power
4.00: previous problem procedur project publish pursuant reach recogn regul rule season seek serv
4.00: short singl social song south standard star start stock stori strategi structur student
4.00: techniqu test thereof train type usual veri visual want war weight wide win woman york
4.25: abil accept across actor add adjust air album alreadi am america approv approxim ask assess
4.25: assist attempt attribut avoid balanc behalf blood book british build calcul carri center
4.25: centuri charact+er charg choos civil class close co communiti compet compli compon comprehens
4.25: concept confirm consid+er construct contact contribut cover critic damag death decis defer
4.25: demonstr dissemin domain down drive earn earth effort enforc engag entir environ equip everi
4.25: evid experi expressli facil factor fair far februari feel figur foreign former formula fourth
4.25: friend full gain generat greater hereto histori idea ident incorpor indirect insur interact
4.25: interpret invent jurisdict just local love manufactur might move movement multipl music
4.25: mutual near negoti next nor novel novemb+er offic offici offset old onc open opportun outcom
4.25: overal parent partial past patent personnel popul pre preserv princip profit prompt purchas
4.25: receipt recent red regular remov retain reveal rise school score select self sell side small
4.25: sound speak special stage statist step store subsequ tangibl termin thousand thus today top
4.25: tri typic unauthor undertak universiti valid vari view vs west whatsoev+er whole word
4.50: abl adopt advanc affair al along alway anim announc answer anyon approach aris arrang art
4.50: audit awar away bad baselin basic billion bring categori cell central certifi ci circumst
4.50: clear code commit compens compil complianc conduct constru contractu copyright cultur deal
4.50: decid demand destroy devic disclos+er discount diseas dollar drama east educ elect energi
4.50: engin england entitl equiti especi exclud exclus exposur f fall fee few field file fix flow
4.50: food forego format french fund georg global goal government gross h half hand head hear here
4.50: hereund+er histor hospit hour ill indian input instead intang intent internal intervent
4.50: introduc island item itself juli key kill kind kingdom largest leagu leas leav littl longer
4.50: lose me militari mix modern n neither never normal noth notifi notwithstand owner paper
4.50: partner pass pattern payment percentag placebo pleas polit presid privat proceed prohibit
4.50: qualiti quarter r rather read real recommend reduct region relev remedi represent reserv
4.50: resourc river sampl segment send sensit singer site situat solut sometim son specifi stand
4.50: strict strong studio subsidiari suffici supplier surviv symptom task thing though transfer
4.50: transmit transport true turn uk vendor via video violat volum water whom william
4.75: absolut accuraci actress adapt adult advisor afford agenc almost ancient annual arm articl
4.75: artist assign assum attent attorney background band bank behavior belong bestinsurancexyz
4.75: bill black board bond brother budget california canada career chain china classifi clinic
4.75: color comedi committe+ee concentr conflict consequ content context cooper crime cut daili de
4.75: debut deliv depart descript destruct detect die discoveri divid drug edit effici element
4.75: email emot enough environment episod equival essenti et europ examin extend extern extract
4.75: face firm fit footbal franc goe green ground handl happen hard hardwar harm heart highest
4.75: himself impli inc incur institut intellig iv job joint lack late leader length let letter
4.75: light link machin magazin mental mind minut mobil money morn mother news numer o onlin pain
4.75: percent perman plant player predict prefer pressur promot proper proport prospect prove
4.75: provid+er put quick quot rais rank realiz regardless replac republ respond rest revers robert
4.75: safe save schedul scienc sea separ serious ship size skill societi soon status strateg stress
4.75: substanti suggest summari sun suppli sure surround symbol talk target teacher thank themselv
4.75: theori thereto threaten throughout too toward tradit transit travel trust unauthoris uniqu
4.75: user util valuabl valuat vehicl versus visit voic whatev+er whi white whose x yes yet
5.00: accompani adequ advantag advers advis africa african alloc altern ann anyth appoint armi
5.00: aspect assur attack bc beyond big birth blue box break capac car cent characterist charl
5.00: chart check claus club cognit colleg coloni com comic complex composit compris comput conclus
5.00: confer constant contractor convers coordin correspond counsel counti coven coverag creation
5.00: cross currenc cycl daughter david dead debt decad declar declin defens deliveri depreci
5.00: depress despit difficult digit district divis divulg doctor done doubl elsewher emergenc
5.00: empir enabl enhanc entertain equal european ever experienc explain explor eye fail father
5.00: fault favor fiction fight found freedom frequent front fulli furthermor germani girl gold
5.00: graphic greatest guard henri hide highlight hit host imag implement impos india infect
5.00: influenc infrastructur inspect inspir instanc instrument integr inventori investig investor
5.00: ireland join k l latin legend liabl london marri mass median memoranda memori mention mid
5.00: middl modifi mount mr negat night notabl opinion oppos organis outstand ownership page
5.00: pension permiss plasma poor premier primari principl progress promin psycholog pursu race re
5.00: reaction regulatori reliabl relief repeat reproduc reproduct resist retir richard rock round
5.00: rout safeti scene scientif screen seem sens session shape sheet shift shoot skin solv someon
5.00: someth southern space spanish speech spend sport staff stockhold+er stop storag style sub
5.00: suffer suit summar teach temperatur tend text tour town tv undersign unlik v varieti walk
5.00: wall warranti washington western wish worldwid wrong young
5.25: academi ad advertis again aim algorithm amend amort analyz appeal architectur artifici asia
5.25: attach attend attract auditor auto battl billboard biolog bite border boundari brain branch
5.25: broker campaign candid capabl captur cast ceremoni champion childhood choic christian chronic
5.25: clean cloth cloud collabor commiss compel conclud configur consecut contempl convert convey
5.25: correct coupl dark deduct deep deliv+er deposit develop+er discov distinct divers dividend
5.25: dose dr easili eastern elimin embodi emerg enact encourag engin+er exact excess expand extrem
5.25: facilit failur feed flexibl florida foot forecast forward gather god goodwil greek heat
5.25: hereinaft+er hereof impair incid infant injuri insid interview invas invit jame japan judg
5.25: justic label literatur loan magnet margin mari messag metal mexico michael mississippi
5.25: molecul molecular monitor multi nativ navi nbc neural northern ocean okay old+er paint pair
5.25: paragraph paramet+er path peac peak perspect peter photograph pictur piec plus poem premis
5.25: print probabl produc+er qualifi ratio recognit resid restructur revolut road routin salari
5.25: san schemat scheme scope search secondari seller senior sequenc settlement signal silver
5.25: simpli sing slight smaller spain speci speed spirit spot st statutori stay suprem surfac
5.25: survey t temporari texa theme therapi tool track trademark translat union usa verif verifi
5.25: virus vote waiv warn watch web worker yield zealand
5.50: abnorm accumul accur advic aforesaid alon anticip anxieti appar argu basebal bear belief
5.50: blind broad brown canadian celebr chemic chemistri classic climat combat comment complic
5.50: compos compound consum+er contrast convent core crisi deloitt democrat discontinu discov+er
5.50: disord+er domest domin drink duplic earlier economi egg emphas enjoy etc exhibit experiment
5.50: exploit farmer femal fiber finish fleet formal foundat framework fuel fulfil german golden
5.50: governor grade harri hire hot household identif ignor injunct insert internet irrepar j
5.50: journal judgment judici larger lee lifetim mainten male manag+er manufactur+er match matur
5.50: maximum meanwhil methodolog mission moment motiv naval navig nondisclosur none optic orbit
5.50: outsid partnership payabl phase phone phrase portray presenc promis prototyp recur reform
5.50: render resolut roll russian scale sector sharehold+er smith smoke songwrit+er strain subpoena
5.50: supplement theoret toler trial variabl verbal virginia virtual w waiver websit wife wonder
5.50: writer
"""
RARITY: Final[dict[str, float]] = {
    key: float(level)
    for level, _, keys in (line.partition(":") for line in _LEVELS.strip().split("\n"))
    for key in keys.split()
}
