"""English reported speech: what somebody says of themselves, told in the third person."""

from __future__ import annotations

import re
from collections.abc import Sequence

from seci.distillers.language import Cues
from seci.distillers.sentences import Casing, enumerate_parts, finish_sentence

_WHY = re.compile(
    r"^(why|how|what|where|when) (aren't|are|isn't|is|don't|do|doesn't|does|can't|can|couldn't|could|shouldn't|"
    r"should|didn't|did|won't|will|would|wouldn't) (not )?(we|it|they|there|i|you|this|that) (.+)$",
    re.IGNORECASE,
)


def tell_question(text: str, who: str) -> str:
    match = _WHY.match(text.replace("’", "'"))
    if not match:
        return ""
    word, auxiliary, negation, subject, rest = match.groups()
    if subject.lower() in ("this", "that", "you"):
        return ""
    auxiliary = auxiliary.lower()
    subject = "they" if subject.lower() == "i" else subject.lower()
    if auxiliary in ("do", "does", "did"):
        return (
            f"{who} asked {word.lower()} {subject} {reported(rest, who)}" if auxiliary == "do" and not negation else ""
        )
    return f"{who} asked {word.lower()} {subject} {auxiliary} {'not ' if negation else ''}{reported(rest, who)}"


_AUX = {"am": "is", "have": "has", "do": "does", "don't": "doesn't", "haven't": "hasn't", "was": "was"}


_UNCHANGED = re.compile(
    r"^(?:was|had|will|would|can|could|should|must|may|might|did|didn't|can't|couldn't|won't|wouldn't|"
    r"used|never|always|\w+ed|got|went|bought|saw|made|took|found|grew|knew|thought|told|left|met|read|"
    r"ran|gave|came|became|began|felt|kept|spent|said|lost|won|built|taught|wrote|heard|ate|slept|paid|"
    r"chose|broke|drove|flew|sold|sent|held|stood|understood|let|put|set|cut|hit)$"
)


_ADVERBS = re.compile(
    r"^(?:(?:really|also|usually|generally|always|never|still|just|recently|actually|currently|mostly|"
    r"only|often|sometimes|normally|typically|strongly|much|personally|already|now|definitely|probably|"
    r"absolutely) )*"
)


def tell_first_person(text: str, cues: Cues, casing: Casing, who: str) -> tuple[str, str] | None:
    text = _THIS_THING.sub(lambda m: "The" if m[0][0] == "T" else "the", text.replace("’", "'"))
    kind = "statement"
    for name, label in (
        ("preference", "wish"),
        ("plans", "plan"),
        ("decisions", "decision"),
        ("facts", "fact"),
    ):
        if cues.says(name, text):
            kind = "statement" if label == "fact" and cues.starts("feelings", text) else label
            break
    match = re.match(r"^I('m|'ve|'d|'ll)? +(?=[a-z])", text, re.IGNORECASE)
    if match:
        rest = text[match.end() :]
        short = (match[1] or "").lower()
        verb_phrase = {"'m": "is ", "'ve": "has ", "'ll": "will ", "'d": "would "}.get(short)
        if verb_phrase is None:
            verb_phrase, rest = third_person_verb(rest)
        return kind, f"{who} {verb_phrase}{reported(rest, who)}"
    if re.match(r"^(?:my|our)\b", text, re.IGNORECASE):
        return kind, f"{who}'s {reported(text.partition(' ')[2], who)}"
    if match := re.match(r"^we need (?!to\b)", text, re.IGNORECASE):
        return "need", f"{who} needs {reported(text[match.end() :], who)}"
    if re.match(r"^we\b", text, re.IGNORECASE) and kind == "fact" and '"' not in text:
        return kind, f'{who} said: "{finish_sentence(text)}"'
    text = _plain_verb_first(text, casing)
    if _OPEN_CONDITION.match(text) or ": " in text[:60]:
        return None
    if cues.starts("dangling_user", text) or not _declarative(text):
        return None
    return kind, f"{who} said that {reported(casing.lower_first(text), who)}"


# "If ..." without what follows from it.
_OPEN_CONDITION = re.compile(r"^if\b(?!.*(?:\b(?:should|must|needs to|then)\b|,))", re.IGNORECASE)


def _plain_verb_first(text: str, casing: Casing) -> str:
    """The text in lower case where its first word is no name, so that it fails as a sentence with a subject."""
    first = text.partition(" ")[0]
    known = first.lower() in casing.lower and not re.match(r"I\b|[A-Z]{2}", first)
    return first.lower() + text[len(first) :] if first[:1].isupper() and known else text


def third_person_verb(rest: str, *, infinitive: bool = False) -> tuple[str, str]:
    """(the verb that a phrase begins with, in the third person and with its adverbs; what follows it). Only an
    `infinitive` is no past form ("to read", but "I read")."""
    adverbs = _ADVERBS.match(rest)
    lead = adverbs[0] if adverbs else ""
    rest = rest[len(lead) :]
    verb, _, tail = rest.partition(" ")
    lower = verb.lower()
    if lower in _AUX:
        made = _AUX[lower]
    elif not infinitive and _UNCHANGED.match(lower):
        made = lower
    elif lower.endswith(("s", "x", "z", "ch", "sh", "o")):
        made = f"{lower}es"
    elif lower.endswith("y") and lower[-2:-1] not in "aeiou":
        made = f"{lower[:-1]}ies"
    else:
        made = f"{lower}s"
    return f"{lead}{made} ", tail


def _declarative(text: str) -> bool:
    """Has a subject before a finite verb, as far as form tells."""
    return bool(
        re.match(
            r"^(?!(?:error|warning|usage|options|flags|fatal|exit)\b)(?:the|a|an|our|we|all|each|every|both|no|"
            r"there|in|on|for|when|if|only|most|some|any|`[^`]+`|[A-Z][\w./]*[A-Z]\w*|\w+[-_./]\w+|\w{4,}(?:s|"
            r"ing|ion|ment|ity|ness)|[A-Z]\w+(?= (?:is|are|was|has|should|must|can|will|takes|needs)))\b.*\b"
            r"(?:is|are|was|were|has|have|had|should|must|can|can't|cannot|could|will|won't|would|needs?|does|"
            r"do|don't|doesn't|did|didn't|\w+s)\b",
            text,
        )
    )


_ALTERED = re.compile(
    r"^(?:modified|updated|changed|altered|adjusted|extended) (?P<what>(?:the )?`[^`]+`(?: [a-z]+)?) to (?:now |also )?"
    r"(?P<do>(?!be\b|the\b|an?\b|`)[a-z]+ .+)$",
    re.IGNORECASE,
)


_ALTERED_TO = re.compile(
    r"^(?:the change )?(?:modified|updated|changed|altered|adjusted|extended) "
    r"(?P<what>(?:the )?`[^`]+`(?: [\w./]+){0,4}?) to$",
    re.IGNORECASE,
)


def tell_states(lead: str, wanted: Sequence[str], cues: Cues) -> str:
    """The same for a list of what something was changed to do; empty where it cannot be."""
    match = _ALTERED_TO.match(lead)
    if match is None or 2 * sum(bool(cues.starts("imperative", one)) for one in wanted) < len(wanted):
        return ""
    does = ["".join(third_person_verb(one, infinitive=True)) for one in wanted]
    what = match["what"]
    return f"{what[0].upper()}{what[1:]} now {enumerate_parts(does)}"


def tell_state(text: str, cues: Cues) -> str:
    """A sentence that tells of an edit as what holds since ("`open` now logs a warning"); empty where it cannot be."""
    match = _ALTERED.match(text)
    if match is None or not cues.starts("imperative", match["do"]):
        return ""
    verb, rest = third_person_verb(match["do"], infinitive=True)
    what = match["what"]
    return f"{what[0].upper()}{what[1:]} now {verb}{rest}"


_PRONOUNS = (
    (re.compile(r"\bI'm\b|\bI am\b"), "they are"),
    (re.compile(r"\bI was\b"), "they were"),
    (re.compile(r"\bI've\b"), "they have"),
    (re.compile(r"\bI'll\b"), "they will"),
    (re.compile(r"\bI'd\b"), "they would"),
    (re.compile(r"\b(?:I|i)\b(?!\.)"), "they"),
    (re.compile(r"\bme\b"), "them"),
    (re.compile(r"\b[Mm]y\b"), "their"),
    (re.compile(r"\bmine\b"), "theirs"),
    (re.compile(r"\bmyself\b"), "themselves"),
    (re.compile(r"\byour\b"), "the"),
)


# A path from the root of somebody's machine, of which only the last name tells anything.
_MACHINE_PATH = re.compile(r"(?<![\w`/.~-])@?/(?:[\w.-]+/){2,}(?P<name>[\w.-]*\w)")


def reported(text: str, who: str) -> str:
    """What somebody said, as somebody else tells it: in the third person, without the places of their machine."""
    text = _MACHINE_PATH.sub(r"`\g<name>`", text)
    parts = re.split(r"(`[^`]*`|\"[^\"]*\")", text.strip())
    for at in range(0, len(parts), 2):
        for pattern, replacement in _PRONOUNS:
            parts[at] = pattern.sub(replacement, parts[at])
        parts[at] = _THIS_THING.sub(lambda m: "The" if m[0][0] == "T" else "the", parts[at])
    return "".join(parts).strip()


# "these wrappers" of somebody who has them before their eyes; a bare "this" is left, since no article replaces it.
_THIS_THING = re.compile(
    r"\b(?:[Tt]his|[Tt]hese|[Tt]hose)(?= (?!(?:is|are|was|were|to|in|on|for|and|or|of|we|they|it|the|a|an|should|can|"
    r"will|would|with|when|if|as|at|from|so|but|by|does|do|has|have|not|too|also|instead|now|then|could|may|might|must|"
    r"rather|because|really|still|just|means?|makes?|time|way)\b)[a-z`])"
)
