"""Episodes: what a session was about, all that was done, how it ended, and nothing that did not last."""

from __future__ import annotations

import pytest

from seci.core.note import Draft, Tier
from seci.core.session import Session
from tests.distillers.sessions import distill, session_of


def episode_of(session: Session) -> Draft:
    [episode] = [draft for draft in distill(session) if draft.tier is Tier.EPISODE]
    return episode


LIST = (
    "All warnings are gone. Here's what I corrected:\n\n## Summary of fixes\n\n"
    "1. Replaced the string literals with the constants of `kinds.py`\n"
    "2. Renamed the parameter `list` to `leases` in `pickLeases()`\n"
    "3. Converted the if-else chain in `readKind()` to a table\n"
    "4. Split `grantLease()` into four helper functions, so that each of them stays below the limit of the linter and "
    "can be tested without a store\n"
    "5. Removed the unused `old_store` module\n\n"
    "The linter passes with 0 issues and all tests pass."
)


def test_all_of_a_list_of_changes_is_told_by_its_heads_with_what_was_verified() -> None:
    episode = episode_of(
        session_of(
            ("user", "our linter is showing errors since the upgrade of Tuesday, can you take a look?"),
            ("assistant", LIST),
            ("user", "and does the nightly build run the linter too?"),
            ("assistant", "It does, because `nightly.yml` calls `make lint` before it builds anything."),
            ("user", "who gets the mail of the build?"),
            ("assistant", "Only the owner of `nightly.yml`, since `notify` has no other address."),
        )
    )
    for head in ("replaced the string literals", "`leases`", "`readKind()`", "`grantLease()`", "`old_store`"):
        assert head in episode.body
    assert "without a store" not in episode.body
    assert "Tests and lint passed." in episode.body
    assert len(episode.body.split()) <= 80


def test_what_is_reported_as_wrong_is_told_as_reported_and_named_as_fixed() -> None:
    episode = episode_of(
        session_of(
            ("user", "the label on the lease only contains the last name of the holder. It should have both names."),
            ("assistant", "Done. Now `print_label` will write `holder.first` and `holder.last`."),
            ("user", "and how many leases are printed a day?"),
            ("assistant", "About forty, since `print_label` runs once for each lease that `grant.py` hands out."),
        )
    )
    assert episode.title == "Session: Fixed: the label on the lease only contained the last name of the holder"
    assert episode.body.startswith("The user reported that the label on the lease only contains")
    assert "`print_label` will now write" in episode.body


def test_the_announced_list_tells_more_than_what_the_user_wants_to_talk_about() -> None:
    episode = episode_of(
        session_of(
            (
                "user",
                "I want to talk about leases. Can you generate me a table of plausible holders for:\n\n- tenants in "
                "Leiden\n- two companies\n- a housing association\n",
            ),
            ("assistant", "Here it is. Added `holders.csv` with three rows for each kind to `fixtures`."),
            ("user", "where does the import read it?"),
            ("assistant", "`import_holders` reads it, because it walks all files of `fixtures` in their order."),
        )
    )
    assert episode.title.startswith("Session: Generate a table of plausible holders for tenants in Leiden")
    assert "a table of plausible holders for tenants in Leiden, two companies and a housing" in episode.body


PLAN = (
    "Implement the following plan:\n\n# Publish the Labels\n\n## Goal\n\nPublish the labels to `depot/labels` when "
    "a lease is granted.\n\n## Changes\n\n- `publish.py` pushes each label of a lease to `depot/labels`.\n"
)


def test_what_a_later_plan_took_up_is_told_as_the_plan_has_it() -> None:
    episode = episode_of(
        session_of(
            ("user", "I do want the labels of all leases published somewhere that the depot can read them."),
            ("assistant", "Added `publish.py` that pushes each label of a lease to `labels-of-leases`."),
            ("user", PLAN),
            ("assistant", "All done. Added a `publish_label()` call to `grant.py` and `DEPOT_TOKEN` to the settings."),
            ("user", "and who may read the depot?"),
            ("assistant", "Everybody who has `DEPOT_TOKEN`, since the depot knows no other rights."),
        )
    )
    assert episode.title == "Session: Publish the Labels"
    assert episode.body.startswith("A plan was carried out to publish the labels to `depot/labels`")
    assert "labels-of-leases" not in episode.body
    assert "`publish_label()`" in episode.body


def test_of_two_fixes_of_one_thing_the_later_is_told() -> None:
    episode = episode_of(
        session_of(
            ("user", "The default case of `readKind` repeats the case for tenants, and both must be kept in step."),
            (
                "assistant",
                "Done. The fix removes nine repeated lines in `readKind` while all kinds are read as before.",
            ),
            ("user", "could we drop the default and list all kinds instead?"),
            ("assistant", "Done. The fix lists all members of `Kind` explicitly, which satisfies the linter."),
            ("user", "and who reads a kind that is none of them?"),
            ("assistant", "Nobody does, because `readKind` is called after `Kind.parse` has rejected such a row."),
        )
    )
    assert "lists all members of `Kind`" in episode.body
    assert "nine repeated lines" not in episode.body


def test_the_cause_comes_with_its_reason() -> None:
    episode = episode_of(
        session_of(
            ("user", "the tests on our main branch are failing, why?"),
            (
                "assistant",
                "`test_labels` calls `os.chdir` while `pytest-xdist` runs it in threads. This is a race because "
                "`os.chdir` changes the directory of the whole process.\n\nThe fix is to run `test_labels` alone.\n\n"
                "Which approach do you prefer?",
            ),
        )
    )
    assert "This is a race because `os.chdir` changes the directory of the whole process." in episode.body
    assert episode.body.endswith("Which approach to take was left open.")


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("The start is down from ~800ms to ~135ms now.", "Measured: from ~800ms to ~135ms."),
        ("All tests pass.", "Tests passed."),
        ("Lint is clean.", "Lint passed."),
        ("The linter passes with 0 issues. All unit tests pass.", "Tests and lint passed."),
    ],
)
def test_what_was_verified_ends_an_episode(said: str, told: str) -> None:
    assert episode_of(_slow(said)).body.endswith(told)


@pytest.mark.parametrize(
    "said", ["All tests should pass.", "All tests pass except one.", "Make sure that lint passes."]
)
def test_what_is_only_hoped_for_was_not_verified(said: str) -> None:
    assert "passed" not in episode_of(_slow(said)).body


def test_a_failure_that_the_user_comes_back_with_was_not_verified() -> None:
    session = session_of(
        *((turn.role.value, turn.text) for turn in _slow("Lint is clean.").turns),
        ("user", "lint fails"),
        ("assistant", "Hm."),
    )
    assert "Lint passed" not in episode_of(session).body


def test_the_cause_that_a_plan_found_is_told() -> None:
    plan = (
        "Implement the following plan:\n\n# Labels in the Depot\n\n## Problem\n\nThe depot gets empty labels whenever "
        "a lease is granted at night.\n\n## Root Cause\n\nThe nightly job runs without the `LABEL_DIR` of the user.\n"
    )
    episode = episode_of(
        session_of(
            ("user", plan),
            ("assistant", "All done. Added a warning to `print_label()` for a missing `LABEL_DIR`."),
            ("user", "and who starts the job?"),
            ("assistant", "It is started by `cron`, since nothing else runs at that time."),
        )
    )
    assert "The nightly job runs without the `LABEL_DIR` of the user." in episode.body
    assert episode.body.index("The nightly job") < episode.body.index("added a warning")


def test_what_was_put_off_is_left_open() -> None:
    turns = [(turn.role.value, turn.text) for turn in _slow("").turns]
    session = session_of(
        *turns, ("user", "write down what we have, so that we can pick this up tomorrow"), ("assistant", "Done.")
    )
    assert episode_of(session).body.endswith("The rest was left to be taken up later.")


def test_what_was_fixed_names_a_session_that_began_with_a_symptom() -> None:
    turns = [(turn.role.value, turn.text) for turn in _slow("").turns[:-1]]
    turns[3] = (
        "assistant",
        "The issue is that `report.send()` looks up the depot first, because `dns_cache` is empty.",
    )
    report = "Done. Fixed the report that blocks each `lease` command by setting a timeout of 100 ms."
    assert episode_of(session_of(*turns, ("assistant", report))).title == (
        "Session: Fixed the report that blocks each `lease` command"
    )


def _slow(said: str) -> Session:
    return session_of(
        ("user", "I've noticed that every command of `lease` takes nearly a second before it does anything."),
        ("assistant", "`lease` waits for `report.send()` since its timeout is 0, which means without a limit."),
        ("user", "does the export wait as well?"),
        ("assistant", "It does not, because `export.py` never sends a report."),
        ("user", "please add a limit to the report then, 100 ms are plenty for it"),
        ("assistant", f"Done. Added a timeout of 100 ms to `report.send()` in `main.py`.\n\n{said}"),
    )


def test_many_changes_are_worth_an_episode_where_no_note_is() -> None:
    asked = "our linter is showing errors since the upgrade of Tuesday, can you take a look?"
    assert "`old_store`" in episode_of(session_of(("user", asked), ("assistant", LIST))).body
    one = "All warnings are gone. Removed the unused `old_store` module."
    assert not [
        draft for draft in distill(session_of(("user", asked), ("assistant", one))) if draft.tier is Tier.EPISODE
    ]
