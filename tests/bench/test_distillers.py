"""Rules and a language model in one table: of retrieval over what they write down, and of what they write."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from seci.bench.datasets import Case, Place
from seci.bench.extract import Extract
from seci.core.note import Draft, Namespace, NoteType, Tier
from seci.core.ranking import Unit
from seci.core.session import Role, Session, Turn
from tests.bench.files import write_labelled, write_longmemeval
from tests.bench.words import WordEmbedder
from tests.conftest import Result
from tests.distillers_llm.scripted import Script, Step, note, notes, serve

pytest.importorskip("openai")
Seci = Callable[..., Result]
_TURN = re.compile(r"^\[(\d+)\] [^\n]*:\n([^\n]+)", re.MULTILINE)


def echo(request: dict[str, Any]) -> Step:
    """A model that writes every turn down in its own words."""
    turns = _TURN.findall(request["messages"][-1]["content"])
    return Step(notes(*(note(text[:80], text[:300], [int(number)]) for number, text in turns)))


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[Script]:
    with serve(choose=echo) as script:
        monkeypatch.setenv("SECI_LLM_URL", script.url)
        monkeypatch.setenv("SECI_LLM_MODEL", "echo")
        yield script


def told(result: Result) -> dict[str, Any]:
    assert result.code == 0, result.err
    value = json.loads(result.out)
    assert isinstance(value, dict)
    return value


def test_an_extraction_stands_for_the_turns_that_it_cites() -> None:
    def session(name: str, *texts: str) -> Session:
        return Session("t", name, tuple(Turn(n, Role.USER, text) for n, text in enumerate(texts)))

    def draft(one: Session) -> list[Draft]:
        last = one.turns[-1]
        return [Draft("note", last.text, Namespace.DOCS, Tier.MEMORY, NoteType.FACT, (last.index,))]

    method = Extract(WordEmbedder(), draft)
    method.index((session("boat", "hello", "we painted the boat red"), session("bread", "use fresh yeast")), Unit.TURN)
    assert method.rank(Case("q", "painted boat red", "", frozenset()), 9) == [Place("t:boat", 1), Place("t:bread", 0)]
    method.index((session("boat", "hello", "we painted the boat red"),), Unit.SESSION)
    assert method.rank(Case("q", "hello", "", frozenset()), 9) == [Place("t:boat")]
    assert method.size() > 0


def test_one_distiller_is_searched_by_hybrid_and_alone(seci: Seci, tmp_path: Path, model: Script) -> None:
    file = write_longmemeval(tmp_path)
    call = ("bench", "longmemeval", file, "--methods", "hybrid,extract-llm", "--distiller", "llm", "--json")
    methods = told(seci(*call))["methods"]
    assert set(methods) == {"hybrid", "extract-llm"}
    assert methods["extract-llm"]["recall_any@5"] == methods["hybrid"]["recall_any@5"] == 1
    asked = len(model.requests)
    assert asked > 0
    told(seci(*call))
    assert len(model.requests) == asked, "answers are kept"


def test_rules_and_a_language_model_stand_in_one_table(seci: Seci, tmp_path: Path, model: Script) -> None:
    file = write_longmemeval(tmp_path)
    shape = told(seci("bench", "longmemeval", file, "--distiller", "rules,llm", "--json"))
    assert {"extract-rules", "extract-llm", "hybrid", "hybrid +rules", "hybrid +llm", "seed-extract"} <= set(
        shape["methods"]
    )
    gold, transcripts = write_labelled(tmp_path)
    call = ("bench", "distill", gold, "--transcripts", transcripts)
    both = told(seci(*call, "--distiller", "rules,llm", "--json"))
    assert set(both["distillers"]) == {"rules", "llm"}
    assert both["precision"] == both["distillers"]["rules"]["precision"]
    alone = told(seci(*call, "--distiller", "llm", "--json"))
    assert set(alone) == {"precision", "coverage", "notes_per_session", "sessions", "rows"}
    assert alone["notes_per_session"] == both["distillers"]["llm"]["notes_per_session"] > 0
    table = seci(*call, "--distiller", "rules,llm")
    assert "rules" in table.out and "llm" in table.out and "coverage" in table.out


def test_secrets_do_not_reach_a_model_that_is_only_measured(seci: Seci, tmp_path: Path, model: Script) -> None:
    gold, transcripts = write_labelled(tmp_path)
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    for path in transcripts.iterdir():
        path.write_text(path.read_text().replace("the", f"the {secret}", 1))
    told(seci("bench", "distill", gold, "--transcripts", transcripts, "--distiller", "llm", "--json"))
    sent = json.dumps(model.requests)
    assert model.requests and secret not in sent


@pytest.mark.parametrize("measure", ["distill", "sessions"])
def test_a_model_that_is_not_set_is_asked_for(seci: Seci, tmp_path: Path, measure: str) -> None:
    gold, transcripts = write_labelled(tmp_path)
    result = seci("bench", measure, gold, "--transcripts", transcripts, "--distiller", "llm")
    assert result.code == 2 and "SECI_LLM_URL" in result.err
