"""Notes tell how things ended: problems, requests and findings with what was done, and nothing that was undone."""

from __future__ import annotations

from seci.core.note import Draft, Tier
from seci.core.session import Session
from tests.distillers.sessions import distill, session_of


def notes_of(session: Session, fresh: frozenset[int] | None = None) -> list[Draft]:
    return [draft for draft in distill(session, fresh) if draft.tier is not Tier.EPISODE]


def episode_of(session: Session) -> Draft:
    [episode] = [draft for draft in distill(session) if draft.tier is Tier.EPISODE]
    return episode


CAUSE = (
    "The import hangs because `lockStore` waits without a limit: the default `lockTimeout` is 0, which means forever. "
    "A second importer that died keeps the lock on `leases.db`, so every later import waits for it."
)
FIX = "All green. Fixed the hanging import by setting `lockTimeout` to 30 seconds in `lockStore`."


def test_a_cause_is_told_with_what_was_done_about_it_later() -> None:
    session = session_of(
        ("user", "why does the import hang?"),
        ("assistant", CAUSE),
        ("user", "ok, and then?"),
        ("assistant", "Let me look at the callers."),
        ("user", "go for a limit"),
        ("assistant", FIX),
    )
    [note] = [note for note in notes_of(session) if "waits without a limit" in note.body]
    assert note.body.endswith("by setting `lockTimeout` to 30 seconds in `lockStore`.")
    assert note.turns == (1, 5)
    assert len(note.body.split()) <= 80


def test_a_turn_is_not_cited_for_the_outcome_when_most_of_what_is_cited_would_hold_nothing() -> None:
    session = session_of(
        ("user", "why does the import hang? We have two importers, and both should use the same lock of the store."),
        ("assistant", CAUSE),
        ("user", "go for a limit"),
        ("assistant", FIX),
    )
    for note in notes_of(session, fresh=frozenset({1})):
        assert 2 * len(set(note.turns) - {1}) <= len(note.turns)


def test_one_report_ends_one_note() -> None:
    session = session_of(
        ("user", "why does the import hang?"),
        ("assistant", CAUSE),
        ("user", "and the export?"),
        (
            "assistant",
            "The export is slow because `lockStore` sorts all rows before the first write. The sort needs the entire "
            "table in memory, since `sortRows` has no limit.",
        ),
        ("user", "go for a limit"),
        ("assistant", FIX),
    )
    assert sum("30 seconds" in note.body for note in notes_of(session)) == 1


def test_a_bare_request_is_told_with_the_state_it_led_to() -> None:
    session = session_of(
        (
            "user",
            "Let's add another line to the greeting of the lease server, because nobody sees when the quota is nearly "
            "used up.",
        ),
        (
            "assistant",
            "Let me find the greeting.\n\nThe change is clean. When the quota of the lease server is nearly "
            "used up, the greeting will now show:\n\n```\nYour quota is nearly used up.\n```",
        ),
    )
    [note] = notes_of(session)
    assert note.body.startswith("The user asked to add another line")
    assert note.body.endswith('will now show: "Your quota is nearly used up".')


def test_a_change_that_was_given_up_is_told_as_what_took_its_place() -> None:
    finding = (
        "The comment says that the child's output is thrown away, but a missing `stdout` means that the child inherits "
        "the one of its parent. Any panic of the child could still appear on the terminal of the user."
    )
    session = session_of(
        ("user", finding),
        (
            "assistant",
            "You're right. The change explicitly opens `/dev/null` and hands it to the child, so any panic is "
            "thrown away rather than shown on the terminal of the user.",
        ),
        ("user", "what does `io.Sink` do?"),
        ("assistant", "`io.Sink` throws away what is written to it. We could use it instead of opening `/dev/null`."),
        ("user", "yes please"),
        ("assistant", "Done. The child now uses `io.Sink`, so there is no file to open or to close."),
    )
    told = " ".join(note.body for note in notes_of(session))
    assert "`io.Sink`" in told
    assert "explicitly opens `/dev/null`" not in told
    assert "explicitly opens `/dev/null`" not in episode_of(session).body


def test_a_fault_that_was_mended_is_told_in_the_past() -> None:
    session = session_of(
        ("user", "the nightly job fails"),
        (
            "assistant",
            "The nightly job is failing because of the `ownership` rule - two makers return the shared pool. This is "
            "intentional, since the pool outlives its makers.\n\nFixed. The two makers returned the pool by design, "
            "so I added `allow: ownership` to the nightly job with a reason.",
        ),
    )
    [note] = notes_of(session)
    assert "was failing because of the `ownership` rule" in note.title
    assert "is failing" not in note.body
    assert "`allow: ownership`" in note.body


def test_what_no_longer_is_so_names_its_note() -> None:
    session = session_of(
        (
            "user",
            "Passing `LEASE_TOKEN` to the child as an argument shows it to everybody on the host. Consider "
            "reading it from the environment.",
        ),
        (
            "assistant",
            "Good point. The `LEASE_TOKEN` is visible in `top` since it is passed as an argument. Since the child runs "
            "the same binary, it can read the environment itself.\n\nDone. The `LEASE_TOKEN` is no longer visible in "
            "`top` or in the list of processes.",
        ),
    )
    [note] = [note for note in notes_of(session) if "no longer" in note.body]
    assert note.title.startswith("The `LEASE_TOKEN` is no longer visible in `top`")
    assert "is visible" not in note.body


def test_an_episode_tells_the_ask_the_cause_and_the_last_word() -> None:
    session = session_of(
        ("user", "I've noticed that every import takes a minute before it starts, can you find out why?"),
        ("assistant", CAUSE),
        ("user", "add a limit"),
        (
            "assistant",
            "All tests pass.\n\n**Summary of changes:**\n\n1. Added a `--trace` flag to `import` for later\n"
            "2. Fixed the waiting import by setting:\n   - `lockTimeout: 2s`\n   - `retries: 3`\n"
            "3. Updated the comment above `lockStore`\n",
        ),
    )
    body = episode_of(session).body
    assert body.startswith("The user asked to find out why: they have noticed that every import takes a minute")
    assert "waits without a limit" in body or "`leases.db`" in body
    assert "fixed the waiting import by setting `lockTimeout: 2s` and `retries: 3`" in body
    assert body.index("`lockStore` waits") < body.index("fixed the waiting import")
    assert "comment" not in body


def test_an_episode_says_what_was_left_open() -> None:
    session = session_of(
        ("user", "We should write the name of the lease holder to every log line."),
        ("assistant", "Added `with_holder()` to the log context, which no caller uses yet."),
        ("user", "where should it be called?"),
        (
            "assistant",
            "`grant.py` is the best place because the holder is known there.\n\nWant me to proceed with calling "
            "`with_holder()` in all three handlers using this approach?",
        ),
    )
    assert episode_of(session).body.endswith(
        "Left open: whether to go on with calling `with_holder()` in all three handlers."
    )


def test_a_plan_is_told_by_what_it_is_for() -> None:
    plan = (
        "Implement the following plan:\n\n# Chained Greetings\n\n## Context\n\n`lease enable` overwrites the greeting "
        "of the host without a warning.\n\n## Implementation\n\n- If the host has a greeting, `lease enable` keeps it "
        "as `greeting.bak` because nobody can restore it otherwise.\n"
    )
    session = session_of(
        ("user", plan),
        ("assistant", "All done.\n\n- `lease enable` now keeps the greeting of the host as `greeting.bak`"),
    )
    episode = episode_of(session)
    assert episode.title == "Session: Chained Greetings"
    assert episode.body.startswith("A plan was carried out, since `lease enable` overwrites the greeting")
    assert "now keeps the greeting" in episode.body


def test_a_finding_names_an_episode_by_what_is_wrong() -> None:
    session = session_of(
        (
            "user",
            "The `pickFields` function determines which fields of a lease are masked, but it omits `owner.mail`. "
            "Leases are exported every night, so the address of every owner ends up in the export.",
        ),
        (
            "assistant",
            "Confirmed. The mask misses `owner.mail` since the list predates that field.\n\nAdded `owner.mail` to the "
            "list in `pickFields`.",
        ),
        ("user", "does the nightly export run through the mask at all?"),
        ("assistant", "It does, because `export_all` calls `pickFields` for every lease before it writes a row."),
    )
    episode = episode_of(session)
    assert episode.title == "Session: Fixed: the `pickFields` function omitted `owner.mail`"
    assert "added `owner.mail` to the list in `pickFields`" in episode.body


def test_a_bare_fault_is_quoted_where_nothing_else_tells_what_the_user_came_with() -> None:
    session = session_of(
        ("user", "the nightly export is failing, can you take a look?"),
        (
            "assistant",
            "The export fails because `sortRows` needs the entire table in memory, since it has no limit.\n\n"
            "Fixed. `sortRows` now reads 500 rows at a time.",
        ),
        ("user", "and how long does it take now?"),
        ("assistant", "About two minutes for the sample that we have here, which is what it took in spring."),
    )
    episode = episode_of(session)
    assert episode.body.startswith('The user asked: "The nightly export is failing')
    assert "`sortRows` now reads 500 rows at a time" in episode.body


def test_what_the_user_wanted_names_an_episode_before_a_decision_on_the_way() -> None:
    session = session_of(
        ("user", "We should replace the sequence of lease numbers with random ids because they can be guessed."),
        ("assistant", "There are two ways: random ids at once, or both side by side for a release. Which do you want?"),
        ("user", "let's take the side by side approach"),
        (
            "assistant",
            "Done. Added `random_id` beside `number` to `LeaseRow`, so that old links keep working for a release.",
        ),
    )
    episode = episode_of(session)
    assert episode.title.startswith("Session: Replace the sequence of lease numbers with random ids")
    assert "The user decided to take the side by side approach" in episode.body
    assert "added `random_id` beside `number` to `LeaseRow`" in episode.body
