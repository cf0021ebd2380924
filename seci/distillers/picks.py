"""Decisions on the proposal before: an agreement with a condition, an option picked by number or by name."""

from __future__ import annotations

import re
from dataclasses import replace

from seci.distillers.grammar import reported
from seci.distillers.language import Cues
from seci.distillers.markdown import parse_blocks
from seci.distillers.requests import tell_user
from seci.distillers.sentences import Casing, count_words, finish_sentence, is_balanced, split_sentences
from seci.distillers.told import Told
from seci.distillers.voice import strip_openers


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
    if cues.says("trivial", option):
        return None
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
        finish_sentence(f'The user chose "{picked[0].label}" over {others}: {said}'),
        "decision",
        gist=f"{picked[0].label} chosen over {others}",
    )
