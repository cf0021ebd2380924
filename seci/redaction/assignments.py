"""Secrets recognised by the name they are given to: `DB_PASSWORD=...`, `"apiKey": "..."`, `password: ...`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from seci.redaction.spans import Page, Span
from seci.redaction.values import Family, Setting, is_bare_word_password, is_secret, is_stand_in

_PASSWORD_NAMES = (
    r"passw(?:or)?d|passwort|passphrase|passcode|pwd|kennwort|wachtwoord|contrase(?:ñ|n)a|mot[ _-]de[ _-]passe|senha"
    r"|mnemonic|seed[ _-]?phrase|(?<=[_.-])pass|(?<=db)pass|(?<=[_.-])pw|密码|密碼|口令|パスワード|비밀번호|암호"
)
_KEY_NAMES = (
    r"secret|token|credentials?|api[ _.-]?key|apikey|access[ _-]?key|private[ _-]?key|secret[ _-]?key"
    r"|(?:auth|encryption|signing|master|account|service|session|license|subscription|deploy|shared|webhook|client)"
    r"[ _-]?key|sharedaccess(?:key|signature)|(?<=[_:])auth|dsn[ _-]?key"
)
# The look ahead for something that assigns spares most words of prose a closer look.
_NAME = re.compile(
    rf"(?:(?P<password>{_PASSWORD_NAMES})|(?P<key>{_KEY_NAMES}))(?=[\w .\-\t\"'`\\*\])]{{0,48}}[:=>|：,])"
)
_STEMS = (
    "passw", "passphrase", "passcode", "pass=", "pass:", "pass\"", "pass'", "pwd", "pw",
    "kennwort", "wachtwoord", "contrase", "mot de passe", "mot_de_passe", "senha", "mnemonic", "seed",
    "密码", "密碼", "口令", "パスワード", "비밀번호", "암호",
    "secret", "token", "credential", "api", "key", "sharedaccess", "auth", "_pass", "dbpass",
)  # fmt: skip
# What may follow the sensitive word within the name: DB_PASSWORD_PROD, token2, SECRET_KEY_BASE, secretValue.
_TAIL = (
    r"(?:[ _.-]?(?:key|token|base|value|string|text|plain|access|api|secret|private|auth|prod|production|dev"
    r"|test|testing|stage|staging|live|local|old|new|current|previous|default|root|admin|v?\d{1,3})){0,3}+"
)
# ... the name's closing marks: a quote, a bracket, markdown emphasis, a comment in brackets.
_CLOSE = r"(?:\\{0,3}[\"'`\])*]){0,4}+"
_ASSIGN = re.compile(
    rf"{_TAIL}(?P<close>{_CLOSE})(?P<before>[ \t]{{0,20}})"
    r"(?P<sign>:=|=>|\?\?=|\|\|=|\?=|\+=|=(?!=)|:(?!:)|：|(?<=[\"'`])\s{0,4},|(?<=[ \t])\|(?=[ \t]))"
    r"(?:\*{1,2})?(?P<after>[ \t]{0,20}(?:(?:\\|[|>][+-]?)?\r?\n[ \t]{1,40})?)"
)
_XML = re.compile(rf"{_TAIL}>(?P<value>[^<>\s]{{3,512}})</")
_QUOTED = re.compile(
    r"(?:[rbfu]{1,2}(?=[\"']))?(?:"
    r"\"(?P<double>(?:\\.|[^\"\\\r\n]){0,2048}+)\"|'(?P<single>(?:\\.|[^'\\\r\n]){0,2048}+)'"
    r"|`(?P<tick>[^`\r\n]{0,2048}+)`|(?P<esc>\\{1,3}[\"'])(?P<escaped>[^\"'\\\r\n]{0,2048}+)(?P=esc)"
    r"|[“”](?P<curly>[^“”\r\n]{0,2048}+)[“”])"
)
_MAY_QUOTE = frozenset("\"'`\\“”rbfu")
_QUOTED_GROUPS = ("double", "single", "tick", "escaped", "curly")
_BARE = re.compile(r"[^\s\"'`<>]{1,1024}+")
_NEXT_PAIR = re.compile(r"[&;,][ ]?[A-Za-z_][\w.\- ]{0,40}[=:]|;|&(?=amp;)|\\[nrt\"']")
_NAME_CHARACTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-:["
_LINE_HEAD = re.compile(
    r"[ \t>#+*/$-]{0,20}(?:(?:export|set|env|ENV|ARG|setx|declare -x|local|readonly)[ \t]+)?[\w.:/-]*\Z"
)
_TYPED = re.compile(r"\b(?:def|fn|func|function|interface|type|class|const|let|var)\b|[({,]\s*\Z|[A-Za-z]\s+\w*\Z")
_QUALIFIED = re.compile(
    r"(?:client|app|consumer|shared|webhook|session|jwt|oauth|signing)[_ -]?secret|api[_-]?key|secret[_-]?key"
    r"|(?:access|auth|refresh|bearer|api|id|deploy|bot)[_-]?token|(?:private|access|encryption|signing)[_-]?key"
)
_HEAD = 80  # characters of a line that are looked at in front of a name


def find_assignments(page: Page) -> Iterator[Span]:
    done = 0
    for name in page.matches(_NAME, _STEMS, (16, 24)):
        if name.start() < done:
            continue
        family = Family.PASSWORD if name["password"] else Family.KEY
        if assign := _ASSIGN.match(page.low, name.end()):
            span = _value_span(page.text, name, assign, family)
        else:
            span = _element_span(page, name, family)
        if span:
            done = span.end
            yield span


def _element_span(page: Page, name: re.Match[str], family: Family) -> Span | None:
    """`<password>...</password>`"""
    element = _XML.match(page.low, name.end())
    if element and is_secret(page.text[slice(*element.span("value"))], family, Setting.LITERAL):
        return Span(*element.span("value"), _kind(name[0], family), 40)
    return None


def _value_span(text: str, name: re.Match[str], assign: re.Match[str], family: Family) -> Span | None:
    at = assign.end()
    if text[at : at + 1] in _MAY_QUOTE and (quoted := _QUOTED.match(text, at)):
        group = next(g for g in _QUOTED_GROUPS if quoted[g] is not None)
        setting = Setting.QUALIFIED if _is_qualified(text, name, assign) else Setting.LITERAL
        if is_secret(quoted[group], family, setting):
            return Span(*quoted.span(group), _kind(name[0], family), 40)
        return None
    bare = _BARE.match(text, at)
    if bare is None or assign["sign"] == "," or is_stand_in(bare[0]):
        return None
    start, end = bare.span()
    if cut := _NEXT_PAIR.search(text, start, end):
        end = cut.start()
    line = max(0, name.start() - _HEAD, text.rfind("\n", max(0, name.start() - _HEAD), name.start()) + 1)
    head = text[line : name.start()]
    end_of_line = text[end : end + 2].strip(" \t")[:1] in ("", "\n", "\r")
    setting = _setting(head, text[name.start() : assign.start("close")], assign, end_of_line)
    if setting is Setting.LOOSE and _is_qualified(text, name, assign) and (end_of_line or assign["sign"] == "="):
        setting = Setting.QUALIFIED
    value = text[start:end]
    if setting is not Setting.ENVIRONMENT:
        value = value.rstrip(".,;:!?)]}*|")
    if is_secret(value, family, setting) or (
        family is Family.PASSWORD
        and end_of_line
        and assign["sign"] in ":：="
        and is_bare_word_password(value)
        and not _TYPED.search(head)
    ):
        return Span(start, start + len(value), _kind(name[0], family), 40)
    return None


def _is_qualified(text: str, name: re.Match[str], assign: re.Match[str]) -> bool:
    return _QUALIFIED.search(text[max(0, name.start() - 12) : assign.start("close")].lower()) is not None


def _setting(head: str, name: str, assign: re.Match[str], end_of_line: bool) -> Setting:
    """How an unquoted value stands: capitals or a bare `name=value` line are an environment file's."""
    before = head.rstrip(_NAME_CHARACTERS)
    whole = head[len(before) :] + name
    capitals = whole.upper() == whole and whole.lower() != whole
    if assign["sign"] == "=" and not (assign["before"] or assign["after"] or assign["close"]):
        switch = whole.startswith("-")
        query = before.endswith(("?", "&", ";"))
        if capitals or switch or query or (end_of_line and _LINE_HEAD.match(head)):
            return Setting.ENVIRONMENT
    if capitals and "_" in whole and assign["sign"] in ("=", ":") and end_of_line:
        return Setting.ENVIRONMENT
    return Setting.LOOSE


def _kind(name: str, family: Family) -> str:
    if family is Family.PASSWORD:
        return "password"
    if "token" in name:
        return "token"
    return "api-key" if "key" in name and "private" not in name else "secret"
