"""How text becomes search terms, and that FTS5 splits where we do."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seci.index.tables import CREATE, LONGEST_TERM, fold, match_expression, split_terms, term_number


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("The hook is on the port", ["hook", "port"]),
        ("CAFÉ Übergrößen", [*split_terms("cafe"), *split_terms("ubergrossen")]),
        ("snake_case, kebab-case and v1.2.3", ["snake", "case", "kebab", "case", "v1", "2", "3"]),
        ("ｆｕｌｌ ﬁt ½", ["full", "fit", "1", "2"]),
        ("東京都", ["東京", "京都"]),
        ("日", ["日"]),
        ("パスポート", ["パス", "スポ", "ポー", "ート"]),
        ("Python3を使う", ["python3", "を使", "使う"]),
        ("안녕하세요 세계", ["안녕", "녕하", "하세", "세요", "세계"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("что такое ёлка", ["что", "такое", "елка"]),
        ("don't we'll", ["don"]),
        ("not no never", ["not", "no", "never"]),
        ("", []),
        ("… — !", []),
    ],
)
def test_terms_of(text: str, terms: list[str]) -> None:
    assert split_terms(text) == terms


def test_composed_and_decomposed_letters_are_one_term() -> None:
    assert split_terms("re\u0301sume\u0301") == split_terms("r\u00e9sum\u00e9")
    assert split_terms("\u304b\u3099\u304d") == split_terms("\u304c\u304d") != split_terms("\u304b\u304d")


def test_an_endless_word_is_found_by_its_beginning() -> None:
    assert split_terms("a" * 70_000) == ["a" * LONGEST_TERM]


def test_a_korean_question_finds_a_korean_text_with_another_ending() -> None:
    assert set(split_terms("배포 스크립트를")) & set(split_terms("배포는 스크립트로 한다")) >= {
        "배포",
        "스크",
        "크립",
        "립트",
    }


@given(st.text(max_size=200))
def test_terms_are_folded_and_splitting_them_again_changes_nothing(text: str) -> None:
    terms = split_terms(text)
    assert [fold(term) for term in terms] == terms
    assert all(term and not term.isspace() for term in terms)


@given(st.text(max_size=200))
def test_fts5_holds_exactly_our_terms(text: str) -> None:
    terms = split_terms(text)
    tables = sqlite3.connect(":memory:")
    tables.executescript(CREATE)
    tables.execute("INSERT INTO fts_raw(rowid, terms) VALUES (1, ?)", (" ".join(terms),))
    tables.execute("CREATE VIRTUAL TABLE vocabulary USING fts5vocab(fts_raw, 'row')")
    held = {term for (term,) in tables.execute("SELECT term FROM vocabulary")}
    assert held == set(terms)
    for term in terms:
        assert tables.execute("SELECT rowid FROM fts_raw WHERE fts_raw MATCH ?", (match_expression([term]),)).fetchall()
    tables.close()


@pytest.mark.parametrize("text", ['"', "a OR b", "NEAR(x y)", "col:umn", "pre* ^x", "AND NOT", "';--", "(", "{a b}"])
def test_no_question_is_read_as_query_syntax(text: str) -> None:
    tables = sqlite3.connect(":memory:")
    tables.executescript(CREATE)
    expression = match_expression(split_terms(f"{text} hook"))
    tables.execute("INSERT INTO fts_raw(rowid, terms) VALUES (1, 'hook')")
    assert tables.execute("SELECT rowid FROM fts_raw WHERE fts_raw MATCH ?", (expression,)).fetchall() == [(1,)]
    tables.close()


def test_numbers_of_terms_are_the_same_in_every_process() -> None:
    code = "from seci.index.tables import term_number; print(term_number('hook'))"
    seen = {
        subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert seen == {f"{term_number('hook')}\n".encode()}


def test_importing_the_tables_costs_nothing_heavy() -> None:
    code = "import sys; import seci.index.tables; print(*sorted(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    heavy = {"numpy", "chromadb", "typing", "dataclasses", "pathlib", "sqlite3", "json", "enum", "filelock"}
    unavoidable = {"enum"}  # re needs it
    assert heavy & set(loaded) <= unavoidable
