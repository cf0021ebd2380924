"""Which sentences report something done, and how they are told: "I've added X", "Now it does Y", "the fix is to Z"."""

from __future__ import annotations

import re

from seci.distillers.deeds import DONE
from seci.distillers.grammar import tell_state
from seci.distillers.language import Cues
from seci.distillers.salience import narrates
from seci.distillers.sentences import Casing, count_words, finish_sentence, is_balanced
from seci.distillers.voice import CHANGED, PAST_START, clean_sentence, is_change, strip_openers, third_person

LEAST_WORDS = 4

MARK = re.compile(r"^(?:DONE|TODO|WIP|NEW|FIXED)\b:? ?|[✅✓✔]\s*")  # of a list of things done
STATE = re.compile(r"\b(?:now|no longer)\b(?! that\b)|\b(?:has|have) been \w+(?:ed|en|t)\b")
_NOW = re.compile(
    r"(?:[\w ]+[.!:] )?(?:so |and )?now,? (?=[`\w])(?!let\b|that\b|we\b|i\b|the (?:next|last|remaining)\b)",
    re.IGNORECASE,
)
_FIX = re.compile(
    r"(?:the|both|all) (?:\w+ )?(?:fix|changes?|patch|solution|refactor(?:ing)?) (?:was|were|is to|adds?|removes?|"
    r"replaces?|makes?|uses?|moves?|keeps?|lets?|turns?|switches|checks?|lists|explicitly \w+s|\w+ens)\b",
    re.IGNORECASE,
)
_CHANGED = re.compile(rf"{DONE}{CHANGED}\b")
_HISTORY = re.compile(r"The (?:\w+ )?commit\b")  # which was there before the session
_I_HAVE = re.compile(rf"^I(?:['’]ve| have)? (?:now |also |just |already |successfully )*(?={CHANGED}\b)")
_SO_I = re.compile(rf"\b(?P<joint>so|and|then) I(?:['’]ve| have)? (?:also |now |just )*(?={CHANGED}\b)")
# What might be, what is asked for or what was before.
_NOT_DONE = re.compile(
    r"\b(?:could|would|should|might|may|must|needs? to)\b|"
    r"^(?:if|unless|before|after|previously(?!.*\bnow\b)|when you|to)\b|\?$",
    re.IGNORECASE,
)
_FILE_LEAD = re.compile(rf"^(?:`[^`]+`|[^:`]{{2,40}}?)(?:: | [-–—] )(?P<verb>{CHANGED})\b", re.IGNORECASE)
_ARROW = re.compile(rf"^{DONE}(?P<verb>\w+) (?P<old>`[^`]+`|[\w ]*`[^`]+`) → (?P<new>`[^`]+`)")
_REPLACED = frozenset({"altered", "changed", "replaced", "updated"})
QUOTED = re.compile(r"`[^`]*`|\"[^\"]*\"")


class Teller:
    """Tells sentences of one session as deeds; each method gives an empty text for what is none."""

    def __init__(self, cues: Cues, casing: Casing) -> None:
        self._cues = cues
        self._casing = casing

    def tell_prose(self, sentence: str) -> str:
        """A sentence of prose that reports something done, or how it is now."""
        text = _SO_I.sub(r"\g<joint> the change ", MARK.sub("", sentence))
        if not _NOW.match(text):
            return self.tell(text)
        told = clean_sentence(text, self._cues, self._casing)
        kept = told and not _NOT_DONE.search(told) and not self._lacks_subject(told) and not narrates(told)
        return told if kept else ""

    def tell_state(self, sentence: str) -> str:
        """A sentence under "Now:", which needs no word of its own for it."""
        told = clean_sentence(sentence, self._cues, self._casing)
        return told if told and not self._lacks_subject(told) else ""

    def tell(self, text: str) -> str:
        """A report in whatever form: a sentence, the words of a list item, a heading."""
        plain = _I_HAVE.sub("", strip_openers(text, self._cues))
        if self._cues.narration.match(plain) and not PAST_START.match(plain):
            return ""
        told = clean_sentence(text, self._cues, self._casing)
        if not told and PAST_START.match(plain):  # a bare report, which no note would be made of
            told = tell_state(plain, self._cues) or third_person(plain, self._casing)
            if self._cues.session_only.search(told) or self._cues.promise.search(QUOTED.sub("x", told)):
                return ""
        return self.finish(told)

    def finish(self, told: str) -> str:
        """What is told already, made a whole sentence."""
        told = _FILE_LEAD.sub(lambda m: f"{DONE}{m['verb'].lower()}", told)
        told = re.sub(rf"^{DONE}(?={CHANGED}\b)\w", lambda m: m[0][:-1] + m[0][-1].lower(), told, flags=re.IGNORECASE)
        told = _ARROW.sub(_without_arrow, told.replace(f"{DONE}changed ", f"{DONE}altered ", 1))
        bare = QUOTED.sub("x", told)
        reports = (
            _CHANGED.match(told)
            or is_change(told)
            or _FIX.match(told)
            or STATE.search(bare)
            or f" {DONE.lower()}" in told
        )
        if not reports or _HISTORY.match(told) or not is_balanced(told) or count_words(told) < LEAST_WORDS:
            return ""
        if not told.startswith(DONE) and (_NOT_DONE.search(bare) or self._lacks_subject(told) or narrates(told)):
            return ""
        return f"{told}." if told.endswith("`") else finish_sentence(told)

    def _lacks_subject(self, told: str) -> bool:
        return bool(self._cues.starts("imperative", told)) or self._cues.says("third_person_verbs", told)


def _without_arrow(match: re.Match[str]) -> str:
    """ "altered `a` → `b`" in words."""
    if match["verb"] in _REPLACED:
        return f"{DONE}replaced {match['old']} with {match['new']}"
    return f"{DONE}{match['verb']} {match['old']} to {match['new']}"
