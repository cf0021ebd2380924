"""What a text only puts up for choice, or supposes: options nobody took, possible causes, scenes to think with."""

from __future__ import annotations

import re

from seci.distillers.language import Cues

_WORD = r"(?:option|alternative|approach|variant|choice|possibility|solution|proposal)"
_NAMED = re.compile(rf"^{_WORD} #?(?P<name>\d|[A-D])\b", re.IGNORECASE)
# A heading or a lead under which several ways or causes stand beside each other, and none of them is a fact.
_OPEN = re.compile(
    r"(?:(?:some|the|other|possible|potential|available|alternative|several|two|three|four|\d|a few|your|our|main) )*"
    r"(?:options?|alternatives?|alternative approaches|approaches|possibilities|ways|choices)"
    r"(?: (?:considered|here|available|to .{3,60}|for .{3,60}|are|include|would be|could be|exist))*"
    r"|.*\b(?:the|some|other|several|two|three|our|your|following|possible|alternative) "
    r"(?:options|alternatives|choices|possibilities|alternative approaches)(?: (?:are|here|include|would be|could be))?"
    r"|.*\b(?:either|one of|(?:could|can|might)(?: do)?(?: \w+)?(?: one of)?)"
    r"|.*\b(?:possible|potential|probable|likely|suspected|plausible) (?:root |underlying )?"
    r"(?:causes?|reasons?|culprits?|explanations?|sources?|suspects?|improvements?|enhancements?)\b.*"
    r"|(?:the )?(?:hypothes[ie]s|theories|suspects|pros|cons|pros (?:and|/|&) cons|trade-?offs?)\b.*"
    r"|(?:.* )?(?:might|could|may) be(?: (?:caused by|due to|because(?: of)?))?"
    r"|(?:(?:key|main|common|the|possible|example|sample|usage|test|edge|all) )*"
    r"(?:scenarios?|walk-?throughs?|use cases)(?: \w+)?",
    re.IGNORECASE,
)


def is_open(lead: str) -> bool:
    """Whether what stands under a heading or after a lead is put up for choice, supposed or made up."""
    return bool(_OPEN.fullmatch(lead.strip(" :.?!")))


def option_name(heading: str) -> str:
    """The number or letter of the option that a heading or a label is about; empty where it is none."""
    match = _NAMED.match(heading)
    return match["name"].upper() if match else ""


def taken_options(text: str, cues: Cues) -> frozenset[str]:
    """The names of the options that an answer recommends or says were taken."""
    taken = set()
    for match in re.finditer(rf"\b{_WORD} #?(?P<name>\d|[A-D])\b", text, re.IGNORECASE):
        before = re.split(r"[.!?\n]", text[max(0, match.start() - 60) : match.start()])[-1]
        after = re.split(r"[.!?\n;]|\bbut\b", text[match.end() : match.end() + 80])[0]
        if cues.says("favours", before) or cues.says("favoured", after):
            taken.add(match["name"].upper())
    return frozenset(taken)
