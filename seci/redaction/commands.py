"""Secrets in HTTP headers and on command lines."""

# ruff: noqa: E501  one entry of a table a line

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from seci.redaction.placeholders import is_code, is_placeholder, is_reference
from seci.redaction.spans import Page, Span
from seci.redaction.values import Family, Setting, is_secret


@dataclass(frozen=True, slots=True)
class _Form:
    """`pattern`, on lower-case text, starts at one of `anchors`; where `commands` are given, one of them must stand
    before it on the line."""

    kind: str
    anchors: tuple[str, ...]
    pattern: re.Pattern[str]
    commands: tuple[str, ...] = ()
    family: Family = Family.PASSWORD


_ARG = r"(?:\\{0,3}[\"'](?P<quoted>[^\"'\r\n\\]{1,256}+)|(?P<value>(?!-)[^\s\"'`|;<>]{1,256}+))"
_USER_ARG = r"\\{0,3}[\"']?[^\s:\"'$\\]{1,100}+:(?P<value>[^\s\"'`\\]{1,256}+)"
_SECRET_WORD = r"(?:password|passwd|secret|token|api_?key|access_?key|auth)"

_COMMAND_REACH = 300  # characters of a command line between the command and its flag
_FORMS = (
    _Form("basic-auth", (" -u", " --user", " -a", " --auth", " --proxy-user"), re.compile(
        rf"\s(?:-u|--user|-a|--auth|--proxy-user)[ =]?{_USER_ARG}"), ("curl ", "http ", "https ", "xh ", "wget ")),
    _Form("password", (" -p",), re.compile(rf"\s-p(?![\s-]){_ARG}"), ("mysql", "mariadb")),
    _Form("password", (" -p ",), re.compile(rf"\s-p {_ARG}"), (
        "sshpass ", "docker login", "podman login", "helm registry login", "mongo", "sqlcmd", "az login")),
    _Form("password", (" -p",), re.compile(rf"\s-p(?![\s-]){_ARG}"), ("sshpass ", "7z ", "mongo", "sqlcmd ")),
    _Form("password", (" -a ",), re.compile(rf"\s-a {_ARG}"), ("redis-cli",)),
    _Form("password", (" -w ",), re.compile(rf"\s-w {_ARG}"), ("ldap",)),
    _Form("password", ("htpasswd ",), re.compile(rf"htpasswd\s+-\w*b\w*\s+\S{{1,200}}\s+\S{{1,100}}\s+{_ARG}")),
    _Form("password", ("identified ", " password '", "password = '"), re.compile(
        r"(?:identified (?:with \w{1,40} )?by|(?:with|encrypted|set|new)?\s?password)\s{1,4}(?:=\s{0,2})?'(?P<value>[^'\r\n]{1,256}+)'"),
        ("create ", "alter ", "set ", "grant ")),
    _Form("password", ("echo ",), re.compile(
        r"echo\s{1,4}(?:-n\s{1,4})?[\"']?(?:[\w.-]{1,32}:)?(?P<value>[^\s\"'|:$]{3,128}+)[\"']?\s{0,4}\|\s{0,4}(?:sudo\s{1,4})?"
        r"(?:chpasswd|sudo -s|passwd --stdin)")),
    _Form("password", (" -pass",), re.compile(r"\s-pass(?:in|out|word)?\s+pass:(?P<value>[^\s\"'`]{1,128}+)")),
    _Form("password", ("machine ", "default login"), re.compile(
        r"(?:machine\s{1,9}\S{1,128}|default)\s{1,9}login\s{1,9}\S{1,128}\s{1,9}password\s{1,9}(?P<value>\S{1,256}+)")),
    _Form("password", (":5432:", ":5433:", ":6432:", ":*:"), re.compile(
        r":(?:5432|5433|6432|\*):[\w*-]{1,64}+:[\w.*@-]{1,64}+:(?P<value>[^\s:]{3,128}+)(?=\s|\Z)")),
    _Form("password", ("-pass", "-pw"), re.compile(
        rf"-(?:password|passwd|passphrase|pass|pwd|pw)[ \t]{{1,9}}{_ARG}"), (" -",)),
    _Form("token", ("token ", "secret ", "key "), re.compile(
        rf"(?<=-)(?:token|secret|api-?key|access-key|secret-key|private-key|auth-key|authkey)[ \t]{{1,9}}{_ARG}"),
        (" -",), Family.KEY),
    _Form("secret", ("setx ", "set -", "env ", "configure set ", "config set ", "secret set ", "secrets set ", "secret put ", "variable set "),
        re.compile(rf"(?:setx|set -[gxu]{{1,3}}|env|configure set|config set|secrets? set|secret put|variable set)\s{{1,9}}"
        rf"[\w.:/-]{{0,60}}?{_SECRET_WORD}\w{{0,12}}\s{{1,9}}{_ARG}"), (), Family.KEY),
    _Form("token", ("<<<",), re.compile(rf"<<<\s{{0,4}}{_ARG}"), ("login", "--with-token", "token"), Family.KEY),
)  # fmt: skip

_AUTHORIZATION = re.compile(
    r"authorization\\{0,3}[\"'`\]]{0,2}\s{0,4}(?:[:=]|=>|,)\s{0,4}\\{0,3}[\"'`]?[bf]?[\"']?"
    r"(?:(?P<scheme>bearer|basic|token|digest|apikey|api-key|key|negotiate|ntlm|aws4-hmac-sha256|splunk|genie\w+|bot)\s{1,4})?"
    r"(?P<value>[a-z0-9._~+/:=-]{6,8192}+)"
)
_BEARER = re.compile(r"\bbearer(?:\s{1,4}|%20|\+)[\"'`]?(?P<value>[a-z0-9._~+/=-]{12,8192}+)")
_COOKIE = re.compile(
    r"\b(?:set-)?cookie[\"'`]?\s{0,4}:\s{0,4}[\"'`]?(?=[^\r\n\"'`]{0,400}=)(?P<value>[^\r\n\"'`]{12,8192}+)"
)
_COOKIE_VALUE = re.compile(r"=[^\s;]{12,}")


def find_header_secrets(page: Page) -> Iterator[Span]:
    for match in page.matches(_AUTHORIZATION, ("authorization",), (0, 300)):
        value = page.text[slice(*match.span("value"))].rstrip(".")
        if _is_credential(value, shortest=6 if match["scheme"] else 16):
            kind = "basic-auth" if match["scheme"] == "basic" else "authorization"
            yield Span(match.start("value"), match.start("value") + len(value), kind, 25)
    for match in page.matches(_BEARER, ("bearer",), (0, 300)):
        value = page.text[slice(*match.span("value"))].rstrip(".")
        if any(c.isdigit() for c in value) and _is_credential(value, shortest=12):
            yield Span(match.start("value"), match.start("value") + len(value), "bearer-token", 26)
    for match in page.matches(_COOKIE, ("cookie",), (4, 400)):
        value = page.text[slice(*match.span("value"))]
        if any(_is_credential(v[0][1:], shortest=12) for v in _COOKIE_VALUE.finditer(value)):
            yield Span(*match.span("value"), "cookie", 27)


def _is_credential(value: str, shortest: int) -> bool:
    digits = any(c.isdigit() for c in value)
    return (
        len(value) >= shortest
        and (digits or (value.lower() != value and value.upper() != value) or len(value) >= 32)
        and not is_placeholder(value)
        and not is_reference(value)
        and not is_code(value)
    )


def find_command_secrets(page: Page) -> Iterator[Span]:
    for form in _FORMS:
        for match in page.matches(form.pattern, form.anchors, (16, 200)):
            if form.commands and not _stands_before(page.low, match.start(), form.commands):
                continue
            groups = match.groupdict()
            group = "quoted" if groups.get("quoted") is not None else "value"
            start, end = match.span(group)
            if is_secret(page.text[start:end], form.family, Setting.ENVIRONMENT):
                yield Span(start, end, form.kind, 30)


def _stands_before(low: str, position: int, commands: tuple[str, ...]) -> bool:
    earliest = max(0, position - _COMMAND_REACH)
    line = " " + low[max(earliest, low.rfind("\n", earliest, position) + 1) : position + 2]
    return any(command in line for command in commands)
