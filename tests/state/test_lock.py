"""One writer at a time, over processes; a lock whose holder died is free."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path

import pytest

from seci.errors import VaultBusyError, VaultError
from seci.state.lock import VaultLock


def _child_holding(root: Path) -> tuple[int, int]:
    """A process that holds the lock until it is killed, or until the pipe is closed."""
    ready_read, ready_write = os.pipe()
    stop_read, stop_write = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(stop_write)
        try:
            with VaultLock(root, command="seci distill").hold():
                os.write(ready_write, b"x")
                os.read(stop_read, 1)
        finally:
            os._exit(0)
    os.close(stop_read)
    os.read(ready_read, 1)
    return pid, stop_write


def test_a_busy_vault_names_its_holder(tmp_path: Path) -> None:
    pid, stop = _child_holding(tmp_path)
    try:
        with (
            pytest.raises(VaultBusyError, match=rf"seci distill \(process {pid}\) is writing"),
            VaultLock(tmp_path, patience=0.1).hold(),
        ):
            pass
    finally:
        os.close(stop)
        os.waitpid(pid, 0)
    with VaultLock(tmp_path, patience=0).hold():
        assert VaultLock(tmp_path).holder() != f"seci distill (process {pid})"
    assert VaultLock(tmp_path).holder() is None


def test_it_waits_for_the_other_writer(tmp_path: Path) -> None:
    pid, stop = _child_holding(tmp_path)
    threading.Timer(0.3, os.close, [stop]).start()
    with VaultLock(tmp_path, patience=10).hold():
        assert os.waitpid(pid, 0)[0] == pid


def test_the_lock_of_a_killed_process_is_free(tmp_path: Path) -> None:
    pid, stop = _child_holding(tmp_path)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    os.close(stop)
    with VaultLock(tmp_path, patience=0).hold():
        pass


def test_one_holder_may_hold_it_again(tmp_path: Path) -> None:
    lock = VaultLock(tmp_path, patience=0)
    with lock.hold():
        with lock.hold():
            pass
        pid = os.fork()
        if pid == 0:
            try:
                with VaultLock(tmp_path, patience=0).hold():
                    os._exit(0)
            except VaultBusyError:
                os._exit(7)
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 7


def test_local_state_ignores_itself(tmp_path: Path) -> None:
    with VaultLock(tmp_path).hold():
        assert (tmp_path / ".seci" / ".gitignore").read_text() == "*\n"


def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(VaultError, match="cannot be written"), VaultLock(tmp_path / "none").hold():
        pass
