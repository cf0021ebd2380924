"""Telling a secret from what merely stands in its place: placeholders, references, code, words."""

from __future__ import annotations

import re

from seci.core.markers import REDACTED_PREFIX

_STAND_INS = """
    true false yes no on off none null nil undefined void nan todo tbd n/a na unset empty string str text bytes
    byte int integer number bool boolean any object optional required char varchar uuid self this ctx func
    function fn def class type interface struct enum const let var new return await async default hidden input
    field label redacted masked hashed encrypted plaintext secret secrets token tokens password passwords passwd
    passphrase pass pwd pw key keys apikey api_key api-key value values test testing example sample dummy fake
    mock stub foo bar baz foobar changeme change-me change_me changeit placeholder admin/password bearer basic
    digest jwt oauth oauth2 username user name email login id auth authorization credentials credential
    process.env os.environ env
"""
_EMPTY_WORDS = frozenset(_STAND_INS.split())
_WORDS_FOR_SECRET = (
    r"(?:secret|token|password|passwd|passphrase|pass|pwd|pw|key|api[-_ ]?key|access[-_ ]?(?:key|token)|value|string"
    r"|credential|credentials|client[-_ ]?secret|auth[-_ ]?token|bearer[-_ ]?token)"
)
_STANDS_FOR = re.compile(
    # <your-key>, my-secret, YOUR_API_KEY_HERE, test_token, fake-password, example-key-1, the_password
    r"(?:[a-z]{2,6}[-_])?(?:(?:my|your|the|a|an|some|any|this|test|testing|fake|dummy|mock|sample|example|demo|new|old|valid|invalid"
    r"|wrong|bad|user|db|database|app|service|github|gitlab|openai|anthropic|aws|slack|stripe)[-_ ]?){0,4}"
    + _WORDS_FOR_SECRET
    + r"(?:[-_ ]?(?:here|goes[-_ ]here|value|name|id|placeholder|example|x+|\d))?",
    re.IGNORECASE,
)
_FILLED_IN_LATER = re.compile(
    r"(?:^|[^a-z0-9])(?:your|yours|placeholder|changeme|change[-_]me|change[-_]this|replace[-_]?me|replace[-_]with"
    r"|replace[-_]this|insert|redacted|elided|omitted|xxx+|to[-_]be[-_]replaced|put[-_]your|fill[-_]me|example"
    r"|dummy)(?:$|[^a-z0-9])|^your|<[a-z][^<>]{0,60}>|\*{3,}|\.{3}|…|•{3,}|#{4,}|_{4,}",
    re.IGNORECASE,
)
_REFERENCE = re.compile(
    # A whole value that is one variable, or a value that has an expression in it.
    r"\$[A-Za-z_]\w*\Z|%[A-Za-z_]\w*%\Z|\$\{|\$\(|\{\{|\{[A-Za-z_][\w.]{0,40}(?:![rs])?\}|@\{|#\{"
    r"|(?:process\.env|os\.environ|os\.getenv|import\.meta|System\.(?:getenv|get_env|fetch_env)|std::env|env::var"
    r"|getenv|ENV\[|Deno\.env|secrets\.[A-Z_]|vault:|op://|arn:aws|ssm:|file:|sops:|env:|ref\+)",
)
_MAY_REFER = frozenset("$%{@#.:[(+/")
_CODE = re.compile(
    r"[A-Za-z_][\w.]*\(|^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+(?:\[.*)?$|->|::|=>|^[&*!@][A-Za-z_]\w*$|^[A-Za-z_]\w*\[|^[\[({]"
)
_PATH = re.compile(r"(?:[A-Za-z]:)?[~.]{0,2}[/\\](?:[\w.@-]+[/\\])*[\w.@-]*$|[\w.-]+/(?:[\w.-]+/)*[\w.-]+\.\w{1,5}$")
_FILE = re.compile(
    r"[\w./-]*\.(?:py|js|ts|tsx|jsx|go|rs|rb|java|kt|c|h|cpp|md|txt|json|ya?ml|toml|env|pem|key|crt|sh|sql|html|log"
    r"|lock)(?::\d+(?:[-:]\d+)*)?$",
    re.IGNORECASE,
)
_URL = re.compile(r"[a-z][a-z0-9+.-]{1,15}://", re.IGNORECASE)
_ALGORITHM = re.compile(
    r"(?:sha|md|aes|rsa|hs|rs|es|ps|ed|utf|base|bcrypt|argon|pbkdf|scrypt|oauth|k8s|tls|ssl|v|http|p|x|i|u|int|uint"
    r"|float|gpt|claude|llama)[-_]?\d{1,5}[a-z]{0,2}(?:[-_/]\w{1,8})?$|\d+[-_ ]?(?:bits?|bytes?|chars?|characters?"
    r"|px|ms|s|min|minutes?|h|hours?|days?|kb|mb|gb|k|m|x|tokens?|%)$|\d+\+$|v?\d+(?:\.\d+)+$|\d{4}-\d\d-\d\d",
    re.IGNORECASE,
)


def is_placeholder(value: str) -> bool:
    """Something to be filled in, or a word that names the thing instead of being it."""
    low = value.strip().lower()
    return (
        len(set(low)) < 3
        or low in _EMPTY_WORDS
        or REDACTED_PREFIX in low
        or _STANDS_FOR.fullmatch(low) is not None
        or _FILLED_IN_LATER.search(low) is not None
    )


def is_reference(value: str) -> bool:
    """A variable, an expression, a path or an address: where the secret is, not what it is."""
    if not _MAY_REFER.intersection(value) and "getenv" not in value:
        return False
    return bool(_REFERENCE.search(value) or _PATH.match(value) or _FILE.match(value) or _URL.match(value))


def is_code(value: str) -> bool:
    return _CODE.search(value) is not None


def is_figure(value: str) -> bool:
    """A size, a version, a date, or the name of an algorithm: `256-bit`, `v2.1`, `sha256`."""
    return _ALGORITHM.match(value) is not None


def is_filler(body: str) -> bool:
    """The random part of a token format filled with nothing: `xxxx...`, `0000...`, `YOUR_TOKEN_HERE`."""
    low = body.lower()
    return not set(low) - set("x0._-*") or "xxxxxx" in low or "your_" in low or "your-" in low or "placeholder" in low


def has_mixed_characters(value: str) -> bool:
    """Letters with digits or with punctuation inside: what people choose where a word will not do."""
    letters = any(c.isalpha() for c in value)
    digits = any(c.isdigit() for c in value)
    inner = value.rstrip(".,;:!?)\"'")
    marks = any(not c.isalnum() and c not in "-_./'’" for c in inner)
    return (letters and digits) or (marks and (letters or digits))
