"""What the sample sessions are distilled to, as text that a reader can judge.

`python -m tests.distillers.golden --write` writes what the rules give now as what is expected; read the difference
before it is committed.
"""

from __future__ import annotations

import sys
from pathlib import Path

from seci.core.note import Draft
from seci.core.session import Session
from seci.distillers.rules import RulesDistiller
from seci.sources.registry import load_registry

SESSIONS = Path(__file__).parents[2] / "examples" / "sessions"
EXPECTED = Path(__file__).parent / "examples.expected.md"


def render_examples() -> str:
    """Every note of every sample session: title, where it belongs, the turns it rests on, body."""
    registry = load_registry()
    distiller = RulesDistiller()
    parts: list[str] = []
    for path in sorted(SESSIONS.iterdir()):
        parts.append(f"# {path.name}")
        for session in registry.read([path]):
            assert isinstance(session, Session), session
            drafts = distiller.distill(session, frozenset(turn.index for turn in session.turns))
            parts.extend(_render(draft) for draft in drafts)
    return "\n\n".join(parts) + "\n"


def _render(draft: Draft) -> str:
    turns = ", ".join(map(str, draft.turns))
    shelf = f"{draft.namespace.value}, {draft.tier.value}, {draft.type.value}; turns {turns}"
    return f"## {draft.title}\n\n*{shelf}*\n\n{draft.body}"


if __name__ == "__main__":
    if "--write" in sys.argv[1:]:
        EXPECTED.write_text(render_examples(), encoding="utf-8")
    else:
        print(render_examples(), end="")
