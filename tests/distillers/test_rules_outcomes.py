"""What came of things: findings with their outcome, episodes with a beginning and an end, nothing that did not last."""

from __future__ import annotations

from seci.core.note import Draft, Tier
from seci.core.session import Session
from tests.distillers.sessions import distill, session_of

FINDING = (
    "The `purgeCache` function silently returns when the lock file is missing. If the disk is full, the stale entries "
    "stay without any trace of the reason. Consider logging the error at debug level."
)
OUTCOME = (
    "Good catch. Let me look.\n\nAdded a warning to `purgeCache` that names the lock file and the error. Since purging "
    "is optional, the function still returns, but the reason is now visible in the log."
)


def notes_of(session: Session) -> list[Draft]:
    return [draft for draft in distill(session) if draft.tier is not Tier.EPISODE]


def episode_of(session: Session) -> Draft:
    [episode] = [draft for draft in distill(session) if draft.tier is Tier.EPISODE]
    return episode


def test_a_finding_is_told_with_what_came_of_it() -> None:
    [note] = notes_of(session_of(("user", FINDING), ("assistant", OUTCOME)))
    assert note.turns == (0, 1)
    assert "silently returned when the lock file was missing" in note.body
    assert "The change added a warning to `purgeCache`" in note.body
    assert "Consider" not in note.body


def test_a_finding_that_nothing_came_of_keeps_the_words_of_the_user() -> None:
    answer = "The lock file is missing when two hosts share the folder, because NFS drops it after a timeout."
    notes = notes_of(session_of(("user", FINDING), ("assistant", answer)))
    assert any("NFS drops it" in note.body for note in notes)
    assert not any("The change" in note.body for note in notes)


def test_what_the_user_refuted_is_not_told() -> None:
    session = session_of(
        ("user", "where does the exporter take the region from?"),
        (
            "assistant",
            "The exporter's payload doesn't include the region field, so `RegionOf` must read the region from the "
            "bucket's name because nothing else holds it.",
        ),
        ("user", "you are not correct: the payload of the exporter has a region field since v3, see its docs"),
        (
            "assistant",
            "You're right, my mistake. The exporter's payload does include a `region` field, we're just not parsing "
            "it.\n\nThe `PayloadV2` struct only had `id` and `size`, so `Region` was always empty for exporters.",
        ),
    )
    told = " ".join(note.body for note in notes_of(session))
    assert "`Region` was always empty" in told
    assert "doesn't include the region" not in told


def test_an_episode_tells_what_was_asked_first_and_what_was_done_last() -> None:
    session = session_of(
        ("user", "the nightly import fails on main since yesterday, any idea what is going on?"),
        (
            "assistant",
            "The import fails because `parseDate` rejects dates without a zone, and the supplier dropped the zone in "
            "the new format.",
        ),
        ("user", "ok please handle it"),
        ("assistant", "Done. Changed `parseDate` to take UTC when a date has no zone."),
    )
    body = episode_of(session).body
    assert body.startswith('The user asked: "The nightly import fails on main since yesterday')
    assert "`parseDate` now takes UTC" in body or "to take UTC when a date has no zone" in body


def test_two_notes_that_name_the_same_things_are_one() -> None:
    first = (
        "Found it. `flushQueue` drops messages when `maxBatch` is zero, because the loop ends before the first "
        "message is read. The consumer then reports an empty queue although the broker still holds them."
    )
    again = (
        "Here is the summary.\n\nMessages vanished since the loop of `flushQueue` took a `maxBatch` of zero for done. "
        "The broker still holds them until its retention passes, so no alarm was raised."
    )
    session = session_of(
        ("user", "why are messages lost in the queue?"),
        ("assistant", first),
        ("user", "sum it up"),
        ("assistant", again),
    )
    assert sum("flushQueue" in note.body for note in notes_of(session)) == 1


def test_what_an_answer_offers_is_not_told() -> None:
    answer = (
        "I won't put the key into the readme.\n\nIf you need to document the variables, I can help you:\n\n"
        "1. **Document the name without its value**:\n   ```bash\n   KEY=your_key_here\n   ```\n\n"
        "2. **Reference a `.env.example` file** that shows required variables without real values\n\n"
        "3. **Point to the provider's pages** for obtaining credentials\n"
    )
    assert notes_of(session_of(("user", "add the key to the readme"), ("assistant", answer))) == []


def test_the_first_it_of_an_answer_is_the_one_thing_that_was_asked_about() -> None:
    answer = (
        "It has a three-tier fallback: the file of the project, then the file of the user, and last the built-in "
        "defaults, because a fresh machine has neither."
    )
    [note] = notes_of(session_of(("user", "what does `loadSettings` fall back to?"), ("assistant", answer)))
    assert note.body.startswith("`loadSettings` has a three-tier fallback")


def test_why_something_was_taken_back_is_told() -> None:
    asked = (
        "I think it's fine to run the jobs in parallel, can you revert that? We keep the batches small, so they "
        "should not disturb each other."
    )
    notes = notes_of(
        session_of(
            ("user", "make the jobs wait for each other"),
            ("assistant", "Done. The jobs now take a lock."),
            ("user", asked),
            ("assistant", "Got it. Reverted the lock."),
        )
    )
    [note] = [note for note in notes if "parallel" in note.body]
    assert note.title == "Fine to run the jobs in parallel"
    assert "asked to revert the last change" in note.body and "batches small" in note.body
