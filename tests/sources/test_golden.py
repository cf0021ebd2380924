"""Every golden case reads as it was reviewed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from seci.sources.registry import load_registry
from tests.sources.golden import ROOT, cases, expected_file, read_case


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.relative_to(ROOT).as_posix())
def test_case_reads_as_reviewed(case: Path) -> None:
    assert read_case(case) == json.loads(expected_file(case).read_text(encoding="utf-8"))


def test_every_source_has_a_case_that_it_reads() -> None:
    told = {json.dumps(json.loads(expected_file(case).read_text(encoding="utf-8"))["sessions"]) for case in cases()}
    read = {name for name in load_registry().names if any(f'"key": "{name}:' in text for text in told)}
    assert read == set(load_registry().names)


def test_no_expected_file_has_lost_its_case() -> None:
    assert {expected_file(case) for case in cases()} == set(ROOT.glob("*/*.expected.json"))
