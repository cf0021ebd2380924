"""Phrases that say how a text means its words: negation, change, ending, rejecting, doubt, bounds.

Written by hand for English, German and Dutch; matched on whole lower-case words. A phrase turns either into a `Mark`
or into the plain word that it stands for (`every day` is read as `daily`).
"""

from __future__ import annotations

from enum import StrEnum
from functools import cache


class Mark(StrEnum):
    """What a phrase signals about the words around it."""

    NOT = "not"  # negates what follows
    LACK = "lack"  # a word that is negative by meaning: forbidden, missing, disabled
    END = "end"  # what it speaks of has stopped being so
    CHANGE = "change"  # what follows is new, and replaces something
    RECENT = "recent"  # what follows is new; it need not replace anything
    INSTEAD = "instead"  # the next words name what something else replaced or is preferred to
    SOURCE = "source"  # "from": the next words may name where a change started
    TARGET = "target"  # "to": ends the scope of SOURCE
    BREAK = "break"  # ends the scope of a negation or of INSTEAD
    ALSO = "also"  # adds, does not replace
    DOUBT = "doubt"  # hearsay, or a guess
    PAST = "past"  # tells what happened once and cannot change any more
    ASIDE = "aside"  # a reason or a purpose follows
    UPPER = "upper"  # the next quantity is an upper bound
    LOWER = "lower"


_PHRASES: dict[str, dict[Mark, str]] = {
    "en": {
        Mark.NOT: """
            nothing to do with | not to blame | not the cause | not the culprit | not the problem | not the
            reason | not the issue | not at fault | decided
            against | opted against | voted against | failed to | fails to |
            not | never | no | none | nobody | nothing | neither |
            nor | without | don't | doesn't | didn't
            | isn't | aren't | wasn't | weren't | won't | can't | cannot | couldn't | shouldn't | wouldn't |
            hasn't | haven't | hadn't | mustn't | needn't | dont | doesnt | isnt | cant | at no time | under
            no circumstances | by no means | do not | does not | did not | is not | are not | can not | must
            not | may not | is against | are against | was against | am against | be against
        """,
        Mark.LACK: """
            out of | untouched | left alone | leave alone | leaves alone | leave it alone | leave them alone |
            rejected | turned down | declined | voted down |
            avoid | avoids | avoiding | forbidden | forbid | forbids | prohibited | banned | disallowed |
            refuse | refuses | is off limits | are off limits | off limits | off-limits | missing | lacks |
            lack | lacking | absent | absence
            | disabled | disable | turned off | switched off | skip | refrain | refrain from | stay away
            from | steer clear of | dislikes | hates | free of | except | forget | forgets | forgetting | left out |
            leaves out | leave out | omits | omitted | omit | left off
        """,
        Mark.END: """
            no longer | not any longer | no more | any longer | anymore | any more | stopped | quit | give
            up | is out | are out | get rid of | goes away | has been turned off | have been turned off |
            was turned off | has been disabled | have been disabled | was disabled | was switched off | has
            been switched off | gave up | given up | dropped | ditched | removed | cancelled | canceled |
            retired | deprecated | discontinued | sold | abandoned | ceased | is gone | are gone | is over |
            has left | have left | left the | has ended | got rid of | called off | shut down | phased out |
            decommissioned | scrapped | used to be | used to | formerly | previously | former | withdrawn |
            was lifted | has expired | unsubscribed | resigned | broke up | switched off | abolished |
            revoked | is off | are off | was called off | gone off | went off | fell away | falls away | fell
            through | ruled out | discarded | done away with |
            behind us | behind them | got tired of | is tired of | left for | closed down | been let go
        """,
        Mark.CHANGE: """
            now | moved off | migrated off | moved away from | migrated away from | switched away from |
            moving off | moving away from | moved | moved to | switched | switched to | migrated | changed |
            changed to | renamed |
            upgraded | downgraded | bumped | raised | lowered | increased | decreased | reduced | cut to | was
            cut | were cut | been cut | cut
            down | extended | shortened | postponed | delayed | rescheduled | rebooked | has passed | have
            passed | has reached | have reached | has crossed | is up to | are up to
            | up from | down from | in her place | in his place |
            in their place | in its place | takes over | take over | stands in for | won over | ran out |
            rebuilt | pushed back | pushed | brought
            forward | shifted | relocated | converted | transitioned | as of | from now on | with immediate
            effect | starting from | starting | effective | updated | revised | adjusted | became | has
            become | have become | turned into | took over | taken over | succeeded | these days | nowadays
            | after all | has grown | grown to | grew | grew to | rewritten | ported |
            relicensed | swapped | superseded | correction | corrected | from then on | going forward |
            henceforth | since then | since the | since our | since last | since this | onwards | onward |
            meanwhile | in the meantime | doubled | halved    | changes to |
            moves to | switches to | moving to | switching to | redesigned | restructured | reassigned |
            transferred | handed over | promoted | expanded | shrunk | dropped to | dropped from | is down to |
            are down to | rose | rose to | fell to
            | went up | went down | instead | modified | slipped | slipped to | tightened | relaxed |
            enabled | reopened | closed | more time | granted more time | made way for | gave way to |
            taken the place of | takes the place of | took the place of | moved over to | moved up to | moved on to |
            went over to | gone over to | came round to | come round to | changed their mind | changed his mind |
            changed her mind | changed my mind | changed our mind | stepped down | sped up | slowed down | handed |
            thrown out | by now | in the end | turned out | enlarged | downsized | turned down to |
            turned up to | went from | going from | extension | meanwhile | flipped | scaled up | scaled down |
            scaled to |
            climbed | climbed to | gone up | gone down | come down | goes up | goes down | has risen | have
            risen | fallen to | sank | shrank | slid | cut back | trimmed | hiked | scaled back | brought down
            | narrowed | widened | loosened | quadrupled | reversed | overturned | put on weight | lost weight
            | gained weight | from here on | taken out of | refinanced | remortgaged | renegotiated | passed
            on to | swapped out | traded in | relaunched | split off | went back to | gone back to | came back
            to | settled on | has grown to | have grown to
        """,
        Mark.RECENT: """
            a new | new | the new | lately | recently | currently | today | at present | finally | bigger |
            finished | completed | adopted
        """,
        Mark.INSTEAD: """
            instead of | rather than | in place of | in lieu of | as opposed to | but not | replaces |
            replaced | replacing | supersedes | than | over | took over from | taken over from | in
            preference to | replacement for
        """,
        Mark.SOURCE: "from",
        Mark.TARGET: "to | into | by | with | in favour of | in favor of | for",
        Mark.BREAK: "but | and | where | when | while | although | who | which | that | until",
        Mark.ALSO: "also | too | additionally | as well | another | besides | in addition | furthermore",
        Mark.DOUBT: """
            according to | claims | claimed | says | said | maybe | perhaps | might | i think | unsure |
            supposedly | apparently | allegedly | probably | possibly | reportedly | unclear | may be | i
            believe
        """,
        Mark.PAST: """
            born | founded | caused | root cause | the cause | caused by | grew up | invented | comes from |
            came from | died | was built | discovered | happened | graduated | studied
        """,
        Mark.ASIDE: """
            because | because of | since it | since they | since we | since he | since she | since there |
            so that | due to | thanks to | in order to | to keep | to save | to avoid | mainly because | as
            a result of | owing to | so as to | in case
        """,
        Mark.UPPER: """
            at most | up to | no more than | not more than | less than | fewer than | under | below | a
            maximum of | maximum of | no later than | max | within | at the latest | shorter than | smaller than | lower
            than | no longer than | not longer than | earlier than | sooner than | not exceed | never exceed
        """,
        Mark.LOWER: """
            at least | no less than | more than | a minimum of | minimum of | no fewer than | not less than
            | above | exceeding | no earlier than | min | or more | or newer |
            and newer | and later | or later | or higher | or above | and above | and up
        """,
    },
    "de": {
        Mark.NOT: """
            nicht schuld | nicht das problem | nichts damit zu tun | nichts zu tun | nicht der grund | nicht
            die ursache | nicht |
            nie | niemals | kein | keine | keinen | keinem | keiner | keines | ohne | nichts |
            niemand | keinesfalls | auf keinen fall | weder
        """,
        Mark.LACK: """
            verboten | untersagt | fehlt | fehlte | fehlen | fehlten | fehlende | fehlenden | fehlender |
            vermeiden | vermeidet | deaktiviert | ausgeschaltet | abgeschaltet | tabu | verzichtet auf
        """,
        Mark.END: """
            nicht mehr | nicht länger | aufgehört | abgeschafft | entfernt | abgesagt | eingestellt |
            verkauft | früher | gekündigt | ehemals | ehemalige | ehemaliger | bisher | bislang | vormals |
            verlassen | aufgegeben | abgekündigt | ausgeschieden | entfällt | entfallen | fällt aus | aufgelöst |
            beendet |
            abgewöhnt
        """,
        Mark.CHANGE: """
            jetzt | nun | nunmehr | mittlerweile | inzwischen | umgestiegen | umgestellt | gewechselt |
            verschoben | verlegt | geändert | ersetzt | umbenannt | erhöht | gesenkt | reduziert |
            verlängert | verkürzt | aktualisiert | ab sofort | künftig | neuerdings | seitdem | gezogen |
            umgezogen | übernommen | übernimmt | wechselt | migriert | abgelöst | gestiegen | gesunken |
            angehoben | vorgezogen | vertagt | geworden | seit kurzem | zieht um | von nun an | angepasst |
            korrigiert | verdoppelt | halbiert | gewachsen | aktiviert | doch | getauscht | ausgetauscht |
            abgelöst | erst |
            umgeschwenkt | nachfolge | rückt nach | seit diesem | seit dem | fortan | zukünftig | verschiebt
            sich | verschieben sich |
            herunter | runter auf | hinauf | gefallen | geschrumpft | zugenommen | heraufgesetzt |
            herabgesetzt | hochgesetzt | nachverhandelt | übergegangen | eingetauscht | überarbeitet |
            gelockert | verschärft | geschoben
        """,
        Mark.RECENT: "neu | neuer | neue | neues | neuen | heute | kürzlich | derzeit | aktuell",
        Mark.INSTEAD: """
            statt | anstatt | anstelle von | anstelle | gegenüber | als | sondern nicht | ersetzt
        """,
        Mark.SOURCE: "von | vom",
        Mark.TARGET: "auf | zu | nach | zum | zur | durch | in",
        Mark.BREAK: "aber | und | sondern | wo | wenn | während",
        Mark.ALSO: "auch | außerdem | zusätzlich | weitere | weiteren | ebenfalls",
        Mark.DOUBT: "laut | angeblich | vielleicht | vermutlich | möglicherweise | wahrscheinlich",
        Mark.PAST: "geboren | gegründet | verursacht | aufgewachsen | stammt | ursache | gestorben",
        Mark.ASIDE: "weil | damit | um zu | wegen | da | aufgrund",
        Mark.UPPER: """
            höchstens | maximal | bis zu | kürzer als | kleiner als | nicht mehr als | nicht länger als |
            weniger als | unter |
            innerhalb von | spätestens
        """,
        Mark.LOWER: "mindestens | wenigstens | mehr als | über | minimal | frühestens",
    },
    "nl": {
        Mark.NOT: """
            niets te maken | niet het probleem | niet de oorzaak | niet schuldig | niet | nooit | geen |
            zonder | niets | niemand |
            nergens | noch
        """,
        Mark.LACK: """
            verboden | ontbrak | ontbreekt | ontbreken | ontbrekende | vermijd | vermijden | uitgeschakeld |
            taboe
        """,
        Mark.END: """
            niet meer | niet langer | gestopt | afgeschaft | verwijderd | geannuleerd | afgezegd | verkocht
            | voorheen | vroeger | opgezegd | voormalige | vervallen | vervalt | opgegeven | beëindigd |
            stopgezet | gaat niet door | verlaten | weg bij | vertrokken
        """,
        Mark.CHANGE: """
            nu | inmiddels | voortaan | overgestapt | gewisseld | verschoven | verplaatst | verzet |
            uitgesteld | gewijzigd | veranderd | vervangen | hernoemd | verhoogd | verlaagd | verlengd |
            verkort | bijgewerkt | vanaf nu | vanaf | met ingang van | verhuisd | overgenomen | tegenwoordig
            | gemigreerd | gestegen | gedaald | geworden | sindsdien | aangepast | gecorrigeerd | verdubbeld
            | gehalveerd | gegroeid | ingeschakeld | vervroegd | toch | omgezet | overgegaan | opgevolgd |
            verruild | ingeruild | uitgebreid | sinds kort | stokje | overgezet | overstap |
            gezakt | teruggebracht | opgehoogd | geschoven | opgeschoven | doorgeschoven | afgebouwd |
            bijgesteld | herzien | ingekort | omgeruild | overgedragen | aangescherpt | versoepeld | gekrompen
            | aangekomen | afgevallen
        """,
        Mark.RECENT: "nieuw | nieuwe | vandaag | onlangs | momenteel",
        Mark.INSTEAD: "in plaats van | dan | boven | ter vervanging van | vervangt",
        Mark.SOURCE: "van",
        Mark.TARGET: "naar | op | door | met | tot",
        Mark.BREAK: "maar | en | waar | wanneer | terwijl",
        Mark.ALSO: "ook | bovendien | daarnaast | nog een | eveneens",
        Mark.DOUBT: "volgens | misschien | blijkbaar | waarschijnlijk | mogelijk | vermoedelijk",
        Mark.PAST: "geboren | opgericht | veroorzaakt | opgegroeid | afkomstig | oorzaak | overleden",
        Mark.ASIDE: "omdat | zodat | vanwege | doordat | wegens",
        Mark.UPPER: """
            hoogstens | maximaal | tot | korter dan | kleiner dan | niet meer dan | niet langer dan |
            minder dan | onder | binnen |
            uiterlijk
        """,
        Mark.LOWER: "minstens | minimaal | ten minste | meer dan | boven",
    },
}

_READ_AS: dict[str, str] = {
    "en": """
        only: nobody else, no one else, nothing else, no other | weekday: monday to friday, monday through friday,
        mon to fri | weekend: saturday and sunday, saturdays and sundays | daily: every day, each day, per
        day, a day, day to day | nightly: every night, each night, at night |
        weekly: every week, each week, per week, a week, once a week | monthly: every month, each month, per
        month, a month | yearly: every year, each year, per year, a year, annually | hourly: every hour, per
        hour, an hour, hourly | per-minute: per minute, a minute, every minute, each minute | per-second: per
        second, a second, each second | biweekly: every two weeks, every other week, every second week,
        fortnightly, every fortnight | biweekly: every second, every other | frontend: front end, front-end |
        backend: back end, back-end | codebase: code base, code-base | contact: point of contact, contact
        person, contact partner | email: e mail, e-mail | website: web site | default: by default | favour: in
        favor of | optional: not required, not necessary | large: big large | morning: in the morning,
        mornings | own: of its own, of his own, of their own | sign-on: sign on | login: log in | signup: sign
        up, sign-up | setup: set up | backup: back up, backs up, backed up | cleanup: clean up, cleans up,
        cleaned up | rollback: roll back, rolled back | pull-request: pull request, pull requests, pr, prs,
        merge request, merge requests | home-office: home office, from home, remotely | allergic: allergic to,
        allergy to | must: has to, have to, needs to, need to | planned: takes place, take place, took place |
        prefer: would rather, likes best, would rather
        use | located: can be found, is found | fail: does not work, did not work,
        do not work, did not go through, does not go through, is not working, not working, stopped working
    """,
    "de": """
        nur: niemand anderes, niemand sonst, sonst niemand, nichts anderes, sonst nichts | werktags: montag bis
        freitag, montags bis freitags | wochenende: samstag und sonntag, samstags und sonntags | daily: jeden
        tag, pro tag, am tag | nightly: jede nacht, in der nacht | weekly: jede woche, pro woche,
        wöchentlich | monthly: monatlich, jeden monat, pro monat, im monat | yearly: jährlich, jedes jahr, pro
        jahr, im jahr |
        hourly: jede stunde, pro stunde | per-minute: pro minute, jede minute | per-second: pro sekunde |
        biweekly: alle zwei wochen, vierzehntägig | ausführen: laufen lassen, laufen lässt | vorher: im voraus |
        frontend: front end | backend: back end | morgens: jeden morgen, am morgen
    """,
    "nl": """
        alleen: niemand anders, niets anders | werkdagen: maandag tot vrijdag | weekend: zaterdag en zondag |
        daily: dagelijks, elke dag, per dag, iedere dag | nightly: elke nacht, iedere nacht | weekly:
        wekelijks, elke week, per week
        | monthly: maandelijks, elke maand, per maand | yearly: jaarlijks, elk jaar, per jaar | hourly: elk
        uur, per uur | per-minute:
        per minuut, elke minuut | per-second: per seconde | biweekly: om de twee weken, elke twee weken |
        frontend: front end | backend: back end | liever: geeft de voorkeur aan, geeft voorkeur aan, heeft
        liever
    """,
}

LONGEST = 4  # words of the longest phrase


@cache
def phrases(language: str) -> dict[tuple[str, ...], Mark | str]:
    """Every phrase of a language as a tuple of lower-case words, with its mark or the word it is read as."""
    table: dict[tuple[str, ...], Mark | str] = {}
    for line in _READ_AS[language].split("|"):
        word, _, variants = line.strip().partition(":")
        for variant in variants.split(","):
            table[tuple(variant.split())] = word
    for mark, listed in _PHRASES[language].items():
        for phrase in listed.split("|"):
            table.setdefault(tuple(phrase.split()), mark)
    return table
