"""How well a distiller does against the labels of careful readers: precision, coverage and notes a session."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seci.core.note import Draft, Tier
from seci.core.ports import Embedder
from seci.core.session import Role, Session, Turn
from seci.errors import SourceError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MATCH_COSINE = 0.6
MIN_IMPORTANCE = 0.5


@dataclass(frozen=True, slots=True)
class GoldTurn:
    """A reader's label of one turn; `at` and `role` line it up with a parsed turn."""

    index: int
    role: Role
    at: datetime | None
    add: bool


@dataclass(frozen=True, slots=True)
class GoldNote:
    text: str  # title, newline, body
    importance: float
    turns: frozenset[int]


@dataclass(frozen=True, slots=True)
class GoldQuestion:
    text: str
    turns: frozenset[int]  # that answer it


@dataclass(frozen=True, slots=True)
class GoldSession:
    id: str
    turns: tuple[GoldTurn, ...]
    notes: tuple[GoldNote, ...]
    questions: tuple[GoldQuestion, ...] = ()


@dataclass(frozen=True, slots=True)
class SessionRow:
    """Counts of one session: `precise` of `judged` notes, `matched` of `wanted` gold notes, `notes` in all."""

    session: str
    notes: int
    judged: int
    precise: int
    wanted: int
    matched: int


@dataclass(frozen=True, slots=True)
class DistillReport:
    """Shares 0..1 over all sessions; `rows` holds the counts they come from."""

    precision: float
    coverage: float
    notes_per_session: float
    sessions: int
    rows: tuple[SessionRow, ...]

    def as_json(self) -> dict[str, Any]:
        """The four figures that other programs rely on, and the rows."""
        figures = {name: round(getattr(self, name), 4) for name in ("precision", "coverage", "notes_per_session")}
        return {**figures, "sessions": self.sessions, "rows": [asdict(row) for row in self.rows]}


def parse_gold(text: str) -> GoldSession:
    """A gold file. Raises KeyError or ValueError when a field is missing or malformed."""
    data = json.loads(text)
    turns = tuple(
        GoldTurn(int(t["index"]), Role(t["role"]), _time(t.get("at")), t["decision"] == "ADD") for t in data["turns"]
    )
    notes = tuple(
        GoldNote(f"{n['title']}\n{n['body']}", float(n["importance"]), frozenset(n["turns"])) for n in data["notes"]
    )
    questions = tuple(GoldQuestion(q["question"], frozenset(q["turns"])) for q in data.get("questions", ()))
    return GoldSession(str(data["session"]), turns, notes, questions)


def _time(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text.replace("Z", "+00:00")) if text else None


def align_turns(turns: Sequence[Turn], gold: Sequence[GoldTurn]) -> dict[int, int]:
    """Parsed turn number to gold turn number: same role and time, else the last gold turn of that role before it.

    Readers counted a run of answers as one turn where the source records several; the run starts at `at`. Without
    times the numbers are taken as they are.
    """
    mapping: dict[int, int] = {}
    for turn in turns:
        best: GoldTurn | None = None
        for label in gold:
            if label.role is not turn.role:
                continue
            if turn.at is None or label.at is None:
                if label.index == turn.index:
                    best = label
            elif label.at <= turn.at and (best is None or best.at is None or label.at >= best.at):
                best = label
        if best is not None:
            mapping[turn.index] = best.index
    return mapping


def score_precision(drafts: Sequence[Draft], added: frozenset[int], mapping: Mapping[int, int]) -> tuple[int, int]:
    """(precise, judged): notes whose cited turns include an ADD turn and are at most half NOOP; no episodes."""
    judged = [draft for draft in drafts if draft.tier is not Tier.EPISODE]
    precise = 0
    for draft in judged:
        cited = {mapping[turn] for turn in draft.turns if turn in mapping}
        adds = len(cited & added)
        precise += bool(adds) and 2 * (len(cited) - adds) <= len(cited)
    return precise, len(judged)


def score_coverage(
    drafts: Sequence[Draft],
    wanted: Sequence[GoldNote],
    mapping: Mapping[int, int],
    cosine: NDArray[np.float32],
) -> int:
    """How many wanted notes an optimal one-to-one assignment covers. `cosine` has shape (drafts, wanted)."""
    if not drafts or not wanted:
        return 0
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    pairs = np.zeros((len(drafts), len(wanted)), dtype=np.float32)
    for i, draft in enumerate(drafts):
        cited = {mapping[turn] for turn in draft.turns if turn in mapping}
        for j, note in enumerate(wanted):
            pairs[i, j] = bool(cited & note.turns) and cosine[i, j] >= MATCH_COSINE
    rows, columns = linear_sum_assignment(-pairs)
    return int(pairs[rows, columns].sum())


def score_session(session: Session, gold: GoldSession, drafts: Sequence[Draft], embedder: Embedder) -> SessionRow:
    """The counts of one session."""
    mapping = align_turns(session.turns, gold.turns)
    added = frozenset(turn.index for turn in gold.turns if turn.add)
    wanted = [note for note in gold.notes if note.importance >= MIN_IMPORTANCE]
    precise, judged = score_precision(drafts, added, mapping)
    matched = 0
    if drafts and wanted:
        mine = embedder.embed([f"{draft.title}\n{draft.body}" for draft in drafts])
        theirs = embedder.embed([note.text for note in wanted])
        matched = score_coverage(drafts, wanted, mapping, mine @ theirs.T)
    return SessionRow(gold.id, len(drafts), judged, precise, len(wanted), matched)


def score_rows(rows: Sequence[SessionRow]) -> DistillReport:
    """The report over sessions; a share without anything to judge is 0."""
    judged = sum(row.judged for row in rows)
    wanted = sum(row.wanted for row in rows)
    return DistillReport(
        precision=sum(row.precise for row in rows) / judged if judged else 0.0,
        coverage=sum(row.matched for row in rows) / wanted if wanted else 0.0,
        notes_per_session=sum(row.notes for row in rows) / len(rows) if rows else 0.0,
        sessions=len(rows),
        rows=tuple(rows),
    )


def run_distill_bench(
    gold_dir: Path,
    transcripts_dir: Path,
    draft: Callable[[Session], Sequence[Draft]],
    embedder: Embedder,
    read: Callable[[Path], Iterable[Session]],
) -> DistillReport:
    """Distills every transcript that has a gold file of the same stem and scores it. `read` parses one transcript,
    `draft` gives its notes.

    Raises SourceError naming the file when a gold file is malformed, or the folder when no pair is found.
    """
    rows: list[SessionRow] = []
    for gold_file in sorted(gold_dir.glob("*.json")):
        transcript = next(iter(sorted(transcripts_dir.glob(f"{gold_file.stem}.*"))), None)
        if transcript is None:
            continue
        try:
            gold = parse_gold(gold_file.read_text(encoding="utf-8"))
        except (KeyError, ValueError) as error:
            raise SourceError(f"not a gold file: {error!r}", subject=str(gold_file)) from error
        for session in list(read(transcript))[:1]:
            rows.append(score_session(session, gold, draft(session), embedder))
    if not rows:
        raise SourceError(f"no gold file has a transcript of the same name in {transcripts_dir}", subject=str(gold_dir))
    return score_rows(rows)
