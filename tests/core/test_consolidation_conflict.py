"""Which pairs say the same, replace each other, contradict, or speak of different things."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from seci.core.conflict import conflicts
from seci.core.note import Namespace, Note, NoteType
from seci.core.terms import Kind
from seci.core.verdict import Relation
from seci.core.wording import parse_wording

JANUARY, MARCH = datetime(2026, 1, 10, tzinfo=UTC), datetime(2026, 3, 10, tzinfo=UTC)


def note(ident: str, body: str, created: datetime | None = JANUARY, **fields: object) -> Note:
    return Note(id=ident, title="", body=body, namespace=Namespace.DOCS, created=created, **fields)  # type: ignore[arg-type]


def relation(a: str, b: str, *, similarity: float = 0.9, later: bool = True) -> Relation:
    return conflicts(note("A", a), note("B", b, MARCH if later else JANUARY), similarity).relation


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("The API listens on port 8080.", "The API listens on port 8081."),
        ("We run Postgres 14.2 in production.", "We run Postgres 14.3 in production."),
        ("The launch is on 1 June.", "The launch is on 8 June."),
        ("Anna owns the deploy script.", "Berta owns the deploy script."),
        ("Use tabs for indentation.", "Don't use tabs for indentation."),
        ("Run `make build` first.", "Run `make rebuild` first."),
        ("Keep uploads above 10 MB.", "Keep uploads below 10 MB."),
        ("Gina helps Jon with the accounts.", "Jon helps Gina with the accounts."),
        ("The user prefers tea over coffee.", "The user prefers coffee over tea."),
        ("Strict mode is enabled.", "Strict mode is disabled."),
        ("The train to Rome leaves at noon.", "The train from Rome leaves at noon."),
        ("The report is due on Monday.", "The report is due on Tuesday."),
        ("Ansprechpartner bei Nordlicht ist Herr Claasen.", "Neuer Ansprechpartner bei Nordlicht ist Herr Brandt."),
        ("Die Kasse führt Petersen.", "Petra führt die Kasse."),
        ("Paul leads the design team.", "Emma is the one who leads the design team."),
        ("Jan likes tea.", "Jane likes tea."),
        ("The docs of team A are public.", "The docs of team B are public."),
        ("The editor is on by default.", "The editor is off by default."),
        ("Events are delivered at least once.", "Events are delivered exactly once."),
        ("Logs with names may be kept.", "Logs without names may be kept."),
        ("De testdatabase wordt elke nacht gewist.", "De productiedatabase wordt elke nacht gewist."),
        ("Piano is at half past four.", "Piano is at half past five."),
        ("The call is at 4:30 pm.", "The call is at 4:30 am."),
        ("The fee is £18k.", "The fee is $18k."),
        ("The driver is written in C.", "The driver is written in C++."),
        ("The freezer is kept at -18 degrees.", "The freezer is kept at 18 degrees."),
        ("Batches have <100 rows.", "Batches have >100 rows."),
        ("Der Kurs beginnt am 21.3. und ist voll.", "Der Kurs beginnt am 22.3. und ist voll."),
        ("Team Badger owns the auth service.", "Team Badger owns the audit service."),
        ("The board met. Mireille chaired the meeting.", "Stefan was in the chair when the board met."),
        ("The outage came from the cache.", "The cache had nothing to do with the outage."),
        ("Nils wants the database mocked in tests.", "Nils is against mocking the database in tests."),
        ("The folder is cleared by make clean.", "The folder is left untouched by make clean."),
        ("Passwords are in the vault and never in a file.", "Passwords are in a file and never in the vault."),
    ],
)
@pytest.mark.parametrize("later", [True, False])
def test_never_merges_what_differs_in_a_fact(a: str, b: str, later: bool) -> None:
    assert relation(a, b, similarity=0.99, later=later) is not Relation.MERGE


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("The job takes 90 minutes.", "The job takes 1.5 hours."),
        ("The build failed on 3 March 2026.", "The build failed on 2026-03-03."),
        ("Never deploy on Fridays.", "Deploying on Friday is forbidden."),
        ("Failed uploads are retried three times.", "We retry failed uploads 3 times."),
        ("Tokens expire after one hour.", "A token expires after 60 minutes."),
        ("A function has at most 30 lines.", "No function is longer than 30 lines."),
        ("Theo has piano lessons at half past four on Wednesdays.", "Piano lessons for Theo: Wednesdays, 16:30."),
        ("Invoices above 5,000 euros need a signature.", "For invoices of more than EUR 5000 a signature is needed."),
        ("Use `docker compose up web` to run the shop.", "Run the shop with docker compose up web."),
        ("Only the owner may edit it. Nobody else may change it.", "The owner alone may edit it, no one else may."),
        ("Keep legal jargon out of the letters to the council.", "No legal jargon in the letters to the council."),
        ("Bas wil op vrijdag geen vergaderingen.", "Vergaderingen met Bas zijn nooit op vrijdag."),
        ("Texte für Kunden werden geprüft.", "Kundentexte werden geprüft."),
        ("The importer rejects files larger than 50 MB.", "You can import files of up to 50 MB."),
    ],
)
def test_merges_one_fact_in_two_forms(a: str, b: str) -> None:
    assert relation(a, b) is Relation.MERGE


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("The project uses npm.", "We switched from npm to pnpm."),
        ("The deadline is 10 March.", "The deadline moved to 20 March."),
        ("The user smokes.", "The user no longer smokes."),
        ("Sessions are stored in Redis.", "Sessions are now stored in Postgres."),
        ("The gateway times out after 30 seconds.", "The gateway times out after 60 seconds."),
    ],
)
def test_a_newer_value_replaces_the_older(a: str, b: str) -> None:
    verdict = conflicts(note("A", a), note("B", b, MARCH), 0.8)
    assert (verdict.relation, verdict.older, verdict.newer) == (Relation.SUPERSEDE, "A", "B")


def test_without_time_or_sign_of_change_both_stay_as_a_contradiction() -> None:
    assert relation("Backups run at 02:00.", "Backups run at 03:30.", later=False) is Relation.CONTRADICTION
    undated = conflicts(note("A", "Backups run at 02:00.", None), note("B", "Backups run at 03:30.", None), 0.9)
    assert undated.relation is Relation.CONTRADICTION


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Alice prefers tabs.", "Alice moved to Berlin."),
        ("The orders service runs on port 4001.", "The billing service now runs on port 4002."),
        ("The backend uses npm.", "The frontend switched from npm to pnpm."),
        ("Acme pays within 30 days.", "Globex pays within 30 days."),
        ("Hooli asked for single sign-on.", "Hooli no longer gets a discount."),
        ("The Python SDK is at version 2.3.", "The Go SDK was bumped to version 2.4."),
    ],
)
def test_unrelated_facts_do_not_retire_each_other(a: str, b: str) -> None:
    assert relation(a, b, similarity=0.7) is Relation.KEEP


def test_what_happened_once_is_contradicted_not_replaced() -> None:
    assert relation("Anna was born in 1984.", "Anna was born in 1986.") is Relation.CONTRADICTION


def test_one_text_in_two_projects_is_two_notes() -> None:
    a = note("A", "The API listens on port 8080.", project="acme/shop")
    b = note("B", "The API listens on port 8080.", project="acme/blog")
    assert conflicts(a, b, 1.0).relation is Relation.KEEP


def test_two_appointments_are_two_events() -> None:
    a = note("A", "The user had a dentist appointment on 14 January.", type=NoteType.EVENT)
    b = note("B", "The user has a dentist appointment on 18 February.", MARCH, type=NoteType.EVENT)
    assert conflicts(a, b, 0.9).relation is Relation.KEEP


@pytest.mark.parametrize(
    ("text", "kind", "key"),
    [
        ("It costs 1,200 euros.", Kind.NUMBER, "eur:1200"),
        ("Der Preis liegt bei 1.200 Euro.", Kind.NUMBER, "eur:1200"),
        ("Python 3.10 is required.", Kind.NUMBER, "3.10"),
        ("It moved from 10 to 20 March.", Kind.DATE, "*-03-10"),
        ("Am 20. März 2026 ist Abgabe.", Kind.DATE, "2026-03-20"),
        ("It starts at 9 pm.", Kind.TIME, "21:00"),
        ("We meet on Tuesdays.", Kind.WEEKDAY, "weekday:2"),
        ("See https://example.com/a/ for more.", Kind.CODE, "example.com/a"),
    ],
)
def test_facts_are_read_in_canonical_form(text: str, kind: Kind, key: str) -> None:
    assert key in {term.key for term in parse_wording("", text).terms if term.kind is kind}
