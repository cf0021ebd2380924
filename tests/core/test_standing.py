"""What somebody said once and wants kept to ever after."""

from __future__ import annotations

import pytest

from seci.core.standing import states_standing


@pytest.mark.parametrize(
    "text",
    [
        "Always include version numbers when I ask about dependencies.",
        "I prefer tabs.",
        "ok, but I'd rather keep it small",
        "From now on run the linter first",
        "never commit generated files",
    ],
)
def test_standing(text: str) -> None:
    assert states_standing(text)


@pytest.mark.parametrize(
    "text", ["Don't do that here", "please use main", "I never finished it", "the preferred way", ""]
)
def test_of_the_moment(text: str) -> None:
    assert not states_standing(text)
