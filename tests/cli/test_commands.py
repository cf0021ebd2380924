"""The commands as somebody types them: on a real vault, with the real model, git and index."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import EXAMPLES, Result

Seci = Callable[..., Result]


def shape(result: Result) -> dict[str, object]:
    assert result.out.count("\n") == 1, "one JSON object and nothing else"
    value = json.loads(result.out)
    assert isinstance(value, dict)
    return value


def git(vault: Path, *arguments: str) -> str:
    return subprocess.run(["git", "-C", str(vault), *arguments], capture_output=True, text=True, check=True).stdout


def test_from_nothing_to_the_first_remembered_fact(seci: Seci, tmp_path: Path) -> None:
    place = tmp_path / "vault"
    assert "created a vault" in seci("init", place).out
    assert "is a vault already" in seci("init", place).out
    assert seci("distill", EXAMPLES, "--vault", place).code == 0
    said = seci("remember", "why were webhooks sent twice?", "--vault", place)
    assert said.code == 0
    assert "redelivers" in said.out
    assert said.out.startswith("<seci-context>") and said.out.endswith("</seci-context>\n")
    assert git(place, "status", "--short") == ""


def test_a_second_distill_writes_nothing(seci: Seci, vault: Path) -> None:
    before = git(vault, "rev-parse", "HEAD")
    again = shape(seci("distill", EXAMPLES, "--json"))
    assert (again["notes"], again["sessions"], again["commit"]) == ([], 0, None)
    assert git(vault, "rev-parse", "HEAD") == before


def test_a_session_that_grew_gives_only_what_is_new(seci: Seci, vault: Path, tmp_path: Path) -> None:
    sessions = tmp_path / "sessions"
    shutil.copytree(EXAMPLES, sessions)
    file = next(sessions.glob("*-moving-the-deadline.jsonl"))
    last = json.loads(file.read_text().splitlines()[-1])
    text = "From now on always run the load test against the staging database, never against production."
    grown = last | {
        "type": "user",
        "uuid": "11111111-2222-3333-4444-555555555555",
        "parentUuid": last["uuid"],
        "timestamp": "2026-03-16T09:00:00.000Z",
        "message": {"role": "user", "content": text},
    }
    file.write_text(file.read_text() + json.dumps(grown) + "\n")
    report = shape(seci("distill", sessions, "--json"))
    assert (report["sessions"], report["turns"]) == (1, 1)
    notes = report["notes"]
    assert isinstance(notes, list) and notes
    assert all(source["turns"] == [5] or 5 in source["turns"] for note in notes for source in note["sources"])


def test_the_search_shape(seci: Seci, vault: Path) -> None:
    found = shape(seci("search", "postgres full text search", "-k", "4", "--json"))
    assert set(found) == {"query", "took_ms", "degraded", "hits"}
    hits = found["hits"]
    assert isinstance(hits, list) and len(hits) == 4
    keys = {"id", "kind", "path", "namespace", "tier", "title", "session", "turns", "score", "ranks", "snippet"}
    assert all(keys <= set(hit) for hit in hits)
    raw = [hit for hit in hits if hit["kind"] == "raw"]
    assert raw and raw[0]["id"] == "b27c0d1e-71a4-4f0c-8a3c-5b1f1d3f8c22"


@pytest.mark.parametrize(
    ("arguments", "kinds"),
    [
        (["--in", "raw"], {"raw"}),
        (["--in", "distilled"], {"distilled"}),
        (["--unit", "session", "--in", "raw"], {"raw"}),
    ],
)
def test_where_to_look(seci: Seci, vault: Path, arguments: list[str], kinds: set[str]) -> None:
    hits = shape(seci("search", "postgres", "--json", *arguments))["hits"]
    assert isinstance(hits, list) and {hit["kind"] for hit in hits} == kinds
    if "session" in arguments:
        assert len({hit["id"] for hit in hits}) == len(hits)


@pytest.mark.parametrize("method", ["hybrid", "dense", "keyword"])
def test_every_method_finds_the_obvious(seci: Seci, vault: Path, method: str) -> None:
    hits = shape(seci("search", "Idempotency-Key header", "--method", method, "--json"))["hits"]
    assert isinstance(hits, list) and "Idempotency-Key" in json.dumps(hits[:3])


def test_the_remember_shape_and_its_budgets(seci: Seci, vault: Path) -> None:
    told = shape(seci("remember", "which search engine did we choose", "--budget", "400", "--json"))
    assert {"query", "took_ms", "degraded", "markdown", "tokens", "budgets", "passages", "dropped"} <= set(told)
    assert isinstance(told["tokens"], int) and told["tokens"] <= 400
    budgets = told["budgets"]
    assert isinstance(budgets, dict) and sum(budgets.values()) == 400
    passages = told["passages"]
    assert isinstance(passages, list) and passages
    assert set(passages[0]["signals"]) == {"relevance", "importance", "confidence", "recency", "frequency"}
    assert all(entry["reason"] for entry in told["dropped"])  # type: ignore[attr-defined]


def test_the_same_question_gives_the_same_bytes(seci: Seci, vault: Path) -> None:
    asked = ["remember", "postgres or elasticsearch", "--now", "2026-04-01T09:00"]
    assert seci(*asked).out == seci(*asked).out
    first, second = (shape(seci(*asked, "--json")) for _ in range(2))
    assert first["passages"] == second["passages"]  # what is used today counts from tomorrow on
    tomorrow = shape(seci(*asked[:-1], "2026-04-02T09:00", "--json"))["passages"]
    assert isinstance(tomorrow, list) and tomorrow[0]["signals"]["frequency"] > 0


def test_explain_names_signals_and_what_was_left_out(seci: Seci, vault: Path) -> None:
    said = seci("remember", "webhooks", "--budget", "150", "--explain").out
    assert "relev" in said and "left out" in said and "are left of its tier" in said


def test_show_list_and_a_quotation(seci: Seci, vault: Path) -> None:
    notes = shape(seci("list", "--json"))["notes"]
    assert isinstance(notes, list) and len(notes) >= 4
    one = notes[0]
    shown = shape(seci("show", one["id"][-8:].lower(), "--json"))
    assert shown["id"] == one["id"] and shown["body"]
    quoted = seci("show", "6f1d2c84#3").out
    assert "idempotency key per event" in quoted
    assert {note["namespace"] for note in shape(seci("list", "--namespace", "projects", "--json"))["notes"]} == {
        "projects"
    }  # type: ignore[attr-defined]


def test_log_diff_and_undo(seci: Seci, vault: Path) -> None:
    commits = shape(seci("log", "--json"))["commits"]
    assert isinstance(commits, list) and [commit["verb"] for commit in commits] == ["distill", "init"]
    assert "+title:" in seci("diff").out
    undone = shape(seci("undo", "--json"))
    assert undone["undone"] == commits[0]["commit"] and undone["commit"]
    assert shape(seci("list", "--json"))["notes"] == []
    assert shape(seci("reindex", "--check", "--json"))["equal"] is True


def test_deleting_the_index_restores_every_answer(seci: Seci, vault: Path) -> None:
    questions = ["webhooks twice", "postgres", "commit messages", "launch date of the portal", "newsletter tone"]

    def answers() -> list[object]:
        return [shape(seci("search", question, "--json"))["hits"] for question in questions]

    before = answers()
    shutil.rmtree(vault / ".seci" / "index")
    assert shape(seci("reindex", "--json"))["added"]
    assert answers() == before


def test_a_note_edited_by_hand_is_found_by_its_new_words(seci: Seci, vault: Path) -> None:
    path = next(p for p in sorted((vault / "projects").glob("*.md")) if p.name != "README.md")
    path.write_text(path.read_text() + "\nThe zebra crossing of the loading dock is painted in ultramarine.\n")
    assert shape(seci("reindex", "--check", "--json"))["equal"] is False
    hits = shape(seci("search", "ultramarine zebra", "--in", "distilled", "-k", "1", "--json"))["hits"]
    assert isinstance(hits, list) and hits[0]["path"] == path.relative_to(vault).as_posix()
    seci("distill", EXAMPLES)
    assert "ultramarine" in path.read_text()


def test_doctor_finds_nothing_and_then_a_broken_note(seci: Seci, vault: Path) -> None:
    well = seci("doctor")
    assert well.code == 0 and "all is well" in well.out
    assert "would be hidden" in " ".join(well.out.split())
    (vault / "docs" / "broken.md").write_text("---\ntitle: [unclosed\n---\nx\n")
    ill = seci("doctor", "--json")
    assert ill.code == 1
    assert "docs/broken.md" in ill.out


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["remember", "x", "--vault", "/nowhere"], 3, "there is no vault"),
        (["search", "x", "--method", "magic"], 2, "hybrid, dense, keyword"),
        (["search", "x", "--now", "soon"], 2, "--now"),
        (["remember", "x", "--weight", "recent=1"], 2, "no signal is called recent"),
        (["remember", "x", "--tier-budget", "memories=1"], 2, "no tier is called memories"),
        (["remember", "x", "--boost", "nonsense=2"], 2, "nonsense"),
        (["distill"], 2, "name session files"),
        (["distill", "/nowhere.jsonl"], 4, "/nowhere.jsonl"),
        (["distill", "x", "--distiller", "magic"], 2, "magic"),
        (["show", "zzzzzzzz"], 3, "there is no such note"),
        (["show", "6f1d2c84#99"], 3, "has no turn 99"),
        (["list", "--namespace", "stuff"], 2, "quick-reference"),
        (["undo", "HEAD~7"], 2, "HEAD~7"),
        (["install", "vim"], 2, "claude-code"),
        (["frobnicate"], 2, "frobnicate"),
    ],
)
def test_what_is_wrong_is_named_and_has_its_exit_code(
    seci: Seci, vault: Path, arguments: list[str], code: int, said: str
) -> None:
    result = seci(*arguments)
    assert (result.code, said in result.err) == (code, True), result.err
    assert "Traceback" not in result.err
    as_json = seci(*arguments, "--json")
    if arguments[0] != "frobnicate":
        assert as_json.code == code
        assert said in json.dumps(shape(as_json)["error"])


def test_nothing_secret_reaches_the_vault(seci: Seci, vault: Path, tmp_path: Path) -> None:
    token = "ghp_" + "A1b2C3d4E5" * 3 + "F6g7H8"
    password = "hunter2-correct-horse"
    file = tmp_path / "session.jsonl"
    turns = [
        {"role": "user", "content": f"Deploy with GITHUB_TOKEN={token} please, and remember that I prefer blue-green."},
        {"role": "assistant", "content": f"Deployed to postgres://app:{password}@db.internal/app. Blue-green it is."},
        {"role": "user", "content": "<private>my salary is ten thousand doubloons</private> Always deploy blue-green."},
    ]
    file.write_text("\n".join(map(json.dumps, turns)))
    report = shape(seci("distill", file, "--json"))
    assert report["redactions"]
    needles = [token, password, "doubloons"]
    for path in vault.rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            assert not [needle for needle in needles if needle.encode() in content], path
    packed = git(vault, "log", "-p", "--all")
    assert not [needle for needle in needles if needle in packed]
    assert not [needle for needle in needles if needle in seci("search", "deploy blue-green", "--json").out]


def test_notes_stay_written_where_the_index_cannot_be(seci: Seci, vault: Path, tmp_path: Path) -> None:
    shutil.rmtree(vault / ".seci" / "index")
    (vault / ".seci" / "index").write_text("in the way")
    session = tmp_path / "s.jsonl"
    text = "From now on always paint the loading dock in ultramarine, because drivers miss it at night."
    session.write_text(json.dumps({"role": "user", "content": text}))
    report = shape(seci("distill", session, "--json"))
    assert report["commit"] and len(report["notes"]) >= 1  # type: ignore[arg-type]
    assert "written and committed" in json.dumps(report["failures"])
    (vault / ".seci" / "index").unlink()
    assert "ultramarine" in seci("search", "ultramarine loading dock", "-k", "1").out


def test_bytes_that_are_no_text_do_not_break_a_question(seci: Seci, vault: Path) -> None:
    assert seci("remember", "webhooks \udcff").code == 0
    assert seci("search", "\ud800 webhooks", "--json").code == 0


def test_a_file_too_large_for_a_note_is_named_and_left_out(seci: Seci, vault: Path) -> None:
    note = next((vault / "docs").glob("*-*.md")).read_text()
    (vault / "docs" / "huge.md").write_text(note + "Zebras guard the dock. " * 60_000)
    assert seci("search", "zebras guard the dock", "--json").code == 0
    said = " ".join(seci("doctor").out.split())
    assert "docs/huge.md" in said and "at most 1,000,000" in said, said


@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")
@pytest.mark.parametrize("command", ["seci.entry list >&-", "seci.entry log >/dev/full"])
@pytest.mark.parametrize("unbuffered", [{}, {"PYTHONUNBUFFERED": "1"}], ids=["buffered", "unbuffered"])
def test_no_traceback_where_nobody_can_read(seci: Seci, vault: Path, command: str, unbuffered: dict[str, str]) -> None:
    shell = ["sh", "-c", f"{sys.executable} -m {command}"]
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"} | unbuffered
    done = subprocess.run(shell, env=environ, capture_output=True, text=True, timeout=60, check=False)
    assert "Traceback" not in done.stderr and "Exception ignored" not in done.stderr
    assert done.returncode in (0, 1)


def test_a_budget_that_holds_nothing_says_so(seci: Seci, vault: Path) -> None:
    assert "fits into 1 tokens" in seci("remember", "webhooks sent twice", "--budget", "1").err


def test_no_telemetry_is_kept(vault: Path, model_cache: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    environ = {**os.environ, "HOME": str(home), "SECI_CACHE": str(model_cache)}
    call = [sys.executable, "-m", "seci.entry", "search", "webhooks", "--vault", str(vault)]
    done = subprocess.run(call, env=environ, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert not [path for path in home.rglob("*") if "telemetry" in path.name.lower() or "Microsoft" in path.parts]
