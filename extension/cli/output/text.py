"""Text for terminals: names, counts, times and JSON."""

import json
import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

import click

from adapter.clock import SystemClock
from extension.cli.language.texts import text, token_text
from extension.cli.vendor_names import VENDORS, vendor_name
from extension.inspection.accounts.families import FAMILIES, Family

_WIDE: Final = 200
_MINUTE_MS, _HOUR_MS, _DAY_MS = 60_000, 3_600_000, 86_400_000
_HOURS_SHOWN_MS, _DAYS_SHOWN_MS = 2 * _DAY_MS, 60 * _DAY_MS
_ORIGINS: Final[Mapping[str, str]] = {
    "page": "run.origin_page",
    "terminal": "run.origin_terminal",
    "interface": "run.origin_interface",
}
_SOURCES: Final[Mapping[str, str]] = {"api_key": "scope.api_key", "oauth": "scope.oauth"}
_BY_SCHEDULE: Final = "schedule "


def print_json(value: object) -> None:
    """Print one JSON object."""
    click.echo(json.dumps(value, indent=2))


def print_export(content: str) -> None:
    """Print an export as it is; on a terminal, names in it that would steer the terminal are printed without effect."""
    if sys.stdout.isatty():
        content = "".join(f"{plain(line)}\n" for line in content.splitlines())
    click.echo(content, nl=False, color=True)


def width() -> int:
    """Return the columns of the terminal; output to a file or pipe gets 200 unless COLUMNS is set."""
    named = os.environ.get("COLUMNS", "")
    if not sys.stdout.isatty() and not named.isdecimal():
        return _WIDE
    return shutil.get_terminal_size((_WIDE, 24)).columns


def plain(words: object) -> str:
    """Return foreign text without control characters, which could control the terminal."""
    return "".join(character if character.isprintable() else "\ufffd" for character in str(words))


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun."""
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"


def listed(words: Sequence[str]) -> str:
    """Return words as an enumeration."""
    return text("terminal.comma").join(words)


def action_name(change: Mapping[str, Any]) -> str:
    """Return the action of a change or a recommendation in words."""
    return token_text("action", str(change["action"]), plain(change["action"]))


def family_label(account: Mapping[str, Any]) -> str:
    """Return the vendor of an API key's family, or the provider of a file."""
    token = str(account["family"])
    member = next((family for family in FAMILIES if family.value == token), None)
    return vendor_name(member) if member is not None else plain(token or account["provider"])


def host_name(host: str) -> str:
    """Return a host in words: the vendor stands in for it where accounts have no base URL."""
    return text("hold.vendor_address", vendor=plain(host)) if host in VENDORS else plain(host)


def scope(run: Mapping[str, Any]) -> str:
    """Return the accounts that a run covers, in words."""
    keys = run["accountSource"] == "api_key"
    kind = str(run["targetType"])
    source = source_name(str(run["accountSource"]))
    if kind == Family.ALL:
        return source
    return listed([source, family_label({"family": kind, "provider": ""}) if keys else plain(kind)])


def source_name(source: str) -> str:
    """Return the name of a source of accounts."""
    return text(_SOURCES[source])


def trigger(run: Mapping[str, Any], now: int | None = None) -> str:
    """Return the origin and the age of a run: "from the web · 3 min ago"."""
    by = str(run["startedBy"])
    if by.startswith(_BY_SCHEDULE):
        origin = text("run.by_schedule", schedule=plain(by.removeprefix(_BY_SCHEDULE)))
    else:
        origin = text(_ORIGINS[by]) if by in _ORIGINS else text("run.by", actor=plain(by))
    return text("terminal.origin", by=origin, when=ago(run["startedAt"], now))


def actor(name: str) -> str:
    """Return the actor of an action in words."""
    return token_text("actor", name, plain(name))


def ago(milliseconds: int, now: int | None = None) -> str:
    """Return the age of a time, or its date when it is old."""
    age = (SystemClock().now_ms() if now is None else now) - milliseconds
    if age < _MINUTE_MS:
        return text("time.just_now")
    if age < _HOUR_MS:
        return text("time.minutes_ago", n=age // _MINUTE_MS)
    if age < _HOURS_SHOWN_MS:
        return text("time.hours_ago", n=age // _HOUR_MS)
    return text("terminal.days_ago", n=age // _DAY_MS) if age < _DAYS_SHOWN_MS else shown_time(milliseconds)


def shown_time(milliseconds: int) -> str:
    """Return a time in UTC to the minute; a time that no calendar has stays a number."""
    try:
        return datetime.fromtimestamp(milliseconds / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")
    except (ValueError, OverflowError, OSError):
        return str(milliseconds)
