"""Consolidating, reviewing, forgetting, auditing and syncing, as somebody types them."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import EXAMPLES, Result

Seci = Callable[..., Result]
NOW = ("--now", "2026-04-01")
NOTES = [
    ("API port", "The API listens on port 8080.", "docs", "fact", "2026-01-10"),
    ("Where the API listens", "Port 8080 is where the API listens.", "docs", "fact", "2026-02-10"),
    ("Beta deadline", "The beta deadline is 10 March.", "projects", "plan", "2026-01-01"),
    ("Beta deadline moved", "The beta deadline moved to 20 March.", "projects", "plan", "2026-02-01"),
    ("Fair", "The trade fair was in Ulm.", "projects", "event", "2025-01-01"),
    ("Backups", "Backups run at 02:00.", "docs", "fact", "2026-01-03"),
    ("Backups", "Backups run at 03:30.", "docs", "fact", "2026-01-04"),
]


def shape(result: Result) -> dict[str, object]:
    assert result.out.count("\n") == 1, result.err or "one JSON object and nothing else"
    value = json.loads(result.out)
    assert isinstance(value, dict)
    return value


def git(vault: Path, *arguments: str) -> str:
    done = subprocess.run(["git", "-C", str(vault), *arguments], capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.fixture
def place(seci: Seci, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A vault with two notes that say the same, an update, a stale event and a contradiction."""
    monkeypatch.setenv("SECI_VAULT", str(tmp_path / "vault"))
    assert seci("init", tmp_path / "vault").code == 0
    rows = [
        {"title": t, "body": b, "namespace": n, "tier": "memory", "type": k, "created": f"{day}T10:00:00Z"}
        for t, b, n, k, day in NOTES
    ]
    (tmp_path / "notes.json").write_text(json.dumps(rows))
    assert seci("distill", "--notes", tmp_path / "notes.json", "--now", "2026-03-01").code == 0
    return tmp_path / "vault"


def titles(seci: Seci) -> dict[str, str]:
    """Status by title."""
    notes = shape(seci("list", "--json"))["notes"]
    assert isinstance(notes, list)
    return {note["title"]: note["status"] for note in notes}


def test_a_dry_run_says_what_it_would_do_and_does_nothing(seci: Seci, place: Path) -> None:
    before = git(place, "rev-parse", "HEAD")
    said = shape(seci("consolidate", "--json", *NOW))
    assert {"merge", "supersede", "stale", "contradictions", "commit"} <= said.keys()
    assert [len(said[key]) for key in ("merge", "supersede", "stale", "contradictions")] == [1, 1, 1, 1]  # type: ignore[arg-type]
    assert said["commit"] is None
    (merge,) = said["merge"]  # type: ignore[misc]
    assert len(merge["ids"]) == 2
    assert set(merge["evidence"][0]["wordings"]) == {NOTES[0][1], NOTES[1][1]}
    assert merge["evidence"][0]["similarity"] > 0.7
    people = seci("consolidate", *NOW).out
    assert "+status: superseded" in people and "+++ /dev/null" in people and "nothing was written" in people
    assert git(place, "rev-parse", "HEAD") == before


def test_applied_is_one_commit_and_a_second_run_does_nothing(seci: Seci, place: Path) -> None:
    before = git(place, "rev-parse", "HEAD^{tree}")
    done = shape(seci("consolidate", "--apply", "--json", *NOW))
    assert done["commit"] == git(place, "rev-parse", "HEAD")
    message = git(place, "log", "-1", "--format=%B")
    assert message.startswith("Consolidate: 1 merged, 1 superseded, 1 stale") and "Seci-Verb: consolidate" in message
    assert shape(seci("reindex", "--check", "--json"))["equal"] is True
    again = shape(seci("consolidate", "--apply", "--json", *NOW))
    assert [again[key] for key in ("merge", "supersede", "stale", "commit")] == [[], [], [], None]
    seci("undo")
    assert git(place, "rev-parse", "HEAD^{tree}") == before


def test_remember_answers_with_what_holds_now_and_with_what_held_then(seci: Seci, place: Path) -> None:
    question = ("remember", "when is the beta deadline?")
    assert "10 March" not in seci(*question).out, "the contradiction pass runs before anything is consolidated"
    seci("consolidate", "--apply", *NOW)
    assert "20 March" in seci(*question).out and "10 March" not in seci(*question).out
    assert "10 March" in seci(*question, "--as-of", "2026-01-15").out


def test_a_review_takes_the_proposals_one_by_one(seci: Seci, place: Path) -> None:
    branch = shape(seci("consolidate", "--review", "--json", *NOW))["branch"]
    assert branch == "seci/consolidate-2026-04-01"
    assert git(place, "branch", "--show-current") == "main" and git(place, "status", "--porcelain") == ""
    pending = shape(seci("review", "--json"))["pending"]
    assert isinstance(pending, list) and len(pending) == 3
    merge, supersede, stale = (item["id"] for item in pending)
    first = shape(seci("review", "--accept", supersede, "--json"))
    assert first["accepted"] == [supersede] and len(first["pending"]) == 2  # type: ignore[arg-type]
    assert titles(seci)["Beta deadline"] == "superseded" and titles(seci)["Fair"] == "active"
    second = shape(seci("review", "--reject", stale, "--accept", merge, "--json"))
    assert (second["accepted"], second["rejected"], second["pending"]) == ([merge], [stale], [])
    assert "Where the API listens" not in titles(seci) and titles(seci)["Fair"] == "active"
    assert git(place, "branch", "--list", "seci/*") == ""
    assert "nothing waits" in seci("review").out


def test_what_was_turned_down_is_not_proposed_again_until_the_refusal_is_undone(seci: Seci, place: Path) -> None:
    seci("consolidate", "--review", *NOW)
    said = shape(seci("review", "--reject", "all", "--json"))
    assert len(said["rejected"]) == 3 and said["commit"] == git(place, "rev-parse", "HEAD")  # type: ignore[arg-type]
    assert "turned down: supersede Beta deadline" in git(place, "log", "-1", "--format=%B")
    later = shape(seci("consolidate", "--json", *NOW))
    assert [later[key] for key in ("merge", "supersede", "stale")] == [[], [], []]
    audit = shape(seci("audit", "--json", *NOW))
    assert [audit[key] for key in ("duplicates", "stale")] == [0, 0]
    assert seci("remember", "when is the beta deadline?").out.count("March") == 2, "both may stand, a person said"
    seci("undo")
    again = shape(seci("consolidate", "--json", *NOW))
    assert [len(again[key]) for key in ("merge", "supersede", "stale")] == [1, 1, 1]  # type: ignore[arg-type]


def test_a_dismissed_contradiction_is_reported_no_more(seci: Seci, place: Path) -> None:
    (found,) = shape(seci("consolidate", "--json", *NOW))["contradictions"]  # type: ignore[misc]
    wrong = seci("review", "--dismiss", "zzzzzzzz")
    assert wrong.code == 2 and "is in no contradiction" in wrong.err
    said = shape(seci("review", "--dismiss", found["ids"][0][-8:], "--json"))
    assert said["dismissed"] == [found["ids"]] and said["commit"] == git(place, "rev-parse", "HEAD")
    assert shape(seci("consolidate", "--json", *NOW))["contradictions"] == []
    assert shape(seci("audit", "--json", *NOW))["contradictions"] == 0


@pytest.mark.parametrize("holds", [0, 1])
def test_of_a_contradiction_the_upheld_note_supersedes_the_other(seci: Seci, place: Path, holds: int) -> None:
    (found,) = shape(seci("consolidate", "--json", *NOW))["contradictions"]  # type: ignore[misc]
    held, other = found["ids"][holds], found["ids"][1 - holds]
    vague = seci("review", "--uphold", held[-8:])
    assert vague.code == 2 and "give the whole id" in vague.err, "the two have one title, and so one end of an id"
    said = shape(seci("review", "--uphold", held, "--json"))
    assert said["upheld"] == [{"holds": held, "superseded": other}]
    assert said["commit"] == git(place, "rev-parse", "HEAD")
    note = shape(seci("show", other, "--json"))
    assert (note["status"], note["superseded_by"]) == ("superseded", held)
    assert note["valid_to"] == "2026-01-04", "not before it held itself"
    after = shape(seci("consolidate", "--json", *NOW))
    assert (after["contradictions"], after["repair"]) == ([], [])
    time = found["evidence"][0]["wordings"][1 - holds][-6:-1]
    assert time not in seci("remember", "when do backups run?").out
    seci("undo")
    assert len(shape(seci("consolidate", "--json", *NOW))["contradictions"]) == 1  # type: ignore[arg-type]


def test_the_same_sessions_from_another_place_under_other_names_add_nothing(seci: Seci, tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    seci("init", vault)
    assert shape(seci("distill", EXAMPLES, "--vault", vault, "--json"))["notes"]
    seci("consolidate", "--apply", "--vault", vault)
    head = git(vault, "rev-parse", "HEAD")
    for number, file in enumerate(sorted(EXAMPLES.rglob("*.jsonl"))):
        place = tmp_path / f"elsewhere-{number}" / f"copy of {number}{file.suffix}"
        place.parent.mkdir()
        place.write_bytes(file.read_bytes())
        said = shape(seci("distill", place, "--vault", vault, "--json"))
        assert (said["notes"], said["commit"], said["failures"]) == ([], None, [])
    assert number > 0 and git(vault, "rev-parse", "HEAD") == head


def test_a_broken_link_is_shown_and_put_right(seci: Seci, place: Path) -> None:
    seci("consolidate", "--apply", *NOW)
    newer = next((place / "projects").glob("beta-deadline-moved-*.md"))
    text = newer.read_text()
    newer.write_text(re.sub(r"^supersedes:.*\n(?:- .*\n)*", "supersedes: []\n", text, flags=re.MULTILINE))
    assert shape(seci("audit", "--json", *NOW))["orphans"] == 1
    assert "which says so" in seci("audit", *NOW).out.replace("\n", " ")
    said = shape(seci("consolidate", "--apply", "--json", *NOW))
    assert len(said["repair"]) == 1  # type: ignore[arg-type]
    assert newer.read_text() == text
    assert shape(seci("audit", "--json", *NOW))["orphans"] == 0


def test_a_branch_that_was_merged_as_a_pull_request_needs_no_review(seci: Seci, place: Path) -> None:
    seci("consolidate", "--review", *NOW)
    git(place, "-c", "user.name=r", "-c", "user.email=r@x", "merge", "-q", "--no-ff", "seci/consolidate-2026-04-01")
    assert "nothing waits" in seci("review").out
    assert titles(seci)["Fair"] == "stale"


def test_what_was_edited_since_it_was_proposed_is_kept_and_said(seci: Seci, place: Path) -> None:
    seci("consolidate", "--review", *NOW)
    lost = next(path for path in (place / "docs").glob("where-the-api*.md"))
    lost.write_text(lost.read_text() + "\nBehind the proxy.\n")
    said = shape(seci("review", "--accept", "all", "--json"))
    assert len(said["accepted"]) == 2 and len(said["pending"]) == 1  # type: ignore[arg-type]
    (failure,) = said["failures"]  # type: ignore[misc]
    assert failure["path"] == lost.relative_to(place).as_posix() and "changed since" in failure["reason"]
    assert "Behind the proxy." in lost.read_text()


def test_in_a_code_repository_the_checkout_stays_where_it_is(
    seci: Seci, tmp_path: Path, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = tmp_path / "code"
    code.mkdir()
    git(code, "init", "-q", "-b", "main")
    (code / "main.py").write_text("print()\n")
    git(code, "add", "main.py")
    git(code, "-c", "user.name=u", "-c", "user.email=u@x", "commit", "-qm", "code")
    monkeypatch.setenv("SECI_VAULT", str(code / "memory"))
    seci("init", code / "memory")
    seci("distill", "--notes", tmp_path / "notes.json", "--now", "2026-03-01")
    (code / "main.py").write_text("being edited\n")
    seci("consolidate", "--review", *NOW)
    assert git(code, "branch", "--show-current") == "main"
    assert shape(seci("review", "--accept", "all", "--json"))["commit"] == git(code, "rev-parse", "HEAD")
    assert git(code, "status", "--porcelain").split() == ["M", "main.py"]


def test_an_audit_counts_what_is_wrong_and_shows_the_trend(seci: Seci, place: Path) -> None:
    before = shape(seci("audit", "--json", *NOW))
    assert [before[key] for key in ("notes", "duplicates", "contradictions", "stale", "secrets")] == [7, 1, 2, 1, 0]
    assert before["score"] == round(3 / 7, 4)
    note = next((place / "docs").glob("backups-*.md"))
    token = "ghp_" + "A1b2C3d4E5" * 3 + "F6g7H8"
    note.write_text(note.read_text() + f"\nToken: {token}\n")
    said = seci("audit", "--secrets", *NOW).out
    assert note.relative_to(place).as_posix() in said.replace("\n", "") and token not in said
    trend = before["trend"]
    assert isinstance(trend, list) and [point["notes"] for point in trend] == [0, 7]


def test_forgetting_takes_the_note_out_of_every_answer(seci: Seci, place: Path) -> None:
    refused = seci("forget", "--match", "trade fair")
    assert refused.code == 2 and "--yes" in refused.err
    done = shape(seci("forget", "--match", "trade fair", "--yes", "--json"))
    assert len(done["notes"]) == 1 and done["commit"] == git(place, "rev-parse", "HEAD")  # type: ignore[arg-type]
    assert "Fair" not in titles(seci)
    assert "Ulm" not in seci("search", "trade fair Ulm", "--json").out.partition('"hits"')[2]
    assert "Ulm" in git(place, "log", "-p")
    git(place, "remote", "add", "origin", str(place.parent / "nowhere.git"))
    purged = shape(seci("forget", "--match", "beta deadline", "--purge", "--yes", "--json"))
    assert purged["push"] == ["git push --force origin main"]
    assert "beta deadline" not in git(place, "log", "-p", "--all").lower()


def test_two_clones_sync(seci: Seci, place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git(tmp_path, "init", "-q", "--bare", "remote.git")
    git(place, "remote", "add", "origin", str(tmp_path / "remote.git"))
    assert shape(seci("sync", "--json"))["pushed"] == 2
    git(tmp_path, "clone", "-q", "-b", "main", str(tmp_path / "remote.git"), "other")
    monkeypatch.setenv("SECI_VAULT", str(tmp_path / "other"))
    seci("trust", tmp_path / "other")
    seci("consolidate", "--apply", *NOW)
    assert seci("sync").out.strip().startswith("pulled 0, pushed 1")
    monkeypatch.setenv("SECI_VAULT", str(place))
    seci("sync")
    assert git(place, "rev-parse", "HEAD") == git(tmp_path / "other", "rev-parse", "HEAD")
    assert titles(seci)["Beta deadline"] == "superseded"
    assert shape(seci("reindex", "--check", "--json"))["equal"] is True
    assert "nothing new" in seci("sync").out


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["consolidate", "--apply", "--review"], 2, "exclude each other"),
        (["consolidate", "--namespace", "stuff"], 2, "quick-reference"),
        (["review", "--accept", "12345678"], 2, "names no proposal"),
        (["forget"], 2, "name notes"),
        (["forget", "zzzzzzzz", "--yes"], 3, "no such note"),
        (["sync"], 2, "no remote"),
    ],
)
def test_what_is_wrong_is_named(seci: Seci, place: Path, arguments: list[str], code: int, said: str) -> None:
    result = seci(*arguments)
    assert (result.code, said in result.err) == (code, True), result.err
