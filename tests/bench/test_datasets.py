"""What counts as a question, what answers it, and what is searched."""

from __future__ import annotations

from pathlib import Path

import pytest

from seci.bench.datasets import Place, read_beam, read_locomo, read_longmemeval, read_sessions
from seci.errors import SourceError
from seci.sources.registry import load_registry
from tests.bench.data import real
from tests.bench.files import write_beam, write_labelled, write_locomo, write_longmemeval


def test_locomo_a_conversation_at_a_time(tmp_path: Path) -> None:
    boats, bread = read_locomo([write_locomo(tmp_path)])
    assert [case.type for case in boats.cases] == ["single-hop", "multi-hop", "adversarial"], "all with evidence"
    assert boats.cases[1].gold == {Place("locomo:conv-1/session_2"), Place("locomo:conv-1/session_3")}
    assert len(boats.sessions) == 3 and len(bread.sessions) == 2


def test_locomo_pooled_is_one_haystack_without_adversarial_questions(tmp_path: Path) -> None:
    (pooled,) = read_locomo([write_locomo(tmp_path)], pooled=True)
    assert len(pooled.sessions) == 5
    assert [case.type for case in pooled.cases] == ["single-hop", "multi-hop", "single-hop"]
    assert pooled.cases[2].gold == {Place("locomo:conv-2/session_1")}


def test_longmemeval_asks_neighbours_together_and_leaves_abstention_out(tmp_path: Path) -> None:
    path = write_longmemeval(tmp_path)
    (garden,) = read_longmemeval([path])
    assert [case.id for case in garden.cases] == ["q1", "q2"]
    assert garden.cases[0].asked is not None and garden.cases[0].asked.year == 2023
    everything = list(read_longmemeval([path], abstention=True))
    assert [len(corpus.cases) for corpus in everything] == [2, 1]


def test_beam_is_asked_by_message(tmp_path: Path) -> None:
    (corpus,) = read_beam([write_beam(tmp_path)])
    assert [case.type for case in corpus.cases] == ["information_extraction", "summarization"]
    assert corpus.cases[0].gold == {Place("beam:c1/batch_2", 0)}
    assert corpus.cases[1].gold == {Place("beam:c1/batch_1", 2), Place("beam:c1/batch_1", 3)}


def test_labelled_sessions_are_one_haystack(tmp_path: Path) -> None:
    (corpus,) = read_sessions(*write_labelled(tmp_path), load_registry())
    assert [case.id for case in corpus.cases] == ["one/q1", "two/q1"]
    assert len(corpus.sessions) == 2
    assert {place.turn for case in corpus.cases for place in case.gold} == {1}


def test_what_is_wrong_with_a_file_is_said(tmp_path: Path) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text('[{"sample_id": "x", "qa": []}]')
    with pytest.raises(SourceError, match="no conversation") as caught:
        list(read_locomo([broken]))
    assert "broken.json" in str(caught.value)
    gold, transcripts = write_labelled(tmp_path)
    (gold / "one.json").write_text("{}")
    with pytest.raises(SourceError, match=r"one\.json"):
        list(read_sessions(gold, transcripts, load_registry()))
    with pytest.raises(SourceError, match="no questions"):
        list(read_sessions(gold, tmp_path, load_registry()))


@pytest.mark.parametrize(
    ("name", "haystacks", "questions"), [("beam/beam_100K_dev.jsonl", 10, 179), ("beam/beam_500K_dev.jsonl", 3, 53)]
)
def test_real_beam(name: str, haystacks: int, questions: int) -> None:
    corpora = list(read_beam([real(name)]))
    assert len(corpora) == haystacks
    assert sum(len(corpus.cases) for corpus in corpora) == questions


def test_real_locomo_longmemeval_and_sessions() -> None:
    locomo = list(read_locomo([real("locomo/locomo_dev.json")]))
    assert (len(locomo), sum(len(corpus.cases) for corpus in locomo)) == (5, 959)
    (pooled,) = read_locomo([real("locomo/locomo_dev.json")], pooled=True)
    assert (len(pooled.sessions), len(pooled.cases)) == (125, 744)
    full = list(read_longmemeval([real("longmemeval/mini/full_haystack_questions.json")]))
    assert [len(corpus.cases) for corpus in full] == [9, 9, 9]
    (coding,) = read_sessions(real("gold"), real("transcripts/claude-code"), load_registry())
    assert (len(coding.sessions), len(coding.cases)) == (23, 94)
