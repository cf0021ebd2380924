"""The plan of a consolidation: pure, the same for the same notes in any order, and empty the second time.

    pairs judged -> those that say the same united -> what is replaced linked -> what looks stale marked

Judged again until nothing changes, since a merge moves a note's dates and with them what replaces what.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from seci.core.apart import are_kept_apart, redirect_apart
from seci.core.conflict import in_order
from seci.core.court import NEAR, Court, takes_part
from seci.core.links import Repair, link_successor, plan_repairs
from seci.core.merging import plan_merge
from seci.core.neighbours import CandidatePair
from seci.core.note import Note, NoteType, Status, normalise_title
from seci.core.ports import PairReader
from seci.core.recurrence import Proposal, Rollup, plan_proposals, plan_rollups
from seci.core.staleness import HALF_LIVES, Facts, stale_reason
from seci.core.verdict import Relation, Verdict

STALE_REASON = "stale_reason"  # frontmatter key


@dataclass(frozen=True, slots=True)
class Evidence:
    """Why two notes were judged as they were: their wordings, how alike they are, their dates and the rule."""

    wordings: tuple[str, str]
    similarity: float
    dates: tuple[str | None, str | None]
    rule: str


@dataclass(frozen=True, slots=True)
class Merge:
    """`note` stands for all of `ids` from now on; the first of them is its own id, the others go."""

    ids: tuple[str, ...]
    note: Note
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Supersede:
    """The first of `ids` is replaced by the second."""

    ids: tuple[str, str]
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class MarkStale:
    """`archive` moves a note that is stale already out of the way instead."""

    ids: tuple[str]
    reason: str
    archive: bool = False


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Both stay; a person has to say which holds."""

    ids: tuple[str, str]
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Keep:
    """Two notes that look alike and speak of different things."""

    ids: tuple[str, str]
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class ConsolidationPlan:
    """What is to be done, in order, and what the notes will be: `after` has every note that stays, by id."""

    merges: tuple[Merge, ...] = ()
    supersedes: tuple[Supersede, ...] = ()
    stale: tuple[MarkStale, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()
    kept: tuple[Keep, ...] = ()
    rollups: tuple[Rollup, ...] = ()
    proposals: tuple[Proposal, ...] = ()
    repairs: tuple[Repair, ...] = ()
    after: Mapping[str, Note] = field(default_factory=dict, compare=False)

    @property
    def empty(self) -> bool:
        """Nothing to write; contradictions and notes kept apart are only reported."""
        return not (self.merges or self.supersedes or self.stale or self.rollups or self.proposals or self.repairs)

    @property
    def successors(self) -> dict[str, str]:
        """Id of each note that goes, to the id of the note that took it in."""
        return {lost: merge.ids[0] for merge in self.merges for lost in merge.ids[1:]}


def plan_consolidation(
    notes: Iterable[Note],
    candidate_pairs: Iterable[CandidatePair],
    now: datetime,
    facts: Facts | None = None,
    *,
    half_lives: Mapping[NoteType, float] = HALF_LIVES,
    reader: PairReader | None = None,
    rollup: bool = False,
    archive: bool = False,
    repair: bool = False,
) -> ConsolidationPlan:
    """Plans what to merge, supersede and mark. `facts` are usage and what is known of sessions and files outside.

    Superseded and archived notes take part in nothing. Ids are unique; a pair that names an unknown id is ignored.
    `reader` gives its opinion of pairs that nothing decides alone: the same for the same two texts.
    With `repair`, for which `notes` must be all of the vault, links that do not fit together are put right.
    """
    facts = facts or Facts()
    before = {note.id: note for note in sorted(notes, key=lambda note: note.id)}
    repairs, repaired = plan_repairs(before.values()) if repair else ([], {})
    state = {**before, **repaired}
    united: dict[str, tuple[str, ...]] = {}
    evidence: dict[str, list[Evidence]] = defaultdict(list)
    supersedes: list[Supersede] = []
    court = Court(candidate_pairs, reader)
    del candidate_pairs  # there may be half a million, and the court has what it needs of them
    for _ in range(len(before) + 1):  # each round takes at least one note out of the running
        judged = court.judge(state)
        groups = _merge_groups(state, judged, court)
        if groups:
            gone: dict[str, str] = {}
            for ids in groups:
                kept = _unite(state, ids, court, united, evidence)
                gone |= {ident: kept for ident in ids if ident != kept}
            _redirect(state, court, gone)
            continue
        links = _links(state, judged, court)
        if not links:
            break
        for link in links:
            older, newer = link.ids
            state[older], state[newer] = link_successor(state[older], state[newer])
            for ident in link.ids:
                court.touch(ident)
        supersedes.extend(links)
    supersedes = [link for link in supersedes if link.ids[0] in state and link.ids[1] in state]
    rollups = tuple(plan_rollups(list(state.values()))) if rollup else ()
    for rolled in rollups:
        state[rolled.note.id] = rolled.note
        for ident in rolled.ids:
            state[ident] = replace(state[ident], status=Status.SUPERSEDED, superseded_by=rolled.note.id)
    changed = [ident for rolled in rollups for ident in rolled.ids]
    stale = tuple(_stale(state, now, facts, half_lives, archive))
    for mark in stale:
        state[mark.ids[0]] = _marked(state[mark.ids[0]], mark)
        changed.append(mark.ids[0])
    proposals = tuple(plan_proposals(list(state.values())))
    for proposal in proposals:
        state[proposal.note.id] = proposal.note
    for ident in changed:
        court.touch(ident)
    judged = court.judge(state)
    return ConsolidationPlan(
        merges=tuple(
            Merge((kept, *sorted(lost)), state[kept], tuple(evidence[kept])) for kept, lost in sorted(united.items())
        ),
        supersedes=tuple(sorted(supersedes, key=lambda link: link.ids)),
        stale=stale,
        contradictions=tuple(
            Contradiction((v.older, v.newer), _evidence(state, v, court))
            for v in judged
            if v.relation is Relation.CONTRADICTION
        ),
        kept=tuple(Keep((v.older, v.newer), _evidence(state, v, court)) for v in judged if v.relation is Relation.KEEP),
        rollups=rollups,
        proposals=proposals,
        repairs=tuple(mended for mended in repairs if mended.ids[0] in state),
        after=state,
    )


def _merge_groups(state: Mapping[str, Note], judged: Sequence[Verdict], court: Court) -> list[list[str]]:
    """Sets of notes that all say the same: no two of a set may differ, so that a chain of likenesses joins nothing
    that is not alike. Notes with equal text need no candidate pair."""
    member: dict[str, list[str]] = {}
    for ids in _equal_texts(state).values():
        for ident in ids:
            member[ident] = ids
        for other in ids[1:]:
            court.admit(ids[0], other, 1.0)
    alike = [verdict for verdict in judged if verdict.relation is Relation.MERGE]
    alike.sort(key=lambda v: (-court.similarity(v.older, v.newer), *sorted((v.older, v.newer))))
    for verdict in alike:
        ours = member.setdefault(verdict.older, [verdict.older])
        theirs = member.setdefault(verdict.newer, [verdict.newer])
        if ours is theirs or not _all_alike(state, ours, theirs, court):
            continue
        ours.extend(theirs)
        for ident in theirs:
            member[ident] = ours
    distinct = {id(group): group for group in member.values() if len(group) > 1}
    return sorted(sorted(group) for group in distinct.values())


def _equal_texts(state: Mapping[str, Note]) -> dict[tuple[str, str, str, str], list[str]]:
    groups: dict[tuple[str, str, str, str], list[str]] = defaultdict(list)
    for ident, note in state.items():
        if takes_part(note):
            key = (note.project or "", note.tier.value, normalise_title(note.title), " ".join(note.body.split()))
            if not any(are_kept_apart(note, state[other]) for other in groups[key]):
                groups[key].append(ident)
    return {key: ids for key, ids in groups.items() if len(ids) > 1}


def _all_alike(state: Mapping[str, Note], ours: Sequence[str], theirs: Sequence[str], court: Court) -> bool:
    if any(are_kept_apart(state[a], state[b]) for a in ours for b in theirs):
        return False
    texts = {(state[i].title, state[i].body): i for i in (*ours, *theirs)}  # equal texts need one comparison
    left = [i for i in texts.values() if i in set(ours)]
    right = [i for i in texts.values() if i not in set(ours)]
    pairs = [(state[a], state[b], court.similarity(a, b, NEAR)) for a in left for b in right]
    return all(verdict.relation is Relation.MERGE for verdict in court.compare(pairs))


def _unite(
    state: dict[str, Note],
    ids: Sequence[str],
    court: Court,
    united: dict[str, tuple[str, ...]],
    evidence: dict[str, list[Evidence]],
) -> str:
    """Puts the merged note in the place of its parts and remembers all that it took in."""
    note = plan_merge([state[i] for i in ids])
    for other in ids:
        if other == note.id:
            continue
        (verdict,) = court.compare([(state[note.id], state[other], court.similarity(note.id, other, NEAR))])
        evidence[note.id] += [_evidence(state, verdict, court), *evidence.pop(other, [])]
        united[note.id] = (*united.get(note.id, ()), other, *united.pop(other, ()))
    for other in ids:
        del state[other]
    state[note.id] = note
    return note.id


def _redirect(state: dict[str, Note], court: Court, gone: Mapping[str, str]) -> None:
    """Lets pairs and links that named a note that went name the one that took it in."""
    for lost, kept in sorted(gone.items()):
        court.redirect(kept, lost)
    for kept in sorted(set(gone.values())):
        court.touch(kept)
    for ident, stated in state.items():
        note = state[ident] = redirect_apart(stated, gone)
        if gone.keys() & {*note.supersedes, note.superseded_by}:
            olds = dict.fromkeys(gone.get(old, old) for old in note.supersedes)
            state[ident] = replace(
                note,
                supersedes=tuple(old for old in olds if old != ident),
                superseded_by=gone.get(note.superseded_by or "", note.superseded_by),
            )
            court.touch(ident)


def _links(state: Mapping[str, Note], judged: Sequence[Verdict], court: Court) -> list[Supersede]:
    """For each note that is replaced, the link to the next that replaces it, so that a chain of updates stays one."""
    options: dict[str, list[Verdict]] = defaultdict(list)
    for verdict in judged:
        if verdict.relation is Relation.SUPERSEDE:
            options[verdict.older].append(verdict)
    parent = {ident: note.superseded_by for ident, note in state.items() if note.superseded_by}
    links = []
    for older in sorted(options):
        for verdict in sorted(options[older], key=lambda v: _moment(state[v.newer])):
            if not _reaches(verdict.newer, older, parent):
                parent[older] = verdict.newer
                links.append(Supersede((older, verdict.newer), _evidence(state, verdict, court)))
                break
    return links


def _moment(note: Note) -> tuple[str, str]:
    return (note.created.isoformat() if note.created else "", note.id)


def _reaches(start: str, goal: str, parent: Mapping[str, str | None]) -> bool:
    """Whether the chain of successors from `start` comes to `goal`: linking them would close a circle."""
    seen: set[str] = set()
    at: str | None = start
    while at is not None and at not in seen:
        if at == goal:
            return True
        seen.add(at)
        at = parent.get(at)
    return False


def _stale(
    state: Mapping[str, Note], now: datetime, facts: Facts, half_lives: Mapping[NoteType, float], archive: bool
) -> Iterable[MarkStale]:
    for ident, note in sorted(state.items()):
        if note.status is Status.ACTIVE:
            reason = stale_reason(note, now, facts, half_lives)
            if reason:
                yield MarkStale((ident,), reason)
        elif archive and note.status is Status.STALE:
            yield MarkStale((ident,), str(note.extra.get(STALE_REASON, "stale")), archive=True)


def _marked(note: Note, mark: MarkStale) -> Note:
    """The mark and its reason; no date of the note changes."""
    if mark.archive:
        return replace(note, status=Status.ARCHIVED)
    return replace(note, status=Status.STALE, extra={**note.extra, STALE_REASON: mark.reason})


def _evidence(state: Mapping[str, Note], verdict: Verdict, court: Court) -> Evidence:
    older, newer = in_order(state[verdict.older], state[verdict.newer])
    if older.id != verdict.older:
        older, newer = newer, older
    return Evidence(
        (older.body or older.title, newer.body or newer.title),
        court.similarity(older.id, newer.id),
        (_date(older), _date(newer)),
        verdict.rule,
    )


def _date(note: Note) -> str | None:
    return note.created.date().isoformat() if note.created else None
