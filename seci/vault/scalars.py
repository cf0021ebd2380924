"""Single YAML values as this vault writes them: UTC times with a Z, texts plain where YAML allows it."""

from __future__ import annotations

import json
import re
from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import Any

NEVER = ""  # a key without a value is not written at all

_PLAIN = re.compile(r"[^\W\d_][^\n\r\t,\[\]{}:#]*(?<! )")
_ULID = re.compile(r"(?=.*[A-DF-Z])[0-9A-Z]{26}")  # digits and E alone could be read as a number
_NOT_TEXT = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})  # YAML 1.1
# What YAML calls printable (section 5.1), less the line breaks that a double-quoted text would fold.
_UNPRINTABLE = re.compile("[^\t\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
_SURROGATE = re.compile("[\ud800-\udfff]")


def yaml_text(text: str) -> str:
    """A YAML scalar, good in block and flow context, that is read back as exactly this text.

    Half a surrogate pair, which no file can hold, becomes U+FFFD.
    """
    text = printable(text)
    if _ULID.fullmatch(text):
        return text
    if _PLAIN.fullmatch(text) and text.lower() not in _NOT_TEXT and not _UNPRINTABLE.search(text):
        return text
    quoted = json.dumps(text, ensure_ascii=False)
    return _UNPRINTABLE.sub(lambda match: _escape(ord(match.group())), quoted)


def printable(text: str) -> str:
    """The text as UTF-8 can hold it: JSON may smuggle in half a surrogate pair."""
    return _SURROGATE.sub("\ufffd", text)


def render_time(moment: datetime) -> str:
    """UTC with a Z, e.g. 2026-01-21T14:36:09Z; fractions of a second only where there are some."""
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat() + "Z"


def read_time(value: object) -> datetime | None:
    """Aware UTC from a YAML time, a day (midnight) or an ISO text; None for anything else. No zone means UTC."""
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value.strip())
        except ValueError:
            return None
    if isinstance(value, datetime):
        try:
            return value.astimezone(UTC) if value.tzinfo else value.replace(tzinfo=UTC)
        except OverflowError:
            return None
    if isinstance(value, date):
        return datetime.combine(value, time(), UTC)
    return None


def render_float(number: float) -> str:
    """Shortest decimal that reads back equal, never in the exponent form that YAML 1.1 takes for a text."""
    text = format(Decimal(repr(float(number))), "f")
    return text if "." in text else f"{text}.0"


def render_value(value: dict[str, Any]) -> str:
    """Any mapping as block YAML, for keys that are not ours."""
    import yaml

    dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    text = yaml.dump(value, Dumper=dumper, allow_unicode=True, sort_keys=False, width=1 << 30)
    return text if isinstance(text, str) else str(text)


def _escape(code: int) -> str:
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
