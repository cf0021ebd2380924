"""Mutated sessions of every source: no crash, no hang, and whatever comes out is well formed.

The mutations are those that real files suffer and those that a later version brings: cut, reordered, repeated and
damaged lines, unknown types, values of the wrong type, deep nesting. `SECI_FUZZ_EXAMPLES` sets how many a source gets.
"""

from __future__ import annotations

import json
import os
import random
import sqlite3
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from seci.core.session import Failure, Session
from seci.sources.registry import Registry, load_registry
from tests.contracts.test_source_contract import assert_well_formed
from tests.sources.golden import cases, stage

EXAMPLES = int(os.environ.get("SECI_FUZZ_EXAMPLES", "60"))
REGISTRY = load_registry()
CASES = {name: [case for case in cases() if case.parent.name == name] for name in REGISTRY.names}

WRONG: list[Any] = [
    None, True, -1, 0, 3.5, 1e308, 10**30, "", " ", "text", "2026-13-45T99:99:99Z", "\ud800", "\0",
    [], {}, [[]], [None],
    {"type": "text", "text": 7}, [{"type": "text"}, "plain", 5],
    {"a": {"b": {"c": []}}}, "x" * 5000, "user", "assistant",
]  # fmt: skip


def nested(depth: int) -> Any:
    value: Any = "deep"
    for _ in range(depth):
        value = [value] if depth % 2 else {"content": value}
    return value


def mutate_value(value: Any, rng: random.Random, depth: int = 0) -> Any:
    """The value with something in it replaced, removed, repeated or nested."""
    if isinstance(value, dict) and value and depth < 8 and rng.random() < 0.9:
        key = rng.choice(list(value))
        fate = rng.random()
        if fate < 0.1:
            return {k: v for k, v in value.items() if k != key}
        if fate < 0.15:
            return value | {f"{key}_v2": value[key]}
        return value | {key: mutate_value(value[key], rng, depth + 1)}
    if isinstance(value, list) and value and depth < 8 and rng.random() < 0.9:
        index = rng.randrange(len(value))
        fate = rng.random()
        if fate < 0.1:
            return value[:index]
        if fate < 0.2:
            return value + value[index : index + 1]
        if fate < 0.3:
            return rng.sample(value, len(value))
        return [*value[:index], mutate_value(value[index], rng, depth + 1), *value[index + 1 :]]
    return nested(rng.choice([3, 40, 900])) if rng.random() < 0.1 else rng.choice(WRONG)


def mutate_json(text: str, rng: random.Random) -> str:
    try:
        value = json.loads(text)
    except ValueError:
        return text
    for _ in range(rng.randint(1, 4)):
        value = mutate_value(value, rng)
    return json.dumps(value)


def mutate_lines(content: bytes, rng: random.Random) -> bytes:
    lines = content.split(b"\n")
    for _ in range(rng.randint(1, 4)):
        if not lines:
            break
        index = rng.randrange(len(lines))
        fate = rng.randrange(6)
        if fate == 0:
            rng.shuffle(lines)
        elif fate == 1:
            del lines[index]
        elif fate == 2:
            lines.insert(rng.randrange(len(lines)), lines[index])
        elif fate == 3:
            lines[index] = lines[index][: rng.randint(0, len(lines[index]))]
        else:
            lines[index] = mutate_json(lines[index].decode("utf-8", "replace"), rng).encode("utf-8", "replace")
    return b"\n".join(lines)


def mutate_bytes(content: bytes, rng: random.Random) -> bytes:
    damaged = bytearray(content)
    for _ in range(rng.randint(1, 12)):
        if damaged:
            damaged[rng.randrange(len(damaged))] = rng.randrange(256)
    return bytes(damaged[: rng.randint(0, len(damaged))] if rng.random() < 0.4 else damaged)


def mutate_document(content: bytes, rng: random.Random) -> bytes:
    return mutate_json(content.decode("utf-8", "replace"), rng).encode("utf-8", "replace")


def mutate_database(path: Path, rng: random.Random) -> None:
    """Cells of the wrong type or with mutated JSON, lost columns and tables."""
    with sqlite3.connect(path) as database:
        tables = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        tables = [table for table in tables if not table.startswith("sqlite_")]
        for _ in range(rng.randint(1, 5)):
            table = rng.choice(tables)
            columns = [row[1] for row in database.execute(f'PRAGMA table_info("{table}")')]
            column = rng.choice(columns)
            rows = database.execute(f'SELECT rowid, "{column}" FROM "{table}"').fetchall()
            if rows and rng.random() < 0.9:
                rowid, value = rng.choice(rows)
                told = mutate_json(value, rng) if isinstance(value, str) and rng.random() < 0.7 else None
                new = told if told is not None else rng.choice([None, 5, 2**62, b"\xff\xfe", "odd", "", "{", "[]"])
                try:
                    database.execute(f'UPDATE "{table}" SET "{column}" = ? WHERE rowid = ?', (new, rowid))
                except (sqlite3.IntegrityError, UnicodeEncodeError):
                    continue
            elif rng.random() < 0.5:
                database.execute(f'ALTER TABLE "{table}" RENAME COLUMN "{column}" TO "{column}_v2"')
    database.close()


MUTATIONS: list[Callable[[bytes, random.Random], bytes]] = [mutate_lines, mutate_lines, mutate_document, mutate_bytes]


@pytest.mark.parametrize("name", REGISTRY.names)
def test_mutated_sessions(name: str) -> None:
    @settings(
        max_examples=EXAMPLES,
        deadline=20_000,
        database=None,
        derandomize="SECI_FUZZ_EXAMPLES" not in os.environ,
        suppress_health_check=list(HealthCheck),
    )
    @given(case=st.sampled_from(CASES[name]), seed=st.integers(0, 2**32))
    def check(case: Path, seed: int) -> None:
        rng = random.Random(seed)
        with tempfile.TemporaryDirectory() as folder:
            path = stage(case, Path(folder))
            bundle = mutate_case(path, case, rng)
            for item in read_forced(name, path, bundle):
                assert isinstance(item, (Session, Failure))
                if isinstance(item, Session):
                    assert_well_formed(item, name)
            list(REGISTRY.read([path]))

    check()


def mutate_case(path: Path, case: Path, rng: random.Random) -> Path:
    """Damages one file of a staged case and returns it."""
    if case.suffix == ".sql" and rng.random() < 0.8:
        mutate_database(path, rng)
        return path
    files = [file for file in sorted(path.rglob("*")) if file.is_file()] if path.is_dir() else [path]
    file = rng.choice(files)
    file.write_bytes(rng.choice(MUTATIONS)(file.read_bytes(), rng))
    return file


def read_forced(name: str, path: Path, damaged: Path) -> list[Session | Failure]:
    """Reads with the one source, whoever would claim the damaged case."""
    source = REGISTRY.source(name)
    bundles = {found[1] for found in Registry([source]).bundles(path) if not isinstance(found, Failure)}
    return [item for bundle in sorted(bundles | {damaged}) for item in source.read(bundle)]
