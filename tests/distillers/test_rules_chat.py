"""Sessions without code: preferences, facts about people, plans and decisions."""

from __future__ import annotations

from seci.core.note import Draft, Namespace, NoteType, Tier
from tests.distillers.sessions import distill, session_of


def notes_of(drafts: list[Draft]) -> list[Draft]:
    return [draft for draft in drafts if draft.tier is not Tier.EPISODE]


def test_travel_chat_keeps_preferences_and_the_decision() -> None:
    drafts = distill(
        session_of(
            (
                "user",
                "Hi! I'm planning a trip to Lisbon in May with my sister. I'm vegetarian and I always prefer "
                "small hotels "
                "over big chains. Can you suggest a neighbourhood?",
            ),
            (
                "assistant",
                "Great choice! **Príncipe Real** is quiet and has many vegetarian restaurants, because most of "
                "the newer "
                "kitchens opened there.",
            ),
            ("user", "Let's go with Príncipe Real. My budget is 140 euros a night."),
            ("assistant", "Then Príncipe Real it is. Casa das Janelas has rooms from 120 euros and a lift."),
        )
    )
    preference = next(draft for draft in notes_of(drafts) if draft.type is NoteType.PREFERENCE)
    assert preference.namespace is Namespace.BRAIN
    assert "The user is vegetarian and they always prefer small hotels over big chains." in preference.body
    assert "their sister" in preference.body
    decision = next(draft for draft in notes_of(drafts) if draft.type is NoteType.DECISION)
    assert "The user decided to go with Príncipe Real." in decision.body
    assert "The user's budget is 140 euros a night" in decision.body


def test_a_standing_order_is_kept_word_for_word() -> None:
    drafts = distill(
        session_of(
            ("user", "From now on always answer in British English, and never use bullet points."),
            ("assistant", "Understood."),
        )
    )
    note = notes_of(drafts)[0]
    assert (note.namespace, note.type) == (Namespace.BRAIN, NoteType.PREFERENCE)
    assert '"From now on always answer in British English, and never use bullet points."' in note.body


def test_people_in_a_chat_are_told_by_name() -> None:
    drafts = distill(
        session_of(
            ("anna", "we decided to use Postgres 16 for the billing service because the cloud supports it"),
            ("ben", "I'm moving to Boston in June, so Carla takes over the runbook"),
            ("anna", "thanks!"),
        )
    )
    bodies = [draft.body for draft in notes_of(drafts)]
    assert any(body.startswith("Anna decided to use Postgres 16") for body in bodies)
    assert any(body.startswith("Ben is moving to Boston in June") for body in bodies)
    assert not any("The user" in body for body in bodies)


def test_an_explanation_reads_without_the_question() -> None:
    drafts = distill(
        session_of(
            ("user", "Why does bread go stale faster in the fridge?"),
            (
                "assistant",
                "Good question! Starch recrystallises fastest just above freezing, so bread in the fridge goes "
                "stale about "
                "six times faster than at room temperature. Freezing stops it, because the water can no longer move.",
            ),
        )
    )
    body = notes_of(drafts)[0].body
    assert "Starch recrystallises fastest just above freezing" in body
    assert "Good question" not in body


def test_greetings_and_thanks_give_nothing() -> None:
    assert distill(session_of(("Ann", "Hey Bob!"), ("Bob", "Hi Ann, how are you?"), ("Ann", "Fine, thanks!"))) == []
