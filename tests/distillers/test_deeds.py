"""What an answer reports as done: prose, lists, headings and announcements, told as whole sentences."""

from __future__ import annotations

import pytest

from seci.distillers.deed_blocks import read_deeds
from seci.distillers.deeds import Deed
from seci.distillers.language import load_cues
from seci.distillers.sentences import Casing


def deeds_of(text: str) -> list[Deed]:
    cues = load_cues()["en"]
    return read_deeds(text, 3, cues, Casing.of([text], cues.plain_words))


def told(text: str) -> list[str]:
    return [deed.text for deed in deeds_of(text)]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Done. I've added a lock to `purgeCache`.", "The change added a lock to `purgeCache`."),
        ("Now `purgeCache` waits for the lock.", "`purgeCache` waits for the lock."),
        (
            "Both hosts wrote at once, so I moved the counter into `leases.db`.",
            "Both hosts wrote at once, so the change moved the counter into `leases.db`.",
        ),
        ("The token is no longer printed by `dump`.", "The token is no longer printed by `dump`."),
        ("The fix is to take `leaseLock` before the read.", "The fix is to take `leaseLock` before the read."),
    ],
)
def test_a_sentence_that_reports_something_done(answer: str, expected: str) -> None:
    assert told(answer) == [expected]


@pytest.mark.parametrize(
    "answer",
    [
        "Let me add a lock to `purgeCache`.",
        "You could add a lock to `purgeCache`.",
        "All tests are now passing.",
        "The `grant()` command is now comprehensive and robust.",
        "I added the limit to `grant()` in a previous edit.",
        "I fixed the issue and added tests to verify the fix works correctly.",
        "If `purgeCache` now waits, nothing is lost.",
        "## Next steps\n\n- Added metrics to `purgeCache`",
        "**Before:**\n\n- `purgeCache` now and then dropped an entry",
    ],
)
def test_what_is_planned_possible_or_empty_is_no_report(answer: str) -> None:
    assert told(answer) == []


def test_how_things_are_before_the_fix_is_the_fault() -> None:
    answer = "A slow peer now outlives the lease of `grant()`. The fix is to renew the lease in `dial()`."
    assert told(answer) == ["The fix is to renew the lease in `dial()`."]


def test_the_items_of_a_summary_are_reports_each() -> None:
    answer = (
        "**Summary of changes:**\n\n"
        "1. **Extracted `buildLease()`** - A new function that fills the lease from the request, without a lock\n"
        "2. **Updated `grant()`** - Now calls `buildLease()` after the quota check\n"
        "3. `lease_store.py` - Renamed `Row` → `LeaseRow`\n"
        "4. Capped the wait by setting:\n"
        "   - `lockTimeout: 2s` - for the file lock\n"
        "   - `dialTimeout: 1s` - for the peer\n"
    )
    assert told(answer) == [
        "The change extracted `buildLease()`, a new function that fills the lease from the request.",
        "`grant()` now calls `buildLease()` after the quota check.",
        "The change renamed `Row` to `LeaseRow`.",
    ]


def test_a_bold_item_keeps_what_was_done_to_which_thing() -> None:
    answer = "What I did:\n\n1. **Added a comment on speed** to `read_leases()` in `berths.py`\n2. **Sort**: `sort`"
    assert told(answer) == ["The change added a comment on speed to `read_leases()` in `berths.py`."]


def test_short_items_are_told_with_what_announces_them() -> None:
    answer = (
        "Fixed the slow exit by setting:\n\n- `lockTimeout: 2s`\n- `dialTimeout: 1s`\n\n"
        "I added:\n\n- a retry to `dial()`\n- a log line"
    )
    assert "The change added a retry to `dial()`; and a log line." in told(answer)


def test_a_list_under_now_tells_how_things_are() -> None:
    answer = "Done. Now:\n\n- `LeaseRow` holds only the id and the holder\n- The token never leaves the host\n"
    assert told(answer)[0] == "`LeaseRow` holds only the id and the holder."


def test_what_will_be_shown_is_told_with_the_text_on_the_screen() -> None:
    answer = "The greeting will now show:\n\n```\nWelcome back.\nYou have one lease.\n```\n"
    assert told(answer) == ['The greeting will now show: "Welcome back. You have one lease".']


def test_tests_and_comments_are_beside_a_change_unless_they_only_follow_its_place() -> None:
    beside = {
        deed.text: deed.beside for deed in deeds_of("Added a test for `grant()`. Added `grant()` to the test host.")
    }
    assert beside == {
        "The change added a test for `grant()`.": True,
        "The change added `grant()` to the test host.": False,
    }
