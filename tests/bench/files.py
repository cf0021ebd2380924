"""Small benchmark files in the layouts that their authors publish, with sessions of our own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def write_locomo(folder: Path, name: str = "locomo.json") -> Path:
    """Two conversations; of their questions one is adversarial, one cites a turn that is not there."""
    boats = {
        "speaker_a": "Ann",
        "speaker_b": "Bob",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": said("Ann: I bought a wooden rowing boat.", "Bob: Does it leak?", prefix="D1"),
        "session_2_date_time": "9:05 am on 1 June, 2023",
        "session_2": said("Bob: My sister adopted a parrot called Kiwi.", "Ann: How loud is Kiwi?", prefix="D2"),
        "session_3_date_time": "7:00 pm on 3 July, 2023",
        "session_3": said("Ann: The marathon in Graz went well.", "Bob: Congratulations!", prefix="D3"),
    }
    bread = {
        "speaker_a": "Cleo",
        "speaker_b": "Dan",
        "session_1_date_time": "8:00 am on 2 May, 2023",
        "session_1": said("Cleo: My sourdough starter died.", "Dan: Feed it rye flour next time.", prefix="D1"),
        "session_2_date_time": "8:00 am on 9 May, 2023",
        "session_2": said("Dan: I repaired the telescope mirror.", "Cleo: Can we see Saturn now?", prefix="D2"),
    }
    questions = [
        asked("What kind of boat did Ann buy?", ["D1:1"], 4),
        asked("What is the parrot called, and who ran a marathon?", ["D2:1; D3:1"], 1),
        asked("What did Bob name his horse?", ["D2:1"], 5),
        asked("What colour is the car?", ["D9:1"], 4),
    ]
    content = [
        {"sample_id": "conv-1", "conversation": boats, "qa": questions},
        {"sample_id": "conv-2", "conversation": bread, "qa": [asked("Which flour helps a starter?", ["D1:2"], 4)]},
    ]
    return write(folder / name, content)


def write_longmemeval(folder: Path) -> Path:
    """Three questions; the first two share a haystack, the last has none that answers."""
    garden = haystack(
        ("s-tomato", "2023/05/20 (Sat) 02:21", "My tomatoes have yellow leaves.", "Give them magnesium."),
        ("s-train", "2023/05/21 (Sun) 10:00", "The night train to Vienna was cancelled.", "Take the bus from Linz."),
        ("s-guitar", "2023/05/22 (Mon) 11:00", "My guitar string broke.", "Buy a set of twelve gauge strings."),
    )
    other = haystack(("s-chess", "2023/06/01 (Thu) 09:00", "I lost at chess again.", "Study rook endings."))
    asked = {"question_date": "2023/06/10 (Sat) 12:00", "question_type": "single-session-user", "answer": "x"}
    content = [
        {"question_id": "q1", "question": "Why were the leaves of my tomatoes yellow?", **asked, **garden}
        | {"answer_session_ids": ["s-tomato"]},
        {"question_id": "q2", "question": "Which train was cancelled?", **asked, **garden}
        | {"answer_session_ids": ["s-train"]},
        {"question_id": "q3_abs", "question": "Which opening do I play?", **asked, **other}
        | {"answer_session_ids": ["s-chess"]},
    ]
    return write(folder / "longmemeval.json", content)


def write_beam(folder: Path) -> Path:
    """One conversation of two batches, with an abstention question that names no message."""
    texts = [
        ("user", 1, "Please use tabs in my Flask project, never spaces."),
        ("assistant", 1, "I will indent with tabs from now on."),
        ("user", 1, "The login page returns a 500 error since the migration."),
        ("assistant", 1, "The session table lost its index; recreate it."),
        ("user", 2, "My budget for hosting is forty euros."),
        ("assistant", 2, "Then a small virtual server will do."),
    ]
    turns: list[dict[str, Any]] = [
        {"id": number, "role": role, "batch": batch, "turn": number, "time_anchor": None, "content": text}
        for number, (role, batch, text) in enumerate(texts)
    ]
    turns[0]["time_anchor"] = "March-15-2024"
    queries = [
        {"type": "information_extraction", "question": "What is my hosting budget?", "source_chat_ids": [4]},
        {"type": "summarization", "question": "What broke on the login page and why?", "source_chat_ids": [2, 3]},
        {"type": "abstention", "question": "What is my cat called?", "source_chat_ids": []},
    ]
    line = {"conv": "c1", "turns": turns, "queries": [{**q, "answer": "x", "difficulty": "easy"} for q in queries]}
    path = folder / "beam.jsonl"
    path.write_text(json.dumps(line) + "\n")
    return path


def write_labelled(folder: Path) -> tuple[Path, Path]:
    """(gold folder, transcripts folder): two sessions with a question each, and a gold file without a transcript."""
    gold, transcripts = folder / "gold", folder / "transcripts"
    gold.mkdir()
    transcripts.mkdir()
    sessions = {
        "one": ["Why does the uploader drop files?", "It drops them because the queue overflows; raise its limit."],
        "two": ["Which port does the preview server use?", "The preview server listens on port 4317."],
    }
    for name, texts in sessions.items():
        rows = [
            {"role": role, "content": text, "timestamp": f"2026-02-0{number + 1}T10:00:00Z"}
            for number, (role, text) in enumerate(zip(("user", "assistant"), texts, strict=True))
        ]
        (transcripts / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        turns = [
            {"index": n, "decision": "ADD", "type": "fact", "role": row["role"], "at": row["timestamp"]}
            for n, row in enumerate(rows)
        ]
        question = {"question": f"{texts[0][:-1]} again?", "answer": "x", "turns": [1]}
        write(gold / f"{name}.json", {"session": name, "turns": turns, "notes": [], "questions": [question]})
    write(gold / "three.json", {"session": "three", "turns": [], "notes": [], "questions": []})
    return gold, transcripts


def said(*lines: str, prefix: str) -> list[dict[str, str]]:
    turns = [line.split(": ", 1) for line in lines]
    return [{"speaker": who, "dia_id": f"{prefix}:{n}", "text": text} for n, (who, text) in enumerate(turns, 1)]


def asked(question: str, evidence: list[str], category: int) -> dict[str, Any]:
    return {"question": question, "answer": "x", "evidence": evidence, "category": category}


def haystack(*sessions: tuple[str, str, str, str]) -> dict[str, Any]:
    return {
        "haystack_session_ids": [name for name, *_ in sessions],
        "haystack_dates": [date for _, date, *_ in sessions],
        "haystack_sessions": [
            [{"role": "user", "content": user}, {"role": "assistant", "content": assistant}]
            for _, _, user, assistant in sessions
        ],
    }


def write(path: Path, content: Any) -> Path:
    path.write_text(json.dumps(content))
    return path
