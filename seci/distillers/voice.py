"""One sentence of an assistant made fit for a note: no markers, no narration, told by somebody else."""

from __future__ import annotations

import re

from seci.distillers.grammar import tell_state
from seci.distillers.language import Cues
from seci.distillers.sentences import Casing, count_words, finish_sentence, hide_code, is_balanced


def clean_sentence(sentence: str, cues: Cues, casing: Casing) -> str:
    """The sentence without discourse markers; empty when it narrates, offers, asks or only reports progress."""
    text = _DONE_LABEL.sub("", _AT_LINE.sub("", strip_openers(sentence, cues)))
    if LINE_LABEL.match(text):
        return ""
    label, colon, rest = text.partition(": ")
    if colon and len(label) < 40 and (cues.generic_heading.fullmatch(label) or LINE_LABEL.match(label)):
        text = strip_openers(rest, cues)
    if not text or text.endswith((":", "?", "…", "...")) or cues.narration.match(text):
        return ""
    text = _OWN_SLIP.sub(_as_rule, text)
    if _OWN_DOING.search(text):
        return ""  # mended as soon as it is said
    text = _I_WITHIN.sub(_assistant, _cut_narration(_ASIDE.sub("", text), cues))
    if _I_DID.match(text) and (_BEHAVES.match(told := third_person(text, casing)) or cues.signal("cause", told)):
        text = told
    if not text or cues.session_only.search(text) or cues.promise.search(_unquoted(text)) or not is_balanced(text):
        return ""
    if cues.subjectless.match(text) or cues.unfinished.match(text):
        return ""
    scene = _SCENE.match(text)
    if scene and cues.says("third_person_verbs", scene["main"]):
        return ""  # a condition, and a main clause without its subject
    text = tell_state(text, cues) or say_once(third_person(text, casing))
    plain = hide_code(text)
    if not cues.finite.search(plain) or _A_THING.match(plain):
        return ""  # half a sentence
    if count_words(text) < 4 or not re.search(r"[^\W\d_]{2}", text) or _is_headline(text):
        return ""
    return finish_sentence(text)


# "A new function that builds the payload, keeping it apart": the verb of a relative clause makes no sentence.
_A_THING = re.compile(r"an? (?:[\w-]+ ){1,4}(?:that|which) \w+s\b[^,.]*(?:, \w+ing\b[^,.]*)?\.?$", re.IGNORECASE)


# "The change added a comment: added `x`".
_TWICE = re.compile(r"^The change (?P<verb>\w+ed) [^:`]{3,40}: (?P=verb) ")


def say_once(text: str) -> str:
    """A report without the lead that only says its verb before it does."""
    return _TWICE.sub(r"The change \g<verb> ", text)


def _is_headline(text: str) -> bool:
    """Words that all begin with a capital ("Handle Missing Shadow Branch"): a heading that stands as a paragraph."""
    words = re.findall(r"[^\W\d_]{4,}", re.sub(r"`[^`]*`|\([^()]*\)", "", text))
    return len(words) >= 3 and all(word[0].isupper() for word in words)


_SCENE = re.compile(r"^(?:when|if|after|before|once|whenever|on|for) [^,]{3,90}, (?P<main>.+)$", re.IGNORECASE)
# The assistant tells of an own deed in a clause ("The cause is that I created a btree index").
_I_WITHIN = re.compile(
    r"(?P<lead>\b(?:that|because|since|when|where|which|but|and|as|,) )I (?:had |also |only |first )*"
    r"(?P<verb>\w+ed|was|had|made|put|set|ran|wrote|took|left|chose|built|kept|got|used)\b"
)
# The same in the making, which says what is needed ("it stays grey because I'm not setting the `Owner` field").
_OWN_DOING = re.compile(r"\b(?:that|because|since|when|where|which) I(?:['’]m| am) (?:not )?\w+ing\b")
_DONE = {
    "setting": "set", "passing": "passed", "calling": "called", "including": "included", "adding": "added",
    "checking": "checked", "handling": "handled", "updating": "updated", "clearing": "cleared", "closing": "closed",
    "saving": "saved", "storing": "stored", "copying": "copied", "loading": "loaded", "registering": "registered",
}  # fmt: skip
_OWN_SLIP = re.compile(
    rf"^(?P<effect>[^,;]+),? (?:because|since) I(?:['’]m| am) not (?P<doing>{'|'.join(_DONE)}) (?P<what>[^,;.]*[\w`])"
    rf"(?:[,;. ].*)?$"
)
_MANY = re.compile(r"(?:the |all )?(?:`[^`]+` )?[a-z]+(?<!s)s\b")


def _as_rule(match: re.Match[str]) -> str:
    """An own slip as what it teaches: what it caused stays so unless that is done."""
    effect = re.sub(r"\b(is|are|isn['’]t|aren['’]t) being\b", r"\1", match["effect"])
    return f"{effect} unless {match['what']} {'are' if _MANY.match(match['what']) else 'is'} {_DONE[match['doing']]}"


def _assistant(match: re.Match[str]) -> str:
    return match[0].replace("I ", "the assistant ", 1)


_ASIDE = re.compile(r",? but (?:it's|it is) worth (?:noting|mentioning)\b")
_DONE_LABEL = re.compile(r"^\w+(?:ed|tten|one): (?=\w)")
_AT_LINE = re.compile(r"^(?:at|on|in) lines? \d+(?:[-–]\d+)?,? ", re.IGNORECASE)


def _unquoted(text: str) -> str:
    return re.sub(r"`[^`]*`|\"[^\"]*\"|“[^”]*”", "x", text)


_URL_FIRST = re.compile(r"^https?://\S+\s+")


def strip_openers(sentence: str, cues: Cues) -> str:
    """`sentence` without the markers that tie it to the talk before it ("You're right - ", "So ")."""
    text = NUMBERED.sub("", _URL_FIRST.sub("", sentence.strip()).lstrip("-–—•*>:;,. "))
    for _ in range(6):
        match = cues.openers.match(text)
        if not match or match.end() == 0:
            break
        text = text[match.end() :].lstrip(" ,.!:;–—-")
    return text


_AS_YOU_SAID = re.compile(
    r",? (?:since|because|as) you (?:did|said|asked|mentioned|saw|showed|noted|found|were able|wanted)\b[^,;.]*$"
)


def _cut_narration(text: str, cues: Cues) -> str:
    """Drops a trailing clause that narrates ("X is stored in Y - let me read it") or only points at the talk."""
    text = _AS_YOU_SAID.sub("", text.rstrip("."))
    for match in re.finditer(r"(?:\s[-–—]\s|;\s|,\s(?:so|and|but)\s|\.\.\.\s)", text):
        if cues.narration.match(strip_openers(text[match.end() :], cues)):
            return text[: match.start()]
    return text


CHANGED = (
    r"(?:added|changed|updated|moved|removed|renamed|replaced|extracted|introduced|switched|implemented|made|set|"
    r"declared|captured|converted|dropped|fixed|deleted|created|populated|refactored|simplified|reverted|wired|"
    r"registered|exported|split|merged|kept|passed|included|excluded|wrapped|reduced|increased|limited|expanded|"
    r"adjusted|modified|rewrote|tightened|relaxed|normalized|consolidated|unified|bumped|enabled|disabled|"
    r"modernized|streamlined|cleaned|hardened|polished|tweaked|reworded|reorganized|standardized|optimized|verified|"
    r"committed|pushed|resolved|applied|addressed|documented|clarified|improved|corrected|ensured|restored|"
    r"cleaned up|marked|used)"
)


PAST_START = re.compile(rf"^{CHANGED}\b(?<!\bset)(?! by| to (?:be|avoid))", re.IGNORECASE)


_I_DID = re.compile(rf"^(?:I(?:['’]ve| have)?|We(?:['’]ve| have)?) (?:now |also |just |already )*(?P<verb>{CHANGED})\b")


_ADVICE = {
    "recommend": "recommended",
    "suggest": "suggested",
    "propose": "proposed",
    "prefer": "preferred",
    "advise": "advised",
}


_I_ADVISE = re.compile(
    r"^I(?:['’]d| would)? (?:strongly |still |also |generally )*(?P<verb>recommend|suggest|propose|prefer|advise)\b",
    re.IGNORECASE,
)


_I = re.compile(r"^I(?:['’](?:m|ve|d|ll))?\b(?![./])")


_YOURS = re.compile(
    r"\b(?:[Yy]our|[Oo]ur|[Mm]y) (?P<thing>(?:current |existing |own |new |old )?"
    r"(?:repo(?:sitory)?|branch|project|codebase|code|machine|database|tests?|case|"
    r"changes?|PR|CI|build|app|application|file|files|config(?:uration)?|settings|working tree|server|team|setup))\b"
)


_OUR = re.compile(r"\b[Oo]ur (?=[\w`])")


_YOUR = re.compile(r"\b[Yy]our(?= [\w`])")


_NOW = re.compile(r"^(?:Now|Currently|Right now),? (?!that\b)(?=[\w`])", re.IGNORECASE)


LINE_LABEL = re.compile(r"^lines? \d", re.IGNORECASE)


NUMBERED = re.compile(r"^(?:\d+(?:\.\d+)*[.):]|#\d+[.:]?|step \d+[.:]?|phase \d+[.:]?)\s*", re.IGNORECASE)


_FILE_CHANGE = re.compile(
    rf"^(?:`?[\w./-]+\.\w{{1,5}}`?(?: \([^()]*\))?\s*[:–—-]\s*(?:.{{0,80}}?\b)?{CHANGED}\b"
    rf"|[^:]{{2,60}}: (?!set|used|kept|split|limited|marked|made){CHANGED}\b(?! by| to (?:be|avoid))"
    r"|[^:.]{2,60} (?:refactored|renamed|updated|reworked|simplified|cleaned up|rewritten|extended): "
    rf"|the (?:agent|script|command|files?|commit|branch|helper|test) (?:was |were |has been |have been )?{CHANGED}\b)",
    re.IGNORECASE,
)


def tell_theirs(text: str) -> str:
    """What belongs to the user or to both, told by somebody else."""
    text = _OUR.sub(lambda m: "The " if m[0][0] == "O" else "the ", text)
    text = _YOURS.sub(lambda m: f"{'The' if m[0][0].isupper() else 'the'} {m['thing']}", text)
    if re.search(r"\b[Yy]ou\b", text):
        return text  # the reader is meant
    return _YOUR.sub(lambda m: f"{'The' if m[0][0].isupper() else 'the'} user's", text)


def third_person(text: str, casing: Casing) -> str:
    text = _NOW.sub("", text)
    text = tell_theirs(text)
    if match := _I_DID.match(text):
        return f"The change {match['verb'].lower()}{text[match.end() :]}"
    if match := _I_ADVISE.match(text):
        return f"The assistant {_ADVICE[match['verb'].lower()]} {text[match.end() :].lstrip()}"
    if _I.match(text):
        return ""
    if PAST_START.match(text) and not re.match(r"^\w+(?: \w+)? (?:is|are|was|were|has|have|can|will|must)\b", text):
        return f"The change {casing.lower_first(text)}".replace("The change changed ", "The change altered ")
    return text


def is_report_heading(heading: str) -> bool:
    """A heading that tells what was done ("Created the helper")."""
    return bool(PAST_START.match(heading))


_CHANGE = re.compile(rf"^The change (?:{CHANGED}|altered|\w+ed)\b", re.IGNORECASE)
# Items of a list that begin with an edit.
_EDITS = re.compile(
    r"(?:^|: |; |\band )(?:remove|replace|rename|delete|import|add|update|move|change|create|extract|fix)\b",
    re.IGNORECASE,
)


def lists_edits(text: str) -> bool:
    """A list of edits to be made ("replace X with Y; and remove Z")."""
    return len(_EDITS.findall(text)) >= 2


# A change that goes on to tell how things now behave ("added a check: the worker refuses to start when ...").
_BEHAVES = re.compile(r"^The change [^:`]{4,60}: (?:the|an?|each|every|any|no|when|if|now) .{30,}", re.IGNORECASE)


def is_change(text: str) -> bool:
    """A sentence that tells what was done to the code or the files, and nothing else."""
    if _BEHAVES.search(text):
        return False
    return text.startswith("It also ") or bool(_CHANGE.match(text) or _FILE_CHANGE.match(text))
