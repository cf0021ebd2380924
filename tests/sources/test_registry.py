"""Which source reads what: claims, folders, side files, other packages' sources, what is installed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from seci.core.ports import Claim
from seci.core.session import Failure, Role, Session, Turn
from seci.errors import AmbiguousSourceError, SourceError, UserError
from seci.sources import registry as module
from seci.sources.base import BaseSource
from seci.sources.registry import Registry, load_registry
from tests.sources.golden import ROOT


class Fixed(BaseSource):
    """Claims every file with a fixed claim."""

    def __init__(self, name: str, claim: Claim) -> None:
        self.name = name
        self._claim = claim

    def claim(self, bundle: Path) -> Claim:
        return self._claim if bundle.is_file() else Claim.NONE

    def read(self, bundle: Path) -> Iterator[Session | Failure]:
        yield Session(self.name, bundle.name, (Turn(0, Role.USER, "x"),))


class External(Fixed):
    def __init__(self) -> None:
        super().__init__("external", Claim.SPECIFIC)

    def discover(self, home: Path, environ: Mapping[str, str]) -> Iterator[Path]:
        yield home / "external.log"


def keys(registry: Registry, *paths: Path, forced: str | None = None) -> list[str]:
    return [item.key if isinstance(item, Session) else item.reason for item in registry.read(paths, forced)]


def test_the_highest_claim_wins(tmp_path: Path) -> None:
    registry = Registry([Fixed("a", Claim.GENERIC), Fixed("b", Claim.SPECIFIC), Fixed("c", Claim.LABELLED)])
    (tmp_path / "x").write_text("x")
    assert keys(registry, tmp_path / "x") == ["b:x"]


def test_a_tie_names_both_and_the_way_out(tmp_path: Path) -> None:
    registry = Registry([Fixed("a", Claim.SPECIFIC), Fixed("b", Claim.SPECIFIC)])
    path = tmp_path / "x"
    path.write_text("x")
    with pytest.raises(AmbiguousSourceError) as caught:
        registry.claimant(path)
    assert caught.value.claims == ("a", "b")
    assert keys(registry, path) == ["claimed by a and b: name one of them with --from, e.g. --from a"]
    assert keys(registry, path, forced="b") == ["b:x"]


def test_an_unknown_format_lists_the_known_ones() -> None:
    with pytest.raises(UserError, match=r"known are .*claude-code"):
        list(load_registry().read([], forced="clay tablets"))


def test_a_generic_claim_reads_what_was_named_and_nothing_on_a_walk(tmp_path: Path) -> None:
    (tmp_path / "memo.md").write_text("Only a memo.", encoding="utf-8")
    (tmp_path / "chat.md").write_text("User: hi\nAssistant: hello\n", encoding="utf-8")
    walked = [item for item in load_registry().read([tmp_path]) if isinstance(item, Session)]
    assert [len(session.turns) for session in walked] == [2]
    named = [item for item in load_registry().read([tmp_path / "memo.md"]) if isinstance(item, Session)]
    assert [session.turns[0].text for session in named] == ["Only a memo."]


def test_side_files_are_neither_read_nor_reported(tmp_path: Path) -> None:
    for name in ("ORIGIN.txt", "README.md", "sessions.json", "picture.png", "notes.bin"):
        (tmp_path / name).write_text("User: a\nAssistant: b\n", encoding="utf-8")
    assert keys(load_registry(), tmp_path) == []


def test_a_stray_json_file_on_a_walk_is_reported(tmp_path: Path) -> None:
    (tmp_path / "stray.json").write_text('{"a": 1}', encoding="utf-8")
    assert keys(load_registry(), tmp_path) == ["is JSON, or the beginning of it, of no known session format"]


def test_a_subagents_transcript_is_read_once_and_alone_when_named() -> None:
    folder = ROOT / "claude-code" / "subagents_hang_below"
    main = "claude-code:aaaa1111-0000-4000-8000-000000000006"
    agent = "claude-code:agent-a17c0ffee17c0ffe"
    assert keys(load_registry(), folder) == [main, agent]
    assert keys(load_registry(), next(folder.rglob("agent-*.jsonl"))) == [agent]


def test_every_case_can_be_forced_to_its_own_format(tmp_path: Path) -> None:
    case = ROOT / "codex" / "items.jsonl"
    assert keys(load_registry(), case, forced="codex") == keys(load_registry(), case)
    assert keys(load_registry(), ROOT / "codex", forced="aider") == []


def test_other_packages_offer_sources_by_entry_point(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = EntryPoint("external", f"{__name__}:External", "seci.sources")
    monkeypatch.setattr(EntryPoint, "load", lambda self: External)
    monkeypatch.setattr(module, "entry_points", lambda group: [entry] if group == "seci.sources" else [])
    registry = load_registry()
    path = tmp_path / "external.log"
    path.write_text("x", encoding="utf-8")
    assert keys(registry, path) == ["external:external.log"]
    assert ("external", (path,)) in [(found.source, found.bundles) for found in registry.discover_all(tmp_path, {})]


def test_an_entry_point_that_cannot_be_loaded_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = EntryPoint("broken", "no_such_module:Source", "seci.sources")
    monkeypatch.setattr(module, "entry_points", lambda group: [entry])
    with pytest.raises(SourceError, match="broken: entry point cannot be loaded"):
        load_registry()


def test_what_is_found_is_read_without_asking_for_claims(tmp_path: Path) -> None:
    (tmp_path / "external.log").write_text("x", encoding="utf-8")
    registry = Registry([Fixed("other", Claim.SPECIFIC), External()])
    found = registry.discover_all(tmp_path, {})
    assert [(d.source, len(d.bundles)) for d in found] == [("other", 0), ("external", 1)]
    assert [item.key for item in registry.read_found(found) if isinstance(item, Session)] == ["external:external.log"]
