"""The state that notes tell of things: passed on, proposed, only written down, failing no longer, still open."""

from __future__ import annotations

from dataclasses import replace

from seci.core.note import Draft, Tier
from seci.core.session import Session
from tests.distillers.sessions import distill, session_of

CLAIM = (
    "The comment says that log lines go to the drain, but setting `job.log` to none actually hands the log of the "
    "parent to the job, so any line of the job could still appear in the terminal. To detach the job its log should "
    "be an opened handle of the drain rather than none."
)
ECHO = (
    "You're correct. The comment says that log lines go to the drain, but none hands the log of the parent to the job."
)
DONE = "Done. The job now writes to `drain.sink`, which throws every line of it away and needs no handle."
TALK = (
    ("user", "and which jobs run at night?"),
    ("assistant", "Only `sweep_leases`, because `nightly.yml` starts no other job before six in the morning."),
    ("user", "who gets the mail of it?"),
    ("assistant", "Only the owner of `nightly.yml`, since `notify` has no other address of anybody."),
)


def notes_of(session: Session) -> list[Draft]:
    return [draft for draft in distill(session) if draft.tier is not Tier.EPISODE]


def episode_of(session: Session) -> Draft:
    [episode] = [draft for draft in distill(session) if draft.tier is Tier.EPISODE]
    return episode


def with_tools(session: Session, tools: dict[int, tuple[str, ...]]) -> Session:
    return replace(session, turns=tuple(replace(turn, tools=tools.get(turn.index, ())) for turn in session.turns))


def test_a_finding_that_the_answer_only_agrees_to_is_a_claim_and_no_fact() -> None:
    session = session_of(("user", CLAIM), ("assistant", f"{ECHO} Let me fix this.\n\n{DONE}"), *TALK)
    episode = episode_of(session)
    assert episode.title.startswith("Session: Acted on the claim: ")
    assert episode.body.startswith("The user passed on a claim that the answer took as it was: ")
    assert "`drain.sink`" in episode.body
    assert not any("log of the parent" in note.body for note in notes_of(session))


def test_a_finding_that_the_answer_looked_into_is_told_as_found() -> None:
    looked = (
        "You're correct. The `spawn_job` function in `runner.py` copies `parent.log` where `job.log` is none, because "
        f"`inherit_streams` is on by default.\n\n{DONE}"
    )
    session = session_of(("user", CLAIM), ("assistant", looked), *TALK)
    assert "claim" not in f"{episode_of(session).title} {episode_of(session).body}"
    assert any("`inherit_streams`" in note.body for note in notes_of(session))


FAILING = (
    "The tests are failing because of assertions that the second lease must not hold the berth of the first one. "
    "The commit `c384b36` intentionally changed the behavior of `grant_lease` to keep all berths of a holder.\n\n"
)
ASKED = ("user", "when I run the checks of the leases I get failures, can you look?")


def test_tests_that_were_changed_are_told_as_failing_no_longer() -> None:
    mended = f"{FAILING}I updated two tests to reflect the new behavior. All tests pass."
    [note] = [one for one in notes_of(session_of(ASKED, ("assistant", mended), *TALK)) if "assertions" in one.body]
    assert "The tests were failing" in note.body
    assert note.body.endswith("The change updated two tests to reflect the new behavior.")


def test_tests_that_nobody_changed_are_told_as_failing() -> None:
    [note] = [one for one in notes_of(session_of(ASKED, ("assistant", FAILING), *TALK)) if "assertions" in one.body]
    assert "The tests are failing" in note.body


PROPOSAL = (
    "`registry.py` already has `agent_name` at hand because every handler passes it with its own call. We should use "
    "`with_agent` there instead, since then each line of the log would name the agent.\n\nShall I do it?"
)
ADDED = ("assistant", "Done. I added `with_agent` to the `logging` module of the harbor.")
WISH = ("user", "we should add the name of the agent to every line of the log of the harbor")


def proposal(*more: tuple[str, str]) -> Session:
    return session_of(WISH, ADDED, ("user", "where would we call `with_agent`?"), ("assistant", PROPOSAL), *more)


def proposed(session: Session) -> str:
    return next(note.body for note in notes_of(session) if "We should use `with_agent`" in note.body)


def test_a_proposal_after_which_nothing_was_changed_was_not_carried_out() -> None:
    session = proposal(("user", "how do we know which agent is active?"), ("assistant", "`get_agent` tells it."))
    edited = with_tools(session, {1: ("Edit: logging.py",), 3: ("rejected by the user: Edit: registry.py",)})
    assert proposed(edited).endswith("It was not carried out in the session.")
    assert "carried out" not in proposed(session)  # no calls of tools: nobody knows
    assert "carried out" not in proposed(with_tools(session, {5: ("Edit: registry.py",)}))
    assert "carried out" not in proposed(with_tools(session, {5: ("Task: call with_agent in registry.py",)}))
    assert "carried out" not in proposed(with_tools(session, {5: ("Bash: sed -i s/a/b/ registry.py",)}))


def test_a_proposal_that_was_only_written_into_a_document_says_so() -> None:
    session = proposal(("user", "write that down"), ("assistant", "I wrote it down."))
    written = with_tools(session, {5: ("Write: /home/ada/harbor/docs/agents.md",)})
    assert proposed(written).endswith("In the session only `agents.md` was changed for it, no code.")
    both = with_tools(session, {5: ("Write: /home/ada/harbor/docs/agents.md", "Edit: /home/ada/harbor/registry.py")})
    assert "no code" not in proposed(both)


def test_what_the_user_found_wrong_after_the_last_change_is_told_instead_of_passing_tests() -> None:
    turns = (
        WISH,
        ("assistant", "Done. I added `with_agent` to the `logging` module. All tests pass."),
        ("user", "I can't see any use of `with_agent` in our code, so no line of the log names the agent."),
        ("assistant", "You're right. `registry.py` already has `agent_name` at hand, since every handler passes it."),
        ("user", "do it in `registry.py` then"),
        ("user", "how can we know which agent is active?"),
        ("assistant", "`get_agent` returns it. Want me to proceed with calling `with_agent` in all three places?"),
    )
    body = episode_of(session_of(*turns)).body
    assert "The user can't see any use of `with_agent`" in body
    assert "Tests passed." not in body
    assert "Tests passed." in episode_of(session_of(*turns[:2], *TALK)).body


def test_what_to_do_if_it_does_not_help_is_left_open() -> None:
    told = (
        "I added a warning to `read_filter` for the case that its settings fail to load. All tests pass.\n\n"
        "If the issue persists, the workaround is to use an absolute path in `settings.toml`."
    )
    ask = "the filter of the letters is not applied when the nightly job writes them"
    episode = episode_of(session_of(("user", ask), ("assistant", told)))
    assert episode.body.endswith(
        "Left open: whether that helps; if not, the workaround is to use an absolute path in `settings.toml`."
    )


def test_a_session_is_named_by_the_request_that_led_to_the_change() -> None:
    turns = (
        ("user", "Generate me a list of plausible names for ships, harbors and captains."),
        ("assistant", "Here they are: Aurora, Boreas, Cassandra, Delia."),
        ("user", "Now, please describe the `lease_filter` option briefly in README.md."),
        ("assistant", "Done. I added a section about `lease_filter` to `README.md`, with an example of its use."),
    )
    episode = episode_of(session_of(*turns, *TALK))
    assert "lease_filter" in episode.title
    assert "Then they asked to describe the `lease_filter` option" in episode.body
    related = ("user", "Now, please add the list of names for ships, harbors and captains to README.md.")
    named = ("assistant", "Done. I added the list of plausible names for ships and harbors to `README.md`.")
    assert "Then they asked" not in episode_of(session_of(*turns[:2], related, named, *TALK)).body
