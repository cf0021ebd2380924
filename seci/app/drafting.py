"""Distilling without a vault, for measures: a distiller gets a session as `seci distill` would hand it over."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from seci.app.adapters import make_distiller
from seci.core.note import Draft
from seci.core.session import Session


def make_drafter(name: str, environ: Mapping[str, str]) -> Callable[[Session], list[Draft]]:
    """What `seci distill` does to a session before anything is written: secrets taken out, then the distiller by name.

    Raises UserError as `make_distiller` does.
    """
    from seci.redaction.secrets import SecretRedactor
    from seci.redaction.session import redact_session

    distiller = make_distiller(name, None, environ)
    redactor = SecretRedactor()

    def draft(session: Session) -> list[Draft]:
        clean, _ = redact_session(session, redactor)
        return list(distiller.distill(clean, frozenset(turn.index for turn in clean.turns)))

    return draft
