"""A Slack workspace export: `<channel>/YYYY-MM-DD.json` beside `users.json` and `channels.json`, unpacked or zipped.

A thread is a session; what stands outside threads is one session for each channel and day. People and bots are
participants: nobody is made a user or an assistant.
"""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

from seci.core.ports import Claim
from seci.core.session import Failure, Role, Session
from seci.sources.base import BaseSource
from seci.sources.documents import DOCUMENT_LIMIT, UnreadableDocument, parse_document
from seci.sources.lines import read_head, render_os_error
from seci.sources.turns import TurnList, as_dict, as_list, as_str, parse_time

_DAY = re.compile(r"(?P<channel>[^/]+)/(?P<day>\d{4}-\d\d-\d\d)\.json")
_MENTION = re.compile(r"<@(?P<user>[A-Z0-9]+)(?:\|(?P<label>[^>]*))?>")
_LINK = re.compile(r"<(?P<target>[^>|]+)(?:\|(?P<label>[^>]*))?>")
_SILENT = {"channel_join", "channel_leave", "group_join", "group_leave", "channel_topic", "channel_purpose",
           "channel_name", "channel_archive", "bot_add", "bot_remove", "tombstone", "pinned_item"}  # fmt: skip
_ERRORS = (OSError, zipfile.BadZipFile, zlib.error, RuntimeError, NotImplementedError, ValueError)


class SlackSource(BaseSource):
    """The export's folder, its zip, or the file of one day."""

    name = "slack"

    def claim(self, bundle: Path) -> Claim:
        if bundle.is_dir():
            told = (bundle / "users.json").is_file() and any(
                (bundle / name).is_file() for name in ("channels.json", "dms.json", "groups.json", "mpims.json")
            )
            return Claim.SPECIFIC if told else Claim.NONE
        if bundle.suffix == ".zip":
            try:
                with zipfile.ZipFile(bundle) as archive:
                    told = "users.json" in archive.namelist() and any(map(_DAY.fullmatch, archive.namelist()))
            except _ERRORS:
                return Claim.NONE
            return Claim.SPECIFIC if told else Claim.NONE
        head = read_head(bundle) if _DAY.fullmatch(f"{bundle.parent.name}/{bundle.name}") else b""
        return Claim.SPECIFIC if head.lstrip().startswith(b"[") and b'"ts"' in head else Claim.NONE

    def read(self, bundle: Path) -> Iterator[Session | Failure]:
        if bundle.suffix == ".zip":
            try:
                with zipfile.ZipFile(bundle) as archive:
                    yield from _read_export(_ZipFiles(archive), bundle)
            except _ERRORS as error:
                yield Failure(str(bundle), f"not a readable zip file: {error}")
        elif bundle.is_dir():
            yield from _read_export(_FolderFiles(bundle, "*"), bundle)
        else:
            yield from _read_export(_FolderFiles(bundle.parent.parent, f"{bundle.parent.name}/{bundle.name}"), bundle)


class _FolderFiles:
    def __init__(self, root: Path, days: str) -> None:
        self._root = root
        self._days = days

    def days(self) -> list[str]:
        pattern = self._days if "/" in self._days else "*/*.json"
        found = (path.relative_to(self._root).as_posix() for path in self._root.glob(pattern))
        return sorted(name for name in found if _DAY.fullmatch(name))

    def read(self, name: str) -> bytes:
        with (self._root / name).open("rb") as file:
            return file.read(DOCUMENT_LIMIT + 1)


class _ZipFiles:
    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive

    def days(self) -> list[str]:
        return sorted(name for name in self._archive.namelist() if _DAY.fullmatch(name))

    def read(self, name: str) -> bytes:
        with self._archive.open(name) as member:
            return member.read(DOCUMENT_LIMIT + 1)


def _read_export(files: _FolderFiles | _ZipFiles, bundle: Path) -> Iterator[Session | Failure]:
    people = _people(files)
    channel = ""
    sessions: dict[str, TurnList] = {}
    for name in files.days():
        day = _DAY.fullmatch(name)
        assert day is not None
        if day["channel"] != channel:
            yield from _sessions(sessions, channel, bundle)
            channel, sessions = day["channel"], {}
        try:
            messages = as_list(parse_document(files.read(name)))
        except UnreadableDocument as error:
            yield Failure(f"{bundle}: {name}", str(error))
            continue
        except OSError as error:
            yield Failure(f"{bundle}: {name}", render_os_error(error))
            continue
        for message in map(as_dict, messages):
            thread = as_str(message.get("thread_ts"))
            say_message(sessions.setdefault(thread or day["day"], TurnList()), message, people)
    yield from _sessions(sessions, channel, bundle)


def say_message(turns: TurnList, message: dict[str, Any], people: dict[str, str]) -> None:
    """Adds one message; joining, leaving and other notices of the channel are left out."""
    if as_str(message.get("subtype")) in _SILENT or message.get("hidden"):
        return
    user = as_str(message.get("user"))
    profile = as_dict(message.get("user_profile"))
    speaker = people.get(user or "") or as_str(profile.get("real_name")) or as_str(message.get("username"))
    ts = as_str(message.get("ts"))
    turns.say(
        Role.PARTICIPANT,
        parse_text(as_str(message.get("text")) or "", people),
        at=parse_time(ts),
        speaker=speaker or user,
        message_id=ts,
    )


def parse_text(text: str, people: dict[str, str]) -> str:
    """Plain text of Slack's markup: names for mentions, label and target for links, entities resolved."""

    def mention(match: re.Match[str]) -> str:
        return "@" + (people.get(match["user"]) or match["label"] or match["user"])

    def link(match: re.Match[str]) -> str:
        target, label = match["target"], match["label"]
        if target.startswith(("#", "!")):
            return (target[0].replace("!", "@") + (label or target[1:].split("^")[0])) if label or target[1:] else ""
        return f"{label} ({target})" if label and label != target else target

    return unescape(_LINK.sub(link, _MENTION.sub(mention, text)))


def _people(files: _FolderFiles | _ZipFiles) -> dict[str, str]:
    try:
        users = as_list(parse_document(files.read("users.json")))
    except (UnreadableDocument, OSError, KeyError):
        return {}
    names = {}
    for user in map(as_dict, users):
        profile = as_dict(user.get("profile"))
        name = as_str(profile.get("real_name")) or as_str(user.get("real_name")) or as_str(user.get("name"))
        if (identity := as_str(user.get("id"))) and name:
            names[identity] = name
    return names


def _sessions(sessions: dict[str, TurnList], channel: str, bundle: Path) -> Iterator[Session]:
    for name, turns in sorted(sessions.items()):
        if said := turns.freeze():
            yield Session(SlackSource.name, f"{channel}/{name}", said, title=f"#{channel}", path=str(bundle))
