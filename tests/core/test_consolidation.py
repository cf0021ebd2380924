"""The plan: idempotent, independent of order, losing nothing."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from seci.core.consolidation import ConsolidationPlan, plan_consolidation
from seci.core.merging import plan_merge, rewrite_links, unite_confidence
from seci.core.neighbours import CandidatePair
from seci.core.note import Namespace, Note, NoteType, Provenance, Status, Tier
from seci.core.opinion import Opinion
from seci.core.staleness import Facts, parse_citations, stale_reason

START = datetime(2026, 1, 1, tzinfo=UTC)
NOW = datetime(2026, 9, 1, tzinfo=UTC)


def make(number: int, body: str, day: int = 0, **fields: object) -> Note:
    defaults: dict[str, object] = {
        "created": START + timedelta(days=day),
        "sources": (Provenance(f"claude-code:{number}", (number,)),),
        "type": NoteType.FACT,
        "namespace": Namespace.DOCS,
    }
    return Note(id=f"{number:026d}", title="", body=body, **(defaults | fields))  # type: ignore[arg-type]


def every_pair(notes: list[Note], similarity: float = 0.9) -> list[CandidatePair]:
    return [CandidatePair(a.id, b.id, similarity) for a, b in combinations(notes, 2)]


def plan(notes: list[Note], **options: object) -> ConsolidationPlan:
    return plan_consolidation(notes, every_pair(notes), NOW, **options)  # type: ignore[arg-type]


BODIES = st.sampled_from(
    [
        "The API listens on port 8080.",
        "Port 8080 is where the API listens.",
        "The API listens on port 9090.",
        "The API now listens on port 9090.",
        "The API moved from port 8080 to port 7070.",
        "Never deploy on Fridays.",
        "Deploying on Friday is forbidden.",
        "Deploy on Fridays.",
        "Alice prefers tabs.",
        "Alice now prefers spaces.",
        "The user no longer smokes.",
        "The user smokes.",
    ]
)
VAULTS = st.lists(st.tuples(BODIES, st.integers(0, 200)), max_size=9).map(
    lambda rows: [make(i, body, day) for i, (body, day) in enumerate(rows)]
)


class Whim:
    """Reads pairs with an opinion that follows from their texts and from nothing else."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self.asked: list[tuple[str, str]] = []

    def read(self, pairs: Sequence[tuple[Note, Note]]) -> list[Opinion]:
        self.asked += [(older.body, newer.body) for older, newer in pairs]
        return [self._think(f"{self._seed} {older.body} {newer.body}") for older, newer in pairs]

    def _think(self, texts: str) -> Opinion:
        weights = [1 + value for value in hashlib.sha256(texts.encode()).digest()[:4]]
        return Opinion(*(weight / sum(weights) for weight in weights))


class Sure:
    """Has the same opinion of every pair."""

    def __init__(self, **opinion: float) -> None:
        self._opinion = Opinion(**{"merge": 0.0, "supersede": 0.0, "contradiction": 0.0, "keep": 0.0} | opinion)

    def read(self, pairs: Sequence[tuple[Note, Note]]) -> list[Opinion]:
        return [self._opinion] * len(pairs)


READERS = st.none() | st.integers(0, 9).map(Whim)


@given(VAULTS, READERS, st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_order_changes_nothing_and_a_second_run_plans_nothing(
    notes: list[Note], reader: Whim | None, shuffler: random.Random
) -> None:
    first = plan(notes, reader=reader)
    shuffled = notes[:]
    shuffler.shuffle(shuffled)
    pairs = every_pair(notes)
    shuffler.shuffle(pairs)
    assert plan_consolidation(shuffled, pairs, NOW, reader=reader) == first
    after = list(first.after.values())
    assert plan_consolidation(after, every_pair(after), NOW, reader=reader).empty


@given(VAULTS, READERS)
@settings(max_examples=60, deadline=None)
def test_no_source_and_no_id_is_lost_and_no_chain_is_a_circle(notes: list[Note], reader: Whim | None) -> None:
    result = plan(notes, reader=reader)
    cited = {(s.session, t) for n in result.after.values() for s in n.sources for t in s.turns}
    assert cited == {(s.session, t) for n in notes for s in n.sources for t in s.turns}
    assert {n.id for n in notes} == result.after.keys() | result.successors.keys()
    for note in result.after.values():
        seen = [note.id]
        while (following := result.after[seen[-1]].superseded_by) is not None:
            assert following not in seen
            assert seen[-1] in result.after[following].supersedes
            seen.append(following)


def test_a_merge_keeps_what_each_note_knew() -> None:
    a = make(1, "Port 8080 is where the API listens.", 5, tags=("api",), confidence=0.7, importance=0.4)
    b = make(2, "The API listens on port 8080.", 2, tags=("ports",), confidence=0.6, importance=0.9)
    result = plan([a, b])
    (merge,) = result.merges
    assert merge.note.tags == ("api", "ports") or merge.note.tags == ("ports", "api")
    assert merge.note.created == b.created
    assert merge.note.importance == 0.9
    assert merge.note.confidence == 0.88  # 1 - 0.3 * 0.4: two sessions that confirm each other
    assert [e.similarity for e in merge.evidence] == [0.9]
    assert set(merge.evidence[0].wordings) == {a.body, b.body}


def test_one_session_confirms_nothing_by_saying_it_twice() -> None:
    source = (Provenance("codex:x", (1,)),)
    notes = [make(1, "x", sources=source, confidence=0.7), make(2, "y", sources=source, confidence=0.6)]
    assert unite_confidence(notes) == 0.7


def test_a_likeness_of_likenesses_joins_nothing_that_differs() -> None:
    bodies = ["The API listens on port 8080.", "The API listens.", "The API listens on port 9090."]
    notes = [make(i, body) for i, body in enumerate(bodies)]
    assert all(not {notes[0].id, notes[2].id} <= set(merge.ids) for merge in plan(notes).merges), (
        "8080 and 9090 were merged through a third note"
    )


def test_a_chain_of_updates_stays_a_chain() -> None:
    notes = [
        make(1, "The gateway times out after 30 seconds.", 0),
        make(2, "The gateway times out after 60 seconds.", 40),
        make(3, "The gateway times out after 90 seconds.", 80),
    ]
    after = plan(notes).after
    assert after[notes[0].id].superseded_by == notes[1].id
    assert after[notes[1].id].superseded_by == notes[2].id
    assert after[notes[0].id].valid_to == date(2026, 2, 10)
    assert after[notes[0].id].status is Status.SUPERSEDED
    assert after[notes[0].id].body == notes[0].body


def test_a_contradiction_is_reported_and_changes_nothing() -> None:
    notes = [make(1, "Backups run at 02:00."), make(2, "Backups run at 03:30.")]
    result = plan(notes)
    assert [c.ids for c in result.contradictions] == [(notes[0].id, notes[1].id)]
    assert result.empty
    assert result.after == {n.id: n for n in notes}


def test_stale_by_kind_and_age_but_not_while_it_is_used() -> None:
    event = make(1, "The fair was in Ulm.", type=NoteType.EVENT)
    preference = make(2, "Alice prefers tabs.", type=NoteType.PREFERENCE)
    result = plan([event, preference])
    assert [mark.ids for mark in result.stale] == [(event.id,)]
    marked = result.after[event.id]
    assert (marked.status, marked.created, marked.updated) == (Status.STALE, event.created, event.updated)
    assert "event" in marked.extra["stale_reason"]
    used = Facts(used={event.id: NOW - timedelta(days=3)})
    assert not plan([event, preference], facts=used).stale


def test_stale_by_validity_sources_and_files() -> None:
    ended = make(1, "x", 200, valid_to=date(2026, 8, 1))
    assert stale_reason(ended, NOW, Facts()) == "valid until 2026-08-01"
    orphan = make(2, "x", 200)
    assert stale_reason(orphan, NOW, Facts(gone_sessions=frozenset({"claude-code:2"}))) == "its sessions are gone"
    cites = make(3, "See `src/app.py`.", 200)
    assert stale_reason(cites, NOW, Facts(missing={cites.id: ("src/app.py",)})) == "names what is gone: src/app.py"
    assert stale_reason(make(4, "x", 200), NOW, Facts()) is None


def test_archived_only_when_asked() -> None:
    stale = make(1, "The fair was in Ulm.", type=NoteType.EVENT, status=Status.STALE)
    assert plan([stale]).empty
    assert plan([stale], archive=True).after[stale.id].status is Status.ARCHIVED


def test_files_and_symbols_that_a_note_names() -> None:
    body = "In `src/seci/app.py` and docs/guide.md, `load_config()` reads `port`; see `make test`, `https://x.y/z.py`."
    files, symbols = parse_citations(make(1, body))
    assert files == {"src/seci/app.py", "docs/guide.md"}
    assert symbols == {"load_config"}


def test_episodes_of_one_week_roll_up_when_asked() -> None:
    episodes = [
        make(i, f"Worked on part {i}.", day, tier=Tier.EPISODE, project="a/b", namespace=Namespace.PROJECTS)
        for i, day in ((1, 4), (2, 5), (3, 20))
    ]
    assert not plan(episodes).rollups
    result = plan(episodes, rollup=True)
    (rolled,) = result.rollups
    assert rolled.ids == (episodes[0].id, episodes[1].id)
    assert {s.session for s in rolled.note.sources} == {"claude-code:1", "claude-code:2"}
    assert result.after[episodes[0].id].superseded_by == rolled.note.id
    assert plan(list(result.after.values()), rollup=True).empty


def test_a_command_of_three_sessions_is_proposed_once() -> None:
    bodies = [
        "The lock was stale; `make clean-locks` fixed it.",
        "After a crash `make clean-locks` helps.",
        "`make clean-locks` when CI hangs.",
    ]
    kind = {"type": NoteType.SOLUTION, "namespace": Namespace.SOLUTIONS}
    notes = [make(i, body, 200 + i, **kind) for i, body in enumerate(bodies)]
    result = plan_consolidation(notes, [], NOW)
    (proposal,) = result.proposals
    assert proposal.note.namespace is Namespace.PATTERNS
    assert proposal.ids == tuple(n.id for n in notes)
    assert plan_consolidation(result.after.values(), [], NOW).empty
    assert not plan_consolidation(notes[:2], [], NOW).proposals


def test_the_clearer_wording_stays() -> None:
    short, full = make(1, "API on port 8080."), make(2, "The API listens on port 8080.")
    assert plan_merge([short, full]).body == full.body == plan_merge([full, short]).body


def test_links_follow_a_merge() -> None:
    moved = {"docs/old-1.md": "docs/new-2.md", "OLD": "NEW"}
    body = "See [[OLD]], [[OLD|the note]], [this](docs/old-1.md#ports) and [that](../docs/old-1.md), not OLD."
    assert rewrite_links(body, moved) == (
        "See [[NEW]], [[NEW|the note]], [this](docs/new-2.md#ports) and [that](../docs/new-2.md), not OLD."
    )


def test_who_reads_both_notes_may_part_what_the_words_unite_and_the_other_way_round() -> None:
    notes = [
        make(0, "The build failed because the disk of the runner was full.", 0),
        make(1, "The build failed since the runner's disk had no room left.", 40),
    ]
    assert not plan(notes, reader=Sure(contradiction=1.0)).merges
    assert plan(notes, reader=Sure(merge=1.0)).merges


def test_no_opinion_unites_across_a_number_or_a_denial_nor_parts_equal_words() -> None:
    ports = [make(0, "The API listens on port 8080."), make(1, "The API listens on port 8081.")]
    denied = [make(0, "Use tabs in the Makefile."), make(1, "Do not use tabs in the Makefile.")]
    same = [make(0, "Never deploy on Fridays."), make(1, "never deploy on Fridays", 3)]
    assert not plan(ports, reader=Sure(merge=1.0)).merges
    assert not plan(denied, reader=Sure(merge=1.0)).merges
    assert plan(same, reader=Sure(keep=1.0)).merges


def test_only_pairs_that_are_open_are_read_and_each_once() -> None:
    reader = Whim(1)
    notes = [
        make(0, "Alice prefers tabs.", 0),
        make(1, "Alice now prefers spaces.", 9),
        make(2, "The invoice of the plumber is in the blue folder.", 20),
        make(3, "Alice prefers tabs.", 30),
    ]
    plan(notes, reader=reader)
    assert len(reader.asked) == len(set(reader.asked)) > 0
    assert not any("plumber" in text for pair in reader.asked for text in pair)
