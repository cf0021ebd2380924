"""The score of a vault: what counts as a flaw, and what does not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from seci.core.audit import Audit, Flaw, audit_notes, flaws_of_plan
from seci.core.note import Namespace, Note, Provenance, Status, Tier

GOOD = Note("A" * 26, "API port", "The API listens on port 8080.", Namespace.DOCS, sources=(Provenance("x:1", (1,)),))
OTHER = replace(GOOD, id="B" * 26, title="Coffee", body="Alice drinks her coffee black.")


def audit(*notes: Note, **options: object) -> Audit:
    return audit_notes(notes, lambda text: ["token"] if "ghp_" in text else [], **options)  # type: ignore[arg-type]


def test_a_vault_without_flaws_and_one_without_notes_score_one() -> None:
    assert audit(GOOD, OTHER).score == audit().score == 1.0


@pytest.mark.parametrize(
    ("change", "flaw"),
    [
        ({"title": "Ok", "body": "Thanks!"}, Flaw.JUNK),
        ({"body": "<seci-context>The API listens on 8080.</seci-context>"}, Flaw.JUNK),
        ({"status": Status.STALE}, Flaw.STALE),
        ({"sources": ()}, Flaw.UNSOURCED),
        ({"body": "Use ghp_x for the API on port 8080."}, Flaw.SECRET),
        ({"supersedes": ("C" * 26,)}, Flaw.ORPHAN),
        ({"title": OTHER.title, "body": OTHER.body}, Flaw.DUPLICATE),
    ],
)
def test_each_flaw_is_counted_once(change: dict[str, object], flaw: Flaw) -> None:
    found = audit(replace(GOOD, **change), OTHER)  # type: ignore[arg-type]
    assert {name: count for name, count in found.counts.items() if count} == {flaw: 1}
    assert found.score == 0.5


def test_sessions_that_were_deleted_leave_orphans() -> None:
    assert audit(GOOD, gone_sessions=frozenset({"x:1"})).counts[Flaw.ORPHAN] == 1


def test_equal_episodes_are_no_duplicates_and_superseded_notes_have_no_flaws() -> None:
    episode = replace(GOOD, tier=Tier.EPISODE)
    gone = replace(OTHER, id="D" * 26, sources=(), status=Status.SUPERSEDED)
    assert audit(episode, replace(episode, id="C" * 26), gone).flawed == ()


def test_what_comparing_shows_is_counted_with_the_rest() -> None:
    found = flaws_of_plan({OTHER.id: GOOD.id}, [(GOOD.id, OTHER.id)], {GOOD.id: "fact unconfirmed since 2020-01-01"})
    counts = audit(GOOD, OTHER, found=found).counts
    assert (counts[Flaw.DUPLICATE], counts[Flaw.CONTRADICTION], counts[Flaw.STALE]) == (1, 2, 1)
