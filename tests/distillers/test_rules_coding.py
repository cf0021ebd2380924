"""A coding session: what is kept of it, and how it reads."""

from __future__ import annotations

from seci.core.note import Namespace, NoteType, Tier
from tests.distillers.sessions import distill, session_of

CACHE = session_of(
    ("user", "the search page shows old prices after an update, can you find out why?"),
    (
        "assistant",
        "Let me look at the cache first.\n\nI found the issue! The price cache in `shop/cache.py:41` is keyed by "
        "product "
        "only, so two tenants share one entry and the later write wins. The entry is never dropped when a price "
        "changes, "
        "because `invalidate()` is called with the wrong key.\n\nWant me to fix it?",
    ),
    ("user", "yes"),
    (
        "assistant",
        "Now let me update the key.\n\nDone! All 42 tests pass.\n\n## Summary\n\n1. **`shop/cache.py`**: Added "
        "the tenant "
        "to the key so that tenants no longer share entries\n2. **`shop/prices.py`**: Changed `invalidate()` to "
        "pass the "
        "tenant, because the old key never matched",
    ),
)


def test_the_cause_is_kept_and_narration_is_not() -> None:
    drafts = [draft for draft in distill(CACHE) if draft.tier is not Tier.EPISODE]
    told = " ".join(draft.body for draft in drafts)
    assert "keyed by product only" in told
    assert "Let me" not in told and "tests pass" not in told and "Want me" not in told and "Done" not in told
    assert ":41" not in told


def test_an_approval_joins_the_proposal() -> None:
    drafts = [draft for draft in distill(CACHE) if draft.tier is not Tier.EPISODE]
    assert any(draft.type is NoteType.DECISION or draft.type is NoteType.SOLUTION for draft in drafts)
    assert all(2 not in draft.turns for draft in drafts), "a bare yes supports nothing by itself"


def test_the_episode_tells_topic_and_outcome() -> None:
    episode = next(draft for draft in distill(CACHE) if draft.tier is Tier.EPISODE)
    assert (episode.namespace, episode.type) == (Namespace.PROJECTS, NoteType.EVENT)
    assert episode.title.startswith("Session: ")
    assert len(episode.body.split()) >= 20


def test_a_session_that_grew_gives_only_what_is_new() -> None:
    grown = session_of(
        *((turn.role.value, turn.text) for turn in CACHE.turns),
        ("user", "don't cache prices for logged-in customers, they must always see the current one"),
        (
            "assistant",
            "Agreed. Logged-in requests now bypass the price cache, since their discounts differ per customer.",
        ),
    )
    drafts = distill(grown, frozenset({4, 5}))
    assert drafts
    assert all(set(draft.turns) & {4, 5} for draft in drafts)
    assert not any("keyed by product" in draft.body for draft in drafts)


def test_a_limit_of_the_user_is_a_preference() -> None:
    session = session_of(
        ("user", "do not touch the generated files, change the templates they come from"),
        ("assistant", "Understood, I will edit the templates."),
    )
    note = next(draft for draft in distill(session) if draft.tier is not Tier.EPISODE)
    assert note.type is NoteType.PREFERENCE
    assert note.turns == (0,)
    assert "generated files" in note.body


def test_a_choice_is_told_with_the_option_it_picks() -> None:
    session = session_of(
        ("user", "how should we ship the configuration?"),
        (
            "assistant",
            "There are three ways:\n\n1. Bake the file into the image\n2. Mount a volume at start\n3. Read it from the "
            "parameter store on every start\n\nWhich one do you prefer?",
        ),
        ("user", "3, but fall back to the baked file"),
        (
            "assistant",
            "Good. The service now reads the parameter store and falls back to the baked file when it is down.",
        ),
    )
    told = " ".join(draft.body for draft in distill(session))
    assert "Of 3 options the user chose: read it from the parameter store on every start, but" in told


def test_what_was_overturned_is_not_told_as_the_fix() -> None:
    session = session_of(
        ("user", "the upload fails for large files, why?"),
        ("assistant", "The fix is to raise the proxy limit to 500 MB. Changed the limit so that uploads pass."),
        ("user", "why don't we use the direct upload to the bucket instead?"),
        (
            "assistant",
            "You're right, the bucket accepts signed uploads, so the proxy never sees the file. I reverted the limit "
            "because it would only hide the problem.",
        ),
    )
    notes = [draft for draft in distill(session) if draft.tier is not Tier.EPISODE]
    assert any("signed uploads" in draft.body for draft in notes)


def test_a_plan_is_split_by_its_headings() -> None:
    plan = (
        "Implement the following plan:\n\n# Plan: Rotate the signing keys\n\n## Context\n\nThe keys are three "
        "years old "
        "and the auditor requires rotation every year, because one laptop with a copy was lost.\n\n## Key store\n\nThe "
        "new keys live in the vault under `kv/signing`, since the old file on disk could be read by every service.\n\n"
        "## Verification\n\n- Run all tests\n"
    )
    drafts = distill(session_of(("user", plan), ("assistant", "All done. Everything passes.")))
    titles = [draft.title for draft in drafts]
    assert any("vault" in draft.body and draft.turns == (0,) for draft in drafts)
    assert any(title == "Session: Rotate the signing keys" for title in titles)
    assert not any("Run all tests" in draft.body for draft in drafts)


def test_commands_with_comments_become_a_reference() -> None:
    session = session_of(
        ("user", "how do I clean up old builds?"),
        (
            "assistant",
            "There is a command for it.\n\n```bash\nforge prune          # list what would go\nforge prune --force  # "
            "delete it\n```",
        ),
    )
    note = next(draft for draft in distill(session) if draft.type is NoteType.COMMAND)
    assert note.namespace is Namespace.QUICK_REFERENCE
    assert note.body == "Commands: `forge prune` (list what would go); and `forge prune --force` (delete it)."


def test_nothing_worth_keeping_gives_nothing() -> None:
    session = session_of(("user", "hi"), ("assistant", "Hello! How can I help you today?"), ("user", "thanks, bye"))
    assert distill(session) == []
    assert distill(session_of()) == []


def test_done_reports_alone_give_no_notes() -> None:
    session = session_of(
        ("user", "fix the lint errors please"),
        ("assistant", "Let me run the linter.\n\nFixed. Lint is clean and all tests pass."),
        ("user", "push"),
        ("assistant", "Pushed to origin."),
    )
    assert [draft for draft in distill(session) if draft.tier is not Tier.EPISODE] == []
