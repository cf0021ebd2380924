"""Sessions in eight languages: what a reader of each would want kept is kept, and found by a word in it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from seci.core.note import Draft, Namespace, NoteType, Tier
from seci.core.session import Session
from seci.distillers.headlines import WIDTH, width
from seci.distillers.identify import detect_language, prose_of
from seci.distillers.language import load_cues, select_voices
from seci.distillers.rules import RulesDistiller
from seci.index.tables import match_expression, question_terms, split_terms
from seci.sources.registry import load_registry
from tests.distillers.sessions import distill, session_of

SESSIONS = Path(__file__).parent / "languages"
LANGUAGES = ("de", "nl", "fr", "es", "pt", "zh", "ja", "ko")


@dataclass(frozen=True)
class Planted:
    """Something that the session says: what a note of it holds, its kind, and a question that must find it."""

    holds: tuple[str, ...]
    kind: str
    question: str


PLANTED = {
    "de": (
        Planted(("pool_timeout", "90 Sekunden", "5.000"), "solution", "Warum bricht der Export ab?"),
        Planted(("Commit-Nachrichten", "Englisch"), "standing", "Sprache der Commit-Nachrichten"),
        Planted(("run_export --tenant acme",), "command", "Export für einen Mandanten anstoßen"),
        Planted(("S3", "Frankfurt"), "decision", "Warum haben wir S3 genommen?"),
        Planted(("data-eu", "Verschlüsselung"), "decision", "In welchem Account liegt der Bucket?"),
        Planted(("PDF-Export", "Nächste Woche"), "plan", "Wann wird der PDF-Export umgestellt?"),
        Planted(("riesigen Pull Requests",), "preference", "Pull Requests"),
        Planted(("stage.intern.example", "8443"), "fact", "Wo läuft unser Staging?"),
    ),
    "nl": (
        Planted(("PDF-service", "60 seconden", "proxy_read_timeout"), "solution", "factuur downloaden geeft 502"),
        Planted(("nooit rechtstreeks naar main",), "standing", "mag ik naar main pushen?"),
        Planted(("Postgres", "back-ups"), "decision", "Waarom kozen we Postgres?"),
        Planted(("auth_session",), "decision", "hoe heet de tabel met sessies"),
        Planted(("db:rollback",), "command", "migraties terugdraaien"),
        Planted(("Nederlands",), "standing", "taal van foutmeldingen"),
        Planted(("default exports",), "preference", "named exports"),
        Planted(("acc.intern.example",), "fact", "waar draait de acceptatieomgeving"),
        Planted(("Kubernetes",), "plan", "wanneer verhuizen naar Kubernetes"),
    ),
    "fr": (
        Planted(("SMTP_POOL", "MAIL_POOL_SIZE"), "solution", "pourquoi les e-mails de confirmation échouent"),
        Planted(("messages de commit", "anglais"), "standing", "langue des messages de commit"),
        Planted(("messenger:consume",), "command", "relancer la file d'attente"),
        Planted(("fichiers", "septembre"), "decision", "Redis ou des fichiers ?"),
        Planted(("storage/i18n",), "decision", "où va le cache"),
        Planted(("petites fonctions",), "preference", "les commentaires"),
        Planted(("preprod.interne.example",), "fact", "adresse de la préproduction"),
        Planted(("PostgreSQL 17",), "plan", "migrer la base"),
    ),
    "es": (
        Planted(("refund_id", "subconsulta"), "solution", "importes duplicados en el informe"),
        Planted(("legacy",), "standing", "la carpeta legacy"),
        Planted(("Celery beat", "reintentos"), "decision", "¿por qué Celery beat?"),
        Planted(("8:00", "banco"), "decision", "a qué hora publica el banco"),
        Planted(("monthly_report",), "command", "lanzar el informe a mano"),
        Planted(("variables en inglés",), "preference", "nombres de variables"),
        Planted(("pruebas.interno.example",), "fact", "entorno de pruebas"),
        Planted(("S3",), "plan", "migrar el almacenamiento"),
        Planted(("make test",), "standing", "ejecutar los tests antes de subir"),
    ),
    "pt": (
        Planted(("SHA-1", "google-services.json"), "solution", "login pelo Google não funciona"),
        Planted(("mensagens de commit",), "standing", "idioma das mensagens de commit"),
        Planted(("testDebugUnitTest",), "command", "rodar testes do módulo de pagamento"),
        Planted(("DataStore", "coroutines"), "decision", "por que DataStore?"),
        Planted(("core-data", "widget"), "decision", "em qual módulo fica o arquivo"),
        Planted(("abreviações",), "preference", "nomes de variáveis"),
        Planted(("homolog.interno.example",), "fact", "ambiente de homologação"),
        Planted(("GitHub Actions",), "plan", "migrar o CI"),
        Planted(("versionCode",), "standing", "versionCode"),
    ),
    "zh": (
        Planted(("客户表", "select_related", "2000"), "solution", "导出超时"),
        Planted(("提交信息", "英文"), "standing", "提交信息用什么语言"),
        Planted(("pytest tests/payment",), "command", "支付"),
        Planted(("Redis", "连接数"), "decision", "为什么用 Redis"),
        Planted(("shop:session:",), "decision", "前缀"),
        Planted(("四十行",), "preference", "函数"),
        Planted(("test.internal.example",), "fact", "测试环境"),
        Planted(("Kubernetes",), "plan", "迁移"),
        Planted(("migrations",), "standing", "目录"),
    ),
    "ja": (
        Planted(("client_body_timeout", "60 秒", "2000 ピクセル"), "solution", "画像のアップロードが失敗する原因"),
        Planted(("コミットメッセージ", "英語"), "standing", "英語"),
        Planted(("cache:purge",), "command", "キャッシュを消す"),
        Planted(("Solid Queue", "6 月"), "decision", "Solid Queue"),
        Planted(("mailers",), "decision", "mailers"),
        Planted(("メソッド",), "preference", "メソッド"),
        Planted(("stg.internal.example",), "fact", "検証環境"),
        Planted(("PostgreSQL 17",), "plan", "移行"),
        Planted(("db/schema.rb",), "standing", "編集"),
    ),
    "ko": (
        Planted(("웹훅", "processed_events"), "solution", "메일이 두 번 발송되는 원인"),
        Planted(("커밋 메시지", "영어"), "standing", "커밋 메시지를 영어로"),
        Planted(("cache:clear",), "command", "캐시"),
        Planted(("Redis", "커넥션"), "decision", "Redis로 정한 이유"),
        Planted(("shop:session:",), "decision", "접두사가"),
        Planted(("긴 함수",), "preference", "함수는"),
        Planted(("stg.internal.example",), "fact", "스테이징 서버가 어디에 있어요"),
        Planted(("쿠버네티스",), "plan", "쿠버네티스"),
        Planted(("migrations",), "standing", "파일을 수정"),
    ),
}
SHELVES = {
    "standing": (Namespace.BRAIN, NoteType.PREFERENCE, Tier.PROCEDURE),
    "preference": (Namespace.BRAIN, NoteType.PREFERENCE, Tier.MEMORY),
    "decision": (Namespace.PROJECTS, NoteType.DECISION, Tier.MEMORY),
    "plan": (Namespace.PROJECTS, NoteType.PLAN, Tier.MEMORY),
    "fact": (Namespace.DOCS, NoteType.FACT, Tier.MEMORY),
    "solution": (Namespace.SOLUTIONS, NoteType.SOLUTION, Tier.MEMORY),
    "command": (Namespace.QUICK_REFERENCE, NoteType.COMMAND, Tier.MEMORY),
}
CASES = [(language, planted) for language in LANGUAGES for planted in PLANTED[language]]
# What a note must not be made of: thanks, what the assistant is about to do, offers.
NARRATION = re.compile(
    r"Moin|Gern geschehen|Ich schaue|Soll ich|Graag gedaan|Ik kijk|Tot morgen|Avec plaisir|Je vais|Veux-tu|De nada|"
    r"Voy a|Valeu|Vou olhar|Quer que|不客气|谢谢|我先看|需要我|どういたしまして|確認します|しましょうか|천만에요|"
    r"확인해 보겠|커밋할까요|The user|The assistant|The change|Session:"
)


def read(language: str) -> Session:
    [session] = load_registry().read([SESSIONS / f"{language}.jsonl"])
    assert isinstance(session, Session)
    return session


@cache
def drafts_of(language: str) -> list[Draft]:
    session = read(language)
    return RulesDistiller().distill(session, frozenset(turn.index for turn in session.turns))


def note_of(planted: Planted, drafts: list[Draft]) -> Draft | None:
    return next(
        (d for d in drafts if d.tier is not Tier.EPISODE and all(part in d.body for part in planted.holds)), None
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_language_of_a_session_is_told(language: str) -> None:
    session = read(language)
    assert select_voices(session).user.name == select_voices(session).answers.name == language
    assert detect_language(prose_of([turn.text for turn in session.turns])) == language


@pytest.mark.parametrize(("language", "planted"), CASES)
def test_what_was_said_becomes_a_note_in_its_place(language: str, planted: Planted) -> None:
    drafts = drafts_of(language)
    note = note_of(planted, drafts)
    assert note is not None, [f"{d.title}: {d.body}" for d in drafts]
    assert (note.namespace, note.type, note.tier) == SHELVES[planted.kind]


@pytest.mark.parametrize("language", LANGUAGES)
def test_titles_are_whole_and_bodies_hold_no_talk(language: str) -> None:
    session = read(language)
    said = " ".join(" ".join(turn.text.lower().split()) for turn in session.turns)
    for draft in drafts_of(language):
        leads = (lead.format("") for lead in load_cues()[language].lead.values())
        name = next((draft.title.removeprefix(lead) for lead in leads if draft.title.startswith(lead)), draft.title)
        assert 8 <= width(name) <= WIDTH, draft.title
        assert draft.title[-1] not in ",;:、，：…", draft.title
        words = re.findall(r"[^\W_]{2,}", name.lower())
        assert words
        assert sum(word in said for word in words) >= 0.8 * len(words), draft.title
        assert not NARRATION.search(draft.title + draft.body), draft.body
        assert set(draft.turns) <= {turn.index for turn in session.turns}


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_episode_tells_problem_and_outcome(language: str) -> None:
    [episode] = [draft for draft in drafts_of(language) if draft.tier is Tier.EPISODE]
    assert episode.namespace is Namespace.PROJECTS
    assert episode.title.startswith(load_cues()[language].lead["session"].format(""))
    assert len(episode.turns) >= 3


@pytest.mark.parametrize(("language", "planted"), CASES)
def test_a_note_is_found_by_its_words_alone(language: str, planted: Planted) -> None:
    import sqlite3

    database = sqlite3.connect(":memory:")
    database.execute("CREATE VIRTUAL TABLE notes USING fts5(terms, tokenize='ascii')")
    every = {name: drafts_of(name) for name in LANGUAGES}
    rows = [draft for drafts in every.values() for draft in drafts if draft.tier is not Tier.EPISODE]
    for number, draft in enumerate(rows):
        terms = " ".join(split_terms(f"{draft.title}\n{draft.body}"))
        database.execute("INSERT INTO notes(rowid, terms) VALUES (?, ?)", (number, terms))
    query = match_expression(question_terms(planted.question))
    found = database.execute("SELECT rowid FROM notes WHERE notes MATCH ? ORDER BY rank LIMIT 3", (query,)).fetchall()
    assert any(all(part in rows[number].body for part in planted.holds) for (number,) in found), [
        rows[number].title for (number,) in found
    ]


def test_small_talk_alone_gives_no_note() -> None:
    talks = (
        ("Hallo! Wie geht's?", "Gut, danke! Wobei kann ich helfen?", "Danke, das war's schon.", "Gern geschehen!"),
        ("Salut, ça va ?", "Très bien, merci !", "Merci beaucoup, à demain !", "Avec plaisir !"),
        ("你好", "你好！有什么可以帮你？", "没事了，谢谢", "不客气！"),
        (
            "こんにちは",
            "こんにちは。何かお手伝いできますか？",
            "ありがとうございます、大丈夫です",
            "どういたしまして。",
        ),
    )
    for first, second, third, fourth in talks:
        session = session_of(("user", first), ("assistant", second), ("user", third), ("assistant", fourth))
        assert distill(session) == []


def test_an_english_session_is_told_as_before_and_loads_no_model() -> None:
    import subprocess
    import sys

    code = (
        "import sys\nfrom tests.distillers.sessions import distill, session_of\n"
        "notes = distill(session_of(('user', 'From now on always run the linter before you commit, it is cheap.'),"
        " ('assistant', 'Understood.')))\n"
        "print(notes[0].body, 'py3langid' in sys.modules)"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said.startswith("The user gave a standing instruction")
    assert said.strip().endswith("False")


def test_a_user_and_an_assistant_may_speak_two_languages() -> None:
    session = session_of(
        ("user", "Ab jetzt bitte alle Fehlermeldungen immer auf Deutsch ausgeben, die Kunden lesen kein Englisch."),
        ("assistant", "Understood. The messages stand in `messages.py`, because the parser must not import the views."),
    )
    voices = select_voices(session)
    assert (voices.user.name, voices.answers.name) == ("de", "en")
    assert any("Fehlermeldungen" in draft.body and draft.type is NoteType.PREFERENCE for draft in distill(session))


def test_an_unknown_language_is_read_as_english_was() -> None:
    session = session_of(
        ("user", "Da oggi in poi scrivi sempre i messaggi di commit in inglese, per favore, il team è a Lisbona."),
        ("assistant", "Va bene, da ora in poi scriverò i messaggi in inglese."),
    )
    assert select_voices(session).user.name == "en"


def test_every_language_has_the_words_that_notes_are_told_with() -> None:
    leads = {"standing", "limit", "preference", "decision", "correction", "plan", "fact", "problem", "chosen"}
    leads |= {"reason", "asked", "session"}
    for name in LANGUAGES:
        cues = load_cues()[name]
        assert leads <= cues.lead.keys(), name
        assert all("{}" in cues.lead[lead] for lead in leads | {"quotes"}), name


def test_the_order_of_words_is_kept_where_no_is_part_of_the_order() -> None:
    session = session_of(
        ("user", "A partir de ahora no borres nunca las migraciones antiguas del repositorio, por favor."),
        ("assistant", "Entendido, no las borraré."),
    )
    [note] = [draft for draft in distill(session) if draft.type is NoteType.PREFERENCE]
    assert note.title.startswith("No borres nunca")
