"""The journal survives, or says why it cannot be read."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from seci.core.ports import JournalEntry, PlannedFile
from seci.errors import VaultError
from seci.state.journal import FileJournal

ENTRY = JournalEntry("Distill: ü\n", (PlannedFile("brain/日.md", None, "ab"), PlannedFile("voice/b.md", "cd", None)))


def test_what_was_begun_is_read_back_until_it_ends(tmp_path: Path) -> None:
    journal = FileJournal(tmp_path)
    assert journal.read() is None
    for entry in (ENTRY, replace(ENTRY, head="ab12")):
        journal.begin(entry)
        assert FileJournal(tmp_path).read() == entry
    journal.end()
    journal.end()
    assert FileJournal(tmp_path).read() is None


@pytest.mark.parametrize("content", ["", "{", "[]", '{"version": 1}', '{"version": 1, "message": "m", "files": [1]}'])
def test_a_damaged_journal_is_named(tmp_path: Path, content: str) -> None:
    journal = FileJournal(tmp_path)
    journal.begin(ENTRY)
    journal.path.write_text(content)
    with pytest.raises(VaultError, match="cannot be read") as caught:
        journal.read()
    assert caught.value.subject == str(journal.path)


def test_a_journal_of_another_version_is_not_guessed_at(tmp_path: Path) -> None:
    journal = FileJournal(tmp_path)
    journal.begin(ENTRY)
    journal.path.write_text('{"version": 2}')
    with pytest.raises(VaultError, match="another version"):
        journal.read()
