"""No test sees the user's home, settings, git configuration or vaults, and none starts a resident process by itself."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

REPOSITORY = Path(__file__).parents[1]
EXAMPLES = REPOSITORY / "examples" / "sessions"

settings.register_profile("seci", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("seci")


def pytest_configure() -> None:
    """Ctrl-C must be heard, also where the tests run in the background of a shell, which has its jobs ignore it."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def isolated(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path_factory.mktemp("home")
    for name in list(os.environ):
        if name.startswith(("SECI_", "GIT_", "XDG_")) and name not in ("SECI_DATA", "SECI_TORTURE"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("SECI_CONFIG", str(home / "config.toml"))
    monkeypatch.setenv("SECI_RESIDENT", "off")


@pytest.fixture(scope="session")
def model_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The exported model, made once for the whole run, also where several test processes run."""
    from seci.embedding.cache import open_embedder

    base = tmp_path_factory.getbasetemp()
    shared = base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base
    cache = shared / "model-cache"
    open_embedder(cache)
    return cache


@dataclass(frozen=True)
class Result:
    code: int
    out: str
    err: str


@pytest.fixture
def seci(
    model_cache: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Result]:
    """Runs a command in this process, as the console script would."""
    from seci.cli.main import run

    monkeypatch.setenv("SECI_CACHE", str(model_cache))
    monkeypatch.setenv("COLUMNS", "100")

    def call(*arguments: object) -> Result:
        capsys.readouterr()
        code = run([str(argument) for argument in arguments])
        said = capsys.readouterr()
        return Result(code, said.out, said.err)

    return call


@pytest.fixture(scope="session")
def demo_vault(model_cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A vault with the sample sessions distilled into it. Shared: only for reading."""
    from seci.app import create_vault, open_app

    base = tmp_path_factory.mktemp("demo")
    environ = {"HOME": str(base), "SECI_CONFIG": str(base / "config.toml"), "SECI_CACHE": str(model_cache)}
    environ["SECI_RESIDENT"] = "off"
    vault = create_vault(base / "vault", environ).path
    app = open_app(vault, base, environ)
    app.distill(app.intake.read([EXAMPLES]))
    yield vault
    shutil.rmtree(base)


@pytest.fixture
def vault(demo_vault: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the demo vault of the test's own, and SECI_VAULT set to it."""
    own = tmp_path / "vault"
    shutil.copytree(demo_vault, own)
    monkeypatch.setenv("SECI_VAULT", str(own))
    return own
