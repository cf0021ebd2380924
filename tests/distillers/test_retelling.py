"""What a session's notes tell twice is told once: the fuller note stays."""

from __future__ import annotations

from seci.core.note import Draft, Namespace, NoteType, Tier
from seci.distillers.retelling import drop_retold, drop_told_by, is_retold
from tests.distillers.sessions import distill, session_of

CAUSE = "The `mailer` loses letters because `flush_queue` runs before the last letter is written."
FIX = "The change moved `flush_queue` behind the loop in `send_all`."


def note(title: str, body: str, turn: int = 1, importance: float = 0.5, of: NoteType = NoteType.FACT) -> Draft:
    shelf = Namespace.DOCS if of is NoteType.FACT else Namespace.PROJECTS
    return Draft(title, body, shelf, Tier.MEMORY, of, (turn,), (), importance, 0.8)


def test_a_note_that_another_tells_goes_and_leaves_it_the_better_title() -> None:
    full = note("Letters", f"{CAUSE} {FIX}", importance=0.4)
    part = note("`flush_queue` runs before the last letter is written", CAUSE, turn=3, importance=0.6)
    (kept,) = drop_retold([part, full])
    assert (kept.title, kept.body) == (part.title, full.body)


def test_two_notes_about_one_thing_that_end_alike_are_one() -> None:
    again = "`flush_queue` runs too early, before the last letter of the `mailer` is on its way."
    first, second = note("Letters", f"{CAUSE} {FIX}", importance=0.6), note("Queues", f"{again} {FIX}", turn=5)
    assert drop_retold([first, second]) == [first]


def test_two_faults_of_one_thing_that_one_change_mended_are_one_note() -> None:
    done = "The change split `RawHook` into two types."
    one = note("Fixed: the `RawHook` type only had an id", f"The `RawHook` type only had an id. {done}", importance=0.6)
    other = note("Fixed: `RawHook` was missing the text", f"`RawHook` was missing the text of the user. {done}")
    assert drop_retold([one, other]) == [one]
    elsewhere = note("Fixed: `LockFile` was never removed", f"`LockFile` was never removed by the runner. {done}")
    assert drop_retold([one, elsewhere]) == [one, elsewhere]


def test_two_notes_of_one_cause_that_report_one_change_in_other_words_are_one() -> None:
    again = "Fixed since: `flush_queue` runs before the last letter of the `mailer` is written."
    other = "The fix was to move `flush_queue` behind the loop in `send_all`, so that no letter is lost."
    first, second = note("Letters", f"{CAUSE} {FIX}", importance=0.6), note("Queues", f"{again} {other}", turn=5)
    assert drop_retold([first, second]) == [first]
    elsewhere = "The fix was to lock `flush_queue` while a reader of the archive waits."
    third = note("Locks", f"{again} {elsewhere}", turn=5)
    assert drop_retold([first, third]) == [first, third]


def test_notes_of_different_things_may_end_alike() -> None:
    other = "Readers see an empty page where the cache of the archive is cold."
    first, second = note("Letters", f"{CAUSE} {FIX}"), note("Archive", f"{other} {FIX}", turn=5)
    assert drop_retold([first, second]) == [first, second]


def test_a_plan_and_the_summary_of_it_make_one_note() -> None:
    plan = note("Keep letters unsent by default", "Letters stay unsent until the owner of the box has agreed.")
    summary = note("Letters are kept unsent by default", "Letters now stay unsent until the owner agreed.", turn=9)
    assert len(drop_retold([plan, summary])) == 1


def test_a_fact_that_the_episode_tells_goes_and_a_decision_stays() -> None:
    episode = note("Session: Letters", f'The user asked: "Where are my letters?" {CAUSE} {FIX}')
    fact, decision = note("Letters", CAUSE), note("Flush last", CAUSE, of=NoteType.DECISION)
    assert drop_told_by(episode, [fact, decision]) == [decision]


def test_a_comment_on_a_fact_does_not_keep_it_beside_the_episode() -> None:
    episode = note("Session: Letters", f'The user asked: "Where are my letters?" {CAUSE} {FIX}')
    commented = note("Letters", f"{CAUSE} This makes it hard to see why an owner waits.")
    assert drop_told_by(episode, [commented]) == []
    further = note("Letters", f"{CAUSE} Nobody tests `archive_mail` with more than one reader.")
    assert drop_told_by(episode, [further]) == [further]


def test_an_episode_is_retold_where_the_notes_tell_all_but_the_question() -> None:
    episode = note("Session: Letters", f'The user asked: "Where are my letters? I sent two." {CAUSE} {FIX}')
    assert is_retold(episode, [note("Letters", f"{CAUSE} {FIX}")])
    assert not is_retold(episode, [note("Letters", CAUSE)])


def test_one_exchange_is_told_by_its_note_alone() -> None:
    session = session_of(
        ("user", "I think we lose letters since the merge, can you check?"),
        ("assistant", f"{CAUSE} Letters that were written before it are not touched."),
    )
    assert [draft.tier for draft in distill(session)] == [Tier.MEMORY]


def test_what_was_seen_on_a_screen_is_not_how_it_ended() -> None:
    session = session_of(
        ("user", "can the letter be filed under a person?"),
        (
            "assistant",
            "The `file_letter` call only has a `folder` parameter, because the archive knows no people.\n\n"
            "The letter now shows in the `inbox` list.",
        ),
        ("user", "ok, and how are folders named?"),
        ("assistant", "Folders must be named by year, since `sort_archive` reads the first four characters only."),
    )
    assert "now shows in" not in " ".join(draft.body for draft in distill(session))
