"""What a person has kept apart stays apart, whatever becomes of the notes around it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from itertools import combinations

from seci.core.apart import (
    KEPT_APART,
    NOT_PATTERN,
    apart_from,
    are_kept_apart,
    confirm,
    keep_apart,
    refuse_pattern,
)
from seci.core.consolidation import ConsolidationPlan, MarkStale, plan_consolidation
from seci.core.neighbours import CandidatePair
from seci.core.note import Namespace, Note, NoteType, Provenance, Tier
from seci.flows.rejection import plan_refusals, render_refusals

NOW = datetime(2026, 3, 20, tzinfo=UTC)


def note(ident: str, body: str, day: int = 1, month: int = 3, type: NoteType = NoteType.FACT) -> Note:
    created = datetime(2026, month, day, tzinfo=UTC)
    return Note(
        ident, "Of the API", body, Namespace.DOCS, type=type, created=created, sources=(Provenance(ident, (1,)),)
    )


def plan(*notes: Note) -> ConsolidationPlan:
    pairs = [CandidatePair(a.id, b.id, 0.9) for a, b in combinations(sorted(notes, key=lambda n: n.id), 2)]
    return plan_consolidation(notes, pairs, NOW)


ALIKE = [note(f"A{n}", text) for n, text in enumerate(["The API listens on port 80."] * 3)]


def test_notes_that_are_kept_apart_are_not_merged_even_with_equal_texts() -> None:
    apart = [keep_apart(ALIKE[0], ["A1", "A2"]), keep_apart(ALIKE[1], ["A2"]), ALIKE[2]]
    assert plan(*ALIKE).merges[0].ids == ("A0", "A1", "A2")
    assert plan(*apart).empty
    (merge,) = plan(keep_apart(ALIKE[0], ["A1"]), ALIKE[1], ALIKE[2]).merges
    assert len(merge.ids) == 2, "only one of those that are apart can take in the third"


def test_a_decision_follows_a_note_that_is_merged_into_another() -> None:
    old = note("B0", "The beta deadline is 10 March.")
    new = [note("B1", "The beta deadline moved to 20 March.", 5), note("B2", "The beta deadline moved to 20 March.", 6)]
    settled = plan(keep_apart(old, ["B2"]), *new)
    (merge,) = settled.merges
    assert settled.supersedes == ()
    assert apart_from(settled.after["B0"]) == {merge.ids[0]}
    assert plan(*settled.after.values()).empty


def test_a_note_that_takes_others_in_keeps_their_decisions() -> None:
    three = [keep_apart(ALIKE[0], ["X"]), keep_apart(ALIKE[1], ["Y"]), ALIKE[2]]
    assert plan(*three).after["A0"].extra[KEPT_APART] == ["X", "Y"]


def test_refusing_a_plan_leaves_nothing_to_plan() -> None:
    notes = [
        *ALIKE,
        note("C0", "We deploy with Jenkins.", month=1),
        note("C1", "We switched from Jenkins to Drone.", 5),
        replace(note("C2", "The fair was in Ulm.", type=NoteType.EVENT), created=datetime(2025, 1, 1, tzinfo=UTC)),
    ]
    first = plan(*notes)
    assert (len(first.merges), len(first.supersedes), len(first.stale)) == (1, 1, 1)
    lines = render_refusals([*first.merges, *first.supersedes, *first.stale])
    known = {item.id: item for item in notes}
    refused = plan_refusals(["Merge, as a subject", *lines], known)
    assert plan(*{**known, **refused}.values()).empty
    assert plan_refusals(lines, {**known, **refused}) == {}, "and twice is once"
    assert plan_refusals(lines, {}) == {}


def test_a_note_is_stale_for_another_reason_than_the_one_turned_down() -> None:
    fair = replace(note("D0", "The fair was in Ulm.", type=NoteType.EVENT), created=datetime(2025, 1, 1, tzinfo=UTC))
    (mark,) = plan(fair).stale
    assert isinstance(mark, MarkStale) and plan(confirm(fair, mark.reason)).empty
    ended = replace(confirm(fair, mark.reason), valid_to=datetime(2025, 2, 1, tzinfo=UTC).date())
    assert plan(ended).stale[0].reason == "valid until 2025-02-01"


def test_a_pattern_that_was_turned_down_is_not_proposed_from_these_notes_nor_from_more() -> None:
    bodies = ["The lock was stale; `make clean-locks` fixed it.", "`make clean-locks` helps after a crash."] * 2
    fixes = [
        note(f"E{n}", f"{body} Seen in build {n}.", n + 1, type=NoteType.SOLUTION) for n, body in enumerate(bodies)
    ]
    known = {item.id: item for item in fixes[:3]}
    (proposal,) = plan_consolidation(known.values(), [], NOW).proposals
    refused = plan_refusals(render_refusals([proposal]), known)
    assert refused.keys() == known.keys()
    assert not plan_consolidation([*refused.values(), fixes[3]], [], NOW).proposals
    other = [replace(item, body=item.body.replace("clean-locks", "reset-all")) for item in refused.values()]
    assert [p.command for p in plan_consolidation(other, [], NOW).proposals] == ["make reset-all"]


def test_a_note_that_takes_others_in_keeps_the_commands_that_are_no_patterns() -> None:
    three = [refuse_pattern(ALIKE[0], "make a"), refuse_pattern(ALIKE[1], "make b"), ALIKE[2]]
    assert plan(*three).after["A0"].extra[NOT_PATTERN] == ["make a", "make b"]


def test_a_week_that_was_not_to_be_rolled_up_stays_so_and_later_episodes_do_roll_up() -> None:
    week = [replace(note(f"F{n}", f"Worked on part {n}.", 2 + n), tier=Tier.EPISODE) for n in range(4)]
    known = {item.id: item for item in week[:2]}
    (rolled,) = plan_consolidation(known.values(), [], NOW, rollup=True).rollups
    known |= plan_refusals(render_refusals([rolled]), known)
    assert not plan_consolidation(known.values(), [], NOW, rollup=True).rollups
    (later,) = plan_consolidation([*known.values(), *week[2:]], [], NOW, rollup=True).rollups
    assert later.ids == ("F2", "F3")


def test_what_is_no_list_of_ids_says_nothing() -> None:
    odd = replace(ALIKE[0], extra={KEPT_APART: "A1"})
    assert not are_kept_apart(odd, ALIKE[1])
    assert are_kept_apart(replace(odd, extra={KEPT_APART: [7, "A1"]}), ALIKE[1])
