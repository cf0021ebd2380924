"""Redaction: what must never reach the vault, the index, the log or git history."""

from seci.redaction.secrets import SecretRedactor
from seci.redaction.session import redact_session

__all__ = ["SecretRedactor", "redact_session"]
