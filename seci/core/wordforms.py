"""Closed sets of words that steer how a text is read, and what a word's form alone tells."""

from __future__ import annotations

from seci.core.lexicon import words
from seci.core.roots import root

AUXILIARY = frozenset(
    words(
        """
        is are was were be been has have had will can could must should may does do did isn't aren't wasn't doesn't
        don't ist sind war wird werden wurde hat haben kann muss soll darf zijn wordt worden werd heeft hebben moet mag
        """
    )
)
PREPOSITIONS = frozenset(
    words("to from before after with without over under above below in out into onto off up down for by of via")
)
TOWARD_VALUE = frozenset({"to", "auf", "naar"})
REMOVED = frozenset({"removed", "verwijderd", "entfernt", "dropped", "withdrawn"})
HABITUAL = frozenset(
    words("is are be gets get as then never not wordt worden wird werden daarna danach dann nie nicht niet")
)
HABIT_REACH = 6  # tokens in front of a participle in which its auxiliary is looked for
TIMES = frozenset({"times", "mal", "keer"})
SINCE = frozenset({"since", "seit", "sinds"})
FROM = frozenset({"from", "ab", "vanaf", "von"})
CLOSING = frozenset(words("in on at for as during within per im bei für am bij voor"))
OF_DAY = frozenset({"at", "um", "om", "by", "until", "till"})
ORDINAL_AFTER = frozenset(words("the his her their our my this that s in on"))
PLAIN_NOT = frozenset({"not", "nicht", "niet", "kein", "keine", "geen"})
ENDS_WHAT_FOLLOWS = frozenset(
    {
        "no longer",
        "nicht mehr",
        "niet meer",
        "dropped",
        "ditched",
        "abandoned",
        "retired",
        "sold",
        "gave up",
        "given up",
        "removed",
        "cancelled",
        "canceled",
        "got rid of",
        "get rid of",
        "scrapped",
        "stopped",
        "quit",
        "phased out",
        "left the",
        "withdrawn",
    }
)
DETERMINERS = frozenset(
    words("the a an this these that all every each any your our my his her their its het een de elke alle")
)
TITLES = frozenset(words("firma familie herr herrn frau dr mr mrs ms miss sir meneer mevrouw"))
AND = frozenset({"and", "und", "en"})
BY = frozenset({"durch", "door"})
REPLACED = frozenset({"ersetzt", "abgelöst", "vervangen"})  # German and Dutch say it last
# In a base form these announce a change only together with "from ... to".
TO_CHANGE = frozenset(words("switch move migrate change rename convert bump upgrade raise lower go port shift"))
MOVING = frozenset(words("went up down gone dropped rose fell grew"))
COMPARING = frozenset(words("than als dan over boven"))
EMPTY = frozenset(words("now new jetzt nun neu nu nieuw today heute currently instead"))
PREFER_TO = frozenset(words("prefer prefers preferred preferring"))
UNLESS = frozenset(words("unless sofern tenzij"))
EXCEPTING = UNLESS | {"without", "ohne", "zonder"}
WITHOUT = frozenset({"without", "ohne", "zonder"})
ARTICLES = frozenset(words("a an ein eine einen einem een"))
BEFORE_AMOUNT = frozenset(
    words("after about around roughly within for in least most than nach etwa binnen na ongeveer in mindestens")
)
IS_OFF = frozenset({"is off", "are off"})
OUT = frozenset({"is out", "are out"})
WAS = frozenset(words("was were been wurde wurden worden werd werden is zijn"))
LEAVING = frozenset(words("resigned quit retired vertrokken ausgeschieden gegangen")) | {
    "has left",
    "have left",
    "left the",
    "stepped down",
}
BOUNDING = frozenset(words("over boven über"))  # before a quantity: at least
ORDINALS = frozenset(
    words("first second third fourth fifth erste ersten zweite zweiten dritte dritten eerste tweede derde")
)
# What one does to a place or a person, so that "to" after it begins no alternative: "prefers going to".
TOWARDS = frozenset(words("go going travel travelling move moving listen listening talk talking speak write fly"))
# What stands in front of these is denied, not what follows.
EXONERATING = frozenset(
    (
        "nothing to do with",
        "not to blame",
        "not the cause",
        "not the culprit",
        "not at fault",
        "not the problem",
        "not the reason",
        "not the issue",
        "nicht das problem",
        "niet het probleem",
        "nicht schuld",
        "nichts damit zu tun",
        "nichts zu tun",
        "nicht der grund",
        "nicht die ursache",
        "niets te maken",
        "niet de oorzaak",
        "niet schuldig",
    )
)
KEEPING = frozenset(words("keep keeps kept keeping stay stays leave leaves"))
REFUSING = frozenset(words("reject rejects rejected refuse refuses refused block blocks blocked"))
KEPT_REACH = 6  # words in front among which such a verb is looked for
OBLIGING = frozenset(words("to must should can may cannot never always"))
COMPARATIVES = frozenset(
    words(
        """
        faster slower cheaper dearer bigger smaller later earlier longer shorter higher lower schneller langsamer teurer
        billiger günstiger größer kleiner später früher länger kürzer höher niedriger sneller trager goedkoper duurder
        groter grotere kleinere eerder langer korter hoger lager
        """
    )
)
ANY_MORE = frozenset({"anymore", "any more", "any longer"})
HEARSAY = frozenset({"according to", "laut", "volgens"})
PREFERRING = frozenset(
    map(
        root,
        words(
            """prefer preferred choose chose chosen pick picked select selected opt opted rather favour favor like
            lieber liever bevorzugt verkiest verkiezen gekozen gewählt"""
        ),
    )
)


def comparative(word: str) -> bool:
    return word.endswith("er") or word in ("more", "less", "worse", "fewer")


def is_light(word: str, light: frozenset[str]) -> bool:
    """Whether a word, or the word it is an inflected form of, carries little meaning. Not by root, which is coarser."""
    forms = [word, word.removesuffix("s"), word.removesuffix("d"), word.removesuffix("es"), word.removesuffix("ed")]
    if word.endswith("ed") and word[-3:-2] == word[-4:-3]:  # planned
        forms.append(word[:-3])
    if word.endswith("ing"):
        stem = word.removesuffix("ing")
        forms += [stem, f"{stem}e", stem[:-1]]
    return any(form in light for form in forms)


def is_name(text: str, first: bool, language: str) -> bool:
    """Capitals, digits or a mark inside a word make it a name; a capital at the start of a sentence says nothing, nor
    does one in German, where every noun has it."""
    if any(c.isdigit() for c in text) or any(c.isupper() for c in text[1:]):
        return True
    return text[0].isupper() and not first and language != "de"


def is_acting(text: str, following: str) -> bool:
    """Whether a word in front of a verb in the singular may be a name: "Mira was", "Tobias chaired", not "Logging is".
    Plurals and words made from verbs and adjectives are none."""
    if not text[0].isupper() or text.lower().endswith(_MADE):
        return False
    return following in _SINGULAR or (following.endswith("ed") and len(following) > 4)


_MADE = ("s", "ing", "tion", "sion", "ment", "ness", "ity", "ance", "ence", "ism", "age", "ure", "body", "one", "thing")
_SINGULAR = frozenset(words("is was has isn't wasn't hasn't does doesn't"))


def verbal(word: str) -> bool:
    return len(word) > 3 and word.endswith(("s", "ed", "t")) and not word.endswith(("ss", "us", "'s"))
