"""English sentences told as what was: every finite verb in the past, or nothing where one of them is in doubt."""

from __future__ import annotations

import re

# Code, quotations and names, which hold no verb of the sentence.
_KEPT = re.compile(
    r"`[^`]*`|\"[^\"]*\"|“[^”]*”|[\w/-]*[a-z]\.[a-z][\w./-]*|[\w.]+\([^() ]*\)|\b[a-z]+[A-Z]\w*|"
    r"\b[A-Z]\w*[A-Z]\w*|\w+_\w+"
)
_HIDDEN = "ꙮ"  # a letter of no sentence, in place of what is kept
_FORMS = {
    "is": "was", "are": "were", "isn't": "wasn't", "aren't": "weren't", "has": "had", "hasn't": "hadn't",
    "doesn't": "didn't", "don't": "didn't", "does": "did", "can": "could", "can't": "couldn't", "cannot": "could not",
    "will": "would", "won't": "wouldn't", "may": "might", "it's": "it was", "that's": "that was",
    "there's": "there was", "they're": "they were", "we're": "we were", "we've": "we had",
}  # fmt: skip
_IRREGULAR = {
    "becomes": "became", "begins": "began", "breaks": "broke", "builds": "built", "comes": "came", "does": "did",
    "falls": "fell", "finds": "found", "gets": "got", "gives": "gave", "goes": "went", "has": "had", "hides": "hid",
    "holds": "held", "keeps": "kept", "knows": "knew", "leads": "led", "leaves": "left", "lets": "let", "lies": "lay",
    "loses": "lost", "makes": "made", "means": "meant", "overrides": "overrode", "overwrites": "overwrote",
    "puts": "put", "reads": "read", "runs": "ran", "says": "said", "sees": "saw", "sends": "sent", "sets": "set",
    "shows": "showed", "splits": "split", "takes": "took", "tells": "told", "throws": "threw", "writes": "wrote",
}  # fmt: skip


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text))


# Verbs whose form is hardly ever a noun's, and those that what follows must tell from one.
_PLAIN = _words(
    "accepts affects allows applies appears assumes avoids becomes begins belongs combines comes compares contains "
    "converts creates defines deletes depends detects determines discards does enables ensures executes exists expects "
    "expires fails generates gets gives goes guarantees happens hangs ignores implements includes inherits initializes "
    "inserts invokes iterates joins keeps knows lacks leaves loses makes means merges omits overwrites parses passes "
    "prefers prevents raises receives refers rejects relies remains removes renders replaces requires resolves "
    "respects restores says sees sends serves stays swallows takes tells throws treats validates works writes"
)
_NOUNS_TOO = _words(
    "adds asks blocks breaks builds calls captures causes changes checks copies counts crashes defaults drops ends "
    "exits falls fetches fills filters finds formats handles helps hides holds leads lets lies lists loads logs looks "
    "maps marks matches moves needs opens outputs overrides points prints processes prompts pushes puts reads records "
    "registers reports resets returns reuses runs saves searches sets shows skips splits starts stops stores strips "
    "sums supports switches targets tracks triggers truncates turns updates uses waits walks warns wraps"
)
_VERBS = _PLAIN | _NOUNS_TOO
_BASE = {third[:-1]: third for third in _VERBS}
_WORD = re.compile(r"[A-Za-z][A-Za-z'’]*|ꙮ")
# What stands before a noun, and what may stand after a verb.
_BEFORE_NOUN = _words(
    "a an the these those its their his her our your whose no all both each every some any of to for with in on at by "
    "from into per as two three four several many most other new old such same"
)
_AFTER_VERB = re.compile(
    r"\s*(?:ꙮ|\b(?:the|a|an|this|that|these|those|its|their|no|all|both|each|every|any|only|to|it|them|early|nil|"
    r"empty|true|false|when|if|because|silently|whether|how|nothing|anything|immediately|before|after|as|on|in|from|"
    r"with|for|by|at|into|through|over|even|unset|\w+ly)\b|\d|%|\[|[a-z]+-[a-z]|$|[.,;])"
)
_SUBJECT = re.compile(r"ꙮ(?: [a-z]+)? $")  # a name, with what it is
_TAKES = re.compile(r" (?:the|an?|its|their|no|all|each|every|it|them|ꙮ)(?: |$)")
_PAST = re.compile(r"\b(?:was|were|had|did|\w{3,}ed)\b")
_AUXILIARY = re.compile(
    r"\b(?:to|will|would|can|could|should|must|may|might|do|does|did|not|don't|doesn't|didn't)\s+(?:\w+ly\s+)?$"
)
_PLURAL = re.compile(
    r"(?:\b(?:they|we|you|these|those|which|that|and)|\b[a-z]{2,}[a-rt-z]s)\s+(?:(?:also|still|only|then|\w+ly)\s+)?$",
    re.IGNORECASE,
)


def is_verb(word: str) -> bool:
    """Whether a word is a known verb in the third person, or an auxiliary."""
    return word in _VERBS or word in _FORMS


def tell_past(sentence: str) -> str:
    """The sentence in the past, as it is where it tells of the past already; empty where a verb is in doubt."""
    kept: list[str] = []

    def hide(match: re.Match[str]) -> str:
        kept.append(match[0])
        return _HIDDEN

    text = _KEPT.sub(hide, sentence.replace("\u2019", "'"))
    told: list[str] = []
    end = 0
    for match in _WORD.finditer(text):
        past = _past_of(match[0], text[: match.start()], text[match.end() :])
        if past is None:
            return ""
        if past:
            told += [text[end : match.start()], past]
            end = match.end()
    if not told and not _PAST.search(text):
        return ""
    names = iter(kept)
    return re.sub(_HIDDEN, lambda _: next(names), "".join([*told, text[end:]]))


def _past_of(word: str, before: str, after: str) -> str | None:
    """The past form of a present verb, empty for any other word, None where it is in doubt."""
    lower = word.lower()
    helped = bool(_AUXILIARY.search(before))
    if lower in _FORMS:
        past = _FORMS[lower]
        return past.capitalize() if word[0].isupper() else past
    if lower in ("have", "do") and not helped:
        return "had" if lower == "have" else "did" if after.startswith(" not ") else None
    last = re.search(r"([\w'ꙮ]+)\W*$", before)
    previous = last[1].lower() if last else ""
    listed = before.rstrip().endswith(",") and after[:1] in (",", ")")
    noun = listed or previous in _BEFORE_NOUN or previous in _BASE or previous.endswith("'s")
    if lower in _VERBS:
        if noun or (lower in _NOUNS_TOO and previous.endswith(("ed", "ing")) and not _TAKES.match(after)):
            return ""
        sure = lower in _PLAIN or _AFTER_VERB.match(after) or (_SUBJECT.search(before) and not _is_next_verb(after))
        return _inflect(lower) if previous and sure else None
    if lower in _BASE and not helped and _PLURAL.search(before):
        third = _BASE[lower]
        return _inflect(third) if third in _PLAIN or _AFTER_VERB.match(after) else None
    unknown = len(lower) > 4 and lower.endswith("s") and not lower.endswith(("ss", "ous", "ways"))
    return None if unknown and not noun and _TAKES.match(after) else ""


def _is_next_verb(after: str) -> bool:
    word = _WORD.search(after)
    return word is not None and (word[0] in _BASE or is_verb(word[0]))


def _inflect(third: str) -> str:
    """The past of a verb in the third person."""
    if third in _IRREGULAR:
        return _IRREGULAR[third]
    if third.endswith("ies"):
        return f"{third[:-3]}ied"
    base = third[:-2] if third.endswith(("shes", "ches", "sses", "xes")) else third[:-1]
    if base.endswith("e"):
        return f"{base}d"
    return f"{base}{base[-1]}ed" if base in _DOUBLED else f"{base}ed"


_DOUBLED = _words("drop log map omit prefer refer skip stop strip sum swap trim wrap")
