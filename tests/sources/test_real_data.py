"""Real sessions and samples of every tool, read in place; nothing of them is copied here."""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from pathlib import Path

import pytest

from seci.core.session import Failure, Session
from seci.sources.beam import parse_beam
from seci.sources.claude_code import ClaudeCodeSource
from seci.sources.locomo import parse_locomo
from seci.sources.longmemeval import parse_longmemeval
from seci.sources.registry import load_registry

DATA = Path(os.environ.get("SECI_DATA") or Path(__file__).parents[3] / "shared" / "data")
GOLD = sorted((DATA / "gold").glob("*.json"))
TRANSCRIPTS = sorted((DATA / "transcripts").glob("*/*.jsonl"))

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason=f"no data at {DATA}; SECI_DATA names another place")

SAMPLES = {  # sessions that the samples of each tool hold
    "aider": 1, "chatgpt": 1, "claude-ai": 1, "claude-code": 6, "cline": 2, "codex": 2, "continue": 1,
    "copilot-cli": 1, "cursor": 2, "gemini-cli": 1, "goose": 1, "locomo": 1, "longmemeval": 1, "opencode": 2,
    "slack": 2, "text": 3, "vscode-chat": 1,
}  # fmt: skip


@pytest.mark.parametrize("gold", GOLD, ids=lambda path: path.stem)
def test_turns_are_numbered_as_the_readers_numbered_them(gold: Path) -> None:
    labels = json.loads(gold.read_text(encoding="utf-8"))["turns"]
    transcript = DATA / "transcripts" / "claude-code" / f"{gold.stem}.jsonl"
    (session,) = [item for item in ClaudeCodeSource().read(transcript) if isinstance(item, Session)]
    read = [
        (turn.index, turn.role.value, turn.at.isoformat(timespec="milliseconds").replace("+00:00", "Z"))
        for turn in session.turns
        if turn.at
    ]
    assert read == [(label["index"], label["role"], label["at"]) for label in labels]
    for turn, label in zip(session.turns, labels, strict=True):
        assert turn.text.startswith(label["head"].strip())


@pytest.mark.parametrize("transcript", TRANSCRIPTS, ids=lambda path: path.stem)
def test_a_real_transcript_is_one_session_without_failures(transcript: Path) -> None:
    items = list(load_registry().read([transcript]))
    assert [type(item) for item in items] == [Session]
    assert items[0].turns


def test_files_that_share_a_session_id_are_one_session() -> None:
    keys = Counter(
        item.key for item in load_registry().read(TRANSCRIPTS) if isinstance(item, Session) and not item.parent
    )
    assert max(keys.values(), default=0) <= 2
    assert all(key.startswith("claude-code:") and len(key) == len("claude-code:") + 36 for key in keys)


@pytest.mark.skipif(not (DATA / "formats").is_dir(), reason="no samples")
def test_samples_of_every_tool_are_read() -> None:
    items = list(load_registry().read([DATA / "formats"]))
    assert Counter(item.source for item in items if isinstance(item, Session)) == SAMPLES
    wrong = [item for item in items if isinstance(item, Failure) and "hook-stdin" not in item.path]
    assert wrong == []


@pytest.mark.skipif(not (DATA / "formats").is_dir(), reason="no samples")
def test_no_sample_brings_in_injected_context() -> None:
    injected = ("SECI-CONTEXT", "<session_context>", "<environment_", "<system", "<hook_", "<user_input", "<task>")
    for item in load_registry().read([DATA / "formats"]):
        if isinstance(item, Session):
            assert not [turn.text for turn in item.turns for mark in injected if mark in turn.text]


def test_twenty_megabytes_take_a_few_seconds_of_processor_time() -> None:
    start = time.process_time()
    for transcript in TRANSCRIPTS:
        for _ in ClaudeCodeSource().read(transcript):
            pass
    assert time.process_time() - start < 4


@pytest.mark.skipif(not (DATA / "longmemeval" / "mini").is_dir(), reason="no LongMemEval")
def test_longmemeval_evidence_is_in_its_haystack() -> None:
    haystacks = list(parse_longmemeval(DATA / "longmemeval" / "mini" / "oracle_questions.json"))
    assert len(haystacks) == 18
    for haystack in haystacks:
        assert not isinstance(haystack, Failure)
        turns = {turn.message_id for session in haystack.sessions for turn in session.turns}
        (question,) = haystack.questions
        assert set(question.evidence_messages) <= turns
        assert set(question.evidence_sessions) <= {session.id for session in haystack.sessions}
        assert all(turn.at for session in haystack.sessions for turn in session.turns)


@pytest.mark.skipif(not (DATA / "locomo").is_dir(), reason="no LoCoMo")
def test_locomo_conversations_and_their_questions() -> None:
    haystacks = [h for h in parse_locomo(DATA / "locomo" / "locomo_dev.json") if not isinstance(h, Failure)]
    assert [h.id for h in haystacks] == ["conv-26", "conv-30", "conv-42", "conv-44", "conv-48"]
    assert {q.type for h in haystacks for q in h.questions} == {
        "multi-hop", "temporal", "open-domain", "single-hop", "adversarial",
    }  # fmt: skip
    lost = [
        turn
        for h in haystacks
        for q in h.questions
        for turn in q.evidence_messages
        if turn not in {t.message_id for s in h.sessions for t in s.turns}
    ]
    assert len(lost) <= 1  # the file itself cites one turn that it does not have


@pytest.mark.skipif(not (DATA / "beam").is_dir(), reason="no BEAM")
@pytest.mark.parametrize(("name", "count"), [("beam_100K_dev.jsonl", 10), ("beam_500K_dev.jsonl", 3)])
def test_beam_conversations_and_their_questions(name: str, count: int) -> None:
    haystacks = [h for h in parse_beam(DATA / "beam" / name) if not isinstance(h, Failure)]
    assert len(haystacks) == count
    for haystack in haystacks:
        turns = {turn.message_id for session in haystack.sessions for turn in session.turns}
        for question in haystack.questions:
            assert set(question.evidence_messages) <= turns
            assert question.abstain == (question.type == "abstention")
