"""Links between notes that do not fit together are found, and put right where only one answer is possible."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from seci.core.audit import Flaw, audit_notes
from seci.core.consolidation import plan_consolidation
from seci.core.links import find_broken_links, plan_repairs
from seci.core.note import Namespace, Note, Status

NOW = datetime(2026, 3, 20, tzinfo=UTC)


def note(ident: str, supersedes: tuple[str, ...] = (), by: str | None = None) -> Note:
    status = Status.SUPERSEDED if by else Status.ACTIVE
    body = f"The deadline of {ident} is near."
    return Note(ident, ident, body, Namespace.DOCS, status=status, supersedes=supersedes, superseded_by=by)


def test_links_that_fit_are_left_alone() -> None:
    notes = [note("A", by="B"), note("B", ("A",))]
    assert find_broken_links(notes) == [] and plan_repairs(notes) == ([], {})


def test_the_older_notes_word_counts() -> None:
    notes = [note("A", by="B"), note("B"), note("C", ("A",)), note("D"), note("E", ("D",))]
    assert [ident for ident, _ in find_broken_links(notes)] == ["B", "C", "E"]
    _, changed = plan_repairs(notes)
    assert {ident: n.supersedes for ident, n in changed.items()} == {"B": ("A",), "C": (), "E": ()}


def test_a_lost_end_is_tied_to_the_only_note_that_claims_it() -> None:
    lost = replace(note("A"), status=Status.SUPERSEDED)
    _, changed = plan_repairs([lost, note("B", ("A",))])
    assert changed["A"].superseded_by == "B"
    _, changed = plan_repairs([lost, note("B", ("A",)), note("C", ("A",))])
    assert "A" not in changed, "two claim it"


def test_a_successor_that_is_gone_is_shown_and_not_guessed() -> None:
    notes = [note("A", by="GONE"), note("B", ("ALSO-GONE",))]
    repairs, changed = plan_repairs(notes)
    assert [repair.ids for repair in repairs] == [("B",)] and changed["B"].supersedes == ()
    audit = audit_notes(notes, lambda text: ())
    assert [f.id for f in audit.flawed if f.flaw is Flaw.ORPHAN] == ["A", "B"]
    assert audit.notes == 2 and audit.score == 0.0, "a note that is hidden behind nothing counts"


def test_consolidating_repairs_only_where_it_sees_the_whole_vault() -> None:
    notes = [note("A", by="B"), note("B")]
    assert plan_consolidation(notes, [], NOW).repairs == ()
    plan = plan_consolidation(notes, [], NOW, repair=True)
    assert not plan.empty and plan.after["B"].supersedes == ("A",)
    assert plan_consolidation(plan.after.values(), [], NOW, repair=True).empty


IDS = st.sampled_from("ABCDE")


@given(
    st.lists(
        st.tuples(
            IDS, st.lists(st.sampled_from("ABCDEX"), unique=True, max_size=3), st.sampled_from([None, *"ABCDEX"])
        ),
        unique_by=lambda row: row[0],
    )
)
def test_whatever_the_links_one_repair_is_enough_and_loses_no_note(
    rows: list[tuple[str, list[str], str | None]],
) -> None:
    notes = {ident: note(ident, tuple(olds), by) for ident, olds, by in rows}
    _, changed = plan_repairs(notes.values())
    after = {**notes, **changed}
    assert after.keys() == notes.keys()
    assert plan_repairs(after.values()) == ([], {})
    for one in after.values():
        assert all(after[old].superseded_by == one.id for old in one.supersedes)
        assert one.superseded_by == notes[one.id].superseded_by or notes[one.id].superseded_by not in notes
