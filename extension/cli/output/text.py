"""Text for terminals: names, counts, times and JSON."""

import json
import os
import shutil
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

import click

from adapter.clock import SystemClock
from extension.cli.vendor_names import vendor_name
from extension.inspection.accounts.families import FAMILIES, Family

_WIDE: Final = 200
_MINUTE_MS, _HOUR_MS, _DAY_MS = 60_000, 3_600_000, 86_400_000
_HOURS_SHOWN_MS, _DAYS_SHOWN_MS = 2 * _DAY_MS, 60 * _DAY_MS
_TRIGGERS: Final[Mapping[str, str]] = {
    "page": "from the web",
    "terminal": "from the terminal",
    "interface": "through the API",
}
_ACTORS: Final[Mapping[str, str]] = {"page": "web", "interface": "API"}


def print_json(value: object) -> None:
    """Print one JSON object."""
    click.echo(json.dumps(value, indent=2))


def width() -> int:
    """Return the columns of the terminal; output to a file or pipe gets 200 unless COLUMNS is set."""
    named = os.environ.get("COLUMNS", "")
    if not sys.stdout.isatty() and not named.isdecimal():
        return _WIDE
    return shutil.get_terminal_size((_WIDE, 24)).columns


def plain(text: object) -> str:
    """Return foreign text without control characters, which could control the terminal."""
    return "".join(character if character.isprintable() else "\ufffd" for character in str(text))


def counted(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def named(account: Mapping[str, Any]) -> str:
    """Return the name of an account with its number and key hint, which distinguish equal names."""
    hint = f" {account['keyHint']}" if account.get("keyHint") else ""
    return plain(f"{account['displayName']} #{account.get('account', account.get('id'))}{hint}")


def family_label(account: Mapping[str, Any]) -> str:
    """Return the vendor of an API key's family, or the provider of a file."""
    token = str(account["family"])
    known = next((family for family in FAMILIES if family.value == token), None)
    return vendor_name(known) if known is not None else plain(token or account["provider"])


def scope(run: Mapping[str, Any]) -> str:
    """Return the accounts that a run covers, in words."""
    keys = run["accountSource"] == "api_key"
    kind = str(run["targetType"])
    source = "API keys" if keys else "OAuth files"
    if kind == Family.ALL:
        return source
    return f"{source}, {family_label({'family': kind, 'provider': ''})}" if keys else f"{source}, {plain(kind)}"


def trigger(run: Mapping[str, Any], now: int | None = None) -> str:
    """Return the origin and the age of a run: "from the web · 3 min ago"."""
    by = str(run["startedBy"])
    return f"{_TRIGGERS.get(by, f'by {plain(by)}')} · {ago(run['startedAt'], now)}"


def actor(name: str) -> str:
    """Return the actor of an action in words."""
    return _ACTORS.get(name, plain(name))


def ago(milliseconds: int, now: int | None = None) -> str:
    """Return the age of a time, or its date when it is old."""
    age = (SystemClock().now_ms() if now is None else now) - milliseconds
    if age < _MINUTE_MS:
        return "just now"
    if age < _HOUR_MS:
        return f"{age // _MINUTE_MS} min ago"
    if age < _HOURS_SHOWN_MS:
        return f"{age // _HOUR_MS} h ago"
    return f"{age // _DAY_MS} d ago" if age < _DAYS_SHOWN_MS else shown_time(milliseconds)


def shown_time(milliseconds: int) -> str:
    """Return a time in UTC to the minute; a time that no calendar has stays a number."""
    try:
        return datetime.fromtimestamp(milliseconds / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")
    except (ValueError, OverflowError, OSError):
        return str(milliseconds)
