"""Private spans, injected context, counting, idempotence."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seci.core.markers import CONTEXT_TAG, render_injected
from seci.redaction import SecretRedactor
from tests.redaction.corpus import look_alikes, planted

REDACTOR = SecretRedactor()


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("a <private>b</private> c", "a  c"),
        ("a <PRIVATE>b</Private> c", "a  c"),
        ("a <private>b <private>c</private> d</private> e", "a  e"),
        ("a <private>\nb\n</private>\nc", "a \nc"),
        ("a <private>never closed, to the end", "a "),
        ("a <private reason='x'>b</private> c", "a  c"),
        ("a <private>b</private> c <private>d</private> e", "a  c  e"),
        ("a <pri<private>x</private>vate>b</private> c", "a  c"),
        ("a </private> b", "a </private> b"),
        ("a private matter, <privates>", "a private matter, <privates>"),
    ],
)
def test_private_spans_are_dropped_whole(text: str, left: str) -> None:
    assert REDACTOR.redact(text).text == left


def test_injected_context_is_dropped_and_counted() -> None:
    block = render_injected("# What seci remembers\n- the answer is 42")
    out = REDACTOR.redact(f"before\n{block}\nafter")
    assert "42" not in out.text
    assert out.text.split() == ["before", "after"]
    assert out.counts == {"own-context": 1}


def test_injected_context_cannot_close_itself() -> None:
    block = render_injected(f"a note that says </{CONTEXT_TAG}> and goes on")
    assert REDACTOR.redact(block).text == ""


def test_injected_context_that_was_cut_off_is_dropped_but_talk_about_it_stays() -> None:
    assert REDACTOR.redact(f"question\n<{CONTEXT_TAG} version='1'>\n- a fact").text == "question\n"
    talk = f"the tag `<{CONTEXT_TAG}>` marks it"
    assert REDACTOR.redact(talk).text == talk


def test_counts_name_each_kind() -> None:
    token = "gh" + "p_" + "aB3" * 12
    out = REDACTOR.redact(f"{token} and {token}, DB_PASSWORD=swordfish <private>x</private>")
    assert out.counts == {"github-token": 2, "password": 1, "private": 1}
    assert out.text == "[redacted:github-token] and [redacted:github-token], DB_PASSWORD=[redacted:password] "


def test_scan_says_where_and_changes_nothing() -> None:
    text = "x DB_PASSWORD=swordfish y"
    [(kind, (start, end))] = REDACTOR.scan(text)
    assert (kind, text[start:end]) == ("password", "swordfish")


def test_scan_of_redacted_text_is_empty() -> None:
    for case in planted():
        assert REDACTOR.scan(REDACTOR.redact(case.text).text) == [], case.name


_FRAGMENTS = st.one_of(
    st.sampled_from([case.text for case in planted()]),
    st.sampled_from(look_alikes()),
    st.sampled_from(["<private>", "</private>", f"<{CONTEXT_TAG}>", f"</{CONTEXT_TAG}>", "\n", "%3D", "=", '"', "\\n"]),
    st.text(max_size=20),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(_FRAGMENTS, max_size=6))
def test_redacting_twice_changes_nothing(fragments: list[str]) -> None:
    once = REDACTOR.redact("".join(fragments)).text
    assert REDACTOR.redact(once).text == once


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=200), st.text(max_size=200))
def test_a_token_between_blanks_is_found_in_any_text(before: str, after: str) -> None:
    token = "gh" + "p_" + "aB3dE5" * 6
    assert token not in REDACTOR.redact(f"{before} {token} {after}").text


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz ,.\n", max_size=400))
def test_plain_words_without_sensitive_names_stay(text: str) -> None:
    words = ("pass", "pw", "pin", "senha", "key", "token", "secret", "code", "auth", "cred", "login")
    if not any(word in text for word in words):
        assert REDACTOR.redact(text).text == text


def test_characters_that_change_length_in_lower_case_do_not_shift_the_spans() -> None:
    out = REDACTOR.redact("İİİ ẞ ﬁ DB_PASSWORD=swordfish İ")
    assert out.text == "İİİ ẞ ﬁ DB_PASSWORD=[redacted:password] İ"


_REPEATED = [
    "token ", "password=$x ", "sk-", "eyJ-", "eyJaaaaaaaaa.", "a://b:", "a\n", "%3D", '"',
    "-----BEGIN PRIVATE" + " KEY-----\n",
    "<private>", "password is ", "authorization: bearer ", "curl -u ", " --token", "密码是", "secret", "AIza", "_live_",
    "a" * 50 + "\n", "password: '", "key-" + "0" * 31, ":AA", "\\", "=", "A3-", "cookie: a=",
]  # fmt: skip


@pytest.mark.parametrize("unit", _REPEATED)
def test_time_grows_with_length_only(unit: str) -> None:
    """Eight times the text may take at most some twenty times as long: quadratic behaviour would take 64 times."""
    attempts = ((_seconds(unit, 30_000), _seconds(unit, 240_000)) for _ in range(5))  # a busy core slows some of them
    assert any(long < max(20 * short, 0.5) for short, long in attempts)


def test_five_megabytes_of_prose_with_secrets() -> None:
    rng = random.Random(3)
    words = (
        [case.text for case in planted()[:40:8]]
        + look_alikes()[:20]
        + ["the cache is rebuilt when a file changes"] * 200
    )
    text = "\n".join(rng.choice(words) for _ in range(130_000))[:5_000_000]
    started = _cpu()
    assert REDACTOR.redact(text).counts
    assert _cpu() - started < 8  # about 2 s on a quiet core; room for a busy one


def _seconds(unit: str, length: int) -> float:
    text = (unit * (length // len(unit) + 1))[:length]
    started = _cpu()
    REDACTOR.redact(text)
    return _cpu() - started


def _cpu() -> float:
    import time

    return time.process_time()
