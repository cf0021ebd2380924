"""Passwords inside addresses: `scheme://user:password@host`, JDBC's `user/password@`, signed links."""

from __future__ import annotations

import re
from collections.abc import Iterator

from seci.core.markers import REDACTED_PREFIX
from seci.redaction.placeholders import is_placeholder
from seci.redaction.spans import Page, Span

_USERINFO = re.compile(
    r"://(?P<user>[^\s:/@\"'<>`\\]{0,128}+):"
    r"(?P<password>(?:[^\s/@\"'<>`]{1,256}+@){1,8}|[^\s@\"'<>`]{1,256}+@)(?=[\w\[%.-])"
)
_PORT = re.compile(r"\d{1,5}(?:/|@?$)")
_DOCUMENTATION_USERS = frozenset(("user", "username", "usr", "name", "login", "myuser", "uname", "u", "foo"))
_DOCUMENTATION_PASSWORDS = frozenset(("password", "passwd", "pass", "pw", "pwd", "secret", "p", "bar", "mypassword"))
_VARIABLE = re.compile(r"\$\{?\w+\}?$|\$\(.*\)$|\{+[\w.\s$]*\}+$|%\w+%$|\[\w+\]$|\*+$|x{3,}$|\.{3}$|…$", re.IGNORECASE)
_ORACLE = re.compile(r"jdbc:oracle:\w{2,8}:(?P<user>[^\s/:@]{1,64}+)/(?P<password>[^\s@\"'<>]{1,128}+)@")
_SIGNED = re.compile(
    r"[?&;](?P<name>sig|signature|x-amz-signature|x-amz-security-token|x-goog-signature|key|code|access_token|id_token"
    r"|refresh_token|auth|sas)=(?P<value>[a-z0-9%_\-+/.~]{16,2048}+={0,2})"
)
_SIGNED_STEMS = tuple(f"{name}=" for name in ("sig", "signature", "token", "key", "code", "auth", "sas"))
_STORES = """
    postgres postgresql mysql mariadb mongodb redis rediss amqp amqps mssql oracle cockroachdb clickhouse
    snowflake kafka nats ldap ldaps smtp smtps imap imaps ftp ftps sftp ssh couchdb neo4j bolt cassandra
    influxdb
"""
_SCHEMES_OF_STORES = frozenset(_STORES.split())
_SCHEME = re.compile(r"[a-z][a-z0-9+.\-]{1,30}\Z")


def find_url_secrets(page: Page) -> Iterator[Span]:
    if "://" in page.text:
        yield from _userinfo(page)
    for match in page.matches(_ORACLE, ("jdbc:oracle",), (0, 250)):
        if not _is_documentation(match["user"], match["password"]):
            yield Span(*match.span("password"), "connection-password", 20)
    for match in page.matches(_SIGNED, _SIGNED_STEMS, (20, 100)):
        value = page.text[slice(*match.span("value"))]
        if sum(c.isdigit() for c in value) >= 3 and not is_placeholder(value):
            yield Span(*match.span("value"), "signed-url", 35)


def _userinfo(page: Page) -> Iterator[Span]:
    text = page.text
    for match in _USERINFO.finditer(text):
        start, end = match.span("password")
        end -= 1  # the @
        password = text[start:end]
        scheme = _SCHEME.search(page.low, max(0, match.start() - 30), match.start())
        store = scheme is not None and scheme[0].split("+")[0] in _SCHEMES_OF_STORES
        if "/" in password and (not store or _PORT.match(password)):
            continue
        if not _is_documentation(match["user"], password):
            yield Span(start, end, "connection-password" if store else "basic-auth", 20)


def _is_documentation(user: str, password: str) -> bool:
    """`user:password@` teaches the form; `<password>` and `$PASSWORD` are filled in later."""
    low = password.lower()
    return (
        REDACTED_PREFIX in low
        or _VARIABLE.match(password) is not None
        or (low in _DOCUMENTATION_PASSWORDS and user.lower() in _DOCUMENTATION_USERS)
        or low.strip("<>[]{}()").startswith("your")
    )
