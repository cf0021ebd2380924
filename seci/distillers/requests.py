"""What a user says, told in the third person: requests, wishes, limits, reasons and facts about them."""

from __future__ import annotations

import re

from seci.distillers.grammar import reported, tell_first_person, tell_question
from seci.distillers.language import Cues
from seci.distillers.markdown import parse_blocks
from seci.distillers.sentences import Casing, count_words, enumerate_parts, finish_sentence, is_balanced
from seci.distillers.standing import is_standing, mend_splice, standing_gist, without_pointers
from seci.distillers.told import PERSONAL, POLITE, Told, is_noisy, plain_gist, read_prose
from seci.distillers.voice import strip_openers

MAX_WORDS = 42


LIST_WORDS = 64


VAGUE_WORDS = 11


def tell_user(text: str, cues: Cues, casing: Casing, who: str = "The user") -> list[Told]:
    """The sentences of a user's turn that can be told, in order; pasted code, logs and chatter are left out."""
    told = _tell_list(text, cues, casing, who)
    for sentence in read_prose(text):
        one = _tell(sentence, cues, casing, who)
        if one is not None:
            told.append(one)
    return told


def _tell_list(text: str, cues: Cues, casing: Casing, who: str) -> list[Told]:
    """A list of instructions as one request with all of its items."""
    items = [block for block in parse_blocks(text[:20000]) if block.kind == "item" and not block.label]
    parts = [strip_openers(block.text, cues).rstrip(" .;,") for block in items]
    if not 2 <= len(parts) <= 5 or not all(
        cues.starts("imperative", p) and is_balanced(p) and not is_noisy(p) for p in parts
    ):
        return []
    wanted = [reported(casing.lower_first(part), who) for part in parts]
    sentence = f"{who} asked to {enumerate_parts(wanted)}"
    if count_words(sentence) > LIST_WORDS:
        return []
    return [Told(finish_sentence(sentence), "request", errand=cues.says("errands", wanted[0]), gist=parts[0])]


def _tell(sentence: str, cues: Cues, casing: Casing, who: str) -> Told | None:
    if sentence.rstrip().endswith(":"):
        return None  # what it announces is not in it
    text = strip_openers(sentence, cues).rstrip(" ,;:-–—")
    if not 3 <= count_words(text) <= MAX_WORDS or not is_balanced(text) or cues.says("chatter", text):
        return None
    if cues.whole("bare_rules", POLITE.sub("", text.rstrip(".!"))):
        rule = POLITE.sub("", text.rstrip(".!"))
        return Told(f"{who} asked for {rule[0].lower()}{rule[1:]}.", "limit", gist=rule)
    if text.endswith("...") or text.startswith(("[", "|", "/", "$")) or is_noisy(text) or cues.says("pasted", text):
        return None
    standing = cues.says("standing", text)
    if cues.says("busy", text) and not cues.signal("cause", text):
        return None
    correction = cues.says("corrections", sentence.strip())
    made = _template(text, cues, casing, who)
    if made is None:
        return None
    kind, body = made[0], _ADJUST.sub(r"\1", made[1])
    if kind in ("request", "statement") and cues.says("screen_only", text):
        return None
    if kind == "request" and _POINTS_AT.search(body) and count_words(body) < POINTED_WORDS:
        return None
    if kind in PERSONAL - {"limit"} and count_words(text) < VAGUE_WORDS and _POINTS.search(text):
        return None
    whole = body.partition(" asked to ")[2] or body.partition(" decided to ")[2]
    wanted, _, why = whole.partition(": ") if is_balanced(whole.partition(": ")[0]) else (whole, "", "")
    wish = wanted.startswith("see ") and (" instead of " in wanted or " rather than " in wanted)
    errand = kind == "request" and cues.says("errands", _FIRST.sub("", wanted)) and not wish
    unsaid = errand or wanted.endswith(" the last change")  # what is wanted says nothing; why does
    gist = (_IT_IS.sub("", why) if unsaid and why else wanted) or plain_gist(text)
    if kind == "limit":
        gist, standing = standing_gist(text, cues), standing or is_standing(text, cues)
    if kind in ("request", "limit", "wish", "decision") and '"' not in body:
        body = mend_splice(body)
    return Told(finish_sentence(POLITE.sub("", body)), kind, standing, correction, errand, POLITE.sub("", gist))


_IT_IS = re.compile(r"^it(?:['’]s| is) ")
_TAKE_BACK = re.compile(r"^(revert|undo) (?:that|this|it)$")
_FIRST = re.compile(r"^(?:(?:then|also|now|just|next) )+")
POINTED_WORDS = 14  # of a request that is understood although it points at something
_POINTS_AT = re.compile(r" asked to (?:\w+ ){1,2}(?:it|this|that|them)\b(?! (?:is|are|was|when|if)\b)")
# "adjust this to return X": what is wanted is X, whatever "this" was.
_ADJUST = re.compile(
    r"( asked to )(?:then |also |now )?(?:adjust|change|modify|update|alter|fix) (?:this|it|that) to (?=[a-z])"
)


# What points at something that was only on the screen.
_POINTS = re.compile(r"\b(?:this|that|these|those|it|here|them)\b", re.IGNORECASE)


def _template(text: str, cues: Cues, casing: Casing, who: str) -> tuple[str, str] | None:
    plain = text.rstrip("?.! ")
    if match := cues.starts("manners", plain):
        return "limit", f"{who} asked for this {match['what']}: {match['how']}"
    if not text.endswith("?") and is_standing(plain, cues):
        said = finish_sentence(plain)
        freed = without_pointers(said)
        if freed != said or '"' in said:
            order = re.sub(r"^[Ww]e (?=never|always)", "", mend_splice(freed))
            order = re.sub(r"\bwe\b", "they", order[0].lower() + order[1:])
            return "limit", f"{who} gave a standing instruction: {order}"
        return "limit", f'{who} gave a standing instruction: "{said}"'
    if match := cues.starts("decided", plain):
        return "decision", f"{who} decided to {reported(plain[match.end() :], who)}"
    if match := cues.starts("prohibitions", plain):
        verb = match[0].lower().replace("’", "'")
        rest = reported(plain[match.end() :].strip(), who)
        if re.search(r"\byou\b", plain, re.IGNORECASE):
            return "limit", f'{who} gave the instruction "{finish_sentence(plain)}"'
        if verb.endswith(("don't", "do not")) and rest:
            return "limit", f"{who} asked not to {rest}"
        if verb.endswith("never") and rest:
            return "limit", f"{who} asked never to {rest}"
        return None
    if match := cues.starts("instead_of", plain):
        rest = casing.lower_first(match["do"].strip())
        return (
            "request",
            f"{who} asked to {reported(rest, who)} instead of {reported(match['old'].strip(), who)}",
        )
    if match := cues.starts("requests", plain):
        rest = reported(casing.lower_first(plain[match.end() :].strip()), who)
        if count_words(rest) < 2 or re.match(r"(?:explain|tell|show) (?:me|them)\b", rest):
            return None
        return "request", f"{who} asked to {rest}"
    if match := cues.starts("late_requests", plain):
        wanted = _TAKE_BACK.sub(r"\1 the last change", reported(POLITE.sub("", match["do"].strip()), who))
        if cues.says("pointed_request", wanted) and (plainly := tell_first_person(match["why"], cues, casing, who)):
            return plainly
        why = reported(casing.lower_first(match["why"].strip(" ,;:-")), who)
        if count_words(wanted) >= 2 and not re.match(r"^(?:you|it|that|this)\b", wanted):
            if re.match(r"(?:for|in|on|at|with|from|when|if|after|before|during|under|as)\b", why):
                return "request", f"{who} asked to {wanted}, {why}"
            return "request", f"{who} asked to {wanted}: {why}" if count_words(why) > 2 else f"{who} asked to {wanted}"
    if cues.starts("imperative", plain):
        return "request", f"{who} asked to {reported(plain[0].lower() + plain[1:], who)}"
    if text.endswith("?"):
        asked = tell_question(plain, who)
        return ("question", asked) if asked else None
    return tell_first_person(plain, cues, casing, who)
