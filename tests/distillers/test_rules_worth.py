"""What makes a note worth keeping: it tells how things are and why, in words that need no session beside them."""

from __future__ import annotations

import pytest

from seci.core.note import Draft, Tier
from seci.distillers.markdown import parse_blocks
from tests.distillers.sessions import distill, session_of

CAUSE = "The worker stops because `lease()` renews the lock of the wrong queue."


def notes(*turns: tuple[str, str]) -> list[Draft]:
    return distill(session_of(*turns))


def bodies(*turns: tuple[str, str]) -> str:
    return " ".join(draft.body for draft in notes(*turns))


def test_edits_stay_in_git_and_the_cause_goes_into_the_note() -> None:
    text = bodies(
        ("user", "why does the worker stop after an hour?"),
        (
            "assistant",
            f"{CAUSE}\n\n- Renamed `lease` to `renew`\n- Added a field to `Worker`\n"
            "- Removed the old helper in `queue.go`",
        ),
    )
    assert CAUSE in text
    assert "Renamed" not in text and "Removed" not in text


def test_a_sentence_that_points_at_one_left_behind_is_left_behind_too() -> None:
    text = bodies(
        ("user", "why does the worker stop after an hour?"),
        (
            "assistant",
            f"{CAUSE}\n\n```\nlease failed\n```\n\nThe retry loop does not handle these messages because it reads "
            "only the first line.",
        ),
    )
    assert CAUSE in text
    assert "these messages" not in text


def test_a_tick_in_the_place_of_a_bullet_begins_an_item() -> None:
    blocks = parse_blocks("✅ Users install one file\n✅ Telemetry needs no key")
    assert [(block.kind, block.text) for block in blocks] == [
        ("item", "Users install one file"),
        ("item", "Telemetry needs no key"),
    ]


def test_what_was_before_the_users_eyes_gets_an_article_or_is_left_out() -> None:
    text = bodies(
        ("user", "Adjust this to return the profile of bash if it exists, otherwise the one of zsh."),
        (
            "assistant",
            "The lookup order follows the login shell, because `bash` reads its profile only when it logs in.",
        ),
    )
    assert "The user asked to return the profile of bash if it exists, otherwise the one of zsh." in text


@pytest.mark.parametrize("pick", ["1", "1."])
def test_a_choice_of_no_consequence_is_no_note(pick: str) -> None:
    found = notes(
        ("user", "anything left to do?"),
        ("assistant", "1. Quick fix: rename `tmp2` to `buffer`\n2. Skip it"),
        ("user", pick),
        ("assistant", "Renamed."),
    )
    assert not any("user chose" in note.body for note in found)


def test_a_short_choice_with_its_reason_is_a_note() -> None:
    found = notes(
        ("user", "pick a database"),
        ("assistant", "Done. We chose SQLite because it needs no server."),
    )
    titles = [note.title for note in found if note.tier is not Tier.EPISODE]
    assert titles == ["SQLite was chosen because it needs no server"]


def test_a_title_is_never_cut_at_the_colon_of_a_list() -> None:
    found = notes(
        ("user", "what happens without the flag?"),
        (
            "assistant",
            "Without `--track`, the branch gets pushed but:\n\n- `git branch -vv` shows no remote\n"
            "- `git pull` asks for a branch\n- the check in `hasUnpushed()` looks at the wrong ref",
        ),
    )
    assert found
    assert not any(note.title.endswith(("but", "and", ":")) for note in found)


def test_the_same_command_is_told_once() -> None:
    text = bodies(
        ("user", "show me the sequence"),
        ("assistant", "```\ntool start  # the first one\ntool start  # the second one\n```"),
    )
    assert "Commands:" not in text


def test_estimates_and_audits_of_one_session_are_no_notes() -> None:
    text = bodies(
        ("user", "is the rename done everywhere?"),
        (
            "assistant",
            "The remaining usages of `oldName` are legitimate, because they are map keys. The changes span 37 files. "
            "2-3 hours to revise the plan, since phase 2 depends on it.",
        ),
    )
    assert text == ""


def test_how_a_linter_was_told_to_keep_silent_is_no_note() -> None:
    session = session_of(
        ("user", "the linter complains about the two makers"),
        (
            "assistant",
            "The `ireturn` linter complains about functions that return interfaces. This is intentional, since the "
            "makers return different stores.\n\nAdded `//nolint:ireturn` to `openStore()` since it returns the "
            "interface on purpose.",
        ),
    )
    assert [draft for draft in distill(session) if draft.tier is not Tier.EPISODE] == []
