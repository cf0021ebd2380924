"""The composition root: the only place where adapters are chosen.

`application.App` is one vault with its adapters, each built when it is first needed, so that a command which only lists
notes imports no model and no database; `keeper` decides who opens the index; `intake` reads sessions; `adapters` are
those that need no vault.
"""

from seci.app.adapters import (
    bench_embedder,
    make_distiller,
    make_embedder,
    make_reader,
    notes_schema,
    read_sessions,
    router_workbench,
)
from seci.app.application import App
from seci.app.opening import create_vault, open_app, trust

__all__ = [
    "App",
    "bench_embedder",
    "create_vault",
    "make_distiller",
    "make_embedder",
    "make_reader",
    "notes_schema",
    "open_app",
    "read_sessions",
    "router_workbench",
    "trust",
]
