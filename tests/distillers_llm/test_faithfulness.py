"""Of corrupted notes at least 95 in 100 are dropped, of good ones at most 3."""

from __future__ import annotations

import json
import os
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from seci.core.note import Draft, Namespace, NoteType, Tier
from seci.core.session import Role, Session, Turn
from seci.distillers.faithfulness import Capitals, FaithfulnessCheck
from tests.distillers_llm.scripted import session
from tests.distillers_llm.support_cases import corrupted, good

DATA = Path(os.environ.get("SECI_DATA", Path(__file__).parents[3] / "shared" / "data"))


def test_good_notes_are_believed() -> None:
    objections = [(d.title, FaithfulnessCheck.of(s).objection(d)) for s, d in good()]
    assert [pair for pair in objections if pair[1]] == []


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_at_least_95_in_100_corrupted_notes_are_dropped(seed: int) -> None:
    cases = list(corrupted(good(), seed))
    kept = [(kind, d.title, d.body, d.turns) for kind, s, d in cases if not FaithfulnessCheck.of(s).objection(d)]
    assert {kind for kind, _, _ in cases} == {"figure", "name", "turns"}
    assert len(cases) >= 60
    assert len(kept) <= 0.05 * len(cases), kept


def test_a_turn_that_does_not_exist_and_no_turn_at_all() -> None:
    talk, draft = good()[0]
    check = FaithfulnessCheck.of(talk)
    for turns in ((), (0, 99)):
        objection = check.objection(replace(draft, turns=turns))
        assert objection is not None
        assert objection.kind == "turns"


def draft_of(body: str, *turns: int, title: str = "") -> Draft:
    return Draft(title or body, body, Namespace.DOCS, Tier.MEMORY, NoteType.FACT, turns)


@pytest.mark.parametrize(
    "body",
    [
        "The limit is 1,000 requests an hour.",
        "The limit is 1000 requests an hour.",
        "There are three regions: the limit holds in each of the 3 regions.",
        "On 2026-01-21 the limit was raised to 1000 requests.",
    ],
)
def test_figures_are_the_same_in_every_writing(body: str) -> None:
    talk = session("What is the limit?", "The limit is 1,000 requests an hour, in all three regions; it was raised.")
    assert FaithfulnessCheck.of(talk).objection(draft_of(body, 0, 1)) is None


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("The limit is 900 requests an hour.", "figure"),
        ("The limit is 1000 requests an hour in four regions.", "figure"),
        ("On 2026-02-21 the limit of 1000 requests an hour was raised.", "date"),
        ("The limit is 1000 requests an hour, says Ramona.", "name"),
        ("The limit is 1000 requests an hour, set by `rate_limit_max`.", "name"),
        ("Ansible sets the limit to 1000 requests an hour.", "name"),
        ("Standing penguins sleep on cold ice while their chicks whistle.", "words"),
    ],
)
def test_what_nobody_said_is_named(body: str, kind: str) -> None:
    talk = session("What is the limit?", "The limit is 1,000 requests an hour, in all three regions; it was raised.")
    objection = FaithfulnessCheck.of(talk).objection(draft_of(body, 0, 1, title="The limit of requests"))
    assert objection is not None
    assert objection.kind in (kind, "words")


def test_an_answer_may_name_what_its_question_named() -> None:
    talk = session("Does Meilisearch fit 2 million products?", "Yes, it does, on the small machine.")
    note = draft_of("Meilisearch fits 2 million products on the small machine.", 1)
    assert FaithfulnessCheck.of(talk).objection(note) is None


def test_capitals_of_german_nouns_are_no_names() -> None:
    text = (
        "Wir legen die Rechnungen ab jetzt im Ordner Ablage ab, weil die Suche dort die Dateien findet. Der Ordner "
        "wird jede Nacht auf den Server im Keller gesichert."
    )
    talk = Session("test", "s", (Turn(0, Role.USER, text), Turn(1, Role.ASSISTANT, "Gut, das merke ich mir.")))
    assert not Capitals.of(text).mark_names
    note = draft_of("Rechnungen liegen im Ordner Ablage, damit die Suche die Dateien findet; die Sicherung auf den "
                    "Server im Keller läuft nachts.", 0)  # fmt: skip
    assert FaithfulnessCheck.of(talk).objection(note) is None


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("Session 2 commits while session 1 waits, with RETRY_LIMIT=5 set.", None),
        ("Session 3 commits while session 1 waits, with RETRY_LIMIT=5 set.", "figure"),
        ("Session 2 commits while session 1 waits, with RETRY_LIMIT=8 set.", "figure"),
    ],
)
def test_numbered_things_and_settings_keep_their_numbers(body: str, kind: str | None) -> None:
    talk = session(
        "What happens when session 1 and session 2 share a branch?",
        "Session 1 waits with RETRY_LIMIT=5 set, 3 attempts a minute; session 2 commits in 8 seconds.",
    )
    objection = FaithfulnessCheck.of(talk).objection(draft_of(body, 0, 1))
    assert (objection.kind if objection else None) == kind


def test_a_count_of_what_follows_is_no_figure() -> None:
    talk = session("What did you try?", "I tried a lock on the table, a retry of the write and a longer timeout.")
    note = draft_of("Three remedies were tried: a lock on the table, a retry of the write, a longer timeout.", 0, 1)
    assert FaithfulnessCheck.of(talk).objection(note) is None


def test_a_word_after_a_quotation_opens_a_sentence() -> None:
    talk = session("¿Dónde guardamos los informes?", "En la carpeta de informes, porque el banco la lee cada noche.")
    note = draft_of("Decisión: «En la carpeta de informes». Explicación: el banco la lee cada noche.", 0, 1)
    assert FaithfulnessCheck.of(talk).objection(note) is None


def test_figures_are_held_to_their_place_in_chinese_too() -> None:
    talk = session("超时怎么设置?", "网关的超时限制是 30 秒, 每批写入 2000 条记录, 失败后重试 4 次。")
    check = FaithfulnessCheck.of(talk)
    assert check.objection(draft_of("网关的超时限制是 30 秒, 每批写入 2000 条记录。", 0, 1)) is None
    wrong = check.objection(draft_of("网关的超时限制是 70 秒, 每批写入 2000 条记录。", 0, 1))
    assert wrong is not None and wrong.kind == "figure"


def test_chinese_is_compared_by_pairs_of_characters() -> None:
    talk = session("发票放在哪里?", "发票放在档案文件夹里, 每天晚上备份到服务器。", "天气怎么样?", "今天下雨, 明天晴。")
    assert FaithfulnessCheck.of(talk).objection(draft_of("发票在档案文件夹, 每晚备份到服务器。", 0, 1)) is None
    wrong = FaithfulnessCheck.of(talk).objection(draft_of("发票在档案文件夹, 每晚备份到服务器。", 2, 3))
    assert wrong is not None


@pytest.mark.skipif(not (DATA / "gold").is_dir(), reason=f"no data at {DATA}")
def test_the_notes_of_careful_readers_are_believed_and_their_corruptions_are_not() -> None:
    pairs = list(_gold())
    checks = {key: FaithfulnessCheck.of(talk) for key, talk in {s.key: s for s, _ in pairs}.items()}
    lost = [(d.title, o) for s, d in pairs if (o := checks[s.key].objection(d))]
    assert len(lost) <= 0.025 * len(pairs), lost
    results = Counter(
        (kind, checks[s.key].objection(d) is not None) for seed in range(1, 6) for kind, s, d in corrupted(pairs, seed)
    )
    caught = sum(n for (_, dropped), n in results.items() if dropped)
    assert caught >= 0.96 * sum(results.values()), results


def _gold() -> list[tuple[Session, Draft]]:
    from seci.sources.registry import load_registry

    registry = load_registry()
    pairs = []
    for path in sorted((DATA / "gold").glob("*.json")):
        transcript = DATA / "transcripts" / "claude-code" / f"{path.stem}.jsonl"
        read = [item for item in registry.read([transcript], None) if isinstance(item, Session)]
        talk = max(read, key=lambda item: len(item.turns))
        for row in json.loads(path.read_text())["notes"]:
            kinds = Namespace(row["namespace"]), Tier(row["tier"]), NoteType(row["type"])
            pairs.append((talk, Draft(row["title"], row["body"], *kinds, tuple(row["turns"]))))
    return pairs
