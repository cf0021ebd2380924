"""Where real benchmark data may lie: `SECI_DATA`, else beside the checkout. Tests that need it skip without it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY

PLACE = Path(os.environ.get("SECI_DATA") or REPOSITORY.parent / "shared" / "data")


def real(name: str) -> Path:
    """A file or folder of the data, or a skip that names it."""
    path = PLACE / name
    if not path.exists():
        pytest.skip(f"{path} is not there (SECI_DATA names the folder)")
    return path
