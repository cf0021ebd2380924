"""Names of decisions: what was chosen, over what, and for which need."""

from __future__ import annotations

import re

from seci.distillers.language import Cues
from seci.distillers.titles import LIMIT
from seci.distillers.told import Told

_PART = r"[\w`.+#/-]+(?: [\w`.+#/-]+){0,2}"
_ALTERNATIVES = re.compile(
    rf"(?P<first>{_PART}),? or (?:just |simply |rather |only )?(?P<second>{_PART}?)"
    r"(?=[?,.;]|$| (?:for|as|in|to|when|here|we|you|that)\b)"
)
_NEED = re.compile(r"\b(?:we|i)(?:'d| would)? (?:need|want|like)(?! to\b) (?P<need>[^.?!,;:]{6,60})", re.IGNORECASE)
_TAKEN = re.compile(
    r"^(?:go(?:ing)? (?:with|for)|use|pick|choose|take|stick (?:to|with)|stay with|switch to|move to|"
    r"settle on|keep) (?P<what>.+)$"
)
_CLAUSE = re.compile(r"(?:,? (?:because|since|so|as|but|and|for|instead|then|until|when|if)\b.*|[,;:].*)$")


def name_choice(decided: Told, question: str, cues: Cues) -> str:
    """ "Postgres chosen over Elasticsearch for full text search"; empty where the wording tells no chosen thing."""
    match = _TAKEN.match(decided.gist.strip(" .!"))
    if not match:
        return ""
    what = _CLAUSE.sub("", match["what"]).strip()
    if not what or re.match(
        r"(?:it|this|that|these|those|them|both|one|the (?:first|second|last|other|latter))\b", what, re.IGNORECASE
    ):
        return ""
    other = _rejected(what, question)
    need = _NEED.search(question)
    names = [f"{what} chosen over {other}" if other else f"Decided: {decided_verb(decided)} {what}"]
    if need and other and not re.search(r"\b(?:this|that|it)\b", need["need"]):
        names.insert(0, f"{names[0]} for {need['need'].strip()}")
    return next((name[0].upper() + name[1:] for name in names if len(name) <= LIMIT), "")


def decided_verb(decided: Told) -> str:
    """The verb of the decision as it was said ("go with", "keep")."""
    match = _TAKEN.match(decided.gist.strip(" .!"))
    return decided.gist.strip()[: match.start("what")].strip() if match else ""


def _rejected(what: str, question: str) -> str:
    """The other one of two things that the question asked about."""
    for match in _ALTERNATIVES.finditer(question):
        first, second = match["first"], match["second"]
        for mine, other in ((first, second), (second, first)):
            if mine.lower().endswith(what.lower().removeprefix("the ")):
                return other.split()[-1] if other is first else other
    return ""
