"""What a note is about is named in it: by the sentence before, by the question, or by the title."""

from __future__ import annotations

import pytest

from seci.core.note import Draft, Tier
from seci.distillers.passages import shows_claim
from seci.distillers.subjects import is_unnamed
from seci.distillers.titles import lead_with_claim
from tests.distillers.sessions import distill, session_of


def notes(*turns: tuple[str, str]) -> list[Draft]:
    return [draft for draft in distill(session_of(*turns)) if draft.tier is not Tier.EPISODE]


def test_a_sentence_over_a_piece_of_code_comes_with_the_one_that_needs_it() -> None:
    answer = (
        "The slow suites have `//go:build slow` at the top:\n\n```go\n//go:build slow\n```\n\n"
        "So when running `go test ./...` or `make test` on any machine at all, Go skips those files entirely because "
        "they're not even compiled.\n\nThe original commit was already broken because the refactoring removed "
        "`cache.Reset()` but didn't update the suites that used it."
    )
    found = notes(("user", "How did this not fail tests?"), ("assistant", answer))
    assert len(found) == 1
    assert found[0].body.startswith("The slow suites have `//go:build slow` at the top. When running `go test ./...`")
    assert not found[0].title.startswith("The slow suites")  # which only introduces the code


def test_a_question_stands_before_an_answer_that_does_not_name_its_subject() -> None:
    answer = (
        "## Could You Remove It?\n\nYou could safely remove the lock for the current implementation because:\n"
        "- all writes happen before `main()` starts\n- no concurrent writes ever occur\n\n"
        "But I'd recommend keeping it because:\n- the cost is negligible\n"
        "- it prevents bugs when the loader becomes dynamic\n"
    )
    found = notes(("user", "can you explain me why we need poolMu.Lock() in the loader?"), ("assistant", answer))
    assert [note.title for note in found] == ["Keeping `poolMu.Lock()` was recommended because the cost is negligible"]
    assert found[0].body.startswith("The user asked why we need poolMu.Lock() in the loader. You could safely")


def test_an_answer_that_names_its_subject_goes_without_the_question() -> None:
    answer = (
        "`poolMu` must never be removed because `Load()` writes to the map while `Find()` reads it from another "
        "goroutine, which makes the race detector fail."
    )
    found = notes(("user", "can you explain me why we need poolMu.Lock() in the loader?"), ("assistant", answer))
    assert found
    assert not any("The user asked" in note.body for note in found)


def test_the_better_of_two_things_is_named_with_the_other() -> None:
    answer = (
        "## Prebuilt Images vs Build on Deploy\n\nPrebuilt images make more sense because:\n- the deploy never depends "
        "on the package mirror, which is down every other night in some of the "
        "regions\n- the release ships exactly what was tested in the pipeline\n- the machines need no "
        "compiler\n"
    )
    found = notes(("user", "what should we do about the images?"), ("assistant", answer))
    assert [note.title for note in found] == ["Prebuilt Images vs Build on Deploy: prebuilt images make more sense"]


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        ("The suites have `//go:build slow` at the top:", True),
        ("In `push.go`, the command should include `-u` to set the upstream:", True),
        ("The message in `push.go` now shows:", False),
        ("You can profile `push.go` with the flag:", False),
        ("This line of `push.go` does it:", False),
        ("The suites have a build tag at the top:", False),
        ("The suites have `//go:build slow` at the top.", False),
    ],
)
def test_what_claims_something_without_the_code_below_it(sentence: str, claims: bool) -> None:
    assert shows_claim(sentence) is claims


@pytest.mark.parametrize(
    ("sentence", "unnamed"),
    [
        ("You could safely remove the mutex for now because no writes occur.", True),
        ("The tests are failing because of assertions.", True),
        ("When running `go test`, Go skips those files entirely.", True),
        ("The `Load()` function reads the map.", False),
        ("`Load()` reads the map that the user passed.", False),
        ("The user asked for a shorter list.", False),
        ("Old files stay, and those files are never read.", False),
    ],
)
def test_what_has_an_article_and_no_name(sentence: str, unnamed: bool) -> None:
    assert is_unnamed(sentence) is unnamed


@pytest.mark.parametrize(
    ("title", "led"),
    [
        ("Since there are no users, we should use a hash instead of `user_id`", "Use a hash instead of `user_id`"),
        ("Since it is best-effort, a no-op is fine on Windows", "A no-op is fine on Windows since it is best-effort"),
        ("If `a, b` exists, the resume works offline", "The resume works offline if `a, b` exists"),
        ("When the file is empty, it returns the default", "When the file is empty, it returns the default"),
        ("The resume works offline if the branch exists", "The resume works offline if the branch exists"),
    ],
)
def test_a_title_begins_with_its_main_clause(title: str, led: str) -> None:
    assert lead_with_claim(title) == led
