"""Distilling as a recipe, over adapters in memory: what is new is written once, and what is wrong is reported."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from seci.core.note import Draft, Namespace, Note, NoteType, Tier
from seci.core.ports import Decision, StoredNote
from seci.core.session import Failure, Role, Session, Turn, unite_sessions
from seci.errors import NoteFormatError
from seci.flows.distill import DistillSteps, build_notes, distill, gather_sessions, render_message

START = datetime(2026, 3, 3, 9, tzinfo=UTC)


def turn(index: int, text: str) -> Turn:
    return Turn(index, Role.USER if index % 2 == 0 else Role.ASSISTANT, text, START + timedelta(minutes=index))


def session(*texts: str, id: str = "a") -> Session:
    return Session("json", id, tuple(turn(i, text) for i, text in enumerate(texts)), cwd="/home/mira/src/parcel-api")


class Vault:
    """Store, ledger, transaction and lock in one, over a dictionary."""

    def __init__(self) -> None:
        self.files: dict[str, Note | Session] = {}
        self.messages: list[str] = []
        self.broken: set[str] = set()
        self.held = False

    def notes(self) -> Iterator[StoredNote | Failure]:
        for path, content in sorted(self.files.items()):
            if isinstance(content, Note):
                yield StoredNote(path, content, "")
        yield from (Failure(path, "is broken") for path in sorted(self.broken))

    def get(self, id_or_path: str) -> StoredNote:
        raise NotImplementedError

    def render(self, note: Note | Session, path: str | None = None) -> tuple[str, str]:
        place = f"{note.namespace.value}/{note.file_name}" if isinstance(note, Note) else f"sessions/{note.id}.md"
        self._rendered = getattr(self, "_rendered", {}) | {place: note}
        return place, place

    def read(self, session: str) -> Session | None:
        place = f"sessions/{session.partition(':')[2]}.md"
        if place in self.broken:
            raise NoteFormatError("is damaged", subject=place)
        found = self.files.get(place)
        return found if isinstance(found, Session) else None

    def known(self, session: str) -> frozenset[int]:
        found = self.read(session)
        return frozenset(turn.index for turn in found.turns) if found else frozenset()

    @contextmanager
    def hold(self) -> Iterator[None]:
        self.held = True
        yield
        self.held = False

    def write(
        self, changes: Mapping[str, str | None], message: str, before: Mapping[str, str | None] | None = None
    ) -> str | None:
        assert not self.broken & changes.keys(), "a file of the user's was overwritten"
        for path in changes:
            content = self._rendered[path]
            old = self.files.get(path)
            both = isinstance(content, Session) and isinstance(old, Session)
            self.files[path] = unite_sessions(old, content) if both else content  # type: ignore[arg-type]
        self.messages.append(message)
        return f"{len(self.messages):040d}"


class OneNoteATurn:
    name = "one"

    def distill(self, session: Session, fresh: frozenset[int]) -> list[Draft]:
        return [
            Draft(f"Says {t.text}", t.text, Namespace.DOCS, Tier.MEMORY, NoteType.FACT, (t.index,))
            for t in session.turns
            if t.index in fresh
        ]


class OnlyQuestions:
    def decide(self, session: Session) -> list[Decision]:
        return [Decision(t.index, t.text.endswith("?"), 0.5, NoteType.FACT) for t in session.turns]


def steps(vault: Vault, **given: object) -> DistillSteps:
    def redact(session: Session) -> tuple[Session, Mapping[str, int]]:
        clean = tuple(replace(t, text=t.text.replace("hunter2", "[redacted:password]")) for t in session.turns)
        return replace(session, turns=clean), {"password": sum("hunter2" in t.text for t in session.turns)}

    fields: dict[str, object] = {
        "redact": redact,
        "ledger": lambda: vault,
        "notes": vault,
        "distiller": OneNoteATurn(),
        "transaction": vault,
        "lock": vault,
        "project_of": lambda session: "mira/parcel-api",
    }
    return DistillSteps(**(fields | given))  # type: ignore[arg-type]


def titles(vault: Vault) -> list[str]:
    return sorted(content.title for content in vault.files.values() if isinstance(content, Note))


def test_a_second_run_writes_nothing_and_a_grown_session_only_what_is_new() -> None:
    vault = Vault()
    first = distill([session("alpha one", "beta two")], steps(vault))
    assert (first.sessions, first.turns, len(first.notes), first.commit is not None) == (1, 2, 2, True)
    again = distill([session("alpha one", "beta two")], steps(vault))
    assert (again.sessions, again.skipped, again.commit) == (0, 1, None)
    grown = distill([session("alpha one", "beta two", "gamma three")], steps(vault))
    assert [w.note.title for w in grown.notes] == ["Says gamma three"]
    assert len(vault.messages) == 2


class Interrupted(OneNoteATurn):
    """While it drafts, another process distills the same session."""

    def __init__(self, vault: Vault, other: Session) -> None:
        self._vault, self._other = vault, other
        self.drafted: list[frozenset[int]] = []

    def distill(self, session: Session, fresh: frozenset[int]) -> list[Draft]:
        assert not self._vault.held or self.drafted, "others wait for nothing while a session is drafted"
        if not self.drafted:
            distill([self._other], steps(self._vault))
        self.drafted.append(fresh)
        return super().distill(session, fresh)


def test_what_another_process_distilled_meanwhile_is_not_distilled_twice() -> None:
    vault = Vault()
    slow = Interrupted(vault, session("alpha one", "beta two"))
    report = distill([session("alpha one", "beta two", "gamma three")], steps(vault, distiller=slow))
    assert slow.drafted == [{0, 1, 2}, {2}]
    assert (report.turns, [written.note.title for written in report.notes]) == (1, ["Says gamma three"])
    assert titles(vault) == ["Says alpha one", "Says beta two", "Says gamma three"]


def test_where_another_process_was_there_first_nothing_is_left_to_do() -> None:
    vault = Vault()
    slow = Interrupted(vault, session("alpha one", "beta two"))
    report = distill([session("alpha one", "beta two")], steps(vault, distiller=slow))
    assert (report.sessions, report.skipped, report.commit) == (0, 1, None)
    assert len(vault.messages) == 1 and len(titles(vault)) == 2


def test_secrets_are_gone_before_a_distiller_sees_them_and_are_counted() -> None:
    vault = Vault()
    report = distill([session("the password is hunter2")], steps(vault))
    assert report.redactions == {"password": 1}
    assert titles(vault) == ["Says the password is [redacted:password]"]
    archived = vault.read("json:a")
    assert archived is not None and "hunter2" not in archived.turns[0].text


def test_the_router_decides_and_can_be_overruled_later() -> None:
    vault = Vault()
    distill([session("why so?", "because of that")], steps(vault, router=OnlyQuestions()))
    assert titles(vault) == ["Says why so?"]
    report = distill([session("why so?", "because of that")], steps(vault, router=OnlyQuestions()), readmit=True)
    assert [w.note.title for w in report.notes] == ["Says because of that"]
    assert titles(vault) == ["Says because of that", "Says why so?"]


def test_the_same_note_from_another_session_is_not_written_twice() -> None:
    vault = Vault()
    distill([session("the port is 8080")], steps(vault))
    report = distill([session("the port is 8080", id="b"), session("the port is 8081", id="c")], steps(vault))
    assert report.repeated == 1
    assert titles(vault) == ["Says the port is 8080", "Says the port is 8081"]


def test_a_broken_note_and_a_damaged_archive_are_reported_and_the_rest_goes_on() -> None:
    vault = Vault()
    (note,) = build_notes(session("alpha"), OneNoteATurn().distill(session("alpha"), frozenset({0})), None)
    vault.broken = {f"docs/{note.file_name}", "sessions/bad.md"}
    report = distill([session("alpha", "beta"), session("gamma", id="bad")], steps(vault))
    assert sorted(failure.path for failure in report.failures) == sorted(vault.broken)
    assert titles(vault) == ["Says beta"]


def test_a_dry_run_says_what_it_would_write_and_writes_nothing() -> None:
    vault = Vault()
    report = distill([session("alpha")], steps(vault), dry_run=True)
    assert (len(report.notes), report.commit, vault.files) == (1, None, {})


def test_failures_of_the_source_are_passed_on_and_empty_sessions_are_not_sessions() -> None:
    report = distill([Failure("x.jsonl", "is empty"), session()], steps(Vault()))
    assert report.failures == (Failure("x.jsonl", "is empty"),)
    assert (report.sessions, report.skipped) == (0, 0)


def test_files_that_share_a_key_are_one_session() -> None:
    sessions, _ = gather_sessions([session("a"), session("a", "b"), session("z", id="other")])
    assert [(s.id, len(s.turns)) for s in sessions] == [("a", 2), ("other", 1)]


def test_the_commit_message_reads_well_and_names_its_sessions() -> None:
    vault = Vault()
    distill(
        [
            replace(
                session("alpha " * 30), title="Why the webhooks of the parcel service were sent twice on every Friday"
            )
        ],
        steps(vault),
    )
    subject, blank, *rest = vault.messages[0].splitlines()
    assert len(subject) <= 72 and subject.startswith("Distill 1 note: Why the webhooks") and blank == ""
    assert rest[-1] == "Seci-Session: json:a"
    assert "Seci-Verb: distill" in rest


def test_the_same_session_gives_the_same_notes_on_every_machine() -> None:
    drafts = OneNoteATurn().distill(session("alpha", "beta"), frozenset({0, 1}))
    here, there = (build_notes(replace(session("alpha", "beta"), path=p), drafts, "p") for p in ("/a", "/b"))
    assert here == there
    assert [note.created for note in here] == [START, START + timedelta(minutes=1)]
    assert render_message([(session("alpha"), frozenset({0}))], []).startswith("Distill 0 notes: json:a")
