"""A fault that was mended is told as what was, in the title and in the body; what stays true is not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from seci.core.note import Draft, Tier
from seci.core.session import Session
from seci.distillers.assembly import Scored
from seci.distillers.candidate import Candidate
from seci.distillers.edits import read_edits
from seci.distillers.exchanges import parse_exchanges
from seci.distillers.language import load_cues
from seci.distillers.lastword import is_never_done
from seci.distillers.naming import name_candidate
from seci.distillers.passages import Unit
from seci.distillers.past import tell_past
from seci.distillers.topics import join_approvals
from tests.distillers.sessions import distill, session_of


def note_of(*turns: tuple[str, str]) -> Draft:
    [note] = [draft for draft in distill(session_of(*turns)) if draft.tier is not Tier.EPISODE]
    return note


def test_a_fault_that_was_fixed_is_titled_as_fixed_and_told_in_the_past() -> None:
    note = note_of(
        (
            "user",
            "The `renewLease` function still reads the clock of the host when a lease is renewed. This creates a "
            "mismatch where `Lease.Start` and `Lease.End` have different zones.",
        ),
        ("assistant", "Done. Replaced the clock of the host in `renewLease` with the clock of the server."),
    )
    assert note.title == "Fixed: the `renewLease` function still read the clock of the host when a lease was renewed"
    assert "still read the clock" in note.body
    assert "This created a mismatch where `Lease.Start` and `Lease.End` had different zones" in note.body


def test_a_report_of_how_it_is_since_names_the_note_better_than_the_fault() -> None:
    note = note_of(
        (
            "user",
            "The `packArgs` function joins the flags with commas, but the runner only accepts each flag as an argument "
            "of its own. The second flag is silently ignored by the runner.",
        ),
        ("assistant", "Good catch. `packArgs` now passes each flag as an argument of its own to the runner."),
    )
    assert note.title == "`packArgs` now passes each flag as an argument of its own to the runner"
    assert "joined the flags with commas" in note.body


def test_what_a_tool_does_stays_in_the_present_when_the_use_of_it_was_removed() -> None:
    note = note_of(
        ("user", "the release job says unknown field, see the log of the last run"),
        (
            "assistant",
            "The issue is that `retries: 2` isn't a valid field for the signing step. The valid fields are only `key`, "
            "`wait` and `url`.\n\nRemoved the `retries: 2` line since the signing step doesn't support it.",
        ),
    )
    assert "isn't a valid field" in note.title
    assert "isn't a valid field" in note.body


def test_a_fault_that_was_only_made_visible_is_not_told_as_fixed() -> None:
    note = note_of(
        (
            "user",
            "The `sendMail` function fails when the relay is missing from the list. If the relay is not there, the "
            "mail stays in the queue and is never sent again.",
        ),
        ("assistant", "Done. Added a warning log to `sendMail` that names the relay that is missing from the list."),
    )
    assert not note.title.startswith("Fixed")
    assert "is never sent again" in note.body


@pytest.mark.parametrize(
    ("sentence", "past"),
    [
        ("The cache is never emptied.", "The cache was never emptied."),
        ("It doesn't check whether `a.go` exists.", "It didn't check whether `a.go` existed."),
        (
            "When a file has staged changes, `openAll` reads only the index, but `saveAll` writes both.",
            "When a file had staged changes, `openAll` read only the index, but `saveAll` wrote both.",
        ),
        ("The callers stop early and drop the rest.", "The callers stopped early and dropped the rest."),
        ("If two jobs require the lock, one will fail.", "If two jobs required the lock, one would fail."),
        ("The pool was shared.", "The pool was shared."),
        ("The pool outlives its makers.", ""),  # a verb that is not known
        ("Calls to the index", ""),  # no verb at all
    ],
)
def test_a_sentence_is_told_in_the_past_only_when_all_of_its_verbs_are_known(sentence: str, past: str) -> None:
    assert tell_past(sentence) == past


def test_a_sentence_that_is_not_known_is_marked_as_fixed_since() -> None:
    note = note_of(
        (
            "user",
            "The `drainPool` function outlives its makers and never closes the sockets that the makers opened for it. "
            "Each run of the nightly job leaves a socket open because of this.",
        ),
        ("assistant", "Done. Changed `drainPool` to close the sockets that the makers opened before it ends."),
    )
    assert note.title == "Fixed: the `drainPool` function outlives its makers"
    assert note.body.startswith("Fixed since: the `drainPool` function outlives its makers")


FLAKY = (
    "The flaky test `opens the vault` calls `runParallel` but never leaves the folder that the other tests share. The "
    "fix is to drop `runParallel` from the tests that change the folder."
)


def with_edit(session: Session, turn: int, tool: str) -> Session:
    turns = (replace(one, tools=(*one.tools, tool)) if one.index == turn else one for one in session.turns)
    return replace(session, turns=tuple(turns))


@pytest.mark.parametrize(
    ("tool", "told"),
    [
        ("Edit: tests/vault_test.go", "The fix was to drop `runParallel`"),
        ("apply_patch: tests/vault_test.go", "The fix was to drop `runParallel`"),
        ("TodoWrite", "The proposed fix is to drop `runParallel`"),
        ("Read: tests/vault_test.go", "The proposed fix is to drop `runParallel`"),
    ],
)
def test_a_fix_is_told_as_made_only_when_files_were_changed_after_it(tool: str, told: str) -> None:
    session = session_of(("user", "why is the vault test flaky on main?"), ("assistant", FLAKY))
    bodies = [draft.body for draft in distill(with_edit(session, 1, tool)) if draft.tier is not Tier.EPISODE]
    assert any(told in body for body in bodies)


def test_a_fix_in_a_session_without_tools_is_told_as_it_was_said() -> None:
    note = note_of(("user", "why is the vault test flaky on main?"), ("assistant", FLAKY))
    assert "The fix is to drop `runParallel`" in note.body


def test_a_fix_that_the_next_turn_made_after_an_approval_is_told_as_made() -> None:
    session = session_of(
        ("user", "why is the vault test flaky on main?"),
        ("assistant", FLAKY),
        ("user", "yes please"),
        ("assistant", "All tests pass now."),
    )
    made = with_edit(session, 3, "Edit: tests/vault_test.go")
    bodies = " ".join(draft.body for draft in distill(made) if draft.tier is not Tier.EPISODE)
    assert "The fix was to drop `runParallel`" in bodies
    assert "called `runParallel` but never left the folder" in bodies


def test_a_wish_that_the_report_answers_is_not_told_beside_it() -> None:
    note = note_of(
        (
            "user",
            "The `listOpen` function checks if a job has a log, but doesn't verify that the job is still open. The "
            "view needs to leave out the jobs that ended.",
        ),
        ("assistant", "Done. `listOpen` now verifies that a job is still open before the view lists it."),
    )
    assert "checked if a job had a log, but didn't verify that the job was still open" in note.body
    assert "needs to leave out" not in note.body


def candidate_of(*texts: str, about: str = "") -> Candidate:
    units = tuple(Scored(Unit(text, 1), 2.0) for text in texts)
    return Candidate("", units, None, (1,), 4.0, 0, about=about)


@pytest.mark.parametrize(
    ("asked", "edited", "never"),
    [
        ("Instead of a line for each step print one table", 3, True),
        ("Print them in green please", 3, False),  # the same way, in green
        ("Instead of a line for each step print one table", 1, False),  # it was done first
        ("Instead of a line for each step print one table", 9, False),  # nothing tells that the other was done
    ],
)
def test_a_proposal_is_dropped_when_it_was_wanted_otherwise_before_it_was_done(
    asked: str, edited: int, never: bool
) -> None:
    cues = load_cues()["en"]
    session = session_of(("user", "list the steps"), ("assistant", "Ok."), ("user", asked), ("assistant", "Done."))
    topics = join_approvals(parse_exchanges(with_edit(with_edit(session, edited, "Edit: a.go"), 9, "Read: a.go"), cues))
    proposal = candidate_of("The approach would be to print a line after each step of `openVault`.")
    assert is_never_done(proposal, topics, read_edits(topics), cues) is never


def test_what_a_plan_leaves_open_is_no_note() -> None:
    plan = (
        "Implement the following plan:\n\n# Filter the log\n\n## Absolute path of the filter\n\nWhen the user names a "
        "filter, resolve `filterPath` to an absolute path at load time (or document that an absolute path is needed "
        "for `runFilter` in a hook)."
    )
    session = session_of(("user", plan), ("assistant", "Done. Added a warning to `runFilter`."))
    assert not any("absolute path" in draft.body for draft in distill(session) if draft.tier is not Tier.EPISODE)


def test_a_step_of_a_plan_is_named_with_the_plan_or_by_what_it_came_to() -> None:
    plan = (
        "Implement the following plan:\n\n# Chaining of the vault's locks\n\n## Add chaining to open\n\nIf a lock "
        "without `vaultMark` exists, it belongs to another program, so it is renamed to `lock.before` and an older "
        "backup must never be overwritten, because the other program may still need it.\n\n"
        "## Update `releaseLock`\n\nThe backup must be put back because the other program still "
        "relies on it; a lock without the mark is left alone since it belongs to somebody else."
    )
    done = "Done. `releaseLock` now puts the backup back and leaves a lock without the mark alone."
    titles = [draft.title for draft in distill(session_of(("user", plan), ("assistant", done)))]
    assert "Chaining of the vault's locks: add chaining to open" in titles
    assert any(title.startswith("`releaseLock` now puts the backup back") for title in titles)


def test_a_title_that_points_at_something_names_what_the_question_named() -> None:
    advice = "The assistant recommended keeping it because the cost of a lock is negligible."
    named = name_candidate(candidate_of(advice, about="poolMu.Lock()"), "", load_cues()["en"])
    assert named == "Keeping `poolMu.Lock()` was recommended because the cost of a lock is negligible"
    other = "Reviewers prefer keeping it because the cost of a lock is negligible."
    named = name_candidate(candidate_of(other, about="poolMu.Lock()"), "", load_cues()["en"])
    assert named.startswith("`poolMu.Lock()`: Reviewers prefer keeping it")


def test_a_report_that_a_later_one_made_anew_is_told_as_the_later_one() -> None:
    session = session_of(
        ("user", "the export sends only the name of the sheet. it should send the name of the book too"),
        ("assistant", "Done. Now `export` will send `book/sheet` instead of just `sheet`."),
        ("user", "i also want the page, in other words all that was exported"),
        ("assistant", "Done. Now `export` will send `book/sheet/page` instead of just `book/sheet`."),
    )
    told = " ".join(draft.body for draft in distill(session))
    assert "`book/sheet/page`" in told
    assert "instead of just `sheet`" not in told
