"""What must be found, and what must be left alone."""

from __future__ import annotations

import pytest

from seci.redaction import SecretRedactor
from tests.redaction.corpus import Planted, look_alikes, planted

REDACTOR = SecretRedactor()
SEEDS = (7, 8, 9)


@pytest.mark.parametrize("case", planted(), ids=lambda case: case.name.replace(" ", "-"))
def test_no_planted_secret_survives(case: Planted) -> None:
    out = REDACTOR.redact(case.text)
    assert not [piece for piece in case.pieces if piece in out.text]
    assert sum(out.counts.values()) >= 1
    assert "[redacted:" in out.text


@pytest.mark.parametrize("case", planted(), ids=lambda case: case.name.replace(" ", "-"))
def test_what_stands_around_a_secret_is_kept(case: Planted) -> None:
    assert case.keeps in REDACTOR.redact(case.text).text


@pytest.mark.parametrize("seed", SEEDS)
def test_finding_does_not_hang_on_the_random_characters(seed: int) -> None:
    missed = [c.name for c in planted(seed) if any(p in REDACTOR.redact(c.text).text for p in c.pieces)]
    assert missed == []


@pytest.mark.parametrize("text", look_alikes(), ids=lambda text: text[:40])
def test_look_alikes_stay(text: str) -> None:
    assert REDACTOR.redact(text).text == text


def test_the_corpus_is_as_large_as_it_should_be() -> None:
    kinds = {kind for case in planted() for kind in REDACTOR.redact(case.text).counts}
    assert len(planted()) >= 60
    assert len(look_alikes()) >= 60
    assert len(kinds) >= 25


def test_all_secrets_of_one_text_are_found_together() -> None:
    cases = [case for case in planted() if case.name != "pem cut off"]
    out = REDACTOR.redact("\n\nNext:\n".join(case.text for case in cases)).text
    assert [case.name for case in cases if any(piece in out for piece in case.pieces)] == []


def test_look_alikes_of_one_text_stay_together() -> None:
    text = "\n\nNext:\n".join(look_alikes())
    assert REDACTOR.redact(text).text == text
