"""A wish, decision or request together with what else was said to it in the same turn."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from seci.distillers.assembly import repeats
from seci.distillers.language import Cues
from seci.distillers.sentences import count_words, finish_sentence, is_balanced
from seci.distillers.standing import is_standing
from seci.distillers.told import PERSONAL, POLITE, TALK, Told, read_prose
from seci.distillers.voice import strip_openers

TOLD_WORDS = 56
REASON_WORDS = 30  # of the reason for a decision or a correction


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
    argued = main.kind == "decision" or (main.kind == "request" and main.correction)
    for sentence in read_prose(text):
        plain = strip_openers(sentence, cues).strip(" ,;:-–—")
        most = REASON_WORDS if argued else 18
        fits = 4 <= count_words(plain) <= most and words + count_words(plain) <= TOLD_WORDS
        if (
            fits
            and len(set(plain.lower().split()) - set(main.text.lower().split())) > 2  # says something new
            and not is_standing(plain, cues)
            and not cues.says("chatter", plain)
            and (cues.starts("reasons", plain) or (argued and _gives_reason(plain, cues)))
            and (argued or not TALK.search(plain))
            and is_balanced(plain)
            and plain[-1] != "?"
            and not repeats(plain, parts)
        ):
            if argued and _OURS.search(plain) and '"' not in plain:
                plain = f'The reason given: "{finish_sentence(plain)}"'
            parts.append(finish_sentence(re.sub(r"^([Tt]h(?:at|is)|[Ii]t)['’]ll\b", r"\1 will", plain)))
            break
    return replace(main, text=" ".join(parts))


_OURS = re.compile(r"\b(?:we|our|us|my|I|I['’]\w+|me)\b", re.IGNORECASE)


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
    said = (POLITE.sub("", s.rstrip(" .!")) for s in read_prose(text))
    rules = [s for s in said if cues.whole("bare_rules", s)]
    fresh = [rule for rule in rules if rule.lower() not in told.lower()]
    if not fresh or len(fresh) > 3 or told.rstrip().endswith('"'):
        return told
    return finish_sentence(told.rstrip(" .") + "".join(f"; {rule[0].lower()}{rule[1:]}" for rule in fresh))
