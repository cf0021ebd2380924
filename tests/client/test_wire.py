"""The protocol between a client and the resident process carries any text, and refuses what is not its own."""

from __future__ import annotations

import socket
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seci.client.wire import (
    POINTER,
    WireError,
    ask,
    decode,
    decode_request,
    encode,
    encode_request,
    forwarded,
    read_message,
)

argument = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


@given(st.lists(st.binary(max_size=200), max_size=10))
def test_fields_come_back(fields: list[bytes]) -> None:
    assert decode(encode(fields)) == fields


@given(st.binary(max_size=60))
def test_what_is_no_message_is_refused_or_is_one(message: bytes) -> None:
    try:
        fields = decode(message)
    except WireError:
        return
    assert len(encode(fields)) <= len(message)


@given(
    argument,
    st.binary(max_size=50),
    st.dictionaries(st.from_regex(r"[A-Z_]{1,8}", fullmatch=True), argument, max_size=3),
    st.lists(argument, max_size=5),
)
def test_a_request_comes_back(cwd: str, stdin: bytes, variables: dict[str, str], arguments: list[str]) -> None:
    message = encode_request(cwd, "80", stdin, variables, arguments)
    assert decode_request(message) == (cwd, "80", stdin, variables, arguments)


def test_another_version_is_refused() -> None:
    with pytest.raises(WireError, match="another version"):
        decode_request(encode([b"0", b"/", b"", b"", b"0"]))


def test_only_seci_and_host_variables_leave_the_process() -> None:
    environ = {"SECI_VAULT": "/v", "AWS_SECRET_ACCESS_KEY": "x", "COPILOT_CLI": "1", "PATH": "/bin"}
    assert forwarded(environ.items()) == {"SECI_VAULT": "/v", "COPILOT_CLI": "1"}


def test_nobody_answers_where_nobody_listens(tmp_path: Path) -> None:
    assert ask(str(tmp_path), b"", 1) is None
    (tmp_path / ".seci").mkdir()
    (tmp_path / ".seci" / POINTER).write_text(f"{tmp_path}/gone.sock\n1\n")
    assert ask(str(tmp_path), b"", 1) is None


@pytest.mark.parametrize("answer", [b"3:abc", b"rubbish", encode([b"0", b"out"]), b"", encode([b"x", b"", b""])])
def test_a_broken_answer_is_no_answer(tmp_path: Path, answer: bytes) -> None:
    place = str(tmp_path / "s")
    (tmp_path / ".seci").mkdir()
    (tmp_path / ".seci" / POINTER).write_text(place + "\n1\n")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(place)
        listener.listen()
        thread = threading.Thread(target=_serve_once, args=(listener, answer))
        thread.start()
        assert ask(str(tmp_path), b"1:x,", 5) is None
        thread.join()


def _serve_once(listener: socket.socket, answer: bytes) -> None:
    connection, _ = listener.accept()
    with connection:
        read_message(connection.recv)
        connection.sendall(answer)
