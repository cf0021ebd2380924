"""What a user says, told in the third person: requests, wishes, limits, reasons and facts about them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from seci.distillers.grammar import reported, tell_first_person, tell_question
from seci.distillers.language import Cues
from seci.distillers.markdown import parse_blocks
from seci.distillers.sentences import Casing, count_words, finish_sentence, is_balanced, split_sentences
from seci.distillers.standing import is_standing, mend_splice, standing_gist, without_pointers
from seci.distillers.voice import strip_openers

MAX_WORDS = 42


REPORT_WORDS = 24


LIST_WORDS = 64


TOLD_WORDS = 56


VAGUE_WORDS = 11


QUOTE_WORDS = 34  # of two sentences quoted together


PERSONAL = frozenset({"wish", "limit", "fact", "plan"})  # kinds that are about the speaker


@dataclass(frozen=True, slots=True)
class Told:
    """One sentence of a user told by somebody else. `kind`: request, wish, limit, question, statement, fact or plan."""

    text: str
    kind: str
    standing: bool = False
    correction: bool = False
    errand: bool = False
    gist: str = ""  # what a title can be made of: the wish itself


def tell_user(text: str, cues: Cues, casing: Casing, who: str = "The user") -> list[Told]:
    """The sentences of a user's turn that can be told, in order; pasted code, logs and chatter are left out."""
    told = _tell_list(text, cues, casing, who)
    for sentence in _prose(text):
        one = _tell(sentence, cues, casing, who)
        if one is not None:
            told.append(one)
    return told


def is_report(text: str) -> bool:
    """Whether a user's turn is written prose (a finding, a review comment, a description) rather than talk."""
    if re.match(r"\W*[a-z]+\b[ ,]", text):
        return False
    sentences = [s for s in _prose(text) if count_words(s) >= 4]
    if sum(count_words(s) for s in sentences) < REPORT_WORDS:
        return False
    formal = [s for s in sentences if (s[0].isupper() or s[0] == "`") and s[-1] in ".:)" and not _TALK.search(s)]
    return len(formal) >= 0.6 * len(sentences)


def quote_user(text: str, cues: Cues) -> Told | None:
    """The user's weightiest sentence word for word, for objections and questions that no template tells."""
    best, weight = "", 0.0
    sentences = _prose(text)
    for at, sentence in enumerate(sentences):
        plain = strip_openers(sentence, cues).strip(" ,;:-–—")
        words = count_words(plain)
        if not 6 <= words <= 32 or not is_balanced(plain) or _noisy(plain) or '"' in plain:
            continue
        asked = cues.starts("requests", plain)
        if (
            cues.says("errands", plain[asked.end() :] if asked else plain)
            or cues.says("chatter", plain)
            or cues.says("pasted", plain)
        ):
            continue
        felt = cues.says("dislikes", plain) or cues.says("corrections", plain)
        if words + 40 * felt > weight:
            best, weight = plain, words + 40 * felt
        elif (
            best
            and best.endswith(".")
            and sentences[at - 1].endswith(best)
            and count_words(best) + words <= QUOTE_WORDS
        ):
            best += f" {plain}"
    if not best:
        return None
    asks = best.endswith("?") or bool(cues.starts("questions", best))
    objects = cues.says("corrections", text[:200]) or cues.says("dislikes", best)
    verb = "asked" if asks else "objected" if objects else "remarked"
    said = finish_sentence(best.rstrip(".?!") + ("?" if asks else "."))
    return Told(
        f'The user {verb}: "{said}"', "question" if asks else "statement", False, True, False, best.rstrip("?. ")
    )


def join_told(main: Told, told: Sequence[Told], text: str, cues: Cues) -> Told:
    """`main` with what else was said to it: a wish or fact beside it, and the reason given right after."""
    parts = [_with_fragments(main.text, text, cues) if main.kind in ("wish", "limit") else main.text]
    words = count_words(parts[0])
    for one in told:
        beside = one.kind in PERSONAL or (one.kind == main.kind == "request")
        if one is main or one.errand or not beside or words + count_words(one.text) > TOLD_WORDS:
            continue
        if one.text not in parts and len(parts) < 3:
            again = re.sub(r" asked to (?:also )?", " also asked to ", one.text, count=1)
            parts.append(again if one.kind == "request" else one.text)
            words += count_words(one.text)
    for sentence in _prose(text):
        plain = strip_openers(sentence, cues).strip(" ,;:-–—")
        fits = 4 <= count_words(plain) <= 18 and words + count_words(plain) <= TOLD_WORDS
        if (
            fits
            and len(set(plain.lower().split()) - set(main.text.lower().split())) > 2  # says something new
            and not is_standing(plain, cues)
            and (cues.starts("reasons", plain) or (main.kind == "decision" and _gives_reason(plain, cues)))
            and (main.kind == "decision" or not _TALK.search(plain))
            and is_balanced(plain)
            and plain[-1] != "?"
            and not any(plain in part for part in parts)
        ):
            if main.kind == "decision" and _OURS.search(plain) and '"' not in plain:
                plain = f'The reason given: "{finish_sentence(plain)}"'
            parts.append(finish_sentence(re.sub(r"^([Tt]h(?:at|is)|[Ii]t)['’]ll\b", r"\1 will", plain)))
            break
    return replace(main, text=" ".join(parts))


_OURS = re.compile(r"\b(?:we|our|us|my)\b", re.IGNORECASE)


def _gives_reason(sentence: str, cues: Cues) -> bool:
    """Said beside a decision, by its cue or as a plain statement about the speakers' own situation."""
    if cues.signal("reason", sentence) or cues.signal("cause", sentence):
        return True
    told = any(
        cues.starts(name, sentence) for name in ("imperative", "requests", "decided", "prohibitions", "questions")
    )
    return not told and count_words(sentence) >= 5 and bool(cues.finite.search(sentence))


def _with_fragments(told: str, text: str, cues: Cues) -> str:
    """The wish with the bare "No emoji." that was said right beside it."""
    said = (_POLITE.sub("", s.rstrip(" .!")) for s in _prose(text))
    rules = [s for s in said if cues.whole("bare_rules", s)]
    fresh = [rule for rule in rules if rule.lower() not in told.lower()]
    if not fresh or len(fresh) > 3 or told.rstrip().endswith('"'):
        return told
    return finish_sentence(told.rstrip(" .") + "".join(f"; {rule[0].lower()}{rule[1:]}" for rule in fresh))


def tell_agreement(text: str, cues: Cues, casing: Casing, who: str = "The user") -> Told | None:
    """An agreement with a condition ("agreed, but make it 50 MB"), as a decision on the proposal before it."""
    match = cues.starts("agreements", text.strip())
    if match is None:
        return None
    rest = split_sentences(text.strip()[match.end() :])
    told = next(iter(tell_user(rest[0], cues, casing, who)), None) if rest else None
    lead = f"{who} asked to "
    if told is None or not told.text.startswith(lead) or told.errand:
        return None
    joint = "but" if "but" in match[0].lower() else "and"
    return replace(told, text=f"{who} agreed, {joint} asked to {told.text[len(lead) :]}", kind="decision")


def tell_choice(text: str, proposal: str, cues: Cues, casing: Casing) -> Told | None:
    """A user's pick from the numbered options of the proposal before it ("2, but keep the old name")."""
    match = cues.whole("choices", strip_openers(text, cues)[:300])
    if match is None:
        return _name_option(text, proposal, cues)
    runs: list[list[str]] = [[]]
    for block in parse_blocks(proposal):
        if block.kind == "item" and block.ordered and block.level < 2:
            runs[-1].append(f"{block.label}: {block.text}" if block.label and block.text else block.label or block.text)
        elif block.kind not in ("item", "code") and runs[-1]:
            runs.append([])
    options = next((run for run in reversed(runs) if len(run) > 1), [])
    picked = match[1]
    number = int(picked) if picked.isdigit() else "abcd".index(picked.lower()) + 1
    if not 1 <= number <= len(options):
        return None
    option = split_sentences(options[number - 1])[0].rstrip(" .?:;")
    rest = re.sub(r"^(?:and|but|then)\s+", "", (match[2] or "").strip(" .?!"), flags=re.IGNORECASE)
    tail = f", {'but' if 'but' in text[:12].lower() else 'and said'} {reported(rest, 'The user')}" if rest else ""
    if count_words(option) > 30 or not is_balanced(option + tail):
        return None
    return Told(
        finish_sentence(f"Of {len(options)} options the user chose: {casing.lower_first(option)}{tail}"),
        "decision",
        gist=option + tail,
    )


def _name_option(text: str, proposal: str, cues: Cues) -> Told | None:
    """A pick by name ("offsets."): the first words are in the label of one option of a list, and of no other."""
    first = strip_openers(split_sentences(text)[0], cues).strip(" .!?") if text.strip() else ""
    words = {word.lower() for word in re.findall(r"[^\W\d_]{4,}", first)}
    if not words or count_words(first) > 4 or cues.starts("imperative", first):
        return None
    items = [block for block in parse_blocks(proposal) if block.kind == "item" and block.label and block.level < 2]
    picked = [item for item in items if words <= {w.lower() for w in re.findall(r"[^\W\d_]{4,}", item.label)}]
    if len(items) < 2 or len(picked) != 1:
        return None
    others = " or ".join(f'"{item.label}"' for item in items if item is not picked[0])
    said = split_sentences(picked[0].text)[0].rstrip(" .;:") if picked[0].text else ""
    option = f"{picked[0].label}: {said}" if said else picked[0].label
    if not is_balanced(option) or count_words(option) > 40 or len(items) > 4:
        return None
    return Told(
        finish_sentence(f'The user chose "{picked[0].label}" over {others}: {said}'), "decision", gist=picked[0].label
    )


def _prose(text: str) -> list[str]:
    sentences: list[str] = []
    for block in parse_blocks(text[:20000]):
        if block.kind in ("para", "item"):
            label = f"{block.label}: " if block.label else ""
            sentences.extend(split_sentences(label + block.text))
    return sentences


def _tell_list(text: str, cues: Cues, casing: Casing, who: str) -> list[Told]:
    """A list of instructions as one request with all of its items."""
    items = [block for block in parse_blocks(text[:20000]) if block.kind == "item" and not block.label]
    parts = [strip_openers(block.text, cues).rstrip(" .;,") for block in items]
    if not 2 <= len(parts) <= 5 or not all(
        cues.starts("imperative", p) and is_balanced(p) and not _noisy(p) for p in parts
    ):
        return []
    wanted = [reported(casing.lower_first(part), who) for part in parts]
    sentence = f"{who} asked to {'; '.join(wanted[:-1])}; and {wanted[-1]}"
    if count_words(sentence) > LIST_WORDS:
        return []
    return [Told(finish_sentence(sentence), "request", gist=parts[0])]


def _tell(sentence: str, cues: Cues, casing: Casing, who: str) -> Told | None:
    text = strip_openers(sentence, cues).rstrip(" ,;:-–—")
    if not 3 <= count_words(text) <= MAX_WORDS or not is_balanced(text) or cues.says("chatter", text):
        return None
    if cues.whole("bare_rules", _POLITE.sub("", text.rstrip(".!"))):
        rule = _POLITE.sub("", text.rstrip(".!"))
        return Told(f"{who} asked for {rule[0].lower()}{rule[1:]}.", "limit", gist=rule)
    if text.endswith("...") or text.startswith(("[", "|", "/", "$")) or _noisy(text) or cues.says("pasted", text):
        return None
    standing = cues.says("standing", text)
    if cues.says("busy", text) and not cues.signal("cause", text):
        return None
    correction = cues.says("corrections", sentence.strip())
    made = _template(text, cues, casing, who)
    if made is None:
        return None
    kind, body = made
    if kind in PERSONAL - {"limit"} and count_words(text) < VAGUE_WORDS and _POINTS.search(text):
        return None
    wanted, _, why = (body.partition(" asked to ")[2] or body.partition(" decided to ")[2]).partition(": ")
    wish = wanted.startswith("see ") and (" instead of " in wanted or " rather than " in wanted)
    errand = kind == "request" and cues.says("errands", wanted) and not wish
    gist = (why if errand and why else wanted) or plain_gist(text)
    if kind == "limit":
        gist, standing = standing_gist(text, cues), standing or is_standing(text, cues)
    if kind in ("request", "limit", "wish", "decision") and '"' not in body:
        body = mend_splice(body)
    return Told(finish_sentence(_POLITE.sub("", body)), kind, standing, correction, errand, _POLITE.sub("", gist))


_TALK = re.compile(r"\b(?:I|I'm|I've|me|my|you|your|please|can we|could we|let's)\b", re.IGNORECASE)


_CODE_LIKE = re.compile(r"https?://|\w=(?:\s|$|\")|[⨯✗✘✖]|[{};]\s*$|:=|\+=|[{}]|=>|\(\);|&&|->|\|\||</|/>|\.\.\.\":")


# What points at something that was only on the screen.
_POINTS = re.compile(r"\b(?:this|that|these|those|it|here|them)\b", re.IGNORECASE)


_POLITE = re.compile(r",? (?:please|pls|plz|thanks)$", re.IGNORECASE)


def plain_gist(text: str) -> str:
    """The words after "I think" and the like."""
    return re.sub(
        r"^(?:I|we) (?:think|believe|feel|guess|wonder if|want|would like) (?:that )?", "", text, flags=re.IGNORECASE
    )


def _noisy(text: str) -> bool:
    """Pasted output rather than speech: too few letters, or the look of a path or a log line."""
    if _CODE_LIKE.search(re.sub(r"`[^`]*`", "", text)):
        return True
    letters = sum(c.isalpha() or c.isspace() for c in text)
    return letters < 0.78 * len(text)


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
        wanted = reported(match["do"].strip(), who)
        why = reported(casing.lower_first(match["why"].strip(" ,;:-")), who)
        if count_words(wanted) >= 2 and not re.match(r"^(?:you|it|that|this)\b", wanted):
            if re.match(r"(?:for|in|on|at|with|from|when|if|after|before|during|under|as)\b", why):
                return "request", f"{who} asked to {wanted}, {why}"
            return "request", f"{who} asked to {wanted}: {why}" if count_words(why) > 2 else f"{who} asked to {wanted}"
    if cues.starts("imperative", plain):
        return "request", f"{who} asked to {reported(casing.lower_first(plain), who)}"
    if text.endswith("?"):
        asked = tell_question(plain, who)
        return ("question", asked) if asked else None
    return tell_first_person(plain, cues, casing, who)
