"""Secrets that are said: "the password for the staging box is ...", "log in with admin / ..."."""

from __future__ import annotations

import re
from collections.abc import Iterator

from seci.redaction.spans import Page, Span
from seci.redaction.values import Family, Setting, is_bare_word_password, is_secret

_PASSWORD = (
    r"pass(?:word|phrase|code)|passwd|pwd|pw|pin|wachtwoord|passwort|kennwort|mot de passe|contrase(?:ñ|n)a"
    r"|senha|palavra-passe"
)
_KEY = r"(?:(?:api[ -]?|access |secret |auth |private |signing )key|token|secret)"
_IS = (
    r"(?:is|was|becomes|equals|will be|should be|has been set to|is set to|set to|changed to|are|ist|war|lautet"
    r"|hei(?:ß|ss)t|est|était|es|era|é|è|to|=|:)"
)
_SUBJECT = re.compile(rf"\b(?:(?P<password>{_PASSWORD})|(?P<key>{_KEY}))(?![a-z])")
_PREDICATE = re.compile(
    r"[\"'`*]{0,2}"
    r"(?:[ ](?:for|of|to|on|at|from|there|here|in|you need|we use|i use|voor|für|van|von|pour|de|du|para|do|da|del)"
    r"(?:[ ][^\s.,;:!?\"'`]{1,40}){0,5}?)??"
    rf"[ ]?(?:(?:{_IS}):?|[-–—→]|->)[ ](?:now |still |always |currently |just |nu |jetzt |nun )?"
    r"(?P<open>\\?[\"'`“‘«*]{0,2})(?P<value>[^\s\"`“”’«»<>]{3,256}+)(?P<close>\\?[\"'`”’»*]{0,2})"
)
_USED = re.compile(
    r"\b(?:use|using|with|enter|type|try|and|the|its|my|default|root|admin) (?:the )?"
    r"(?:password|passphrase|pw|pwd|passcode)"
    r" (?P<open>\\?[\"'`“‘]{0,2})(?P<value>[^\s\"`“”’<>]{4,256}+)(?P<close>\\?[\"'`”’]{0,2})"
)
_PAIR = re.compile(
    r"\b(?:credentials?|creds|log ?in|logging in|sign in|user(?:name)?/pass(?:word)?|user(?:name)?/pw)"
    r"(?: (?:are|is|with|as|to it as|using))?"
    r"[ :]{1,3}[`\"']?(?P<user>[\w.@+-]{2,64}+)[`\"']?(?: ?[/:] ?| and )[`\"']?(?P<value>[^\s\"'`,]{4,128}+)"
)
_TOLD = re.compile(
    r"(?P<open>[\"'`]?)(?<![^\s\"'`])(?P<value>[^\s\"'`]{4,128}+)(?P<close>[\"'`]?) is "
    r"(?:my|the|our|your|his|her|its|their)"
    r"(?: [\w-]{1,20}){0,2}? (?:password|passphrase|pw|pwd|passcode)\b"
)
_CJK = re.compile(
    r"(?:密码|密碼|口令|パスワード|비밀번호|암호|秘钥|密钥|令牌|トークン|토큰)(?:是|为|為|は|が|는|은|：|:|=|\s){1,3}[「“\"'`]?"
    r"(?P<value>[!-~]{4,128}+)"
)
_STEMS = (
    "passw", "passphrase", "passcode", "pwd", "pw", "pin ", "wachtwoord", "kennwort", "mot de passe", "contrase",
    "senha", "palavra-passe", "key", "token", "secret",
)  # fmt: skip
_OTHER_STEMS = (
    "credential", "creds", "login", "log in", "logging in", "sign in", "/pass", "/pw", "密码", "密碼", "口令",
    "パスワード", "비밀번호", "암호", "秘钥", "密钥", "令牌", "トークン", "토큰",
)  # fmt: skip
_TRAILING = ".,;:!?)]}'\"*"
_ENDS = re.compile(r"[\"'`”’»*)]{0,2}(?:[.!,;](?:\s|\Z)|\s*(?:\r?\n|\Z))")


def find_said(page: Page) -> Iterator[Span]:
    for subject in page.matches(_SUBJECT, _STEMS, (16, 24)):
        said = _PREDICATE.match(page.low, subject.end())
        family = Family.PASSWORD if subject["password"] else Family.KEY
        if said and (span := _said_span(page, said, family)):
            yield span
    for used in page.matches(_USED, ("passw", "passphrase", "passcode", "pwd", " pw "), (20, 150)):
        if span := _said_span(page, used, Family.PASSWORD):
            yield span
    for told in page.matches(_TOLD, (" is my ", " is the ", " is our ", " is your "), (130, 60)):
        value = page.text[slice(*told.span("value"))]
        if is_secret(value, Family.PASSWORD, Setting.LOOSE):
            yield Span(*told.span("value"), "password", 45)
    for pattern in (_PAIR, _CJK):
        for match in page.matches(pattern, _OTHER_STEMS, (30, 250)):
            value = page.text[slice(*match.span("value"))].rstrip(_TRAILING)
            if is_secret(value, Family.PASSWORD, Setting.LOOSE):
                yield Span(match.start("value"), match.start("value") + len(value), "password", 45)


def _said_span(page: Page, match: re.Match[str], family: Family) -> Span | None:
    start = match.start("value")
    whole = page.text[slice(*match.span("value"))]
    value = whole.rstrip("'*") if match["open"] else whole
    value = value.rstrip(_TRAILING) or value
    if len(value) < 3:
        return None
    loose = is_secret(value, family, Setting.LOOSE)
    quoted = bool(match["open"] and match["close"]) and is_secret(value, family, Setting.LITERAL)
    word = (
        family is Family.PASSWORD
        and is_bare_word_password(value)
        and _ENDS.match(page.text, start + len(value)) is not None
    )
    if not (loose or quoted or word):
        return None
    # A strong password may end in punctuation; one mark behind it is the sentence's.
    end = start + len(value)
    if len(whole) - len(value) > 1 and not match["open"]:
        end = start + len(whole) - 1
    return Span(start, end, "password" if family is Family.PASSWORD else "secret", 45)
