"""The words that transcripts use for who speaks."""

from __future__ import annotations

from seci.core.session import Role

# fmt: off
USER_WORDS = {
    "user", "human", "me", "you",
    "gebruiker", "benutzer", "nutzer", "utilisateur", "usuario", "usuário", "用户", "ユーザー", "사용자",
}
ASSISTANT_WORDS = {
    "assistant", "ai", "bot", "gpt", "chatgpt", "claude", "claude code", "gemini",
    "copilot", "github copilot", "codex", "cursor", "assistent", "asistente", "assistente", "助手", "アシスタント",
    "어시스턴트",
}
_MODEL_WORDS = {"model", "agent"}  # in data, not as labels in prose
SILENT_WORDS = {"system", "tool", "developer", "function", "tool_result", "environment", "ipython", "info"}
# fmt: on


# As most rows of most files have them.
_COMMON = {"user": Role.USER, "human": Role.USER, "assistant": Role.ASSISTANT, "model": Role.ASSISTANT, "system": None}


def parse_role(word: object) -> Role | None:
    """USER or ASSISTANT for the words that mean them, None for machinery (system, tool) and what is no word;
    PARTICIPANT for any other name."""
    if not isinstance(word, str):
        return None
    if word in _COMMON:
        return _COMMON[word]
    if not word.strip():
        return None
    plain = " ".join(word.casefold().split())
    if plain in USER_WORDS:
        return Role.USER
    if plain in ASSISTANT_WORDS or plain in _MODEL_WORDS:
        return Role.ASSISTANT
    return None if plain in SILENT_WORDS else Role.PARTICIPANT
