"""Two versions of a note or session meet: nothing is lost, and both machines find the same answer."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from seci.core.note import Namespace, Note, Provenance, Status
from seci.core.session import Role, Session, Turn
from seci.vault.archive import archive_path, parse_session, render_session
from seci.vault.driver import install_driver
from seci.vault.git import Git as VaultGit
from seci.vault.markdown import parse_note, render_note
from seci.vault.merge import merge_files
from seci.vault.wording import join_units, split_units, weave

from .conftest import Git, write

PATH = "docs/ports.md"
BASE = Note(
    id="A1",
    title="Ports",
    body="We use 8080.\n\nIn the middle.\n\nSince May.",
    namespace=Namespace.DOCS,
    tags=("a", "b"),
    created=datetime(2026, 1, 2, tzinfo=UTC),
    updated=datetime(2026, 1, 2, tzinfo=UTC),
    sources=(Provenance("x:1", (1,)),),
)


def settle(tmp_path: Path, base: Note | None, ours: Note, theirs: Note) -> Note:
    texts = [None if note is None else render_note(note).encode() for note in (base, ours, theirs)]
    git = VaultGit(tmp_path)
    one = merge_files(git, PATH, *texts, settle=True)
    other = merge_files(git, PATH, texts[0], texts[2], texts[1], settle=True)
    assert one == other and one.conflicts == () and one.content is not None
    return parse_note(one.content.decode(), PATH)


def test_keys_changed_on_one_side_each_are_both_taken(tmp_path: Path) -> None:
    ours = replace(BASE, title="Gates", tags=("a", "b", "c"))
    theirs = replace(BASE, status=Status.STALE, tags=("a",), body=BASE.body.replace("May", "June"))
    assert settle(tmp_path, BASE, ours, theirs) == replace(
        BASE, title="Gates", status=Status.STALE, tags=("a", "b", "c"), body=theirs.body
    )


def test_lists_are_united_superseded_beats_active_and_the_later_update_wins(tmp_path: Path) -> None:
    early, late = datetime(2026, 2, 1, tzinfo=UTC), datetime(2026, 3, 1, tzinfo=UTC)
    ours = replace(
        BASE,
        tags=("z",),
        status=Status.SUPERSEDED,
        superseded_by="B2",
        valid_to=date(2026, 2, 1),
        importance=0.9,
        updated=early,
        sources=(Provenance("x:1", (1, 3)), Provenance("x:2", (5,))),
    )
    theirs = replace(
        BASE,
        tags=("m",),
        status=Status.STALE,
        importance=0.2,
        title="Later",
        updated=late,
        created=datetime(2026, 1, 1, tzinfo=UTC),
        sources=(Provenance("x:1", (2,)),),
        supersedes=("C3",),
    )
    merged = settle(tmp_path, BASE, ours, theirs)
    assert merged.tags == ("m", "z") and merged.status is Status.SUPERSEDED and merged.superseded_by == "B2"
    assert (merged.importance, merged.title, merged.updated, merged.created) == (0.2, "Later", late, theirs.created)
    assert merged.sources == (Provenance("x:1", (1, 2, 3)), Provenance("x:2", (5,)))
    assert merged.supersedes == ("C3",) and merged.valid_to == date(2026, 2, 1)


def test_of_two_wordings_of_one_sentence_the_later_one_stays(tmp_path: Path) -> None:
    ours = replace(BASE, body=BASE.body.replace("8080", "9090"), updated=datetime(2026, 2, 1, tzinfo=UTC))
    theirs = replace(BASE, body=BASE.body.replace("8080", "8081"), updated=datetime(2026, 3, 1, tzinfo=UTC))
    assert settle(tmp_path, BASE, ours, theirs).body == "We use 8081.\n\nIn the middle.\n\nSince May."
    texts = [render_note(note).encode() for note in (BASE, ours, theirs)]
    merged = merge_files(VaultGit(tmp_path), PATH, *texts, settle=True)
    assert [(wording.lost, wording.kept) for wording in merged.overruled] == [("We use 9090.", "We use 8081.")]
    asked = merge_files(VaultGit(tmp_path), PATH, *texts, settle=False)
    assert "same lines" in asked.conflicts[-1], "a person decides where one is there"


def test_what_stands_in_no_commit_is_not_worded_away(tmp_path: Path) -> None:
    unsaved = replace(BASE, body=BASE.body.replace("8080", "9090"))
    later = replace(BASE, body=BASE.body.replace("8080", "8081"), updated=datetime(2026, 3, 1, tzinfo=UTC))
    texts = [render_note(note).encode() for note in (BASE, unsaved, later)]
    merged = merge_files(VaultGit(tmp_path), PATH, *texts, settle=True, unsaved=True)
    assert merged.content and "9090" in merged.content.decode() and "8081" not in merged.content.decode()


LINE = "The API listens on 8080. It speaks HTTP. Deploys happen on Mondays."


@pytest.mark.parametrize(
    ("ours", "theirs", "merged"),
    [
        (  # other sentences of one line
            LINE.replace("8080", "9090"),
            LINE.replace("Mondays", "Fridays"),
            "The API listens on 9090. It speaks HTTP. Deploys happen on Fridays.",
        ),
        (  # one sentence by both, others by one each
            LINE.replace("8080", "9090") + " Mine is new.",
            LINE.replace("8080", "7070").replace("Mondays", "Fridays") + " So is this.",
            "The API listens on 7070. It speaks HTTP. Deploys happen on Fridays. So is this. Mine is new.",
        ),
        (  # taken out by one, worded anew by the other
            "The API listens on 8080. Deploys happen on Mondays.",
            LINE.replace("HTTP", "HTTP/2 only"),
            "The API listens on 8080. It speaks HTTP/2 only. Deploys happen on Mondays.",
        ),
        (  # both said something else altogether: nothing says which of them is the same sentence
            LINE.replace("It speaks HTTP.", "Bananas are yellow."),
            LINE.replace("It speaks HTTP.", "We moved to Ulm."),
            "The API listens on 8080. Bananas are yellow. We moved to Ulm. Deploys happen on Mondays.",
        ),
        (  # shortened by one, worded anew by the other
            LINE.replace(
                "Deploys happen on Mondays.", "Deploys: Mondays, at noon, after the standup of the whole team."
            ),
            LINE.replace("Deploys happen on Mondays.", "Deploys happen on Mondays, at noon."),
            "The API listens on 8080. It speaks HTTP. Deploys happen on Mondays, at noon.",
        ),
        (  # the same news from both stands once
            LINE.replace("8080", "9090") + " Since May.",
            LINE.replace("8080", "7070") + " Since May.",
            "The API listens on 7070. It speaks HTTP. Deploys happen on Mondays. Since May.",
        ),
    ],
)
def test_a_text_is_merged_sentence_by_sentence(tmp_path: Path, ours: str, theirs: str, merged: str) -> None:
    base, early = replace(BASE, body=LINE), replace(BASE, body=ours)
    late = replace(BASE, body=theirs, updated=datetime(2026, 3, 1, tzinfo=UTC))
    assert settle(tmp_path, base, early, late).body == merged


def test_blocks_of_code_are_merged_line_by_line(tmp_path: Path) -> None:
    code = "Run it. Twice.\n\n```\nmake setup\n\nmake test\n\nmake lint. All\n```\n\nDone."
    ours = replace(BASE, body=code.replace("Twice", "Once").replace("setup", "clean"))
    theirs = replace(
        BASE, body=code.replace("Twice", "Thrice").replace("lint", "fix"), updated=datetime(2026, 3, 1, tzinfo=UTC)
    )
    body = settle(tmp_path, replace(BASE, body=code), ours, theirs).body
    assert body == "Run it. Thrice.\n\n```\nmake clean\n\nmake test\n\nmake fix. All\n```\n\nDone."


texts = st.lists(
    st.sampled_from(["One. ", "Two?  ", "\n", "\n\n", "- a\n", "```\n", "    x\n", "三。四。", " ", "e.g. this "]),
    max_size=12,
).map("".join)


@given(texts)
def test_a_text_is_its_sentences(text: str) -> None:
    assert join_units(split_units(text)) == text


@given(texts, texts, texts)
def test_what_one_side_did_is_taken_as_it_is(base: str, ours: str, theirs: str) -> None:
    assert weave(base, ours, base, lambda *blocks: None).text == ours
    assert weave(base, base, theirs, lambda *blocks: None).text == theirs
    assert weave(base, ours, ours, lambda *blocks: None).text == ours


def test_the_same_note_told_twice_is_told_once(tmp_path: Path) -> None:
    later = replace(BASE, body="Told better.", updated=datetime(2026, 5, 1, tzinfo=UTC))
    assert settle(tmp_path, None, BASE, later).body == "Told better."


def test_a_change_survives_a_deletion(tmp_path: Path) -> None:
    text = render_note(BASE).encode()
    changed = render_note(replace(BASE, title="Gates")).encode()
    git = VaultGit(tmp_path)
    assert merge_files(git, PATH, text, None, changed, settle=True).content == changed
    assert merge_files(git, PATH, text, changed, None, settle=True).content == changed
    assert merge_files(git, PATH, text, None, text, settle=True).content is None


words = st.lists(st.sampled_from(["one", "two", "three", "four"]), max_size=5).map("\n\n".join)
variants = st.builds(
    replace,
    st.just(BASE),
    title=st.sampled_from(["Ports", "Gates"]),
    body=words,
    tags=st.lists(st.sampled_from("abcd"), max_size=3, unique=True).map(tuple),
    updated=st.none() | st.datetimes(datetime(2026, 1, 1), datetime(2026, 1, 3), timezones=st.just(UTC)),
    status=st.sampled_from(Status),
    superseded_by=st.none() | st.sampled_from(["X", "Y"]),
    sources=st.lists(st.builds(Provenance, st.sampled_from(["x:1", "x:2"]), st.just((1, 2))), max_size=2).map(tuple),
    extra=st.dictionaries(
        st.sampled_from(["mine", "yours"]), st.integers(0, 3) | st.lists(st.integers(0, 3)), max_size=2
    ),
)


@given(st.none() | variants, variants, variants)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_both_sides_settle_alike_and_lose_no_source(
    tmp_path: Path, base: Note | None, ours: Note, theirs: Note
) -> None:
    merged = settle(tmp_path, base, ours, theirs)
    kept = {(s.session, turn) for s in merged.sources for turn in s.turns}
    if ours != base and theirs != base and ours.sources != (base and base.sources) != theirs.sources:
        assert {(s.session, turn) for note in (ours, theirs) for s in note.sources for turn in s.turns} == kept
    for line in (*ours.body.split("\n\n"), *theirs.body.split("\n\n")):
        if base is not None and line not in base.body:
            assert line in merged.body


def test_sessions_that_grew_on_two_machines_hold_all_turns(tmp_path: Path) -> None:
    turns = tuple(Turn(i, Role.USER, f"turn {i}", datetime(2026, 1, 1, 0, i, tzinfo=UTC)) for i in range(6))
    base, ours, theirs = (Session("x", "1", turns[:n]) for n in (2, 4, 6))
    path = archive_path(base)
    texts = [render_session(session).encode() for session in (base, ours, theirs)]
    merged = merge_files(VaultGit(tmp_path), path, *texts, settle=True)
    assert merged.content and parse_session(merged.content.decode(), path) == theirs
    assert merge_files(VaultGit(tmp_path), path, texts[0], texts[2], texts[1], settle=True) == merged


@pytest.mark.parametrize("prefix", ["", "my notes/"])
def test_git_merge_uses_the_driver(tmp_path: Path, git: Git, prefix: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    repo = tmp_path / "repo"
    repo.mkdir()
    git(repo, "init")
    assert install_driver(VaultGit(repo)) is True
    assert install_driver(VaultGit(repo)) is False
    write(repo, f"{prefix}.gitattributes", "/docs/**/*.md merge=seci-note\n")
    versions = {
        "main": replace(BASE, status=Status.STALE, body=BASE.body.replace("8080", "8081")),
        "side": replace(BASE, status=Status.SUPERSEDED, tags=("c",), body=BASE.body.replace("8080", "9090")),
    }
    write(repo, f"{prefix}{PATH}", render_note(BASE))
    git(repo, "add", "-A")
    git(repo, "commit", "-m", "base")
    git(repo, "branch", "side")
    for branch, note in versions.items():
        git(repo, "checkout", "-q", branch)
        write(repo, f"{prefix}{PATH}", render_note(note))
        git(repo, "commit", "-am", branch)
    git(repo, "merge", "main")
    merged = parse_note((repo / f"{prefix}{PATH}").read_text(), PATH)
    assert merged.status is Status.SUPERSEDED and merged.tags == ("c",)
    assert "9090" in merged.body and "8081" not in merged.body  # of two as late, the greater text
    assert git(repo, "status", "--porcelain") == ""


@pytest.mark.parametrize("key", ["kept_apart", "not_pattern"])
def test_what_two_people_decided_is_united_and_what_one_takes_back_goes(tmp_path: Path, key: str) -> None:
    base = replace(BASE, extra={key: ["X", "Y"]})
    ours = replace(base, extra={key: ["X", "Y", "Z"]})
    theirs = replace(base, extra={key: ["Q", "Y"]})
    assert settle(tmp_path, base, ours, theirs).extra == {key: ["Q", "Y", "Z"]}
    texts = [render_note(note).encode() for note in (base, ours, theirs)]
    merged = merge_files(VaultGit(tmp_path), PATH, *texts, settle=False)
    assert merged.conflicts == (), "decisions never clash, not even where a person is asked"
    gone = replace(BASE, extra={})
    assert settle(tmp_path, base, base, gone).extra == {}
