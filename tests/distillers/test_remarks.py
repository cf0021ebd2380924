"""What users of eight languages say is told by its form: rules, decisions, wishes, plans, problems, facts."""

from __future__ import annotations

import pytest

from seci.core.note import NoteType
from seci.distillers.headlines import WIDTH, headline, width
from seci.distillers.language import load_cues
from seci.distillers.remarks import read_remarks
from tests.distillers.phrases import PHRASES
from tests.distillers.sessions import distill, session_of

CASES = [
    (language, kind, line.strip())
    for language, kinds in PHRASES.items()
    for kind, lines in kinds.items()
    for line in lines.strip().splitlines()
]


@pytest.mark.parametrize(("language", "kind", "text"), CASES)
def test_a_sentence_is_what_its_form_says(language: str, kind: str, text: str) -> None:
    cues = load_cues()[language]
    remark = read_remarks(text, cues)[0]
    rules = {"standing", "limit"}
    assert remark.kind == kind or (kind in rules and remark.kind in rules)
    title = headline(remark.gist, cues, 6)
    assert title and width(title) <= WIDTH


@pytest.mark.parametrize(
    ("language", "offer", "said"),
    [
        ("de", "BullMQ braucht Redis. Ich würde pg-boss nehmen.", "ok, pg-boss dann"),
        ("fr", "Je conseille la pagination côté serveur.", "D'accord, côté serveur alors."),
        ("nl", "Ik zou `sharp` gebruiken.", "doe maar sharp dan, we hebben geen budget voor diensten"),
        ("zh", "推荐 Zustand。", "行，就 Zustand 了，Redux 太重"),
        ("ja", "Vitest をおすすめします。", "じゃあ Vitest で"),
        ("ko", "Redis를 추천합니다.", "그래 Redis로"),
    ],
)
def test_a_short_agreement_that_names_what_was_proposed_decides(language: str, offer: str, said: str) -> None:
    cues = load_cues()[language]
    assert read_remarks(said, cues, offered=offer)[0].kind == "decision"
    assert not any(remark.kind == "decision" for remark in read_remarks(said, cues))


def test_what_the_answer_takes_back_was_a_correction() -> None:
    session = session_of(
        ("user", "Lege die Spalten in der Tabelle `orders` an, bitte mit Migration."),
        ("assistant", "Die Migration legt die Spalten als `user_id` und `order_id` an."),
        ("user", "Die Spalten müssen in camelCase stehen wie im Rest der Datenbank."),
        ("assistant", "Entschuldige, das war mein Fehler. Die Spalten heißen jetzt `userId` und `orderId`."),
    )
    note = next(draft for draft in distill(session) if "camelCase" in draft.body)
    assert note.type is NoteType.DECISION
    assert note.body.startswith("Der Nutzer stellte richtig")


def test_what_was_done_is_no_note_by_itself() -> None:
    session = session_of(
        ("user", "아니요, 만료 시간은 1시간이 아니라 10분으로 해야 해요."),
        ("assistant", "죄송합니다. 만료 시간을 10분으로 변경했습니다."),
    )
    assert [draft.title for draft in distill(session) if "변경했습니다" in draft.title] == []
