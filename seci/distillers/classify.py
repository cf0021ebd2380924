"""Namespace, tier, type, importance and confidence of a note, from its signals."""

from __future__ import annotations

from dataclasses import dataclass

from seci.core.note import Namespace, NoteType, Tier
from seci.distillers.candidate import COMMANDS, Candidate
from seci.distillers.language import Cues
from seci.distillers.told import PERSONAL


@dataclass(frozen=True, slots=True)
class Shelf:
    namespace: Namespace
    tier: Tier
    type: NoteType
    importance: float
    confidence: float


def classify(candidate: Candidate, title: str, cues: Cues) -> Shelf:
    """Where a candidate belongs. Importance grows with its score, confidence falls where it hedges."""
    text = f"{title} {candidate.body}"
    kind = _type(candidate, text, cues)
    namespace = _NAMESPACE[kind]
    tier = Tier.MEMORY
    asked = candidate.asked
    if asked is not None and asked.kind in PERSONAL and (not candidate.units or asked.kind == "wish" or asked.standing):
        namespace = _PERSONAL[asked.kind] if asked.text.startswith("The user") else Namespace.CLIENTS
        if namespace is Namespace.BRAIN and cues.says("wording", asked.text):
            namespace = Namespace.VOICE
        if asked.kind == "limit" and asked.standing:
            tier = Tier.PROCEDURE
    importance = min(0.9, max(0.3, 0.35 + 0.035 * candidate.score))
    confidence = 0.6 if cues.signal("hedge", candidate.body) else 0.8
    return Shelf(namespace, tier, kind, round(importance, 2), confidence)


_PERSONAL = {
    "wish": Namespace.BRAIN,
    "limit": Namespace.BRAIN,
    "fact": Namespace.BRAIN,
    "plan": Namespace.PROJECTS,
}
_NAMESPACE = {
    NoteType.PREFERENCE: Namespace.BRAIN,
    NoteType.DECISION: Namespace.PROJECTS,
    NoteType.FACT: Namespace.DOCS,
    NoteType.PLAN: Namespace.PROJECTS,
    NoteType.SOLUTION: Namespace.SOLUTIONS,
    NoteType.PATTERN: Namespace.PATTERNS,
    NoteType.COMMAND: Namespace.QUICK_REFERENCE,
    NoteType.REFERENCE: Namespace.QUICK_REFERENCE,
    NoteType.EVENT: Namespace.PROJECTS,
    NoteType.OTHER: Namespace.DOCS,
}


def _type(candidate: Candidate, text: str, cues: Cues) -> NoteType:
    asked = candidate.asked
    if candidate.units and candidate.units[0].unit.role == COMMANDS:
        return NoteType.COMMAND
    if asked is not None and (
        asked.kind == "wish" or (asked.kind == "limit" and (asked.standing or not candidate.units))
    ):
        return NoteType.PREFERENCE
    if asked is not None and not candidate.units and asked.kind in ("fact", "plan"):
        return NoteType(asked.kind)
    if candidate.decided or (asked is not None and asked.kind in ("decision", "request", "limit")):
        return NoteType.DECISION
    if cues.signal("cause", text) and (cues.signal("fix", text) or cues.signal("failure", text)):
        return NoteType.SOLUTION
    if cues.signal("plan", text):
        return NoteType.PLAN
    if cues.signal("choice", text):
        return NoteType.DECISION
    return NoteType.FACT
