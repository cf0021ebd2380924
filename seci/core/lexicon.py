"""General words of English, German and Dutch that comparing two notes needs: closed classes, written by hand.

Only words of the common language stand here, nothing of a domain. Each table is one string, for reading and for
diffs; `Lexicon` holds them parsed. Phrases are replaced before words are read: `=name` on the right of a phrase is
a marker (`NEVER`, `END` and so on in `wording.py`), anything else is the word that stands for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

_FUNCTION = {
    "en": """
        a an the this that these those there here it its it's they them their theirs he him his she her hers i
        me my mine you your yours we us our ours one's who whom whose which what where when why how if then than
        as is are am was were be been being do does did done have has had having will would shall should can
        could may might must ought let lets get gets got of in on at by for with to from into onto upon about
        over under after before between during through within per via and or but nor so because since while
        whereas although though until till unless also too very quite just even still yet already only own same
        such both all any some each every either other others another more most much many few less least again
        once up down out off around please s t re ve ll d m d'you that's there's what's let's he's she's we're
        they're it'll ok okay one against along among across behind beyond above below near toward towards however
        therefore thus hence like whether whenever together alongside
    """,
    "de": """
        danach davor daher deshalb deswegen dabei dafür dadurch
        der die das den dem des ein eine einen einem einer eines dieser diese dieses diesen diesem es er sie ihn
        ihm ihr ihre ihren ihrem sein seine seinen ich mich mir mein meine du dich dir dein deine wir uns unser
        unsere unserer unseren euer sich man wer was wo wann warum wie welche welcher welches ist sind war waren
        bin bist wird werden wurde wurden geworden hat haben hatte hatten habe sei soll sollen sollte
        kann können konnte muss müssen musste darf dürfen mag möchte will wollen lass lasst von in im an am auf
        aus bei beim mit nach zu zum zur für über unter vor hinter zwischen durch um bis gegen ab seit während
        wegen und oder aber sondern denn weil da dass damit wenn als ob so auch noch schon nur sehr mehr viel
        viele alle alles jede jeder jedes jeden jedem andere anderen dann dort hier es's
    """,
    "nl": """
        de het een deze die dit dat er hij zij ze hem haar zijn hun ik mij me mijn jij je jou jouw u uw wij we
        ons onze jullie zich men wie wat waar wanneer waarom hoe welke welk is ben bent was waren wordt worden
        werd werden geworden heeft hebben had hadden heb zal zullen zou zouden kan kunnen kon moet moeten moest
        mag mogen wil willen laat laten van in aan op uit bij met naar te ten ter voor over onder na achter
        tussen door om tot tegen sinds tijdens wegens en of maar want omdat doordat dat zodat als dan zo ook nog
        al alleen zeer heel meer veel alle alles elke elk ieder iedere andere daar hier
    """,
}

# Verbs, adverbs and nouns that carry little of what a note says: they may differ between two wordings of one thing.
_LIGHT = {
    "en": """
        use make made go gone schedule scheduled come came keep kept put set give gave given take took taken
        find found know knew known look seem need want like prefer preferred rather choose chose chosen decide
        serve handle provide power allow enable help try mean meant require call say said tell told run ran stay
        remain stand sit lie hold held contain include start begin began stop end turn show send sent written
        write wrote build built follow agree plan aim turn happen do get got must thing way kind sort lot bit
        mainly usually generally normally always often sometimes really actually basically simply mostly
        especially exactly directly roughly approximately about around nearly almost best better good new newly
        now today later soon finally next long big small great able possible available sure necessary currently
        current default due thanks instead else everything anything something own concern regard whole entire
        overall various different certain particular respective note remember ensure ensuring enjoy love insist
        actual still simply own along instruction standing remark
    """,
    "de": """
        nutzen nutzt genutzt benutzen benutzt verwenden verwendet verwendung machen macht gemacht gehen geht
        geben gibt kommen kommt liegen liegt stehen steht laufen läuft heißt heißen nennen genannt bleiben
        bleibt lassen bevorzugt bevorzugen lieber gern gerne gegenüber brauchen braucht immer meist oft
        eigentlich einfach neu neue neuer neues aktuell derzeit zurzeit heute erstellt sowie etwa ungefähr lang
        lange groß große klein gut besser beste grund firma herr frau stets jeweils geplant
    """,
    "nl": """
        gebruiken gebruikt gebruik maken maakt gemaakt gaan gaat geven geeft komen komt liggen ligt staan staat
        lopen loopt draaien draait heet heten noemen blijven blijft verkiest verkiezen liever graag boven nodig
        altijd meestal vaak eigenlijk gewoon nieuw nieuwe actueel momenteel vandaag ongeveer lang groot grote
        klein goed beter beste reden bedrijf meneer mevrouw steeds gepland ontvangen
    """,
}

# Whose memory it is, and what everything in a project belongs to: sharing these says nothing about a subject.
_GENERIC = {
    "en": "user users we team project our company everyone i you repo repository codebase developer",
    "de": "nutzer nutzerin benutzer benutzerin wir team projekt nutzers",
    "nl": "gebruiker gebruikers wij we team project",
}

# What stands between bars is one meaning; a word may stand in several. Inflected forms are found by their root.
_SYNONYMS = """
    request req | working business |
    use employ utilise utilize | via through | prefer rather favour favor like enjoy love best | fond
    | choose
    chosen chose pick picked select selected decide decision opt | listen serve | run running ran execute | live
    stored store located found sit stay kept lives saved persisted hold held holds | expire valid validity
    lifetime ttl lifespan live lives | retention retain keep kept preserve | big large huge great | small little
    tiny | fast quick rapid speedy swift | slow sluggish | hard difficult tough | easy simple | begin start
    commence launch | end finish stop complete conclude | buy purchase bought acquire | fix solve solved resolve
    resolved repair cure | fail failed crash break broke broken die dies died | error failure fault | bug defect
    | delete remove erase drop | create make add build built generate | send sent deliver dispatch goes mail |
    receive get accept accepted | ask request asked demand want wants | show display present | speak talk
    speaking | hash hashed | main primary principal | weekly | daily everyday | monthly | yearly annual annually
    | keep stay remain | under below | need require must requirement necessary | forbidden prohibited banned
    disallowed | client customer | contact | bill invoice | holiday vacation | meeting appointment | call phone
    | picture image photo | folder directory | ship release released releases publish published | plan planned
    scheduled schedule intend | goal target aim objective | because reason cause caused | flaky unreliable
    unstable | leftover old stale orphaned remaining | port | kill terminate killing | hot spicy | large
    audience group crowd | firm bite | noon midday lunchtime | morning am | evening pm night | simulating
    simulate load | trip journey travel travelling traveling | train rail | seat sit | daughter girl | son boy |
    kid child children | live lives living reside residing moved moves move relocated based | work works job
    employed employer join joined joins | wohnt wohnen gezogen umgezogen umzug lebt leben | woont wonen verhuisd
    leeft | arbeitet arbeiten beschäftigt | werkt werken werkzaam | money cost costs expense savings save price
    | cheap inexpensive | automatic automatically auto | trigger triggers cause starts | dish meal | diet eat
    eats food | allergic allergy | job work position employment | wife spouse husband partner | house home |
    answer reply response respond | example sample | require need | share shared | question query | help support
    assist | explain describe | document documentation doc docs | file files | method function | setting
    settings option configuration config configure | environment env | variable variables var | application app
    | database db | administrator admin | repository repo | information info | development dev | production prod
    | authentication auth login | reference ref | directory dir | parameter param argument arg | specification
    spec | documentation docs | kubernetes k8s | javascript js | typescript ts | postgres postgresql |
    productive efficient done | nervous anxious afraid | regular regularly | entire whole all | mandatory
    obligatory compulsory required | code codebase | team group | performance speed | back backup backed | turn
    switch | off disabled disable | on enabled enable | twice | email mail e-mail | url address link website |
    latest newest recent | near close next | quiet silent | angry mad upset | happy glad pleased | sad unhappy |
    smart clever | ill sick | doctor physician | car automobile vehicle | bike bicycle cycling cycle | film
    movie | autumn fall | flat apartment | lift elevator | shop store | sofa couch | garbage trash rubbish |
    biscuit cookie | aubergine eggplant | courgette zucchini | coriander cilantro | mobile cell phone smartphone
    | tv television | laptop notebook | screen monitor display | quick prompt | reboot restart | quit exit leave
    | frist deadline termin | sicherung backup sicherungen | fehler error fehlschlag | fehlschlug fehlgeschlagen
    schlug fehl scheitern gescheitert | weil wegen da | nutzen verwenden benutzen einsetzen | lieber bevorzugen
    vorziehen bevorzugt | läuft laufen joggen joggt | heißt heißen name | aufbewahrt aufgehoben aufbewahren
    aufheben gespeichert speichern behalten | täglich tägliche | schnell rasch | groß gross | kunde kundin |
    rechnung rechnungen | besprechung meeting treffen | beginnen beginnt starten startet anfangen | wohnen wohnt
    lebt leben | gebruiken benutten | liever verkiezen verkiest | bewaren bewaard bewaartermijn opgeslagen
    opslaan | fout error | mislukt mislukte faalde falen faalt | klant | factuur facturen | vergadering afspraak
    overleg | beginnen begint start starten | snel vlug | groot | wonen woont leeft leven | dagelijks dagelijkse
    | omdat doordat wegens | loopt hardlopen lopen rent rennen
    | left omit omitted skip | kill killed terminate | prefer rather want wants wish wishes | compare compared
    comparison evaluate evaluated evaluation | lowest fastest quickest | latency speed | maintenance upkeep |
    operate run | matter mattered count counted important | short brief concise terse | introduction intro
    preamble | answer reply replies | check verify validate inspect | carry have | pass succeed green | text
    copy wording | container image | allow permit let | limit cap ceiling restrict restricted limited maximum
    max | size volume | trigger cause lead | break fail | error exception | mistake error | happen occur arise |
    hide conceal | keep retain hold | avoid prevent | ensure guarantee | replace swap substitute | change modify
    alter adapt edit | merge combine join | split divide separate | copy duplicate | move shift transfer
    relocate | load read | write save store | log record | watch monitor observe | measure track | report tell
    inform notify | remind notify alert | raise throw | return give yield | reject refuse decline deny | approve
    accept confirm sign-off | review inspect check | owner responsible charge owns maintain maintains maintainer
    | lead manage head run | boss manager supervisor lead | colleague coworker teammate | employee staff worker
    | company firm employer business | salary pay wage | cost price expense fee | money fund budget | cheap
    affordable inexpensive | expensive costly pricey | sell sold | customer client buyer | partner | vendor
    supplier | order purchase | delivery shipping shipment | contract agreement | deadline due | date day |
    schedule plan calendar | delay postpone late | cancel | meeting call sync standup | morning | lunch |
    evening | weekend | begin start kick | end finish close | complete finish done | whole full entire complete
    | part piece portion section | kind type sort | way method manner approach | idea concept | problem issue
    trouble difficulty | solution fix remedy answer workaround | cause reason culprit | result outcome effect |
    goal aim target objective | need require demand | want desire wish | help assist support aid | teach train |
    learn study | know understand familiar experience | remember recall | forget | think believe consider | like
    enjoy love fond | hate dislike detest | prefer favour favor | hobby pastime | sport exercise workout
    training | run running jog jogging | walk stroll | trip journey travel holiday vacation | flat apartment |
    house home | town city | country nation | language tongue | food meal dish | cook prepare make | eat consume
    | drink | buy get purchase acquire | pet animal | dog puppy | cat kitten | child kid | parent | wife husband
    spouse partner | sibling | friend buddy | old former previous ancient | new fresh recent | fast quick rapid
    | slow sluggish | big large huge | small little tiny | good fine nice | bad poor terrible | easy simple
    straightforward | hard difficult tricky | safe secure | danger risk | public open | private internal |
    separate own dedicated distinct | single one sole | several multiple various many | each every | only just
    solely | roughly about approximately | always constantly | never | often frequently | rarely seldom |
    rebuild rebuilt regenerate recreate | refresh reload update renew | reload refresh restart | boot start
    startup launch | deploy deployment rollout release ship | install setup | uninstall remove | configure set |
    enable activate | test check trial | bug defect fault | crash abort die | hang freeze stuck | timeout |
    retry repeat | cache cached | queue backlog | worker job task | script program | tool utility | library
    package dependency dependencies module | service server | endpoint route | field attribute property column |
    table relation | row record entry | key id identifier | user account | password secret credential
    credentials | token | role permission right | folder directory | path location | name title label | tag
    label | note remark comment | draft sketch | page site | button | form | style tone voice | font typeface |
    colour color | picture image photo screenshot | video clip recording | sound audio | newsletter mailing |
    article post blog | heading headline title | paragraph passage | sentence phrase | word term | summary
    overview abstract | detail | example sample instance | template boilerplate | guideline rule policy
    convention | must mandatory required obligatory | optional voluntary | default standard | manual hand
    handmade | hourly | backup copy | restore recover recovery | power drive fuel back | host hosted run
    deployed | serve provide offer supply | handle process deal | search find lookup | sort order arrange |
    filter select | group bundle batch | list enumerate | count number amount quantity total | average mean |
    increase raise grow | decrease reduce lower shrink | budget funds | phase stage step | version release |
    branch | commit | issue ticket | pull-request | sprint iteration | roadmap plan | milestone | feature
    functionality | spec specification requirement | demo presentation show showed present presented | board
    management directors | approve approved agree agreed grant granted | prototype mockup | contain include hold
    have | locate reside sit live | speak talk chat | call phone ring telephone | mail email send | mention say
    state tell | ask request query | answer respond | show display render | open launch | stop halt end | wait
    pause | sleep rest | free available | busy occupied | absent away off | present there | join enter | leave
    exit quit | arrive come | go travel | stay remain | turn become | grow expand | own have possess | lose miss
    | win | pay settle | invoice bill | tax vat | bank | quarter | annual yearly | weekday workday | stale old
    outdated leftover | unused dead | rename | nobody none | first initial | last final | next following
    upcoming | currently presently now | antwort antworten | inleiding voorwoord | korte kort bondig | kurz
    knapp | wahl entscheidung entschieden gewählt ausgewählt | erfahrung kennen kennt vertraut | bekommen
    erhalten kriegen bekommt erhält | schicken senden verschicken versenden verschickt gesendet zugeschickt |
    ontvangen krijgen krijgt ontvangt | sturen verzenden verstuurd verzonden stuurt | löschen entfernen gelöscht
    entfernt | wissen verwijderen gewist verwijderd | ändern anpassen geändert angepasst | wijzigen aanpassen
    gewijzigd aangepast | anzeigen zeigen gezeigt angezeigt | tonen laten weergeven getoond weergegeven | prüfen
    testen kontrollieren geprüft | controleren nakijken gecontroleerd | müssen brauchen | erlauben zulassen
    erlaubt | toestaan mogen toegestaan | beenden stoppen | vermeiden verzichten | vermijden | arbeiten tätig |
    mögen gern | houden leuk graag | kosten preis kostet | kosten prijs kost | auto wagen | wohnung zuhause |
    huis woning thuis | kind kinder | kinderen kind | frau ehefrau | vrouw echtgenote | mann ehemann | man
    echtgenoot | treffen besprechung sitzung meeting termin | vergadering overleg bijeenkomst meeting | anfang
    beginn start | einde slot | ordner verzeichnis | map directory folder | datei file | bestand file | server
    rechner | gast besucher | schreiben verfassen | schrijven opstellen | lesen | lezen | wichtig wesentlich |
    belangrijk | nur ausschließlich lediglich | alleen uitsluitend slechts | immer stets jedes | altijd steeds |
    wegen aufgrund | jede alle | verantwortlich zuständig betreut | verantwoordelijk beheert eigenaar
"""

# Words that differ on purpose: two notes that part here speak of different things, or say the opposite.
_OPPOSITES = """
    separate together | separate shared | separate joint | getrennt zusammen | getrennt gemeinsam | apart samen |
    trace debug info warn warning error fatal | main master develop trunk | missing present | lacking present |
    english german dutch french spanish italian portuguese polish | englisch deutsch niederländisch französisch
    spanisch italienisch | engels duits nederlands frans spaans italiaans | postgres postgresql mysql mariadb sqlite
    mongodb oracle | npm pnpm yarn bun | json yaml toml xml csv parquet protobuf | grpc rest graphql soap |
    uuid ulid serial auto-increment | kafka rabbitmq sqs | redis memcached | pytest unittest | jest vitest mocha |
    webpack vite rollup esbuild | react vue svelte angular | aws azure gcp | euro dollar pound | celsius fahrenheit |
    structlog loguru | jwt cookie | slack teams mattermost | merge rebase squash | black ruff | gzip zstd brotli |
    cron systemd | docker podman | helm kustomize | terraform pulumi ansible | jenkins drone | bus train car bike |
    zug auto fahrrad | trein auto fiets | gas electric induction | owner tenant | butter margarine oil |
    singular plural | enkelvoud meervoud | einzahl mehrzahl | omit contain | omits contains | uppercase lowercase |
    snake_case camelcase kebab-case pascalcase | likes hates | love hate | loves hates | inclusive exclusive |
    lazy eager | blocking non-blocking | stateful stateless | monorepo polyrepo | rebase squash merge-commit |
    on-site remote | in-person remote | online offline | indoors outdoors | paper digital | printed digital |
    permanent temporary | fixed variable | fixed-term permanent | full-time part-time | vollzeit teilzeit |
    voltijd deeltijd | befristet unbefristet | tenant owner | lease buy | rent buy | mieten kaufen | huren kopen |
    cash card | bar karte | contant pin | ground upper | sharp still | sparkling still | red-wine white-wine |
    left-handed right-handed | linkshändig rechtshändig | linkshandig rechtshandig | early-bird night-owl |
    sit stand | sitting standing | du sie | je u | jij u | formal informal | förmlich locker | formeel informeel |
    untouched deleted | untouched removed | untouched erased | untouched cleared | untouched wiped | untouched changed |
    works broken | working broken | funktioniert kaputt | werkt kapot | gratis betalen | gratis betaald |
    kostenlos kostenpflichtig | flaky stable | unstable stable | customer supplier | customer vendor |
    customer employee | client supplier | client vendor |
    weekday weekend | indoor outdoor | ascending descending | upstream downstream | inner outer |
    arrival departure | deposit withdrawal | credit debit | gross net | wholesale retail | ipv4 ipv6 | stdout stderr |
    prefix suffix | odd even | landlord tenant | teacher pupil | teacher student | explicit implicit | author reviewer |
    kunde lieferant | klant leverancier | ankunft abfahrt | aankomst vertrek | eingang ausgang | ingang uitgang |
    oben unten | innen außen | binnen buiten | einkauf verkauf | inkoop verkoop | brutto netto | bruto netto |
    sommer winter frühling herbst | zomer winter lente herfst | vorne hinten |
    staging production prod test testing development dev local preview sandbox qa | frontend backend | client
    server | upload download | read write | input output | minimum maximum min max | first second third fourth
    fifth sixth last | erste zweite dritte vierte | eerste tweede derde vierde | left right |
    top bottom | upper lower | internal external | public private | enable disable | enabled disabled | on off |
    open close | open closed | start stop | begin end | increase decrease | before after | manual automatic |
    manually automatically | sync async | synchronous asynchronous | allow deny forbid block | accept reject |
    include exclude | inbound outbound | incoming outgoing | source target destination | primary secondary
    replica | parent child | sender receiver recipient | buyer seller | morning afternoon evening night noon
    midnight | daily weekly monthly yearly nightly hourly quarterly | day night | summer winter spring autumn
    fall | mother father | sister brother | son daughter | wife husband | hot cold warm | dry wet | sweet sour
    salty | light dark | early late | high low | always never sometimes | free paid team enterprise pro basic |
    ios android windows linux macos mac | unit integration e2e | alpha beta gamma | sign-up cancellation signup
    | desktop mobile tablet | user admin editor viewer guest | request response | get post patch delete | old
    new | long short | big small | fast slow | full empty | single double triple | horizontal vertical | row
    column | encrypt decrypt | push pull | import export | login logout | success failure | success error |
    strict lenient | white black red green blue yellow | north south east west | tea coffee | tabs spaces |
    vegan vegetarian meat | aisle window | breakfast lunch dinner | unit integration end-to-end | local remote |
    static dynamic | required optional | mutable immutable | compile runtime | header footer | keeps deletes |
    keep delete remove | create delete | plain bold | salt sugar | beef pork chicken fish | single married
    engaged divorced | aktiviert deaktiviert | öffentlich privat | manuell automatisch | schwester bruder |
    mutter vater | sohn tochter | morgens abends mittags | vormittag nachmittag abend nacht morgen | täglich
    wöchentlich monatlich jährlich | links rechts | eingehend ausgehend | kaffee tee | ingeschakeld
    uitgeschakeld | openbaar privé | handmatig automatisch | zus broer | moeder vader | zoon dochter | ochtend
    middag avond nacht | dagelijks wekelijks maandelijks jaarlijks | inkomend uitgaand | koffie thee
"""

_IRREGULAR = """
    entscheiden entschieden entscheidung |
    write wrote written | choose chose chosen | send sent | keep kept | hold held | take took taken | begin
    began begun | run ran | build built | find found | get got gotten | give gave given | go went gone | know
    knew known | lead led | leave left | lose lost | make made | meet met | pay paid | read | say said | see saw
    seen | sell sold | set | sleep slept | speak spoke spoken | spend spent | tell told | think thought | throw
    threw thrown | wake woke | wear wore worn | win won | buy bought | bring brought | break broke broken |
    drive drove driven | eat ate eaten | fly flies flew flown flight flights | use used uses using | forget
    forgot forgotten | grow grew grown | hear heard | rise rose risen | teach taught | feel felt | draw drew
    drawn | drink drank drunk | sing sang sung | sit sat | stand stood | steal stole stolen | swim swam swum |
    die dies dying | lie lies lying | tie ties tying | mean meant | lend lent | catch caught | fall fell fallen
    | child children | person people | man men | woman women | mouse mice | foot feet | tooth teeth | half
    halves | life lives | index indices indexes | criterion criteria | datum data | leaf leaves | shelf shelves
    | knife knives | läuft laufen lief gelaufen | fährt fahren fuhr gefahren | isst essen aß gegessen | spricht
    sprechen sprach gesprochen | nimmt nehmen nahm genommen | liest lesen las gelesen | trifft treffen traf
    getroffen | hilft helfen half geholfen | schläft schlafen schlief | trinkt trinken trank getrunken |
    schreibt schreiben schrieb geschrieben | backt backen gebacken | startet starten gestartet | fehlt fehlen
    fehlte fehlend fehlenden | heißt heißen hieß | hält halten hielt gehalten | loopt lopen liep gelopen | eet
    eten at gegeten | drinkt drinken dronk gedronken | schrijft schrijven schreef geschreven | koopt kopen kocht
    gekocht | ontbreekt ontbreken ontbrak | kiest kiezen koos gekozen | slaapt slapen sliep | spreekt spreken
    sprak gesproken | draait draaien draaide gedraaid | woont wonen woonde gewoond | leest lezen las gelezen |
    rijdt rijden reed gereden
"""

_NUMBERS = """
    0 zero null nul | 1 one eins één | 2 two twice zwei zweimal twee tweemaal couple both | 3 three drei drie
    thrice dreimal | 4 four vier viermal | 5 five fünf vijf | 6 six sechs zes | 7 seven sieben zeven | 8 eight
    acht | 9 nine neun negen | 10 ten zehn tien | 11 eleven elf | 12 twelve zwölf twaalf | 13 thirteen dreizehn
    dertien | 14 fourteen vierzehn veertien | 15 fifteen fünfzehn vijftien | 16 sixteen sechzehn zestien | 17
    seventeen siebzehn zeventien | 18 eighteen achtzehn achttien | 19 nineteen neunzehn negentien | 20 twenty
    zwanzig twintig | 30 thirty dreißig dertig | 40 forty vierzig veertig | 50 fifty fünfzig vijftig | 60 sixty
    sechzig zestig | 70 seventy siebzig zeventig | 80 eighty achtzig tachtig | 90 ninety neunzig negentig | 100
    hundred hundert honderd | 1000 thousand tausend duizend | 1000000 million miljoen | 12 dozen | 0.5 half halb
    halbe halve | 1 first firstly erste ersten erster erstes eerste | 2 second zweite zweiten zweiter tweede | 3
    third dritte dritten dritter derde | 4 fourth vierte vierten vierde | 5 fifth fünfte fünften vijfde | 6
    sixth sechste zesde | 7 seventh siebte zevende | 8 eighth achte achtste | 9 ninth neunte negende | 10 tenth
    zehnte tiende
"""

_MONTHS = """
    january jan januar januari | february feb februar februari | march mar märz maart mrt | april apr | may mai
    mei | june jun juni | july jul juli | august aug augustus | september sep sept | october oct oktober okt |
    november nov | december dec dezember dez
"""

_WEEKDAYS = """
    monday mon montag montags maandag maandags | tuesday tue tues dienstag dienstags dinsdag | wednesday wed
    mittwoch mittwochs woensdag | thursday thu thurs donnerstag donnerstags donderdag | friday fri freitag
    freitags vrijdag | saturday sat samstag samstags zaterdag | sunday sun sonntag sonntags zondag
"""

# dimension, factor to its base unit, words
_UNITS = """
    s 0.001 ms millisecond milliseconds millisekunde millisekunden milliseconde milliseconden
    s 1 s sec secs second seconds sekunde sekunden seconde seconden
    s 60 min mins minute minutes minuten minuut
    s 900 viertelstunde viertelstunden kwartier kwartiertje
    s 1800 halfuur halfuurtje
    s 2700 dreiviertelstunde driekwartier
    s 3600 h hr hrs hour hours stunde stunden uur
    s 86400 day days tag tage tagen dag dagen
    s 604800 week weeks woche wochen weken
    s 1209600 fortnight fortnights
    month 1 month months monat monate monaten maand maanden
    month 12 year years yr yrs jahr jahre jahren jaar jaren
    month 3 quarters quartale kwartalen
    byte 1 b byte bytes
    byte 1024 kb kib kilobyte kilobytes
    byte 1048576 mb mib megabyte megabytes
    byte 1073741824 gb gib gigabyte gigabytes
    byte 1099511627776 tb tib terabyte terabytes
    g 0.001 mg
    g 1 g gram grams gramm
    g 1000 kg kilo kilos kilogram kilograms kilogramm
    l 0.001 ml millilitre milliliter
    l 0.01 cl
    l 1 l litre litres liter liters
    m 0.001 mm millimetre millimeter
    m 0.01 cm centimetre centimeter centimetres centimeters zentimeter
    m 1 m metre metres meter meters
    m 1000 km kilometre kilometres kilometer kilometers
    mile 1 mile miles mi
    percent 1 % percent per-cent pct prozent procent
    cent 1 cent cents ct eurocent
    eur 1 € eur euro euros euro's
    chf 1 chf franken
    usd 1 $ usd dollar dollars
    gbp 1 £ gbp pound pounds
    degree 1 ° °c c degree degrees grad graden celsius
"""


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The tables of one language, parsed; numbers, months, units, synonyms and opposites are shared by all three."""

    function: frozenset[str]
    light: frozenset[str]
    generic: frozenset[str]


@cache
def lexicon(language: str) -> Lexicon:
    """The closed classes of `en`, `de` or `nl`."""
    return Lexicon(
        frozenset(_FUNCTION[language].split()),
        frozenset(_LIGHT[language].split()),
        frozenset(_GENERIC[language].split()),
    )


def words(text: str) -> list[str]:
    """The words of a list that is written as one text."""
    return text.split()


LANGUAGES = ("en", "de", "nl")


def groups(table: str) -> list[list[str]]:
    """The groups of a table, which stand between bars."""
    return [part.split() for part in table.split("|") if part.split()]


def _months() -> dict[str, int]:
    return {word: number for number, words in enumerate(groups(_MONTHS), 1) for word in words}


def _units() -> dict[str, tuple[str, float]]:
    rows = [line.split() for line in _UNITS.splitlines() if line.strip()]
    return {word: (dimension, float(factor)) for dimension, factor, *words in rows for word in words}


NUMBERS: dict[str, str] = {word: number for number, *words in groups(_NUMBERS) for word in words}
MONTHS: dict[str, int] = _months()
WEEKDAYS: dict[str, int] = {word: number for number, words in enumerate(groups(_WEEKDAYS), 1) for word in words}
UNITS: dict[str, tuple[str, float]] = _units()
SYNONYMS: list[list[str]] = groups(_SYNONYMS)
OPPOSITES: list[list[str]] = groups(_OPPOSITES)
IRREGULAR: dict[str, str] = {word: first for first, *rest in groups(_IRREGULAR) for word in rest}
